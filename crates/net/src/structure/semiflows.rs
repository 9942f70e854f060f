//! Place invariants without negative weights.
//!
//! *Idea.* Farkas' algorithm on the rows of a [`Table`]: a column is eliminated by adding every row with a
//! positive entry there to every row with a negative one, as often as makes the entry vanish; the rows
//! themselves are spent. Weights of slots only ever grow, so the rows left at the end are non-negative, and
//! all invariants with minimal support are among them. (J. Farkas, Theorie der einfachen Ungleichungen, 1902; for
//! nets: M. Silva, 1985.)
//!
//! *Cost.* A column with one positive or one negative row makes the table smaller, and columns are taken in that
//! order, so that nets made of state machines take little time. Others can double the number of rows. Rows whose
//! slots include all slots of another row are left out then: no minimal one can come from them. If there would
//! still be more than [`Effort::rows`] above those at the start, not every pair is formed, but each row is in at
//! least one, so that no slot is lost early. The answer then says that it is incomplete; what is in it holds.

use std::collections::HashSet;

use super::{Effort, Incidence, Invariant, Invariants, row::Row, table::Table};

/// The semiflows of a net with minimal support, exact and checked. What is incomplete has some of them, and may
/// have some with larger support.
pub fn semiflows(incidence: &Incidence, effort: &mut Effort) -> Invariants {
    let mut half = Effort { steps: effort.steps / 2, rows: effort.rows };
    effort.steps -= half.steps;
    let mut all = attempt(incidence, &mut half);
    if half.steps > 0 {
        effort.steps += half.steps;
        return all;
    }
    // Too many rows were followed to get to an end with all of them: now few.
    let mut few = Effort { steps: effort.steps, rows: effort.rows / 20 };
    let others = attempt(incidence, &mut few).found;
    effort.steps = few.steps;
    let known: HashSet<Invariant> = all.found.iter().cloned().collect();
    all.found.extend(others.into_iter().filter(|other| !known.contains(other)));
    all.found.sort_by(Invariant::shorter_first);
    all
}

fn attempt(incidence: &Incidence, effort: &mut Effort) -> Invariants {
    let Some(mut table) = Table::new(incidence, effort) else { return Invariants::default() };
    let most_rows = table.len() + effort.rows;
    let mut complete = true;
    while let Some((column, rows)) = table.next(effort) {
        let rows: Vec<Row> = rows.into_iter().map(|row| table.remove(row)).collect();
        let (positive, negative): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.get(column) > 0);
        let most = most_rows.saturating_sub(table.len()).max(positive.len()).max(negative.len());
        complete &= positive.len().saturating_mul(negative.len()) <= most;
        let mut sums = Vec::new();
        for (p, n) in pairs(positive.len(), negative.len()).take(most) {
            if !effort.spend(positive[p].len() + negative[n].len()) {
                complete = false;
                break;
            }
            match positive[p].without(column, negative[n]) {
                Some(sum) => sums.push(sum),
                None => complete = false,
            }
        }
        // Shorter rows first: a row can only include rows that are not longer.
        let is_choice = positive.len() > 1 && negative.len() > 1;
        sums.sort_by_key(|sum| table.slots(sum).len());
        for sum in sums {
            if !(is_choice && table.includes_another(&sum, None, effort)) {
                table.add(sum);
            }
        }
    }
    let (finished, unfinished): (Vec<u32>, Vec<u32>) =
        table.numbers().partition(|&number| table.is_finished(table.row(number)));
    complete &= unfinished.is_empty();
    unfinished.into_iter().for_each(|number| drop(table.remove(number)));
    for number in finished {
        let row = table.row(number).clone();
        if table.includes_another(&row, Some(number), effort) {
            table.remove(number);
        }
    }
    complete &= effort.steps > 0;
    let candidates = table.rows().map(|row| Invariant::of(row, table.first_slot())).collect();
    Invariants::checked(incidence, candidates, complete, effort)
}

/// All pairs of a number below `m` and one below `n`, in an order in which every number comes up early.
fn pairs(m: usize, n: usize) -> impl Iterator<Item = (usize, usize)> {
    let (long, short) = (m.max(n), m.min(n));
    let diagonals = (0..short).flat_map(move |shift| (0..long).map(move |i| (i, (i + shift) % short)));
    diagonals.map(move |(in_long, in_short)| if m >= n { (in_long, in_short) } else { (in_short, in_long) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_comes_once_and_every_number_early() {
        for (m, n) in [(0, 3), (3, 0), (1, 4), (4, 1), (3, 5), (5, 3), (4, 4)] {
            let mut all: Vec<_> = pairs(m, n).collect();
            let early = &all[..m.max(n).min(all.len())];
            if m > 0 && n > 0 {
                assert!((0..m).all(|i| early.iter().any(|pair| pair.0 == i)));
                assert!((0..n).all(|i| early.iter().any(|pair| pair.1 == i)));
            }
            all.sort_unstable();
            let expected: Vec<_> = (0..m).flat_map(|i| (0..n).map(move |j| (i, j))).collect();
            assert_eq!(all, expected);
        }
    }
}
