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

use petite_bits::SlotIdx;
use petite_model::Equation;

/// Entries of equations that are worked on at most.
const MOST_STEPS: usize = 30_000_000;

/// Most slots that one may depend on: more take longer to add up than they save.
const MOST_TERMS: usize = 500;

/// A slot that follows from others: `factor * slot = sum - weighted others`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dependent {
    pub slot: SlotIdx,
    factor: i64,
    sum: i128,
    others: Box<[(SlotIdx, i64)]>,
}

impl Dependent {
    /// The value, given those of the others.
    pub fn value(&self, mut of: impl FnMut(SlotIdx) -> u32) -> u32 {
        let others = self.others.iter().map(|&(slot, weight)| i128::from(weight) * i128::from(of(slot)));
        let value = (self.sum - others.sum::<i128>()) / i128::from(self.factor);
        // It is a count in every reachable state, and no other comes here.
        u32::try_from(value).unwrap_or(0)
    }

    /// The slots it follows from.
    pub fn others(&self) -> impl Iterator<Item = SlotIdx> {
        self.others.iter().map(|&(slot, _)| slot)
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.others)
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
        let others = row.weights.into_iter().filter(|(other, _)| *other != slot);
        Some(Dependent { slot, factor, sum: row.sum, others: others.collect() })
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
        let state = [2, 3, 1, 2, 3];
        for preference in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 2, 0, 3, 4], [2, 1, 4, 3, 0]] {
            let dependent = solve(equations.clone(), preference.map(SlotIdx));
            assert_eq!(dependent.len(), 3);
            let gone: Vec<SlotIdx> = dependent.iter().map(|dependent| dependent.slot).collect();
            assert!(gone.contains(&SlotIdx(preference[0])));
            for one in &dependent {
                assert!(one.others().all(|slot| !gone.contains(&slot)), "{dependent:?}");
                assert_eq!(one.value(|slot| state[slot.index()]), state[one.slot.index()], "{one:?}");
            }
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
