//! What the initial state alone says about a formula.
//!
//! Some formulas about runs are decided where every run begins: `F p` holds where p holds there, `G p` fails where p does
//! not, `a U b` is decided as soon as b holds or neither of them does. A value that all runs from the initial state share is
//! also that of *some run* and of *every run*, because there always is a run.

use petite_model::{ActionId, Fault, NetModel};
use petite_net::{Formula, FormulaKind, Predicate};

use crate::{Enabled, Predicates, Snapshot};

/// The initial state of a model.
pub(crate) struct Initial {
    words: Vec<u64>,
    actions: Vec<ActionId>,
}

impl Initial {
    /// None where the model fails there; the search will tell.
    pub fn of<M: NetModel>(model: &mut M) -> Option<Initial> {
        loop {
            let mut words = vec![0; model.packing().n_words()];
            match model.initial(&mut words) {
                Ok(()) => {
                    let mut actions = Vec::new();
                    model.enabled(&words, &mut actions).ok()?;
                    return Some(Initial { words, actions });
                }
                Err(Fault::Outgrown(outgrown)) => {
                    model.widen(outgrown);
                }
                Err(Fault::Run(_)) => return None,
            }
        }
    }

    /// The truth of a formula on all runs from here, where the first state decides it for them all.
    pub fn truth<M: NetModel>(
        &self,
        model: &mut M,
        scratch: &mut Predicates,
        formula: &Formula,
    ) -> Option<bool> {
        let mut of = |body: &Formula| self.truth(model, scratch, body);
        match &formula.kind {
            FormulaKind::State(predicate) => self.holds(model, scratch, predicate),
            FormulaKind::Not(body) => of(body).map(|truth| !truth),
            FormulaKind::And(parts) => all(parts.iter().map(of), false),
            FormulaKind::Or(parts) => all(parts.iter().map(of), true),
            FormulaKind::Exists(body) | FormulaKind::All(body) => of(body),
            FormulaKind::Next(_) => None,
            FormulaKind::Finally(body) => of(body).filter(|truth| *truth),
            FormulaKind::Globally(body) => of(body).filter(|truth| !*truth),
            FormulaKind::Until(before, body) => match (of(before), of(body)) {
                (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            FormulaKind::Release(until, body) => match (of(until), of(body)) {
                (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
        }
    }

    fn holds<M: NetModel>(
        &self,
        model: &mut M,
        scratch: &mut Predicates,
        predicate: &Predicate,
    ) -> Option<bool> {
        let compiled = scratch.compile(model, predicate).ok()?;
        let mut enabled = Enabled::default();
        scratch.note_enabled(model, &self.actions, &mut enabled);
        let state = Snapshot { model: &*model, words: &self.words, totals: None, enabled: Some(&enabled) };
        scratch.holds(compiled, &state).ok()
    }
}

fn all(parts: impl Iterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut outcome = Some(!decisive);
    for part in parts {
        match part {
            Some(truth) if truth == decisive => return Some(decisive),
            Some(_) => {}
            None => outcome = None,
        }
    }
    outcome
}
