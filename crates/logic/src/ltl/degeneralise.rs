//! From many marks to one, and from edges to states.
//!
//! The classical Büchi automaton has accepting states. A copy of the automaton for each number of marks that were seen in
//! turn says which one is waited for; the state is accepting when all were seen, and the next edge starts anew (Gastin
//! and Oddoux 2001, section 4). An edge that has the next marks as well goes up several levels at once. Between
//! components nothing has to be remembered. Only the sizes that other tools tell need this form: the product search
//! works with marks as they are.

use std::collections::HashMap;

use super::automaton::{Automaton, AutomatonEdge, AutomatonState, Components};
use super::reduce;

/// An automaton for the same language with one mark, which all edges of a state have or none, made small.
pub fn degeneralised(automaton: &Automaton) -> Automaton {
    if automaton.n_states() == 0 {
        return automaton.clone();
    }
    let components = Components::of(automaton);
    let n_marks = automaton.n_marks;
    let mut number: HashMap<(AutomatonState, u32), AutomatonState> = HashMap::new();
    let mut states = vec![(AutomatonState(0), 0)];
    number.insert(states[0], AutomatonState(0));
    let mut edges: Vec<Vec<AutomatonEdge>> = Vec::new();
    while let Some(&(state, level)) = states.get(edges.len()) {
        let own = components.of_state[state.index()];
        let is_accepting = level == n_marks;
        let mut found = Vec::new();
        for edge in &automaton.edges[state.index()] {
            let to_component = components.of_state[edge.to.index()];
            let mut reached = if is_accepting { 0 } else { level };
            if to_component != own || !components.is_accepting[own as usize] {
                reached = 0;
            } else {
                while reached < n_marks && edge.marks >> reached & 1 == 1 {
                    reached += 1;
                }
            }
            let key = (edge.to, reached);
            let to = *number.entry(key).or_insert_with(|| {
                states.push(key);
                AutomatonState::new(states.len() - 1)
            });
            found.push(AutomatonEdge { to, label: edge.label, marks: u64::from(is_accepting) });
        }
        found.sort_unstable();
        edges.push(found);
    }
    reduce::reduced_states(Automaton { atoms: automaton.atoms.clone(), n_marks: 1, edges })
}
