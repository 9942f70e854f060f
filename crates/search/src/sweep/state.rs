//! A sweep under way.

use petite_bits::{OutOfMemory, Outgrown, Repacking};
use petite_model::{ActionId, Fault, Model};
use petite_store::StateId;

use super::layers::Layers;
use super::measure::{Evaluator, Valued};
use super::window::{EntryIdx, Kind, NONE, Window, reserve};
use super::{Aliases, Fold, Measure, Recall, SweepReport};
use crate::bounds::Bounds;
use crate::run::failure;
use crate::watch::Watch;
use crate::{Boundedness, Edge, Ending, Limit, Limits, Monitor, Order, Progress, Report, Visit, probe};

/// What the sweeps hold and have found.
pub struct Sweep<'a, M, O> {
    model: &'a mut M,
    measure: Evaluator,
    observer: &'a mut O,
    watch: Watch<'a>,
    bounds: Bounds,
    fold: Fold,
    window: Window,
    layers: Layers,
    persistent: Window,
    /// Persistent states that the next sweep begins with, and those that earlier ones began with.
    roots: Vec<EntryIdx>,
    earlier_roots: Vec<EntryIdx>,
    aliases: Aliases,
    /// Numbers given so far.
    n_numbers: u32,
    /// Numbers given when the sweep began.
    n_before: u32,
    /// The states of earlier sweeps that were met in this one, by number.
    met: Vec<u64>,
    /// Old states of the layer at hand that a replay has found among those taken for new.
    recognised: Vec<EntryIdx>,
    /// The initial state.
    initial: Vec<u64>,
    buffers: Buffers,
    next_probe: u64,
    counts: Counts,
}

/// Scratch space.
#[derive(Default)]
struct Buffers {
    parent: Vec<u64>,
    words: Vec<u64>,
    value: Vec<i64>,
    current: Vec<i64>,
    actions: Vec<ActionId>,
    edges: Vec<(ActionId, StateId)>,
}

#[derive(Default)]
struct Counts {
    edges: u64,
    dead_states: u64,
    sweeps: u64,
    regress_edges: u64,
    first_sweep: u64,
    replayed: u64,
    /// States of the window that are persistent as well.
    shared: usize,
    peak: usize,
    peak_bytes: usize,
    repackings: u64,
}

impl From<OutOfMemory> for Ending {
    fn from(_: OutOfMemory) -> Ending {
        Ending::OutOfMemory
    }
}

impl<'a, M: Model, O: Recall<M>> Sweep<'a, M, O> {
    pub fn new(
        model: &'a mut M,
        measure: &'a Measure,
        limits: &Limits,
        monitor: &'a mut dyn Monitor,
        observer: &'a mut O,
        fold: Fold,
    ) -> Self {
        let width = measure.sums.len();
        let is_tested = limits.boundedness == Boundedness::Test && model.may_grow();
        Sweep {
            watch: Watch::new(limits, monitor),
            bounds: Bounds::new(model.layout().groups.len()),
            fold,
            window: Window::new(model.packing()),
            layers: Layers::new(width),
            persistent: Window::new(model.packing()),
            roots: Vec::new(),
            earlier_roots: Vec::new(),
            aliases: Aliases::default(),
            n_numbers: 0,
            n_before: 0,
            met: Vec::new(),
            recognised: Vec::new(),
            initial: Vec::new(),
            buffers: Buffers { value: vec![0; width], current: vec![0; width], ..Buffers::default() },
            next_probe: if is_tested { probe::FIRST as u64 } else { u64::MAX },
            counts: Counts::default(),
            measure: Evaluator::new(measure, model.layout()),
            model,
            observer,
        }
    }

    /// Sweeps until there is no new root.
    pub fn run(mut self) -> SweepReport {
        let ending = match self.sweeps() {
            Ok(()) => Ending::Complete,
            Err(ending) => ending,
        };
        self.report(ending)
    }

    fn sweeps(&mut self) -> Result<(), Ending> {
        self.start()?;
        loop {
            self.counts.sweeps += 1;
            self.sweep()?;
            if self.counts.sweeps == 1 {
                self.counts.first_sweep = self.n_surely_different();
            }
            if self.roots.is_empty() {
                return Ok(());
            }
            self.begin_again()?;
        }
    }

    /// Computes the initial state, the only root of the first sweep.
    fn start(&mut self) -> Result<(), Ending> {
        if self.watch.is_last_state(0) {
            return Err(Ending::LimitReached(Limit::States));
        }
        let mut words = vec![0; self.model.packing().n_words()];
        while let Err(fault) = self.model.initial(&mut words) {
            match fault {
                Fault::Outgrown(outgrown) => self.widen(outgrown)?,
                Fault::Run(error) => return Err(failure(*error, None, None)),
            }
            words.clear();
            words.resize(self.model.packing().n_words(), 0);
        }
        let hash = self.model.packing().hash(&words);
        self.bounds.go_to(|totals| self.model.group_totals(&words, totals));
        self.bounds.see_all();
        self.bounds.see_multiplicity(self.model.largest_multiplicity(&words));
        self.initial.clone_from(&words);
        let number = self.number(&words)?;
        self.buffers.words = words;
        self.measure_words();
        self.enter(hash, number, Kind::New)?;
        Ok(())
    }

    /// Puts the roots of the next sweep into the window, and what is needed to replay the earlier ones.
    fn begin_again(&mut self) -> Result<(), Ending> {
        self.n_before = self.n_numbers;
        let roots = std::mem::take(&mut self.roots);
        for &root in &roots {
            self.seed(root, Kind::New)?;
        }
        if self.fold == Fold::Back {
            let n_words = (self.n_before as usize).div_ceil(64);
            self.met.clear();
            reserve(&mut self.met, n_words)?;
            self.met.resize(n_words, 0);
            self.buffers.words.clone_from(&self.initial);
            self.measure_words();
            let hash = self.model.packing().hash(&self.initial);
            self.meet_again(hash, StateId(0))?;
            for at in 0..self.earlier_roots.len() {
                let root = self.earlier_roots[at];
                let number = self.persistent.number(root);
                // A root that was an old state is reached from others.
                if self.aliases.resolve(number) == number {
                    self.seed(root, Kind::Old)?;
                }
            }
        }
        // No layer is under way: all of them will be looked at from their beginning.
        self.recognised.clear();
        reserve(&mut self.earlier_roots, roots.len())?;
        self.earlier_roots.extend_from_slice(&roots);
        Ok(())
    }

    /// Puts a persistent state into the window.
    fn seed(&mut self, root: EntryIdx, kind: Kind) -> Result<(), Ending> {
        let (hash, number) = (self.persistent.hash(root), self.persistent.number(root));
        self.buffers.words.clear();
        self.buffers.words.extend_from_slice(self.persistent.words(root));
        self.measure_words();
        // It takes no room that it does not have already.
        self.counts.shared += 1;
        let entry = match kind {
            Kind::New => Some(self.enter(hash, number, kind)?),
            _ => self.meet_again(hash, number)?,
        };
        match entry {
            Some(entry) => self.window.set_persistent(entry),
            None => self.counts.shared -= 1,
        }
        Ok(())
    }

    /// Goes once over all layers.
    fn sweep(&mut self) -> Result<(), Ending> {
        while let Some(layer) = self.layers.first() {
            self.buffers.current.clear();
            self.buffers.current.extend_from_slice(self.layers.value(layer));
            let head = self.layers.head(layer);
            let mut entry = head;
            while entry != NONE && self.fold == Fold::Back {
                self.replay(entry)?;
                while let Some(recognised) = self.recognised.pop() {
                    self.replay(recognised)?;
                }
                entry = self.window.next(entry);
            }
            let mut entry = head;
            while entry != NONE {
                if self.window.kind(entry) == Kind::New {
                    self.expand(entry)?;
                }
                entry = self.window.next(entry);
            }
            // The line goes on, and these states cannot be reached any more but by an edge back.
            self.counts.peak_bytes = self.counts.peak_bytes.max(self.bytes());
            let mut entry = head;
            while entry != NONE {
                let next = self.window.next(entry);
                self.counts.shared -= usize::from(self.window.is_persistent(entry));
                self.window.remove(entry)?;
                entry = next;
            }
            self.layers.pop()?;
        }
        Ok(())
    }

    /// Finds the successors of a state of an earlier sweep, where it is one.
    fn replay(&mut self, entry: EntryIdx) -> Result<(), Ending> {
        if self.window.kind(entry) != Kind::Old {
            return Ok(());
        }
        let number = self.window.number(entry);
        self.window.set(entry, number, Kind::Replayed);
        self.counts.replayed += 1;
        self.buffers.parent.clear();
        self.buffers.parent.extend_from_slice(self.window.words(entry));
        let hash = self.window.hash(entry);
        let mut edges = std::mem::take(&mut self.buffers.edges);
        edges.clear();
        self.observer.recall(number, &mut edges);
        for &(action, target) in &edges {
            let target = self.aliases.resolve(target);
            if self.is_met(target) {
                continue;
            }
            self.watch_events()?;
            let hash = self.fire(hash, action)?;
            self.measure_after(action);
            // The target of an edge back is among the roots.
            if self.buffers.value >= self.buffers.current {
                self.meet_again(hash, target)?;
            }
        }
        self.buffers.edges = edges;
        Ok(())
    }

    /// Expands a state for the first time.
    fn expand(&mut self, entry: EntryIdx) -> Result<(), Ending> {
        let (number, hash) = (self.window.number(entry), self.window.hash(entry));
        self.buffers.parent.clear();
        self.buffers.parent.extend_from_slice(self.window.words(entry));
        let mut actions = std::mem::take(&mut self.buffers.actions);
        actions.clear();
        let enabled = self.model.enabled(&self.buffers.parent, &mut actions);
        enabled.map_err(|error| failure(error, Some(&self.buffers.parent), None))?;
        let state = Visit { model: &*self.model, id: number, words: &self.buffers.parent };
        if self.observer.expanded(state, &actions).is_break() {
            return Err(Ending::Stopped);
        }
        if actions.is_empty() {
            self.counts.dead_states += 1;
            let state = Visit { model: &*self.model, id: number, words: &self.buffers.parent };
            if self.observer.dead(state).is_break() {
                return Err(Ending::Stopped);
            }
        }
        self.bounds.go_to(|totals| self.model.group_totals(&self.buffers.parent, totals));
        for &action in &actions {
            self.watch_events()?;
            let hash = self.fire(hash, action)?;
            self.counts.edges += 1;
            let (to, new) = self.arrive(hash, action)?;
            if self.observer.edge(Edge { from: number, action, to, new }).is_break() {
                return Err(Ending::Stopped);
            }
            if new && self.watch.is_last_state(self.n_states() as usize) {
                return Err(Ending::LimitReached(Limit::States));
            }
        }
        self.buffers.actions = actions;
        if self.n_states() >= self.next_probe {
            self.probe()?;
        }
        Ok(())
    }

    /// The number of the state in the buffer, which an action led to, and whether it was given now.
    fn arrive(&mut self, hash: u64, action: ActionId) -> Result<(StateId, bool), Ending> {
        self.measure_after(action);
        let is_ahead = self.buffers.value >= self.buffers.current;
        self.counts.regress_edges += u64::from(!is_ahead);
        let words = &self.buffers.words[..];
        if is_ahead && let Some(entry) = self.window.find(words, hash) {
            return Ok((self.window.number(entry), false));
        }
        if let Some(entry) = self.persistent.find(words, hash) {
            return Ok((self.aliases.resolve(self.persistent.number(entry)), false));
        }
        self.bounds.step(self.model.group_changes(action));
        self.bounds.see_multiplicity(self.model.largest_given(words, action));
        let words = std::mem::take(&mut self.buffers.words);
        let number = self.number(&words)?;
        self.buffers.words = words;
        self.bounds.step_back(self.model.group_changes(action));
        if is_ahead {
            self.enter(hash, number, Kind::New)?;
        } else {
            reserve(&mut self.roots, 1)?;
            let root = self.persistent.insert(&self.buffers.words, hash, number, Kind::New)?;
            self.roots.push(root);
            self.see_peak();
        }
        Ok((number, true))
    }

    /// A number for a new state, which the bounds are at.
    fn number(&mut self, words: &[u64]) -> Result<StateId, Ending> {
        let number = StateId(self.n_numbers);
        // The last one stands for none.
        self.n_numbers = self.n_numbers.checked_add(1).filter(|&n| n < u32::MAX).ok_or(Ending::OutOfIds)?;
        let state = Visit { model: &*self.model, id: number, words };
        match self.observer.state(state, self.bounds.totals()).is_break() {
            true => Err(Ending::Stopped),
            false => Ok(number),
        }
    }

    /// Computes the value of the state in the buffer.
    fn measure_words(&mut self) {
        self.measure.value(&*self.model, &self.buffers.words, &mut self.buffers.value);
    }

    /// The same, where an action led to it from the parent, which is in the current layer.
    fn measure_after(&mut self, action: ActionId) {
        let Buffers { parent, words, value, current, .. } = &mut self.buffers;
        let before = Valued { words: parent, value: current };
        self.measure.value_after(&*self.model, action, before, words, value);
        debug_assert_eq!(
            *value,
            self.measure.value_of(&*self.model, words),
            "the value of a state is its own"
        );
    }

    /// Puts the state in the buffer, which is not there and whose value was computed, into the window and its layer.
    fn enter(&mut self, hash: u64, number: StateId, kind: Kind) -> Result<EntryIdx, Ending> {
        let entry = self.window.insert(&self.buffers.words, hash, number, kind)?;
        self.layers.push(&self.buffers.value, entry, &mut self.window)?;
        self.see_peak();
        Ok(entry)
    }

    /// Puts the state in the buffer, which has a number from an earlier sweep and whose value was computed, into the window. Where it is there
    /// already, it has a provisional number, and gets its own. Gives the entry where it was not there.
    fn meet_again(&mut self, hash: u64, number: StateId) -> Result<Option<EntryIdx>, Ending> {
        self.met[number.index() / 64] |= 1 << (number.index() % 64);
        let Some(entry) = self.window.find(&self.buffers.words, hash) else {
            return self.enter(hash, number, Kind::Old).map(Some);
        };
        // A root that no sweep has expanded yet has its own number already.
        if self.window.kind(entry) == Kind::New && self.window.number(entry) != number {
            self.aliases.add(self.window.number(entry), number)?;
            self.window.set(entry, number, Kind::Old);
            // It may be in the part of the current layer that was looked at already.
            reserve(&mut self.recognised, 1)?;
            if self.buffers.value == self.buffers.current {
                self.recognised.push(entry);
            }
        }
        Ok(None)
    }

    /// Whether a number of an earlier sweep was met in this one; those of this sweep count as met.
    fn is_met(&self, number: StateId) -> bool {
        let word = self.met.get(number.index() / 64);
        number.0 >= self.n_before || word.is_some_and(|word| word >> (number.index() % 64) & 1 == 1)
    }

    /// Fires an action on a copy of the parent. Gives the hash.
    fn fire(&mut self, hash: u64, action: ActionId) -> Result<u64, Ending> {
        loop {
            let mut hash = hash;
            self.buffers.words.clear();
            self.buffers.words.extend_from_slice(&self.buffers.parent);
            match self.model.fire(&mut self.buffers.words, &mut hash, action) {
                Ok(()) => return Ok(hash),
                Err(Fault::Outgrown(outgrown)) => self.widen(outgrown)?,
                Err(Fault::Run(error)) => {
                    return Err(failure(*error, Some(&self.buffers.parent), Some(action)));
                }
            }
        }
    }

    #[cold]
    fn widen(&mut self, outgrown: Outgrown) -> Result<(), Ending> {
        let old = self.model.widen(outgrown);
        self.repack(&old);
        Ok(())
    }

    /// Brings all states up to date with the model's packing.
    fn repack(&mut self, old: &petite_bits::Packing) {
        let new = self.model.packing();
        if old == new {
            return;
        }
        self.counts.repackings += 1;
        self.window.repack(old, new);
        self.persistent.repack(old, new);
        let repacking = Repacking::new(old, new);
        let buffers = [&mut self.buffers.parent, &mut self.initial];
        buffers.into_iter().for_each(|states| repacking.apply_all(states));
    }

    /// Looks for growth without end in another order.
    #[cold]
    fn probe(&mut self) -> Result<(), Ending> {
        let states = self.n_states();
        self.next_probe = states.saturating_mul(probe::STRIDE as u64);
        let before = self.model.packing().clone();
        let mut found = None;
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            match probe::probe(self.model, order, states as usize, self.watch.monitor()) {
                ending @ Ending::Unbounded(_) => found = Some(ending),
                _ => continue,
            }
        }
        self.repack(&before);
        found.map_or(Ok(()), Err)
    }

    fn watch_events(&mut self) -> Result<(), Ending> {
        if !self.watch.events(1) {
            return Ok(());
        }
        let progress = Progress {
            states: self.n_states(),
            edges: self.counts.edges,
            frontier: self.window.len() as u64,
            store_bytes: self.bytes(),
            model_bytes: self.model.bytes(),
            frontier_bytes: 0,
            elapsed: std::time::Duration::ZERO,
        };
        self.watch.look(progress)
    }

    fn see_peak(&mut self) {
        let held = self.window.len() + self.persistent.len() - self.counts.shared;
        self.counts.peak = self.counts.peak.max(held);
    }

    /// States numbered and not found to be others.
    fn n_states(&self) -> u64 {
        u64::from(self.n_numbers) - self.aliases.len() as u64
    }

    /// States of the first sweep; its roots for the next one may be among the others.
    fn n_surely_different(&self) -> u64 {
        u64::from(self.n_numbers) - self.persistent.len() as u64
    }

    fn bytes(&self) -> usize {
        self.window.bytes()
            + self.persistent.bytes()
            + self.layers.bytes()
            + self.aliases.bytes()
            + self.measure.bytes()
            + self.met.capacity() * size_of::<u64>()
            + (self.roots.capacity() + self.earlier_roots.capacity() + self.recognised.capacity())
                * size_of::<EntryIdx>()
    }

    fn report(self, ending: Ending) -> SweepReport {
        let (states, store_bytes) = (self.n_states(), self.counts.peak_bytes.max(self.bytes()));
        let is_first = self.counts.first_sweep == 0;
        let first_sweep = if is_first { self.n_surely_different() } else { self.counts.first_sweep };
        SweepReport {
            report: Report {
                states,
                edges: self.counts.edges,
                dead_states: self.counts.dead_states,
                max_tokens_in_place: self.bounds.maxima().iter().copied().max().unwrap_or(0),
                max_multiplicity: self.bounds.max_multiplicity(),
                max_tokens_total: self.bounds.max_total(),
                group_maxima: self.bounds.into_maxima(),
                peak_frontier: self.counts.peak as u64,
                frontier_bytes: 0,
                edges_left_out: 0,
                repackings: self.counts.repackings,
                elapsed: self.watch.elapsed(),
                ending,
                trace: None,
            },
            peak_states: self.counts.peak as u64,
            sweeps: self.counts.sweeps,
            persistent_states: self.persistent.len() as u64,
            regress_edges: self.counts.regress_edges,
            counted_again_at_most: match self.fold {
                Fold::Off => states.saturating_sub(first_sweep),
                Fold::Back => 0,
            },
            replayed_states: self.counts.replayed,
            aliases: self.aliases,
            store_bytes,
            vector_bytes: self.counts.peak * self.model.packing().n_bytes(),
        }
    }
}
