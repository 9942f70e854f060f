//! Strong fairness: a second look at components.
//!
//! In a component that has all marks, strong sets that are enabled somewhere but fired nowhere inside break their
//! promise. A fair cycle must then avoid the nodes where they are enabled. Without these nodes the component falls
//! apart into smaller ones, which are looked at in the same way (Emerson and Lei 1987, for Streett's condition). A node
//! is looked at once for each strong set at most.

use petite_model::Model;
use petite_search::Ending;
use petite_store::Lookup;

use super::fairness::FairSets;
use super::nodes::{NodeId, Product};
use super::search::push;
use crate::Atoms;
use crate::ltl::Marks;

/// Nodes, ascending, that are strongly connected and have edges with all of the required marks.
pub struct FairPart {
    pub nodes: Vec<NodeId>,
    pub required: Marks,
}

/// A part of these nodes in which there is a fair accepting cycle through all of it, if there is one.
pub fn fair_part<M: Model, S: Lookup<M>, A: Atoms<M>, F: FairSets<M>>(
    product: &mut Product<'_, M, S, A, F>,
    nodes: &[NodeId],
) -> Result<Option<FairPart>, Ending> {
    let mut sets = vec![sorted(nodes)?];
    while let Some(nodes) = sets.pop() {
        let graph = Graph::of(product, nodes)?;
        for members in graph.components()? {
            let (mut marks, mut enabled, mut has_cycle) = (0, 0, false);
            for &member in &members {
                enabled |= graph.enabled[member as usize];
                for edge in graph.edges_of(member) {
                    if members.binary_search(&edge.0).is_ok() {
                        marks |= edge.1;
                        has_cycle = true;
                    }
                }
            }
            let required = product.required();
            if !has_cycle || marks & required != required {
                continue;
            }
            let broken = enabled & !marks;
            let nodes = members.iter().filter(|&&member| graph.enabled[member as usize] & broken == 0);
            let nodes: Vec<NodeId> = nodes.map(|&member| graph.nodes[member as usize]).collect();
            if broken == 0 {
                return Ok(Some(FairPart { nodes, required: required | enabled }));
            }
            if !nodes.is_empty() {
                sets.push(nodes);
            }
        }
    }
    Ok(None)
}

fn sorted(nodes: &[NodeId]) -> Result<Vec<NodeId>, Ending> {
    let mut sorted = Vec::new();
    sorted.try_reserve_exact(nodes.len()).map_err(|_| Ending::OutOfMemory)?;
    sorted.extend_from_slice(nodes);
    sorted.sort_unstable();
    Ok(sorted)
}

/// Some nodes and the edges between them.
struct Graph {
    /// Ascending; what follows calls them by their position.
    nodes: Vec<NodeId>,
    enabled: Vec<Marks>,
    /// Where the edges of each node end.
    ends: Vec<usize>,
    edges: Vec<(u32, Marks)>,
}

impl Graph {
    fn of<M: Model, S: Lookup<M>, A: Atoms<M>, F: FairSets<M>>(
        product: &mut Product<'_, M, S, A, F>,
        nodes: Vec<NodeId>,
    ) -> Result<Graph, Ending> {
        let (mut enabled, mut ends, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for &node in &nodes {
            product.expand(node)?;
            push(&mut enabled, product.enabled)?;
            for edge in &product.edges {
                let to = product.nodes.find(edge.to.0, edge.automaton_to.0).map(NodeId);
                if let Some(to) = to.and_then(|to| nodes.binary_search(&to).ok()) {
                    push(&mut edges, (to as u32, edge.marks))?;
                }
            }
            push(&mut ends, edges.len())?;
            product.expander.events(1, || (nodes.len(), edges.capacity() * size_of::<(u32, Marks)>()))?;
        }
        Ok(Graph { nodes, enabled, ends, edges })
    }

    fn edges_of(&self, node: u32) -> &[(u32, Marks)] {
        let start = (node as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[start..self.ends[node as usize]]
    }

    /// The strongly connected components, the positions of each ascending.
    fn components(&self) -> Result<Vec<Vec<u32>>, Ending> {
        const NONE: u32 = u32::MAX;
        let n = self.nodes.len();
        let (mut number, mut low, mut path) = (Vec::new(), Vec::new(), Vec::new());
        for numbers in [&mut number, &mut low] {
            numbers.try_reserve_exact(n).map_err(|_| Ending::OutOfMemory)?;
            numbers.resize(n, NONE);
        }
        let mut is_open = vec![false; n];
        let (mut open, mut components, mut next_number) = (Vec::new(), Vec::new(), 0);
        for root in 0..n as u32 {
            if number[root as usize] != NONE {
                continue;
            }
            push(&mut path, (root, 0))?;
            while let Some(&mut (node, ref mut at)) = path.last_mut() {
                let own = node as usize;
                if *at == 0 && number[own] == NONE {
                    (number[own], low[own]) = (next_number, next_number);
                    next_number += 1;
                    push(&mut open, node)?;
                    is_open[own] = true;
                }
                if let Some(&(to, _)) = self.edges_of(node).get(*at) {
                    *at += 1;
                    if number[to as usize] == NONE {
                        push(&mut path, (to, 0))?;
                    } else if is_open[to as usize] {
                        low[own] = low[own].min(number[to as usize]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(below, _)) = path.last() {
                    low[below as usize] = low[below as usize].min(low[own]);
                }
                if low[own] == number[own] {
                    let mut members = Vec::new();
                    while let Some(member) = open.pop() {
                        is_open[member as usize] = false;
                        push(&mut members, member)?;
                        if member == node {
                            break;
                        }
                    }
                    members.sort_unstable();
                    push(&mut components, members)?;
                }
            }
        }
        Ok(components)
    }
}
