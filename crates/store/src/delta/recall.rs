//! Some states that were reconstituted lately.
//!
//! A chain of Δ-markings ends at an explicit one. It may as well end earlier, at any state that is known by value.
//! Chains run together towards their beginnings, so a small table of the states met last cuts most of them short
//! after a step or two, whatever k is.
//!
//! ```text
//!  place = identity modulo size      | identity | words |        the last one that came to a place stays
//! ```
//!
//! **Cost.** The table grows with the store, up to [`MOST_BYTES`] and a tenth of a byte for each state.

use crate::StateId;

/// Bytes that the table has at most.
const MOST_BYTES: usize = 1 << 21;

/// States in the store for each byte of the table, about.
const STATES_A_BYTE: usize = 10;

/// States that the table has room for at least, where it has any.
const LEAST: usize = 32;

/// A place where no state is.
const NOBODY: u32 = u32::MAX;

/// States by identity, as many as fit.
#[derive(Debug)]
pub struct Recall {
    ids: Vec<u32>,
    words: Vec<u64>,
    n_words: usize,
    /// Number of states in the store at which the table grows.
    grow_at: usize,
}

impl Recall {
    /// An empty table of states of so many words.
    pub fn new(n_words: usize) -> Recall {
        Recall { ids: Vec::new(), words: Vec::new(), n_words, grow_at: 0 }
    }

    /// A table that never holds anything.
    pub fn none() -> Recall {
        Recall { ids: Vec::new(), words: Vec::new(), n_words: 0, grow_at: usize::MAX }
    }

    /// A state, if it is here.
    #[inline]
    pub fn get(&self, id: StateId) -> Option<&[u64]> {
        let place = id.index() & self.ids.len().wrapping_sub(1);
        match self.ids.get(place) {
            Some(&other) if other == id.0 => Some(&self.words[place * self.n_words..][..self.n_words]),
            _ => None,
        }
    }

    /// Takes a state in. Another one may have to go.
    #[inline]
    pub fn put(&mut self, id: StateId, words: &[u64]) {
        if self.ids.is_empty() {
            return;
        }
        let place = id.index() & (self.ids.len() - 1);
        self.ids[place] = id.0;
        self.words[place * self.n_words..][..self.n_words].copy_from_slice(words);
    }

    /// Grows with the store, which has so many states. Without memory it stays as it is.
    #[inline]
    pub fn grow_with(&mut self, n_states: usize) {
        if n_states >= self.grow_at {
            self.grow(n_states);
        }
    }

    #[cold]
    fn grow(&mut self, n_states: usize) {
        self.grow_at = n_states.saturating_mul(2).max(1 << 10);
        let bytes = (n_states / STATES_A_BYTE).min(MOST_BYTES);
        let places = (bytes / (4 + 8 * self.n_words)).max(LEAST).next_power_of_two() / 2;
        let places = places.max(LEAST);
        if places <= self.ids.len() {
            return;
        }
        let (mut ids, mut words) = (Vec::new(), Vec::new());
        if ids.try_reserve_exact(places).is_err() || words.try_reserve_exact(places * self.n_words).is_err() {
            return;
        }
        ids.resize(places, NOBODY);
        words.resize(places * self.n_words, 0);
        (self.ids, self.words) = (ids, words);
    }

    /// Forgets all; states will have so many words from now on.
    pub fn clear(&mut self, n_words: usize) {
        if self.grow_at == usize::MAX && self.ids.is_empty() {
            return;
        }
        *self = Recall::new(n_words);
    }

    /// Words of a state.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<u32>() + self.words.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_state_itself_is_recalled() {
        let mut recall = Recall::new(2);
        recall.put(StateId(1), &[1, 1]);
        assert_eq!(recall.get(StateId(1)), None);
        recall.grow_with(0);
        for id in 0..1000 {
            recall.put(StateId(id), &[id.into(), 7]);
        }
        assert_eq!(recall.get(StateId(999)), Some(&[999, 7][..]));
        assert_eq!(recall.get(StateId(0)), None);
        recall.grow_with(1_000_000);
        assert!((50_000..200_000).contains(&recall.bytes()), "{}", recall.bytes());
        recall.clear(3);
        assert_eq!(recall.bytes(), 0);
        let mut none = Recall::none();
        none.grow_with(1 << 30);
        none.clear(2);
        none.grow_with(1 << 30);
        none.put(StateId(1), &[]);
        assert_eq!((none.get(StateId(1)), none.bytes()), (None, 0));
    }
}
