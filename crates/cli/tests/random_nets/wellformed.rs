//! Whether a description is a net that the language allows: what the shrinker makes need not be one.

use std::collections::BTreeSet;

use crate::describe::{Arc, Expr, Net, PickDomain, Transition, Tuple, VarId};
use crate::naive;

/// Whether the reader has to accept the net's text.
pub fn is_well_formed(net: &Net) -> bool {
    let mut initial = net.places.iter().flat_map(|place| &place.initial).peekable();
    initial.peek().is_some()
        && initial.all(|tuple| tuple_is_known(tuple, &BTreeSet::new()))
        && naive::initial(net).is_ok()
        && net.transitions.iter().all(|transition| {
            transition_is_well_formed(transition) && inputs_are_of_their_types(net, transition)
        })
}

/// Only a variable alone may be of another type than its component, and only if another component gives it its type:
/// it matches what it equals. Anything else would be converted, and an error for values that other tuples rule out
/// anyway; which comes first is left open, so no other input may use such a variable.
pub fn inputs_are_of_their_types(net: &Net, transition: &Transition) -> bool {
    let mut own: BTreeSet<VarId> = BTreeSet::new();
    let mut foreign: BTreeSet<VarId> = BTreeSet::new();
    let mut others: Vec<&Expr> = vec![];
    for arc in &transition.inputs {
        for tuple in &arc.tuples {
            others.extend(&tuple.condition);
            for (part, ty) in tuple.token.iter().zip(&net.places[arc.place].domain) {
                match part.lone_variable().filter(|_| tuple.binds()) {
                    Some(var) if part.ty == *ty => drop(own.insert(var)),
                    Some(var) => drop(foreign.insert(var)),
                    None if part.ty == *ty => others.push(part),
                    None => return false,
                }
            }
        }
    }
    others.extend(transition.picks.iter().filter_map(|(_, domain)| match domain {
        PickDomain::Set(set) => Some(set),
        PickDomain::Type(_) => None,
    }));
    let inhibitors =
        transition.inhibitors.iter().flat_map(|arc| arc.tuples.iter().map(|tuple| (arc.place, tuple)));
    foreign.is_subset(&own)
        && others.iter().all(|expr| expr.variables().is_disjoint(&foreign))
        && inhibitors
            .flat_map(|(place, tuple)| tuple.token.iter().zip(&net.places[place].domain))
            .all(|(part, ty)| part.ty == *ty)
}

fn transition_is_well_formed(transition: &Transition) -> bool {
    let sections = [&transition.inputs, &transition.outputs, &transition.inhibitors];
    sections.into_iter().all(|arcs| arcs_are_well_formed(arcs))
        && definable(transition).is_some_and(|known| uses_are_known(transition, known))
}

/// Every place once, every arc with something on it.
fn arcs_are_well_formed(arcs: &[Arc]) -> bool {
    let places: BTreeSet<usize> = arcs.iter().map(|arc| arc.place).collect();
    places.len() == arcs.len() && arcs.iter().all(|arc| !arc.tuples.is_empty())
}

/// The variables of the binding, if there is an order in which input tuples and picks can define them.
fn definable(transition: &Transition) -> Option<BTreeSet<VarId>> {
    let mut tuples: Vec<&Tuple> =
        transition.inputs.iter().flat_map(|arc| &arc.tuples).filter(|tuple| tuple.binds()).collect();
    let mut picks: Vec<_> = transition.picks.iter().collect();
    let mut alone = tuples.iter().flat_map(|tuple| tuple.token.iter().filter_map(Expr::lone_variable));
    if alone.any(|var| picks.iter().any(|(picked, _)| *picked == var)) {
        return None;
    }
    let mut known = BTreeSet::new();
    loop {
        let before = tuples.len() + picks.len();
        tuples.retain(|tuple| {
            let (alone, made): (Vec<&Expr>, Vec<&Expr>) =
                tuple.token.iter().partition(|part| part.lone_variable().is_some());
            let ready = made.iter().all(|part| part.variables().is_subset(&known));
            if ready {
                known.extend(alone.into_iter().filter_map(Expr::lone_variable));
            }
            !ready
        });
        picks.retain(|(var, domain)| {
            let ready = match domain {
                PickDomain::Type(_) => true,
                PickDomain::Set(set) => set.variables().is_subset(&known),
            };
            if ready {
                known.insert(*var);
            }
            !ready
        });
        if tuples.is_empty() && picks.is_empty() {
            return Some(known);
        }
        if tuples.len() + picks.len() == before {
            return None;
        }
    }
}

/// Whether everything else uses only what is defined before it.
fn uses_are_known(transition: &Transition, mut known: BTreeSet<VarId>) -> bool {
    let conditional = |arc: &Arc, known: &BTreeSet<VarId>| {
        arc.tuples.iter().filter(|tuple| !tuple.binds()).all(|tuple| tuple_is_known(tuple, known))
    };
    if !transition.inputs.iter().all(|arc| conditional(arc, &known)) {
        return false;
    }
    for (var, value) in &transition.lets {
        if !value.variables().is_subset(&known) || !known.insert(*var) {
            return false;
        }
    }
    let mut rest = transition.guard.iter().chain(&transition.priority);
    rest.all(|expr| expr.variables().is_subset(&known))
        && transition.outputs.iter().flat_map(|arc| &arc.tuples).all(|tuple| tuple_is_known(tuple, &known))
        && inhibitors_are_well_formed(transition)
}

fn tuple_is_known(tuple: &Tuple, known: &BTreeSet<VarId>) -> bool {
    let mut known = known.clone();
    known.extend(tuple.iters.iter().map(|iter| iter.var));
    tuple.condition.iter().chain(&tuple.token).all(|expr| expr.variables().is_subset(&known))
}

/// A variable that stands for any value is a component alone, and belongs to one tuple.
fn inhibitors_are_well_formed(transition: &Transition) -> bool {
    let mut seen = BTreeSet::new();
    transition.inhibitors.iter().flat_map(|arc| &arc.tuples).all(|tuple| {
        let alone: BTreeSet<VarId> = tuple.token.iter().filter_map(Expr::lone_variable).collect();
        let free = transition.free_variables(tuple);
        tuple.binds() && free.is_subset(&alone) && free.iter().all(|var| seen.insert(*var))
    })
}
