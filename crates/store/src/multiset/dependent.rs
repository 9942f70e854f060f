//! Slots that follow from others.
//!
//! Every invariant is an equation of slots, and each equation lets one slot go: it is computed from the others when a
//! state is read back. The equations are solved by Gauss-Jordan elimination, so that in the end each has a slot that no
//! other one has, and which goes. All others stay, and no slot that goes depends on another one that does.
//!
//! Which slots go is a choice. They are offered in an order of preference, the most expensive to write first, and the
//! first one that an equation still has is taken.
//!
//! **Cost.** As many slots fewer as there are independent equations. Elimination may fill equations up, so it ends after
//! [`MOST_STEPS`]; equations solved until then are good.

use petite_bits::{Packing, SlotIdx};
use petite_model::Equation;

/// Entries of equations that are worked on at most.
const MOST_STEPS: usize = 30_000_000;

/// Most slots that one may depend on: more take longer to add up than they save.
const MOST_TERMS: usize = 500;

/// Largest sum of the weights of an equation, and of its sum: with counts of 32 bits, nothing leaves 64.
const MOST_WEIGHT: u64 = 1 << 28;

/// A slot that follows from others: `factor * slot = sum - weighted others`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dependent {
    pub slot: SlotIdx,
    factor: i64,
    sum: i64,
    others: Box<[(SlotIdx, i64)]>,
}

impl Dependent {
    /// The slots it follows from.
    pub fn others(&self) -> impl Iterator<Item = SlotIdx> {
        self.others.iter().map(|&(slot, _)| slot)
    }
}

/// All slots that follow from others, kept so that a state is completed by what it has: each count is taken off the
/// sums that it is part of.
#[derive(Clone, Debug)]
pub(super) struct Dependents {
    /// Slots with their factors.
    slots: Box<[(SlotIdx, i64)]>,
    sums: Box<[i64]>,
    /// Where the uses of each slot end.
    ends: Box<[u32]>,
    /// Positions of sums with the weight of the slot.
    uses: Box<[(u32, i64)]>,
    /// Scratch: what is left of the sums.
    left: Vec<i64>,
}

impl Dependents {
    /// Those of a state vector of so many slots.
    pub fn new(dependents: &[Dependent], n_slots: usize) -> Dependents {
        let mut by_slot: Vec<Vec<(u32, i64)>> = vec![Vec::new(); n_slots];
        for (position, dependent) in dependents.iter().enumerate() {
            for &(slot, weight) in &dependent.others {
                by_slot[slot.index()].push((position as u32, weight));
            }
        }
        let mut end = 0;
        let ends = by_slot.iter().map(|uses| {
            end += uses.len() as u32;
            end
        });
        Dependents {
            slots: dependents.iter().map(|dependent| (dependent.slot, dependent.factor)).collect(),
            sums: dependents.iter().map(|dependent| dependent.sum).collect(),
            ends: ends.collect(),
            uses: by_slot.concat().into(),
            left: Vec::with_capacity(dependents.len()),
        }
    }

    /// Number of slots that follow from others.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// These slots.
    pub fn slots(&self) -> impl Iterator<Item = SlotIdx> {
        self.slots.iter().map(|&(slot, _)| slot)
    }

    /// Sets all slots that follow from others in a state that has these others.
    pub fn complete(&mut self, packing: &Packing, words: &mut [u64]) {
        if self.slots.is_empty() {
            return;
        }
        self.left.clear();
        self.left.extend_from_slice(&self.sums);
        for (slot, count) in packing.marked(words) {
            let start = slot.index().checked_sub(1).map_or(0, |before| self.ends[before]);
            for &(position, weight) in &self.uses[start as usize..self.ends[slot.index()] as usize] {
                self.left[position as usize] -= weight * i64::from(count);
            }
        }
        for (&(slot, factor), &left) in self.slots.iter().zip(&self.left) {
            if left != 0 {
                let value = if factor == 1 { left } else { left / factor };
                // It is a count in every reachable state, which was packed like this, or narrower, when it was read.
                let _ = packing.set(words, slot, value as u32);
            }
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
            + size_of_val(&*self.sums)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.uses)
            + self.left.capacity() * size_of::<i64>()
    }
}

/// Solves equations for slots, those that come first in `preference` before the others.
pub(super) fn solve(
    equations: Vec<Equation>,
    preference: impl IntoIterator<Item = SlotIdx>,
) -> Vec<Dependent> {
    let mut rows: Vec<Option<Equation>> = equations.into_iter().map(Some).collect();
    // The slot for which each row is solved.
    let mut solved: Vec<Option<SlotIdx>> = vec![None; rows.len()];
    let n_slots = rows.iter().flatten().flat_map(|row| &row.weights).map(|(slot, _)| slot.index() + 1).max();
    let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); n_slots.unwrap_or(0)];
    for (number, row) in rows.iter().enumerate() {
        let slots = row.iter().flat_map(|row| &row.weights);
        slots.for_each(|(slot, _)| rows_of[slot.index()].push(number as u32));
    }
    let mut steps = 0;
    for slot in preference {
        let Some(with_slot) = rows_of.get_mut(slot.index()).map(std::mem::take) else { continue };
        let is_open = |&number: &u32| {
            let row = rows[number as usize].as_ref().filter(|row| weight(row, slot) != 0)?;
            solved[number as usize].is_none().then_some((
                weight(row, slot).unsigned_abs(),
                row.weights.len(),
                number,
            ))
        };
        let Some((_, _, pivot)) = with_slot.iter().filter_map(is_open).min() else {
            rows_of[slot.index()] = with_slot;
            continue;
        };
        let Some(pivot_row) = rows[pivot as usize].clone() else { continue };
        for &number in with_slot.iter().filter(|&&number| number != pivot) {
            let Some(row) = rows[number as usize].take() else { continue };
            if weight(&row, slot) == 0 {
                rows[number as usize] = Some(row);
                continue;
            }
            steps += row.weights.len() + pivot_row.weights.len();
            // A row whose numbers leave 64 bits is given up; the others do not need it.
            let without = without(&row, &pivot_row, slot);
            let gained =
                without.iter().flat_map(|row| &row.weights).filter(|(other, _)| weight(&row, *other) == 0);
            gained.for_each(|(other, _)| rows_of[other.index()].push(number));
            rows[number as usize] = without;
        }
        solved[pivot as usize] = Some(slot);
        rows_of[slot.index()] = vec![pivot];
        if steps > MOST_STEPS {
            break;
        }
    }
    let dependent = rows.into_iter().zip(solved).filter_map(|(row, slot)| {
        let (row, slot) = (row?, slot?);
        let factor = weight(&row, slot);
        let total =
            row.weights.iter().fold(0u64, |sum, (_, weight)| sum.saturating_add(weight.unsigned_abs()));
        let sum = i64::try_from(row.sum).ok().filter(|sum| sum.unsigned_abs() <= MOST_WEIGHT << 32)?;
        let others = row.weights.into_iter().filter(|(other, _)| *other != slot);
        (total <= MOST_WEIGHT).then(|| Dependent { slot, factor, sum, others: others.collect() })
    });
    dependent.filter(|dependent| dependent.others.len() <= MOST_TERMS).collect()
}

/// The weight of a slot, zero where it has none.
fn weight(row: &Equation, slot: SlotIdx) -> i64 {
    row.weights.binary_search_by_key(&slot, |(slot, _)| *slot).map_or(0, |at| row.weights[at].1)
}

/// An equation from which a slot was eliminated with another; `None` where numbers leave 64 bits.
fn without(row: &Equation, pivot: &Equation, slot: SlotIdx) -> Option<Equation> {
    let (mine, theirs) = (i128::from(weight(row, slot)), i128::from(weight(pivot, slot)));
    let mut sums: Vec<(SlotIdx, i128)> = Vec::with_capacity(row.weights.len() + pivot.weights.len());
    let scaled = |row: &Equation, factor: i128| -> Vec<(SlotIdx, i128)> {
        // Products of two numbers of 64 bits fit.
        row.weights.iter().map(|&(slot, weight)| (slot, i128::from(weight) * factor)).collect()
    };
    sums.extend(scaled(row, theirs));
    sums.extend(scaled(pivot, -mine));
    sums.sort_unstable_by_key(|(slot, _)| *slot);
    let mut weights: Vec<(SlotIdx, i128)> = Vec::with_capacity(sums.len());
    for (slot, term) in sums {
        match weights.last_mut() {
            Some((last, sum)) if *last == slot => *sum = sum.checked_add(term)?,
            _ => weights.push((slot, term)),
        }
    }
    weights.retain(|(_, sum)| *sum != 0);
    let sum = row.sum.checked_mul(theirs)?.checked_sub(pivot.sum.checked_mul(mine)?)?;
    let divisor =
        weights.iter().fold(sum.unsigned_abs(), |divisor, (_, sum)| gcd(divisor, sum.unsigned_abs()));
    let divisor = i128::try_from(divisor).ok()?.max(1);
    let narrow = |(slot, sum): (SlotIdx, i128)| Some((slot, i64::try_from(sum / divisor).ok()?));
    let weights = weights.into_iter().map(narrow).collect::<Option<Vec<_>>>()?;
    Some(Equation { weights, sum: sum / divisor })
}

/// Greatest common divisor; that of zero and a number is the number.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equation(weights: &[(u32, i64)], sum: i128) -> Equation {
        Equation { weights: weights.iter().map(|&(slot, weight)| (SlotIdx(slot), weight)).collect(), sum }
    }

    #[test]
    fn slots_follow_from_those_that_stay() {
        // a + b = 5, b + 2c - d = 3, c + e = 4.
        let equations = vec![
            equation(&[(0, 1), (1, 1)], 5),
            equation(&[(1, 1), (2, 2), (3, -1)], 3),
            equation(&[(2, 1), (4, 1)], 4),
        ];
        let state = [2, 3, 1, 2, 3u32];
        for preference in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 2, 0, 3, 4], [2, 1, 4, 3, 0]] {
            let dependent = solve(equations.clone(), preference.map(SlotIdx));
            assert_eq!(dependent.len(), 3);
            let gone: Vec<SlotIdx> = dependent.iter().map(|dependent| dependent.slot).collect();
            assert!(gone.contains(&SlotIdx(preference[0])));
            assert!(
                dependent.iter().all(|one| one.others().all(|slot| !gone.contains(&slot))),
                "{dependent:?}"
            );
            let packing = Packing::new(&[4; 5]);
            let mut words = vec![0; packing.n_words()];
            for (slot, &count) in (0..).map(SlotIdx).zip(&state).filter(|(slot, _)| !gone.contains(slot)) {
                packing.set(&mut words, slot, count).unwrap();
            }
            let mut dependents = Dependents::new(&dependent, 5);
            assert_eq!((dependents.len(), dependents.slots().collect::<Vec<_>>()), (3, gone));
            dependents.complete(&packing, &mut words);
            let completed: Vec<u32> = (0..5).map(|slot| packing.get(&words, SlotIdx(slot))).collect();
            assert_eq!(completed, state, "{dependent:?}");
        }
    }

    #[test]
    fn numbers_that_grow_too_large_are_given_up() {
        let big = i64::MAX;
        let equations =
            vec![equation(&[(0, big), (1, big - 1)], 0), equation(&[(0, big - 2), (2, big - 4)], 0)];
        let dependent = solve(equations, [SlotIdx(0), SlotIdx(1), SlotIdx(2)]);
        assert!(dependent.len() <= 2);
        assert!(solve(Vec::new(), [SlotIdx(7)]).is_empty());
    }
}
