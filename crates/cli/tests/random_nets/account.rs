//! What one side found, in the form in which both sides are compared: states by their texts, edges and dead states
//! by the positions of states in the order of texts.

use crate::describe::Net;
use crate::evaluate::Wrong;
use crate::naive::Explored;

/// The outcome of one exploration.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Explored(Account),
    /// It ended with an error of the model.
    Wrong(Wrong),
    /// It did not come to an outcome that the oracle knows.
    Refused(String),
}

/// A whole state space.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    pub counts: Counts,
    /// In ascending order.
    pub states: Vec<String>,
    /// From, transition, to, in ascending order.
    pub edges: Vec<(usize, String, usize)>,
    pub dead: Vec<usize>,
}

/// The numbers of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub states: u64,
    pub edges: u64,
    pub dead_states: u64,
    pub max_tokens_in_place: u64,
    pub max_tokens_total: u64,
}

impl Account {
    /// An account from states in any order and what refers to them by position.
    pub fn new(
        counts: Counts,
        states: &[String],
        edges: impl IntoIterator<Item = (usize, String, usize)>,
        dead: impl IntoIterator<Item = usize>,
    ) -> Account {
        let mut order: Vec<usize> = (0..states.len()).collect();
        order.sort_by_key(|&state| &states[state]);
        let mut ranks = vec![0; states.len()];
        for (rank, &state) in order.iter().enumerate() {
            ranks[state] = rank;
        }
        let edge = |(from, transition, to): (usize, String, usize)| (ranks[from], transition, ranks[to]);
        let mut edges: Vec<_> = edges.into_iter().map(edge).collect();
        edges.sort();
        let mut dead: Vec<usize> = dead.into_iter().map(|state| ranks[state]).collect();
        dead.sort_unstable();
        Account {
            counts,
            states: order.into_iter().map(|state| states[state].clone()).collect(),
            edges,
            dead,
        }
    }

    /// The oracle's account.
    pub fn of_oracle(net: &Net, found: &Explored) -> Account {
        let counts = Counts {
            states: found.states.len() as u64,
            edges: found.edges.len() as u64,
            dead_states: found.dead.len() as u64,
            max_tokens_in_place: found.max_tokens_in_place,
            max_tokens_total: found.max_tokens_total,
        };
        let states: Vec<String> = found
            .states
            .iter()
            .map(|state| net.show(&found.numbering.marking(state, net.places.len())))
            .collect();
        let edges = found.edges.iter().map(|&(from, transition, to)| (from, format!("t{transition}"), to));
        Account::new(counts, &states, edges, found.dead.iter().copied())
    }

    /// The first thing in which `other` differs, in words.
    pub fn difference(&self, other: &Account) -> Option<String> {
        if self == other {
            return None;
        }
        if let Some(state) = self.states.iter().find(|state| other.states.binary_search(state).is_err()) {
            return Some(format!("the state \"{state}\" is missing"));
        }
        if let Some(state) = other.states.iter().find(|state| self.states.binary_search(state).is_err()) {
            return Some(format!("the state \"{state}\" should not be there"));
        }
        let edge = |(from, transition, to): &(usize, String, usize)| {
            format!("\"{}\" -- {transition} -> \"{}\"", self.states[*from], self.states[*to])
        };
        let count =
            |edges: &[(usize, String, usize)], edge| edges.iter().filter(|other| *other == edge).count();
        for found in self.edges.iter().chain(&other.edges) {
            let (expected, got) = (count(&self.edges, found), count(&other.edges, found));
            if expected != got {
                return Some(format!("the edge {} is there {got} times, not {expected}", edge(found)));
            }
        }
        if self.dead != other.dead {
            return Some("other states are dead".to_owned());
        }
        Some("only the numbers of the report differ".to_owned())
    }
}
