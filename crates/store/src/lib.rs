//! Exact sets of states.
//!
//! One file each, named for what it does and headed by the paper it comes from. Stores know packed words and
//! layouts, never nets or languages.

#![forbid(unsafe_code)]

mod figure;
mod open_set;
mod plain;
mod store;
mod tree;

pub use figure::{Amount, Figure};
pub use open_set::{OpenSet, StateKey};
pub use plain::Plain;
pub use store::{Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};
pub use tree::{Frontier, IndexedTree, Shape, Tree};
