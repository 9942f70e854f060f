//! How much work an analysis may do.

/// Work left to spend. A step is about one entry of a sparse vector read or written: some nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Steps left.
    pub steps: u64,
    /// Most vectors to keep at once where their number can explode.
    pub rows: usize,
}

impl Effort {
    /// For facts that only save some bits: at most a small part of a second.
    pub const QUICK: Effort = Effort { steps: 10_000_000, rows: 1_000 };

    /// For facts that were asked for: a second or two.
    pub const THOROUGH: Effort = Effort { steps: 100_000_000, rows: 2_000 };

    /// Takes steps off, or gives false and takes off what is left: there were not so many.
    #[must_use]
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let enough = self.steps >= steps as u64;
        self.steps = self.steps.saturating_sub(steps as u64);
        enough
    }
}
