//! The comparison in 80 columns.

use crate::comparison::Comparison;
use crate::number::{short_count, short_rate, short_ratio, short_seconds, short_size};
use crate::row::{End, Row};

/// Columns of a line.
const WIDTH: usize = 80;

/// Columns of the name; a longer one has a line of its own.
const NAME: usize = 18;

/// The other columns: title and width, with a blank before each.
const COLUMNS: [(&str, usize); 7] =
    [("states", 12), ("time", 8), ("states/s", 9), ("B/state", 8), ("peak", 10), ("mem/pl", 7), ("t/pl", 6)];

/// The table, and below it what the marks mean and what there is to say of single rows.
pub fn table(comparison: &Comparison) -> String {
    let front = comparison.front();
    let mut text = heading();
    for (row, &is_on_front) in comparison.rows.iter().zip(&front) {
        text += &line(comparison, row, is_on_front);
    }
    text += "\nmem/pl, t/pl: bytes a state and time a state over those of the plain table\n";
    if front.contains(&true) {
        text += "*: no other exact way takes both less memory (peak) and less time\n";
    }
    if comparison.rows.iter().any(Row::is_lossy) {
        text += "?: lossy, states may be missing\n";
    }
    if comparison.rows.iter().any(Row::is_repeated) {
        text += "+: some states may be counted more than once\n";
    }
    if comparison.rows.iter().any(|row| row.figures.is_some() && !row.is_whole()) {
        text += "!: ended early, the figures are of what was seen\n";
    }
    let remarks = comparison.remarks();
    if !remarks.is_empty() {
        text.push('\n');
    }
    for (name, remark) in remarks {
        text += &folded(&format!("{name}: {remark}"));
    }
    if let Some(disagreement) = comparison.disagreement() {
        text += &format!("\n{}", folded(&format!("error: {disagreement}")));
    }
    text
}

/// The heading and the last rows so far, for a screen on which the rest is still to come.
pub fn live_lines(comparison: &Comparison, most: usize) -> String {
    let skipped = comparison.rows.len().saturating_sub(most);
    let mut text = heading();
    for row in &comparison.rows[skipped..] {
        text += &line(comparison, row, false);
    }
    text
}

fn heading() -> String {
    let mut text = format!("  {:<NAME$}", "way");
    for (title, width) in COLUMNS {
        text += &format!("{title:>width$}");
    }
    text.push('\n');
    text
}

fn line(comparison: &Comparison, row: &Row, is_on_front: bool) -> String {
    let mark = match row {
        row if row.figures.is_some() && !row.is_whole() => '!',
        row if row.is_lossy() => '?',
        row if row.is_repeated() => '+',
        _ if is_on_front => '*',
        _ => ' ',
    };
    let name = row.case.name();
    let mut text = format!("{mark} {name:<NAME$}");
    if name.chars().count() > NAME {
        text += &format!("\n  {:NAME$}", "");
    }
    let Some(figures) = &row.figures else {
        let why = match row.end {
            End::Refused(_) => "cannot be used, see below",
            End::NotRun => "not run",
            End::Interrupted => "interrupted",
            _ => "no result, see below",
        };
        return format!("{text}    {why}\n");
    };
    let or_dash = |value: Option<f64>, write: fn(f64) -> String| value.map_or("-".to_owned(), write);
    let cells = [
        short_count(figures.states),
        short_seconds(figures.seconds),
        or_dash(figures.states_per_second(), short_rate),
        or_dash(figures.bytes_per_state(), short_ratio),
        short_size(figures.memory() as f64),
        or_dash(comparison.memory_ratio(row), short_ratio),
        or_dash(comparison.time_ratio(row), short_ratio),
    ];
    for (cell, (_, width)) in cells.iter().zip(COLUMNS) {
        text += &format!("{cell:>width$}");
    }
    text.push('\n');
    text
}

/// Words in lines of the table's width, later ones indented.
fn folded(words: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text += "\n   ";
            column = 3;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::tests::sample;

    #[test]
    fn the_table_has_every_row_with_its_mark() {
        let text = table(&sample());
        let line =
            |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned();
        assert_eq!(
            line("* tree"),
            "* tree                     1,000  2.50 s      400    1.37   7.6 MiB  0.021  2.50"
        );
        assert!(line("? hashcompact").ends_with("1.10"));
        assert!(line("! obdd").contains("60.00 s"));
        assert!(line("  sweep").ends_with("cannot be used, see below"));
        assert!(line("sweep: ").contains("no progress measure"));
        assert!(line("collapse: ").contains("204"));
    }

    #[test]
    fn lines_stay_within_the_screen() {
        let mut all = sample();
        let figures = all.rows[1].figures.as_mut().unwrap();
        (figures.states, figures.seconds, figures.peak_bytes) = (9_999_999_999, 359_999.0, Some(999 << 30));
        all.rows[1].case.instance = vec![("A_PARAMETER".to_owned(), 12_345)];
        all.rows[0].case.instance = all.rows[1].case.instance.clone();
        all.rows[3].end = End::Early("words ".repeat(60));
        for line in table(&all).lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }

    #[test]
    fn a_live_view_has_the_last_rows() {
        let text = live_lines(&sample(), 2);
        assert_eq!(text.lines().count(), 3);
        assert!(text.contains("hashcompact") && text.contains("sweep") && !text.contains("tree"));
    }
}
