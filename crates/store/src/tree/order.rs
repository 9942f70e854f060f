//! Which slots are neighbours: candidates, and how they are judged.
//!
//! The order of slots decides how many different halves there are, and with them the size of the store, by a factor of up to
//! seven. No rule is good for all models (de Vries, "Growing bonsai trees", 2014), so several are tried on a
//! sample:
//!
//! - the order of the net: all slots of a place, then those of the next one;
//! - by each colour component: all slots of a process together, whatever their places;
//! - by neighbourhood: slots that change together stay together;
//! - learned: the two groups of slots with the fewest joint values in the sample are joined, again and again.
//!
//! Each candidate becomes a tree that numbers the sample. How many identities a node will have given out later is
//! told by how many more it gave out for the second half of the sample than for the first.

use std::collections::BTreeMap;

use petite_bits::SlotIdx;
use petite_model::{Content, Layout, Model};

use super::codec::Codec;
use super::learned;
use super::sample::Sample;
use super::shape::{Sequence, Shape};

/// The number of states for which trees are judged, as a multiple of the sample's.
const FURTHER: f64 = 64.0;

/// A tree that was chosen.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub shape: Shape,
    /// The order's name.
    pub name: String,
    /// Estimated bits for each state.
    pub bits: f64,
}

impl Choice {
    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.name.capacity() + self.shape.bytes()
    }
}

/// Tells which slots hold dense numbers: those that name interned bags.
pub(super) fn is_dense(layout: &Layout) -> impl Fn(SlotIdx) -> bool + '_ {
    |slot| layout.groups[layout.slots[slot.index()].group.index()].content == Content::Bag
}

/// The best tree for a sample.
pub(super) fn choose<M: Model>(model: &M, sample: &Sample) -> Choice {
    let (layout, packing) = (model.layout(), model.packing());
    let weights = weights(model, sample);
    let mut candidates = vec![("net".to_owned(), by(layout, |slot| u64::from(layout.slots[slot].group.0)))];
    let n_components = layout.slots.iter().map(|slot| slot.colour.len()).max().unwrap_or(0);
    for component in 0..n_components.min(4) {
        let from_front = |slot: usize| {
            let colour = &layout.slots[slot].colour;
            colour.get(component).or(colour.last()).map_or(u64::MAX, |&number| number)
        };
        candidates.push((format!("colour component {}", component + 1), by(layout, from_front)));
    }
    candidates.push(("neighbourhood".to_owned(), learned::neighbourhood(model)));
    candidates.extend(learned::merged(model, sample, &weights).map(|order| ("learned".to_owned(), order)));
    let judged = candidates.into_iter().map(|(name, sequence)| {
        let shape = Shape::new(&sequence, &weights, packing, is_dense(layout));
        let bits = bits_of(&shape, model, sample);
        Choice { shape, name, bits }
    });
    let best = judged.min_by(|a, b| a.bits.total_cmp(&b.bits));
    // There is always the order of the net.
    best.unwrap_or_else(|| Choice { shape: Shape::in_order(packing), name: "net".to_owned(), bits: 0.0 })
}

/// Estimated bits for each state in a tree of a shape.
pub(super) fn bits_of<M: Model>(shape: &Shape, model: &M, sample: &Sample) -> f64 {
    let Ok(mut codec) = Codec::new(shape, model.packing(), is_dense(model.layout())) else { return f64::MAX };
    let n_states = sample.len();
    let mut halfway = Vec::new();
    for (i, words) in sample.states().enumerate() {
        if i == n_states / 2 {
            halfway = codec.node_lens();
        }
        if codec.step(words).is_err() {
            return f64::MAX;
        }
        codec.keep(words);
    }
    if n_states < 4 {
        return codec.node_lens().iter().sum::<usize>() as f64;
    }
    let states = n_states as f64 * FURTHER;
    let later: Vec<f64> = codec
        .node_lens()
        .into_iter()
        .zip(halfway)
        .map(|(all, half)| {
            let (all, half) = (all.max(1) as f64, half.max(1) as f64);
            (all * FURTHER.powf((all / half).log2().clamp(0.0, 1.0))).min(states)
        })
        .collect();
    let (left, right) = codec.root_children();
    let (left, right) = (later[left], later[right]);
    let root = ((left * right / states).log2().max(0.0) + 3.0) / 0.85;
    let pairs: f64 = codec
        .inner_children()
        .map(|(node, left, right)| {
            let (n, pair) = (later[node], later[left].max(2.0).log2() + later[right].max(2.0).log2());
            n * (pair + (n.max(2.0).log2() + 5.0) / 0.72)
        })
        .sum();
    root + pairs / states
}

/// Slots by a number, in the order of the vector where it is the same.
fn by(layout: &Layout, number: impl Fn(usize) -> u64) -> Sequence {
    let mut slots: Vec<SlotIdx> = (0..layout.slots.len()).map(SlotIdx::new).collect();
    slots.sort_by_key(|slot| number(slot.index()));
    let starts = (0..slots.len())
        .map(|at| at > 0 && number(slots[at].index()) != number(slots[at - 1].index()))
        .collect();
    Sequence { slots, starts }
}

/// What the value of each slot tells, in bits.
fn weights<M: Model>(model: &M, sample: &Sample) -> Vec<f64> {
    let mut values: Vec<BTreeMap<u32, usize>> = vec![BTreeMap::new(); model.layout().slots.len()];
    for words in sample.states() {
        for (slot, value) in model.packing().marked(words) {
            *values[slot.index()].entry(value).or_default() += 1;
        }
    }
    let n = sample.len().max(1) as f64;
    let entropy = |values: &BTreeMap<u32, usize>| {
        let zeros = sample.len() - values.values().sum::<usize>();
        let counts = values.values().copied().chain([zeros]).filter(|&count| count > 0);
        counts.map(|count| count as f64 / n).map(|share| -share * share.log2()).sum::<f64>()
    };
    values.iter().map(entropy).collect()
}
