//! Which runs count: assumptions on fairness.
//!
//! A fairness set is a set of actions. *Weak*: a run that has some of them enabled from some time on fires one of
//! them again and again. *Strong*: a run that has some of them enabled again and again does. Runs that break such a
//! promise do not count as counterexamples. The stuttering of a dead state is fair: nothing is enabled there.

use petite_model::{ActionId, NetModel};
use petite_net::{Evaluator, Fairness, FairnessSet, RunError};

/// Fairness sets of a model.
///
/// Sets are numbered, the weak ones first; a set of them is one bit each.
pub trait FairSets<M> {
    /// Number of weak sets.
    fn n_weak(&self) -> u32;

    /// Number of strong sets.
    fn n_strong(&self) -> u32;

    /// The sets that an action is in.
    ///
    /// # Errors
    /// When the evaluation of a condition fails.
    fn sets_of(&mut self, model: &M, action: ActionId) -> Result<u64, RunError>;
}

/// No assumptions: all runs count.
#[derive(Clone, Copy, Debug)]
pub struct Unfair;

impl<M> FairSets<M> for Unfair {
    fn n_weak(&self) -> u32 {
        0
    }

    fn n_strong(&self) -> u32 {
        0
    }

    fn sets_of(&mut self, _: &M, _: ActionId) -> Result<u64, RunError> {
        Ok(0)
    }
}

/// The fairness sets that a net states, with the sets of each action once they are known.
#[derive(Debug, Default)]
pub struct NetFairness {
    weak: Vec<FairnessSet>,
    strong: Vec<FairnessSet>,
    known: Vec<Option<u64>>,
}

impl NetFairness {
    /// The weak and the strong sets of a net. Those that demand something to be enabled say nothing of runs.
    pub fn of(sets: &[FairnessSet]) -> NetFairness {
        let with = |demand| sets.iter().filter(|set| set.demand == demand).cloned().collect();
        NetFairness { weak: with(Fairness::Weak), strong: with(Fairness::Strong), known: Vec::new() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.weak.is_empty() && self.strong.is_empty()
    }
}

impl<M: NetModel> FairSets<M> for NetFairness {
    fn n_weak(&self) -> u32 {
        self.weak.len() as u32
    }

    fn n_strong(&self) -> u32 {
        self.strong.len() as u32
    }

    fn sets_of(&mut self, model: &M, action: ActionId) -> Result<u64, RunError> {
        if let Some(Some(known)) = self.known.get(action.index()) {
            return Ok(*known);
        }
        let (transition, frame) = (model.transition_of(action), model.frame_of(action));
        let net = model.net();
        let mut evaluator = Evaluator::new(&net.types, &net.functions);
        let mut sets = 0;
        for (number, set) in self.weak.iter().chain(&self.strong).enumerate() {
            for (_, condition) in set.members.iter().filter(|(member, _)| *member == transition) {
                if evaluator.holds(condition, &mut frame.to_vec(), None)? {
                    sets |= 1 << number;
                }
            }
        }
        if self.known.len() <= action.index() {
            self.known.resize(action.index() + 1, None);
        }
        self.known[action.index()] = Some(sets);
        Ok(sets)
    }
}
