//! Adding a sorted sequence of keys to a diagram.
//!
//! The keys are followed one by one, as in the construction of minimal automata from sorted words (Daciuk, Mihov,
//! Watson and Watson, *Incremental construction of minimal acyclic finite-state automata*, 2000), along the old
//! diagram. For each level the node on the path is open: its old arcs are known, and arcs for single values are
//! collected that will replace or join them. Where the next key leaves the path, all open nodes below are closed:
//! their arcs are merged, and the canonical node for them becomes an arc of the level above.
//!
//! ```text
//!  level 0   open: old arcs of the root      + 3 -> (closed) + 5 -> ...
//!  level 1   open: old arcs along 5          + ...               keys   3 7 1
//!  level 2   open: ...                                                  5 0 2   <- now
//! ```
//!
//! **Cost.** The number of digits below the common beginnings of neighbours, each with the arcs of one node: nothing
//! of the old diagram is touched that no key passes. No recursion, so any number of levels will do.

use petite_bits::OutOfMemory;

use super::node::{Arc, NodeId};
use super::nodes::Nodes;
use crate::diagram::Format;

/// A node that keys are being added to.
#[derive(Clone, Debug, Default)]
struct Open {
    /// The node that was there; none where no old key came along.
    old: Option<NodeId>,
    /// Values with the node that they lead to from now on, ascending.
    edits: Vec<(u32, NodeId)>,
}

/// Adds distinct keys in ascending order that the diagram does not have. Gives the new root.
///
/// # Errors
/// The old root is still good then.
pub fn union<'k>(
    nodes: &mut Nodes,
    root: Option<NodeId>,
    format: &Format,
    keys: impl Iterator<Item = &'k [u8]>,
) -> Result<Option<NodeId>, OutOfMemory> {
    let n = format.n_digits();
    if n == 0 {
        // There is one key, the empty one.
        return Ok(if keys.count() > 0 { Some(NodeId::TERMINAL) } else { root });
    }
    let mut path = vec![Open::default(); n];
    path[0].old = root;
    let mut arcs = Vec::new();
    let mut previous: Option<&[u8]> = None;
    for key in keys {
        let mut level = 0;
        if let Some(previous) = previous {
            level = format.first_difference(previous, key).unwrap_or(n - 1);
            close(nodes, &mut path, format, previous, level, &mut arcs)?;
        }
        for level in level..n - 1 {
            let old = path[level].old.and_then(|old| nodes.view(old).child_of(format.digit(key, level)));
            path[level + 1].old = old;
            path[level + 1].edits.clear();
        }
        path[n - 1].edits.push((format.digit(key, n - 1), NodeId::TERMINAL));
        previous = Some(key);
    }
    let Some(last) = previous else { return Ok(root) };
    close(nodes, &mut path, format, last, 0, &mut arcs)?;
    merge(nodes, &path[0], &mut arcs);
    Ok(Some(nodes.get(&arcs)?))
}

/// Closes all open nodes below a level, on the path of the key that came last.
fn close(
    nodes: &mut Nodes,
    path: &mut [Open],
    format: &Format,
    key: &[u8],
    level: usize,
    arcs: &mut Vec<Arc>,
) -> Result<(), OutOfMemory> {
    for below in (level + 1..path.len()).rev() {
        merge(nodes, &path[below], arcs);
        let node = nodes.get(arcs)?;
        path[below - 1].edits.push((format.digit(key, below - 1), node));
    }
    Ok(())
}

/// The arcs of an open node: the old ones where nothing was edited, with neighbours made one that lead to the same.
fn merge(nodes: &Nodes, open: &Open, arcs: &mut Vec<Arc>) {
    arcs.clear();
    let mut push = |low: u32, high: u32, child: NodeId| match arcs.last_mut() {
        Some(last) if last.child == child && last.high + 1 == low => last.high = high,
        _ => arcs.push(Arc { low, high, child }),
    };
    let mut edits = open.edits.iter().copied().peekable();
    if let Some(old) = open.old {
        for arc in nodes.view(old).arcs() {
            // The first value of the arc that was not copied yet; none behind the largest value there is.
            let mut rest = Some(arc.low);
            while let Some((value, child)) = edits.next_if(|&(value, _)| value <= arc.high) {
                if let Some(low) = rest.filter(|&low| low < value) {
                    push(low, value - 1, arc.child);
                }
                push(value, value, child);
                if arc.low <= value {
                    rest = value.checked_add(1);
                }
            }
            if let Some(low) = rest.filter(|&low| low <= arc.high) {
                push(low, arc.high, arc.child);
            }
        }
    }
    edits.for_each(|(value, child)| push(value, value, child));
}
