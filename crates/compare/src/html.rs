//! The report: one HTML page that needs nothing beside itself.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::comparison::{Comparison, Fact};
use crate::number::{grouped, short_rate, short_ratio, short_seconds, short_size};
use crate::plot::{PlotError, plots};
use crate::row::Row;

/// Its looks; no font, picture or script comes from elsewhere.
const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin-bottom: 0 } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #ddd }
p.note { color: #555 } code, pre { font: 13px/1.4 ui-monospace, monospace } pre { overflow-x: auto; background: #f6f6f6; padding: .7rem }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: 14px }
th, td { padding: .25rem .45rem; border-bottom: 1px solid #e5e5e5; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
th:first-child, td:first-child, table.facts td, table.facts th { text-align: left }
table.facts { width: auto } table.facts td { white-space: normal }
td.why { text-align: left; white-space: normal; color: #555 }
tr.front td:first-child { font-weight: bold } tr.front { background: #eef6ee } tr.early { color: #8a5a00 }
figure { margin: 1rem 0 } figure svg { max-width: 100%; height: auto; border: 1px solid #e5e5e5 } figcaption { color: #555 }
.bug { background: #fde8e8; padding: .7rem }
";

/// The whole page.
///
/// # Errors
/// When a plot cannot be drawn.
pub fn report(comparison: &Comparison) -> Result<String, PlotError> {
    let plots = plots(comparison)?;
    let front = comparison.front();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Without it a browser asks for one.
                link rel="icon" href="data:,";
                title { "petite compare: " (comparison.model) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (comparison.model) }
                p.note { "What each way of keeping the states of this model costs. Each ran in a process of its own." }
                @if let Some(disagreement) = comparison.disagreement() {
                    p.bug { strong { "Error: " } (disagreement) }
                }
                h2 { "The model" }
                (facts("model", &comparison.facts))
                h2 { "The ways" }
                (table(comparison, &front))
                (remarks(comparison))
                @if !plots.is_empty() { h2 { "Plots" } }
                @for plot in &plots {
                    figure id=(plot.name) role="img" aria-label=(plot.title) {
                        (PreEscaped(&plot.svg))
                        figcaption { (plot.title) }
                    }
                }
                h2 { "The machine" }
                (facts("machine", &comparison.machine))
                h2 { "The commands" }
                p.note { "This page was made by" }
                pre { (comparison.command) }
                p.note { "and each row can be had alone by" }
                pre id="commands" {
                    @for row in &comparison.rows { (row.command) "\n" }
                }
            }
        }
    };
    Ok(page.into_string())
}

fn facts(id: &str, facts: &[Fact]) -> Markup {
    html! {
        table.facts id=(id) {
            @for (name, words) in facts { tr { th { (name) } td { (words) } } }
        }
    }
}

fn table(comparison: &Comparison, front: &[bool]) -> Markup {
    html! {
        div.scroll { table id="ways" {
            thead { tr {
                @for title in [
                    "way", "states", "time", "states/s", "bytes/state", "vector bytes", "peak memory",
                    "mem / plain", "time / plain",
                ] { th { (title) } }
            } }
            tbody {
                @for (row, &is_on_front) in comparison.rows.iter().zip(front) { (line(comparison, row, is_on_front)) }
            }
        } }
        p.note {
            "Shaded rows are the Pareto front: no other exact way took both less memory and less time. Ratios are of bytes and of time "
            "for each state, over those of the plain table. ? marks lossy stores, which may miss states; + marks searches that may count states more than once; ! marks runs that ended early."
        }
    }
}

fn line(comparison: &Comparison, row: &Row, is_on_front: bool) -> Markup {
    let is_early = row.figures.is_some() && !row.is_whole();
    let class = match (is_on_front, is_early) {
        (true, _) => "front",
        (_, true) => "early",
        _ => "",
    };
    let or_dash = |value: Option<f64>, write: fn(f64) -> String| value.map_or("-".to_owned(), write);
    html! {
        tr class=(class) title=(row.command) {
            td {
                (row.case.name())
                @if is_early { " !" }
                @else if row.is_lossy() { " ?" }
                @else if row.is_repeated() { " +" }
            }
            @if let Some(figures) = &row.figures {
                td { (grouped(figures.states)) }
                td { (short_seconds(figures.seconds)) }
                td { (or_dash(figures.states_per_second(), short_rate)) }
                td { (or_dash(figures.bytes_per_state(), short_ratio)) }
                td { (or_dash(figures.vector_bytes, short_ratio)) }
                td { (short_size(figures.memory() as f64)) }
                td { (or_dash(comparison.memory_ratio(row), short_ratio)) }
                td { (or_dash(comparison.time_ratio(row), short_ratio)) }
            } @else {
                td.why colspan="8" { (row.remark().unwrap_or_default()) }
            }
        }
    }
}

fn remarks(comparison: &Comparison) -> Markup {
    let remarks = comparison.remarks();
    html! {
        @if !remarks.is_empty() {
            ul id="remarks" {
                @for (name, remark) in remarks { li { strong { (name) } ": " (remark) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::tests::sample;

    #[test]
    fn the_page_has_all_parts_and_nothing_from_elsewhere() {
        let page = report(&sample()).unwrap();
        for part in [
            "id=\"ways\"",
            "id=\"memory-time\"",
            "id=\"memory-states\"",
            "id=\"machine\"",
            "some &lt;CPU&gt;",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(page.contains("dining &lt;N&gt; &amp; co") && !page.contains("<N>"), "{page}");
        for outside in ["src=", "@import", "url(", "<script"] {
            assert!(!page.contains(outside), "{outside}");
        }
        // The only addresses are names of XML's.
        let addresses = page.matches("http").count();
        assert_eq!(addresses, page.matches("http://www.w3.org/").count());
    }
}
