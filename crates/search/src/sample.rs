//! A sample of a model's states, and of what its actions change.
//!
//! For choices that depend on what states look like, before the search proper: the order of variables in a diagram,
//! say. Half of the states come breadth first and half depth first, because both have a model's states of one kind
//! only at their beginnings. The sample is the same in every run, and errors of the model end it like any limit.

use std::ops::ControlFlow;

use petite_bits::SlotIdx;
use petite_model::{ActionId, Model};
use petite_store::{Lookup, Plain, SlotSample, StateId, StateSet};

use crate::{Boundedness, Edge, Limits, Observer, Order, Silent, Visit, explore};

/// Most edges that are looked at, where states have very many.
const MOST_EDGES: u64 = 200_000;

/// Collects about so many states. The model's packing may be wider afterwards.
pub fn sample<M: Model>(model: &mut M, n_states: u64) -> SlotSample {
    let mut sample = SlotSample::default();
    let mut stores = Vec::new();
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let mut store = Plain::new(model.packing());
        let limits = Limits {
            max_states: Some((n_states / 2).max(1)),
            boundedness: Boundedness::Assume,
            ..Limits::NONE
        };
        let mut firsts = Firsts::default();
        let before = model.packing().clone();
        explore(model, &mut store, order, &limits, &mut Silent, &mut firsts);
        sample.changes.extend(firsts.edges.iter().map(|&(from, to)| changes(model, &mut store, from, to)));
        let packing = model.packing();
        stores
            .retain_mut(|earlier: &mut Plain| *packing == before || earlier.repack(&before, packing).is_ok());
        stores.push(store);
    }
    sample.changes.retain(|slots| slots.len() > 1);
    sample.changes.sort_unstable();
    sample.changes.dedup();
    let mut words = vec![0; model.packing().n_words()];
    for mut store in stores {
        // Where there is no memory for more, this is the sample.
        if sample.states.try_reserve_exact(store.len() * words.len()).is_err() {
            break;
        }
        for id in 0..store.len() {
            store.get(model, StateId::new(id), &mut words);
            sample.states.extend_from_slice(&words);
        }
    }
    sample
}

/// The slots in which two states differ.
fn changes<M: Model>(model: &mut M, store: &mut Plain, from: StateId, to: StateId) -> Vec<SlotIdx> {
    let mut words = [(); 2].map(|()| vec![0; model.packing().n_words()]);
    for (words, id) in words.iter_mut().zip([from, to]) {
        store.get(model, id, words);
    }
    let packing = model.packing();
    let slots = (0..packing.n_slots()).map(SlotIdx::new);
    slots.filter(|&slot| packing.get(&words[0], slot) != packing.get(&words[1], slot)).collect()
}

/// Notes the first edge of each action.
#[derive(Default)]
struct Firsts {
    seen: Vec<bool>,
    edges: Vec<(StateId, StateId)>,
    n_edges: u64,
}

impl<M: Model> Observer<M> for Firsts {
    fn state(&mut self, _: Visit<'_, M>, _: &[u64]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn edge(&mut self, edge: Edge) -> ControlFlow<()> {
        let Edge { from, action: ActionId(action), to, .. } = edge;
        let action = action as usize;
        if action >= self.seen.len() {
            self.seen.resize(action + 1, false);
        }
        if !self.seen[action] {
            self.seen[action] = true;
            self.edges.push((from, to));
        }
        self.n_edges += 1;
        if self.n_edges < MOST_EDGES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
