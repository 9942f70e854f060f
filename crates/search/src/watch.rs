//! When to look up from the search.
//!
//! Limits and interruptions are looked at every 1024 events (edges, mostly). Where the model is slow that could
//! take minutes, so the distance halves whenever it took long, and doubles back up when it did not. Distances
//! are powers of two and looks are where their multiples are reached, so there is always one where a multiple of 1024
//! is: the limit of memory is compared only there, and a search ends at the same state however fast the machine is.

use std::time::{Duration, Instant};

use crate::{Ending, Limit, Limits, Monitor, Progress};

/// Events between two looks, at most.
const LONGEST: u64 = 1024;

/// A look is late when the one before it is this long ago.
const LATE: Duration = Duration::from_millis(50);

/// Looks are too frequent when they follow each other this fast.
const EARLY: Duration = Duration::from_millis(5);

/// Decides when to look, and what to do about what is seen. Every search has one; those of other crates do as well.
pub struct Watch<'a> {
    limits: Limits,
    monitor: &'a mut dyn Monitor,
    start: Instant,
    last_look: Duration,
    events: u64,
    /// The number of events from which on the limit of memory is compared.
    next_comparison: u64,
    next_look: u64,
    distance: u64,
}

impl<'a> Watch<'a> {
    /// A watch that starts now.
    pub fn new(limits: &Limits, monitor: &'a mut dyn Monitor) -> Watch<'a> {
        Watch {
            limits: *limits,
            monitor,
            start: Instant::now(),
            last_look: Duration::ZERO,
            events: 0,
            next_comparison: LONGEST,
            next_look: 1,
            distance: 1,
        }
    }

    /// Counts events and says whether it is time to look.
    #[inline]
    pub fn events(&mut self, n: u64) -> bool {
        self.events += n;
        self.events >= self.next_look
    }

    /// Looks. The progress comes without the time.
    ///
    /// # Errors
    /// When a limit was reached or the monitor asks for the end.
    #[cold]
    pub fn look(&mut self, mut progress: Progress) -> Result<(), Ending> {
        let now = self.elapsed();
        let since = now - self.last_look;
        self.last_look = now;
        if since > LATE {
            self.distance = (self.distance / 2).max(1);
        } else if since < EARLY {
            self.distance = (self.distance * 2).min(LONGEST);
        }
        self.next_look = self.events - self.events % self.distance + self.distance;

        progress.elapsed = now;
        self.monitor.progress(&progress);
        if self.monitor.interrupted() {
            return Err(Ending::Interrupted);
        }
        if self.limits.max_time.is_some_and(|max| now >= max) {
            return Err(Ending::LimitReached(Limit::Time));
        }
        let bytes = [progress.store_bytes, progress.model_bytes, progress.frontier_bytes];
        let bytes = bytes.iter().fold(0u64, |sum, &bytes| sum.saturating_add(bytes as u64));
        if self.events >= self.next_comparison {
            self.next_comparison = self.events - self.events % LONGEST + LONGEST;
            if self.limits.max_memory.is_some_and(|max| bytes > max) {
                return Err(Ending::LimitReached(Limit::Memory));
            }
        }
        Ok(())
    }

    /// Whether so many states are all that may be stored.
    #[inline]
    pub fn is_last_state(&self, states: usize) -> bool {
        self.limits.max_states.is_some_and(|max| states as u64 >= max)
    }

    /// Who is told of the progress.
    pub fn monitor(&mut self) -> &mut dyn Monitor {
        self.monitor
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn no_multiple_of_1024_is_missed() {
        let progress = Progress {
            states: 0,
            edges: 0,
            frontier: 0,
            store_bytes: 1,
            model_bytes: 1,
            frontier_bytes: 1,
            elapsed: Duration::ZERO,
        };
        let limits = Limits { max_memory: Some(3), ..Limits::NONE };
        let mut silent = Silent;
        let mut watch = Watch::new(&limits, &mut silent);
        let mut looks = Vec::new();
        for event in 1..=5000u64 {
            if watch.events(1) {
                looks.push(event);
                assert!(watch.look(progress).is_ok());
                if event == 2048 {
                    // As if the model had slowed down.
                    watch.distance = 8;
                    watch.next_look = 2056;
                }
            }
        }
        assert_eq!(looks[..3], [1, 2, 4]);
        assert!([1024, 2048, 3072, 4096].iter().all(|event| looks.contains(event)), "{looks:?}");
        assert!(looks.len() < 100, "{looks:?}");
        let limits = Limits { max_memory: Some(2), ..Limits::NONE };
        let mut watch = Watch::new(&limits, &mut silent);
        let first = (1..5000u64).find(|_| watch.events(1) && watch.look(progress).is_err());
        assert_eq!(first, Some(1024));
    }
}
