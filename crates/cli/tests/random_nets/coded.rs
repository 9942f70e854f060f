//! Stores of codes: every state comes back from its code, and the state space is the same.

use std::ops::ControlFlow;
use std::rc::Rc;

use petite_model::{Engine, EngineChoice, Model, compile};
use petite_net::Net;
use petite_search::{Ending, Limits, Observer, Order, Silent, Visit, explore};
use petite_store::{
    Coded, Coding, Empties, FactSource, ItemCode, Lookup, Multiset, MultisetOptions, Reference, StateId,
    StateSet, Weights,
};

use crate::naive::Explored;

/// Explores a net with both engines in both orders, with one of all the multi-set codes, chosen by the seed.
pub fn check(net: &Rc<Net>, expected: &Explored, seed: u64) -> Result<(), String> {
    let options = options(seed);
    let counts = (expected.states.len() as u64, expected.edges.len() as u64, expected.dead.len() as u64);
    for choice in [EngineChoice::Unfolded, EngineChoice::Binding] {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let outcome = match compile(net, choice) {
                Ok(Engine::Unfolded(mut model)) => search(&mut *model, order, options, counts),
                Ok(Engine::Binding(mut model)) => search(&mut *model, order, options, counts),
                Err(error) => Err(error.to_string()),
            };
            outcome.map_err(|message| format!("{choice:?} {order:?} {options:?}: {message}"))?;
        }
    }
    Ok(())
}

/// The bits of a number as choices.
fn options(seed: u64) -> MultisetOptions {
    let bit = |at: u32| seed >> at & 1 == 1;
    MultisetOptions {
        empties: if bit(0) { Empties::SubsetFirst } else { Empties::BitEach },
        items: if bit(1) { ItemCode::Subset } else { ItemCode::OneByOne },
        reference: if bit(2) { Reference::Initial } else { Reference::Empty },
        facts: if bit(3) { FactSource::Found } else { FactSource::Stated },
        weights: if bit(4) { Weights::Trained } else { Weights::Equal },
    }
}

fn search<M: Model>(
    model: &mut M,
    order: Order,
    options: MultisetOptions,
    expected: (u64, u64, u64),
) -> Result<(), String> {
    let mut store = Coded::new(Multiset::new(model, options));
    let mut texts = Texts::default();
    let report = explore(model, &mut store, order, &Limits::NONE, &mut Silent, &mut texts);
    if !matches!(report.ending, Ending::Complete) {
        return Err(format!("the search ended with {:?}", report.ending));
    }
    let got = (report.states, report.edges, report.dead_states);
    if got != expected {
        return Err(format!("{got:?} instead of {expected:?} states, edges and dead states"));
    }
    let mut words = vec![!0; model.packing().n_words()];
    for (i, text) in texts.0.iter().enumerate() {
        let id = StateId::new(i);
        store.get(model, id, &mut words);
        let back = model.describe_state(&words);
        if back != *text {
            return Err(format!("state {i} is {text:?} and came back as {back:?}"));
        }
        let hash = model.packing().hash(&words);
        if store.find(model, &words, hash) != Some(id) {
            return Err(format!("state {i}, {text:?}, is not found by its code"));
        }
    }
    if store.vector_bytes() + store.codec().bytes() > store.bytes() {
        return Err("the store has more codes than bytes".to_owned());
    }
    Ok(())
}

/// The states in words, in the order of their identities.
#[derive(Default)]
struct Texts(Vec<Vec<(String, String)>>);

impl<M: Model> Observer<M> for Texts {
    fn state(&mut self, state: Visit<'_, M>, _: &[u64]) -> ControlFlow<()> {
        self.0.push(state.model.describe_state(state.words));
        ControlFlow::Continue(())
    }
}
