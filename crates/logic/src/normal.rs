//! Formulas with negations only in front of statements about one state.

use petite_net::{Formula, FormulaKind, Predicate};

/// The formula, or its negation, with negations pushed inwards: a quantifier or operator becomes its dual below one.
pub(crate) fn normal(formula: &Formula, negated: bool) -> Formula {
    let span = formula.span;
    let same = |body: &Formula| Box::new(normal(body, negated));
    let all = |parts: &[Formula]| parts.iter().map(|part| normal(part, negated)).collect::<Vec<_>>();
    let kind = match (&formula.kind, negated) {
        (FormulaKind::State(predicate), false) => FormulaKind::State(predicate.clone()),
        (FormulaKind::State(predicate), true) => {
            FormulaKind::State(Predicate::Not(Box::new(predicate.clone())))
        }
        (FormulaKind::Not(body), _) => return normal(body, !negated),
        (FormulaKind::And(parts), false) | (FormulaKind::Or(parts), true) => {
            return Formula::and(all(parts), span);
        }
        (FormulaKind::Or(parts), false) | (FormulaKind::And(parts), true) => {
            return Formula::or(all(parts), span);
        }
        (FormulaKind::Exists(body), false) | (FormulaKind::All(body), true) => {
            FormulaKind::Exists(same(body))
        }
        (FormulaKind::All(body), false) | (FormulaKind::Exists(body), true) => FormulaKind::All(same(body)),
        // Every run goes on for ever, so there is always a next state.
        (FormulaKind::Next(body), _) => FormulaKind::Next(same(body)),
        (FormulaKind::Finally(body), false) | (FormulaKind::Globally(body), true) => {
            FormulaKind::Finally(same(body))
        }
        (FormulaKind::Globally(body), false) | (FormulaKind::Finally(body), true) => {
            FormulaKind::Globally(same(body))
        }
        (FormulaKind::Until(a, b), false) | (FormulaKind::Release(a, b), true) => {
            FormulaKind::Until(same(a), same(b))
        }
        (FormulaKind::Release(a, b), false) | (FormulaKind::Until(a, b), true) => {
            FormulaKind::Release(same(a), same(b))
        }
    };
    Formula { kind, span }
}

/// Whether a formula says nothing about runs.
pub(crate) fn is_constant(formula: &Formula, truth: bool) -> bool {
    matches!(&formula.kind, FormulaKind::State(Predicate::Const(value)) if *value == truth)
}
