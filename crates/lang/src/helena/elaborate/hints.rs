//! Types that can be told without knowing what is wanted.
//!
//! Literals of lists, sets, vectors and structs, `empty`, numbers and overloaded enumeration constants take
//! their type from what surrounds them. To type `x = q`, the side whose type can be told comes first. A hint is
//! a guess from the names alone: it reports nothing, and typing checks everything again.

use petite_net::{Kind, TypeIdx};

use super::Elaborator;
use super::names::Space;
use super::scope::Scope;
use crate::helena::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Elaborator<'_> {
    pub(super) fn hint(&self, expr: &Expr, scope: &Scope) -> Option<TypeIdx> {
        match &expr.kind {
            ExprKind::Number(_)
            | ExprKind::Struct(_)
            | ExprKind::Vector(_)
            | ExprKind::Container(_)
            | ExprKind::Empty => None,
            ExprKind::Name(name) => self.hint_of_name(name, scope),
            ExprKind::Call(name, _) => match self.names.index(Space::Function, &name.text) {
                Some(function) => Some(self.functions[function].result),
                None => self.names.index(Space::Type, &name.text).map(TypeIdx::new),
            },
            ExprKind::Unary(UnaryOp::Not, _) => Some(self.bool),
            ExprKind::Unary(_, operand) => self.hint(operand, scope),
            ExprKind::Chain(first, rest) => self.hint_of_chain(first, rest, scope),
            ExprKind::If(parts) => self.hint(&parts[1], scope).or_else(|| self.hint(&parts[2], scope)),
            ExprKind::WithField(whole, ..) | ExprKind::WithElement(whole, ..) => self.hint(whole, scope),
            ExprKind::Slice(parts) => self.hint(&parts[0], scope),
            ExprKind::Field(whole, field) => match self.kind_of(self.hint(whole, scope)?) {
                Kind::Struct { components } => components
                    .iter()
                    .find(|component| component.name.text == field.text)
                    .map(|found| found.ty),
                _ => None,
            },
            ExprKind::Element(whole, _) => self.element(self.hint(whole, scope)?),
            ExprKind::Component(token, number) => {
                let (var, _) = scope.find(&token.text)?;
                match self.kind_of(scope.ty(var)) {
                    Kind::Struct { components } => {
                        let position = usize::try_from(*number).ok()?.checked_sub(1)?;
                        components.get(position).map(|component| component.ty)
                    }
                    _ => None,
                }
            }
            ExprKind::Attribute(whole, attribute) => self.hint_of_attribute(whole, &attribute.text, scope),
            ExprKind::Iterate { fold, .. } => match fold {
                petite_net::Fold::Forall | petite_net::Fold::Exists => Some(self.bool),
                _ => None,
            },
        }
    }

    fn hint_of_name(&self, name: &str, scope: &Scope) -> Option<TypeIdx> {
        if let Some((var, _)) = scope.find(name) {
            return Some(scope.ty(var));
        }
        if let Some(constant) = self.names.index(Space::Constant, name) {
            return Some(self.constants[constant].ty);
        }
        match self.names.enum_constants(name) {
            [(ty, _)] => Some(*ty),
            _ => None,
        }
    }

    fn hint_of_chain(&self, first: &Expr, rest: &[(BinaryOp, Expr)], scope: &Scope) -> Option<TypeIdx> {
        let op = rest.first()?.0;
        use BinaryOp::{Eq, Ge, Gt, In, Le, Lt, Ne};
        if matches!(op, In | Eq | Ne | Lt | Le | Gt | Ge) {
            return Some(self.bool);
        }
        // Each operand is asked once, so that the cost of nested chains does not multiply.
        let operands = std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand));
        let hints: Vec<TypeIdx> = operands.filter_map(|operand| self.hint(operand, scope)).collect();
        let find = |wanted: &dyn Fn(TypeIdx) -> bool| hints.iter().copied().find(|&ty| wanted(ty));
        let is_set = |ty: TypeIdx| matches!(self.kind_of(ty), Kind::Set { .. });
        match op {
            BinaryOp::Or | BinaryOp::And => find(&is_set).or_else(|| find(&|ty| ty == self.bool)),
            BinaryOp::Concat => self.deepest_list(hints.iter().copied()),
            _ => find(&|ty| is_set(ty) || matches!(self.kind_of(ty), Kind::Modulo { .. }))
                .or_else(|| hints.first().copied()),
        }
    }

    /// The list type among some types whose elements the others may be.
    pub(super) fn deepest_list(&self, types: impl Iterator<Item = TypeIdx>) -> Option<TypeIdx> {
        let nesting = |mut ty: TypeIdx| {
            let mut depth = 0;
            while let Kind::List { element, .. } = self.kind_of(ty) {
                (ty, depth) = (*element, depth + 1);
            }
            depth
        };
        types.filter(|&ty| nesting(ty) > 0).max_by_key(|&ty| nesting(ty))
    }

    fn hint_of_attribute(&self, whole: &Expr, attribute: &str, scope: &Scope) -> Option<TypeIdx> {
        if let ExprKind::Name(name) = &whole.kind
            && let Some(ty) = self.names.index(Space::Type, name).map(TypeIdx::new)
            && matches!(attribute, "first" | "last")
        {
            return Some(ty);
        }
        match attribute {
            "full" | "empty" => Some(self.bool),
            "prefix" | "suffix" => self.hint(whole, scope),
            "first" | "last" => self.element(self.hint(whole, scope)?),
            "first_index" | "last_index" => match self.kind_of(self.hint(whole, scope)?) {
                Kind::List { index, .. } => Some(*index),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of a composite value's elements.
    pub(super) fn element(&self, ty: TypeIdx) -> Option<TypeIdx> {
        match self.kind_of(ty) {
            Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::Set { element, .. } => {
                Some(*element)
            }
            _ => None,
        }
    }
}

/// Whether an expression is a list or set by the way it is written.
pub(super) fn looks_like_container(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Container(_) | ExprKind::Empty => true,
        ExprKind::Chain(first, rest) => {
            let joins = |op| matches!(op, BinaryOp::Or | BinaryOp::And | BinaryOp::Sub | BinaryOp::Concat);
            rest.iter().all(|(op, _)| joins(*op))
                && (looks_like_container(first)
                    || rest.iter().any(|(_, operand)| looks_like_container(operand)))
        }
        ExprKind::If(parts) => parts[1..].iter().any(looks_like_container),
        _ => false,
    }
}
