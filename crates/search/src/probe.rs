//! Looking for growth in the other order.
//!
//! Each order has nets whose growth it meets late: breadth first those that grow only after many steps, depth
//! first those where it follows something else for long. A search is therefore interrupted now and then for a small
//! one in the other order, with a store of its own, only to find out whether the model is endless:
//!
//! ```text
//!  states        32,768        131,072        524,288    ...    given up at a limit
//!  probe of         512          2,048          8,192              1/32 as many, 1000 at least
//! ```
//!
//! **Cost.** A forty-eighth of the states, so about that part of the time; and a sixty-fourth of the memory, for
//! a while.

use petite_model::Model;
use petite_store::{Plain, StateSet};

use crate::{
    Boundedness, Ending, Limit, Limits, Monitor, NoObserver, Order, Progress, Report, breadth_first,
    depth_first,
};

/// States before the first probe.
pub const FIRST: usize = 1 << 15;

/// States at a probe divided by those at the one before.
pub const STRIDE: usize = 4;

/// States at a probe divided by those of the probe.
const SHARE: u64 = 64;

/// The same for the last probe.
const LAST_SHARE: u32 = 32;

/// States of the last probe at least; they take no time that anyone would notice.
const LAST_LEAST: u64 = 1000;

/// Whether a search is interrupted by probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probes {
    /// Where the model may grow.
    Some,
    /// Never: it is one.
    None,
}

/// Searches for growth during a search with so many states.
pub fn probe<M: Model>(model: &mut M, order: Order, states: usize, monitor: &mut dyn Monitor) -> Ending {
    let limits = Limits { max_states: Some(states as u64 / SHARE), ..Limits::NONE };
    search(model, order, &limits, monitor).ending
}

/// Follows a search that was given up by a last probe, and puts what it found into the report.
pub fn last_probe<M: Model, S: StateSet>(
    mut report: Report,
    model: &mut M,
    store: &mut S,
    order: Order,
    limits: &Limits,
    monitor: &mut dyn Monitor,
) -> Report {
    let gave_up = matches!(report.ending, Ending::LimitReached(_) | Ending::OutOfIds);
    if !gave_up || limits.boundedness == Boundedness::Assume || !model.may_grow() {
        return report;
    }
    let was_late = matches!(report.ending, Ending::LimitReached(Limit::Time));
    let limits = Limits {
        max_states: Some((report.states / u64::from(LAST_SHARE)).max(LAST_LEAST)),
        max_memory: limits.max_memory.map(|bytes| bytes / u64::from(LAST_SHARE)),
        // Only a search that was timed is: others end alike each time.
        max_time: was_late.then(|| report.elapsed / LAST_SHARE),
        boundedness: Boundedness::Test,
    };
    let before = model.packing().clone();
    let probed = search(model, order.other(), &limits, monitor);
    report.elapsed += probed.elapsed;
    if let Ending::Unbounded(_) = probed.ending {
        report.ending = probed.ending;
    }
    // The probe may have widened fields; the states that were found stay readable.
    if *model.packing() != before && store.repack(&before, model.packing()).is_err() {
        report.ending = Ending::OutOfMemory;
    }
    report
}

fn search<M: Model>(model: &mut M, order: Order, limits: &Limits, monitor: &mut dyn Monitor) -> Report {
    let (mut store, mut quiet) = (Plain::new(model.packing()), Quiet(monitor));
    let (store, quiet, observer) = (&mut store, &mut quiet, &mut NoObserver);
    match order {
        Order::DepthFirst => depth_first::explore(model, store, limits, quiet, observer, Probes::None),
        Order::BreadthFirst => breadth_first::explore(model, store, limits, quiet, observer, Probes::None),
    }
}

/// Passes on only the wish to end.
struct Quiet<'a>(&'a mut dyn Monitor);

impl Monitor for Quiet<'_> {
    fn progress(&mut self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}
