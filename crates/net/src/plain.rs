//! Place/transition nets in the plainest form: counts and weights, no colours.
//!
//! A net that has no colours can be seen this way as it is, and a coloured one once it is unfolded. An arc takes
//! eight bytes here, so that nets with millions of transitions fit.

use crate::{Expr, ExprKind, Net, Nupn, PlaceIdx, PriorityClass, Sign, Term, TransIdx, Value};

/// A place/transition net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainNet {
    /// The net's name.
    pub name: String,
    /// Places.
    pub places: Vec<PlainPlace>,
    /// Transitions.
    pub transitions: Vec<PlainTransition>,
    /// The nesting of units, where the model states one.
    pub nupn: Option<Nupn>,
}

/// A place that counts its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainPlace {
    /// Its identifier, where the model gave it one.
    pub id: Option<Box<str>>,
    /// Its name.
    pub name: String,
    /// Tokens in the initial marking.
    pub tokens: u32,
}

/// A transition with weighted arcs. A list has one entry for each place, with a weight above zero, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainTransition {
    /// Its identifier, where the model gave it one.
    pub id: Option<Box<str>>,
    /// Its name.
    pub name: String,
    /// Tokens taken.
    pub inputs: Vec<(PlaceIdx, u32)>,
    /// Tokens given.
    pub outputs: Vec<(PlaceIdx, u32)>,
    /// The transition is disabled where a place holds at least so many tokens.
    pub inhibitors: Vec<(PlaceIdx, u32)>,
}

impl PlainNet {
    /// The net as it is, if it needs no colours: all tokens are black, and transitions have nothing but arcs with
    /// fixed weights. Capacities are left out.
    pub fn of(net: &Net) -> Option<PlainNet> {
        let mut places = Vec::with_capacity(net.places.len());
        for (i, place) in net.places.iter().enumerate() {
            if !net.types.is_unit(place.domain) {
                return None;
            }
            let tokens = place.initial.count(&Value::unit());
            let id = Some(net.place_id(PlaceIdx::new(i)).into());
            places.push(PlainPlace { id, name: place.name.text.clone(), tokens });
        }
        let mut transitions = Vec::with_capacity(net.transitions.len());
        for (i, transition) in net.transitions.iter().enumerate() {
            let has_more = !transition.binding.is_empty()
                || !transition.picks.is_empty()
                || !transition.lets.is_empty()
                || transition.guard.is_some()
                || transition.priority.is_some()
                || transition.class != PriorityClass::NONE;
            if has_more {
                return None;
            }
            let weights = |arcs: &[crate::Arc]| -> Option<Vec<(PlaceIdx, u32)>> {
                let mut weights = Vec::with_capacity(arcs.len());
                for arc in arcs {
                    for term in &arc.terms {
                        weights.push((arc.place, weight(term)?));
                    }
                }
                weights.sort_unstable();
                Some(weights)
            };
            let mut inhibitors = weights(&transition.inhibitors)?;
            // The least weight disables first. One of zero always does, which no arc can say.
            inhibitors.dedup_by_key(|(place, _)| *place);
            if inhibitors.iter().any(|(_, weight)| *weight == 0) {
                return None;
            }
            transitions.push(PlainTransition {
                id: Some(net.transition_id(TransIdx::new(i)).into()),
                name: transition.name.text.clone(),
                inputs: summed(weights(&transition.inputs)?)?,
                outputs: summed(weights(&transition.outputs)?)?,
                inhibitors,
            });
        }
        Some(PlainNet { name: net.name.text.clone(), places, transitions, nupn: net.nupn.clone() })
    }
}

impl PlainNet {
    /// The counts of all places in the initial marking.
    pub fn initial(&self) -> Vec<u32> {
        self.places.iter().map(|place| place.tokens).collect()
    }

    /// Whether a transition can fire in a marking.
    pub fn is_enabled(&self, marking: &[u32], transition: TransIdx) -> bool {
        let transition = &self.transitions[transition.index()];
        transition.inputs.iter().all(|&(place, weight)| marking[place.index()] >= weight)
            && transition.inhibitors.iter().all(|&(place, weight)| marking[place.index()] < weight)
    }

    /// Fires a transition. Where it is not enabled, or a count would leave 32 bits, there is nothing to give and the
    /// marking stays as it is.
    pub fn fire(&self, marking: &mut [u32], transition: TransIdx) -> Option<()> {
        if !self.is_enabled(marking, transition) {
            return None;
        }
        let transition = &self.transitions[transition.index()];
        for &(place, weight) in &transition.outputs {
            marking[place.index()].checked_add(weight)?;
        }
        transition.inputs.iter().for_each(|&(place, weight)| marking[place.index()] -= weight);
        transition.outputs.iter().for_each(|&(place, weight)| marking[place.index()] += weight);
        Some(())
    }
}

/// The fixed number of black tokens that a term stands for.
fn weight(term: &Term) -> Option<u32> {
    let fixed = term.iters.is_empty() && term.condition.is_none() && term.sign == Sign::Plus;
    let is_black = match &term.token.kind {
        ExprKind::Const(_) => true,
        ExprKind::Tuple(components) => components.is_empty(),
        _ => false,
    };
    if !fixed || !is_black {
        return None;
    }
    match &term.factor {
        None => Some(1),
        Some(Expr { kind: ExprKind::Const(Value::Int(factor)), .. }) => u32::try_from(*factor).ok(),
        Some(_) => None,
    }
}

/// One entry for each place, with the sum of its weights; none where a sum leaves 32 bits.
fn summed(weights: Vec<(PlaceIdx, u32)>) -> Option<Vec<(PlaceIdx, u32)>> {
    let mut sums: Vec<(PlaceIdx, u32)> = Vec::with_capacity(weights.len());
    for (place, weight) in weights {
        match sums.last_mut() {
            Some((last, sum)) if *last == place => *sum = sum.checked_add(weight)?,
            _ => sums.push((place, weight)),
        }
    }
    sums.retain(|(_, sum)| *sum > 0);
    Some(sums)
}
