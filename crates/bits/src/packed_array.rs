//! Arrays of small numbers, all of the same width, bit by bit.
//!
//! ```text
//!  word 0                       word 1
//!  +------+------+------+---    ---+------+------+---
//!  |  0   |  1   |  2   |   3      |  4   |  5   | ...       width bits each, across the words' borders
//!  +------+------+------+---    ---+------+------+---
//! ```
//!
//! **Cost.** `width` bits for each number, plus at most an eighth that is reserved for growth, plus a word at the
//! end so that every number can be read with two loads and no branch.

use crate::{OutOfMemory, low_bits};

/// Numbers of `width` bits each, 0 to 64.
#[derive(Clone, Debug, Default)]
pub struct PackedArray {
    /// One word more than the numbers need.
    words: Vec<u64>,
    width: u32,
    len: usize,
}

impl PackedArray {
    /// No numbers yet.
    ///
    /// # Panics
    /// When the width is above 64.
    pub fn new(width: u32) -> PackedArray {
        assert!(width <= 64, "a number has at most 64 bits");
        PackedArray { words: Vec::new(), width, len: 0 }
    }

    /// So many zeros.
    ///
    /// # Errors
    /// When the system gives no more memory.
    pub fn zeros(width: u32, len: usize) -> Result<PackedArray, OutOfMemory> {
        let mut array = PackedArray::new(width);
        let n_words = words_for(len, width);
        array.words.try_reserve_exact(n_words)?;
        array.words.resize(n_words, 0);
        array.len = len;
        Ok(array)
    }

    /// The same numbers with more bits each.
    ///
    /// # Errors
    /// When the system gives no more memory.
    pub fn mapped(&self, width: u32, map: impl Fn(u64) -> u64) -> Result<PackedArray, OutOfMemory> {
        let mut array = PackedArray::zeros(width, self.len)?;
        for index in 0..self.len {
            array.set(index, map(self.get(index)));
        }
        Ok(array)
    }

    /// Number of numbers.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline]
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
    /// Perhaps, when the index is not below [`PackedArray::len`].
    #[inline]
    pub fn get(&self, index: usize) -> u64 {
        read_bits(&self.words, index * self.width as usize, self.width)
    }

    /// Changes a number. Bits beyond the width are ignored.
    ///
    /// # Panics
    /// Perhaps, when the index is not below [`PackedArray::len`].
    #[inline]
    pub fn set(&mut self, index: usize, number: u64) {
        write_bits(&mut self.words, index * self.width as usize, self.width, number);
    }

    /// Adds a number at the end.
    ///
    /// # Errors
    /// When the system gives no more memory; nothing is changed then.
    #[inline]
    pub fn push(&mut self, number: u64) -> Result<(), OutOfMemory> {
        let n_words = words_for(self.len + 1, self.width);
        if n_words > self.words.len() {
            if n_words > self.words.capacity() {
                let more = n_words - self.words.len() + n_words / 8;
                self.words.try_reserve_exact(more)?;
            }
            self.words.resize(n_words, 0);
        }
        self.len += 1;
        self.set(self.len - 1, number);
        Ok(())
    }

    /// Removes the last number.
    pub fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    /// Hints that a number is about to be read.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        crate::prefetch(&self.words, index * self.width as usize / 64);
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

/// Words for so many numbers, and the one at the end.
fn words_for(len: usize, width: u32) -> usize {
    (len * width as usize).div_ceil(64).max(1) + 1
}

/// Reads up to 64 bits from a position. The word behind the one where they begin must exist.
#[inline]
pub(crate) fn read_bits(words: &[u64], bit: usize, width: u32) -> u64 {
    let (at, shift) = (bit / 64, bit % 64);
    let pair = &words[at..at + 2];
    // A shift by 64 in two steps is none at all, which is what is needed where nothing straddles.
    let bits = pair[0] >> shift | pair[1] << 1 << (63 - shift);
    bits & low_bits(width)
}

/// Writes up to 64 bits at a position. The word behind the one where they begin must exist.
#[inline]
pub(crate) fn write_bits(words: &mut [u64], bit: usize, width: u32, bits: u64) {
    let (at, shift) = (bit / 64, bit % 64);
    let pair = &mut words[at..at + 2];
    let mask = low_bits(width);
    let bits = bits & mask;
    pair[0] = pair[0] & !(mask << shift) | bits << shift;
    pair[1] = pair[1] & !(mask >> 1 >> (63 - shift)) | bits >> 1 >> (63 - shift);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix64;

    #[test]
    fn numbers_of_every_width_are_kept() {
        for width in 0..=64 {
            let mut array = PackedArray::new(width);
            let number = |i: u64| mix64(i + u64::from(width) * 1000) & low_bits(width);
            for i in 0..300 {
                array.push(number(i)).unwrap();
            }
            for i in (0..300).step_by(3) {
                array.set(i as usize, number(i + 7));
            }
            for i in 0..300 {
                let expected = if i % 3 == 0 { number(i + 7) } else { number(i) };
                assert_eq!(array.get(i as usize), expected, "width {width}, index {i}");
            }
            let wider = array.mapped(64, |x| x.wrapping_add(1)).unwrap();
            assert!((0..300).all(|i| wider.get(i) == array.get(i).wrapping_add(1)));
            array.pop();
            assert_eq!((array.len(), array.is_empty(), array.width()), (299, false, width));
        }
    }
}
