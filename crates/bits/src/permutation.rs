//! Invertible mixing of the numbers below any bound.
//!
//! A table that keeps only the remainder of a key needs the key scattered, and back again without loss. A number below
//! the bound is split into a high part, modulo any number, and some low bits, about half of it each; three rounds
//! of a Feistel network change one part by a hash of the other (Luby and Rackoff, "How to construct pseudorandom
//! permutations from pseudorandom functions", 1988). No power of two is imposed, so nothing is wasted on keys
//! that cannot occur:
//!
//! ```text
//!  x = high · 2^h + low        high += f(low)   modulo the number of high parts
//!                              low  ^= g(high)
//!                              high += f(low)
//! ```
//!
//! **Cost.** Seven multiplications either way.

/// A permutation of the numbers below [`Permutation::size`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permutation {
    n_high: u64,
    low_bits: u32,
}

impl Permutation {
    /// The largest size: numbers have at most 62 bits.
    pub const MAX_SIZE: u64 = 1 << 62;

    /// A permutation of at most so many numbers: all that fit the split, which is more than a half of them for small sizes and
    /// nearly all for larger ones.
    ///
    /// # Panics
    /// In debug builds, when the size is zero or too large.
    pub fn within(size: u64) -> Permutation {
        debug_assert!((1..=Permutation::MAX_SIZE).contains(&size), "size {size}");
        let low_bits = (63 - size.leading_zeros()) / 2;
        Permutation { n_high: size >> low_bits, low_bits }
    }

    /// How many numbers are permuted.
    #[inline]
    pub fn size(&self) -> u64 {
        self.n_high << self.low_bits
    }

    /// Where a number goes.
    #[inline]
    pub fn apply(&self, x: u64) -> u64 {
        let mask = (1 << self.low_bits) - 1;
        let (mut high, mut low) = (x >> self.low_bits, x & mask);
        high = self.up(high, low);
        low ^= hash(high) & mask;
        high = self.up(high, low);
        high << self.low_bits | low
    }

    /// Where a number comes from.
    #[inline]
    pub fn invert(&self, x: u64) -> u64 {
        let mask = (1 << self.low_bits) - 1;
        let (mut high, mut low) = (x >> self.low_bits, x & mask);
        high = self.down(high, low);
        low ^= hash(high) & mask;
        high = self.down(high, low);
        high << self.low_bits | low
    }

    #[inline]
    fn up(&self, high: u64, low: u64) -> u64 {
        let sum = high + self.shift(low);
        if sum >= self.n_high { sum - self.n_high } else { sum }
    }

    #[inline]
    fn down(&self, high: u64, low: u64) -> u64 {
        let by = self.shift(low);
        if high >= by { high - by } else { high + self.n_high - by }
    }

    /// By how much the high part changes.
    #[inline]
    fn shift(&self, low: u64) -> u64 {
        let scattered = hash(low).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(scattered) * u128::from(self.n_high)) >> 64) as u64
    }
}

/// Scatters a number over the lower bits.
#[inline]
fn hash(x: u64) -> u64 {
    let y = (x ^ 0x5851_F42D_4C95_7F2D).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    y ^ y >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once_and_goes_back() {
        for size in (1..70).chain([100, 255, 256, 257, 1000, 5000, 65_537, 100_003]) {
            let permutation = Permutation::within(size);
            assert!(permutation.size() <= size && permutation.size() * 2 > size);
            assert!(size < 1000 || permutation.size() > size - size / 16);
            let mut seen = vec![false; permutation.size() as usize];
            for x in 0..permutation.size() {
                let y = permutation.apply(x);
                assert!(!std::mem::replace(&mut seen[y as usize], true), "{y} comes twice at {size}");
                assert_eq!(permutation.invert(y), x);
            }
        }
        for size in [Permutation::MAX_SIZE, Permutation::MAX_SIZE - 1, (1 << 40) + 12345] {
            let permutation = Permutation::within(size);
            for x in (0..1000).chain(permutation.size() - 1000..permutation.size()) {
                assert!(permutation.apply(x) < permutation.size());
                assert_eq!(permutation.invert(permutation.apply(x)), x);
            }
        }
    }

    /// Regular sets of numbers, as identities of pairs are, fill equal ranges equally.
    #[test]
    fn regular_sets_are_scattered() {
        let size = 1 << 24;
        let permutation = Permutation::within(size);
        for step in [1, 2, 3, 4096, 4097, 5000, 65_536] {
            for start in [0, 77_777] {
                let mut counts = vec![0u32; 256];
                let n = 128 * 100;
                for i in 0..n {
                    counts[(permutation.apply((start + i * step) % size) / (size / 256)) as usize] += 1;
                }
                let mean = n as f64 / 256.0;
                let distinct = if step * n > size { n.min(size / step) } else { n };
                if distinct == n {
                    let most = counts.iter().copied().max().map_or(0.0, f64::from);
                    assert!(most < mean + 6.0 * mean.sqrt(), "step {step}: {most} where {mean} are expected");
                }
            }
        }
    }
}
