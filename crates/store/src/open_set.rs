//! Stores that keep the frontier of a search inside.

use petite_bits::OutOfMemory;
use petite_model::{ActionId, Model, NeededSteps};

use crate::{Store, StoreError};

/// A short name of a state that only its store understands. It stays valid as long as
/// [`OpenSet::improve`] changes nothing, also when states are repacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateKey {
    /// The identity of the state's left half.
    pub left: u32,
    /// The identity of its right half.
    pub right: u32,
}

/// A step from a state that a store knows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// An action that is enabled in the state.
    pub action: ActionId,
    /// The state that it leads to, where the store remembers it.
    pub to: Option<StateKey>,
}

/// The largest numbers of tokens in some states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peaks {
    /// In each group.
    pub groups: Vec<u64>,
    /// In all groups together.
    pub total: u128,
    /// Of one token in its group.
    pub multiplicity: u32,
}

impl Peaks {
    /// Adds the peaks of other states.
    pub fn raise(&mut self, other: &Peaks) {
        for (peak, &other) in self.groups.iter_mut().zip(&other.groups) {
            *peak = other.max(*peak);
        }
        self.total = self.total.max(other.total);
        self.multiplicity = self.multiplicity.max(other.multiplicity);
    }
}

/// A store whose states are *open* from their insertion until they are taken.
///
/// A search takes some keys, goes from one to the next and asks for the keys of its successors while the state is at
/// hand, which costs what differs between the two. Inserting a key is a step of its own, so that the search can collect
/// some and hint at them first.
pub trait OpenSet<M: Model>: Store<M> {
    /// What [`OpenSet::prefetch_key`] finds out of a key, for its insertion.
    type Spot: Copy;

    /// Takes some open states; none are left where it takes nothing.
    fn take_open(&mut self, enough: usize, keys: &mut Vec<StateKey>);

    /// Makes a state the one at hand and gives its words.
    fn go_to(&mut self, key: StateKey) -> &[u64];

    /// The key of a state. It need not be in the store.
    ///
    /// # Errors
    /// The store is unchanged then.
    fn key(&mut self, words: &[u64]) -> Result<StateKey, StoreError>;

    /// Appends the needed steps from a state, where the store can tell them without the model, and sees the state's numbers
    /// of tokens for [`OpenSet::peaks`]. Gives the number of all actions that are enabled there, or none if it could not.
    fn expand(
        &mut self,
        model: &M,
        from: StateKey,
        needed: NeededSteps<'_>,
        steps: &mut Vec<Expansion>,
    ) -> Option<usize>;
    /// The largest numbers of tokens of all states that [`OpenSet::expand`] gave steps of; none if there are none.
    fn peaks(&self) -> Option<Peaks>;

    /// The key of the state that an action, enabled in the state of a key, leads to, where the store remembers it. The action
    /// can be fired then.
    fn successor(&mut self, model: &M, from: StateKey, action: ActionId) -> Option<StateKey>;

    /// Tells what [`OpenSet::successor`] or [`OpenSet::expand`] did not remember.
    fn remember(&mut self, model: &M, from: StateKey, action: ActionId, to: StateKey);

    /// Hints that a key is about to be inserted.
    fn prefetch_key(&self, key: StateKey) -> Self::Spot;

    /// Adds the state of a key, open or not, unless it is there, with what [`OpenSet::prefetch_key`] gave for it, perhaps before
    /// other insertions. Gives whether it was not.
    ///
    /// # Errors
    /// The store is unchanged then.
    fn insert_key(&mut self, key: StateKey, spot: Self::Spot, open: bool) -> Result<bool, StoreError>;

    /// Lets the store look for a better form, which may take time. Where it takes one, keys lose their meaning: nobody
    /// may hold any but those that are asked for then, whose states become open.
    ///
    /// # Errors
    /// Only the number of states is right then.
    fn improve(
        &mut self,
        model: &mut M,
        held: impl FnOnce() -> Result<Vec<StateKey>, OutOfMemory>,
    ) -> Result<(), StoreError>;
}
