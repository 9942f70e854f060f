//! The last few states as they are, before a store that keeps them otherwise.
//!
//! Most edges lead to states that are known, and of these most were met not long ago. Where a state has to be encoded to be
//! looked up, it pays to look at such states first: a table in which each state has one place by its hash, and the last
//! one that came there stays.
//!
//! ```text
//!  | hash | id | words ... | hash | id | words ... | ...      2^k entries, overwritten as states come
//! ```
//!
//! **Cost.** At most a sixteenth of the states and at most [`MOST_BYTES`]. **Exact**: the words are compared.

use petite_bits::mix64;

/// Most bytes of the table: what fits the second cache of most machines.
const MOST_BYTES: usize = 1 << 20;

/// States for each entry, at least.
const STATES_PER_ENTRY: usize = 16;

/// The identity of an empty entry.
const NOBODY: u64 = u64::MAX;

/// Words of an entry before those of the state.
const HEAD: usize = 2;

/// States met lately, with their identities.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    cells: Vec<u64>,
    /// Words of an entry; zero while there is none.
    entry: usize,
    /// Binary logarithm of the number of entries.
    bits: u32,
}

impl Recent {
    /// The identity of a state, if it is here.
    #[inline]
    pub fn find(&self, words: &[u64], hash: u64) -> Option<u32> {
        if self.entry != HEAD + words.len() {
            return None;
        }
        let entry = &self.cells[self.start(hash)..][..self.entry];
        (entry[0] == hash && entry[1] != NOBODY && entry[HEAD..] == *words).then_some(entry[1] as u32)
    }

    /// Takes note of a state, in a store that has so many.
    #[inline]
    pub fn note(&mut self, words: &[u64], hash: u64, id: u32, n_states: usize) {
        if (self.entry == 0 || n_states >> self.bits >= 2 * STATES_PER_ENTRY)
            && self.may_grow(words, n_states)
        {
            self.grow(words, n_states);
        }
        if self.entry != HEAD + words.len() {
            return;
        }
        let start = self.start(hash);
        let entry = &mut self.cells[start..][..self.entry];
        entry[0] = hash;
        entry[1] = u64::from(id);
        entry[HEAD..].copy_from_slice(words);
    }

    /// Forgets all states, whose words will be other ones.
    pub fn clear(&mut self) {
        *self = Recent::default();
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u64>()
    }

    #[inline]
    fn start(&self, hash: u64) -> usize {
        // A shift by all bits would be one too many.
        let at = mix64(hash) >> 1 >> (63 - self.bits);
        at as usize * self.entry
    }

    fn may_grow(&self, words: &[u64], n_states: usize) -> bool {
        let entry_bytes = (HEAD + words.len()) * size_of::<u64>();
        n_states >= STATES_PER_ENTRY && (self.entry == 0 || entry_bytes << (self.bits + 1) <= MOST_BYTES)
    }

    /// Starts anew with more entries. Where there is no memory for them, there is none for this table.
    #[cold]
    fn grow(&mut self, words: &[u64], n_states: usize) {
        let entry = HEAD + words.len();
        let most = (MOST_BYTES / (entry * size_of::<u64>())).max(1);
        let bits = (n_states / STATES_PER_ENTRY).clamp(1, most).ilog2();
        let mut cells = Vec::new();
        if cells.try_reserve_exact(entry << bits).is_err() {
            return self.clear();
        }
        cells.resize(entry << bits, NOBODY);
        *self = Recent { cells, entry, bits };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_was_noted() {
        let mut recent = Recent::default();
        let state = |i: u64| [i, i ^ 5, i / 3];
        let (mut n_found, n) = (0, 30_000u64);
        for i in 0..n {
            recent.note(&state(i), i / 2, i as u32, i as usize);
            // The newest state is always there, once there is room for any.
            assert_eq!(recent.find(&state(i), i / 2), (i >= 16).then_some(i as u32));
            assert_eq!(recent.find(&state(i + 1), i / 2), None);
            assert!(
                recent.bytes() <= 2 * (i as usize / STATES_PER_ENTRY + 1) * 40
                    && recent.bytes() <= MOST_BYTES
            );
        }
        for i in 0..n {
            if let Some(id) = recent.find(&state(i), i / 2) {
                assert_eq!(u64::from(id), i);
                n_found += 1;
            }
        }
        assert!(n_found > 300, "{n_found}");
        assert_eq!(recent.find(&[1], 0), None);
        recent.clear();
        assert_eq!((recent.find(&state(n - 1), (n - 1) / 2), recent.bytes()), (None, 0));
    }
}
