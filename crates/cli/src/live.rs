//! The table on the terminal while a comparison goes on: the rows so far, and how far the present run has come.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use petite_compare::{Comparison, Sample, live_lines};

use crate::progress::bar;
use crate::units::{grouped, grouped_average, size};

/// Rows that are shown at most, so that all fits on a small screen.
const ROWS: usize = 16;

/// A table on standard error. It draws nothing where that is no terminal.
pub struct LiveTable {
    bar: ProgressBar,
    rows: String,
}

impl LiveTable {
    /// A table on the terminal, if there is one and one is wanted.
    pub fn new(is_wanted: bool) -> LiveTable {
        let target = match is_wanted {
            true => ProgressDrawTarget::stderr_with_hz(8),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        LiveTable { bar, rows: String::new() }
    }

    /// Shows the rows so far, and that another one has begun.
    pub fn begin(&mut self, comparison: &Comparison, name: &str, number: usize, of: usize) {
        self.rows = match comparison.rows.is_empty() {
            true => String::new(),
            false => live_lines(comparison, ROWS),
        };
        self.bar.set_message(format!("{}{name} ({number} of {of}) ...", self.rows));
        self.bar.tick();
    }

    /// Shows how far a run has come; `total` is the number of states there will be, where it is known.
    pub fn show(&self, name: &str, sample: &Sample, total: Option<u64>) {
        if !self.bar.is_hidden() {
            self.bar.set_message(format!("{}{}", self.rows, running(name, sample, total)));
        }
    }

    /// Takes the table off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The line of the present run, in 80 columns.
fn running(name: &str, sample: &Sample, total: Option<u64>) -> String {
    let states = sample.states as f64;
    let fraction = total.filter(|&total| total > 0).map(|total| bar(states / total as f64) + " ");
    let name: String = name.chars().take(24).collect();
    format!(
        "{name} {}{} states, {}/s, {} B/state, {}",
        fraction.unwrap_or_default(),
        grouped(sample.states),
        grouped_average(states / sample.seconds),
        grouped_average(sample.store_bytes as f64 / states),
        size(sample.bytes()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_a_screen() {
        let sample = Sample {
            seconds: 100.0,
            states: 50_000_000,
            edges: 0,
            frontier: 0,
            store_bytes: 70_000_000,
            model_bytes: 0,
            frontier_bytes: 0,
        };
        let line = running("tree", &sample, Some(100_000_000));
        assert_eq!(line, "tree [#####.....]  50 % 50,000,000 states, 500,000/s, 1.4 B/state, 66.8 MiB");
        assert!(line.len() <= 80);
        assert!(running("tree", &sample, None).starts_with("tree 50,000,000 states"));
    }
}
