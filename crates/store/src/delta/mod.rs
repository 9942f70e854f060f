//! States as steps from other states: Δ-markings.
//!
//! Evangelista and Pradat-Peyre, *Memory efficient state space storage in explicit software model checking* (SPIN 2005):
//! firing is deterministic, so "the predecessor, and the action that leads from there to here" names a state without
//! ambiguity. Every k-th level is stored explicitly, so that at most k - 1 actions have to be fired to get a state
//! back.
//!
//! ```text
//!                  hash                                       identity
//!   state ──────────────────> index ─────────> candidates ─────────────> steps ──> ... ──> explicit marking
//!                             QuotientIndex                              (parent, action)    VectorArena or
//!                             30 bits                                    12 or 37 bits       collapsed
//! ```
//!
//! | paper | here |
//! |---|---|
//! | k_δ | [`DeltaConfig::explicit_every`] |
//! | figure 2, `dfs`, lines 1 to 13 | [`Store::insert`](crate::Store::insert) |
//! | `reconstitute`, `unfire and check` | `reconstitution.rs` |
//! | pred, t | `free_steps.rs`; `ordered_steps.rs` in breadth-first order |
//! | collapsed markings | `collapse.rs` |
//! | collapsed transition instances | action numbers, packed to the width of the largest one |
//! | section 6, figure 4, stratified caching | `stratified.rs` |
//! | "parameters too small" | does not exist: every width grows by itself |
//!
//! **Beyond the paper.** The index keeps a few bits of hash for each state, so that nearly all states that are not
//! there are told without reconstitution. In breadth-first order a predecessor takes two bits. Chains end at any state
//! that was met lately ([`recall`]), which makes the time nearly independent of k; most states that are met again are
//! found there themselves, without asking the index ([`recent_ids`]).

mod collapse;
mod config;
mod explicit;
mod free_steps;
mod ordered_steps;
mod recall;
mod recent_ids;
mod reconstitution;
mod steps;
mod store;
mod stratified;

pub use config::{DeltaConfig, Switch};
pub use free_steps::FreeSteps;
pub use ordered_steps::OrderedSteps;
pub use store::Delta;
pub use stratified::Stratified;
