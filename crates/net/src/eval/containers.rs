//! Vectors, lists and sets.

use std::rc::Rc;

use super::{Evaluator, View, counted};
use crate::{BinaryOp, ContainerAttribute, Expr, Kind, RunError, RunErrorKind, Span, TypeIdx, Value};

/// A composite value with one part replaced.
pub(super) fn replaced(whole: &Value, at: usize, part: Value) -> Value {
    let mut items: Vec<Value> = whole.items().to_vec();
    items[at] = part;
    match whole {
        Value::Seq(_) => Value::Seq(items.into()),
        _ => Value::Tuple(items.into()),
    }
}

impl Evaluator<'_> {
    /// A list or set of a type from elements in any order.
    pub(super) fn sequence(&self, ty: TypeIdx, mut items: Vec<Value>, span: Span) -> Result<Value, RunError> {
        let capacity = match self.types[ty].kind {
            Kind::Set { capacity, .. } => {
                items.sort_unstable();
                items.dedup();
                capacity
            }
            Kind::List { capacity, .. } => capacity,
            _ => u32::MAX,
        };
        if items.len() > capacity as usize {
            let ty = self.types[ty].name.text.clone();
            return Err(RunError::new(RunErrorKind::ContainerFull { ty, capacity }, span));
        }
        Ok(Value::Seq(items.into()))
    }

    /// Operators that make or compare lists and sets.
    pub(super) fn combine(
        &self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        expr: &Expr,
    ) -> Result<Value, RunError> {
        let one = std::slice::from_ref;
        let items = match op {
            BinaryOp::Concat | BinaryOp::Union => [left.items(), right.items()].concat(),
            BinaryOp::Prepend => [one(left), right.items()].concat(),
            BinaryOp::Append => [left.items(), one(right)].concat(),
            BinaryOp::Intersection => kept(left, |item| has(right, item)),
            BinaryOp::Difference => kept(left, |item| !has(right, item)),
            BinaryOp::StrictSubset => {
                let smaller = left.items().len() < right.items().len();
                return Ok(Value::bool(smaller && left.items().iter().all(|item| has(right, item))));
            }
            // Only the inclusion is left: the arithmetic and logical operators do not come here.
            _ => return Ok(Value::bool(left.items().iter().all(|item| has(right, item)))),
        };
        self.sequence(expr.ty, items, expr.span)
    }

    /// The place of an element among the items of a vector or list.
    pub(super) fn position(
        &mut self,
        ty: TypeIdx,
        whole: &Value,
        indices: &[Expr],
        frame: &mut [Value],
        marking: View<'_>,
        span: Span,
    ) -> Result<usize, RunError> {
        let types = self.types;
        let mut at = 0usize;
        match &types[ty].kind {
            Kind::Vector { indices: index_types, .. } => {
                for (index, &index_type) in indices.iter().zip(index_types) {
                    let number = self.expr(index, frame, marking)?.int();
                    let (low, high) = types.bounds(index_type);
                    let length = (high - low + 1) as usize;
                    at = at * length + offset(number, low, length, index.span)?;
                }
            }
            _ => {
                let number = self.expr(&indices[0], frame, marking)?.int();
                at = offset(number, self.first_position(ty), whole.items().len(), span)?;
            }
        }
        Ok(at)
    }

    /// A list with an element more.
    pub(super) fn insert(&self, expr: &Expr, whole: &Value, at: i64, item: Value) -> Result<Value, RunError> {
        let mut items = whole.items().to_vec();
        let at = offset(at, 0, items.len() + 1, expr.span)?;
        items.insert(at, item);
        self.sequence(expr.ty, items, expr.span)
    }

    pub(super) fn slice(
        &self,
        ty: TypeIdx,
        whole: &Value,
        from: i64,
        to: i64,
        span: Span,
    ) -> Result<Value, RunError> {
        if to < from {
            return Ok(Value::Seq(Rc::from([])));
        }
        let (first, length) = (self.first_position(ty), whole.items().len());
        let (from, to) = (offset(from, first, length, span)?, offset(to, first, length, span)?);
        Ok(Value::Seq(whole.items()[from..=to].into()))
    }

    pub(super) fn attribute(
        &self,
        attribute: ContainerAttribute,
        ty: TypeIdx,
        whole: &Value,
        span: Span,
    ) -> Result<Value, RunError> {
        use ContainerAttribute as A;
        let items = whole.items();
        let size = items.len();
        let capacity = match self.types[ty].kind {
            Kind::List { capacity, .. } | Kind::Set { capacity, .. } => capacity as usize,
            _ => size,
        };
        match attribute {
            A::Size => return Ok(counted(size as u64)),
            A::Capacity => return Ok(counted(capacity as u64)),
            A::Space => return Ok(counted(capacity.saturating_sub(size) as u64)),
            A::Full => return Ok(Value::bool(size >= capacity)),
            A::Empty => return Ok(Value::bool(items.is_empty())),
            A::First | A::Last | A::Prefix | A::Suffix | A::FirstIndex | A::LastIndex => {}
        }
        let [first, rest @ ..] = items else {
            return Err(RunError::new(RunErrorKind::EmptyList, span));
        };
        Ok(match attribute {
            A::First => first.clone(),
            A::Last => items[size - 1].clone(),
            A::Prefix => Value::Seq(items[..size - 1].into()),
            A::Suffix => Value::Seq(rest.into()),
            A::FirstIndex => Value::Int(self.first_position(ty)),
            _ => Value::Int(self.first_position(ty) + size as i64 - 1),
        })
    }

    /// The position of a list's first element.
    fn first_position(&self, ty: TypeIdx) -> i64 {
        match self.types[ty].kind {
            Kind::List { index, .. } => self.types.bounds(index).0,
            _ => 0,
        }
    }
}

/// A list without some of its elements.
pub(super) fn removed(whole: &Value, at: i64, count: i64, span: Span) -> Result<Value, RunError> {
    let items = whole.items();
    let from = offset(at, 0, items.len() + 1, span)?;
    let end = usize::try_from(count).ok().and_then(|count| from.checked_add(count));
    match end.filter(|&end| end <= items.len()) {
        Some(end) => Ok(Value::Seq([&items[..from], &items[end..]].concat().into())),
        None => {
            let there = (items.len() - from) as u64;
            Err(RunError::new(RunErrorKind::TooFewElements { there, wanted: count }, span))
        }
    }
}

/// A vector turned around by a number of positions.
pub(super) fn rotated(whole: &Value, by: i64) -> Value {
    let mut items = whole.items().to_vec();
    let len = items.len() as i64;
    if len > 0 {
        items.rotate_left(by.rem_euclid(len) as usize);
    }
    Value::Tuple(items.into())
}

/// Sets are sorted, so membership is a binary search.
fn has(set: &Value, item: &Value) -> bool {
    set.items().binary_search(item).is_ok()
}

fn kept(set: &Value, keep: impl Fn(&Value) -> bool) -> Vec<Value> {
    set.items().iter().filter(|item| keep(item)).cloned().collect()
}

fn offset(index: i64, first: i64, length: usize, span: Span) -> Result<usize, RunError> {
    let at = index.checked_sub(first).and_then(|at| usize::try_from(at).ok()).filter(|&at| at < length);
    at.ok_or_else(|| {
        let range = match length {
            0 => "no position: it is empty".to_owned(),
            _ => format!("{first} .. {}", first + length as i64 - 1),
        };
        RunError::new(RunErrorKind::NoElement { index: index.to_string(), range }, span)
    })
}
