//! A graph as one string of bytes, in memory as in a file.
//!
//! ```text
//!      0  "PETGRAPH"                  48  bytes of the texts
//!      8  version, flags  : 32 each   56  bits of the edges
//!     16  bytes of all                64  lengths of the three codes, 40 each
//!     24  nodes                      184  texts: names of the model, its parameters, transitions, actions
//!     32  edges                           where each block of 16 nodes begins, as narrow as possible
//!     40  fingerprint of the model        edges: see edge_code
//!                                         checksum of everything before (rapidhash, version 3)
//! ```
//!
//! Numbers have 64 bits, lowest byte first, where nothing else is said. A file that was cut says so by its length, one
//! that was changed by its checksum; and because a checksum can be forged, every edge is decoded once before anything
//! relies on it.
//!
//! **Cost of opening.** A file is mapped, so nothing is copied: heap is taken by the texts alone. The checksum reads every page
//! once, at some gigabytes a second where they are in memory; decoding takes some ten nanoseconds an edge.

use petite_bits::{BitReader, BitWriter, OutOfMemory, bits_for};
use rapidhash::v3::rapidhash_v3;

use crate::edge_arena::EdgeArena;
use crate::edge_code::{BLOCK, Coded, Codes, Context, Counts, Writing};
use crate::header::{self, About, ActionName, Numbering};
use crate::huffman::{Code, MOST_SYMBOLS};
use crate::{Fingerprint, GraphBytes, GraphEdge, Labels, NodeId, Reader};

const MAGIC: &[u8; 8] = b"PETGRAPH";

/// The version that is written and read.
const VERSION: u32 = 1;

/// Bytes before the texts.
const FIXED: usize = 184;

/// Flag: labels are kept.
const HAS_LABELS: u32 = 1;

/// Flag: labels are the model's numbers.
const IS_FIXED: u32 = 2;

/// A condensed reachability graph.
#[derive(Debug)]
pub struct Graph {
    bytes: GraphBytes,
    about: About,
    actions: Vec<ActionName>,
    labels: Labels,
    numbering: Numbering,
    n_nodes: u64,
    n_edges: u64,
    codes: Codes,
    /// Where the index of blocks begins, and the edges, in bytes.
    index_at: usize,
    edges_at: usize,
    /// Bits of an entry of the index.
    width: u32,
}

/// Why bytes are not a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// They do not begin like one.
    NotAGraph,
    /// They are one of another version.
    Version(u32),
    /// Some are missing at the end.
    Truncated {
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// They were changed.
    Corrupted,
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FileError::NotAGraph => write!(f, "not a graph file: it does not begin with PETGRAPH"),
            FileError::Version(found) => {
                write!(f, "the graph file has version {found}, and this program reads version {VERSION}")
            }
            FileError::Truncated { expected, found } => {
                write!(f, "the graph file is truncated: {found} bytes of {expected}")
            }
            FileError::Corrupted => write!(f, "the graph file is corrupted: its checksum is wrong"),
        }
    }
}

impl std::error::Error for FileError {}

impl Graph {
    /// The graph in these bytes, which may be those of a mapped file.
    ///
    /// # Errors
    /// Where they are none.
    pub fn from_bytes(bytes: impl Into<GraphBytes>) -> Result<Graph, FileError> {
        let bytes = bytes.into();
        if !bytes.starts_with(MAGIC) {
            return Err(FileError::NotAGraph);
        }
        let found = bytes.len() as u64;
        let truncated = |expected: u64| FileError::Truncated { expected, found };
        let version = word(&bytes, 8).map(|word| word as u32);
        match version {
            Some(VERSION) => {}
            Some(version) => return Err(FileError::Version(version)),
            None => return Err(truncated(FIXED as u64)),
        }
        let expected = word(&bytes, 16).ok_or(truncated(FIXED as u64))?;
        if found < expected || found < FIXED as u64 + 8 {
            return Err(truncated(expected.max(FIXED as u64 + 8)));
        }
        let (content, checksum) = bytes.split_at(bytes.len() - 8);
        if found != expected || rapidhash_v3(content).to_le_bytes() != checksum {
            return Err(FileError::Corrupted);
        }
        let graph = Graph::parse(bytes).ok_or(FileError::Corrupted)?;
        graph.verify().ok_or(FileError::Corrupted)?;
        Ok(graph)
    }

    /// Encodes the nodes of an arena.
    pub(crate) fn encode(
        arena: &EdgeArena,
        about: &About,
        actions: &[ActionName],
        labels: Labels,
        numbering: Numbering,
    ) -> Result<Graph, OutOfMemory> {
        let n_nodes = arena.n_nodes();
        let (mut edges, mut context, mut counts) = (Vec::new(), Context::default(), Counts::new());
        for_each_node(arena, &mut edges, |node, edges| {
            if node.index().is_multiple_of(BLOCK) {
                let fresh = context.fresh();
                context.begin(fresh);
            }
            context.put(node, edges, labels, &mut counts);
            Ok(())
        })?;
        let codes = counts.codes();
        let (mut writer, mut starts) = (BitWriter::default(), Vec::<u64>::new());
        starts.try_reserve_exact(n_nodes.div_ceil(BLOCK))?;
        context.begin(0);
        for_each_node(arena, &mut edges, |node, edges| {
            if node.index().is_multiple_of(BLOCK) {
                starts.push(writer.n_bits() as u64);
                let fresh = context.fresh();
                context.begin(fresh);
                writer.reserve(32)?;
                writer.put(u64::from(fresh), 32);
            }
            let mut writing = Writing { codes: &codes, writer: &mut writer };
            writing.reserve(edges.len())?;
            context.put(node, edges, labels, &mut writing);
            Ok(())
        })?;
        let n_bits = writer.n_bits() as u64;
        let width = bits_for(n_bits + 1);
        let mut index = BitWriter::default();
        index.reserve(starts.len() * width as usize)?;
        starts.iter().for_each(|&start| index.put(start, width));
        let texts = header::write_texts(about, actions);
        let (index, stream) = (index.finish(), writer.finish());
        let length = FIXED + texts.len() + index.len() + stream.len() + 8;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length)?;
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        let has_labels = if labels == Labels::Kept { HAS_LABELS } else { 0 };
        let is_fixed = if numbering == Numbering::Fixed { IS_FIXED } else { 0 };
        bytes.extend_from_slice(&(has_labels | is_fixed).to_le_bytes());
        let numbers =
            [length as u64, n_nodes as u64, arena.n_edges(), about.fingerprint.0, texts.len() as u64, n_bits];
        numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        let all_codes = [&codes.degree, &codes.label, &codes.target];
        all_codes.iter().for_each(|code| bytes.extend_from_slice(code.lengths()));
        [&texts[..], index, stream].iter().for_each(|part| bytes.extend_from_slice(part));
        let checksum = rapidhash_v3(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        let index_at = FIXED + texts.len();
        Ok(Graph {
            bytes: bytes.into(),
            about: about.clone(),
            actions: actions.to_vec(),
            labels,
            numbering,
            n_nodes: n_nodes as u64,
            n_edges: arena.n_edges(),
            codes,
            index_at,
            edges_at: index_at + (starts.len() * width as usize).div_ceil(8),
            width,
        })
    }

    /// The bytes: what a file holds.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the file that the bytes are in, if any, is as it was when it was opened. Where it is not, nothing that was
    /// read from the graph can be relied on.
    pub fn is_unchanged(&self) -> bool {
        match &self.bytes {
            GraphBytes::Owned(_) => true,
            GraphBytes::Mapped(file) => file.is_unchanged(),
        }
    }

    /// Where it comes from.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The actions that label edges, by label. Without labels these are still the actions that happen.
    pub fn actions(&self) -> &[ActionName] {
        &self.actions
    }

    /// Whether edges have their labels.
    pub fn labels(&self) -> Labels {
        self.labels
    }

    /// How labels are found again in a model.
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Number of nodes. Node 0 is the initial state.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes as usize
    }

    /// Number of edges.
    pub fn n_edges(&self) -> u64 {
        self.n_edges
    }

    /// All nodes.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.n_nodes as u32).map(NodeId)
    }

    /// Reads edges, best of nodes that are near each other.
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(self)
    }

    /// The successors of a node, one for each edge. A [`Reader`] gives them faster when many nodes are asked for.
    pub fn successors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        let edges = self.reader().edges(node).to_vec();
        edges.into_iter().map(|edge| edge.target)
    }

    /// What the paper's formula gives for a graph of this size, in bits:
    /// E (ceil(log2 |T|) + ceil(log2 R)) + 2wR, with words of 64 bits.
    pub fn formula_bits(&self) -> u128 {
        let bits = bits_for(self.actions.len() as u64) + bits_for(self.n_nodes);
        u128::from(self.n_edges) * u128::from(bits) + 128 * u128::from(self.n_nodes)
    }

    /// Bits that nodes take beside their edges: where each block begins, and the lowest number not met before it.
    pub fn node_bits(&self) -> u128 {
        self.n_blocks() as u128 * u128::from(self.width + 32)
    }

    /// Bits of the edges and of what finds them: the whole graph but for names.
    pub fn structure_bits(&self) -> u128 {
        8 * (self.bytes.len() - self.index_at - 8) as u128
    }

    /// Decodes the nodes of a block; `None` where they cannot be decoded, lead to nodes that there are none, or have labels that
    /// there are none.
    pub(crate) fn decode_block(
        &self,
        block: usize,
        context: &mut Context,
        edges: &mut Vec<GraphEdge>,
        ends: &mut Vec<u32>,
    ) -> Option<()> {
        edges.clear();
        ends.clear();
        let index = &self.bytes[self.index_at..self.edges_at];
        let start = BitReader::at(index, block * self.width as usize).take(self.width);
        let stream = &self.bytes[self.edges_at..self.bytes.len() - 8];
        let mut reader = BitReader::at(stream, usize::try_from(start).ok()?);
        context.begin(reader.take(32) as u32);
        let coded = Coded { codes: &self.codes, labels: self.labels };
        for n in block * BLOCK..((block + 1) * BLOCK).min(self.n_nodes as usize) {
            let most = self.n_edges - edges.len() as u64;
            context.take(NodeId::new(n), &coded, most, &mut reader, edges)?;
            ends.push(u32::try_from(edges.len()).ok()?);
        }
        let is_there = |edge: &GraphEdge| {
            u64::from(edge.target.0) < self.n_nodes && edge.label.index() < self.actions.len()
        };
        edges.iter().all(is_there).then_some(())
    }

    /// Number of blocks of nodes.
    pub(crate) fn n_blocks(&self) -> usize {
        (self.n_nodes as usize).div_ceil(BLOCK)
    }

    fn parse(bytes: GraphBytes) -> Option<Graph> {
        let flags = (word(&bytes, 8)? >> 32) as u32;
        let [n_nodes, n_edges, fingerprint, n_texts, n_bits] =
            [word(&bytes, 24)?, word(&bytes, 32)?, word(&bytes, 40)?, word(&bytes, 48)?, word(&bytes, 56)?];
        let code = |i: usize| Code::of_lengths(bytes.get(64 + i * MOST_SYMBOLS..)?.first_chunk()?);
        let codes = Codes { degree: code(0)?, label: code(1)?, target: code(2)? };
        // Identities have 32 bits, and the last one is none.
        usize::try_from(n_nodes).ok().filter(|_| n_nodes < u64::from(u32::MAX))?;
        let index_at = FIXED.checked_add(usize::try_from(n_texts).ok()?)?;
        let width = bits_for(n_bits.checked_add(1)?);
        let n_index = (n_nodes as usize).div_ceil(BLOCK).checked_mul(width as usize)?.div_ceil(8);
        let edges_at = index_at.checked_add(n_index)?;
        let end = edges_at.checked_add(usize::try_from(n_bits.div_ceil(8)).ok()?)?;
        if end.checked_add(8)? != bytes.len() {
            return None;
        }
        let (about, actions) = header::read_texts(bytes.get(FIXED..index_at)?, Fingerprint(fingerprint))?;
        Some(Graph {
            bytes,
            about,
            actions,
            labels: if flags & HAS_LABELS == 0 { Labels::Left } else { Labels::Kept },
            numbering: if flags & IS_FIXED == 0 { Numbering::Met } else { Numbering::Fixed },
            n_nodes,
            n_edges,
            codes,
            index_at,
            edges_at,
            width,
        })
    }

    /// Decodes everything once: all edges lead to nodes, and have labels that there are.
    fn verify(&self) -> Option<()> {
        let (mut context, mut edges, mut ends, mut n_edges) =
            (Context::default(), Vec::new(), Vec::new(), 0u64);
        for block in 0..self.n_blocks() {
            self.decode_block(block, &mut context, &mut edges, &mut ends)?;
            n_edges += edges.len() as u64;
            if n_edges > self.n_edges {
                return None;
            }
        }
        (n_edges == self.n_edges).then_some(())
    }
}

/// Calls for each node of an arena with its edges.
fn for_each_node(
    arena: &EdgeArena,
    edges: &mut Vec<GraphEdge>,
    mut each: impl FnMut(NodeId, &[GraphEdge]) -> Result<(), OutOfMemory>,
) -> Result<(), OutOfMemory> {
    for node in (0..arena.n_nodes()).map(NodeId::new) {
        arena.edges(node, edges);
        each(node, edges)?;
    }
    Ok(())
}

/// The number at a position.
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}
