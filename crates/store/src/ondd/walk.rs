//! All keys of a diagram, in ascending order.

use super::node::NodeId;
use super::nodes::Nodes;
use crate::diagram::Format;

/// Calls `visit` with each key, until it says that it has enough by giving an error.
///
/// # Errors
/// What `visit` gave.
pub fn for_each_key<E>(
    nodes: &Nodes,
    root: Option<NodeId>,
    format: &Format,
    mut visit: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let Some(root) = root else { return Ok(()) };
    let mut key = vec![0; format.key_bytes()];
    if format.n_digits() == 0 {
        return visit(&key);
    }
    // The nodes on the path, each with the arc and the value to follow next.
    let mut path = vec![(root, 0, nodes.view(root).arcs().next().map(|arc| arc.low))];
    while let Some((node, at, value)) = path.last().copied() {
        let level = path.len() - 1;
        let arc = nodes.view(node).arcs().nth(at);
        let (Some(arc), Some(value)) = (arc, value) else {
            path.pop();
            continue;
        };
        path[level] = if value < arc.high {
            (node, at, Some(value + 1))
        } else {
            (node, at + 1, nodes.view(node).arcs().nth(at + 1).map(|arc| arc.low))
        };
        format.set_digit(&mut key, level, value);
        if arc.child == NodeId::TERMINAL {
            visit(&key)?;
        } else {
            path.push((arc.child, 0, nodes.view(arc.child).arcs().next().map(|arc| arc.low)));
        }
    }
    Ok(())
}
