//! A sample of states, to choose the order of slots by.
//!
//! Half of it are the first states of a breadth-first search, half come from random walks, which lead further. Neither
//! is representative, and nothing but size and speed depends on it: errors of the model just end it, and
//! the search will meet them again.

use std::collections::HashSet;

use petite_bits::mix64;
use petite_model::{ActionId, Model};

/// States of a sample.
const STATES: usize = 1 << 12;

/// Words of a sample; it has fewer states where states are long.
const WORDS: usize = 1 << 18;

/// States of a sample at least.
const FEWEST: usize = 128;

/// Steps of a walk before it starts again.
const WALK: usize = 400;

/// Different states, in no particular order.
#[derive(Debug)]
pub(super) struct Sample {
    words: Vec<u64>,
    n_words: usize,
    seen: HashSet<u64>,
}

impl Sample {
    /// No states of so many words each.
    pub fn empty(n_words: usize) -> Sample {
        Sample { words: Vec::new(), n_words, seen: HashSet::new() }
    }

    /// How many states it should have.
    pub fn room(&self) -> usize {
        (WORDS / self.n_words.max(1)).clamp(FEWEST, STATES)
    }

    /// Adds a state unless it, or one that looks like it, is there. Gives whether it was not.
    pub fn push(&mut self, words: &[u64]) -> bool {
        let hash = words.iter().fold(0, |sum, &word| mix64(sum ^ word).wrapping_add(1));
        let is_new = self.seen.insert(hash);
        if is_new {
            self.words.extend_from_slice(words);
        }
        is_new
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.words.len() / self.n_words.max(1)
    }

    /// The states, scattered so that each part of them is like the whole.
    pub fn states(&self) -> impl Iterator<Item = &[u64]> {
        let n = self.len();
        // A step that has no divisor in common with the number reaches every state once.
        let step = (n * 5 / 8..).find(|&step| divisor(step, n) == 1).unwrap_or(1);
        (0..n).map(move |i| &self.words[(i * step) % n * self.n_words..][..self.n_words])
    }

    /// States of a model, as far as they can be reached without making fields wider.
    pub fn of<M: Model>(model: &mut M) -> Sample {
        let n_words = model.packing().n_words();
        let mut sample = Sample::empty(n_words);
        let room = sample.room();
        let mut initial = vec![0; n_words];
        if model.initial(&mut initial).is_err() {
            return sample;
        }
        sample.push(&initial);
        let (mut next, mut actions) = (0, Vec::new());
        while next < sample.len() && sample.len() < room / 2 {
            let state = sample.words[next * n_words..][..n_words].to_vec();
            next += 1;
            actions.clear();
            if model.enabled(&state, &mut actions).is_err() {
                continue;
            }
            for &action in &actions {
                let mut successor = state.clone();
                if model.fire(&mut successor, &mut 0, action).is_ok() {
                    sample.push(&successor);
                }
            }
        }
        if next < sample.len() {
            sample.walk(model, &initial, room, &mut actions);
        }
        sample
    }

    /// Adds states of random walks.
    fn walk<M: Model>(&mut self, model: &mut M, initial: &[u64], room: usize, actions: &mut Vec<ActionId>) {
        let (mut state, mut random) = (initial.to_vec(), 1u64);
        // A model with few states is not walked for ever.
        for step in 0..4 * room {
            if self.len() >= room {
                return;
            }
            actions.clear();
            let is_stuck = model.enabled(&state, actions).is_err() || actions.is_empty();
            if is_stuck || step % WALK == 0 {
                state.copy_from_slice(initial);
                continue;
            }
            random = mix64(random.wrapping_add(0x9E37_79B9_7F4A_7C15));
            let action = actions[(random % actions.len() as u64) as usize];
            if model.fire(&mut state, &mut 0, action).is_ok() {
                self.push(&state);
            }
        }
    }
}

/// The greatest common divisor.
fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}
