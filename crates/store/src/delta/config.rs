//! What can be chosen about Δ-markings.

use std::num::NonZeroU32;

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// It is.
    On,
    /// It is not.
    Off,
}

/// The choices of a [`Delta`](crate::Delta) store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaConfig {
    /// Every so manieth level is stored explicitly: the paper's k_δ.
    pub explicit_every: NonZeroU32,
    /// Whether the predecessor of a Δ-marking is replaced when a shorter way to an explicit marking is found. Only where
    /// predecessors are kept in any order.
    pub predecessor_update: Switch,
    /// Whether a state is compared with a Δ-marking by taking its actions back, where the model can do that; otherwise
    /// the Δ-marking is reconstituted.
    pub backward_firing: Switch,
    /// Whether explicit markings are collapsed.
    pub collapse: Switch,
    /// Whether some states that were reconstituted are kept for a while.
    pub recall: Switch,
}

impl DeltaConfig {
    /// All that makes it fast, and explicit markings as they are.
    pub fn new(explicit_every: NonZeroU32) -> DeltaConfig {
        DeltaConfig {
            explicit_every,
            predecessor_update: Switch::On,
            backward_firing: Switch::On,
            collapse: Switch::Off,
            recall: Switch::On,
        }
    }
}
