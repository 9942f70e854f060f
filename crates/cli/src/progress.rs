//! The line on the terminal that shows how far a search has come.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use petite_search::Progress;

use crate::units::{grouped, grouped_average, size};

/// The rate is measured over at least this long, so that it can be read.
const RATE_WINDOW: Duration = Duration::from_millis(500);

/// Shows that something moves: one of these after the other.
const SPINNER: [char; 4] = ['|', '/', '-', '\\'];

/// A spinner with figures on standard error. It draws nothing where that is no terminal.
pub struct ProgressLine {
    bar: ProgressBar,
    rate: Rate,
    turns: usize,
}

impl ProgressLine {
    /// A line on the terminal, if there is one.
    pub fn on_terminal() -> ProgressLine {
        ProgressLine::on(ProgressDrawTarget::stderr_with_hz(8))
    }

    /// No line at all.
    pub fn hidden() -> ProgressLine {
        ProgressLine::on(ProgressDrawTarget::hidden())
    }

    fn on(target: ProgressDrawTarget) -> ProgressLine {
        let bar = ProgressBar::with_draw_target(None, target);
        // The message is cut where the terminal is narrower than it.
        let style = ProgressStyle::with_template("{wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        ProgressLine { bar, rate: Rate::starting_at(Instant::now()), turns: 0 }
    }

    /// Draws the line anew.
    pub fn show(&mut self, progress: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let rate = self.rate.after(progress.states, Instant::now());
        let spinner = SPINNER[self.turns % SPINNER.len()];
        self.turns += 1;
        self.bar.set_message(format!("{spinner} {}", message(progress, rate)));
    }

    /// Takes the line off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn message(progress: &Progress, rate: Option<f64>) -> String {
    let per_state = progress.store_bytes as f64 / progress.states as f64;
    let bytes = progress.store_bytes + progress.model_bytes + progress.frontier_bytes;
    format!(
        "{} states, {}/s, frontier {}, {} B/state, {}",
        grouped(progress.states),
        rate.map_or("-".to_owned(), grouped_average),
        grouped(progress.frontier),
        grouped_average(per_state),
        size(bytes as u64),
    )
}

/// States found in a second, over the last moments.
struct Rate {
    since: Instant,
    states: u64,
    last: Option<f64>,
}

impl Rate {
    fn starting_at(now: Instant) -> Rate {
        Rate { since: now, states: 0, last: None }
    }

    fn after(&mut self, states: u64, now: Instant) -> Option<f64> {
        let passed = now.saturating_duration_since(self.since);
        if passed >= RATE_WINDOW {
            self.last = Some(states.saturating_sub(self.states) as f64 / passed.as_secs_f64());
            self.since = now;
            self.states = states;
        }
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_a_screen() {
        let progress = Progress {
            states: 3_407_946_000,
            edges: 0,
            frontier: 123_456_789,
            store_bytes: 70_000_000_000,
            model_bytes: 4_000_000_000,
            frontier_bytes: 6_000_000_000,
            elapsed: Duration::ZERO,
        };
        let line = message(&progress, Some(1_234_567.0));
        let expected = "3,407,946,000 states, 1,234,567/s, frontier 123,456,789, 20.5 B/state, 74.5 GiB";
        assert_eq!(line, expected);
        assert!(line.len() < 80);
        assert!(
            message(&Progress { states: 0, store_bytes: 0, ..progress }, None).starts_with("0 states, -/s")
        );
    }

    #[test]
    fn the_rate_is_of_the_last_moments() {
        let start = Instant::now();
        let mut rate = Rate::starting_at(start);
        assert_eq!(rate.after(1000, start), None);
        assert_eq!(rate.after(2000, start + Duration::from_secs(2)), Some(1000.0));
        assert_eq!(rate.after(2500, start + Duration::from_millis(2100)), Some(1000.0));
        assert_eq!(rate.after(3000, start + Duration::from_secs(3)), Some(1000.0));
        assert_eq!(rate.after(3000, start + Duration::from_secs(4)), Some(0.0));
    }
}
