//! Breadth-first search for stores that do not give states back.
//!
//! Where the store is only a set, the states that wait for their expansion have to be kept beside it. They are
//! kept packed, as a store would keep them, in two arenas: the layer that is being expanded and the next one.
//!
//! ```text
//!  layer    | done | done | now | ... |        states of distance d, expanded in order
//!  next     | new | new | ...                  states of distance d + 1, as they are found
//! ```
//!
//! **Identities.** States are numbered in the order in which they are found, so those of a layer are consecutive
//! and the number of a layer's first state is all that has to be known.
//!
//! **Cost.** [`Packing::n_bytes`](petite_bits::Packing::n_bytes) for each state of two layers. In a model of n
//! independent parts the largest layer is about the square root of n times smaller than the whole, in one that mostly
//! goes forward it is far smaller; a depth-first stack may hold as many levels as there are states.
//!
//! **Unbounded models.** The walk backwards that tells breadth-first search of growth needs a store that finds
//! states. Here probes look for growth in both orders instead.

use petite_bits::{Outgrown, Repacking, VectorArena};
use petite_model::{ActionId, Fault, Model};
use petite_store::{Origin, StateId, Store};

use crate::found_by::FoundBy;
use crate::probe::Probes;
use crate::run::{Frontier, Run, ending, failure};
use crate::{Edge, Ending, Limits, Monitor, Observer, Order, Report};

/// Explores the reachable states of a model, oldest first, with a queue of its own.
///
/// The store is empty and made for the model's current packing. It need not give states back. A trace is not known
/// in this order.
pub fn queued<M: Model, S: Store<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> Report {
    let mut run = Run::new(model, store, limits, monitor, observer, Probes::Some);
    let mut queue = Queue::new(run.model.packing().n_bytes());
    let ending = match search(&mut run, &mut queue) {
        Ok(()) => Ending::Complete,
        Err(ending) => ending,
    };
    run.report(ending, queue.peak_bytes.max(queue.bytes()), None)
}

/// The states that wait, and the successors of the one being expanded.
struct Queue {
    layer: VectorArena,
    next: VectorArena,
    /// Number of the layer's first state.
    first: u32,
    /// The state being expanded, and the actions enabled there.
    current: Vec<u64>,
    actions: Vec<ActionId>,
    /// The successors that were fired already, one behind the other, and their hashes.
    successors: Vec<u64>,
    hashes: Vec<u64>,
    /// The actions that waiting states were found by, where some steps may be left out.
    found_by: FoundBy,
    peak_bytes: usize,
}

fn search<M: Model, S: Store<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    queue: &mut Queue,
) -> Result<(), Ending> {
    (queue.current, _) = run.start()?;
    // The initial state may have needed wider fields than there were when the queue was made.
    queue.layer = VectorArena::new(run.model.packing().n_bytes());
    queue.next = VectorArena::new(run.model.packing().n_bytes());
    queue.layer.push(&queue.current).map_err(|_| Ending::OutOfMemory)?;
    run.note_found(&mut queue.found_by, None)?;
    while !queue.layer.is_empty() {
        for at in 0..queue.layer.len() {
            if run.is_probe_due() {
                probe(run, queue)?;
            }
            expand(run, queue, at)?;
        }
        queue.peak_bytes = queue.peak_bytes.max(queue.bytes());
        queue.first += queue.layer.len() as u32;
        let empty = VectorArena::new(run.model.packing().n_bytes());
        queue.layer = std::mem::replace(&mut queue.next, empty);
    }
    Ok(())
}

/// Finds the successors of the state at a position of the layer.
fn expand<M: Model, S: Store<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    queue: &mut Queue,
    at: usize,
) -> Result<(), Ending> {
    let from = StateId(queue.first + at as u32);
    queue.layer.get(at, &mut queue.current);
    let found_by = queue.found_by.pop();
    let hash = run.model.packing().hash(&queue.current);
    queue.actions.clear();
    let enabled = run.model.enabled(&queue.current, &mut queue.actions);
    enabled.map_err(|error| failure(error, Some(&queue.current), None))?;
    run.expanded(from, &queue.current, &queue.actions)?;
    if queue.actions.is_empty() {
        return run.dead(from, &queue.current);
    }
    run.leave_out(found_by, &mut queue.actions);
    queue.successors.clear();
    queue.hashes.clear();
    let mut failed = None;
    for index in 0..queue.actions.len() {
        let waiting = queue.layer.len() - at + queue.next.len();
        run.events(1, |_| Frontier { len: waiting as u64, bytes: queue.bytes() })?;
        if let Err(ending) = fire(run, queue, queue.actions[index], hash) {
            // What was fired before the model failed is still part of the result.
            failed = Some(ending);
            break;
        }
    }
    insert_all(run, queue, from)?;
    failed.map_or(Ok(()), Err)
}

/// Fires an action of the current state and tells the store what to expect.
fn fire<M: Model, S: Store<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    queue: &mut Queue,
    action: ActionId,
    mut hash: u64,
) -> Result<(), Ending> {
    let mut start = queue.successors.len();
    queue.successors.extend_from_slice(&queue.current);
    while let Err(fault) = run.model.fire(&mut queue.successors[start..], &mut hash, action) {
        match fault {
            Fault::Outgrown(outgrown) => {
                widen(run, queue, outgrown)?;
                start = queue.successors.len() - queue.current.len();
            }
            Fault::Run(error) => {
                queue.successors.truncate(start);
                return Err(failure(*error, Some(&queue.current), Some(action)));
            }
        }
    }
    run.store.prefetch(hash);
    queue.hashes.push(hash);
    Ok(())
}

/// Inserts the successors of the current state, and queues the new ones.
fn insert_all<M: Model, S: Store<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    queue: &mut Queue,
    from: StateId,
) -> Result<(), Ending> {
    let mut has_totals = false;
    let n_words = queue.current.len();
    let successors = queue.successors.chunks_exact(n_words).zip(&queue.hashes).zip(&queue.actions);
    for ((words, &hash), &action) in successors {
        let origin = Origin::Step { parent: from, action };
        let inserted = run.store.insert(run.model, words, hash, origin).map_err(ending)?;
        run.edges += 1;
        let edge = Edge { from, action, to: inserted.id, new: inserted.new };
        if !inserted.new {
            run.tell(edge, words)?;
            continue;
        }
        queue.next.push(words).map_err(|_| Ending::OutOfMemory)?;
        run.note_found(&mut queue.found_by, Some(action))?;
        run.peak_frontier = run.peak_frontier.max(u64::from(inserted.id.0 - from.0));
        if !has_totals {
            run.bounds.go_to(|totals| run.model.group_totals(&queue.current, totals));
            has_totals = true;
        }
        run.bounds.step(run.model.group_changes(action));
        run.tell(edge, words)?;
        run.bounds.step_back(run.model.group_changes(action));
    }
    Ok(())
}

/// Makes room for a value in all states that there are.
#[cold]
fn widen<M: Model, S: Store<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    queue: &mut Queue,
    outgrown: Outgrown,
) -> Result<(), Ending> {
    let old = run.model.packing().clone();
    run.widen(outgrown, &mut [&mut queue.current, &mut queue.successors])?;
    queue.repack(&Repacking::new(&old, run.model.packing()), run.model.packing().n_bytes())
}

/// Looks for growth in both orders.
#[cold]
fn probe<M: Model, S: Store<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    queue: &mut Queue,
) -> Result<(), Ending> {
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let old = run.model.packing().clone();
        run.probe(order, &mut [&mut queue.current, &mut queue.successors])?;
        let new = run.model.packing();
        if *new != old {
            queue.repack(&Repacking::new(&old, new), new.n_bytes())?;
        }
    }
    Ok(())
}

impl Queue {
    fn new(n_bytes: usize) -> Queue {
        Queue {
            layer: VectorArena::new(n_bytes),
            next: VectorArena::new(n_bytes),
            first: 0,
            current: Vec::new(),
            actions: Vec::new(),
            successors: Vec::new(),
            hashes: Vec::new(),
            found_by: FoundBy::default(),
            peak_bytes: 0,
        }
    }

    fn repack(&mut self, repacking: &Repacking, n_bytes: usize) -> Result<(), Ending> {
        self.layer.repack(repacking, n_bytes).map_err(|_| Ending::OutOfMemory)?;
        self.next.repack(repacking, n_bytes).map_err(|_| Ending::OutOfMemory)
    }

    /// Heap bytes owned.
    fn bytes(&self) -> usize {
        let words = self.current.capacity() + self.successors.capacity() + self.hashes.capacity();
        words * size_of::<u64>()
            + self.actions.capacity() * size_of::<ActionId>()
            + self.found_by.bytes()
            + self.layer.bytes()
            + self.next.bytes()
    }
}
