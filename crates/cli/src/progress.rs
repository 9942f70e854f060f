//! The line on the terminal that shows how far a search has come.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::units::{grouped, grouped_average, size};

/// The rate is measured over at least this long, so that it can be read.
const RATE_WINDOW: Duration = Duration::from_millis(500);

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// States found.
    pub states: u64,
    /// States that are still to be expanded.
    pub frontier: u64,
    /// Heap bytes of the store.
    pub store_bytes: u64,
    /// Heap bytes of store, model and frontier together.
    pub total_bytes: u64,
}

/// A spinner with figures on standard error. It draws nothing where that is no terminal.
pub struct ProgressLine {
    bar: ProgressBar,
    rate: Rate,
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
        let style = ProgressStyle::with_template("{spinner} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()).tick_chars("|/-\\ "));
        ProgressLine { bar, rate: Rate::starting_at(Instant::now()) }
    }

    /// Draws the line anew.
    pub fn show(&mut self, standing: &Standing) {
        if self.bar.is_hidden() {
            return;
        }
        let rate = self.rate.after(standing.states, Instant::now());
        self.bar.set_message(message(standing, rate));
        self.bar.tick();
    }

    /// Takes the line off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn message(standing: &Standing, rate: Option<f64>) -> String {
    let per_state = standing.store_bytes as f64 / standing.states as f64;
    format!(
        "{} states, {}/s, frontier {}, {} B/state, {}",
        grouped(standing.states),
        rate.map_or("-".to_owned(), grouped_average),
        grouped(standing.frontier),
        grouped_average(per_state),
        size(standing.total_bytes),
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
        let standing = Standing {
            states: 3_407_946_000,
            frontier: 123_456_789,
            store_bytes: 70_000_000_000,
            total_bytes: 80_000_000_000,
        };
        let line = message(&standing, Some(1_234_567.0));
        let expected = "3,407,946,000 states, 1,234,567/s, frontier 123,456,789, 20.5 B/state, 74.5 GiB";
        assert_eq!(line, expected);
        assert!(line.len() < 80);
        assert!(message(&Standing::default(), None).starts_with("0 states, -/s"));
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

    #[test]
    fn a_hidden_line_takes_everything() {
        let mut line = ProgressLine::hidden();
        line.show(&Standing::default());
        line.clear();
    }
}
