//! Breadth-first search whose frontier is inside the store.
//!
//! The store marks new states as open. The search takes some open states at a time, in the order in which a scan over the
//! store meets them, and expands them; so no queue is needed, and no identities. A scan meets all states that were open when
//! it began and some that were opened meanwhile: layers are not kept apart exactly, but the oldest states are never more
//! than one scan behind the newest.
//!
//! **Batches.** As in `breadth_first`, successors are collected, their keys hinted at, and inserted
//! when the batch is full. Keys are made while the parent is the state at hand, so each costs what differs from it. Where
//! the store remembers where an action leads, it is not even fired: only new states are looked at as such.
//!
//! **Unbounded models.** There are no identities to walk back by, so a suspicion is not examined on the spot; the probes
//! in depth-first order, which do not need the store, find the growth.

use petite_model::{ActionId, Fault, Model};
use petite_store::{OpenSet, StateId, StateKey};

use crate::probe::Probes;
use crate::run::{Frontier, Run, ending, failure};
use crate::{Edge, Ending, Limits, Monitor, Observer, Order, Report};

/// Successors that are collected before they are inserted.
const BATCH: usize = 32;

/// Open states that are taken at a time.
const TAKEN: usize = 2048;

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
    let mut batch = Batch::default();
    let ending = match search(&mut run, &mut batch) {
        Ok(()) => Ending::Complete,
        Err(ending) => ending,
    };
    run.report(ending, batch.bytes(), None)
}

/// Successors that wait for their insertion.
#[derive(Default)]
struct Batch {
    steps: Vec<Step>,
    /// A successor.
    successor: Vec<u64>,
    /// The states that the steps come from, without repetition.
    parents: Vec<u64>,
    n_parents: u32,
    /// The state being expanded, and the actions enabled there.
    current: Vec<u64>,
    actions: Vec<ActionId>,
    /// Whether the state being expanded is among the parents.
    has_current: bool,
    /// The parent whose totals the bounds hold.
    totals_of: Option<u32>,
    /// States that were taken and not expanded yet, the next one last.
    taken: Vec<StateKey>,
    /// States that are open or taken.
    n_open: u64,
}

/// Something to do when a batch is flushed.
#[derive(Clone, Copy)]
struct Step {
    key: StateKey,
    /// The action to insert the successor of; none where the state is dead.
    action: Option<ActionId>,
    /// Position of the parent in [`Batch::parents`].
    parent: u32,
}

fn search<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch,
) -> Result<(), Ending> {
    (batch.current, _) = run.start()?;
    batch.n_open = 1;
    loop {
        let Some(key) = batch.taken.pop() else {
            flush(run, batch)?;
            run.store.improve(run.model).map_err(ending)?;
            run.store.take_open(TAKEN, &mut batch.taken);
            batch.taken.reverse();
            if batch.taken.is_empty() {
                return Ok(());
            }
            if run.is_probe_due() {
                let held = &mut [&mut batch.parents, &mut batch.current];
                run.probe(Order::DepthFirst, held)?;
            }
            continue;
        };
        if let Err(ending) = expand(run, batch, key) {
            // What was collected before the model failed is still part of the result.
            if let Ending::Failed(_) = ending {
                flush(run, batch)?;
            }
            return Err(ending);
        }
        batch.n_open -= 1;
    }
}

/// Collects the successors of a state.
fn expand<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch,
    key: StateKey,
) -> Result<(), Ending> {
    batch.current.copy_from_slice(run.store.go_to(key));
    batch.has_current = false;
    batch.actions.clear();
    let enabled = run.model.enabled(&batch.current, &mut batch.actions);
    enabled.map_err(|error| failure(error, Some(&batch.current), None))?;
    run.expanded(StateId::UNKNOWN, &batch.current, &batch.actions)?;
    if batch.actions.is_empty() {
        collect(run, batch, key, None)?;
    }
    for at in 0..batch.actions.len() {
        let action = batch.actions[at];
        collect(run, batch, key, Some(action))?;
    }
    Ok(())
}

/// Adds a step of the current state to the batch.
#[inline]
fn collect<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch,
    from: StateKey,
    action: Option<ActionId>,
) -> Result<(), Ending> {
    run.events(1, |_| Frontier { len: batch.n_open, bytes: batch.bytes() })?;
    let mut key = from;
    if let Some(action) = action {
        key = match run.store.successor(run.model, from, action) {
            Some(key) => key,
            None => {
                fire(run, batch, action)?;
                let key = run.store.key(&batch.successor).map_err(ending)?;
                run.store.remember(from, action, key);
                key
            }
        };
        run.store.prefetch_key(key);
    }
    if !batch.has_current {
        batch.has_current = true;
        batch.n_parents += 1;
        batch.parents.extend_from_slice(&batch.current);
    }
    batch.steps.push(Step { key, action, parent: batch.n_parents - 1 });
    if batch.steps.len() == BATCH { flush(run, batch) } else { Ok(()) }
}

/// Fires an action in the current state.
#[inline]
fn fire<M: Model, S: OpenSet<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch,
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
    batch: &mut Batch,
) -> Result<(), Ending> {
    let n_words = batch.current.len();
    for step in &batch.steps {
        let parent = &batch.parents[step.parent as usize * n_words..][..n_words];
        let Some(action) = step.action else {
            run.dead(StateId::UNKNOWN, parent)?;
            continue;
        };
        let new = run.store.insert_key(step.key).map_err(ending)?;
        run.edges += 1;
        let mut edge = Edge { from: StateId::UNKNOWN, action, to: StateId::UNKNOWN, new };
        if new {
            edge.to = u32::try_from(run.store.len() - 1).map_or(StateId::UNKNOWN, StateId);
            batch.n_open += 1;
            run.peak_frontier = run.peak_frontier.max(batch.n_open);
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

impl Batch {
    /// Heap bytes owned.
    fn bytes(&self) -> usize {
        let words = self.successor.capacity() + self.parents.capacity() + self.current.capacity();
        words * size_of::<u64>()
            + self.steps.capacity() * size_of::<Step>()
            + self.taken.capacity() * size_of::<StateKey>()
            + self.actions.capacity() * size_of::<ActionId>()
    }
}
