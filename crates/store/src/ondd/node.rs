//! The nodes of an n-ary diagram as bytes.
//!
//! A node is a list of arcs in ascending order, each labelled by a range of values and leading to another node.
//! Values without an arc lead nowhere. Nodes lie one behind the other in one array of bytes and are called by their
//! offset there; offset 0 is the terminal, where all keys of the set end.
//!
//! ```text
//!   bit 7        6..5     4..3          2..0
//!  +-----------+-------+-------------+--------+----------+-----------+-------------+
//!  | singles   | label | child bytes | arcs   | (arcs)   | labels    | children    |
//!  |           | form  | less one    | or 0   | if 0     |           |             |
//!  +-----------+-------+-------------+--------+----------+-----------+-------------+
//!     header byte                               4 bytes
//! ```
//!
//! Label forms: 0, both ends of the range are below 16 and share a byte; 1, 2, 3: each end takes 1, 2 or 4 bytes. With
//! *singles*, all ranges of forms 1 to 3 are single values, and only one end is there. Children are offsets of 1 to
//! 4 bytes. A node with one arc takes 4 to 6 bytes as a rule.
//!
//! Arcs have a fixed width within a node, so a value is found by bisection.

petite_bits::typed_index! {
    /// A node, by its offset in the array; 0 is the terminal.
    pub struct NodeId;
}

impl NodeId {
    /// Where all keys of the set end.
    pub const TERMINAL: NodeId = NodeId(0);
}

/// An arc of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The lowest value of its label.
    pub low: u32,
    /// The highest one.
    pub high: u32,
    /// Where it leads.
    pub child: NodeId,
}

const SINGLES: u8 = 1 << 7;
const MOST_SHORT: usize = 7;

/// A node as it lies in the array.
#[derive(Clone, Copy, Debug)]
pub struct NodeView<'a> {
    header: u8,
    n_arcs: usize,
    /// Bytes before the labels.
    head_bytes: usize,
    labels: &'a [u8],
    children: &'a [u8],
}

impl<'a> NodeView<'a> {
    /// The node at an offset.
    #[inline]
    pub fn at(bytes: &'a [u8], node: NodeId) -> NodeView<'a> {
        let bytes = &bytes[node.index()..];
        let header = bytes[0];
        let (n_arcs, head_bytes) = match usize::from(header & 7) {
            0 => (u32::from_le_bytes([bytes[1], bytes[2], bytes[3], bytes[4]]) as usize, 5),
            n => (n, 1),
        };
        let label_bytes = n_arcs * label_bytes(header);
        let child_bytes = n_arcs * child_bytes(header);
        let labels = &bytes[head_bytes..head_bytes + label_bytes];
        let children = &bytes[head_bytes + label_bytes..][..child_bytes];
        NodeView { header, n_arcs, head_bytes, labels, children }
    }

    /// Number of arcs, at least one.
    #[inline]
    pub fn n_arcs(&self) -> usize {
        self.n_arcs
    }

    /// Length in bytes.
    #[inline]
    pub fn len_bytes(&self) -> usize {
        self.head_bytes + self.labels.len() + self.children.len()
    }

    /// Where a value leads, if it leads anywhere.
    #[inline]
    pub fn child_of(&self, value: u32) -> Option<NodeId> {
        let (mut low, mut high) = (0, self.n_arcs);
        while low < high {
            let middle = (low + high) / 2;
            let (first, last) = self.label(middle);
            if value < first {
                high = middle;
            } else if value > last {
                low = middle + 1;
            } else {
                return Some(self.child(middle));
            }
        }
        None
    }

    /// The arcs in order.
    #[inline]
    pub fn arcs(self) -> impl Iterator<Item = Arc> + use<'a> {
        (0..self.n_arcs).map(move |at| {
            let (low, high) = self.label(at);
            Arc { low, high, child: self.child(at) }
        })
    }

    /// Where the arcs lead, in order.
    #[inline]
    pub fn children(self) -> impl Iterator<Item = NodeId> + use<'a> {
        (0..self.n_arcs).map(move |at| self.child(at))
    }

    /// Where the children are in the array: offset of the first, and bytes of each.
    pub fn children_place(&self, node: NodeId) -> (usize, usize) {
        (node.index() + self.head_bytes + self.labels.len(), child_bytes(self.header))
    }

    #[inline]
    fn label(&self, at: usize) -> (u32, u32) {
        let single = self.header & SINGLES != 0;
        match label_form(self.header) {
            0 => (u32::from(self.labels[at] & 15), u32::from(self.labels[at] >> 4)),
            form => {
                let n = 1 << (form - 1);
                if single {
                    let value = number(&self.labels[at * n..][..n]);
                    (value, value)
                } else {
                    let both = &self.labels[at * 2 * n..][..2 * n];
                    (number(&both[..n]), number(&both[n..]))
                }
            }
        }
    }

    #[inline]
    fn child(&self, at: usize) -> NodeId {
        let n = child_bytes(self.header);
        NodeId(number(&self.children[at * n..][..n]))
    }
}

/// Appends a node with these arcs, at least one.
pub fn append(arcs: &[Arc], bytes: &mut Vec<u8>) {
    let highest = arcs.last().map_or(0, |arc| arc.high);
    let form: u8 = match highest {
        0..16 => 0,
        16..0x100 => 1,
        0x100..0x1_0000 => 2,
        _ => 3,
    };
    let farthest = arcs.iter().map(|arc| arc.child.0).max().unwrap_or(0);
    let child_bytes = ((32 - farthest.leading_zeros()).div_ceil(8) as usize).max(1);
    let singles = form > 0 && arcs.iter().all(|arc| arc.low == arc.high);
    let short = if arcs.len() <= MOST_SHORT { arcs.len() as u8 } else { 0 };
    bytes.push(if singles { SINGLES } else { 0 } | form << 5 | (child_bytes as u8 - 1) << 3 | short);
    if short == 0 {
        bytes.extend_from_slice(&(arcs.len() as u32).to_le_bytes());
    }
    for arc in arcs {
        match form {
            0 => bytes.push((arc.low | arc.high << 4) as u8),
            _ => {
                let n = 1 << (form - 1);
                bytes.extend_from_slice(&arc.low.to_le_bytes()[..n]);
                if !singles {
                    bytes.extend_from_slice(&arc.high.to_le_bytes()[..n]);
                }
            }
        }
    }
    for arc in arcs {
        bytes.extend_from_slice(&arc.child.0.to_le_bytes()[..child_bytes]);
    }
}

/// Most bytes that a node of so many arcs takes.
pub fn most_bytes(n_arcs: usize) -> usize {
    5 + 12 * n_arcs
}

#[inline]
fn label_form(header: u8) -> u8 {
    header >> 5 & 3
}

/// Bytes of a label.
#[inline]
fn label_bytes(header: u8) -> usize {
    match label_form(header) {
        0 => 1,
        form => (1 << (form - 1)) * if header & SINGLES != 0 { 1 } else { 2 },
    }
}

/// Bytes of a child.
#[inline]
fn child_bytes(header: u8) -> usize {
    usize::from(header >> 3 & 3) + 1
}

/// A number of one to four bytes, the lowest first.
#[inline]
fn number(bytes: &[u8]) -> u32 {
    match *bytes {
        [a] => u32::from(a),
        [a, b] => u32::from(u16::from_le_bytes([a, b])),
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    #[test]
    fn arcs_come_back() {
        for seed in 0..2000u64 {
            let random = |i: u64| mix64(seed << 20 | i);
            let n = 1 + random(0) as usize % [3, 20, 300][random(1) as usize % 3];
            let step = [2, 40, 5000, 9_000_000][random(2) as usize % 4];
            let far = [1u64 << 8, 1 << 16, 1 << 24, 1 << 32][random(3) as usize % 4];
            let with_ranges = random(4) % 2 == 0;
            let mut arcs = Vec::new();
            let mut next = 0u32;
            for i in 0..n as u64 {
                let low = next.saturating_add(random(10 + 3 * i) as u32 % step);
                let high =
                    if with_ranges { low.saturating_add(random(11 + 3 * i) as u32 % step) } else { low };
                if high > u32::MAX - 2 {
                    break;
                }
                arcs.push(Arc { low, high, child: NodeId((random(12 + 3 * i) % far) as u32) });
                next = high + 2;
            }
            let mut bytes = vec![0, 9, 9];
            append(&arcs, &mut bytes);
            let end = bytes.len();
            bytes.extend([7; 9]);
            let node = NodeView::at(&bytes, NodeId(3));
            assert!(node.arcs().eq(arcs.iter().copied()), "{arcs:?}");
            assert_eq!((node.n_arcs(), 3 + node.len_bytes()), (arcs.len(), end));
            assert!(node.len_bytes() <= most_bytes(arcs.len()));
            for arc in &arcs {
                for value in [arc.low, arc.high, arc.low + (arc.high - arc.low) / 2] {
                    assert_eq!(node.child_of(value), Some(arc.child));
                }
                assert_eq!(node.child_of(arc.high + 1), None);
            }
        }
    }
}
