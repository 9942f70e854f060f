//! A small table that remembers what was computed for a few words.
//!
//! ```text
//!  | key words | value words | key words | value words | ...      2^b entries, overwritten as others come
//! ```
//!
//! Each key has one place, by its hash, and the last one that came there stays. The table starts with a few entries and
//! grows while it is missed often, up to a limit; what it held is forgotten then, since it can be computed again.
//! The first word of a value is never [`NO_VALUE`], which marks an entry that nothing was written to.
//!
//! **Exact**: keys are compared as a whole. **Cost**: a few instructions for each word of the key.

/// What no value begins with.
const NO_VALUE: u64 = u64::MAX;

/// Entries that a table begins with.
const FIRST_ENTRIES: usize = 16;

/// Times that an entry is missed, on average, before the table grows.
const MISSES_AN_ENTRY: usize = 2;

/// Values by keys; both have a fixed number of words.
#[derive(Clone, Debug)]
pub struct WordMemo {
    /// Entries one behind the other; none at first.
    cells: Vec<u64>,
    n_key: usize,
    n_value: usize,
    /// Binary logarithm of the number of entries.
    bits: u32,
    most_bytes: usize,
    /// Keys that were noted since the table was made.
    n_noted: usize,
}

/// Where a value is in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoEntry(usize);

impl WordMemo {
    /// An empty table, which owns no memory and never more than so many bytes. Where not even a few entries have room,
    /// it remembers nothing.
    pub fn new(n_key: usize, n_value: usize, most_bytes: usize) -> WordMemo {
        WordMemo { cells: Vec::new(), n_key, n_value, bits: 0, most_bytes, n_noted: 0 }
    }

    /// The entry of a key, if it is here. It is good until the next [`WordMemo::note`] or [`WordMemo::clear`].
    #[inline]
    pub fn find(&self, key: impl AsRef<[u64]>) -> Option<MemoEntry> {
        let key = key.as_ref();
        let start = self.start(key);
        let entry = self.cells.get(start..start + key.len() + 1)?;
        let is_it = entry[..key.len()] == *key && entry[key.len()] != NO_VALUE;
        is_it.then_some(MemoEntry(start + key.len()))
    }

    /// The value of an entry.
    #[inline]
    pub fn value(&self, entry: MemoEntry) -> &[u64] {
        &self.cells[entry.0..][..self.n_value]
    }

    /// Takes note of a value, in the place of the key that was there; what the value is short of the full length is not
    /// changed. Gives its entry, unless there is no room for any.
    pub fn note(&mut self, key: &[u64], value: impl Iterator<Item = u64>) -> Option<MemoEntry> {
        if self.cells.is_empty() || self.n_noted >= MISSES_AN_ENTRY << self.bits {
            self.grow();
        }
        if self.cells.is_empty() {
            return None;
        }
        self.n_noted += 1;
        let start = self.start(key);
        let entry = &mut self.cells[start..][..self.n_key + self.n_value];
        for (cell, word) in entry.iter_mut().zip(key.iter().copied().chain(value)) {
            *cell = word;
        }
        debug_assert!(entry[self.n_key] != NO_VALUE, "a value that means nothing else");
        Some(MemoEntry(start + self.n_key))
    }

    /// Whether the table is as large as it may be.
    pub fn is_full_size(&self) -> bool {
        self.entry_bytes() << (self.bits + 1) > self.most_bytes
    }

    /// Whether a few entries have room in it.
    pub fn has_room(&self) -> bool {
        self.entry_bytes() * FIRST_ENTRIES <= self.most_bytes
    }

    /// Words of a value.
    pub fn n_value(&self) -> usize {
        self.n_value
    }

    /// Forgets all; values will have so many words from now on.
    pub fn clear(&mut self, n_value: usize) {
        *self = WordMemo::new(self.n_key, n_value, self.most_bytes);
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u64>()
    }

    fn entry_bytes(&self) -> usize {
        (self.n_key + self.n_value) * size_of::<u64>()
    }

    /// Where the entry of a key is. Only the highest bits of a product depend on all bits of its factors, so these are
    /// the ones that count.
    #[inline]
    fn start(&self, key: &[u64]) -> usize {
        let mix = |sum: u64, &word: &u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hash = key.iter().fold(0, mix);
        // A shift by all bits would be one too many.
        let at = hash >> 1 >> (63 - self.bits);
        at as usize * (self.n_key + self.n_value)
    }

    /// Starts anew with more entries. Where there is no memory for them, the table stays as it is.
    #[cold]
    fn grow(&mut self) {
        let bits = match self.cells.is_empty() {
            true => FIRST_ENTRIES.ilog2(),
            false => self.bits + 2,
        };
        let entry = self.n_key + self.n_value;
        let most = (self.most_bytes / self.entry_bytes()).checked_ilog2().unwrap_or(0);
        let bits = bits.min(most);
        self.n_noted = 0;
        let mut cells = Vec::new();
        if !self.has_room() || !self.cells.is_empty() && bits == self.bits {
            return;
        }
        if cells.try_reserve_exact(entry << bits).is_ok() {
            cells.resize(entry << bits, NO_VALUE);
            (self.cells, self.bits) = (cells, bits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(memo: &'a WordMemo, key: &[u64]) -> Option<&'a [u64]> {
        memo.find(key).map(|entry| memo.value(entry))
    }

    fn note(memo: &mut WordMemo, key: &[u64], value: u64) {
        let entry = memo.note(key, [value].into_iter());
        assert_eq!(entry.map(|entry| memo.value(entry)[0]), memo.has_room().then_some(value));
    }

    #[test]
    fn what_is_found_was_noted_last() {
        let key = |i: u64| [i / 2, i % 2];
        let mut memo = WordMemo::new(2, 1, 1 << 15);
        assert_eq!((value(&memo, &key(0)), memo.bytes()), (None, 0));
        for i in 0..5000 {
            note(&mut memo, &key(i), i * 7);
            assert_eq!(value(&memo, &key(i)), Some(&[i * 7][..]));
            assert!(memo.bytes() <= 1 << 15);
        }
        assert!(memo.is_full_size());
        let found: Vec<u64> = (0..5000).filter(|&i| value(&memo, &key(i)).is_some()).collect();
        assert!((500..=2048).contains(&found.len()));
        assert!(found.iter().all(|&i| value(&memo, &key(i)) == Some(&[i * 7][..])));
        memo.clear(3);
        assert_eq!((value(&memo, &key(4999)), memo.bytes(), memo.n_value()), (None, 0, 3));
    }

    #[test]
    fn without_room_nothing_is_remembered() {
        let mut memo = WordMemo::new(1, 1, 100);
        assert!(!memo.has_room());
        note(&mut memo, &[5], 6);
        assert_eq!((value(&memo, &[5]), memo.bytes()), (None, 0));
        // A key of no words is a key.
        let mut memo = WordMemo::new(0, 1, 4096);
        note(&mut memo, &[], 6);
        assert_eq!(value(&memo, &[]), Some(&[6][..]));
    }
}
