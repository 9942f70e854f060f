//! From a Δ-marking back to a state.
//!
//! Both ways follow the predecessors in a loop, so a chain may be as long as it likes.
//!
//! **Forward** (paper 1, figure 2): the actions between an explicit marking and the state are collected, the marking is
//! copied into the one working state, and the actions are fired there.
//!
//! **Backward** (paper 1, "Backward firing of the reconstituting sequence"): to compare a given state with a Δ-marking, the
//! actions are taken back on a copy of the state, and what comes out is compared with the explicit marking. A count
//! below zero ends it at once: the states differ.
//!
//! A chain also ends at a state that is [recalled](Recall), or that is on the *path* to the state computed before: states
//! that are asked for one after the other, as in breadth-first order, mostly have the same predecessors. Nothing here assumes that a step is a single action of the
//! model and nothing else: a store that keeps one state of several alike would turn the working state after each
//! step, in [`Reconstitution::state`].

use petite_model::{ActionId, Model};

use super::explicit::Explicit;
use super::recall::{Recall, are_equal, copy_words};
use super::steps::{Kept, Steps};
use crate::StateId;

/// States of a chain that was taken back to be recalled: the one that was looked for and those nearest to it.
const KEEP: usize = 16;

/// States that the path has at most.
const LONGEST_PATH: usize = 64;

/// Steps that are remembered on the way back. A longer way is gone several times, so that it takes no more memory.
const LONGEST_CHAIN: usize = 1 << 16;

/// What is needed to reconstitute states.
#[derive(Debug)]
pub struct Reconstitution {
    /// The working state.
    working: Vec<u64>,
    /// The state that is compared and those before it, nearest first, to be recalled if it is the same.
    before: Vec<u64>,
    before_ids: [StateId; KEEP],
    /// States that are still to come, the nearest last, with the action that leads there.
    chain: Vec<(StateId, ActionId)>,
    /// The way to the state that was computed last: identities, as a rule ascending, and states.
    path_ids: Vec<StateId>,
    path: Vec<u64>,
    /// How many states were reconstituted or compared backward.
    pub reconstitutions: u64,
    /// How many actions were fired or taken back for that.
    pub firings: u64,
    /// How many of these comparisons said no.
    pub mismatches: u64,
}

impl Default for Reconstitution {
    fn default() -> Reconstitution {
        Reconstitution {
            working: Vec::new(),
            before: Vec::new(),
            before_ids: [StateId(0); KEEP],
            chain: Vec::new(),
            path_ids: Vec::new(),
            path: Vec::new(),
            reconstitutions: 0,
            firings: 0,
            mismatches: 0,
        }
    }
}

impl Reconstitution {
    /// Computes a state; it is in the result until the next call.
    pub fn state<M: Model, P: Steps>(
        &mut self,
        model: &mut M,
        (steps, explicit, recall): (&P, &mut Explicit, &mut Recall),
        id: StateId,
    ) -> &[u64] {
        let n_words = model.packing().n_words();
        self.working.resize(n_words, 0);
        let mut known = None;
        while known != Some(id) {
            self.find_chain((steps, explicit, recall), id, known, n_words);
            self.reconstitutions += u64::from(!self.chain.is_empty());
            self.firings += self.chain.len() as u64;
            known = Some(self.chain.first().map_or(id, |&(nearest, _)| nearest));
            let mut hash = 0;
            while let Some((reached, action)) = self.chain.pop() {
                let fired = model.fire(&mut self.working, &mut hash, action);
                debug_assert!(fired.is_ok(), "the action led here before");
                recall.put(reached, &self.working);
                if self.path_ids.len() == LONGEST_PATH {
                    self.path_ids.drain(..LONGEST_PATH / 2);
                    self.path.drain(..LONGEST_PATH / 2 * n_words);
                }
                self.path_ids.push(reached);
                self.path.extend_from_slice(&self.working);
            }
        }
        &self.working
    }

    /// Goes back from a state to one that is at hand, which becomes the working state, unless it is the known one, which is that
    /// already. What is then to be fired is in the chain. A chain that gets too long loses the half that is nearest to the state.
    fn find_chain<P: Steps>(
        &mut self,
        (steps, explicit, recall): (&P, &mut Explicit, &mut Recall),
        id: StateId,
        known: Option<StateId>,
        n_words: usize,
    ) {
        self.chain.clear();
        let mut at = id;
        while known != Some(at) {
            while self.path_ids.last().is_some_and(|&last| last > at) {
                self.path_ids.pop();
            }
            self.path.truncate(self.path_ids.len() * n_words);
            if self.path_ids.last() == Some(&at) {
                copy_words(&self.path[self.path.len() - n_words..], &mut self.working);
                return;
            }
            if let Some(words) = recall.get(at) {
                copy_words(words, &mut self.working);
                return self.start_path(at);
            }
            match steps.get(at) {
                Kept::Explicit(number) => {
                    explicit.get(number, &mut self.working);
                    return self.start_path(at);
                }
                Kept::Step { parent, action } => {
                    if self.chain.len() == LONGEST_CHAIN {
                        self.chain.drain(..LONGEST_CHAIN / 2);
                    }
                    self.chain.push((at, action));
                    at = parent;
                }
            }
        }
    }

    /// Makes the working state the first one of the path.
    fn start_path(&mut self, id: StateId) {
        self.forget();
        self.path_ids.push(id);
        self.path.extend_from_slice(&self.working);
    }

    /// Forgets the path: identities or words will mean something else.
    pub fn forget(&mut self) {
        self.path_ids.clear();
        self.path.clear();
    }

    /// Whether a stored state is the given one, by reconstituting it.
    pub fn is_forward<M: Model, P: Steps>(
        &mut self,
        model: &mut M,
        parts: (&P, &mut Explicit, &mut Recall),
        id: StateId,
        words: &[u64],
    ) -> bool {
        let is = self.state(model, parts, id) == words;
        self.mismatches += u64::from(!is);
        is
    }

    /// Whether a stored state is the given one, by taking actions back.
    #[inline]
    pub fn is_backward<M: Model, P: Steps>(
        &mut self,
        model: &mut M,
        parts: (&P, &mut Explicit, &mut Recall),
        id: StateId,
        words: &[u64],
    ) -> bool {
        let is = match parts.2.get(id) {
            Some(recalled) => are_equal(recalled, words),
            None => self.is_chain(model, parts, id, words),
        };
        self.mismatches += u64::from(!is);
        is
    }

    /// The same for a state that is not recalled.
    #[inline(never)]
    fn is_chain<M: Model, P: Steps>(
        &mut self,
        model: &mut M,
        (steps, explicit, recall): (&P, &mut Explicit, &mut Recall),
        id: StateId,
        words: &[u64],
    ) -> bool {
        let (mut parent, mut action) = match steps.get(id) {
            Kept::Explicit(number) => return explicit.is(number, words),
            Kept::Step { parent, action } => (parent, action),
        };
        self.reconstitutions += 1;
        let n_words = words.len();
        self.working.resize(n_words, 0);
        self.before.resize(KEEP * n_words, 0);
        let working = &mut self.working[..];
        copy_words(words, working);
        let (mut at, mut n_steps) = (id, 0);
        let is = loop {
            if let Some(before) = self.before_ids.get_mut(n_steps) {
                *before = at;
                copy_words(working, &mut self.before[n_steps * n_words..][..n_words]);
            }
            n_steps += 1;
            // A value that outgrows its field is in no stored state, so either refusal means that this is another state.
            if model.unfire(working, &mut 0, action).is_err() {
                break false;
            }
            at = parent;
            if let Some(recalled) = recall.get(at) {
                break are_equal(recalled, working);
            }
            match steps.get(at) {
                Kept::Explicit(number) => break explicit.is(number, working),
                Kept::Step { parent: next, action: before } => (parent, action) = (next, before),
            }
        };
        self.firings += n_steps as u64;
        if is {
            for (at, &id) in self.before_ids.iter().enumerate().take(n_steps) {
                recall.put(id, &self.before[at * n_words..][..n_words]);
            }
        }
        is
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        (self.working.capacity() + self.before.capacity() + self.path.capacity()) * size_of::<u64>()
            + self.path_ids.capacity() * size_of::<StateId>()
            + self.chain.capacity() * size_of::<(StateId, ActionId)>()
    }
}
