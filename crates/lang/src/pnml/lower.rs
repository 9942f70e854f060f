//! From terms to expressions.
//!
//! A term of an inscription is a sum of *summands*: signed multiples of a tuple, possibly for all values of some
//! variables. A tuple of sums is the sum of all tuples, so `(all, x)` and `(a + b, x)` come out as sums as well.
//! A guard is an expression; conjunctions and disjunctions of many parts become balanced trees, since a deep
//! expression costs stack whenever it is evaluated.

use std::collections::HashMap;

use petite_net::{BinaryOp, Expr, ExprKind, Iter, Kind, Name, Sign, Span, TypeIdx, Value, VarIdx, Variable};

use super::Failed;
use super::document::Document;
use super::sorts::{Leaves, Sorts};
use super::terms::TermId;
use crate::Diagnostic;

/// Deepest nesting of operators, sums and conjunctions aside.
pub(super) const MAX_DEPTH: usize = 200;

/// Most components of all tokens that one summand stands for, or the initial marking has, and most values that a
/// variable may take where none of them is known from a token.
pub(super) const MAX_TOKENS: u64 = 1 << 22;

/// Most expressions that all products of sums and all variables of products may stand for.
const MAX_EXPANDED: usize = 1 << 22;

/// A signed multiple of a tuple, for all values of the iteration variables.
#[derive(Clone)]
pub(super) struct Summand {
    pub sign: Sign,
    pub factor: u32,
    pub iters: Vec<Iter>,
    pub leaves: Vec<Expr>,
    pub span: Span,
}

/// The declared variables of a net: by identifier their names and components.
pub(super) type Declared<'d> = HashMap<&'d str, (String, Leaves)>;

/// Turns the terms around one transition, or of one initial marking, into expressions.
pub(super) struct Lowering<'l, 'd, 's> {
    pub document: &'d Document<'s>,
    pub sorts: &'l mut Sorts<'d, 's>,
    /// The variables that may be used.
    declared: Option<&'l Declared<'d>>,
    /// The variables that are used, and those of iterations.
    pub variables: Vec<Variable>,
    /// Those of the binding.
    pub binding: Vec<VarIdx>,
    used: HashMap<&'d str, Vec<Expr>>,
}

impl<'l, 'd, 's> Lowering<'l, 'd, 's> {
    pub fn new(
        document: &'d Document<'s>,
        sorts: &'l mut Sorts<'d, 's>,
        declared: Option<&'l Declared<'d>>,
    ) -> Self {
        let (variables, binding) = (Vec::new(), Vec::new());
        Lowering { document, sorts, declared, variables, binding, used: HashMap::new() }
    }

    /// The summands of an inscription; their components are of the given types.
    pub fn inscription(&mut self, term: TermId, leaves: &Leaves) -> Result<Vec<Summand>, Failed> {
        let mut summands = self.sum(term, 0)?;
        for summand in &mut summands {
            let span = summand.span;
            if summand.leaves.len() != leaves.len() {
                let (found, expected) = (summand.leaves.len(), leaves.len());
                let message = format!("the token has {found} components, its place has {expected}");
                return self.sorts.fail(Diagnostic::new(span, message).label("does not fit the place"));
            }
            for (leaf, &ty) in summand.leaves.iter_mut().zip(&**leaves) {
                if !self.adapt(leaf, ty) {
                    let (found, expected) = (self.type_name(leaf.ty), self.type_name(ty));
                    let message = format!("a component is of sort {found}, its place has {expected}");
                    return self
                        .sorts
                        .fail(Diagnostic::new(leaf.span, message).label("does not fit the place"));
                }
            }
        }
        summands.retain(|summand| summand.factor > 0);
        Ok(summands)
    }

    /// A guard.
    pub fn guard(&mut self, term: TermId) -> Result<Expr, Failed> {
        self.truth(term, 0)
    }

    /// Notes that something short stands for so many expressions. A text is limited in this, so that the net is not
    /// much larger than it.
    pub(super) fn expand(&mut self, n_expressions: usize, span: Span) -> Result<(), Failed> {
        self.sorts.n_expanded = self.sorts.n_expanded.saturating_add(n_expressions);
        if self.sorts.n_expanded > MAX_EXPANDED {
            return self.fail(span, "products of sums or of sorts make the net too large", "too large");
        }
        Ok(())
    }

    /// The components of a variable.
    pub(super) fn variable(&mut self, id: &'d str, span: Span) -> Result<Vec<Expr>, Failed> {
        if let Some(leaves) = self.used.get(id) {
            let leaves: Vec<Expr> = leaves.iter().map(|leaf| Expr { span, ..leaf.clone() }).collect();
            self.expand(leaves.len().saturating_sub(1), span)?;
            return Ok(leaves);
        }
        let Some(declared) = self.declared else {
            return self.fail(span, "an initial marking cannot have variables", "variable");
        };
        let Some((name, leaves)) = declared.get(id) else {
            let near = crate::nearest::nearest(id, declared.keys().copied().take(10_000));
            let diagnostic =
                Diagnostic::new(span, format!("there is no variable {id}")).label("not declared");
            return self.sorts.fail(match near {
                Some(near) => diagnostic.help(format!("did you mean {near}?")),
                None => diagnostic,
            });
        };
        let leaves = leaves.clone();
        self.expand(2 * leaves.len().saturating_sub(1), span)?;
        let mut components = Vec::new();
        for (i, &ty) in leaves.iter().enumerate() {
            let var = VarIdx::new(self.variables.len());
            let text = if leaves.len() == 1 { name.clone() } else { format!("{name}.{}", i + 1) };
            self.variables.push(Variable { name: Name { text, span }, ty });
            self.binding.push(var);
            components.push(Expr { kind: ExprKind::Var(var), ty, span });
        }
        self.used.insert(id, components.clone());
        Ok(components)
    }

    /// Makes a component one of the type that is wanted; whether it can be. A number may be written with another
    /// range than the place has.
    fn adapt(&self, leaf: &mut Expr, ty: TypeIdx) -> bool {
        if let ExprKind::Const(Value::Int(value)) = leaf.kind
            && self.comparable(leaf.ty, ty)
            && self.sorts.types.contains_int(ty, value)
        {
            leaf.ty = ty;
        }
        leaf.ty == ty
    }

    pub(super) fn comparable(&self, left: TypeIdx, right: TypeIdx) -> bool {
        let range = |ty: TypeIdx| matches!(self.sorts.types[ty].kind, Kind::Range { .. });
        left == right || (range(left) && range(right))
    }

    pub(super) fn only_operand(&mut self, term: TermId) -> Result<TermId, Failed> {
        let mut children = self.document.terms.children(term);
        match (children.next(), children.next()) {
            (Some(child), None) => Ok(child),
            _ => self.fail(self.document.terms.span(term), "expected one operand", "wrong operands"),
        }
    }

    pub(super) fn two_operands(&mut self, term: TermId) -> Result<[TermId; 2], Failed> {
        let mut children = self.document.terms.children(term);
        match (children.next(), children.next(), children.next()) {
            (Some(left), Some(right), None) => Ok([left, right]),
            _ => self.fail(self.document.terms.span(term), "expected two operands", "wrong operands"),
        }
    }

    pub(super) fn type_name(&self, ty: TypeIdx) -> String {
        self.sorts.types[ty].name.text.clone()
    }

    pub(super) fn fail<T>(&mut self, span: Span, message: &str, label: &str) -> Result<T, Failed> {
        self.sorts.fail(Diagnostic::new(span, message).label(label))
    }
}

/// Number of values of a type, as far as it can be counted.
pub(super) fn n_values(sorts: &Sorts<'_, '_>, ty: TypeIdx) -> u64 {
    match sorts.types.cardinality(ty) {
        petite_net::Cardinality::Word(n_values) => n_values,
        petite_net::Cardinality::Huge => u64::MAX,
    }
}

/// A constant of a discrete type.
pub(super) fn constant(value: i64, ty: TypeIdx, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(Value::Int(value)), ty, span }
}

/// An operator with two operands.
pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr, ty: TypeIdx, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
}
