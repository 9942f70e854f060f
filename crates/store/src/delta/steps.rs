//! How Δ-markings are kept: what every way has in common.

use petite_model::ActionId;

use crate::{Origin, StateId, StoreError};

/// How one state is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// As explicit marking with this number.
    Explicit(u32),
    /// As a step from another state.
    Step {
        /// The other state.
        parent: StateId,
        /// The action that leads from there to here.
        action: ActionId,
    },
}

/// A table of steps and of numbers of explicit markings, by the identity of the state.
pub trait Steps {
    /// Number of states.
    fn len(&self) -> usize;

    /// How many steps the next state would be away from an explicit marking; zero where it has to be one.
    fn distance_of_next(&self, origin: Origin) -> u32;

    /// Adds a state: explicit with the given number where the distance is zero, else as the step of its origin. The
    /// distance is what [`Steps::distance_of_next`] said, or zero.
    fn push(&mut self, origin: Origin, distance: u32, number: u32) -> Result<(), StoreError>;

    /// Takes the last state away.
    fn pop(&mut self);

    /// How a state is kept.
    fn get(&self, id: StateId) -> Kept;

    /// Replaces the predecessor of a state when the way over the new one is shorter. Says whether it did.
    fn shorten(&mut self, id: StateId, parent: StateId, action: ActionId) -> Result<bool, StoreError>;

    /// Hints that a state is about to be asked for.
    fn prefetch(&self, id: StateId);

    /// Heap bytes owned.
    fn bytes(&self) -> usize;
}
