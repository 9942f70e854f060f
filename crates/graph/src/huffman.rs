//! Codes of few symbols, shorter for those that come often (Huffman, 1952).
//!
//! The codes are canonical: they follow from their lengths alone, which are all that a file keeps. A code is read by
//! one look into a table with the next [`LONGEST`] bits.
//!
//! **Cost.** Within a few percent of the entropy for the alphabets here; a symbol takes a look and a shift. Tables of
//! 8 KiB each stay in the cache.

use petite_bits::{BitReader, BitWriter};

/// Most symbols of an alphabet.
pub const MOST_SYMBOLS: usize = 40;

/// Bits of the longest code.
const LONGEST: u32 = 12;

/// A code for each symbol that occurs.
#[derive(Clone, Debug)]
pub struct Code {
    /// Bits of each symbol's code; zero where it never occurs.
    lengths: [u8; MOST_SYMBOLS],
    /// The codes, first bit lowest.
    codes: [u16; MOST_SYMBOLS],
    /// Symbol and length for the next bits, as `symbol << 4 | length`; zero where no code begins like that.
    table: Box<[u16]>,
}

impl Code {
    /// The code for symbols that occur so often.
    pub fn of_counts(counts: &[u64; MOST_SYMBOLS]) -> Code {
        let mut counts = *counts;
        loop {
            let lengths = lengths_of(&counts);
            if lengths.iter().all(|&length| u32::from(length) <= LONGEST)
                && let Some(code) = Code::of_lengths(&lengths)
            {
                return code;
            }
            // Counts that are closer together give codes that are, too; equal ones give at most six bits.
            counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
        }
    }

    /// The code with these lengths; `None` where there is none.
    pub fn of_lengths(lengths: &[u8; MOST_SYMBOLS]) -> Option<Code> {
        let mut codes = [0; MOST_SYMBOLS];
        let mut table = vec![0; 1 << LONGEST].into_boxed_slice();
        // The next code of the length at hand, highest bit first.
        let mut next = 0u32;
        for length in 1..=LONGEST {
            next <<= 1;
            for symbol in (0..MOST_SYMBOLS).filter(|&symbol| u32::from(lengths[symbol]) == length) {
                if next >= 1 << length {
                    return None;
                }
                let reversed = next.reverse_bits() >> (32 - length);
                codes[symbol] = reversed as u16;
                let entry = (symbol as u16) << 4 | length as u16;
                table[reversed as usize..].iter_mut().step_by(1 << length).for_each(|slot| *slot = entry);
                next += 1;
            }
        }
        let too_long = lengths.iter().any(|&length| u32::from(length) > LONGEST);
        (!too_long).then_some(Code { lengths: *lengths, codes, table })
    }

    /// Bits of each symbol's code.
    pub fn lengths(&self) -> &[u8; MOST_SYMBOLS] {
        &self.lengths
    }

    /// Writes a symbol that occurs.
    #[inline]
    pub fn put(&self, writer: &mut BitWriter, symbol: usize) {
        writer.put(u64::from(self.codes[symbol]), u32::from(self.lengths[symbol]));
    }

    /// Reads a symbol; `None` where the bits are no code.
    #[inline]
    pub fn take(&self, reader: &mut BitReader<'_>) -> Option<usize> {
        let mut ahead = *reader;
        let entry = self.table[ahead.take(LONGEST) as usize];
        reader.take(u32::from(entry & 15));
        (entry != 0).then_some(usize::from(entry >> 4))
    }
}

/// The lengths of the codes that Huffman's algorithm gives.
fn lengths_of(counts: &[u64; MOST_SYMBOLS]) -> [u8; MOST_SYMBOLS] {
    // Trees that were not joined yet: how often their symbols occur, and which these are.
    let mut trees: Vec<(u64, u64)> =
        (0..MOST_SYMBOLS).filter(|&i| counts[i] > 0).map(|i| (counts[i], 1 << i)).collect();
    let mut lengths = [0; MOST_SYMBOLS];
    if let [(_, symbols)] = trees[..] {
        lengths[symbols.trailing_zeros() as usize] = 1;
    }
    while trees.len() > 1 {
        trees.sort_unstable_by(|a, b| b.cmp(a));
        let (Some(rare), Some(next)) = (trees.pop(), trees.pop()) else { break };
        let symbols = rare.1 | next.1;
        (0..MOST_SYMBOLS).filter(|i| symbols >> i & 1 == 1).for_each(|i| lengths[i] += 1);
        trees.push((rare.0.saturating_add(next.0), symbols));
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    #[test]
    fn symbols_come_back_whatever_the_counts() {
        for seed in 0..200u64 {
            let random = |i: u64| mix64(seed << 32 | i);
            let mut counts = [0; MOST_SYMBOLS];
            for symbol in 0..=random(0) % MOST_SYMBOLS as u64 {
                // Some counts are like those of Fibonacci, which give the longest codes.
                counts[symbol as usize] = if seed % 2 == 0 { 1 << symbol } else { random(symbol) % 1000 };
            }
            let code = Code::of_counts(&counts);
            let used: Vec<usize> = (0..MOST_SYMBOLS).filter(|&symbol| counts[symbol] > 0).collect();
            if used.is_empty() {
                continue;
            }
            let symbols: Vec<usize> =
                (0..500).map(|i| used[(random(100 + i) % used.len() as u64) as usize]).collect();
            let mut writer = BitWriter::default();
            symbols.iter().for_each(|&symbol| code.put(&mut writer, symbol));
            let again = Code::of_lengths(code.lengths()).unwrap();
            let mut reader = BitReader::new(writer.finish());
            assert!(symbols.iter().all(|&symbol| again.take(&mut reader) == Some(symbol)), "seed {seed}");
        }
    }

    #[test]
    fn impossible_lengths_are_refused() {
        let mut lengths = [0; MOST_SYMBOLS];
        lengths[..3].fill(1);
        assert!(Code::of_lengths(&lengths).is_none());
        lengths[..3].fill(13);
        assert!(Code::of_lengths(&lengths).is_none());
        assert_eq!(Code::of_lengths(&[0; MOST_SYMBOLS]).unwrap().take(&mut BitReader::new(&[])), None);
    }
}
