//! Visited states as an ordered binary decision diagram.
//!
//! Paper 4 (*OBDD state store*, section 3): a set of states is the Boolean function of their bits that is true for its
//! members, and its diagram is small where the set is regular. Three operations are all that a search needs:
//!
//! | paper | here |
//! |---|---|
//! | `EncodeOBDD(s)` | [`encode()`], of one state or of a sorted set of them |
//! | `OR(O1, O2)` | OxiDD's `or` |
//! | `Exists(O, s)` | [`Diagram::contains`], a walk along the bits of the state |
//!
//! **OxiDD.** The diagrams are those of the crate `oxidd`. Its managers have room for a fixed number of nodes: when
//! that runs out, what nothing refers to is collected, and if this gives too little, the diagram moves to a manager
//! twice as large ([`transfer()`]). The same happens when a variable has to come in between because a slot got wider.
//!
//! **Cost.** 16 bytes a node of the manager's capacity, 20 for each entry of its cache of results, and 8 for each cell of
//! the tables that find nodes, a power of two for each level, and 14 KB for the manager itself. The crate does not tell, so
//! this is computed, never too little: a test compares it with what is allocated. The tables may be smaller than computed,
//! since the crate shrinks them now and then. While a diagram moves, both managers are there.
//!
//! **Time.** A state alone costs a path of nodes and a walk through the diagram along it, for each bit; a sorted batch shares
//! both. The operations recurse to the number of bits, so there is a limit to these ([`MOST_BITS`]).

mod encode;
mod transfer;

use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Function, HasLevel, InnerNode, Manager, ManagerRef, Node};
use oxidd_core::LevelView;

use crate::diagram::{BitPlace, Diagram, Format, Reform, SortedKeys};
use crate::{Figure, StoreError};

use encode::encode;
use transfer::transfer;

/// Most bits of a state: each is a level of recursion.
pub const MOST_BITS: usize = 4096;

/// Nodes of the first manager.
const FIRST_NODES: usize = 1 << 13;

/// Nodes that a manager can have at most.
const MOST_NODES: usize = (u32::MAX - 2) as usize;

/// Nodes for each entry of the cache of results.
const NODES_PER_RESULT: usize = 2;

/// Bytes of a node, of an entry of the cache, of a cell of the table of a level.
const NODE_BYTES: usize = 16;
const RESULT_BYTES: usize = 20;
const CELL_BYTES: usize = 8;

/// Bytes of an empty manager beside these.
const MANAGER_BYTES: usize = 14 << 10;

/// Cells of the table of a level that holds anything.
const LEAST_CELLS: usize = 16;

/// An ordered binary decision diagram.
pub struct Obdd {
    manager: BDDManagerRef,
    set: BDDFunction,
    /// The node of the terminal that is true.
    truth: usize,
    /// Nodes that the manager has room for.
    capacity: usize,
    places: Vec<BitPlace>,
    /// Nodes in the manager from which on those that nothing refers to are collected.
    collect_at: usize,
    /// Cells of the levels' tables, which never shrink.
    cells: Vec<usize>,
    most_in_manager: usize,
    largest: usize,
    peak_bytes: usize,
}

impl std::fmt::Debug for Obdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Obdd").field("capacity", &self.capacity).field("largest", &self.largest).finish()
    }
}

impl Obdd {
    /// The empty set of keys that are cut like this.
    ///
    /// # Errors
    /// When the system gives no memory.
    pub fn new(format: &Format) -> Result<Obdd, StoreError> {
        let places = format.bit_places();
        let manager = make_manager(FIRST_NODES, places.len())?;
        let (set, truth) = manager.with_manager_shared(|manager| {
            (BDDFunction::f(manager), BDDFunction::t(manager).as_edge(manager).node_id())
        });
        let mut obdd = Obdd {
            manager,
            set,
            truth,
            capacity: FIRST_NODES,
            cells: vec![0; places.len()],
            places,
            collect_at: FIRST_NODES / 2,
            most_in_manager: 0,
            largest: 0,
            peak_bytes: 0,
        };
        obdd.note_tables();
        Ok(obdd)
    }

    /// Number of nodes, the terminal for members counted and the other one not, as paper 4 does.
    pub fn n_nodes(&self) -> usize {
        // Both terminals are counted, unless there is only one of them.
        self.set.node_count().saturating_sub(1)
    }

    /// Adds keys that the set does not have, without looking at the manager's room.
    fn try_union(&self, keys: SortedKeys<'_>) -> AllocResult<BDDFunction> {
        let more = self.manager.with_manager_shared(|manager| {
            encode(manager, &self.places, keys.iter()).map(|edge| BDDFunction::from_edge(manager, edge))
        })?;
        self.set.or(&more)
    }

    /// Collects what nothing refers to. Gives the number of nodes left.
    fn collect(&mut self) -> usize {
        // The manager has a thread that collects when there is little room left; with it at work, nothing would be
        // done here. Exclusive access waits for its end.
        let n_nodes = self.manager.with_manager_exclusive(|manager| {
            manager.gc();
            manager.num_inner_nodes()
        });
        // The terminal is counted.
        self.largest = self.largest.max(n_nodes + 1);
        self.collect_at = (n_nodes + n_nodes / 2).max(FIRST_NODES / 2);
        n_nodes
    }

    /// Moves the set to a manager with so many nodes at least, whose variables are called as `kept` says.
    fn move_to(&mut self, mut capacity: usize, kept: &[u32], n_vars: usize) -> Result<(), StoreError> {
        loop {
            let manager = make_manager(capacity, n_vars)?;
            if let Ok(set) = transfer(&self.set, &manager, kept) {
                let before = self.bytes();
                (self.set, self.manager, self.capacity) = (set, manager, capacity);
                self.cells = vec![0; n_vars];
                self.most_in_manager = 0;
                self.note_tables();
                self.peak_bytes = self.peak_bytes.max(before + self.bytes());
                self.collect();
                return Ok(());
            }
            if capacity == MOST_NODES {
                return Err(StoreError::OutOfMemory);
            }
            capacity = (2 * capacity).min(MOST_NODES);
        }
    }

    /// Takes note of how large the tables of the levels must be by now.
    fn note_tables(&mut self) {
        let n_nodes = self.manager.with_manager_shared(|manager| manager.num_inner_nodes());
        if n_nodes <= self.most_in_manager && self.most_in_manager > 0 {
            return;
        }
        self.most_in_manager = n_nodes;
        self.manager.with_manager_shared(|manager| {
            for (level, cells) in manager.levels().zip(&mut self.cells) {
                if level.len() > 0 {
                    *cells = (*cells).max((level.len() * 4 / 3).next_power_of_two()).max(LEAST_CELLS);
                }
            }
        });
        self.peak_bytes = self.peak_bytes.max(self.bytes());
    }
}

impl Diagram for Obdd {
    fn name(&self) -> &'static str {
        "obdd"
    }

    #[inline]
    fn contains(&self, _: &Format, key: &[u8]) -> bool {
        self.set.with_manager_shared(|manager, root| {
            let mut edge = root;
            while let Node::Inner(node) = manager.get_node(edge) {
                edge = node.child(usize::from(!self.places[node.level() as usize].of(key)));
            }
            edge.node_id() == self.truth
        })
    }

    fn union(&mut self, _: &Format, keys: SortedKeys<'_>) -> Result<(), StoreError> {
        let mut may_collect = true;
        loop {
            if let Ok(set) = self.try_union(keys) {
                self.set = set;
                break;
            }
            let used = self.collect();
            if !(may_collect && used < self.capacity / 2) {
                if self.capacity == MOST_NODES {
                    return Err(StoreError::OutOfMemory);
                }
                let same: Vec<u32> = (0..self.places.len() as u32).collect();
                self.move_to((2 * self.capacity).min(MOST_NODES), &same, same.len())?;
            }
            may_collect = false;
        }
        self.note_tables();
        let used = self.manager.with_manager_shared(|manager| manager.num_inner_nodes());
        if used > self.collect_at {
            self.collect();
        }
        Ok(())
    }

    fn reform(&mut self, reform: &Reform, new: &Format) -> Result<(), StoreError> {
        let places = new.bit_places();
        if places.len() > MOST_BITS {
            return Err(StoreError::OutOfMemory);
        }
        self.move_to(self.capacity, &reform.kept, places.len())?;
        self.places = places;
        Ok(())
    }

    fn bytes(&self) -> usize {
        let results = (self.capacity / NODES_PER_RESULT).next_power_of_two();
        MANAGER_BYTES
            + self.capacity * NODE_BYTES
            + results * RESULT_BYTES
            + self.cells.iter().sum::<usize>() * CELL_BYTES
            + self.cells.capacity() * size_of::<usize>()
            + self.places.capacity() * size_of::<BitPlace>()
    }

    fn peak_bytes(&self) -> usize {
        self.peak_bytes.max(self.bytes())
    }

    fn figures(&self) -> Vec<Figure> {
        let now = self.n_nodes();
        vec![
            Figure::count("bits", self.places.len() as u64),
            Figure::count("nodes now", now as u64),
            Figure::count("largest number of nodes", now.max(self.largest) as u64),
            Figure::count("nodes that there is room for", self.capacity as u64),
        ]
    }
}

/// An empty manager.
fn make_manager(capacity: usize, n_vars: usize) -> Result<BDDManagerRef, StoreError> {
    let results = (capacity / NODES_PER_RESULT).next_power_of_two();
    // The crate ends the program where the system gives no memory: it is asked beforehand.
    let mut probe: Vec<u8> = Vec::new();
    let bytes = capacity * NODE_BYTES + results * RESULT_BYTES;
    std::hint::black_box(&mut probe).try_reserve_exact(bytes).map_err(|_| StoreError::OutOfMemory)?;
    drop(probe);
    let manager = new_manager(capacity, results, 1);
    let n_vars = u32::try_from(n_vars).map_err(|_| StoreError::OutOfMemory)?;
    manager.with_manager_exclusive(|manager| manager.add_vars(n_vars));
    Ok(manager)
}

#[cfg(test)]
mod tests;
