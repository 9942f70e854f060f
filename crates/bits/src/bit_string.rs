//! Strings of bits, written and read a few bits at a time.
//!
//! The first bit written is the lowest bit of the first byte; a number's lowest bit comes first, too:
//!
//! ```text
//!  put(5, 3), put(1, 2), put(0x1F, 5)      byte 0            byte 1
//!                                      1 1 1 0 1 1 0 1   0 0 0 0 0 0 1 1
//!                                      \___/ \_/ \___/               \_/
//!                                      third  2nd first             third
//! ```
//!
//! A finished string is a whole number of bytes; the bits beyond its end are zero, so equal strings of bits are
//! equal strings of bytes.

use crate::OutOfMemory;

/// Collects bits.
#[derive(Clone, Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that do not make up eight bytes yet, and how many they are: at most 63.
    pending: u64,
    n_pending: u32,
}

impl BitWriter {
    /// Forgets all bits.
    #[inline]
    pub fn clear(&mut self) {
        self.bytes.clear();
        (self.pending, self.n_pending) = (0, 0);
    }

    /// Number of bits written.
    pub fn n_bits(&self) -> usize {
        self.bytes.len() * 8 + self.n_pending as usize
    }

    /// Makes room for so many more bits.
    ///
    /// # Errors
    /// When the system gives no more memory; nothing is changed then.
    #[inline]
    pub fn reserve(&mut self, n_bits: usize) -> Result<(), OutOfMemory> {
        // The bits that wait for their eight bytes need room, too.
        let needed = n_bits / 8 + 16;
        if self.bytes.capacity() - self.bytes.len() < needed {
            self.bytes.try_reserve_exact(needed.max(self.bytes.len() / 8))?;
        }
        Ok(())
    }

    /// Appends the lowest bits of a number, whose other bits are zero.
    #[inline]
    pub fn put(&mut self, number: u64, n_bits: u32) {
        debug_assert!(n_bits <= 64 && (n_bits == 64 || number >> n_bits == 0), "{number} in {n_bits} bits");
        self.pending |= number << self.n_pending;
        let all = self.n_pending + n_bits;
        if all < 64 {
            self.n_pending = all;
            return;
        }
        self.bytes.extend_from_slice(&self.pending.to_le_bytes());
        self.n_pending = all - 64;
        // What did not fit are the highest bits of the number; a shift by its whole width leaves none.
        self.pending = number.checked_shr(n_bits - self.n_pending).unwrap_or(0);
    }

    /// Appends so many bits of words, the lowest bit of the first word first. Bits beyond are zero in the word where the
    /// last bit is; words behind that one do not matter.
    #[inline]
    pub fn put_words(&mut self, words: &[u64], n_bits: usize) {
        match n_bits {
            0 => {}
            1..=64 => self.put(words[0], n_bits as u32),
            _ => self.put_many(words, n_bits),
        }
    }

    fn put_many(&mut self, words: &[u64], n_bits: usize) {
        let (whole, last) = (n_bits / 64, (n_bits % 64) as u32);
        let start = self.bytes.len();
        self.bytes.resize(start + whole * 8, 0);
        let (mut pending, shift) = (self.pending, self.n_pending);
        for (eight, &word) in self.bytes[start..].chunks_exact_mut(8).zip(words) {
            eight.copy_from_slice(&(pending | word << shift).to_le_bytes());
            // A shift by all bits would be one too many.
            pending = word >> 1 >> (63 - shift);
        }
        self.pending = pending;
        if last > 0 {
            self.put(words[whole], last);
        }
    }

    /// All bits, where they fit a word and do not fill it.
    #[inline]
    pub fn only_word(&self) -> Option<u64> {
        self.bytes.is_empty().then_some(self.pending)
    }

    /// All bits, word after word; the last one is not full.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        let (whole, _) = self.bytes.as_chunks();
        whole.iter().map(|&eight| u64::from_le_bytes(eight)).chain([self.pending])
    }

    /// Fills the last byte up with zeros and gives all bytes. Nothing may be written afterwards but after
    /// [`BitWriter::clear`].
    #[inline]
    pub fn finish(&mut self) -> &[u8] {
        let n_bytes = self.n_pending.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..n_bytes]);
        (self.pending, self.n_pending) = (0, 0);
        &self.bytes
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

/// Reads bits in the order in which they were written. Beyond the end all bits are zero.
#[derive(Clone, Copy, Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// Number of bits that were read.
    at: usize,
}

impl<'a> BitReader<'a> {
    /// Reads from the first bit on.
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, at: 0 }
    }

    /// Reads from a given bit on.
    pub fn at(bytes: &'a [u8], bit: usize) -> BitReader<'a> {
        BitReader { bytes, at: bit }
    }

    /// Number of bits read so far.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The next bits as a number.
    #[inline]
    pub fn take(&mut self, n_bits: u32) -> u64 {
        if n_bits == 0 {
            return 0;
        }
        let shift = (self.at % 8) as u32;
        let mut number = self.word(self.at / 8) >> shift;
        if shift + n_bits > 64 {
            number |= self.word(self.at / 8 + 8) << (64 - shift);
        }
        self.at += n_bits as usize;
        number & (!0 >> (64 - n_bits))
    }

    /// Eight bytes from a position on.
    #[inline]
    fn word(&self, from: usize) -> u64 {
        let rest = self.bytes.get(from..).unwrap_or_default();
        match rest.first_chunk() {
            Some(eight) => u64::from_le_bytes(*eight),
            None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        }
    }
}

/// Number of bits that tell so many things apart: the binary logarithm, rounded up.
#[inline]
pub fn bits_for(n_things: u64) -> u32 {
    n_things.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix64;

    #[test]
    fn numbers_come_back() {
        for seed in 0..500u64 {
            let random = |i: u64| mix64(seed << 32 | i);
            let numbers: Vec<(u64, u32)> = (0..random(0) % 60)
                .map(|i| {
                    let n_bits = (random(2 * i + 1) % 65) as u32;
                    (random(2 * i + 2) & (!0u64).checked_shr(64 - n_bits).unwrap_or(0), n_bits)
                })
                .collect();
            let mut writer = BitWriter::default();
            writer.put(3, 2);
            writer.clear();
            numbers.iter().for_each(|&(number, n_bits)| writer.put(number, n_bits));
            let n_bits = writer.n_bits();
            assert_eq!(n_bits, numbers.iter().map(|&(_, n_bits)| n_bits as usize).sum::<usize>());
            let bytes = writer.finish();
            assert_eq!(bytes.len(), n_bits.div_ceil(8));
            let mut reader = BitReader::new(bytes);
            for &(number, n_bits) in &numbers {
                assert_eq!(reader.take(n_bits), number, "seed {seed}");
            }
            assert_eq!(reader.position(), n_bits);
            if let Some(&(first, width)) = numbers.first() {
                let rest = numbers.get(1).map_or(0, |&(number, n_bits)| number & low(n_bits));
                assert_eq!(BitReader::at(bytes, 0).take(width), first);
                let second = numbers.get(1).map_or(0, |&(_, n_bits)| n_bits);
                assert_eq!(BitReader::at(bytes, width as usize).take(second), rest);
            }
            assert_eq!((reader.take(64), reader.take(64)), (0, 0));
        }
    }

    fn low(n_bits: u32) -> u64 {
        (!0u64).checked_shr(64 - n_bits).unwrap_or(0)
    }

    #[test]
    fn room_is_made_ahead() {
        let mut writer = BitWriter::default();
        writer.put(1, 1);
        writer.reserve(1000).unwrap();
        let before = writer.bytes();
        (0..1000).for_each(|_| writer.put(1, 1));
        assert_eq!(writer.finish().len(), 126);
        assert_eq!(writer.bytes(), before);
        assert!(writer.reserve(usize::MAX).is_err());
    }

    #[test]
    fn many_words_are_as_one_after_the_other() {
        for (before, n_bits) in [(0, 0), (0, 64), (0, 200), (5, 63), (5, 64), (63, 65), (63, 192), (1, 191)] {
            let words: Vec<u64> = (0..4).map(|i| mix64(i + 7)).collect();
            let (mut one, mut other) = (BitWriter::default(), BitWriter::default());
            [&mut one, &mut other].into_iter().for_each(|writer| writer.put(before / 2, 6));
            let mut masked = words.clone();
            masked[n_bits / 64] &= (1u64 << (n_bits % 64)) - 1;
            one.put_words(&masked, n_bits);
            (0..n_bits).for_each(|bit| other.put(words[bit / 64] >> (bit % 64) & 1, 1));
            [&mut one, &mut other].into_iter().for_each(|writer| writer.put(9, 4));
            assert_eq!(one.n_bits(), other.n_bits());
            assert_eq!(one.finish(), other.finish(), "{n_bits} bits behind {before}");
        }
    }

    #[test]
    fn a_few_bits_are_a_word() {
        let mut writer = BitWriter::default();
        assert_eq!(writer.only_word(), Some(0));
        writer.put(77, 40);
        writer.put(5, 23);
        assert_eq!(writer.only_word(), Some(77 | 5 << 40));
        writer.put(1, 1);
        assert_eq!(writer.only_word(), None);
        writer.put(9, 5);
        assert!(writer.words().eq([77 | 5 << 40 | 1 << 63, 9]));
    }

    #[test]
    fn logarithms_are_rounded_up() {
        let expected = [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1 << 40, 40), (u64::MAX, 64)];
        expected.iter().for_each(|&(n, bits)| assert_eq!(bits_for(n), bits, "{n}"));
    }

    #[test]
    fn bits_lie_where_the_picture_says() {
        let mut writer = BitWriter::default();
        writer.put(5, 3);
        writer.put(1, 2);
        writer.put(0x1F, 5);
        assert_eq!(writer.finish(), [0b1110_1101, 0b0000_0011]);
    }
}
