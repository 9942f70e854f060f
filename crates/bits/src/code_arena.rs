//! An arena of byte strings, numbered from zero in the order in which they come.
//!
//! Strings may all have the same length, or each its own. Either way they lie one behind the other in chunks of
//! [`CHUNK`] strings, so the chunk of a string follows from its number:
//!
//! ```text
//!  equal lengths    | string 0 | string 1 | string 2 | ...
//!
//!  own lengths      | 3 | string 0 | 1 | string 1 | ... | 2 | string 8 | ...       lengths as varints
//!                     ^                                   ^
//!  starts             0                                   |                        one for every 8 strings
//! ```
//!
//! **Cost.** Nothing beyond the strings where all have the same length; otherwise a byte for the length, two from
//! 128 bytes on, and half a byte for the starts. Finding a string walks over at most seven lengths, which lie in
//! one or two cache lines for short strings. A chunk grows in small steps, so that little is reserved in vain, and
//! never moves once it is full.

use crate::{OutOfMemory, prefetch};

/// Binary logarithm of the number of strings in a chunk.
const CHUNK_BITS: u32 = 12;

/// Strings in a chunk.
const CHUNK: usize = 1 << CHUNK_BITS;

/// Binary logarithm of the number of strings that share a start.
const BLOCK_BITS: u32 = 3;

/// Bytes that the first chunk starts with.
const FIRST_BYTES: usize = 64;

/// Part of the chunk before that a chunk grows by.
const STEP: usize = 16;

/// Byte strings, found by number.
#[derive(Debug, Default)]
pub struct CodeArena {
    chunks: Vec<Chunk>,
    /// The length of all strings, where they have the same.
    fixed: Option<usize>,
    len: usize,
    /// Bytes of all strings, without lengths.
    total: usize,
    /// Capacity of all chunks, in bytes.
    capacity: usize,
}

#[derive(Debug, Default)]
struct Chunk {
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl CodeArena {
    /// An empty arena of strings of the given length, or each of its own.
    pub fn new(fixed: Option<usize>) -> CodeArena {
        CodeArena { fixed, ..CodeArena::default() }
    }

    /// Number of strings.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no string.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of all strings.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Appends a string.
    ///
    /// # Errors
    /// The arena is unchanged then, but for room it may have gained.
    ///
    /// # Panics
    /// When all strings have the same length and this one has not.
    #[inline]
    pub fn push(&mut self, string: &[u8]) -> Result<(), OutOfMemory> {
        assert!(self.fixed.is_none_or(|length| length == string.len()), "all strings are equally long");
        let at = self.len >> CHUNK_BITS;
        let needed = string.len() + MOST_OF_LENGTH;
        let has_room = self.chunks.get(at).is_some_and(|chunk| {
            chunk.bytes.capacity() - chunk.bytes.len() >= needed
                && chunk.starts.capacity() > chunk.starts.len()
        });
        if !has_room {
            self.make_room(at, needed)?;
        }
        let chunk = &mut self.chunks[at];
        if self.fixed.is_none() {
            if self.len.is_multiple_of(1 << BLOCK_BITS) {
                chunk.starts.push(u32::try_from(chunk.bytes.len()).map_err(|_| OutOfMemory)?);
            }
            put_length(string.len(), &mut chunk.bytes);
        }
        chunk.bytes.extend_from_slice(string);
        self.len += 1;
        self.total += string.len();
        Ok(())
    }

    /// Takes the last string back.
    pub fn pop(&mut self) {
        let Some(last) = self.len.checked_sub(1) else { return };
        let start = self.find(last);
        let chunk = &mut self.chunks[last >> CHUNK_BITS];
        let length = self.fixed.unwrap_or_else(|| length_at(&chunk.bytes, start).0);
        chunk.bytes.truncate(start);
        if self.fixed.is_none() && last.is_multiple_of(1 << BLOCK_BITS) {
            chunk.starts.pop();
        }
        self.len = last;
        self.total -= length;
    }

    /// The string with a number.
    ///
    /// # Panics
    /// When there are not so many.
    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        assert!(index < self.len, "there are {} strings", self.len);
        let start = self.find(index);
        let bytes = &self.chunks[index >> CHUNK_BITS].bytes;
        match self.fixed {
            Some(length) => &bytes[start..start + length],
            None => {
                let (length, after) = length_at(bytes, start);
                &bytes[after..after + length]
            }
        }
    }

    /// Hints that a string is about to be read.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        if let Some(chunk) = self.chunks.get(index >> CHUNK_BITS) {
            let start = match self.fixed {
                Some(length) => (index & (CHUNK - 1)) * length,
                None => chunk.starts.get((index & (CHUNK - 1)) >> BLOCK_BITS).map_or(0, |&at| at as usize),
            };
            prefetch(&chunk.bytes, start);
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.capacity + self.chunks.capacity() * size_of::<Chunk>()
    }

    /// Where a string starts in its chunk, its length included.
    #[inline]
    fn find(&self, index: usize) -> usize {
        let within = index & (CHUNK - 1);
        if let Some(length) = self.fixed {
            return within * length;
        }
        let chunk = &self.chunks[index >> CHUNK_BITS];
        let mut start = chunk.starts[within >> BLOCK_BITS] as usize;
        for _ in 0..within & ((1 << BLOCK_BITS) - 1) {
            let (length, after) = length_at(&chunk.bytes, start);
            start = after + length;
        }
        start
    }

    /// Makes room for a string in the given chunk, the last one or the next.
    #[cold]
    fn make_room(&mut self, at: usize, needed: usize) -> Result<(), OutOfMemory> {
        if at == self.chunks.len() {
            self.chunks.try_reserve(1)?;
            self.chunks.push(Chunk::default());
        }
        let before = at.checked_sub(1).map_or(FIRST_BYTES * STEP, |before| self.chunks[before].bytes.len());
        let chunk = &mut self.chunks[at];
        let owned = chunk.bytes.capacity() + chunk.starts.capacity() * size_of::<u32>();
        if chunk.bytes.capacity() - chunk.bytes.len() < needed {
            // In the first chunk a quarter is wasted at most, in the others a sixteenth; a little more is reserved in
            // each step, so that a chunk that becomes as long as the one before needs no further step at its end.
            let step = if at == 0 { (chunk.bytes.len() / 4).max(FIRST_BYTES) } else { before / STEP };
            chunk.bytes.try_reserve_exact(step + needed)?;
        }
        if chunk.starts.capacity() == chunk.starts.len() {
            let all = CHUNK >> BLOCK_BITS;
            let step = if at == 0 { (chunk.starts.len() / 4).max(4) } else { all };
            chunk.starts.try_reserve_exact(if self.fixed.is_some() { 1 } else { step.min(all) })?;
        }
        self.capacity += chunk.bytes.capacity() + chunk.starts.capacity() * size_of::<u32>() - owned;
        Ok(())
    }
}

/// Bytes of the longest length.
const MOST_OF_LENGTH: usize = usize::BITS.div_ceil(7) as usize;

/// Appends a length, seven bits a byte, the lowest first; all bytes but the last have their highest bit set.
#[inline]
fn put_length(mut length: usize, bytes: &mut Vec<u8>) {
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
}

/// The length that starts at a position, and the position behind it.
#[inline]
fn length_at(bytes: &[u8], mut at: usize) -> (usize, usize) {
    let (mut length, mut shift) = (0, 0);
    loop {
        let byte = bytes[at];
        at += 1;
        length |= usize::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return (length, at);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix64;

    fn string(i: usize, length: usize) -> Vec<u8> {
        (0..length).map(|at| mix64((i * 1000 + at) as u64) as u8).collect()
    }

    fn check(fixed: Option<usize>, n: usize, length: impl Fn(usize) -> usize) -> CodeArena {
        let mut arena = CodeArena::new(fixed);
        for i in 0..n {
            arena.push(&string(i, length(i))).unwrap();
            if i % 5 == 0 {
                arena.pop();
                arena.push(&string(i, length(i))).unwrap();
            }
        }
        assert_eq!(arena.len(), n);
        assert_eq!(arena.total(), (0..n).map(&length).sum::<usize>());
        for i in 0..n {
            arena.prefetch(i);
            assert_eq!(arena.get(i), string(i, length(i)), "string {i}");
        }
        arena
    }

    #[test]
    fn strings_come_back() {
        for length in [0, 1, 7, 200] {
            check(Some(length), 10_000, |_| length);
            check(None, 10_000, |_| length);
        }
        check(None, 30_000, |i| (mix64(i as u64) % 50) as usize);
        check(None, 5000, |i| if i % 100 == 0 { 20_000 } else { i % 300 });
        check(None, 0, |_| 0);
    }

    #[test]
    fn little_is_owned_beyond_the_strings() {
        let own = check(None, 100_000, |i| 5 + i % 20);
        let least = own.total() + own.len() + own.len() / 2;
        assert!((least..least + least / 12).contains(&own.bytes()), "{} for {least}", own.bytes());
        let equal = check(Some(12), 100_000, |_| 12);
        assert!((1_200_000..1_260_000).contains(&equal.bytes()), "{}", equal.bytes());
        assert!(check(None, 3, |_| 4).bytes() < 500);
    }
}
