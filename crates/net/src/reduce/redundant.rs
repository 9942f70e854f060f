//! Places that never hold anything up.
//!
//! A place is redundant where whoever needs its tokens finds them anyway. That is so where the place
//!
//! - gives tokens to nobody; or
//! - never loses any and begins with as many as anybody needs; or
//! - always has at least d tokens more than another one, where no transition needs more than d above what it needs of that
//!   one. The difference is d in the beginning and never gets smaller if no transition adds less to the place
//!   than to the other one.

use super::Rule;
use super::work::{Neighbours, Work, weight};
use crate::PlaceIdx;

/// Arcs of a place, and of one that it is compared with, that are looked at, at most.
const MOST_ARCS: usize = 2000;

/// Takes redundant places away, one after the other, so that none of two that are redundant for each other's sake is
/// taken for granted.
pub fn redundant_places(work: &mut Work) {
    let neighbours = work.neighbours();
    let candidates: Vec<(PlaceIdx, u32)> = work.places().collect();
    let mut is_removed = vec![false; work.tokens.len()];
    for (place, tokens) in candidates {
        let is_read = work.is_protected[place.index()] || !neighbours.inhibited[place.index()].is_empty();
        if is_read || !is_redundant(work, &neighbours, &is_removed, place, tokens) {
            continue;
        }
        is_removed[place.index()] = true;
        work.note(Rule::RedundantPlace);
    }
    work.remove_places(|place| is_removed[place.index()]);
}

fn is_redundant(
    work: &Work,
    neighbours: &Neighbours,
    is_removed: &[bool],
    place: PlaceIdx,
    tokens: u32,
) -> bool {
    let consumers = &neighbours.consumers[place.index()];
    let inputs = |number: u32| work.transitions[number as usize].as_ref().map_or(&[][..], |t| &t.inputs);
    let outputs = |number: u32| work.transitions[number as usize].as_ref().map_or(&[][..], |t| &t.outputs);
    let never_loses = consumers.iter().all(|&t| weight(outputs(t), place) >= weight(inputs(t), place));
    if never_loses && consumers.iter().all(|&t| weight(inputs(t), place) <= tokens) {
        return true;
    }
    // The other place is an input of every consumer that needs more than the place has in the beginning.
    let Some(&demanding) =
        consumers.iter().filter(|&&t| weight(inputs(t), place) > 0).min_by_key(|&&t| inputs(t).len())
    else {
        return false;
    };
    let arcs = |place: PlaceIdx| {
        neighbours.consumers[place.index()].len() + neighbours.producers[place.index()].len()
    };
    if arcs(place) > MOST_ARCS {
        return false;
    }
    let is_implied_by = |other: PlaceIdx| {
        let Some(others) = work.tokens[other.index()].filter(|_| !is_removed[other.index()]) else {
            return false;
        };
        if other == place || others > tokens || arcs(other) > MOST_ARCS {
            return false;
        }
        let surplus = u64::from(tokens - others);
        let of = |arcs: &[(PlaceIdx, u32)], place| i64::from(weight(arcs, place));
        let around = [
            &neighbours.consumers[place.index()],
            &neighbours.producers[place.index()],
            &neighbours.consumers[other.index()],
            &neighbours.producers[other.index()],
        ];
        around.into_iter().flatten().all(|&t| {
            let gain = |place| of(outputs(t), place) - of(inputs(t), place);
            let needed = u64::from(weight(inputs(t), place));
            gain(place) >= gain(other) && needed <= u64::from(weight(inputs(t), other)) + surplus
        })
    };
    inputs(demanding).iter().any(|&(other, _)| is_implied_by(other))
}
