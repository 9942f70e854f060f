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
//! Where the ways to states are wanted, stores with identities come first, and when memory ends again the ways are given up.
//!
//! The tree is slower than the table by a factor of one to five, diagrams by more, so another one has to be much
//! smaller than the tree to be taken.

use std::io::IsTerminal as _;
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

    /// Does without them from now on.
    fn give_up_identities(&mut self);
}

impl Again for NoObserver {
    fn again(&mut self) {}

    fn needs_identities(&self) -> bool {
        false
    }

    fn give_up_identities(&mut self) {}
}

impl Again for Hunt<'_> {
    fn again(&mut self) {
        self.restart();
    }

    fn needs_identities(&self) -> bool {
        self.wants_traces()
    }

    fn give_up_identities(&mut self) {
        self.give_up_traces();
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
    let mut best = explore_in(model, StoreArg::Plain, args, plan, observer)?;
    let Some(mut why) = shortage(&best) else {
        let limit = plan.limits.max_memory.map(|bytes| format!(" of {}", size(bytes))).unwrap_or_default();
        let taken = size(best.store_bytes);
        best.store_choice = Some(format!("the plain table is fastest, and takes {taken}{limit}"));
        return Ok(best);
    };
    loop {
        let rest = Plan {
            limits: Limits {
                max_time: plan.limits.max_time.map(|limit| limit.saturating_sub(began.elapsed())),
                ..plan.limits
            },
            ..*plan
        };
        let needs_identities = observer.needs_identities();
        let candidates = candidates(plan.order, needs_identities, best.stopped);
        let samples = match samples(model, args, &rest, best.report.states, &candidates) {
            Ok(samples) => samples,
            Err(Interrupted) => {
                best.stopped = Some(Stop::Interrupted);
                return Ok(best);
            }
        };
        let Some(chosen) = choose(&samples) else { return Ok(best) };
        why = format!("{why}; {}", told(&samples));
        if plan.telling == Telling::Line && std::io::stderr().is_terminal() {
            output::complain(&format!("note: {why}\nnote: beginning again with --store {}\n", chosen.name()));
        }
        observer.again();
        let mut searched = explore_in(model, chosen, args, &rest, observer)?;
        let shortage = shortage(&searched);
        if searched.stopped.is_some() && searched.report.states < best.report.states {
            best.stopped = searched.stopped;
            best.store_choice = Some(format!("{why}; {} came less far", searched.store));
        } else {
            searched.report.elapsed = began.elapsed();
            searched.store_choice = Some(why.clone());
            best = searched;
        }
        match shortage {
            // An answer without the way to it is better than none.
            Some(shortage) if needs_identities => {
                observer.give_up_identities();
                why = format!("{shortage}, so no ways to states are kept");
            }
            _ => return Ok(best),
        }
    }
}

/// Somebody wants to end.
struct Interrupted;

/// What ran out, where something did that a smaller store has more of.
fn shortage(searched: &Searched) -> Option<String> {
    let (store, states) = (searched.store, grouped(searched.report.states));
    match searched.stopped {
        Some(Stop::Memory) => Some(format!("{store} reached the memory limit at {states} states")),
        Some(Stop::OutOfMemory) => {
            Some(format!("the system had no more memory at {states} states in {store}"))
        }
        Some(Stop::OutOfIds) => Some(format!("{store} can number no more than {states} states")),
        _ => None,
    }
}

/// Tries stores on the first states.
fn samples<M: Model>(
    model: &mut M,
    args: &StoreArgs,
    plan: &Plan<'_>,
    states: u64,
    candidates: &[StoreArg],
) -> Result<Vec<Sampled>, Interrupted> {
    let mut samples = Vec::new();
    let limits = Limits {
        max_states: Some(SAMPLED.min(states.max(1))),
        max_time: Some(plan.limits.max_time.map_or(SAMPLE_TIME, |left| left.min(SAMPLE_TIME))),
        ..plan.limits
    };
    let plan = Plan { limits, telling: Telling::Nothing, ..*plan };
    for &store in candidates {
        // What cannot be used for this model is none to choose.
        let Ok(sampled) = explore_in(model, store, args, &plan, &mut NoObserver) else { continue };
        if sampled.stopped == Some(Stop::Interrupted) {
            return Err(Interrupted);
        }
        let bytes = sampled.store_bytes as f64 + sampled.report.frontier_bytes as f64;
        samples.push(Sampled { store, bytes_per_state: bytes / sampled.report.states.max(1) as f64 });
    }
    Ok(samples)
}

/// The samples in words.
fn told(samples: &[Sampled]) -> String {
    let each: Vec<String> = samples
        .iter()
        .map(|sample| format!("{} {}", sample.store.name(), grouped_average(sample.bytes_per_state)))
        .collect();
    format!("bytes a state in a sample: {}", each.join(", "))
}

/// What a store takes for the first states.
#[derive(Clone, Copy, Debug)]
struct Sampled {
    store: StoreArg,
    bytes_per_state: f64,
}

/// The stores that may follow one that ended like this, the usual one first.
fn candidates(order: Order, needs_identities: bool, stopped: Option<Stop>) -> Vec<StoreArg> {
    if needs_identities {
        return vec![StoreArg::TreeIds];
    }
    let mut stores = vec![StoreArg::Tree];
    // Depth first within a limit, delta would forget states and count some twice.
    if order == Order::BreadthFirst {
        stores.push(StoreArg::Delta);
    }
    // A diagram takes much at once, which is not for a system that has no more to give.
    if stopped != Some(Stop::OutOfMemory) {
        stores.push(StoreArg::Ondd);
    }
    stores
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

    #[test]
    fn what_may_follow_depends_on_what_is_needed() {
        let of = |order, needs_identities, stopped| candidates(order, needs_identities, Some(stopped));
        let (breadth, depth) = (Order::BreadthFirst, Order::DepthFirst);
        assert_eq!(of(breadth, false, Stop::Memory), [StoreArg::Tree, StoreArg::Delta, StoreArg::Ondd]);
        assert_eq!(of(depth, false, Stop::Memory), [StoreArg::Tree, StoreArg::Ondd]);
        assert_eq!(of(breadth, false, Stop::OutOfMemory), [StoreArg::Tree, StoreArg::Delta]);
        assert_eq!(of(breadth, true, Stop::Memory), [StoreArg::TreeIds]);
    }
}
