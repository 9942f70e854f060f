//! Queues and stacks.
//!
//! The first item is the one that `*` looks at and `-` drops. A queue is written at its end, a stack at its front;
//! with an index, as in `b[i]`, all three speak of the item at that position.

use petite_net::{BinaryOp, ContainerAttribute, Expr, ExprKind, Kind, Span, TypeIdx, Value};

use super::scope::Scope;
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{Binary, Discipline, Formula, FormulaKind, Unary};

/// What an operator is applied to.
pub(super) enum Operand {
    /// A buffer, perhaps with a position in it.
    Buffer(Expr, Option<Expr>),
    /// Anything else.
    Other(Expr),
}

impl<'a> Elaborator<'a> {
    pub(super) fn is_buffer(&self, ty: TypeIdx) -> bool {
        matches!(self.types[ty].kind, Kind::List { .. })
    }

    /// An operand of an operator that buffers have, too: evaluated once, whatever it turns out to be.
    pub(super) fn operand(
        &mut self,
        formula: &'a Formula,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Operand> {
        let FormulaKind::Index(whole, index) = &formula.kind else {
            let expr = self.value(formula, hint, scope)?;
            return Ok(if self.is_buffer(expr.ty) {
                Operand::Buffer(expr, None)
            } else {
                Operand::Other(expr)
            });
        };
        let whole = self.value(whole, None, scope)?;
        if self.is_buffer(whole.ty) {
            let index = self.value(index, Some(self.basic.unsigned), scope)?;
            return Ok(Operand::Buffer(whole, Some(self.number(index)?)));
        }
        self.element_of(whole, index, formula.span, scope).map(Operand::Other)
    }

    /// `b + x`, `b[i] + x`, `b - n`, `b[i] - n`.
    pub(super) fn buffer_operation(
        &mut self,
        op: Binary,
        (buffer, index): (Expr, Option<Expr>),
        right: &'a Formula,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let ty = buffer.ty;
        if op == Binary::Sub {
            let count = self.value(right, Some(self.basic.unsigned), scope)?;
            let count = self.number(count)?;
            let at = index.unwrap_or_else(|| self.unsigned(0, span));
            return self.made(ExprKind::Remove(Box::new(buffer), Box::new(at), Box::new(count)), ty, span);
        }
        let Kind::List { element, .. } = self.types[ty].kind else { return Err(no_buffer(span)) };
        let item = self.value_of(right, element, scope)?;
        let kind = match (index, self.disciplines.get(&ty)) {
            (Some(index), _) => ExprKind::Insert(Box::new(buffer), Box::new(index), Box::new(item)),
            (None, Some(Discipline::Stack)) => {
                ExprKind::Binary(BinaryOp::Prepend, Box::new(item), Box::new(buffer))
            }
            (None, _) => ExprKind::Binary(BinaryOp::Append, Box::new(buffer), Box::new(item)),
        };
        self.made(kind, ty, span)
    }

    /// `-b` and `-b[i]`.
    pub(super) fn dropped(&mut self, buffer: Expr, index: Option<Expr>, span: Span) -> Elab<Expr> {
        let ty = buffer.ty;
        let kind = match index {
            None => ExprKind::Attribute(ContainerAttribute::Suffix, Box::new(buffer)),
            Some(index) => {
                let one = self.unsigned(1, span);
                ExprKind::Remove(Box::new(buffer), Box::new(index), Box::new(one))
            }
        };
        self.made(kind, ty, span)
    }

    /// `*b` and `*b[i]`.
    pub(super) fn head(&mut self, operand: &'a Formula, span: Span, scope: &mut Scope<'a>) -> Elab<Expr> {
        let Operand::Buffer(buffer, index) = self.operand(operand, None, scope)? else {
            return Err(no_buffer(operand.span));
        };
        let Kind::List { element, .. } = self.types[buffer.ty].kind else {
            return Err(no_buffer(operand.span));
        };
        let kind = match index {
            None => ExprKind::Attribute(ContainerAttribute::First, Box::new(buffer)),
            Some(index) => ExprKind::Element(Box::new(buffer), vec![index]),
        };
        self.made(kind, element, span)
    }

    /// `/b` and `%b`.
    pub(super) fn room(
        &mut self,
        op: Unary,
        operand: &'a Formula,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let Operand::Buffer(buffer, None) = self.operand(operand, None, scope)? else {
            return Err(no_buffer(operand.span));
        };
        let attribute = if op == Unary::Used { ContainerAttribute::Size } else { ContainerAttribute::Space };
        self.made(ExprKind::Attribute(attribute, Box::new(buffer)), self.basic.unsigned, span)
    }

    fn unsigned(&self, number: i64, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(Value::Int(number)), ty: self.basic.unsigned, span }
    }
}

fn no_buffer(span: Span) -> Diagnostic {
    Diagnostic::new(span, "expected a queue or a stack")
        .label("no buffer")
        .help("only buffers have items to look at and to count")
}
