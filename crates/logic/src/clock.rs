//! What is left of the limits of a command.

use std::time::{Duration, Instant};

use petite_search::Limits;

/// Limits of which the time is for several searches together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started: Instant,
    limits: Limits,
}

impl Clock {
    /// The time begins now.
    pub fn new(limits: Limits) -> Clock {
        Clock { started: Instant::now(), limits }
    }

    /// The limits of a search that may take one of so many equal shares of the time that is left.
    pub fn rest(&self, shares: u32) -> Limits {
        let left = |limit: Duration| limit.saturating_sub(self.started.elapsed()) / shares.max(1);
        Limits { max_time: self.limits.max_time.map(left), ..self.limits }
    }

    /// The limits of a search that may take so many of so many equal shares of the time that is left.
    pub fn part(&self, taken: u32, shares: u32) -> Limits {
        let Limits { max_time, .. } = self.rest(shares);
        Limits { max_time: max_time.map(|share| share.saturating_mul(taken)), ..self.limits }
    }

    /// Whether no time is left.
    pub fn is_over(&self) -> bool {
        self.limits.max_time.is_some_and(|limit| limit <= self.started.elapsed())
    }
}
