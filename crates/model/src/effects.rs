//! What actions do to a state, as flat tables.
//!
//! Every action, of whichever engine, ends up here as lists of slots: what must be there, what changes and by
//! how much. Firing adds the changes to the packed words and one precomputed number to the hash, so its cost is
//! the number of slots the action touches.
//!
//! Fields are looked up once, not in every firing: a [`Take`] or [`Change`] carries the place of its slot's bits.
//! When the packing changes, [`Effects::repack`] brings them up to date.
//!
//! A slot of a bag group is changed by a *step* instead of a number: tokens removed and added, interned by
//! [`Bags`], which remembers where each step led from each bag.

use petite_bits::{Field, Misfit, Outgrown, Packing, SlotIdx, slot_key};
use petite_net::{Net, PlaceIdx, RunError, RunErrorKind, TransIdx, structure::Incidence};

use crate::{
    ActionId, Content, GroupIdx, Layout, Refusal,
    bags::{Bags, StepId, Wrong},
    lists::Lists,
    matcher::{Flaw, Stage},
};

/// One action as an engine hands it over.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// Least count of each slot for the action to be enabled.
    pub takes: Vec<(SlotIdx, u32)>,
    /// By how much each slot changes, zero left out.
    pub changes: Vec<(SlotIdx, i64)>,
    /// How bag slots change.
    pub steps: Vec<(PlaceIdx, StepId)>,
    /// By how much each group's token count changes, zero left out.
    pub groups: Vec<(GroupIdx, i64)>,
    /// What firing it is instead, when its evaluation failed.
    pub flaw: Option<Flaw>,
}

/// All actions of a model.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    takes: Lists<Take>,
    changes: Lists<Change>,
    steps: Lists<(SlotIdx, PlaceIdx, StepId)>,
    groups: Lists<(GroupIdx, i64)>,
    hashes: Vec<u64>,
    transitions: Vec<TransIdx>,
    /// Actions whose firing is an error, ascending.
    flaws: Vec<(ActionId, Flaw)>,
    /// Whether some of them are to be left out instead.
    leaves_out: bool,
    /// Those that would have been enabled otherwise, in the order in which they were met.
    left_out: Vec<ActionId>,
    /// Largest allowed value of each count slot.
    limits: Vec<u32>,
    /// Groups whose total is limited to ranges.
    limited_groups: Vec<Option<Vec<(u32, u32)>>>,
}

/// A count that must be there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Take {
    pub slot: SlotIdx,
    field: Field,
    least: u32,
}

impl Take {
    #[inline]
    fn is_there(&self, words: &[u64]) -> bool {
        (words[self.field.word as usize] >> self.field.shift) as u32 & self.field.max() >= self.least
    }
}

/// A count that changes.
#[derive(Clone, Copy, Debug)]
struct Change {
    slot: SlotIdx,
    field: Field,
    by: i32,
    /// Largest value that place and field allow.
    most: u32,
}

impl Change {
    #[inline]
    fn value(&self, words: &[u64]) -> u32 {
        (words[self.field.word as usize] >> self.field.shift) as u32 & self.field.max()
    }

    /// Whether the change was made: the new value is allowed and fits.
    #[inline]
    fn apply(&self, words: &mut [u64], direction: Direction) -> bool {
        let by = if direction == Direction::Forward { self.by } else { self.by.wrapping_neg() };
        let changed = i64::from(self.value(words)) + i64::from(by);
        let fits = 0 <= changed && changed <= i64::from(self.most);
        if fits {
            // The sum stays within the field, so nothing is carried into its neighbours.
            let word = &mut words[self.field.word as usize];
            *word = word.wrapping_add((i64::from(by) as u64) << self.field.shift);
        }
        fits
    }
}

/// Why an action could not be applied.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A field is too narrow.
    Outgrown(Outgrown),
    /// There are fewer tokens than the action takes, or gave.
    Negative,
    /// A slot would count more than its place allows, or than 32 bits do.
    Capacity { slot: SlotIdx, value: u64 },
    /// A bag would hold a token more often than its place allows, or than 32 bits do.
    BagCapacity { place: PlaceIdx, token: u32, value: u64 },
    /// The evaluation of the action had failed.
    Error(Box<RunError>),
}

impl From<Failure> for Refusal {
    /// What it means for an action that was to be taken back.
    fn from(failure: Failure) -> Refusal {
        match failure {
            Failure::Outgrown(outgrown) => Refusal::Outgrown(outgrown),
            _ => Refusal::Impossible,
        }
    }
}

impl From<Outgrown> for Failure {
    fn from(outgrown: Outgrown) -> Failure {
        Failure::Outgrown(outgrown)
    }
}

/// Which way an action goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

impl Effects {
    /// No actions yet, over the places of a net: group number `i` is place number `i`.
    pub fn new(net: &Net, layout: &Layout) -> Effects {
        let limit = |group: GroupIdx| match layout.groups[group.index()].content {
            Content::Counts => net.places[group.index()].capacity.per_token.unwrap_or(u32::MAX),
            Content::Bag => u32::MAX,
        };
        Effects {
            limits: layout.slots.iter().map(|slot| limit(slot.group)).collect(),
            limited_groups: net.places.iter().map(|place| place.capacity.total.clone()).collect(),
            ..Effects::default()
        }
    }

    /// Adds an action.
    pub fn push(
        &mut self,
        transition: TransIdx,
        mut effect: Effect,
        layout: &Layout,
        packing: &Packing,
    ) -> ActionId {
        let action = ActionId::new(self.hashes.len());
        if let Some(&(slot, _)) = effect.changes.iter().find(|(_, by)| i32::try_from(by.abs()).is_err()) {
            let place = layout.groups[layout.slots[slot.index()].group.index()].name.clone();
            let error = RunError::new(RunErrorKind::CountOverflow { place }, petite_net::Span::default());
            effect.flaw.get_or_insert(Flaw {
                stage: Stage::Firing,
                error: Box::new(error),
                left_out: false,
                was_met: false,
            });
            effect.changes.clear();
        }
        let hash = effect.changes.iter().map(|&(slot, by)| slot_key(slot).wrapping_mul(by as u64));
        self.hashes.push(hash.fold(0, u64::wrapping_add));
        let take = |(slot, least)| Take { slot, field: packing.field(slot), least };
        self.takes.push(effect.takes.into_iter().map(take));
        let limits = &self.limits;
        let change = |(slot, by): (SlotIdx, i64)| {
            let field = packing.field(slot);
            Change { slot, field, by: by as i32, most: limits[slot.index()].min(field.max()) }
        };
        self.changes.push(effect.changes.into_iter().map(change));
        let slot_of = |place: PlaceIdx| layout.groups[place.index()].first;
        self.steps.push(effect.steps.into_iter().map(|(place, step)| (slot_of(place), place, step)));
        self.groups.push(effect.groups);
        self.transitions.push(transition);
        if let Some(flaw) = effect.flaw {
            self.leaves_out |= flaw.left_out;
            self.flaws.push((action, flaw));
        }
        action
    }

    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    pub fn transition(&self, action: ActionId) -> TransIdx {
        self.transitions[action.index()]
    }

    pub fn groups(&self, action: ActionId) -> &[(GroupIdx, i64)] {
        self.groups.get(action.index())
    }

    pub fn takes(&self, action: ActionId) -> &[Take] {
        self.takes.get(action.index())
    }

    /// The least counts that an action needs.
    pub fn needed(&self, action: ActionId) -> impl Iterator<Item = (SlotIdx, u32)> {
        self.takes.get(action.index()).iter().map(|take| (take.slot, take.least))
    }

    /// By how much an action changes which slots.
    pub fn changed(&self, action: ActionId) -> impl Iterator<Item = (SlotIdx, i64)> {
        self.changes.get(action.index()).iter().map(|change| (change.slot, i64::from(change.by)))
    }

    /// The largest count among the slots that an action has just raised, or the largest multiplicity in the bags
    /// that it changed.
    #[inline]
    pub fn largest_given(&self, packing: &Packing, bags: &Bags, words: &[u64], action: ActionId) -> u32 {
        let raised = self.changes.get(action.index()).iter().filter(|change| change.by > 0);
        let counted = raised.map(|change| change.value(words)).max().unwrap_or(0);
        let steps = self.steps.get(action.index()).iter();
        let in_bags = steps.map(|&(slot, place, _)| bags.largest(place, packing.get(words, slot))).max();
        counted.max(in_bags.unwrap_or(0))
    }

    /// What the actions take from count slots and how they change them; an action that is an error changes nothing.
    pub fn incidence(&self) -> Incidence {
        let mut incidence = Incidence::new(self.limits.len());
        for action in 0..self.len() {
            incidence.push(
                self.takes.get(action).iter().map(|take| (take.slot, take.least)),
                self.changes.get(action).iter().map(|change| (change.slot, i64::from(change.by))),
            );
        }
        incidence
    }

    /// Number of changes of all actions.
    pub fn n_changes(&self) -> usize {
        self.changes.n_items()
    }

    /// Looks all fields up again.
    pub fn repack(&mut self, packing: &Packing) {
        for take in self.takes.items_mut() {
            take.field = packing.field(take.slot);
        }
        for change in self.changes.items_mut() {
            change.field = packing.field(change.slot);
            change.most = self.limits[change.slot.index()].min(change.field.max());
        }
    }

    /// Whether all counted tokens that the action takes are there.
    #[inline]
    pub fn has_tokens(&self, words: &[u64], action: ActionId) -> bool {
        self.takes.get(action.index()).iter().all(|take| take.is_there(words))
    }

    /// Whether the action is an error as soon as its tokens are there.
    pub fn fails_early(&self, action: ActionId) -> bool {
        self.flaw(action).is_some_and(|flaw| flaw.stage == Stage::Enabling)
    }

    /// What firing the action is instead, where its evaluation failed.
    #[inline]
    pub fn flaw(&self, action: ActionId) -> Option<&Flaw> {
        if self.flaws.is_empty() {
            return None;
        }
        let at = self.flaws.binary_search_by_key(&action, |(action, _)| *action).ok()?;
        Some(&self.flaws[at].1)
    }

    /// Drops the actions from position `start` on that are to be left out, and remembers them.
    #[inline]
    pub fn leave_out(&mut self, actions: &mut Vec<ActionId>, start: usize) {
        if self.leaves_out {
            self.drop_left_out(actions, start);
        }
    }

    fn drop_left_out(&mut self, actions: &mut Vec<ActionId>, start: usize) {
        let mut kept = start;
        for i in start..actions.len() {
            let action = actions[i];
            let flaw = self.flaws.binary_search_by_key(&action, |(action, _)| *action).ok();
            match flaw.map(|at| &mut self.flaws[at].1).filter(|flaw| flaw.left_out) {
                Some(flaw) => {
                    if !std::mem::replace(&mut flaw.was_met, true) {
                        self.left_out.push(action);
                    }
                }
                None => {
                    actions[kept] = action;
                    kept += 1;
                }
            }
        }
        actions.truncate(kept);
    }

    /// The errors of the actions that were left out.
    pub fn errors_left_out(&self) -> Vec<&RunError> {
        self.left_out.iter().filter_map(|&action| Some(&*self.flaw(action)?.error)).collect()
    }

    /// Applies an action, or takes it back; words and hash are unchanged on an error.
    #[inline]
    pub fn apply(
        &self,
        direction: Direction,
        action: ActionId,
        packing: &Packing,
        bags: &mut Bags,
        words: &mut [u64],
        hash: &mut u64,
    ) -> Result<(), Failure> {
        if let Some(flaw) = self.flaw(action) {
            return Err(Failure::Error(flaw.error.clone()));
        }
        let changes = self.changes.get(action.index());
        for (done, change) in changes.iter().enumerate() {
            if !change.apply(words, direction) {
                restore(direction, words, &changes[..done]);
                return Err(self.misfit(change, direction, packing, words));
            }
        }
        let counted = self.hashes[action.index()];
        *hash = match direction {
            Direction::Forward => hash.wrapping_add(counted),
            Direction::Backward => hash.wrapping_sub(counted),
        };
        let steps = self.steps.get(action.index());
        if steps.is_empty() {
            return Ok(());
        }
        let before = *hash;
        for (done, &(slot, place, step)) in steps.iter().enumerate() {
            let from = packing.get(words, slot);
            let outcome = match bags.step(place, from, step, direction) {
                Ok(to) => packing.set(words, slot, to).map(|()| to).map_err(Failure::from),
                Err(Wrong::Negative) => Err(Failure::Negative),
                Err(Wrong::Above { token, value }) => Err(Failure::BagCapacity { place, token, value }),
            };
            match outcome {
                Ok(to) => {
                    let by = i64::from(to) - i64::from(from);
                    *hash = hash.wrapping_add(slot_key(slot).wrapping_mul(by as u64));
                }
                Err(fault) => {
                    for &(slot, place, step) in &steps[..done] {
                        let to = packing.get(words, slot);
                        if let Ok(from) = bags.step(place, to, step, direction.reversed()) {
                            // The bag was in this field a moment ago, so it fits.
                            let _ = packing.set(words, slot, from);
                        }
                    }
                    restore(direction, words, changes);
                    *hash = match direction {
                        Direction::Forward => before.wrapping_sub(counted),
                        Direction::Backward => before.wrapping_add(counted),
                    };
                    return Err(fault);
                }
            }
        }
        Ok(())
    }

    /// Groups changed by an action whose number of tokens is limited, with their allowed totals.
    pub fn limited(&self, action: ActionId) -> impl Iterator<Item = (GroupIdx, &[(u32, u32)])> {
        let groups = self.groups.get(action.index()).iter();
        groups.filter_map(|&(group, _)| Some((group, self.limited_groups[group.index()].as_deref()?)))
    }

    /// Whether any group's number of tokens is limited.
    pub fn limits_groups(&self) -> bool {
        self.limited_groups.iter().any(Option::is_some)
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.takes.bytes()
            + self.changes.bytes()
            + self.steps.bytes()
            + self.groups.bytes()
            + self.hashes.capacity() * size_of::<u64>()
            + self.transitions.capacity() * size_of::<TransIdx>()
            + self.limits.capacity() * size_of::<u32>()
    }

    /// Why a change could not be made.
    #[cold]
    fn misfit(&self, change: &Change, direction: Direction, packing: &Packing, words: &mut [u64]) -> Failure {
        let by = if direction == Direction::Forward { i64::from(change.by) } else { -i64::from(change.by) };
        let slot = change.slot;
        match packing.add(words, slot, by, self.limits[slot.index()]) {
            Err(Misfit::Outgrown(outgrown)) => Failure::Outgrown(outgrown),
            Err(Misfit::Above(value)) => Failure::Capacity { slot, value },
            Err(Misfit::Negative) | Ok(()) => Failure::Negative,
        }
    }
}

/// Takes back changes that were just made.
#[cold]
fn restore(direction: Direction, words: &mut [u64], done: &[Change]) {
    for change in done {
        change.apply(words, direction.reversed());
    }
}

impl Direction {
    pub fn reversed(self) -> Direction {
        match self {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        }
    }
}
