//! Depth-first search.
//!
//! There is one working state. Going deeper fires an action on it, going back takes that action back, so the
//! stack holds no states, only what is left to do on each level of the path:
//!
//! ```text
//!  levels    | id 0, 3 left | id 1, 1 left | id 5, 2 left |           8 bytes each
//!               ___________   ___   ______
//!  actions   |  c    b    a |  d  |  f   e |                          4 bytes each
//!                         |    |         |
//!                     taken now, on the path        e is next; the first action of a level is its last
//! ```
//!
//! An action stays on the stack while the states behind it are explored, because it is needed to come back.
//! A path of ten million steps that never branches needs 120 MB.
//!
//! **Trying.** Four of five edges lead to states that are known. The action is therefore fired on a copy of the
//! working state, which is thrown away in that case: copying a few words is cheaper than taking an action back.

use petite_bits::OutOfMemory;
use petite_model::{ActionId, Fault, Model, Refusal};
use petite_store::{Origin, StateId, Store};

use crate::run::{Frontier, Run, ending, failure};
use crate::{Edge, Ending, Limits, Monitor, Observer, Report};

/// Explores the reachable states of a model, newest first.
///
/// The store is empty and made for the model's current packing. It need not give states back. A trace is known
/// wherever the search ends.
pub fn depth_first<M: Model, S: Store, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> Report {
    let mut run = Run::new(model, store, limits, monitor, observer);
    let mut stack = Stack::default();
    let mut ending = match search(&mut run, &mut stack) {
        Ok(()) => Ending::Complete,
        Err(ending) => ending,
    };
    let mut trace = None;
    match &mut ending {
        // The state that failed is the one on top, and what led there is below it.
        Ending::Failed(failure) => failure.trace = Some(stack.trace()),
        Ending::Stopped => trace = Some(stack.trace()),
        _ => {}
    }
    run.report(ending, stack.bytes(), trace)
}

/// What is left to do on the path.
#[derive(Default)]
struct Stack {
    levels: Vec<Level>,
    /// The actions of all levels that were not taken back yet, the next one of each level last.
    actions: Vec<ActionId>,
    /// How many of the topmost level's actions are on the path, none or one: it is when an ending comes between
    /// firing the action and going deeper.
    taken_on_top: usize,
}

/// A state on the path.
#[derive(Clone, Copy)]
struct Level {
    id: StateId,
    /// Actions that were not taken back yet; on all levels but the topmost, one of them is on the path.
    left: u32,
}

const _: () = assert!(size_of::<Level>() == 8);

fn search<M: Model, S: Store, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    stack: &mut Stack,
) -> Result<(), Ending> {
    let (mut words, mut hash) = run.start()?;
    let mut tried = words.clone();
    let mut actions = Vec::new();
    descend(run, stack, StateId(0), &words, &mut actions)?;
    loop {
        let Some((from, action)) = stack.next() else {
            // All is done on this level.
            let Some(action) = stack.leave() else { return Ok(()) };
            while let Err(refusal) = run.model.unfire(&mut words, &mut hash, action) {
                match refusal {
                    Refusal::Outgrown(outgrown) => run.widen(outgrown, &mut [&mut words, &mut tried])?,
                    Refusal::Impossible => unreachable!("the action led here"),
                }
            }
            run.bounds.step_back(run.model.group_changes(action));
            continue;
        };
        run.event(|_| Frontier { len: stack.levels.len() as u64, bytes: stack.bytes() })?;
        tried.copy_from_slice(&words);
        let mut tried_hash = hash;
        while let Err(fault) = run.model.fire(&mut tried, &mut tried_hash, action) {
            match fault {
                Fault::Outgrown(outgrown) => run.widen(outgrown, &mut [&mut words, &mut tried])?,
                Fault::Run(error) => return Err(failure(*error, Some(&words), Some(action))),
            }
        }
        let origin = Origin::Step { parent: from, action };
        let inserted = run.store.insert(&tried, tried_hash, origin).map_err(ending)?;
        run.edges += 1;
        stack.taken_on_top = 1;
        if inserted.new {
            run.bounds.step(run.model.group_changes(action));
        }
        run.tell(Edge { from, action, to: inserted.id, new: inserted.new }, &tried)?;
        stack.taken_on_top = 0;
        if inserted.new {
            std::mem::swap(&mut words, &mut tried);
            hash = tried_hash;
            descend(run, stack, inserted.id, &words, &mut actions)?;
        } else {
            stack.drop_next();
        }
    }
}

/// Makes a new state the topmost level.
#[inline]
fn descend<M: Model, S: Store, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    stack: &mut Stack,
    id: StateId,
    words: &[u64],
    actions: &mut Vec<ActionId>,
) -> Result<(), Ending> {
    actions.clear();
    let enabled = run.model.enabled(words, actions);
    stack.enter(id, actions).map_err(|_| Ending::OutOfMemory)?;
    enabled.map_err(|error| failure(error, Some(words), None))?;
    run.peak_frontier = run.peak_frontier.max(stack.levels.len() as u64);
    if actions.is_empty() { run.dead(id, words) } else { Ok(()) }
}

impl Stack {
    /// The topmost state and its next action; none when all its actions are done.
    #[inline]
    fn next(&self) -> Option<(StateId, ActionId)> {
        let level = self.levels.last()?;
        if level.left == 0 {
            return None;
        }
        Some((level.id, *self.actions.last()?))
    }

    /// The topmost state's next action is done.
    #[inline]
    fn drop_next(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.left -= 1;
            self.actions.pop();
        }
    }

    /// Leaves the topmost state, all of whose actions are done. Gives the action to take back, or none when that
    /// was the initial state.
    #[inline]
    fn leave(&mut self) -> Option<ActionId> {
        self.levels.pop();
        let (_, action) = self.next()?;
        self.drop_next();
        Some(action)
    }

    /// Enters a state with its enabled actions.
    #[inline]
    fn enter(&mut self, id: StateId, actions: &[ActionId]) -> Result<(), OutOfMemory> {
        reserve(&mut self.levels, 1)?;
        reserve(&mut self.actions, actions.len())?;
        let left = u32::try_from(actions.len()).map_err(|_| OutOfMemory)?;
        self.levels.push(Level { id, left });
        self.actions.extend(actions.iter().rev());
        Ok(())
    }

    /// The actions on the path.
    fn trace(&self) -> Vec<ActionId> {
        let below = self.levels.len().saturating_sub(1);
        let mut end = 0;
        let ends = self.levels.iter().map(|level| {
            end += level.left as usize;
            end
        });
        ends.take(below + self.taken_on_top).map(|end| self.actions[end - 1]).collect()
    }

    /// Heap bytes owned.
    fn bytes(&self) -> usize {
        self.levels.capacity() * size_of::<Level>() + self.actions.capacity() * size_of::<ActionId>()
    }
}

/// Makes room for more, growing by a quarter: a stack may be the larger part of a search's memory.
#[inline]
fn reserve<T>(stack: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    if stack.capacity() - stack.len() < more {
        stack.try_reserve_exact(more.max(stack.len() / 4).max(64))?;
    }
    Ok(())
}
