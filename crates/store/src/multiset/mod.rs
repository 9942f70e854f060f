//! States as sequences of multi-sets.
//!
//! *Source.* M. Mäkelä, Condensed storage of multi-set sequences, 2000 (paper 5), section 3, with the details of its
//! tool. A state is a multi-set of tokens for each place. Most places are empty or hold few tokens, most tokens are there
//! once, and the modeller's types and capacities say how few possibilities there are; the code spends bits on what is
//! left to say:
//!
//! ```text
//!  state   | place 1: how many tokens, how many different, how often each, which | place 2: ... | ...
//!
//!  left out: places that the model declares constant or implied by others
//! ```
//!
//! | paper | here |
//! |---|---|
//! | cardinality t, capacity constraint | [`cardinality`] |
//! | multiplicities | [`multiplicities`] |
//! | subset of empty places (3.2.1) | [`empties`] |
//! | items, order of a type | [`contents`], the model's ranks and digits |
//! | redundant places (3.3) | `Model::complete` |
//!
//! Beyond the paper, each a choice of its own ([`MultisetOptions`]): sets of items as one number ([`subsets`]); only what
//! differs from the initial marking ([`place`]); capacities and implied slots found from invariants ([`dependent`]); short
//! codes for what is frequent in a sample run ([`training`]).
//!
//! **Canonical.** Items are written in a fixed order, and all else follows from the multi-sets.
//!
//! **Cost.** A few nanoseconds for each token of the places whose contents were not met just before ([`blocks`]). Codes do not depend on the packing, so they stay when it changes.

mod blocks;
mod cardinality;
mod codebook;
mod contents;
mod dependent;
mod empties;
mod marks;
mod multiplicities;
mod options;
mod place;
mod plan;
mod prefix_code;
mod remembered;
mod row_items;
mod subsets;
mod training;

use petite_bits::{BitReader, BitWriter, OutOfMemory, Packing};
use petite_model::Model;

pub use options::{Empties, FactSource, ItemCode, MultisetOptions, Reference, Weights};

use crate::{CodeError, Codec, Codes, Coding, Figure};
use blocks::{Blocks, Pen};
use contents::Known;
use dependent::Dependents;
use place::{Place, Scratch};
use plan::Plan;
use subsets::Subsets;

/// The codec.
#[derive(Clone, Debug)]
pub struct Multiset {
    options: MultisetOptions,
    places: Vec<Place>,
    /// The places once more, with the codes of their last contents.
    blocks: Blocks,
    /// Slots that are computed from those of the places.
    dependents: Dependents,
    /// Whether the model has groups of its own to compute.
    completes: bool,
    subsets: Subsets,
    scratch: Scratch,
    /// Scratch: which places nothing is said of.
    are_quiet: Vec<bool>,
    /// Scratch: the code of the places of which something is said, where it comes behind which these are.
    rest: BitWriter,
}

impl Multiset {
    /// A codec for the states of a model, whose search has not begun. With facts to be found or a sample run, this may
    /// take a second or two.
    pub fn new<M: Model>(model: &mut M, options: MultisetOptions) -> Multiset {
        let Plan { places, dependents, completes } = Plan::new(model, options);
        let are_quiet = vec![false; places.len()];
        let mut codec = Multiset {
            options,
            places,
            blocks: Blocks::default(),
            dependents,
            completes,
            subsets: Subsets::new(),
            scratch: Scratch::default(),
            are_quiet,
            rest: BitWriter::default(),
        };
        if options.weights == Weights::Trained {
            training::train(&mut codec, model);
        }
        codec.fit(model.packing());
        codec
    }

    /// Gets to know how states are packed from now on.
    fn fit(&mut self, packing: &Packing) {
        self.places.iter_mut().for_each(|place| place.fit(packing));
        self.blocks = Blocks::new(&self.places, packing);
    }

    fn put<M: Model>(&mut self, model: &M, words: &[u64], code: &mut BitWriter) -> Result<(), OutOfMemory> {
        let Multiset { places, blocks, subsets, scratch, are_quiet, rest, .. } = self;
        if self.options.empties == Empties::BitEach {
            let mut pen = Pen { places, known: Known::Nothing, subsets, scratch };
            return blocks.put(model, words, &mut pen, are_quiet, code);
        }
        rest.clear();
        let mut pen = Pen { places, known: Known::NotEmpty, subsets, scratch };
        blocks.put(model, words, &mut pen, are_quiet, rest)?;
        empties::put(are_quiet, code);
        let n_bits = rest.n_bits();
        let mut bits = BitReader::new(rest.finish());
        while bits.position() < n_bits {
            let some = (n_bits - bits.position()).min(64) as u32;
            code.put(bits.take(some), some);
        }
        Ok(())
    }
}

impl Coding for Multiset {
    fn name(&self) -> &'static str {
        "multiset"
    }

    fn repack(&mut self, _: &Packing, to: &Packing) -> Result<Codes, OutOfMemory> {
        self.fit(to);
        Ok(Codes::Keep)
    }

    fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + self.places.iter().map(Place::bytes).sum::<usize>()
            + self.dependents.bytes()
            + self.subsets.bytes()
            + self.scratch.bytes()
            + self.are_quiet.capacity()
            + self.blocks.bytes()
            + self.rest.bytes()
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = vec![Figure::count("places written", self.places.len() as u64)];
        if self.options.facts == FactSource::Found {
            figures.push(Figure::count("slots computed from others", self.dependents.len() as u64));
        }
        if self.options.weights == Weights::Trained {
            let trained = self.places.iter().filter(|place| place.is_trained()).count();
            figures.push(Figure::count("places with a trained code", trained as u64));
        }
        figures
    }
}

impl<M: Model> Codec<M> for Multiset {
    #[inline]
    fn encode(&mut self, model: &mut M, words: &[u64], code: &mut BitWriter) -> Result<(), CodeError> {
        Ok(self.put(model, words, code)?)
    }

    fn decode(&mut self, model: &mut M, mut code: BitReader<'_>, words: &mut [u64]) {
        words.fill(0);
        let Multiset { places, subsets, scratch, are_quiet, .. } = self;
        let known = match self.options.empties {
            Empties::BitEach => Known::Nothing,
            Empties::SubsetFirst => {
                empties::take(are_quiet, &mut code);
                Known::NotEmpty
            }
        };
        for (place, &is_quiet) in places.iter().zip(are_quiet.iter()) {
            if known == Known::NotEmpty && is_quiet {
                place.take_quiet(scratch);
            } else {
                place.take(model, known, subsets, scratch, &mut code);
            }
            place.write(model, scratch, words);
        }
        self.dependents.complete(model.packing(), words);
        if self.completes {
            // The model has checked these groups in every state that it gave.
            let _ = model.complete(words);
        }
    }
}
