//! An ordered n-ary decision diagram: a set of keys as a graph in which equal ends are there once.
//!
//! What the conclusion of paper 4 (*OBDD state store*, section 7) leaves to the future: a level for each variable of the
//! state (a slot, some narrow slots together, or a component's index) instead of one for each bit, and arcs labelled
//! by ranges of values. Every key of the set is a path from the root to the terminal, through all levels:
//!
//! ```text
//!  counters of 0..9, all 10^n states        mutual exclusion, section 3.1 (figure 11)
//!
//!   (c1) --0..9--> (c2) --0..9--> ... [T]    (p1) --0..1--> (p2) --0..1--> (s) --0--> [T]
//!                                              |              \---2---> (s') --1--> [T]
//!                                              \--2--> (p2') --0..1--> (s')
//! ```
//!
//! **Canonical.** Arcs are in order, neighbours that lead to the same node are one arc, and no two nodes are equal
//! ([`nodes`]); so there is one diagram for each set, whatever the order in which its keys came. Levels are never skipped,
//! because a slot has no largest value that all could lead to.
//!
//! **Cost.** 4 to 6 bytes for a node with one arc, 2 to 5 for each further one ([`node`]), and 5 to 7.5 for finding it;
//! half as much again in nodes that are left behind before they are collected ([`collect`]). How many nodes a
//! set of states needs nobody knows beforehand: 8 for 10^8 states of 8 counters, more than a table takes where states
//! have nothing in common. The figure *arcs for each state* tells.
//!
//! **Limit.** Nodes are called by 32-bit offsets: a diagram of more than 4 GiB ends the search as out of memory.
//!
//! **Time.** A lookup bisects the arcs of one node for each level. A [`union()`] of sorted keys costs the parts of the keys
//! that are not shared with their neighbours.

mod collect;
mod node;
mod nodes;
mod union;
mod walk;

use node::NodeId;
use nodes::Nodes;

use crate::diagram::{Diagram, Format, Reform, SortedKeys};
use crate::{Figure, StoreError};

use collect::{Census, census, collect};
use union::union;
use walk::for_each_key;

/// Bytes of nodes below which nothing is collected.
const SMALL: usize = 1 << 12;

/// Keys that are added together while all keys are cut anew.
const REFORM_BATCH: usize = 1 << 14;

/// An n-ary decision diagram.
#[derive(Debug, Default)]
pub struct Ondd {
    nodes: Nodes,
    root: Option<NodeId>,
    /// Bytes of nodes from which on it is worth while to collect those left behind.
    collect_at: usize,
    largest: Census,
    peak_bytes: usize,
    n_keys: u64,
}

impl Ondd {
    /// The empty set.
    pub fn new() -> Ondd {
        Ondd { collect_at: SMALL, ..Ondd::default() }
    }

    /// Nodes and arcs of the diagram now, the terminal left out; nothing where there is no memory to count.
    pub fn size(&self) -> Option<[u64; 2]> {
        census(&self.nodes, self.root).ok().map(|census| [census.nodes, census.arcs])
    }

    /// Bytes of the nodes of the diagram now; all that there could be where there is no memory to count.
    pub fn live_bytes(&self) -> usize {
        census(&self.nodes, self.root).map_or(usize::MAX, |census| census.bytes as usize)
    }

    /// Adds distinct keys in ascending order that the set does not have.
    ///
    /// # Errors
    /// The set is unchanged then.
    pub fn add_sorted<'k>(
        &mut self,
        format: &Format,
        keys: impl ExactSizeIterator<Item = &'k [u8]>,
    ) -> Result<(), StoreError> {
        let more = keys.len() as u64;
        self.root = union(&mut self.nodes, self.root, format, keys)?;
        self.n_keys += more;
        self.peak_bytes = self.peak_bytes.max(self.nodes.bytes());
        // Without memory to collect, what was left behind stays for now.
        if self.nodes.bytes.len() > self.collect_at
            && let Ok((root, census, transient)) = collect(&mut self.nodes, self.root)
        {
            self.root = root;
            self.peak_bytes = self.peak_bytes.max(self.nodes.bytes() + transient);
            if census.nodes > self.largest.nodes {
                self.largest = census;
            }
            self.collect_at = (census.bytes as usize + census.bytes as usize / 2).max(SMALL);
        }
        Ok(())
    }
}

impl Diagram for Ondd {
    fn name(&self) -> &'static str {
        "ondd"
    }

    #[inline]
    fn contains(&self, format: &Format, key: &[u8]) -> bool {
        let Some(mut node) = self.root else { return false };
        for digit in 0..format.n_digits() {
            match self.nodes.view(node).child_of(format.digit(key, digit)) {
                Some(child) => node = child,
                None => return false,
            }
        }
        true
    }

    fn union(&mut self, format: &Format, keys: SortedKeys<'_>) -> Result<(), StoreError> {
        self.add_sorted(format, keys.iter())
    }

    /// Digits that only have room for more are what they were. Otherwise all keys are written anew.
    fn reform(&mut self, reform: &Reform, new: &Format) -> Result<(), StoreError> {
        if reform.same_digits {
            return Ok(());
        }
        let old = std::mem::replace(self, Ondd::new());
        let (old_places, new_places) = (reform.old.bit_places(), new.bit_places());
        let mut batch: Vec<Vec<u8>> = Vec::new();
        let flush = |diagram: &mut Ondd, batch: &mut Vec<Vec<u8>>| {
            batch.sort_unstable();
            diagram.add_sorted(new, batch.iter().map(Vec::as_slice))?;
            batch.clear();
            Ok::<(), StoreError>(())
        };
        for_each_key(&old.nodes, old.root, &reform.old, |key| {
            let mut moved = vec![0; new.key_bytes()];
            let kept = old_places.iter().zip(&reform.kept).filter(|(place, _)| place.of(key));
            kept.for_each(|(_, &bit)| new_places[bit as usize].set(&mut moved));
            batch.push(moved);
            if batch.len() == REFORM_BATCH { flush(self, &mut batch) } else { Ok(()) }
        })?;
        flush(self, &mut batch)?;
        if old.largest.nodes > self.largest.nodes {
            self.largest = old.largest;
        }
        self.peak_bytes = self.peak_bytes.max(old.peak_bytes).max(old.nodes.bytes() + self.nodes.bytes());
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes()
    }

    fn peak_bytes(&self) -> usize {
        self.peak_bytes.max(self.nodes.bytes())
    }

    fn figures(&self) -> Vec<Figure> {
        let Ok(now) = census(&self.nodes, self.root) else { return Vec::new() };
        vec![
            Figure::count("nodes now", now.nodes),
            Figure::count("largest number of nodes", now.nodes.max(self.largest.nodes)),
            Figure::count("arcs now", now.arcs),
            Figure::number("arcs for each state", now.arcs as f64 / self.n_keys.max(1) as f64),
        ]
    }
}

#[cfg(test)]
mod tests;
