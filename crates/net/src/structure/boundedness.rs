//! Whether a net is bounded whatever its initial marking.
//!
//! *Idea.* Exactly one of two things exists (Stiemke's lemma): weights y, all at least one, that no column
//! increases (y C <= 0), and then no slot can grow for ever; or columns x, each so many times, that together take
//! nothing from any slot and add to some (C x >= 0 and not 0), and then a marking with enough tokens lets them
//! repeat for ever. One linear programme finds either:
//!
//! ```text
//!   maximise  1 C x   subject to   -C x <= b,   x >= 0        (any b > 0)
//! ```
//!
//! It is solved by the simplex method from the basis of slacks. If there is a ray, it is x. If there is an
//! optimum, its reduced costs are at most zero: with u the multipliers of the rows, (1 + u) C <= 0 and u >= 0,
//! so y = 1 + u. Neither depends on b, which only decides which row leaves the basis; it is drawn at random, so
//! that ties, and with them cycles, are rare.
//!
//! *Exactness.* Rows and costs are directions of integers (each may be multiplied by a positive number), so
//! signs are exact. Only the values of basic variables are floating-point numbers, and only the order of pivots
//! depends on them. Both answers are checked against the incidence in integers all the same.
//!
//! *Cost.* A pivot costs the entries it touches. Nets whose tokens never multiply take none. The number of
//! pivots is not bounded by anything useful, so the effort is.

use petite_bits::SlotIdx;

use super::{ColumnIdx, Effort, Incidence, Invariant, row::Row, row::gcd};

/// What the structure says of growth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Boundedness {
    /// Bounded for every initial marking: these weights, at least one for every slot, never grow in sum.
    Bounded(Invariant),
    /// Unbounded for some initial marking, which need not be the one of the net.
    Unbounded(Growth),
    /// Not decided with the effort given.
    Unknown,
}

/// Columns that together take nothing and add something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The columns, each with how often it happens.
    pub columns: Vec<(ColumnIdx, u64)>,
    /// By how much the slots that grow do.
    pub slots: Vec<(SlotIdx, u64)>,
}

/// Decides whether a net is bounded for every initial marking.
///
/// `known` are invariants; where those without negative weights cover every slot, nothing else is to be done.
pub fn boundedness(incidence: &Incidence, known: &[Invariant], effort: &mut Effort) -> Boundedness {
    let covered = cover(incidence, known).and_then(|weights| bounded(incidence, &weights));
    covered
        .or_else(|| Simplex::new(incidence, effort)?.solve(incidence, effort))
        .unwrap_or(Boundedness::Unknown)
}

/// The sum of all non-negative invariants, where it counts every slot.
fn cover(incidence: &Incidence, known: &[Invariant]) -> Option<Vec<i64>> {
    let mut weights = vec![0i64; incidence.n_slots()];
    for &(slot, weight) in known.iter().filter(|known| known.is_semiflow()).flat_map(|known| &known.weights) {
        weights[slot.index()] = weights[slot.index()].checked_add(weight)?;
    }
    Some(weights).filter(|weights| !weights.contains(&0))
}

/// The answer that weights prove, if they do.
fn bounded(incidence: &Incidence, weights: &[i64]) -> Option<Boundedness> {
    let never_increases = |column| incidence.dot(column, weights).is_some_and(|sum| sum <= 0);
    let holds = weights.iter().all(|weight| *weight >= 1) && incidence.columns().all(never_increases);
    let weights = weights.iter().enumerate().map(|(slot, weight)| (SlotIdx::new(slot), *weight));
    holds.then(|| Boundedness::Bounded(Invariant { weights: weights.collect() }))
}

/// The answer that columns prove, if they do.
fn unbounded(incidence: &Incidence, columns: Vec<(ColumnIdx, u64)>) -> Option<Boundedness> {
    let mut sums = vec![0i128; incidence.n_slots()];
    for &(column, times) in &columns {
        for &(slot, change) in incidence.changes(column) {
            let sum = &mut sums[slot.index()];
            *sum = sum.checked_add(i128::from(change).checked_mul(i128::from(times))?)?;
        }
    }
    let mut slots = Vec::new();
    for (slot, &sum) in sums.iter().enumerate() {
        let gain = u64::try_from(sum).ok()?;
        if gain > 0 {
            slots.push((SlotIdx::new(slot), gain));
        }
    }
    (!slots.is_empty()).then_some(Boundedness::Unbounded(Growth { columns, slots }))
}

/// The programme in the midst of its solution. Keys of rows: columns first, then the slacks of the slots, and
/// behind them the scale of the costs.
struct Simplex {
    columns: Vec<(Row, ColumnIdx)>,
    n_slots: usize,
    /// One equation for each slot.
    rows: Vec<Equation>,
    /// What a unit of each variable adds to the objective, times the scale, which is positive.
    costs: Row,
    /// Numbers of rows that have, or once had, an entry of each variable.
    containing: Vec<Vec<u32>>,
}

/// A row, solved for one of its variables, whose entry is positive.
struct Equation {
    row: Row,
    basic: u32,
    /// The value of that variable while all variables that are not basic are zero.
    value: f64,
}

impl Simplex {
    fn new(incidence: &Incidence, effort: &mut Effort) -> Option<Simplex> {
        if !effort.spend(3 * incidence.n_changes() + incidence.n_slots()) {
            return None;
        }
        let columns = incidence.directions();
        let n_slots = incidence.n_slots();
        let scale = u32::try_from(columns.len() + n_slots).ok().filter(|scale| *scale < u32::MAX)?;
        let first_slack = columns.len() as u32;
        let mut entries: Vec<Vec<(u32, i64)>> = vec![Vec::new(); n_slots];
        let mut costs = vec![(scale, 1)];
        for (column, (direction, _)) in columns.iter().enumerate() {
            for &(slot, change) in direction.entries() {
                entries[slot as usize].push((column as u32, -change));
                costs.push((column as u32, change));
            }
        }
        let mut containing = vec![Vec::new(); scale as usize];
        let mut rows = Vec::with_capacity(n_slots);
        for (slot, mut row) in entries.into_iter().enumerate() {
            let basic = first_slack + slot as u32;
            row.push((basic, 1));
            row.iter().for_each(|(key, _)| containing[*key as usize].push(slot as u32));
            let value = 1.0 + petite_bits::mix64(slot as u64 + 1) as f64 / u64::MAX as f64;
            rows.push(Equation { row: Row::new(row)?, basic, value });
        }
        Some(Simplex { costs: Row::new(costs)?, columns, n_slots, rows, containing })
    }

    fn solve(mut self, incidence: &Incidence, effort: &mut Effort) -> Option<Boundedness> {
        let scale = self.containing.len() as u32;
        loop {
            if !effort.spend(self.costs.len()) {
                return None;
            }
            let variables = self.costs.entries().iter().filter(|(key, cost)| *key < scale && *cost > 0);
            let Some(&(entering, _)) = variables.max_by_key(|(key, cost)| (*cost, std::cmp::Reverse(*key)))
            else {
                return bounded(incidence, &self.weights()?);
            };
            let rows = self.rows_of(entering);
            let Some(leaving) = self.leaving(entering, &rows) else {
                return unbounded(incidence, self.ray(incidence, entering, &rows)?);
            };
            self.pivot(entering, leaving, &rows, effort)?;
        }
    }

    /// The row that first limits a variable; `None` if none does.
    fn leaving(&self, entering: u32, rows: &[u32]) -> Option<u32> {
        let limit = |row: u32| {
            let equation = &self.rows[row as usize];
            let rate = equation.row.get(entering) as f64 / equation.row.get(equation.basic) as f64;
            equation.value / rate
        };
        let limiting = rows.iter().copied().filter(|&row| self.rows[row as usize].row.get(entering) > 0);
        limiting.min_by(|&a, &b| limit(a).total_cmp(&limit(b)))
    }

    fn pivot(&mut self, entering: u32, leaving: u32, rows: &[u32], effort: &mut Effort) -> Option<()> {
        let Equation { row: pivot, basic, value } = &self.rows[leaving as usize];
        let pivot = pivot.clone();
        let reached = value * pivot.get(*basic) as f64 / pivot.get(entering) as f64;
        for &row in rows.iter().filter(|row| **row != leaving) {
            let equation = &mut self.rows[row as usize];
            if !effort.spend(equation.row.len() + pivot.len()) {
                return None;
            }
            let rate = equation.row.get(entering) as f64 / equation.row.get(equation.basic) as f64;
            // Rounding must not make a value negative: it would never leave the basis.
            equation.value = (equation.value - rate * reached).max(0.0);
            // The pivot's entry is positive, so the row is multiplied by a positive number.
            let changed = equation.row.without(entering, &pivot)?;
            for &(key, _) in pivot.entries() {
                if equation.row.get(key) == 0 {
                    self.containing[key as usize].push(row);
                }
            }
            equation.row = changed;
        }
        if !effort.spend(self.costs.len() + pivot.len()) {
            return None;
        }
        self.costs = self.costs.without(entering, &pivot)?;
        let equation = &mut self.rows[leaving as usize];
        (equation.basic, equation.value) = (entering, reached);
        Some(())
    }

    /// The weights of an optimum.
    fn weights(&self) -> Option<Vec<i64>> {
        let scale = self.costs.get(self.containing.len() as u32);
        let slack = |slot: usize| self.costs.get((self.columns.len() + slot) as u32);
        (0..self.n_slots).map(|slot| scale.checked_sub(slack(slot))).collect()
    }

    /// How often each column happens when nothing limits a variable.
    fn ray(&self, incidence: &Incidence, entering: u32, rows: &[u32]) -> Option<Vec<(ColumnIdx, u64)>> {
        let is_column = |key: u32| (key as usize) < self.columns.len();
        let mut rates: Vec<(u32, u64, u64)> = rows
            .iter()
            .map(|&row| &self.rows[row as usize])
            .filter(|equation| is_column(equation.basic))
            .map(|equation| {
                let (gain, by) = (equation.row.get(entering), equation.row.get(equation.basic));
                (equation.basic, gain.unsigned_abs(), by.unsigned_abs())
            })
            .collect();
        if is_column(entering) {
            rates.push((entering, 1, 1));
        }
        // A direction stands for its column divided by a number; so often less does the column happen.
        for (column, times, by) in &mut rates {
            let (direction, original) = &self.columns[*column as usize];
            let &(_, part) = direction.entries().first()?;
            let &(_, whole) = incidence.changes(*original).iter().min_by_key(|(slot, _)| *slot)?;
            *by = by.checked_mul((whole / part).unsigned_abs())?;
            let common = gcd(*times, *by);
            (*times, *by) = (*times / common, *by / common);
        }
        let multiple = rates
            .iter()
            .try_fold(1u64, |multiple, (_, _, by)| (multiple / gcd(multiple, *by)).checked_mul(*by))?;
        let times = |(column, times, by): (u32, u64, u64)| {
            Some((self.columns[column as usize].1, times.checked_mul(multiple / by)?))
        };
        let mut columns = rates.into_iter().map(times).collect::<Option<Vec<_>>>()?;
        columns.sort_unstable();
        Some(columns)
    }

    fn rows_of(&mut self, variable: u32) -> Vec<u32> {
        let mut rows = std::mem::take(&mut self.containing[variable as usize]);
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|&row| self.rows[row as usize].row.get(variable) != 0);
        self.containing[variable as usize].clone_from(&rows);
        rows
    }
}
