//! From one type to another.

use petite_net::{Expr, ExprKind, Kind, Span, TypeIdx};

use super::{Elab, Elaborator};
use crate::Diagnostic;

impl Elaborator<'_> {
    /// A value where one of another type is expected: the same up to a constraint, or a number, or made of such.
    pub(super) fn converted(&mut self, expr: Expr, to: TypeIdx) -> Elab<Expr> {
        if expr.ty == to {
            return Ok(expr);
        }
        if !self.is_assignable(expr.ty, to) {
            let (found, wanted) = (self.type_name(expr.ty), self.type_name(to));
            let message = format!("expected a value of type {wanted}, found one of type {found}");
            let diagnostic = Diagnostic::new(expr.span, message).label(format!("of type {found}"));
            return Err(if self.types.is_castable(expr.ty, to) {
                diagnostic.help(format!("cast it with `is {wanted}`"))
            } else {
                diagnostic.help("use a value of the right type")
            });
        }
        let span = expr.span;
        let kind = if self.types.root(expr.ty) == self.types.root(to)
            || self.types.is_discrete(expr.ty) && self.types.is_discrete(to)
        {
            ExprKind::Convert(Box::new(expr))
        } else {
            ExprKind::Cast(Box::new(expr))
        };
        self.made(kind, to, span)
    }

    /// A value cast to a type, as `is` says.
    pub(super) fn cast(&mut self, expr: Expr, to: TypeIdx, span: Span) -> Elab<Expr> {
        if expr.ty == to {
            return Ok(expr);
        }
        let is_id = |ty: &TypeIdx| self.ids.contains(ty);
        if [expr.ty, to].iter().any(is_id) || !self.types.is_castable(expr.ty, to) {
            let (from, wanted) = (self.type_name(expr.ty), self.type_name(to));
            let message = format!("a value of type {from} cannot be cast to type {wanted}");
            return Err(Diagnostic::new(span, message).label("no such cast").help(
                "casts go between numbers, enumerations, composites of one form, and a union and its parts",
            ));
        }
        self.made(ExprKind::Cast(Box::new(expr)), to, span)
    }

    /// Whether values of one type can be used where another one is expected.
    pub(super) fn is_assignable(&self, from: TypeIdx, to: TypeIdx) -> bool {
        if self.types.root(from) == self.types.root(to) {
            return true;
        }
        if self.is_numeric(from) && self.is_numeric(to) {
            return true;
        }
        match (&self.types[from].kind, &self.types[to].kind) {
            (Kind::Struct { components: a }, Kind::Struct { components: b }) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.is_assignable(a.ty, b.ty))
            }
            (Kind::Vector { element: a, .. }, Kind::Vector { element: b, .. }) => {
                self.types.is_castable(from, to) && self.is_assignable(*a, *b)
            }
            (Kind::List { element: a, .. }, Kind::List { element: b, .. }) => self.is_assignable(*a, *b),
            _ => false,
        }
    }
}
