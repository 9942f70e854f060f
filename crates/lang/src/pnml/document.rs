//! What a document says, before anything that it names is looked up.
//!
//! Sorts, variables and nodes may be used before they are declared, so the whole document is read first. Its
//! parts borrow their texts from the source.

use petite_net::Span;

use super::ids::{Id, Ids};
use super::terms::{TermId, Terms};
use super::xml::Text;

/// The kind of net that a document declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NetKind {
    /// Black tokens and weights.
    PlaceTransition,
    /// Coloured tokens and terms.
    Coloured,
}

/// A document.
pub(super) struct Document<'s> {
    pub kind: NetKind,
    pub id: Option<Text<'s>>,
    pub name: Option<Text<'s>>,
    pub span: Span,
    pub ids: Ids<'s>,
    pub places: Vec<PlaceNode<'s>>,
    pub transitions: Vec<TransitionNode<'s>>,
    pub arcs: Vec<ArcNode>,
    pub terms: Terms<'s>,
    pub declarations: Declarations<'s>,
    pub nupn: Option<Units<'s>>,
}

pub(super) struct PlaceNode<'s> {
    pub id: Id,
    pub span: Span,
    pub name: Option<Text<'s>>,
    /// Black tokens to start with.
    pub tokens: u32,
    /// The sort of its tokens and the sum that it starts with, in a coloured net.
    pub sort: Option<TermId>,
    pub marking: Option<TermId>,
}

pub(super) struct TransitionNode<'s> {
    pub id: Id,
    pub span: Span,
    pub name: Option<Text<'s>>,
    pub guard: Option<TermId>,
}

pub(super) struct ArcNode {
    pub source: Id,
    pub target: Id,
    pub span: Span,
    pub kind: ArcKind,
    /// The weight, where one is written.
    pub weight: Option<u32>,
    /// The inscription in a coloured net.
    pub inscription: Option<TermId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArcKind {
    Normal,
    Inhibitor,
}

/// The declarations of a coloured net.
#[derive(Default)]
pub(super) struct Declarations<'s> {
    pub sorts: Vec<Declaration<'s>>,
    pub variables: Vec<Declaration<'s>>,
    pub partitions: Vec<Partition<'s>>,
}

/// A named sort or a variable.
pub(super) struct Declaration<'s> {
    pub id: Text<'s>,
    pub name: Option<Text<'s>>,
    pub sort: TermId,
}

/// A sort cut into parts.
pub(super) struct Partition<'s> {
    pub declaration: Declaration<'s>,
    pub elements: Vec<PartitionElement<'s>>,
}

pub(super) struct PartitionElement<'s> {
    pub id: Text<'s>,
    pub name: Option<Text<'s>>,
    pub constants: Vec<TermId>,
}

/// Nested units.
pub(super) struct Units<'s> {
    pub root: Text<'s>,
    pub safe: bool,
    pub units: Vec<UnitNode<'s>>,
}

/// A unit; places and subunits are lists of identifiers with spaces between them.
pub(super) struct UnitNode<'s> {
    pub id: Text<'s>,
    pub places: Option<Text<'s>>,
    pub subunits: Option<Text<'s>>,
}
