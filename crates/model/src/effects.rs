//! What actions do to a state, as flat tables.
//!
//! Every action, of whichever engine, ends up here as lists of slots: what must be there, what changes and by
//! how much. Firing adds the changes to the packed words and one precomputed number to the hash, so its cost is
//! the number of words the action touches. The words' part is done by [`Moves`], which is made anew when the packing
//! changes; slot by slot goes only what it leaves, and what fails, to tell why.
//!
//! A slot of a bag group is changed by a *step* instead of a number: tokens removed and added, interned by
//! [`Bags`], which remembers where each step led from each bag.

use petite_bits::{Misfit, Outgrown, Packing, SlotIdx, slot_key};
use petite_net::{Net, PlaceIdx, RunError, RunErrorKind, TransIdx, structure::Incidence};

use crate::{
    ActionId, Content, GroupIdx, Layout, Refusal,
    bags::{Bags, StepId, Wrong},
    lists::Lists,
    matcher::{Flaw, Stage},
    moves::{Moved, Moves},
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
    moves: Moves,
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
    limits_groups: bool,
}

/// A count that must be there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Take {
    pub slot: SlotIdx,
    least: u32,
}

/// A count that changes.
#[derive(Clone, Copy, Debug)]
struct Change {
    slot: SlotIdx,
    by: i32,
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
    pub fn new(net: &Net, layout: &Layout, packing: &Packing) -> Effects {
        let limit = |group: GroupIdx| match layout.groups[group.index()].content {
            Content::Counts => net.places[group.index()].capacity.per_token.unwrap_or(u32::MAX),
            Content::Bag => u32::MAX,
        };
        Effects {
            limits: layout.slots.iter().map(|slot| limit(slot.group)).collect(),
            limited_groups: net.places.iter().map(|place| place.capacity.total.clone()).collect(),
            limits_groups: net.places.iter().any(|place| place.capacity.total.is_some()),
            moves: Moves::new(packing),
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
        let action = ActionId::new(self.transitions.len());
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
        effect.takes.sort_unstable();
        effect.changes.sort_unstable();
        self.takes.push(effect.takes.into_iter().map(|(slot, least)| Take { slot, least }));
        self.changes.push(effect.changes.into_iter().map(|(slot, by)| Change { slot, by: by as i32 }));
        let slot_of = |place: PlaceIdx| layout.groups[place.index()].first;
        self.steps.push(effect.steps.into_iter().map(|(place, step)| (slot_of(place), place, step)));
        self.groups.push(effect.groups);
        self.transitions.push(transition);
        if let Some(flaw) = effect.flaw {
            self.leaves_out |= flaw.left_out;
            self.flaws.push((action, flaw));
        }
        self.push_moves(action, packing);
        action
    }

    pub fn len(&self) -> usize {
        self.transitions.len()
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
        let counted = raised.map(|change| packing.get(words, change.slot)).max().unwrap_or(0);
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

    /// Number of slots that all actions take from.
    pub fn n_takes(&self) -> usize {
        self.takes.n_items()
    }

    /// Number of changes of all actions.
    pub fn n_changes(&self) -> usize {
        self.changes.n_items()
    }

    /// Follows the model to another packing.
    pub fn repack(&mut self, packing: &Packing) {
        self.moves = Moves::new(packing);
        (0..self.len()).map(ActionId::new).for_each(|action| self.push_moves(action, packing));
    }

    fn push_moves(&mut self, action: ActionId, packing: &Packing) {
        let takes = self.takes.get(action.index()).iter().map(|take| (take.slot, take.least));
        let changes = self.changes.get(action.index()).iter();
        let changes = changes.map(|change| (change.slot, change.by, self.limits[change.slot.index()]));
        let more = !self.steps.get(action.index()).is_empty()
            || self.flaw(action).is_some()
            || self.limited(action).next().is_some();
        self.moves.push(packing, takes, changes, more);
    }

    /// Whether all counted tokens that the action takes are there.
    #[inline]
    pub fn has_tokens(&self, packing: &Packing, words: &[u64], action: ActionId) -> bool {
        match self.moves.has_counts(words, action) {
            Some(has) => has,
            None => self.needed(action).all(|(slot, least)| packing.get(words, slot) >= least),
        }
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

    /// Applies an action that is only changes of counts, or takes it back, where there is room for them. Most actions
    /// are no more than that.
    #[inline(always)]
    pub fn apply_plainly(
        &self,
        direction: Direction,
        action: ActionId,
        words: &mut [u64],
        hash: &mut u64,
    ) -> Moved {
        self.moves.apply(direction, words, hash, action)
    }

    /// Applies any action, or takes it back; words and hash are unchanged on an error, which tells what fails.
    #[inline(never)]
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
        let before = *hash;
        if self.moves.apply_counts(direction, words, hash, action) == Moved::Not {
            self.apply_counts(direction, action, packing, words)?;
            let counted = self.moves.hash(action);
            *hash = match direction {
                Direction::Forward => hash.wrapping_add(counted),
                Direction::Backward => hash.wrapping_sub(counted),
            };
        }
        let steps = self.steps.get(action.index());
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
                    self.restore(direction, packing, words, self.changes.get(action.index()));
                    *hash = before;
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

    /// The slots that an action changes; none are known where firing it depends on more than these.
    pub fn changed_slots(&self, action: ActionId) -> Option<Vec<SlotIdx>> {
        if self.limits_groups() || self.flaw(action).is_some() {
            return None;
        }
        let steps = self.steps.get(action.index()).iter().map(|&(slot, _, _)| slot);
        Some(self.changed(action).map(|(slot, _)| slot).chain(steps).collect())
    }

    /// Whether any group's number of tokens is limited.
    #[inline]
    pub fn limits_groups(&self) -> bool {
        self.limits_groups
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.takes.bytes()
            + self.changes.bytes()
            + self.moves.bytes()
            + self.steps.bytes()
            + self.groups.bytes()
            + self.transitions.capacity() * size_of::<TransIdx>()
            + self.limits.capacity() * size_of::<u32>()
    }

    /// Changes counts slot by slot, and finds out which one cannot be changed; words are unchanged then.
    fn apply_counts(
        &self,
        direction: Direction,
        action: ActionId,
        packing: &Packing,
        words: &mut [u64],
    ) -> Result<(), Failure> {
        let changes = self.changes.get(action.index());
        for (done, change) in changes.iter().enumerate() {
            let slot = change.slot;
            let failure = match packing.add(words, slot, direction.of(change.by), self.limits[slot.index()]) {
                Ok(()) => continue,
                Err(Misfit::Outgrown(outgrown)) => Failure::Outgrown(outgrown),
                Err(Misfit::Above(value)) => Failure::Capacity { slot, value },
                Err(Misfit::Negative) => Failure::Negative,
            };
            self.restore(direction, packing, words, &changes[..done]);
            return Err(failure);
        }
        Ok(())
    }

    /// Takes back changes that were just made.
    #[cold]
    fn restore(&self, direction: Direction, packing: &Packing, words: &mut [u64], done: &[Change]) {
        for change in done {
            // The value was there a moment ago, so it fits.
            let _ = packing.add(words, change.slot, direction.reversed().of(change.by), u32::MAX);
        }
    }
}

impl Direction {
    /// A change in this direction.
    fn of(self, by: i32) -> i64 {
        match self {
            Direction::Forward => i64::from(by),
            Direction::Backward => -i64::from(by),
        }
    }

    pub fn reversed(self) -> Direction {
        match self {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        }
    }
}
