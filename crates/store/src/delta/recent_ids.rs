//! The identities of states met lately, by hash: a few instructions instead of a search in the index.
//!
//! ```text
//!  place = some bits of the hash      | 32 other bits | identity |      the last one that came to a place stays
//! ```
//!
//! What is found is a guess, which is right but for one time in four thousand million; the caller compares the states.
//!
//! **Cost.** It grows with the store, up to [`MOST_BYTES`] and an eighth of a byte for each state.

use crate::StateId;

/// Bytes that the table has at most.
const MOST_BYTES: usize = 1 << 20;

/// States in the store for each byte of the table, about.
const STATES_A_BYTE: usize = 8;

/// Binary logarithm of the places that the table begins with.
const FIRST_BITS: u32 = 5;

/// A place where no state is.
const NOBODY: u64 = u64::MAX;

/// Identities by hash, as many as fit.
#[derive(Debug, Default)]
pub struct RecentIds {
    cells: Vec<u64>,
    /// Binary logarithm of the number of places, while there are any.
    bits: u32,
    /// Number of states in the store at which the table grows.
    grow_at: usize,
}

impl RecentIds {
    /// A table that never holds anything.
    pub fn none() -> RecentIds {
        RecentIds { grow_at: usize::MAX, ..RecentIds::default() }
    }

    /// The identity of the state with this hash, if it was met lately.
    #[inline]
    pub fn guess(&self, hash: u64) -> Option<StateId> {
        let &cell = self.cells.get(self.place(hash))?;
        (cell >> 32 == tag(hash) && cell != NOBODY).then_some(StateId(cell as u32))
    }

    /// Takes note of a state. Another one may have to go.
    #[inline]
    pub fn note(&mut self, hash: u64, id: StateId) {
        let place = self.place(hash);
        if let Some(cell) = self.cells.get_mut(place) {
            *cell = tag(hash) << 32 | u64::from(id.0);
        }
    }

    /// The same for a new state, with the next identity. Grows with the store; without memory it stays as it is.
    #[inline]
    pub fn add(&mut self, hash: u64, id: StateId) {
        if id.index() >= self.grow_at {
            self.grow(id.index());
        }
        self.note(hash, id);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        if self.grow_at < usize::MAX {
            *self = RecentIds::default();
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u64>()
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        // A shift by all bits would be one too many.
        (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1 >> (63 - self.bits)) as usize
    }

    #[cold]
    fn grow(&mut self, n_states: usize) {
        self.grow_at = n_states.saturating_mul(2).max(1 << 9);
        let places = (n_states / STATES_A_BYTE).min(MOST_BYTES) / size_of::<u64>();
        let bits = places.checked_ilog2().unwrap_or(0).max(FIRST_BITS);
        let mut cells = Vec::new();
        if self.cells.len() < 1 << bits && cells.try_reserve_exact(1 << bits).is_ok() {
            cells.resize(1 << bits, NOBODY);
            (self.cells, self.bits) = (cells, bits);
        }
    }
}

/// Bits of a hash that tell states of the same place apart.
#[inline]
fn tag(hash: u64) -> u64 {
    (hash ^ hash >> 32) & u64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    #[test]
    fn states_met_lately_are_guessed() {
        let mut recent = RecentIds::default();
        let hash = |id: u32| mix64(id.into());
        assert_eq!(recent.guess(hash(0)), None);
        for id in 0..100_000 {
            recent.add(hash(id), StateId(id));
            assert_eq!(recent.guess(hash(id)), Some(StateId(id)));
            assert!(recent.bytes() <= id as usize / STATES_A_BYTE + 256);
        }
        let found: Vec<u32> = (0..100_000).filter(|&id| recent.guess(hash(id)).is_some()).collect();
        assert!(found.len() > 500 && found.iter().all(|&id| recent.guess(hash(id)) == Some(StateId(id))));
        recent.note(hash(7), StateId(7));
        assert_eq!(recent.guess(hash(7)), Some(StateId(7)));
        recent.clear();
        assert_eq!((recent.guess(hash(7)), recent.bytes()), (None, 0));
        let mut none = RecentIds::none();
        none.clear();
        none.add(hash(7), StateId(7));
        assert_eq!((none.guess(hash(7)), none.bytes()), (None, 0));
    }
}
