//! Values of types that are too large to number, as sequences of digits.
//!
//! *Source.* Section 2.2.1 of paper 5: a structured type with more values than a machine word can tell apart
//! is not turned into one number but handled component by component, and what fits a word is one number.
//!
//! | type | digits |
//! |---|---|
//! | at most `u64::MAX` values | the rank |
//! | number of 64 bits | high and low half of its distance from the least one |
//! | struct, vector | those of the components in order |
//! | list, set | the number of elements, then those of the elements |
//! | union | the variant, then those of its content |
//!
//! Every digit comes with its base, and the bases depend only on the type and on earlier digits, so a reader
//! of bits knows before each digit how wide it is, and knows when a value ends.

use crate::rank::discrete_bounds;
use crate::{Cardinality, Kind, TypeIdx, Types, Value};

/// One digit of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// The digit itself, less than `cardinality`.
    pub rank: u64,
    /// How many digits there are to choose from.
    pub cardinality: u64,
}

/// Base of the two digits of a number of 64 bits.
const HALF: u64 = 1 << 32;

impl Types {
    /// Appends the digits of a value; `None`, and nothing appended, when it is not a value of the type.
    #[must_use]
    pub fn digits(&self, ty: TypeIdx, value: &Value, digits: &mut Vec<Digit>) -> Option<()> {
        let start = digits.len();
        let result = self.push_digits(ty, value, digits);
        if result.is_none() {
            digits.truncate(start);
        }
        result
    }

    /// The value with these digits. `next` is called for one digit after the other with its cardinality.
    ///
    /// `None` when `next` has no more digits or gives one that is not below the cardinality, and when the
    /// digits are none of a value: outside a constraint, or a set out of order.
    pub fn from_digits(&self, ty: TypeIdx, next: &mut dyn FnMut(u64) -> Option<u64>) -> Option<Value> {
        if let Cardinality::Word(n_values) = self.cardinality(ty) {
            return self.unrank(ty, next(n_values)?);
        }
        let below = |cardinality: u64, next: &mut dyn FnMut(u64) -> Option<u64>| {
            next(cardinality).filter(|digit| *digit < cardinality)
        };
        let kind = &self[ty].kind;
        let value = match kind {
            Kind::Struct { components } => {
                let parts = components.iter().map(|component| self.from_digits(component.ty, next));
                Value::Tuple(parts.collect::<Option<_>>()?)
            }
            Kind::Vector { indices, element } => {
                let parts = (0..self.vector_len(indices)).map(|_| self.from_digits(*element, next));
                Value::Tuple(parts.collect::<Option<_>>()?)
            }
            Kind::List { element, capacity, .. } | Kind::Set { element, capacity } => {
                let len = below(u64::from(*capacity) + 1, next)?;
                let parts = (0..len).map(|_| self.from_digits(*element, next));
                let items: std::rc::Rc<[Value]> = parts.collect::<Option<_>>()?;
                if matches!(kind, Kind::Set { .. }) && !items.is_sorted_by(|a, b| a < b) {
                    return None;
                }
                Value::Seq(items)
            }
            Kind::Union { variants } => {
                let tag = below(variants.len() as u64, next)?;
                let content = self.from_digits(variants[tag as usize].ty, next)?;
                Value::Tagged(tag as u32, content.into())
            }
            Kind::Range { .. } | Kind::Modulo { .. } | Kind::Enum { .. } => {
                let (low, _) = discrete_bounds(kind)?;
                let distance = below(HALF, next)? << 32 | below(HALF, next)?;
                Value::Int(i64::try_from(i128::from(low) + i128::from(distance)).ok()?)
            }
        };
        self.constraint_allows(ty, &value).then_some(value)
    }

    fn push_digits(&self, ty: TypeIdx, value: &Value, digits: &mut Vec<Digit>) -> Option<()> {
        if let Cardinality::Word(cardinality) = self.cardinality(ty) {
            digits.push(Digit { rank: self.rank(ty, value)?, cardinality });
            return Some(());
        }
        match (&self[ty].kind, value) {
            (Kind::Struct { components }, Value::Tuple(items)) if components.len() == items.len() => {
                for (component, item) in components.iter().zip(items.iter()) {
                    self.push_digits(component.ty, item, digits)?;
                }
            }
            (Kind::Vector { indices, element }, Value::Tuple(items))
                if self.vector_len(indices) == items.len() as u64 =>
            {
                for item in items.iter() {
                    self.push_digits(*element, item, digits)?;
                }
            }
            (Kind::List { element, capacity, .. } | Kind::Set { element, capacity }, Value::Seq(items)) => {
                let (rank, cardinality) = (items.len() as u64, u64::from(*capacity) + 1);
                let in_order = !matches!(self[ty].kind, Kind::Set { .. }) || items.is_sorted_by(|a, b| a < b);
                if rank >= cardinality || !in_order {
                    return None;
                }
                digits.push(Digit { rank, cardinality });
                for item in items.iter() {
                    self.push_digits(*element, item, digits)?;
                }
            }
            (Kind::Union { variants }, Value::Tagged(tag, content)) => {
                let variant = variants.get(*tag as usize)?;
                digits.push(Digit { rank: u64::from(*tag), cardinality: variants.len() as u64 });
                self.push_digits(variant.ty, content, digits)?;
            }
            (kind, Value::Int(number)) => {
                let (low, high) = discrete_bounds(kind)?;
                let distance = u64::try_from(i128::from(*number) - i128::from(low)).ok()?;
                if *number > high {
                    return None;
                }
                digits.push(Digit { rank: distance / HALF, cardinality: HALF });
                digits.push(Digit { rank: distance % HALF, cardinality: HALF });
            }
            _ => return None,
        }
        self.constraint_allows(ty, value).then_some(())
    }
}
