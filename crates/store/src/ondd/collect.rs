//! Giving back the nodes that nothing leads to any more.
//!
//! A union makes new nodes along the paths of its keys and leaves the old ones behind. When these have become many,
//! the array is made compact in place, in three sweeps:
//!
//! ```text
//!  mark     from the last node to the first: what a marked node leads to is marked (it lies before it)
//!  extend   from the first to the last: all bytes of marked nodes are marked
//!  move     from the first to the last: a node goes as far left as there are unmarked bytes before it,
//!           and each of its children is told likewise where it is now
//! ```
//!
//! Where something is now is the number of marked bytes before it: counts are kept for every 64 bytes, and the rest is
//! one count of bits. The fields of children keep their width, so sizes do not change.
//!
//! **Cost.** 12 bytes for each 64 of the array while it lasts; a few nanoseconds for each node. No recursion.

use petite_bits::OutOfMemory;

use super::node::NodeId;
use super::nodes::Nodes;

/// What is reachable from the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Nodes, the terminal left out.
    pub nodes: u64,
    /// Arcs of these nodes.
    pub arcs: u64,
    /// Bytes of these nodes.
    pub bytes: u64,
}

/// Counts what the root leads to.
///
/// # Errors
/// When there is no memory for the marks.
pub fn census(nodes: &Nodes, root: Option<NodeId>) -> Result<Census, OutOfMemory> {
    mark(nodes, root).map(|(_, census)| census)
}

/// Gives back all nodes that the root does not lead to. Gives the new root, what is left, and the bytes that it took
/// meanwhile.
///
/// # Errors
/// Nothing has changed then.
pub fn collect(
    nodes: &mut Nodes,
    root: Option<NodeId>,
) -> Result<(Option<NodeId>, Census, usize), OutOfMemory> {
    let (mut marks, census) = mark(nodes, root)?;
    let mut before: Vec<u32> = Vec::new();
    before.try_reserve_exact(marks.len())?;
    let transient = marks.capacity() * size_of::<u64>() + before.capacity() * size_of::<u32>();
    extend(nodes, &mut marks);
    let mut sum = 0;
    for word in &marks {
        before.push(sum);
        sum += word.count_ones();
    }
    // The byte of the terminal stays in front of all.
    let now = |node: NodeId| {
        let (word, bit) = (node.index() / 64, node.index() % 64);
        match node {
            NodeId::TERMINAL => node,
            _ => NodeId(1 + before[word] + (marks[word] & ((1 << bit) - 1)).count_ones()),
        }
    };
    let mut offset = 1;
    while offset < nodes.bytes.len() {
        let node = NodeId::new(offset);
        let view = nodes.view(node);
        let (n_bytes, n_arcs) = (view.len_bytes(), view.n_arcs());
        if is_marked(&marks, node) {
            let (start, width) = view.children_place(node);
            for at in 0..n_arcs {
                let place = start + at * width..start + (at + 1) * width;
                let mut child = [0; 4];
                child[..width].copy_from_slice(&nodes.bytes[place.clone()]);
                let child = now(NodeId(u32::from_le_bytes(child)));
                nodes.bytes[place].copy_from_slice(&child.0.to_le_bytes()[..width]);
            }
            nodes.bytes.copy_within(offset..offset + n_bytes, now(node).index());
        }
        offset += n_bytes;
    }
    let root = root.map(now);
    nodes.bytes.truncate(1 + sum as usize);
    nodes.len = census.nodes as usize;
    // The table keeps its cells, which suffice for fewer nodes.
    nodes.grow_table(nodes.cells.len())?;
    Ok((root, census, transient))
}

/// A mark for the first byte of each node that the root leads to.
fn mark(nodes: &Nodes, root: Option<NodeId>) -> Result<(Vec<u64>, Census), OutOfMemory> {
    let mut marks: Vec<u64> = Vec::new();
    let n_words = nodes.bytes.len().div_ceil(64);
    marks.try_reserve_exact(n_words)?;
    marks.resize(n_words, 0);
    let mut census = Census::default();
    let Some(root) = root.filter(|&root| root != NodeId::TERMINAL) else { return Ok((marks, census)) };
    marks[root.index() / 64] |= 1 << (root.index() % 64);
    for word in (0..=root.index() / 64).rev() {
        let mut done = 0u64;
        // Children may be in the same word, below the bit at hand.
        while marks[word] & !done != 0 {
            let bit = 63 - (marks[word] & !done).leading_zeros();
            done |= 1 << bit;
            let view = nodes.view(NodeId::new(word * 64 + bit as usize));
            census.nodes += 1;
            census.arcs += view.n_arcs() as u64;
            census.bytes += view.len_bytes() as u64;
            for child in view.children().filter(|&child| child != NodeId::TERMINAL) {
                marks[child.index() / 64] |= 1 << (child.index() % 64);
            }
        }
    }
    Ok((marks, census))
}

/// Extends the marks to all bytes of marked nodes.
fn extend(nodes: &Nodes, marks: &mut [u64]) {
    let mut offset = 1;
    while offset < nodes.bytes.len() {
        let node = NodeId::new(offset);
        let end = offset + nodes.view(node).len_bytes();
        if is_marked(marks, node) {
            (offset..end).for_each(|byte| marks[byte / 64] |= 1 << (byte % 64));
        }
        offset = end;
    }
}

#[inline]
fn is_marked(marks: &[u64], node: NodeId) -> bool {
    marks[node.index() / 64] >> (node.index() % 64) & 1 == 1
}
