//! Where formulas hold.
//!
//! All formulas are labelled in the order of their numbers, so that parts come first, each with a set of nodes (Clarke,
//! Emerson and Sistla 1986). A set is dropped when no formula needs it any more.
//!
//! - `EX f`: the predecessors of the nodes of f that are not dead.
//! - `E[f U g]`: g, and backwards from there through nodes of f.
//! - `EG f`: f without the nodes that have no successor left in it, again and again; each node counts its successors.
//!
//! **Cost.** Time is linear in the graph for each operator. A bit a node for each set that is needed at the same time,
//! 4 bytes a node for the nodes under way, and 4 more for the counts of `EG`.

use petite_bits::OutOfMemory;

use super::bit_set::BitSet;
use super::formula::{CtlFormulas, CtlId, CtlNode};
use super::graph::{Backward, Predecessors};
use crate::AtomId;

/// The sets of nodes where formulas hold, as far as they are kept.
#[derive(Debug)]
pub struct Labels {
    sets: Vec<Option<BitSet>>,
}

/// Why a labelling did not come to an end.
#[derive(Debug)]
pub enum LabelError<E> {
    OutOfMemory,
    /// It was told to stop.
    Stopped(E),
}

impl<E> From<OutOfMemory> for LabelError<E> {
    fn from(_: OutOfMemory) -> LabelError<E> {
        LabelError::OutOfMemory
    }
}

impl Labels {
    /// Labels all formulas. Those in `kept` stay; `atom` gives the nodes of an atom; `pause` is called before each
    /// formula with the bytes in use, and may end it.
    pub fn of<E>(
        formulas: &CtlFormulas,
        kept: &[CtlId],
        graph: &Backward,
        atom: impl Fn(AtomId) -> Option<BitSet>,
        mut pause: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Labels, LabelError<E>> {
        let mut uses = vec![0u32; formulas.len()];
        let all = || (0..formulas.len()).map(CtlId::new);
        all().flat_map(|formula| formulas.parts(formula)).chain(kept.iter().copied()).for_each(|part| {
            uses[part.index()] += 1;
        });
        let mut labels = Labels { sets: vec![None; formulas.len()] };
        for formula in all() {
            pause(labels.bytes()).map_err(LabelError::Stopped)?;
            let set = labels.label(formulas, formula, graph, &atom)?;
            labels.sets[formula.index()] = Some(set);
            for part in formulas.parts(formula).into_iter().chain([formula]) {
                if part != formula {
                    uses[part.index()] -= 1;
                }
                if uses[part.index()] == 0 {
                    labels.sets[part.index()] = None;
                }
            }
        }
        Ok(labels)
    }

    /// Where a formula holds, if that was kept.
    pub fn get(&self, formula: CtlId) -> Option<&BitSet> {
        self.sets[formula.index()].as_ref()
    }

    /// Heap bytes of the sets.
    pub fn bytes(&self) -> usize {
        self.sets.iter().flatten().map(BitSet::bytes).sum()
    }

    fn label(
        &self,
        formulas: &CtlFormulas,
        formula: CtlId,
        graph: &Backward,
        atom: &impl Fn(AtomId) -> Option<BitSet>,
    ) -> Result<BitSet, OutOfMemory> {
        let predecessors = &graph.predecessors;
        let n = predecessors.n_nodes();
        // Parts have lower numbers and are kept while they are needed.
        let of = |part: CtlId| self.get(part).map_or_else(|| BitSet::filled(n, false), BitSet::copied);
        Ok(match formulas.node(formula) {
            CtlNode::True => BitSet::filled(n, true)?,
            CtlNode::Atom(number) => atom(*number).ok_or(OutOfMemory)?,
            CtlNode::Not(part) => {
                let mut set = of(*part)?;
                set.complement();
                set
            }
            CtlNode::And(parts) => {
                let mut set = BitSet::filled(n, true)?;
                for &part in parts {
                    set.intersect(&of(part)?);
                }
                set
            }
            CtlNode::ExistsNext(part) => {
                let mut set = BitSet::filled(n, false)?;
                for node in of(*part)?.iter() {
                    predecessors.get(node).iter().for_each(|&before| {
                        set.insert(before);
                    });
                }
                // They follow themselves in the graph, so that runs are endless.
                graph.dead.iter().for_each(|node| set.remove(node));
                set
            }
            CtlNode::ExistsUntil(left, right) => until(predecessors, &of(*left)?, of(*right)?)?,
            CtlNode::ExistsGlobally(part) => globally(predecessors, of(*part)?)?,
        })
    }
}

/// The nodes from which `right` can be reached through `left`.
fn until(predecessors: &Predecessors, left: &BitSet, right: BitSet) -> Result<BitSet, OutOfMemory> {
    let mut open = Vec::new();
    for node in right.iter() {
        push(&mut open, node)?;
    }
    let mut set = right;
    while let Some(node) = open.pop() {
        for &before in predecessors.get(node) {
            if left.contains(before) && set.insert(before) {
                push(&mut open, before)?;
            }
        }
    }
    Ok(set)
}

/// The nodes from which one can stay in the set forever.
fn globally(predecessors: &Predecessors, set: BitSet) -> Result<BitSet, OutOfMemory> {
    let mut set = set;
    let mut counts: Vec<u32> = Vec::new();
    counts.try_reserve_exact(predecessors.n_nodes())?;
    counts.resize(predecessors.n_nodes(), 0);
    for node in set.iter() {
        predecessors.get(node).iter().for_each(|&before| counts[before as usize] += 1);
    }
    let mut open = Vec::new();
    for node in set.iter().filter(|&node| counts[node as usize] == 0) {
        push(&mut open, node)?;
    }
    open.iter().for_each(|&node| set.remove(node));
    while let Some(node) = open.pop() {
        for &before in predecessors.get(node) {
            counts[before as usize] -= 1;
            if counts[before as usize] == 0 && set.contains(before) {
                set.remove(before);
                push(&mut open, before)?;
            }
        }
    }
    Ok(set)
}

/// Appends a node where there is memory for it.
pub fn push(list: &mut Vec<u32>, node: u32) -> Result<(), OutOfMemory> {
    if list.len() == list.capacity() {
        list.try_reserve_exact((list.len() / 4).max(64))?;
    }
    list.push(node);
    Ok(())
}
