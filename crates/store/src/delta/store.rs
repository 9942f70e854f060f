//! The store of Δ-markings.

use petite_bits::{Hint, Packing, QuotientIndex};
use petite_model::{Layout, Model};

use super::config::{DeltaConfig, Switch};
use super::explicit::Explicit;
use super::free_steps::FreeSteps;
use super::ordered_steps::OrderedSteps;
use super::recall::Recall;
use super::recent_ids::RecentIds;
use super::reconstitution::Reconstitution;
use super::steps::Steps;
use crate::{Figure, Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};

/// From here on a guess is no state, but says that there was none with this hash among the first so many: [`absent`]. Where
/// there are as many states, a guess may be both, and is taken for a state.
const FIRST_ABSENT: u32 = 1 << 31;

/// States that may have been added since a guess, for it to be of use.
const MOST_ADDED: usize = 16;

/// The guess that a state is not among the first so many, where there is one.
#[inline]
fn absent(n_states: usize) -> Option<StateId> {
    (n_states < FIRST_ABSENT as usize).then_some(StateId(!(n_states as u32)))
}

/// States as steps from other states.
#[derive(Debug)]
pub struct Delta<P> {
    pub(super) config: DeltaConfig,
    pub(super) index: QuotientIndex,
    pub(super) steps: P,
    pub(super) explicit: Explicit,
    pub(super) recall: Recall,
    pub(super) recent: RecentIds,
    /// Hashes of the states added last, each at its identity modulo their number.
    newest_hashes: [u64; MOST_ADDED],
    pub(super) reconstitution: Reconstitution,
    updates: u64,
    rebuilds: u64,
}

impl Delta<OrderedSteps> {
    /// A store for states that come in breadth-first order. In another order it is right, too, but large.
    pub fn breadth_first(layout: &Layout, packing: &Packing, config: DeltaConfig) -> Delta<OrderedSteps> {
        Delta::new(OrderedSteps::new(config.explicit_every.get()), layout, packing, config)
    }
}

impl Delta<FreeSteps> {
    /// A store for states that come in any order.
    pub fn any_order(layout: &Layout, packing: &Packing, config: DeltaConfig) -> Delta<FreeSteps> {
        Delta::new(FreeSteps::new(config.explicit_every.get()), layout, packing, config)
    }
}

impl<P: Steps> Delta<P> {
    fn new(steps: P, layout: &Layout, packing: &Packing, config: DeltaConfig) -> Delta<P> {
        Delta {
            config,
            index: QuotientIndex::new(),
            steps,
            explicit: Explicit::new(layout, packing, config.collapse),
            recall: match config.recall {
                Switch::On => Recall::new(packing.n_words()),
                Switch::Off => Recall::none(),
            },
            recent: match config.recall {
                Switch::On => RecentIds::default(),
                Switch::Off => RecentIds::none(),
            },
            newest_hashes: [0; MOST_ADDED],
            reconstitution: Reconstitution::default(),
            updates: 0,
            rebuilds: 0,
        }
    }

    /// The identity of a state, if it is stored.
    #[inline]
    pub(super) fn look_up<M: Model>(&mut self, model: &mut M, words: &[u64], hash: u64) -> Option<StateId> {
        let Delta { config, index, steps, explicit, recall, reconstitution, .. } = self;
        let found = match config.backward_firing {
            Switch::On if model.is_reversible() => index.find(hash, |id| {
                reconstitution.is_backward(model, (&*steps, explicit, recall), StateId(id), words)
            }),
            _ => index.find(hash, |id| {
                reconstitution.is_forward(model, (&*steps, explicit, recall), StateId(id), words)
            }),
        };
        found.map(StateId)
    }

    /// Whether a stored state is the given one.
    #[inline]
    fn is<M: Model>(&mut self, model: &mut M, id: StateId, words: &[u64]) -> bool {
        let Delta { config, steps, explicit, recall, reconstitution, .. } = self;
        match config.backward_firing {
            Switch::On if model.is_reversible() => {
                reconstitution.is_backward(model, (&*steps, explicit, recall), id, words)
            }
            _ => reconstitution.is_forward(model, (&*steps, explicit, recall), id, words),
        }
    }

    /// Whether a guess says that a state was not there, and it has not been added since.
    #[inline]
    fn is_absent(&self, guess: StateId, hash: u64) -> bool {
        let (n_states, len) = (!guess.0 as usize, self.steps.len());
        if guess.0 < FIRST_ABSENT || len > FIRST_ABSENT as usize || len.wrapping_sub(n_states) > MOST_ADDED {
            return false;
        }
        (n_states..len).all(|id| self.newest_hashes[id % MOST_ADDED] != hash)
    }

    /// The identity of a state that was reached in a new way, which may be the shorter one. The guess is looked at
    /// first; where it is right, the index is not asked.
    #[inline]
    pub(super) fn meet<M: Model>(
        &mut self,
        model: &mut M,
        words: &[u64],
        hash: u64,
        origin: Origin,
        guess: Option<StateId>,
    ) -> Result<Option<StateId>, StoreError> {
        let found = match guess {
            Some(guess) if self.is_absent(guess, hash) => return Ok(None),
            Some(id) if id.index() < self.steps.len() && self.is(model, id, words) => Some(id),
            _ => self.look_up(model, words, hash),
        };
        if let Some(id) = found {
            self.recent.note(hash, id);
        }
        if let Some(id) = found
            && self.config.predecessor_update == Switch::On
            && let Origin::Step { parent, action } = origin
        {
            self.updates += u64::from(self.steps.shorten(id, parent, action)?);
        }
        Ok(found)
    }

    /// Adds a state that is not there.
    pub(super) fn add(&mut self, words: &[u64], hash: u64, origin: Origin) -> Result<StateId, StoreError> {
        let id = u32::try_from(self.steps.len()).ok().filter(|&id| id <= QuotientIndex::MAX_ID);
        let id = id.ok_or(StoreError::OutOfIds)?;
        let distance = self.steps.distance_of_next(origin);
        let number = self.explicit.len() as u32;
        if distance == 0 {
            self.explicit.push(words)?;
        }
        if let Err(error) = self.steps.push(origin, distance, number) {
            self.take_explicit_back(distance);
            return Err(error);
        }
        if let Err(error) = self.index.insert(hash, id) {
            self.steps.pop();
            self.take_explicit_back(distance);
            return Err(error.into());
        }
        self.recall.add(StateId(id), words);
        self.recent.add(hash, StateId(id));
        self.newest_hashes[id as usize % MOST_ADDED] = hash;
        Ok(StateId(id))
    }

    fn take_explicit_back(&mut self, distance: u32) {
        if distance == 0 {
            self.explicit.pop();
        }
    }

    /// Builds the index of the given states anew, with more of each hash.
    ///
    /// # Errors
    /// States are not found any more then.
    #[cold]
    pub(super) fn sharpen<M: Model>(
        &mut self,
        model: &mut M,
        states: impl Iterator<Item = StateId>,
    ) -> Result<(), StoreError> {
        self.rebuilds += 1;
        self.index.start_anew();
        for id in states {
            let parts = (&self.steps, &mut self.explicit, &mut self.recall);
            let words = self.reconstitution.state(model, parts, id);
            self.index.insert(model.packing().hash(words), id.0)?;
        }
        Ok(())
    }
}

impl<P: Steps> StateSet for Delta<P> {
    #[inline]
    fn prefetch(&self, hash: u64) -> Hint {
        self.index.prefetch(hash);
        Hint::default()
    }

    #[inline]
    fn guess(&self, hash: u64, _: Hint) -> Option<StateId> {
        let n_states = self.steps.len();
        let recent = self.recent.guess(hash, n_states);
        let Some(id) = recent.or_else(|| self.index.guess(hash).map(StateId)) else {
            return absent(n_states);
        };
        // Where the state is at hand, its step need not be read.
        if !self.recall.is_new(id) {
            self.steps.prefetch(id);
        }
        Some(id)
    }

    #[inline]
    fn len(&self) -> usize {
        self.steps.len()
    }

    /// Steps and index stay as they are: neither depends on the widths.
    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        self.recall.clear(to.n_words());
        self.reconstitution.forget();
        self.explicit.repack(from, to)
    }

    fn bytes(&self) -> usize {
        self.index.bytes()
            + self.steps.bytes()
            + self.explicit.bytes()
            + self.recall.bytes()
            + self.recent.bytes()
            + self.reconstitution.bytes()
    }

    fn vector_bytes(&self) -> usize {
        self.steps.bytes() + self.explicit.vector_bytes()
    }

    fn name(&self) -> &'static str {
        "delta"
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = vec![Figure::count("k", self.config.explicit_every.get().into())];
        self.explicit.figures(&mut figures);
        figures.extend([
            Figure::count("reconstitutions", self.reconstitution.reconstitutions),
            Figure::count("firings for reconstitutions", self.reconstitution.firings),
            Figure::count("candidates that were other states", self.reconstitution.mismatches),
            Figure::count("predecessors updated", self.updates),
            Figure::count("times the index was built anew", self.rebuilds),
            Figure::bytes("memory of the index", self.index.bytes() as u64),
            Figure::bytes("memory of the steps", self.steps.bytes() as u64),
            Figure::bytes("explicit markings' memory", self.explicit.bytes() as u64),
            Figure::bytes("memory of recalled states", (self.recall.bytes() + self.recent.bytes()) as u64),
        ]);
        figures
    }
}

impl<M: Model, P: Steps> Store<M> for Delta<P> {
    #[inline]
    fn insert(
        &mut self,
        model: &mut M,
        words: &[u64],
        hash: u64,
        origin: Origin,
    ) -> Result<Inserted, StoreError> {
        self.insert_guessed(model, words, hash, origin, None)
    }

    #[inline]
    fn insert_guessed(
        &mut self,
        model: &mut M,
        words: &[u64],
        hash: u64,
        origin: Origin,
        guess: Option<StateId>,
    ) -> Result<Inserted, StoreError> {
        if let Some(id) = self.meet(model, words, hash, origin, guess)? {
            return Ok(Inserted { id, new: false });
        }
        if self.index.is_vague() {
            let all = self.steps.len();
            self.sharpen(model, (0..all).map(StateId::new))?;
        }
        let id = self.add(words, hash, origin)?;
        Ok(Inserted { id, new: true })
    }
}

impl<M: Model, P: Steps> Lookup<M> for Delta<P> {
    fn get(&mut self, model: &mut M, id: StateId, words: &mut [u64]) {
        let parts = (&self.steps, &mut self.explicit, &mut self.recall);
        words.copy_from_slice(self.reconstitution.state(model, parts, id));
    }

    fn find(&mut self, model: &mut M, words: &[u64], hash: u64) -> Option<StateId> {
        self.look_up(model, words, hash)
    }
}
