//! The tree with identities: states are numbered in the order of insertion and given back by their numbers.
//!
//! The root is a map like all the other nodes, so it costs what these cost: about 7 bytes a state.

use petite_bits::{Packing, PairMap};
use petite_model::Model;

use super::codec::Codec;
use super::order::{self, Choice};
use super::sample::Sample;
use super::shape::Shape;
use super::small::figures;
use crate::{Figure, Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};

/// An exact set of states in a tree of pairs, with identities.
#[derive(Debug)]
pub struct IndexedTree {
    codec: Codec,
    root: PairMap,
    choice: Choice,
    /// The state at hand, where it is a stored one.
    base: Option<StateId>,
}

impl IndexedTree {
    /// An empty store for a model, whose slots are ordered by a sample of its states.
    ///
    /// # Errors
    /// When the system gives no more memory.
    pub fn new<M: Model>(model: &mut M) -> Result<IndexedTree, StoreError> {
        let sample = Sample::of(model);
        let choice = order::choose(model, &sample);
        let codec = Codec::new(&choice.shape, model.packing(), order::is_dense(model.layout()))?;
        Ok(IndexedTree { codec, root: PairMap::new(), choice, base: None })
    }

    /// An empty store of counts packed like this, in a tree of a given shape.
    ///
    /// # Errors
    /// When the system gives no more memory.
    pub fn with_shape(packing: &Packing, shape: Shape) -> Result<IndexedTree, StoreError> {
        let codec = Codec::new(&shape, packing, |_| false)?;
        let choice = Choice { shape, name: "given".to_owned(), bits: 0.0 };
        Ok(IndexedTree { codec, root: PairMap::new(), choice, base: None })
    }

    /// Adds a state of a caller that has no model, which differs little from the one added last.
    ///
    /// # Errors
    /// The store is unchanged then.
    pub fn insert_words(&mut self, words: &[u64]) -> Result<Inserted, StoreError> {
        let (left, right) = self.codec.step(words)?;
        self.codec.keep(words);
        let n_before = self.root.len();
        let id = self.root.find_or_insert(left, right)?;
        self.base = Some(StateId(id));
        Ok(Inserted { id: StateId(id), new: self.root.len() > n_before })
    }

    /// How many identities were looked up so far.
    pub fn lookups(&self) -> u64 {
        self.codec.lookups()
    }

    /// Makes a stored state the one at hand.
    #[inline]
    fn go_to(&mut self, id: StateId) {
        if self.base != Some(id) && id.index() < self.root.len() {
            self.codec.go_to_key(self.root.pair(id.0));
            self.base = Some(id);
        }
    }
}

impl StateSet for IndexedTree {
    #[inline]
    fn len(&self) -> usize {
        self.root.len()
    }

    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        self.codec.repack(from, to)
    }

    fn bytes(&self) -> usize {
        self.codec.bytes() + self.root.bytes() + self.choice.bytes()
    }

    fn vector_bytes(&self) -> usize {
        self.root.bytes() + self.codec.table_bytes()
    }

    fn name(&self) -> &'static str {
        "tree-ids"
    }

    fn figures(&self) -> Vec<Figure> {
        figures(&self.codec, &self.choice, self.root.bytes(), 0)
    }
}

impl<M: Model> Store<M> for IndexedTree {
    #[inline]
    fn insert(&mut self, _: &mut M, words: &[u64], _: u64, origin: Origin) -> Result<Inserted, StoreError> {
        if let Origin::Step { parent, .. } = origin {
            self.go_to(parent);
        }
        let (left, right) = self.codec.key(words)?;
        if let Some(id) = self.root.find(left, right) {
            return Ok(Inserted { id: StateId(id), new: false });
        }
        if self.root.len() >= StateId::UNKNOWN.index() - 1 {
            return Err(StoreError::OutOfIds);
        }
        let id = self.root.find_or_insert(left, right)?;
        Ok(Inserted { id: StateId(id), new: true })
    }
}

impl<M: Model> Lookup<M> for IndexedTree {
    #[inline]
    fn get(&mut self, _: &mut M, id: StateId, words: &mut [u64]) {
        self.go_to(id);
        words.copy_from_slice(self.codec.base_words());
    }

    fn find(&mut self, _: &mut M, words: &[u64], _: u64) -> Option<StateId> {
        let (left, right) = self.codec.find(words)?;
        self.root.find(left, right).map(StateId)
    }
}
