//! The sweep-line method.
//!
//! Christensen, Kristensen and Mailund (2001); Kristensen and Mailund (2002); paper 3, sections 4 and 5, figure 3. States
//! are expanded in the order of a progress measure. Those behind the line cannot be reached again, as long as the
//! measure never decreases, and are forgotten:
//!
//! ```text
//!            forgotten          window                 not found yet
//!   progress ...........|########|+++++++++++++|...............................>
//!                        current   found, ahead
//!                <---- an edge back: its target is kept for good, and a root of the next sweep
//! ```
//!
//! Where an edge leads back, nobody knows whether its target was there before. It is kept for good (*persistent*) and a
//! root of the next sweep, until a sweep finds no new root. Without more ado states behind such a root are
//! counted and expanded again.
//!
//! **Fold back.** Beyond the paper: an observer that keeps the edges ([`Recall`]) has what is needed to get the forgotten
//! states back, in the same order and in the same window. From the second sweep on, the graph of the earlier ones is replayed
//! in lock step with the search: in each layer all old states are there, with their numbers, before the first new one
//! is expanded. A state that was taken for new when it was found ahead of the line has a provisional number until then,
//! which becomes another name for the old one. So every state is expanded once, and the graph has exactly as many
//! nodes as there are states.
//!
//! **Cost.** The window and the persistent states. A sweep with fold back fires every edge of the earlier ones again that
//! leads to a state not met yet, once for each state.

mod alias;
mod derive;
mod expression;
mod layers;
mod measure;
mod state;
mod window;

pub use alias::Aliases;
pub use derive::{Columns, Tendency, derive_weights, tendency};
pub use expression::MeasureError;
pub use measure::{Counted, Measure, Sum};

use std::ops::ControlFlow;

use petite_model::{ActionId, Model};
use petite_store::StateId;

use crate::{Edge, Limits, Monitor, Observer, Report, Visit};
use state::Sweep;

/// An observer that keeps the edges it is told of.
pub trait Recall<M: Model>: Observer<M> {
    /// Writes the edges of an expanded state, as they were told.
    fn recall(&mut self, state: StateId, edges: &mut Vec<(ActionId, StateId)>);
}

/// What a sweep found.
#[derive(Clone, Debug)]
pub struct SweepReport {
    /// The counts. Without fold back, states that were expanded more than once are counted so often.
    pub report: Report,
    /// Most states that were held at one time, persistent ones included.
    pub peak_states: u64,
    /// How often the line went over the states.
    pub sweeps: u64,
    /// States that are kept for good.
    pub persistent_states: u64,
    /// Edges along which the measure decreases.
    pub regress_edges: u64,
    /// States that were numbered after the first sweep, or as roots in it: at most so many were counted more than once. None
    /// with fold back.
    pub counted_again_at_most: u64,
    /// States of earlier sweeps that were computed again to recognise them.
    pub replayed_states: u64,
    /// Numbers that turned out to stand for states with another number.
    pub aliases: Aliases,
    /// Heap bytes of window, layers and persistent states at their largest.
    pub store_bytes: usize,
    /// Bytes of the state vectors in the window at its peak.
    pub vector_bytes: usize,
}

impl AsRef<Report> for SweepReport {
    fn as_ref(&self) -> &Report {
        &self.report
    }
}

/// Explores the reachable states of a model in the order of a measure. States may be told more than once, with other
/// identities, where the measure decreases.
pub fn sweep<M: Model, O: Observer<M>>(
    model: &mut M,
    measure: &Measure,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> SweepReport {
    let mut forgetful = Forgetful(observer);
    Sweep::new(model, measure, limits, monitor, &mut forgetful, Fold::Off).run()
}

/// The same with fold back: every state is expanded once. Identities that turn out to be others are among the aliases.
pub fn sweep_exact<M: Model, O: Recall<M>>(
    model: &mut M,
    measure: &Measure,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> SweepReport {
    Sweep::new(model, measure, limits, monitor, observer, Fold::Back).run()
}

/// Whether old states are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fold {
    Off,
    Back,
}

/// An observer that keeps nothing, and is never asked.
struct Forgetful<'a, O>(&'a mut O);

impl<M: Model, O: Observer<M>> Observer<M> for Forgetful<'_, O> {
    const WANTS_STATES: bool = O::WANTS_STATES;
    const WANTS_EDGES: bool = O::WANTS_EDGES;

    #[inline]
    fn expanded(&mut self, state: Visit<'_, M>, actions: &[ActionId]) -> ControlFlow<()> {
        self.0.expanded(state, actions)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    #[inline]
    fn state(&mut self, state: Visit<'_, M>, totals: &[u64]) -> ControlFlow<()> {
        self.0.state(state, totals)
    }

    #[inline]
    fn edge(&mut self, edge: Edge) -> ControlFlow<()> {
        self.0.edge(edge)
    }

    #[inline]
    fn dead(&mut self, state: Visit<'_, M>) -> ControlFlow<()> {
        self.0.dead(state)
    }
}

impl<M: Model, O: Observer<M>> Recall<M> for Forgetful<'_, O> {
    fn recall(&mut self, _: StateId, _: &mut Vec<(ActionId, StateId)>) {}
}
