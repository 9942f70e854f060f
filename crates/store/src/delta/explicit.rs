//! The markings that are stored explicitly, as they are or collapsed.

use petite_bits::{Packing, Repacking, VectorArena};
use petite_model::Layout;

use super::collapse::Collapsed;
use super::config::Switch;
use crate::{Figure, StoreError};

/// Explicit markings, numbered in the order in which they come.
#[derive(Debug)]
pub enum Explicit {
    /// As their packed vectors.
    Packed(VectorArena),
    /// As the numbers of their components.
    Collapsed(Collapsed),
}

impl Explicit {
    /// No markings yet.
    pub fn new(layout: &Layout, packing: &Packing, collapse: Switch) -> Explicit {
        match collapse {
            Switch::Off => Explicit::Packed(VectorArena::new(packing.n_bytes())),
            Switch::On => Explicit::Collapsed(Collapsed::new(layout, packing)),
        }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Explicit::Packed(vectors) => vectors.len(),
            Explicit::Collapsed(collapsed) => collapsed.len(),
        }
    }

    /// Appends a marking.
    #[inline]
    pub fn push(&mut self, words: &[u64]) -> Result<(), StoreError> {
        match self {
            Explicit::Packed(vectors) => Ok(vectors.push(words)?),
            Explicit::Collapsed(collapsed) => collapsed.push(words),
        }
    }

    /// Takes the last marking back.
    pub fn pop(&mut self) {
        match self {
            Explicit::Packed(vectors) => vectors.pop(),
            Explicit::Collapsed(collapsed) => collapsed.pop(),
        }
    }

    /// Whether a marking is the given state.
    #[inline]
    pub fn is(&mut self, number: u32, words: &[u64]) -> bool {
        match self {
            Explicit::Packed(vectors) => vectors.is(number as usize, words),
            Explicit::Collapsed(collapsed) => collapsed.is(number as usize, words),
        }
    }

    /// Writes a marking.
    #[inline]
    pub fn get(&mut self, number: u32, words: &mut [u64]) {
        match self {
            Explicit::Packed(vectors) => vectors.get(number as usize, words),
            Explicit::Collapsed(collapsed) => collapsed.get(number as usize, words),
        }
    }

    /// Moves all markings to another packing.
    pub fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        match self {
            Explicit::Packed(vectors) => Ok(vectors.repack(&Repacking::new(from, to), to.n_bytes())?),
            Explicit::Collapsed(collapsed) => collapsed.repack(from, to),
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        match self {
            Explicit::Packed(vectors) => vectors.bytes(),
            Explicit::Collapsed(collapsed) => collapsed.bytes(),
        }
    }

    /// Heap bytes of the markings alone.
    pub fn vector_bytes(&self) -> usize {
        match self {
            Explicit::Packed(vectors) => vectors.len() * vectors.vector_bytes(),
            Explicit::Collapsed(collapsed) => collapsed.vector_bytes(),
        }
    }

    /// What is to be told of them.
    pub fn figures(&self, figures: &mut Vec<Figure>) {
        figures.push(Figure::count("explicit markings", self.len() as u64));
        if let Explicit::Collapsed(collapsed) = self {
            figures.push(Figure::count("values of collapsed components", collapsed.n_values() as u64));
        }
    }
}
