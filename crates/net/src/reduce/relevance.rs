//! What has an influence on protected places.
//!
//! Relevant are protected places, transitions that change a relevant place, and places that these need or that inhibit
//! them. For what counts of protected places are reachable, nothing else matters.

use super::Rule;
use super::work::Work;

/// Takes away what is not relevant.
pub fn irrelevant(work: &mut Work) {
    let neighbours = work.neighbours();
    let mut is_relevant_place = work.is_protected.clone();
    let mut is_relevant = vec![false; work.transitions.len()];
    let mut open: Vec<usize> = (0..work.tokens.len()).filter(|&place| is_relevant_place[place]).collect();
    while let Some(place) = open.pop() {
        for &number in neighbours.consumers[place].iter().chain(&neighbours.producers[place]) {
            let Some(transition) = &work.transitions[number as usize] else { continue };
            let changes = || transition.effect().iter().any(|change| change.0.index() == place);
            if is_relevant[number as usize] || !changes() {
                continue;
            }
            is_relevant[number as usize] = true;
            for &(needed, _) in transition.inputs.iter().chain(&transition.inhibitors) {
                if !std::mem::replace(&mut is_relevant_place[needed.index()], true) {
                    open.push(needed.index());
                }
            }
        }
    }
    let mut n_removed = 0;
    for (slot, is_relevant) in work.transitions.iter_mut().zip(is_relevant) {
        if !is_relevant && slot.take().is_some() {
            n_removed += 1;
        }
    }
    n_removed += work.places().filter(|(place, _)| !is_relevant_place[place.index()]).count();
    work.remove_places(|place| !is_relevant_place[place.index()]);
    (0..n_removed).for_each(|_| work.note(Rule::Irrelevant));
}
