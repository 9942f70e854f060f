//! Sorts that are cut into parts.

use std::rc::Rc;

use petite_net::{Cardinality, Kind, Name, Type, TypeIdx, Value};

use super::Failed;
use super::document::Partition;
use super::sorts::{Constant, Lookup, Sorts, plain};
use super::terms::{Op, TermId};
use super::xml::Text;
use crate::Diagnostic;

impl<'d, 's> Sorts<'d, 's> {
    /// Declares a partition and its parts: each value of the sort must be in exactly one of them.
    pub(super) fn declare_partition(&mut self, partition: &'d Partition<'s>) -> Result<(), Failed> {
        let declaration = &partition.declaration;
        let span = declaration.id.span;
        let leaves = self.named_sort(&declaration.id.value, span, 0)?;
        let &[whole] = &*leaves else {
            let message = "only enumerations and ranges can be cut into parts";
            return self.fail(Diagnostic::new(span, message).label("no single component"));
        };
        let n_listed = partition.elements.iter().map(|element| element.constants.len() as u64).sum();
        if self.types.cardinality(whole) != Cardinality::Word(n_listed) {
            let message = format!("the parts of {} list {n_listed} values", declaration.id.value);
            let help = "each value of the sort must be in exactly one part";
            return self.fail(Diagnostic::new(span, message).label("incomplete").help(help));
        }
        let low = self.types.bounds(whole).0;
        let mut part_of = vec![None; n_listed as usize];
        let mut members = Vec::new();
        for (part, element) in (0..).zip(&partition.elements) {
            let mut values = Vec::new();
            for &constant in &element.constants {
                let value = self.member(constant, whole)?;
                let slot = &mut part_of[(value - low) as usize];
                if slot.replace(part).is_some() {
                    let span = self.document.terms.span(constant);
                    return self.fail(Diagnostic::new(span, "this value is in two parts").label("again"));
                }
                values.push(value);
            }
            values.sort_unstable();
            members.push(values);
        }
        let name = |text: &Text<'_>| Name { text: text.value.to_string(), span: text.span };
        let constants: Vec<Name> = partition
            .elements
            .iter()
            .map(|element| name(element.name.as_ref().unwrap_or(&element.id)))
            .collect();
        if constants.is_empty() {
            return self.fail(Diagnostic::new(span, "this partition has no part").label("empty"));
        }
        let parts = self.types.add(plain(name(&declaration.id), Kind::Enum { constants }));
        let vector = Kind::Vector { indices: vec![whole], element: parts };
        let vector = self.types.add(plain(name(&declaration.id), vector));
        let table = Value::Tuple(part_of.into_iter().flatten().map(Value::Int).collect());
        let lookup = Rc::new(Lookup { parts, whole, vector, table });
        self.partitions.insert(&declaration.id.value, lookup.clone());
        for ((part, element), values) in (0..).zip(&partition.elements).zip(members) {
            // A range will do: the type is only iterated over, and many enumerations would be large.
            let (low, high) = self.types.bounds(whole);
            let constraint = Some(intervals(&values));
            let part_type = Type { constraint, ..plain(name(&element.id), Kind::Range { low, high }) };
            let part_type = self.types.add(part_type);
            let constant = Constant::Part(part_type, part, lookup.clone());
            self.declare_constant(&element.id.value, element.id.span, constant)?;
        }
        Ok(())
    }

    /// The value of a constant of the type.
    fn member(&mut self, constant: TermId, whole: TypeIdx) -> Result<i64, Failed> {
        let span = self.document.terms.span(constant);
        let value = match self.document.terms.op(constant) {
            Op::Constant(id) => match self.constant(id, span)? {
                Constant::Value(ty, value) if ty == whole => Some(value),
                _ => None,
            },
            Op::RangeConstant(value) if matches!(self.types[whole].kind, Kind::Range { .. }) => Some(*value),
            _ => None,
        };
        match value.filter(|&value| self.types.contains_int(whole, value)) {
            Some(value) => Ok(value),
            None => {
                let message = format!("expected a value of the sort {}", self.types[whole].name);
                self.fail(Diagnostic::new(span, message).label("of another sort"))
            }
        }
    }
}

/// Ascending numbers as closed intervals.
fn intervals(values: &[i64]) -> Vec<(Value, Value)> {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for &value in values {
        match runs.last_mut() {
            Some((_, high)) if *high + 1 == value => *high = value,
            _ => runs.push((value, value)),
        }
    }
    runs.into_iter().map(|(low, high)| (Value::Int(low), Value::Int(high))).collect()
}
