//! From terms to expressions.
//!
//! A term of an inscription is a sum of *summands*: signed multiples of a tuple, possibly for all values of some
//! variables. A tuple of sums is the sum of all tuples, so `(all, x)` and `(a + b, x)` come out as sums as well.
//! A guard is an expression; conjunctions and disjunctions of many parts become balanced trees, since a deep
//! expression costs stack whenever it is evaluated.

use std::borrow::Cow;
use std::collections::HashMap;

use petite_net::{
    BinaryOp, Expr, ExprKind, Iter, IterDomain, Kind, Name, Sign, Span, TypeIdx, UnaryOp, Value, VarIdx,
    Variable,
};

use super::Failed;
use super::document::Document;
use super::sorts::{Constant, Leaves, Sorts};
use super::terms::{Op, TermId};
use crate::Diagnostic;

/// Deepest nesting of operators, sums and conjunctions aside.
const MAX_DEPTH: usize = 200;

/// Most summands of one inscription.
const MAX_SUMMANDS: usize = 1 << 20;

/// Most tokens that one summand may stand for, and most values that a variable may take where none of them is
/// known from a token.
pub(super) const MAX_TOKENS: u64 = 1 << 22;

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
    document: &'d Document<'s>,
    sorts: &'l mut Sorts<'d, 's>,
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

    /// The summands of a multi-set. Sums and multiples are taken apart on a list of work to do, because some
    /// tools nest them thousands deep.
    fn sum(&mut self, term: TermId, depth: usize) -> Result<Vec<Summand>, Failed> {
        let document = self.document;
        let terms = &document.terms;
        let mut summands = Vec::new();
        let mut work = vec![(term, Sign::Plus, 1u32)];
        while let Some((term, sign, factor)) = work.pop() {
            let start = work.len();
            let span = terms.span(term);
            match terms.op(term) {
                Op::Add => work.extend(terms.children(term).map(|child| (child, sign, factor))),
                Op::Subtract => {
                    for (i, child) in terms.children(term).enumerate() {
                        work.push((child, if i == 0 { sign } else { flipped(sign) }, factor));
                    }
                }
                Op::NumberOf | Op::ScalarProduct => {
                    let children: Vec<TermId> = terms.children(term).collect();
                    let (number, multiple) = match children.as_slice() {
                        [multiple] => (1, *multiple),
                        [number, multiple] => match terms.op(*number) {
                            Op::Number(number) => (*number, *multiple),
                            _ => {
                                let message = "expected a number constant in front of a token";
                                return self.fail(terms.span(*number), message, "not supported");
                            }
                        },
                        _ => return self.fail(span, "expected a number and a token", "wrong operands"),
                    };
                    let Some(factor) = factor.checked_mul(number) else {
                        return self.fail(span, "more than 4294967295 tokens of one value", "too many");
                    };
                    work.push((multiple, sign, factor));
                }
                Op::Empty => {}
                _ => {
                    for summand in self.element(term, depth)? {
                        let Some(factor) = summand.factor.checked_mul(factor) else {
                            return self.fail(span, "more than 4294967295 tokens of one value", "too many");
                        };
                        let sign = if sign == Sign::Plus { summand.sign } else { flipped(summand.sign) };
                        summands.push(Summand { sign, factor, ..summand });
                    }
                    if summands.len() > MAX_SUMMANDS {
                        return self.fail(span, "this sum has too many parts", "too large");
                    }
                }
            }
            // What was put on the list last comes first.
            work[start..].reverse();
        }
        Ok(summands)
    }

    /// The summands of a tuple or of a single value.
    fn element(&mut self, term: TermId, depth: usize) -> Result<Vec<Summand>, Failed> {
        let document = self.document;
        let terms = &document.terms;
        let span = terms.span(term);
        if depth > MAX_DEPTH {
            return self.fail(span, "terms are nested too deeply", "too deep");
        }
        let one = |leaves| Summand { sign: Sign::Plus, factor: 1, iters: Vec::new(), leaves, span };
        match terms.op(term) {
            Op::Dot => Ok(vec![one(Vec::new())]),
            Op::Variable(id) => Ok(vec![one(self.variable(id, span)?)]),
            Op::All => {
                let mut all = one(Vec::new());
                for (whole, ty) in self.all(term)? {
                    let leaf = self.iterate(&mut all.iters, whole, ty, span);
                    all.leaves.push(leaf);
                }
                self.check_size(&all)?;
                Ok(vec![all])
            }
            Op::Constant(id) => match self.sorts.constant(id, span)? {
                Constant::Value(ty, value) => Ok(vec![one(vec![constant(value, ty, span)])]),
                Constant::Part(ty, _, lookup) => {
                    let mut all = one(Vec::new());
                    let leaf = self.iterate(&mut all.iters, lookup.whole, ty, span);
                    all.leaves.push(leaf);
                    Ok(vec![all])
                }
            },
            Op::Successor | Op::Predecessor => {
                let operand = self.only_operand(term)?;
                let mut summands = self.element(operand, depth + 1)?;
                for summand in &mut summands {
                    let [leaf] = summand.leaves.as_mut_slice() else {
                        return self.fail(span, "only single values have a successor", "of a tuple");
                    };
                    let operand = leaf.clone();
                    *leaf = self.neighbour(operand, *terms.op(term) == Op::Successor, span);
                }
                Ok(summands)
            }
            Op::Tuple => {
                let mut tuples = vec![one(Vec::new())];
                for child in terms.children(term) {
                    let parts = self.sum(child, depth + 1)?;
                    if tuples.len().saturating_mul(parts.len()) > MAX_SUMMANDS {
                        return self.fail(span, "this sum has too many parts", "too large");
                    }
                    tuples = self.product(tuples, &parts)?;
                }
                Ok(tuples)
            }
            Op::Add | Op::Subtract | Op::NumberOf | Op::ScalarProduct | Op::Empty => self.sum(term, depth),
            _ => Ok(vec![one(vec![self.scalar(term, depth)?])]),
        }
    }

    /// All tuples of one part from the left and one from the right.
    fn product(&mut self, left: Vec<Summand>, right: &[Summand]) -> Result<Vec<Summand>, Failed> {
        let mut all = Vec::with_capacity(left.len() * right.len());
        for left in left {
            for right in right {
                let mut both = left.clone();
                both.sign = if right.sign == Sign::Plus { left.sign } else { flipped(left.sign) };
                let Some(factor) = left.factor.checked_mul(right.factor) else {
                    return self.fail(right.span, "more than 4294967295 tokens of one value", "too many");
                };
                both.factor = factor;
                both.iters.extend_from_slice(&right.iters);
                both.leaves.extend_from_slice(&right.leaves);
                self.check_size(&both)?;
                all.push(both);
            }
        }
        Ok(all)
    }

    fn check_size(&mut self, summand: &Summand) -> Result<(), Failed> {
        let size = |iter: &Iter| match iter.domain {
            IterDomain::Type(ty, _) => n_values(self.sorts, ty),
            _ => 1,
        };
        if summand.iters.iter().map(size).fold(1, u64::saturating_mul) > MAX_TOKENS {
            let message = format!("this stands for more than {MAX_TOKENS} tokens");
            return self.fail(summand.span, &message, "too many");
        }
        Ok(())
    }

    /// The types behind the sort of an `<all>`: each with the one that it is iterated over.
    fn all(&mut self, term: TermId) -> Result<Vec<(TypeIdx, TypeIdx)>, Failed> {
        let sort = self.only_operand(term)?;
        if let Op::UserSort(id) = self.document.terms.op(sort)
            && let Some(part) = self.sorts.part(id)
        {
            return Ok(vec![part]);
        }
        Ok(self.sorts.leaves(sort)?.iter().map(|&ty| (ty, ty)).collect())
    }

    /// A new iteration variable over a type, as a value of the type `whole`.
    fn iterate(&mut self, iters: &mut Vec<Iter>, whole: TypeIdx, ty: TypeIdx, span: Span) -> Expr {
        let var = VarIdx::new(self.variables.len());
        let name = Name { text: format!("all_{}", self.sorts.types[ty].name), span };
        self.variables.push(Variable { name, ty: whole });
        iters.push(Iter { var, domain: IterDomain::Type(ty, None), span });
        Expr { kind: ExprKind::Var(var), ty: whole, span }
    }

    /// The components of a variable.
    fn variable(&mut self, id: &'d Cow<'s, str>, span: Span) -> Result<Vec<Expr>, Failed> {
        if let Some(leaves) = self.used.get(&**id) {
            return Ok(leaves.iter().map(|leaf| Expr { span, ..leaf.clone() }).collect());
        }
        let Some(declared) = self.declared else {
            return self.fail(span, "an initial marking cannot have variables", "variable");
        };
        let Some((name, leaves)) = declared.get(&**id) else {
            let near = crate::nearest::nearest(id, declared.keys().copied().take(10_000));
            let diagnostic =
                Diagnostic::new(span, format!("there is no variable {id}")).label("not declared");
            return self.sorts.fail(match near {
                Some(near) => diagnostic.help(format!("did you mean {near}?")),
                None => diagnostic,
            });
        };
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

    /// The next or previous value, with the first one behind the last one.
    fn neighbour(&self, operand: Expr, next: bool, span: Span) -> Expr {
        let ty = operand.ty;
        let Kind::Range { low, high } = self.sorts.types[ty].kind else {
            let op = if next { UnaryOp::Succ } else { UnaryOp::Pred };
            return Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span };
        };
        // Ranges do not wrap around by themselves: low + (x - low + step) mod n, where step is 1 or n - 1.
        let n_values = high - low + 1;
        let step = if next { 1 } else { n_values - 1 };
        let number = |value| constant(value, ty, span);
        let shifted = binary(BinaryOp::Add, operand, number(step - low), ty, span);
        let wrapped = binary(BinaryOp::Rem, shifted, number(n_values), ty, span);
        binary(BinaryOp::Add, wrapped, number(low), ty, span)
    }

    /// A truth value.
    fn truth(&mut self, term: TermId, depth: usize) -> Result<Expr, Failed> {
        let expr = self.scalar(term, depth)?;
        if expr.ty != self.sorts.bool {
            let found = self.type_name(expr.ty);
            return self.fail(
                expr.span,
                &format!("expected a truth value, this is of sort {found}"),
                "no condition",
            );
        }
        Ok(expr)
    }

    /// A single value that is no multi-set.
    fn scalar(&mut self, term: TermId, depth: usize) -> Result<Expr, Failed> {
        let document = self.document;
        let terms = &document.terms;
        let (op, span, bool) = (terms.op(term), terms.span(term), self.sorts.bool);
        if depth > MAX_DEPTH {
            return self.fail(span, "terms are nested too deeply", "too deep");
        }
        match op {
            Op::Bool(truth) => Ok(constant(i64::from(*truth), bool, span)),
            Op::RangeConstant(value) => {
                let range = self.only_operand(term)?;
                let &[ty] = &*self.sorts.leaves(range)? else {
                    return self.fail(span, "expected a range of numbers", "no range");
                };
                if !self.sorts.types.contains_int(ty, *value) {
                    return self.fail(span, &format!("{value} is outside of its range"), "out of range");
                }
                Ok(constant(*value, ty, span))
            }
            Op::And | Op::Or => {
                let binary = if *op == Op::And { BinaryOp::And } else { BinaryOp::Or };
                let mut parts = Vec::new();
                let mut work = vec![term];
                while let Some(term) = work.pop() {
                    if terms.op(term) == op {
                        let start = work.len();
                        work.extend(terms.children(term));
                        work[start..].reverse();
                    } else {
                        parts.push(self.truth(term, depth + 1)?);
                    }
                }
                if parts.is_empty() {
                    return self.fail(span, "expected operands", "none");
                }
                Ok(balanced(binary, parts, bool, span))
            }
            Op::Not => {
                let operand = self.only_operand(term)?;
                let operand = self.truth(operand, depth + 1)?;
                Ok(Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(operand)), ty: bool, span })
            }
            Op::Imply => {
                let [left, right] = self.two_operands(term)?;
                let (left, right) = (self.truth(left, depth + 1)?, self.truth(right, depth + 1)?);
                let not_left = Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(left)), ty: bool, span };
                Ok(binary(BinaryOp::Or, not_left, right, bool, span))
            }
            Op::Equal => self.comparison(term, BinaryOp::Eq, depth),
            Op::NotEqual => self.comparison(term, BinaryOp::Ne, depth),
            Op::Less => self.comparison(term, BinaryOp::Lt, depth),
            Op::LessOrEqual => self.comparison(term, BinaryOp::Le, depth),
            Op::Greater => self.comparison(term, BinaryOp::Gt, depth),
            Op::GreaterOrEqual => self.comparison(term, BinaryOp::Ge, depth),
            Op::PartitionElementOf(partition) => {
                let lookup = self.sorts.partition(partition, span)?;
                let operand = self.only_operand(term)?;
                let mut leaves = self.operand(operand, depth + 1)?;
                match leaves.pop() {
                    Some(leaf) if leaves.is_empty() && self.sorts.types.root(leaf.ty) == lookup.whole => {
                        let kind = ExprKind::Const(lookup.table.clone());
                        let table = Box::new(Expr { kind, ty: lookup.vector, span });
                        Ok(Expr { kind: ExprKind::Element(table, vec![leaf]), ty: lookup.parts, span })
                    }
                    _ => self.fail(
                        span,
                        "this is no value of the sort that is cut into parts",
                        "of another sort",
                    ),
                }
            }
            Op::Variable(_) | Op::Constant(_) | Op::Successor | Op::Predecessor => {
                let mut leaves = self.operand(term, depth + 1)?;
                match leaves.pop() {
                    Some(leaf) if leaves.is_empty() => Ok(leaf),
                    _ => self.fail(span, "expected a single value, this is a tuple", "tuple"),
                }
            }
            Op::Number(_) => self.fail(span, "numbers without a range are not supported here", "refused"),
            _ => self.fail(span, "expected a single value", "multi-set or sort"),
        }
    }

    /// The components of an operand of a comparison.
    fn operand(&mut self, term: TermId, depth: usize) -> Result<Vec<Expr>, Failed> {
        let span = self.document.terms.span(term);
        if let Op::Constant(id) = self.document.terms.op(term)
            && let Constant::Part(_, part, lookup) = self.sorts.constant(id, span)?
        {
            return Ok(vec![constant(part, lookup.parts, span)]);
        }
        let mut summands = self.element(term, depth)?;
        match summands.pop() {
            Some(Summand { sign: Sign::Plus, factor: 1, iters, leaves, .. })
                if iters.is_empty() && summands.is_empty() =>
            {
                Ok(leaves)
            }
            _ => self.fail(span, "expected one value, this is a multi-set", "multi-set"),
        }
    }

    fn comparison(&mut self, term: TermId, op: BinaryOp, depth: usize) -> Result<Expr, Failed> {
        let (span, bool) = (self.document.terms.span(term), self.sorts.bool);
        let [left, right] = self.two_operands(term)?;
        let (left, right) = (self.operand(left, depth + 1)?, self.operand(right, depth + 1)?);
        let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if left.len() != right.len() || !(equality || left.len() == 1) {
            return self.fail(span, "these values cannot be compared", "different sorts");
        }
        let mut parts = Vec::new();
        for (left, right) in left.into_iter().zip(right) {
            if !self.comparable(left.ty, right.ty) {
                let (left, right) = (self.type_name(left.ty), self.type_name(right.ty));
                let message = format!("a value of sort {left} is compared with one of sort {right}");
                return self.fail(span, &message, "different sorts");
            }
            parts.push(binary(op, left, right, bool, span));
        }
        Ok(match parts.is_empty() {
            // Dots are always equal.
            true => constant(i64::from(op == BinaryOp::Eq), bool, span),
            false => {
                balanced(if op == BinaryOp::Ne { BinaryOp::Or } else { BinaryOp::And }, parts, bool, span)
            }
        })
    }

    fn comparable(&self, left: TypeIdx, right: TypeIdx) -> bool {
        let range = |ty: TypeIdx| matches!(self.sorts.types[ty].kind, Kind::Range { .. });
        left == right || (range(left) && range(right))
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

    fn only_operand(&mut self, term: TermId) -> Result<TermId, Failed> {
        let mut children = self.document.terms.children(term);
        match (children.next(), children.next()) {
            (Some(child), None) => Ok(child),
            _ => self.fail(self.document.terms.span(term), "expected one operand", "wrong operands"),
        }
    }

    fn two_operands(&mut self, term: TermId) -> Result<[TermId; 2], Failed> {
        let mut children = self.document.terms.children(term);
        match (children.next(), children.next(), children.next()) {
            (Some(left), Some(right), None) => Ok([left, right]),
            _ => self.fail(self.document.terms.span(term), "expected two operands", "wrong operands"),
        }
    }

    fn type_name(&self, ty: TypeIdx) -> String {
        self.sorts.types[ty].name.text.clone()
    }

    fn fail<T>(&mut self, span: Span, message: &str, label: &str) -> Result<T, Failed> {
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

fn flipped(sign: Sign) -> Sign {
    match sign {
        Sign::Plus => Sign::Minus,
        Sign::Minus => Sign::Plus,
    }
}

fn constant(value: i64, ty: TypeIdx, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(Value::Int(value)), ty, span }
}

fn binary(op: BinaryOp, left: Expr, right: Expr, ty: TypeIdx, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
}

/// Joins at least one expression in a tree of logarithmic depth.
fn balanced(op: BinaryOp, mut parts: Vec<Expr>, ty: TypeIdx, span: Span) -> Expr {
    while parts.len() > 1 {
        let mut joined = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            joined.push(match rest.next() {
                Some(right) => binary(op, left, right, ty, span),
                None => left,
            });
        }
        parts = joined;
    }
    parts.pop().unwrap_or_else(|| constant(1, ty, span))
}
