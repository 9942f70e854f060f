//! Branching time on a condensed reachability graph.
//!
//! Paper 3, section 3.2: formulas are labelled over the numbers of nodes, with a bit for each node, and no marking is kept. What
//! atoms say of a node needs its marking, which one walk of the graph computes for all of them; the rest needs edges
//! alone.
//!
//! **Cost.** A bit for each node and atom, the predecessors of all nodes, and what the labelling takes. The walk fires one edge
//! for each node and takes it back.

use std::ops::ControlFlow;

use petite_bits::OutOfMemory;
use petite_graph::{Graph, NodeId, WalkError, Walker};
use petite_model::NetModel;
use petite_net::Predicate;

use super::bit_set::BitSet;
use super::formula::{CtlFormulas, CtlId};
use super::graph::Forward;
use super::labelling::Labels;
use crate::{AtomId, Atoms, CompileError, Ctl, PredicateAtoms};

/// Why the nodes of a graph could not be labelled.
#[derive(Debug)]
pub enum LabelFailure {
    /// A formula is nested too deep.
    TooDeep,
    /// An atom cannot be compiled.
    Atom(CompileError),
    /// The markings could not be computed, or there was no memory.
    Walk(WalkError),
}

impl std::fmt::Display for LabelFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LabelFailure::TooDeep => f.write_str("the formula is nested too deep"),
            LabelFailure::Atom(error) => error.fmt(f),
            LabelFailure::Walk(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LabelFailure {}

impl From<OutOfMemory> for LabelFailure {
    fn from(_: OutOfMemory) -> LabelFailure {
        LabelFailure::Walk(WalkError::OutOfMemory)
    }
}

impl From<WalkError> for LabelFailure {
    fn from(error: WalkError) -> LabelFailure {
        LabelFailure::Walk(error)
    }
}

/// The nodes of a graph where formulas hold, a set for each formula. `atoms` has the meaning of each atom.
///
/// # Errors
/// When the system gives no more memory, a formula cannot be used, or the graph is not the model's.
pub fn label_graph<M: NetModel>(
    graph: &Graph,
    model: &mut M,
    atoms: &[Predicate],
    questions: &[Ctl],
) -> Result<Vec<BitSet>, LabelFailure> {
    let mut formulas = CtlFormulas::default();
    let taken: Result<Vec<CtlId>, _> = questions.iter().map(|question| formulas.take(question)).collect();
    let taken = taken.map_err(|_| LabelFailure::TooDeep)?;
    let holding = nodes_of_atoms(graph, model, atoms)?;
    let (mut forward, mut targets, mut reader) = (Forward::default(), Vec::new(), graph.reader());
    for node in graph.nodes() {
        targets.clear();
        targets.extend(reader.edges(node).iter().map(|edge| edge.target.0));
        forward.push(&mut targets)?;
    }
    let turned = forward.turned()?;
    let atom = |atom: AtomId| holding.get(atom.index()).and_then(|set| set.copied().ok());
    let labels = Labels::of(&formulas, &taken, &turned, atom, |_| Ok::<(), OutOfMemory>(()));
    let labels = labels.map_err(|_| OutOfMemory)?;
    let set = |&formula: &CtlId| labels.get(formula).ok_or(OutOfMemory).and_then(BitSet::copied);
    Ok(taken.iter().map(set).collect::<Result<_, _>>()?)
}

/// The nodes where each atom holds.
fn nodes_of_atoms<M: NetModel>(
    graph: &Graph,
    model: &mut M,
    meanings: &[Predicate],
) -> Result<Vec<BitSet>, LabelFailure> {
    let most = model.group_bounds();
    let mut atoms = PredicateAtoms::new(model, meanings, most).map_err(LabelFailure::Atom)?;
    let mut holding = Vec::new();
    for _ in meanings {
        holding.push(BitSet::filled(graph.n_nodes(), false)?);
    }
    let mut failure = None;
    let _ = Walker::new(graph, model)?.walk(|met| {
        let NodeId(node) = met.node;
        for (number, nodes) in holding.iter_mut().enumerate() {
            match atoms.holds(met.model, met.words, AtomId::new(number)) {
                Ok(true) => drop(nodes.insert(node)),
                Ok(false) => {}
                Err(error) => {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    match failure {
        Some(error) => Err(LabelFailure::Walk(WalkError::from(error))),
        None => Ok(holding),
    }
}
