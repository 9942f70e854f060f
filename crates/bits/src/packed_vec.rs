//! A growable array of numbers of the same width, 0 to 64 bits each.
//!
//! ```text
//!  chunks[0]  | 0 | 1 | 2 | ... | 8191 |      numbers lie one behind the other, bit by bit
//!  chunks[1]  | 8192 | ...             |      a chunk is a whole number of words
//! ```
//!
//! **Widths.** The width is that of the widest number so far. A wider number makes all of them wider, in place, so that
//! this needs memory for one chunk beyond what is kept. The width only grows, one bit at a time as a rule, so the
//! effort is a few moves for each number.

use crate::bit_runs::{low_bits, read_bits, write_bits};
use crate::{OutOfMemory, prefetch};

/// Binary logarithm of the numbers in a chunk.
const CHUNK_SHIFT: u32 = 13;

/// Numbers in a chunk.
const CHUNK: usize = 1 << CHUNK_SHIFT;

/// Numbers as narrow as they can be.
#[derive(Debug, Default)]
pub struct PackedVec {
    chunks: Vec<Vec<u64>>,
    width: u32,
    len: usize,
    /// Capacity of all chunks, in words.
    n_words: usize,
}

impl PackedVec {
    /// No numbers, of no bits.
    pub fn new() -> PackedVec {
        PackedVec::default()
    }

    /// How many numbers there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bits of each number.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// A number.
    ///
    /// # Panics
    /// When there are not so many.
    #[inline(always)]
    pub fn get(&self, index: usize) -> u64 {
        assert!(index < self.len, "number {index} of {}", self.len);
        read_bits(&self.chunks[index >> CHUNK_SHIFT], (index & (CHUNK - 1)) * self.width as usize, self.width)
    }

    /// Changes a number.
    ///
    /// # Errors
    /// Where it is wider than all before, and there is no memory. Nothing is changed then.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn set(&mut self, index: usize, value: u64) -> Result<(), OutOfMemory> {
        assert!(index < self.len, "number {index} of {}", self.len);
        self.make_wide(value)?;
        let at = (index & (CHUNK - 1)) * self.width as usize;
        write_bits(&mut self.chunks[index >> CHUNK_SHIFT], at, self.width, value);
        Ok(())
    }

    /// Appends a number.
    ///
    /// # Errors
    /// The numbers are the same then.
    #[inline]
    pub fn push(&mut self, value: u64) -> Result<(), OutOfMemory> {
        self.make_wide(value)?;
        let (chunk, within) = (self.len >> CHUNK_SHIFT, self.len & (CHUNK - 1));
        let needed = words_for(within + 1, self.width);
        if self.chunks.get(chunk).is_none_or(|words| words.len() < needed) {
            self.make_room(chunk, needed)?;
        }
        write_bits(&mut self.chunks[chunk], within * self.width as usize, self.width, value);
        self.len += 1;
        Ok(())
    }

    /// Takes the last number away.
    pub fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    /// Changes all numbers, which become numbers of a given width, not less than now.
    ///
    /// # Errors
    /// The numbers are the same then.
    ///
    /// # Panics
    /// When the width is less than now, or above 64.
    pub fn map(&mut self, width: u32, mut change: impl FnMut(u64) -> u64) -> Result<(), OutOfMemory> {
        assert!(self.width <= width && width <= 64, "{width} bits after {}", self.width);
        // All the memory first, so that nothing has changed where there is too little.
        for chunk in 0..self.chunks.len() {
            let wanted = words_for(self.len_of(chunk), width);
            let words = &mut self.chunks[chunk];
            let before = words.capacity();
            words.try_reserve_exact(wanted.saturating_sub(words.len()))?;
            self.n_words += words.capacity() - before;
        }
        let old_width = std::mem::replace(&mut self.width, width);
        for chunk in 0..self.chunks.len() {
            let n = self.len_of(chunk);
            let words = &mut self.chunks[chunk];
            words.resize(words_for(n, width).max(words.len()), 0);
            // From the end: what is written lies behind what is still to be read.
            for within in (0..n).rev() {
                let value = change(read_bits(words, within * old_width as usize, old_width));
                write_bits(words, within * width as usize, width, value & low_bits(width));
            }
        }
        Ok(())
    }

    /// Hints that a number is about to be read.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        if let Some(words) = self.chunks.get(index >> CHUNK_SHIFT) {
            prefetch(words, (index & (CHUNK - 1)) * self.width as usize / 64);
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.n_words * size_of::<u64>() + self.chunks.capacity() * size_of::<Vec<u64>>()
    }

    /// Makes the width that of a number at least.
    #[inline]
    fn make_wide(&mut self, value: u64) -> Result<(), OutOfMemory> {
        let width = 64 - value.leading_zeros();
        if width <= self.width { Ok(()) } else { self.map(width, |value| value) }
    }

    /// Numbers in a chunk.
    fn len_of(&self, chunk: usize) -> usize {
        self.len.saturating_sub(chunk << CHUNK_SHIFT).min(CHUNK)
    }

    /// Makes a chunk, the last one or the next, so many words long.
    #[cold]
    fn make_room(&mut self, chunk: usize, needed: usize) -> Result<(), OutOfMemory> {
        if chunk == self.chunks.len() {
            self.chunks.try_reserve(1)?;
            self.chunks.push(Vec::new());
        }
        let full = words_for(CHUNK, self.width);
        // Beyond the first chunk a small step would save nothing that counts.
        let least = if chunk == 0 { 2 } else { full / 8 };
        let words = &mut self.chunks[chunk];
        let wanted = (words.len() + words.len() / 4).max(least).max(needed).min(full.max(needed));
        let before = words.capacity();
        words.try_reserve_exact(wanted.saturating_sub(words.len()))?;
        words.resize(wanted, 0);
        self.n_words += words.capacity() - before;
        Ok(())
    }
}

/// Words for so many numbers.
#[inline]
fn words_for(n: usize, width: u32) -> usize {
    (n * width as usize).div_ceil(64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix64;

    #[test]
    fn numbers_come_back_while_they_get_wider() {
        for most in [0, 1, 7, 1000, 1 << 20, u64::MAX] {
            let (mut packed, mut plain) = (PackedVec::new(), Vec::new());
            for i in 0..40_000u64 {
                // Wide ones come late.
                let value = if most == 0 { 0 } else { mix64(i) % most.min(1 + i.pow(3)) };
                packed.push(value).unwrap();
                plain.push(value);
                if i % 1000 == 7 {
                    let at = (mix64(i) % plain.len() as u64) as usize;
                    plain[at] = most;
                    packed.set(at, most).unwrap();
                }
                if i % 5000 == 99 {
                    packed.pop();
                    plain.pop();
                }
            }
            assert_eq!(packed.len(), plain.len());
            assert!(plain.iter().enumerate().all(|(i, &value)| packed.get(i) == value));
            let bits = packed.bytes() as f64 * 8.0 / plain.len() as f64;
            assert!(bits <= f64::from(packed.width()) * 1.1 + 0.5, "{bits} bits for {}", packed.width());
        }
    }

    #[test]
    fn numbers_are_changed_all_at_once() {
        let mut packed = PackedVec::new();
        (0..20_000).try_for_each(|i| packed.push(i % 500)).unwrap();
        packed.map(12, |value| value * 3).unwrap();
        assert_eq!(packed.width(), 12);
        assert!((0..20_000).all(|i| packed.get(i) == i as u64 % 500 * 3));
        packed.push(9).unwrap();
        assert_eq!(packed.get(20_000), 9);
    }
}
