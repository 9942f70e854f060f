//! The trait that every set of states implements.

use petite_bits::{Hint, OutOfMemory, Packing};
use petite_model::{ActionId, Model};

use crate::Figure;

petite_bits::typed_index! {
    /// A stored state. Identities are given in the order of insertion, from zero, without gaps.
    pub struct StateId;
}

impl StateId {
    /// What a store without identities gives for a state that it knows already.
    pub const UNKNOWN: StateId = StateId(u32::MAX);
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
    /// The state's identity. A store that keeps no identities numbers new states all the same, but gives
    /// [`StateId::UNKNOWN`] for those it had.
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

/// A set of states, as far as it can be asked without the model.
///
/// States come as packed words together with their hash ([`Packing::hash`]); all of them are packed alike, and
/// [`StateSet::repack`] changes how.
pub trait StateSet {
    /// Tells that a state with this hash is about to be inserted. Gives what [`StateSet::guess`] takes.
    #[inline]
    fn prefetch(&self, hash: u64) -> Hint {
        let _ = hash;
        Hint::default()
    }

    /// Tells the same again, some time later and before any insertion: what [`StateSet::prefetch`] asked for is there by
    /// now and may say where to look next. Gives the state that has this hash, as far as one can tell so soon:
    /// what [`Store::insert_guessed`] takes.
    #[inline]
    fn guess(&self, hash: u64, hint: Hint) -> Option<StateId> {
        let _ = (hash, hint);
        None
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

    /// What it tells of itself beyond that.
    fn figures(&self) -> Vec<Figure> {
        Vec::new()
    }

    /// Whether it keeps every state apart from every other.
    fn exactness(&self) -> Exactness {
        Exactness::Exact
    }
}

/// Whether a store may take a new state for a known one, or a known one for a new one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exactness {
    /// Never: its counts are those of the model.
    Exact,
    /// Now and then: its counts are lower bounds.
    Lossy {
        /// The probability that at least one of the states offered so far was taken for another one, if the
        /// store's hash functions behave like random ones.
        omission: f64,
    },
    /// It has forgotten states and taken them for new ones later: counts are upper bounds.
    Repeated {
        /// How many states were counted again at most.
        most: u64,
    },
}

/// A set that states of a model can be added to.
///
/// The model comes with every call because a store may need it: to fire the actions that lead to a state which it
/// keeps as a step from another one, or to read the bags of tokens that a slot names. It is always the same one.
pub trait Store<M: Model>: StateSet {
    /// Adds a state unless it is there. A parent named by `origin` is in the store.
    ///
    /// # Errors
    /// The store is unchanged then, and can still be asked.
    fn insert(
        &mut self,
        model: &mut M,
        words: &[u64],
        hash: u64,
        origin: Origin,
    ) -> Result<Inserted, StoreError>;

    /// The same, with what [`StateSet::guess`] gave for the hash, perhaps before other insertions.
    ///
    /// # Errors
    /// As those of [`Store::insert`].
    #[inline]
    fn insert_guessed(
        &mut self,
        model: &mut M,
        words: &[u64],
        hash: u64,
        origin: Origin,
        guess: Option<StateId>,
    ) -> Result<Inserted, StoreError> {
        let _ = guess;
        self.insert(model, words, hash, origin)
    }

    /// Hints that the states that come next are successors of this one, which is in the store.
    #[inline]
    fn expanding(&mut self, words: &[u64]) {
        let _ = words;
    }
}

/// A store that can give a state back, and tell whether it has one.
pub trait Lookup<M: Model>: Store<M> {
    /// Writes the packed words of a stored state.
    fn get(&mut self, model: &mut M, id: StateId, words: &mut [u64]);

    /// The identity of a state; `None` where it is not in the store.
    fn find(&mut self, model: &mut M, words: &[u64], hash: u64) -> Option<StateId>;
}
