//! Two independent hashes of a state, 64 bits each, from a seed.
//!
//! A lossy store is as good as its hash: one that is only 32 bits wide underneath loses states on every model
//! that is worth the effort, whatever is computed from it. Here 128 bits come from two functions with nothing in
//! common:
//!
//! - The *first* is the linear hash that the search carries along ([`Packing::hash`]), mixed with the seed. Being
//!   linear, it is the same for two states exactly if a certain sum of slot keys times differences of values is
//!   zero modulo 2^64. The keys are random and odd, so a pair of states whose differences are not all divisible by
//!   2^j is confused with a probability of at most 2^(j - 63).
//! - The *second* is a sum over the marked slots of a mixed number of slot, value and seed: a table of random
//!   numbers for each slot and value that needs no table (Zobrist, *A new hashing method with application for game
//!   playing*, 1970). Any two states are confused with a probability of 2^-64, over the seeds.
//!
//! Neither depends on the widths of fields, so a store may keep what it made of them when states are repacked.
//! The keys of the first do not depend on the seed: running again with another seed draws the second anew, and with
//! it everything that a store does with both.
//!
//! **Cost.** The first is one mixing; the second one mixing for each marked slot.

use petite_bits::{Packing, mix64};

/// An odd number far from any simple fraction of 2^64.
const STRIDE: u64 = 0x9E37_79B9_7F4A_7C15;

/// A pair of hash functions.
#[derive(Clone, Copy, Debug)]
pub struct TwoHashes {
    first_key: u64,
    second_key: u64,
}

impl TwoHashes {
    /// The functions of a seed.
    pub fn new(seed: u64) -> TwoHashes {
        let first_key = mix64(seed.wrapping_add(STRIDE));
        TwoHashes { first_key, second_key: mix64(first_key.wrapping_add(STRIDE)) }
    }

    /// The first hash, from the linear one.
    #[inline]
    pub fn first(&self, linear: u64) -> u64 {
        mix64(linear.wrapping_add(self.first_key))
    }

    /// The second hash, from the state.
    #[inline]
    pub fn second(&self, packing: &Packing, words: &[u64]) -> u64 {
        // Slot and value together are an injective 64-bit number; a mixing before the key is added keeps the
        // structure of these numbers from the sum.
        let term = |(slot, value): (petite_bits::SlotIdx, u32)| {
            mix64(mix64(u64::from(slot.0) << 32 | u64::from(value)) ^ self.second_key)
        };
        mix64(packing.marked(words).map(term).fold(self.second_key, u64::wrapping_add))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::SlotIdx;
    use std::collections::HashSet;

    #[test]
    fn regular_states_have_all_their_bits_apart() {
        let packing = Packing::new(&[10, 10, 1]);
        let mut seen = [HashSet::new(), HashSet::new(), HashSet::new(), HashSet::new()];
        let hashes = TwoHashes::new(7);
        let mut words = vec![0; packing.n_words()];
        for (a, b) in (0..300).flat_map(|a| (0..300).map(move |b| (a, b))) {
            packing.set(&mut words, SlotIdx(0), a).unwrap();
            packing.set(&mut words, SlotIdx(1), b).unwrap();
            let (first, second) = (hashes.first(packing.hash(&words)), hashes.second(&packing, &words));
            for (set, part) in seen.iter_mut().zip([first, first >> 32, second, second >> 32]) {
                set.insert(part as u32);
            }
        }
        // Random 32-bit halves of 90,000 states collide about once.
        assert!(seen.iter().all(|set| set.len() > 90_000 - 10), "{:?}", seen.map(|set| set.len()));
    }

    #[test]
    fn widths_do_not_matter_and_seeds_do() {
        let narrow = Packing::new(&[4, 4]);
        let wide = Packing::new(&[9, 20]);
        let (mut small, mut large) = (vec![0], vec![0]);
        for (slot, value) in [(SlotIdx(0), 3), (SlotIdx(1), 12)] {
            narrow.set(&mut small, slot, value).unwrap();
            wide.set(&mut large, slot, value).unwrap();
        }
        let hashes = TwoHashes::new(1);
        assert_eq!(hashes.second(&narrow, &small), hashes.second(&wide, &large));
        assert_ne!(hashes.second(&narrow, &small), TwoHashes::new(2).second(&narrow, &small));
        assert_ne!(hashes.first(5), TwoHashes::new(2).first(5));
    }
}
