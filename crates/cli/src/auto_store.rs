//! The store that is chosen for the user: the plain table as long as it fits, and then the smallest.
//!
//! How many states a model has is known only when they were all seen, so no sample can tell whether the table will do. But the
//! table itself can: it is the fastest store, so it begins. Where the whole model fits, nothing was lost, not even the
//! time for a sample. Where memory ends first, it has seen a part of the model that is large enough to know what states look
//! like; the table is thrown away, the other stores are tried on the first states, and the search begins again with the
//! smallest. What is lost then is the time of the table, a fraction of what the smaller store takes to come as far:
//!
//! ```text
//!  plain table ── all seen ──────────────────────────────> done
//!       └──────── memory ends ──> samples: tree, ... ──> the smallest, from the beginning
//! ```
//!
//! The tree is slower than the table by a factor of one to five, diagrams by more, so another one has to be much
//! smaller than the tree to be taken.

use std::time::{Duration, Instant};

use petite_logic::Hunt;
use petite_model::Model;
use petite_search::{Limits, NoObserver, Observer, Order};

use crate::output;
use crate::problem::Problem;
use crate::searching::{Plan, Searched, Telling};
use crate::store_args::{StoreArg, StoreArgs};
use crate::stores::explore_in;
use crate::summary::Stop;
use crate::units::{grouped, grouped_average, size};

/// States of a sample.
const SAMPLED: u64 = 200_000;

/// Time for the sample of one store.
const SAMPLE_TIME: Duration = Duration::from_secs(20);

/// An observer that can see a search from its beginning again.
pub trait Again {
    /// Forgets what the search so far has shown, but for what holds anyway.
    fn again(&mut self);

    /// Whether it needs identities of states, as for the way to them.
    fn needs_identities(&self) -> bool;
}

impl Again for NoObserver {
    fn again(&mut self) {}

    fn needs_identities(&self) -> bool {
        false
    }
}

impl Again for Hunt<'_> {
    fn again(&mut self) {
        self.restart();
    }

    fn needs_identities(&self) -> bool {
        self.wants_traces()
    }
}

/// Explores with the table, and again with a smaller store where memory ends.
///
/// # Errors
/// As with any store.
pub fn explore<M: Model, O: Observer<M> + Again>(
    model: &mut M,
    args: &StoreArgs,
    plan: &Plan<'_>,
    observer: &mut O,
) -> Result<Searched, Problem> {
    let began = Instant::now();
    let mut table = explore_in(model, StoreArg::Plain, args, plan, observer)?;
    let states = grouped(table.report.states);
    let why = match table.stopped {
        Some(Stop::Memory) => format!("the table reached the memory limit at {states} states"),
        Some(Stop::OutOfMemory) => format!("the system had no more memory for a table of {states} states"),
        Some(Stop::OutOfIds) => "the table can number no more states".to_owned(),
        _ => {
            let limit =
                plan.limits.max_memory.map(|bytes| format!(" of {}", size(bytes))).unwrap_or_default();
            let taken = size(table.store_bytes);
            table.store_choice = Some(format!("the plain table is fastest, and takes {taken}{limit}"));
            return Ok(table);
        }
    };
    let rest = |limits: Limits| Limits {
        max_time: limits.max_time.map(|limit| limit.saturating_sub(began.elapsed())),
        ..limits
    };
    let mut samples = Vec::new();
    for store in candidates(plan.order, observer.needs_identities()) {
        let limits = rest(plan.limits);
        let limits = Limits {
            max_states: Some(SAMPLED.min(table.report.states.max(1))),
            max_time: Some(limits.max_time.map_or(SAMPLE_TIME, |left| left.min(SAMPLE_TIME))),
            ..limits
        };
        let sample_plan = Plan { limits, telling: Telling::Nothing, ..*plan };
        // What cannot be used for this model is none to choose.
        let Ok(sampled) = explore_in(model, store, args, &sample_plan, &mut NoObserver) else { continue };
        if sampled.stopped == Some(Stop::Interrupted) {
            table.stopped = sampled.stopped;
            return Ok(table);
        }
        let bytes = sampled.store_bytes as f64 + sampled.report.frontier_bytes as f64;
        samples.push(Sampled { store, bytes_per_state: bytes / sampled.report.states.max(1) as f64 });
    }
    let Some(chosen) = choose(&samples) else { return Ok(table) };
    let each: Vec<String> = samples
        .iter()
        .map(|sample| format!("{} in {}", grouped_average(sample.bytes_per_state), sample.store.name()))
        .collect();
    let why = format!("{why}; its first states take {} bytes each", each.join(", "));
    if plan.telling == Telling::Line {
        output::complain(&format!("note: {why}\nnote: beginning again with --store {}\n", chosen.name()));
    }
    observer.again();
    let plan = Plan { limits: rest(plan.limits), ..*plan };
    let mut searched = explore_in(model, chosen, args, &plan, observer)?;
    if searched.stopped.is_some() && searched.report.states < table.report.states {
        let name = searched.store;
        table.stopped = searched.stopped;
        table.store_choice = Some(format!("{why}, but {name} came less far in the time that was left"));
        return Ok(table);
    }
    searched.report.elapsed = began.elapsed();
    searched.store_choice = Some(why);
    Ok(searched)
}

/// What a store takes for the first states.
#[derive(Clone, Copy, Debug)]
struct Sampled {
    store: StoreArg,
    bytes_per_state: f64,
}

/// The stores that may follow the table, the usual one first.
fn candidates(order: Order, needs_identities: bool) -> Vec<StoreArg> {
    match (needs_identities, order) {
        (true, _) => vec![StoreArg::TreeIds],
        (false, Order::BreadthFirst) => vec![StoreArg::Tree, StoreArg::Delta, StoreArg::Ondd],
        // Depth first within a limit, delta would forget states and count some twice.
        (false, Order::DepthFirst) => vec![StoreArg::Tree, StoreArg::Ondd],
    }
}

/// The first one, unless another is so much smaller that it is worth its time.
fn choose(samples: &[Sampled]) -> Option<StoreArg> {
    let worth = |store: StoreArg| match store {
        StoreArg::Delta => 1.5,
        StoreArg::Ondd => 3.0,
        _ => 1.0,
    };
    let cost = |sample: &Sampled| sample.bytes_per_state * worth(sample.store);
    samples.iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).map(|sample| sample.store)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_taken_unless_another_is_much_smaller() {
        let of = |tree: f64, delta: f64, ondd: f64| {
            let stores = [(StoreArg::Tree, tree), (StoreArg::Delta, delta), (StoreArg::Ondd, ondd)];
            choose(&stores.map(|(store, bytes_per_state)| Sampled { store, bytes_per_state }))
        };
        assert_eq!(of(1.4, 5.6, 1.0), Some(StoreArg::Tree));
        assert_eq!(of(1.4, 5.6, 0.1), Some(StoreArg::Ondd));
        assert_eq!(of(14.0, 5.6, 30.0), Some(StoreArg::Delta));
        assert_eq!(choose(&[]), None);
    }
}
