//! Actions as rules on single slots.
//!
//! Where nothing else matters, an action is enabled if each of a few slots holds a value in a range, and changes each
//! slot by what that slot's value alone decides. Then the slots can be cut into parts and an action be looked at in each of
//! them apart: what it asks of a part, and what it makes of it, is the same in all states that share that part.

use petite_bits::SlotIdx;

/// What an action asks of a slot that it reads or changes: a value from `least` on and below `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotRule {
    /// The slot.
    pub slot: SlotIdx,
    /// The least value.
    pub least: u32,
    /// One more than the greatest value; [`u64::MAX`] where any will do.
    pub end: u64,
}

impl SlotRule {
    /// Whether a value is what the action asks for.
    #[inline]
    pub fn is_met_by(&self, value: u32) -> bool {
        self.least <= value && u64::from(value) < self.end
    }
}
