//! Numbers that stand for states with another number.

use hashbrown::HashTable;
use petite_bits::{OutOfMemory, mix64};
use petite_store::StateId;

/// Provisional numbers with the true ones.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    table: HashTable<(StateId, StateId)>,
}

impl Aliases {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The true number of a state.
    #[inline]
    pub fn resolve(&self, number: StateId) -> StateId {
        if self.table.is_empty() {
            return number;
        }
        let found = self.table.find(hash(number), |&(alias, _)| alias == number);
        found.map_or(number, |&(_, number)| number)
    }

    /// All provisional numbers, ascending.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn provisional(&self) -> Result<Vec<StateId>, OutOfMemory> {
        let mut all = Vec::new();
        all.try_reserve_exact(self.table.len())?;
        all.extend(self.table.iter().map(|&(alias, _)| alias));
        all.sort_unstable();
        Ok(all)
    }

    /// Makes one number stand for another, true one.
    pub(super) fn add(&mut self, alias: StateId, number: StateId) -> Result<(), OutOfMemory> {
        self.table.try_reserve(1, |&(alias, _)| hash(alias)).map_err(|_| OutOfMemory)?;
        self.table.insert_unique(hash(alias), (alias, number), |&(alias, _)| hash(alias));
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.allocation_size()
    }
}

fn hash(number: StateId) -> u64 {
    mix64(u64::from(number.0))
}
