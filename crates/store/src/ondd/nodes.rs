//! All nodes of a diagram, each once.
//!
//! The nodes lie in one array, in the order in which they were made: a node always lies behind those that its arcs
//! lead to. A table finds a node by its arcs, so that no two are equal, which makes diagrams canonical.
//!
//! ```text
//!  cells    |  17 |     |  5  |     | 11  | ...     offsets; 4 bytes each, at most four fifths of them taken
//!  bytes    | · | node 1 | node 5 | node 11 | ...
//! ```

use petite_bits::{OutOfMemory, mix64};

use super::node::{Arc, NodeId, NodeView, append, most_bytes};

/// The largest part of the cells that may be taken.
const MAX_LOAD: (usize, usize) = (4, 5);

/// Cells of a table that holds something.
const FIRST_CELLS: usize = 64;

/// The nodes and the table that finds them.
#[derive(Debug, Default)]
pub struct Nodes {
    /// The nodes, behind one byte that stands for the terminal; nothing where there are none.
    pub(super) bytes: Vec<u8>,
    /// Offsets of nodes, 0 where there is none.
    pub(super) cells: Vec<u32>,
    /// Number of nodes, those that nothing leads to among them.
    pub(super) len: usize,
}

impl Nodes {
    /// A node.
    #[inline]
    pub fn view(&self, node: NodeId) -> NodeView<'_> {
        NodeView::at(&self.bytes, node)
    }

    /// The node with these arcs; it is made where there is none. The arcs are at least one, in order, and no two could
    /// be one.
    ///
    /// # Errors
    /// When there is no memory, or no more offset: then nothing has changed.
    pub fn get(&mut self, arcs: &[Arc]) -> Result<NodeId, OutOfMemory> {
        let hash = hash_of(arcs.iter().copied());
        if !self.cells.is_empty() {
            let mut cell = home(hash, self.cells.len());
            while self.cells[cell] != 0 {
                let node = NodeId(self.cells[cell]);
                let view = self.view(node);
                if view.n_arcs() == arcs.len() && view.arcs().eq(arcs.iter().copied()) {
                    return Ok(node);
                }
                cell = next(cell, self.cells.len());
            }
        }
        if (self.len + 1) * MAX_LOAD.1 > self.cells.len() * MAX_LOAD.0 {
            self.grow_table((self.cells.len() + self.cells.len() / 2).max(FIRST_CELLS))?;
        }
        if self.bytes.is_empty() {
            self.bytes.try_reserve_exact(256)?;
            self.bytes.push(0);
        }
        let more = most_bytes(arcs.len());
        if self.bytes.capacity() - self.bytes.len() < more {
            self.bytes.try_reserve_exact(more.max(self.bytes.len() / 8))?;
        }
        let node = NodeId(u32::try_from(self.bytes.len()).map_err(|_| OutOfMemory)?);
        append(arcs, &mut self.bytes);
        self.place(hash, node);
        self.len += 1;
        Ok(node)
    }

    /// Makes a table of so many cells and finds all nodes a place there.
    pub(super) fn grow_table(&mut self, n_cells: usize) -> Result<(), OutOfMemory> {
        let more = n_cells.saturating_sub(self.cells.len());
        self.cells.try_reserve_exact(more)?;
        self.cells.clear();
        self.cells.resize(n_cells, 0);
        let mut offset = 1;
        while offset < self.bytes.len() {
            let node = NodeId::new(offset);
            let view = self.view(node);
            let hash = hash_of(view.arcs());
            offset += view.len_bytes();
            self.place(hash, node);
        }
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.bytes.capacity() + self.cells.capacity() * size_of::<u32>()
    }

    /// Puts a node that is not in the table there.
    fn place(&mut self, hash: u32, node: NodeId) {
        let mut cell = home(hash, self.cells.len());
        while self.cells[cell] != 0 {
            cell = next(cell, self.cells.len());
        }
        self.cells[cell] = node.0;
    }
}

/// The hash of a node. It does not depend on how wide its fields are.
#[inline]
fn hash_of(arcs: impl Iterator<Item = Arc>) -> u32 {
    let mut hash = 0u64;
    for arc in arcs {
        let label = u64::from(arc.low) | u64::from(arc.high) << 32;
        hash = (hash ^ label).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31);
        hash = (hash ^ u64::from(arc.child.0)).wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(29);
    }
    (mix64(hash) >> 32) as u32
}

#[inline]
fn home(hash: u32, n_cells: usize) -> usize {
    ((u64::from(hash) * n_cells as u64) >> 32) as usize
}

#[inline]
fn next(cell: usize, n_cells: usize) -> usize {
    if cell + 1 == n_cells { 0 } else { cell + 1 }
}
