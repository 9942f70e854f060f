//! From many marks to one, and from edges to states.
//!
//! The classical Büchi automaton has accepting states. A copy of the automaton for each number of marks that were seen in
//! turn says which one is waited for; the state is accepting when all were seen, and the next edge starts anew (Gastin
//! and Oddoux 2001, section 4). An edge that has the next marks as well goes up several levels at once. Where a component
//! is entered nothing has been seen, but any level is right, since only what comes again and again counts; both the
//! lowest and the highest are tried, and the marks in both directions. Only the sizes that other tools tell need
//! this form: the product search works with marks as they are.

use std::collections::HashMap;

use super::automaton::{Automaton, AutomatonEdge, AutomatonState, Components};
use super::reduce;

/// An automaton for the same language with one mark, which all edges of a state have or none, made small.
pub fn degeneralised(automaton: &Automaton) -> Automaton {
    if automaton.n_states() == 0 {
        return automaton.clone();
    }
    let ascending: Vec<u32> = (0..automaton.n_marks).collect();
    let descending: Vec<u32> = ascending.iter().rev().copied().collect();
    let mut best = levelled(automaton, &ascending, automaton.n_marks);
    for (order, entry) in [(&ascending, 0), (&descending, automaton.n_marks), (&descending, 0)] {
        let other = levelled(automaton, order, entry);
        if (other.n_states(), other.n_edges()) < (best.n_states(), best.n_edges()) {
            best = other;
        }
    }
    best
}

/// The same with marks waited for in this order, and accepting components entered on this level.
fn levelled(automaton: &Automaton, order: &[u32], entry: u32) -> Automaton {
    let components = Components::of(automaton);
    let top = automaton.n_marks;
    let component = |state: AutomatonState| components.of_state[state.index()];
    // Rejecting components have no levels.
    let entered =
        |state: AutomatonState| if components.is_accepting[component(state) as usize] { entry } else { 0 };
    let is_accepting = |state: AutomatonState, level: u32| {
        level == top && components.is_accepting[component(state) as usize]
    };
    let initial = AutomatonState(0);
    let mut states = vec![(initial, entered(initial))];
    let mut number: HashMap<(AutomatonState, u32), AutomatonState> = HashMap::from([(states[0], initial)]);
    let mut edges: Vec<Vec<AutomatonEdge>> = Vec::new();
    while let Some(&(state, level)) = states.get(edges.len()) {
        let mut found = Vec::new();
        for edge in &automaton.edges[state.index()] {
            let reached = if component(edge.to) != component(state) {
                entered(edge.to)
            } else if components.is_accepting[component(state) as usize] {
                let from = if level == top { 0 } else { level };
                let has_next = |&&mark: &&u32| edge.marks >> mark & 1 == 1;
                from + order[from as usize..].iter().take_while(has_next).count() as u32
            } else {
                0
            };
            let key = (edge.to, reached);
            let to = *number.entry(key).or_insert_with(|| {
                states.push(key);
                AutomatonState::new(states.len() - 1)
            });
            let marks = u64::from(is_accepting(state, level));
            found.push(AutomatonEdge { to, label: edge.label, marks });
        }
        found.sort_unstable();
        edges.push(found);
    }
    reduce::reduced_states(Automaton { atoms: automaton.atoms.clone(), n_marks: 1, edges })
}
