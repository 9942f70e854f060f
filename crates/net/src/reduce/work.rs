//! A net while it is reduced.

use super::sequence::{SeqIdx, Sequences};
use super::{Reduction, Rule};
use crate::{PlaceIdx, PlainNet, PlainPlace, PlainTransition};

/// A transition while the net is reduced. Lists have an entry for each place, with a weight above zero, ascending.
#[derive(Clone, Debug)]
pub struct WorkTransition {
    pub inputs: Vec<(PlaceIdx, u32)>,
    pub outputs: Vec<(PlaceIdx, u32)>,
    pub inhibitors: Vec<(PlaceIdx, u32)>,
    pub sequence: SeqIdx,
}

impl WorkTransition {
    /// All places that it has arcs with, some of them twice.
    pub fn places(&self) -> impl Iterator<Item = PlaceIdx> + '_ {
        self.inputs.iter().chain(&self.outputs).chain(&self.inhibitors).map(|arc| arc.0)
    }

    /// By how much it changes each place; those that it leaves as they are are left out.
    pub fn effect(&self) -> Vec<(PlaceIdx, i64)> {
        let mut changes: Vec<(PlaceIdx, i64)> = Vec::with_capacity(self.inputs.len() + self.outputs.len());
        changes.extend(self.inputs.iter().map(|&(place, weight)| (place, -i64::from(weight))));
        changes.extend(self.outputs.iter().map(|&(place, weight)| (place, i64::from(weight))));
        changes.sort_unstable_by_key(|change| change.0);
        changes.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        changes.retain(|change| change.1 != 0);
        changes
    }
}

/// A net while it is reduced: places and transitions that are gone leave a gap.
#[derive(Debug)]
pub struct Work {
    /// The tokens of the places that are still there.
    pub tokens: Vec<Option<u32>>,
    pub is_protected: Vec<bool>,
    pub transitions: Vec<Option<WorkTransition>>,
    pub sequences: Sequences,
    /// What was fired to get to the initial marking, one after the other.
    pub initially: Vec<SeqIdx>,
    applied: Vec<(Rule, usize)>,
}

/// The transitions around each place.
#[derive(Debug)]
pub struct Neighbours {
    pub consumers: Vec<Vec<u32>>,
    pub producers: Vec<Vec<u32>>,
    pub inhibited: Vec<Vec<u32>>,
}

/// The weight of an arc with a place; zero where there is none.
pub fn weight(arcs: &[(PlaceIdx, u32)], place: PlaceIdx) -> u32 {
    arcs.binary_search_by_key(&place, |arc| arc.0).map_or(0, |at| arcs[at].1)
}

/// The sum of two lists of arcs, the second one some times; none beyond 32 bits.
pub fn summed(
    one: &[(PlaceIdx, u32)],
    other: &[(PlaceIdx, u32)],
    times: u32,
) -> Option<Vec<(PlaceIdx, u32)>> {
    let mut sum = one.to_vec();
    for &(place, weight) in other {
        let more = weight.checked_mul(times)?;
        match sum.binary_search_by_key(&place, |arc| arc.0) {
            Ok(at) => sum[at].1 = sum[at].1.checked_add(more)?,
            Err(at) => sum.insert(at, (place, more)),
        }
    }
    Some(sum)
}

impl Work {
    pub fn new(net: &PlainNet, protected: &[PlaceIdx]) -> Work {
        let mut is_protected = vec![false; net.places.len()];
        protected.iter().for_each(|place| is_protected[place.index()] = true);
        let transitions = net.transitions.iter().enumerate().map(|(t, transition)| {
            Some(WorkTransition {
                inputs: transition.inputs.clone(),
                outputs: transition.outputs.clone(),
                inhibitors: transition.inhibitors.clone(),
                sequence: SeqIdx::new(t),
            })
        });
        Work {
            tokens: net.places.iter().map(|place| Some(place.tokens)).collect(),
            is_protected,
            transitions: transitions.collect(),
            sequences: Sequences::new(net.transitions.len()),
            initially: Vec::new(),
            applied: Vec::new(),
        }
    }

    /// The places that are still there, with their tokens.
    pub fn places(&self) -> impl Iterator<Item = (PlaceIdx, u32)> + '_ {
        let places = self.tokens.iter().enumerate();
        places.filter_map(|(place, tokens)| Some((PlaceIdx::new(place), (*tokens)?)))
    }

    /// The transitions that are still there, by their numbers.
    pub fn living(&self) -> impl Iterator<Item = (u32, &WorkTransition)> {
        let transitions = (0..).zip(&self.transitions);
        transitions.filter_map(|(number, transition)| Some((number, transition.as_ref()?)))
    }

    /// Takes note of a rule's application.
    pub fn note(&mut self, rule: Rule) {
        match self.applied.iter_mut().find(|(other, _)| *other == rule) {
            Some((_, n)) => *n += 1,
            None => self.applied.push((rule, 1)),
        }
    }

    /// How often rules were applied.
    pub fn n_applied(&self) -> usize {
        self.applied.iter().map(|(_, n)| n).sum()
    }

    /// Takes places away together with their arcs.
    pub fn remove_places(&mut self, is_removed: impl Fn(PlaceIdx) -> bool) {
        for (place, tokens) in self.tokens.iter_mut().enumerate() {
            if is_removed(PlaceIdx::new(place)) {
                *tokens = None;
            }
        }
        for transition in self.transitions.iter_mut().flatten() {
            for arcs in [&mut transition.inputs, &mut transition.outputs, &mut transition.inhibitors] {
                arcs.retain(|arc| !is_removed(arc.0));
            }
        }
    }

    /// The transitions around each place, as they are now.
    pub fn neighbours(&self) -> Neighbours {
        let empty = || vec![Vec::new(); self.tokens.len()];
        let mut neighbours = Neighbours { consumers: empty(), producers: empty(), inhibited: empty() };
        for (number, transition) in self.living() {
            transition.inputs.iter().for_each(|arc| neighbours.consumers[arc.0.index()].push(number));
            transition.outputs.iter().for_each(|arc| neighbours.producers[arc.0.index()].push(number));
            transition.inhibitors.iter().for_each(|arc| neighbours.inhibited[arc.0.index()].push(number));
        }
        neighbours
    }

    /// The reduced net and the way back.
    pub fn finish(mut self, original: &PlainNet) -> Reduction {
        let mut n_places = 0;
        let places: Vec<Option<PlaceIdx>> = self
            .tokens
            .iter()
            .map(|tokens| {
                tokens.map(|_| {
                    n_places += 1;
                    PlaceIdx::new(n_places - 1)
                })
            })
            .collect();
        let kept = self.tokens.iter().zip(&original.places);
        let kept =
            kept.filter_map(|(tokens, place)| Some(PlainPlace { tokens: (*tokens)?, ..place.clone() }));
        let renumbered = |arcs: &[(PlaceIdx, u32)]| -> Vec<(PlaceIdx, u32)> {
            arcs.iter().filter_map(|&(place, weight)| Some((places[place.index()]?, weight))).collect()
        };
        let living: Vec<WorkTransition> = self.transitions.drain(..).flatten().collect();
        let name = |sequence: SeqIdx| {
            let (first, last) = self.sequences.ends(sequence);
            let name = |transition: crate::TransIdx| &original.transitions[transition.index()].name;
            match self.sequences.single(sequence) {
                Some(transition) => name(transition).clone(),
                None => format!("{}+{}", name(first), name(last)),
            }
        };
        let transitions = living.iter().map(|transition| PlainTransition {
            id: self
                .sequences
                .single(transition.sequence)
                .and_then(|single| original.transitions[single.index()].id.clone()),
            name: name(transition.sequence),
            inputs: renumbered(&transition.inputs),
            outputs: renumbered(&transition.outputs),
            inhibitors: renumbered(&transition.inhibitors),
        });
        let net = PlainNet {
            name: original.name.clone(),
            places: kept.collect(),
            transitions: transitions.collect(),
            nupn: None,
        };
        self.applied.sort_unstable();
        Reduction {
            net,
            applied: self.applied,
            places,
            transitions: living.iter().map(|transition| transition.sequence).collect(),
            sequences: self.sequences,
            initially: self.initially,
        }
    }
}
