//! Hashing on two levels.
//!
//! Paper 2, Algorithms 1 and 2: a slot of the primary table has a list of states; when the list gets too long, the slot
//! gets a hash table of its own, with another hash function.
//!
//! ```text
//!  primary   | list: (tag, id) (tag, id) | list | table ──> secondary table | list | ...
//! ```
//!
//! **Threshold.** The paper converts a list that has a tenth of all states, of whose number somebody has to make a guess
//! M beforehand. Here the estimate adapts: it is twice the number of states so far, and a list may have a few times the
//! entries that an even distribution of so many states would give it, but never more than can be looked through at
//! once.
//!
//! **Tags.** Each entry has 32 bits of hash, so that few states are reconstructed in vain.
//!
//! **Cost.** 8 bytes an entry, more by a quarter at most for room, or 9 to 12 in a secondary table; and 32 bytes for
//! each of the primary slots.

use petite_bits::{IdTable, mix64, prefetch};

use crate::StoreError;

/// Binary logarithm of the slots of the primary table.
const PRIMARY_BITS: u32 = 12;

/// Entries of a list that are looked through at once.
const LONGEST_LIST: usize = 24;

/// Entries that a list may always have.
const SHORTEST_LIMIT: usize = 4;

/// Finds states by hash.
#[derive(Debug, Default)]
pub struct TwoLevel {
    slots: Vec<Slot>,
    len: usize,
    n_tables: usize,
    /// Heap bytes of lists and tables.
    inner_bytes: usize,
}

/// A slot of the primary table.
#[derive(Debug)]
enum Slot {
    /// Entries with the tag above the identity.
    List(Vec<u64>),
    /// A table of its own.
    Table(Box<IdTable>),
}

impl TwoLevel {
    /// Finds the identity with this hash for which `is_it` says yes.
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        match self.slots.get(slot_of(hash))? {
            Slot::List(entries) => {
                let tag = tag_of(hash);
                let mut ids = entries.iter().filter(|&&entry| entry >> 32 == tag).map(|&entry| entry as u32);
                ids.find(|&id| is_it(id))
            }
            Slot::Table(table) => table.find(second_hash(hash), is_it).ok(),
        }
    }

    /// Adds an identity.
    pub fn insert(&mut self, hash: u64, id: u32) -> Result<(), StoreError> {
        if self.slots.is_empty() {
            self.slots.try_reserve_exact(1 << PRIMARY_BITS).map_err(|_| StoreError::OutOfMemory)?;
            self.slots.resize_with(1 << PRIMARY_BITS, || Slot::List(Vec::new()));
        }
        let estimate = 2 * (self.len + 1);
        let limit = ((4 * estimate) >> PRIMARY_BITS).clamp(SHORTEST_LIMIT, LONGEST_LIST);
        let slot = &mut self.slots[slot_of(hash)];
        let before = slot.bytes();
        let added = slot.insert(hash, id, limit);
        self.inner_bytes = self.inner_bytes + slot.bytes() - before;
        self.n_tables += usize::from(added?);
        self.len += 1;
        Ok(())
    }

    /// Hints that this hash is about to be looked for.
    pub fn prefetch(&self, hash: u64) {
        match self.slots.get(slot_of(hash)) {
            Some(Slot::List(entries)) => prefetch(entries, 0),
            Some(Slot::Table(table)) => _ = table.prefetch(second_hash(hash)),
            None => {}
        }
    }

    /// Slots that have a table of their own.
    pub fn n_tables(&self) -> usize {
        self.n_tables
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.inner_bytes + self.slots.capacity() * size_of::<Slot>()
    }
}

impl Slot {
    /// Adds an identity; says whether the list has become a table.
    fn insert(&mut self, hash: u64, id: u32, limit: usize) -> Result<bool, StoreError> {
        match self {
            Slot::List(entries) if entries.len() < limit => {
                let more = if entries.len() < entries.capacity() { 0 } else { entries.len() / 4 + 2 };
                entries.try_reserve_exact(more).map_err(|_| StoreError::OutOfMemory)?;
                entries.push(tag_of(hash) << 32 | u64::from(id));
                Ok(false)
            }
            Slot::List(entries) => {
                // The second hash is computed from the tag alone: it is all that is left of a hash in a list.
                let mut table = IdTable::new();
                for &entry in entries.iter() {
                    add(&mut table, mix64(entry >> 32), entry as u32)?;
                }
                add(&mut table, second_hash(hash), id)?;
                *self = Slot::Table(Box::new(table));
                Ok(true)
            }
            Slot::Table(table) => add(table, second_hash(hash), id).map(|()| false),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Slot::List(entries) => entries.capacity() * size_of::<u64>(),
            Slot::Table(table) => size_of::<IdTable>() + table.bytes(),
        }
    }
}

fn add(table: &mut IdTable, hash: u64, id: u32) -> Result<(), StoreError> {
    match table.find(hash, |other| other == id) {
        Ok(_) => Ok(()),
        Err(gap) => Ok(table.insert(gap, id)?),
    }
}

/// The primary hash function.
fn slot_of(hash: u64) -> usize {
    (mix64(hash) >> (64 - PRIMARY_BITS)) as usize
}

/// The bits of the hash that an entry of a list has.
fn tag_of(hash: u64) -> u64 {
    mix64(hash) & u64::from(u32::MAX)
}

/// The secondary hash function.
fn second_hash(hash: u64) -> u64 {
    mix64(tag_of(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_found_on_both_levels() {
        let mut index = TwoLevel::default();
        assert_eq!(index.find(3, |_| true), None);
        let hash = |id: u32| mix64(u64::from(id) << 5);
        for id in 0..200_000 {
            assert_eq!(index.find(hash(id), |other| other == id), None);
            index.insert(hash(id), id).unwrap();
            if id == 8000 {
                assert!(index.n_tables() < 100, "{} tables", index.n_tables());
            }
        }
        assert!((0..200_000).all(|id| index.find(hash(id), |other| other == id) == Some(id)));
        assert_eq!(index.n_tables(), 1 << PRIMARY_BITS);
    }

    #[test]
    fn equal_hashes_share_a_table() {
        let mut index = TwoLevel::default();
        (0..3000).for_each(|id| index.insert(7, id).unwrap());
        assert!((0..3000).all(|id| index.find(7, |other| other == id) == Some(id)));
        assert_eq!((index.find(7, |_| false), index.n_tables()), (None, 1));
    }
}
