//! Checking linear-time formulas on the fly.
//!
//! [`check_ltl`] looks for a run of the model that the automaton of the formula's negation accepts. The states of the
//! product are pairs of a stored state and a state of the automaton; model states are stored once, in any store that
//! gives them back, and the search ends with the first accepting cycle. What is found is a [`Lasso`].

mod fairness;
mod folding;
mod lasso;
mod nodes;
mod search;
mod streett;

pub use fairness::{FairSets, NetFairness, Unfair};
pub use lasso::{Lasso, Rest};

use std::time::{Duration, Instant};

use petite_model::Model;
use petite_search::{Ending, Limit, Limits, Monitor};
use petite_store::{Exactness, Lookup};

use crate::expander::Expander;
use crate::ltl::{Strength, TranslationError, translate_negation};
use crate::{Atoms, Ltl};

/// What a check of a linear-time formula found.
#[derive(Clone, Debug)]
pub struct LtlOutcome {
    /// Whether the formula holds.
    pub verdict: LtlVerdict,
    /// What was done to find out.
    pub figures: LtlFigures,
}

/// Whether a linear-time formula holds.
#[derive(Clone, Debug)]
pub enum LtlVerdict {
    /// All runs satisfy it; all of them were looked at.
    Holds,
    /// This run does not. It is missing only where memory ran out while it was put together.
    Violated(Option<Box<Lasso>>),
    /// The check was not completed.
    Unknown(LtlUnknown),
}

/// Why a check was not completed.
#[derive(Clone, Debug)]
pub enum LtlUnknown {
    /// The search ended early.
    Ended(Ending),
    /// The formula is too large.
    Translation(TranslationError),
    /// There are more fairness sets than the search has room for, 64 together with the marks of the automaton.
    TooManySets,
    /// The store may have mistaken states for others.
    Inexact(Exactness),
}

/// What was done in a check of a linear-time formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LtlFigures {
    /// States of the automaton.
    pub automaton_states: usize,
    /// Edges of the automaton.
    pub automaton_edges: usize,
    /// Marks of the automaton, without those for fairness.
    pub automaton_marks: u32,
    /// How hard its emptiness is to check.
    pub strength: Strength,
    /// Model states stored.
    pub states: u64,
    /// Model edges walked; those of a state are walked again for each automaton state that it is paired with.
    pub edges: u64,
    /// States of the product.
    pub product_states: u64,
    /// Heap bytes of the search's own tables and stacks.
    pub search_bytes: usize,
    /// Time taken.
    pub elapsed: Duration,
}

/// Checks whether all runs of a model satisfy a formula.
///
/// The store is empty and made for the model's current packing. A dead state repeats forever.
pub fn check_ltl<M: Model, S: Lookup<M>, A: Atoms<M>>(
    model: &mut M,
    store: &mut S,
    atoms: &mut A,
    formula: &Ltl,
    limits: &Limits,
    monitor: &mut dyn Monitor,
) -> LtlOutcome {
    check_ltl_fair(model, store, atoms, formula, &mut Unfair, limits, monitor)
}

/// Checks whether all fair runs of a model satisfy a formula.
pub fn check_ltl_fair<M: Model, S: Lookup<M>, A: Atoms<M>, F: FairSets<M>>(
    model: &mut M,
    store: &mut S,
    atoms: &mut A,
    formula: &Ltl,
    fairness: &mut F,
    limits: &Limits,
    monitor: &mut dyn Monitor,
) -> LtlOutcome {
    let mut figures = LtlFigures {
        automaton_states: 0,
        automaton_edges: 0,
        automaton_marks: 0,
        strength: Strength::Terminal,
        states: 0,
        edges: 0,
        product_states: 0,
        search_bytes: 0,
        elapsed: Duration::ZERO,
    };
    let mut folded = folding::Folded::new(atoms);
    let started = Instant::now();
    let deadline = limits.max_time.and_then(|limit| started.checked_add(limit));
    let translated = match translate_negation(formula, deadline) {
        // Where there are too many atoms, or combinations of them, whole statements about a state become one.
        Err(TranslationError::TooManyAtoms | TranslationError::TooLarge) => {
            translate_negation(&folded.fold(formula), deadline)
        }
        translated => translated,
    };
    let automaton = match translated {
        Ok(automaton) => automaton,
        Err(TranslationError::OutOfTime) => {
            let ending = Ending::LimitReached(Limit::Time);
            return LtlOutcome { verdict: LtlVerdict::Unknown(LtlUnknown::Ended(ending)), figures };
        }
        Err(error) => {
            return LtlOutcome { verdict: LtlVerdict::Unknown(LtlUnknown::Translation(error)), figures };
        }
    };
    figures.automaton_states = automaton.n_states();
    figures.automaton_edges = automaton.n_edges();
    figures.automaton_marks = automaton.n_marks;
    figures.strength = automaton.strength();
    if automaton.n_states() == 0 {
        // No run at all violates the formula.
        return LtlOutcome { verdict: LtlVerdict::Holds, figures };
    }
    let n_sets = u64::from(fairness.n_weak()) + u64::from(fairness.n_strong());
    if u64::from(automaton.n_marks) + n_sets > 64 {
        return LtlOutcome { verdict: LtlVerdict::Unknown(LtlUnknown::TooManySets), figures };
    }
    // What the translation took is gone.
    let max_time = limits.max_time.map(|limit| limit.saturating_sub(started.elapsed()));
    let limits = &Limits { max_time, ..*limits };
    let expander = Expander::new(model, store, limits, monitor);
    let mut search = search::Search::new(expander, &mut folded, &automaton, fairness);
    let found = search.run();
    let verdict = match found {
        Ok(None) => LtlVerdict::Holds,
        Ok(Some(lasso)) => LtlVerdict::Violated(lasso.map(Box::new)),
        Err(ending) => LtlVerdict::Unknown(LtlUnknown::Ended(ending)),
    };
    search.tell(&mut figures);
    figures.states = store.len() as u64;
    let verdict = match (verdict, store.exactness()) {
        (LtlVerdict::Holds, exactness) if exactness != Exactness::Exact => {
            LtlVerdict::Unknown(LtlUnknown::Inexact(exactness))
        }
        (verdict, _) => verdict,
    };
    LtlOutcome { verdict, figures }
}
