//! What decision-diagram stores have in common: states as keys, new ones in a small table, sets of them in a diagram.
//!
//! ```text
//!              DigitSource                  Pending                    Diagram
//!  words ──────────────────> key ──> new? ──> exact table ── full ──> sorted ── union ──> nodes
//!           slots in order,             (both are asked)
//!           or a codec's tables
//! ```

mod format;
mod pending;
mod slot_digits;
mod source;
mod store;

pub use format::{BitPlace, Format};
pub use pending::{Pending, SortedKeys};
pub use slot_digits::SlotDigits;
pub use source::{DigitSource, Digits, Keyed, Reform};
pub use store::{Batching, Diagram, DiagramStore};
