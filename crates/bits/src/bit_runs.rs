//! Reading and writing runs of bits inside words.
//!
//! Bit number `i` of a string is bit `i % 64` of word `i / 64`. A run has at most 64 bits and may straddle two words.

/// The lowest `width` bits set, for widths of 0 to 64.
#[inline]
pub fn low_bits(width: u32) -> u64 {
    if width == 0 { 0 } else { !0 >> (64 - width) }
}

/// The run of `width` bits that starts at bit `at`.
///
/// # Panics
/// When the run is not inside the words.
#[inline]
pub fn read_bits(words: &[u64], at: usize, width: u32) -> u64 {
    if width == 0 {
        return 0;
    }
    let (word, shift) = (at / 64, (at % 64) as u32);
    let low = words[word] >> shift;
    let run = if shift + width > 64 { low | words[word + 1] << (64 - shift) } else { low };
    run & low_bits(width)
}

/// Overwrites the run of `width` bits that starts at bit `at`; `value` has no bits above the width.
///
/// # Panics
/// When the run is not inside the words.
#[inline]
pub fn write_bits(words: &mut [u64], at: usize, width: u32, value: u64) {
    if width == 0 {
        return;
    }
    let (word, shift) = (at / 64, (at % 64) as u32);
    let mask = low_bits(width);
    words[word] = words[word] & !(mask << shift) | value << shift;
    if shift + width > 64 {
        let next = &mut words[word + 1];
        *next = *next & !(mask >> (64 - shift)) | value >> (64 - shift);
    }
}

/// Puts a run of 1 to 63 bits before bit `at` of a string of `len` bits: all bits from there on move up by `width`.
///
/// # Panics
/// When the words have no room for `len + width` bits.
#[inline]
pub fn insert_bits(words: &mut [u64], len: usize, at: usize, width: u32, value: u64) {
    debug_assert!((1..64).contains(&width) && at <= len, "a run that can be put in");
    let (first, last) = (at / 64, (len + width as usize - 1) / 64);
    let kept = low_bits((at % 64) as u32);
    let moved = &mut words[first..=last];
    // From the end, so that nothing is overwritten before it has moved.
    for word in (2..moved.len()).rev() {
        moved[word] = moved[word] << width | moved[word - 1] >> (64 - width);
    }
    if let [first, second, ..] = moved {
        *second = *second << width | (*first & !kept) >> (64 - width);
    }
    moved[0] = moved[0] & kept | (moved[0] & !kept) << width;
    write_bits(words, at, width, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix64;

    #[test]
    fn runs_come_back_and_leave_their_neighbours_alone() {
        for seed in 0..500u64 {
            let mut words = [mix64(seed), mix64(seed + 1), mix64(seed + 2)];
            let before = words;
            let width = (mix64(seed ^ 77) % 65) as u32;
            let at = (mix64(seed ^ 99) % (193 - u64::from(width))) as usize;
            let value = mix64(seed ^ 11) & low_bits(width);
            write_bits(&mut words, at, width, value);
            assert_eq!(read_bits(&words, at, width), value);
            for bit in (0..192).filter(|bit| !(at..at + width as usize).contains(bit)) {
                assert_eq!(
                    read_bits(&words, bit, 1),
                    read_bits(&before, bit, 1),
                    "bit {bit}, {width} at {at}"
                );
            }
        }
    }

    #[test]
    fn inserting_moves_what_follows() {
        for seed in 0..2000u64 {
            let width = 1 + (mix64(seed ^ 5) % 63) as u32;
            let len = (mix64(seed ^ 6) % (257 - u64::from(width))) as usize;
            let at = (mix64(seed ^ 7) % (len as u64 + 1)) as usize;
            let value = mix64(seed ^ 8) & low_bits(width);
            let before: [u64; 4] = std::array::from_fn(|i| mix64(seed * 4 + i as u64));
            let mut words = before;
            insert_bits(&mut words, len, at, width, value);
            assert_eq!(read_bits(&words, at, width), value);
            for bit in 0..len {
                let moved = if bit < at { bit } else { bit + width as usize };
                assert_eq!(read_bits(&words, moved, 1), read_bits(&before, bit, 1), "{seed}: bit {bit}");
            }
        }
    }
}
