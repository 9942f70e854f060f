//! Operators that make sets and lists, and membership.
//!
//! A single element may stand for the set or list of it alone.

use petite_net::{BinaryOp, Expr, ExprKind, Kind, TypeIdx};

use super::exprs::binary;
use super::hints::looks_like_container;
use super::scope::Scope;
use super::{Elab, Elaborator, Typed};
use crate::Diagnostic;
use crate::helena::ast;

impl Elaborator<'_> {
    /// The set type that a chain of `or`, `and`, `+` or `-` is about, if it is about sets.
    pub(super) fn set_type(
        &self,
        first: &ast::Expr,
        rest: &[(ast::BinaryOp, ast::Expr)],
        expected: Option<TypeIdx>,
        scope: &Scope,
    ) -> Option<TypeIdx> {
        let is_set = |ty: &TypeIdx| matches!(self.kind_of(*ty), Kind::Set { .. });
        let operands = || std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand));
        if let Some(set) = operands().filter_map(|operand| self.hint(operand, scope)).find(is_set) {
            return Some(set);
        }
        if expected.is_some_and(|ty| is_set(&ty))
            && operands().any(|operand| self.is_set_like(operand, scope))
        {
            return expected;
        }
        let joins = !rest.iter().any(|(op, _)| *op == ast::BinaryOp::Add);
        if joins { self.only_one_for(operands, is_set, scope) } else { None }
    }

    /// The only list or set type that some operands can be of, or elements of, where one is written as a list or
    /// set.
    fn only_one_for<'e, I: Iterator<Item = &'e ast::Expr>>(
        &self,
        operands: impl Fn() -> I,
        is_wanted: impl Fn(&TypeIdx) -> bool,
        scope: &Scope,
    ) -> Option<TypeIdx> {
        let suits = |ty: TypeIdx| {
            let element = self.element(ty);
            operands().all(|operand| {
                self.may_be(operand, ty, scope) || element.is_some_and(|ty| self.may_be(operand, ty, scope))
            })
        };
        if !operands().any(looks_like_container) {
            return None;
        }
        let mut found = self.types.iter().map(|(ty, _)| ty).filter(|ty| is_wanted(ty) && suits(*ty));
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    /// Whether an operand whose type is not known to be a set may be one, or an element.
    fn is_set_like(&self, operand: &ast::Expr, scope: &Scope) -> bool {
        looks_like_container(operand) || self.hint(operand, scope) != Some(self.bool)
    }

    pub(super) fn set_chain(
        &mut self,
        first: &ast::Expr,
        rest: &[(ast::BinaryOp, ast::Expr)],
        set: TypeIdx,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let is_difference = rest.iter().any(|(op, _)| *op == ast::BinaryOp::Sub);
        let mut left = if is_difference {
            // An element minus a set is nothing that someone would mean.
            self.converted(first, set, scope)?
        } else {
            self.set_operand(first, set, scope)?
        };
        for (op, operand) in rest {
            let op = match op {
                ast::BinaryOp::Or => BinaryOp::Union,
                ast::BinaryOp::And => BinaryOp::Intersection,
                ast::BinaryOp::Sub => BinaryOp::Difference,
                _ => {
                    return self.fail(
                        Diagnostic::new(operand.span, format!("sets cannot be joined by {}", op.sign()))
                            .label("operand of a set operator")
                            .help("write `or` for the union, `and` for the intersection, `-` for the difference"),
                    );
                }
            };
            let right = self.set_operand(operand, set, scope)?;
            left = binary(op, left, right, set);
        }
        Ok(Typed { expr: left, flexible: false })
    }

    /// A set, or the set of one element.
    fn set_operand(&mut self, operand: &ast::Expr, set: TypeIdx, scope: &mut Scope) -> Elab<Expr> {
        match self.element_instead(operand, set, scope) {
            None => self.converted(operand, set, scope),
            Some(element) => {
                let element = self.converted(operand, element, scope)?;
                let span = element.span;
                Ok(Expr { kind: ExprKind::Seq(vec![element]), ty: set, span })
            }
        }
    }

    /// The type of elements, if an operand is one of them rather than a whole container.
    fn element_instead(&self, operand: &ast::Expr, container: TypeIdx, scope: &Scope) -> Option<TypeIdx> {
        let element = self.element(container)?;
        match self.hint(operand, scope) {
            Some(ty) if ty == container => None,
            None if looks_like_container(operand) => None,
            _ => Some(element),
        }
    }

    pub(super) fn list_chain(
        &mut self,
        first: &ast::Expr,
        rest: &[(ast::BinaryOp, ast::Expr)],
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let operands = || std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand));
        let is_list = |ty: &TypeIdx| matches!(self.kind_of(*ty), Kind::List { .. });
        let hints: Vec<TypeIdx> = operands().filter_map(|operand| self.hint(operand, scope)).collect();
        let known = expected.filter(is_list).or_else(|| self.deepest_list(hints.into_iter()));
        let Some(list) = known.or_else(|| self.only_one_for(operands, is_list, scope)) else {
            let span = operands().fold(first.span, |span, operand| span.to(operand.span));
            return self.fail(
                Diagnostic::new(span, "operator & needs a list on one of its sides")
                    .label("no list here")
                    .help("write a list of one element as |x|"),
            );
        };
        let (mut left, mut is_element) = self.list_operand(first, list, scope)?;
        for (_, operand) in rest {
            let (right, right_is_element) = self.list_operand(operand, list, scope)?;
            if is_element && right_is_element {
                let span = left.span;
                left = Expr { kind: ExprKind::Seq(vec![left]), ty: list, span };
                is_element = false;
            }
            let op = match (is_element, right_is_element) {
                (true, _) => BinaryOp::Prepend,
                (false, true) => BinaryOp::Append,
                (false, false) => BinaryOp::Concat,
            };
            left = binary(op, left, right, list);
            is_element = false;
        }
        Ok(Typed { expr: left, flexible: false })
    }

    /// A list or an element of it, and whether it is an element.
    fn list_operand(&mut self, operand: &ast::Expr, list: TypeIdx, scope: &mut Scope) -> Elab<(Expr, bool)> {
        match self.element_instead(operand, list, scope) {
            None => Ok((self.converted(operand, list, scope)?, false)),
            Some(element) => Ok((self.converted(operand, element, scope)?, true)),
        }
    }

    // --- Membership

    pub(super) fn membership(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let near = self.hint(left, scope);
        let container = self.container(right, near, scope)?;
        let Some(element) = self.element(container.ty) else { return self.no_container(&container) };
        // What is no value of the elements' type is no element, which is an answer and no error.
        let left = self.comparable(left, element, scope)?;
        Ok(Typed { expr: binary(BinaryOp::In, left, container, self.bool), flexible: false })
    }

    /// Membership of an operand that is typed already.
    pub(super) fn membership_of(&mut self, left: Typed, right: &ast::Expr, scope: &mut Scope) -> Elab<Typed> {
        let container = self.container(right, Some(left.expr.ty), scope)?;
        let Some(element) = self.element(container.ty) else { return self.no_container(&container) };
        let span = left.expr.span;
        if !self.fits(&left, element) {
            let (wanted, found) = (self.type_name(element), self.type_name(left.expr.ty));
            let message = format!("expected a value of type {wanted}, found one of type {found}");
            return self.fail(Diagnostic::new(span, message).label("operand of in"));
        }
        Ok(Typed { expr: binary(BinaryOp::In, left.expr, container, self.bool), flexible: false })
    }

    /// A list or set, given what its elements may be.
    pub(super) fn container(
        &mut self,
        expr: &ast::Expr,
        element: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Expr> {
        let expected = match self.hint(expr, scope) {
            Some(_) => None,
            None => self.only_container_of(element),
        };
        let typed = self.expr(expr, expected, scope)?;
        if !matches!(self.kind_of(typed.expr.ty), Kind::List { .. } | Kind::Set { .. }) {
            return self.no_container(&typed.expr);
        }
        Ok(typed.expr)
    }

    /// The only list or set type with elements like these.
    fn only_container_of(&self, element: Option<TypeIdx>) -> Option<TypeIdx> {
        let root = self.types.root(element?);
        let mut found = self.types.iter().filter(|(_, ty)| match ty.kind {
            Kind::List { element, .. } | Kind::Set { element, .. } => self.types.root(element) == root,
            _ => false,
        });
        let (only, _) = found.next()?;
        found.next().is_none().then_some(only)
    }

    fn no_container<T>(&mut self, expr: &Expr) -> Elab<T> {
        let message = format!("expected a list or set, found a value of type {}", self.type_name(expr.ty));
        self.fail(Diagnostic::new(expr.span, message).label("no list or set"))
    }
}
