//! A ring of places with black tokens: each action moves a token to the next place.

use petite_bits::{Misfit, Outgrown, Packing, SlotIdx, slot_key};
use petite_model::{ActionId, Content, Fault, Group, GroupIdx, Layout, Model, Refusal, Slot};
use petite_net::RunError;

/// `tokens` on the first of some places.
pub struct Ring {
    layout: Layout,
    packing: Packing,
    tokens: u32,
    is_reversible: bool,
}

impl Ring {
    /// A ring whose fields start with one bit.
    pub fn new(places: usize, tokens: u32) -> Ring {
        Ring::with_width(places, tokens, 1)
    }

    /// A ring whose fields never have to be widened.
    pub fn wide(places: usize, tokens: u32) -> Ring {
        Ring::with_width(places, tokens, 32 - tokens.leading_zeros() as u8)
    }

    /// A ring that says it cannot take actions back, and is wrong when asked to.
    pub fn one_way(places: usize, tokens: u32) -> Ring {
        Ring { is_reversible: false, ..Ring::new(places, tokens) }
    }

    /// Two places, and wide fields: a path on which tokens move from the first to the second.
    pub fn counter(tokens: u32) -> Ring {
        Ring::with_width(2, tokens, 32)
    }

    fn with_width(places: usize, tokens: u32, width: u8) -> Ring {
        let mut layout = Layout::default();
        for place in 0..places {
            layout.slots.push(Slot::new(GroupIdx::new(place)));
            let (first, end) = (SlotIdx::new(place), SlotIdx::new(place + 1));
            layout.groups.push(Group::new(format!("p{place}"), first, end, Content::Counts));
        }
        Ring { layout, packing: Packing::new(&vec![width; places]), tokens, is_reversible: true }
    }

    /// Ways to put the tokens on the places.
    pub fn n_states(&self) -> u64 {
        let (n, k) = (u64::from(self.tokens) + self.layout.slots.len() as u64 - 1, u64::from(self.tokens));
        (1..=n - k).fold(1, |product, i| product * (k + i) / i)
    }

    fn move_one(&self, words: &mut [u64], hash: &mut u64, from: SlotIdx, to: SlotIdx) -> Result<(), Misfit> {
        self.packing.add(words, from, -1, u32::MAX)?;
        if let Err(misfit) = self.packing.add(words, to, 1, u32::MAX) {
            self.packing.add(words, from, 1, u32::MAX)?;
            return Err(misfit);
        }
        *hash = hash.wrapping_sub(slot_key(from)).wrapping_add(slot_key(to));
        Ok(())
    }

    fn ends(&self, action: ActionId) -> (SlotIdx, SlotIdx) {
        (SlotIdx(action.0), SlotIdx((action.0 + 1) % self.layout.slots.len() as u32))
    }
}

impl Model for Ring {
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
        words.fill(0);
        Ok(self.packing.set(words, SlotIdx(0), self.tokens)?)
    }

    fn enabled(&mut self, words: &[u64], actions: &mut Vec<ActionId>) -> Result<(), RunError> {
        actions.extend(self.packing.marked(words).map(|(slot, _)| ActionId(slot.0)));
        Ok(())
    }

    fn fire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Fault> {
        let (from, to) = self.ends(action);
        match self.move_one(words, hash, from, to) {
            Err(Misfit::Outgrown(outgrown)) => Err(outgrown.into()),
            Err(misfit) => panic!("{action:?} was not enabled: {misfit:?}"),
            Ok(()) => Ok(()),
        }
    }

    fn unfire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Refusal> {
        assert!(self.is_reversible, "it said that it cannot");
        let (from, to) = self.ends(action);
        match self.move_one(words, hash, to, from) {
            Err(Misfit::Outgrown(outgrown)) => Err(outgrown.into()),
            Err(_) => Err(Refusal::Impossible),
            Ok(()) => Ok(()),
        }
    }

    fn is_reversible(&self) -> bool {
        self.is_reversible
    }

    fn n_actions(&self) -> usize {
        self.layout.slots.len()
    }

    fn group_totals(&self, words: &[u64], totals: &mut [u64]) {
        totals.fill(0);
        self.packing.marked(words).for_each(|(slot, count)| totals[slot.index()] = count.into());
    }

    fn group_changes(&self, _: ActionId) -> &[(GroupIdx, i64)] {
        &[]
    }

    fn largest_multiplicity(&self, words: &[u64]) -> u32 {
        self.packing.marked(words).map(|(_, count)| count).max().unwrap_or(0)
    }

    fn largest_given(&self, words: &[u64], _: ActionId) -> u32 {
        self.largest_multiplicity(words)
    }

    fn describe(&self, action: ActionId) -> String {
        format!("move {}", action.0)
    }

    fn describe_state(&self, _: &[u64]) -> Vec<(String, String)> {
        Vec::new()
    }

    fn bytes(&self) -> usize {
        self.packing.bytes()
    }
}
