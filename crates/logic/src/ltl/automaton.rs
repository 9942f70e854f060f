//! Büchi automata with labels and marks on edges.
//!
//! A run takes an edge in each state of the word, one whose label holds there. It is accepting if it takes edges with
//! each of the marks infinitely often; with no marks at all, every endless run is. This is *transition-based generalised*
//! acceptance; an ordinary Büchi automaton has one mark, on all edges of its accepting states.

use super::label::Label;
use crate::AtomId;

petite_bits::typed_index! {
    /// A state of an automaton.
    pub struct AutomatonState;
}

/// A set of marks, one bit each.
pub type Marks = u64;

/// An edge of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AutomatonEdge {
    /// Where it leads.
    pub to: AutomatonState,
    /// What must hold in the present state of the word.
    pub label: Label,
    /// Its marks.
    pub marks: Marks,
}

/// A Büchi automaton. State 0 is initial. One without states accepts nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The atoms that labels speak of.
    pub atoms: Vec<AtomId>,
    /// Number of marks.
    pub n_marks: u32,
    /// The edges of each state.
    pub edges: Vec<Vec<AutomatonEdge>>,
}

/// How much an emptiness check has to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Whatever reaches an accepting component is accepted: reachability decides.
    Terminal,
    /// In each component all cycles are accepting, or none: any cycle in an accepting one decides.
    Weak,
    /// A cycle has to be looked at for its marks.
    General,
}

impl Automaton {
    /// The automaton that accepts nothing.
    pub fn empty() -> Automaton {
        Automaton { atoms: Vec::new(), n_marks: 0, edges: Vec::new() }
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    /// Number of edges.
    pub fn n_edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// All marks.
    pub fn all_marks(&self) -> Marks {
        petite_bits::low_bits(self.n_marks)
    }

    /// The states from which every word is accepted, as far as the edges tell: those with an edge to themselves that
    /// is always possible and has all marks.
    pub fn accepting_sinks(&self) -> Vec<bool> {
        let all = self.all_marks();
        let is_sink = |(state, edges): (usize, &Vec<AutomatonEdge>)| {
            edges
                .iter()
                .any(|edge| edge.to.index() == state && edge.label == Label::TRUE && edge.marks & all == all)
        };
        self.edges.iter().enumerate().map(is_sink).collect()
    }

    /// How hard its emptiness is to check.
    pub fn strength(&self) -> Strength {
        let components = Components::of(self);
        let sinks = self.accepting_sinks();
        let in_accepting = |state: usize| components.is_accepting[components.of_state[state] as usize];
        if (0..self.n_states()).all(|state| !in_accepting(state) || sinks[state]) {
            return Strength::Terminal;
        }
        // A component is surely weak where all its inner edges have all marks.
        let all = self.all_marks();
        let is_weak = |(state, edges): (usize, &Vec<AutomatonEdge>)| {
            let inner =
                |edge: &&AutomatonEdge| components.of_state[edge.to.index()] == components.of_state[state];
            !in_accepting(state) || edges.iter().filter(inner).all(|edge| edge.marks & all == all)
        };
        if self.edges.iter().enumerate().all(is_weak) { Strength::Weak } else { Strength::General }
    }
}

/// The strongly connected components of an automaton.
#[derive(Debug)]
pub struct Components {
    /// The component of each state; an edge never leads to a component with a higher number.
    pub of_state: Vec<u32>,
    /// Whether there is an accepting cycle in each component.
    pub is_accepting: Vec<bool>,
}

impl Components {
    /// Finds them by Tarjan's algorithm.
    pub fn of(automaton: &Automaton) -> Components {
        const NONE: u32 = u32::MAX;
        let n = automaton.n_states();
        let (mut number, mut low, mut of_state) = (vec![NONE; n], vec![0u32; n], vec![NONE; n]);
        let (mut open, mut path) = (Vec::new(), Vec::new());
        let (mut next_number, mut n_components) = (0, 0);
        for root in 0..n {
            if number[root] != NONE {
                continue;
            }
            path.push((root, 0));
            while let Some(&mut (state, ref mut at)) = path.last_mut() {
                if *at == 0 {
                    (number[state], low[state]) = (next_number, next_number);
                    next_number += 1;
                    open.push(state);
                }
                if let Some(edge) = automaton.edges[state].get(*at) {
                    *at += 1;
                    let to = edge.to.index();
                    if number[to] == NONE {
                        path.push((to, 0));
                    } else if of_state[to] == NONE {
                        low[state] = low[state].min(number[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(below, _)) = path.last() {
                    low[below] = low[below].min(low[state]);
                }
                if low[state] == number[state] {
                    while let Some(member) = open.pop() {
                        of_state[member] = n_components;
                        if member == state {
                            break;
                        }
                    }
                    n_components += 1;
                }
            }
        }
        let mut marks = vec![None; n_components as usize];
        for (state, edges) in automaton.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| of_state[edge.to.index()] == of_state[state]) {
                *marks[of_state[state] as usize].get_or_insert(0) |= edge.marks;
            }
        }
        let all = automaton.all_marks();
        let is_accepting = marks.iter().map(|marks| marks.is_some_and(|marks| marks & all == all)).collect();
        Components { of_state, is_accepting }
    }
}
