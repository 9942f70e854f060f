//! Shortest paths, and who leads where.
//!
//! **Cost.** A breadth-first pass over the edges, 8 bytes for each node.

use petite_bits::OutOfMemory;

use crate::{Graph, NodeId};

/// A step of a path: a node, and the position of the edge that is followed there.
pub type PathStep = (NodeId, usize);

/// A shortest path from a node to one of those that are wanted; `None` where none can be reached. It is empty where the
/// node itself is wanted.
///
/// # Errors
/// When there is no memory.
///
/// # Panics
/// When there is no such node.
pub fn shortest_path(
    graph: &Graph,
    from: NodeId,
    wanted: impl Fn(NodeId) -> bool,
) -> Result<Option<Vec<PathStep>>, OutOfMemory> {
    let n_nodes = graph.n_nodes();
    assert!(from.index() < n_nodes, "{from:?} of {n_nodes}");
    let mut reader = graph.reader();
    // The node before each node on the way, plus one; zero while it was not met.
    let mut before: Vec<u32> = Vec::new();
    before.try_reserve_exact(n_nodes)?;
    before.resize(n_nodes, 0);
    let mut queue: Vec<NodeId> = Vec::new();
    queue.try_reserve_exact(n_nodes)?;
    before[from.index()] = from.0 + 1;
    queue.push(from);
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        if wanted(node) {
            return trace(graph, &before, from, node).map(Some);
        }
        for edge in reader.edges(node) {
            if before[edge.target.index()] == 0 {
                before[edge.target.index()] = node.0 + 1;
                queue.push(edge.target);
            }
        }
    }
    Ok(None)
}

/// The edges that lead to a node: where they begin, and their positions there.
pub fn predecessors(graph: &Graph, node: NodeId) -> impl Iterator<Item = PathStep> + '_ {
    let mut reader = graph.reader();
    graph.nodes().flat_map(move |from| {
        let edges = reader.edges(from).iter().enumerate();
        let here: Vec<PathStep> =
            edges.filter(|(_, edge)| edge.target == node).map(|(i, _)| (from, i)).collect();
        here
    })
}

fn trace(graph: &Graph, before: &[u32], from: NodeId, to: NodeId) -> Result<Vec<PathStep>, OutOfMemory> {
    let (mut path, mut node, mut reader) = (Vec::new(), to, graph.reader());
    while node != from {
        let previous = NodeId(before[node.index()] - 1);
        let edge = reader.edges(previous).iter().position(|edge| edge.target == node);
        path.try_reserve(1)?;
        path.push((previous, edge.unwrap_or_default()));
        node = previous;
    }
    path.reverse();
    Ok(path)
}
