//! How a key is cut into digits.
//!
//! A state comes to a diagram as a string of bytes of fixed length, its key. The key is cut into *digits*, small
//! numbers: the values of slots, of several narrow slots together, or the indices of a codec. Each digit takes whole
//! bytes, the highest first, so that keys compare like their sequences of digits:
//!
//! ```text
//!  digit      0        1             2
//!  bits       7        12            3
//!  key     | 0ddddddd | 0000dddd dddddddd | 00000ddd |
//! ```
//!
//! A diagram over bits takes the bits of all digits in this order and leaves the padding out.

/// The digits of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    bits: Vec<u8>,
    /// Where the bytes of each digit start, and where the last one's end.
    starts: Vec<u32>,
    digit_of_byte: Vec<u32>,
}

/// Where a bit of a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitPlace {
    /// The byte.
    pub byte: u32,
    /// Distance from the byte's lowest bit.
    pub shift: u8,
}

impl Format {
    /// Digits of so many bits each, at most 32; a digit of no bits still takes a byte.
    pub fn new(bits: Vec<u8>) -> Format {
        let mut starts = vec![0];
        let mut digit_of_byte = Vec::new();
        for (digit, &bits) in bits.iter().enumerate() {
            digit_of_byte.extend(std::iter::repeat_n(digit as u32, bytes_of(bits)));
            starts.push(digit_of_byte.len() as u32);
        }
        Format { bits, starts, digit_of_byte }
    }

    /// Number of digits.
    #[inline]
    pub fn n_digits(&self) -> usize {
        self.bits.len()
    }

    /// Number of bits of each digit.
    pub fn bits(&self) -> &[u8] {
        &self.bits
    }

    /// Length of a key in bytes.
    #[inline]
    pub fn key_bytes(&self) -> usize {
        self.digit_of_byte.len()
    }

    /// The value of a digit.
    #[inline]
    pub fn digit(&self, key: &[u8], digit: usize) -> u32 {
        let (start, end) = (self.starts[digit] as usize, self.starts[digit + 1] as usize);
        if end - start == 1 {
            return u32::from(key[start]);
        }
        key[start..end].iter().fold(0, |value, &byte| value << 8 | u32::from(byte))
    }

    /// Sets the value of a digit, which has no more bits than the digit.
    #[inline]
    pub fn set_digit(&self, key: &mut [u8], digit: usize, value: u32) {
        let (start, end) = (self.starts[digit] as usize, self.starts[digit + 1] as usize);
        debug_assert!(u64::from(value) >> self.bits[digit] == 0, "{value} in {} bits", self.bits[digit]);
        if end - start == 1 {
            key[start] = value as u8;
            return;
        }
        key[start..end].copy_from_slice(&value.to_be_bytes()[4 - (end - start)..]);
    }

    /// The first digit in which two keys differ.
    #[inline]
    pub fn first_difference(&self, one: &[u8], other: &[u8]) -> Option<usize> {
        let byte = one.iter().zip(other).position(|(a, b)| a != b)?;
        Some(self.digit_of_byte[byte] as usize)
    }

    /// The places of all bits, in order.
    pub fn bit_places(&self) -> Vec<BitPlace> {
        let mut places = Vec::new();
        for (digit, &bits) in self.bits.iter().enumerate() {
            let last = self.starts[digit + 1] - 1;
            let place = |bit: u8| BitPlace { byte: last - u32::from(bit / 8), shift: bit % 8 };
            places.extend((0..bits).rev().map(place));
        }
        places
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.bits.capacity() + (self.starts.capacity() + self.digit_of_byte.capacity()) * size_of::<u32>()
    }
}

impl BitPlace {
    /// The bit of a key.
    #[inline]
    pub fn of(self, key: &[u8]) -> bool {
        key[self.byte as usize] >> self.shift & 1 == 1
    }

    /// Sets the bit of a key.
    #[inline]
    pub fn set(self, key: &mut [u8]) {
        key[self.byte as usize] |= 1 << self.shift;
    }
}

/// Bytes of a digit.
fn bytes_of(bits: u8) -> usize {
    usize::from(bits.div_ceil(8).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    #[test]
    fn digits_come_back_in_order() {
        let format = Format::new(vec![7, 12, 3, 0, 32, 1]);
        assert_eq!((format.n_digits(), format.key_bytes()), (6, 1 + 2 + 1 + 1 + 4 + 1));
        let mut keys = Vec::new();
        for seed in 0..300u64 {
            let value = |digit: u64| mix64(seed / 4 * 6 + digit) as u32;
            let digits: Vec<u32> = (0..6u64)
                .map(|digit| (u64::from(value(digit)) & ((1 << format.bits()[digit as usize]) - 1)) as u32)
                .collect();
            let mut key = vec![0; format.key_bytes()];
            digits.iter().enumerate().for_each(|(digit, &value)| format.set_digit(&mut key, digit, value));
            assert!((0..6).all(|digit| format.digit(&key, digit) == digits[digit]));
            let mut bits = digits
                .iter()
                .zip(format.bits())
                .flat_map(|(&digit, &bits)| (0..bits).rev().map(move |bit| digit >> bit & 1 == 1));
            assert!(format.bit_places().iter().all(|place| Some(place.of(&key)) == bits.next()));
            keys.push((key, digits));
        }
        for (one, other) in keys.iter().zip(&keys[1..]) {
            assert_eq!(one.0.cmp(&other.0), one.1.cmp(&other.1));
            let difference = one.1.iter().zip(&other.1).position(|(a, b)| a != b);
            assert_eq!(format.first_difference(&one.0, &other.0), difference);
        }
    }
}
