//! Orders, limits and observers over any model and any store.
//!
//! [`explore`] visits every reachable state of a [`Model`] once, keeps the states in a [`Store`], counts what it
//! meets and tells an [`Observer`]. It ends when all states are expanded, at a limit, on request, where the
//! model is wrong, or where it is found to be endless; [`Report`] says which, and holds what was found until then in
//! every case.
//!
//! The hot loops are generic over model, store and observer. The monitor, which is asked rarely, is not.

#![forbid(unsafe_code)]

mod allowance;
mod backward;
mod bounds;
mod breadth_first;
mod depth_first;
mod found_by;
mod layered;
mod limits;
mod monitor;
mod observer;
mod probe;
mod queued;
mod report;
mod run;
mod sample;
mod self_covering;
mod sweep;
mod waiting;
mod watch;

pub use breadth_first::breadth_first;
pub use depth_first::depth_first;
pub use layered::layered;
pub use limits::{Boundedness, Limit, Limits};
pub use monitor::{Monitor, Progress, Silent};
pub use observer::{Edge, NoObserver, Observer, Visit};
pub use queued::queued;
pub use report::{Ending, ModelFailure, Report, Unbounded};
pub use sample::sample;
pub use sweep::{
    Aliases, Columns, Counted, Measure, MeasureError, Recall, Sum, SweepReport, Tendency, derive_weights,
    sweep, sweep_exact, tendency,
};
pub use watch::Watch;

use petite_model::Model;
use petite_store::{Lookup, OpenSet, Store};

/// Which state is expanded next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The newest: follow one path as long as it leads to new states; see [`depth_first()`].
    DepthFirst,
    /// The oldest: all states of one distance before those of the next; see [`breadth_first()`].
    BreadthFirst,
}

impl Order {
    /// The order that is not this one.
    fn other(self) -> Order {
        match self {
            Order::DepthFirst => Order::BreadthFirst,
            Order::BreadthFirst => Order::DepthFirst,
        }
    }
}

/// Explores the reachable states of a model in the given order.
///
/// The store is empty and made for the model's current packing.
pub fn explore<M: Model, S: Lookup<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    order: Order,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> Report {
    explore_by(model, store, order, limits, monitor, observer, breadth_first)
}

/// Explores like [`explore`] with a store that is only a set: breadth first, the queue is the search's own; see
/// [`queued()`].
pub fn explore_set<M: Model, S: Store<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    order: Order,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> Report {
    explore_by(model, store, order, limits, monitor, observer, queued)
}

/// Explores like [`explore`] with a store that may keep no identities: breadth first, the frontier is inside the store;
/// see [`layered()`]. Nothing is known of the edges' ends then.
pub fn explore_unnumbered<M: Model, S: OpenSet<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    order: Order,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> Report {
    explore_by(model, store, order, limits, monitor, observer, layered)
}

/// Explores depth first, or breadth first in the form that suits the store.
fn explore_by<M: Model, S: Store<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    order: Order,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
    breadth_first: impl FnOnce(&mut M, &mut S, &Limits, &mut dyn Monitor, &mut O) -> Report,
) -> Report {
    let report = match order {
        Order::DepthFirst => depth_first(model, store, limits, monitor, observer),
        Order::BreadthFirst => breadth_first(model, store, limits, monitor, observer),
    };
    probe::last_probe(report, model, store, order, limits, monitor)
}
