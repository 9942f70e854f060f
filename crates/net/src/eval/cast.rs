//! Values in the form of another type.
//!
//! | from, to | what happens |
//! |---|---|
//! | number, enumeration | the number stays |
//! | structs with as many components | component by component |
//! | vectors of one length, lists | element by element |
//! | union to union | the content, to the first variant that takes it |
//! | anything to a union | to the first variant that takes it |
//! | union to anything | the content |
//!
//! A variant takes what has its form ([`Types::is_castable`]); where a value of that form is then outside the
//! variant's constraint, the cast is an error, as everywhere.

use super::Evaluator;
use crate::{Kind, RunError, RunErrorKind, Span, TypeIdx, Types, Value};

impl Types {
    /// Whether values of one type can be brought into the form of another one, as far as the types alone tell.
    pub fn is_castable(&self, from: TypeIdx, to: TypeIdx) -> bool {
        if from == to {
            return true;
        }
        match (&self[from].kind, &self[to].kind) {
            _ if self.is_discrete(from) && self.is_discrete(to) => true,
            (Kind::Struct { components: a }, Kind::Struct { components: b }) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.is_castable(a.ty, b.ty))
            }
            (Kind::Vector { indices: i, element: a }, Kind::Vector { indices: j, element: b }) => {
                self.vector_len(i) == self.vector_len(j) && self.is_castable(*a, *b)
            }
            (Kind::List { element: a, .. }, Kind::List { element: b, .. })
            | (Kind::Set { element: a, .. }, Kind::Set { element: b, .. }) => self.is_castable(*a, *b),
            (Kind::Union { variants: a }, Kind::Union { .. }) => {
                a.iter().any(|variant| self.variant_for(variant.ty, to).is_some())
            }
            (_, Kind::Union { .. }) => self.variant_for(from, to).is_some(),
            (Kind::Union { variants }, _) => variants.iter().any(|variant| self.is_castable(variant.ty, to)),
            _ => false,
        }
    }

    /// The variant of a union that takes values of a type: the first of that very type, else the first of its
    /// form.
    pub fn variant_for(&self, from: TypeIdx, union: TypeIdx) -> Option<u32> {
        let Kind::Union { variants } = &self[union].kind else { return None };
        let same = variants.iter().position(|variant| variant.ty == from);
        let formed = || variants.iter().position(|variant| self.is_castable(from, variant.ty));
        same.or_else(formed).map(|at| at as u32)
    }
}

impl Evaluator<'_> {
    /// A value in the form of another type, and of that type.
    pub(super) fn cast(
        &self,
        from: TypeIdx,
        to: TypeIdx,
        value: Value,
        span: Span,
    ) -> Result<Value, RunError> {
        let shown = || RunErrorKind::NoCounterpart {
            value: self.types.show(from, &value),
            ty: self.types[to].name.text.clone(),
        };
        let formed = self.formed(from, to, &value).ok_or_else(|| RunError::new(shown(), span))?;
        self.check(to, formed, span)
    }

    fn formed(&self, from: TypeIdx, to: TypeIdx, value: &Value) -> Option<Value> {
        if from == to {
            return Some(value.clone());
        }
        match (&self.types[from].kind, &self.types[to].kind, value) {
            (_, _, Value::Int(_)) if self.types.is_discrete(to) => Some(value.clone()),
            (Kind::Struct { components: a }, Kind::Struct { components: b }, Value::Tuple(items))
                if a.len() == b.len() =>
            {
                let parts = items.iter().zip(a.iter().zip(b));
                let parts = parts.map(|(item, (a, b))| self.formed(a.ty, b.ty, item));
                Some(Value::Tuple(parts.collect::<Option<_>>()?))
            }
            (Kind::Vector { element: a, .. }, Kind::Vector { element: b, .. }, Value::Tuple(items)) => {
                let parts = items.iter().map(|item| self.formed(*a, *b, item));
                Some(Value::Tuple(parts.collect::<Option<_>>()?))
            }
            (Kind::List { element: a, .. }, Kind::List { element: b, .. }, Value::Seq(items)) => {
                let parts = items.iter().map(|item| self.formed(*a, *b, item));
                Some(Value::Seq(parts.collect::<Option<_>>()?))
            }
            (Kind::Set { element: a, .. }, Kind::Set { element: b, .. }, Value::Seq(items)) => {
                let mut parts =
                    items.iter().map(|item| self.formed(*a, *b, item)).collect::<Option<Vec<_>>>()?;
                parts.sort_unstable();
                Some(Value::Seq(parts.into()))
            }
            (Kind::Union { variants }, _, Value::Tagged(tag, content)) => {
                self.formed(variants.get(*tag as usize)?.ty, to, content)
            }
            (_, Kind::Union { variants }, _) => {
                let tag = self.types.variant_for(from, to)?;
                let content = self.formed(from, variants.get(tag as usize)?.ty, value)?;
                Some(Value::Tagged(tag, content.into()))
            }
            _ => None,
        }
    }
}
