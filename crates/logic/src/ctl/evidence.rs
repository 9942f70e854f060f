//! Runs that show why a formula holds or fails.
//!
//! That some run exists is shown by one; that it fails to hold that all runs do something, by one that does not. So a
//! formula with an existential operator at its top has a *witness* where it holds, and one with a universal operator a
//! *counterexample* where it fails; what is below a negation or one part of a conjunction counts as the top. Runs
//! begin in the initial state. Their steps are found by firing again: the graph keeps no actions.

use petite_bits::OutOfMemory;
use petite_model::{ActionId, Model};
use petite_search::Ending;
use petite_store::{Lookup, StateId};

use super::bit_set::BitSet;
use super::formula::{CtlFormulas, CtlId, CtlNode};
use super::graph::Predecessors;
use super::labelling::{Labels, push};
use crate::expander::{Expander, Step};
use crate::{Lasso, Rest};

/// The formulas whose labels are needed to show why a formula has its value.
pub fn needed(formulas: &CtlFormulas, formula: CtlId) -> Vec<CtlId> {
    let (mut open, mut needed) = (vec![formula], Vec::new());
    while let Some(formula) = open.pop() {
        needed.push(formula);
        match formulas.node(formula) {
            CtlNode::True | CtlNode::Atom(_) => {}
            CtlNode::Not(_) | CtlNode::And(_) => open.extend(formulas.parts(formula)),
            // A path through its parts is all there is to show.
            _ => needed.extend(formulas.parts(formula)),
        }
    }
    needed
}

/// The run that shows why a formula has its value in the initial state; none where no single run does.
pub fn evidence<M: Model, S: Lookup<M>>(
    expander: &mut Expander<'_, M, S>,
    formulas: &CtlFormulas,
    labels: &Labels,
    predecessors: &Predecessors,
    formula: CtlId,
) -> Result<Option<Lasso>, Ending> {
    let holds = |formula: CtlId| labels.get(formula).is_some_and(|set| set.contains(0));
    let mut formula = formula;
    loop {
        match formulas.node(formula) {
            CtlNode::Not(inner) => formula = *inner,
            CtlNode::And(parts) if !holds(formula) => {
                // A part that a run shows to fail is better than one that none does.
                let failing = || parts.iter().copied().filter(|&part| !holds(part));
                let Some(part) = failing().find(|&part| is_shown(formulas, part)).or(failing().next()) else {
                    return Ok(None);
                };
                formula = part;
            }
            _ if !holds(formula) => return Ok(None),
            CtlNode::ExistsNext(part) => {
                let Some(part) = labels.get(*part) else { return Ok(None) };
                let step = step_into(expander, 0, |to| part.contains(to))?;
                return Ok(step.map(|step| Lasso { prefix: vec![step.action], rest: Rest::Any }));
            }
            CtlNode::ExistsUntil(left, right) => {
                let (Some(left), Some(right)) = (labels.get(*left), labels.get(*right)) else {
                    return Ok(None);
                };
                let prefix = path(expander, predecessors, left, right)?;
                return Ok(Some(Lasso { prefix, rest: Rest::Any }));
            }
            CtlNode::ExistsGlobally(_) => return stay(expander, labels.get(formula)),
            _ => return Ok(None),
        }
    }
}

/// Whether a run shows that a part of a conjunction fails.
fn is_shown(formulas: &CtlFormulas, part: CtlId) -> bool {
    let CtlNode::Not(inner) = formulas.node(part) else { return false };
    matches!(
        formulas.node(*inner),
        CtlNode::ExistsNext(_) | CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_)
    )
}

/// A step from a state to one of the wanted ones; none where there is none, or the state is dead.
fn step_into<M: Model, S: Lookup<M>>(
    expander: &mut Expander<'_, M, S>,
    from: u32,
    is_wanted: impl Fn(u32) -> bool,
) -> Result<Option<Step>, Ending> {
    let mut steps = Vec::new();
    expander.load(StateId(from));
    expander.steps(StateId(from), &mut steps)?;
    Ok(steps.into_iter().find(|step| is_wanted(step.to.0)))
}

/// The actions of a shortest path from the initial state to the second set through the first one.
fn path<M: Model, S: Lookup<M>>(
    expander: &mut Expander<'_, M, S>,
    predecessors: &Predecessors,
    left: &BitSet,
    right: &BitSet,
) -> Result<Vec<ActionId>, Ending> {
    const NONE: u32 = u32::MAX;
    let mut prefix = Vec::new();
    if right.contains(0) {
        return Ok(prefix);
    }
    // Backwards from the goal, breadth first: where each node has to go.
    let hops = || -> Result<Vec<u32>, OutOfMemory> {
        let mut hops: Vec<u32> = Vec::new();
        hops.try_reserve_exact(predecessors.n_nodes())?;
        hops.resize(predecessors.n_nodes(), NONE);
        let mut queue = Vec::new();
        for node in right.iter() {
            push(&mut queue, node)?;
        }
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            next += 1;
            for &before in predecessors.get(node) {
                if hops[before as usize] == NONE && left.contains(before) && !right.contains(before) {
                    hops[before as usize] = node;
                    if before == 0 {
                        return Ok(hops);
                    }
                    push(&mut queue, before)?;
                }
            }
        }
        Ok(hops)
    };
    let hops = hops().map_err(|_| Ending::OutOfMemory)?;
    let mut at = 0;
    while !right.contains(at) {
        let hop = hops[at as usize];
        let Some(step) = step_into(expander, at, |to| to == hop)? else { break };
        prefix.push(step.action);
        at = hop;
    }
    Ok(prefix)
}

/// A run that never leaves a set in which every node has a successor.
fn stay<M: Model, S: Lookup<M>>(
    expander: &mut Expander<'_, M, S>,
    set: Option<&BitSet>,
) -> Result<Option<Lasso>, Ending> {
    let Some(set) = set else { return Ok(None) };
    let (mut actions, mut visited) = (Vec::new(), vec![0u32]);
    let mut seen = set.copied().map_err(|_| Ending::OutOfMemory)?;
    // What was not visited yet is still in there.
    seen.remove(0);
    let mut at = 0;
    loop {
        // Closing a cycle is better than going on.
        let is_visited = |to: u32| set.contains(to) && !seen.contains(to);
        let step = match step_into(expander, at, is_visited)? {
            Some(step) => Some(step),
            None => step_into(expander, at, |to| set.contains(to))?,
        };
        let Some(Step { action, to }) = step else {
            return Ok(Some(Lasso { prefix: actions, rest: Rest::Dead }));
        };
        actions.push(action);
        if !seen.contains(to.0) {
            let start = visited.iter().position(|&node| node == to.0).unwrap_or(0);
            let cycle = actions.split_off(start);
            return Ok(Some(Lasso { prefix: actions, rest: Rest::Cycle(cycle) }));
        }
        seen.remove(to.0);
        push(&mut visited, to.0).map_err(|_| Ending::OutOfMemory)?;
        at = to.0;
    }
}
