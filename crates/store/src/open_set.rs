//! Stores that keep the frontier of a search inside.

use petite_model::{ActionId, Model};

use crate::{Store, StoreError};

/// A short name of a state that only its store understands. It stays valid as long as no
/// [`OpenSet::improve`] comes between, also when states are repacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateKey {
    /// The identity of the state's left half.
    pub left: u32,
    /// The identity of its right half.
    pub right: u32,
}

/// A store whose states are *open* from their insertion until they are taken.
///
/// A search takes some keys, goes from one to the next and asks for the keys of its successors while the state is at
/// hand, which costs what differs between the two. Inserting a key is a step of its own, so that the search can collect
/// some and hint at them first.
pub trait OpenSet<M: Model>: Store<M> {
    /// Takes some open states; none are left where it takes nothing.
    fn take_open(&mut self, enough: usize, keys: &mut Vec<StateKey>);

    /// Makes a state the one at hand and gives its words.
    fn go_to(&mut self, key: StateKey) -> &[u64];

    /// The key of a state. It need not be in the store.
    ///
    /// # Errors
    /// The store is unchanged then.
    fn key(&mut self, words: &[u64]) -> Result<StateKey, StoreError>;

    /// The key of the state that an action, enabled in the state of a key, leads to, where the store remembers it. The action
    /// can be fired then.
    fn successor(&mut self, model: &M, from: StateKey, action: ActionId) -> Option<StateKey>;

    /// Tells what [`OpenSet::successor`] did not remember.
    fn remember(&mut self, from: StateKey, action: ActionId, to: StateKey);

    /// Hints that a key is about to be inserted.
    fn prefetch_key(&self, key: StateKey);

    /// Adds the state of a key, open, unless it is there. Gives whether it was not.
    ///
    /// # Errors
    /// The store is unchanged then.
    fn insert_key(&mut self, key: StateKey) -> Result<bool, StoreError>;

    /// Lets the store look for a better form, which may take time. Nobody may hold a key.
    ///
    /// # Errors
    /// Only the number of states is right then.
    fn improve(&mut self, model: &mut M) -> Result<(), StoreError>;
}
