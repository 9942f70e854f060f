//! Going through a graph with one marking.
//!
//! Paper 3, figure 2: a graph keeps no markings, but firing along an edge gives the next one, and taking the action back
//! gives the one before. A depth-first walk over the nodes therefore needs one marking and one bit for each node.
//!
//! ```text
//!  path   | node, position of the edge that was followed, its label |    16 bytes for each step of the path
//! ```
//!
//! A model that cannot take actions back keeps the markings of the path on a stack beside it (paper 3, section 7).
//!
//! Where labels were left out of the graph, they are those of the actions enabled in the marking: edges are in the order
//! of their labels (paper 5, section 2.2.2).

use std::ops::ControlFlow;

use petite_bits::{OutOfMemory, Outgrown, Repacking};
use petite_model::{ActionId, Fault, Model, Refusal};
use petite_net::RunError;

use crate::{Actions, Graph, GraphEdge, LabelIdx, Labels, NodeId, NodeSet, PathStep, Reader, WrongModel};

/// Why a walk ended early.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WalkError {
    /// The system gave no more memory.
    OutOfMemory,
    /// The graph is of another model.
    WrongModel,
    /// The model is wrong in a marking.
    Model(Box<RunError>),
}

impl std::fmt::Display for WalkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WalkError::OutOfMemory => write!(f, "out of memory"),
            WalkError::WrongModel => WrongModel.fmt(f),
            WalkError::Model(error) => write!(f, "{}", error.kind),
        }
    }
}

impl std::error::Error for WalkError {}

impl From<OutOfMemory> for WalkError {
    fn from(_: OutOfMemory) -> WalkError {
        WalkError::OutOfMemory
    }
}

impl From<WrongModel> for WalkError {
    fn from(_: WrongModel) -> WalkError {
        WalkError::WrongModel
    }
}

impl From<RunError> for WalkError {
    fn from(error: RunError) -> WalkError {
        WalkError::Model(Box::new(error))
    }
}

/// Computes the markings of a graph's nodes.
#[derive(Debug)]
pub struct Walker<'g, M> {
    reader: Reader<'g>,
    model: &'g mut M,
    actions: Actions,
    words: Vec<u64>,
    hash: u64,
    /// Markings of the path, where the model cannot take actions back.
    behind: Vec<u64>,
    labels: Vec<LabelIdx>,
    edges: Vec<GraphEdge>,
}

/// A step of the path.
struct Step {
    node: NodeId,
    /// The edge to follow next.
    next: u32,
    /// The action that led here.
    action: Option<ActionId>,
}

/// What a walk shows: a node with its marking.
#[derive(Debug)]
pub struct Met<'a, M> {
    /// The model, to read the marking with. It may be asked what is enabled, but not be changed otherwise.
    pub model: &'a mut M,
    /// The node.
    pub node: NodeId,
    /// Its marking, packed as the model says now.
    pub words: &'a [u64],
    /// Its edges, with labels.
    pub edges: &'a [GraphEdge],
}

impl<'g, M: Model> Walker<'g, M> {
    /// At the initial marking, which is that of node 0.
    ///
    /// # Errors
    /// Where the graph is of another model.
    pub fn new(graph: &'g Graph, model: &'g mut M) -> Result<Walker<'g, M>, WalkError> {
        let actions = Actions::new(graph, model)?;
        let (reader, words) = (graph.reader(), Vec::new());
        let (behind, labels, edges) = (Vec::new(), Vec::new(), Vec::new());
        let mut walker = Walker { reader, model, actions, words, hash: 0, behind, labels, edges };
        walker.restart()?;
        Ok(walker)
    }

    /// The model.
    pub fn model(&self) -> &M {
        self.model
    }

    /// Visits every node once, depth first, until the visitor has seen enough.
    ///
    /// # Errors
    /// Where memory ends, the graph is of another model, or the model is wrong.
    pub fn walk(
        &mut self,
        mut visit: impl FnMut(Met<'_, M>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, WalkError> {
        let graph = self.reader.graph();
        let mut visited = NodeSet::new(graph.n_nodes())?;
        let mut path = Vec::new();
        self.restart()?;
        if graph.n_nodes() == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        let mut entering = Some((NodeId(0), None));
        loop {
            if let Some((node, action)) = entering.take() {
                visited.insert(node);
                self.read_edges(node)?;
                let (model, words, edges) = (&mut *self.model, &self.words[..], &self.edges[..]);
                if visit(Met { model, node, words, edges }).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                path.try_reserve(1).map_err(OutOfMemory::from)?;
                path.push(Step { node, next: 0, action });
            }
            let Some(step) = path.last_mut() else { return Ok(ControlFlow::Continue(())) };
            let edges = self.reader.edges(step.node);
            let new = (step.next as usize..edges.len()).find(|&i| !visited.contains(edges[i].target));
            match new {
                Some(i) => {
                    let (node, target) = (step.node, edges[i].target);
                    step.next = i as u32 + 1;
                    let label = self.label(node, i)?;
                    let action = self.follow(label)?;
                    entering = Some((target, Some(action)));
                }
                None => {
                    let action = path.pop().and_then(|step| step.action);
                    if let Some(action) = action {
                        self.go_back(action)?;
                    }
                }
            }
        }
    }

    /// The marking of a node. It is packed as the model says now.
    ///
    /// # Errors
    /// As those of [`Walker::walk`].
    ///
    /// # Panics
    /// When there is no such node.
    pub fn marking(&mut self, node: NodeId) -> Result<&[u64], WalkError> {
        let path = path_to(&mut self.reader, node)?.ok_or(WalkError::WrongModel)?;
        self.restart()?;
        for &(from, edge) in &path {
            let label = self.label(from, edge)?;
            self.follow(label)?;
            self.behind.clear();
        }
        Ok(&self.words)
    }

    /// The labels along a path of nodes and positions of edges.
    ///
    /// # Errors
    /// As those of [`Walker::walk`].
    pub fn labels_along(&mut self, path: &[PathStep]) -> Result<Vec<LabelIdx>, WalkError> {
        let Some(&(start, _)) = path.first() else { return Ok(Vec::new()) };
        self.marking(start)?;
        let mut labels = Vec::new();
        for &(from, edge) in path {
            let label = self.label(from, edge)?;
            self.follow(label)?;
            self.behind.clear();
            labels.push(label);
        }
        Ok(labels)
    }

    /// Goes to the initial marking.
    fn restart(&mut self) -> Result<(), WalkError> {
        self.behind.clear();
        loop {
            self.words.clear();
            self.words.resize(self.model.packing().n_words(), 0);
            match self.model.initial(&mut self.words) {
                Ok(()) => break,
                Err(Fault::Outgrown(outgrown)) => drop(self.model.widen(outgrown)),
                Err(Fault::Run(error)) => return Err(WalkError::Model(error)),
            }
        }
        self.hash = self.model.packing().hash(&self.words);
        Ok(())
    }

    /// The label of an edge of the node whose marking is at hand.
    fn label(&mut self, node: NodeId, edge: usize) -> Result<LabelIdx, WalkError> {
        match self.reader.graph().labels() {
            Labels::Kept => Ok(self.reader.edges(node)[edge].label),
            Labels::Left => {
                let known = self.actions.enabled(self.model, &self.words, &mut self.labels)?;
                let label = known.and_then(|()| self.labels.get(edge).copied());
                label.ok_or(WalkError::WrongModel)
            }
        }
    }

    /// Reads the edges of the node whose marking is at hand, with labels.
    fn read_edges(&mut self, node: NodeId) -> Result<(), WalkError> {
        self.edges.clear();
        self.edges.extend_from_slice(self.reader.edges(node));
        if self.reader.graph().labels() == Labels::Left {
            let known = self.actions.enabled(self.model, &self.words, &mut self.labels)?;
            if known.is_none() || self.labels.len() != self.edges.len() {
                return Err(WalkError::WrongModel);
            }
            self.edges.iter_mut().zip(&self.labels).for_each(|(edge, &label)| edge.label = label);
        }
        Ok(())
    }

    /// Fires the action of a label.
    fn follow(&mut self, label: LabelIdx) -> Result<ActionId, WalkError> {
        let action = self.actions.action(self.model, &self.words, label)?.ok_or(WalkError::WrongModel)?;
        if !self.model.is_reversible() {
            self.behind.try_reserve(self.words.len()).map_err(OutOfMemory::from)?;
            self.behind.extend_from_slice(&self.words);
        }
        loop {
            match self.model.fire(&mut self.words, &mut self.hash, action) {
                Ok(()) => return Ok(action),
                Err(Fault::Outgrown(outgrown)) => self.widen(outgrown),
                Err(Fault::Run(error)) => return Err(WalkError::Model(error)),
            }
        }
    }

    /// Takes back the action that led here.
    fn go_back(&mut self, action: ActionId) -> Result<(), WalkError> {
        if !self.model.is_reversible() {
            let start = self.behind.len() - self.words.len();
            self.words.copy_from_slice(&self.behind[start..]);
            self.behind.truncate(start);
            self.hash = self.model.packing().hash(&self.words);
            return Ok(());
        }
        loop {
            match self.model.unfire(&mut self.words, &mut self.hash, action) {
                Ok(()) => return Ok(()),
                Err(Refusal::Outgrown(outgrown)) => self.widen(outgrown),
                Err(Refusal::Impossible) => return Err(WalkError::WrongModel),
            }
        }
    }

    #[cold]
    fn widen(&mut self, outgrown: Outgrown) {
        let old = self.model.widen(outgrown);
        let repacking = Repacking::new(&old, self.model.packing());
        repacking.apply_all(&mut self.words);
        repacking.apply_all(&mut self.behind);
    }
}

/// A path from node 0 to a node, as nodes and positions of edges.
///
/// Every node but the first was found from one with a lower number, so one pass from the node down to 0 meets a path. There
/// is none only in a graph that no search has made.
fn path_to(reader: &mut Reader<'_>, node: NodeId) -> Result<Option<Vec<PathStep>>, OutOfMemory> {
    let mut path = Vec::new();
    let mut towards = node;
    for from in (0..node.0).rev().map(NodeId) {
        if let Some(edge) = reader.edges(from).iter().position(|edge| edge.target == towards) {
            path.try_reserve(1)?;
            path.push((from, edge));
            towards = from;
        }
    }
    path.reverse();
    Ok((towards == NodeId(0)).then_some(path))
}
