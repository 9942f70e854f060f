//! Finding the n-th one of a word.

/// The position of the one with number `n`, counted from zero. There must be more than `n` ones.
///
/// All bytes are counted at once; multiplying by ones adds the counts up, so that byte `i` of the product is the number of
/// ones up to there. Comparing all of them with `n` at once gives the byte, and its ones are walked (Vigna,
/// "Broadword implementation of rank/select queries", 2008, without the table).
#[inline]
pub fn select_one(word: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let mut counts = word - (word >> 1 & 0x5555_5555_5555_5555);
    counts = (counts & 0x3333_3333_3333_3333) + (counts >> 2 & 0x3333_3333_3333_3333);
    counts = (counts + (counts >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    let sums = counts.wrapping_mul(ONES);
    // A top bit is left where the sum up to that byte is at most n.
    let not_above = ((u64::from(n) * ONES) | TOPS).wrapping_sub(sums) & TOPS;
    let byte = (not_above >> 7).wrapping_mul(ONES) >> 56;
    let shift = (byte * 8) as u32;
    let before = (sums << 8 >> shift) as u32 & 0xFF;
    let mut bits = (word >> shift) as u32 & 0xFF;
    for _ in before..n {
        bits &= bits - 1;
    }
    shift + bits.trailing_zeros()
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
