//! The incidence matrix of a net.

use petite_bits::SlotIdx;

use super::row::Row;

petite_bits::typed_index! {
    /// A column of an incidence matrix: one instance of a transition.
    pub struct ColumnIdx;
}

/// What each instance of a transition takes and changes, column after column.
///
/// An entry of the mathematical matrix is the change of a slot by a column. What is taken is kept beside it: a
/// slot that is taken from and given back is not changed.
#[derive(Clone, Debug, Default)]
pub struct Incidence {
    n_slots: usize,
    /// Where the takes and the changes of each column end.
    ends: Vec<(usize, usize)>,
    takes: Vec<(SlotIdx, u32)>,
    changes: Vec<(SlotIdx, i64)>,
}

impl Incidence {
    /// A matrix over so many slots, without columns yet.
    pub fn new(n_slots: usize) -> Incidence {
        Incidence { n_slots, ..Incidence::default() }
    }

    /// Appends a column. Every slot appears at most once in each list, and no change is zero.
    ///
    /// # Panics
    /// When a slot is not below the number of slots.
    pub fn push(
        &mut self,
        takes: impl IntoIterator<Item = (SlotIdx, u32)>,
        changes: impl IntoIterator<Item = (SlotIdx, i64)>,
    ) {
        let (takes_start, changes_start) = (self.takes.len(), self.changes.len());
        self.takes.extend(takes);
        self.changes.extend(changes);
        let taken = self.takes[takes_start..].iter().map(|(slot, _)| *slot);
        let mut slots = taken.chain(self.changes[changes_start..].iter().map(|(slot, _)| *slot));
        assert!(slots.all(|slot| slot.index() < self.n_slots), "a slot beyond the last one");
        self.ends.push((self.takes.len(), self.changes.len()));
    }

    /// Number of slots.
    pub fn n_slots(&self) -> usize {
        self.n_slots
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.ends.len()
    }

    /// Number of entries that are not zero.
    pub fn n_changes(&self) -> usize {
        self.changes.len()
    }

    /// Least count of each slot for a column to be enabled.
    pub fn takes(&self, column: ColumnIdx) -> &[(SlotIdx, u32)] {
        &self.takes[self.start(column).0..self.ends[column.index()].0]
    }

    /// By how much a column changes each slot.
    pub fn changes(&self, column: ColumnIdx) -> &[(SlotIdx, i64)] {
        &self.changes[self.start(column).1..self.ends[column.index()].1]
    }

    /// All columns.
    pub fn columns(&self) -> impl Iterator<Item = ColumnIdx> + use<> {
        (0..self.ends.len()).map(ColumnIdx::new)
    }

    /// The sum that a column adds to a weighted sum of all slots; `None` beyond 128 bits.
    pub(super) fn dot(&self, column: ColumnIdx, weights: &[i64]) -> Option<i128> {
        self.changes(column).iter().try_fold(0i128, |sum, &(slot, change)| {
            sum.checked_add(i128::from(weights[slot.index()]) * i128::from(change))
        })
    }

    /// Each different direction of a column, once, with one of its columns. Those that change nothing are left out.
    pub(super) fn directions(&self) -> Vec<(Row, ColumnIdx)> {
        let direction = |column: ColumnIdx| {
            let entries = self.changes(column).iter().map(|&(slot, change)| (slot.0, change)).collect();
            // A change that no row can hold is left out here; the check of what was found sees it again.
            Row::new(entries).unwrap_or_default()
        };
        let mut directions: Vec<_> = self.columns().map(|column| (direction(column), column)).collect();
        directions.retain(|(row, _)| !row.is_empty());
        directions.sort_unstable();
        directions.dedup_by(|next, kept| next.0 == kept.0);
        // The order of columns is that of the model, which tends to go along its structure.
        directions.sort_unstable_by_key(|(_, column)| *column);
        directions
    }

    fn start(&self, column: ColumnIdx) -> (usize, usize) {
        column.index().checked_sub(1).map_or((0, 0), |before| self.ends[before])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_kept_apart_and_directions_are_different() {
        let mut incidence = Incidence::new(3);
        let slot = SlotIdx::new;
        incidence.push([(slot(0), 2)], [(slot(0), -2), (slot(1), 4)]);
        incidence.push([(slot(2), 1)], []);
        incidence.push([(slot(0), 1)], [(slot(0), -1), (slot(1), 2)]);
        incidence.push([], [(slot(2), 1)]);
        assert_eq!((incidence.n_slots(), incidence.n_columns(), incidence.n_changes()), (3, 4, 5));
        assert_eq!(incidence.takes(ColumnIdx(1)), [(slot(2), 1)]);
        assert_eq!(incidence.changes(ColumnIdx(2)), [(slot(0), -1), (slot(1), 2)]);
        assert_eq!(incidence.dot(ColumnIdx(0), &[1, 1, 1]), Some(2));
        let columns: Vec<_> = incidence.directions().into_iter().map(|(_, column)| column.0).collect();
        assert_eq!(columns, [0, 3]);
    }
}
