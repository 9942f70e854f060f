//! A sequence of numbers that never decrease, in two to three bits each.
//!
//! Each number is written as its difference to the one before in unary: so many zeros, then a one (the upper half of
//! the code of Elias, 1974, and Fano, 1971). Number `i` is where the `i`th one is, minus `i`:
//!
//! ```text
//!  numbers   0 0 0 2 3 3 7 ...
//!  bits      1 1 1 001 01 1 00001 ...
//! ```
//!
//! **Cost.** One bit for each number and one for each unit that the last exceeds the first: two bits a number where
//! they are as many as they are large, as predecessors in breadth-first order are. Every 32nd number is kept as
//! it is, one bit a number, so that reading one means counting ones in a few words.

use crate::select::Sums;
use crate::{OutOfMemory, prefetch};

/// Numbers from one that is kept as it is to the next.
const SAMPLE: usize = 32;

/// Numbers that never decrease.
#[derive(Debug, Default)]
pub struct MonotoneVec {
    words: Vec<u64>,
    /// Every 32nd number.
    samples: Vec<u32>,
    len: usize,
    last: u32,
}

impl MonotoneVec {
    /// No numbers.
    pub fn new() -> MonotoneVec {
        MonotoneVec::default()
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

    /// The last number, which is the largest; zero where there is none.
    #[inline]
    pub fn last(&self) -> u32 {
        self.last
    }

    /// A number.
    ///
    /// # Panics
    /// When there are not so many.
    #[inline]
    pub fn get(&self, index: usize) -> u32 {
        assert!(index < self.len, "number {index} of {}", self.len);
        let first = index - index % SAMPLE;
        let start = first + self.samples[index / SAMPLE] as usize;
        let mut rank = (index % SAMPLE) as u32;
        let mut at = start / 64;
        let mut word = self.words[at] & (!0 << (start % 64));
        loop {
            let ones = Sums::of(word);
            if rank < ones.total() {
                return (at * 64 + ones.select(word, rank) as usize - index) as u32;
            }
            rank -= ones.total();
            at += 1;
            word = self.words[at];
        }
    }

    /// Appends a number, which is not below the last.
    ///
    /// # Errors
    /// The numbers are the same then.
    ///
    /// # Panics
    /// When it is below the last.
    #[inline]
    pub fn push(&mut self, value: u32) -> Result<(), OutOfMemory> {
        assert!(value >= self.last, "{value} after {}", self.last);
        let at = self.len + value as usize;
        if at / 64 >= self.words.len() {
            self.make_room(at / 64 + 1)?;
        }
        if self.len.is_multiple_of(SAMPLE) {
            if self.samples.len() == self.samples.capacity() {
                self.samples.try_reserve_exact(self.samples.len() / 16 + 4)?;
            }
            self.samples.push(value);
        }
        self.words[at / 64] |= 1 << (at % 64);
        self.len += 1;
        self.last = value;
        Ok(())
    }

    /// Takes the last number away.
    pub fn pop(&mut self) {
        let Some(rest) = self.len.checked_sub(1) else { return };
        let at = rest + self.last as usize;
        self.words[at / 64] &= !(1 << (at % 64));
        self.len = rest;
        self.samples.truncate(rest.div_ceil(SAMPLE));
        self.last = rest.checked_sub(1).map_or(0, |index| self.get(index));
    }

    /// Hints that a number is about to be read.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        if let Some(&sample) = self.samples.get(index / SAMPLE) {
            prefetch(&self.words, (index + sample as usize) / 64);
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.samples.capacity() * size_of::<u32>()
    }

    /// Makes the bits so many words long, growing by a sixteenth.
    #[cold]
    fn make_room(&mut self, needed: usize) -> Result<(), OutOfMemory> {
        if needed > self.words.capacity() {
            let wanted = needed.max(self.words.len() + self.words.len() / 16 + 4);
            self.words.try_reserve_exact(wanted - self.words.len())?;
        }
        self.words.resize(needed, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix64;

    #[test]
    fn numbers_come_back() {
        for longest_gap in [0, 1, 3, 200] {
            let (mut packed, mut plain, mut last) = (MonotoneVec::new(), Vec::new(), 0u32);
            for i in 0..30_000u64 {
                last += (mix64(i) % (longest_gap + 1)) as u32;
                packed.push(last).unwrap();
                plain.push(last);
                if mix64(i ^ 1).is_multiple_of(50) {
                    packed.pop();
                    plain.pop();
                    last = plain.last().copied().unwrap_or(0);
                    assert_eq!(packed.last(), last);
                }
            }
            assert_eq!(packed.len(), plain.len());
            assert!(plain.iter().enumerate().all(|(i, &value)| packed.get(i) == value), "{longest_gap}");
            let bits = packed.bytes() as f64 * 8.0 / plain.len() as f64;
            let least = 2.0 + f64::from(last) / plain.len() as f64;
            assert!(bits < least * 1.08, "{bits} bits, not {least}");
        }
    }

    #[test]
    fn all_may_be_taken_away() {
        let mut packed = MonotoneVec::new();
        packed.pop();
        (0..200).try_for_each(|i| packed.push(i * 3)).unwrap();
        (0..200).for_each(|_| packed.pop());
        assert!(packed.is_empty());
        packed.push(5).unwrap();
        assert_eq!((packed.get(0), packed.last(), packed.len()), (5, 5, 1));
    }
}
