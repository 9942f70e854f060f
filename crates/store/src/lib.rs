//! Sets of states.
//!
//! One file each, named for what it does and headed by the paper it comes from. Stores know packed words and
//! layouts, never nets or languages.

#![forbid(unsafe_code)]

mod codec;
mod coded;
mod diagram;
mod figure;
mod lossy;
mod obdd;
mod ondd;
mod plain;
mod slot_order;
mod store;
mod tabled;

pub use codec::{CodeError, Codec, Codes, Coding};
pub use coded::Coded;
pub use diagram::{
    Batching, BitPlace, Diagram, DiagramStore, DigitSource, Digits, Format, Keyed, Reform, SlotDigits,
    SortedKeys,
};
pub use figure::{Amount, Figure};
pub use lossy::{Bitstate, FINGERPRINT_WIDTHS, HashCompact, MOST_FUNCTIONS};
pub use obdd::{MOST_BITS, Obdd};
pub use ondd::Ondd;
pub use plain::Plain;
pub use slot_order::{SlotOrder, SlotSample};
pub use store::{Exactness, Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};
pub use tabled::{PartDigits, Scheme, Tabled};
