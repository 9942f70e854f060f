//! States as differences to the states before them.
//!
//! Mukherjee, Tari and Bertok, *Memory efficient state-space analysis in software model-checking* (ACSC 2010): a step
//! changes few tokens, so a state is stored as what is different from the previous state, and explicitly at every
//! δ-th level.
//!
//! ```text
//!  explicit   | 0 4 0 1 2 |
//!  difference               | back 1: slot 1 = 3, slot 2 = 1 | back 1: slot 4 = 0 | ...
//! ```
//!
//! | paper | here |
//! |---|---|
//! | Algorithm 1, SEARCH; Algorithm 2, INSERT | [`Store::insert`](crate::Store::insert) |
//! | Algorithm 3, RECONSTRUCT | `store.rs`; it goes back in a loop |
//! | two-level hashing, threshold M / 10 | `two_level.rs`, with an estimate that adapts |
//! | moved, changed, created, deleted tokens | `kinds.rs` |
//! | equations 1 to 5, T_comparison | [`Prediction`] |
//! | δ | [`Difference::new`] |
//!
//! Unlike a Δ-marking a difference needs no model to be read: reconstruction is a few writes for each step, whatever
//! it costs to fire an action. It takes more room: 5 to 10 bytes.

mod kinds;
mod prediction;
mod record;
mod store;
mod two_level;

pub use kinds::Kinds;
pub use prediction::Prediction;
pub use store::Difference;
