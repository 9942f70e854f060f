//! The line on the terminal that shows how far a search has come.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use petite_search::{Limits, Progress};

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
    limits: Limits,
}

impl ProgressLine {
    /// A line on the terminal, if there is one; it shows how near the limits are.
    pub fn on_terminal(limits: &Limits) -> ProgressLine {
        ProgressLine { limits: *limits, ..ProgressLine::on(ProgressDrawTarget::stderr_with_hz(8)) }
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
        ProgressLine { bar, rate: Rate::starting_at(Instant::now()), turns: 0, limits: Limits::NONE }
    }

    /// Draws the line anew.
    pub fn show(&mut self, progress: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let rate = self.rate.after(progress.states, Instant::now());
        let spinner = SPINNER[self.turns % SPINNER.len()];
        self.turns += 1;
        let text = match fraction(progress, &self.limits) {
            Some(fraction) => format!("{} {}", bar(fraction), message(progress, rate, Frontier::Hidden)),
            None => message(progress, rate, Frontier::Shown),
        };
        self.bar.set_message(format!("{spinner} {text}"));
    }

    /// Takes the line off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar of 17 columns with its percentage.
pub fn bar(fraction: f64) -> String {
    let fraction = fraction.clamp(0.0, 1.0);
    // Both are small whole numbers.
    let (tenths, percent) = ((fraction * 10.0) as usize, (fraction * 100.0) as u32);
    format!("[{}{}] {percent:>3} %", "#".repeat(tenths), ".".repeat(10 - tenths))
}

/// How much of the nearest limit is used up: a search ends there at the latest, if not before.
fn fraction(progress: &Progress, limits: &Limits) -> Option<f64> {
    let bytes = (progress.store_bytes + progress.model_bytes + progress.frontier_bytes) as f64;
    let of = |value: f64, limit: Option<f64>| limit.filter(|&limit| limit > 0.0).map(|limit| value / limit);
    [
        of(progress.states as f64, limits.max_states.map(|states| states as f64)),
        of(bytes, limits.max_memory.map(|bytes| bytes as f64)),
        of(progress.elapsed.as_secs_f64(), limits.max_time.map(|time| time.as_secs_f64())),
    ]
    .into_iter()
    .flatten()
    .max_by(f64::total_cmp)
}

/// Whether the line has room for the length of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frontier {
    Shown,
    Hidden,
}

fn message(progress: &Progress, rate: Option<f64>, frontier: Frontier) -> String {
    let frontier = match frontier {
        Frontier::Shown => format!("frontier {}, ", grouped(progress.frontier)),
        Frontier::Hidden => String::new(),
    };
    let per_state = progress.store_bytes as f64 / progress.states as f64;
    let bytes = progress.store_bytes + progress.model_bytes + progress.frontier_bytes;
    format!(
        "{} states, {}/s, {frontier}{} B/state, {}",
        grouped(progress.states),
        rate.map_or("-".to_owned(), grouped_average),
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
        let line = message(&progress, Some(1_234_567.0), Frontier::Shown);
        let expected = "3,407,946,000 states, 1,234,567/s, frontier 123,456,789, 20.5 B/state, 74.5 GiB";
        assert_eq!(line, expected);
        assert!(line.len() < 80);
        assert!(
            message(&Progress { states: 0, store_bytes: 0, ..progress }, None, Frontier::Shown)
                .starts_with("0 states, -/s")
        );
    }

    #[test]
    fn the_bar_is_of_the_nearest_limit() {
        assert_eq!(bar(0.527), "[#####.....]  52 %");
        assert_eq!([bar(-1.0), bar(7.0)], ["[..........]   0 %", "[##########] 100 %"]);
        let progress = Progress {
            states: 500,
            edges: 0,
            frontier: 0,
            store_bytes: 100,
            model_bytes: 50,
            frontier_bytes: 50,
            elapsed: Duration::from_secs(3),
        };
        let limits = Limits { max_states: Some(1000), max_memory: Some(1000), ..Limits::NONE };
        assert_eq!(fraction(&progress, &limits), Some(0.5));
        let limits = Limits { max_time: Some(Duration::from_secs(4)), ..limits };
        assert_eq!(fraction(&progress, &limits), Some(0.75));
        assert_eq!(fraction(&progress, &Limits::NONE), None);
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
