//! Formulas made simpler before anything is explored.
//!
//! A comparison that the bounds of places decide is a constant, and constants vanish: `F true` is true, `a U false` is false,
//! `true U b` is `F b`, and so on. What is left may be a question about reachable states, or none at all.

use petite_model::NetModel;
use petite_net::{Formula, FormulaKind, Predicate};

use crate::Predicates;

/// A formula that says the same of the model's runs. `scratch` knows the bounds of the model's groups.
pub(crate) fn simplified<M: NetModel>(model: &mut M, scratch: &mut Predicates, formula: &Formula) -> Formula {
    let span = formula.span;
    let mut one = |body: &Formula| Box::new(simplified(model, scratch, body));
    let constant = |truth: bool| Formula::state(Predicate::Const(truth), span);
    let kind = match &formula.kind {
        FormulaKind::State(predicate) => return Formula::state(simpler(model, scratch, predicate), span),
        FormulaKind::Not(body) => return one(body).negated().folded(),
        FormulaKind::And(parts) => {
            let parts: Vec<Formula> = parts.iter().map(|part| *one(part)).collect();
            if parts.iter().any(|part| truth(part) == Some(false)) {
                return constant(false);
            }
            return joined(parts, true, |parts| Formula::and(parts, span)).folded();
        }
        FormulaKind::Or(parts) => {
            let parts: Vec<Formula> = parts.iter().map(|part| *one(part)).collect();
            if parts.iter().any(|part| truth(part) == Some(true)) {
                return constant(true);
            }
            return joined(parts, false, |parts| Formula::or(parts, span)).folded();
        }
        // A dead state has no successor in branching time: some next state exists where it is not dead.
        FormulaKind::Exists(body) | FormulaKind::All(body) if matches!(body.kind, FormulaKind::Next(_)) => {
            let FormulaKind::Next(next) = &body.kind else { return formula.clone() };
            let is_exists = matches!(formula.kind, FormulaKind::Exists(_));
            let next = one(next);
            match (truth(&next), is_exists) {
                (Some(false), true) => return constant(false),
                (Some(true), false) => return constant(true),
                (Some(true), true) => FormulaKind::State(Predicate::Not(Box::new(Predicate::Deadlock))),
                (Some(false), false) => FormulaKind::State(Predicate::Deadlock),
                (None, _) => {
                    let body = Box::new(Formula { kind: FormulaKind::Next(next), span: body.span });
                    if is_exists { FormulaKind::Exists(body) } else { FormulaKind::All(body) }
                }
            }
        }
        FormulaKind::Exists(body) => unless_constant(one(body), FormulaKind::Exists),
        FormulaKind::All(body) => unless_constant(one(body), FormulaKind::All),
        // In linear time every run goes on for ever, so what always holds holds in the next state.
        FormulaKind::Next(body) => unless_constant(one(body), FormulaKind::Next),
        FormulaKind::Finally(body) => finally(one(body)),
        FormulaKind::Globally(body) => globally(one(body)),
        FormulaKind::Until(before, body) => {
            let (before, body) = (one(before), one(body));
            match (truth(&before), truth(&body)) {
                (_, Some(truth)) => return constant(truth),
                (Some(true), None) => finally(body),
                (Some(false), None) => return *body,
                (None, None) => FormulaKind::Until(before, body),
            }
        }
        FormulaKind::Release(until, body) => {
            let (until, body) = (one(until), one(body));
            match (truth(&until), truth(&body)) {
                (_, Some(truth)) => return constant(truth),
                (Some(true), None) => return *body,
                (Some(false), None) => globally(body),
                (None, None) => FormulaKind::Release(until, body),
            }
        }
    };
    Formula { kind, span }
}

/// The truth of a formula that is a constant.
fn truth(formula: &Formula) -> Option<bool> {
    match formula.kind {
        FormulaKind::State(Predicate::Const(truth)) => Some(truth),
        _ => None,
    }
}

fn unless_constant(body: Box<Formula>, make: fn(Box<Formula>) -> FormulaKind) -> FormulaKind {
    if truth(&body).is_some() { body.kind } else { make(body) }
}

fn finally(body: Box<Formula>) -> FormulaKind {
    if let FormulaKind::Finally(_) = body.kind {
        return body.kind;
    }
    unless_constant(body, FormulaKind::Finally)
}

fn globally(body: Box<Formula>) -> FormulaKind {
    if let FormulaKind::Globally(_) = body.kind {
        return body.kind;
    }
    unless_constant(body, FormulaKind::Globally)
}

/// Parts without those that change nothing; `neutral` is their truth.
fn joined(parts: Vec<Formula>, neutral: bool, join: impl FnOnce(Vec<Formula>) -> Formula) -> Formula {
    let mut parts: Vec<Formula> = parts.into_iter().filter(|part| truth(part) != Some(neutral)).collect();
    match (parts.pop(), parts.is_empty()) {
        (Some(only), true) => only,
        (Some(last), false) => {
            parts.push(last);
            join(parts)
        }
        (None, _) => join(Vec::new()),
    }
}

trait Folded {
    /// With constants of the outermost predicate folded.
    fn folded(self) -> Self;
}

impl Folded for Formula {
    fn folded(self) -> Formula {
        match self.kind {
            FormulaKind::State(predicate) => Formula::state(folded(predicate), self.span),
            _ => self,
        }
    }
}

/// A predicate whose comparisons are not decided by bounds.
fn simpler<M: NetModel>(model: &mut M, scratch: &mut Predicates, predicate: &Predicate) -> Predicate {
    let mut all = |parts: &[Predicate]| parts.iter().map(|part| simpler(model, scratch, part)).collect();
    match predicate {
        Predicate::Not(body) => folded(Predicate::Not(Box::new(simpler(model, scratch, body)))),
        Predicate::And(parts) => folded(Predicate::And(all(parts))),
        Predicate::Or(parts) => folded(Predicate::Or(all(parts))),
        _ => {
            let compiled = scratch.compile(model, predicate).ok();
            let decided = compiled.and_then(|compiled| scratch.constant(compiled));
            decided.map_or_else(|| predicate.clone(), Predicate::Const)
        }
    }
}

/// A predicate without constants among its outermost parts.
fn folded(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::Not(body) => match *body {
            Predicate::Const(truth) => Predicate::Const(!truth),
            Predicate::Not(body) => *body,
            body => Predicate::Not(Box::new(body)),
        },
        Predicate::And(parts) => without_constants(parts, true, Predicate::And),
        Predicate::Or(parts) => without_constants(parts, false, Predicate::Or),
        predicate => predicate,
    }
}

fn without_constants(
    parts: Vec<Predicate>,
    neutral: bool,
    make: fn(Vec<Predicate>) -> Predicate,
) -> Predicate {
    if parts.contains(&Predicate::Const(!neutral)) {
        return Predicate::Const(!neutral);
    }
    let mut parts: Vec<Predicate> =
        parts.into_iter().filter(|part| *part != Predicate::Const(neutral)).collect();
    match parts.len() {
        0 => Predicate::Const(neutral),
        1 => parts.remove(0),
        _ => make(parts),
    }
}
