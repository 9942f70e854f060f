//! Questions about reachable states, answered while a search runs.
//!
//! All questions of a run share one exploration. Each is taken apart into *leaves* (see [`crate::claim`]): predicates that
//! are looked for in every state, or asked in the first one. As soon as the leaves that were found decide a question, it is
//! reported and its other leaves are no longer looked for; when all questions are decided the search ends. What was not
//! found is known to be nowhere only when an exact search has seen all states.
//!
//! A predicate that only counts tokens is asked when a state is found, one that speaks of enabled transitions when it is
//! expanded, because its enabled actions are known then. Breadth first, both find a nearest state.

use std::ops::ControlFlow;

use petite_model::{ActionId, GroupIdx, NetModel};
use petite_net::{Number, Predicate, RunError};
use petite_search::{Edge, Observer, Visit};
use petite_store::StateId;

use crate::ancestry::Ancestry;
use crate::claim::Claim;
use crate::globals::GlobalHunt;
use crate::infeasible::is_nowhere;
use crate::predicate::linear_slots;
use crate::state_equation::StateEquation;
use crate::{
    Answer, CompileError, Enabled, Means, NumberId, PredicateId, Predicates, Snapshot, Source, Unknown,
    Verdict,
};

/// Told of each answer as soon as there is one: the number of the question, the answer and how it was obtained.
pub type Tell<'t> = Box<dyn FnMut(usize, &Answer, Means) + 't>;

/// What is looked for in a search.
pub struct Hunt<'t> {
    predicates: Predicates,
    leaves: Vec<Leaf>,
    questions: Vec<Tracked>,
    /// Leaves to ask in each new state, and in each state that is expanded.
    at_discovery: Vec<u32>,
    at_expansion: Vec<u32>,
    /// Questions for numbers, and for the whole net, that are open.
    numbers: Vec<u32>,
    globals: Vec<u32>,
    needs_actions: bool,
    n_open: usize,
    n_seen: u64,
    is_first_expanded: bool,
    enabled: Enabled,
    /// The largest number of tokens in each group, where it is known before the search.
    most_of_groups: Vec<Option<u64>>,
    ancestry: Option<Ancestry>,
    broken: Option<Broken>,
    tell: Tell<'t>,
}

/// What ended the hunt early.
enum Broken {
    Error(Box<RunError>),
    OutOfMemory,
}

#[derive(Debug)]
struct Leaf {
    predicate: PredicateId,
    stated: Predicate,
    when: When,
    value: Option<bool>,
    question: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// In the first state.
    First,
    /// In any state.
    Ever,
}

struct Tracked {
    kind: TrackedKind,
    answer: Option<Answer>,
    means: Means,
    /// The state that decided it.
    at: Option<StateId>,
    /// The way there, where it is known already.
    way: Option<Vec<ActionId>>,
}

enum TrackedKind {
    Tree(Tree),
    /// The largest value so far, the value that cannot be exceeded, and the groups with which the number grows whatever
    /// else does not shrink.
    Number {
        number: NumberId,
        stated: Number,
        most: Option<i128>,
        limit: Option<i128>,
        grows_with: Vec<GroupIdx>,
    },
    Global(GlobalHunt),
}

/// A claim with its predicates as leaves.
#[derive(Debug)]
enum Tree {
    Leaf(u32),
    Not(Box<Tree>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
}

impl<'t> Hunt<'t> {
    /// Looks for nothing yet. `most_of_groups` are the largest numbers of tokens that are known, as in
    /// [`petite_model::Facts::most`]; with `ancestry`, the way to a state that decides a question is known.
    pub fn new(most_of_groups: Vec<Option<u64>>, ancestry: Option<Ancestry>, tell: Tell<'t>) -> Hunt<'t> {
        Hunt {
            predicates: Predicates::with_bounds(most_of_groups.clone()),
            leaves: Vec::new(),
            questions: Vec::new(),
            at_discovery: Vec::new(),
            at_expansion: Vec::new(),
            numbers: Vec::new(),
            globals: Vec::new(),
            needs_actions: false,
            n_open: 0,
            n_seen: 0,
            is_first_expanded: false,
            enabled: Enabled::default(),
            most_of_groups,
            ancestry,
            broken: None,
            tell,
        }
    }

    /// Adds a claim, and tells its answer if the structure of the net decides it.
    pub(crate) fn add_claim<M: NetModel>(
        &mut self,
        model: &mut M,
        claim: &Claim,
    ) -> Result<(), CompileError> {
        let question = self.questions.len() as u32;
        let first_leaf = self.leaves.len();
        let tree = match self.tree(model, claim, question) {
            Ok(tree) => tree,
            Err(error) => {
                self.leaves.truncate(first_leaf);
                return Err(error);
            }
        };
        self.push(TrackedKind::Tree(tree));
        self.update(question, Means::Structure, None);
        Ok(())
    }

    /// Adds the question for the largest value of a number.
    pub(crate) fn add_number<M: NetModel>(
        &mut self,
        model: &mut M,
        number: &Number,
    ) -> Result<(), CompileError> {
        let stated = number.clone();
        let number = self.predicates.compile_number(model, number)?;
        let (terms, constant) = self.predicates.parts(number);
        let most_of = |(source, weight): &(Source, i64)| {
            let most = if *weight > 0 { source.most(model, &self.most_of_groups)? } else { 0 };
            Some(i128::from(*weight) * i128::from(most))
        };
        let limit = terms.iter().map(most_of).sum::<Option<i128>>().map(|sum| sum + constant);
        let is_sum = terms.iter().all(|(_, weight)| *weight > 0);
        let grows_with =
            terms.iter().filter(|_| is_sum).filter_map(|(source, _)| source.whole_group(model)).collect();
        self.push(TrackedKind::Number { number, stated, most: None, limit, grows_with });
        Ok(())
    }

    /// Adds a question about the whole net.
    pub(crate) fn add_global(&mut self, global: GlobalHunt) {
        self.push(TrackedKind::Global(global));
    }

    fn push(&mut self, kind: TrackedKind) {
        self.questions.push(Tracked { kind, answer: None, means: Means::None, at: None, way: None });
        self.n_open += 1;
        self.refresh();
    }

    fn tree<M: NetModel>(
        &mut self,
        model: &mut M,
        claim: &Claim,
        question: u32,
    ) -> Result<Tree, CompileError> {
        Ok(match claim {
            Claim::Now(predicate) => self.leaf(model, predicate, When::First, question)?,
            Claim::Reach(predicate) => self.leaf(model, predicate, When::Ever, question)?,
            Claim::Not(body) => Tree::Not(Box::new(self.tree(model, body, question)?)),
            Claim::And(parts) => Tree::And(self.trees(model, parts, question)?),
            Claim::Or(parts) => Tree::Or(self.trees(model, parts, question)?),
        })
    }

    fn trees<M: NetModel>(
        &mut self,
        model: &mut M,
        claims: &[Claim],
        question: u32,
    ) -> Result<Vec<Tree>, CompileError> {
        claims.iter().map(|claim| self.tree(model, claim, question)).collect()
    }

    fn leaf<M: NetModel>(
        &mut self,
        model: &mut M,
        predicate: &Predicate,
        when: When,
        question: u32,
    ) -> Result<Tree, CompileError> {
        let stated = predicate.clone();
        let predicate = self.predicates.compile(model, predicate)?;
        let value = self.predicates.constant(predicate);
        self.leaves.push(Leaf { predicate, stated, when, value, question });
        Ok(Tree::Leaf(self.leaves.len() as u32 - 1))
    }

    /// Whether nothing is left to be looked for.
    pub fn is_done(&self) -> bool {
        self.n_open == 0
    }

    /// Whether the hunt ended because there was no memory for the way to states.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self.broken, Some(Broken::OutOfMemory))
    }

    /// Takes note that these groups grow without end, while no others shrink: numbers that grow with them have no largest
    /// value.
    pub fn grows(&mut self, groups: &[GroupIdx]) {
        for question in self.numbers.clone() {
            let TrackedKind::Number { grows_with, .. } = &self.questions[question as usize].kind else {
                continue;
            };
            if grows_with.iter().any(|group| groups.contains(group)) {
                self.decide(question as usize, Answer::Unbounded, Means::Witness, None);
            }
        }
    }

    /// Proves by linear programs that some of what is looked for is nowhere, and that numbers cannot grow further.
    pub fn sharpen<M: NetModel>(&mut self, model: &mut M) {
        let Some((incidence, initial)) = model.structure() else { return };
        let Some(mut equation) = StateEquation::new(incidence, initial) else { return };
        for leaf in self.at_discovery.iter().chain(&self.at_expansion).copied().collect::<Vec<_>>() {
            let Leaf { stated, question, value: None, .. } = &self.leaves[leaf as usize] else { continue };
            let question = *question;
            if self.questions[question as usize].answer.is_none() && is_nowhere(model, &mut equation, stated)
            {
                self.leaves[leaf as usize].value = Some(false);
                self.update(question, Means::Structure, None);
            }
        }
        for question in self.numbers.clone() {
            let TrackedKind::Number { stated, most, limit, .. } = &mut self.questions[question as usize].kind
            else {
                continue;
            };
            let Some((weights, constant)) = linear_slots(model, stated) else { continue };
            let Some(proved) = equation.most(&weights) else { continue };
            let proved = proved + constant;
            *limit = Some(limit.map_or(proved, |limit| limit.min(proved)));
            if let Some(reached) = most.filter(|most| *most >= proved) {
                self.decide(question as usize, Answer::Bound(reached), Means::Structure, None);
            }
        }
        self.refresh();
    }

    /// Whether it keeps the way to states, for which a search must know their identities.
    pub fn wants_traces(&self) -> bool {
        self.ancestry.is_some()
    }

    /// Gives up the ways to states that later searches find: they take memory, and identities of states.
    pub fn give_up_traces(&mut self) {
        self.restart();
        self.ancestry = None;
    }

    /// Begins a new search, with what was found so far.
    pub fn restart(&mut self) {
        self.n_seen = 0;
        self.is_first_expanded = false;
        let is_open = |question: &Tracked| question.answer.is_none();
        // The states that decided a question have other identities in the new search.
        if let Some(ancestry) = self.ancestry.take() {
            for question in self.questions.iter_mut().filter(|question| !is_open(question)) {
                question.way = question.way.take().or_else(|| ancestry.path(question.at?));
            }
            self.ancestry = Some(Ancestry::default());
        }
    }

    /// Ends the hunt: what was found, and what follows from a search that has ended like this.
    pub fn finish(mut self, coverage: Coverage) -> Vec<Verdict> {
        for question in 0..self.questions.len() {
            if self.questions[question].answer.is_none() {
                let (answer, means) = self.last_answer(question, &coverage);
                self.decide(question, answer, means, None);
            }
        }
        let ancestry = self.ancestry;
        let verdict = |tracked: Tracked| {
            let witness = tracked.way.or_else(|| ancestry.as_ref()?.path(tracked.at?));
            let answer = tracked.answer.unwrap_or(Answer::Unknown(Unknown::Incomplete { at_least: None }));
            Verdict { answer, means: tracked.means, witness, cycle: None }
        };
        self.questions.into_iter().map(verdict).collect()
    }

    fn last_answer(&mut self, question: usize, coverage: &Coverage) -> (Answer, Means) {
        if let Some(Broken::Error(error)) = &self.broken {
            return (Answer::Unknown(Unknown::Failed(error.clone())), Means::None);
        }
        let at_least = match &self.questions[question].kind {
            TrackedKind::Number { most, .. } => *most,
            _ => None,
        };
        match coverage {
            Coverage::All => {}
            Coverage::Probabilistic => {
                return (Answer::Unknown(Unknown::Probabilistic { at_least }), Means::None);
            }
            Coverage::Some => return (Answer::Unknown(Unknown::Incomplete { at_least }), Means::None),
        }
        let answer = match &self.questions[question].kind {
            TrackedKind::Tree(tree) => {
                // What was not found is nowhere.
                match value(tree, &|leaf| self.leaves[leaf as usize].value.or(Some(false))) {
                    Some(true) => Answer::Holds,
                    _ => Answer::Fails,
                }
            }
            TrackedKind::Number { most, .. } => {
                most.map_or(Answer::Unknown(Unknown::Incomplete { at_least: None }), Answer::Bound)
            }
            TrackedKind::Global(global) => {
                if global.at_end() {
                    Answer::Holds
                } else {
                    Answer::Fails
                }
            }
        };
        (answer, Means::AllStates)
    }

    /// Decides a question from its leaves, if they do.
    fn update(&mut self, question: u32, means: Means, at: Option<StateId>) {
        let tracked = &self.questions[question as usize];
        let TrackedKind::Tree(tree) = &tracked.kind else { return };
        if tracked.answer.is_some() {
            return;
        }
        if let Some(truth) = value(tree, &|leaf| self.leaves[leaf as usize].value) {
            self.decide(question as usize, if truth { Answer::Holds } else { Answer::Fails }, means, at);
        }
    }

    fn decide(&mut self, question: usize, answer: Answer, means: Means, at: Option<StateId>) {
        (self.tell)(question, &answer, means);
        let tracked = &mut self.questions[question];
        tracked.answer = Some(answer);
        tracked.means = means;
        tracked.at = at;
        self.n_open -= 1;
        self.refresh();
    }

    /// Lists anew what is still to be looked for.
    fn refresh(&mut self) {
        let is_open = |leaf: &Leaf| {
            leaf.value.is_none()
                && self.questions.get(leaf.question as usize).is_some_and(|q| q.answer.is_none())
        };
        let live = || (0u32..).zip(&self.leaves).filter(|(_, leaf)| is_open(leaf));
        let needs = |leaf: &Leaf| self.predicates.needs_actions(leaf.predicate);
        self.at_discovery = live().filter(|(_, leaf)| !needs(leaf)).map(|(i, _)| i).collect();
        self.at_expansion = live().filter(|(_, leaf)| needs(leaf)).map(|(i, _)| i).collect();
        let open = || (0u32..).zip(&self.questions).filter(|(_, question)| question.answer.is_none());
        self.numbers =
            open().filter(|(_, q)| matches!(q.kind, TrackedKind::Number { .. })).map(|(i, _)| i).collect();
        self.globals =
            open().filter(|(_, q)| matches!(q.kind, TrackedKind::Global(_))).map(|(i, _)| i).collect();
        let global_needs = |&question: &u32| match &self.questions[question as usize].kind {
            TrackedKind::Global(global) => global.needs_actions(),
            _ => false,
        };
        self.needs_actions = !self.at_expansion.is_empty() || self.globals.iter().any(global_needs);
    }

    /// Asks the leaves in a list.
    fn ask<M: NetModel>(
        &mut self,
        expansion: bool,
        is_first: bool,
        state: Visit<'_, M>,
        totals: Option<&[u64]>,
    ) {
        let mut at = 0;
        loop {
            let list = if expansion { &self.at_expansion } else { &self.at_discovery };
            let Some(&leaf) = list.get(at) else { return };
            at += 1;
            let &Leaf { predicate, when, .. } = &self.leaves[leaf as usize];
            if when == When::First && !is_first {
                continue;
            }
            let enabled = expansion.then_some(&self.enabled);
            let snapshot = Snapshot { model: state.model, words: state.words, totals, enabled };
            match self.predicates.holds(predicate, &snapshot) {
                Ok(false) if when == When::Ever => {}
                Ok(holds) => {
                    self.leaves[leaf as usize].value = Some(holds);
                    let question = self.leaves[leaf as usize].question;
                    self.refresh();
                    self.update(question, Means::Witness, Some(state.id));
                    // The lists are new: leaves that were asked are asked again, which changes nothing.
                    at = 0;
                }
                Err(error) => {
                    self.broken = Some(Broken::Error(error));
                    return;
                }
            }
        }
    }

    #[cold]
    fn measure<M: NetModel>(&mut self, state: &Visit<'_, M>, totals: &[u64]) {
        for question in self.numbers.clone() {
            let snapshot =
                Snapshot { model: state.model, words: state.words, totals: Some(totals), enabled: None };
            let TrackedKind::Number { number, most, limit, .. } = &mut self.questions[question as usize].kind
            else {
                continue;
            };
            let now = self.predicates.value(*number, &snapshot);
            if most.is_none_or(|most| most < now) {
                *most = Some(now);
                if limit.is_some_and(|limit| limit <= now) {
                    self.decide(question as usize, Answer::Bound(now), Means::Witness, Some(state.id));
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        self.n_open == 0 || self.broken.is_some()
    }
}

/// What a search saw.
#[derive(Clone, Debug)]
pub enum Coverage {
    /// All reachable states.
    All,
    /// All that the store could tell apart, which may not be all.
    Probabilistic,
    /// Only some.
    Some,
}

impl<M: NetModel> Observer<M> for Hunt<'_> {
    /// The ways to states are made of the edges that they were found by.
    const WANTS_EDGES: bool = false;

    #[inline]
    fn state(&mut self, state: Visit<'_, M>, totals: &[u64]) -> ControlFlow<()> {
        let is_first = self.n_seen == 0;
        self.n_seen += 1;
        if !self.numbers.is_empty() {
            self.measure(&state, totals);
        }
        for at in (0..self.globals.len()).rev() {
            let question = self.globals[at] as usize;
            let TrackedKind::Global(global) = &mut self.questions[question].kind else { continue };
            if let Some(truth) = global.state(totals) {
                self.decide(
                    question,
                    if truth { Answer::Holds } else { Answer::Fails },
                    Means::Witness,
                    Some(state.id),
                );
            }
        }
        if !self.at_discovery.is_empty() {
            self.ask(false, is_first, state, Some(totals));
        }
        // The edge to this state is still to come, and the way there needs it; only the first state has none.
        if is_first && self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn expanded(&mut self, state: Visit<'_, M>, actions: &[ActionId]) -> ControlFlow<()> {
        if !self.needs_actions {
            return ControlFlow::Continue(());
        }
        let is_first = !std::mem::replace(&mut self.is_first_expanded, true);
        for at in (0..self.globals.len()).rev() {
            let question = self.globals[at] as usize;
            let TrackedKind::Global(global) = &mut self.questions[question].kind else { continue };
            if let Some(truth) = global.expanded(state.model, actions) {
                self.decide(
                    question,
                    if truth { Answer::Holds } else { Answer::Fails },
                    Means::Witness,
                    None,
                );
            }
        }
        if !self.at_expansion.is_empty() {
            self.predicates.note_enabled(state.model, actions, &mut self.enabled);
            self.ask(true, is_first, state, None);
        }
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn bytes(&self) -> usize {
        self.ancestry.as_ref().map_or(0, Ancestry::bytes)
    }

    #[inline]
    fn edge(&mut self, edge: Edge) -> ControlFlow<()> {
        if edge.new {
            if self.ancestry.as_mut().is_some_and(|ancestry| ancestry.note(&edge).is_err()) {
                self.broken = Some(Broken::OutOfMemory);
            }
            if self.is_over() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// The value of a claim when some of its leaves are known.
fn value(tree: &Tree, leaf: &dyn Fn(u32) -> Option<bool>) -> Option<bool> {
    let all = |parts: &[Tree], decisive: bool| {
        let mut outcome = Some(!decisive);
        for part in parts {
            match value(part, leaf) {
                Some(truth) if truth == decisive => return Some(decisive),
                Some(_) => {}
                None => outcome = None,
            }
        }
        outcome
    };
    match tree {
        Tree::Leaf(at) => leaf(*at),
        Tree::Not(body) => value(body, leaf).map(|truth| !truth),
        Tree::And(parts) => all(parts, false),
        Tree::Or(parts) => all(parts, true),
    }
}
