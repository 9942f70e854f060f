//! When a value of one type may stand where another type is wanted.
//!
//! Ranges mix freely, as their arithmetic is that of whole numbers. A modulo type mixes with itself, its
//! subtypes and flexible numbers only: what the sum of numbers of different moduli should be is not clear. All
//! else must be of the same type, but for subtypes.

use petite_net::{BinaryOp, Expr, ExprKind, Fold, Kind, TypeIdx, UnaryOp};

use super::scope::Scope;
use super::{Elab, Elaborator, Typed};
use crate::Diagnostic;
use crate::helena::ast;

impl Typed {
    /// An expression whose type is fixed.
    pub(super) fn fixed(kind: ExprKind, ty: TypeIdx, span: petite_net::Span) -> Typed {
        Typed { expr: Expr { kind, ty, span }, flexible: false }
    }
}

impl Elaborator<'_> {
    /// An expression as a value of a type.
    pub(super) fn converted(&mut self, expr: &ast::Expr, to: TypeIdx, scope: &mut Scope) -> Elab<Expr> {
        let typed = self.expr(expr, Some(to), scope)?;
        self.coerce(typed, to)
    }

    /// An expression that can be compared with values of a type, without being one of them.
    pub(super) fn comparable(&mut self, expr: &ast::Expr, with: TypeIdx, scope: &mut Scope) -> Elab<Expr> {
        let typed = self.expr(expr, Some(with), scope)?;
        if !self.fits(&typed, with) {
            return self.mismatch(&typed, with);
        }
        Ok(typed.expr)
    }

    /// A typed expression as a value of a type.
    pub(super) fn coerce(&mut self, typed: Typed, to: TypeIdx) -> Elab<Expr> {
        if !self.fits(&typed, to) {
            return self.mismatch(&typed, to);
        }
        let mut expr = typed.expr;
        if let ExprKind::Const(value) = &expr.kind {
            if self.types.contains(to, value) {
                expr.ty = to;
                return Ok(expr);
            }
        } else if self.is_subtype(expr.ty, to) && self.keeps_to_its_type(&expr) {
            return Ok(expr);
        }
        let span = expr.span;
        Ok(Expr { kind: ExprKind::Convert(Box::new(expr)), ty: to, span })
    }

    /// Whether a value of the expression may stand where the type is wanted, if it is in its range.
    pub(super) fn fits(&self, typed: &Typed, to: TypeIdx) -> bool {
        let from = typed.expr.ty;
        match (self.kind_of(from), self.kind_of(to)) {
            (Kind::Range { .. }, Kind::Range { .. }) => true,
            (Kind::Range { .. }, Kind::Modulo { .. }) => typed.flexible,
            _ => self.types.root(from) == self.types.root(to),
        }
    }

    fn mismatch<T>(&mut self, typed: &Typed, to: TypeIdx) -> Elab<T> {
        let from = typed.expr.ty;
        let (wanted, found) = (self.type_name(to), self.type_name(from));
        let message = format!("expected a value of type {wanted}, found one of type {found}");
        let mut diagnostic =
            Diagnostic::new(typed.expr.span, message).label(format!("this is of type {found}"));
        if self.is_numeric(from) && self.is_numeric(to) {
            diagnostic = diagnostic.help(format!("cast it: write {wanted}(...) around it"));
        }
        self.fail(diagnostic)
    }

    /// The type of a result that may be the value of either expression, and whether it is flexible.
    pub(super) fn common(&self, left: &Typed, right: &Typed) -> Option<(TypeIdx, bool)> {
        let (l, r) = (self.types.root(left.expr.ty), self.types.root(right.expr.ty));
        match (self.kind_of(l), self.kind_of(r)) {
            (Kind::Range { .. }, Kind::Range { .. }) => Some(match (left.flexible, right.flexible) {
                (true, true) => (self.int, true),
                (true, false) => (r, false),
                (false, true) => (l, false),
                (false, false) => (if l == r { l } else { self.int }, false),
            }),
            (Kind::Modulo { .. }, Kind::Range { .. }) => right.flexible.then_some((l, false)),
            (Kind::Range { .. }, Kind::Modulo { .. }) => left.flexible.then_some((r, false)),
            _ => (l == r).then_some((l, false)),
        }
    }

    /// Whether the value of an expression is always one of its type: arithmetic on ranges may leave it.
    fn keeps_to_its_type(&self, expr: &Expr) -> bool {
        let is_range = matches!(self.kind_of(expr.ty), Kind::Range { .. });
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Neg, _)
            | ExprKind::Binary(
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem,
                ..,
            ) => !is_range,
            ExprKind::Const(value) => self.types.contains(expr.ty, value),
            ExprKind::If(_, then, otherwise) => [then, otherwise]
                .into_iter()
                .all(|branch| self.is_subtype(branch.ty, expr.ty) && self.keeps_to_its_type(branch)),
            ExprKind::Iterate { fold: Fold::Sum | Fold::Product | Fold::Min | Fold::Max, .. } => false,
            _ => true,
        }
    }
}
