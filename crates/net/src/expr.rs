//! Typed expressions, statements and functions.
//!
//! A reader builds these after it has resolved all names and types, so nothing here is ambiguous: every
//! expression knows its type, every variable its place in the frame. Evaluation is in [`crate::eval`].
//!
//! *Conversions.* Arithmetic on ranges is arithmetic on whole numbers: an intermediate result may leave the
//! range. Where a result has to be a value of its type (an argument, an assignment, a component of a token),
//! the reader puts an [`ExprKind::Convert`] around it, and that is where the range is checked.

use crate::{BagExpr, BagTest, Extreme, Name, PlaceIdx, Span, TypeIdx, Value};

petite_bits::typed_index! {
    /// A variable: a position in the frame of a function, a transition or a proposition.
    pub struct VarIdx;
    /// A function of a net.
    pub struct FuncIdx;
}

/// An expression with its type and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: TypeIdx,
    /// Where it stands.
    pub span: Span,
}

impl Expr {
    /// Calls `visit` with every direct part of the expression, bounds and containers of iterations included.
    pub fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::PlaceCard(_)
            | ExprKind::PlaceMult(_)
            | ExprKind::Fail(_) => {}
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::Tagged(_, a) => visit(a),
            ExprKind::Component(a, _) | ExprKind::Attribute(_, a) => visit(a),
            ExprKind::Cast(a) | ExprKind::Rank(a) | ExprKind::Content(a, _) | ExprKind::IsVariant(a, _) => {
                visit(a);
            }
            ExprKind::Compare(_, a, b) => [a, b].into_iter().for_each(|bag| bag.for_each_part(visit)),
            ExprKind::Multiplicity(_, bag) => bag.for_each_part(visit),
            ExprKind::Binary(_, a, b) | ExprKind::WithComponent(a, _, b) => {
                [a, b].into_iter().for_each(|e| visit(e));
            }
            ExprKind::If(a, b, c)
            | ExprKind::Slice(a, b, c)
            | ExprKind::Insert(a, b, c)
            | ExprKind::Remove(a, b, c) => [a, b, c].into_iter().for_each(|e| visit(e)),
            ExprKind::Call(_, args) | ExprKind::Tuple(args) | ExprKind::Seq(args) => {
                args.iter().for_each(visit);
            }
            ExprKind::Element(a, indices) => std::iter::once(&**a).chain(indices).for_each(visit),
            ExprKind::WithElement(a, indices, b) => [&**a, b].into_iter().chain(indices).for_each(visit),
            ExprKind::Iterate { iters, condition, body, .. } => {
                iters.iter().for_each(|iter| iter.for_each_part(visit));
                condition.iter().chain(body).for_each(|e| visit(e));
            }
        }
    }

    /// Whether the value depends on the marking.
    pub fn reads_marking(&self) -> bool {
        let mut reads = false;
        self.for_each_place(&mut |_| reads = true);
        reads
    }

    /// Calls `visit` with every place whose tokens are read.
    pub fn for_each_place(&self, visit: &mut dyn FnMut(PlaceIdx)) {
        match &self.kind {
            ExprKind::PlaceCard(place) | ExprKind::PlaceMult(place) => visit(*place),
            ExprKind::Iterate { iters, condition, body, .. } => {
                iters.iter().for_each(|iter| iter.for_each_place(visit));
                condition.iter().chain(body).for_each(|part| part.for_each_place(visit));
            }
            ExprKind::Compare(_, left, right) => {
                left.for_each_place(visit);
                right.for_each_place(visit);
            }
            ExprKind::Multiplicity(_, bag) => bag.for_each_place(visit),
            _ => self.for_each_part(&mut |part| part.for_each_place(visit)),
        }
    }
}

/// What an expression computes.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A fixed value.
    Const(Value),
    /// The value of a variable.
    Var(VarIdx),
    /// Operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// Operator with two operands; `And` and `Or` evaluate the right one only when it decides.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? then : otherwise`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Call of a function; the arguments are already converted to the parameters' types.
    Call(FuncIdx, Vec<Expr>),
    /// The operand's value as a value of this expression's type; a run-time error when it is none.
    Convert(Box<Expr>),
    /// A struct, product or vector from its components in order. A vector gets exactly as many expressions as
    /// were written: the last one fills the rest.
    Tuple(Vec<Expr>),
    /// A list or set from its elements.
    Seq(Vec<Expr>),
    /// A union value: variant and content.
    Tagged(u32, Box<Expr>),
    /// Component number `.1` of a struct or token.
    Component(Box<Expr>, u32),
    /// A struct with component `.1` replaced.
    WithComponent(Box<Expr>, u32, Box<Expr>),
    /// An element of a vector or list.
    Element(Box<Expr>, Vec<Expr>),
    /// A vector or list with one element replaced.
    WithElement(Box<Expr>, Vec<Expr>, Box<Expr>),
    /// The elements of a list between two positions, both included.
    Slice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A property of a list or set.
    Attribute(ContainerAttribute, Box<Expr>),
    /// Iteration over the combinations of `iters` that satisfy `condition`.
    Iterate {
        /// What is made of the combinations.
        fold: Fold,
        /// Iteration variables; later ones may depend on earlier ones.
        iters: Vec<Iter>,
        /// Restricts the combinations.
        condition: Option<Box<Expr>>,
        /// The folded expression; none for `Exists`, `Card` and `Mult`.
        body: Option<Box<Expr>>,
    },
    /// Number of different tokens in a place.
    PlaceCard(PlaceIdx),
    /// Number of tokens in a place.
    PlaceMult(PlaceIdx),
    /// The operand's value brought into the form of this expression's type: numbers by their value, components
    /// and elements one by one, and a variant's content as the union and back. A run-time error when the result
    /// is no value of the type.
    Cast(Box<Expr>),
    /// The number of values of the operand's type below its value.
    Rank(Box<Expr>),
    /// What variant `.1` of a union holds; a run-time error when it is another one.
    Content(Box<Expr>, u32),
    /// Whether a union is variant `.1`.
    IsVariant(Box<Expr>, u32),
    /// A list with an element put in front of the one at a position, counted from zero; the position behind the
    /// last one is allowed.
    Insert(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A list without some elements from a position on, counted from zero: position, then how many. A run-time
    /// error where there are fewer.
    Remove(Box<Expr>, Box<Expr>, Box<Expr>),
    /// How two multi-sets compare.
    Compare(BagTest, Box<BagExpr>, Box<BagExpr>),
    /// A multiplicity of a multi-set.
    Multiplicity(Extreme, Box<BagExpr>),
    /// A run-time error wherever it is evaluated.
    Fail(Failure),
}

/// An error that a modeller asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is no value here.
    Undefined,
    /// The analysis is to end here.
    Fatal,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// Arithmetic negation.
    Neg,
    /// Logical negation.
    Not,
    /// Next value: wraps around in modulo types and enumerations, a run-time error at a range's end.
    Succ,
    /// Previous value, as `Succ`.
    Pred,
    /// Next allowed value of a type of any kind, in the order of ranks; the least one behind the greatest.
    Next,
    /// Previous allowed value, likewise.
    Previous,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// Sum, modulo where the type is.
    Add,
    /// Difference, modulo where the type is.
    Sub,
    /// Product, modulo where the type is.
    Mul,
    /// Quotient rounded towards zero; a run-time error for a divisor of zero.
    Div,
    /// Remainder with the sign of the dividend; a run-time error for a divisor of zero.
    Rem,
    /// Structural equality.
    Eq,
    /// Structural inequality.
    Ne,
    /// Less, of values of one type, in the order of ranks.
    Lt,
    /// Less or equal, of values of one type, in the order of ranks.
    Le,
    /// Greater, of values of one type, in the order of ranks.
    Gt,
    /// Greater or equal, of values of one type, in the order of ranks.
    Ge,
    /// Logical and, left to right.
    And,
    /// Logical or, left to right.
    Or,
    /// List followed by list.
    Concat,
    /// Element in front of a list.
    Prepend,
    /// Element behind a list.
    Append,
    /// Union of two sets.
    Union,
    /// Intersection of two sets.
    Intersection,
    /// Elements of the left set that are not in the right one.
    Difference,
    /// Whether the left set is included in the right one.
    Subset,
    /// Whether it is included and different.
    StrictSubset,
    /// Whether the left value is an element of the list or set on the right.
    In,
    /// Bits that both numbers have.
    BitAnd,
    /// Bits that one of the numbers has.
    BitOr,
    /// Bits that exactly one of the numbers has.
    BitXor,
    /// Number with its bits moved up; a run-time error by less than 0 or more than 31.
    ShiftLeft,
    /// Number with its bits moved down, likewise.
    ShiftRight,
    /// Vector whose first element is the one at the position on the right, the others following around.
    RotateLeft,
    /// The other way around.
    RotateRight,
}

/// Properties of lists and sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerAttribute {
    /// Number of elements.
    Size,
    /// Largest number of elements.
    Capacity,
    /// How many more elements fit.
    Space,
    /// Whether no more element fits.
    Full,
    /// Whether there is no element.
    Empty,
    /// First element of a list; a run-time error when empty.
    First,
    /// Last element of a list; a run-time error when empty.
    Last,
    /// All but the last element; a run-time error when empty.
    Prefix,
    /// All but the first element; a run-time error when empty.
    Suffix,
    /// Position of the first element; a run-time error when empty.
    FirstIndex,
    /// Position of the last element; a run-time error when empty.
    LastIndex,
}

/// What an iteration computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Whether the body holds for every combination.
    Forall,
    /// Whether there is a combination.
    Exists,
    /// Number of combinations.
    Card,
    /// Number of combinations, each token counted as often as it is in its place.
    Mult,
    /// Sum of the bodies.
    Sum,
    /// Product of the bodies.
    Product,
    /// Least body; a run-time error without a combination.
    Min,
    /// Greatest body; a run-time error without a combination.
    Max,
}

/// An iteration variable and what it runs over.
#[derive(Clone, Debug, PartialEq)]
pub struct Iter {
    /// The variable; over a place, it holds the whole token.
    pub var: VarIdx,
    /// What it runs over.
    pub domain: IterDomain,
    /// Where it stands.
    pub span: Span,
}

impl Iter {
    /// Calls `visit` with the expressions that its domain depends on.
    pub fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.domain {
            IterDomain::Type(_, Some(range)) => [&range.0, &range.1].into_iter().for_each(visit),
            IterDomain::Type(_, None) | IterDomain::Place(_) => {}
            IterDomain::Container(container) => visit(container),
            IterDomain::Bag(bag) => bag.for_each_part(visit),
        }
    }

    /// Calls `visit` with every place whose tokens its domain depends on.
    pub fn for_each_place(&self, visit: &mut dyn FnMut(PlaceIdx)) {
        match &self.domain {
            IterDomain::Place(place) => visit(*place),
            IterDomain::Bag(bag) => bag.for_each_place(visit),
            _ => self.for_each_part(&mut |part| part.for_each_place(visit)),
        }
    }
}

/// What an iteration variable runs over.
#[derive(Clone, Debug, PartialEq)]
pub enum IterDomain {
    /// The values of a type that can be counted, or those of a discrete one between two bounds (both included;
    /// none when the first is the greater one).
    Type(TypeIdx, Option<Box<(Expr, Expr)>>),
    /// The different tokens of a place.
    Place(PlaceIdx),
    /// The elements of a list or set.
    Container(Box<Expr>),
    /// The different items of a multi-set.
    Bag(Box<BagExpr>),
}

/// A statement of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// `target := value`; the value is already converted.
    Assign {
        /// What is assigned.
        target: Target,
        /// The new value.
        value: Expr,
    },
    /// Conditional.
    If {
        /// The condition.
        condition: Expr,
        /// Runs when it holds.
        then: Box<Stmt>,
        /// Runs otherwise.
        otherwise: Option<Box<Stmt>>,
    },
    /// Choice by value; the first equal alternative runs.
    Case {
        /// What is compared.
        subject: Expr,
        /// Constant values and what to do.
        alternatives: Vec<(Value, Stmt)>,
        /// Runs when no alternative is equal.
        default: Option<Box<Stmt>>,
    },
    /// Loop while a condition holds.
    While {
        /// The condition.
        condition: Expr,
        /// The loop's body.
        body: Box<Stmt>,
        /// Where the loop stands.
        span: Span,
    },
    /// Loop over all combinations; the domains are evaluated before the first round.
    For {
        /// Iteration variables.
        iters: Vec<Iter>,
        /// The loop's body.
        body: Box<Stmt>,
    },
    /// Leaves the function with a value.
    Return(Expr),
    /// A run-time error unless the condition holds.
    Assert(Expr),
    /// Evaluates its arguments; printing is up to the user interface, which has none for it.
    Print(Vec<Expr>),
    /// Statements one after the other.
    Block(Vec<Stmt>),
}

/// What an assignment changes: a variable, or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The variable.
    pub var: VarIdx,
    /// The way from the whole variable to the assigned part.
    pub path: Vec<Access>,
    /// Where it stands.
    pub span: Span,
}

/// One step from a composite value to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Access {
    /// A component of a struct.
    Component(u32),
    /// An element of the vector or list type `.0`.
    Element(TypeIdx, Vec<Expr>),
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// The variables of a frame: parameters first, then locals and iteration variables.
    pub variables: Vec<Variable>,
    /// How many of the variables are parameters.
    pub n_params: usize,
    /// Type of the result; the body's `return` expressions are already converted to it.
    pub result: TypeIdx,
    /// What it does; the reader refuses functions without a body, so `None` exists only while reading.
    pub body: Option<Stmt>,
}

/// A variable of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its type. A local without initial value starts with the first value of its type.
    pub ty: TypeIdx,
}
