//! States and their successors by identity, for searches that go their own way.
//!
//! The model computes, the store remembers, and whoever asks sees identities alone. When a field gets too narrow, all
//! states that there are get wider ones, here and in the store.

use petite_bits::{Hint, Outgrown, Repacking};
use petite_model::{ActionId, Fault, Model};
use petite_net::RunError;
use petite_search::{Ending, Limit, Limits, ModelFailure, Monitor, Progress, Watch};
use petite_store::{Lookup, Origin, StateId, StoreError};

use crate::{AtomId, Atoms};

/// A step of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub action: ActionId,
    pub to: StateId,
}

/// Computes successors of stored states and stores them.
pub(crate) struct Expander<'a, M, S> {
    pub model: &'a mut M,
    pub store: &'a mut S,
    watch: Watch<'a>,
    /// The state that was loaded last.
    words: Vec<u64>,
    /// Its successors, one behind the other, with their hashes and what the store takes them for.
    fired: Vec<u64>,
    hashes: Vec<(u64, Hint)>,
    guesses: Vec<Option<StateId>>,
    actions: Vec<ActionId>,
    pub edges: u64,
}

impl<'a, M: Model, S: Lookup<M>> Expander<'a, M, S> {
    pub fn new(model: &'a mut M, store: &'a mut S, limits: &Limits, monitor: &'a mut dyn Monitor) -> Self {
        let n_words = model.packing().n_words();
        Expander {
            model,
            store,
            watch: Watch::new(limits, monitor),
            words: vec![0; n_words],
            fired: Vec::new(),
            hashes: Vec::new(),
            guesses: Vec::new(),
            actions: Vec::new(),
            edges: 0,
        }
    }

    /// Stores the initial state.
    pub fn start(&mut self) -> Result<StateId, Ending> {
        if self.watch.is_last_state(0) {
            return Err(Ending::LimitReached(Limit::States));
        }
        while let Err(fault) = self.model.initial(&mut self.words) {
            match fault {
                Fault::Outgrown(outgrown) => self.widen(outgrown)?,
                Fault::Run(error) => return Err(failure(*error, None, None)),
            }
            self.words.fill(0);
        }
        let hash = self.model.packing().hash(&self.words);
        let inserted = self.store.insert(self.model, &self.words, hash, Origin::Initial);
        let id = inserted.map_err(store_ending)?.id;
        match self.watch.is_last_state(1) {
            true => Err(Ending::LimitReached(Limit::States)),
            false => Ok(id),
        }
    }

    /// Makes a stored state the present one.
    pub fn load(&mut self, id: StateId) {
        self.words.resize(self.model.packing().n_words(), 0);
        self.store.get(self.model, id, &mut self.words);
    }

    /// Whether an atom holds in the present state.
    pub fn holds<A: Atoms<M>>(&mut self, atoms: &mut A, atom: AtomId) -> Result<bool, Ending> {
        atoms.holds(self.model, &self.words, atom).map_err(|error| failure(error, Some(&self.words), None))
    }

    /// Gives the steps from the present state, which has the given identity; a dead state has none.
    pub fn steps(&mut self, id: StateId, steps: &mut Vec<Step>) -> Result<(), Ending> {
        steps.clear();
        self.actions.clear();
        let enabled = self.model.enabled(&self.words, &mut self.actions);
        enabled.map_err(|error| failure(error, Some(&self.words), None))?;
        steps.try_reserve(self.actions.len()).map_err(|_| Ending::OutOfMemory)?;
        self.store.expanding(&self.words);
        self.fire_all()?;
        let n_words = self.words.len();
        for at in 0..self.actions.len() {
            let (action, hash) = (self.actions[at], self.hashes[at].0);
            let origin = Origin::Step { parent: id, action };
            let fired = &self.fired[at * n_words..][..n_words];
            let guess = self.guesses[at];
            let inserted = self.store.insert_guessed(self.model, fired, hash, origin, guess);
            let inserted = inserted.map_err(store_ending)?;
            self.edges += 1;
            steps.push(Step { action, to: inserted.id });
            if inserted.new && self.watch.is_last_state(self.store.len()) {
                return Err(Ending::LimitReached(Limit::States));
            }
        }
        Ok(())
    }

    /// Fires all enabled actions of the present state, and tells the store of the successors ahead: waiting for its
    /// memory is what takes longest.
    fn fire_all(&mut self) -> Result<(), Ending> {
        self.fired.clear();
        self.hashes.clear();
        self.guesses.clear();
        let n_words = self.words.len();
        self.fired.try_reserve(n_words * self.actions.len()).map_err(|_| Ending::OutOfMemory)?;
        let hash = self.model.packing().hash(&self.words);
        for at in 0..self.actions.len() {
            let action = self.actions[at];
            let fired_hash = loop {
                let start = self.fired.len();
                self.fired.extend_from_slice(&self.words);
                let mut fired_hash = hash;
                match self.model.fire(&mut self.fired[start..], &mut fired_hash, action) {
                    Ok(()) => break fired_hash,
                    Err(Fault::Outgrown(outgrown)) => {
                        self.fired.truncate(start);
                        self.widen(outgrown)?;
                    }
                    Err(Fault::Run(error)) => return Err(failure(*error, Some(&self.words), Some(action))),
                }
            };
            self.hashes.push((fired_hash, self.store.prefetch(fired_hash)));
        }
        self.guesses.extend(self.hashes.iter().map(|&(hash, hint)| self.store.guess(hash, hint)));
        Ok(())
    }

    /// The actions enabled in the state that [`Expander::steps`] was asked for last.
    pub fn actions(&self) -> &[ActionId] {
        &self.actions
    }

    /// Counts events, and looks at limits and interruptions when it is time.
    pub fn events(&mut self, n: u64, frontier: impl FnOnce() -> (usize, usize)) -> Result<(), Ending> {
        if !self.watch.events(n) {
            return Ok(());
        }
        let (len, bytes) = frontier();
        self.watch.look(Progress {
            states: self.store.len() as u64,
            edges: self.edges,
            frontier: len as u64,
            store_bytes: self.store.bytes(),
            model_bytes: self.model.bytes(),
            frontier_bytes: bytes,
            elapsed: std::time::Duration::ZERO,
        })
    }

    /// Time since the start.
    pub fn elapsed(&self) -> std::time::Duration {
        self.watch.elapsed()
    }

    #[cold]
    fn widen(&mut self, outgrown: Outgrown) -> Result<(), Ending> {
        let old = self.model.widen(outgrown);
        let new = self.model.packing();
        if old == *new {
            return Ok(());
        }
        let repacking = Repacking::new(&old, new);
        repacking.apply_all(&mut self.words);
        repacking.apply_all(&mut self.fired);
        self.store.repack(&old, new).map_err(store_ending)
    }
}

/// How a search ends when its store cannot go on.
fn store_ending(error: StoreError) -> Ending {
    match error {
        StoreError::OutOfIds => Ending::OutOfIds,
        // The enum may grow; whatever comes, the store could not hold the state.
        _ => Ending::OutOfMemory,
    }
}

/// How a search ends when its model is wrong.
pub(crate) fn failure(error: RunError, state: Option<&[u64]>, action: Option<ActionId>) -> Ending {
    let state = state.map(<[u64]>::to_vec);
    Ending::Failed(Box::new(ModelFailure { error, state, action, trace: None }))
}
