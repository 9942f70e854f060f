//! What can go wrong when a model is evaluated.

use crate::Span;

/// An error in the evaluation of an expression or the firing of a transition, with where it happened.
#[derive(Clone, Debug, PartialEq)]
pub struct RunError {
    /// What went wrong.
    pub kind: RunErrorKind,
    /// The expression or declaration at fault.
    pub span: Span,
    /// What was being done: "in transition t with x = 1" and the like, innermost first.
    pub context: Vec<String>,
}

impl RunError {
    /// An error without context yet.
    pub fn new(kind: RunErrorKind, span: Span) -> RunError {
        RunError { kind, span, context: Vec::new() }
    }

    /// Adds what was being done.
    #[must_use]
    pub fn within(mut self, context: String) -> RunError {
        self.context.push(context);
        self
    }
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.kind)
    }
}

impl std::error::Error for RunError {}

/// What went wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunErrorKind {
    /// A number is not a value of the type it has to be of.
    OutOfRange {
        /// The value as text.
        value: String,
        /// The type's name.
        ty: String,
        /// Its allowed values as text, as in `0 .. 3`.
        range: String,
    },
    /// A division or remainder by zero.
    DivisionByZero,
    /// Arithmetic left 64 bits.
    Overflow,
    /// `succ` of the last or `pred` of the first value of a range.
    NoNeighbour {
        /// The value as text.
        value: String,
        /// The type's name.
        ty: String,
    },
    /// A position that a vector or list does not have.
    NoElement {
        /// The position as text.
        index: String,
        /// What positions there are.
        range: String,
    },
    /// The first, last or the like of an empty list.
    EmptyList,
    /// More elements than a list or set can hold.
    ContainerFull {
        /// The type's name.
        ty: String,
        /// Its capacity.
        capacity: u32,
    },
    /// `min` or `max` of nothing.
    EmptyFold,
    /// A function ended without `return`.
    NoReturn {
        /// The function's name.
        function: String,
    },
    /// An assertion does not hold.
    AssertionFailed,
    /// Functions called each other too deeply.
    TooDeep {
        /// The function called last.
        function: String,
    },
    /// One evaluation took too many steps: an endless loop.
    TooLong {
        /// The limit that was reached.
        steps: u64,
    },
    /// More tokens than a place's capacity allows.
    CapacityExceeded {
        /// The place's name.
        place: String,
        /// The token as text.
        token: String,
        /// Its multiplicity.
        count: u64,
        /// What is allowed.
        capacity: String,
    },
    /// A token count left 32 bits.
    CountOverflow {
        /// The place's name.
        place: String,
    },
    /// A factor of a tuple is negative.
    NegativeFactor {
        /// The factor.
        factor: i64,
    },
    /// Bits moved by less than 0 or more than 31.
    ShiftRange {
        /// By how much.
        by: i64,
    },
    /// Fewer elements in a list than are to be taken away.
    TooFewElements {
        /// How many there are from the position on.
        there: u64,
        /// How many are to be taken away.
        wanted: i64,
    },
    /// The content of another variant of a union than the one it is.
    WrongVariant {
        /// The variant that it is.
        is: String,
        /// The variant that was asked for.
        wanted: String,
    },
    /// A value that has no counterpart in the type it is cast to.
    NoCounterpart {
        /// The value as text.
        value: String,
        /// The type's name.
        ty: String,
    },
    /// The modeller calls this undefined.
    Undefined,
    /// The modeller calls this fatal.
    Fatal,
    /// A place does not hold what the model says that it follows from others.
    NotImplied {
        /// The place's name.
        place: String,
        /// What it holds.
        holds: String,
        /// What its expression gives.
        gives: String,
    },
    /// A place that is declared constant would change.
    ConstantChanged {
        /// The place's name.
        place: String,
    },
    /// A sum of tuples takes away more than it adds.
    NegativeSum {
        /// The token as text.
        token: String,
        /// How often it would occur.
        count: i64,
    },
}

impl std::fmt::Display for RunErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OutOfRange { value, ty, range } => {
                write!(f, "{value} is not a value of type {ty} ({range})")
            }
            Self::DivisionByZero => write!(f, "division by zero"),
            Self::Overflow => write!(f, "arithmetic beyond 64 bits"),
            Self::NoNeighbour { value, ty } => write!(f, "type {ty} ends at {value}"),
            Self::NoElement { index, range } => write!(f, "no element at {index}, only at {range}"),
            Self::EmptyList => write!(f, "the list is empty"),
            Self::ContainerFull { ty, capacity } => {
                write!(f, "more than the {capacity} elements that type {ty} can hold")
            }
            Self::EmptyFold => write!(f, "least or greatest of nothing"),
            Self::NoReturn { function } => write!(f, "function {function} ended without a return statement"),
            Self::AssertionFailed => write!(f, "the assertion does not hold"),
            Self::TooDeep { function } => {
                write!(f, "function {function} is called too deeply: an endless recursion?")
            }
            Self::TooLong { steps } => write!(f, "no end after {steps} steps: an endless loop?"),
            Self::CapacityExceeded { place, token, count, capacity } => {
                write!(f, "capacity exceeded in place {place}: {count} times {token}, allowed is {capacity}")
            }
            Self::CountOverflow { place } => {
                write!(f, "more than 4294967295 tokens of one value in place {place}")
            }
            Self::ShiftRange { by } => write!(f, "bits can be moved by 0 .. 31, not by {by}"),
            Self::TooFewElements { there, wanted } => {
                write!(f, "{wanted} elements to be taken away where there are {there}")
            }
            Self::WrongVariant { is, wanted } => {
                write!(f, "the union is the component {is} here, not {wanted}")
            }
            Self::NoCounterpart { value, ty } => write!(f, "{value} has no counterpart in type {ty}"),
            Self::Undefined => write!(f, "the model says that this is undefined"),
            Self::Fatal => write!(f, "the model says that this is fatal"),
            Self::NotImplied { place, holds, gives } => write!(
                f,
                "place {place} is declared implied but holds {holds} where its expression gives {gives}"
            ),
            Self::ConstantChanged { place } => {
                write!(f, "place {place} is declared constant but would change")
            }
            Self::NegativeFactor { factor } => write!(f, "a tuple cannot occur {factor} times"),
            Self::NegativeSum { token, count } => {
                write!(f, "more tokens taken away than there are: {token} would occur {count} times")
            }
        }
    }
}
