//! Who is told of states, edges and dead ends.

use std::ops::ControlFlow;

use petite_model::{ActionId, Model};
use petite_store::StateId;

/// A state that an observer is shown.
#[derive(Debug)]
pub struct Visit<'a, M> {
    /// The model, to read the state with.
    pub model: &'a M,
    /// The state's identity.
    pub id: StateId,
    /// Its words, packed as the model says now.
    pub words: &'a [u64],
}

/// An edge that an observer is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where the action was fired.
    pub from: StateId,
    /// The action.
    pub action: ActionId,
    /// Where it led.
    pub to: StateId,
    /// Whether that state was new.
    pub new: bool,
}

/// Is told of everything that a search meets, and may end it by [`ControlFlow::Break`].
///
/// A state is told when it is found, before the first edge to it. In breadth-first order the edges of a state
/// are told one after the other, states in order of their identities; in depth-first order edges come as they
/// are walked. What an observer does not want costs nothing: the methods are inlined, and by default do nothing.
pub trait Observer<M: Model> {
    /// Whether it wants to be shown states. Where it does not, a search may leave out what only serves to show
    /// them: neither [`Observer::state`] nor [`Observer::dead`] need be called then.
    const WANTS_STATES: bool = true;

    /// Whether it wants to be told of all edges. Where it does not, those to states that are found otherwise may be counted
    /// without being told; see [`petite_model::Commuting`].
    const WANTS_EDGES: bool = true;

    /// A new state, with the number of tokens in each group.
    #[inline]
    fn state(&mut self, state: Visit<'_, M>, totals: &[u64]) -> ControlFlow<()> {
        let _ = (state, totals);
        ControlFlow::Continue(())
    }

    /// A state that is being expanded, with all actions that are enabled there: each state once, after it was told as
    /// a new one and before its edges. In breadth-first order states come in the order of their identities. Where the
    /// store gives no identities, the state has none that means anything.
    #[inline]
    fn expanded(&mut self, state: Visit<'_, M>, actions: &[ActionId]) -> ControlFlow<()> {
        let _ = (state, actions);
        ControlFlow::Continue(())
    }

    /// An edge.
    #[inline]
    fn edge(&mut self, edge: Edge) -> ControlFlow<()> {
        let _ = edge;
        ControlFlow::Continue(())
    }

    /// Heap bytes that the observer owns; they count against the limit of memory.
    fn bytes(&self) -> usize {
        0
    }

    /// A state without successor; it was told as a new state before.
    #[inline]
    fn dead(&mut self, state: Visit<'_, M>) -> ControlFlow<()> {
        let _ = state;
        ControlFlow::Continue(())
    }
}

/// Observes nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoObserver;

impl<M: Model> Observer<M> for NoObserver {
    const WANTS_STATES: bool = false;
    const WANTS_EDGES: bool = false;
}
