//! Where the digits of a state come from.

use petite_bits::Packing;
use petite_model::Model;

use super::Format;
use crate::{Figure, StoreError};

/// What can be asked of a source of digits without the model.
pub trait DigitSource {
    /// How keys are cut now.
    fn format(&self) -> &Format;

    /// The states to come are packed differently; how keys are cut from now on, where that changes.
    ///
    /// # Errors
    /// On failure the source is unusable.
    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<Option<Reform>, StoreError>;

    /// Makes room for what did not fit ([`Keyed::Outgrown`]): how keys are cut from now on.
    fn widen(&mut self) -> Reform;

    /// Heap bytes owned.
    fn bytes(&self) -> usize;

    /// What it tells of itself.
    fn figures(&self) -> Vec<Figure> {
        Vec::new()
    }
}

/// A way to write the states of a model as keys.
pub trait Digits<M: Model>: DigitSource {
    /// Writes the key of a state. Equal states have equal keys and different states different ones.
    ///
    /// # Errors
    /// When the state cannot be taken.
    fn write_key(&mut self, model: &mut M, words: &[u64], key: &mut [u8]) -> Result<Keyed, StoreError>;
}

/// Whether a key was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyed {
    /// It was.
    Written,
    /// A digit is too narrow: [`DigitSource::widen`] has to come first.
    Outgrown,
}

/// A change of how keys are cut. Bits are added and never lost, and keep their order.
#[derive(Clone, Debug)]
pub struct Reform {
    /// How they were cut.
    pub old: Format,
    /// For each bit of an old key, in order, its number among the bits of a new key. Bits that are not named
    /// are zero in all old keys.
    pub kept: Vec<u32>,
    /// Whether each digit has the values it had, and only room for more.
    pub same_digits: bool,
}

impl Reform {
    /// The same digits with more bits for some of them.
    pub fn widened(old: &Format, new: &Format) -> Reform {
        let mut kept = Vec::new();
        let mut first = 0;
        for (&before, &after) in old.bits().iter().zip(new.bits()) {
            let added = u32::from(after - before);
            kept.extend((0..u32::from(before)).map(|bit| first + added + bit));
            first += u32::from(after);
        }
        Reform { old: old.clone(), kept, same_digits: true }
    }
}
