//! Largest counts, from weights that never grow.
//!
//! When the sum of y(s) * m(s) over all slots never exceeds its value in the initial marking, and no weight is
//! negative, then one slot alone cannot hold more than that value divided by its weight. The best of all weights
//! that are known is the bound. A slot that no column increases keeps at most what it starts with.

use petite_bits::SlotIdx;

use super::{Incidence, Invariant};
use crate::PlaceIdx;

/// The largest count of each slot, where it is known.
#[derive(Clone, Debug)]
pub struct SlotBounds {
    most: Vec<Option<u64>>,
}

impl SlotBounds {
    /// Bounds from weights that no column increases; those with a negative weight say nothing and are ignored.
    pub fn new<'i>(
        incidence: &Incidence,
        initial: &[u64],
        weights: impl IntoIterator<Item = &'i Invariant>,
    ) -> SlotBounds {
        let mut most: Vec<Option<u64>> = initial.iter().copied().map(Some).collect();
        for column in incidence.columns() {
            for &(slot, change) in incidence.changes(column) {
                if change > 0 {
                    most[slot.index()] = None;
                }
            }
        }
        let mut bounds = SlotBounds { most };
        for invariant in weights {
            if let Some(value) = initial_value(invariant, initial) {
                for &(slot, weight) in &invariant.weights {
                    bounds.limit(slot, value / u128::from(weight.unsigned_abs()));
                }
            }
        }
        bounds
    }

    /// The bound of a slot.
    pub fn of(&self, slot: SlotIdx) -> Option<u64> {
        self.most[slot.index()]
    }

    /// The largest sum of the slots of each place. Every slot is of one place, and the weights are those that
    /// the bounds were made from.
    pub fn of_places<'i>(
        &self,
        place_of: &[PlaceIdx],
        n_places: usize,
        initial: &[u64],
        weights: impl IntoIterator<Item = &'i Invariant>,
    ) -> Vec<Option<u64>> {
        let mut sums: Vec<Option<u64>> = vec![Some(0); n_places];
        let mut n_slots = vec![0usize; n_places];
        for (place, most) in place_of.iter().zip(&self.most) {
            n_slots[place.index()] += 1;
            let sum = &mut sums[place.index()];
            *sum = sum.and_then(|sum| sum.checked_add((*most)?));
        }
        // Weights that count every slot of a place at least w times limit the sum of the slots at once.
        let mut seen: Vec<(usize, u64)> = vec![(0, u64::MAX); n_places];
        for invariant in weights {
            let Some(value) = initial_value(invariant, initial) else { continue };
            let places =
                || invariant.weights.iter().map(|&(slot, weight)| (place_of[slot.index()].index(), weight));
            for (place, weight) in places() {
                let (count, least) = seen[place];
                seen[place] = (count + 1, least.min(weight.unsigned_abs()));
            }
            for (place, _) in places() {
                let (count, least) = std::mem::replace(&mut seen[place], (0, u64::MAX));
                if count == n_slots[place] {
                    sums[place] = least_of(sums[place], value / u128::from(least));
                }
            }
        }
        sums
    }

    fn limit(&mut self, slot: SlotIdx, bound: u128) {
        let most = &mut self.most[slot.index()];
        *most = least_of(*most, bound);
    }
}

/// The value in the initial marking of weights that are all positive.
fn initial_value(invariant: &Invariant, initial: &[u64]) -> Option<u128> {
    let value = invariant.value(initial).filter(|_| invariant.is_semiflow())?;
    u128::try_from(value).ok()
}

fn least_of(known: Option<u64>, bound: u128) -> Option<u64> {
    match (known, u64::try_from(bound).ok()) {
        (Some(known), Some(bound)) => Some(known.min(bound)),
        (known, bound) => known.or(bound),
    }
}
