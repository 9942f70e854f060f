//! Mixing of 64-bit numbers.

/// Spreads the entropy of a 64-bit number over all its bits, invertibly (the finaliser of splitmix64).
#[inline]
pub fn mix64(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
