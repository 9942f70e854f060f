//! Structural facts: what the arcs of a net alone say of all its reachable markings.
//!
//! Everything here is about an [`Incidence`]: slots that hold counts, and columns that change them. Where it
//! comes from (a place/transition net, an unfolded coloured net, the token totals of places) makes no
//! difference. Guards, inhibitors and priorities only take behaviour away, so facts found without them hold
//! with them.
//!
//! - [`invariant_basis`] and [`semiflows`]: weighted sums of counts that no column changes.
//! - [`boundedness`]: whether weights exist that no column can increase, so that no slot grows for ever.
//! - [`token_totals`]: an incidence for coloured nets whose bindings nobody has listed.
//! - [`SlotBounds`]: what these say of the largest count in each slot.
//!
//! All arithmetic is exact, on integers; nothing is rounded, and what would leave 64 bits is left out and
//! counted as such. Every vector is checked against the incidence before it is given. The problems are hard in
//! the worst case, so each call spends from an [`Effort`] and says when it stopped short.

mod boundedness;
mod bounds;
mod effort;
mod elimination;
mod incidence;
mod invariant;
mod row;
mod semiflows;
mod table;
mod totals;

pub use boundedness::{Boundedness, Growth, boundedness};
pub use bounds::SlotBounds;
pub use effort::Effort;
pub use elimination::{independent, invariant_basis};
pub use incidence::{ColumnIdx, Incidence};
pub use invariant::{Invariant, Invariants};
pub use semiflows::semiflows;
pub use totals::token_totals;
