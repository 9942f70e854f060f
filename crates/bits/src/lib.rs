//! Packed words, typed indices and growable tables.
//!
//! This is the only crate of the workspace that may use `unsafe`, and it knows nothing of nets, states or
//! files: what it holds could serve any program that keeps many small things in little memory.

mod index;
mod mix;
mod packing;

pub use index::SlotIdx;
pub use mix::mix64;
pub use packing::{Field, Marked, Outgrown, Packing, slot_key, width_of};
