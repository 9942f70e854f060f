//! A model in which nothing happens: for stores that do not ask the model anything but its shape.

use petite_bits::{Outgrown, Packing, SlotIdx};
use petite_model::{ActionId, Content, Fault, Group, GroupIdx, Layout, Model, Refusal, Slot};
use petite_net::RunError;

/// One group with a counting slot for each field of the packing.
pub struct Inert {
    layout: Layout,
    packing: Packing,
}

impl Inert {
    /// The model of states packed like this.
    pub fn new(packing: &Packing) -> Inert {
        let group = Group {
            name: "all".to_owned(),
            first: SlotIdx(0),
            end: SlotIdx::new(packing.n_slots()),
            content: Content::Counts,
            ..Group::default()
        };
        let slot = Slot { group: GroupIdx(0), bound: None, colour: Box::default(), rank: None };
        let layout = Layout { slots: vec![slot; packing.n_slots()], groups: vec![group] };
        Inert { layout, packing: packing.clone() }
    }
}

impl Model for Inert {
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
        Ok(())
    }

    fn enabled(&mut self, _: &[u64], _: &mut Vec<ActionId>) -> Result<(), RunError> {
        Ok(())
    }

    fn fire(&mut self, _: &mut [u64], _: &mut u64, _: ActionId) -> Result<(), Fault> {
        unreachable!("no action is enabled")
    }

    fn unfire(&mut self, _: &mut [u64], _: &mut u64, _: ActionId) -> Result<(), Refusal> {
        Err(Refusal::Impossible)
    }

    fn n_actions(&self) -> usize {
        0
    }

    fn group_totals(&self, words: &[u64], totals: &mut [u64]) {
        totals[0] = self.packing.marked(words).map(|(_, count)| u64::from(count)).sum();
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

    fn describe(&self, _: ActionId) -> String {
        String::new()
    }

    fn describe_state(&self, _: &[u64]) -> Vec<(String, String)> {
        Vec::new()
    }

    fn bytes(&self) -> usize {
        self.packing.bytes()
    }
}
