//! The value before or behind another one, and the last value of a type, for types of any size.
//!
//! Neighbours are those of the order of ranks ([`crate::Types::rank`]), found from the structure of the values so
//! that types with too many values to number have them, too. Counting up works as on paper: the first component
//! varies fastest, and one that has come to its end starts again and carries to the next.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::rank::discrete_bounds;
use crate::{Cardinality, Kind, TypeIdx, Types, Value};

/// Which neighbour is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The next greater one.
    Next,
    /// The next less one.
    Previous,
}

impl Types {
    /// The greatest value of a type in the order of ranks. The type must have values.
    pub fn last_value(&self, ty: TypeIdx) -> Value {
        self.extreme(ty, Side::Previous)
    }

    /// The value behind another one of its type, or the first one behind the last.
    pub fn next_value(&self, ty: TypeIdx, value: &Value) -> Value {
        self.neighbour(ty, value, Side::Next).unwrap_or_else(|| self.extreme(ty, Side::Next))
    }

    /// The value before another one of its type, or the last one before the first.
    pub fn previous_value(&self, ty: TypeIdx, value: &Value) -> Value {
        self.neighbour(ty, value, Side::Previous).unwrap_or_else(|| self.extreme(ty, Side::Previous))
    }

    /// Where counting in a direction starts.
    fn extreme(&self, ty: TypeIdx, side: Side) -> Value {
        if side == Side::Next {
            return self.first_value(ty);
        }
        let declared = &self[ty];
        if let Some((_, last)) = declared.constraint.as_ref().and_then(|intervals| intervals.last()) {
            return last.clone();
        }
        if let Some((_, high)) = discrete_bounds(&declared.kind) {
            return Value::Int(high);
        }
        match &declared.kind {
            Kind::Struct { components } => {
                Value::Tuple(components.iter().map(|component| self.last_value(component.ty)).collect())
            }
            Kind::Vector { indices, element } => {
                let len = usize::try_from(self.vector_len(indices)).unwrap_or(usize::MAX);
                Value::Tuple(vec![self.last_value(*element); len].into())
            }
            Kind::List { element, capacity, .. } => {
                let has_values = self.cardinality(*element) != Cardinality::Word(0);
                let len = if has_values { *capacity as usize } else { 0 };
                Value::Seq(vec![self.last_value(*element); len].into())
            }
            Kind::Set { element, capacity } => self.last_set(*element, *capacity),
            Kind::Union { variants } => {
                let has_values = |ty| self.cardinality(ty) != Cardinality::Word(0);
                let tag = variants.iter().rposition(|variant| has_values(variant.ty)).unwrap_or(0);
                match variants.get(tag) {
                    Some(variant) => Value::Tagged(tag as u32, self.last_value(variant.ty).into()),
                    None => Value::unit(),
                }
            }
            Kind::Range { .. } | Kind::Modulo { .. } | Kind::Enum { .. } => Value::Int(0),
        }
    }

    /// The greatest set: the greatest elements that fit.
    fn last_set(&self, element: TypeIdx, capacity: u32) -> Value {
        let len = match self.cardinality(element) {
            Cardinality::Word(n_values) => n_values.min(u64::from(capacity)) as usize,
            Cardinality::Huge => capacity as usize,
        };
        let mut items = Vec::new();
        let mut item = (len > 0).then(|| self.last_value(element));
        while let Some(value) = item.filter(|_| items.len() < len) {
            item = self.neighbour(element, &value, Side::Previous);
            items.push(value);
        }
        items.sort_unstable();
        Value::Seq(items.into())
    }

    /// The neighbour of a value of a type; `None` at the end.
    fn neighbour(&self, ty: TypeIdx, value: &Value, side: Side) -> Option<Value> {
        let Some(intervals) = &self[ty].constraint else { return self.plain_neighbour(ty, value, side) };
        let at = intervals.iter().position(|(low, high)| {
            self.order(ty, low, value) != Ordering::Greater
                && self.order(ty, value, high) != Ordering::Greater
        })?;
        let (low, high) = &intervals[at];
        match side {
            Side::Next if value == high => intervals.get(at + 1).map(|(low, _)| low.clone()),
            Side::Previous if value == low => at.checked_sub(1).map(|at| intervals[at].1.clone()),
            _ => self.plain_neighbour(ty, value, side),
        }
    }

    /// The neighbour of a value in the type without its constraint.
    fn plain_neighbour(&self, ty: TypeIdx, value: &Value, side: Side) -> Option<Value> {
        match (&self[ty].kind, value) {
            (kind @ (Kind::Range { .. } | Kind::Modulo { .. } | Kind::Enum { .. }), Value::Int(number)) => {
                let (low, high) = discrete_bounds(kind)?;
                let next = if side == Side::Next { number.checked_add(1) } else { number.checked_sub(1) };
                next.filter(|next| (low..=high).contains(next)).map(Value::Int)
            }
            (Kind::Struct { components }, Value::Tuple(items)) => {
                let types = components.iter().map(|component| component.ty);
                self.count(types.zip(items.iter()), side).map(Value::Tuple)
            }
            (Kind::Vector { element, .. }, Value::Tuple(items)) => {
                self.count(items.iter().map(|item| (*element, item)), side).map(Value::Tuple)
            }
            (Kind::List { element, capacity, .. }, Value::Seq(items)) => {
                if let Some(items) = self.count(items.iter().map(|item| (*element, item)), side) {
                    return Some(Value::Seq(items));
                }
                let len = match side {
                    Side::Next => items.len().checked_add(1).filter(|&len| len <= *capacity as usize)?,
                    Side::Previous => items.len().checked_sub(1)?,
                };
                if self.cardinality(*element) == Cardinality::Word(0) {
                    return None;
                }
                Some(Value::Seq(vec![self.extreme(*element, side); len].into()))
            }
            (Kind::Union { variants }, Value::Tagged(tag, content)) => {
                let variant = variants.get(*tag as usize)?;
                if let Some(content) = self.neighbour(variant.ty, content, side) {
                    return Some(Value::Tagged(*tag, content.into()));
                }
                let has_values = |&tag: &usize| self.cardinality(variants[tag].ty) != Cardinality::Word(0);
                let tag = *tag as usize;
                let tag = match side {
                    Side::Next => (tag + 1..variants.len()).find(has_values)?,
                    Side::Previous => (0..tag).rev().find(has_values)?,
                };
                Some(Value::Tagged(tag as u32, self.extreme(variants[tag].ty, side).into()))
            }
            // Sets are numbered; of those that are too many to be, nobody asks for neighbours.
            _ => {
                let rank = self.rank(ty, value)?;
                let next = if side == Side::Next { rank.checked_add(1)? } else { rank.checked_sub(1)? };
                self.unrank(ty, next)
            }
        }
    }

    /// Counts one up or down in mixed radix; `None` when all digits have come to their end.
    fn count<'v>(
        &self,
        digits: impl Iterator<Item = (TypeIdx, &'v Value)>,
        side: Side,
    ) -> Option<Rc<[Value]>> {
        let mut carry = true;
        let items: Rc<[Value]> = digits
            .map(|(ty, digit)| {
                if !carry {
                    return digit.clone();
                }
                let next = self.neighbour(ty, digit, side);
                carry = next.is_none();
                next.unwrap_or_else(|| self.extreme(ty, side))
            })
            .collect();
        (!carry).then_some(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Component, Name, Type};

    fn add(types: &mut Types, kind: Kind, constraint: Option<Vec<(Value, Value)>>) -> TypeIdx {
        types.add(Type { name: Name::predefined("t"), kind, parent: None, constraint })
    }

    /// Walks through all values both ways and compares with the ranks.
    fn check(types: &Types, ty: TypeIdx) {
        let values: Vec<Value> = types.values(ty).unwrap().collect();
        assert!(!values.is_empty());
        assert_eq!(types.last_value(ty), *values.last().unwrap());
        for (i, value) in values.iter().enumerate() {
            let next = &values[(i + 1) % values.len()];
            assert_eq!(types.next_value(ty, value), *next, "behind {value:?}");
            assert_eq!(types.previous_value(ty, next), *value, "before {next:?}");
        }
    }

    #[test]
    fn neighbours_follow_the_ranks() {
        let mut types = Types::default();
        let int = Value::Int;
        let number = add(&mut types, Kind::Range { low: -2, high: 9 }, None);
        let gaps = Some(vec![(int(-1), int(0)), (int(3), int(3)), (int(7), int(8))]);
        let gaps = add(&mut types, Kind::Range { low: -2, high: 9 }, gaps);
        let named = |name: &str, ty| Component { name: Name::predefined(name), ty };
        let pair =
            add(&mut types, Kind::Struct { components: vec![named("a", gaps), named("b", number)] }, None);
        let index = add(&mut types, Kind::Range { low: 0, high: 2 }, None);
        let array = add(&mut types, Kind::Vector { indices: vec![index], element: gaps }, None);
        let list = add(&mut types, Kind::List { index, element: gaps, capacity: 3 }, None);
        let set = add(&mut types, Kind::Set { element: gaps, capacity: 2 }, None);
        let unit = add(&mut types, Kind::Struct { components: vec![] }, None);
        let variants = vec![named("u", unit), named("l", list), named("p", pair)];
        let union = add(&mut types, Kind::Union { variants }, None);
        for ty in [number, gaps, pair, array, list, set, unit, union] {
            check(&types, ty);
        }
        // A constraint on a composite type, with a gap.
        let at = |rank| types.unrank(union, rank).unwrap();
        let intervals = vec![(at(0), at(1)), (at(20), at(170))];
        let kind = types[union].kind.clone();
        let narrowed = add(&mut types, kind, Some(intervals));
        check(&types, narrowed);
    }

    #[test]
    fn huge_types_have_neighbours() {
        let mut types = Types::default();
        let number = add(&mut types, Kind::Range { low: 0, high: (1 << 40) - 1 }, None);
        let index = add(&mut types, Kind::Range { low: 0, high: 2 }, None);
        let array = add(&mut types, Kind::Vector { indices: vec![index], element: number }, None);
        assert_eq!(types.cardinality(array), Cardinality::Huge);
        let last = (1 << 40) - 1;
        let tuple = |a, b, c| Value::Tuple([a, b, c].map(Value::Int).into());
        assert_eq!(types.next_value(array, &tuple(last, last, 3)), tuple(0, 0, 4));
        assert_eq!(types.previous_value(array, &tuple(0, 0, 4)), tuple(last, last, 3));
        assert_eq!(types.next_value(array, &tuple(last, last, last)), tuple(0, 0, 0));
        assert_eq!(types.last_value(array), tuple(last, last, last));
    }
}
