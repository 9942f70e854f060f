//! Exact sets of states.
//!
//! One file each, named for what it does and headed by the paper it comes from. Stores know packed words and
//! layouts, never nets or languages.

#![forbid(unsafe_code)]

mod delta;
mod difference;
mod figure;
mod plain;
mod store;

pub use delta::{Delta, DeltaConfig, FreeSteps, OrderedSteps, Stratified, Switch};
pub use difference::{Difference, Kinds, Prediction};
pub use figure::{Amount, Figure};
pub use plain::Plain;
pub use store::{Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};
