//! Runs as counterexamples.
//!
//! The search knows that there is an accepting cycle in a component; the run is put together afterwards from shortest
//! paths through nodes that were met: from the initial node to the component, then from mark to mark inside of it, and
//! back to where the cycle began. Edges are computed anew for that, which takes no longer than the search took.

use petite_model::{ActionId, Model};
use petite_search::Ending;
use petite_store::Lookup;

use super::fairness::FairSets;
use super::nodes::{NodeId, Product};
use super::search::push;
use crate::Atoms;
use crate::ltl::Marks;

/// A run that violates a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The actions from the initial state on.
    pub prefix: Vec<ActionId>,
    /// What comes after them.
    pub rest: Rest,
}

/// How a run goes on after its prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rest {
    /// With these actions, over and over; there is at least one.
    Cycle(Vec<ActionId>),
    /// The prefix leads to a dead state, which repeats.
    Dead,
    /// With anything: the formula is violated whatever happens now.
    Any,
}

/// A run to a node from where on everything is accepted.
pub fn to_node<M: Model, S: Lookup<M>, A: Atoms<M>, F: FairSets<M>>(
    product: &mut Product<'_, M, S, A, F>,
    node: NodeId,
) -> Result<Option<Lasso>, Ending> {
    let mut paths = Paths::new(product)?;
    let Some((path, _)) = paths.shortest(product, NodeId(0), &|_| true, &|reached, _| reached == node)?
    else {
        return Ok((node == NodeId(0)).then(|| Lasso { prefix: Vec::new(), rest: Rest::Any }));
    };
    Ok(Some(Lasso { prefix: path.into_iter().flatten().collect(), rest: Rest::Any }))
}

/// A run to one of these nodes and round a cycle inside of them with all required marks.
pub fn through<M: Model, S: Lookup<M>, A: Atoms<M>, F: FairSets<M>>(
    product: &mut Product<'_, M, S, A, F>,
    nodes: &[NodeId],
    is_inside: &dyn Fn(NodeId) -> bool,
    required: Marks,
) -> Result<Option<Lasso>, Ending> {
    let Some(&any) = nodes.first() else { return Ok(None) };
    let mut paths = Paths::new(product)?;
    let (prefix, entry) = if is_inside(NodeId(0)) {
        (Vec::new(), NodeId(0))
    } else {
        match paths.shortest(product, NodeId(0), &|_| true, &|reached, _| is_inside(reached))? {
            Some(found) => found,
            None => (Vec::new(), any),
        }
    };
    let mut cycle = Vec::new();
    let (mut at, mut seen) = (entry, 0);
    while required & !seen != 0 {
        let missing = required & !seen;
        let Some((path, reached)) =
            paths.shortest(product, at, is_inside, &|_, marks| marks & missing != 0)?
        else {
            return Ok(None);
        };
        seen |= paths.last_marks;
        cycle.extend(path);
        at = reached;
    }
    if at != entry || cycle.is_empty() {
        let Some((path, _)) = paths.shortest(product, at, is_inside, &|reached, _| reached == entry)? else {
            return Ok(None);
        };
        cycle.extend(path);
    }
    // A step without action is one of a dead state, and all steps of the cycle are.
    let cycle: Option<Vec<ActionId>> = cycle.into_iter().collect();
    let rest = cycle.map_or(Rest::Dead, Rest::Cycle);
    Ok(Some(Lasso { prefix: prefix.into_iter().flatten().collect(), rest }))
}

/// A path: an action for each step, none where a dead state repeats.
type Path = Vec<Option<ActionId>>;

/// Shortest paths through nodes that were met.
struct Paths {
    /// For each node of the tree, the one before it.
    parent: Vec<u32>,
    action: Vec<Option<ActionId>>,
    queue: Vec<NodeId>,
    /// The marks of the last edge of the path that was found last.
    last_marks: Marks,
}

const NONE: u32 = u32::MAX;

impl Paths {
    fn new<M: Model, S: Lookup<M>, A: Atoms<M>, F: FairSets<M>>(
        product: &Product<'_, M, S, A, F>,
    ) -> Result<Paths, Ending> {
        let n = product.nodes.len();
        let (mut parent, mut action) = (Vec::new(), Vec::new());
        parent.try_reserve_exact(n).map_err(|_| Ending::OutOfMemory)?;
        action.try_reserve_exact(n).map_err(|_| Ending::OutOfMemory)?;
        parent.resize(n, NONE);
        action.resize(n, None);
        Ok(Paths { parent, action, queue: Vec::new(), last_marks: 0 })
    }

    /// The shortest path from a node through allowed nodes, of at least one step, whose last edge is a goal by the
    /// node it leads to and its marks. Gives that node, too.
    fn shortest<M: Model, S: Lookup<M>, A: Atoms<M>, F: FairSets<M>>(
        &mut self,
        product: &mut Product<'_, M, S, A, F>,
        from: NodeId,
        is_allowed: &dyn Fn(NodeId) -> bool,
        is_goal: &dyn Fn(NodeId, Marks) -> bool,
    ) -> Result<Option<(Path, NodeId)>, Ending> {
        for node in self.queue.drain(..) {
            self.parent[node.index()] = NONE;
        }
        push(&mut self.queue, from)?;
        // The root is its own parent.
        self.parent[from.index()] = from.0;
        let mut next = 0;
        while let Some(&node) = self.queue.get(next) {
            next += 1;
            product.expand(node)?;
            for at in 0..product.edges.len() {
                let edge = product.edges[at];
                let known = product.nodes.find(edge.to.0, edge.automaton_to.0).map(NodeId);
                let Some(to) = known.filter(|&to| to.index() < self.parent.len() && is_allowed(to)) else {
                    continue;
                };
                if is_goal(to, edge.marks) {
                    self.last_marks = edge.marks;
                    let mut path = vec![edge.action];
                    let mut at = node;
                    while at != from {
                        path.push(self.action[at.index()]);
                        at = NodeId(self.parent[at.index()]);
                    }
                    path.reverse();
                    return Ok(Some((path, to)));
                }
                if self.parent[to.index()] == NONE {
                    self.parent[to.index()] = node.0;
                    self.action[to.index()] = edge.action;
                    push(&mut self.queue, to)?;
                }
            }
        }
        Ok(None)
    }
}
