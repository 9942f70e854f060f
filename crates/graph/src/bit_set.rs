//! A set of nodes, one bit each.

use petite_bits::OutOfMemory;

use crate::NodeId;

/// Nodes that are in or out.
#[derive(Clone, Debug)]
pub struct NodeSet {
    words: Vec<u64>,
    n_nodes: usize,
}

impl NodeSet {
    /// The empty set of so many nodes.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn new(n_nodes: usize) -> Result<NodeSet, OutOfMemory> {
        let n_words = n_nodes.div_ceil(64);
        let mut words = Vec::new();
        words.try_reserve_exact(n_words)?;
        words.resize(n_words, 0);
        Ok(NodeSet { words, n_nodes })
    }

    /// Whether a node is in the set.
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        self.words[node.index() / 64] >> (node.index() % 64) & 1 == 1
    }

    /// Adds a node. Gives whether it was not in the set.
    #[inline]
    pub fn insert(&mut self, node: NodeId) -> bool {
        let (word, bit) = (&mut self.words[node.index() / 64], 1 << (node.index() % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Number of nodes in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no node is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The nodes in the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.n_nodes).map(NodeId::new).filter(|&node| self.contains(node))
    }
}
