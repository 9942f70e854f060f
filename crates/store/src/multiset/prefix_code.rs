//! Short codes for what is frequent.
//!
//! *Source.* D. A. Huffman, A method for the construction of minimum-redundancy codes, 1952. The two rarest
//! symbols become one that is as frequent as both, until one is left; each merging adds a bit to all symbols in
//! it. Only the lengths are kept of that: codes of one length are consecutive numbers in the order of the symbols, and
//! those of the next length go on from there (the canonical code), so that a reader needs a few numbers a length.
//!
//! ```text
//!  frequency    a 5   b 2   c 1   d 1        length  1  2  3  3        code  0  10  110  111
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use petite_bits::{BitReader, BitWriter};

/// Codes for the symbols `0..n`.
#[derive(Clone, Debug)]
pub(super) struct PrefixCode {
    /// The code of each symbol, its first bit lowest, and its length.
    codes: Box<[(u64, u32)]>,
    /// Symbols in the order of their codes.
    symbols: Box<[u32]>,
    /// For each length from one on: the first code, and how many there are.
    lengths: Box<[(u64, u64)]>,
}

/// Longest code, in bits. Sums of frequencies stay below 2^40, and a code of length l needs a sum of Fibonacci's
/// number l at least.
const LONGEST: u32 = 62;

impl PrefixCode {
    /// The best code for symbols of these frequencies, of which none is zero and the sum is below 2^40.
    pub fn new(frequencies: &[u64]) -> PrefixCode {
        let mut lengths = vec![0u32; frequencies.len()];
        // Trees as lists of symbols: there are few symbols.
        let mut heap: BinaryHeap<Reverse<(u64, u32)>> =
            frequencies.iter().zip(0..).map(|(&frequency, tree)| Reverse((frequency, tree))).collect();
        let mut trees: Vec<Vec<u32>> = (0..frequencies.len() as u32).map(|symbol| vec![symbol]).collect();
        while let (Some(Reverse((first, a))), Some(Reverse((second, b)))) = (heap.pop(), heap.pop()) {
            let mut both = std::mem::take(&mut trees[a as usize]);
            both.append(&mut trees[b as usize]);
            both.iter().for_each(|&symbol| lengths[symbol as usize] += 1);
            heap.push(Reverse((first + second, trees.len() as u32)));
            trees.push(both);
            if heap.len() == 1 {
                break;
            }
        }
        PrefixCode::with_lengths(&lengths)
    }

    fn with_lengths(lengths: &[u32]) -> PrefixCode {
        let mut symbols: Box<[u32]> = (0..lengths.len() as u32).collect();
        symbols.sort_by_key(|&symbol| lengths[symbol as usize]);
        let longest = lengths.iter().copied().max().unwrap_or(0).min(LONGEST);
        let mut codes = vec![(0, 0); lengths.len()].into_boxed_slice();
        let mut by_length = Vec::new();
        let (mut next, mut at) = (0u64, 0);
        for length in 1..=longest {
            next <<= 1;
            let first = next;
            while let Some(&symbol) = symbols.get(at).filter(|&&symbol| lengths[symbol as usize] == length) {
                codes[symbol as usize] = (next.reverse_bits() >> (64 - length), length);
                next += 1;
                at += 1;
            }
            by_length.push((first, next - first));
        }
        PrefixCode { codes, symbols, lengths: by_length.into() }
    }

    /// Writes a symbol.
    #[inline]
    pub fn put(&self, symbol: usize, code: &mut BitWriter) {
        let (bits, length) = self.codes[symbol];
        code.put(bits, length);
    }

    /// Reads a symbol.
    pub fn take(&self, code: &mut BitReader<'_>) -> usize {
        let (mut number, mut before) = (0u64, 0);
        for &(first, count) in &self.lengths {
            number = number << 1 | code.take(1);
            if number < first + count {
                let at = before + number.saturating_sub(first);
                return self.symbols.get(at as usize).map_or(0, |&symbol| symbol as usize);
            }
            before += count;
        }
        0
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.codes) + size_of_val(&*self.symbols) + size_of_val(&*self.lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(frequencies: &[u64]) -> Vec<usize> {
        let prefix = PrefixCode::new(frequencies);
        let mut code = BitWriter::default();
        let mut sizes = Vec::new();
        for symbol in (0..frequencies.len()).chain((0..frequencies.len()).rev()) {
            let before = code.n_bits();
            prefix.put(symbol, &mut code);
            sizes.push(code.n_bits() - before);
        }
        let mut reader = BitReader::new(code.finish());
        for symbol in (0..frequencies.len()).chain((0..frequencies.len()).rev()) {
            assert_eq!(prefix.take(&mut reader), symbol);
        }
        sizes.truncate(frequencies.len());
        sizes
    }

    #[test]
    fn frequent_symbols_are_short() {
        assert_eq!(check(&[5, 2, 1, 1]), [1, 2, 3, 3]);
        assert_eq!(check(&[1, 1, 1, 1]), [2, 2, 2, 2]);
        assert_eq!(check(&[7]), [0]);
        assert_eq!(check(&[3, 9]), [1, 1]);
        let fibonacci = std::iter::successors(Some((1u64, 1)), |&(a, b)| Some((b, a + b)));
        let fibonacci: Vec<u64> = fibonacci.map(|(a, _)| a).take(50).collect();
        assert_eq!(check(&fibonacci).into_iter().max(), Some(49));
        check(&(1..500).map(|i| i * i % 97 + 1).collect::<Vec<_>>());
    }
}
