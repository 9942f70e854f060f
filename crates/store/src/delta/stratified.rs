//! Δ-markings in less memory than they need: stratified caching.
//!
//! Paper 1, section 6 and figure 4, after Geldenhuys: a marking may be forgotten if no Δ-marking points to it and it is
//! not on the search stack. The worst that can happen is that it is visited again. Markings of the stratum k - 1 go
//! first, because their successors are explicit and point to nobody; when they are gone, nobody points to stratum
//! k - 2, and so on. Explicit markings stay, so what is explored twice is never longer than k steps.
//!
//! ```text
//!  stratum 0     explicit          stays
//!  stratum 1     o   o   o
//!  stratum 2     o   x   o         x  goes when it has left the stack and nobody points to it
//!  stratum 3     x   x   x         goes first (k = 4)
//! ```
//!
//! **How.** When the store exceeds its budget, one pass over all records marks what is pointed to, one drops what may
//! go, and one over the index takes it out. The places that are free then are taken by new states; only when none is left,
//! and the budget is exceeded again, is there another sweep.
//!
//! **The stack** is not told to the store, but follows from the origins: the parent of a state that is inserted is the
//! topmost one. So this store is for depth-first search only.
//!
//! **Counts.** A state that was dropped and met again is stored, expanded and counted once more: states, edges and dead
//! states are then upper bounds. [`StateSet::figures`] says by how many states at most. While nothing was dropped,
//! all counts are exact.
//!
//! **Termination.** States on the stack are always found, so no path is endless; but each state may be visited once for
//! each path to it.

use petite_bits::{Hint, Packing};
use petite_model::{Layout, Model};

use super::config::DeltaConfig;
use super::free_steps::FreeSteps;
use super::steps::{Kept, Steps};
use super::store::Delta;
use crate::{Exactness, Figure, Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};

/// A sweep is worth its time when it frees one of so many places.
const WORTH: usize = 16;

/// A store of Δ-markings that forgets some to keep within a budget.
#[derive(Debug)]
pub struct Stratified {
    delta: Delta<FreeSteps>,
    budget: usize,
    /// The search stack, as far as it is known; states that were left may still be on top.
    stack: Vec<StateId>,
    /// A bit for each place: whether it is free.
    free: Vec<u64>,
    n_free: usize,
    /// The word of `free` to look at next.
    cursor: usize,
    /// The nearest stratum to the explicit one that may be dropped from.
    stratum: u32,
    /// The number of places below which no sweep is tried.
    sweep_at: usize,
    inserted: u64,
    /// States inserted when markings were dropped for the first time.
    first_drop: Option<u64>,
    dropped: u64,
    sweeps: u64,
}

impl Stratified {
    /// A store for depth-first search that tries to stay within so many bytes.
    pub fn new(layout: &Layout, packing: &Packing, config: DeltaConfig, budget: usize) -> Stratified {
        Stratified {
            delta: Delta::any_order(layout, packing, config),
            budget,
            stack: Vec::new(),
            free: Vec::new(),
            n_free: 0,
            cursor: 0,
            stratum: config.explicit_every.get(),
            sweep_at: 0,
            inserted: 0,
            first_drop: None,
            dropped: 0,
            sweeps: 0,
        }
    }

    /// How many states may have been counted more than once, at most.
    pub fn repeated_at_most(&self) -> u64 {
        let since = self.first_drop.map_or(0, |first| self.inserted - first);
        since.min(self.dropped)
    }

    /// Brings the stack up to date: the parent is the topmost state.
    fn return_to(&mut self, parent: StateId) {
        while self.stack.last().is_some_and(|&top| top != parent) {
            self.stack.pop();
        }
    }

    /// Whether a place is free.
    fn is_free(&self, id: usize) -> bool {
        self.free.get(id / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    /// A free place, which is taken then.
    fn take_free(&mut self) -> Option<StateId> {
        if self.n_free == 0 {
            return None;
        }
        while self.free[self.cursor] == 0 {
            self.cursor = (self.cursor + 1) % self.free.len();
        }
        let word = &mut self.free[self.cursor];
        let id = self.cursor * 64 + word.trailing_zeros() as usize;
        *word &= *word - 1;
        self.n_free -= 1;
        Some(StateId::new(id))
    }

    /// Drops markings until it was worth it, one stratum after the other.
    #[cold]
    fn sweep(&mut self) -> Result<(), StoreError> {
        self.sweeps += 1;
        let n = self.delta.steps.len();
        let first = self.stratum.min(self.delta.config.explicit_every.get().saturating_sub(1));
        self.stratum = first.max(1);
        loop {
            self.drop_stratum()?;
            if self.n_free >= n / WORTH || self.stratum <= 1 {
                break;
            }
            self.stratum -= 1;
        }
        if self.n_free > 0 {
            let free = std::mem::take(&mut self.free);
            let kept = self.delta.index.retain(|id| free[id as usize / 64] >> (id % 64) & 1 == 0);
            self.free = free;
            kept?;
            self.delta.recall.clear(self.delta.recall.n_words());
            self.delta.recent.clear();
            self.delta.reconstitution.forget();
            self.first_drop.get_or_insert(self.inserted);
            self.dropped += self.n_free as u64;
            self.cursor = 0;
        }
        // Where little was found, there is nothing to be found soon.
        self.sweep_at = if self.n_free >= n / WORTH { 0 } else { n + n / WORTH };
        Ok(())
    }

    /// Marks what may go from the current stratum on.
    fn drop_stratum(&mut self) -> Result<(), StoreError> {
        let n = self.delta.steps.len();
        let mut needed = Vec::new();
        needed.try_reserve_exact(n.div_ceil(64)).map_err(|_| StoreError::OutOfMemory)?;
        needed.resize(n.div_ceil(64), 0u64);
        let more = n.div_ceil(64).saturating_sub(self.free.len());
        self.free.try_reserve_exact(more).map_err(|_| StoreError::OutOfMemory)?;
        self.free.resize(n.div_ceil(64), 0);
        let mut need = |id: StateId| needed[id.index() / 64] |= 1 << (id.index() % 64);
        self.stack.iter().for_each(|&id| need(id));
        for id in (0..n).filter(|&id| !self.is_free(id)) {
            if let Kept::Step { parent, .. } = self.delta.steps.get(StateId::new(id)) {
                need(parent);
            }
        }
        for id in 0..n {
            let may_go = needed[id / 64] >> (id % 64) & 1 == 0
                && self.delta.steps.distance(StateId::new(id)) >= self.stratum
                && !self.is_free(id);
            if may_go {
                self.free[id / 64] |= 1 << (id % 64);
                self.n_free += 1;
            }
        }
        Ok(())
    }

    /// Puts a new state into a free place.
    fn reuse(&mut self, id: StateId, words: &[u64], hash: u64, origin: Origin) -> Result<(), StoreError> {
        let delta = &mut self.delta;
        let distance = delta.steps.distance_of_next(origin);
        let number = delta.explicit.len() as u32;
        if distance == 0 {
            delta.explicit.push(words)?;
        }
        delta.steps.replace(id, origin, distance, number)?;
        Ok(delta.index.insert(hash, id.0)?)
    }
}

impl StateSet for Stratified {
    #[inline]
    fn prefetch(&self, hash: u64) -> Hint {
        self.delta.prefetch(hash)
    }

    #[inline]
    fn guess(&self, hash: u64, hint: Hint) -> Option<StateId> {
        self.delta.guess(hash, hint)
    }

    /// States that were inserted: those that were dropped and met again count again.
    fn len(&self) -> usize {
        self.inserted as usize
    }

    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        self.delta.repack(from, to)
    }

    fn bytes(&self) -> usize {
        self.delta.bytes()
            + self.stack.capacity() * size_of::<StateId>()
            + self.free.capacity() * size_of::<u64>()
    }

    fn vector_bytes(&self) -> usize {
        self.delta.vector_bytes()
    }

    fn name(&self) -> &'static str {
        "delta"
    }

    fn exactness(&self) -> Exactness {
        match self.repeated_at_most() {
            0 => Exactness::Exact,
            most => Exactness::Repeated { most },
        }
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = self.delta.figures();
        figures
            .extend([Figure::count("markings dropped", self.dropped), Figure::count("sweeps", self.sweeps)]);
        figures
    }
}

impl<M: Model> Store<M> for Stratified {
    fn insert(
        &mut self,
        model: &mut M,
        words: &[u64],
        hash: u64,
        origin: Origin,
    ) -> Result<Inserted, StoreError> {
        if let Origin::Step { parent, .. } = origin {
            self.return_to(parent);
        }
        if let Some(id) = self.delta.meet(model, words, hash, origin, None)? {
            return Ok(Inserted { id, new: false });
        }
        if self.delta.index.is_vague() {
            let n = self.delta.steps.len();
            let free = std::mem::take(&mut self.free);
            let is_kept = |id: &usize| free.get(id / 64).is_none_or(|word| word >> (id % 64) & 1 == 0);
            let sharpened = self.delta.sharpen(model, (0..n).filter(is_kept).map(StateId::new));
            self.free = free;
            sharpened?;
        }
        if self.n_free == 0 && self.delta.steps.len() >= self.sweep_at && self.bytes() > self.budget {
            self.sweep()?;
        }
        self.stack.try_reserve(1).map_err(|_| StoreError::OutOfMemory)?;
        let id = match self.take_free() {
            Some(id) => {
                self.reuse(id, words, hash, origin)?;
                id
            }
            None => self.delta.add(words, hash, origin)?,
        };
        self.stack.push(id);
        self.inserted += 1;
        Ok(Inserted { id, new: true })
    }
}

impl<M: Model> Lookup<M> for Stratified {
    fn get(&mut self, model: &mut M, id: StateId, words: &mut [u64]) {
        self.delta.get(model, id, words);
    }

    fn find(&mut self, model: &mut M, words: &[u64], hash: u64) -> Option<StateId> {
        self.delta.look_up(model, words, hash)
    }
}
