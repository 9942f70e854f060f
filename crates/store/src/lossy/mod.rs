//! Stores that may take a new state for a known one, for comparison and for hunting bugs where nothing else fits.
//!
//! What such a search finds exists; what it does not find may exist all the same. Every store here says how likely
//! it is that something was missed, and nothing of it is ever exact.

mod bitstate;
mod hash_compact;
mod omission;
mod two_hashes;

pub use bitstate::{Bitstate, MOST_FUNCTIONS};
pub use hash_compact::{HashCompact, WIDTHS as FINGERPRINT_WIDTHS};
