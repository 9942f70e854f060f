//! Operators between operands: logic, comparison and arithmetic.

use petite_net::{BinaryOp, Expr, ExprKind, Kind, Span, TypeIdx};

use super::exprs::binary;
use super::scope::Scope;
use super::{Elab, Elaborator, Typed};
use crate::Diagnostic;
use crate::helena::ast;

impl Elaborator<'_> {
    /// Operators of one precedence, from left to right.
    pub(super) fn chain(
        &mut self,
        first: &ast::Expr,
        rest: &[(ast::BinaryOp, ast::Expr)],
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        use ast::BinaryOp as Op;
        // The parser makes no chain without an operator.
        let Some((op, second)) = rest.first() else { return self.expr(first, expected, scope) };
        let mut typed = match op {
            Op::Or | Op::And => match self.set_type(first, rest, expected, scope) {
                Some(set) => self.set_chain(first, rest, set, scope)?,
                None => self.logic(*op, first, rest, scope)?,
            },
            Op::Add | Op::Sub => match self.set_type(first, rest, expected, scope) {
                Some(set) => self.set_chain(first, rest, set, scope)?,
                None => self.arithmetic(first, rest, expected, scope)?,
            },
            Op::Mul | Op::Div | Op::Rem => self.arithmetic(first, rest, expected, scope)?,
            Op::Concat => self.list_chain(first, rest, expected, scope)?,
            Op::In => {
                let mut left = self.membership(first, second, scope)?;
                for (_, right) in &rest[1..] {
                    left = self.membership_of(left, right, scope)?;
                }
                left
            }
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                let (left, right) = self.pair(first, second, None, scope)?;
                let mut left = self.compare(*op, left, right)?;
                for (op, right) in &rest[1..] {
                    let right = self.expr(right, Some(left.expr.ty), scope)?;
                    left = self.compare(*op, left, right)?;
                }
                left
            }
        };
        typed.expr.span = span;
        Ok(typed)
    }

    fn logic(
        &mut self,
        op: ast::BinaryOp,
        first: &ast::Expr,
        rest: &[(ast::BinaryOp, ast::Expr)],
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let op = if op == ast::BinaryOp::And { BinaryOp::And } else { BinaryOp::Or };
        let mut operands = vec![self.converted(first, self.bool, scope)?];
        for (_, operand) in rest {
            operands.push(self.converted(operand, self.bool, scope)?);
        }
        Ok(Typed { expr: balanced(op, operands, self.bool), flexible: false })
    }

    fn compare(&mut self, op: ast::BinaryOp, left: Typed, right: Typed) -> Elab<Typed> {
        use ast::BinaryOp as Op;
        let Some((ty, _)) = self.common(&left, &right) else {
            let span = left.expr.span.to(right.expr.span);
            return self.different_types(&format!("the operands of {}", op.sign()), &left, &right, span);
        };
        let (mut left, mut right) = (left.expr, right.expr);
        let is_set = matches!(self.kind_of(ty), Kind::Set { .. });
        if is_set && matches!(op, Op::Gt | Op::Ge) {
            // `a > b` is `b` included in `a`.
            (left, right) = (right, left);
        }
        let op = match op {
            Op::Eq => BinaryOp::Eq,
            Op::Ne => BinaryOp::Ne,
            Op::Le | Op::Ge if is_set => BinaryOp::Subset,
            Op::Lt | Op::Gt if is_set => BinaryOp::StrictSubset,
            _ if !self.types.is_discrete(ty) => {
                let message = format!("values of type {} have no order", self.type_name(ty));
                return self.fail(
                    Diagnostic::new(left.span.to(right.span), message)
                        .label(format!("compared by {}", op.sign()))
                        .help("= and != compare any values; sets can be compared by inclusion"),
                );
            }
            Op::Lt => BinaryOp::Lt,
            Op::Le => BinaryOp::Le,
            Op::Gt => BinaryOp::Gt,
            _ => BinaryOp::Ge,
        };
        Ok(Typed { expr: binary(op, left, right, self.bool), flexible: false })
    }

    fn arithmetic(
        &mut self,
        first: &ast::Expr,
        rest: &[(ast::BinaryOp, ast::Expr)],
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        use ast::BinaryOp as Op;
        let wanted = expected.filter(|&ty| self.is_numeric(ty));
        let mut left = self.expr(first, None, scope)?;
        self.must_be_numeric(&left, rest[0].0.sign())?;
        for (op, operand) in rest {
            let right = self.expr(operand, None, scope)?;
            self.must_be_numeric(&right, op.sign())?;
            let Some((ty, flexible)) = self.common(&left, &right) else {
                let span = left.expr.span.to(right.expr.span);
                return self.different_types(&format!("the operands of {}", op.sign()), &left, &right, span);
            };
            let op = match op {
                Op::Add => BinaryOp::Add,
                Op::Sub => BinaryOp::Sub,
                Op::Mul => BinaryOp::Mul,
                Op::Div => BinaryOp::Div,
                _ => BinaryOp::Rem,
            };
            left = Typed { expr: binary(op, left.expr, right.expr, ty), flexible };
        }
        Ok(self.flexible_result(left, wanted))
    }
}

/// A tree of logarithmic depth; the operands are still evaluated from left to right, and only as far as needed.
fn balanced(op: BinaryOp, mut operands: Vec<Expr>, ty: TypeIdx) -> Expr {
    while operands.len() > 1 {
        let mut pairs = Vec::with_capacity(operands.len().div_ceil(2));
        let mut remaining = operands.into_iter();
        while let Some(left) = remaining.next() {
            pairs.push(match remaining.next() {
                Some(right) => binary(op, left, right, ty),
                None => left,
            });
        }
        operands = pairs;
    }
    // The parser makes no chain without operands.
    operands.pop().unwrap_or(Expr {
        kind: ExprKind::Const(petite_net::Value::bool(true)),
        ty,
        span: Span::default(),
    })
}
