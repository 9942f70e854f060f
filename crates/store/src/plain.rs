//! Every state as its packed vector, found by a hash table.
//!
//! This is the store that the others are measured against: nothing is shared between states and nothing is
//! computed to get one back.
//!
//! ```text
//!  index (IdTable)                 vectors (VectorArena)
//!  +-----+-----+---+-----+         +----------+----------+----------+---
//!  | tag | tag |   | tag |         | state 0  | state 1  | state 2  | ...
//!  |  2  |  0  |   |  1  |  ---->  +----------+----------+----------+---
//!  +-----+-----+---+-----+           n_bytes
//! ```
//!
//! **Cost.** [`Packing::n_bytes`] bytes for the vector and 9 to 11.5 for the index, for each state. An insertion
//! is two cache misses: the line of the index, which [`StateSet::prefetch`] asks for, and the vector, which
//! [`StateSet::guess`] asks for once the line is there.
//!
//! **Exact.** Equal tags only suggest that two states are equal; their vectors decide.

use petite_bits::{Hint, IdTable, Packing, Repacking, VectorArena};
use petite_model::Model;

use crate::{Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};

/// An exact hash table of packed vectors.
#[derive(Debug)]
pub struct Plain {
    index: IdTable,
    vectors: VectorArena,
}

impl Plain {
    /// An empty store of states packed like this.
    pub fn new(packing: &Packing) -> Plain {
        Plain { index: IdTable::new(), vectors: VectorArena::new(packing.n_bytes()) }
    }
}

impl StateSet for Plain {
    #[inline]
    fn prefetch(&self, hash: u64) -> Hint {
        self.index.prefetch(hash)
    }

    #[inline]
    fn guess(&self, _: u64, hint: Hint) -> Option<StateId> {
        let id = self.index.guess(hint)?;
        self.vectors.prefetch(id as usize);
        Some(StateId(id))
    }

    #[inline]
    fn len(&self) -> usize {
        self.vectors.len()
    }

    /// The index stays as it is: hashes do not depend on the widths.
    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        Ok(self.vectors.repack(&Repacking::new(from, to), to.n_bytes())?)
    }

    fn bytes(&self) -> usize {
        self.index.bytes() + self.vectors.bytes()
    }

    fn vector_bytes(&self) -> usize {
        self.vectors.len() * self.vectors.vector_bytes()
    }

    fn name(&self) -> &'static str {
        "plain"
    }
}

impl<M: Model> Store<M> for Plain {
    #[inline(never)]
    fn insert(&mut self, _: &mut M, words: &[u64], hash: u64, _: Origin) -> Result<Inserted, StoreError> {
        let Plain { index, vectors } = self;
        let gap = match index.find(hash, |id| vectors.is(id as usize, words)) {
            Ok(id) => return Ok(Inserted { id: StateId(id), new: false }),
            Err(gap) => gap,
        };
        let id = u32::try_from(vectors.len()).ok().filter(|&id| id <= IdTable::MAX_ID);
        let id = id.ok_or(StoreError::OutOfIds)?;
        vectors.push(words)?;
        if let Err(error) = index.insert(gap, id) {
            vectors.pop();
            return Err(error.into());
        }
        Ok(Inserted { id: StateId(id), new: true })
    }

    /// A guess that is right, as most are, saves looking into the index again.
    #[inline(always)]
    fn insert_guessed(
        &mut self,
        model: &mut M,
        words: &[u64],
        hash: u64,
        origin: Origin,
        guess: Option<StateId>,
    ) -> Result<Inserted, StoreError> {
        match guess {
            Some(id) if self.vectors.is(id.index(), words) => Ok(Inserted { id, new: false }),
            _ => self.insert(model, words, hash, origin),
        }
    }
}

impl<M: Model> Lookup<M> for Plain {
    #[inline]
    fn get(&mut self, _: &mut M, id: StateId, words: &mut [u64]) {
        self.vectors.get(id.index(), words);
    }

    #[inline]
    fn find(&mut self, _: &mut M, words: &[u64], hash: u64) -> Option<StateId> {
        self.index.find(hash, |id| self.vectors.is(id as usize, words)).ok().map(StateId)
    }
}
