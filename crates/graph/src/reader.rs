//! Reading the edges of nodes.
//!
//! Edges are encoded in blocks, and a block is decoded as a whole. A reader keeps some decoded ones, each in a place that
//! follows from its number: whoever asks for nodes that are near those asked for before mostly finds them there.

use crate::edge_code::{BLOCK, Context};
use crate::{Graph, GraphEdge, NodeId};

/// Decoded blocks that are kept.
const KEPT: usize = 64;

/// Reads the edges of a graph.
#[derive(Debug)]
pub struct Reader<'g> {
    graph: &'g Graph,
    context: Context,
    blocks: Vec<Decoded>,
}

/// A decoded block.
#[derive(Debug, Default)]
struct Decoded {
    /// Its number plus one; zero where nothing was decoded.
    number: usize,
    edges: Vec<GraphEdge>,
    /// Where the edges of each node end.
    ends: Vec<u32>,
}

impl<'g> Reader<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Reader<'g> {
        let n_blocks = KEPT.min(graph.n_blocks());
        Reader {
            graph,
            context: Context::default(),
            blocks: (0..n_blocks).map(|_| Decoded::default()).collect(),
        }
    }

    /// The graph.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// The edges of a node, sorted by label. Where the graph has no labels, these are positions only.
    ///
    /// # Panics
    /// When there is no such node.
    #[inline]
    pub fn edges(&mut self, node: NodeId) -> &[GraphEdge] {
        assert!(node.index() < self.graph.n_nodes(), "{node:?} of {}", self.graph.n_nodes());
        let (block, within) = (node.index() / BLOCK, node.index() % BLOCK);
        let kept = block % KEPT;
        if self.blocks[kept].number != block + 1 {
            self.decode(block);
        }
        let Decoded { edges, ends, .. } = &self.blocks[kept];
        let start = within.checked_sub(1).map_or(0, |before| ends[before] as usize);
        &edges[start..ends[within] as usize]
    }

    /// Whether a node has no edges.
    pub fn is_dead(&mut self, node: NodeId) -> bool {
        self.edges(node).is_empty()
    }

    #[cold]
    fn decode(&mut self, block: usize) {
        let Decoded { number, edges, ends } = &mut self.blocks[block % KEPT];
        *number = block + 1;
        if self.graph.decode_block(block, &mut self.context, edges, ends).is_none() {
            // A graph was encoded by us, or decoded once before, when it was opened. So this is a mapped file that somebody
            // has changed since, which `Graph::is_unchanged` tells: any edges do.
            edges.clear();
            ends.clear();
            ends.resize(BLOCK, 0);
        }
    }
}
