//! Toy models: small nets of black tokens, and what a naive search finds in them.

#![allow(dead_code, reason = "each test binary uses a part of this")]

use std::collections::{HashSet, VecDeque};

use petite_bits::{Outgrown, Packing, SlotIdx, mix64, slot_key};
use petite_model::{ActionId, Content, Fault, Group, GroupIdx, Layout, Model, Refusal, Slot, SlotRule};
use petite_net::{RunError, RunErrorKind, Span};

/// A net whose places have one slot each; a few places make a group.
pub struct Toy {
    layout: Layout,
    packing: Packing,
    initial: Vec<u32>,
    transitions: Vec<Transition>,
    /// No place holds more: transitions that would exceed this are not enabled.
    capacity: u32,
    /// Where the model is wrong.
    pub wrong: Wrong,
}

/// Where a toy is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// Nowhere.
    Never,
    /// It has no initial state.
    Initially,
    /// Where the first place is empty, the enabled actions cannot be found.
    WhereFirstIsEmpty,
    /// This action can never be fired, though it is enabled.
    Action(u32),
}

struct Transition {
    /// Places, and the number of tokens taken there and put there.
    arcs: Vec<(SlotIdx, u32, u32)>,
    changes: Vec<(GroupIdx, i64)>,
    hash_change: u64,
}

/// What there is to find in a net.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub states: u64,
    pub edges: u64,
    pub dead_states: u64,
    pub group_maxima: Vec<u64>,
    pub max_tokens_total: u64,
}

impl Toy {
    /// A net from its initial marking, its transitions (place, taken, put), and the width to start with.
    pub fn new(
        initial: Vec<u32>,
        transitions: &[Vec<(usize, u32, u32)>],
        width: u8,
        places_a_group: usize,
    ) -> Toy {
        let mut layout = Layout::default();
        for slot in 0..initial.len() {
            let group = GroupIdx::new(slot / places_a_group);
            if slot % places_a_group == 0 {
                let first = SlotIdx::new(slot);
                let name = format!("g{}", group.0);
                let content = Content::Counts;
                layout.groups.push(Group { name, first, end: first, content, ..Group::default() });
            }
            layout.groups[group.index()].end = SlotIdx::new(slot + 1);
            layout.slots.push(Slot { group, bound: None, colour: Box::default(), rank: None });
        }
        let transitions = transitions.iter().map(|arcs| {
            let arcs: Vec<_> =
                arcs.iter().map(|&(place, take, put)| (SlotIdx::new(place), take, put)).collect();
            let mut changes: Vec<(GroupIdx, i64)> = Vec::new();
            let mut hash_change = 0u64;
            for &(slot, take, put) in &arcs {
                let change = i64::from(put) - i64::from(take);
                hash_change = hash_change.wrapping_add(slot_key(slot).wrapping_mul(change as u64));
                let group = layout.slots[slot.index()].group;
                match changes.iter_mut().find(|(other, _)| *other == group) {
                    Some((_, sum)) => *sum += change,
                    None => changes.push((group, change)),
                }
            }
            Transition { arcs, changes, hash_change }
        });
        let transitions = transitions.collect();
        let packing = Packing::new(&vec![width; initial.len()]);
        Toy { layout, packing, initial, transitions, capacity: u32::MAX, wrong: Wrong::Never }
    }

    /// A line of `n` + 1 states: tokens go from one place to the other.
    pub fn line(n: u32, width: u8) -> Toy {
        Toy::new(vec![n, 0], &[vec![(0, 1, 0), (1, 0, 1)]], width, 1)
    }

    /// Several lines side by side: a grid with so many dimensions.
    pub fn grid(sizes: &[u32], width: u8) -> Toy {
        let transitions: Vec<_> = (0..sizes.len()).map(|i| vec![(2 * i, 1, 0), (2 * i + 1, 0, 1)]).collect();
        Toy::new(sizes.iter().flat_map(|&size| [size, 0]).collect(), &transitions, width, 2)
    }

    /// Tokens that go round.
    pub fn ring(places: usize, tokens: u32, width: u8) -> Toy {
        let mut initial = vec![0; places];
        initial[0] = tokens;
        let transitions: Vec<_> = (0..places).map(|i| vec![(i, 1, 0), ((i + 1) % places, 0, 1)]).collect();
        Toy::new(initial, &transitions, width, 1)
    }

    /// One state that leads to `n` others.
    pub fn fan(n: usize) -> Toy {
        let transitions: Vec<_> = (1..=n).map(|i| vec![(0, 1, 0), (i, 0, 1)]).collect();
        let mut initial = vec![0; n + 1];
        initial[0] = 1;
        Toy::new(initial, &transitions, 1, 1)
    }

    /// A random net with bounded places.
    pub fn random(seed: u64) -> Toy {
        let mut toy = Toy::random_unlimited(seed);
        toy.capacity = 3 + (mix64(!seed) % 6) as u32;
        toy
    }

    /// A random net whose places may grow without end.
    pub fn random_unlimited(seed: u64) -> Toy {
        let mut state = seed << 32;
        let mut below = |n: u64| {
            state += 1;
            mix64(state) % n
        };
        let n_places = 1 + below(6) as usize;
        let initial = (0..n_places).map(|_| below(4) as u32).collect();
        let transitions: Vec<_> = (0..below(7))
            .map(|_| {
                let first = below(n_places as u64) as usize;
                let n_arcs = 1 + below(n_places.min(3) as u64) as usize;
                (0..n_arcs).map(|i| ((first + i) % n_places, below(3) as u32, below(3) as u32)).collect()
            })
            .collect();
        let width = below(3) as u8;
        let places_a_group = 1 + below(3) as usize;
        Toy::new(initial, &transitions, width, places_a_group)
    }

    /// Lets no place hold more than this from now on.
    pub fn limit(&mut self, capacity: u32) {
        self.capacity = capacity;
    }

    /// The initial marking.
    pub fn initial_marking(&self) -> &[u32] {
        &self.initial
    }

    /// The marking that a transition leads to, if it is enabled.
    pub fn fired(&self, marking: &[u32], transition: usize) -> Option<Vec<u32>> {
        let mut successor = marking.to_vec();
        for &(slot, take, put) in &self.transitions[transition].arcs {
            let rest = marking[slot.index()].checked_sub(take)?;
            successor[slot.index()] = rest.checked_add(put).filter(|&sum| sum <= self.capacity)?;
        }
        Some(successor)
    }

    /// The group of each place.
    pub fn group_of(&self, place: usize) -> GroupIdx {
        self.layout.slots[place].group
    }

    /// What a naive search finds.
    pub fn naive(&self) -> Found {
        let mut known = HashSet::from([self.initial.clone()]);
        let mut queue = VecDeque::from([self.initial.clone()]);
        let mut group_maxima = vec![0; self.layout.groups.len()];
        let (mut edges, mut dead_states, mut max_tokens_total) = (0, 0, 0);
        while let Some(state) = queue.pop_front() {
            let mut totals = vec![0; group_maxima.len()];
            for (slot, &tokens) in state.iter().enumerate() {
                totals[self.layout.slots[slot].group.index()] += u64::from(tokens);
            }
            max_tokens_total = totals.iter().sum::<u64>().max(max_tokens_total);
            for (max, total) in group_maxima.iter_mut().zip(totals) {
                *max = total.max(*max);
            }
            let mut is_dead = true;
            for transition in 0..self.transitions.len() {
                if let Some(successor) = self.fired(&state, transition) {
                    is_dead = false;
                    edges += 1;
                    if known.insert(successor.clone()) {
                        queue.push_back(successor);
                    }
                }
            }
            dead_states += u64::from(is_dead);
        }
        Found { states: known.len() as u64, edges, dead_states, group_maxima, max_tokens_total }
    }

    /// Changes the tokens of an action's places, forwards or, with the roles of taking and putting swapped, back.
    fn change(
        &self,
        words: &mut [u64],
        arcs: impl Iterator<Item = (SlotIdx, u32, u32)> + Clone,
    ) -> Result<(), Outgrown> {
        for (done, (slot, take, put)) in arcs.clone().enumerate() {
            let old = self.packing.get(words, slot);
            if let Err(outgrown) = self.packing.set(words, slot, old - take + put) {
                for (slot, take, put) in arcs.take(done) {
                    let new = self.packing.get(words, slot);
                    self.packing.set(words, slot, new - put + take)?;
                }
                return Err(outgrown);
            }
        }
        Ok(())
    }
}

/// An error for models that are wrong on purpose.
pub fn error() -> RunError {
    RunError::new(RunErrorKind::AssertionFailed, Span::default())
}

impl Model for Toy {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn packing(&self) -> &Packing {
        &self.packing
    }

    fn widen(&mut self, outgrown: Outgrown) -> Packing {
        let wider = self.packing.widened(outgrown);
        std::mem::replace(&mut self.packing, wider)
    }

    fn initial(&mut self, words: &mut [u64]) -> Result<(), Fault> {
        if self.wrong == Wrong::Initially {
            return Err(error().into());
        }
        for (slot, &tokens) in self.initial.iter().enumerate() {
            self.packing.set(words, SlotIdx::new(slot), tokens)?;
        }
        Ok(())
    }

    fn enabled(&mut self, words: &[u64], actions: &mut Vec<ActionId>) -> Result<(), RunError> {
        if self.wrong == Wrong::WhereFirstIsEmpty && self.packing.get(words, SlotIdx(0)) == 0 {
            return Err(error());
        }
        for (number, transition) in self.transitions.iter().enumerate() {
            let enabled = transition.arcs.iter().all(|&(slot, take, put)| {
                let tokens = self.packing.get(words, slot);
                take <= tokens && put <= self.capacity - (tokens - take)
            });
            if enabled {
                actions.push(ActionId::new(number));
            }
        }
        Ok(())
    }

    fn fire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Fault> {
        if self.wrong == Wrong::Action(action.0) {
            return Err(error().into());
        }
        let transition = &self.transitions[action.index()];
        self.change(words, transition.arcs.iter().copied())?;
        *hash = hash.wrapping_add(transition.hash_change);
        Ok(())
    }

    fn unfire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Refusal> {
        let transition = &self.transitions[action.index()];
        if transition.arcs.iter().any(|&(slot, _, put)| self.packing.get(words, slot) < put) {
            return Err(Refusal::Impossible);
        }
        self.change(words, transition.arcs.iter().map(|&(slot, take, put)| (slot, put, take)))?;
        *hash = hash.wrapping_sub(transition.hash_change);
        Ok(())
    }

    fn n_actions(&self) -> usize {
        self.transitions.len()
    }

    fn group_totals(&self, words: &[u64], totals: &mut [u64]) {
        totals.fill(0);
        for (slot, tokens) in self.packing.marked(words) {
            totals[self.layout.slots[slot.index()].group.index()] += u64::from(tokens);
        }
    }

    fn changed_slots(&self, action: ActionId) -> Option<Vec<SlotIdx>> {
        let arcs = self.transitions[action.index()].arcs.iter();
        (self.wrong == Wrong::Never).then(|| arcs.map(|&(slot, _, _)| slot).collect())
    }

    fn rules(&self) -> Option<Vec<Vec<SlotRule>>> {
        let end = |take: u32, put: u32| {
            (u64::from(self.capacity) + u64::from(take) + 1).saturating_sub(u64::from(put))
        };
        let rule =
            |&(slot, take, put): &(SlotIdx, u32, u32)| SlotRule { slot, least: take, end: end(take, put) };
        let rules = self.transitions.iter().map(|transition| transition.arcs.iter().map(rule).collect());
        (self.wrong == Wrong::Never).then(|| rules.collect())
    }

    fn group_changes(&self, action: ActionId) -> &[(GroupIdx, i64)] {
        &self.transitions[action.index()].changes
    }

    fn largest_multiplicity(&self, words: &[u64]) -> u32 {
        self.packing.marked(words).map(|(_, tokens)| tokens).max().unwrap_or(0)
    }

    fn largest_given(&self, words: &[u64], _: ActionId) -> u32 {
        self.largest_multiplicity(words)
    }

    fn may_grow(&self) -> bool {
        self.capacity == u32::MAX
    }

    fn grown(&self, before: &[u64], after: &[u64]) -> Option<Vec<GroupIdx>> {
        let mut grown = Vec::new();
        for (slot, described) in self.layout.slots.iter().enumerate() {
            let slot = SlotIdx::new(slot);
            let (low, high) = (self.packing.get(before, slot), self.packing.get(after, slot));
            if low > high {
                return None;
            }
            if low < high && grown.last() != Some(&described.group) {
                grown.push(described.group);
            }
        }
        (!grown.is_empty()).then_some(grown)
    }

    fn is_hindered(&self, _: ActionId, _: &[GroupIdx]) -> bool {
        false
    }

    fn describe(&self, action: ActionId) -> String {
        format!("t{}", action.0)
    }

    fn describe_state(&self, words: &[u64]) -> Vec<(String, String)> {
        let marked = self.packing.marked(words);
        marked.map(|(slot, tokens)| (format!("p{}", slot.0), tokens.to_string())).collect()
    }

    fn bytes(&self) -> usize {
        0
    }
}
