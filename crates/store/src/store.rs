//! The trait that every set of states implements.

use petite_bits::{OutOfMemory, Packing};
use petite_model::ActionId;

petite_bits::typed_index! {
    /// A stored state. Identities are given in the order of insertion, from zero, without gaps.
    pub struct StateId;
}

/// How a state was reached: what a store may keep instead of the state itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is the initial state.
    Initial,
    /// An action led to it.
    Step {
        /// The state in which the action was fired.
        parent: StateId,
        /// The action.
        action: ActionId,
    },
}

/// What [`Store::insert`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inserted {
    /// The state's identity.
    pub id: StateId,
    /// Whether it was not in the store before.
    pub new: bool,
}

/// Why a store cannot take a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// The system gave no more memory.
    OutOfMemory,
    /// All identities are in use.
    OutOfIds,
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::OutOfMemory => write!(f, "out of memory"),
            StoreError::OutOfIds => write!(f, "more states than identities (2^32)"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<OutOfMemory> for StoreError {
    fn from(_: OutOfMemory) -> StoreError {
        StoreError::OutOfMemory
    }
}

/// An exact set of states.
///
/// States come as packed words together with their hash ([`Packing::hash`]); all of them are packed alike, and
/// [`Store::repack`] changes how.
pub trait Store {
    /// Adds a state unless it is there.
    ///
    /// # Errors
    /// The store is unchanged then, and can still be asked.
    fn insert(&mut self, words: &[u64], hash: u64, origin: Origin) -> Result<Inserted, StoreError>;

    /// Hints that a state with this hash is about to be inserted.
    fn prefetch(&self, hash: u64);

    /// A second hint, some time after the first and before the insertion: what [`Store::prefetch`] asked for is
    /// there by now and may say where to look next.
    #[inline]
    fn prefetch_candidate(&self, hash: u64) {
        let _ = hash;
    }

    /// Number of states.
    fn len(&self) -> usize;

    /// Whether there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Changes the packing of all states to one that is at least as wide in every slot.
    ///
    /// # Errors
    /// On failure the store is unusable.
    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError>;

    /// Heap bytes owned: index, tables, vectors, scratch.
    fn bytes(&self) -> usize;

    /// Heap bytes of the stored state vectors alone: the papers' V times the number of states.
    fn vector_bytes(&self) -> usize;

    /// What the store is called on the command line.
    fn name(&self) -> &'static str;
}

/// A store that can give a state back, and tell whether it has one.
pub trait Lookup: Store {
    /// Writes the packed words of a stored state.
    fn get(&self, id: StateId, words: &mut [u64]);

    /// The identity of a state; `None` where it is not in the store.
    fn find(&self, words: &[u64], hash: u64) -> Option<StateId>;
}
