//! Who watches a running search.

use std::time::Duration;

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Edges walked.
    pub edges: u64,
    /// Length of the queue (states to expand) or of the stack (states on the path).
    pub frontier: u64,
    /// Heap bytes of the store.
    pub store_bytes: usize,
    /// Heap bytes of the model's tables.
    pub model_bytes: usize,
    /// Heap bytes of the queue or stack.
    pub frontier_bytes: usize,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Watches a search from outside and may end it.
///
/// Both methods are called about every thousand edges, more often while the model is slow. That is thousands of
/// times a second: a monitor that draws does so only when enough time has passed, by [`Progress::elapsed`].
pub trait Monitor {
    /// Takes note of the progress.
    fn progress(&mut self, progress: &Progress);

    /// Whether the search has to end.
    fn interrupted(&self) -> bool;
}

/// Watches nothing and never interrupts.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Monitor for Silent {
    fn progress(&mut self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        false
    }
}
