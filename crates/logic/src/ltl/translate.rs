//! From formulas to automata.
//!
//! A state of the automaton is a set of formulas that must hold from now on; its edges are the combinations of their
//! moves ([`super::alternating`]). For each `a U b` there is a mark, which an edge has unless it puts `a U b` off:
//! unless `a U b` is among the formulas of the next state without being satisfied on the way (Gastin and Oddoux 2001,
//! section 3). States with the same edges are one. What is left is made smaller by [`super::reduce`].
//!
//! **Cost.** The number of states is exponential in the number of until and release operators, in the worst case; the
//! translation gives up beyond a number of comparisons that takes a few seconds, or when its time is over.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use super::alternating::{Move, Moves, TooManyMoves};
use super::automaton::{Automaton, AutomatonEdge, AutomatonState, Marks};
use super::formula::{FormulaId, Formulas, Node, TooDeep};
use super::reduce;
use crate::Ltl;

/// Comparisons of moves that a translation may make.
const BUDGET: usize = 150_000_000;

/// Edges that an automaton may have before it is made smaller.
const MOST_EDGES: usize = 200_000;

/// Atoms that labels have room for.
const MOST_ATOMS: usize = 64;

/// Marks that a set of marks has room for.
const MOST_MARKS: usize = 64;

/// Why a formula was not translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TranslationError {
    /// It is nested too deep.
    TooDeep,
    /// It has more than 64 different atoms.
    TooManyAtoms,
    /// Its automaton would be too large.
    TooLarge,
    /// There was no time to do it.
    OutOfTime,
}

impl std::fmt::Display for TranslationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TranslationError::TooDeep => "the formula is nested too deep",
            TranslationError::TooManyAtoms => "the formula has more than 64 different atoms",
            TranslationError::TooLarge => "the automaton of the formula would be too large",
            TranslationError::OutOfTime => "the formula could not be translated in time",
        })
    }
}

impl std::error::Error for TranslationError {}

impl From<TooDeep> for TranslationError {
    fn from(_: TooDeep) -> TranslationError {
        TranslationError::TooDeep
    }
}

impl From<TooManyMoves> for TranslationError {
    fn from(_: TooManyMoves) -> TranslationError {
        TranslationError::TooLarge
    }
}

/// The automaton that accepts the runs which satisfy a formula.
///
/// # Errors
/// When the formula is too large for that.
pub fn translate(formula: &Ltl) -> Result<Automaton, TranslationError> {
    let mut formulas = Formulas::new();
    let formula = formulas.take(formula, true)?;
    translate_simplified(&formulas, formula, None)
}

/// The automaton that accepts the runs which do not, if it is found until the deadline.
///
/// # Errors
/// When the formula is too large for that.
pub fn translate_negation(formula: &Ltl, deadline: Option<Instant>) -> Result<Automaton, TranslationError> {
    let mut formulas = Formulas::new();
    let formula = formulas.take(formula, false)?;
    translate_simplified(&formulas, formula, deadline)
}

fn translate_simplified(
    formulas: &Formulas,
    formula: FormulaId,
    deadline: Option<Instant>,
) -> Result<Automaton, TranslationError> {
    if formulas.atoms().len() > MOST_ATOMS {
        return Err(TranslationError::TooManyAtoms);
    }
    let raw = Builder::new(formulas, deadline).build(formula).map_err(|error| {
        let is_late = deadline.is_some_and(|deadline| deadline <= Instant::now());
        if error == TranslationError::TooLarge && is_late { TranslationError::OutOfTime } else { error }
    })?;
    Ok(reduce::reduced(raw, deadline))
}

/// A move with the marks of the formulas that it puts off.
type Step = (Move, Marks);

/// An automaton in the making.
struct Builder<'a> {
    formulas: &'a Formulas,
    moves: Moves,
    /// The states by their formulas; different sets may be the same state.
    by_formulas: HashMap<Box<[FormulaId]>, AutomatonState>,
    /// The states by their moves.
    by_moves: HashMap<Vec<Step>, AutomatonState>,
    /// The moves of each state.
    states: Vec<Vec<Step>>,
    /// The formula of each mark.
    marked: Vec<FormulaId>,
    /// Formulas that must be demanded for an until to count as satisfied by a move.
    needed: HashSet<FormulaId>,
}

impl<'a> Builder<'a> {
    fn new(formulas: &'a Formulas, deadline: Option<Instant>) -> Builder<'a> {
        Builder {
            formulas,
            moves: Moves::new(BUDGET, deadline),
            by_formulas: HashMap::new(),
            by_moves: HashMap::new(),
            states: Vec::new(),
            marked: Vec::new(),
            needed: HashSet::new(),
        }
    }

    fn build(mut self, formula: FormulaId) -> Result<Automaton, TranslationError> {
        for until in self.formulas.untils_of(formula) {
            let own = self.moves.of(self.formulas, until)?;
            let satisfying = own.iter().filter(|one| !one.next.contains(&until));
            self.needed.extend(satisfying.flat_map(|one| one.next.iter().copied()));
        }
        self.state(&self.formulas.conjuncts(formula))?;
        let (mut edges, mut n_edges): (Vec<Vec<AutomatonEdge>>, usize) = (Vec::new(), 0);
        while edges.len() < self.states.len() {
            let steps = self.states[edges.len()].clone();
            let mut found = Vec::with_capacity(steps.len());
            for (one, marks) in steps {
                let to = self.state(&one.next)?;
                found.push(AutomatonEdge { to, label: one.label, marks });
            }
            found.sort_unstable();
            found.dedup();
            n_edges += found.len();
            if n_edges > MOST_EDGES {
                return Err(TranslationError::TooLarge);
            }
            edges.push(found);
        }
        // Marks were numbered as their formulas were met: edges made earlier have those that came later.
        let n_marks = self.marked.len() as u32;
        let put_off = petite_bits::low_bits(n_marks);
        edges.iter_mut().flatten().for_each(|edge| edge.marks = put_off & !edge.marks);
        Ok(Automaton { atoms: self.formulas.atoms().to_vec(), n_marks, edges })
    }

    /// The state of a set of formulas.
    ///
    /// Where `G (F a & ...)` is in the set, `F a` need not be, if `a` is about one state: each move of the former
    /// is one of `F a` as well, so nothing wrong is accepted without it; and where `a` holds there is a move that has it
    /// on its label, so the mark of `F a` is not missed. Without this, n formulas `G F a` would be met in 2^n
    /// combinations.
    fn state(&mut self, set: &[FormulaId]) -> Result<AutomatonState, TranslationError> {
        let is_repeated = |&formula: &FormulaId| match self.formulas.node(formula) {
            Node::Until(FormulaId::TRUE, inner) => {
                let always = |&other: &FormulaId| match *self.formulas.node(other) {
                    Node::Release(FormulaId::FALSE, part) => self.formulas.conjuncts(part).contains(&formula),
                    _ => false,
                };
                self.formulas.is_about_one_state(*inner) && set.iter().any(always)
            }
            _ => false,
        };
        let set: Box<[FormulaId]> = set.iter().copied().filter(|formula| !is_repeated(formula)).collect();
        if let Some(&known) = self.by_formulas.get(&set) {
            return Ok(known);
        }
        let steps = self.steps(&set)?;
        let new = AutomatonState::new(self.states.len());
        let state = *self.by_moves.entry(steps.clone()).or_insert(new);
        if state == new {
            self.states.push(steps);
        }
        self.by_formulas.insert(set, state);
        Ok(state)
    }

    /// The moves of a set of formulas: those that no other one is better than in every respect.
    fn steps(&mut self, set: &[FormulaId]) -> Result<Vec<Step>, TranslationError> {
        let needed = &self.needed;
        let moves = self.moves.of_all(self.formulas, set, |formula| !needed.contains(&formula))?;
        let mut steps = Vec::with_capacity(moves.len());
        for one in moves {
            let put_off = self.marks(&one)?;
            steps.push((one, put_off));
        }
        // Those that demand less come first.
        steps.sort_by_key(|(one, put_off)| {
            let label = one.label.positive.count_ones() + one.label.negative.count_ones();
            one.next.len() as u32 + label + put_off.count_ones()
        });
        let mut kept: Vec<Step> = Vec::with_capacity(steps.len());
        for (one, put_off) in steps {
            self.moves.pay(1 + kept.len())?;
            let is_better = |(other, others): &Step| one.demands(other) && others & !put_off == 0;
            if !kept.iter().any(is_better) {
                kept.push((one, put_off));
            }
        }
        kept.sort_unstable();
        Ok(kept)
    }

    /// The formulas that a move puts off, as a set of their marks.
    fn marks(&mut self, one: &Move) -> Result<Marks, TranslationError> {
        let mut put_off = 0;
        for &formula in &one.next {
            if !matches!(self.formulas.node(formula), Node::Until(..)) {
                continue;
            }
            // Whoever satisfies it in passing does not put it off, although it is demanded once more.
            let satisfied = |own: &Move| !own.next.contains(&formula) && one.demands(own);
            let own = self.moves.of(self.formulas, formula)?;
            self.moves.pay(own.len())?;
            if own.iter().any(satisfied) {
                continue;
            }
            let known = self.marked.iter().position(|other| *other == formula);
            let mark = known.unwrap_or_else(|| {
                self.marked.push(formula);
                self.marked.len() - 1
            });
            if mark >= MOST_MARKS {
                return Err(TranslationError::TooLarge);
            }
            put_off |= 1 << mark;
        }
        Ok(put_off)
    }
}
