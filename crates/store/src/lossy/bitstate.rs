//! States as a few bits of one large array.
//!
//! Each state sets k bits of an array whose size is chosen beforehand, at positions that k hash functions give; it is
//! taken for known when all of them are set already (Holzmann, *An improved protocol reachability analysis technique*,
//! 1988; with two hashes made into k by Dillinger and Manolios, *Bloom filters in probabilistic verification*, 2004).
//!
//! ```text
//!  state ──> first, second ──> p(i) = first + i · second + (i³ - i) / 6     (64 bits, for i = 0 .. k - 1)
//!                              position = p(i) · bits / 2^64
//! ```
//!
//! The cubic term keeps pairs of states whose two hashes are related from sharing all positions.
//!
//! **Cost.** The array, however few states there are; k cache misses for each insertion, which
//! [`StateSet::prefetch`] can only help with for the first position.
//!
//! **Lossy.** With a fraction p of the bits set, a new state is missed with probability p^k; see
//! [`Omission`]. The number of bits set is counted, not estimated.

use petite_bits::{Hint, Packing, prefetch};
use petite_model::Model;

use super::omission::Omission;
use super::two_hashes::TwoHashes;
use crate::{Exactness, Figure, Inserted, Origin, StateId, StateSet, Store, StoreError};

/// The most hash functions; more than that never helps.
pub const MOST_FUNCTIONS: u32 = 64;

/// A lossy set of states: an array of bits.
#[derive(Debug)]
pub struct Bitstate {
    words: Vec<u64>,
    n_functions: u32,
    hashes: TwoHashes,
    n_set: u64,
    len: usize,
    omission: Omission,
}

impl Bitstate {
    /// An empty set in an array of so many bytes, 8 at least.
    ///
    /// # Errors
    /// When the system does not give that much.
    pub fn new(bytes: usize, n_functions: u32, seed: u64) -> Result<Bitstate, StoreError> {
        let n_words = (bytes / size_of::<u64>()).max(1);
        let mut words = Vec::new();
        words.try_reserve_exact(n_words).map_err(|_| StoreError::OutOfMemory)?;
        words.resize(n_words, 0);
        Ok(Bitstate {
            words,
            n_functions: n_functions.clamp(1, MOST_FUNCTIONS),
            hashes: TwoHashes::new(seed),
            n_set: 0,
            len: 0,
            omission: Omission::default(),
        })
    }

    /// Number of bits of the array.
    #[inline]
    fn n_bits(&self) -> u64 {
        self.words.len() as u64 * 64
    }

    /// The bit that a 64-bit number stands for.
    #[inline]
    fn bit(&self, number: u64) -> u64 {
        ((u128::from(number) * u128::from(self.n_bits())) >> 64) as u64
    }
}

impl StateSet for Bitstate {
    #[inline]
    fn prefetch(&self, hash: u64) -> Hint {
        prefetch(&self.words, (self.bit(self.hashes.first(hash)) / 64) as usize);
        Hint::default()
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    /// Nothing is to be done: hashes do not depend on the widths.
    fn repack(&mut self, _: &Packing, _: &Packing) -> Result<(), StoreError> {
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    fn vector_bytes(&self) -> usize {
        self.bytes()
    }

    fn name(&self) -> &'static str {
        "bitstate"
    }

    fn figures(&self) -> Vec<Figure> {
        vec![
            Figure::count("hash functions", u64::from(self.n_functions)),
            Figure::number("part of the bits set", self.n_set as f64 / self.n_bits() as f64),
            Figure::number("states missed, expected", self.omission.expected()),
        ]
    }

    fn exactness(&self) -> Exactness {
        Exactness::Lossy { omission: self.omission.probability() }
    }
}

impl<M: Model> Store<M> for Bitstate {
    #[inline]
    fn insert(&mut self, model: &mut M, words: &[u64], hash: u64, _: Origin) -> Result<Inserted, StoreError> {
        let mut number = self.hashes.first(hash);
        let mut step = self.hashes.second(model.packing(), words);
        let false_positive = (self.n_set as f64 / self.n_bits() as f64).powi(self.n_functions as i32);
        let mut new = false;
        for i in 0..u64::from(self.n_functions) {
            let bit = self.bit(number);
            let (word, mask) = (&mut self.words[(bit / 64) as usize], 1u64 << (bit % 64));
            if *word & mask == 0 {
                if !new && self.len >= u32::MAX as usize {
                    return Err(StoreError::OutOfIds);
                }
                new = true;
                *word |= mask;
                self.n_set += 1;
            }
            // The differences of the cubic are the triangular numbers.
            number = number.wrapping_add(step);
            step = step.wrapping_add(i + 1);
        }
        if !new {
            return Ok(Inserted { id: StateId::UNKNOWN, new });
        }
        self.omission.stored(false_positive);
        self.len += 1;
        Ok(Inserted { id: StateId::new(self.len - 1), new })
    }
}
