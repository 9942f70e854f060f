//! How a state was reached, found out afterwards.
//!
//! A breadth-first search does not keep where its states came from, and need not: the store knows. In a stored state
//! actions are taken back, and where that gives a state that is stored, too, and in which the action is enabled,
//! there is an edge. Identities are given in the order of insertion, so the state that the search came from
//! is the one with the least identity among those:
//!
//! ```text
//!  0 ──> 1 ──> 4 ──> 9         from 9: taking back leads to 4, 7 and some states that are not stored;
//!  └──> 2 ──> 7 ─────┘         4 is the least, from there 1, from there 0
//! ```
//!
//! Identities get less with every step, so this ends, and the run is as short as any.
//!
//! **Cost.** Each action is listed at one of the groups that it leaves with more tokens, and tried only where that
//! group holds some. Where most groups are empty, few actions are tried.

use petite_model::{ActionId, GroupIdx, Model};
use petite_store::{Lookup, StateId};

use crate::Unbounded;
use crate::allowance::{Purse, Spent};
use crate::self_covering::self_covering;

/// Units for looking a state up.
const LOOKING_UP: usize = 16;

/// Units for finding the enabled actions.
const ENABLING: usize = 48;

/// Finds runs to stored states.
#[derive(Default)]
pub struct Backward {
    /// Actions by a group that they leave with more tokens.
    leading_to: Vec<Vec<ActionId>>,
    /// Actions that leave no group with more.
    others: Vec<ActionId>,
    /// How many actions are in these lists.
    n_listed: usize,
    /// A walk that could not be paid for to its end.
    unfinished: Option<Walk>,
}

/// A walk from some state towards the initial one.
struct Walk {
    /// Where it began.
    last: StateId,
    at: StateId,
    /// The actions taken back, the last one of the run first.
    actions: Vec<ActionId>,
}

impl Backward {
    /// Looks whether the run from the initial state to a stored one covers itself; or the run of a walk that is still
    /// unfinished, which led to a state of the same kind. A run whose end covers itself is walked to its beginning,
    /// whatever that costs: it is the last thing that is paid for.
    pub fn examine<M: Model, S: Lookup<M>>(
        &mut self,
        model: &mut M,
        store: &mut S,
        id: StateId,
        purse: &mut Purse,
    ) -> Result<Option<Unbounded>, Spent> {
        self.list_actions(model, purse)?;
        let mut walk = self.unfinished.take().unwrap_or(Walk { last: id, at: id, actions: Vec::new() });
        // The other half is for looking at what was walked.
        let walked = purse.lend_half(|half| self.walk_back(model, store, &mut walk, half));
        let mut words = vec![0; model.packing().n_words()];
        store.get(model, walk.last, &mut words);
        let back = walk.actions.iter().copied();
        let found = self_covering(model, &words, walk.actions.len(), back, purse);
        match (walked, found) {
            (_, Ok(Some(covering))) => {
                self.walk_back(model, store, &mut walk, &mut Purse::unlimited())?;
                walk.actions.reverse();
                Ok((walk.at == StateId(0)).then(|| covering.proof(&walk.actions)))
            }
            (Ok(()), Ok(None)) => Ok(None),
            _ => {
                self.unfinished = Some(walk);
                Err(Spent)
            }
        }
    }

    /// Walks on, as far as can be paid for: to the initial state, or to where the model cannot take actions back.
    fn walk_back<M: Model, S: Lookup<M>>(
        &self,
        model: &mut M,
        store: &mut S,
        walk: &mut Walk,
        purse: &mut Purse,
    ) -> Result<(), Spent> {
        while walk.at != StateId(0) {
            let Some((parent, action)) = self.step_back(model, store, walk.at, purse)? else { break };
            walk.at = parent;
            walk.actions.push(action);
        }
        Ok(())
    }

    /// The state that the search found a state from, and the action.
    fn step_back<M: Model, S: Lookup<M>>(
        &self,
        model: &mut M,
        store: &mut S,
        id: StateId,
        purse: &mut Purse,
    ) -> Result<Option<(StateId, ActionId)>, Spent> {
        let n_words = model.packing().n_words();
        purse.pay(n_words / 2 + self.others.len())?;
        let mut words = vec![0; n_words];
        store.get(model, id, &mut words);
        let hash = model.packing().hash(&words);
        let layout = model.layout();
        let marked = model.packing().marked(&words);
        let mut groups: Vec<GroupIdx> = marked.map(|(slot, _)| layout.slots[slot.index()].group).collect();
        groups.dedup();

        let mut parents = Vec::new();
        let mut tried = words.clone();
        let leading_here = groups.iter().map(|group| &self.leading_to[group.index()]);
        for actions in leading_here.chain([&self.others]) {
            purse.pay(1 + actions.len())?;
            for &action in actions {
                let mut tried_hash = hash;
                // A value that outgrows its field is in no stored state.
                if model.unfire(&mut tried, &mut tried_hash, action).is_err() {
                    continue;
                }
                purse.pay(LOOKING_UP + n_words / 4)?;
                let parent = store.find(model, &tried, tried_hash).filter(|&parent| parent < id);
                parents.extend(parent.map(|parent| (parent, action)));
                tried.copy_from_slice(&words);
            }
        }
        parents.sort_unstable();
        let mut enabled = Vec::new();
        for (parent, action) in parents {
            purse.pay(ENABLING + n_words)?;
            store.get(model, parent, &mut words);
            enabled.clear();
            if model.enabled(&words, &mut enabled).is_ok() && enabled.contains(&action) {
                return Ok(Some((parent, action)));
            }
        }
        Ok(None)
    }

    /// Lists the actions that were numbered since the last time.
    fn list_actions<M: Model>(&mut self, model: &M, purse: &mut Purse) -> Result<(), Spent> {
        purse.pay(4 * (model.n_actions() - self.n_listed))?;
        self.leading_to.resize_with(model.layout().groups.len(), Vec::new);
        for action in (self.n_listed..model.n_actions()).map(ActionId::new) {
            let more = model.group_changes(action).iter().filter(|(_, change)| *change > 0);
            // The group with the shortest list is marked least often, as far as one can tell.
            match more.map(|(group, _)| *group).min_by_key(|group| self.leading_to[group.index()].len()) {
                Some(group) => self.leading_to[group.index()].push(action),
                None => self.others.push(action),
            }
        }
        self.n_listed = model.n_actions();
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let listed: usize = self.leading_to.iter().map(Vec::capacity).sum::<usize>() + self.others.capacity();
        let walked = self.unfinished.as_ref().map_or(0, |walk| walk.actions.capacity());
        (listed + walked) * size_of::<ActionId>() + self.leading_to.capacity() * size_of::<Vec<ActionId>>()
    }
}
