//! Flags that end a search early.

use std::time::{Duration, Instant};

use clap::Args;
use petite_search::{Boundedness, Limits};

use crate::{memory, units};

/// When to stop.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitArgs {
    /// Stop after this many states, as in 250000 or 5M.
    #[arg(long, value_name = "N", value_parser = units::parse_count)]
    pub max_states: Option<u64>,

    /// Stop when store, model tables and frontier take this much, as in 4G or 512MiB; without it, when they take
    /// 85 % of the memory that the system had to give.
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size)]
    pub max_memory: Option<u64>,

    /// Stop after this time, as in 90s, 5m or 1h30m.
    #[arg(long, value_name = "DURATION", value_parser = units::parse_duration)]
    pub max_time: Option<Duration>,

    /// Do not test whether places grow without end; an unbounded net is then searched until a limit.
    #[arg(long)]
    pub assume_bounded: bool,
}

impl LimitArgs {
    /// How far a search may go that begins now. The time limit is for the whole command, which began at `started`, so what
    /// has passed is taken off.
    pub fn limits(self, started: Instant) -> Limits {
        Limits {
            max_states: self.max_states,
            max_memory: self.max_memory.or_else(memory::available),
            max_time: self.max_time.map(|limit| limit.saturating_sub(started.elapsed())),
            boundedness: if self.assume_bounded { Boundedness::Assume } else { Boundedness::Test },
        }
    }
}
