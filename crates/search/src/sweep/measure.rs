//! Progress measures.
//!
//! A measure gives each state a tuple of numbers, compared in order; each is a weighted sum of counts of tokens. Any
//! measure is sound: where it decreases along an edge, the sweep does more work, but finds the same states.
//!
//! **Cost.** A sum over the slots of a state that are not zero; along an edge, a sum over those that its action may change.

use petite_bits::SlotIdx;
use petite_model::{ActionId, Content, GroupIdx, Layout, Model};

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
    /// Number of sums.
    n_sums: usize,
    /// Whether a value follows from the one before and the slots that have changed: sums cannot leave 64 bits.
    is_linear: bool,
    /// For each action where the slots begin that it may change, and how many there are.
    changes: Vec<Changes>,
    changed: Vec<SlotIdx>,
}

/// What is known of the slots that an action changes.
#[derive(Clone, Copy, Debug)]
enum Changes {
    NotAsked,
    Unknown,
    Slots { start: u32, len: u32 },
}

/// A state, and its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Valued<'a> {
    pub words: &'a [u64],
    pub value: &'a [i64],
}

/// Largest sum of weights with which no sum of counts, which have 32 bits, leaves 64 bits.
const LIGHT: u64 = 1 << 31;

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
        let weight_of = |sum: usize| {
            let weights = by_slot.iter().filter(|entry| entry.1 as usize == sum);
            weights.fold(0u64, |all, entry| all.saturating_add(entry.2.unsigned_abs()))
        };
        let is_linear = bags.is_empty() && (0..measure.sums.len()).all(|sum| weight_of(sum) < LIGHT);
        by_slot.sort_by_key(|&(slot, sum, _)| (slot, sum));
        let below = |slot: usize| by_slot.partition_point(|entry| entry.0.index() < slot) as u32;
        Evaluator {
            starts: (0..=layout.slots.len()).map(below).collect(),
            entries: by_slot.iter().map(|&(_, sum, weight)| (sum, weight)).collect(),
            bags,
            n_sums: measure.sums.len(),
            is_linear,
            changes: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// Writes the value of a state, one number for each sum. Sums beyond 64 bits stop there.
    pub fn value<M: Model>(&self, model: &M, words: &[u64], value: &mut [i64]) {
        value.fill(0);
        for (slot, count) in model.packing().marked(words) {
            for &(sum, weight) in self.entries_of(slot) {
                add(&mut value[sum as usize], weight, u64::from(count));
            }
        }
        for &(group, sum, weight) in &self.bags {
            let bag = model.packing().get(words, model.layout().groups[group.index()].first);
            let tokens = model.bag_tokens(group, bag).iter().map(|&(_, count)| u64::from(count)).sum();
            add(&mut value[sum as usize], weight, tokens);
        }
    }

    /// The value of a state.
    pub fn value_of<M: Model>(&self, model: &M, words: &[u64]) -> Vec<i64> {
        let mut value = vec![0; self.n_sums];
        self.value(model, words, &mut value);
        value
    }

    /// Writes the value of a state to which an action led from another one.
    pub fn value_after<M: Model>(
        &mut self,
        model: &M,
        action: ActionId,
        before: Valued<'_>,
        words: &[u64],
        value: &mut [i64],
    ) {
        let Changes::Slots { start, len } = self.changes_of(model, action) else {
            return self.value(model, words, value);
        };
        value.copy_from_slice(before.value);
        let packing = model.packing();
        for &slot in &self.changed[start as usize..(start + len) as usize] {
            let [old, new] = [before.words, words].map(|words| i64::from(packing.get(words, slot)));
            for &(sum, weight) in self.entries_of(slot) {
                value[sum as usize] += weight * (new - old);
            }
        }
    }

    /// Heap bytes owned by what was found out about actions.
    pub fn bytes(&self) -> usize {
        self.changes.capacity() * size_of::<Changes>() + self.changed.capacity() * size_of::<SlotIdx>()
    }

    fn entries_of(&self, slot: SlotIdx) -> &[(u32, i64)] {
        let [start, end] = [slot.index(), slot.index() + 1].map(|at| self.starts[at] as usize);
        &self.entries[start..end]
    }

    /// The counted slots that an action may change. They are asked for once; without memory for them they are unknown.
    #[inline]
    fn changes_of<M: Model>(&mut self, model: &M, action: ActionId) -> Changes {
        match self.changes.get(action.index()) {
            Some(Changes::NotAsked) | None if self.is_linear => {
                self.ask(model, action).unwrap_or(Changes::Unknown)
            }
            Some(&known) => known,
            None => Changes::Unknown,
        }
    }

    #[cold]
    fn ask<M: Model>(&mut self, model: &M, action: ActionId) -> Option<Changes> {
        if self.changes.len() <= action.index() {
            self.changes.try_reserve(action.index() + 1 - self.changes.len()).ok()?;
            self.changes.resize(action.index() + 1, Changes::NotAsked);
        }
        self.changes[action.index()] = Changes::Unknown;
        let mut slots = model.changed_slots(action)?;
        slots.retain(|&slot| !self.entries_of(slot).is_empty());
        slots.sort_unstable();
        slots.dedup();
        self.changed.try_reserve(slots.len()).ok()?;
        let start = u32::try_from(self.changed.len()).ok()?;
        let changes = Changes::Slots { start, len: u32::try_from(slots.len()).ok()? };
        start.checked_add(slots.len() as u32)?;
        self.changed.extend_from_slice(&slots);
        self.changes[action.index()] = changes;
        Some(changes)
    }
}

#[inline]
fn add(value: &mut i64, weight: i64, count: u64) {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    *value = value.saturating_add(weight.saturating_mul(count));
}
