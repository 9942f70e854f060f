//! Predicates that no reachable state can satisfy.
//!
//! A predicate is written as an *or* of *ands* of comparisons, as far as it has some; what is no comparison of counts is left
//! out of an *and*, which can only make it easier to satisfy. A transition that is enabled has the tokens that one of its
//! instances takes. If the [state equation](crate::state_equation) refutes every *and*, the predicate holds nowhere.

use petite_model::{ActionId, NetModel};
use petite_net::structure::ColumnIdx;
use petite_net::{Comparison, Number, Predicate};

use crate::predicate::linear_slots;
use crate::state_equation::{AtMost, StateEquation};

/// *Ands* that a predicate may be split into.
const MOST_CASES: usize = 64;

type Cases = Vec<Vec<AtMost>>;

/// Whether it is proved that no reachable state satisfies a predicate.
pub(crate) fn is_nowhere<M: NetModel>(
    model: &mut M,
    equation: &mut StateEquation,
    predicate: &Predicate,
) -> bool {
    let Some(cases) = cases(model, equation, predicate, false) else { return false };
    cases.iter().all(|case| equation.is_impossible(case))
}

/// The cases of a predicate or of its negation; none where they are too many.
fn cases<M: NetModel>(
    model: &mut M,
    equation: &StateEquation,
    predicate: &Predicate,
    negated: bool,
) -> Option<Cases> {
    let anything = || Some(vec![Vec::new()]);
    match (predicate, negated) {
        (Predicate::Const(truth), _) => Some(if *truth == negated { Vec::new() } else { vec![Vec::new()] }),
        (Predicate::Not(body), _) => cases(model, equation, body, !negated),
        (Predicate::And(parts), false) | (Predicate::Or(parts), true) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let of_part = cases(model, equation, part, negated)?;
                if all.len() * of_part.len() > MOST_CASES {
                    return None;
                }
                let join = |case: &Vec<AtMost>| {
                    of_part.iter().map(|more| [&case[..], more].concat()).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(join).collect();
            }
            Some(all)
        }
        (Predicate::Or(parts), false) | (Predicate::And(parts), true) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(cases(model, equation, part, negated)?);
                if all.len() > MOST_CASES {
                    return None;
                }
            }
            Some(all)
        }
        (Predicate::Compare(comparison, left, right), _) => {
            let comparison = if negated { opposite(*comparison) } else { *comparison };
            Some(compared(model, comparison, left, right).unwrap_or_else(|| vec![Vec::new()]))
        }
        (Predicate::Enabled(transitions), false) => {
            let mut all = Vec::new();
            for action in (0..model.n_actions()).map(ActionId::new) {
                if transitions.contains(&model.transition_of(action)) {
                    let takes = equation.takes(ColumnIdx(action.0)).iter();
                    let least =
                        |&(slot, count): &_| AtMost { weights: vec![(slot, -1)], most: -i64::from(count) };
                    all.push(takes.map(least).collect());
                    if all.len() > MOST_CASES {
                        return None;
                    }
                }
            }
            Some(all)
        }
        (Predicate::Enabled(_) | Predicate::Deadlock | Predicate::Proposition(_), _) => anything(),
    }
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Lt => Comparison::Ge,
        Comparison::Le => Comparison::Gt,
        Comparison::Gt => Comparison::Le,
        Comparison::Ge => Comparison::Lt,
    }
}

/// The cases of a comparison; none where it is not of sums of slots.
fn compared<M: NetModel>(
    model: &mut M,
    comparison: Comparison,
    left: &Number,
    right: &Number,
) -> Option<Cases> {
    let difference = Number::Sum(vec![left.clone(), Number::Minus(Box::new(right.clone()))]);
    let (weights, constant) = linear_slots(model, &difference)?;
    let limit = |most: i128| i64::try_from(most).ok().filter(|most| most.unsigned_abs() < 1 << 40);
    let at_most = |most: i128| Some(AtMost { weights: weights.clone(), most: limit(most - constant)? });
    let at_least = |least: i128| {
        let weights = weights.iter().map(|&(slot, weight)| (slot, -weight)).collect();
        Some(AtMost { weights, most: limit(constant - least)? })
    };
    Some(match comparison {
        Comparison::Le => vec![vec![at_most(0)?]],
        Comparison::Lt => vec![vec![at_most(-1)?]],
        Comparison::Ge => vec![vec![at_least(0)?]],
        Comparison::Gt => vec![vec![at_least(1)?]],
        Comparison::Eq => vec![vec![at_most(0)?, at_least(0)?]],
        Comparison::Ne => vec![vec![at_most(-1)?], vec![at_least(1)?]],
    })
}
