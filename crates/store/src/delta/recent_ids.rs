//! The identities of states met lately, by hash: a few instructions instead of a search in the index.
//!
//! ```text
//!  place = some bits of the hash      | 20 bits of the identity | 12 other bits of the hash |
//! ```
//!
//! The last state that came to a place stays. Of its identity the lowest bits are kept, and the newest state that has them is
//! meant: who has not been met for a million states is not met lately. What is found is a guess, which is wrong once in
//! four thousand times; the caller compares the states.
//!
//! **Cost.** It grows with the store, up to [`MOST_BYTES`] and a sixteenth of a byte for each state.

use crate::StateId;

/// Bytes that the table has at most.
const MOST_BYTES: usize = 1 << 20;

/// States in the store for each byte of the table, about.
const STATES_A_BYTE: usize = 16;

/// Places that the table begins with.
const FIRST_PLACES: usize = 32;

/// The part by which the store grows before the table does.
const GROWTH: usize = 4;

/// Bits of an identity that are kept.
const ID_BITS: u32 = 20;

/// A place where no state is.
const NOBODY: u32 = u32::MAX;

/// Identities by hash, as many as fit.
#[derive(Debug, Default)]
pub struct RecentIds {
    cells: Vec<u32>,
    /// Number of states in the store at which the table grows.
    grow_at: usize,
}

impl RecentIds {
    /// A table that never holds anything.
    pub fn none() -> RecentIds {
        RecentIds { grow_at: usize::MAX, ..RecentIds::default() }
    }

    /// The identity of the state with this hash, if it was met lately, in a store with so many states.
    #[inline]
    pub fn guess(&self, hash: u64, n_states: usize) -> Option<StateId> {
        let &cell = self.cells.get(self.place(hash))?;
        if cell >> ID_BITS != tag(hash) || cell == NOBODY {
            return None;
        }
        // How many states came after it: what its bits are less than those of the newest one.
        let newest = (n_states as u32).wrapping_sub(1);
        let later = newest.wrapping_sub(cell) & ((1 << ID_BITS) - 1);
        newest.checked_sub(later).map(StateId)
    }

    /// Takes note of a state. Another one may have to go.
    #[inline]
    pub fn note(&mut self, hash: u64, id: StateId) {
        let place = self.place(hash);
        if let Some(cell) = self.cells.get_mut(place) {
            *cell = tag(hash) << ID_BITS | id.0 & ((1 << ID_BITS) - 1);
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
        self.cells.capacity() * size_of::<u32>()
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((u128::from(mixed) * self.cells.len() as u128) >> 64) as usize
    }

    #[cold]
    fn grow(&mut self, n_states: usize) {
        self.grow_at = n_states.saturating_add(n_states / GROWTH).max(1 << 9);
        let places = (n_states / STATES_A_BYTE).min(MOST_BYTES) / size_of::<u32>();
        let places = places.max(FIRST_PLACES);
        let mut cells = Vec::new();
        if self.cells.len() < places && cells.try_reserve_exact(places).is_ok() {
            cells.resize(places, NOBODY);
            self.cells = cells;
        }
    }
}

/// Bits of a hash that tell states of the same place apart.
#[inline]
fn tag(hash: u64) -> u32 {
    ((hash ^ hash >> 32) & 0xFFF) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    #[test]
    fn states_met_lately_are_guessed() {
        let mut recent = RecentIds::default();
        let hash = |id: u32| mix64(id.into());
        assert_eq!(recent.guess(hash(0), 0), None);
        for id in 0..100_000 {
            recent.add(hash(id), StateId(id));
            assert_eq!(recent.guess(hash(id), id as usize + 1), Some(StateId(id)));
            assert!(recent.bytes() <= id as usize / STATES_A_BYTE + 256);
        }
        let guessed: Vec<u32> =
            (0..100_000).filter(|&id| recent.guess(hash(id), 100_000).is_some()).collect();
        let right = |&&id: &&u32| recent.guess(hash(id), 100_000) == Some(StateId(id));
        assert!(guessed.len() > 500 && guessed.iter().filter(right).count() + 100 > guessed.len());
        recent.note(hash(7), StateId(7));
        assert_eq!(recent.guess(hash(7), 100_000), Some(StateId(7)));
        recent.clear();
        assert_eq!((recent.guess(hash(7), 100_000), recent.bytes()), (None, 0));
        let mut none = RecentIds::none();
        none.clear();
        none.add(hash(7), StateId(7));
        assert_eq!((none.guess(hash(7), 100_000), none.bytes()), (None, 0));
    }

    #[test]
    fn the_newest_state_with_the_same_bits_is_meant() {
        let mut recent = RecentIds::default();
        let (old, n) = (5 + (3 << ID_BITS), 1 + (4 << ID_BITS));
        recent.add(99, StateId(old));
        assert_eq!(recent.guess(99, n as usize), Some(StateId(old)));
        assert_eq!(recent.guess(99, n as usize + 5), Some(StateId(old + (1 << ID_BITS))));
        assert_eq!((recent.guess(99, 6), recent.guess(99, 5)), (Some(StateId(5)), None));
    }
}
