//! A small net as plain data: what the generator draws, the renderer writes down as a model text, the naive search
//! explores and the shrinker takes apart.
//!
//! Nothing here knows Petite's own types: the description and the model text are two accounts of one net, and
//! the test asks whether both lead to the same state space.
//!
//! Everything is referred to by position. What nobody refers to any more stays where it is and is not rendered, so
//! that the shrinker never has to renumber.

use std::collections::{BTreeMap, BTreeSet};

/// A type, by position in [`Net::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub usize);

/// The truth values: always the first type.
pub const BOOL: TypeId = TypeId(0);
/// The whole numbers: always the second type.
pub const INT: TypeId = TypeId(1);

/// A place, by position in [`Net::places`].
pub type PlaceId = usize;
/// A variable, by position in [`Transition::variables`] or [`Place::variables`].
pub type VarId = usize;

/// What the values of a type are.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Bool,
    Int,
    /// Numbers, perhaps as a subtype of another range.
    Range {
        low: i64,
        high: i64,
        parent: Option<TypeId>,
    },
    Mod(i64),
    /// So many constants.
    Enum(i64),
    /// Both types are discrete.
    Vector {
        index: TypeId,
        element: TypeId,
    },
    /// The elements are discrete.
    Set {
        element: TypeId,
        capacity: usize,
    },
}

/// A value of a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Val {
    /// A number, the position of a constant, zero and one for false and true.
    Num(i64),
    Vector(Vec<i64>),
    Set(BTreeSet<i64>),
}

impl Val {
    pub fn num(&self) -> i64 {
        match self {
            Val::Num(number) => *number,
            _ => panic!("the generator promised a discrete value, not {self:?}"),
        }
    }

    pub fn holds(&self) -> bool {
        self.num() != 0
    }
}

/// One component for each type of the place's domain; the black token has none.
pub type Token = Vec<Val>;
/// Tokens with how often each occurs, never zero.
pub type Bag = BTreeMap<Token, u32>;
/// What each place holds.
pub type Marking = Vec<Bag>;

/// An expression with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub ty: TypeId,
    pub kind: ExprKind,
}

/// What an expression computes.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Literal(Val),
    Var(VarId),
    Not(Box<Expr>),
    Succ(Box<Expr>),
    Pred(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    /// Condition, then, otherwise.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The elements of a vector; the last one fills the rest.
    Vector(Vec<Expr>),
    /// The elements of a set.
    Set(Vec<Expr>),
    /// Vector and index.
    Element(Box<Expr>, Box<Expr>),
    /// Vector, index and the new element.
    Update(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Number of elements of a set.
    Size(Box<Expr>),
    /// A number of any type as a whole number.
    ToInt(Box<Expr>),
    /// Function, by position in [`Net::functions`], and arguments.
    Call(usize, Vec<Expr>),
    /// Number of different tokens in a place.
    Card(PlaceId),
    /// Number of tokens in a place.
    Mult(PlaceId),
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    /// Remainder by a positive literal.
    Rem,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    /// Element in set.
    In,
    /// Set and element.
    With,
    /// Set and element.
    Without,
}

impl Expr {
    pub fn literal(ty: TypeId, value: Val) -> Expr {
        Expr { ty, kind: ExprKind::Literal(value) }
    }

    pub fn number(ty: TypeId, number: i64) -> Expr {
        Expr::literal(ty, Val::Num(number))
    }

    pub fn var(ty: TypeId, var: VarId) -> Expr {
        Expr { ty, kind: ExprKind::Var(var) }
    }

    pub fn binary(ty: TypeId, op: Op, left: Expr, right: Expr) -> Expr {
        Expr { ty, kind: ExprKind::Binary(op, left.into(), right.into()) }
    }

    pub fn not(operand: Expr) -> Expr {
        Expr { ty: BOOL, kind: ExprKind::Not(operand.into()) }
    }

    /// The variable that it consists of.
    pub fn lone_variable(&self) -> Option<VarId> {
        match self.kind {
            ExprKind::Var(var) => Some(var),
            _ => None,
        }
    }

    /// The expressions it is directly made of.
    pub fn parts(&self) -> Vec<&Expr> {
        use ExprKind::*;
        match &self.kind {
            Literal(_) | Var(_) | Card(_) | Mult(_) => vec![],
            Not(a) | Succ(a) | Pred(a) | Size(a) | ToInt(a) => vec![a],
            Binary(_, a, b) | Element(a, b) => vec![a, b],
            If(a, b, c) | Update(a, b, c) => vec![a, b, c],
            Vector(items) | Set(items) | Call(_, items) => items.iter().collect(),
        }
    }

    /// As [`Expr::parts`], to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        use ExprKind::*;
        match &mut self.kind {
            Literal(_) | Var(_) | Card(_) | Mult(_) => vec![],
            Not(a) | Succ(a) | Pred(a) | Size(a) | ToInt(a) => vec![a],
            Binary(_, a, b) | Element(a, b) => vec![a, b],
            If(a, b, c) | Update(a, b, c) => vec![a, b, c],
            Vector(items) | Set(items) | Call(_, items) => items.iter_mut().collect(),
        }
    }

    /// Calls `visit` with the expression and everything it is made of.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.walk(visit));
    }

    /// All variables it mentions.
    pub fn variables(&self) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        self.walk(&mut |expr| found.extend(expr.lone_variable()));
        found
    }
}

/// A helper function, one of a few fixed shapes over a type of the net.
#[derive(Clone, Debug, PartialEq)]
pub enum Function {
    /// The larger of two values.
    Larger(TypeId),
    /// The smaller of two values.
    Smaller(TypeId),
    /// The next value of a range, the first after the last.
    Next(TypeId),
    /// The sum of the numbers from one up to the argument.
    Triangle(TypeId),
    /// How many elements of a vector equal the last value of their type.
    CountLast(TypeId),
    /// A vector with all elements like its first.
    Level(TypeId),
    /// The set of all values up to the argument.
    UpTo(TypeId),
}

/// `for` variable over a discrete type or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Iter {
    pub var: VarId,
    pub range: Option<(i64, i64)>,
}

/// One part of an inscription: `for (iters) if (condition) factor * <( token )>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuple {
    pub iters: Vec<Iter>,
    pub condition: Option<Expr>,
    pub factor: u32,
    pub token: Vec<Expr>,
}

impl Tuple {
    /// The token, once and always.
    pub fn plain(token: Vec<Expr>) -> Tuple {
        Tuple { iters: vec![], condition: None, factor: 1, token }
    }

    /// Whether it may give variables their values.
    pub fn binds(&self) -> bool {
        self.iters.is_empty() && self.condition.is_none()
    }
}

/// An arc between a transition and a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Arc {
    pub place: PlaceId,
    pub tuples: Vec<Tuple>,
}

/// What a pick runs over.
#[derive(Clone, Debug, PartialEq)]
pub enum PickDomain {
    /// The variable's type, or a part of it.
    Type(Option<(i64, i64)>),
    /// The elements of a set.
    Set(Expr),
}

/// A transition. Its variables are those of binding, picks, lets, `for` and inhibitors alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transition {
    /// The types of the variables.
    pub variables: Vec<TypeId>,
    pub inputs: Vec<Arc>,
    pub outputs: Vec<Arc>,
    pub inhibitors: Vec<Arc>,
    pub picks: Vec<(VarId, PickDomain)>,
    pub lets: Vec<(VarId, Expr)>,
    pub guard: Option<Expr>,
    pub priority: Option<Expr>,
}

impl Transition {
    /// The variables that make the binding: alone in a plain input tuple, or picked.
    pub fn binding(&self) -> BTreeSet<VarId> {
        let tuples = self.inputs.iter().flat_map(|arc| &arc.tuples).filter(|tuple| tuple.binds());
        let alone = tuples.flat_map(|tuple| tuple.token.iter().filter_map(Expr::lone_variable));
        alone.chain(self.picks.iter().map(|(var, _)| *var)).collect()
    }

    /// The variables of an inhibitor tuple that stand for any value.
    pub fn free_variables(&self, tuple: &Tuple) -> BTreeSet<VarId> {
        let mut free: BTreeSet<VarId> = tuple.token.iter().flat_map(Expr::variables).collect();
        let known = self.binding();
        free.retain(|var| !known.contains(var) && self.lets.iter().all(|(defined, _)| defined != var));
        free
    }
}

/// A place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// The components of a token.
    pub domain: Vec<TypeId>,
    /// How often one token may occur.
    pub capacity: u32,
    pub initial: Vec<Tuple>,
    /// The types of the `for` variables of the initial tuples.
    pub variables: Vec<TypeId>,
}

/// A net.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Net {
    pub types: Vec<Kind>,
    pub functions: Vec<Function>,
    pub places: Vec<Place>,
    pub transitions: Vec<Transition>,
}

impl Net {
    pub fn kind(&self, ty: TypeId) -> &Kind {
        &self.types[ty.0]
    }

    /// Least and greatest value of a discrete type.
    pub fn bounds(&self, ty: TypeId) -> (i64, i64) {
        match *self.kind(ty) {
            Kind::Bool => (0, 1),
            Kind::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Kind::Range { low, high, .. } => (low, high),
            Kind::Mod(n) | Kind::Enum(n) => (0, n - 1),
            Kind::Vector { .. } | Kind::Set { .. } => panic!("bounds of a composite type"),
        }
    }

    pub fn is_discrete(&self, ty: TypeId) -> bool {
        !matches!(self.kind(ty), Kind::Vector { .. } | Kind::Set { .. })
    }

    pub fn is_range(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Kind::Range { .. })
    }

    /// Whether the values are numbers to a reader of the model.
    pub fn is_numeric(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Kind::Int | Kind::Range { .. } | Kind::Mod(_))
    }
}
