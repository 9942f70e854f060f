//! Small random nets, their reachability graphs by a naive search, and atoms on them.

use std::collections::HashMap;
use std::rc::Rc;

use petite_logic::{AtomId, Atoms};
use petite_model::{Engine, EngineChoice, GroupIdx, Model, UnfoldedNet, compile};
use petite_net::{PlaceIdx, PlainNet, PlainPlace, PlainTransition, RunError};

use super::Random;

/// A random net of a few places and transitions; it may be unbounded.
pub fn random_net(random: &mut Random, n_places: u64, n_transitions: u64) -> PlainNet {
    let n_places = 1 + random.below(n_places);
    let places = (0..n_places).map(|p| PlainPlace {
        id: None,
        name: format!("p{p}"),
        tokens: if random.below(3) == 0 { 1 + random.below(2) as u32 } else { 0 },
    });
    let places: Vec<_> = places.collect();
    let arcs = |random: &mut Random, most: u64| {
        let mut arcs: Vec<(PlaceIdx, u32)> = (0..random.below(most))
            .map(|_| (PlaceIdx(random.below(n_places) as u32), if random.below(6) == 0 { 2 } else { 1 }))
            .collect();
        arcs.sort_unstable();
        arcs.dedup_by_key(|arc| arc.0);
        arcs
    };
    let transitions = (0..1 + random.below(n_transitions)).map(|t| PlainTransition {
        id: None,
        name: format!("t{t}"),
        inputs: arcs(random, 4),
        outputs: arcs(random, 3),
        inhibitors: if random.below(12) == 0 { arcs(random, 2) } else { Vec::new() },
    });
    let transitions = transitions.collect();
    PlainNet { name: "random".into(), places, transitions, nupn: None }
}

/// A random net that always has the same number of tokens, so that most of its runs are endless.
pub fn random_steady_net(random: &mut Random, n_places: u64, n_transitions: u64) -> PlainNet {
    let n_places = 2 + random.below(n_places - 1);
    let mut places: Vec<_> =
        (0..n_places).map(|p| PlainPlace { id: None, name: format!("p{p}"), tokens: 0 }).collect();
    for _ in 0..1 + random.below(2) {
        places[random.below(n_places) as usize].tokens += 1;
    }
    let place = |random: &mut Random| PlaceIdx(random.below(n_places) as u32);
    let transitions = (0..2 + random.below(n_transitions)).map(|t| {
        let mut transition = PlainTransition { name: format!("t{t}"), ..PlainTransition::default() };
        if random.below(4) == 0 {
            // Two places each, one above the other.
            let pair = |random: &mut Random| {
                let first = random.below(n_places - 1) as u32;
                vec![(PlaceIdx(first), 1), (PlaceIdx(first + 1), 1)]
            };
            (transition.inputs, transition.outputs) = (pair(random), pair(random));
        } else {
            (transition.inputs, transition.outputs) = (vec![(place(random), 1)], vec![(place(random), 1)]);
        }
        transition
    });
    let transitions = transitions.collect();
    PlainNet { name: "steady".into(), places, transitions, nupn: None }
}

/// A random net of a few processes with a token each, which take steps alone or together and share resources; now and
/// then one comes to its end. It is bounded.
pub fn random_process_net(random: &mut Random, n_processes: u64) -> PlainNet {
    let mut net = PlainNet { name: "processes".into(), ..PlainNet::default() };
    let mut place = |tokens: u64| {
        let name = format!("p{}", net.places.len());
        net.places.push(PlainPlace { id: None, name, tokens: tokens as u32 });
        PlaceIdx::new(net.places.len() - 1)
    };
    let processes: Vec<Vec<PlaceIdx>> = (0..1 + random.below(n_processes))
        .map(|_| (0..2 + random.below(4)).map(|at| place(u64::from(at == 0))).collect())
        .collect();
    // A resource and what is left of it, so that giving it back is bounded.
    let resources: Vec<(PlaceIdx, PlaceIdx)> =
        (0..random.below(3)).map(|_| (place(1 + random.below(2)), place(random.below(2)))).collect();
    let mut transitions = Vec::new();
    for own in &processes {
        for at in 0..own.len() {
            for _ in 0..1 + u64::from(random.below(3) == 0) {
                if random.below(8) == 0 {
                    continue;
                }
                let to = if random.below(3) == 0 {
                    random.below(own.len() as u64) as usize
                } else {
                    (at + 1) % own.len()
                };
                let (mut inputs, mut outputs) = (vec![(own[at], 1)], vec![(own[to], 1)]);
                if random.below(3) == 0 {
                    // Another process steps along.
                    let other = &processes[random.below(processes.len() as u64) as usize];
                    if other[0] != own[0] {
                        inputs.push((other[random.below(other.len() as u64) as usize], 1));
                        outputs.push((other[random.below(other.len() as u64) as usize], 1));
                    }
                }
                if !resources.is_empty() && random.below(3) == 0 {
                    let (free, used) = resources[random.below(resources.len() as u64) as usize];
                    let (from, to) = if random.flip() { (free, used) } else { (used, free) };
                    inputs.push((from, 1));
                    outputs.push((to, 1));
                }
                inputs.sort_unstable();
                outputs.sort_unstable();
                let name = format!("t{}", transitions.len());
                transitions.push(PlainTransition { name, inputs, outputs, ..PlainTransition::default() });
            }
        }
    }
    net.transitions = transitions;
    net
}

/// A random net of one kind or another.
pub fn random_mixed_net(random: &mut Random) -> PlainNet {
    match random.below(4) {
        0 => random_net(random, 7, 7),
        1 => random_steady_net(random, 6, 6),
        _ => random_process_net(random, 3),
    }
}

/// A reachability graph.
pub struct Graph {
    pub markings: Vec<Vec<u32>>,
    /// The steps from each marking: transition and target. Dead markings have none.
    pub steps: Vec<Vec<(usize, usize)>>,
}

/// The marking after a transition, if it is enabled.
pub fn fire(net: &PlainNet, marking: &[u32], transition: usize) -> Option<Vec<u32>> {
    let transition = &net.transitions[transition];
    let mut next = marking.to_vec();
    if transition.inhibitors.iter().any(|(place, weight)| marking[place.index()] >= *weight) {
        return None;
    }
    for (place, weight) in &transition.inputs {
        next[place.index()] = next[place.index()].checked_sub(*weight)?;
    }
    transition.outputs.iter().for_each(|(place, weight)| next[place.index()] += weight);
    Some(next)
}

impl Graph {
    /// The reachability graph of a net; none where it has more than so many markings.
    pub fn of(net: &PlainNet, most: usize) -> Option<Graph> {
        let initial: Vec<u32> = net.places.iter().map(|place| place.tokens).collect();
        let mut known = HashMap::from([(initial.clone(), 0)]);
        let mut graph = Graph { markings: vec![initial], steps: Vec::new() };
        while graph.steps.len() < graph.markings.len() {
            let marking = graph.markings[graph.steps.len()].clone();
            let mut steps = Vec::new();
            for transition in 0..net.transitions.len() {
                let Some(next) = fire(net, &marking, transition) else { continue };
                let new = graph.markings.len();
                let to = *known.entry(next.clone()).or_insert(new);
                if to == new {
                    graph.markings.push(next);
                }
                steps.push((transition, to));
            }
            graph.steps.push(steps);
            if graph.markings.len() > most {
                return None;
            }
        }
        Some(graph)
    }

    /// The targets of a marking's steps; a dead one leads to itself.
    pub fn successors(&self, marking: usize) -> Vec<usize> {
        let steps = &self.steps[marking];
        if steps.is_empty() { vec![marking] } else { steps.iter().map(|step| step.1).collect() }
    }
}

/// The engine of a plain net. It leaves out transitions that can never fire.
pub fn engine(net: &PlainNet) -> UnfoldedNet {
    match compile(&Rc::new(net.to_net()), EngineChoice::Unfolded).unwrap() {
        Engine::Unfolded(engine) => *engine,
        Engine::Binding(_) => panic!("the unfolded engine was asked for"),
    }
}

/// Atoms: place number `i` has at least so many tokens.
pub struct AtLeast(pub Vec<(usize, u32)>);

impl AtLeast {
    pub fn random(random: &mut Random, net: &PlainNet, n: usize) -> AtLeast {
        let place = |random: &mut Random| random.below(net.places.len() as u64) as usize;
        AtLeast((0..n).map(|_| (place(random), 1 + random.below(2) as u32)).collect())
    }

    /// The atoms that hold in a marking, one bit each.
    pub fn letter(&self, marking: &[u32]) -> u64 {
        let bits =
            self.0.iter().enumerate().map(|(i, &(place, least))| u64::from(marking[place] >= least) << i);
        bits.fold(0, |all, bit| all | bit)
    }
}

impl<M: Model> Atoms<M> for AtLeast {
    fn n_atoms(&self) -> usize {
        self.0.len()
    }

    fn holds(&mut self, model: &mut M, words: &[u64], atom: AtomId) -> Result<bool, RunError> {
        let (place, least) = self.0[atom.index()];
        // A place that is never marked has no slot.
        let slot = model.layout().slots_of(GroupIdx::new(place)).next();
        Ok(slot.is_some_and(|slot| model.packing().get(words, slot) >= least))
    }
}
