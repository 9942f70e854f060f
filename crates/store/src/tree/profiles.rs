//! Lists that many halves share, kept once and known by number.

use petite_bits::{IdTable, mix64};

use super::halves::{GivenUp, reserve};

/// Lists of equal length, each different one once.
#[derive(Debug, Default)]
pub(super) struct Profiles {
    words: Vec<u32>,
    n_words: usize,
    ids: IdTable,
}

impl Profiles {
    /// The number of a profile, which gets one if it has none.
    pub fn intern(&mut self, profile: Vec<u32>) -> Result<u32, GivenUp> {
        self.n_words = profile.len();
        let hash = profile.iter().fold(0, |hash, &word| mix64(hash ^ u64::from(word)));
        let gap = match self.ids.find(hash, |id| self.get(id) == profile) {
            Ok(id) => return Ok(id),
            Err(gap) => gap,
        };
        let id = self.ids.len() as u32;
        reserve(&mut self.words, profile.len())?;
        self.ids.insert(gap, id).map_err(|_| GivenUp)?;
        self.words.extend(profile);
        Ok(id)
    }

    /// A profile of 64 bits.
    #[inline]
    pub fn bits(&self, id: u32) -> u64 {
        let words = self.get(id);
        u64::from(words[0]) | u64::from(words[1]) << 32
    }

    #[inline]
    pub fn get(&self, id: u32) -> &[u32] {
        &self.words[id as usize * self.n_words..][..self.n_words]
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>() + self.ids.bytes()
    }
}
