//! A compact map between pairs of numbers and dense identities, both ways.
//!
//! Pairs get identities 0, 1, 2, ... in the order in which they come. The way back is an array of pairs, packed to the bits
//! that the numbers need. The way there is one of two:
//!
//! ```text
//!  direct: a cell for each possible pair        hashed: cells found by hash, resolved by the array of pairs
//!          right 0  1  2  3                     +-----+-----+---+-----+
//!  left 0  [  1  2  -  - ]                      | tag | tag |   | tag |     tag: 5 bits of the hash, so that
//!       1  [  -  3  -  4 ]                      |  2  |  0  |   |  1  |     nearly every pair that is
//!       2  [  5  -  -  - ]                      +-----+-----+---+-----+     compared is the right one
//! ```
//!
//! The direct form is one load without any comparison; it is used while cells are few, or few of them would be empty.
//!
//! **Cost.** With n pairs of numbers below L and R: log2 L + log2 R bits, and (log2 n + 5) bits over the load, which moves
//! between 0.64 and 0.8: about 6 bytes for each of 100,000 pairs. This is the "compact hash ID map" of Köppl, Puglisi
//! and Raman ("Fast and simple compact hashing via bucketing", 2022) in purpose; bucketing would save up to 2 bytes
//! more and cost a search in a bucket, and these maps hold few pairs compared with the states made of them.

use crate::{OutOfMemory, PackedArray, low_bits};

/// Bits of hash in a cell of the hashed form.
const TAG_BITS: u32 = 5;

/// The direct form has at most so many cells, however few pairs there are.
const FEW_CELLS: usize = 1 << 10;

/// And never more than this, so that identities fit its cells.
const MOST_CELLS: usize = 1 << 16;

/// Cells for each pair that the direct form may have beyond that.
const CELLS_A_PAIR: usize = 3;

/// The hashed form's largest load, as a fraction.
const MAX_LOAD: (usize, usize) = (4, 5);

/// Dense identities of pairs.
#[derive(Clone, Debug)]
pub struct PairMap {
    /// The left number above the right one.
    pairs: PackedArray,
    left_bits: u32,
    right_bits: u32,
    index: Index,
}

#[derive(Clone, Debug)]
enum Index {
    /// The identity plus one of pair (l, r) is at l · n_right + r; zero is none.
    Direct { cells: Vec<u16>, n_right: usize },
    /// The identity plus one above the tag; zero is none.
    Hashed { cells: PackedArray },
}

impl Default for PairMap {
    fn default() -> PairMap {
        PairMap::new()
    }
}

impl PairMap {
    /// Without pairs.
    pub fn new() -> PairMap {
        let index = Index::Direct { cells: Vec::new(), n_right: 1 };
        PairMap { pairs: PackedArray::new(0), left_bits: 0, right_bits: 0, index }
    }

    /// Number of pairs.
    #[inline]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pair of an identity.
    #[inline]
    pub fn pair(&self, id: u32) -> (u32, u32) {
        let pair = self.pairs.get(id as usize);
        ((pair >> self.right_bits) as u32, (pair & low_bits(self.right_bits)) as u32)
    }

    /// The identity of a pair, if it has one.
    #[inline]
    pub fn find(&self, left: u32, right: u32) -> Option<u32> {
        match &self.index {
            Index::Direct { cells, n_right } => {
                let (left, right) = (left as usize, right as usize);
                if right >= *n_right {
                    return None;
                }
                let cell = *cells.get(left * n_right + right)?;
                u32::from(cell).checked_sub(1)
            }
            Index::Hashed { cells } => self.search(cells, left, right).ok(),
        }
    }

    /// The identity of a pair, which gets one if it has none.
    ///
    /// # Errors
    /// When the system gives no more memory, or all identities are in use. Nothing is lost then.
    #[inline]
    pub fn find_or_insert(&mut self, left: u32, right: u32) -> Result<u32, OutOfMemory> {
        match self.find(left, right) {
            Some(id) => Ok(id),
            None => self.insert(left, right),
        }
    }

    /// Hints that a pair is about to be looked for.
    #[inline]
    pub fn prefetch(&self, left: u32, right: u32) {
        if let Index::Hashed { cells } = &self.index {
            cells.prefetch(home(hash(left, right), cells.len()));
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let index = match &self.index {
            Index::Direct { cells, .. } => cells.capacity() * size_of::<u16>(),
            Index::Hashed { cells } => cells.bytes(),
        };
        self.pairs.bytes() + index
    }

    /// The identity of a pair, or the empty cell where the search ended.
    #[inline]
    fn search(&self, cells: &PackedArray, left: u32, right: u32) -> Result<u32, usize> {
        let hash = hash(left, right);
        let tag = tag(hash);
        let mut at = home(hash, cells.len());
        loop {
            let cell = cells.get(at);
            if cell == 0 {
                return Err(at);
            }
            let id = (cell >> TAG_BITS) as u32;
            if cell & ((1 << TAG_BITS) - 1) == tag && self.pair(id.wrapping_sub(1)) == (left, right) {
                return Ok(id - 1);
            }
            at += 1;
            if at == cells.len() {
                at = 0;
            }
        }
    }

    /// Adds a pair that is not there.
    #[cold]
    fn insert(&mut self, left: u32, right: u32) -> Result<u32, OutOfMemory> {
        let id = u32::try_from(self.len()).ok().filter(|&id| id < u32::MAX - 1).ok_or(OutOfMemory)?;
        self.widen(bits_of(left), bits_of(right))?;
        self.make_room(left, right)?;
        self.pairs.push(u64::from(left) << self.right_bits | u64::from(right))?;
        if let Index::Hashed { cells } = &self.index
            && let Err(at) = self.search_gap(cells, left, right)
            && let Index::Hashed { cells } = &mut self.index
        {
            cells.set(at, (u64::from(id) + 1) << TAG_BITS | tag(hash(left, right)));
        } else if let Index::Direct { cells, n_right } = &mut self.index {
            cells[left as usize * *n_right + right as usize] = id as u16 + 1;
        }
        Ok(id)
    }

    /// The empty cell for a pair that has none yet.
    fn search_gap(&self, cells: &PackedArray, left: u32, right: u32) -> Result<(), usize> {
        let mut at = home(hash(left, right), cells.len());
        for _ in 0..cells.len() {
            if cells.get(at) == 0 {
                return Err(at);
            }
            at = if at + 1 == cells.len() { 0 } else { at + 1 };
        }
        Ok(())
    }

    /// Makes the array of pairs wide enough.
    fn widen(&mut self, left_bits: u32, right_bits: u32) -> Result<(), OutOfMemory> {
        if left_bits <= self.left_bits && right_bits <= self.right_bits {
            return Ok(());
        }
        let (old_right, new_right) = (self.right_bits, self.right_bits.max(right_bits));
        let new_left = self.left_bits.max(left_bits);
        let right_mask = low_bits(old_right);
        // The whole pair is shifted out where the right number has all 64 bits, which it never has.
        let move_pair = |pair: u64| (pair >> old_right) << new_right | pair & right_mask;
        self.pairs = self.pairs.mapped(new_left + new_right, move_pair)?;
        (self.left_bits, self.right_bits) = (new_left, new_right);
        Ok(())
    }

    /// Makes the index ready for one more pair.
    fn make_room(&mut self, left: u32, right: u32) -> Result<(), OutOfMemory> {
        match &self.index {
            Index::Direct { cells, n_right } => {
                let (left, right) = (left as usize, right as usize);
                if right < *n_right && left * n_right + right < cells.len() {
                    return Ok(());
                }
                let n_left = cells.len() / n_right;
                let wanted_left = if left < n_left { n_left } else { (left + 1).max(n_left + n_left / 4) };
                let wanted_right =
                    if right < *n_right { *n_right } else { (right + 1).max(n_right + n_right / 4) };
                let most = FEW_CELLS.max(CELLS_A_PAIR * self.len()).min(MOST_CELLS);
                match wanted_left.checked_mul(wanted_right).filter(|&n_cells| n_cells <= most) {
                    Some(n_cells) => self.lay_out(n_cells, wanted_right),
                    None => self.rehash(),
                }
            }
            Index::Hashed { cells } => {
                if (self.len() + 1) * MAX_LOAD.1 > cells.len() * MAX_LOAD.0
                    || cells.width() < TAG_BITS + bits_of(self.len() as u32 + 1)
                {
                    return self.rehash();
                }
                Ok(())
            }
        }
    }

    /// Builds the direct form.
    fn lay_out(&mut self, n_cells: usize, n_right: usize) -> Result<(), OutOfMemory> {
        let mut cells = Vec::new();
        cells.try_reserve_exact(n_cells)?;
        cells.resize(n_cells, 0);
        for id in 0..self.len() {
            let (left, right) = self.pair(id as u32);
            cells[left as usize * n_right + right as usize] = id as u16 + 1;
        }
        self.index = Index::Direct { cells, n_right };
        Ok(())
    }

    /// Builds the hashed form with room for a quarter more pairs.
    fn rehash(&mut self) -> Result<(), OutOfMemory> {
        let room = self.len() + self.len() / 4 + 16;
        let width = TAG_BITS + bits_of(u32::try_from(room).unwrap_or(u32::MAX));
        let mut cells = PackedArray::zeros(width, room * MAX_LOAD.1 / MAX_LOAD.0)?;
        for id in 0..self.len() {
            let (left, right) = self.pair(id as u32);
            if let Err(at) = self.search_gap(&cells, left, right) {
                cells.set(at, (id as u64 + 1) << TAG_BITS | tag(hash(left, right)));
            }
        }
        self.index = Index::Hashed { cells };
        Ok(())
    }
}

/// Number of bits of a number.
fn bits_of(number: u32) -> u32 {
    32 - number.leading_zeros()
}

#[inline]
fn hash(left: u32, right: u32) -> u64 {
    let key = u64::from(left) << 32 | u64::from(right);
    let mixed = (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}

#[inline]
fn tag(hash: u64) -> u64 {
    hash & ((1 << TAG_BITS) - 1)
}

#[inline]
fn home(hash: u64, n_cells: usize) -> usize {
    (((hash >> 32) * n_cells as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix64;
    use std::collections::HashMap;

    fn check(pairs: impl Iterator<Item = (u32, u32)>) -> PairMap {
        let (mut map, mut oracle, mut order) = (PairMap::new(), HashMap::new(), Vec::new());
        for (left, right) in pairs {
            assert_eq!(map.find(left, right), oracle.get(&(left, right)).copied());
            let id = map.find_or_insert(left, right).unwrap();
            let expected = *oracle.entry((left, right)).or_insert(order.len() as u32);
            assert_eq!(id, expected, "({left}, {right})");
            if id as usize == order.len() {
                order.push((left, right));
            }
            map.prefetch(left, right);
        }
        assert_eq!(map.len(), order.len());
        for (id, &pair) in order.iter().enumerate() {
            assert_eq!(map.pair(id as u32), pair);
            assert_eq!(map.find(pair.0, pair.1), Some(id as u32));
        }
        map
    }

    #[test]
    fn pairs_of_all_sizes_are_numbered() {
        for (n, left, right) in [
            (50, 1, 1),
            (100, 3, 4),
            (2000, 20, 30),
            (5000, 300, 2),
            (5000, 2, 5000),
            (50_000, 200, 300),
            (50_000, 5000, 3000),
            (3000, u32::MAX, u32::MAX),
        ] {
            let number = |i: u64, below: u32| (mix64(i) % u64::from(below)) as u32;
            check((0..n).map(|i| (number(i, left), number(i + n, right))));
        }
        // Numbers that grow together, as identities do.
        check((0..20_000u32).map(|i| ((f64::from(i).sqrt()) as u32, i / 40)));
    }

    #[test]
    fn both_forms_are_small() {
        let dense = check((0..64 * 64).map(|i| (i % 64, i / 64)));
        assert!(matches!(dense.index, Index::Direct { .. }));
        let sparse = check((0..100_000).map(|i| (mix64(i) as u32 % 4096, mix64(i + 7) as u32 % 4096)));
        assert!(matches!(sparse.index, Index::Hashed { .. }));
        let bytes = sparse.bytes() as f64 / sparse.len() as f64;
        assert!(bytes < 7.5, "{bytes} bytes a pair");
    }
}
