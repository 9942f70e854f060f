//! What all orders have in common.

use petite_bits::{Outgrown, Packing, Repacking};
use petite_model::{ActionId, Commuting, Content, Fault, Model, Slot};
use petite_net::RunError;
use petite_store::{Exactness, Inserted, Origin, StateId, Store, StoreError};

use crate::allowance::{Allowance, Purse, Spent};
use crate::bounds::Bounds;
use crate::found_by::FoundBy;
use crate::probe::{self, Probes};
use crate::watch::Watch;
use crate::{
    Boundedness, Edge, Ending, Limit, Limits, ModelFailure, Monitor, Observer, Order, Progress, Report,
    Unbounded, Visit,
};

/// A search under way: the model, the store, and what was found so far.
pub struct Run<'a, M, S, O> {
    pub model: &'a mut M,
    pub store: &'a mut S,
    pub observer: &'a mut O,
    pub bounds: Bounds,
    pub watch: Watch<'a>,
    pub edges: u64,
    pub dead_states: u64,
    pub peak_frontier: u64,
    pub repackings: u64,
    edges_left_out: u64,
    /// How often a token can be in its group at most, as the fields are now.
    most_multiplicity: u32,
    /// What may be spent on the suspicion that the search is endless; none where it is not tested.
    allowance: Option<Allowance>,
    /// The number of states from which on a probe is due.
    next_probe: usize,
    /// Which steps may be left out; none where all are taken.
    pub commuting: Option<Box<Commuting>>,
}

/// The queue or stack of an order, as far as others want to know.
#[derive(Clone, Copy)]
pub struct Frontier {
    pub len: u64,
    pub bytes: usize,
}

impl<'a, M: Model, S: Store<M>, O: Observer<M>> Run<'a, M, S, O> {
    pub fn new(
        model: &'a mut M,
        store: &'a mut S,
        limits: &Limits,
        monitor: &'a mut dyn Monitor,
        observer: &'a mut O,
        probes: Probes,
    ) -> Self {
        let bounds = Bounds::new(model.layout().groups.len());
        let watch = Watch::new(limits, monitor);
        let is_tested = limits.boundedness == Boundedness::Test && model.may_grow();
        let most_multiplicity = most_multiplicity(model);
        let allowance = is_tested.then(|| Allowance::new(model.packing().n_words()));
        // A store that may overlook states would overlook what is only found by way of them; and a probe is short.
        let may_leave_out =
            !O::WANTS_EDGES && store.exactness() == Exactness::Exact && probes == Probes::Some;
        let commuting = if may_leave_out { Commuting::new(model).map(Box::new) } else { None };
        Run {
            model,
            store,
            observer,
            bounds,
            watch,
            edges: 0,
            dead_states: 0,
            peak_frontier: 0,
            repackings: 0,
            edges_left_out: 0,
            most_multiplicity,
            allowance,
            next_probe: if is_tested && probes == Probes::Some { probe::FIRST } else { usize::MAX },
            commuting,
        }
    }

    /// Computes and stores the initial state, and goes there with the bounds. Gives its words and hash.
    pub fn start(&mut self) -> Result<(Vec<u64>, u64), Ending> {
        if self.watch.is_last_state(0) {
            return Err(Ending::LimitReached(Limit::States));
        }
        let mut words = vec![0; self.model.packing().n_words()];
        while let Err(fault) = self.model.initial(&mut words) {
            match fault {
                Fault::Outgrown(outgrown) => self.widen(outgrown, &mut [&mut words])?,
                Fault::Run(error) => return Err(failure(*error, None, None)),
            }
            words.fill(0);
        }
        let hash = self.model.packing().hash(&words);
        let Inserted { id, .. } =
            self.store.insert(self.model, &words, hash, Origin::Initial).map_err(ending)?;
        self.peak_frontier = 1;
        self.bounds.go_to(|totals| self.model.group_totals(&words, totals));
        self.bounds.see_all();
        self.bounds.see_multiplicity(self.model.largest_multiplicity(&words));
        if self.allowance.is_some() {
            self.bounds.set_alarms();
        }
        let state = Visit { model: &*self.model, id, words: &words };
        if self.observer.state(state, self.bounds.totals()).is_break() {
            return Err(Ending::Stopped);
        }
        if self.watch.is_last_state(1) {
            return Err(Ending::LimitReached(Limit::States));
        }
        Ok((words, hash))
    }

    /// Tells of an edge, and of the state it leads to when that is new; the bounds are there then.
    #[inline]
    pub fn tell(&mut self, edge: Edge, words: &[u64]) -> Result<(), Ending> {
        if edge.new {
            if self.bounds.max_multiplicity() < self.most_multiplicity {
                self.bounds.see_multiplicity(self.model.largest_given(words, edge.action));
            }
            let state = Visit { model: &*self.model, id: edge.to, words };
            if self.observer.state(state, self.bounds.totals()).is_break() {
                return Err(Ending::Stopped);
            }
        }
        self.tell_edge(edge)
    }

    /// Tells of an edge alone.
    #[inline]
    pub fn tell_edge(&mut self, edge: Edge) -> Result<(), Ending> {
        if self.observer.edge(edge).is_break() {
            return Err(Ending::Stopped);
        }
        if edge.new && self.watch.is_last_state(self.store.len()) {
            return Err(Ending::LimitReached(Limit::States));
        }
        Ok(())
    }

    /// Tells of a state that is being expanded.
    #[inline]
    pub fn expanded(&mut self, id: StateId, words: &[u64], actions: &[ActionId]) -> Result<(), Ending> {
        match self.observer.expanded(Visit { model: &*self.model, id, words }, actions).is_break() {
            true => Err(Ending::Stopped),
            false => Ok(()),
        }
    }

    /// Whether some steps may be left out, by the actions that states were found by.
    #[inline]
    pub fn may_leave_out(&self) -> bool {
        self.commuting.is_some()
    }

    /// Leaves only the actions that must be taken in a state that was found by the given one, and counts the edges of the others.
    #[inline]
    pub fn leave_out(&mut self, found_by: Option<ActionId>, actions: &mut Vec<ActionId>) {
        if let (Some(commuting), Some(found_by)) = (&self.commuting, found_by) {
            let n_left_out = commuting.keep_needed(found_by, actions);
            self.count_left_out(n_left_out);
        }
    }

    /// Notes what a state that has to wait was found by, where that matters.
    #[inline]
    pub fn note_found(&self, found_by: &mut FoundBy, action: Option<ActionId>) -> Result<(), Ending> {
        match self.may_leave_out() {
            true => found_by.push(action).map_err(|_| Ending::OutOfMemory),
            false => Ok(()),
        }
    }

    /// Counts edges that were left out.
    #[inline]
    pub fn count_left_out(&mut self, n: usize) {
        self.edges += n as u64;
        self.edges_left_out += n as u64;
        // Whoever takes the others looks whether it is time to look.
        self.watch.events(n as u64);
    }

    /// Counts a dead state and tells of it.
    #[inline]
    pub fn dead(&mut self, id: StateId, words: &[u64]) -> Result<(), Ending> {
        self.dead_states += 1;
        match self.observer.dead(Visit { model: &*self.model, id, words }).is_break() {
            true => Err(Ending::Stopped),
            false => Ok(()),
        }
    }

    /// Examines whether the search is endless, after an alarm was raised. Nothing that the search holds may be changed
    /// by that.
    #[cold]
    pub fn suspect(
        &mut self,
        examine: impl FnOnce(&mut M, &mut S, &mut Purse) -> Result<Option<Unbounded>, Spent>,
    ) -> Result<(), Ending> {
        let Some(allowance) = &mut self.allowance else { return Ok(()) };
        let Some(mut purse) = allowance.open(self.edges) else { return Ok(()) };
        let outcome = examine(self.model, self.store, &mut purse);
        allowance.close(&purse, &outcome);
        match outcome {
            Ok(Some(proof)) => return Err(Ending::Unbounded(Box::new(proof))),
            Ok(None) => self.bounds.defer_alarms(),
            Err(Spent) => {}
        }
        Ok(())
    }

    /// The same at the end of a search that was given up: it may be endless after all.
    pub fn suspect_last(
        &mut self,
        ending: Ending,
        examine: impl FnOnce(&mut M, &mut S, &mut Purse) -> Result<Option<Unbounded>, Spent>,
    ) -> Ending {
        let Some(allowance) = &self.allowance else { return ending };
        if !matches!(ending, Ending::LimitReached(_) | Ending::OutOfIds) {
            return ending;
        }
        match examine(self.model, self.store, &mut allowance.open_last(self.edges)) {
            Ok(Some(proof)) => Ending::Unbounded(Box::new(proof)),
            _ => ending,
        }
    }

    /// Whether there are enough states for a probe.
    #[inline]
    pub fn is_probe_due(&self) -> bool {
        self.store.len() >= self.next_probe
    }

    /// Looks for growth in another order. Takes the buffers of states that [`Run::widen`] takes.
    #[cold]
    pub fn probe(&mut self, order: Order, held: &mut [&mut Vec<u64>]) -> Result<(), Ending> {
        self.next_probe = self.store.len().saturating_mul(probe::STRIDE);
        let before = self.model.packing().clone();
        let ending = probe::probe(self.model, order, self.store.len(), self.watch.monitor());
        self.repack(&before, held)?;
        match ending {
            Ending::Unbounded(_) => Err(ending),
            _ => Ok(()),
        }
    }

    /// Makes room for a value in all states that there are: those of the store, and those that the search holds
    /// in buffers, one behind the other.
    #[cold]
    pub fn widen(&mut self, outgrown: Outgrown, held: &mut [&mut Vec<u64>]) -> Result<(), Ending> {
        let old = self.model.widen(outgrown);
        let made = self.model.packing().field(outgrown.slot).max();
        debug_assert!(outgrown.value <= made, "the model made no room");
        self.repack(&old, held)
    }

    /// Brings all states up to date with the model's packing.
    fn repack(&mut self, old: &Packing, held: &mut [&mut Vec<u64>]) -> Result<(), Ending> {
        let new = self.model.packing();
        if old == new {
            return Ok(());
        }
        self.repackings += 1;
        self.most_multiplicity = most_multiplicity(&*self.model);
        let repacking = Repacking::new(old, new);
        for states in held {
            repacking.apply_all(states);
        }
        self.store.repack(old, new).map_err(ending)
    }

    /// Counts events, and looks at limits and interruptions when it is time.
    #[inline]
    pub fn events(&mut self, n: u64, frontier: impl FnOnce(&S) -> Frontier) -> Result<(), Ending> {
        if !self.watch.events(n) {
            return Ok(());
        }
        let frontier = frontier(self.store);
        self.watch.look(Progress {
            states: self.store.len() as u64,
            edges: self.edges,
            frontier: frontier.len,
            store_bytes: self.store.bytes(),
            model_bytes: self.model.bytes()
                + self.commuting.as_ref().map_or(0, |commuting| commuting.bytes()),
            frontier_bytes: frontier.bytes + self.observer.bytes(),
            elapsed: std::time::Duration::ZERO,
        })
    }

    /// What was found. Nothing is allocated for it: the search may have ended because there is no memory.
    pub fn report(self, ending: Ending, frontier_bytes: usize, trace: Option<Vec<ActionId>>) -> Report {
        Report {
            states: self.store.len() as u64,
            edges: self.edges,
            dead_states: self.dead_states,
            max_tokens_in_place: self.bounds.maxima().iter().copied().max().unwrap_or(0),
            max_multiplicity: self.bounds.max_multiplicity(),
            max_tokens_total: self.bounds.max_total(),
            group_maxima: self.bounds.into_maxima(),
            peak_frontier: self.peak_frontier,
            frontier_bytes,
            edges_left_out: self.edges_left_out,
            repackings: self.repackings,
            elapsed: self.watch.elapsed(),
            ending,
            trace,
        }
    }
}

/// How often a token can be in its group at most, as far as the fields tell: a bag may hold it any number of times.
fn most_multiplicity<M: Model>(model: &M) -> u32 {
    let content = |slot: &Slot| model.layout().groups[slot.group.index()].content;
    let most =
        model.layout().slots.iter().zip(model.packing().widths()).map(|(slot, width)| match content(slot) {
            Content::Counts => ((1u64 << width) - 1) as u32,
            Content::Bag => u32::MAX,
        });
    most.max().unwrap_or(0)
}

/// How a search ends when its store cannot go on.
pub fn ending(error: StoreError) -> Ending {
    match error {
        StoreError::OutOfIds => Ending::OutOfIds,
        // The enum may grow; whatever comes, the store could not hold the state.
        _ => Ending::OutOfMemory,
    }
}

/// How a search ends when its model is wrong.
pub fn failure(error: RunError, state: Option<&[u64]>, action: Option<ActionId>) -> Ending {
    let state = state.map(<[u64]>::to_vec);
    Ending::Failed(Box::new(ModelFailure { error, state, action, trace: None }))
}
