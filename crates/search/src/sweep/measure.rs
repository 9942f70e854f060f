//! Progress measures.
//!
//! A measure gives each state a tuple of numbers, compared in order; each is a weighted sum of counts of tokens. Any
//! measure is sound: where it decreases along an edge, the sweep does more work, but finds the same states.

use petite_bits::SlotIdx;
use petite_model::{Content, GroupIdx, Layout, Model};

/// What a sum counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The value of a slot that counts tokens.
    Slot(SlotIdx),
    /// The number of tokens in a group, whatever its slots mean.
    Group(GroupIdx),
}

/// A weighted sum of counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// What is counted, with its weight.
    pub terms: Vec<(Counted, i64)>,
}

/// A tuple of sums; the first one counts most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// The sums.
    pub sums: Vec<Sum>,
}

/// A measure made ready to be computed: by slot, because a state has few slots that are not zero.
#[derive(Debug)]
pub(super) struct Evaluator {
    /// Where the entries of each slot begin, and of none behind the last.
    starts: Vec<u32>,
    /// The sums that a slot is in, with its weights.
    entries: Vec<(u32, i64)>,
    /// Groups that hold bags, the sums that they are in, and their weights.
    bags: Vec<(GroupIdx, u32, i64)>,
}

impl Evaluator {
    pub fn new(measure: &Measure, layout: &Layout) -> Evaluator {
        let mut by_slot: Vec<(SlotIdx, u32, i64)> = Vec::new();
        let mut bags = Vec::new();
        for (sum, terms) in measure.sums.iter().enumerate() {
            let sum = sum as u32;
            for &(counted, weight) in &terms.terms {
                match counted {
                    Counted::Slot(slot) => by_slot.push((slot, sum, weight)),
                    Counted::Group(group) => match layout.groups[group.index()].content {
                        Content::Counts => {
                            by_slot.extend(layout.slots_of(group).map(|slot| (slot, sum, weight)));
                        }
                        Content::Bag => bags.push((group, sum, weight)),
                    },
                }
            }
        }
        by_slot.sort_by_key(|&(slot, sum, _)| (slot, sum));
        let below = |slot: usize| by_slot.partition_point(|entry| entry.0.index() < slot) as u32;
        Evaluator {
            starts: (0..=layout.slots.len()).map(below).collect(),
            entries: by_slot.iter().map(|&(_, sum, weight)| (sum, weight)).collect(),
            bags,
        }
    }

    /// Writes the value of a state, one number for each sum. Sums beyond 64 bits stop there.
    pub fn value<M: Model>(&self, model: &M, words: &[u64], value: &mut [i64]) {
        value.fill(0);
        for (slot, count) in model.packing().marked(words) {
            let [start, end] = [slot.index(), slot.index() + 1].map(|at| self.starts[at] as usize);
            for &(sum, weight) in &self.entries[start..end] {
                add(&mut value[sum as usize], weight, u64::from(count));
            }
        }
        for &(group, sum, weight) in &self.bags {
            let bag = model.packing().get(words, model.layout().groups[group.index()].first);
            let tokens = model.bag_tokens(group, bag).iter().map(|&(_, count)| u64::from(count)).sum();
            add(&mut value[sum as usize], weight, tokens);
        }
    }
}

#[inline]
fn add(value: &mut i64, weight: i64, count: u64) {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    *value = value.saturating_add(weight.saturating_mul(count));
}
