//! An arena of vectors of equal length.
//!
//! Vectors are numbered from zero in the order in which they come and lie one behind the other in chunks:
//!
//! ```text
//!  chunks[0]  | 0 | 1 | 2 | ... |        each chunk holds 2^k vectors, about 1 MiB in all,
//!  chunks[1]  | 2^k | ...       |        so number i is in chunk i >> k
//!  chunks[2]  | ...   (growing)
//! ```
//!
//! A chunk that is full never moves again, so growing never copies more than one chunk and never needs memory
//! for more than one beyond what is kept. Only the last chunk grows, in steps of a quarter of its length, so a
//! few vectors own a few bytes.

use crate::word_bytes::{append_word_bytes, words_from_bytes, words_start_with};
use crate::{OutOfMemory, Repacking, prefetch};

/// Size that a full chunk has at most, in bytes, unless a single vector is longer.
const CHUNK_BYTES: usize = 1 << 20;

/// Bytes that the first chunk starts with, unless a single vector is longer.
const FIRST_BYTES: usize = 64;

/// Vectors of equal length, each the leading bytes of some words.
#[derive(Debug)]
pub struct VectorArena {
    chunks: Vec<Vec<u8>>,
    vector_bytes: usize,
    /// Binary logarithm of the number of vectors in a chunk.
    chunk_shift: u32,
    len: usize,
    /// Capacity of all chunks, in bytes.
    chunk_capacity: usize,
}

impl VectorArena {
    /// An arena of vectors of the given number of bytes each.
    pub fn new(vector_bytes: usize) -> VectorArena {
        let chunk_shift = (CHUNK_BYTES / vector_bytes.max(1)).max(1).ilog2();
        VectorArena { chunks: Vec::new(), vector_bytes, chunk_shift, len: 0, chunk_capacity: 0 }
    }

    /// Number of vectors.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no vector.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of bytes of each vector.
    pub fn vector_bytes(&self) -> usize {
        self.vector_bytes
    }

    /// Appends the leading bytes of the words.
    ///
    /// # Errors
    /// The arena is unchanged then.
    #[inline]
    pub fn push(&mut self, words: &[u64]) -> Result<(), OutOfMemory> {
        let chunk = self.len >> self.chunk_shift;
        let has_room =
            self.chunks.get(chunk).is_some_and(|bytes| bytes.capacity() - bytes.len() >= self.vector_bytes);
        if !has_room {
            self.make_room(chunk)?;
        }
        append_word_bytes(words, self.vector_bytes, &mut self.chunks[chunk]);
        self.len += 1;
        Ok(())
    }

    /// Takes the last vector back.
    pub fn pop(&mut self) {
        if self.len > 0 {
            self.len -= 1;
            let bytes = &mut self.chunks[self.len >> self.chunk_shift];
            bytes.truncate(bytes.len() - self.vector_bytes);
        }
    }

    /// Writes a vector back into words; bits beyond its bytes become zero.
    #[inline]
    pub fn get(&self, index: usize, words: &mut [u64]) {
        words_from_bytes(self.vector(index), words);
    }

    /// Whether a vector is the leading bytes of the words.
    #[inline(always)]
    pub fn is(&self, index: usize, words: &[u64]) -> bool {
        // What lies behind a short vector does not disturb: it is shifted out.
        if let (Some(eight), [word], 1..=8) = (self.eight_bytes(index), words, self.vector_bytes) {
            return (eight ^ word) << (64 - 8 * self.vector_bytes) == 0;
        }
        self.is_long(index, words)
    }

    #[inline(never)]
    fn is_long(&self, index: usize, words: &[u64]) -> bool {
        words_start_with(words, self.vector(index))
    }

    /// The eight bytes from the start of a vector on; none where the chunk ends before that.
    #[inline(always)]
    fn eight_bytes(&self, index: usize) -> Option<u64> {
        let chunk = self.chunks.get(index >> self.chunk_shift)?;
        let eight = chunk.get(self.offset(index)..)?.first_chunk()?;
        Some(u64::from_le_bytes(*eight))
    }

    /// Hints that a vector is about to be read.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        if let Some(bytes) = self.chunks.get(index >> self.chunk_shift) {
            prefetch(bytes, self.offset(index));
        }
    }

    /// Moves all vectors to another packing, in order. Each old chunk is freed as soon as it has been read, so
    /// that the two arenas together never need more than the larger one and a chunk.
    ///
    /// # Errors
    /// Vectors are lost then.
    pub fn repack(&mut self, repacking: &Repacking, vector_bytes: usize) -> Result<(), OutOfMemory> {
        let old = std::mem::replace(self, VectorArena::new(vector_bytes));
        let mut from = vec![0; repacking.from_words()];
        let mut to = vec![0; repacking.to_words()];
        if old.vector_bytes == 0 {
            // There are no bytes to walk; all vectors are the one that is zero everywhere.
            return (0..old.len).try_for_each(|_| self.push(&to));
        }
        for chunk in old.chunks {
            for vector in chunk.chunks_exact(old.vector_bytes) {
                words_from_bytes(vector, &mut from);
                repacking.apply(&from, &mut to);
                self.push(&to)?;
            }
        }
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.chunk_capacity + self.chunks.capacity() * size_of::<Vec<u8>>()
    }

    #[inline]
    fn vector(&self, index: usize) -> &[u8] {
        let start = self.offset(index);
        &self.chunks[index >> self.chunk_shift][start..start + self.vector_bytes]
    }

    /// Where a vector starts in its chunk.
    #[inline]
    fn offset(&self, index: usize) -> usize {
        (index & ((1 << self.chunk_shift) - 1)) * self.vector_bytes
    }

    /// Makes room for one vector in the given chunk, the last one or the next.
    #[cold]
    fn make_room(&mut self, chunk: usize) -> Result<(), OutOfMemory> {
        if chunk == self.chunks.len() {
            self.chunks.try_reserve(1)?;
            self.chunks.push(Vec::new());
        }
        let full = self.vector_bytes << self.chunk_shift;
        // Beyond the first chunk a small step would save nothing that counts.
        let least = if chunk == 0 { FIRST_BYTES } else { full / 8 };
        let bytes = &mut self.chunks[chunk];
        let wanted = (bytes.len() + bytes.len() / 4).max(least).max(bytes.len() + self.vector_bytes);
        let before = bytes.capacity();
        bytes.try_reserve_exact(wanted.min(full) - bytes.len())?;
        self.chunk_capacity += bytes.capacity() - before;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outgrown, Packing, SlotIdx, mix64};

    fn words(seed: usize, n_bytes: usize) -> Vec<u64> {
        let mut words: Vec<u64> = (0..n_bytes.div_ceil(8) as u64).map(|i| mix64(seed as u64 + i)).collect();
        if let Some(last) = words.last_mut() {
            *last >>= 8 * (n_bytes.next_multiple_of(8) - n_bytes);
        }
        words
    }

    #[test]
    fn vectors_come_back() {
        for (n_bytes, n) in [(0, 5), (1, 3000), (7, 2000), (16, 150_000), (700_000, 4), (3_000_000, 3)] {
            let mut arena = VectorArena::new(n_bytes);
            for i in 0..n {
                arena.push(&words(i, n_bytes)).unwrap();
            }
            arena.push(&words(n, n_bytes)).unwrap();
            arena.pop();
            assert_eq!(arena.len(), n);
            let mut back = vec![!0; n_bytes.div_ceil(8)];
            for i in 0..n {
                arena.prefetch(i);
                arena.get(i, &mut back);
                assert_eq!(back, words(i, n_bytes));
                assert!(arena.is(i, &back));
                if n_bytes > 0 {
                    back[0] ^= 1;
                    assert!(!arena.is(i, &back));
                }
            }
            let least = (n + 1) * n_bytes;
            assert!((least..=least + least / 4 + CHUNK_BYTES / 8 + 1000).contains(&arena.bytes()));
        }
    }

    #[test]
    fn repacking_keeps_every_vector() {
        let narrow = Packing::new(&[0, 17]);
        let wide = narrow.widened(Outgrown { slot: SlotIdx(0), value: 1 << 30 });
        let mut arena = VectorArena::new(narrow.n_bytes());
        let mut state = vec![0; narrow.n_words()];
        for i in 0..100_000 {
            narrow.set(&mut state, SlotIdx(1), i).unwrap();
            arena.push(&state).unwrap();
        }
        arena.repack(&Repacking::new(&narrow, &wide), wide.n_bytes()).unwrap();
        assert_eq!((arena.len(), arena.vector_bytes()), (100_000, wide.n_bytes()));
        let mut state = vec![0; wide.n_words()];
        for i in 0..100_000 {
            arena.get(i as usize, &mut state);
            assert_eq!((wide.get(&state, SlotIdx(0)), wide.get(&state, SlotIdx(1))), (0, i));
        }
    }

    #[test]
    fn vectors_without_bits_are_counted() {
        let none = Packing::new(&[0]);
        let some = none.widened(Outgrown { slot: SlotIdx(0), value: 9 });
        let mut arena = VectorArena::new(none.n_bytes());
        arena.push(&[0]).unwrap();
        assert!(arena.is(0, &[0]));
        arena.repack(&Repacking::new(&none, &some), some.n_bytes()).unwrap();
        assert_eq!((arena.len(), arena.is(0, &[0]), arena.is(0, &[1])), (1, true, false));
    }
}
