//! Single values and truth values.
//!
//! Conjunctions and disjunctions of many parts become balanced trees, since a deep expression costs stack whenever
//! it is evaluated.

use petite_net::{BinaryOp, Expr, ExprKind, Sign, Span, TypeIdx, UnaryOp};

use super::Failed;
use super::lower::{Lowering, MAX_DEPTH, Summand, binary, constant};
use super::sorts::Constant;
use super::terms::{Op, TermId};

impl Lowering<'_, '_, '_> {
    /// A truth value.
    pub(super) fn truth(&mut self, term: TermId, depth: usize) -> Result<Expr, Failed> {
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
    pub(super) fn scalar(&mut self, term: TermId, depth: usize) -> Result<Expr, Failed> {
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
