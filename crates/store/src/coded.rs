//! Every state as its code, found by a hash table.
//!
//! The plain store with a [`Codec`] in front: what is kept and compared are codes, whose lengths may differ.
//!
//! ```text
//!               codec                index (IdTable)             codes (CodeArena)
//!  words ──────────────────> code    +-----+---+-----+---+       +---+---------+---+-----+---
//!                                    | tag |   | tag |   | ───>  | 9 | state 0 | 5 | ... |
//!  hash of the words ──────────────> +-----+---+-----+---+       +---+---------+---+-----+---
//! ```
//!
//! **Cost.** The bytes of the code, 1.5 to find it where lengths differ, and 9 to 11.5 for the index, for each
//! state. Each insertion encodes the state once, unless it was met just before (see `recent.rs`). While all codes are written anew (see [`codec`](crate::Codec)),
//! both the old and the new ones are there.
//!
//! **Exact.** Equal tags only suggest that two states are equal; their codes decide.

use petite_bits::{BitReader, BitWriter, CodeArena, Hint, IdTable, Packing};
use petite_model::Model;

use crate::{CodeError, Codec, Codes, Coding, Figure, Inserted, Lookup, Origin, StateId, StateSet};
use crate::{Store, StoreError, recent::Recent};

/// An exact hash table of codes.
#[derive(Debug)]
pub struct Coded<C> {
    codec: C,
    index: IdTable,
    codes: CodeArena,
    recent: Recent,
    /// Scratch: the code of the state at hand.
    code: BitWriter,
}

impl<C: Coding> Coded<C> {
    /// An empty store of states written by this codec.
    pub fn new(codec: C) -> Coded<C> {
        let codes = CodeArena::new(codec.fixed_bytes());
        let (index, recent, code) = (IdTable::new(), Recent::default(), BitWriter::default());
        Coded { codec, index, codes, recent, code }
    }

    /// The codec.
    pub fn codec(&self) -> &C {
        &self.codec
    }

    /// Writes all codes anew. On failure the store still has the old ones.
    #[cold]
    fn recode(&mut self) -> Result<(), StoreError> {
        let mut recoded = CodeArena::new(self.codec.fixed_bytes());
        for id in 0..self.codes.len() {
            self.code.clear();
            self.codec.recode(self.codes.get(id), &mut self.code);
            recoded.push(self.code.finish())?;
        }
        self.codes = recoded;
        Ok(())
    }
}

impl<C: Coding> StateSet for Coded<C> {
    #[inline]
    fn prefetch(&self, hash: u64) -> Hint {
        self.index.prefetch(hash)
    }

    #[inline]
    fn guess(&self, _: u64, hint: Hint) -> Option<StateId> {
        let id = self.index.guess(hint)?;
        self.codes.prefetch(id as usize);
        Some(StateId(id))
    }

    #[inline]
    fn len(&self) -> usize {
        self.codes.len()
    }

    /// The index stays as it is: hashes do not depend on the widths.
    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        self.recent.clear();
        match self.codec.repack(from, to)? {
            Codes::Keep => Ok(()),
            Codes::Recode => self.recode(),
        }
    }

    fn bytes(&self) -> usize {
        let tables = self.index.bytes() + self.codes.bytes() + self.recent.bytes();
        tables + self.code.bytes() + self.codec.bytes()
    }

    fn vector_bytes(&self) -> usize {
        self.codes.total()
    }

    fn name(&self) -> &'static str {
        "plain"
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = vec![
            Figure::words("codec", self.codec.name()),
            Figure::bytes("encoded bytes", self.codes.total() as u64),
        ];
        figures.extend(self.codec.figures());
        figures
    }
}

impl<M: Model, C: Codec<M>> Store<M> for Coded<C> {
    #[inline]
    fn insert(&mut self, model: &mut M, words: &[u64], hash: u64, _: Origin) -> Result<Inserted, StoreError> {
        if let Some(id) = self.recent.find(words, hash) {
            return Ok(Inserted { id: StateId(id), new: false });
        }
        loop {
            self.code.clear();
            match self.codec.encode(model, words, &mut self.code) {
                Ok(()) => break,
                Err(CodeError::Recode) => self.recode()?,
                Err(CodeError::Store(error)) => return Err(error),
            }
        }
        let Coded { index, codes, code, recent, .. } = self;
        let code = code.finish();
        let gap = match index.find(hash, |id| codes.get(id as usize) == code) {
            Ok(id) => {
                recent.note(words, hash, id, codes.len());
                return Ok(Inserted { id: StateId(id), new: false });
            }
            Err(gap) => gap,
        };
        let id = u32::try_from(codes.len()).ok().filter(|&id| id <= IdTable::MAX_ID);
        let id = id.ok_or(StoreError::OutOfIds)?;
        codes.push(code)?;
        if let Err(error) = index.insert(gap, id) {
            codes.pop();
            return Err(error.into());
        }
        recent.note(words, hash, id, codes.len());
        Ok(Inserted { id: StateId(id), new: true })
    }
}

impl<M: Model, C: Codec<M>> Lookup<M> for Coded<C> {
    #[inline]
    fn get(&mut self, model: &mut M, id: StateId, words: &mut [u64]) {
        self.codec.decode(model, BitReader::new(self.codes.get(id.index())), words);
    }

    fn find(&mut self, model: &mut M, words: &[u64], hash: u64) -> Option<StateId> {
        self.code.clear();
        if !self.codec.encode_known(model, words, &mut self.code) {
            return None;
        }
        let code = self.code.finish();
        self.index.find(hash, |id| self.codes.get(id as usize) == code).ok().map(StateId)
    }
}
