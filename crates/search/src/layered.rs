//! Breadth-first search whose frontier is inside the store, or beside it as long as it is small.
//!
//! The store marks new states as open. The search takes some open states at a time, in the order in which a scan over the
//! store meets them, and expands them; so no queue is needed, and no identities. A scan meets all states that were open when
//! it began and some that were opened meanwhile: layers are not kept apart exactly.
//!
//! **Steps left out.** Where nobody wants to be told of all edges, a step whose state is found by another order of the same
//! actions is counted and not taken; see [`petite_model::Commuting`]. New states then [wait](crate::waiting) in a queue, with
//! the actions that they were found by, and only those for which there is no room are left to the store.
//!
//! **Batches.** As in `breadth_first`, successors are collected, their keys hinted at, and inserted
//! when the batch is full. Keys are made while the parent is the state at hand, so each costs what differs from it. Where
//! the store remembers where an action leads, it is not even fired: only new states are looked at as such. And
//! where the store knows all actions of a state, and nobody wants to be shown states, these are never unpacked: the store also
//! sees their numbers of tokens, when they are expanded, and those that never are, because the search ends before, are looked at
//! in the end.
//!
//! **Unbounded models.** There are no identities to walk back by, so a suspicion is not examined on the spot; the probes
//! in depth-first order, which do not need the store, find the growth.

use petite_model::{ActionId, Fault, Model, NeededSteps};
use petite_store::{Expansion, OpenSet, StateId, StateKey};

use crate::probe::Probes;
use crate::run::{Frontier, Run, ending, failure};
use crate::waiting::Waiting;
use crate::{Edge, Ending, Limits, Monitor, Observer, Order, Report};

/// Successors that are collected before they are inserted.
const BATCH: usize = 32;

/// States that are taken at a time.
const TAKEN: usize = 2048;

/// All states divided by those left open from which on these are not kept waiting: a scan meets them often enough.
const SPARSE: usize = 256;

/// Explores the reachable states of a model, roughly the oldest first.
///
/// The store is empty and made for the model's current packing. Observers are told
/// [`StateId::UNKNOWN`] where an edge begins and where it leads to a known state. A trace is not known in this order.
pub fn layered<M: Model, S: OpenSet<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> Report {
    let mut run = Run::new(model, store, limits, monitor, observer, Probes::Some);
    let mut batch = Batch::new();
    let ending = match search(&mut run, &mut batch) {
        Ok(()) => Ending::Complete,
        Err(ending) => ending,
    };
    see_peaks(&mut run, &mut batch, &ending);
    run.report(ending, batch.bytes(), None)
}

/// Successors that wait for their insertion.
struct Batch<P> {
    steps: Vec<Step<P>>,
    /// A successor.
    successor: Vec<u64>,
    /// The states that the steps come from, without repetition.
    parents: Vec<u64>,
    n_parents: u32,
    /// The state being expanded, and the actions enabled there.
    current: Vec<u64>,
    actions: Vec<ActionId>,
    /// What the store knows of it.
    steps_known: Vec<Expansion>,
    /// Its key, and whether `current` holds it.
    key: Option<StateKey>,
    is_unpacked: bool,
    /// Whether the numbers of tokens of new states are left to the store, or were for a while.
    is_store_seeing: bool,
    /// Whether the state being expanded is among the parents.
    has_current: bool,
    /// The parent whose totals the bounds hold.
    totals_of: Option<u32>,
    /// States that were taken from the store and not expanded yet, the next one last.
    taken: Vec<StateKey>,
    open: Open,
    /// How many of the waiting states come before the next look around.
    n_next: usize,
    /// The number of states at which they get other room.
    next_fit: usize,
}

/// States that are still to be expanded.
#[derive(Default)]
struct Open {
    /// Those that wait beside the store.
    waiting: Waiting,
    /// How many are open in the store.
    n_in_store: usize,
    /// All of them, and those that were taken.
    n: u64,
}

/// Something to do when a batch is flushed.
#[derive(Clone, Copy)]
struct Step<P> {
    key: StateKey,
    /// What the store found out of it.
    spot: P,
    /// The action to insert the successor of; none where the state is dead.
    action: Option<ActionId>,
    /// Position of the parent in [`Batch::parents`].
    parent: u32,
}

/// States that are looked at in the end of a search that ended early: its result is partial, and nobody wants to wait for it.
const MOST_LOOKED: usize = 1 << 19;

/// The parent of a step from a state that nobody looked at.
const UNPACKED_NEVER: u32 = u32::MAX;

fn search<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch<S::Spot>,
) -> Result<(), Ending> {
    (batch.current, _) = run.start()?;
    (batch.open.n, batch.open.n_in_store) = (1, 1);
    loop {
        let Some((key, found_by)) = batch.next() else {
            flush(run, batch)?;
            look_around(run, batch)?;
            if batch.taken.is_empty() && batch.n_next == 0 {
                return Ok(());
            }
            if run.is_probe_due() {
                let held = &mut [&mut batch.parents, &mut batch.current];
                run.probe(Order::DepthFirst, held)?;
            }
            continue;
        };
        if let Err(ending) = expand(run, batch, key, found_by) {
            // What was collected before the model failed is still part of the result.
            if let Ending::Failed(_) = ending {
                flush(run, batch)?;
            }
            return Err(ending);
        }
        batch.open.n -= 1;
    }
}

/// Chooses the states that come next; none are left if there are none.
fn look_around<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch<S::Spot>,
) -> Result<(), Ending> {
    let n_waiting = batch.open.waiting.len();
    run.store.improve(run.model, || batch.open.waiting.take()).map_err(ending)?;
    batch.open.n_in_store += n_waiting - batch.open.waiting.len();
    if run.may_leave_out() && run.store.len() >= batch.next_fit {
        batch.open.waiting.fit(run.store.bytes());
        // A large store has many parts to ask for their bytes.
        batch.next_fit = run.store.len() + run.store.len() / 64;
    }
    let is_scan_due = batch.open.n_in_store >= run.store.len() / SPARSE;
    if batch.open.n_in_store > 0 && (is_scan_due || batch.open.waiting.is_empty()) {
        run.store.take_open(TAKEN, &mut batch.taken);
        batch.taken.reverse();
        batch.open.n_in_store -= batch.taken.len();
    }
    batch.n_next = batch.open.waiting.len().min(TAKEN);
    Ok(())
}

/// Collects the successors of a state that was found by an action, if that is known.
fn expand<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch<S::Spot>,
    key: StateKey,
    found_by: Option<ActionId>,
) -> Result<(), Ending> {
    batch.key = Some(key);
    batch.is_unpacked = false;
    batch.has_current = false;
    batch.steps_known.clear();
    let needed = match (&run.commuting, found_by) {
        (Some(commuting), Some(found_by)) => commuting.needed_after(found_by),
        _ => NeededSteps::All,
    };
    if !O::WANTS_STATES
        && let Some(n_enabled) = run.store.expand(run.model, key, needed, &mut batch.steps_known)
    {
        batch.is_store_seeing = true;
        if n_enabled == 0 {
            run.dead_states += 1;
        }
        let n_steps = batch.steps_known.len();
        run.count_left_out(n_enabled - n_steps);
        if run.may_leave_out() {
            // As `Commuting` asks for.
            batch.steps_known.sort_unstable_by_key(|step| step.action);
        }
        run.events(n_steps as u64, |_| Frontier { len: batch.open.n, bytes: batch.bytes() })?;
        for at in 0..n_steps {
            let Expansion { action, to } = batch.steps_known[at];
            let to = match to {
                Some(to) => to,
                None => follow(run, batch, key, action)?,
            };
            let spot = run.store.prefetch_key(to);
            batch.steps.push(Step { key: to, spot, action: Some(action), parent: UNPACKED_NEVER });
            if batch.steps.len() == BATCH {
                flush(run, batch)?;
            }
        }
        return Ok(());
    }
    unpack(run, batch, key);
    if batch.is_store_seeing {
        // This state was left to the store, which gave up meanwhile.
        see(run, &batch.current);
    }
    batch.actions.clear();
    let enabled = run.model.enabled(&batch.current, &mut batch.actions);
    enabled.map_err(|error| failure(error, Some(&batch.current), None))?;
    run.events(batch.actions.len() as u64, |_| Frontier { len: batch.open.n, bytes: batch.bytes() })?;
    run.expanded(StateId::UNKNOWN, &batch.current, &batch.actions)?;
    if batch.actions.is_empty() {
        collect(run, batch, key, None)?;
    }
    run.leave_out(found_by, &mut batch.actions);
    for at in 0..batch.actions.len() {
        let action = batch.actions[at];
        collect(run, batch, key, Some(action))?;
    }
    Ok(())
}

/// Writes the state that is being expanded to [`Batch::current`].
#[inline]
fn unpack<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch<S::Spot>,
    key: StateKey,
) {
    batch.current.clear();
    batch.current.extend_from_slice(run.store.go_to(key));
    batch.is_unpacked = true;
}

/// Finds out where an action leads from the state that is being expanded.
#[cold]
fn follow<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch<S::Spot>,
    from: StateKey,
    action: ActionId,
) -> Result<StateKey, Ending> {
    if !batch.is_unpacked {
        unpack(run, batch, from);
    }
    fire(run, batch, action)?;
    let to = run.store.key(&batch.successor).map_err(ending)?;
    run.store.remember(run.model, from, action, to);
    Ok(to)
}

/// Adds a step of the current state to the batch.
#[inline]
fn collect<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch<S::Spot>,
    from: StateKey,
    action: Option<ActionId>,
) -> Result<(), Ending> {
    let mut key = from;
    if let Some(action) = action {
        key = match run.store.successor(run.model, from, action) {
            Some(key) => key,
            None => follow(run, batch, from, action)?,
        };
    }
    let spot = run.store.prefetch_key(key);
    if !batch.has_current {
        batch.has_current = true;
        batch.n_parents += 1;
        batch.parents.extend_from_slice(&batch.current);
    }
    batch.steps.push(Step { key, spot, action, parent: batch.n_parents - 1 });
    if batch.steps.len() == BATCH { flush(run, batch) } else { Ok(()) }
}

/// Sees the numbers of tokens of a state.
fn see<M: Model, S: OpenSet<M>, O: Observer<M>>(run: &mut Run<'_, M, S, O>, words: &[u64]) {
    run.bounds.go_to(|totals| run.model.group_totals(words, totals));
    run.bounds.see_all();
    run.bounds.see_multiplicity(run.model.largest_multiplicity(words));
}

/// Sees the numbers of tokens that the store has seen, and those of states that were never expanded.
fn see_peaks<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch<S::Spot>,
    ending: &Ending,
) {
    let Some(peaks) = run.store.peaks() else { return };
    run.bounds.raise(&peaks.groups, peaks.total);
    run.bounds.see_multiplicity(peaks.multiplicity);
    if matches!(ending, Ending::Complete) {
        return;
    }
    let mut rest = std::mem::take(&mut batch.taken);
    rest.extend(batch.key);
    let mut n_looked = 0;
    while n_looked < MOST_LOOKED {
        n_looked += rest.len();
        for key in rest.drain(..) {
            batch.current.clear();
            batch.current.extend_from_slice(run.store.go_to(key));
            see(run, &batch.current);
        }
        rest.extend(std::iter::from_fn(|| batch.open.waiting.pop()).take(TAKEN).map(|(key, _)| key));
        if rest.is_empty() {
            run.store.take_open(TAKEN, &mut rest);
        }
        if rest.is_empty() {
            return;
        }
    }
}

/// Fires an action in the current state.
#[inline]
fn fire<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch<S::Spot>,
    action: ActionId,
) -> Result<(), Ending> {
    loop {
        batch.successor.clone_from(&batch.current);
        match run.model.fire(&mut batch.successor, &mut 0, action) {
            Ok(()) => return Ok(()),
            Err(Fault::Outgrown(outgrown)) => {
                run.widen(outgrown, &mut [&mut batch.parents, &mut batch.current])?;
            }
            Err(Fault::Run(error)) => return Err(failure(*error, Some(&batch.current), Some(action))),
        }
    }
}

/// Inserts all states of the batch.
fn flush<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch<S::Spot>,
) -> Result<(), Ending> {
    let n_words = batch.current.len();
    for step in &batch.steps {
        if step.parent == UNPACKED_NEVER {
            let new = batch.open.insert(run, step)?;
            let to = if new { last_id(run.store.len()) } else { StateId::UNKNOWN };
            if let Some(action) = step.action {
                run.tell_edge(Edge { from: StateId::UNKNOWN, action, to, new })?;
            }
            continue;
        }
        let parent = &batch.parents[step.parent as usize * n_words..][..n_words];
        let Some(action) = step.action else {
            run.dead(StateId::UNKNOWN, parent)?;
            continue;
        };
        let new = batch.open.insert(run, step)?;
        let mut edge = Edge { from: StateId::UNKNOWN, action, to: StateId::UNKNOWN, new };
        if new {
            edge.to = last_id(run.store.len());
            if batch.totals_of != Some(step.parent) {
                run.bounds.go_to(|totals| run.model.group_totals(parent, totals));
                batch.totals_of = Some(step.parent);
            }
            run.bounds.step(run.model.group_changes(action));
            // The action could be fired, here or in states with the same halves, and nothing got narrower since.
            batch.successor.clear();
            batch.successor.extend_from_slice(parent);
            let fired = run.model.fire(&mut batch.successor, &mut 0, action);
            debug_assert!(fired.is_ok(), "an action that was fired can be fired again");
        }
        run.tell(edge, &batch.successor)?;
        if new {
            run.bounds.step_back(run.model.group_changes(action));
        }
    }
    batch.steps.clear();
    batch.parents.clear();
    batch.n_parents = 0;
    batch.has_current = false;
    batch.totals_of = None;
    Ok(())
}

impl Open {
    /// Inserts the state of a step. Gives whether it was new: it waits then, or is open in the store.
    #[inline]
    fn insert<M: Model, S: OpenSet<M>, O: Observer<M>>(
        &mut self,
        run: &mut Run<'_, M, S, O>,
        step: &Step<S::Spot>,
    ) -> Result<bool, Ending> {
        let waits = step.action.filter(|_| self.waiting.has_room());
        let new = run.store.insert_key(step.key, step.spot, waits.is_none()).map_err(ending)?;
        run.edges += 1;
        if new {
            self.n += 1;
            run.peak_frontier = run.peak_frontier.max(self.n);
            match waits {
                Some(action) => self.waiting.push(step.key, action),
                None => self.n_in_store += 1,
            }
        }
        Ok(new)
    }
}

/// The identity of the newest of so many states.
#[inline]
fn last_id(n_states: usize) -> StateId {
    u32::try_from(n_states - 1).map_or(StateId::UNKNOWN, StateId)
}

impl<P> Batch<P> {
    fn new() -> Batch<P> {
        Batch {
            steps: Vec::new(),
            successor: Vec::new(),
            parents: Vec::new(),
            n_parents: 0,
            current: Vec::new(),
            actions: Vec::new(),
            steps_known: Vec::new(),
            key: None,
            is_unpacked: false,
            is_store_seeing: false,
            has_current: false,
            totals_of: None,
            taken: Vec::new(),
            open: Open::default(),
            n_next: 0,
            next_fit: 0,
        }
    }

    /// The next state, and the action that it was found by, where that is known; none when it is time to look around.
    #[inline]
    fn next(&mut self) -> Option<(StateKey, Option<ActionId>)> {
        if let Some(key) = self.taken.pop() {
            return Some((key, None));
        }
        self.n_next = self.n_next.checked_sub(1)?;
        self.open.waiting.pop().map(|(key, action)| (key, Some(action)))
    }

    /// Heap bytes owned.
    fn bytes(&self) -> usize {
        let words = self.successor.capacity() + self.parents.capacity() + self.current.capacity();
        words * size_of::<u64>()
            + self.steps.capacity() * size_of::<Step<P>>()
            + self.taken.capacity() * size_of::<StateKey>()
            + self.open.waiting.bytes()
            + self.actions.capacity() * size_of::<ActionId>()
            + self.steps_known.capacity() * size_of::<Expansion>()
    }
}
