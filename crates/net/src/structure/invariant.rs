//! Place invariants: weighted sums of counts that never change.

use std::cmp::Ordering;

use petite_bits::SlotIdx;

use super::{Effort, Incidence, row::Row};

/// Weights of slots, ascending by slot, none of them zero.
///
/// As an invariant, the weighted sum of the counts is the same in every reachable marking. As the proof of a
/// bound (see [`super::Boundedness`]), it never grows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Invariant {
    /// The slots with their weights.
    pub weights: Vec<(SlotIdx, i64)>,
}

impl Invariant {
    /// The weighted sum in a marking; `None` beyond 128 bits.
    pub fn value(&self, counts: &[u64]) -> Option<i128> {
        self.weights.iter().try_fold(0i128, |sum, &(slot, weight)| {
            sum.checked_add(i128::from(weight) * i128::from(counts[slot.index()]))
        })
    }

    /// Whether no weight is negative.
    pub fn is_semiflow(&self) -> bool {
        self.weights.iter().all(|(_, weight)| *weight > 0)
    }

    /// The weight of a slot, zero where it has none.
    pub fn weight(&self, slot: SlotIdx) -> i64 {
        self.weights.binary_search_by_key(&slot, |(slot, _)| *slot).map_or(0, |at| self.weights[at].1)
    }

    /// These weights, less as much of the semiflows one after the other as leaves no weight negative.
    ///
    /// Where these weights never grow in sum, the rest does not either: a semiflow's part of the sum is constant.
    /// It is of fewer slots, so bounds from it are closer.
    #[must_use]
    pub fn reduced_by<'i>(&self, semiflows: impl IntoIterator<Item = &'i Invariant>) -> Invariant {
        let mut rest = vec![0; self.weights.last().map_or(0, |(slot, _)| slot.index() + 1)];
        self.weights.iter().for_each(|&(slot, weight)| rest[slot.index()] = weight);
        for semiflow in semiflows.into_iter().filter(|invariant| invariant.is_semiflow()) {
            let times =
                |&(slot, weight): &(SlotIdx, i64)| rest.get(slot.index()).map_or(0, |rest| rest / weight);
            let Some(times) = semiflow.weights.iter().map(times).min().filter(|times| *times > 0) else {
                continue;
            };
            // A quotient rounded down times its divisor is at most the dividend.
            semiflow.weights.iter().for_each(|&(slot, weight)| rest[slot.index()] -= times * weight);
        }
        let rest = rest.into_iter().enumerate().filter(|(_, weight)| *weight != 0);
        Invariant { weights: rest.map(|(slot, weight)| (SlotIdx::new(slot), weight)).collect() }
    }

    /// A fixed order in which fewer slots come first.
    pub(super) fn shorter_first(&self, other: &Invariant) -> Ordering {
        (self.weights.len(), &self.weights).cmp(&(other.weights.len(), &other.weights))
    }

    pub(super) fn of(weights: &Row, first_key: u32) -> Invariant {
        let weights = weights.entries().iter().map(|&(key, weight)| (SlotIdx(key - first_key), weight));
        Invariant { weights: weights.collect() }
    }

    pub(super) fn row(&self) -> Row {
        Row::new(self.weights.iter().map(|&(slot, weight)| (slot.0, weight)).collect()).unwrap_or_default()
    }
}

/// Invariants that were found.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    /// The invariants, shortest first.
    pub found: Vec<Invariant>,
    /// Whether these are all that were looked for. If not, the effort was used up or a weight left 64 bits.
    pub complete: bool,
}

impl Invariants {
    /// Those of the candidates that hold, in a fixed order. All of them do unless something is wrong here, and
    /// this is why one need not believe it.
    pub(super) fn checked(
        incidence: &Incidence,
        mut candidates: Vec<Invariant>,
        complete: bool,
        effort: &mut Effort,
    ) -> Invariants {
        candidates.sort_unstable_by(Invariant::shorter_first);
        let n_candidates = candidates.len();
        let mut check = Check::new(incidence);
        candidates.retain(|candidate| check.holds(candidate, effort));
        Invariants { complete: complete && candidates.len() == n_candidates, found: candidates }
    }
}

/// The matrix by slots, to test vectors against it.
struct Check {
    /// Where the entries of each slot end.
    ends: Vec<usize>,
    entries: Vec<(u32, i64)>,
    /// Scratch: what the vector makes of each column; all zero between tests.
    sums: Vec<i128>,
}

impl Check {
    fn new(incidence: &Incidence) -> Check {
        let mut ends = vec![0; incidence.n_slots()];
        let changes = || {
            incidence.columns().flat_map(|column| {
                incidence.changes(column).iter().map(move |&(slot, change)| (column, slot, change))
            })
        };
        changes().for_each(|(_, slot, _)| ends[slot.index()] += 1);
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        // Filling each slot from its end down leaves where it starts, which is where the one before ends.
        let mut entries = vec![(0, 0); incidence.n_changes()];
        let mut at = ends.clone();
        for (column, slot, change) in changes() {
            at[slot.index()] -= 1;
            entries[at[slot.index()]] = (column.0, change);
        }
        Check { ends, entries, sums: vec![0; incidence.n_columns()] }
    }

    fn holds(&mut self, invariant: &Invariant, effort: &mut Effort) -> bool {
        let row = |slot: SlotIdx| {
            let start = slot.index().checked_sub(1).map_or(0, |before| self.ends[before]);
            start..self.ends[slot.index()]
        };
        let cost: usize = invariant.weights.iter().map(|(slot, _)| row(*slot).len()).sum();
        if !effort.spend(cost) {
            return false;
        }
        let mut exact = true;
        for &(slot, weight) in &invariant.weights {
            for &(column, change) in &self.entries[row(slot)] {
                let sum = &mut self.sums[column as usize];
                match sum.checked_add(i128::from(weight) * i128::from(change)) {
                    Some(next) => *sum = next,
                    None => exact = false,
                }
            }
        }
        let mut zero = true;
        for &(slot, _) in &invariant.weights {
            for &(column, _) in &self.entries[row(slot)] {
                zero &= std::mem::take(&mut self.sums[column as usize]) == 0;
            }
        }
        exact && zero
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_candidates_are_left_out() {
        let slot = SlotIdx::new;
        let mut incidence = Incidence::new(3);
        incidence.push([], [(slot(0), -1), (slot(1), 2)]);
        incidence.push([], [(slot(1), -2), (slot(2), 1)]);
        let of = |weights: &[(usize, i64)]| Invariant {
            weights: weights.iter().map(|&(index, weight)| (slot(index), weight)).collect(),
        };
        let right = of(&[(0, 2), (1, 1), (2, 2)]);
        let candidates = vec![of(&[(0, 1), (1, 1), (2, 1)]), right.clone(), of(&[(0, 2), (1, 1)])];
        let checked = Invariants::checked(&incidence, candidates, true, &mut Effort::QUICK.clone());
        assert_eq!((checked.found, checked.complete), (vec![right.clone()], false));
        let none = Invariants::checked(&incidence, vec![right], true, &mut Effort { steps: 2, rows: 9 });
        assert!(none.found.is_empty() && !none.complete);
    }
}
