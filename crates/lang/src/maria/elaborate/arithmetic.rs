//! Numbers, and what the same operators do to arrays and buffers.

use petite_net::{BinaryOp, Expr, ExprKind, Kind, Span, TypeIdx, UnaryOp, Value};

use super::buffers::Operand;
use super::scope::Scope;
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{Binary, Formula};

impl<'a> Elaborator<'a> {
    pub(super) fn arithmetic(
        &mut self,
        op: Binary,
        left: &'a Formula,
        right: &'a Formula,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let number_hint = hint.filter(|&ty| self.is_numeric(ty));
        if matches!(op, Binary::ShiftLeft | Binary::ShiftRight) {
            let array_hint = hint.filter(|&ty| self.is_numeric(ty) || self.is_array(ty));
            let whole = self.value(left, array_hint, scope)?;
            let by = self.value(right, Some(self.basic.unsigned), scope)?;
            let by = self.number(by)?;
            if self.is_array(whole.ty) {
                let op = if op == Binary::ShiftLeft { BinaryOp::RotateLeft } else { BinaryOp::RotateRight };
                let ty = whole.ty;
                return self.made(ExprKind::Binary(op, Box::new(whole), Box::new(by)), ty, span);
            }
            let op = if op == Binary::ShiftLeft { BinaryOp::ShiftLeft } else { BinaryOp::ShiftRight };
            return self.computed(op, whole, by, span);
        }
        let of_buffer = matches!(op, Binary::Add | Binary::Sub);
        let buffer_hint = hint.filter(|&ty| of_buffer && self.is_buffer(ty));
        let (left, right) = if buffer_hint.is_some() || of_buffer && self.is_left_first(left, right, scope) {
            match self.operand(left, buffer_hint.or(number_hint), scope)? {
                Operand::Buffer(buffer, index) => {
                    return self.buffer_operation(op, (buffer, index), right, span, scope);
                }
                Operand::Other(left) => {
                    let right = self.value(right, Some(left.ty), scope)?;
                    (left, right)
                }
            }
        } else {
            self.pair(left, right, number_hint, scope)?
        };
        let op = match op {
            Binary::Add => BinaryOp::Add,
            Binary::Sub => BinaryOp::Sub,
            Binary::Mul => BinaryOp::Mul,
            Binary::Div => BinaryOp::Div,
            Binary::Rem => BinaryOp::Rem,
            Binary::BitAnd => BinaryOp::BitAnd,
            Binary::BitOr => BinaryOp::BitOr,
            _ => BinaryOp::BitXor,
        };
        self.computed(op, left, right, span)
    }

    /// An operation on two numbers; the first one decides whether the result has a sign.
    pub(super) fn computed(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Elab<Expr> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        let base = self.types.root(left.ty);
        let result = self.made(ExprKind::Binary(op, Box::new(left), Box::new(right)), base, span)?;
        // 32 bits are what a number has; the operation itself has room for more.
        self.made(ExprKind::Convert(Box::new(result)), base, span)
    }

    /// `-x`: of a number, or a buffer without its first item.
    pub(super) fn minus(
        &mut self,
        operand: &'a Formula,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let operand = match self.operand(operand, hint.or(Some(self.basic.int)), scope)? {
            Operand::Buffer(buffer, index) => return self.dropped(buffer, index, span),
            Operand::Other(operand) => self.number(operand)?,
        };
        let base = self.types.root(operand.ty);
        let result = self.made(ExprKind::Unary(UnaryOp::Neg, Box::new(operand)), base, span)?;
        self.made(ExprKind::Convert(Box::new(result)), base, span)
    }

    /// `~x`: all bits the other way.
    pub(super) fn complement(
        &mut self,
        operand: &'a Formula,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let operand = self.value(operand, hint, scope)?;
        let operand = self.number(operand)?;
        let base = self.types.root(operand.ty);
        let ones = if base == self.basic.int { -1 } else { i64::from(u32::MAX) };
        let ones = Expr { kind: ExprKind::Const(Value::Int(ones)), ty: base, span };
        self.computed(BinaryOp::Sub, ones, operand, span)
    }

    /// A value that must be a number.
    pub(super) fn number(&self, expr: Expr) -> Elab<Expr> {
        if self.is_numeric(expr.ty) {
            return Ok(expr);
        }
        let name = self.type_name(expr.ty);
        let diagnostic =
            Diagnostic::new(expr.span, format!("expected a number, found a value of type {name}"))
                .label(format!("of type {name}"));
        Err(if self.types.is_discrete(expr.ty) && !self.ids.contains(&expr.ty) {
            diagnostic.help("cast it with `is unsigned`")
        } else {
            diagnostic.help("only numbers can be computed with")
        })
    }

    fn is_array(&self, ty: TypeIdx) -> bool {
        matches!(self.types[ty].kind, Kind::Vector { .. })
    }
}
