//! A summary for people: aligned, within 80 columns, partial results plainly marked.

use std::fmt::Write as _;

use crate::args::OutputArgs;
use crate::summary::Summary;
use crate::units::{grouped, grouped_average, seconds, size};

/// Columns of a line.
const WIDTH: usize = 80;
/// Columns of the names on the left.
const NAMES: usize = 16;
/// Columns of the names of numbers on the left.
const NUMBER_NAMES: usize = 26;
/// Columns of the numbers.
const NUMBERS: usize = 18;

/// The report that these arguments ask for.
pub fn text(summary: &Summary, output: &OutputArgs) -> String {
    if output.quiet {
        return one_line(summary);
    }
    let mut report = Report::default();
    report.heading(summary);
    if let Some(endless) = &summary.endless {
        report.blank();
        endless.lines(WIDTH).iter().for_each(|line| report.line(line));
    }
    report.counts(summary);
    report.costs(summary);
    if output.verbose {
        report.details(summary);
    }
    report.text
}

/// States, edges and dead states, and `partial` where there may be more.
fn one_line(summary: &Summary) -> String {
    let partial = if summary.stopped.is_some() { " partial" } else { "" };
    format!("{} {} {}{partial}\n", summary.states, summary.edges, summary.dead_states)
}

#[derive(Default)]
struct Report {
    text: String,
}

impl Report {
    fn heading(&mut self, summary: &Summary) {
        self.named("model", &format!("{} ({})", summary.net, summary.model));
        if !summary.params.is_empty() {
            let params: Vec<_> =
                summary.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
            self.named("parameters", &params.join(", "));
        }
        self.named(
            "explored",
            &format!("search {}, engine {}, store {}", summary.search, summary.engine, summary.store),
        );
        match summary.stopped {
            None => self.named("result", "complete"),
            Some(stop) => self.named("result", &format!("(partial: {})", stop.words())),
        }
    }

    fn counts(&mut self, summary: &Summary) {
        // What an unfinished search has counted bounds the truth from below.
        let more = if summary.stopped.is_some() { "or more (partial)" } else { "" };
        self.blank();
        self.number("states", &grouped(summary.states), more);
        self.number("edges", &grouped(summary.edges), more);
        self.number("dead states", &grouped(summary.dead_states), more);
        self.number("most tokens in a place", &grouped(summary.max_tokens_in_place), more);
        self.number("most tokens in total", &grouped(summary.max_tokens_total), more);
    }

    fn costs(&mut self, summary: &Summary) {
        let average = |value: Option<f64>| value.map_or("-".to_owned(), grouped_average);
        self.blank();
        self.number("time", &seconds(summary.seconds), "");
        self.number("states per second", &average(summary.states_per_second()), "");
        self.number("edges per second", &average(summary.edges_per_second()), "");
        self.blank();
        self.number("store", &size(summary.store_bytes), "");
        self.number("bytes per state", &average(summary.bytes_per_state()), "");
        self.number("bytes of a state vector", &average(summary.vector_bytes()), "");
        self.number("model tables", &size(summary.model_bytes), "");
        self.number("frontier at its peak", &size(summary.frontier_bytes), "");
        let peak = summary.peak_rss_bytes.map_or("unknown".to_owned(), size);
        self.number("peak resident memory", &peak, "");
    }

    fn details(&mut self, summary: &Summary) {
        self.blank();
        self.named("engine choice", &summary.engine_reason);
        self.number("time to prepare", &seconds(summary.prepare_seconds), "");
        self.number("slots of a state", &grouped(summary.slots), "");
        self.number("bits of a state", &grouped(summary.state_bits), "");
        self.number("actions", &grouped(summary.actions), "");
        if summary.place_bounds.is_empty() {
            return;
        }
        self.blank();
        self.line("most tokens in each place");
        for (place, bound) in &summary.place_bounds {
            self.number(&format!("  {place}"), &grouped(*bound), "");
        }
    }

    fn blank(&mut self) {
        self.line("");
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A name and words, folded between words where they are too long.
    fn named(&mut self, name: &str, words: &str) {
        let mut line = format!("{name:NAMES$}");
        let mut column = NAMES;
        for (i, word) in words.split(' ').enumerate() {
            let length = word.chars().count();
            if i > 0 && column + 1 + length > WIDTH {
                self.line(&line);
                line = " ".repeat(NAMES);
                column = NAMES;
            } else if i > 0 {
                line.push(' ');
                column += 1;
            }
            line.push_str(word);
            column += length;
        }
        self.line(&line);
    }

    /// A name and a number, both columns aligned, and a remark.
    fn number(&mut self, name: &str, number: &str, remark: &str) {
        let mut line = String::new();
        // A long name takes room from the number's column before it pushes the number out of line.
        let room = (NUMBER_NAMES + NUMBERS).saturating_sub(name.chars().count());
        let _ = write!(line, "{name}{number:>room$}   {remark}");
        self.line(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{Stop, tests::sample};

    const NORMAL: OutputArgs = OutputArgs { json: false, quiet: false, verbose: false };
    const QUIET: OutputArgs = OutputArgs { json: false, quiet: true, verbose: false };
    const VERBOSE: OutputArgs = OutputArgs { json: false, quiet: false, verbose: true };

    #[test]
    fn a_complete_result() {
        let expected = "\
model           dining (models/dining.lna)
parameters      N=5, EAT=-2
explored        search bfs, engine unfolded, store plain
result          complete

states                             1,914,784
edges                              9,046,048
dead states                                0
most tokens in a place                     5
most tokens in total                      12

time                                  2.00 s
states per second                    957,392
edges per second                   4,523,024

store                               36.5 MiB
bytes per state                         20.0
bytes of a state vector                  8.0
model tables                         2.0 KiB
frontier at its peak                 4.0 KiB
peak resident memory                42.0 MiB
";
        assert_eq!(text(&sample(), &NORMAL), expected);
    }

    #[test]
    fn a_partial_result_says_so() {
        let mut summary = sample();
        summary.stopped = Some(Stop::Time);
        let report = text(&summary, &NORMAL);
        assert!(report.contains("(partial: time limit reached)"), "{report}");
        assert!(report.contains("1,914,784   or more (partial)\n"), "{report}");
        assert_eq!(text(&summary, &QUIET), "1914784 9046048 0 partial\n");
    }

    #[test]
    fn quiet_is_one_line_and_verbose_has_every_place() {
        assert_eq!(text(&sample(), &QUIET), "1914784 9046048 0\n");
        let report = text(&sample(), &VERBOSE);
        assert!(report.contains("  a_long_name_of_a_place") && report.contains("125 instances are few"));
    }

    #[test]
    fn lines_stay_within_the_screen() {
        let mut summary = sample();
        summary.params = (0..40).map(|i| (format!("PARAMETER_{i}"), i)).collect();
        summary.states = u64::from(u32::MAX);
        summary.edges = 999_999_999_999;
        summary.stopped = Some(Stop::Error);
        let report = text(&summary, &VERBOSE);
        assert!(report.lines().all(|line| line.chars().count() <= WIDTH), "{report}");
        assert!(report.lines().all(|line| line == line.trim_end()), "{report}");
    }
}
