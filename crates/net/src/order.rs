//! The order of values, membership in a type, and the first value of a type, for types of any size.
//!
//! The order is the one of [`Types::rank`], decided from the structure of the values alone so that it also
//! serves types with too many values to number. A constraint leaves out values and does not reorder the rest.

use std::cmp::Ordering;

use crate::rank::discrete_bounds;
use crate::{Cardinality, Kind, TypeIdx, Types, Value};

impl Types {
    /// Compares two values of a type in the order of their ranks.
    ///
    /// Values that are not of the type's kind are compared by their derived order.
    pub fn order(&self, ty: TypeIdx, a: &Value, b: &Value) -> Ordering {
        match (&self[ty].kind, a, b) {
            (Kind::Struct { components }, Value::Tuple(a), Value::Tuple(b))
                if a.len() == components.len() && b.len() == components.len() =>
            {
                let parts = components.iter().zip(a.iter().zip(b.iter())).rev();
                first_difference(parts.map(|(component, (a, b))| self.order(component.ty, a, b)))
            }
            (Kind::Vector { element, .. }, Value::Tuple(a), Value::Tuple(b))
            | (Kind::List { element, .. }, Value::Seq(a), Value::Seq(b)) => {
                a.len().cmp(&b.len()).then_with(|| self.order_backwards(*element, a.iter(), b.iter()))
            }
            (Kind::Set { element, .. }, Value::Seq(a), Value::Seq(b)) => {
                a.len().cmp(&b.len()).then_with(|| {
                    if self.is_discrete(*element) {
                        return self.order_backwards(*element, a.iter(), b.iter());
                    }
                    // The elements stand in the derived order, which need not be the order of their ranks.
                    let (mut a, mut b): (Vec<&Value>, Vec<&Value>) = (a.iter().collect(), b.iter().collect());
                    a.sort_by(|x, y| self.order(*element, x, y));
                    b.sort_by(|x, y| self.order(*element, x, y));
                    self.order_backwards(*element, a.into_iter(), b.into_iter())
                })
            }
            (Kind::Union { variants }, Value::Tagged(tag_a, a), Value::Tagged(tag_b, b)) => {
                tag_a.cmp(tag_b).then_with(|| match variants.get(*tag_a as usize) {
                    Some(variant) => self.order(variant.ty, a, b),
                    None => a.cmp(b),
                })
            }
            _ => a.cmp(b),
        }
    }

    /// Whether this is a value of the type.
    pub fn contains(&self, ty: TypeIdx, value: &Value) -> bool {
        self.kind_contains(&self[ty].kind, value) && self.constraint_allows(ty, value)
    }

    /// Whether the constraint of a type allows a value of its kind.
    pub(crate) fn constraint_allows(&self, ty: TypeIdx, value: &Value) -> bool {
        self[ty].constraint.as_ref().is_none_or(|intervals| {
            intervals.iter().any(|(low, high)| {
                self.order(ty, low, value) != Ordering::Greater
                    && self.order(ty, value, high) != Ordering::Greater
            })
        })
    }

    /// The least value of a type in the order of ranks: the lowest number, the first constant, the empty list
    /// or set, the first variant, and composites of these.
    pub fn first_value(&self, ty: TypeIdx) -> Value {
        let ty = &self[ty];
        if let Some((first, _)) = ty.constraint.as_ref().and_then(|intervals| intervals.first()) {
            return first.clone();
        }
        if let Some((low, _)) = discrete_bounds(&ty.kind) {
            return Value::Int(low);
        }
        match &ty.kind {
            Kind::Struct { components } => {
                Value::Tuple(components.iter().map(|component| self.first_value(component.ty)).collect())
            }
            Kind::Vector { indices, element } => {
                let len = usize::try_from(self.vector_len(indices)).unwrap_or(usize::MAX);
                Value::Tuple(vec![self.first_value(*element); len].into())
            }
            Kind::Union { variants } => {
                // A variant without values can't come first.
                let has_values = |ty| self.cardinality(ty) != Cardinality::Word(0);
                let tag = variants.iter().position(|variant| has_values(variant.ty)).unwrap_or(0);
                match variants.get(tag) {
                    Some(variant) => Value::Tagged(tag as u32, self.first_value(variant.ty).into()),
                    None => Value::unit(),
                }
            }
            _ => Value::Seq([].into()),
        }
    }

    /// Compares element by element from the last to the first.
    fn order_backwards<'v>(
        &self,
        element: TypeIdx,
        a: impl DoubleEndedIterator<Item = &'v Value>,
        b: impl DoubleEndedIterator<Item = &'v Value>,
    ) -> Ordering {
        first_difference(a.rev().zip(b.rev()).map(|(a, b)| self.order(element, a, b)))
    }

    /// Whether a value has the structure of a kind, with parts of the right types.
    fn kind_contains(&self, kind: &Kind, value: &Value) -> bool {
        if let Some((low, high)) = discrete_bounds(kind) {
            return matches!(value, Value::Int(number) if (low..=high).contains(number));
        }
        let all_in = |items: &[Value], ty: TypeIdx| items.iter().all(|item| self.contains(ty, item));
        match (kind, value) {
            (Kind::Struct { components }, Value::Tuple(items)) => {
                components.len() == items.len()
                    && components.iter().zip(items.iter()).all(|(part, item)| self.contains(part.ty, item))
            }
            (Kind::Vector { indices, element }, Value::Tuple(items)) => {
                items.len() as u64 == self.vector_len(indices) && all_in(items, *element)
            }
            (Kind::List { element, capacity, .. }, Value::Seq(items)) => {
                items.len() as u64 <= u64::from(*capacity) && all_in(items, *element)
            }
            (Kind::Set { element, capacity }, Value::Seq(items)) => {
                items.len() as u64 <= u64::from(*capacity)
                    && items.is_sorted_by(|a, b| a < b)
                    && all_in(items, *element)
            }
            (Kind::Union { variants }, Value::Tagged(tag, content)) => {
                variants.get(*tag as usize).is_some_and(|variant| self.contains(variant.ty, content))
            }
            _ => false,
        }
    }
}

/// The first comparison that is not equal.
fn first_difference(mut comparisons: impl Iterator<Item = Ordering>) -> Ordering {
    comparisons.find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
}
