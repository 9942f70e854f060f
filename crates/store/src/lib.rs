//! Exact sets of states.
//!
//! One file each, named for what it does and headed by the paper it comes from. Stores know packed words and
//! layouts, never nets or languages.

#![forbid(unsafe_code)]

mod codec;
mod coded;
mod figure;
mod multiset;
mod plain;
mod recent;
mod store;

pub use codec::{CodeError, Codec, Codes, Coding};
pub use coded::Coded;
pub use figure::{Amount, Figure};
pub use multiset::{Empties, FactSource, ItemCode, Multiset, MultisetOptions, Reference, Weights};
pub use plain::Plain;
pub use store::{Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};
