//! A set of states in a decision diagram.
//!
//! New states wait in a small table and are added to the diagram together, in order; a search asks both. How many
//! wait grows with the diagram and with the number of states: an eighth of the diagram's bytes, or of a byte for each
//! state, so that the table stays a small part of the memory and a union is worth its while.
//!
//! **Exact.** Keys are injective, and both the table and the diagram compare whole keys.
//!
//! **Pure.** A diagram has no identities: states are numbered when they are new, and never again.

use petite_bits::Packing;
use petite_model::Model;

use super::pending::Pending;
use super::{DigitSource, Digits, Format, Keyed, Reform, SortedKeys};
use crate::{Figure, Inserted, Origin, StateId, StateSet, Store, StoreError};

/// Bytes for states that wait, at least and at most.
const WAITING_BYTES: [usize; 2] = [1 << 13, 1 << 26];

/// States that wait, at least, before they are added together.
const LEAST_WAITING: usize = 1 << 7;

/// Bytes of the diagram, and number of states in it, divided by bytes for states that wait.
const SHARE: usize = 8;

/// Bytes that a waiting state takes beyond its key: two to four cells, and its place in the order.
const BESIDES_KEY: usize = 28;

/// A decision diagram: a set of keys that are all cut alike.
pub trait Diagram {
    /// What it is called on the command line.
    fn name(&self) -> &'static str;

    /// Whether a key is in the set.
    fn contains(&self, format: &Format, key: &[u8]) -> bool;

    /// Adds keys that are not in the set.
    ///
    /// # Errors
    /// The set is unchanged then.
    fn union(&mut self, format: &Format, keys: SortedKeys<'_>) -> Result<(), StoreError>;

    /// Keys are cut differently from now on.
    ///
    /// # Errors
    /// The set is lost then.
    fn reform(&mut self, reform: &Reform, new: &Format) -> Result<(), StoreError>;

    /// Heap bytes owned.
    fn bytes(&self) -> usize;

    /// Heap bytes owned at the most, until now.
    fn peak_bytes(&self) -> usize;

    /// What it tells of itself.
    fn figures(&self) -> Vec<Figure>;
}

/// How new states are added to a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batching {
    /// Each at once, as paper 4 does.
    Single,
    /// Many together, in order.
    Batches,
}

/// A set of states in a diagram.
#[derive(Debug)]
pub struct DiagramStore<D, S> {
    diagram: D,
    source: S,
    pending: Pending,
    batching: Batching,
    /// Scratch: the key of the state at hand.
    key: Vec<u8>,
    len: usize,
    peak_bytes: usize,
}

impl<D: Diagram, S: DigitSource> DiagramStore<D, S> {
    /// A store with an empty diagram.
    pub fn new(diagram: D, source: S, batching: Batching) -> DiagramStore<D, S> {
        let key = vec![0; source.format().key_bytes()];
        let pending = Pending::default();
        DiagramStore { diagram, source, pending, batching, key, len: 0, peak_bytes: 0 }
    }

    /// Adds all states that wait to the diagram, and makes room for others.
    ///
    /// # Errors
    /// The states still wait then.
    fn flush(&mut self) -> Result<(), StoreError> {
        if self.pending.len() > 0 {
            self.diagram.union(self.source.format(), self.pending.sorted())?;
        }
        self.peak_bytes =
            self.peak_bytes.max(self.diagram.peak_bytes() + self.bytes() - self.diagram.bytes());
        let key_bytes = self.source.format().key_bytes();
        let [least, most] = WAITING_BYTES;
        let bytes = (self.diagram.bytes().max(self.len) / SHARE).clamp(least, most);
        let capacity = match self.batching {
            Batching::Single => 1,
            Batching::Batches => (bytes / (key_bytes + BESIDES_KEY)).max(LEAST_WAITING),
        };
        self.pending.reset(key_bytes, capacity)?;
        Ok(())
    }

    fn reform(&mut self, reform: &Reform) -> Result<(), StoreError> {
        self.diagram.reform(reform, self.source.format())?;
        self.key.resize(self.source.format().key_bytes(), 0);
        // There is nothing in the table; it has to know the new length of keys.
        self.flush()
    }
}

impl<D: Diagram, S: DigitSource> StateSet for DiagramStore<D, S> {
    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        self.flush()?;
        match self.source.repack(from, to)? {
            Some(reform) => self.reform(&reform),
            None => Ok(()),
        }
    }

    fn bytes(&self) -> usize {
        self.diagram.bytes() + self.source.bytes() + self.pending.bytes() + self.key.capacity()
    }

    fn vector_bytes(&self) -> usize {
        self.diagram.bytes()
    }

    fn name(&self) -> &'static str {
        self.diagram.name()
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = self.source.figures();
        figures.extend(self.diagram.figures());
        figures.push(Figure::bytes("memory at the peak", self.peak_bytes.max(self.bytes()) as u64));
        figures.push(Figure::count("states not yet in it", self.pending.len() as u64));
        figures
    }
}

impl<M: Model, D: Diagram, S: Digits<M>> Store<M> for DiagramStore<D, S> {
    fn insert(&mut self, model: &mut M, words: &[u64], hash: u64, _: Origin) -> Result<Inserted, StoreError> {
        while self.source.write_key(model, words, &mut self.key)? == Keyed::Outgrown {
            self.flush()?;
            let reform = self.source.widen();
            self.reform(&reform)?;
        }
        let known = Inserted { id: StateId::UNKNOWN, new: false };
        let Err(mut cell) = self.pending.find(&self.key, hash) else { return Ok(known) };
        if self.diagram.contains(self.source.format(), &self.key) {
            return Ok(known);
        }
        if self.len >= u32::MAX as usize {
            return Err(StoreError::OutOfIds);
        }
        if self.pending.is_full() {
            self.flush()?;
            cell = self.pending.find(&self.key, hash).err().unwrap_or(0);
        }
        self.pending.add(&self.key, cell);
        self.len += 1;
        if self.batching == Batching::Single {
            // Where there is no memory it waits, as a member of the set, and the next state is refused.
            let _ = self.flush();
        }
        Ok(Inserted { id: StateId::new(self.len - 1), new: true })
    }
}
