//! Rules that look at one place or transition at a time.

use std::collections::HashMap;

use super::Rule;
use super::work::{Work, WorkTransition, weight};
use crate::PlaceIdx;

/// Takes transitions away that lack a token which nobody can ever give: the places that can get tokens at all are
/// found by firing each transition as soon as its inputs are marked, however often and regardless of weights.
pub fn dead_transitions(work: &mut Work) {
    let neighbours = work.neighbours();
    let mut is_marked: Vec<bool> = work.tokens.iter().map(|tokens| tokens.is_some_and(|n| n > 0)).collect();
    let mut missing: Vec<usize> = vec![0; work.transitions.len()];
    let mut ready = Vec::new();
    for (number, transition) in work.living() {
        let n = transition.inputs.iter().filter(|arc| !is_marked[arc.0.index()]).count();
        missing[number as usize] = n;
        if n == 0 {
            ready.push(number);
        }
    }
    let mut is_alive = vec![false; work.transitions.len()];
    while let Some(number) = ready.pop() {
        is_alive[number as usize] = true;
        let Some(transition) = &work.transitions[number as usize] else { continue };
        for &(place, _) in &transition.outputs {
            if std::mem::replace(&mut is_marked[place.index()], true) {
                continue;
            }
            for &consumer in &neighbours.consumers[place.index()] {
                missing[consumer as usize] -= 1;
                if missing[consumer as usize] == 0 {
                    ready.push(consumer);
                }
            }
        }
    }
    for (number, is_alive) in is_alive.into_iter().enumerate() {
        if !is_alive && work.transitions[number].take().is_some() {
            work.note(Rule::DeadTransition);
        }
    }
}

/// Takes places away whose tokens no transition changes, and transitions that need more, or fewer, than they have.
/// A protected one stays, without arcs.
pub fn constant_places(work: &mut Work) {
    let mut is_constant = vec![true; work.tokens.len()];
    for (_, transition) in work.living() {
        transition.effect().iter().for_each(|change| is_constant[change.0.index()] = false);
    }
    let constant: Vec<Option<u32>> =
        work.tokens.iter().zip(is_constant).map(|(tokens, is)| tokens.filter(|_| is)).collect();
    let tokens_of = |arc: &(PlaceIdx, u32)| constant[arc.0.index()];
    let never = |transition: &WorkTransition| {
        transition.inputs.iter().any(|arc| tokens_of(arc).is_some_and(|tokens| tokens < arc.1))
            || transition.inhibitors.iter().any(|arc| tokens_of(arc).is_some_and(|tokens| tokens >= arc.1))
    };
    let mut n_dead = 0;
    for slot in &mut work.transitions {
        if slot.as_ref().is_some_and(never) {
            *slot = None;
            n_dead += 1;
        }
    }
    (0..n_dead).for_each(|_| work.note(Rule::DeadTransition));
    let mut n_places = 0;
    for (place, tokens) in constant.iter().enumerate() {
        n_places += usize::from(tokens.is_some() && !work.is_protected[place]);
    }
    for transition in work.transitions.iter_mut().flatten() {
        for arcs in [&mut transition.inputs, &mut transition.outputs, &mut transition.inhibitors] {
            arcs.retain(|arc| constant[arc.0.index()].is_none());
        }
    }
    for (place, tokens) in work.tokens.iter_mut().enumerate() {
        if constant[place].is_some() && !work.is_protected[place] {
            *tokens = None;
        }
    }
    (0..n_places).for_each(|_| work.note(Rule::ConstantPlace));
}

/// Transitions with the same effect and the same inhibitors.
type Kind = (Vec<(PlaceIdx, i64)>, Vec<(PlaceIdx, u32)>);

/// Alike transitions that are compared with each other, at most.
const MOST_ALIKE: usize = 64;

/// Takes transitions away for which another one can stand in: one with the same effect that needs no more.
pub fn dominated_transitions(work: &mut Work) {
    let mut alike: HashMap<Kind, Vec<u32>> = HashMap::new();
    let mut dominated = Vec::new();
    for (number, transition) in work.living() {
        let kind = (transition.effect(), transition.inhibitors.clone());
        let others = alike.entry(kind).or_default();
        let inputs = |number: u32| work.transitions[number as usize].as_ref().map(|other| &other.inputs);
        let needs_no_less = |one: &[(PlaceIdx, u32)], other: &[(PlaceIdx, u32)]| {
            other.iter().all(|&(place, least)| weight(one, place) >= least)
        };
        let own = &transition.inputs;
        if others.iter().filter_map(|&other| inputs(other)).any(|other| needs_no_less(own, other)) {
            dominated.push(number);
            continue;
        }
        others.retain(|&other| {
            let is_dominated = inputs(other).is_some_and(|other| needs_no_less(other, own));
            if is_dominated {
                dominated.push(other);
            }
            !is_dominated
        });
        if others.len() < MOST_ALIKE {
            others.push(number);
        }
    }
    for number in dominated {
        work.transitions[number as usize] = None;
        work.note(Rule::DominatedTransition);
    }
}

/// Takes transitions away that only take tokens away, from places that are neither protected nor inhibit anything: what
/// is reachable with them is reachable without.
pub fn idle_transitions(work: &mut Work) {
    let neighbours = work.neighbours();
    let is_idle = |transition: &WorkTransition| {
        transition.effect().iter().all(|&(place, change)| {
            change < 0 && !work.is_protected[place.index()] && neighbours.inhibited[place.index()].is_empty()
        })
    };
    let idle: Vec<u32> =
        work.living().filter(|(_, transition)| is_idle(transition)).map(|(number, _)| number).collect();
    for number in idle {
        work.transitions[number as usize] = None;
        work.note(Rule::IdleTransition);
    }
}
