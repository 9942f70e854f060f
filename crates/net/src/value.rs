//! Values of colour types.

use std::rc::Rc;

/// A value of some type; the type itself is known from the context.
///
/// Small numbers, enumeration constants, truth values and modulo numbers are all [`Value::Int`]. A value is
/// cheap to clone: composite ones share their components.
///
/// The derived order is total and fixed, but it is not the order of ranks: see [`crate::Types::order`] for that one.
/// A set keeps its elements in the derived order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A discrete value: the number itself, the position of an enumeration constant, 0 and 1 for false and true.
    Int(i64),
    /// Components of a struct, a product or a vector, in declaration order (a vector: last index fastest).
    /// The black token is the tuple of nothing.
    Tuple(Rc<[Value]>),
    /// Elements of a list, or of a set in ascending derived order without repetition.
    Seq(Rc<[Value]>),
    /// One variant of a tagged union, by position, with its content.
    Tagged(u32, Rc<Value>),
}

impl Value {
    /// The value of the unit type: the black token.
    pub fn unit() -> Value {
        Value::Tuple(Rc::from([]))
    }

    /// A truth value.
    pub fn bool(truth: bool) -> Value {
        Value::Int(i64::from(truth))
    }

    /// The number of a discrete value.
    ///
    /// # Panics
    /// On a composite value: the type checker keeps those away from where numbers are needed.
    #[inline]
    pub fn int(&self) -> i64 {
        match self {
            Value::Int(number) => *number,
            _ => unreachable!("a composite value where the type checker promised a discrete one"),
        }
    }

    /// The components of a tuple or the elements of a sequence.
    ///
    /// # Panics
    /// On a discrete or tagged value, as [`Value::int`].
    #[inline]
    pub fn items(&self) -> &[Value] {
        match self {
            Value::Tuple(items) | Value::Seq(items) => items,
            _ => unreachable!("a discrete value where the type checker promised a composite one"),
        }
    }
}
