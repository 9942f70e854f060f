//! The items of many slots of one bit, eight at a time.
//!
//! Where each slot of a place has one bit, items are the numbers of the bits that are set, one behind the other in w bits each.
//! Eight neighbours at once are numbers 0 to 7 above that of the first one, which has to be added to each:
//!
//! ```text
//!  bits 16 to 23       0 1 1 0 0 0 1 0        numbers  1, 2 and 6
//!  from the table      | 6 | 2 | 1 |
//!  16 times            | 1 | 1 | 1 |
//!  sum                 | 22 | 18 | 17 |       which are the items
//! ```
//!
//! Sums that are too large for their bits on the way are right in the end, since all of them are items. **Cost.** Two tables of 18 KB in the program.

use petite_bits::BitWriter;

/// Most bits of an item: eight of them have to fit a word.
pub(super) const MOST_BITS: u32 = 8;

/// For each width, the numbers of the bits of a byte, one behind the other.
static NUMBERS: [[u64; 256]; MOST_BITS as usize + 1] = sums(false);

/// For each width, a one for each bit of a byte, one behind the other.
static ONES: [[u64; 256]; MOST_BITS as usize + 1] = sums(true);

const fn sums(of_ones: bool) -> [[u64; 256]; MOST_BITS as usize + 1] {
    let mut tables = [[0u64; 256]; MOST_BITS as usize + 1];
    let mut width = 1;
    while width <= MOST_BITS as usize {
        let mut byte = 0;
        while byte < 256 {
            let (mut bit, mut shift) = (0, 0);
            while bit < 8 {
                if byte >> bit & 1 == 1 {
                    // A number may have more bits than an item: sums come out right all the same.
                    let number: u64 = if of_ones { 1 } else { bit as u64 };
                    tables[width][byte] = tables[width][byte].wrapping_add(number << shift);
                    shift += width;
                }
                bit += 1;
            }
            byte += 1;
        }
        width += 1;
    }
    tables
}

/// Writes the items of the bits of a word, of so many bits each; the lowest bit would be item `first`, which may be below
/// zero where that one is not set.
#[inline]
pub(super) fn put(mut bits: u64, first: u64, width: u32, code: &mut BitWriter) {
    let (numbers, ones) = (&NUMBERS[width as usize], &ONES[width as usize]);
    while bits != 0 {
        let shift = bits.trailing_zeros() & !7;
        let byte = (bits >> shift) as u8;
        bits &= !(0xFF << shift);
        let base = first.wrapping_add(u64::from(shift));
        let items = numbers[usize::from(byte)].wrapping_add(base.wrapping_mul(ones[usize::from(byte)]));
        code.put(items, byte.count_ones() * width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    #[test]
    fn eight_at_a_time_are_as_one_by_one() {
        for seed in 0..2000u64 {
            let width = 1 + (mix64(seed) % 8) as u32;
            let items: Vec<u64> =
                (0..1u64 << width).filter(|&i| mix64(seed << 10 | i).is_multiple_of(3)).collect();
            // The row begins somewhere in a word.
            let start = mix64(seed ^ 77) % 64;
            let (mut one, mut other) = (BitWriter::default(), BitWriter::default());
            for word in 0..6u64 {
                let bits = items.iter().map(|item| item + start).filter(|bit| bit / 64 == word);
                let bits = bits.fold(0u64, |bits, bit| bits | 1 << (bit % 64));
                put(bits, (word * 64).wrapping_sub(start), width, &mut one);
            }
            items.iter().for_each(|&item| other.put(item, width));
            assert_eq!(one.finish(), other.finish(), "{width} bits from {start}");
        }
    }
}
