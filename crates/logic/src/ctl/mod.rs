//! Checking branching-time formulas.
//!
//! [`check_ctl`] explores all states once, keeps the graph as numbers and the atoms as bits, and labels the states with all
//! sub-formulas of all questions at once; [`label_graph`] does so on a graph that was built before. [`check_ctl_locally`]
//! looks at as few states as one question needs. A formula that a run can decide may be checked with automata, too:
//! [`linear`] turns it into one of linear time.

mod bit_set;
mod evidence;
mod formula;
mod graph;
mod labelling;
mod linear;
mod local;
mod on_graph;
mod truths;

pub use graph::Structure;
pub use linear::{Linear, linear};
pub use local::check_ctl_locally;
pub use on_graph::{LabelFailure, label_graph};

use std::collections::HashMap;

use petite_model::Model;
use petite_search::{Ending, Limits, Monitor};
use petite_store::{Exactness, Lookup, StateId};

use crate::expander::Expander;
use crate::{AtomId, Atoms, Ctl, Lasso};
use bit_set::BitSet;
pub use bit_set::BitSet as NodeBits;
use formula::{CtlFormulas, CtlId, CtlNode};
use graph::{Backward, Forward};
use labelling::{LabelError, Labels};

/// What a check of a branching-time formula found.
#[derive(Clone, Debug)]
pub enum CtlVerdict {
    /// It holds in the initial state; a run shows it, where its form allows.
    Holds(Option<Box<Lasso>>),
    /// It does not; a run shows that, where its form allows.
    Fails(Option<Box<Lasso>>),
    /// The check was not completed.
    Unknown(CtlUnknown),
}

/// Why a check was not completed.
#[derive(Clone, Debug)]
pub enum CtlUnknown {
    /// The search, or the labelling after it, ended early.
    Ended(Ending),
    /// The formula is nested too deep.
    TooDeep,
    /// The store may have mistaken states for others.
    Inexact(Exactness),
}

/// Checks formulas in the initial state of a model, all of them in one exploration. Gives a verdict for each.
///
/// The store is empty and made for the model's current packing.
pub fn check_ctl<M: Model, S: Lookup<M>, A: Atoms<M>>(
    model: &mut M,
    store: &mut S,
    atoms: &mut A,
    questions: &[Ctl],
    limits: &Limits,
    monitor: &mut dyn Monitor,
) -> Vec<CtlVerdict> {
    let mut formulas = CtlFormulas::default();
    let taken: Vec<Option<CtlId>> = questions.iter().map(|question| formulas.take(question).ok()).collect();
    let mut expander = Expander::new(model, store, limits, monitor);
    let checked = check_taken(&mut expander, atoms, &formulas, &taken);
    let exactness = store.exactness();
    let mut verdicts = match checked {
        Ok(verdicts) => verdicts,
        Err(ending) => {
            let verdict = |formula: &Option<CtlId>| match formula {
                Some(_) => CtlVerdict::Unknown(CtlUnknown::Ended(ending.clone())),
                None => CtlVerdict::Unknown(CtlUnknown::TooDeep),
            };
            taken.iter().map(verdict).collect()
        }
    };
    if exactness != Exactness::Exact {
        for verdict in verdicts.iter_mut().filter(|verdict| !matches!(verdict, CtlVerdict::Unknown(_))) {
            *verdict = CtlVerdict::Unknown(CtlUnknown::Inexact(exactness));
        }
    }
    verdicts
}

/// The states of a model as a graph, and where atoms hold.
struct Explored {
    graph: Backward,
    atoms: HashMap<AtomId, BitSet>,
}

fn check_taken<M: Model, S: Lookup<M>, A: Atoms<M>>(
    expander: &mut Expander<'_, M, S>,
    atoms: &mut A,
    formulas: &CtlFormulas,
    taken: &[Option<CtlId>],
) -> Result<Vec<CtlVerdict>, Ending> {
    let explored = explore(expander, atoms, formulas)?;
    let mut kept: Vec<CtlId> =
        taken.iter().flatten().flat_map(|&formula| evidence::needed(formulas, formula)).collect();
    kept.sort_unstable();
    kept.dedup();
    let atom_bytes = explored.atoms.values().map(BitSet::bytes).sum::<usize>();
    let graph_bytes = explored.graph.predecessors.bytes() + explored.graph.dead.bytes() + atom_bytes;
    let n_nodes = explored.graph.predecessors.n_nodes();
    let atom = |atom: AtomId| explored.atoms.get(&atom).and_then(|set| set.copied().ok());
    // Each formula takes about as long as so many edges, so that limits are looked at.
    let pause = |bytes: usize| expander.events(1024, || (n_nodes, graph_bytes + bytes));
    let labels = match Labels::of(formulas, &kept, &explored.graph, atom, pause) {
        Ok(labels) => labels,
        Err(LabelError::OutOfMemory) => return Err(Ending::OutOfMemory),
        Err(LabelError::Stopped(ending)) => return Err(ending),
    };
    let verdict = |formula: &Option<CtlId>| {
        let Some(formula) = *formula else { return CtlVerdict::Unknown(CtlUnknown::TooDeep) };
        // The verdict stands even where there is no memory left to show why.
        let run = evidence::evidence(expander, formulas, &labels, &explored.graph.predecessors, formula);
        let run = run.ok().flatten().map(Box::new);
        match labels.get(formula).is_some_and(|set| set.contains(0)) {
            true => CtlVerdict::Holds(run),
            false => CtlVerdict::Fails(run),
        }
    };
    Ok(taken.iter().map(verdict).collect())
}

/// Explores all states, breadth first: identities are the queue.
fn explore<M: Model, S: Lookup<M>, A: Atoms<M>>(
    expander: &mut Expander<'_, M, S>,
    atoms: &mut A,
    formulas: &CtlFormulas,
) -> Result<Explored, Ending> {
    let atom_of = |formula: usize| match formulas.node(CtlId::new(formula)) {
        CtlNode::Atom(atom) => Some((*atom, BitSet::default())),
        _ => None,
    };
    let mut sets: Vec<(AtomId, BitSet)> = (0..formulas.len()).filter_map(atom_of).collect();
    let mut forward = Forward::default();
    let (mut steps, mut successors) = (Vec::new(), Vec::new());
    expander.start()?;
    while forward.n_nodes() < expander.store.len() {
        let id = StateId::new(forward.n_nodes());
        expander.load(id);
        for (atom, set) in &mut sets {
            let holds = expander.holds(atoms, *atom)?;
            set.push(holds).map_err(|_| Ending::OutOfMemory)?;
        }
        expander.steps(id, &mut steps)?;
        successors.clear();
        successors.extend(steps.iter().map(|step| step.to.0));
        forward.push(&mut successors).map_err(|_| Ending::OutOfMemory)?;
        let n_events = steps.len().max(1) as u64;
        let waiting = expander.store.len() - forward.n_nodes();
        expander.events(n_events, || {
            (waiting, forward.bytes() + sets.iter().map(|(_, set)| set.bytes()).sum::<usize>())
        })?;
    }
    let graph = forward.turned().map_err(|_| Ending::OutOfMemory)?;
    Ok(Explored { graph, atoms: sets.into_iter().collect() })
}
