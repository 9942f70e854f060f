//! Making automata smaller.
//!
//! Four steps are repeated until none of them finds anything:
//!
//! 1. *Pruning*: states that no accepting cycle can be reached from, or that cannot be reached, are dropped, and marks
//!    outside accepting components, where they mean nothing.
//! 2. *Marks*: one that is on every edge where another one is says nothing of its own. One that is on all edges in
//!    accepting components says nothing at all.
//! 3. *Simulation*: a state simulates another one if each edge of that one has a counterpart with a weaker label, at least
//!    the same marks, and a target that simulates its target. States that simulate each other are one; an edge
//!    with a counterpart in the same state is dropped (Etessami and Holzmann 2000; Somenzi and Bloem 2000).
//! 4. *Labels*: parallel edges whose labels differ in the sign of one atom are one.
//!
//! **Cost.** The simulation compares pairs of edges of all pairs of states, as often as there are pairs to refute in the
//! worst case. Beyond [`MOST_SIMULATED`] edges only states with equal edges are merged.

use std::time::Instant;

use std::collections::HashMap;

use super::automaton::{Automaton, AutomatonEdge, AutomatonState, Components, Marks};

/// Edges of automata that are simulated: the square of their number is compared several times.
const MOST_SIMULATED: usize = 2000;

/// Edges of one state whose labels are merged, for the same reason.
const MOST_MERGED: usize = 200;

/// The smallest automaton for the same language that is found until the deadline; its first state is initial.
pub fn reduced(automaton: Automaton, deadline: Option<Instant>) -> Automaton {
    repeat(automaton, Acceptance::OnEdges, deadline)
}

/// The same for an automaton with one mark, which all edges of a state have or none; it keeps that form.
pub fn reduced_states(automaton: Automaton) -> Automaton {
    repeat(automaton, Acceptance::OnStates, None)
}

/// Where marks are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Acceptance {
    OnEdges,
    OnStates,
}

fn repeat(mut automaton: Automaton, acceptance: Acceptance, deadline: Option<Instant>) -> Automaton {
    loop {
        let size = (automaton.n_states(), automaton.n_edges(), automaton.n_marks);
        automaton = pruned(automaton, acceptance);
        if acceptance == Acceptance::OnEdges {
            automaton = without_idle_marks(automaton);
        }
        automaton = if automaton.n_edges() <= MOST_SIMULATED {
            simulated(automaton, acceptance)
        } else {
            merge_equal(automaton)
        };
        automaton.edges.iter_mut().for_each(merge_labels);
        let is_late = deadline.is_some_and(|deadline| deadline <= Instant::now());
        if is_late || size == (automaton.n_states(), automaton.n_edges(), automaton.n_marks) {
            return automaton;
        }
    }
}

/// Keeps the states that are reachable and from which an accepting cycle is, and the marks of accepting components.
fn pruned(mut automaton: Automaton, acceptance: Acceptance) -> Automaton {
    if automaton.n_states() == 0 {
        return automaton;
    }
    let components = Components::of(&automaton);
    let n_components = components.is_accepting.len();
    // Components are numbered from the ends of all paths on.
    let mut is_useful = components.is_accepting.clone();
    let mut order: Vec<usize> = (0..automaton.n_states()).collect();
    order.sort_by_key(|&state| components.of_state[state]);
    for &state in &order {
        let own = components.of_state[state] as usize;
        let leads_on = |edge: &AutomatonEdge| is_useful[components.of_state[edge.to.index()] as usize];
        is_useful[own] = is_useful[own] || automaton.edges[state].iter().any(leads_on);
    }
    debug_assert_eq!(is_useful.len(), n_components);
    for (state, edges) in automaton.edges.iter_mut().enumerate() {
        let own = components.of_state[state];
        edges.retain(|edge| is_useful[components.of_state[edge.to.index()] as usize]);
        for edge in edges {
            let is_inner = acceptance == Acceptance::OnStates || components.of_state[edge.to.index()] == own;
            if !is_inner || !components.is_accepting[own as usize] {
                edge.marks = 0;
            }
        }
    }
    reachable(automaton)
}

/// Keeps the states that are reachable, in the order in which they are met.
fn reachable(automaton: Automaton) -> Automaton {
    let mut number = vec![None; automaton.n_states()];
    let mut order = vec![0];
    number[0] = Some(AutomatonState(0));
    let mut edges: Vec<Vec<AutomatonEdge>> = Vec::new();
    while let Some(&state) = order.get(edges.len()) {
        let renumbered = automaton.edges[state].iter().map(|edge| {
            let to = *number[edge.to.index()].get_or_insert_with(|| {
                order.push(edge.to.index());
                AutomatonState::new(order.len() - 1)
            });
            AutomatonEdge { to, ..*edge }
        });
        edges.push(renumbered.collect());
    }
    if edges.len() == 1 && edges[0].is_empty() {
        return Automaton { edges: Vec::new(), n_marks: 0, ..automaton };
    }
    Automaton { edges, ..automaton }
}

/// Drops marks that say nothing of their own.
fn without_idle_marks(mut automaton: Automaton) -> Automaton {
    let components = Components::of(&automaton);
    // The marks of edges inside of accepting components, and whether there are cycles elsewhere.
    let (mut inner, mut has_rejecting_cycle): (Vec<Marks>, bool) = (Vec::new(), false);
    for (state, edges) in automaton.edges.iter().enumerate() {
        let own = components.of_state[state];
        let is_inner = |edge: &&AutomatonEdge| components.of_state[edge.to.index()] == own;
        let mut marks = edges.iter().filter(is_inner).map(|edge| edge.marks);
        if components.is_accepting[own as usize] {
            inner.extend(marks);
        } else {
            has_rejecting_cycle |= marks.next().is_some();
        }
    }
    let mut kept: Vec<u32> = (0..automaton.n_marks).collect();
    let has = |marks: &Marks, mark: u32| marks >> mark & 1 == 1;
    let mut at = 0;
    while let Some(&mark) = kept.get(at) {
        let follows = |other: u32| inner.iter().all(|marks| !has(marks, other) || has(marks, mark));
        let is_idle = kept.iter().any(|&other| other != mark && follows(other))
            // The last one tells accepting components from others.
            || !has_rejecting_cycle && inner.iter().all(|marks| has(marks, mark));
        if is_idle {
            kept.remove(at);
        } else {
            at += 1;
        }
    }
    for edge in automaton.edges.iter_mut().flatten() {
        let marks = edge.marks;
        let renumbered = kept.iter().enumerate().map(|(new, &old)| (marks >> old & 1) << new);
        edge.marks = renumbered.fold(0, |all, bit| all | bit);
    }
    automaton.n_marks = kept.len() as u32;
    automaton
}

/// Merges states that simulate each other and drops edges that have a better counterpart.
fn simulated(automaton: Automaton, acceptance: Acceptance) -> Automaton {
    let n = automaton.n_states();
    if n == 0 {
        return automaton;
    }
    // `simulates[a * n + b]`: state a can do whatever b can.
    let marks_of = |state: usize| automaton.edges[state].first().map_or(0, |edge| edge.marks);
    let mut simulates: Vec<bool> = (0..n * n)
        .map(|pair| acceptance == Acceptance::OnEdges || marks_of(pair % n) & !marks_of(pair / n) == 0)
        .collect();
    let is_counterpart = |simulates: &[bool], better: &AutomatonEdge, edge: &AutomatonEdge| {
        edge.label.implies(better.label)
            && edge.marks & !better.marks == 0
            && simulates[better.to.index() * n + edge.to.index()]
    };
    let mut changed = true;
    while changed {
        changed = false;
        for a in 0..n {
            for b in (0..n).filter(|&b| b != a) {
                if !simulates[a * n + b] {
                    continue;
                }
                let is_matched = automaton.edges[b].iter().all(|edge| {
                    automaton.edges[a].iter().any(|better| is_counterpart(&simulates, better, edge))
                });
                if !is_matched {
                    simulates[a * n + b] = false;
                    changed = true;
                }
            }
        }
    }
    let first_like = |state: usize| {
        let is_like = |&other: &usize| simulates[other * n + state] && simulates[state * n + other];
        (0..state).find(is_like).unwrap_or(state)
    };
    let class: Vec<usize> = (0..n).map(first_like).collect();
    let mut edges = automaton.edges.clone();
    for edge in edges.iter_mut().flatten() {
        edge.to = AutomatonState::new(class[edge.to.index()]);
    }
    for own in &mut edges {
        own.sort_unstable();
        own.dedup();
        let all = own.clone();
        let mut is_dropped = vec![false; all.len()];
        for i in 0..all.len() {
            let better = |j: usize| {
                // Of two that are counterparts of each other, the first stays.
                j != i
                    && !is_dropped[j]
                    && is_counterpart(&simulates, &all[j], &all[i])
                    && (j < i || !is_counterpart(&simulates, &all[i], &all[j]))
            };
            is_dropped[i] = (0..all.len()).any(better);
        }
        let mut at = 0;
        own.retain(|_| {
            at += 1;
            !is_dropped[at - 1]
        });
    }
    reachable(Automaton { edges, ..automaton })
}

/// Merges states with equal edges.
fn merge_equal(automaton: Automaton) -> Automaton {
    if automaton.n_states() == 0 {
        return automaton;
    }
    let mut first: HashMap<&[AutomatonEdge], usize> = HashMap::new();
    let class: Vec<usize> = automaton
        .edges
        .iter()
        .enumerate()
        .map(|(state, edges)| *first.entry(edges.as_slice()).or_insert(state))
        .collect();
    let mut edges = automaton.edges.clone();
    for edge in edges.iter_mut().flatten() {
        edge.to = AutomatonState::new(class[edge.to.index()]);
    }
    for own in &mut edges {
        own.sort_unstable();
        own.dedup();
    }
    reachable(Automaton { edges, ..automaton })
}

/// Makes parallel edges one where a label can say so.
fn merge_labels(edges: &mut Vec<AutomatonEdge>) {
    if edges.len() > MOST_MERGED {
        return;
    }
    let mut at = 0;
    while at < edges.len() {
        let one = edges[at];
        let merged = (at + 1..edges.len()).find_map(|other| {
            let second = edges[other];
            let is_parallel = second.to == one.to && second.marks == one.marks;
            let label = is_parallel.then(|| one.label.union(second.label))??;
            Some((other, label))
        });
        match merged {
            Some((other, label)) => {
                edges.remove(other);
                edges[at].label = label;
                // The new label may fit to edges that were passed already.
                at = 0;
            }
            None => at += 1,
        }
    }
}
