//! The search for an accepting cycle.
//!
//! Depth first, with the components of the part that was seen so far, after Couvreur ("On-the-fly Verification of Linear
//! Temporal Logic", 1999): each component that is not complete yet is known by the node through which it was entered,
//! its *root*. An edge back to a node of an incomplete component makes one component of all that are in between, and
//! their marks are joined. As soon as one has all marks the search ends: there is an accepting cycle.
//!
//! ```text
//!  open   | n0 n1 n2 n3 n4 n5 n6 |     nodes of incomplete components, in the order of their entry
//!  roots  | 0     2        5    |      where components begin; an edge from n6 to n3 joins the last two
//! ```
//!
//! Weak automata need nothing else, since the first cycle in an accepting component has all marks. Where the
//! automaton reaches a state that accepts everything (a *terminal* one) the search ends at once, without a cycle.
//! With strong fairness a component is looked at again when it is complete; see [`super::streett`].
//!
//! **Cost.** Each node is expanded once: time is linear in the product. A node takes about 6 to 10 bytes in the table of
//! pairs and 4 for its position among the open ones; a node on the path takes 8, and 16 for each edge not yet followed.

use petite_bits::OutOfMemory;
use petite_model::Model;
use petite_search::Ending;
use petite_store::{Lookup, StateId};

use super::LtlFigures;
use super::fairness::FairSets;
use super::lasso::{self, Lasso};
use super::nodes::{NodeId, Product, ProductEdge};
use super::streett;
use crate::Atoms;
use crate::expander::Expander;
use crate::ltl::{Automaton, AutomatonState, Marks};

/// A search under way.
pub struct Search<'a, M, S, A, F> {
    product: Product<'a, M, S, A, F>,
    sinks: Vec<bool>,
    /// The position plus one of each node among the open ones; zero where its component is complete.
    position: Vec<u32>,
    open: Vec<NodeId>,
    roots: Vec<Root>,
    path: Vec<Level>,
    /// The edges of nodes on the path that were not followed yet.
    pending: Vec<Pending>,
}

/// The beginning of an incomplete component.
#[derive(Clone, Copy)]
struct Root {
    /// Its position among the open nodes.
    start: u32,
    /// The marks of the edge that led to it.
    incoming: Marks,
    /// The marks of edges inside of the component.
    inner: Marks,
}

#[derive(Clone, Copy)]
struct Level {
    node: NodeId,
    /// Where its edges begin among the pending ones.
    pending_from: u32,
}

#[derive(Clone, Copy)]
struct Pending {
    to: StateId,
    automaton_to: AutomatonState,
    marks: Marks,
}

/// What ended the search.
enum Found {
    /// A component with an accepting cycle begins at this position.
    Component(u32),
    /// The node's automaton state accepts everything.
    Sink(NodeId),
    /// A component, or part of one, with a cycle that is fair as well.
    Fair(streett::FairPart),
}

impl<'a, M: Model, S: Lookup<M>, A: Atoms<M>, F: FairSets<M>> Search<'a, M, S, A, F> {
    pub fn new(
        expander: Expander<'a, M, S>,
        atoms: &'a mut A,
        automaton: &'a Automaton,
        fairness: &'a mut F,
    ) -> Self {
        let product = Product::new(expander, atoms, automaton, fairness);
        let sinks =
            if product.is_fair() { vec![false; automaton.n_states()] } else { automaton.accepting_sinks() };
        Search {
            product,
            sinks,
            position: Vec::new(),
            open: Vec::new(),
            roots: Vec::new(),
            path: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Searches. Gives a run that is accepted, if there is one; it is missing where memory ran out for it.
    pub fn run(&mut self) -> Result<Option<Option<Lasso>>, Ending> {
        let Some(found) = self.search()? else { return Ok(None) };
        let (product, open) = (&mut self.product, &self.open);
        let lasso = match found {
            Found::Sink(node) => lasso::to_node(product, node),
            Found::Component(start) => {
                let start = start as usize;
                let position = &self.position;
                let is_inside = |node: NodeId| position[node.index()] as usize > start;
                let required = product.required();
                lasso::through(product, &open[start..], &is_inside, required)
            }
            Found::Fair(part) => {
                let is_inside = |node: NodeId| part.nodes.binary_search(&node).is_ok();
                lasso::through(product, &part.nodes, &is_inside, part.required)
            }
        };
        match lasso {
            Ok(lasso) => Ok(Some(lasso)),
            // That there is a run is certain, whatever came in the way of showing it.
            Err(_) => Ok(Some(None)),
        }
    }

    /// Adds what was done to the figures.
    pub fn tell(&self, figures: &mut LtlFigures) {
        figures.edges = self.product.expander.edges;
        figures.product_states = self.product.nodes.len() as u64;
        figures.search_bytes = self.bytes();
        figures.elapsed = self.product.expander.elapsed();
    }

    fn search(&mut self) -> Result<Option<Found>, Ending> {
        let initial = self.product.expander.start()?;
        let node = self.product.node(initial, AutomatonState(0)).map_err(out_of_memory)?;
        if self.sinks[0] {
            return Ok(Some(Found::Sink(node)));
        }
        self.enter(node, 0)?;
        while let Some(&level) = self.path.last() {
            if self.pending.len() <= level.pending_from as usize {
                self.path.pop();
                if let Some(found) = self.leave(level.node)? {
                    return Ok(Some(found));
                }
                continue;
            }
            let Some(Pending { to, automaton_to, marks }) = self.pending.pop() else { continue };
            let n_nodes = self.product.nodes.len();
            let node = self.product.node(to, automaton_to).map_err(out_of_memory)?;
            if node.index() == n_nodes {
                if self.sinks[automaton_to.index()] {
                    return Ok(Some(Found::Sink(node)));
                }
                self.enter(node, marks)?;
            } else if let Some(position) = self.position[node.index()].checked_sub(1)
                && let Some(found) = self.join(position, marks)
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Enters a new node through an edge with these marks.
    fn enter(&mut self, node: NodeId, incoming: Marks) -> Result<(), Ending> {
        let start = u32::try_from(self.open.len()).map_err(|_| Ending::OutOfMemory)?;
        push(&mut self.open, node)?;
        push(&mut self.position, start + 1)?;
        debug_assert_eq!(
            self.position.len(),
            node.index() + 1,
            "nodes are entered in the order of their numbers"
        );
        push(&mut self.roots, Root { start, incoming, inner: 0 })?;
        let pending_from = u32::try_from(self.pending.len()).map_err(|_| Ending::OutOfMemory)?;
        push(&mut self.path, Level { node, pending_from })?;
        self.product.expand(node)?;
        let n_edges = self.product.edges.len();
        reserve(&mut self.pending, n_edges)?;
        for edge in self.product.edges.iter().rev() {
            let &ProductEdge { to, automaton_to, marks, .. } = edge;
            // Most of them are looked for soon.
            self.product.nodes.prefetch(to.0, automaton_to.0);
            self.pending.push(Pending { to, automaton_to, marks });
        }
        let (len, bytes) = (self.path.len(), self.bytes());
        self.product.expander.events(1 + n_edges as u64, || (len, bytes))
    }

    /// Makes one component of all from the one with this position on, to which an edge with these marks leads back.
    fn join(&mut self, position: u32, mut marks: Marks) -> Option<Found> {
        while let Some(&root) = self.roots.last() {
            if root.start <= position {
                break;
            }
            marks |= root.incoming | root.inner;
            self.roots.pop();
        }
        let required = self.product.required();
        let is_strong = self.product.is_strong();
        let root = self.roots.last_mut()?;
        root.inner |= marks;
        (!is_strong && root.inner & required == required).then_some(Found::Component(root.start))
    }

    /// Leaves a node all of whose edges were followed. Its component is complete where it is the root.
    fn leave(&mut self, node: NodeId) -> Result<Option<Found>, Ending> {
        let Some(&root) = self.roots.last() else { return Ok(None) };
        if root.start + 1 != self.position[node.index()] {
            return Ok(None);
        }
        let required = self.product.required();
        if self.product.is_strong() && root.inner & required == required {
            let nodes = &self.open[root.start as usize..];
            if let Some(part) = streett::fair_part(&mut self.product, nodes)? {
                return Ok(Some(Found::Fair(part)));
            }
        }
        self.roots.pop();
        for node in self.open.drain(root.start as usize..) {
            self.position[node.index()] = 0;
        }
        Ok(None)
    }

    /// Heap bytes owned.
    fn bytes(&self) -> usize {
        self.product.bytes()
            + self.position.capacity() * size_of::<u32>()
            + self.open.capacity() * size_of::<NodeId>()
            + self.roots.capacity() * size_of::<Root>()
            + self.path.capacity() * size_of::<Level>()
            + self.pending.capacity() * size_of::<Pending>()
    }
}

pub fn out_of_memory(_: OutOfMemory) -> Ending {
    Ending::OutOfMemory
}

/// Makes room for more, growing by a quarter: stacks may be the larger part of a search's memory.
pub fn reserve<T>(stack: &mut Vec<T>, more: usize) -> Result<(), Ending> {
    if stack.capacity() - stack.len() < more {
        let room = more.max(stack.len() / 4).max(64);
        stack.try_reserve_exact(room).map_err(|_| Ending::OutOfMemory)?;
    }
    Ok(())
}

/// Appends an item where there is memory for it.
pub fn push<T>(stack: &mut Vec<T>, item: T) -> Result<(), Ending> {
    reserve(stack, 1)?;
    stack.push(item);
    Ok(())
}
