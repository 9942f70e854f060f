//! States that cannot be reached, proved without looking for them.
//!
//! Every reachable marking is x = m0 + C y with y >= 0: the *state equation* (Murata 1989, sec. IV). A conjunction of
//! comparisons A x <= b has no reachable state if the equation and the comparisons have no solution together, and by
//! Farkas' lemma that is so exactly if there are weights w of slots and factors u >= 0 of comparisons with
//!
//! ```text
//!   w C <= 0          no instance increases w x, so w x <= w m0 in every reachable marking
//!   w + u A >= 0      so 0 <= (w + u A) x <= w m0 + u b
//!   w m0 + u b < 0    which is a contradiction
//! ```
//!
//! A linear program looks for w and u in floating-point numbers; what it finds is scaled to integers and *checked exactly*, so
//! an error of rounding can lose an answer but never give a wrong one. The largest value of a sum c x is bounded the same way:
//! w >= c and w C <= 0 prove c x <= w m0.
//!
//! **Cost.** A program of as many variables as slots and as many rows as instances for each conjunction: milliseconds for
//! hundreds of each. There is a budget for all of them together, and large nets are left alone.

use std::time::{Duration, Instant};

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use petite_bits::SlotIdx;
use petite_net::structure::{ColumnIdx, Incidence};

/// Slots and instances of nets that are not left alone, and entries of their incidence.
const MOST_SLOTS: usize = 4_000;
const MOST_COLUMNS: usize = 10_000;
const MOST_ENTRIES: usize = 100_000;

/// Time for all programs of a net, and for one of them.
const BUDGET: Duration = Duration::from_secs(4);
const LONGEST: Duration = Duration::from_millis(400);

/// Scales by which weights become integers.
const SCALES: [i64; 16] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30, 60, 120, 360];

/// A comparison: the weighted sum of slots is at most so much.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AtMost {
    /// The slots with their weights, each once.
    pub weights: Vec<(SlotIdx, i64)>,
    /// The largest value.
    pub most: i64,
}

/// The state equation of a net.
#[derive(Debug)]
pub(crate) struct StateEquation {
    incidence: Incidence,
    initial: Vec<u64>,
    spent: Duration,
}

impl StateEquation {
    /// None where the net is too large.
    pub fn new(incidence: Incidence, initial: Vec<u64>) -> Option<StateEquation> {
        let is_small = incidence.n_slots() <= MOST_SLOTS
            && incidence.n_columns() <= MOST_COLUMNS
            && incidence.n_changes() <= MOST_ENTRIES
            && initial.iter().all(|&count| count < 1 << 40);
        is_small.then_some(StateEquation { incidence, initial, spent: Duration::ZERO })
    }

    /// What an instance takes.
    pub fn takes(&self, column: ColumnIdx) -> &[(SlotIdx, u32)] {
        self.incidence.takes(column)
    }

    /// Whether it is proved that no reachable state satisfies all comparisons.
    pub fn is_impossible(&mut self, comparisons: &[AtMost]) -> bool {
        if comparisons.is_empty() {
            return false;
        }
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let free = (f64::NEG_INFINITY, f64::INFINITY);
        let slots: Vec<Variable> =
            self.initial.iter().map(|&count| problem.add_var(count as f64, free)).collect();
        let factors: Vec<Variable> = comparisons
            .iter()
            .map(|comparison| problem.add_var(comparison.most as f64, (0.0, f64::INFINITY)))
            .collect();
        self.never_increased(&mut problem, &slots);
        let mut covered: Vec<Vec<(Variable, f64)>> = slots.iter().map(|&slot| vec![(slot, 1.0)]).collect();
        for (comparison, &factor) in comparisons.iter().zip(&factors) {
            for &(slot, weight) in &comparison.weights {
                covered[slot.index()].push((factor, weight as f64));
            }
        }
        covered.iter().for_each(|row| problem.add_constraint(row, ComparisonOp::Ge, 0.0));
        // Any multiple of a proof is one, so a value of -1 is as good as any below zero.
        let objective: Vec<(Variable, f64)> =
            (slots.iter().zip(self.initial.iter().map(|&count| count as f64)))
                .chain(factors.iter().zip(comparisons.iter().map(|comparison| comparison.most as f64)))
                .map(|(&variable, value)| (variable, value))
                .filter(|(_, value)| *value != 0.0)
                .collect();
        if objective.is_empty() {
            return false;
        }
        problem.add_constraint(&objective, ComparisonOp::Ge, -1.0);
        let all: Vec<Variable> = slots.iter().chain(&factors).copied().collect();
        let Some(found) = self.solved(&mut problem, &all) else { return false };
        scaled(&found).any(|(numbers, _)| {
            let (weights, factors) = numbers.split_at(slots.len());
            self.contradicts(weights, factors, comparisons)
        })
    }

    /// A proved upper bound of a weighted sum of slots in all reachable states.
    pub fn most(&mut self, sum: &[(SlotIdx, i64)]) -> Option<i128> {
        let mut least = vec![0i64; self.initial.len()];
        for &(slot, weight) in sum {
            least[slot.index()] += weight;
        }
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let slots: Vec<Variable> = (self.initial.iter().zip(&least))
            .map(|(&count, &least)| problem.add_var(count as f64, (least as f64, f64::INFINITY)))
            .collect();
        self.never_increased(&mut problem, &slots);
        let found = self.solved(&mut problem, &slots)?;
        let bounds = SCALES.iter().filter_map(|&scale| {
            let weights: Vec<i64> =
                found.iter().map(|&weight| integer(weight * scale as f64)).collect::<Option<_>>()?;
            let covers = weights
                .iter()
                .zip(&least)
                .all(|(&weight, &least)| i128::from(weight) >= i128::from(least) * i128::from(scale));
            let value = self.value(&weights)?;
            (covers && self.is_never_increased(&weights)).then(|| value.div_euclid(i128::from(scale)))
        });
        bounds.min()
    }

    /// Demands that no instance increases the weighted sum.
    fn never_increased(&self, problem: &mut Problem, slots: &[Variable]) {
        for column in self.incidence.columns() {
            let changes = self.incidence.changes(column);
            if !changes.is_empty() {
                let row: Vec<(Variable, f64)> =
                    changes.iter().map(|&(slot, change)| (slots[slot.index()], change as f64)).collect();
                problem.add_constraint(&row, ComparisonOp::Le, 0.0);
            }
        }
    }

    /// The values of the variables in a solution, if one is found in time.
    fn solved(&mut self, problem: &mut Problem, variables: &[Variable]) -> Option<Vec<f64>> {
        let left = BUDGET.checked_sub(self.spent).filter(|left| !left.is_zero())?;
        problem.set_time_limit(left.min(LONGEST));
        let started = Instant::now();
        let outcome = problem.solve();
        self.spent += started.elapsed();
        let solution = outcome.ok()?.into_solution().ok()?;
        Some(variables.iter().map(|&variable| solution.var_value(variable)).collect())
    }

    /// Whether integers are a proof, exactly.
    fn contradicts(&self, weights: &[i64], factors: &[i64], comparisons: &[AtMost]) -> bool {
        if factors.iter().any(|&factor| factor < 0) || !self.is_never_increased(weights) {
            return false;
        }
        let mut sums: Vec<i128> = weights.iter().map(|&weight| i128::from(weight)).collect();
        let Some(mut value) = self.value(weights) else { return false };
        for (comparison, &factor) in comparisons.iter().zip(factors) {
            for &(slot, weight) in &comparison.weights {
                sums[slot.index()] += i128::from(factor) * i128::from(weight);
            }
            value += i128::from(factor) * i128::from(comparison.most);
        }
        value < 0 && sums.iter().all(|&sum| sum >= 0)
    }

    fn is_never_increased(&self, weights: &[i64]) -> bool {
        self.incidence.columns().all(|column| {
            let changes = self.incidence.changes(column).iter();
            let sum = changes.map(|&(slot, change)| i128::from(weights[slot.index()]) * i128::from(change));
            sum.sum::<i128>() <= 0
        })
    }

    /// The weighted sum in the initial marking.
    fn value(&self, weights: &[i64]) -> Option<i128> {
        weights
            .iter()
            .zip(&self.initial)
            .try_fold(0i128, |sum, (&weight, &count)| sum.checked_add(i128::from(weight) * i128::from(count)))
    }
}

/// Numbers scaled to integers in several ways, with the scale.
fn scaled(numbers: &[f64]) -> impl Iterator<Item = (Vec<i64>, f64)> {
    let least = numbers
        .iter()
        .map(|number| number.abs())
        .filter(|number| *number > 1e-9)
        .fold(f64::INFINITY, f64::min);
    SCALES.iter().filter_map(move |&scale| {
        let scale = scale as f64 / least;
        let integers = numbers.iter().map(|&number| integer(number * scale)).collect::<Option<Vec<i64>>>()?;
        Some((integers, scale))
    })
}

/// The nearest integer, where it is of a sensible size.
fn integer(number: f64) -> Option<i64> {
    let rounded = number.round();
    (rounded.abs() < (1u64 << 40) as f64).then_some(rounded as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token moves from slot 0 to slot 1 and back; slot 2 counts the moves.
    fn ring() -> StateEquation {
        let mut incidence = Incidence::new(3);
        let slot = SlotIdx::new;
        incidence.push([(slot(0), 1)], [(slot(0), -1), (slot(1), 1), (slot(2), 1)]);
        incidence.push([(slot(1), 1)], [(slot(0), 1), (slot(1), -1)]);
        StateEquation::new(incidence, vec![2, 0, 0]).unwrap()
    }

    #[test]
    fn sums_are_bounded_where_they_are() {
        let slot = SlotIdx::new;
        assert_eq!(ring().most(&[(slot(0), 1)]), Some(2));
        assert_eq!(ring().most(&[(slot(0), 1), (slot(1), 3)]), Some(6));
        assert_eq!(ring().most(&[(slot(2), 1)]), None);
        assert_eq!(ring().most(&[(slot(2), -1)]), Some(0));
    }

    #[test]
    fn impossible_conjunctions_are_proved_and_possible_ones_are_not() {
        let slot = SlotIdx::new;
        let at_least = |at: usize, least: i64| AtMost { weights: vec![(slot(at), -1)], most: -least };
        let at_most = |at: usize, most: i64| AtMost { weights: vec![(slot(at), 1)], most };
        assert!(ring().is_impossible(&[at_least(0, 3)]));
        assert!(ring().is_impossible(&[at_least(0, 1), at_least(1, 2)]), "each alone is possible");
        assert!(ring().is_impossible(&[at_most(0, 0), at_most(1, 1)]));
        assert!(!ring().is_impossible(&[at_least(0, 1), at_least(1, 1)]));
        assert!(!ring().is_impossible(&[at_least(2, 1000)]));
        assert!(ring().is_impossible(&[at_most(2, 0), at_least(1, 1)]), "a token has moved");
    }
}
