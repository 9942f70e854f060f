//! How far a search may go.

use std::time::Duration;

/// Limits of a search; `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of states to store. Exact: the search ends as soon as there are so many, even if all of them were
    /// expanded already.
    pub max_states: Option<u64>,
    /// Bytes that store, model and frontier may own together. It is looked at every thousand edges or so, so the
    /// search ends a little above it.
    pub max_memory: Option<u64>,
    /// Time to search for.
    pub max_time: Option<Duration>,
    /// Whether the search ends when it is found to be endless.
    pub boundedness: Boundedness,
}

impl Limits {
    /// No limit at all; an endless search is still recognised.
    pub const NONE: Limits =
        Limits { max_states: None, max_memory: None, max_time: None, boundedness: Boundedness::Test };
}

/// What is believed of the numbers of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundedness {
    /// They may grow without end: that is looked for, and ends the search where it is found. Models in which nothing may
    /// grow, by [`petite_model::Model::may_grow`], are not tested.
    Test,
    /// They are bounded, and nothing is spent on a test.
    Assume,
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::max_states`].
    States,
    /// [`Limits::max_memory`].
    Memory,
    /// [`Limits::max_time`].
    Time,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Limit::States => "limit of states",
            Limit::Memory => "limit of memory",
            Limit::Time => "limit of time",
        })
    }
}
