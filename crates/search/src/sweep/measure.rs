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

impl Measure {
    /// Writes the value of a state, one number for each sum. Sums beyond 64 bits stop there.
    pub fn value<M: Model>(&self, model: &M, words: &[u64], value: &mut [i64]) {
        let (layout, packing) = (model.layout(), model.packing());
        for (sum, value) in self.sums.iter().zip(value) {
            let mut total = 0i128;
            for &(counted, weight) in &sum.terms {
                let count = match counted {
                    Counted::Slot(slot) => u64::from(packing.get(words, slot)),
                    Counted::Group(group) => tokens(model, layout, words, group),
                };
                total = total.saturating_add(i128::from(weight) * i128::from(count));
            }
            *value = total.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        }
    }
}

/// Number of tokens in a group.
fn tokens<M: Model>(model: &M, layout: &Layout, words: &[u64], group: GroupIdx) -> u64 {
    let (packing, declared) = (model.packing(), &layout.groups[group.index()]);
    match declared.content {
        Content::Counts => {
            packing.marked_in(words, declared.first, declared.end).map(|(_, count)| u64::from(count)).sum()
        }
        Content::Bag => {
            let bag = packing.get(words, declared.first);
            model.bag_tokens(group, bag).iter().map(|&(_, count)| u64::from(count)).sum()
        }
    }
}
