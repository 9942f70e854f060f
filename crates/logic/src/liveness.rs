//! Whether every transition can always become enabled again.
//!
//! From every state some *bottom component* can be reached: a set of states that reach each other and nothing else. Once
//! there, a run can enable what its states enable and no more, so a net is live exactly if every bottom component enables
//! every transition somewhere. Components are found by Tarjan's algorithm (1972) while the states are explored depth first:
//! states are numbered in the order in which they are found, so their identities in the store are the numbers that it needs.
//!
//! **Cost.** Beside the store, 4 bytes a state for the low links, a bit for whether an edge leaves the component, and the two
//! stacks. The enabled actions are found twice in states of bottom components.

use std::time::Instant;

use petite_bits::OutOfMemory;
use petite_model::{ActionId, Fault, NetModel};
use petite_net::RunError;
use petite_search::{Limit, Limits, Monitor, Progress};
use petite_store::{Lookup as _, Origin, Plain, StateId, StateSet as _, Store as _};

use crate::{Answer, Means, Unknown, Verdict};

/// The low link of a state whose component is done.
const DONE: u32 = u32::MAX;

/// Steps between two looks at limits.
const LOOK_EVERY: u64 = 1024;

/// Tells whether a net is live.
pub fn liveness<M: NetModel>(model: &mut M, limits: &Limits, monitor: &mut dyn Monitor) -> Verdict {
    let is_needed = vec![true; model.net().transitions.len()];
    let mut search = Search {
        store: Plain::new(model.packing()),
        model,
        limits,
        monitor,
        started: Instant::now(),
        events: 0,
        low: Vec::new(),
        leaves: Vec::new(),
        path: Vec::new(),
        actions: Vec::new(),
        open: Vec::new(),
        is_needed,
    };
    match search.run() {
        Ok(()) => Verdict::plain(Answer::Holds, Means::AllStates),
        Err(End::NotLive) => {
            // The path leads to the component that lacks a transition.
            let witness = search.path.iter().filter_map(|level| level.taken).collect();
            Verdict { answer: Answer::Fails, means: Means::Witness, witness: Some(witness), cycle: None }
        }
        Err(End::Ended(why)) => Verdict::unknown(Unknown::Ended(why)),
        Err(End::Failed(error)) => Verdict::unknown(Unknown::Failed(error)),
    }
}

/// Why the search ended before its end.
enum End {
    NotLive,
    Ended(&'static str),
    Failed(Box<RunError>),
}

impl From<OutOfMemory> for End {
    fn from(_: OutOfMemory) -> End {
        End::Ended("the system has no more memory")
    }
}

struct Search<'a, M> {
    model: &'a mut M,
    store: Plain,
    limits: &'a Limits,
    monitor: &'a mut dyn Monitor,
    started: Instant,
    events: u64,
    /// The least state that each one is known to reach within its component, or [`DONE`].
    low: Vec<u32>,
    /// Whether an edge of the state leaves its component, one bit each.
    leaves: Vec<u64>,
    path: Vec<Level>,
    /// The actions that are left on the levels of the path.
    actions: Vec<ActionId>,
    /// States whose component is not complete, in order.
    open: Vec<u32>,
    is_needed: Vec<bool>,
}

/// A state on the path.
struct Level {
    id: u32,
    /// Where its actions begin.
    first: usize,
    /// The action that leads on along the path.
    taken: Option<ActionId>,
}

impl<M: NetModel> Search<'_, M> {
    fn run(&mut self) -> Result<(), End> {
        let mut words = vec![0; self.model.packing().n_words()];
        while let Err(fault) = self.model.initial(&mut words) {
            match fault {
                Fault::Outgrown(outgrown) => self.widen(outgrown)?,
                Fault::Run(error) => return Err(End::Failed(error)),
            }
            words = vec![0; self.model.packing().n_words()];
        }
        self.insert(&words)?;
        self.enter(0, &words)?;
        while let Some(level) = self.path.last_mut() {
            let id = level.id;
            if self.actions.len() > level.first {
                let Some(action) = self.actions.pop() else { break };
                level.taken = Some(action);
                self.step(id, action)?;
                self.look()?;
                continue;
            }
            self.path.pop();
            let is_root = self.low[id as usize] == id;
            if is_root {
                self.close(id)?;
            }
            if let Some(parent) = self.path.last() {
                if is_root {
                    self.leaves[parent.id as usize / 64] |= 1 << (parent.id % 64);
                } else {
                    let low = self.low[id as usize];
                    let known = &mut self.low[parent.id as usize];
                    *known = low.min(*known);
                }
            }
        }
        Ok(())
    }

    /// Follows an action of a state.
    fn step(&mut self, from: u32, action: ActionId) -> Result<(), End> {
        let mut words;
        loop {
            words = vec![0; self.model.packing().n_words()];
            self.store.get(self.model, StateId(from), &mut words);
            match self.model.fire(&mut words, &mut 0, action) {
                Ok(()) => break,
                Err(Fault::Outgrown(outgrown)) => self.widen(outgrown)?,
                Err(Fault::Run(error)) => return Err(End::Failed(error)),
            }
        }
        let (to, is_new) = self.insert(&words)?;
        if is_new {
            return self.enter(to, &words);
        }
        match self.low[to as usize] {
            DONE => self.leaves[from as usize / 64] |= 1 << (from % 64),
            _ => {
                let known = &mut self.low[from as usize];
                *known = to.min(*known);
            }
        }
        Ok(())
    }

    fn insert(&mut self, words: &[u64]) -> Result<(u32, bool), End> {
        let hash = self.model.packing().hash(words);
        let inserted = self.store.insert(self.model, words, hash, Origin::Initial);
        let inserted =
            inserted.map_err(|_| End::Ended("the system has no more memory or numbers for states"))?;
        if inserted.new && self.limits.max_states.is_some_and(|most| self.store.len() as u64 > most) {
            return Err(End::Ended("state limit reached"));
        }
        Ok((inserted.id.0, inserted.new))
    }

    /// Makes a new state the end of the path.
    fn enter(&mut self, id: u32, words: &[u64]) -> Result<(), End> {
        let first = self.actions.len();
        self.model.enabled(words, &mut self.actions).map_err(|error| End::Failed(Box::new(error)))?;
        push(&mut self.low, id)?;
        if id.is_multiple_of(64) {
            push(&mut self.leaves, 0)?;
        }
        push(&mut self.open, id)?;
        push(&mut self.path, Level { id, first, taken: None })
    }

    /// A component is complete: all open states from its root on.
    fn close(&mut self, root: u32) -> Result<(), End> {
        let first = self.open.iter().rposition(|&state| state == root).unwrap_or(0);
        let is_left = |&state: &u32| self.leaves[state as usize / 64] >> (state % 64) & 1 != 0;
        if !self.open[first..].iter().any(is_left) {
            self.examine(first)?;
        }
        for state in self.open.drain(first..) {
            self.low[state as usize] = DONE;
        }
        Ok(())
    }

    /// Looks whether the open states from a position on, which are a bottom component, enable every transition.
    fn examine(&mut self, first: usize) -> Result<(), End> {
        let mut is_missing = self.is_needed.clone();
        let mut n_missing = is_missing.len();
        let mut words = vec![0; self.model.packing().n_words()];
        let mut actions = Vec::new();
        for at in first..self.open.len() {
            if n_missing == 0 {
                return Ok(());
            }
            self.store.get(self.model, StateId(self.open[at]), &mut words);
            actions.clear();
            self.model.enabled(&words, &mut actions).map_err(|error| End::Failed(Box::new(error)))?;
            for &action in &actions {
                let missing = &mut is_missing[self.model.transition_of(action).index()];
                n_missing -= usize::from(std::mem::replace(missing, false));
            }
            self.look()?;
        }
        if n_missing == 0 { Ok(()) } else { Err(End::NotLive) }
    }

    fn widen(&mut self, outgrown: petite_bits::Outgrown) -> Result<(), End> {
        let old = self.model.widen(outgrown);
        let widened = self.store.repack(&old, self.model.packing());
        widened.map_err(|_| End::Ended("the system has no more memory"))
    }

    /// Looks at the limits now and then.
    fn look(&mut self) -> Result<(), End> {
        self.events += 1;
        if !self.events.is_multiple_of(LOOK_EVERY) {
            return Ok(());
        }
        let elapsed = self.started.elapsed();
        let frontier_bytes = self.low.capacity() * 4
            + self.leaves.capacity() * 8
            + self.path.capacity() * size_of::<Level>()
            + self.actions.capacity() * size_of::<ActionId>()
            + self.open.capacity() * 4;
        let progress = Progress {
            states: self.store.len() as u64,
            edges: self.events,
            frontier: self.path.len() as u64,
            store_bytes: self.store.bytes(),
            model_bytes: self.model.bytes(),
            frontier_bytes,
            elapsed,
        };
        self.monitor.progress(&progress);
        let bytes = (progress.store_bytes + progress.model_bytes + frontier_bytes) as u64;
        let limit = if self.monitor.interrupted() {
            return Err(End::Ended("interrupted"));
        } else if self.limits.max_time.is_some_and(|most| elapsed >= most) {
            Limit::Time
        } else if self.limits.max_memory.is_some_and(|most| bytes > most) {
            Limit::Memory
        } else {
            return Ok(());
        };
        Err(End::Ended(if limit == Limit::Time { "time limit reached" } else { "memory limit reached" }))
    }
}

fn push<T>(list: &mut Vec<T>, item: T) -> Result<(), End> {
    if list.len() == list.capacity() {
        list.try_reserve_exact((list.len() / 2).max(64)).map_err(|_| OutOfMemory)?;
    }
    list.push(item);
    Ok(())
}
