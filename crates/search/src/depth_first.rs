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
//! **Looking ahead.** Four of five edges lead to states that are known. An action is therefore fired on a copy of
//! the working state, which is thrown away in that case: copying a few words is cheaper than taking an action
//! back. What costs most is waiting for the store's memory. Where one sibling was known, or has been explored,
//! the next ones are mostly known too: up to [`AHEAD`] of them are fired at once, and the store is told of them
//! all before the first is inserted. A state that was just entered mostly leads to a new one, and firing more
//! than its first action would be in vain.
//!
//! **Steps left out.** As in breadth-first search, where nobody wants to be told of all edges: the action that a state was found by is
//! the one that is taken on the level below.

use petite_bits::{Hint, OutOfMemory};
use petite_model::{ActionId, Fault, Model, Refusal};
use petite_store::{Origin, StateId, Store};

use crate::allowance::{Purse, Spent};
use crate::probe::Probes;
use crate::run::{Frontier, Run, ending, failure};
use crate::self_covering::self_covering;
use crate::{Edge, Ending, Limits, Monitor, Observer, Order, Report, Unbounded};

/// Siblings that are fired ahead of their insertion.
const AHEAD: usize = 8;

/// Units for firing an action of the path again.
const FOLLOWING: usize = 12;

/// Explores the reachable states of a model, newest first.
///
/// The store is empty and made for the model's current packing. It need not give states back. A trace is known
/// wherever the search ends.
pub fn depth_first<M: Model, S: Store<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
) -> Report {
    explore(model, store, limits, monitor, observer, Probes::Some)
}

/// The same, which may be a probe itself.
pub(crate) fn explore<M: Model, S: Store<M>, O: Observer<M>>(
    model: &mut M,
    store: &mut S,
    limits: &Limits,
    monitor: &mut dyn Monitor,
    observer: &mut O,
    probes: Probes,
) -> Report {
    let mut run = Run::new(model, store, limits, monitor, observer, probes);
    let mut stack = Stack::default();
    let mut ending = match search(&mut run, &mut stack) {
        Ok(()) => Ending::Complete,
        Err(ending) => ending,
    };
    ending = run.suspect_last(ending, |model, _, purse| match stack.top_state(model, purse)? {
        Some(last) => stack.examine(model, &last, purse),
        None => Ok(None),
    });
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

/// Successors of the working state that were fired already.
#[derive(Default)]
struct Siblings {
    /// Their words, one behind the other.
    states: Vec<u64>,
    hashes: Vec<(u64, Hint)>,
    /// What the store takes them for.
    guesses: Vec<Option<StateId>>,
    /// How many of them are done.
    done: usize,
}

fn search<M: Model, S: Store<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    stack: &mut Stack,
) -> Result<(), Ending> {
    let (mut words, mut hash) = run.start()?;
    let mut siblings = Siblings::default();
    let mut actions = Vec::new();
    descend(run, stack, StateId(0), None, &words, &mut actions)?;
    let mut ahead = 1;
    loop {
        let Some((from, action)) = stack.next() else {
            // All is done on this level.
            let Some(action) = stack.leave() else { return Ok(()) };
            while let Err(refusal) = run.model.unfire(&mut words, &mut hash, action) {
                match refusal {
                    Refusal::Outgrown(outgrown) => run.widen(outgrown, &mut [&mut words])?,
                    Refusal::Impossible => unreachable!("the action led here"),
                }
            }
            run.bounds.step_back(run.model.group_changes(action));
            run.store.expanding(&words);
            siblings.clear();
            ahead = AHEAD;
            continue;
        };
        run.events(1, |_| Frontier { len: stack.levels.len() as u64, bytes: stack.bytes() })?;
        if siblings.done == siblings.hashes.len() {
            siblings.clear();
            while let Err(fault) = siblings.fire(run, &words, hash, stack.upcoming(ahead)) {
                match fault {
                    Fault::Outgrown(outgrown) => run.widen(outgrown, &mut [&mut words])?,
                    Fault::Run(error) => return Err(failure(*error, Some(&words), Some(action))),
                }
            }
        }
        let (tried, tried_hash, guess) = siblings.next(words.len());
        let origin = Origin::Step { parent: from, action };
        let inserted =
            run.store.insert_guessed(run.model, tried, tried_hash, origin, guess).map_err(ending)?;
        run.edges += 1;
        stack.taken_on_top = 1;
        if inserted.new {
            run.bounds.step(run.model.group_changes(action));
        }
        run.tell(Edge { from, action, to: inserted.id, new: inserted.new }, tried)?;
        if run.bounds.take_alarm() {
            run.suspect(|model, _, purse| stack.examine(model, tried, purse))?;
        }
        stack.taken_on_top = 0;
        if inserted.new {
            words.copy_from_slice(tried);
            hash = tried_hash;
            siblings.clear();
            descend(run, stack, inserted.id, Some(action), &words, &mut actions)?;
            ahead = 1;
            if run.is_probe_due() {
                run.probe(Order::BreadthFirst, &mut [&mut words])?;
            }
        } else {
            siblings.done += 1;
            stack.drop_next();
            ahead = AHEAD;
        }
    }
}

impl Siblings {
    #[inline]
    fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
        self.guesses.clear();
        self.done = 0;
    }

    /// The successor whose turn it is. There is one after [`Siblings::fire`] was successful.
    #[inline]
    fn next(&self, n_words: usize) -> (&[u64], u64, Option<StateId>) {
        (&self.states[self.done * n_words..][..n_words], self.hashes[self.done].0, self.guesses[self.done])
    }

    /// Fires the upcoming actions, last one first, as far as they can be fired. A fault of the first is given; those
    /// of the others are met again when it is their turn.
    #[inline]
    fn fire<M: Model, S: Store<M>, O>(
        &mut self,
        run: &mut Run<'_, M, S, O>,
        words: &[u64],
        hash: u64,
        upcoming: &[ActionId],
    ) -> Result<(), Fault> {
        for &action in upcoming.iter().rev() {
            let start = self.states.len();
            self.states.extend_from_slice(words);
            let mut fired_hash = hash;
            if let Err(fault) = run.model.fire(&mut self.states[start..], &mut fired_hash, action) {
                self.states.truncate(start);
                if self.hashes.is_empty() {
                    return Err(fault);
                }
                break;
            }
            self.hashes.push((fired_hash, run.store.prefetch(fired_hash)));
        }
        self.guesses.extend(self.hashes.iter().map(|&(hash, hint)| run.store.guess(hash, hint)));
        Ok(())
    }
}

/// Makes a new state the topmost level.
#[inline]
fn descend<M: Model, S: Store<M>, O: Observer<M>>(
    run: &mut Run<'_, M, S, O>,
    stack: &mut Stack,
    id: StateId,
    found_by: Option<ActionId>,
    words: &[u64],
    actions: &mut Vec<ActionId>,
) -> Result<(), Ending> {
    actions.clear();
    let enabled = run.model.enabled(words, actions);
    let outcome = match enabled {
        Ok(()) => run.expanded(id, words, actions),
        Err(error) => Err(failure(error, Some(words), None)),
    };
    let is_dead = actions.is_empty();
    run.leave_out(found_by, actions);
    // Whatever comes, the state is on the path now.
    stack.enter(id, actions).map_err(|_| Ending::OutOfMemory)?;
    run.peak_frontier = run.peak_frontier.max(stack.levels.len() as u64);
    outcome?;
    if is_dead { run.dead(id, words) } else { Ok(()) }
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

    /// The next actions of the topmost state, at most so many, the next one last.
    #[inline]
    fn upcoming(&self, most: usize) -> &[ActionId] {
        let n = self.levels.last().map_or(0, |level| most.min(level.left as usize));
        &self.actions[self.actions.len() - n..]
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

    /// The same, the last one first.
    fn trace_back(&self) -> impl Iterator<Item = ActionId> {
        let mut end = self.actions.len();
        let actions = self.levels.iter().rev().map(move |level| {
            let last = end;
            end -= level.left as usize;
            last
        });
        actions.skip(1 - self.taken_on_top).map(|end| self.actions[end - 1])
    }

    /// The state that the path leads to; `None` where there is no path, or the model does not follow it.
    fn top_state<M: Model>(&self, model: &mut M, purse: &mut Purse) -> Result<Option<Vec<u64>>, Spent> {
        purse.pay(FOLLOWING * self.levels.len())?;
        let (mut words, mut hash) = (vec![0; model.packing().n_words()], 0);
        let is_followed = model.initial(&mut words).is_ok()
            && self.trace().into_iter().all(|action| model.fire(&mut words, &mut hash, action).is_ok());
        Ok((is_followed && !self.levels.is_empty()).then_some(words))
    }

    /// Looks whether the path, which leads to the given state, covers itself.
    fn examine<M: Model>(
        &self,
        model: &mut M,
        last: &[u64],
        purse: &mut Purse,
    ) -> Result<Option<Unbounded>, Spent> {
        let n_steps = self.levels.len() - 1 + self.taken_on_top;
        let found = self_covering(model, last, n_steps, self.trace_back(), purse)?;
        Ok(found.map(|covering| covering.proof(&self.trace())))
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
