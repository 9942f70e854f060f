//! Breadth-first search.
//!
//! Identities are given in the order of insertion, so the queue is the store itself: the next state to expand is
//! the next identity, and no memory is needed beyond the store's.
//!
//! **Batches.** An insertion waits for memory, about as long as firing takes, twice: for the index and for the
//! vector. Successors are therefore collected, over several states if need be, and the store is told of each
//! hash as soon as it is known. When the batch is full, the index lines have arrived and point to the vectors,
//! which are asked for; when the insertions begin, these have arrived too.
//!
//! ```text
//!  fire s1, prefetch   fire s2, prefetch  ...  | candidates of s1, s2, ... | insert s1, s2, ...
//!  ------------------ expand ------------------ ------------------ flush -------------------
//! ```
//!
//! Batches change nothing in the order: insertions come as if each were done at once, because a state that is
//! still in a batch is never due for expansion before all that come earlier are inserted.
//!
//! **Steps left out.** Where nobody wants to be told of all edges, a step whose state is found by another order of the same
//! actions is counted and not taken; see [`petite_model::Commuting`]. That needs the action that each waiting
//! state was found by.

use petite_bits::Hint;
use petite_model::{ActionId, Fault, Model};
use petite_store::{Lookup, Origin, StateId};

use crate::backward::Backward;
use crate::found_by::FoundBy;
use crate::probe::Probes;
use crate::run::{Frontier, Run, ending, failure};
use crate::{Edge, Ending, Limits, Monitor, Observer, Order, Report};

/// Successors that are collected before they are inserted.
const BATCH: usize = 32;

/// Explores the reachable states of a model, oldest first.
///
/// The store is empty and made for the model's current packing. A trace is not known in this order.
pub fn breadth_first<M: Model, S: Lookup<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> Report {
    explore(model, store, limits, monitor, observer, Probes::Some)
}

/// The same, which may be a probe itself.
pub(crate) fn explore<M: Model, S: Lookup<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
    probes: Probes,
) -> Report {
    let mut run = Run::new(model, store, limits, monitor, observer, probes);
    let mut batch = Batch::default();
    let ending = match search(&mut run, &mut batch) {
        Ok(()) => Ending::Complete,
        Err(ending) => ending,
    };
    let suspect = batch.suspect;
    let ending = run.suspect_last(ending, |model, store, purse| match suspect {
        Some(id) => batch.backward.examine(model, store, id, purse),
        None => Ok(None),
    });
    run.report(ending, batch.bytes(), None)
}

/// Successors that wait for their insertion.
#[derive(Default)]
struct Batch {
    steps: Vec<Step>,
    /// What the store takes their states for.
    guesses: Vec<Option<StateId>>,
    /// The state of each step: the successor, or the dead state itself.
    states: Vec<u64>,
    /// The states that the steps come from, without repetition; the last one is being expanded.
    parents: Vec<u64>,
    parent_ids: Vec<StateId>,
    /// The actions that are taken in the state that is being expanded.
    actions: Vec<ActionId>,
    /// The actions that waiting states were found by, where some steps may be left out.
    found_by: FoundBy,
    /// The state whose totals the bounds hold.
    totals_of: Option<StateId>,
    /// The last state that looked as if the search were endless.
    suspect: Option<StateId>,
    backward: Backward,
}

/// Something to do when a batch is flushed.
#[derive(Clone, Copy)]
struct Step {
    hash: u64,
    /// The action to insert the successor of; none where the state is dead.
    action: Option<ActionId>,
    /// Position of the parent in [`Batch::parents`].
    parent: u32,
    /// What the store said when it was told of the hash.
    hint: Hint,
}

fn search<M: Model, S: Lookup<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch,
) -> Result<(), Ending> {
    run.start()?;
    batch.totals_of = Some(StateId(0));
    run.note_found(&mut batch.found_by, None)?;
    let mut next = 0;
    loop {
        if next == run.store.len() {
            flush(run, batch)?;
            if next == run.store.len() {
                return Ok(());
            }
        }
        if run.is_probe_due() {
            run.probe(Order::DepthFirst, &mut [&mut batch.states, &mut batch.parents])?;
        }
        let id = StateId::new(next);
        next += 1;
        if let Err(ending) = expand(run, batch, id) {
            // What was collected before the model failed is still part of the result.
            if let Ending::Failed(_) = ending {
                flush(run, batch)?;
            }
            return Err(ending);
        }
    }
}

/// Collects the successors of a state.
fn expand<M: Model, S: Lookup<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch,
    id: StateId,
) -> Result<(), Ending> {
    let n_words = run.model.packing().n_words();
    let start = batch.parents.len();
    batch.parents.resize(start + n_words, 0);
    batch.parent_ids.push(id);
    run.store.get(run.model, id, &mut batch.parents[start..]);
    let found_by = batch.found_by.pop();
    let hash = run.model.packing().hash(&batch.parents[start..]);
    batch.actions.clear();
    let enabled = run.model.enabled(&batch.parents[start..], &mut batch.actions);
    enabled.map_err(|error| failure(error, Some(&batch.parents[start..]), None))?;
    run.expanded(id, &batch.parents[start..], &batch.actions)?;
    if batch.actions.is_empty() {
        batch.states.extend_from_slice(&batch.parents[start..]);
        let parent = batch.parent_ids.len() as u32 - 1;
        batch.steps.push(Step { hash, action: None, parent, hint: Hint::default() });
        return if batch.steps.len() < BATCH { Ok(()) } else { flush(run, batch) };
    }
    run.leave_out(found_by, &mut batch.actions);
    if batch.actions.is_empty() {
        // Nothing comes from this state.
        batch.parents.truncate(start);
        batch.parent_ids.pop();
        let frontier = |store: &S| Frontier { len: (store.len() - id.index()) as u64, bytes: batch.bytes() };
        return run.events(1, frontier);
    }
    let mut done = 0;
    while done < batch.actions.len() {
        done += collect(run, batch, hash, done)?;
        if batch.steps.len() >= BATCH {
            flush(run, batch)?;
        }
        if batch.parent_ids.is_empty() && done < batch.actions.len() {
            // The state has more successors; it is the first of the new batch.
            batch.parents.resize(run.model.packing().n_words(), 0);
            run.store.get(run.model, id, &mut batch.parents);
            batch.parent_ids.push(id);
        }
    }
    Ok(())
}

/// Fires actions in the last one of the parents, from a position on, and adds the steps to the batch, as many as
/// there is room for. Gives their number.
#[inline]
fn collect<M: Model, S: Lookup<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch,
    hash: u64,
    done: usize,
) -> Result<usize, Ending> {
    let n_words = run.model.packing().n_words();
    let Batch { steps, states, parents, parent_ids, actions, .. } = batch;
    let (start, parent) = (states.len(), parent_ids.len() as u32 - 1);
    let actions = &actions[done..];
    let actions = &actions[..actions.len().min(BATCH - steps.len())];
    let words = &parents[parents.len() - n_words..];
    states.resize(start + actions.len() * n_words, 0);
    for (at, (&action, fired)) in actions.iter().zip(states[start..].chunks_exact_mut(n_words)).enumerate() {
        copy_words(words, fired);
        let mut fired_hash = hash;
        if let Err(fault) = run.model.fire(fired, &mut fired_hash, action) {
            states.truncate(start + at * n_words);
            make_room(run, batch, fault, action, &mut fired_hash)?;
            let hint = run.store.prefetch(fired_hash);
            batch.steps.push(Step { hash: fired_hash, action: Some(action), parent, hint });
            return Ok(at + 1);
        }
        let hint = run.store.prefetch(fired_hash);
        steps.push(Step { hash: fired_hash, action: Some(action), parent, hint });
    }
    Ok(actions.len())
}

/// Fires an action for which a field was too narrow, or gives up.
#[cold]
fn make_room<M: Model, S: Lookup<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch,
    mut fault: Fault,
    action: ActionId,
    hash: &mut u64,
) -> Result<(), Ending> {
    loop {
        let n_words = run.model.packing().n_words();
        let parent = batch.parents.len() - n_words;
        match fault {
            Fault::Outgrown(outgrown) => {
                run.widen(outgrown, &mut [&mut batch.states, &mut batch.parents])?;
            }
            Fault::Run(error) => {
                return Err(failure(*error, Some(&batch.parents[parent..]), Some(action)));
            }
        }
        let n_words = run.model.packing().n_words();
        let (parent, at) = (batch.parents.len() - n_words, batch.states.len());
        batch.states.extend_from_slice(&batch.parents[parent..]);
        match run.model.fire(&mut batch.states[at..], hash, action) {
            Ok(()) => return Ok(()),
            Err(again) => fault = again,
        }
        batch.states.truncate(at);
    }
}

/// Inserts all states of the batch.
fn flush<M: Model, S: Lookup<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    batch: &mut Batch,
) -> Result<(), Ending> {
    if let Some(&id) = batch.parent_ids.last() {
        let frontier = |store: &S| Frontier { len: (store.len() - id.index()) as u64, bytes: batch.bytes() };
        run.events(batch.steps.len() as u64, frontier)?;
    }
    batch.guesses.extend(batch.steps.iter().map(|step| run.store.guess(step.hash, step.hint)));
    let n_words = run.model.packing().n_words();
    let steps = batch.steps.iter().zip(&batch.guesses);
    for ((step, &guess), words) in steps.zip(batch.states.chunks_exact(n_words)) {
        let from = batch.parent_ids[step.parent as usize];
        let Some(action) = step.action else {
            run.dead(from, words)?;
            continue;
        };
        let origin = Origin::Step { parent: from, action };
        let inserted =
            run.store.insert_guessed(run.model, words, step.hash, origin, guess).map_err(ending)?;
        run.edges += 1;
        let edge = Edge { from, action, to: inserted.id, new: inserted.new };
        if !inserted.new {
            run.tell_edge(edge)?;
            continue;
        }
        run.peak_frontier = run.peak_frontier.max(u64::from(inserted.id.0 - from.0));
        run.note_found(&mut batch.found_by, Some(action))?;
        if batch.totals_of != Some(from) {
            let parent = &batch.parents[step.parent as usize * n_words..][..n_words];
            run.bounds.go_to(|totals| run.model.group_totals(parent, totals));
            batch.totals_of = Some(from);
        }
        run.bounds.step(run.model.group_changes(action));
        if run.bounds.take_alarm() {
            batch.suspect = Some(inserted.id);
        }
        run.tell(edge, words)?;
        run.bounds.step_back(run.model.group_changes(action));
        if batch.suspect == Some(inserted.id) {
            run.suspect(|model, store, purse| batch.backward.examine(model, store, inserted.id, purse))?;
        }
    }
    batch.steps.clear();
    batch.guesses.clear();
    batch.states.clear();
    batch.parents.clear();
    batch.parent_ids.clear();
    Ok(())
}

/// Copies a state. Most are short, and a call to the library's copying would take longer than they do.
#[inline(always)]
fn copy_words(from: &[u64], to: &mut [u64]) {
    match (from, to) {
        ([a], [to_a]) => *to_a = *a,
        ([a, b], [to_a, to_b]) => (*to_a, *to_b) = (*a, *b),
        (from, to) => to.copy_from_slice(from),
    }
}

impl Batch {
    /// Heap bytes owned.
    fn bytes(&self) -> usize {
        let words = self.states.capacity() + self.parents.capacity();
        words * size_of::<u64>()
            + self.steps.capacity() * size_of::<Step>()
            + self.guesses.capacity() * size_of::<Option<StateId>>()
            + self.parent_ids.capacity() * size_of::<StateId>()
            + self.actions.capacity() * size_of::<ActionId>()
            + self.found_by.bytes()
            + self.backward.bytes()
    }
}
