//! Agglomeration: two transitions that belong together become one.
//!
//! Around a place p that nobody asks for, H are the transitions that put tokens there and F those that take them away.
//! The place goes, and each pair of an h and an f becomes one transition that does both, where that makes no difference:
//!
//! ```text
//!      post: f needs only p             pre: h gives only to p, and nobody
//!                                       else takes what it needs
//!   -> h -> (p) -> f ->              (q) -> h -> (p) -> f ->
//!                                                 ...  ->
//!   f can follow h at once,          h can wait until f comes: nothing is
//!   and gives no less earlier        done with its token before
//! ```
//!
//! - *post*: f does not touch protected places, so that nobody sees when it happens, and what it gives earlier only
//!   enables more. Tokens that are in p at first are moved on at first.
//! - *pre*: the places that h takes from are not protected, and only h takes from them, so that h stays possible. Dead
//!   states stay dead: an h that is still possible leads nowhere unless an f can follow.
//! - *free*: like pre, but others may take what h needs. That can only make h impossible, which loses endings and
//!   runs, but no reachable counts: h without f would have served nobody.
//!
//! Branching time sees what can still be chosen. Where p has one f only, or where h is pre-agglomerated, nothing is: the one
//! transition stays possible whatever else happens, changes nothing that is seen, gets in nobody's way and cannot go on for
//! ever, so the states before and after it have the same futures (a single ample transition; Gerth and others, "A
//! Partial Order Approach to Branching Time Logic Model Checking", 1999). With several f a state between h and f has fewer
//! futures than one before and more than one behind, and it would be missing.
//!
//! All of this relies on more tokens never disabling anything: places that change earlier or later must not inhibit.

use super::work::{Neighbours, Work, WorkTransition, summed, weight};
use super::{Keeps, Rule};
use crate::PlaceIdx;

/// By how many transitions an agglomeration may make the net larger. A little growth is often made up for by what becomes
/// possible afterwards; each agglomeration takes a place away, so growth ends.
const GROWTH: usize = 2;

/// By how many times the number of arcs around a place may grow.
const MOST_TIMES_ARCS: usize = 4;

/// The transitions around a place, taken apart.
struct Around<'a> {
    place: PlaceIdx,
    tokens: u32,
    givers: Vec<&'a WorkTransition>,
    takers: Vec<&'a WorkTransition>,
}

/// What becomes of the transitions around a place.
struct Merged {
    transitions: Vec<Plan>,
    /// How often the only taker fires in the beginning.
    initially: u32,
}

/// A new transition: one of the givers, then one of the takers so many times.
struct Plan {
    giver: usize,
    taker: usize,
    times: u32,
    inputs: Vec<(PlaceIdx, u32)>,
    outputs: Vec<(PlaceIdx, u32)>,
    inhibitors: Vec<(PlaceIdx, u32)>,
}

/// Post-agglomeration of all places where it is possible and keeps what is asked for.
pub fn post(work: &mut Work, keeps: Keeps) {
    each_place(work, |work, neighbours, around| {
        if keeps == Keeps::StutterCtl && around.takers.len() > 1 {
            return None;
        }
        Some((Rule::PostAgglomeration, merged_post(work, neighbours, around)?))
    });
}

/// Pre-agglomeration of all places where it is possible; free agglomeration where only reachability is asked for.
pub fn pre(work: &mut Work, keeps: Keeps) {
    each_place(work, |work, neighbours, around| {
        if let Some(merged) = merged_pre(work, neighbours, around, true) {
            return Some((Rule::PreAgglomeration, merged));
        }
        let is_free = keeps == Keeps::Reachability;
        let merged = is_free.then(|| merged_pre(work, neighbours, around, false))??;
        Some((Rule::FreeAgglomeration, merged))
    });
}

/// Tries all places, as long as nothing around them was changed in the same round.
fn each_place(work: &mut Work, merge: impl Fn(&Work, &Neighbours, &Around<'_>) -> Option<(Rule, Merged)>) {
    let neighbours = work.neighbours();
    let mut is_touched = vec![false; work.tokens.len()];
    let candidates: Vec<(PlaceIdx, u32)> = work.places().collect();
    let mut is_removed = vec![false; work.tokens.len()];
    for (place, tokens) in candidates {
        let at = place.index();
        let (givers, takers) = (&neighbours.producers[at], &neighbours.consumers[at]);
        let is_asked_for = work.is_protected[at] || !neighbours.inhibited[at].is_empty();
        let growth = givers.len() * takers.len();
        if is_asked_for || takers.is_empty() || growth > givers.len() + takers.len() + GROWTH {
            continue;
        }
        let of = |numbers: &[u32]| -> Option<Vec<&WorkTransition>> {
            numbers.iter().map(|&number| work.transitions[number as usize].as_ref()).collect()
        };
        let (Some(h), Some(f)) = (of(givers), of(takers)) else { continue };
        let n_arcs = |transitions: &[&WorkTransition]| -> usize {
            transitions.iter().map(|transition| transition.places().count()).sum()
        };
        let (h_arcs, f_arcs) = (n_arcs(&h), n_arcs(&f));
        if h_arcs * f.len() + f_arcs * h.len() > MOST_TIMES_ARCS * (h_arcs + f_arcs) {
            continue;
        }
        let around = Around { place, tokens, givers: h, takers: f };
        let all = || around.givers.iter().chain(&around.takers);
        if all().any(|transition| transition.places().any(|place| is_touched[place.index()])) {
            continue;
        }
        let Some((rule, merged)) = merge(work, &neighbours, &around) else { continue };
        all().flat_map(|transition| transition.places()).for_each(|place| is_touched[place.index()] = true);
        let h: Vec<_> = around.givers.iter().map(|giver| giver.sequence).collect();
        let f: Vec<_> = around.takers.iter().map(|taker| taker.sequence).collect();
        let gained: Vec<(PlaceIdx, u32)> =
            if merged.initially > 0 { around.takers[0].outputs.clone() } else { Vec::new() };
        for (place, weight) in gained {
            // The sum was found to fit before.
            let tokens = work.tokens[place.index()].unwrap_or(0);
            work.tokens[place.index()] = Some(tokens + weight * merged.initially);
        }
        (0..merged.initially).for_each(|_| work.initially.push(f[0]));
        for plan in merged.transitions {
            let mut sequence = h[plan.giver];
            for _ in 0..plan.times {
                sequence = work.sequences.then(sequence, f[plan.taker]);
            }
            let Plan { inputs, outputs, inhibitors, .. } = plan;
            work.transitions.push(Some(WorkTransition { inputs, outputs, inhibitors, sequence }));
        }
        for &number in givers.iter().chain(takers) {
            work.transitions[number as usize] = None;
        }
        is_removed[at] = true;
        work.note(rule);
    }
    work.remove_places(|place| is_removed[place.index()]);
}

fn without(arcs: &[(PlaceIdx, u32)], place: PlaceIdx) -> Vec<(PlaceIdx, u32)> {
    arcs.iter().copied().filter(|arc| arc.0 != place).collect()
}

/// Whether tokens may come to, or stay in, these places earlier or longer without anybody noticing.
fn is_unseen(work: &Work, neighbours: &Neighbours, arcs: &[(PlaceIdx, u32)]) -> bool {
    arcs.iter().all(|&(place, _)| {
        !work.is_protected[place.index()] && neighbours.inhibited[place.index()].is_empty()
    })
}

/// The most often that one transition fires as part of another.
const MOST_TIMES: u32 = 16;

fn merged_post(work: &Work, neighbours: &Neighbours, around: &Around<'_>) -> Option<Merged> {
    let Around { place, tokens, givers, takers } = around;
    let needed = weight(&takers[0].inputs, *place);
    let follows = |taker: &&WorkTransition| {
        taker.inputs == [(*place, needed)]
            && taker.inhibitors.is_empty()
            && weight(&taker.outputs, *place) == 0
            && is_unseen(work, neighbours, &taker.outputs)
    };
    if !takers.iter().all(follows) || needed == 0 || !tokens.is_multiple_of(needed) {
        return None;
    }
    let initially = tokens / needed;
    if initially > MOST_TIMES || initially > 0 && takers.len() > 1 {
        return None;
    }
    for &(place, weight) in &takers[0].outputs {
        work.tokens[place.index()].unwrap_or(0).checked_add(weight.checked_mul(initially)?)?;
    }
    let mut transitions = Vec::new();
    for (h, giver) in givers.iter().enumerate() {
        let given = weight(&giver.outputs, *place);
        let times = given / needed;
        // Several tokens could be taken by different transitions.
        if !given.is_multiple_of(needed) || times > MOST_TIMES || times > 1 && takers.len() > 1 {
            return None;
        }
        for (f, taker) in takers.iter().enumerate() {
            transitions.push(Plan {
                giver: h,
                taker: f,
                times,
                inputs: giver.inputs.clone(),
                outputs: summed(&without(&giver.outputs, *place), &taker.outputs, times)?,
                inhibitors: giver.inhibitors.clone(),
            });
        }
    }
    Some(Merged { transitions, initially })
}

fn merged_pre(
    work: &Work,
    neighbours: &Neighbours,
    around: &Around<'_>,
    is_exclusive: bool,
) -> Option<Merged> {
    let Around { place, tokens, givers, takers } = around;
    if *tokens > 0 || givers.is_empty() {
        return None;
    }
    let given = weight(&givers[0].outputs, *place);
    let waits = |giver: &&WorkTransition| {
        let is_only_taker = |&(input, _): &(PlaceIdx, u32)| neighbours.consumers[input.index()].len() == 1;
        giver.outputs == [(*place, given)]
            && giver.inhibitors.is_empty()
            && weight(&giver.inputs, *place) == 0
            && is_unseen(work, neighbours, &giver.inputs)
            && (!is_exclusive || !giver.inputs.is_empty() && giver.inputs.iter().all(is_only_taker))
    };
    let takes_all = |taker: &&WorkTransition| {
        weight(&taker.inputs, *place) == given && weight(&taker.outputs, *place) == 0
    };
    if !givers.iter().all(waits) || !takers.iter().all(takes_all) {
        return None;
    }
    let mut transitions = Vec::new();
    for (h, giver) in givers.iter().enumerate() {
        for (f, taker) in takers.iter().enumerate() {
            transitions.push(Plan {
                giver: h,
                taker: f,
                times: 1,
                inputs: summed(&giver.inputs, &without(&taker.inputs, *place), 1)?,
                outputs: taker.outputs.clone(),
                inhibitors: taker.inhibitors.clone(),
            });
        }
    }
    Some(Merged { transitions, initially: 0 })
}
