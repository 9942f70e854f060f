//! The syntax tree.

use petite_net::{Name, Span};

/// The components of a net or subnet.
#[derive(Clone, Debug, Default)]
pub struct Net {
    /// In the order of the text.
    pub components: Vec<Component>,
}

/// A part of a net.
#[derive(Clone, Debug)]
pub enum Component {
    /// `typedef type name`.
    Typedef(TypeExpr, Name),
    /// A function, a constant if it has no parameters.
    Function(Function),
    /// A place.
    Place(Place),
    /// A transition, or a body to be called by others.
    Transition(Transition),
    /// Fairness assumptions, one set each.
    Fairness(Strength, Vec<Formula>),
    /// `reject` or `deadlock`.
    Verify(Verify, Formula, Span),
    /// `prop name : formula`.
    Proposition(Name, Formula),
    /// A net within.
    Subnet(Option<Name>, Net),
}

/// What is to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    /// In every state.
    Reject,
    /// In states without successor.
    Deadlock,
}

/// Kinds of fairness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// `strongly_fair`.
    Strong,
    /// `weakly_fair`.
    Weak,
    /// `enabled`.
    Enabled,
}

/// A type.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// What it is made of.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a type is made of.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// Constants, with their numbers where stated.
    Enum(Vec<(Name, Option<Formula>)>),
    /// Named components.
    Struct(Vec<(TypeExpr, Name)>),
    /// Named alternatives.
    Union(Vec<(TypeExpr, Name)>),
    /// A number of identifiers.
    Id(Formula),
    /// A type defined elsewhere.
    Named(Name),
    /// Some of the values of a type.
    Constrained(Box<TypeExpr>, Vec<Range>),
    /// Elements of the first type, one for each value of the second.
    Array(Box<TypeExpr>, Box<TypeExpr>),
    /// A bounded buffer.
    Buffer(Box<TypeExpr>, Discipline, Formula),
}

/// Where a buffer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// At the end.
    Queue,
    /// At the front.
    Stack,
}

/// A closed range; an end that is not stated is that of the type.
#[derive(Clone, Debug)]
pub struct Range {
    /// First value.
    pub low: Option<Formula>,
    /// Last value; both are the same formula for a single value.
    pub high: Option<Formula>,
    /// Where it stands.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Type of the result.
    pub ty: Name,
    /// Its name.
    pub name: Name,
    /// Types and names of the parameters.
    pub params: Vec<(Name, Name)>,
    /// What it computes.
    pub body: Formula,
}

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its name.
    pub name: Name,
    /// Allowed cardinalities: each list is one condition.
    pub capacities: Vec<Vec<Range>>,
    /// Type of its tokens.
    pub ty: TypeExpr,
    /// Whether it is declared constant.
    pub constant: bool,
    /// Its contents: at first, or always where they depend on other places.
    pub marking: Option<Formula>,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its name.
    pub name: Name,
    /// Whether it is only a body for others.
    pub is_body: bool,
    /// Whether it has a priority class of its own.
    pub is_urgent: bool,
    /// In the order of the text.
    pub parts: Vec<Part>,
}

/// A part of a transition.
#[derive(Clone, Debug)]
pub enum Part {
    /// A declared variable.
    Variable(Name, Name),
    /// A variable that takes any value of its type for which the condition holds.
    Output(Name, Name, Option<Formula>),
    /// A function of the variables.
    Function(Function),
    /// An input arc.
    Take(Name, Formula),
    /// An output arc.
    Give(Name, Formula),
    /// A condition.
    Gate(Formula),
    /// When a firing is to be hidden.
    Hide(Formula),
    /// A fairness assumption.
    Fairness(Strength, Formula),
    /// The body of another one.
    Call(Name),
    /// Number of the priority class.
    Class(u32),
}

/// A formula: a value, a multi-set or a temporal formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Where it stands.
    pub span: Span,
}

/// What a formula says.
#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(u32),
    /// A character by its code.
    Character(u8),
    /// Variable, constant or the like.
    Name(String),
    /// An error.
    Undefined,
    /// An error that ends the analysis.
    Fatal,
    /// The multi-set without items.
    Empty,
    /// Number of values of a type.
    Count(Name),
    /// Least value of a type.
    Least(Name),
    /// Greatest value of a type.
    Greatest(Name),
    /// A function with its arguments.
    Call(Name, Vec<Formula>),
    /// Several formulas in brackets: a sum of multi-sets.
    Sum(Vec<Formula>),
    /// A formula that is not to be split.
    Atom(Box<Formula>),
    /// Components, elements or items in braces.
    Braces(Vec<(Option<Name>, Option<Formula>)>),
    /// A component of a union with its value.
    Variant(Name, Box<Formula>),
    /// A value as one of a type.
    Cast(Name, Box<Formula>),
    /// Whether a union is a component.
    Is(Box<Formula>, Name),
    /// A component.
    Component(Box<Formula>, Name),
    /// An element.
    Index(Box<Formula>, Box<Formula>),
    /// With another component.
    WithComponent(Box<Formula>, Name, Box<Formula>),
    /// With another element.
    WithElement(Box<Formula>, Box<Formula>, Box<Formula>),
    /// Operator with one operand.
    Unary(Unary, Box<Formula>),
    /// Operator with two operands.
    Binary(Binary, Box<Formula>, Box<Formula>),
    /// Alternatives, the first for the greatest value.
    Choice(Box<Formula>, Vec<Formula>),
    /// A variable that takes any value: type, name, condition.
    Output(Name, Option<Name>, Option<Box<Formula>>),
    /// A sum, conjunction or disjunction over the values of a type.
    Quantified(Box<Quantified>),
    /// The variable for the value of a quantified one, or for the value before.
    Indexed(Name, Option<Name>, Which),
    /// The tokens of a place.
    Place(Name),
    /// The items of a multi-set for which a condition holds: variable, multi-set, condition.
    Filter(Name, Box<Formula>, Box<Formula>),
    /// What the items of a multi-set become: multiplicity, variable, multi-set, image.
    Map(Option<Name>, Name, Box<Formula>, Box<Formula>),
    /// A transition with a condition on its variables, in fairness assumptions.
    Trans(Name, Option<Box<Formula>>),
}

/// A quantified formula.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// What is made of the bodies.
    pub quantifier: Quantifier,
    /// The type.
    pub ty: Name,
    /// The variable.
    pub var: Name,
    /// Which values count.
    pub condition: Option<Formula>,
    /// The body.
    pub body: Formula,
}

/// What a quantified formula makes of its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Their sum.
    Sum,
    /// Whether all hold.
    All,
    /// Whether one holds.
    Any,
}

/// Which variable a quantified value names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// That of the value itself.
    Same,
    /// That of the value before.
    Previous,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-`: negation, or a buffer without its first item.
    Minus,
    /// `~`.
    Complement,
    /// `!`.
    Not,
    /// `+`.
    Successor,
    /// `|`.
    Predecessor,
    /// `*`: first item of a buffer.
    Head,
    /// `/`: items in a buffer.
    Used,
    /// `%`: items that a buffer has room for.
    Free,
    /// `cardinality`.
    Cardinality,
    /// `max`.
    Max,
    /// `min`.
    Min,
    /// `<>`.
    Eventually,
    /// `[]`.
    Always,
    /// `()`.
    Next,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Rem,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `&`.
    BitAnd,
    /// `^`.
    BitXor,
    /// `|`.
    BitOr,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `>=`.
    GreaterEqual,
    /// `>`.
    Greater,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `^^`.
    Xor,
    /// `=>`.
    Implies,
    /// `<=>`.
    Iff,
    /// `until`.
    Until,
    /// `release`.
    Release,
    /// `#`.
    Times,
    /// `subset`.
    Subset,
    /// `equals`.
    Equals,
    /// `union`.
    Union,
    /// `minus`.
    Minus,
    /// `intersect`.
    Intersect,
}
