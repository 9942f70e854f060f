//! The trait of everything that turns states into strings of bits and back.
//!
//! A packed vector spends a field on every slot, whatever the state. A *codec* may do better: it leaves out what
//! is empty or follows from the rest, numbers contents that come again and again, or gives frequent ones short
//! codes. Codes may have different lengths. The store of codes is [`Coded`](crate::Coded).
//!
//! **Canonical.** Equal states have equal codes and different states different ones, because stores compare codes
//! instead of states.
//!
//! **Codes that change.** A codec may have to write all codes differently from now on: an index outgrew its field, or
//! the packing that it relies on became wider. It then knows both ways for a while, and [`Coding::recode`] brings
//! a code from the one before to the one after:
//!
//! ```text
//!  encode ──> CodeError::Recode       for each stored code, in order: recode(old) -> new       encode again
//!  repack ──> Codes::Recode           the same
//! ```

use petite_bits::{BitReader, BitWriter, OutOfMemory, Packing};
use petite_model::Model;

use crate::{Figure, StoreError};

/// What can be asked of a codec without its model.
pub trait Coding {
    /// What it is called on the command line.
    fn name(&self) -> &'static str;

    /// The number of bytes of all codes, where they have the same; it may change where codes do.
    fn fixed_bytes(&self) -> Option<usize> {
        None
    }

    /// Changes the packing of the states to come to one that is at least as wide in every slot.
    ///
    /// # Errors
    /// On failure the codec is unusable.
    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<Codes, OutOfMemory>;

    /// Writes a code as it is written since the last change, given as it was written before. Only called after
    /// the codec has asked for it; a codec that never does keeps the code.
    fn recode(&mut self, old: &[u8], new: &mut BitWriter) {
        old.iter().for_each(|&byte| new.put(u64::from(byte), 8));
    }

    /// Heap bytes owned.
    fn bytes(&self) -> usize;

    /// What it tells of itself beyond that.
    fn figures(&self) -> Vec<Figure> {
        Vec::new()
    }
}

/// A way to write the states of a model as strings of bits.
pub trait Codec<M: Model>: Coding {
    /// Appends the code of a state.
    ///
    /// # Errors
    /// What was appended is worthless then.
    fn encode(&mut self, model: &mut M, words: &[u64], code: &mut BitWriter) -> Result<(), CodeError>;

    /// Appends the code of a state that may be stored, without taking note of anything new. Says `false` where the
    /// state has no code yet: then it is not stored.
    fn encode_known(&mut self, model: &mut M, words: &[u64], code: &mut BitWriter) -> bool {
        self.encode(model, words, code).is_ok()
    }

    /// Writes the packed words of the state with a code.
    fn decode(&mut self, model: &mut M, code: BitReader<'_>, words: &mut [u64]);
}

/// Whether the codes written so far are still good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes {
    /// They are.
    Keep,
    /// All of them have to go through [`Coding::recode`].
    Recode,
}

/// Why a state could not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeError {
    /// From now on, codes are written differently: all of them have to go through [`Coding::recode`], then this
    /// state can be tried again.
    Recode,
    /// The state cannot be taken.
    Store(StoreError),
}

impl From<OutOfMemory> for CodeError {
    fn from(_: OutOfMemory) -> CodeError {
        CodeError::Store(StoreError::OutOfMemory)
    }
}
