//! Formulas that are about the reachable states alone.
//!
//! Many formulas only ask whether states of some kind can be reached: `EF p`, `AG p`, G p of linear time, and what is made
//! of these with and, or and not. They are told on the fly, by any search, with the states of the one kind as witnesses. A
//! [`Claim`] is such a formula:
//!
//! | formula (negations pushed inwards) | claim |
//! |---|---|
//! | `p`, also under `A` or `E` | p holds in the initial state |
//! | `E F p`, `E (true U p)` | p is reachable |
//! | `A G p`, `A (false R p)` | not p is not reachable |
//! | `E F (f or g)`, `A G (f and g)` | of both parts |
//! | `E F E F f`, `E F F f`, and the like with `A G` | of `E F f` |
//! | `A (f and g)`, `E (f or g)` | of both parts |
//! | `A (s or f)`, `E (s and f)` where s is about states alone | s, and `A f` or `E f` |

use petite_net::{Formula, FormulaKind, Predicate};

use crate::normal::{is_constant, normal};

/// A formula about reachable states.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Claim {
    /// A predicate holds in the initial state.
    Now(Predicate),
    /// A predicate holds in some reachable state.
    Reach(Predicate),
    Not(Box<Claim>),
    And(Vec<Claim>),
    Or(Vec<Claim>),
}

/// The claim that a formula is; none where it is about more than reachable states.
pub(crate) fn claim(formula: &Formula) -> Option<Claim> {
    // Without a quantifier a formula is about all runs; where it has its own, one more in front changes nothing.
    on_all_runs(&normal(formula, false))
}

/// The claim of a formula that stands below no open operator of linear time.
fn of_state(formula: &Formula) -> Option<Claim> {
    match &formula.kind {
        FormulaKind::State(predicate) => Some(Claim::Now(predicate.clone())),
        FormulaKind::And(parts) => parts.iter().map(of_state).collect::<Option<_>>().map(Claim::And),
        FormulaKind::Or(parts) => parts.iter().map(of_state).collect::<Option<_>>().map(Claim::Or),
        FormulaKind::All(body) => on_all_runs(body),
        FormulaKind::Exists(body) => on_some_run(body),
        _ => None,
    }
}

fn on_all_runs(formula: &Formula) -> Option<Claim> {
    match &formula.kind {
        FormulaKind::Globally(body) => always(body),
        FormulaKind::Release(until, body) if is_constant(until, false) => always(body),
        FormulaKind::And(parts) => parts.iter().map(on_all_runs).collect::<Option<_>>().map(Claim::And),
        FormulaKind::Or(parts) => mixed(parts, on_all_runs).map(Claim::Or),
        FormulaKind::State(_) | FormulaKind::All(_) | FormulaKind::Exists(_) => of_state(formula),
        _ => None,
    }
}

fn on_some_run(formula: &Formula) -> Option<Claim> {
    match &formula.kind {
        FormulaKind::Finally(body) => reachable(body),
        FormulaKind::Until(before, body) if is_constant(before, true) => reachable(body),
        FormulaKind::Or(parts) => parts.iter().map(on_some_run).collect::<Option<_>>().map(Claim::Or),
        FormulaKind::And(parts) => mixed(parts, on_some_run).map(Claim::And),
        FormulaKind::State(_) | FormulaKind::All(_) | FormulaKind::Exists(_) => of_state(formula),
        _ => None,
    }
}

/// The claims of parts of which one at most is about runs.
fn mixed(parts: &[Formula], of_run: impl Fn(&Formula) -> Option<Claim>) -> Option<Vec<Claim>> {
    if parts.iter().filter(|part| !is_about_states(part)).count() > 1 {
        return None;
    }
    parts.iter().map(|part| if is_about_states(part) { of_state(part) } else { of_run(part) }).collect()
}

/// Whether every operator of linear time stands below a quantifier.
fn is_about_states(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::State(_) | FormulaKind::All(_) | FormulaKind::Exists(_) => true,
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().all(is_about_states),
        FormulaKind::Not(body) => is_about_states(body),
        _ => false,
    }
}

/// That a formula holds from every state of every run on.
fn always(formula: &Formula) -> Option<Claim> {
    match &formula.kind {
        FormulaKind::State(predicate) => {
            let broken = Predicate::Not(Box::new(predicate.clone()));
            Some(Claim::Not(Box::new(Claim::Reach(broken))))
        }
        FormulaKind::And(parts) => parts.iter().map(always).collect::<Option<_>>().map(Claim::And),
        FormulaKind::Globally(body) | FormulaKind::All(body) => always(body),
        FormulaKind::Release(until, body) if is_constant(until, false) => always(body),
        _ => None,
    }
}

/// That a formula holds from some state of some run on.
fn reachable(formula: &Formula) -> Option<Claim> {
    match &formula.kind {
        FormulaKind::State(predicate) => Some(Claim::Reach(predicate.clone())),
        FormulaKind::Or(parts) => parts.iter().map(reachable).collect::<Option<_>>().map(Claim::Or),
        FormulaKind::Finally(body) | FormulaKind::Exists(body) => reachable(body),
        FormulaKind::Until(before, body) if is_constant(before, true) => reachable(body),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_net::{PropIdx, Span};

    fn p(n: u32) -> Formula {
        Formula::state(Predicate::Proposition(PropIdx(n)), Span::default())
    }

    fn of(kind: FormulaKind) -> Formula {
        Formula { kind, span: Span::default() }
    }

    fn wrap(make: fn(Box<Formula>) -> FormulaKind, body: Formula) -> Formula {
        of(make(Box::new(body)))
    }

    fn ef(body: Formula) -> Formula {
        wrap(FormulaKind::Exists, wrap(FormulaKind::Finally, body))
    }

    fn ag(body: Formula) -> Formula {
        wrap(FormulaKind::All, wrap(FormulaKind::Globally, body))
    }

    fn reach(n: u32) -> Claim {
        Claim::Reach(Predicate::Proposition(PropIdx(n)))
    }

    #[test]
    fn plain_reachability() {
        assert_eq!(claim(&ef(p(1))), Some(reach(1)));
        assert_eq!(claim(&ef(ef(p(1)))), Some(reach(1)));
        assert_eq!(claim(&ag(p(1)).negated()), claim(&ef(p(1).negated())));
        // G p without a quantifier is about all runs.
        assert_eq!(claim(&wrap(FormulaKind::Globally, p(1))), claim(&ag(p(1))));
        assert_eq!(claim(&p(1)), Some(Claim::Now(Predicate::Proposition(PropIdx(1)))));
        let until = wrap(
            FormulaKind::Exists,
            of(FormulaKind::Until(
                Box::new(Formula::state(Predicate::Const(true), Span::default())),
                Box::new(p(2)),
            )),
        );
        assert_eq!(claim(&until), Some(reach(2)));
    }

    #[test]
    fn parts_are_told_apart() {
        let both = Formula::or(vec![ef(p(1)), p(2)], Span::default());
        assert_eq!(
            claim(&both),
            Some(Claim::Or(vec![reach(1), Claim::Now(Predicate::Proposition(PropIdx(2)))]))
        );
        assert_eq!(
            claim(&ef(Formula::or(vec![ef(p(1)), p(2)], Span::default()))),
            Some(Claim::Or(vec![reach(1), reach(2)]))
        );
    }

    #[test]
    fn what_is_about_runs_is_no_claim() {
        let f = |body| wrap(FormulaKind::Finally, body);
        assert_eq!(claim(&f(p(1))), None, "on all runs, not on some");
        assert_eq!(claim(&ag(ef(p(1)))), None);
        assert_eq!(claim(&ef(Formula::and(vec![p(1), ef(p(2))], Span::default()))), None);
        assert_eq!(claim(&wrap(FormulaKind::Globally, f(p(1)))), None);
        // G p or G q is more than its parts: some runs may have the one, others the other.
        let g = |n| wrap(FormulaKind::Globally, p(n));
        assert_eq!(claim(&Formula::or(vec![g(1), g(2)], Span::default())), None);
        assert!(claim(&Formula::and(vec![g(1), g(2)], Span::default())).is_some());
        assert_eq!(claim(&wrap(FormulaKind::Next, p(1))), None);
    }
}
