//! Sets of states.
//!
//! One file each, named for what it does and headed by the paper it comes from. Stores know packed words and
//! layouts, never nets or languages.

#![forbid(unsafe_code)]

mod codec;
mod coded;
mod delta;
mod diagram;
mod difference;
mod figure;
mod lossy;
mod multiset;
mod obdd;
mod ondd;
mod open_set;
mod plain;
mod recent;
mod slot_order;
mod store;
mod tabled;
mod tree;

pub use codec::{CodeError, Codec, Codes, Coding};
pub use coded::Coded;
pub use delta::{Delta, DeltaConfig, FreeSteps, OrderedSteps, Stratified, Switch};
pub use diagram::{
    Batching, BitPlace, Diagram, DiagramStore, DigitSource, Digits, Format, Keyed, Reform, SlotDigits,
    SortedKeys,
};
pub use difference::{Difference, Kinds, Prediction};
pub use figure::{Amount, Figure};
pub use lossy::{Bitstate, FINGERPRINT_WIDTHS, HashCompact, MOST_FUNCTIONS};
pub use multiset::{Empties, FactSource, ItemCode, Multiset, MultisetOptions, Reference, Weights};
pub use obdd::{MOST_BITS, Obdd};
pub use ondd::Ondd;
pub use open_set::{Expansion, OpenSet, Peaks, StateKey};
pub use plain::Plain;
pub use slot_order::{SlotOrder, SlotSample};
pub use store::{Exactness, Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};
pub use tabled::{PartDigits, Scheme, Tabled};
pub use tree::{Frontier, IndexedTree, RecordLimits, Shape, Tree};
