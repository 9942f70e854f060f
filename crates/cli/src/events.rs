//! Progress for programs: a line of JSON on standard error now and then, with `--events`.
//!
//! A line comes when there are a sixteenth more states than at the last one, or a quarter of a second later, and at the
//! end. So a plot over states has points at all sizes, and whoever waits sees that something moves.

use std::time::Duration;

use petite_compare::Sample;
use petite_search::Progress;

/// Time between two lines at most, while the search looks up.
const EVERY: Duration = Duration::from_millis(250);

/// Time between two lines at least.
const AT_LEAST: Duration = Duration::from_millis(1);

/// Longest line, in bytes: seven names and numbers.
const LONGEST: usize = 512;

/// Decides when to write, and writes.
#[derive(Debug, Default)]
pub struct Events {
    /// The line, in memory that was taken once: what comes and goes between tables that grow would tear holes into
    /// the heap, and add to the peak that is measured.
    line: Vec<u8>,
    last: Option<Progress>,
    /// The newest that was heard of and not written.
    waiting: Option<Progress>,
    is_gone: bool,
}

impl Events {
    /// Takes note of the progress, and writes it if it is time.
    pub fn progress(&mut self, progress: &Progress) {
        if self.is_due(progress) {
            self.write(progress);
        } else {
            self.waiting = Some(*progress);
        }
    }

    /// Writes what was last heard of.
    pub fn finish(&mut self) {
        if let Some(progress) = self.waiting.take() {
            self.write(&progress);
        }
    }

    /// Whether nobody reads any more: then there is no use in going on.
    pub fn is_gone(&self) -> bool {
        self.is_gone
    }

    fn is_due(&self, progress: &Progress) -> bool {
        self.last.is_none_or(|last| {
            let passed = progress.elapsed.saturating_sub(last.elapsed);
            let has_grown = progress.states > last.states + last.states / 16;
            passed >= EVERY || has_grown && passed >= AT_LEAST
        })
    }

    fn write(&mut self, progress: &Progress) {
        use std::io::Write as _;
        self.line.clear();
        self.line.reserve(LONGEST);
        sample(progress).write_to(&mut self.line);
        self.line.push(b'\n');
        self.is_gone |= std::io::stderr().lock().write_all(&self.line).is_err();
        self.last = Some(*progress);
        self.waiting = None;
    }
}

fn sample(progress: &Progress) -> Sample {
    Sample {
        seconds: progress.elapsed.as_secs_f64(),
        states: progress.states,
        edges: progress.edges,
        frontier: progress.frontier,
        store_bytes: progress.store_bytes as u64,
        model_bytes: progress.model_bytes as u64,
        frontier_bytes: progress.frontier_bytes as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(states: u64, milliseconds: u64) -> Progress {
        Progress {
            states,
            edges: 0,
            frontier: 0,
            store_bytes: 0,
            model_bytes: 0,
            frontier_bytes: 0,
            elapsed: Duration::from_millis(milliseconds),
        }
    }

    #[test]
    fn lines_come_with_growth_or_with_time() {
        let mut events = Events::default();
        assert!(events.is_due(&at(1, 0)));
        events.last = Some(at(1600, 100));
        assert!(!events.is_due(&at(1700, 110)), "too little");
        assert!(events.is_due(&at(1701, 110)), "a sixteenth more");
        assert!(!events.is_due(&at(9999, 100)), "at once");
        assert!(events.is_due(&at(1600, 350)), "later");
    }
}
