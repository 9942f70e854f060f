//! Types.

use std::cmp::Ordering;
use std::collections::HashMap;

use petite_net::{Cardinality, Component, ExprKind, Kind, Name, Span, Type, TypeIdx, Value};

use super::modules::{ModuleIdx, twice, unknown};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{self, Range, TypeExpr, TypeKind};

/// Elements that an array may have.
const MAX_ARRAY: u64 = 1 << 16;

/// Items that a buffer may have room for.
const MAX_BUFFER: i64 = 1 << 16;

/// Constants of an enumeration that are shown by name, the numbers between them included.
const MAX_NAMED: i64 = 1 << 12;

impl<'a> Elaborator<'a> {
    /// A type; `name` is the one that it is defined with.
    pub(super) fn type_expr(
        &mut self,
        expr: &'a TypeExpr,
        name: Option<&Name>,
        at: ModuleIdx,
    ) -> Elab<TypeIdx> {
        let kind = match &expr.kind {
            TypeKind::Named(name) => return self.named_type(name, at),
            TypeKind::Enum(constants) => return self.enumeration(constants, expr, name, at),
            TypeKind::Constrained(base, ranges) => {
                let base = self.type_expr(base, None, at)?;
                return self.constrained(base, ranges, expr, name, at);
            }
            TypeKind::Id(size) => {
                let size = self.positive(size, i64::from(u32::MAX), "identifiers", at)?;
                let ty = self.add_type(Kind::Range { low: 0, high: size - 1 }, expr.span, name, "id");
                self.ids.insert(ty);
                return Ok(ty);
            }
            TypeKind::Struct(fields) => Kind::Struct { components: self.fields(fields, at)? },
            TypeKind::Union(fields) => Kind::Union { variants: self.fields(fields, at)? },
            TypeKind::Array(element, index) => {
                let element = self.type_expr(element, None, at)?;
                let index_type = self.type_expr(index, None, at)?;
                let position = self.position_type(index_type, index.span)?;
                let kind = Kind::Vector { indices: vec![position], element };
                let ty = self.add_type(kind, expr.span, name, "array");
                self.indices.insert(ty, index_type);
                return Ok(ty);
            }
            TypeKind::Buffer(element, discipline, capacity) => {
                let element = self.type_expr(element, None, at)?;
                let capacity = self.positive(capacity, MAX_BUFFER, "items in a buffer", at)?;
                let kind = Kind::List { index: self.basic.unsigned, element, capacity: capacity as u32 };
                let ty = self.add_type(kind, expr.span, name, "buffer");
                self.disciplines.insert(ty, *discipline);
                return Ok(ty);
            }
        };
        let word = if matches!(kind, Kind::Union { .. }) { "union" } else { "struct" };
        Ok(self.add_type(kind, expr.span, name, word))
    }

    pub(super) fn named_type(&self, name: &Name, at: ModuleIdx) -> Elab<TypeIdx> {
        if let Some((_, ty)) = self.look_up(at, |module| module.types.get(&name.text).copied()) {
            return Ok(ty);
        }
        match name.text.as_str() {
            "bool" => Ok(self.basic.bool),
            "char" => Ok(self.basic.char),
            "int" => Ok(self.basic.int),
            "unsigned" => Ok(self.basic.unsigned),
            _ => {
                let basic = ["bool", "char", "int", "unsigned"];
                let known = self.modules.iter().flat_map(|module| module.types.keys().map(String::as_str));
                Err(unknown("type", name, known.chain(basic)))
            }
        }
    }

    fn add_type(&mut self, kind: Kind, span: Span, name: Option<&Name>, word: &str) -> TypeIdx {
        let name = name.cloned().unwrap_or_else(|| Name { text: word.to_owned(), span });
        self.types.add(Type { name, kind, parent: None, constraint: None })
    }

    /// A number of things, at least one.
    fn positive(&mut self, formula: &'a ast::Formula, most: i64, what: &str, at: ModuleIdx) -> Elab<i64> {
        let number = self.constant_number(formula, at)?;
        if (1..=most).contains(&number) {
            return Ok(number);
        }
        Err(Diagnostic::new(formula.span, format!("{number} is no possible number of {what}"))
            .label("expected another number")
            .help(format!("it can be 1 to {most}")))
    }

    fn fields(&mut self, fields: &'a [(TypeExpr, Name)], at: ModuleIdx) -> Elab<Vec<Component>> {
        let mut components: Vec<Component> = Vec::new();
        for (ty, name) in fields {
            if components.iter().any(|component| component.name.text == name.text) {
                return Err(twice("component", name));
            }
            let ty = self.type_expr(ty, None, at)?;
            components.push(Component { name: name.clone(), ty });
        }
        Ok(components)
    }

    fn enumeration(
        &mut self,
        constants: &'a [(Name, Option<ast::Formula>)],
        expr: &TypeExpr,
        name: Option<&Name>,
        at: ModuleIdx,
    ) -> Elab<TypeIdx> {
        let mut numbers: Vec<(&Name, i64)> = Vec::new();
        for (constant, number) in constants {
            let number = match number {
                Some(number) => self.constant_number(number, at)?,
                None => numbers.last().map_or(0, |(_, last)| last + 1),
            };
            if numbers.iter().any(|(other, _)| other.text == constant.text) {
                return Err(twice("constant", constant));
            }
            numbers.push((constant, number));
        }
        let least = numbers.iter().map(|(_, number)| *number).min().unwrap_or(0);
        let greatest = numbers.iter().map(|(_, number)| *number).max().unwrap_or(0);
        // Values are the numbers themselves, so that casts need not count; where the first one is not zero, those
        // before it are left out by a constraint.
        let ty = if least >= 0 && greatest < MAX_NAMED {
            let named = |number: i64| {
                let found = numbers.iter().find(|(_, other)| *other == number);
                found.map_or_else(|| Name::predefined(&number.to_string()), |(name, _)| (*name).clone())
            };
            let kind = Kind::Enum { constants: (0..=greatest).map(named).collect() };
            let name = name.cloned().unwrap_or_else(|| Name { text: "enum".to_owned(), span: expr.span });
            let constraint = (least > 0).then(|| vec![(Value::Int(least), Value::Int(greatest))]);
            self.types.add(Type { name, kind, parent: None, constraint })
        } else {
            self.add_type(Kind::Range { low: least, high: greatest }, expr.span, name, "enum")
        };
        let numbers: HashMap<String, i64> =
            numbers.into_iter().map(|(name, number)| (name.text.clone(), number)).collect();
        self.constants.insert(ty, numbers);
        Ok(ty)
    }

    /// The type of positions in an array: the index itself where its values are consecutive numbers.
    fn position_type(&mut self, index: TypeIdx, span: Span) -> Elab<TypeIdx> {
        let n_values = match self.types.cardinality(index) {
            Cardinality::Word(n_values @ 1..=MAX_ARRAY) => n_values,
            _ => {
                return Err(Diagnostic::new(
                    span,
                    "an array cannot have an element for each value of this type",
                )
                .label("too many values")
                .help(format!("index it by a type of at most {MAX_ARRAY} values")));
            }
        };
        if self.types.is_discrete(index) {
            let (low, high) = self.types.bounds(index);
            if high - low + 1 == n_values as i64 {
                return Ok(index);
            }
        }
        Ok(self.add_type(Kind::Range { low: 0, high: n_values as i64 - 1 }, span, None, "positions"))
    }

    fn constrained(
        &mut self,
        base: TypeIdx,
        ranges: &'a [Range],
        expr: &TypeExpr,
        name: Option<&Name>,
        at: ModuleIdx,
    ) -> Elab<TypeIdx> {
        if self.ids.contains(&base) {
            return Err(Diagnostic::new(expr.span, "identifiers have no order to constrain them by")
                .label("a constraint on identifiers")
                .help("constrain another type"));
        }
        let mut intervals = Vec::new();
        for range in ranges {
            let end = |this: &mut Self, end: &'a Option<ast::Formula>| -> Elab<Option<Value>> {
                let Some(formula) = end else { return Ok(None) };
                let expr = this.constant(formula, Some(base), at)?;
                Ok(match expr.kind {
                    ExprKind::Const(value) => Some(value),
                    _ => None,
                })
            };
            let low = end(self, &range.low)?.unwrap_or_else(|| self.types.first_value(base));
            let high = end(self, &range.high)?.unwrap_or_else(|| self.types.last_value(base));
            if self.types.order(base, &low, &high) != Ordering::Greater {
                intervals.push((low, high));
            }
        }
        let intervals = self.within(base, self.disjoint(base, intervals));
        if intervals.is_empty() {
            return Err(Diagnostic::new(expr.span, "this constraint allows no value")
                .label("nothing is left")
                .help("write ranges from the lesser to the greater value"));
        }
        let name = name.cloned().unwrap_or_else(|| {
            let text = self.types[base].name.text.clone();
            Name { text, span: expr.span }
        });
        let kind = self.types[base].kind.clone();
        let ty = self.types.add(Type { name, kind, parent: Some(base), constraint: Some(intervals) });
        if let Some(constants) = self.constants.get(&base).cloned() {
            self.constants.insert(ty, constants);
        }
        if let Some(discipline) = self.disciplines.get(&base).copied() {
            self.disciplines.insert(ty, discipline);
        }
        if let Some(index) = self.indices.get(&base).copied() {
            self.indices.insert(ty, index);
        }
        Ok(ty)
    }

    /// The same intervals in ascending order, overlapping ones made one.
    fn disjoint(&self, ty: TypeIdx, mut intervals: Vec<(Value, Value)>) -> Vec<(Value, Value)> {
        intervals.sort_by(|a, b| self.types.order(ty, &a.0, &b.0));
        let mut result: Vec<(Value, Value)> = Vec::new();
        for (low, high) in intervals {
            match result.last_mut() {
                Some((_, last)) if self.types.order(ty, &low, last) != Ordering::Greater => {
                    if self.types.order(ty, last, &high) == Ordering::Less {
                        *last = high;
                    }
                }
                Some((_, last)) if low == self.types.next_value(ty, last) => *last = high,
                _ => result.push((low, high)),
            }
        }
        result
    }

    /// What is left of intervals under the constraint that a type has already.
    fn within(&self, ty: TypeIdx, intervals: Vec<(Value, Value)>) -> Vec<(Value, Value)> {
        let Some(allowed) = &self.types[ty].constraint else { return intervals };
        let less = |a: &Value, b: &Value| self.types.order(ty, a, b) == Ordering::Less;
        let mut result = Vec::new();
        for (low, high) in &intervals {
            for (least, greatest) in allowed {
                let low = if less(low, least) { least } else { low };
                let high = if less(greatest, high) { greatest } else { high };
                if !less(high, low) {
                    result.push((low.clone(), high.clone()));
                }
            }
        }
        result
    }
}
