//! A graph in the making, as the observer of a search.
//!
//! Breadth first, the edges of a node are told one after the other. Depth first, they are told as they are walked, and
//! those of a node are complete when the search has gone back from it:
//!
//! ```text
//!  open    | node 0, from 0 | node 3, from 2 | node 7, from 3 |        the path
//!  edges   | e0   e1        | e2             | e3   e4        |        of the nodes on it
//! ```

use std::ops::ControlFlow;

use petite_bits::OutOfMemory;
use petite_model::{ActionId, Model};
use petite_search::{Aliases, Edge, Observer, Recall, Visit};
use petite_store::StateId;

use crate::edge_arena::EdgeArena;
use crate::header::{About, ActionName, Numbering};
use crate::{Graph, GraphEdge, LabelIdx, Labels, NodeId};

/// In which order a search tells of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Those of a node one after the other: breadth first.
    NodeByNode,
    /// As they are walked: depth first.
    AlongThePath,
}

/// Why there is no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The system gave no more memory.
    OutOfMemory,
    /// Two actions look the same in words, and the model numbers them differently in each run.
    Ambiguous(String),
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BuildError::OutOfMemory => write!(f, "out of memory"),
            BuildError::Ambiguous(action) => {
                write!(f, "two actions are called {action}, and a graph could not tell them apart")
            }
        }
    }
}

impl std::error::Error for BuildError {}

impl From<OutOfMemory> for BuildError {
    fn from(_: OutOfMemory) -> BuildError {
        BuildError::OutOfMemory
    }
}

/// Collects edges.
#[derive(Debug)]
pub struct Builder {
    arena: EdgeArena,
    way: Way,
    /// Number of actions that the model had before the search.
    n_listed: usize,
    /// Nodes whose edges are not complete, with the position of their first edge.
    open: Vec<(NodeId, usize)>,
    edges: Vec<GraphEdge>,
    /// Scratch space.
    recalled: Vec<GraphEdge>,
    /// Most bytes to own.
    most_bytes: usize,
    is_out_of_memory: bool,
}

impl Builder {
    /// Before a search of a model.
    pub fn new<M: Model>(model: &M, way: Way) -> Builder {
        Builder {
            arena: EdgeArena::default(),
            way,
            n_listed: model.n_actions(),
            open: Vec::new(),
            edges: Vec::new(),
            recalled: Vec::new(),
            most_bytes: usize::MAX,
            is_out_of_memory: false,
        }
    }

    /// The same, which stops the search when it owns more bytes than this.
    #[must_use]
    pub fn limited_to(self, most_bytes: u64) -> Builder {
        Builder { most_bytes: usize::try_from(most_bytes).unwrap_or(usize::MAX), ..self }
    }

    /// Whether the search was stopped because there was no memory for edges, or not as much as it may own.
    pub fn is_out_of_memory(&self) -> bool {
        self.is_out_of_memory
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.arena.bytes()
            + self.open.capacity() * size_of::<(NodeId, usize)>()
            + (self.edges.capacity() + self.recalled.capacity()) * size_of::<GraphEdge>()
    }

    /// The graph, after a search that was complete.
    ///
    /// # Errors
    /// When there is no memory, or labels would not be told apart.
    pub fn finish<M: Model>(mut self, model: &M, about: &About, labels: Labels) -> Result<Graph, BuildError> {
        self.close_all()?;
        finish(&self.arena, self.n_listed, model, about, labels)
    }

    /// The graph, after a complete sweep in which some numbers turned out to be others: these are left out, and the rest
    /// move up.
    ///
    /// # Errors
    /// As those of [`Builder::finish`].
    pub fn finish_sweep<M: Model>(
        mut self,
        model: &M,
        about: &About,
        labels: Labels,
        aliases: &Aliases,
    ) -> Result<Graph, BuildError> {
        self.close_all()?;
        if !aliases.is_empty() {
            let left_out = aliases.provisional()?;
            let moved = |node: NodeId| {
                let below = left_out.partition_point(|&alias| alias.0 < node.0);
                NodeId(node.0 - below as u32)
            };
            let resolved = |node: NodeId| moved(NodeId(aliases.resolve(StateId(node.0)).0));
            let mut folded = EdgeArena::default();
            folded.add_nodes(self.arena.n_nodes() - left_out.len())?;
            let mut edges = Vec::new();
            for node in (0..self.arena.n_nodes()).map(NodeId::new) {
                self.arena.edges(node, &mut edges);
                edges.iter_mut().for_each(|edge| edge.target = resolved(edge.target));
                if left_out.binary_search(&StateId(node.0)).is_err() {
                    folded.put(moved(node), &mut edges)?;
                }
            }
            self.arena = folded;
        }
        finish(&self.arena, self.n_listed, model, about, labels)
    }

    fn state(&mut self, id: NodeId) -> Result<(), OutOfMemory> {
        self.arena.add_nodes(id.index() + 1)
    }

    fn edge(&mut self, edge: Edge) -> Result<(), OutOfMemory> {
        let from = NodeId(edge.from.0);
        match self.way {
            Way::NodeByNode if self.open.last().map(|&(node, _)| node) != Some(from) => {
                self.close_all()?;
                self.open(from)?;
            }
            Way::AlongThePath => {
                // What is above on the path was left.
                while self.open.last().is_some_and(|&(node, _)| node != from) {
                    self.close()?;
                }
                if self.open.is_empty() {
                    self.open(from)?;
                }
            }
            Way::NodeByNode => {}
        }
        self.edges.try_reserve(1)?;
        let (label, target) = (LabelIdx(edge.action.0), NodeId(edge.to.0));
        self.edges.push(GraphEdge { label, target });
        if self.way == Way::AlongThePath && edge.new {
            self.open(target)?;
        }
        Ok(())
    }

    fn open(&mut self, node: NodeId) -> Result<(), OutOfMemory> {
        self.open.try_reserve(1)?;
        self.open.push((node, self.edges.len()));
        Ok(())
    }

    fn close(&mut self) -> Result<(), OutOfMemory> {
        if let Some((node, start)) = self.open.pop() {
            self.arena.put(node, &mut self.edges[start..])?;
            self.edges.truncate(start);
            if self.arena.bytes() > self.most_bytes {
                return Err(OutOfMemory);
            }
        }
        Ok(())
    }

    fn close_all(&mut self) -> Result<(), OutOfMemory> {
        while !self.open.is_empty() {
            self.close()?;
        }
        Ok(())
    }

    fn go_on(&mut self, outcome: Result<(), OutOfMemory>) -> ControlFlow<()> {
        match outcome {
            Ok(()) if !self.is_out_of_memory => ControlFlow::Continue(()),
            _ => {
                self.is_out_of_memory = true;
                ControlFlow::Break(())
            }
        }
    }
}

/// Encodes what was collected. `n_listed` actions were known before the search.
pub(crate) fn finish<M: Model>(
    arena: &EdgeArena,
    n_listed: usize,
    model: &M,
    about: &About,
    labels: Labels,
) -> Result<Graph, BuildError> {
    let numbering = if n_listed == model.n_actions() { Numbering::Fixed } else { Numbering::Met };
    let actions: Vec<ActionName> = (0..model.n_actions())
        .map(ActionId::new)
        .map(|action| {
            let transition = model.transition(action).map(|transition| transition.0);
            let transition = transition.filter(|&transition| (transition as usize) < about.transitions.len());
            ActionName { transition, text: model.describe(action) }
        })
        .collect();
    if numbering == Numbering::Met {
        let mut texts: Vec<&str> = actions.iter().map(|action| action.text.as_str()).collect();
        texts.sort_unstable();
        if let Some(pair) = texts.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(BuildError::Ambiguous(pair[0].to_owned()));
        }
    }
    Ok(Graph::encode(arena, about, &actions, labels, numbering)?)
}

impl<M: Model> Observer<M> for Builder {
    #[inline]
    fn state(&mut self, state: Visit<'_, M>, _: &[u64]) -> ControlFlow<()> {
        let outcome = self.state(NodeId(state.id.0));
        self.go_on(outcome)
    }

    #[inline]
    fn edge(&mut self, edge: Edge) -> ControlFlow<()> {
        let outcome = self.edge(edge);
        self.go_on(outcome)
    }
}

impl<M: Model> Recall<M> for Builder {
    fn recall(&mut self, state: StateId, edges: &mut Vec<(ActionId, StateId)>) {
        // Without memory the search ends with the next thing that it tells.
        self.is_out_of_memory |= self.close_all().is_err();
        let mut own = std::mem::take(&mut self.recalled);
        self.arena.edges(NodeId(state.0), &mut own);
        edges.extend(own.iter().map(|edge| (ActionId(edge.label.0), StateId(edge.target.0))));
        self.recalled = own;
    }
}
