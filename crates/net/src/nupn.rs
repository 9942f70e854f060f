//! Nested units.
//!
//! Some models say from which sequential components they were made: a tree of units, each with places of its own.
//! Where the net is *unit-safe*, at most one place of a unit and of the units nested in it is marked at a time
//! (seen along any path from the root to a leaf), so a unit with n places needs log2 (n + 1) bits.

use crate::PlaceIdx;

petite_bits::typed_index! {
    /// A unit of a net.
    pub struct UnitIdx;
}

/// A tree of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nupn {
    /// The unit that contains all others.
    pub root: UnitIdx,
    /// All units.
    pub units: Vec<Unit>,
    /// The modeller's promise that the net is unit-safe.
    pub safe: bool,
}

/// A unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// The places of its own; no place is in two units.
    pub places: Vec<PlaceIdx>,
    /// The units nested directly in it; every unit but the root is nested in exactly one.
    pub subunits: Vec<UnitIdx>,
}
