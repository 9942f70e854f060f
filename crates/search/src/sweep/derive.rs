//! Progress measures from the structure of a net.
//!
//! Wanted are weights of slots such that no column of the incidence matrix decreases the weighted sum and as many as
//! possible increase it. That is a linear program: with a share `z` of progress between 0 and 1 for each column,
//!
//! ```text
//!  maximise  sum of z(t)   where   sum of w(s) C(s, t) >= z(t)   for every column t,   -1000 <= w(s) <= 1000
//! ```
//!
//! A net that can return to where it was has runs that change nothing in sum: along each of them something decreases if
//! anything increases. So, where hardly any column progresses, one transition after the other is tried as the one that
//! may decrease; the one that lets most columns progress is taken, and that is repeated a few times as long as more
//! columns gain than are given up.
//!
//! The solver computes with rounded numbers. Nothing depends on that: weights are made whole numbers, what they do is counted
//! exactly, and any measure is sound.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use petite_bits::SlotIdx;
use petite_net::structure::{ColumnIdx, Incidence};

/// Entries and columns of a matrix that is not too large: a solution takes some tenths of a second.
const MOST_ENTRIES: usize = 24_000;
const MOST_COLUMNS: usize = 6_000;

/// Entries that all solutions together may look at.
const MOST_WORK: usize = 100_000;

/// Transitions that may be given up.
const MOST_EXEMPT: usize = 3;

/// A measure that never decreases is taken where more than one column of so many increases it.
const ENOUGH: usize = 10;

/// Largest weight before weights are made whole.
const HEAVIEST: f64 = 1000.0;

/// What a unit of weight costs, against one for a column that progresses.
const WEIGHT_COST: f64 = 1e-4;

/// What a measure does along the columns of a matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tendency {
    /// Columns that increase it.
    pub progressing: u64,
    /// Columns that leave it as it is.
    pub keeping: u64,
    /// Columns that decrease it.
    pub regressing: u64,
}

impl Tendency {
    /// Counts a column that increases the measure (above 0), keeps it (0) or decreases it (below 0).
    pub fn count(&mut self, change: i128) {
        match change.signum() {
            1 => self.progressing += 1,
            0 => self.keeping += 1,
            _ => self.regressing += 1,
        }
    }

    /// Whether nothing decreases it.
    pub fn is_monotone(&self) -> bool {
        self.regressing == 0
    }
}

/// A matrix with what else is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// What each column changes.
    pub incidence: &'a Incidence,
    /// The transition that each column is an instance of.
    pub transition_of: &'a [u32],
    /// Slots that must not be counted on.
    pub unknown: &'a [SlotIdx],
}

/// Weights of the slots for a measure, with what they do; `None` where the matrix is too large, or nothing progresses.
pub fn derive_weights(columns: Columns<'_>) -> Option<(Vec<i64>, Tendency)> {
    let n_columns = columns.transition_of.len();
    let n_entries = columns.incidence.n_changes();
    if n_columns > MOST_COLUMNS || n_entries > MOST_ENTRIES {
        return None;
    }
    let n_transitions = columns.transition_of.iter().max().map_or(0, |&last| last as usize + 1);
    let mut exempt = vec![false; n_transitions];
    let mut best = solve(columns, &exempt);
    let mut work = n_entries;
    for _ in 0..MOST_EXEMPT {
        let gain = |best: &Option<(Vec<i64>, Tendency)>| {
            best.as_ref().map_or(0, |(_, t)| t.progressing as i64 - t.regressing as i64)
        };
        // What never decreases is worth much: no state is expanded twice.
        let is_done = best.as_ref().is_some_and(|(_, t)| {
            let enough = if t.is_monotone() { n_columns / ENOUGH } else { n_columns };
            t.progressing as usize > enough
        });
        if is_done || work.saturating_add(n_entries.saturating_mul(n_transitions)) > MOST_WORK {
            break;
        }
        let mut chosen = None;
        for t in (0..n_transitions).filter(|&t| !exempt[t]).collect::<Vec<_>>() {
            exempt[t] = true;
            let tried = solve(columns, &exempt);
            exempt[t] = false;
            work += n_entries;
            if gain(&tried) > gain(&best) {
                (best, chosen) = (tried, Some(t));
            }
        }
        match chosen {
            Some(t) => exempt[t] = true,
            None => break,
        }
    }
    best.filter(|(_, tendency)| tendency.progressing > 0)
}

/// What weights do along the columns.
pub fn tendency(columns: Columns<'_>, weights: &[i64]) -> Tendency {
    let mut tendency = Tendency::default();
    for column in (0..columns.transition_of.len()).map(ColumnIdx::new) {
        let changes = columns.incidence.changes(column).iter();
        let sum: i128 =
            changes.map(|&(slot, change)| i128::from(change) * i128::from(weights[slot.index()])).sum();
        tendency.count(sum);
    }
    tendency
}

/// The best weights where the columns of some transitions may do what they like.
fn solve(columns: Columns<'_>, exempt: &[bool]) -> Option<(Vec<i64>, Tendency)> {
    let Columns { incidence, transition_of, unknown } = columns;
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    // A weight is the difference of two variables, both of which cost a little: so weights are no larger than they need be.
    let weights: Vec<[Variable; 2]> = (0..incidence.n_slots())
        .map(|slot| {
            let most = if unknown.contains(&SlotIdx::new(slot)) { 0.0 } else { HEAVIEST };
            [problem.add_var(-WEIGHT_COST, (0.0, most)), problem.add_var(-WEIGHT_COST, (0.0, most))]
        })
        .collect();
    for (column, &transition) in transition_of.iter().enumerate() {
        let changes = incidence.changes(ColumnIdx::new(column));
        if changes.is_empty() || exempt[transition as usize] {
            continue;
        }
        let share = problem.add_var(1.0, (0.0, 1.0));
        let mut terms: Vec<(Variable, f64)> = Vec::new();
        for &(slot, change) in changes {
            let [plus, minus] = weights[slot.index()];
            terms.extend([(plus, change as f64), (minus, -(change as f64))]);
        }
        terms.push((share, -1.0));
        problem.add_constraint(&terms, ComparisonOp::Ge, 0.0);
    }
    let solution = problem.solve().ok()?.into_solution().ok()?;
    let found: Vec<f64> =
        weights.iter().map(|&[plus, minus]| solution.var_value(plus) - solution.var_value(minus)).collect();
    let whole = whole(&found);
    let tendency = tendency(columns, &whole);
    Some((whole, tendency))
}

/// Whole numbers in the proportions of others.
fn whole(weights: &[f64]) -> Vec<i64> {
    let is_whole = |number: f64| (number - number.round()).abs() < 1e-6;
    let scale = (1..=60).map(f64::from).find(|scale| weights.iter().all(|weight| is_whole(weight * scale)));
    let scale = scale.unwrap_or(HEAVIEST);
    let mut whole: Vec<i64> = weights.iter().map(|weight| (weight * scale).round() as i64).collect();
    let divisor = whole.iter().fold(0, |divisor, &weight| gcd(divisor, weight.unsigned_abs()));
    if let Some(divisor) = i64::try_from(divisor).ok().filter(|&divisor| divisor > 1) {
        whole.iter_mut().for_each(|weight| *weight /= divisor);
    }
    whole
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn incidence(n_slots: usize, columns: &[&[(u32, i64)]]) -> Incidence {
        let mut incidence = Incidence::new(n_slots);
        for column in columns {
            incidence.push([], column.iter().map(|&(slot, change)| (SlotIdx(slot), change)));
        }
        incidence
    }

    #[test]
    fn a_pipeline_progresses_everywhere() {
        let incidence = incidence(3, &[&[(0, -1), (1, 1)], &[(1, -1), (2, 1)]]);
        let columns = Columns { incidence: &incidence, transition_of: &[0, 1], unknown: &[] };
        let (weights, found) = derive_weights(columns).unwrap();
        assert_eq!(found, Tendency { progressing: 2, keeping: 0, regressing: 0 });
        assert!(found.is_monotone() && weights[0] < weights[1] && weights[1] < weights[2], "{weights:?}");
        let columns = Columns { unknown: &[SlotIdx(1)], ..columns };
        assert_eq!(derive_weights(columns).unwrap().0[1], 0);
    }

    #[test]
    fn a_cycle_gives_up_one_transition() {
        let incidence = incidence(3, &[&[(0, -1), (1, 1)], &[(1, -1), (2, 1)], &[(2, -1), (0, 1)]]);
        let columns = Columns { incidence: &incidence, transition_of: &[0, 1, 2], unknown: &[] };
        let (_, found) = derive_weights(columns).unwrap();
        assert_eq!(found, Tendency { progressing: 2, keeping: 0, regressing: 1 });
    }

    #[test]
    fn where_nothing_changes_there_is_no_measure() {
        let incidence = incidence(1, &[&[]]);
        let columns = Columns { incidence: &incidence, transition_of: &[0], unknown: &[] };
        assert_eq!(derive_weights(columns), None);
    }
}
