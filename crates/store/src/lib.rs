//! Sets of states.
//!
//! One file each, named for what it does and headed by the paper it comes from. Stores know packed words and
//! layouts, never nets or languages.

#![forbid(unsafe_code)]

mod figure;
mod lossy;
mod plain;
mod store;

pub use figure::{Amount, Figure};
pub use lossy::{Bitstate, FINGERPRINT_WIDTHS, HashCompact, MOST_FUNCTIONS};
pub use plain::Plain;
pub use store::{Exactness, Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};
