//! States as fingerprints of chosen width, in a table that grows.
//!
//! Hash compaction (Wolper and Leroy, *Reliable hashing without collision detection*, 1993): a state is its hash of b
//! bits, and two states with the same are one. The set of fingerprints itself is exact, so nothing more is lost than
//! that.
//!
//! ```text
//!  cells    |    | f1 | f2 |    |    | f3 |    | ...      each ⌈b / 8⌉ bytes, all ones where empty
//! ```
//!
//! **Order.** The home of a fingerprint f is f · homes / 2^b and collisions go to the right, in order of the
//! fingerprints (Amble and Knuth, *Ordered hash tables*, 1974). A search for something absent ends at the first larger
//! one, and the table grows in place: from the last cell to the first, everything moves to the right.
//!
//! **Cost.** ⌈b / 8⌉ bytes over the load, which moves between 0.7 and 0.875: 6.7 to 8.4 bytes for b = 47.
//!
//! **Fingerprints.** The high half of 64 bits is from one hash function, the low half from another, and the highest b
//! bits of that are taken; see [`TwoHashes`].
//!
//! **Lossy.** With j fingerprints stored, a new state is missed with probability j / 2^b; see [`Omission`].
//! One fingerprint marks empty cells, and stands for its neighbour.

use petite_bits::{Hint, Packing, prefetch};
use petite_model::Model;

use super::omission::Omission;
use super::two_hashes::TwoHashes;
use crate::{Exactness, Figure, Inserted, Origin, StateId, StateSet, Store, StoreError};

/// Widths of fingerprints that make sense, in bits.
pub const WIDTHS: std::ops::RangeInclusive<u32> = 8..=64;

/// Homes of a table that holds something.
const FIRST_HOMES: usize = 64;

/// Cells beyond the last home at the start, for what is pushed out there; more are added when they run out.
const TAIL: usize = 16;

/// A lossy set of states: their fingerprints.
#[derive(Debug)]
pub struct HashCompact {
    /// The cells, one behind the other; the last one is always empty.
    cells: Vec<u8>,
    homes: usize,
    width: u32,
    hashes: TwoHashes,
    len: usize,
    omission: Omission,
}

impl HashCompact {
    /// An empty set of fingerprints so many bits wide.
    pub fn new(width: u32, seed: u64) -> HashCompact {
        let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
        let hashes = TwoHashes::new(seed);
        HashCompact { cells: Vec::new(), homes: 0, width, hashes, len: 0, omission: Omission::default() }
    }

    /// Bytes of a cell.
    #[inline]
    fn cell_bytes(&self) -> usize {
        self.width.div_ceil(8) as usize
    }

    #[inline]
    fn n_cells(&self) -> usize {
        self.cells.len() / self.cell_bytes()
    }

    /// What is in a cell that is empty, and larger than all fingerprints.
    #[inline]
    fn empty(&self) -> u64 {
        !0 >> (64 - 8 * self.cell_bytes() as u32)
    }

    #[inline]
    fn cell(&self, at: usize) -> u64 {
        let n = self.cell_bytes();
        let mut bytes = [0; 8];
        bytes[..n].copy_from_slice(&self.cells[at * n..][..n]);
        u64::from_le_bytes(bytes)
    }

    #[inline]
    fn set_cell(&mut self, at: usize, fingerprint: u64) {
        let n = self.cell_bytes();
        self.cells[at * n..][..n].copy_from_slice(&fingerprint.to_le_bytes()[..n]);
    }

    /// Where a fingerprint would be if nothing were in its way.
    #[inline]
    fn home(&self, fingerprint: u64) -> usize {
        ((u128::from(fingerprint) * self.homes as u128) >> self.width) as usize
    }

    /// Makes the table a quarter larger, in place.
    #[cold]
    fn grow(&mut self) -> Result<(), StoreError> {
        let (old, n) = (self.n_cells(), self.cell_bytes());
        let homes = (self.homes + self.homes / 4).max(FIRST_HOMES);
        // Homes move apart, but for rounding: nothing is farther from its home than before by more than one.
        let tail = (old - self.homes + 2).max(TAIL);
        self.cells.try_reserve_exact((homes + tail - old) * n).map_err(|_| StoreError::OutOfMemory)?;
        self.cells.resize((homes + tail) * n, 0xFF);
        self.homes = homes;
        // First all move to the right end, the last one first: each is right of where it was.
        let mut free = homes + tail - 1;
        for at in (0..old).rev() {
            let fingerprint = self.cell(at);
            if fingerprint == self.empty() {
                continue;
            }
            free -= 1;
            self.set_cell(at, self.empty());
            self.set_cell(free, fingerprint);
        }
        // Then each goes back to its home, or behind the one before it. Those from it on fit where they were, so it
        // is not right of there, and nothing is overwritten.
        let mut next = 0;
        for at in free..homes + tail - 1 {
            let fingerprint = self.cell(at);
            let to = self.home(fingerprint).max(next);
            self.set_cell(at, self.empty());
            self.set_cell(to, fingerprint);
            next = to + 1;
        }
        Ok(())
    }

    /// Adds cells at the end.
    #[cold]
    fn lengthen(&mut self) -> Result<(), StoreError> {
        let more = TAIL * self.cell_bytes();
        self.cells.try_reserve_exact(more).map_err(|_| StoreError::OutOfMemory)?;
        self.cells.resize(self.cells.len() + more, 0xFF);
        Ok(())
    }

    /// Adds a fingerprint unless it is there. Says whether it was new.
    fn add(&mut self, fingerprint: u64) -> Result<bool, StoreError> {
        let find = |set: &HashCompact| {
            let mut at = set.home(fingerprint);
            while set.cell(at) < fingerprint {
                at += 1;
            }
            at
        };
        let mut at = 0;
        if self.homes > 0 {
            at = find(self);
            if self.cell(at) == fingerprint {
                return Ok(false);
            }
        }
        if self.len >= u32::MAX as usize {
            return Err(StoreError::OutOfIds);
        }
        if self.len >= self.homes / 8 * 7 {
            self.grow()?;
            at = find(self);
        }
        let hole = (at..).find(|&hole| self.cell(hole) == self.empty()).unwrap_or(at);
        if hole + 1 == self.n_cells() {
            self.lengthen()?;
        }
        let n = self.cell_bytes();
        self.cells.copy_within(at * n..hole * n, (at + 1) * n);
        self.set_cell(at, fingerprint);
        self.len += 1;
        Ok(true)
    }
}

impl StateSet for HashCompact {
    /// The first hash makes the high bits of a fingerprint, which decide where it is.
    #[inline]
    fn prefetch(&self, hash: u64) -> Hint {
        let fingerprint = self.hashes.first(hash) >> (64 - self.width);
        prefetch(&self.cells, self.home(fingerprint) * self.cell_bytes());
        Hint::default()
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    /// Nothing is to be done: fingerprints do not depend on the widths.
    fn repack(&mut self, _: &Packing, _: &Packing) -> Result<(), StoreError> {
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.cells.capacity()
    }

    fn vector_bytes(&self) -> usize {
        self.len * self.cell_bytes()
    }

    fn name(&self) -> &'static str {
        "hashcompact"
    }

    fn figures(&self) -> Vec<Figure> {
        vec![
            Figure::count("bits of a fingerprint", u64::from(self.width)),
            Figure::number("states missed, expected", self.omission.expected()),
        ]
    }

    fn exactness(&self) -> Exactness {
        Exactness::Lossy { omission: self.omission.probability() }
    }
}

impl<M: Model> Store<M> for HashCompact {
    #[inline]
    fn insert(&mut self, model: &mut M, words: &[u64], hash: u64, _: Origin) -> Result<Inserted, StoreError> {
        let mut both = self.hashes.first(hash);
        if self.width > 32 {
            both = both & !0 << 32 | self.hashes.second(model.packing(), words) >> 32;
        }
        let fingerprint = (both >> (64 - self.width)).min(self.empty() - 1);
        let false_positive = self.len as f64 / 2f64.powi(self.width as i32);
        if !self.add(fingerprint)? {
            return Ok(Inserted { id: StateId::UNKNOWN, new: false });
        }
        self.omission.stored(false_positive.min(1.0 - f64::EPSILON));
        Ok(Inserted { id: StateId::new(self.len - 1), new: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;
    use std::collections::BTreeSet;

    /// Adds numbers to a set of fingerprints and to one that is surely right.
    fn check(width: u32, numbers: impl Iterator<Item = u64>) {
        let mut set = HashCompact::new(width, 0);
        let mut oracle = BTreeSet::new();
        for number in numbers {
            let number = (number >> (64 - width)).min(set.empty() - 1);
            assert_eq!(set.add(number), Ok(oracle.insert(number)));
            assert_eq!(set.len, oracle.len());
        }
        let cells = (0..set.n_cells()).map(|at| set.cell(at)).filter(|&cell| cell != set.empty());
        assert!(cells.eq(oracle), "the cells are the sorted set");
    }

    #[test]
    fn the_set_of_fingerprints_is_exact() {
        for width in [8, 9, 16, 31, 32, 40, 47, 64] {
            check(width, (0..40_000).map(|i| mix64(i % 30_000)));
            // All at one end: the tail has to grow.
            check(width, (0..3000).map(|i| !(mix64(i) >> 30)));
            check(width, (0..3000).map(|i| i << 40));
        }
    }
}
