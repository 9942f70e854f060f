//! What models made from nets can tell beyond other models: how their states and actions relate to the net.

use std::rc::Rc;

use petite_bits::SlotIdx;
use petite_net::{Marking, Net, PlaceIdx, PlainNet, TransIdx, Value, structure::Incidence};

use crate::{ActionId, Model};

/// A model that was compiled from a net. Group number `i` of its layout is place number `i`.
pub trait NetModel: Model {
    /// The net.
    fn net(&self) -> &Rc<Net>;

    /// The transition that an action is an instance of.
    fn transition_of(&self, action: ActionId) -> TransIdx;

    /// The values of all variables of an action, numbered as in its transition.
    fn frame_of(&self, action: ActionId) -> &[Value];

    /// Where a token of a place is counted.
    fn counted_at(&mut self, place: PlaceIdx, token: &Value) -> CountedAt;

    /// The token that a slot of a group that counts is about.
    fn token_of(&self, slot: SlotIdx) -> &Value;

    /// Shows a state as a marking of the net.
    fn read(&self, words: &[u64], reader: &mut dyn FnMut(&dyn Marking));

    /// What each action takes and changes, slot by slot, where all actions are known before the search; with the count of
    /// each slot in the initial state. Guards, inhibitors and priorities are not in it: they only take behaviour away.
    fn structure(&self) -> Option<(Incidence, Vec<u64>)> {
        None
    }

    /// Whether the model is a place/transition net.
    ///
    /// # Errors
    /// Why it is none.
    fn check_plain(&self) -> Result<(), NotPlain> {
        Err(NotPlain::Bindings)
    }

    /// The model as a place/transition net, where it is one.
    ///
    /// # Errors
    /// Why it is none.
    fn plain_form(&self) -> Result<PlainForm, NotPlain> {
        Err(NotPlain::Bindings)
    }

    /// The values of the variables of an action's binding, in the order of the transition's
    /// [`petite_net::Transition::binding`].
    fn binding_of(&self, action: ActionId) -> Vec<Value>;
}

/// Where a token is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedAt {
    /// By a slot of its own.
    Slot(SlotIdx),
    /// In the bags of the place, under this number.
    Bag(u32),
    /// Nowhere: no reachable state has it there.
    Nowhere,
}

/// A model as a place/transition net.
#[derive(Clone, Debug)]
pub struct PlainForm {
    /// The net: place number `i` counts what slot number `i` does.
    pub net: PlainNet,
    /// The action that each transition is.
    pub actions: Vec<ActionId>,
}

/// Why a model is no place/transition net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotPlain {
    /// Bindings are found during the search.
    Bindings,
    /// Transitions have priorities.
    Priorities,
    /// A place may exceed its capacity, which is an error.
    Capacities,
    /// The contents of a place follow from others.
    Implied,
    /// The evaluation of a binding fails.
    Errors,
}

impl std::fmt::Display for NotPlain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotPlain::Bindings => "its bindings are only found during the search",
            NotPlain::Priorities => "it has priorities",
            NotPlain::Capacities => "a place may exceed its capacity",
            NotPlain::Implied => "the contents of a place follow from others",
            NotPlain::Errors => "the evaluation of a binding fails",
        })
    }
}
