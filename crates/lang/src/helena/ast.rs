//! The text of a net as a tree, with names not yet resolved.

use petite_net::{Fold, Name, Span};

/// A net file.
#[derive(Debug)]
pub struct Net {
    pub name: Name,
    pub params: Vec<Param>,
    pub definitions: Vec<Definition>,
}

/// A parameter with the value that the model states.
#[derive(Debug)]
pub struct Param {
    pub name: Name,
    pub value: i64,
}

#[derive(Debug)]
pub enum Definition {
    Type(TypeDef),
    Subtype { name: Name, parent: Name, range: Option<Range> },
    Constant(Constant),
    Function(Function),
    Place(Place),
    Transition(Box<Transition>),
    Proposition { name: Name, expr: Expr },
}

#[derive(Debug)]
pub struct TypeDef {
    pub name: Name,
    pub kind: TypeKind,
}

#[derive(Debug)]
pub enum TypeKind {
    Range(Range),
    Modulo(Expr),
    Enum(Vec<Name>),
    Vector {
        indices: Vec<Name>,
        element: Name,
    },
    /// Type and name of each field.
    Struct(Vec<(Name, Name)>),
    List {
        index: Name,
        element: Name,
        capacity: Expr,
    },
    Set {
        element: Name,
        capacity: Expr,
    },
}

/// `range low .. high`.
#[derive(Debug)]
pub struct Range {
    pub low: Expr,
    pub high: Expr,
    pub span: Span,
}

#[derive(Debug)]
pub struct Constant {
    pub ty: Name,
    pub name: Name,
    pub value: Expr,
}

#[derive(Debug)]
pub struct Function {
    pub name: Name,
    /// Type and name of each parameter.
    pub params: Vec<(Name, Name)>,
    pub result: Name,
    pub body: FunctionBody,
    /// From the first word to the result type.
    pub span: Span,
}

#[derive(Debug)]
pub enum FunctionBody {
    /// Comes later.
    Prototype,
    /// Is in another language.
    Imported,
    Statement(Stmt),
}

#[derive(Debug)]
pub enum Stmt {
    Assign { target: LValue, value: Expr },
    If { condition: Expr, then: Box<Stmt>, otherwise: Option<Box<Stmt>> },
    Case { subject: Expr, alternatives: Vec<(Expr, Stmt)>, default: Option<Box<Stmt>> },
    While { condition: Expr, body: Box<Stmt>, span: Span },
    For { iters: Vec<Iter>, body: Box<Stmt> },
    Return(Expr),
    Assert(Expr),
    Print { format: Option<Text>, args: Vec<Expr> },
    Block { declarations: Vec<Declaration>, statements: Vec<Stmt> },
}

#[derive(Debug)]
pub enum Declaration {
    Variable { ty: Name, name: Name, value: Option<Expr> },
    Constant(Constant),
}

#[derive(Debug)]
pub struct LValue {
    pub variable: Name,
    pub path: Vec<Access>,
    pub span: Span,
}

#[derive(Debug)]
pub enum Access {
    Field(Name),
    Element(Vec<Expr>, Span),
}

/// A string with its escapes still in it.
#[derive(Debug)]
pub struct Text {
    pub text: String,
    pub span: Span,
}

#[derive(Debug)]
pub struct Iter {
    pub variable: Name,
    pub domain: Expr,
    pub range: Option<Range>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Place {
    pub name: Name,
    /// Types of the components; empty for black tokens.
    pub domain: Vec<Name>,
    pub domain_span: Span,
    pub init: Option<Vec<Tuple>>,
    pub capacity: Option<Expr>,
    pub role: Option<Name>,
}

/// `for (iters) if (condition) factor * <( components )>`.
#[derive(Debug)]
pub struct Tuple {
    pub iters: Vec<Iter>,
    pub condition: Option<Expr>,
    pub factor: Option<Expr>,
    /// None for `epsilon`.
    pub components: Option<Vec<Expr>>,
    /// The `<( ... )>` or `epsilon` alone.
    pub token_span: Span,
    pub span: Span,
}

#[derive(Debug)]
pub struct Arc {
    pub place: Name,
    pub tuples: Vec<Tuple>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Transition {
    pub name: Name,
    pub inputs: Vec<Arc>,
    pub outputs: Vec<Arc>,
    pub inhibitors: Vec<Arc>,
    pub picks: Vec<Iter>,
    pub lets: Vec<Constant>,
    pub guard: Option<Expr>,
    pub priority: Option<Expr>,
    pub description: Option<(Text, Vec<Expr>)>,
    pub safe: bool,
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// Longest way down to a leaf, as the typed tree will have it.
    pub depth: u32,
}

#[derive(Debug)]
pub enum ExprKind {
    Number(i64),
    Name(String),
    /// A call or a cast.
    Call(Name, Vec<Expr>),
    Unary(UnaryOp, Box<Expr>),
    /// Operators of one precedence, from left to right.
    Chain(Box<Expr>, Vec<(BinaryOp, Expr)>),
    If(Box<[Expr; 3]>),
    /// `{ a, b }`.
    Struct(Vec<Expr>),
    /// `[ a, b ]`.
    Vector(Vec<Expr>),
    /// `| a, b |`.
    Container(Vec<Expr>),
    Empty,
    Field(Box<Expr>, Name),
    WithField(Box<Expr>, Name, Box<Expr>),
    Element(Box<Expr>, Vec<Expr>),
    WithElement(Box<Expr>, Vec<Expr>, Box<Expr>),
    Slice(Box<[Expr; 3]>),
    /// `token->number`.
    Component(Name, i64),
    Attribute(Box<Expr>, Name),
    Iterate {
        fold: Fold,
        iters: Vec<Iter>,
        condition: Option<Box<Expr>>,
        body: Option<Box<Expr>>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Succ,
    Pred,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    In,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Concat,
}

impl BinaryOp {
    /// How tightly it binds; operators of one level go from left to right.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::In => 3,
            BinaryOp::Eq | BinaryOp::Ne => 4,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 5,
            BinaryOp::Add | BinaryOp::Sub => 6,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 7,
            BinaryOp::Concat => 8,
        }
    }

    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::In => "in",
            BinaryOp::Eq => "=",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Concat => "&",
        }
    }
}
