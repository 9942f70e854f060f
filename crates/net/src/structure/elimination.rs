//! A basis of all place invariants.
//!
//! *Idea.* Gaussian elimination on the rows of a [`Table`]: of the rows with an entry in a column, one is taken
//! as pivot and subtracted from the others so that their entries vanish; the pivot itself is spent. What is
//! left when all columns are done is a basis of the left null space of the incidence matrix: n - rank vectors.
//! Rows are directions of integers, so nothing is rounded.
//!
//! *Cost.* Cubic in the worst case. On nets, columns have few entries and the cheapest column comes first, which
//! keeps most rows short: a ring of n places takes n log n steps.
//!
//! *Alternatives.* A Hermite form gives a basis of all integer solutions, this one of all rational ones, which
//! is the same for every purpose here, and smaller.

use super::{Effort, Incidence, Invariant, Invariants, row::Row, table::Table};

/// A basis of the invariants of a net, exact and checked. What is incomplete is a part of a basis.
pub fn invariant_basis(incidence: &Incidence, effort: &mut Effort) -> Invariants {
    let Some(mut table) = Table::new(incidence, effort) else { return Invariants::default() };
    let mut complete = true;
    while let Some((column, rows)) = table.next(effort) {
        let rows: Vec<Row> = rows.into_iter().map(|row| table.remove(row)).collect();
        let pivot_cost = |row: &Row| (row.get(column).unsigned_abs() > 1, row.len());
        let Some(pivot) = (0..rows.len()).min_by_key(|&row| pivot_cost(&rows[row])) else { continue };
        let others = rows.iter().enumerate().filter(|(row, _)| *row != pivot);
        for (_, row) in others {
            if !effort.spend(row.len() + rows[pivot].len()) {
                complete = false;
                break;
            }
            match row.without(column, &rows[pivot]) {
                Some(row) => table.add(row),
                // Without this row the rest still is part of a basis.
                None => complete = false,
            }
        }
    }
    let finished = || table.rows().filter(|row| table.is_finished(row));
    complete &= table.rows().count() == finished().count();
    let candidates = finished().map(|row| upright(&Invariant::of(row, table.first_slot()))).collect();
    Invariants::checked(incidence, candidates, complete, effort)
}

/// Those vectors that are no linear combination of earlier ones, so that they are a basis of what all span.
///
/// Vectors are taken for dependent when that cannot be decided with the effort or in 64 bits.
pub fn independent<'i>(
    vectors: impl IntoIterator<Item = &'i Invariant>,
    effort: &mut Effort,
) -> Vec<&'i Invariant> {
    let mut pivots: std::collections::BTreeMap<u32, Row> = std::collections::BTreeMap::new();
    let mut kept = Vec::new();
    'vectors: for vector in vectors {
        let mut row = vector.row();
        // Every pivot starts at its own key, so what is left of the row starts later after each step.
        while let Some(&(key, _)) = row.entries().first() {
            let Some(pivot) = pivots.get(&key) else {
                pivots.insert(key, row);
                kept.push(vector);
                continue 'vectors;
            };
            let enough = effort.spend(row.len() + pivot.len());
            match row.without(key, pivot).filter(|_| enough) {
                Some(rest) => row = rest,
                None => continue 'vectors,
            }
        }
    }
    kept
}

/// The same invariant, with more positive than negative weights.
fn upright(invariant: &Invariant) -> Invariant {
    let negative = invariant.weights.iter().filter(|(_, weight)| *weight < 0).count();
    let first_negative = invariant.weights.first().is_some_and(|(_, weight)| *weight < 0);
    let flip = (2 * negative).cmp(&invariant.weights.len()).is_gt()
        || 2 * negative == invariant.weights.len() && first_negative;
    // No weight is `i64::MIN`.
    let sign = if flip { -1 } else { 1 };
    Invariant { weights: invariant.weights.iter().map(|&(slot, weight)| (slot, sign * weight)).collect() }
}
