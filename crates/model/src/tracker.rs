//! The enabled actions, kept up to date from state to state.
//!
//! States that are looked at one after the other mostly differ in a few slots: siblings in breadth-first order, a state
//! and its successor in depth-first order. Whether an action is enabled can have changed only where one of the slots that
//! it takes from, or is inhibited by, has. So the last state and its enabled actions are kept, the two states
//! are compared word by word, and only the actions that depend on a changed slot are tested again:
//!
//! ```text
//!  last state   0110 1001      changed slots      dependent actions       enabled set
//!  this state   0110 1100  ->  1 (now empty)  ->  a, d: not enabled   ->  { b, c, e } again a set of bits,
//!                              3 (now marked) ->  e: tested               with a bit for each 64 bits above it
//! ```
//!
//! The result depends on this state alone, never on the last one. **Cost**: a comparison of the words, a test for each
//! dependent action of a marked changed slot, half an instruction for each 64 × 64 actions. Memory is 4 bytes for
//! each slot that an action takes from. Where a slot has many dependents [`Triggers`](crate::trigger::Triggers) are better.

use petite_bits::{Packing, SlotIdx};

use crate::{ActionId, lists::Lists};

/// The enabled actions of the last state.
#[derive(Debug, Default)]
pub(crate) struct Tracker {
    /// The actions that depend on each slot.
    dependents: Lists<ActionId>,
    /// Whether an empty slot may enable something.
    inhibits: Vec<bool>,
    n_actions: usize,
    /// The last state; empty where there is none.
    last: Vec<u64>,
    /// One bit for each action.
    enabled: Vec<u64>,
    /// One bit for each word of `enabled`, set where it is not zero.
    summary: Vec<u64>,
}

impl Tracker {
    /// Of so many actions; `depends` gives the slots that an action takes from and those that inhibit it.
    pub fn new<T: Iterator<Item = SlotIdx>, I: Iterator<Item = SlotIdx>>(
        n_slots: usize,
        n_actions: usize,
        depends: impl Fn(ActionId) -> (T, I),
    ) -> Tracker {
        let mut inhibits = vec![false; n_slots];
        let mut by_slot: Vec<Vec<ActionId>> = vec![Vec::new(); n_slots];
        for action in (0..n_actions).map(ActionId::new) {
            let (taken, inhibiting) = depends(action);
            for slot in taken {
                by_slot[slot.index()].push(action);
            }
            for slot in inhibiting {
                inhibits[slot.index()] = true;
                by_slot[slot.index()].push(action);
            }
        }
        let mut dependents = Lists::default();
        for mut actions in by_slot {
            actions.dedup();
            dependents.push(actions);
        }
        let n_words = n_actions.div_ceil(64);
        let (enabled, summary) = (vec![0; n_words], vec![0; n_words.div_ceil(64)]);
        Tracker { dependents, inhibits, n_actions, last: Vec::new(), enabled, summary }
    }

    /// Forgets the last state: the packing has changed.
    pub fn forget(&mut self) {
        self.last.clear();
    }

    /// Goes to a state and appends its enabled actions in the order of their numbers.
    #[inline]
    pub fn go_to(
        &mut self,
        packing: &Packing,
        words: &[u64],
        is_enabled: impl Fn(ActionId) -> bool,
        actions: &mut Vec<ActionId>,
    ) {
        if self.last.len() == words.len() {
            self.update(packing, words, is_enabled);
        } else {
            self.start(words, is_enabled);
        }
        for (high, &summary) in self.summary.iter().enumerate() {
            let mut words_left = summary;
            while words_left != 0 {
                let word = high * 64 + words_left.trailing_zeros() as usize;
                words_left &= words_left - 1;
                let mut rest = self.enabled[word];
                while rest != 0 {
                    actions.push(ActionId((word * 64) as u32 + rest.trailing_zeros()));
                    rest &= rest - 1;
                }
            }
        }
    }

    /// How many actions would be looked at if these slots changed.
    pub fn n_dependents(&self, slots: impl Iterator<Item = SlotIdx>) -> usize {
        slots.map(|slot| self.dependents.get(slot.index()).len()).sum()
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.dependents.bytes()
            + self.inhibits.capacity()
            + (self.last.capacity() + self.enabled.capacity() + self.summary.capacity()) * size_of::<u64>()
    }

    #[inline]
    fn update(&mut self, packing: &Packing, words: &[u64], is_enabled: impl Fn(ActionId) -> bool) {
        let Tracker { dependents, inhibits, last, enabled, summary, .. } = self;
        for (at, (last, &word)) in last.iter_mut().zip(words).enumerate() {
            let mut changed = *last ^ word;
            *last = word;
            while changed != 0 {
                let Some(slot) = packing.slot_at_bit(at * 64 + changed.trailing_zeros() as usize) else {
                    break;
                };
                let field = packing.field(slot);
                let mask = u64::from(field.max()) << field.shift;
                changed &= !mask;
                let dependents = dependents.get(slot.index());
                if word & mask == 0 && !inhibits[slot.index()] {
                    dependents.iter().for_each(|&action| clear(enabled, summary, action));
                } else {
                    for &action in dependents {
                        if is_enabled(action) {
                            set(enabled, summary, action);
                        } else {
                            clear(enabled, summary, action);
                        }
                    }
                }
            }
        }
    }

    #[cold]
    fn start(&mut self, words: &[u64], is_enabled: impl Fn(ActionId) -> bool) {
        self.enabled.fill(0);
        self.summary.fill(0);
        for action in (0..self.n_actions).map(ActionId::new) {
            if is_enabled(action) {
                set(&mut self.enabled, &mut self.summary, action);
            }
        }
        self.last.clear();
        self.last.extend_from_slice(words);
    }
}

#[inline]
fn set(enabled: &mut [u64], summary: &mut [u64], action: ActionId) {
    let word = action.index() / 64;
    enabled[word] |= 1 << (action.0 % 64);
    summary[word / 64] |= 1 << (word % 64);
}

#[inline]
fn clear(enabled: &mut [u64], summary: &mut [u64], action: ActionId) {
    let word = action.index() / 64;
    let left = enabled[word] & !(1 << (action.0 % 64));
    enabled[word] = left;
    // The bit above goes with the last one below; it may be gone already.
    summary[word / 64] &= !(u64::from(left == 0) << (word % 64));
}
