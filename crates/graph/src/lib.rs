//! The condensed reachability graph: built, kept in a file, walked, asked and exported.
//!
//! Paper 3 (section 3): once all states are known, a state need not be kept. Nodes are numbers in order of discovery,
//! edges are a label and a number, and a marking is computed again by firing along a path. A [`Graph`] is one string
//! of bytes, the same in memory and in a file; a [`Builder`] makes one while a search runs; a [`Walker`] goes through
//! it with one marking. What can be asked is in files of their own: components, paths, liveness, bounds.
//!
//! This crate knows models and searches by their traits, and no languages. It opens no files.

#![forbid(unsafe_code)]

mod actions;
mod bit_set;
mod builder;
mod bytes;
mod components;
mod edge_arena;
mod edge_code;
mod export;
mod fingerprint;
mod graph;
mod header;
mod huffman;
mod language;
mod liveness;
mod paths;
mod place_bounds;
mod reader;
mod walk;

pub use actions::{Actions, WrongModel};
pub use bit_set::NodeSet;
pub use builder::{BuildError, Builder, Way};
pub use bytes::GraphBytes;
pub use components::{ComponentIdx, Components};
pub use edge_code::Labels;
pub use export::{ExportFormat, ExportedNode, export_begin, export_end, export_node};
pub use fingerprint::Fingerprint;
pub use graph::{FileError, Graph};
pub use header::{About, ActionName, Numbering};
pub use language::{CompareError, Comparison, Words, compare_languages};
pub use liveness::{Liveness, liveness};
pub use paths::{PathStep, predecessors, shortest_path};
pub use place_bounds::{PlaceBound, place_bounds};
pub use reader::Reader;
pub use walk::{Met, WalkError, Walker};

petite_bits::typed_index! {
    /// A node: a reachable state, numbered in order of discovery.
    pub struct NodeId;
    /// The label of an edge: an action, by its position in the graph's list.
    pub struct LabelIdx;
}

/// An edge, as seen from the node where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// What happens.
    pub label: LabelIdx,
    /// Where it leads.
    pub target: NodeId,
}
