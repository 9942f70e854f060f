//! States of the product and their edges.
//!
//! A node is a pair of a stored state and a state of the automaton, numbered in the order in which they are met. Its
//! edges are not kept: they are computed from the model and the automaton whenever they are needed.
//!
//! ```text
//!  marks of an edge   | automaton ... | weak sets ... | strong sets ... |
//!                       of its edge     fired, or       fired
//!                                       none enabled
//! ```
//!
//! A weak set is satisfied by a run that fires it again and again or has it disabled again and again: its mark is on the
//! edges that do so, and it is a mark like others. Strong sets need a second look; see [`super::streett`].

use petite_bits::{OutOfMemory, PairMap};
use petite_model::{ActionId, Model};
use petite_search::Ending;
use petite_store::{Lookup, StateId};

use super::fairness::FairSets;
use crate::Atoms;
use crate::expander::{Expander, Step, failure};
use crate::ltl::{Automaton, AutomatonState, Marks};

petite_bits::typed_index! {
    /// A state of the product.
    pub struct NodeId;
}

/// An edge of the product.
#[derive(Clone, Copy, Debug)]
pub struct ProductEdge {
    /// The action; none where a dead state repeats.
    pub action: Option<ActionId>,
    pub to: StateId,
    pub automaton_to: AutomatonState,
    pub marks: Marks,
}

/// The product of a model and an automaton, as far as it is known.
pub struct Product<'a, M, S, A, F> {
    pub expander: Expander<'a, M, S>,
    atoms: &'a mut A,
    pub automaton: &'a Automaton,
    fairness: &'a mut F,
    pub nodes: PairMap,
    /// The atoms that the labels of each automaton state's edges speak of.
    asked: Vec<u64>,
    steps: Vec<Step>,
    /// The edges of the node that was expanded last.
    pub edges: Vec<ProductEdge>,
    /// The strong sets that are enabled there, as the marks of firing them.
    pub enabled: Marks,
    n_weak: u32,
    n_strong: u32,
}

impl<'a, M: Model, S: Lookup<M>, A: Atoms<M>, F: FairSets<M>> Product<'a, M, S, A, F> {
    pub fn new(
        expander: Expander<'a, M, S>,
        atoms: &'a mut A,
        automaton: &'a Automaton,
        fairness: &'a mut F,
    ) -> Self {
        let asked = |edges: &Vec<crate::ltl::AutomatonEdge>| {
            edges.iter().fold(0, |all, edge| all | edge.label.positive | edge.label.negative)
        };
        Product {
            expander,
            atoms,
            asked: automaton.edges.iter().map(asked).collect(),
            automaton,
            n_weak: fairness.n_weak(),
            n_strong: fairness.n_strong(),
            fairness,
            nodes: PairMap::new(),
            steps: Vec::new(),
            edges: Vec::new(),
            enabled: 0,
        }
    }

    /// Whether there are assumptions on fairness.
    pub fn is_fair(&self) -> bool {
        self.n_weak + self.n_strong > 0
    }

    /// Whether some of them are strong.
    pub fn is_strong(&self) -> bool {
        self.n_strong > 0
    }

    /// The marks of the automaton and of weak fairness: those that a cycle must have.
    pub fn required(&self) -> Marks {
        petite_bits::low_bits(self.automaton.n_marks + self.n_weak)
    }

    /// The node of a pair, which is new if its number is the number of nodes before.
    pub fn node(&mut self, state: StateId, automaton_state: AutomatonState) -> Result<NodeId, OutOfMemory> {
        self.nodes.find_or_insert(state.0, automaton_state.0).map(NodeId)
    }

    /// Finds the edges of a node.
    pub fn expand(&mut self, node: NodeId) -> Result<(), Ending> {
        let (state, automaton_state) = self.nodes.pair(node.0);
        let state = StateId(state);
        self.edges.clear();
        self.expander.load(state);
        let mut holding = 0;
        let mut asked = self.asked[automaton_state as usize];
        while asked != 0 {
            let atom = asked.trailing_zeros();
            asked &= asked - 1;
            let holds = self.expander.holds(self.atoms, self.automaton.atoms[atom as usize])?;
            holding |= u64::from(holds) << atom;
        }
        let automaton_edges = &self.automaton.edges[automaton_state as usize];
        let is_possible = automaton_edges.iter().any(|edge| edge.label.holds(holding));
        if !is_possible {
            return Ok(());
        }
        self.expander.steps(state, &mut self.steps)?;
        let shift = self.automaton.n_marks;
        let weak = petite_bits::low_bits(self.n_weak) << shift;
        let mut enabled = 0;
        if self.is_fair() {
            for at in 0..self.expander.actions().len() {
                enabled |= self.sets_of(self.expander.actions()[at])? << shift;
            }
        }
        self.enabled = enabled & !weak & petite_bits::low_bits(shift + self.n_weak + self.n_strong);
        let n_edges = self.steps.len().max(1) * automaton_edges.len();
        self.edges.try_reserve(n_edges).map_err(|_| Ending::OutOfMemory)?;
        let idle = weak & !enabled;
        if self.steps.is_empty() {
            for edge in automaton_edges.iter().filter(|edge| edge.label.holds(holding)) {
                let marks = edge.marks | idle;
                self.edges.push(ProductEdge { action: None, to: state, automaton_to: edge.to, marks });
            }
        }
        for at in 0..self.steps.len() {
            let Step { action, to } = self.steps[at];
            let fired = if self.is_fair() { self.sets_of(action)? << shift } else { 0 };
            for edge in automaton_edges.iter().filter(|edge| edge.label.holds(holding)) {
                let marks = edge.marks | idle | fired;
                self.edges.push(ProductEdge { action: Some(action), to, automaton_to: edge.to, marks });
            }
        }
        Ok(())
    }

    /// The fairness sets of an action.
    fn sets_of(&mut self, action: ActionId) -> Result<u64, Ending> {
        let sets = self.fairness.sets_of(self.expander.model, action);
        sets.map_err(|error| failure(error, None, Some(action)))
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.steps.capacity() * size_of::<Step>()
            + self.edges.capacity() * size_of::<ProductEdge>()
    }
}
