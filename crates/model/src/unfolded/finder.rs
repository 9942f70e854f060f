//! Which way of finding the enabled actions suits a net.
//!
//! [`Masks`] test nothing and need tables that grow with slots times actions; a [`Tracker`] tests the actions that depend
//! on what has changed since the last state; [`Triggers`] test those whose trigger is marked. Each may be many times
//! better than the others: what they would have done in a sample of the states decides.

use petite_bits::{Packing, SlotIdx};

use super::UnfoldedNet;
use crate::{
    ActionId, Model,
    masks::{Condition, Masks},
    tracker::Tracker,
    trigger::Triggers,
};

/// States sampled to learn which groups are marked often.
const SAMPLE: usize = 500;

/// Sampled states that are kept.
const KEPT: usize = 100;

/// Most takes of all actions together that a [`Tracker`] is tried for.
const MOST_TRACKED: usize = 4_000_000;

/// Roughly the instructions that it takes to test an action, or to find out that a slot is marked.
const TEST: usize = 20;

/// What finds the enabled actions of a state.
#[derive(Debug)]
pub(super) enum Finder {
    Triggers(Triggers),
    Tracker(Tracker),
    Masks(Masks),
}

/// What a sample of the states showed.
pub(super) struct Sample {
    /// How many slots of each group are marked on average.
    marked: Vec<f64>,
    /// Some of the states, most of them successors of the one before.
    states: Vec<Vec<u64>>,
}

impl Finder {
    /// Appends the enabled actions of a state, always in the same order.
    #[inline]
    pub fn find(
        &mut self,
        packing: &Packing,
        words: &[u64],
        is_enabled: impl Fn(ActionId) -> bool,
        actions: &mut Vec<ActionId>,
    ) {
        match self {
            Finder::Masks(masks) => masks.find(words, actions),
            Finder::Tracker(tracker) => tracker.go_to(packing, words, is_enabled, actions),
            Finder::Triggers(triggers) => triggers.candidates(packing, words, &mut |action| {
                if is_enabled(action) {
                    actions.push(action);
                }
            }),
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        match self {
            Finder::Triggers(triggers) => triggers.bytes(),
            Finder::Tracker(tracker) => tracker.bytes(),
            Finder::Masks(masks) => masks.bytes(),
        }
    }
}

impl UnfoldedNet {
    /// Triggers for groups that are marked so often.
    pub(super) fn triggers(&self, marked: &[f64]) -> Triggers {
        let effects = &self.effects;
        Triggers::new(&self.layout, effects.len(), |action| effects.takes(action), marked)
    }

    /// Follows the model to another packing. Tables that have become too large give way to triggers.
    pub(super) fn repack_finder(&mut self) {
        match &mut self.finder {
            Finder::Triggers(_) => {}
            Finder::Tracker(tracker) => tracker.forget(),
            Finder::Masks(_) => {
                self.finder = match self.masks() {
                    Some(masks) => Finder::Masks(masks),
                    None => Finder::Triggers(self.triggers(&vec![1.0; self.layout.groups.len()])),
                }
            }
        }
    }

    fn masks(&self) -> Option<Masks> {
        Masks::new(&self.packing, self.effects.len(), |action| {
            let taken = self.effects.needed(action);
            let taken = taken.map(|(slot, least)| Condition { slot, least, end: u32::MAX });
            let inhibited = self.inhibitors_of(action).iter();
            taken.chain(inhibited.map(|&(slot, end)| Condition { slot, least: 0, end }))
        })
    }

    fn inhibitors_of(&self, action: ActionId) -> &[(SlotIdx, u32)] {
        if self.inhibitors.len() == 0 { &[] } else { self.inhibitors.get(action.index()) }
    }

    /// The finder that has least to do in the sampled states.
    pub(super) fn best_finder(&self, sample: &Sample) -> Finder {
        let triggers = self.triggers(&sample.marked);
        if self.effects.n_takes() > MOST_TRACKED {
            return Finder::Triggers(triggers);
        }
        let tracker = Tracker::new(self.layout.slots.len(), self.effects.len(), |action| {
            let taken = self.effects.needed(action).map(|(slot, _)| slot);
            (taken, self.inhibitors_of(action).iter().map(|(slot, _)| *slot))
        });
        let (mut tracked, mut triggered) = (0, 0);
        for pair in sample.states.windows(2) {
            let changed = self.packing.changed(&pair[0], &pair[1]);
            // States that are looked at one after the other have a parent in common rather than being one.
            tracked += 2 * TEST * tracker.n_dependents(changed);
            triggered += TEST * self.packing.marked(&pair[0]).count();
            triggers.candidates(&self.packing, &pair[0], &mut |_| triggered += TEST);
        }
        if let Some(masks) =
            self.masks().filter(|masks| masks.cost() * sample.states.len() <= tracked.min(triggered))
        {
            return Finder::Masks(masks);
        }
        if tracked <= triggered { Finder::Tracker(tracker) } else { Finder::Triggers(triggers) }
    }

    /// The states of a few walks from the initial state. Only speed depends on it, so errors just end it.
    pub(super) fn sample(&mut self) -> Sample {
        let mut marked = vec![0.0; self.layout.groups.len()];
        let mut states = Vec::new();
        let mut words = vec![0; self.packing.n_words()];
        let mut actions = Vec::new();
        let (mut random, mut hash) = (1u64, 0);
        for step in 0..SAMPLE {
            if step % 100 == 0 && self.initial(&mut words).is_err() {
                break;
            }
            if states.len() < KEPT {
                states.push(words.clone());
            }
            for (slot, _) in self.packing.marked(&words) {
                marked[self.layout.slots[slot.index()].group.index()] += 1.0 / SAMPLE as f64;
            }
            actions.clear();
            if self.enabled(&words, &mut actions).is_err() || actions.is_empty() {
                continue;
            }
            random = petite_bits::mix64(random.wrapping_add(0x9E37_79B9_7F4A_7C15));
            let action = actions[(random % actions.len() as u64) as usize];
            let _ = self.fire(&mut words, &mut hash, action);
        }
        // A group never seen marked may still be; it is only less likely.
        Sample { marked: marked.iter().map(|count| count + 0.01).collect(), states }
    }
}
