//! The edges of nodes in any order, while a graph is being built.
//!
//! A search numbers nodes when it finds them and knows their edges when it has expanded them, which is another order but
//! in breadth-first search. The edges wait here as bytes until the numbers are all known; then they get their final
//! form ([`crate::edge_code`]) node by node.
//!
//! ```text
//!  starts  | node 0 | node 1 | ...     position in bytes plus one, zero while it has no edges; as narrow as possible
//!  bytes   | degree, (gap to the previous label, distance to the target) ... | ...        numbers of 7 bits a byte
//! ```

use petite_bits::{OutOfMemory, PackedVec};

use crate::{GraphEdge, LabelIdx, NodeId};

/// Edges by node.
#[derive(Debug, Default)]
pub struct EdgeArena {
    starts: PackedVec,
    bytes: Vec<u8>,
    n_edges: u64,
}

/// Bytes of a degree, and of an edge, at most.
const MOST_BYTES: usize = 10;

impl EdgeArena {
    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.starts.len()
    }

    /// Number of edges.
    pub fn n_edges(&self) -> u64 {
        self.n_edges
    }

    /// Adds nodes without edges until there are so many.
    pub fn add_nodes(&mut self, n_nodes: usize) -> Result<(), OutOfMemory> {
        while self.starts.len() < n_nodes {
            self.starts.push(0)?;
        }
        Ok(())
    }

    /// Gives a node that is there and has no edges yet its edges, which are sorted by label by that.
    pub fn put(&mut self, node: NodeId, edges: &mut [GraphEdge]) -> Result<(), OutOfMemory> {
        if edges.is_empty() {
            return Ok(());
        }
        edges.sort_unstable_by_key(|edge| edge.label);
        let needed = MOST_BYTES * (1 + 2 * edges.len());
        if self.bytes.capacity() - self.bytes.len() < needed {
            self.bytes.try_reserve_exact(needed.max(self.bytes.len() / 8))?;
        }
        self.starts.set(node.index(), self.bytes.len() as u64 + 1)?;
        self.put_number(edges.len() as u64);
        let mut label = 0;
        for edge in edges.iter() {
            self.put_number(u64::from(edge.label.0 - label));
            label = edge.label.0;
            let distance = i64::from(edge.target.0) - i64::from(node.0);
            self.put_number((distance << 1 ^ distance >> 63) as u64);
        }
        self.n_edges += edges.len() as u64;
        Ok(())
    }

    /// Writes the edges of a node, sorted by label.
    pub fn edges(&self, node: NodeId, edges: &mut Vec<GraphEdge>) {
        edges.clear();
        let Some(start) = (self.starts.get(node.index()) as usize).checked_sub(1) else { return };
        let mut rest = self.bytes[start..].iter();
        let degree = take_number(&mut rest);
        let mut label = 0;
        for _ in 0..degree {
            label += take_number(&mut rest) as u32;
            let distance = take_number(&mut rest);
            let distance = (distance >> 1) as i64 ^ -((distance & 1) as i64);
            let target = NodeId((i64::from(node.0) + distance) as u32);
            edges.push(GraphEdge { label: LabelIdx(label), target });
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.starts.bytes() + self.bytes.capacity()
    }

    fn put_number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

fn take_number(bytes: &mut std::slice::Iter<'_, u8>) -> u64 {
    let (mut number, mut shift) = (0, 0);
    for &byte in bytes {
        number |= u64::from(byte & 0x7F) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_come_back_in_any_order() {
        let edge = |label, target| GraphEdge { label: LabelIdx(label), target: NodeId(target) };
        let mut arena = EdgeArena::default();
        arena.add_nodes(3).unwrap();
        arena.put(NodeId(2), &mut [edge(u32::MAX, 0), edge(3, u32::MAX)]).unwrap();
        arena.put(NodeId(0), &mut [edge(0, 2)]).unwrap();
        arena.put(NodeId(1), &mut []).unwrap();
        let mut edges = Vec::new();
        arena.edges(NodeId(2), &mut edges);
        assert_eq!(edges, [edge(3, u32::MAX), edge(u32::MAX, 0)]);
        arena.edges(NodeId(1), &mut edges);
        assert!(edges.is_empty());
        arena.edges(NodeId(0), &mut edges);
        assert_eq!(edges, [edge(0, 2)]);
        assert_eq!((arena.n_nodes(), arena.n_edges()), (3, 3));
    }
}
