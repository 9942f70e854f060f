//! Graphs turned round.
//!
//! The algorithms of branching time go backwards: from the nodes where something holds to those from which they can be
//! reached. All they need is the list of predecessors of each node, one array for all of them:
//!
//! ```text
//!  starts   | 0  2  3  3 |  ...          predecessors of node 1: nodes[2..3]
//!  nodes    | 4 7 | 1 | | ...
//! ```
//!
//! **Cost.** 4 bytes an edge and 8 a node; twice the edges while it is built.

use petite_bits::OutOfMemory;

use super::bit_set::BitSet;

/// A graph in which every node has a successor.
pub trait Structure {
    /// Number of nodes, at most 2^32 - 1.
    fn n_nodes(&self) -> usize;

    /// Appends the successors of a node, each once. A dead node is its own successor.
    fn successors(&self, node: u32, successors: &mut Vec<u32>);
}

/// Successors in one array: the graph of a model, as it grows state by state.
#[derive(Debug, Default)]
pub struct Forward {
    ends: Vec<u64>,
    targets: Vec<u32>,
    dead: BitSet,
}

/// A graph of a model turned round.
#[derive(Debug)]
pub struct Backward {
    pub predecessors: Predecessors,
    /// The nodes that follow themselves because nothing else does.
    pub dead: BitSet,
}

/// The predecessors of all nodes.
#[derive(Debug)]
pub struct Predecessors {
    starts: Vec<u64>,
    nodes: Vec<u32>,
}

impl Forward {
    /// Appends a node with its successors, which may repeat; without any it is its own successor. The list is sorted
    /// on the way.
    pub fn push(&mut self, successors: &mut Vec<u32>) -> Result<(), OutOfMemory> {
        self.dead.push(successors.is_empty())?;
        if successors.is_empty() {
            successors.push(self.ends.len() as u32);
        }
        successors.sort_unstable();
        successors.dedup();
        reserve(&mut self.targets, successors.len())?;
        reserve(&mut self.ends, 1)?;
        self.targets.extend_from_slice(successors);
        self.ends.push(self.targets.len() as u64);
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.ends.capacity() * size_of::<u64>()
            + self.targets.capacity() * size_of::<u32>()
            + self.dead.bytes()
    }

    /// Turns the graph round.
    pub fn turned(self) -> Result<Backward, OutOfMemory> {
        Ok(Backward { predecessors: Predecessors::of(&self)?, dead: self.dead })
    }
}

impl Structure for Forward {
    fn n_nodes(&self) -> usize {
        self.ends.len()
    }

    fn successors(&self, node: u32, successors: &mut Vec<u32>) {
        let start = (node as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        successors.extend_from_slice(&self.targets[start as usize..self.ends[node as usize] as usize]);
    }
}

impl Predecessors {
    /// Turns a graph round.
    pub fn of(graph: &impl Structure) -> Result<Predecessors, OutOfMemory> {
        let n = graph.n_nodes();
        let mut successors = Vec::new();
        let mut starts: Vec<u64> = Vec::new();
        starts.try_reserve_exact(n + 1)?;
        starts.resize(n + 1, 0);
        for node in 0..n as u32 {
            successors.clear();
            graph.successors(node, &mut successors);
            successors.iter().for_each(|&to| starts[to as usize] += 1);
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut nodes: Vec<u32> = Vec::new();
        nodes.try_reserve_exact(sum as usize)?;
        nodes.resize(sum as usize, 0);
        // Each start moves down from the end of its list to the beginning.
        for node in (0..n as u32).rev() {
            successors.clear();
            graph.successors(node, &mut successors);
            for &to in &successors {
                starts[to as usize] -= 1;
                nodes[starts[to as usize] as usize] = node;
            }
        }
        Ok(Predecessors { starts, nodes })
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The predecessors of a node.
    #[inline]
    pub fn get(&self, node: u32) -> &[u32] {
        &self.nodes[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u64>() + self.nodes.capacity() * size_of::<u32>()
    }
}

/// Makes room for more, growing by a quarter.
fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    if list.capacity() - list.len() < more {
        list.try_reserve_exact(more.max(list.len() / 4).max(64))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_turned_round() {
        let mut graph = Forward::default();
        for successors in [vec![1, 2, 1], vec![0], vec![], vec![2, 0]] {
            graph.push(&mut successors.clone()).unwrap();
        }
        let predecessors = Predecessors::of(&graph).unwrap();
        let lists: Vec<_> = (0..4).map(|node| predecessors.get(node)).collect();
        assert_eq!(lists, [&[1, 3][..], &[0], &[0, 2, 3], &[]]);
    }
}
