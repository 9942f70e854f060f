//! Formulas as they are written, before names mean anything.

use petite_net::{Name, Span};

/// A part of a formula.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub kind: TreeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum TreeKind {
    Number(i64),
    Const(bool),
    /// A place, a proposition, a variable or a constant.
    Name(String),
    /// `tokens(p)`: surely a place.
    Tokens(Name),
    /// `distinct(p)`.
    Distinct(Name),
    /// `p[...]`: tokens of one colour.
    Coloured(Name, Vec<Tree>),
    /// `_` or `*` in a colour.
    Any,
    /// `(a, b)` in a colour.
    Tuple(Vec<Tree>),
    Deadlock,
    Enabled(Vec<Name>),
    Not(Box<Tree>),
    Minus(Box<Tree>),
    /// `A`, `E`.
    Path(Quantifier, Box<Tree>),
    /// `G`, `F`, `X`.
    Temporal(Operator, Box<Tree>),
    Infix(Infix, Box<Tree>, Box<Tree>),
    /// `forall (x in domain) body` and the like.
    Each {
        fold: Fold,
        variable: Name,
        domain: Domain,
        body: Box<Tree>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    All,
    Exists,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Globally,
    Finally,
    Next,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    Forall,
    Exists,
    Sum,
}

#[derive(Clone, Debug)]
pub(super) enum Domain {
    Type(Name),
    Range(Box<Tree>, Box<Tree>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    Compare(petite_net::Comparison),
    Plus,
    Minus,
    Times,
}

/// A question as it is written.
#[derive(Clone, Debug)]
pub(super) struct Stated {
    pub name: Option<Name>,
    /// Whether it asks for the largest value of a number.
    pub is_bound: bool,
    pub tree: Tree,
}
