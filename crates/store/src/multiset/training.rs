//! Codes from a sample run.
//!
//! *Source.* The last paragraph of paper 5 asks for it, after G. J. Holzmann's training runs: not all items are equally
//! probable, and neither are numbers of tokens. Some states are visited ahead of the search, by random walks from the
//! initial state. For each place, what they hold decides:
//!
//! 1. whether to compare with the initial content or not, where that is a choice;
//! 2. whether numbers of tokens get codes by frequency, with one code for all numbers that were not seen;
//! 3. whether items get codes by frequency, as if each had been seen once more than it was.
//!
//! Each is done where the states seen need fewer bits with it, its tables left out. The states of the search are all
//! written right whatever was seen; only the length depends on it.

use petite_bits::{BitWriter, mix64};
use petite_model::Model;

use super::cardinality::Cardinality;
use super::contents::{Contents, Known, Token};
use super::place::{Place, Scratch};
use super::prefix_code::PrefixCode;
use super::{ItemCode, Multiset, Subsets, plan};

/// States visited.
const SAMPLE: usize = 4000;

/// Steps of the longest walk.
const LONGEST_WALK: u64 = 400;

/// Most items with codes of their own; more would take too much memory for what they save.
const MOST_ITEMS: u64 = 1 << 14;

/// Most numbers of tokens with codes of their own.
const MOST_TOTALS: usize = 64;

/// Fits the codes of all places to a sample of the model's states.
pub(super) fn train<M: Model>(codec: &mut Multiset, model: &mut M) {
    let sample = sample(model);
    let n_words = model.packing().n_words();
    let Multiset { places, subsets, .. } = codec;
    let mut trainer = Trainer { subsets, scratch: Scratch::default(), code: BitWriter::default() };
    for place in places {
        let mut contents = Vec::new();
        for words in sample.chunks_exact(n_words) {
            let mut tokens = Vec::new();
            if place.read(model, words, &mut tokens).is_ok() {
                contents.push(tokens);
            }
        }
        trainer.fit(place, model, &contents);
    }
}

/// States on random walks, one behind the other. Errors of the model only end a walk: the search will meet them.
fn sample<M: Model>(model: &mut M) -> Vec<u64> {
    let mut states = Vec::new();
    let (mut actions, mut hash, mut random, mut left) = (Vec::new(), 0, 1u64, 0);
    let start = plan::initial(model);
    let mut words = start.clone();
    for _ in 0..SAMPLE {
        random = mix64(random.wrapping_add(0x9E37_79B9_7F4A_7C15));
        if left == 0 {
            words.copy_from_slice(&start);
            left = 1 + random % LONGEST_WALK;
        }
        left -= 1;
        states.extend_from_slice(&words);
        actions.clear();
        if model.enabled(&words, &mut actions).is_err() || actions.is_empty() {
            left = 0;
            continue;
        }
        let action = actions[(random >> 20) as usize % actions.len()];
        if model.fire(&mut words, &mut hash, action).is_err() {
            left = 0;
        }
    }
    states
}

struct Trainer<'a> {
    subsets: &'a Subsets,
    scratch: Scratch,
    code: BitWriter,
}

impl Trainer<'_> {
    fn fit<M: Model>(&mut self, place: &mut Place, model: &M, contents: &[Vec<Token>]) {
        let mut best = (self.n_bits(place, model, contents), place.clone());
        let mut consider = |trainer: &mut Self, candidate: Place| {
            let n_bits = trainer.n_bits(&candidate, model, contents);
            if n_bits < best.0 {
                best = (n_bits, candidate);
            }
        };
        let mut bases = vec![place.clone()];
        if let Some(gone) = &place.gone {
            let here = gone.alone.clone();
            bases.push(Place { gone: None, here, ..place.clone() });
        }
        for base in bases {
            let set_apart = |tokens: &Vec<Token>| {
                let mut scratch = Scratch { here: tokens.clone(), ..Scratch::default() };
                base.set_apart(&mut scratch);
                (scratch.here, scratch.gone)
            };
            let apart: Vec<_> = contents.iter().map(set_apart).collect();
            let here = || apart.iter().map(|(here, _)| here.as_slice());
            let gone = || apart.iter().map(|(_, gone)| gone.as_slice());
            for (totals, items) in [(true, false), (false, true), (true, true)] {
                let mut candidate = base.clone();
                fit_contents(&mut candidate.here, here(), totals, items);
                if let Some(reference) = &mut candidate.gone {
                    fit_contents(&mut reference.contents, gone(), totals, items);
                }
                consider(self, candidate);
            }
            consider(self, base);
        }
        *place = best.1;
    }

    /// Bits that the sample needs.
    fn n_bits<M: Model>(&mut self, place: &Place, model: &M, contents: &[Vec<Token>]) -> usize {
        self.code.clear();
        for tokens in contents {
            self.scratch.here.clone_from(tokens);
            place.set_apart(&mut self.scratch);
            place.put(model, Known::Nothing, self.subsets, &mut self.scratch, &mut self.code);
        }
        self.code.n_bits()
    }
}

/// Gives totals and items codes by their frequency in these multi-sets.
fn fit_contents<'t>(
    contents: &mut Contents,
    sample: impl Iterator<Item = &'t [Token]> + Clone,
    totals: bool,
    items: bool,
) {
    if totals {
        let mut seen: Vec<u64> =
            sample.clone().map(|tokens| tokens.iter().map(|&(_, n)| u64::from(n)).sum()).collect();
        seen.sort_unstable();
        let mut counts: Vec<(u64, u64)> =
            seen.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        counts.truncate(MOST_TOTALS);
        counts.sort_unstable();
        contents.cardinality = Cardinality::trained(&counts, contents.cardinality.clone());
    }
    let is_set = contents.items == ItemCode::Subset;
    if let Some(n_items) = contents.n_items.filter(|&n| items && is_set && 1 < n && n <= MOST_ITEMS) {
        let mut frequencies = vec![1u64; n_items as usize];
        sample.flatten().for_each(|&(item, _)| frequencies[item as usize] += 1);
        contents.weighted = Some(PrefixCode::new(&frequencies));
    }
}
