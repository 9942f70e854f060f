//! How transitions change the number of tokens in places, read off the inscriptions.
//!
//! A coloured net may have too many bindings to list them. What it does to the *number* of tokens is often the
//! same for all bindings of a transition: each arc moves a fixed number of tokens, whatever their colours. Where
//! it is, the places can be analysed as if tokens were black.

use petite_bits::SlotIdx;

use super::Incidence;
use crate::{Arc, Cardinality, Expr, ExprKind, Iter, IterDomain, Net, Sign, Term, Types, Value};

/// The incidence matrix of token totals: slot number `i` is place number `i`, column number `i` is transition
/// number `i`.
///
/// A place with an arc whose number of tokens depends on the binding must not be counted on. For each of them
/// there is one more column behind the transitions that adds a token to it, so that it is in no invariant and
/// has no bound.
pub fn token_totals(net: &Net) -> Incidence {
    let mut incidence = Incidence::new(net.places.len());
    let mut unknown = vec![false; net.places.len()];
    for transition in &net.transitions {
        let (mut takes, mut changes) = (Vec::new(), Vec::new());
        for (arcs, sign) in [(&transition.inputs, -1), (&transition.outputs, 1)] {
            for arc in arcs {
                let slot = SlotIdx(arc.place.0);
                let Some(count) = n_tokens(&net.types, arc).map(i64::from) else {
                    unknown[arc.place.index()] = true;
                    continue;
                };
                changes.push((slot, sign * count));
                if sign < 0 {
                    takes.push((slot, count));
                }
            }
        }
        let least = |(slot, count): (SlotIdx, i64)| (slot, u32::try_from(count).unwrap_or(u32::MAX));
        incidence.push(summed(takes).into_iter().map(least), summed(changes));
    }
    for (place, _) in unknown.iter().enumerate().filter(|(_, unknown)| **unknown) {
        incidence.push([], [(SlotIdx::new(place), 1)]);
    }
    incidence
}

/// One entry for each slot, with the sum of its numbers; zero is left out.
fn summed(mut entries: Vec<(SlotIdx, i64)>) -> Vec<(SlotIdx, i64)> {
    entries.sort_unstable_by_key(|(slot, _)| *slot);
    let sums = entries.chunk_by(|a, b| a.0 == b.0);
    // A number is of 32 bits, so it takes more arcs than there can be to leave 64.
    let sums = sums.map(|same| (same[0].0, same.iter().map(|(_, number)| number).sum()));
    sums.filter(|(_, sum)| *sum != 0).collect()
}

/// The number of tokens that an arc moves, where every binding moves as many.
fn n_tokens(types: &Types, arc: &Arc) -> Option<u32> {
    let sum = arc.terms.iter().try_fold(0i64, |sum, term| {
        let count = n_of_term(types, term)?;
        sum.checked_add(if term.sign == Sign::Minus { -count } else { count })
    })?;
    u32::try_from(sum).ok()
}

fn n_of_term(types: &Types, term: &Term) -> Option<i64> {
    if term.condition.is_some() {
        return None;
    }
    let factor = term.factor.as_ref().map_or(Some(1), constant).filter(|factor| *factor >= 0)?;
    let combinations = |n: i64, iter: &Iter| match iter.domain {
        IterDomain::Type(ty, None) => match types.cardinality(ty) {
            Cardinality::Word(values) => n.checked_mul(i64::try_from(values).ok()?),
            _ => None,
        },
        _ => None,
    };
    term.iters.iter().try_fold(factor, combinations)
}

fn constant(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Const(Value::Int(number)) => Some(*number),
        ExprKind::Convert(inner) => constant(inner),
        _ => None,
    }
}
