//! Which transitions can happen, and which can always happen again.
//!
//! A transition is *dead* when it labels no edge, *quasi-live* when it labels one, and *live* when from every node a node can
//! be reached where it is enabled. Every node leads into a terminal component and none leads out of one, so a transition
//! is live exactly when each terminal component has an edge with it.

use std::ops::ControlFlow;

use petite_bits::OutOfMemory;
use petite_model::Model;

use crate::{Components, Graph, GraphEdge, Labels, NodeId, NodeSet, WalkError, Walker};

/// How far a transition can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// Never.
    Dead,
    /// Somewhere, but not always again.
    QuasiLive,
    /// Always again.
    Live,
}

/// What is found of each transition of the net, with its name. Where the net's transitions are not known, of each action.
/// The model is needed only where the graph has no labels.
///
/// # Errors
/// As those of [`Walker::walk`]; without labels and without a model, that the model is the wrong one.
pub fn liveness<M: Model>(
    graph: &Graph,
    components: &Components,
    model: Option<&mut M>,
) -> Result<Vec<(String, Liveness)>, WalkError> {
    let mut tally = Tally::new(graph, components);
    match (graph.labels(), model) {
        (Labels::Kept, _) => {
            let mut reader = graph.reader();
            for node in graph.nodes() {
                tally.see(node, reader.edges(node))?;
            }
        }
        (Labels::Left, None) => return Err(WalkError::WrongModel),
        (Labels::Left, Some(model)) => {
            let mut outcome = Ok(());
            let _ = Walker::new(graph, model)?.walk(|met| {
                outcome = tally.see(met.node, met.edges);
                if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            outcome?;
        }
    }
    Ok(tally.result())
}

/// What was seen of each transition.
struct Tally<'a> {
    graph: &'a Graph,
    components: &'a Components,
    /// Whether actions are taken together by their transition.
    by_transition: bool,
    seen: Vec<bool>,
    /// The terminal components that each was seen in.
    within: Vec<Option<NodeSet>>,
}

impl<'a> Tally<'a> {
    fn new(graph: &'a Graph, components: &'a Components) -> Tally<'a> {
        let by_transition = graph.actions().iter().all(|action| action.transition.is_some());
        let n = if by_transition { graph.about().transitions.len() } else { graph.actions().len() };
        let within = (0..n).map(|_| None).collect();
        Tally { graph, components, by_transition, seen: vec![false; n], within }
    }

    fn see(&mut self, node: NodeId, edges: &[GraphEdge]) -> Result<(), OutOfMemory> {
        let component = self.components.component(node);
        let is_terminal = self.components.is_terminal(component);
        for edge in edges {
            let of = match self.graph.actions()[edge.label.index()].transition {
                Some(transition) if self.by_transition => transition as usize,
                _ => edge.label.index(),
            };
            self.seen[of] = true;
            if is_terminal {
                let set = match &mut self.within[of] {
                    Some(set) => set,
                    none => none.insert(NodeSet::new(self.components.len())?),
                };
                set.insert(NodeId(component.0));
            }
        }
        Ok(())
    }

    fn result(&self) -> Vec<(String, Liveness)> {
        let n_terminal = self.components.n_terminal();
        let name = |i: usize| match self.by_transition {
            true => self.graph.about().transitions[i].clone(),
            false => self.graph.actions()[i].text.clone(),
        };
        let is_live = |i: usize| self.within[i].as_ref().is_some_and(|set| set.len() == n_terminal);
        let liveness = |i: usize| match (self.seen[i], is_live(i)) {
            (false, _) => Liveness::Dead,
            (true, false) => Liveness::QuasiLive,
            (true, true) => Liveness::Live,
        };
        (0..self.seen.len()).map(|i| (name(i), liveness(i))).collect()
    }
}
