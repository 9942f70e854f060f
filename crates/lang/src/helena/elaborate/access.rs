//! Parts of composite values: fields, elements, slices, token components, and values with a part replaced.

use petite_net::{Expr, ExprKind, Kind, Name, Span, TypeIdx};

use super::scope::{Role, Scope};
use super::{Elab, Elaborator, Typed};
use crate::Diagnostic;
use crate::helena::ast;
use crate::nearest::nearest;

impl Elaborator<'_> {
    pub(super) fn field(
        &mut self,
        whole: &ast::Expr,
        field: &Name,
        span: Span,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let whole = self.expr(whole, None, scope)?.expr;
        let (position, ty) = self.field_of(whole.ty, field)?;
        Ok(Typed::fixed(ExprKind::Component(Box::new(whole), position), ty, span))
    }

    pub(super) fn with_field(
        &mut self,
        whole: &ast::Expr,
        field: &Name,
        part: &ast::Expr,
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let whole = self.expr(whole, expected, scope)?.expr;
        let (position, ty) = self.field_of(whole.ty, field)?;
        let part = self.converted(part, ty, scope)?;
        let ty = whole.ty;
        Ok(Typed::fixed(ExprKind::WithComponent(Box::new(whole), position, Box::new(part)), ty, span))
    }

    /// Position and type of a struct's field.
    pub(super) fn field_of(&mut self, ty: TypeIdx, field: &Name) -> Elab<(u32, TypeIdx)> {
        let name = self.type_name(ty).to_owned();
        let Kind::Struct { components } = self.kind_of(ty) else {
            return self.fail(
                Diagnostic::new(field.span, format!("a value of type {name} has no fields"))
                    .label("expected a struct before this"),
            );
        };
        if let Some(position) = components.iter().position(|component| component.name.text == field.text) {
            return Ok((position as u32, components[position].ty));
        }
        let fields: Vec<&str> = components.iter().map(|component| component.name.text.as_str()).collect();
        let help = match nearest(&field.text, fields.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("its fields are {}", fields.join(", ")),
        };
        self.fail(
            Diagnostic::new(field.span, format!("type {name} has no field {field}"))
                .label("unknown field")
                .help(help),
        )
    }

    pub(super) fn element_of(
        &mut self,
        whole: &ast::Expr,
        indices: &[ast::Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let whole = self.expr(whole, None, scope)?.expr;
        let (indices, ty) = self.position(whole.ty, indices, whole.span, span, scope)?;
        Ok(Typed::fixed(ExprKind::Element(Box::new(whole), indices), ty, span))
    }

    pub(super) fn with_element(
        &mut self,
        whole: &ast::Expr,
        indices: &[ast::Expr],
        part: &ast::Expr,
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let whole = self.expr(whole, expected, scope)?.expr;
        let (indices, ty) = self.position(whole.ty, indices, whole.span, span, scope)?;
        let part = self.converted(part, ty, scope)?;
        let ty = whole.ty;
        Ok(Typed::fixed(ExprKind::WithElement(Box::new(whole), indices, Box::new(part)), ty, span))
    }

    /// Indices of an element of a vector or list, and the element's type. Evaluation checks whether the element
    /// exists, so the indices are not converted.
    pub(super) fn position(
        &mut self,
        ty: TypeIdx,
        indices: &[ast::Expr],
        whole_span: Span,
        span: Span,
        scope: &mut Scope,
    ) -> Elab<(Vec<Expr>, TypeIdx)> {
        let name = self.type_name(ty).to_owned();
        let (index_types, element) = match self.kind_of(ty) {
            Kind::Vector { indices, element } => (indices.clone(), *element),
            Kind::List { index, element, .. } => (vec![*index], *element),
            _ => {
                return self.fail(
                    Diagnostic::new(whole_span, format!("a value of type {name} has no elements to index"))
                        .label("expected a vector or list"),
                );
            }
        };
        if index_types.len() != indices.len() {
            let message = format!("type {name} has {} indices, found {}", index_types.len(), indices.len());
            return self.fail(Diagnostic::new(span, message).label("wrong number of indices"));
        }
        let mut typed = Vec::new();
        for (index, ty) in indices.iter().zip(index_types) {
            typed.push(self.comparable(index, ty, scope)?);
        }
        Ok((typed, element))
    }

    pub(super) fn slice(
        &mut self,
        parts: &[ast::Expr; 3],
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let [whole, from, to] = parts;
        let whole = self.expr(whole, expected, scope)?.expr;
        let ty = whole.ty;
        let Kind::List { index, .. } = *self.kind_of(ty) else {
            let message = format!("a value of type {} cannot be sliced", self.type_name(ty));
            return self.fail(Diagnostic::new(whole.span, message).label("expected a list"));
        };
        let from = self.comparable(from, index, scope)?;
        let to = self.comparable(to, index, scope)?;
        Ok(Typed::fixed(ExprKind::Slice(Box::new(whole), Box::new(from), Box::new(to)), ty, span))
    }

    /// A component of a token.
    pub(super) fn component(
        &mut self,
        token: &Name,
        number: i64,
        span: Span,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let found = scope.find(&token.text).filter(|(_, role)| *role == Role::Token);
        let Some((var, _)) = found else {
            let candidates =
                scope.names().filter(|name| scope.find(name).is_some_and(|(_, role)| role == Role::Token));
            let help = match nearest(&token.text, candidates) {
                Some(near) => format!("did you mean {near}?"),
                None => {
                    "`->` reads a component of a variable that iterates over the tokens of a place".to_owned()
                }
            };
            return self.fail(
                Diagnostic::new(token.span, format!("{token} does not stand for the tokens of a place"))
                    .label("no token")
                    .help(help),
            );
        };
        let domain = scope.ty(var);
        let Kind::Struct { components } = self.kind_of(domain) else { return Err(super::Failed) };
        let position = usize::try_from(number - 1).ok().filter(|&position| position < components.len());
        let Some(position) = position else {
            let message = match components.len() {
                0 => format!("{token} is a black token: it has no components"),
                1 => format!("{token} has 1 component, and {number} is asked for"),
                several => format!("{token} has {several} components, and number {number} is asked for"),
            };
            return self.fail(
                Diagnostic::new(span, message)
                    .label("no such component")
                    .help("components are counted from 1"),
            );
        };
        let ty = components[position].ty;
        let whole = Expr { kind: ExprKind::Var(var), ty: domain, span: token.span };
        Ok(Typed::fixed(ExprKind::Component(Box::new(whole), position as u32), ty, span))
    }
}
