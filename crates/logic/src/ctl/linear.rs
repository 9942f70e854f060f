//! Branching-time formulas that are linear.
//!
//! A universal formula in which every choice can be made by looking at the present state alone says the same as its
//! linear-time counterpart, all of whose path quantifiers are dropped. The forms are those of Maidl ("The Common
//! Fragment of CTL and LTL", 2000): atoms, conjunctions, `AG f`, and with a state formula p (one without
//! operators of time) `p | f`, `AF p`, `A[f U p]`, and so on. `AX f` is not among them, since it holds in dead states
//! whatever f is, where `X f` asks for f to hold there. Such a formula can be checked on the fly. So can the
//! negation of one: `EF`, `EG`, `E[U]` are witnessed by the run that violates their negation.

use crate::{Ctl, Ltl};

/// A linear-time formula that decides a branching-time one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linear {
    /// It holds exactly if all runs satisfy this one.
    All(Ltl),
    /// It holds exactly if some run violates this one.
    Not(Ltl),
}

/// The linear-time formula that decides a branching-time one, where there is one of an obvious form.
pub fn linear(formula: &Ctl) -> Option<Linear> {
    if let Some(all) = universal(formula, true) {
        return Some(Linear::All(all));
    }
    universal(formula, false).map(Linear::Not)
}

/// The linear form of a formula, or of its negation, if that is universal and its choices are made at once.
fn universal(formula: &Ctl, positive: bool) -> Option<Ltl> {
    if let Some(state) = state_formula(formula) {
        return Some(if positive { state } else { Ltl::Not(Box::new(state)) });
    }
    let of = |part: &Ctl| universal(part, positive).map(Box::new);
    match (formula, positive) {
        (Ctl::Not(inner), _) => universal(inner, !positive),
        // All parts of what is a conjunction once the negation is moved inside.
        (Ctl::And(parts), true) | (Ctl::Or(parts), false) => Some(Ltl::And(all_parts(parts, positive)?)),
        // Of a disjunction, all parts but one are decided at once.
        (Ctl::Or(parts), true) | (Ctl::And(parts), false) => {
            let n_timed = parts.iter().filter(|part| state_formula(part).is_none()).count();
            if n_timed > 1 { None } else { Some(Ltl::Or(all_parts(parts, positive)?)) }
        }
        (Ctl::AllGlobally(inner), true) | (Ctl::ExistsFinally(inner), false) => {
            Some(Ltl::Globally(of(inner)?))
        }
        (Ctl::AllFinally(inner), true) | (Ctl::ExistsGlobally(inner), false) => {
            let state = Box::new(state_formula(inner)?);
            Some(Ltl::Finally(if positive { state } else { Box::new(Ltl::Not(state)) }))
        }
        // The end of waiting is seen at once.
        (Ctl::AllUntil(left, right), true) => Some(Ltl::Until(of(left)?, Box::new(state_formula(right)?))),
        // No run has f until g: not f releases not g, and the release is seen at once.
        (Ctl::ExistsUntil(left, right), false) => {
            let left = Ltl::Not(Box::new(state_formula(left)?));
            Some(Ltl::Release(Box::new(left), of(right)?))
        }
        _ => None,
    }
}

fn all_parts(parts: &[Ctl], positive: bool) -> Option<Vec<Ltl>> {
    parts.iter().map(|part| universal(part, positive)).collect()
}

/// A formula without operators of time.
fn state_formula(formula: &Ctl) -> Option<Ltl> {
    Some(match formula {
        Ctl::True => Ltl::True,
        Ctl::False => Ltl::False,
        Ctl::Atom(atom) => Ltl::Atom(*atom),
        Ctl::Not(inner) => Ltl::Not(Box::new(state_formula(inner)?)),
        Ctl::And(parts) => Ltl::And(parts.iter().map(state_formula).collect::<Option<_>>()?),
        Ctl::Or(parts) => Ltl::Or(parts.iter().map(state_formula).collect::<Option<_>>()?),
        _ => return None,
    })
}
