//! What a search found.

use std::time::Duration;

use petite_model::{ActionId, GroupIdx};
use petite_net::RunError;

use crate::Limit;

/// What a search found until it ended.
#[derive(Clone, Debug)]
pub struct Report {
    /// States stored.
    pub states: u64,
    /// Edges walked: enabled actions, counted once for each state they are enabled in.
    pub edges: u64,
    /// Expanded states without successor.
    pub dead_states: u64,
    /// Largest number of tokens seen in one group.
    pub max_tokens_in_place: u64,
    /// Largest number of equal tokens seen in one group: what a place of the unfolded net holds at most.
    pub max_multiplicity: u32,
    /// Largest number of tokens seen in all groups together.
    pub max_tokens_total: u64,
    /// Largest number of tokens seen in each group.
    pub group_maxima: Vec<u64>,
    /// Largest length of the queue or stack.
    pub peak_frontier: u64,
    /// Heap bytes of the queue or stack, which never shrink.
    pub frontier_bytes: usize,
    /// Edges that were counted and not taken, because another order of the same actions leads to the same states; see
    /// [`petite_model::Commuting`].
    pub edges_left_out: u64,
    /// How often all states had to be packed anew.
    pub repackings: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Why the search ended.
    pub ending: Ending,
    /// The actions from the initial state to where the observer stopped the search, where the order knows them.
    pub trace: Option<Vec<ActionId>>,
}

impl AsRef<Report> for Report {
    fn as_ref(&self) -> &Report {
        self
    }
}

impl Report {
    /// Whether all reachable states were expanded, so that the counts are those of the model.
    pub fn is_complete(&self) -> bool {
        matches!(self.ending, Ending::Complete)
    }
}

/// Why a search ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// All reachable states were expanded.
    Complete,
    /// It went as far as it was allowed to.
    LimitReached(Limit),
    /// The monitor asked for it.
    Interrupted,
    /// The system gave no more memory.
    OutOfMemory,
    /// The store has no more identities.
    OutOfIds,
    /// The observer asked for it.
    Stopped,
    /// There are states without end.
    Unbounded(Box<Unbounded>),
    /// The model is wrong somewhere.
    Failed(Box<ModelFailure>),
}

/// The proof that a model has states without end: a run that can be repeated for ever and leaves more tokens each
/// time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbounded {
    /// The groups that grow.
    pub growing: Vec<GroupIdx>,
    /// The actions from the initial state to where the repetition begins.
    pub prefix: Vec<ActionId>,
    /// The actions to repeat, at least one.
    pub pump: Vec<ActionId>,
}

/// Where and why a model cannot be explored further.
#[derive(Clone, Debug)]
pub struct ModelFailure {
    /// What is wrong.
    pub error: RunError,
    /// The state where it showed, packed as the model says at the end of the search; none while the initial state
    /// was computed.
    pub state: Option<Vec<u64>>,
    /// The action that failed; none where the enabled actions could not be found.
    pub action: Option<ActionId>,
    /// The actions from the initial state to that state, where the order knows them.
    pub trace: Option<Vec<ActionId>>,
}
