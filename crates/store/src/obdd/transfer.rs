//! Moving a binary decision diagram to another manager.
//!
//! OxiDD's managers have a fixed number of nodes, and new variables only at the bottom. Where more are needed, or a
//! variable has to come in between, a new manager is made and the diagram is built again there, from the lowest level
//! up: each node once, so a diagram is moved in the time of a walk through it.

use std::collections::HashMap;

use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Function, HasLevel, InnerNode, Manager, ManagerRef, Node};

use super::encode::node;

/// The same set in another manager, where each variable is called by the number that `kept` gives for it; the others
/// are zero for all members.
pub fn transfer(set: &BDDFunction, to: &BDDManagerRef, kept: &[u32]) -> AllocResult<BDDFunction> {
    let mut moved: HashMap<usize, BDDFunction> = HashMap::new();
    let set = set.with_manager_shared(|from, root| {
        to.with_manager_shared(|to| {
            for terminal in [BDDFunction::t_edge(from), BDDFunction::f_edge(from)] {
                let is_true = {
                    let truth = BDDFunction::t_edge(from);
                    let is_true = truth == terminal;
                    from.drop_edge(truth);
                    is_true
                };
                let there = if is_true { BDDFunction::t(to) } else { BDDFunction::f(to) };
                moved.insert(terminal.borrowed().node_id(), there);
                from.drop_edge(terminal);
            }
            // Depth first with a stack of its own: a node is made when its children are.
            let mut stack = vec![root];
            while let Some(&edge) = stack.last() {
                let Node::Inner(inner) = from.get_node(edge) else {
                    stack.pop();
                    continue;
                };
                if moved.contains_key(&edge.node_id()) {
                    stack.pop();
                    continue;
                }
                let children = [inner.child(0), inner.child(1)];
                match children.map(|child| moved.get(&child.node_id())) {
                    [Some(one), Some(zero)] => {
                        let [one, zero] = [one, zero].map(|f| to.clone_edge(f.as_edge(to)));
                        let made = node(to, kept[inner.level() as usize], one, zero)?;
                        moved.insert(edge.node_id(), BDDFunction::from_edge(to, made));
                        stack.pop();
                    }
                    missing => {
                        let missing = children.into_iter().zip(missing).filter(|(_, there)| there.is_none());
                        stack.extend(missing.map(|(child, _)| child));
                    }
                }
            }
            Ok(moved[&root.node_id()].clone())
        })
    })?;
    // Variables that are new are zero: a chain of nodes over all of them, from the lowest up.
    let n_vars = to.with_manager_shared(|to| to.num_levels());
    let mut is_new = vec![true; n_vars as usize];
    kept.iter().for_each(|&level| is_new[level as usize] = false);
    let zeros = to.with_manager_shared(|to| {
        let mut edge = BDDFunction::t_edge(to);
        for level in (0..n_vars).rev().filter(|&level| is_new[level as usize]) {
            edge = node(to, level, BDDFunction::f_edge(to), edge)?;
        }
        Ok(BDDFunction::from_edge(to, edge))
    })?;
    set.and(&zeros)
}
