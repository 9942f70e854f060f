//! A last look before a search is given up.
//!
//! Each order has nets whose growth it meets late: breadth first those that grow only after many steps, depth
//! first those where it follows something else for long. A search that reached a limit is therefore followed by a
//! small one in the other order, with a store of its own, only to find out whether the model is endless. It
//! takes [`SHARE`] as many states as the search had, so about that part of its time and memory.

use petite_model::Model;
use petite_store::{Lookup, Plain};

use crate::{
    Boundedness, Ending, Limit, Limits, Monitor, NoObserver, Order, Progress, Report, breadth_first,
    depth_first,
};

/// The search's states and time divided by the probe's.
const SHARE: u32 = 32;

/// States of a probe at least; they take no time that anyone would notice.
const LEAST: u64 = 1000;

/// Follows a search by a probe if that makes sense, and puts what it found into the report.
pub fn probe<M: Model, S: Lookup>(
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
        max_states: Some((report.states / u64::from(SHARE)).max(LEAST)),
        max_memory: limits.max_memory.map(|bytes| bytes / u64::from(SHARE)),
        // Only a search that was timed is: others end alike each time.
        max_time: was_late.then(|| report.elapsed / SHARE),
        boundedness: Boundedness::Test,
    };
    let before = model.packing().clone();
    let (mut own_store, mut quiet) = (Plain::new(&before), Quiet(monitor));
    let probed = match order {
        Order::DepthFirst => breadth_first(model, &mut own_store, &limits, &mut quiet, &mut NoObserver),
        Order::BreadthFirst => depth_first(model, &mut own_store, &limits, &mut quiet, &mut NoObserver),
    };
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

/// Passes on only the wish to end.
struct Quiet<'a>(&'a mut dyn Monitor);

impl Monitor for Quiet<'_> {
    fn progress(&mut self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}
