//! What a formula demands of the present state and of the rest of the run.
//!
//! This is the transition function of the very weak alternating automaton of a formula, after Gastin and Oddoux ("Fast
//! LTL to Büchi Automata Translation", 2001, section 2): a *move* is a label for the present state together with the
//! formulas that must hold from the next one on. `a U b` has the moves of `b`, and those of `a` with `a U b` again
//! in the next state. A move of one formula that demands more than another one in every respect is left out at once.
//! Among the moves of a set of formulas that would be wrong: what demands more may satisfy an until that the other
//! puts off.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Instant;

use super::formula::{FormulaId, Formulas, Node};
use super::label::Label;

/// One way to satisfy a formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// What holds now.
    pub label: Label,
    /// What holds from the next state on, ascending.
    pub next: Box<[FormulaId]>,
}

/// More moves than the translation is willing, or has the time, to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyMoves;

/// Making a move takes about as long as comparing so many.
const COST_OF_A_MOVE: usize = 48;

/// The moves of formulas, each computed once.
#[derive(Debug)]
pub struct Moves {
    known: HashMap<FormulaId, Rc<[Move]>>,
    /// Comparisons of moves that may still be made.
    budget: usize,
    /// When the time is over, and the comparisons since somebody looked at the clock.
    deadline: Option<Instant>,
    unwatched: usize,
}

/// Comparisons between two looks at the clock, which take some milliseconds.
const LOOK_EVERY: usize = 500_000;

impl Moves {
    /// Without moves, willing to compare so many until then.
    pub fn new(budget: usize, deadline: Option<Instant>) -> Moves {
        Moves { known: HashMap::new(), budget, deadline, unwatched: 0 }
    }

    /// The moves of a formula.
    pub fn of(&mut self, formulas: &Formulas, formula: FormulaId) -> Result<Rc<[Move]>, TooManyMoves> {
        if let Some(known) = self.known.get(&formula) {
            return Ok(known.clone());
        }
        let now = |label| Move { label, next: Box::default() };
        let later = |next| Move { label: Label::TRUE, next };
        let moves = match formulas.node(formula) {
            Node::True => vec![now(Label::TRUE)],
            Node::False => Vec::new(),
            Node::Literal { atom, positive } => vec![now(Label::literal(*atom, *positive))],
            Node::And(parts) => {
                let mut moves = vec![now(Label::TRUE)];
                for &part in parts {
                    let part = self.of(formulas, part)?;
                    moves = self.both(&moves, &part)?;
                    moves = self.least(moves)?;
                }
                moves
            }
            Node::Or(parts) => {
                let mut moves = Vec::new();
                for &part in parts {
                    moves.extend_from_slice(&self.of(formulas, part)?);
                }
                self.least(moves)?
            }
            Node::Next(part) => vec![later(formulas.conjuncts(*part).into())],
            Node::Until(left, right) => {
                let left = self.of(formulas, *left)?;
                let mut moves = self.both(&left, &[later([formula].into())])?;
                moves.extend_from_slice(&self.of(formulas, *right)?);
                self.least(moves)?
            }
            Node::Release(left, right) => {
                let mut moves = self.of(formulas, *left)?.to_vec();
                moves.push(later([formula].into()));
                let right = self.of(formulas, *right)?;
                let moves = self.both(&right, &moves)?;
                self.least(moves)?
            }
        };
        let moves: Rc<[Move]> = moves.into();
        self.known.insert(formula, moves.clone());
        Ok(moves)
    }

    /// Takes what so many comparisons cost from the budget.
    pub fn pay(&mut self, comparisons: usize) -> Result<(), TooManyMoves> {
        self.budget = self.budget.checked_sub(comparisons).ok_or(TooManyMoves)?;
        self.unwatched = self.unwatched.saturating_add(comparisons);
        if self.unwatched >= LOOK_EVERY {
            self.unwatched = 0;
            if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return Err(TooManyMoves);
            }
        }
        Ok(())
    }

    /// The moves of a set of formulas. Those that differ from another one only in demanding formulas that
    /// `is_idle` tells of are left out.
    pub fn of_all(
        &mut self,
        formulas: &Formulas,
        set: &[FormulaId],
        is_idle: impl Fn(FormulaId) -> bool,
    ) -> Result<Vec<Move>, TooManyMoves> {
        let mut moves = vec![Move { label: Label::TRUE, next: Box::default() }];
        for &part in set {
            let part = self.of(formulas, part)?;
            moves = self.both(&moves, &part)?;
            let by_label = moves.clone();
            let mut compared = 0;
            moves.retain(|one| {
                let is_better = |other: &Move| {
                    let is_added = |formula: &&FormulaId| !other.next.contains(formula);
                    other.next.len() < one.next.len()
                        && is_subset(&other.next, &one.next)
                        && one.next.iter().filter(is_added).all(|&formula| is_idle(formula))
                };
                // The moves are sorted by their labels.
                let first = by_label.partition_point(|other| other.label < one.label);
                let mut same = by_label[first..].iter().take_while(|other| other.label == one.label);
                let is_kept = !same.any(|other| {
                    compared += 1;
                    is_better(other)
                });
                compared += 1;
                is_kept
            });
            self.pay(compared)?;
        }
        Ok(moves)
    }

    /// All combinations of two sets of moves.
    fn both(&mut self, left: &[Move], right: &[Move]) -> Result<Vec<Move>, TooManyMoves> {
        self.pay(left.len().saturating_mul(right.len()).saturating_mul(COST_OF_A_MOVE))?;
        let mut moves = Vec::new();
        for a in left {
            for b in right {
                let Some(label) = a.label.and(b.label) else { continue };
                let mut next: Vec<FormulaId> = a.next.iter().chain(&b.next).copied().collect();
                next.sort_unstable();
                next.dedup();
                moves.push(Move { label, next: next.into() });
            }
        }
        moves.sort_unstable();
        moves.dedup();
        Ok(moves)
    }

    /// The moves that demand no more than another one.
    fn least(&mut self, mut moves: Vec<Move>) -> Result<Vec<Move>, TooManyMoves> {
        // Those that demand less come first, so each is compared with those that are kept only.
        moves.sort_by_key(|a| {
            a.next.len() as u32 + a.label.positive.count_ones() + a.label.negative.count_ones()
        });
        let mut kept: Vec<Move> = Vec::with_capacity(moves.len());
        for candidate in moves {
            self.pay(1 + kept.len())?;
            if !kept.iter().any(|less| candidate.demands(less)) {
                kept.push(candidate);
            }
        }
        kept.sort_unstable();
        Ok(kept)
    }
}

impl Move {
    /// Whether this move demands all that the other one does.
    pub fn demands(&self, other: &Move) -> bool {
        self.label.implies(other.label) && is_subset(&other.next, &self.next)
    }
}

/// Whether one ascending list is part of another.
fn is_subset(part: &[FormulaId], whole: &[FormulaId]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|item| rest.any(|other| other == item))
}
