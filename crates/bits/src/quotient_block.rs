//! Operations on one block of a quotient table; see the head of [`super::quotient_set`] for the layout.
//!
//! A block covers 64 · W consecutive quotients and has as many slots. Its first 2 · W words say in unary how many
//! slots each quotient has: a one for each slot, then a zero. What is left behind the last zero is filled with ones, so a
//! block always has as many zeros as quotients, and the number of ones at its end tells how many slots are free.
//!
//! ```text
//!  quotients 0, 2, 2, 3 of 64:    0: 10   1: 0   2: 110   3: 10   4 to 63: 000...0   60 free: 111...1
//! ```

use crate::low_bits;
use crate::select::Sums;

/// Writes the counts of an empty block.
pub(crate) fn clear(counts: &mut [u64]) {
    let (quotients, free) = counts.split_at_mut(counts.len() / 2);
    quotients.fill(0);
    free.fill(!0);
}

/// Number of slots in use.
#[inline]
pub(crate) fn used(counts: &[u64]) -> usize {
    let slots = counts.len() * 32;
    let mut free = 0;
    for &word in counts.iter().rev() {
        free += word.leading_ones() as usize;
        if word != !0 {
            break;
        }
    }
    slots - free
}

/// Whether no slot is free: the ones that fill a block always reach its end.
#[inline]
pub(crate) fn is_full(counts: &[u64]) -> bool {
    counts.last().is_some_and(|word| word >> 63 == 0)
}

/// Where the ones of a quotient start. Its first slot is this less the quotient.
#[inline]
pub(crate) fn start_of(counts: &[u64], quotient: usize) -> usize {
    if quotient == 0 {
        return 0;
    }
    let mut before = quotient as u32 - 1;
    for (at, &word) in counts.iter().enumerate() {
        let zeros = Sums::of(!word);
        if before < zeros.total() {
            return at * 64 + zeros.select(!word, before) as usize + 1;
        }
        before -= zeros.total();
    }
    debug_assert!(false, "a block has as many zeros as quotients");
    0
}

/// Whether there is a one at a position.
#[inline]
pub(crate) fn is_one(counts: &[u64], bit: usize) -> bool {
    counts[bit / 64] >> (bit % 64) & 1 == 1
}

/// The quotient of a slot in use.
#[inline]
pub(crate) fn quotient_of(counts: &[u64], slot: usize) -> usize {
    let mut before = slot as u32;
    for (at, &word) in counts.iter().enumerate() {
        let ones = Sums::of(word);
        if before < ones.total() {
            return at * 64 + ones.select(word, before) as usize - slot;
        }
        before -= ones.total();
    }
    debug_assert!(false, "the slot is in use");
    0
}

/// Inserts a bit; what is behind moves on by one, and the last bit is lost.
#[inline]
pub(crate) fn insert_bit(words: &mut [u64], at: usize, bit: bool) {
    let (first, shift) = (at / 64, at % 64);
    let below = low_bits(shift as u32);
    let word = words[first];
    let mut carry = word >> 63;
    words[first] = word & below | (word & !below) << 1 | u64::from(bit) << shift;
    for word in &mut words[first + 1..] {
        let next = *word >> 63;
        *word = *word << 1 | carry;
        carry = next;
    }
}

/// Inserts a field of 1 to 63 bits into the first `n_words` words; what is behind moves on, and the last bits are lost.
/// There is one word more, which stays as it is.
#[inline]
pub(crate) fn insert_field(words: &mut [u64], n_words: usize, at: usize, width: u32, bits: u64) {
    let (first, shift) = (at / 64, at % 64);
    let below = low_bits(shift as u32);
    let mut carry = words[first] >> (64 - width);
    words[first] = words[first] & below | (words[first] & !below) << width;
    for word in &mut words[first + 1..n_words] {
        let next = *word >> (64 - width);
        *word = *word << width | carry;
        carry = next;
    }
    crate::packed_array::write_bits(words, at, width, bits);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix64;

    /// A block against a sorted list.
    #[test]
    fn slots_stay_in_the_order_of_quotients() {
        for width in [1, 2, 5, 7, 31, 63] {
            let mut counts = [0u64; 4];
            clear(&mut counts);
            let n_words = 2 * width as usize;
            let mut fields = vec![0u64; n_words + 1];
            fields[n_words] = 0xABCD;
            let mut oracle: Vec<(usize, u64)> = Vec::new();
            for i in 0..128u64 {
                assert_eq!((used(&counts), is_full(&counts)), (i as usize, false));
                let quotient = (mix64(i) % if i % 2 == 0 { 128 } else { 9 }) as usize;
                let bits = mix64(i + 999) & low_bits(width);
                let start = start_of(&counts, quotient);
                let slot = start - quotient;
                assert_eq!(slot, oracle.iter().filter(|(other, _)| *other < quotient).count());
                insert_bit(&mut counts, start, true);
                insert_field(&mut fields, n_words, slot * width as usize, width, bits);
                oracle.insert(slot, (quotient, bits));
            }
            for (slot, &(quotient, bits)) in oracle.iter().enumerate() {
                assert_eq!(quotient_of(&counts, slot), quotient);
                assert_eq!(crate::packed_array::read_bits(&fields, slot * width as usize, width), bits);
                assert!(is_one(&counts, slot + quotient));
            }
            assert_eq!((used(&counts), is_full(&counts), fields[n_words]), (128, true, 0xABCD));
        }
    }
}
