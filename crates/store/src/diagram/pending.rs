//! New states before they go into a diagram: a small exact table of keys.
//!
//! A union costs about as much as the diagram is deep for each state, whether or not its neighbours come with it;
//! sorted neighbours share the work. New states are therefore collected here first.
//!
//! ```text
//!  cells   |  4 |    |  0 |    |    |  2 |  ...      numbers of keys, twice as many cells as keys
//!  keys    | key 0 | key 1 | key 2 | ...
//! ```

use petite_bits::{OutOfMemory, mix64};

/// An empty cell.
const EMPTY: u32 = u32::MAX;

/// A set of keys of equal length, of limited size.
#[derive(Debug, Default)]
pub struct Pending {
    cells: Vec<u32>,
    keys: Vec<u8>,
    key_bytes: usize,
    len: usize,
    /// Scratch for sorting.
    order: Vec<(u64, u32)>,
}

impl Pending {
    /// Forgets all keys, and makes room for so many of a length.
    ///
    /// # Errors
    /// The table is empty and has no room then.
    pub fn reset(&mut self, key_bytes: usize, capacity: usize) -> Result<(), OutOfMemory> {
        let n_cells = (2 * capacity).next_power_of_two();
        (self.key_bytes, self.len) = (key_bytes, 0);
        self.keys.clear();
        self.order.clear();
        self.cells.clear();
        self.cells.try_reserve_exact(n_cells)?;
        self.keys.try_reserve_exact(key_bytes * capacity)?;
        self.order.try_reserve_exact(capacity)?;
        self.cells.resize(n_cells, EMPTY);
        Ok(())
    }

    /// Number of keys.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether all room is taken.
    #[inline]
    pub fn is_full(&self) -> bool {
        2 * (self.len + 1) > self.cells.len()
    }

    /// Finds a key by its hash, or the cell where it belongs.
    #[inline]
    pub fn find(&self, key: &[u8], hash: u64) -> Result<(), usize> {
        if self.cells.is_empty() {
            return Err(0);
        }
        let mask = self.cells.len() - 1;
        let mut cell = mix64(hash) as usize & mask;
        while self.cells[cell] != EMPTY {
            if self.key(self.cells[cell]) == key {
                return Ok(());
            }
            cell = (cell + 1) & mask;
        }
        Err(cell)
    }

    /// Adds a key in the cell that [`Pending::find`] gave. There is room.
    #[inline]
    pub fn add(&mut self, key: &[u8], cell: usize) {
        debug_assert!(!self.is_full(), "there is room");
        self.cells[cell] = self.len as u32;
        self.keys.extend_from_slice(key);
        self.len += 1;
    }

    /// All keys in order.
    pub fn sorted(&mut self) -> SortedKeys<'_> {
        self.order.clear();
        let Pending { order, keys, key_bytes, .. } = self;
        let key = |index: u32| &keys[index as usize * *key_bytes..][..*key_bytes];
        // Most keys differ in their first bytes, which are compared at once.
        let prefix = |index: u32| {
            let mut bytes = [0; 8];
            let n = 8.min(*key_bytes);
            bytes[..n].copy_from_slice(&key(index)[..n]);
            u64::from_be_bytes(bytes)
        };
        order.extend((0..self.len as u32).map(|index| (prefix(index), index)));
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| key(a.1).cmp(key(b.1))));
        SortedKeys { keys, key_bytes: *key_bytes, order }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u32>()
            + self.keys.capacity()
            + self.order.capacity() * size_of::<(u64, u32)>()
    }

    fn key(&self, index: u32) -> &[u8] {
        &self.keys[index as usize * self.key_bytes..][..self.key_bytes]
    }
}

/// Distinct keys in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct SortedKeys<'a> {
    keys: &'a [u8],
    key_bytes: usize,
    order: &'a [(u64, u32)],
}

impl<'a> SortedKeys<'a> {
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &'a [u8]> + ExactSizeIterator {
        let SortedKeys { keys, key_bytes, order } = *self;
        order.iter().map(move |&(_, index)| &keys[index as usize * key_bytes..][..key_bytes])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn keys_come_out_sorted_and_once() {
        for key_bytes in [0, 1, 3, 8, 13] {
            let mut pending = Pending::default();
            assert_eq!(pending.find(&vec![0; key_bytes], 0), Err(0));
            for round in 0..3u64 {
                pending.reset(key_bytes, 500).unwrap();
                let mut oracle = BTreeSet::new();
                for i in 0..2000u64 {
                    let bytes = [mix64(i % 400 + round).to_le_bytes(), mix64(i % 7).to_le_bytes()].concat();
                    let key = &bytes[..key_bytes];
                    // Every third key has a hash that many share.
                    let hash = u64::from(key.first().copied().unwrap_or(0) % 3);
                    match pending.find(key, hash) {
                        Ok(()) => assert!(oracle.contains(key)),
                        Err(cell) if !pending.is_full() => {
                            pending.add(key, cell);
                            assert!(oracle.insert(key.to_vec()));
                        }
                        Err(_) => assert!(!oracle.contains(key)),
                    }
                }
                assert_eq!(pending.len(), oracle.len());
                assert!(pending.sorted().iter().eq(oracle.iter().map(Vec::as_slice)));
            }
        }
    }
}
