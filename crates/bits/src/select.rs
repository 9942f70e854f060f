//! Finding the n-th one of a word.
//!
//! All bytes are counted at once; multiplying by ones adds the counts up, so that byte `i` of the product is the number of
//! ones up to there. Comparing all of them with `n` at once gives the byte, and a table of 2 KiB gives the place in it (Vigna,
//! "Broadword implementation of rank/select queries", 2008). The sums tell the number of ones in all as well, so a walk over
//! several words computes them once for each.

const ONES: u64 = 0x0101_0101_0101_0101;

/// The position of the one with number `n`, counted from zero. There must be more than `n` ones.
#[inline]
pub fn select_one(word: u64, n: u32) -> u32 {
    Sums::of(word).select(word, n)
}

/// Numbers of ones in the first byte of a word, the first two, and so on.
#[derive(Clone, Copy)]
pub(crate) struct Sums(u64);

impl Sums {
    #[inline]
    pub fn of(word: u64) -> Sums {
        let mut counts = word - (word >> 1 & 0x5555_5555_5555_5555);
        counts = (counts & 0x3333_3333_3333_3333) + (counts >> 2 & 0x3333_3333_3333_3333);
        counts = (counts + (counts >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
        Sums(counts.wrapping_mul(ONES))
    }

    /// Number of ones in all.
    #[inline]
    pub fn total(self) -> u32 {
        (self.0 >> 56) as u32
    }

    /// The position of the one with number `n` of the word that these are the sums of.
    #[inline]
    pub fn select(self, word: u64, n: u32) -> u32 {
        const TOPS: u64 = 0x8080_8080_8080_8080;
        // A top bit is left where the sum up to that byte is at most n.
        let not_above = ((u64::from(n) * ONES) | TOPS).wrapping_sub(self.0) & TOPS;
        let byte = (not_above >> 7).wrapping_mul(ONES) >> 56;
        let shift = (byte * 8) as u32 & 63;
        let before = (self.0 << 8 >> shift) as u32 & 0xFF;
        let bits = (word >> shift) as usize & 0xFF;
        shift + u32::from(IN_BYTE[(n.wrapping_sub(before) & 7) as usize][bits])
    }
}

/// The position of each one of each byte.
static IN_BYTE: [[u8; 256]; 8] = in_byte();

const fn in_byte() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_one_is_found() {
        let sparse = |seed: u64| crate::mix64(seed) & crate::mix64(seed * 31) | 1 << (seed % 64);
        let words = (0..300).map(crate::mix64).chain((0..300).map(sparse));
        let words = words.chain([1, !0, 1 << 63, 0xFF, 0xFF << 56, 0x8000_0000_0000_0001]);
        for word in words {
            let ones = (0..64).filter(|bit| word >> bit & 1 == 1);
            for (n, bit) in ones.enumerate() {
                assert_eq!(select_one(word, n as u32), bit, "{word:x} {n}");
            }
        }
    }
}
