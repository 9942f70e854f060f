//! How the edges of a node become bits.
//!
//! Paper 3 (section 3.1) writes an edge in ceil(log2 |T|) + ceil(log2 R) bits and needs two words for each node. Numbers
//! in order of discovery have more to give: two nodes that follow each other are brothers as a rule, and the same action
//! leads from brothers to nodes that are near each other, too.
//!
//! ```text
//!  block of 16 nodes   | fresh : 32 | node | node | ... | node |
//!  node                | degree | label, target | label, target | ...           labels ascend
//!  label               class of (label - previous label - 1), and that many bits
//!  target              fresh   the lowest number not met yet: a tree edge of a breadth-first search
//!                      next    the node's own number plus one: a tree edge of a depth-first search
//!                      after   the previous edge's target plus one
//!                      class of the distance to a guess, and that many bits
//! ```
//!
//! The guess is the target of the same label (without labels: of the edge in the same position) at the node before; where
//! there is none, the previous edge's target, and for the first edge the node itself. A number's class is the length of
//! its binary form. Degrees, labels and targets each have a Huffman code of their own for classes, made for the
//! graph. Nothing is guessed from another block, so a node is read by decoding at most 16.
//!
//! **Cost.** On the graphs measured 4 to 9 bits for a target and 2 to 7 for a label: about a quarter of the paper's
//! formula. Taking the labels of the node before for a guess as well would save some of these, at the price of a more
//! involved code.

use petite_bits::{BitReader, BitWriter, OutOfMemory};

use crate::huffman::{Code, MOST_SYMBOLS};
use crate::{GraphEdge, LabelIdx, NodeId};

/// Nodes of a block.
pub const BLOCK: usize = 16;

/// Symbols for targets that need no further bits.
const FRESH: usize = 0;
const NEXT: usize = 1;
const AFTER: usize = 2;

/// The symbol for a distance of class zero.
const DISTANCE: usize = 3;

/// Bits of a degree, a label and a target at most, with the bits of their classes.
const MOST_BITS: usize = 3 * 48;

/// Whether the labels of edges are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// They are.
    Kept,
    /// They have to be recomputed from the marking.
    Left,
}

/// The three codes of a graph.
#[derive(Clone, Debug)]
pub struct Codes {
    pub degree: Code,
    pub label: Code,
    pub target: Code,
}

/// How the nodes of a graph are encoded.
#[derive(Clone, Copy, Debug)]
pub struct Coded<'a> {
    pub codes: &'a Codes,
    pub labels: Labels,
}

/// What is counted to make codes.
#[derive(Clone, Debug)]
pub struct Counts {
    pub degree: [u64; MOST_SYMBOLS],
    pub label: [u64; MOST_SYMBOLS],
    pub target: [u64; MOST_SYMBOLS],
}

/// The node before, and what was met so far.
#[derive(Clone, Debug, Default)]
pub struct Context {
    previous: Vec<GraphEdge>,
    fresh: u32,
}

/// Where symbols go.
pub trait Sink {
    fn degree(&mut self, symbol: usize, bits: u64, n_bits: u32);
    fn label(&mut self, symbol: usize, bits: u64, n_bits: u32);
    fn target(&mut self, symbol: usize, bits: u64, n_bits: u32);
}

/// Writes symbols with their codes.
pub struct Writing<'a> {
    pub codes: &'a Codes,
    pub writer: &'a mut BitWriter,
}

impl Counts {
    pub fn new() -> Counts {
        Counts { degree: [0; MOST_SYMBOLS], label: [0; MOST_SYMBOLS], target: [0; MOST_SYMBOLS] }
    }

    /// Codes for symbols that occur so often.
    pub fn codes(&self) -> Codes {
        Codes {
            degree: Code::of_counts(&self.degree),
            label: Code::of_counts(&self.label),
            target: Code::of_counts(&self.target),
        }
    }
}

impl Sink for Counts {
    fn degree(&mut self, symbol: usize, _: u64, _: u32) {
        self.degree[symbol] += 1;
    }

    fn label(&mut self, symbol: usize, _: u64, _: u32) {
        self.label[symbol] += 1;
    }

    fn target(&mut self, symbol: usize, _: u64, _: u32) {
        self.target[symbol] += 1;
    }
}

impl Sink for Writing<'_> {
    fn degree(&mut self, symbol: usize, bits: u64, n_bits: u32) {
        self.codes.degree.put(self.writer, symbol);
        self.writer.put(bits, n_bits);
    }

    fn label(&mut self, symbol: usize, bits: u64, n_bits: u32) {
        self.codes.label.put(self.writer, symbol);
        self.writer.put(bits, n_bits);
    }

    fn target(&mut self, symbol: usize, bits: u64, n_bits: u32) {
        self.codes.target.put(self.writer, symbol);
        self.writer.put(bits, n_bits);
    }
}

impl Writing<'_> {
    /// Makes room for a node with so many edges.
    pub fn reserve(&mut self, n_edges: usize) -> Result<(), OutOfMemory> {
        self.writer.reserve((n_edges + 1) * MOST_BITS)
    }
}

impl Context {
    /// At the beginning of a block. The numbers below `fresh` have been met.
    pub fn begin(&mut self, fresh: u32) {
        self.previous.clear();
        self.fresh = fresh;
    }

    /// The lowest number that was not met.
    pub fn fresh(&self) -> u32 {
        self.fresh
    }

    /// Encodes a node. Its edges are sorted by label.
    pub fn put(&mut self, node: NodeId, edges: &[GraphEdge], labels: Labels, sink: &mut impl Sink) {
        let (symbol, bits) = class(edges.len() as u64);
        sink.degree(symbol, bits, symbol as u32);
        let mut guesses = Guesses::default();
        let mut last: Option<GraphEdge> = None;
        for (i, &edge) in edges.iter().enumerate() {
            if labels == Labels::Kept {
                let from = last.map_or(0, |last| u64::from(last.label.0) + 1);
                let (symbol, bits) = class(u64::from(edge.label.0) - from);
                sink.label(symbol, bits, symbol as u32);
            }
            let guess = guesses.guess(&self.previous, edge.label, i, labels);
            let last_target = last.map(|last| last.target.0);
            if edge.target.0 == self.fresh {
                sink.target(FRESH, 0, 0);
            } else if edge.target.0 == node.0.wrapping_add(1) {
                sink.target(NEXT, 0, 0);
            } else if last_target.map(|target| target.wrapping_add(1)) == Some(edge.target.0) {
                sink.target(AFTER, 0, 0);
            } else {
                let guess = guess.or(last_target).unwrap_or(node.0);
                let (class, bits) = class(zigzag(i64::from(edge.target.0) - i64::from(guess)));
                sink.target(DISTANCE + class, bits, class as u32);
            }
            self.meet(edge.target.0);
            last = Some(edge);
        }
        self.previous.clear();
        self.previous.extend_from_slice(edges);
    }

    /// Decodes a node; `None` where the bits are none that [`Context::put`] writes. The edges are there until the next
    /// call. Without labels, those that are given are positions. There are at most `most` edges.
    pub fn take(
        &mut self,
        node: NodeId,
        coded: &Coded<'_>,
        most: u64,
        reader: &mut BitReader<'_>,
        edges: &mut Vec<GraphEdge>,
    ) -> Option<()> {
        let Coded { codes, labels } = *coded;
        let start = edges.len();
        let degree = number(codes.degree.take(reader)?, reader)?;
        if degree > most {
            return None;
        }
        let mut guesses = Guesses::default();
        let mut last: Option<GraphEdge> = None;
        for i in 0..degree {
            let label = match labels {
                Labels::Kept => {
                    let gap = number(codes.label.take(reader)?, reader)?;
                    last.map_or(0, |last| u64::from(last.label.0) + 1).checked_add(gap)?
                }
                Labels::Left => i,
            };
            let label = LabelIdx(u32::try_from(label).ok()?);
            let guess = guesses.guess(&self.previous, label, i as usize, labels);
            let last_target = last.map(|last| last.target.0);
            let target = match codes.target.take(reader)? {
                FRESH => self.fresh,
                NEXT => node.0.wrapping_add(1),
                AFTER => last_target?.wrapping_add(1),
                symbol => {
                    let guess = guess.or(last_target).unwrap_or(node.0);
                    let distance = unzigzag(number(symbol - DISTANCE, reader)?);
                    u32::try_from(i64::from(guess).checked_add(distance)?).ok()?
                }
            };
            self.meet(target);
            let edge = GraphEdge { label, target: NodeId(target) };
            edges.push(edge);
            last = Some(edge);
        }
        self.previous.clear();
        self.previous.extend_from_slice(&edges[start..]);
        Some(())
    }

    #[inline]
    fn meet(&mut self, target: u32) {
        self.fresh = self.fresh.max(target.wrapping_add(1));
    }
}

/// Looks labels up in the node before, in ascending order.
#[derive(Default)]
struct Guesses {
    at: usize,
}

impl Guesses {
    #[inline]
    fn guess(
        &mut self,
        previous: &[GraphEdge],
        label: LabelIdx,
        position: usize,
        labels: Labels,
    ) -> Option<u32> {
        if labels == Labels::Left {
            return previous.get(position).map(|edge| edge.target.0);
        }
        while previous.get(self.at).is_some_and(|edge| edge.label < label) {
            self.at += 1;
        }
        previous.get(self.at).filter(|edge| edge.label == label).map(|edge| edge.target.0)
    }
}

/// The class of a number, and the bits that tell it from the others of its class.
#[inline]
fn class(number: u64) -> (usize, u64) {
    let above = number + 1;
    let class = above.ilog2();
    (class as usize, above - (1 << class))
}

/// The number of a class with the next bits; `None` where there is no such class.
#[inline]
fn number(class: usize, reader: &mut BitReader<'_>) -> Option<u64> {
    let class = u32::try_from(class).ok().filter(|&class| class < 36)?;
    Some((1 << class) - 1 + reader.take(class))
}

#[inline]
fn zigzag(distance: i64) -> u64 {
    (distance << 1 ^ distance >> 63) as u64
}

#[inline]
fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    fn random_edges(seed: u64, node: u32) -> Vec<GraphEdge> {
        let random = |i: u64| mix64(seed << 40 ^ u64::from(node) << 8 ^ i);
        let mut label = 0;
        (0..random(0) % 6)
            .map(|i| {
                label += 1 + (random(2 * i + 1) % 9) as u32;
                let target = match seed % 3 {
                    0 => node / 2 + (random(2 * i + 2) % 30) as u32,
                    1 => random(2 * i + 2) as u32 & 0x7FFF_FFFF,
                    _ => node * 3 + i as u32,
                };
                GraphEdge { label: LabelIdx(label - 1), target: NodeId(target) }
            })
            .collect()
    }

    #[test]
    fn edges_come_back() {
        for seed in 0..60 {
            for labels in [Labels::Kept, Labels::Left] {
                let (mut counts, mut context) = (Counts::new(), Context::default());
                (0..BLOCK as u32)
                    .for_each(|n| context.put(NodeId(n), &random_edges(seed, n), labels, &mut counts));
                let codes = counts.codes();
                let (mut writer, mut context) = (BitWriter::default(), Context::default());
                for n in 0..BLOCK as u32 {
                    let edges = random_edges(seed, n);
                    let mut writing = Writing { codes: &codes, writer: &mut writer };
                    writing.reserve(edges.len()).unwrap();
                    context.put(NodeId(n), &edges, labels, &mut writing);
                }
                let bytes = writer.finish();
                let (mut reader, mut context) = (BitReader::new(bytes), Context::default());
                for n in 0..BLOCK as u32 {
                    let mut read = Vec::new();
                    let coded = Coded { codes: &codes, labels };
                    context.take(NodeId(n), &coded, 9, &mut reader, &mut read).unwrap();
                    let mut expected = random_edges(seed, n);
                    if labels == Labels::Left {
                        expected.iter_mut().enumerate().for_each(|(i, edge)| edge.label = LabelIdx(i as u32));
                    }
                    assert_eq!(read, expected, "seed {seed}, node {n}");
                }
            }
        }
    }

    #[test]
    fn numbers_have_classes() {
        for number in (0..300).chain([u64::from(u32::MAX), 1 << 34]) {
            let (class, bits) = class(number);
            let mut writer = BitWriter::default();
            writer.put(bits, class as u32);
            assert_eq!(super::number(class, &mut BitReader::new(writer.finish())), Some(number));
        }
        for distance in [0, -1, 1, i64::from(u32::MAX), -i64::from(u32::MAX)] {
            assert_eq!(unzigzag(zigzag(distance)), distance);
        }
    }
}
