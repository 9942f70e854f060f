//! Branching time on the fly.
//!
//! Whether a formula holds in the initial state may depend on few states. This search asks for the value of a formula in
//! one state, and that asks for values of its parts there and in other states, as far as they matter (Vergauwen and Lewi,
//! "A Linear Local Model Checking Algorithm for CTL", 1993). Each operator has a depth-first search of its own:
//!
//! - `E[f U g]`: through states of f, until g holds. Then it holds in all states of components that are not complete, since
//!   they all lead to the path. Complete components without success are done: it fails there (Tarjan 1972).
//! - `EG f`: through states of f, until the path meets itself or a dead state. A state whose edges all lead nowhere is done.
//!
//! What was found out of a formula in a state is kept, so each pair of them is searched once. The searches keep stacks of
//! their own; only the nesting of the formula recurs.
//!
//! **Cost.** Two bits for each state and operator, and the stacks. Time is linear in the product of graph and formula, but
//! states are expanded once for each operator: where all states matter, [`super::check_ctl`] takes less.

use std::collections::HashMap;

use petite_model::{ActionId, Model};
use petite_search::{Ending, Limits, Monitor};
use petite_store::{Exactness, Lookup, StateId};

use super::formula::{CtlFormulas, CtlId, CtlNode};
use super::truths::{Truth, Truths};
use super::{CtlUnknown, CtlVerdict};
use crate::expander::{Expander, Step};
use crate::{Atoms, Ctl, Lasso, Rest};

/// Checks a formula in the initial state of a model, looking at as few states as its value needs.
///
/// The store is empty, or was used for checks of the same model before.
pub fn check_ctl_locally<M: Model, S: Lookup<M>, A: Atoms<M>>(
    model: &mut M,
    store: &mut S,
    atoms: &mut A,
    question: &Ctl,
    limits: &Limits,
    monitor: &mut dyn Monitor,
) -> CtlVerdict {
    let mut formulas = CtlFormulas::default();
    let Ok(formula) = formulas.take(question) else { return CtlVerdict::Unknown(CtlUnknown::TooDeep) };
    // A run is shown for the operator at the top, below negations.
    let mut top = formula;
    while let CtlNode::Not(inner) = formulas.node(top) {
        top = *inner;
    }
    let mut local = Local {
        expander: Expander::new(model, store, limits, monitor),
        atoms,
        truths: (0..formulas.len()).map(|_| Truths::default()).collect(),
        has_time: has_time(&formulas),
        formulas: &formulas,
        top,
        shown: None,
        waiting: 0,
    };
    let checked = local.expander.start().and_then(|initial| local.holds(initial, formula));
    let shown = local.shown.take().map(Box::new);
    match (checked, store.exactness()) {
        (Err(ending), _) => CtlVerdict::Unknown(CtlUnknown::Ended(ending)),
        (Ok(true), Exactness::Exact) => CtlVerdict::Holds(shown),
        (Ok(false), Exactness::Exact) => CtlVerdict::Fails(shown),
        (Ok(_), exactness) => CtlVerdict::Unknown(CtlUnknown::Inexact(exactness)),
    }
}

/// Whether each formula has operators of time.
fn has_time(formulas: &CtlFormulas) -> Vec<bool> {
    let mut has_time: Vec<bool> = Vec::with_capacity(formulas.len());
    for formula in (0..formulas.len()).map(CtlId::new) {
        let is_operator = !matches!(
            formulas.node(formula),
            CtlNode::True | CtlNode::Atom(_) | CtlNode::Not(_) | CtlNode::And(_)
        );
        let parts = formulas.parts(formula);
        has_time.push(is_operator || parts.iter().any(|part| has_time[part.index()]));
    }
    has_time
}

/// A check under way.
struct Local<'a, M, S, A> {
    expander: Expander<'a, M, S>,
    atoms: &'a mut A,
    formulas: &'a CtlFormulas,
    /// What is known of each formula that begins with an operator of time.
    truths: Vec<Truths>,
    has_time: Vec<bool>,
    top: CtlId,
    shown: Option<Lasso>,
    /// Heap bytes of searches that wait for others.
    waiting: usize,
}

/// The search of one operator.
#[derive(Default)]
struct Search {
    path: Vec<Level>,
    /// Steps from the states of the path that were not taken yet.
    pending: Vec<Step>,
    /// The states of components that are not complete, in the order of their numbers.
    open: Vec<StateId>,
    numbers: HashMap<StateId, u32>,
    next_number: u32,
}

/// A state on the path.
struct Level {
    state: StateId,
    /// The action that led there; none for the first.
    action: Option<ActionId>,
    number: u32,
    /// The lowest number that is known to be reached from there.
    low: u32,
    pending_from: usize,
}

/// What entering a state came to.
enum Entered {
    /// The formula holds there at once.
    Holds,
    /// It fails there at once.
    Fails,
    /// It is on the path now.
    Open,
}

impl<M: Model, S: Lookup<M>, A: Atoms<M>> Local<'_, M, S, A> {
    /// Whether a formula holds in a state.
    fn holds(&mut self, state: StateId, formula: CtlId) -> Result<bool, Ending> {
        let formulas = self.formulas;
        match formulas.node(formula) {
            CtlNode::True => return Ok(true),
            CtlNode::Atom(atom) => {
                self.expander.load(state);
                return self.expander.holds(self.atoms, *atom);
            }
            CtlNode::Not(part) => return Ok(!self.holds(state, *part)?),
            CtlNode::And(parts) => {
                // What can be seen in the state itself comes first.
                for is_timed in [false, true] {
                    for &part in parts {
                        if self.has_time[part.index()] == is_timed && !self.holds(state, part)? {
                            return Ok(false);
                        }
                    }
                }
                return Ok(true);
            }
            _ => {}
        }
        match self.truths[formula.index()].get(state) {
            Truth::True => return Ok(true),
            Truth::False => return Ok(false),
            Truth::Unknown | Truth::Open => {}
        }
        match formulas.node(formula) {
            CtlNode::ExistsNext(part) => self.next(state, formula, *part),
            CtlNode::ExistsUntil(left, right) => self.until(state, formula, *left, *right),
            CtlNode::ExistsGlobally(part) => self.globally(state, formula, *part),
            _ => Ok(true),
        }
    }

    /// Whether a formula holds in a state, for a search that waits for it.
    fn part_holds(&mut self, search: &Search, state: StateId, part: CtlId) -> Result<bool, Ending> {
        let bytes = search.bytes();
        self.waiting += bytes;
        let holds = self.holds(state, part);
        self.waiting -= bytes;
        holds
    }

    fn next(&mut self, state: StateId, formula: CtlId, part: CtlId) -> Result<bool, Ending> {
        let mut steps = Vec::new();
        self.expander.load(state);
        self.expander.steps(state, &mut steps)?;
        self.pause(steps.len(), 0, 0)?;
        let mut holds = false;
        for step in steps {
            if self.holds(step.to, part)? {
                if formula == self.top {
                    self.shown = Some(Lasso { prefix: vec![step.action], rest: Rest::Any });
                }
                holds = true;
                break;
            }
        }
        self.note(formula, state, if holds { Truth::True } else { Truth::False })?;
        Ok(holds)
    }

    fn until(&mut self, start: StateId, formula: CtlId, left: CtlId, right: CtlId) -> Result<bool, Ending> {
        let mut search = Search::default();
        let mut entered = self.enter_until(&mut search, start, None, formula, left, right)?;
        loop {
            if let Entered::Holds = entered {
                for &state in &search.open {
                    self.note(formula, state, Truth::True)?;
                }
                return Ok(true);
            }
            entered = Entered::Fails;
            let Some(level) = search.path.last_mut() else { return Ok(false) };
            if level.pending_from == search.pending.len() {
                self.leave_until(&mut search, formula)?;
                continue;
            }
            let Some(step) = search.pending.pop() else { continue };
            match self.truths[formula.index()].get(step.to) {
                Truth::True => {
                    // The run to there is shown; from there on one is known to exist.
                    self.show(&search, formula, Some(step.action), Rest::Any);
                    entered = Entered::Holds;
                }
                Truth::False => {}
                Truth::Open | Truth::Unknown => match search.numbers.get(&step.to) {
                    Some(&number) => level.low = level.low.min(number),
                    None => {
                        entered =
                            self.enter_until(&mut search, step.to, Some(step.action), formula, left, right)?;
                    }
                },
            }
        }
    }

    fn enter_until(
        &mut self,
        search: &mut Search,
        state: StateId,
        action: Option<ActionId>,
        formula: CtlId,
        left: CtlId,
        right: CtlId,
    ) -> Result<Entered, Ending> {
        if self.part_holds(search, state, right)? {
            self.show(search, formula, action, Rest::Any);
            self.note(formula, state, Truth::True)?;
            return Ok(Entered::Holds);
        }
        if !self.part_holds(search, state, left)? {
            self.note(formula, state, Truth::False)?;
            return Ok(Entered::Fails);
        }
        search.numbers.try_reserve(1).map_err(|_| Ending::OutOfMemory)?;
        search.open.try_reserve(1).map_err(|_| Ending::OutOfMemory)?;
        search.numbers.insert(state, search.next_number);
        search.open.push(state);
        self.descend(search, state, action)?;
        Ok(Entered::Open)
    }

    /// Leaves the last state of the path; its component fails where it is complete.
    fn leave_until(&mut self, search: &mut Search, formula: CtlId) -> Result<(), Ending> {
        let Some(level) = search.path.pop() else { return Ok(()) };
        if let Some(below) = search.path.last_mut() {
            below.low = below.low.min(level.low);
        }
        if level.low == level.number {
            while let Some(member) = search.open.pop() {
                search.numbers.remove(&member);
                self.note(formula, member, Truth::False)?;
                if member == level.state {
                    break;
                }
            }
        }
        Ok(())
    }

    fn globally(&mut self, start: StateId, formula: CtlId, part: CtlId) -> Result<bool, Ending> {
        let mut search = Search::default();
        let mut entered = self.enter_globally(&mut search, start, None, formula, part)?;
        loop {
            if let Entered::Holds = entered {
                for level in &search.path {
                    self.note(formula, level.state, Truth::True)?;
                }
                return Ok(true);
            }
            entered = Entered::Fails;
            let Some(level) = search.path.last() else { return Ok(false) };
            if level.pending_from == search.pending.len() {
                let state = level.state;
                search.path.pop();
                self.note(formula, state, Truth::False)?;
                continue;
            }
            let Some(step) = search.pending.pop() else { continue };
            match self.truths[formula.index()].get(step.to) {
                // The run that is known from there is not shown: it may be of an earlier search.
                Truth::True => entered = Entered::Holds,
                Truth::False => {}
                Truth::Open => {
                    self.show_cycle(&search, formula, step);
                    entered = Entered::Holds;
                }
                Truth::Unknown => {
                    entered = self.enter_globally(&mut search, step.to, Some(step.action), formula, part)?;
                }
            }
        }
    }

    fn enter_globally(
        &mut self,
        search: &mut Search,
        state: StateId,
        action: Option<ActionId>,
        formula: CtlId,
        part: CtlId,
    ) -> Result<Entered, Ending> {
        if !self.part_holds(search, state, part)? {
            self.note(formula, state, Truth::False)?;
            return Ok(Entered::Fails);
        }
        self.note(formula, state, Truth::Open)?;
        let before = search.pending.len();
        self.descend(search, state, action)?;
        if search.pending.len() == before {
            self.show(search, formula, None, Rest::Dead);
            return Ok(Entered::Holds);
        }
        Ok(Entered::Open)
    }

    /// Makes a state the last one of the path, with the steps from there.
    fn descend(
        &mut self,
        search: &mut Search,
        state: StateId,
        action: Option<ActionId>,
    ) -> Result<(), Ending> {
        let mut steps = Vec::new();
        self.expander.load(state);
        self.expander.steps(state, &mut steps)?;
        let (number, pending_from) = (search.next_number, search.pending.len());
        search.path.try_reserve(1).map_err(|_| Ending::OutOfMemory)?;
        search.pending.try_reserve(steps.len()).map_err(|_| Ending::OutOfMemory)?;
        search.path.push(Level { state, action, number, low: number, pending_from });
        search.pending.extend(steps.iter().rev());
        search.next_number = number.checked_add(1).ok_or(Ending::OutOfIds)?;
        let bytes = search.bytes();
        self.pause(steps.len(), search.path.len(), bytes)
    }

    /// Looks at limits and interruptions when it is time.
    fn pause(&mut self, n_steps: usize, len: usize, bytes: usize) -> Result<(), Ending> {
        let (truths, bytes) = (&self.truths, self.waiting + bytes);
        self.expander
            .events(1 + n_steps as u64, || (len, bytes + truths.iter().map(Truths::bytes).sum::<usize>()))
    }

    fn note(&mut self, formula: CtlId, state: StateId, truth: Truth) -> Result<(), Ending> {
        self.truths[formula.index()].set(state, truth).map_err(|_| Ending::OutOfMemory)
    }

    /// Keeps the path, and one more action, as the run that shows the formula at the top.
    fn show(&mut self, search: &Search, formula: CtlId, last: Option<ActionId>, rest: Rest) {
        if formula == self.top {
            let prefix = search.path.iter().filter_map(|level| level.action).chain(last).collect();
            self.shown = Some(Lasso { prefix, rest });
        }
    }

    /// Keeps the path as a lasso: the last step leads back to a state on it.
    fn show_cycle(&mut self, search: &Search, formula: CtlId, last: Step) {
        if formula == self.top {
            let mut prefix: Vec<ActionId> = search.path.iter().filter_map(|level| level.action).collect();
            prefix.push(last.action);
            let start = search.path.iter().position(|level| level.state == last.to).unwrap_or(0);
            let cycle = prefix.split_off(start);
            self.shown = Some(Lasso { prefix, rest: Rest::Cycle(cycle) });
        }
    }
}

impl Search {
    /// Heap bytes owned; a table of numbers is filled up to seven eighths, with a byte more for each place in it.
    fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<Level>()
            + self.pending.capacity() * size_of::<Step>()
            + self.open.capacity() * size_of::<StateId>()
            + self.numbers.capacity() * 8 / 7 * (size_of::<(StateId, u32)>() + 1)
    }
}
