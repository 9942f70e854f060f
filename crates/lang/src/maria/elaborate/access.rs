//! Structs, unions and arrays: making them, and getting at their parts.

use petite_net::{Expr, ExprKind, Failure, Kind, Name, Span, TypeIdx};

use super::modules::unknown;
use super::scope::Scope;
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::Formula;

impl<'a> Elaborator<'a> {
    /// `{ ... }`: what it makes depends on the type that is expected.
    pub(super) fn braces(
        &mut self,
        items: &'a [(Option<Name>, Option<Formula>)],
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let Some(ty) = hint else {
            return Err(Diagnostic::new(span, "the type of this is not known")
                .label("of which type?")
                .help("say it with a cast, as in `is T { ... }`"));
        };
        let parts: Vec<(Option<&Name>, TypeIdx)> = match &self.types[ty].kind {
            Kind::Struct { components } => components.iter().map(|c| (Some(&c.name), c.ty)).collect(),
            Kind::Vector { indices, element } => {
                vec![(None, *element); usize::try_from(self.types.vector_len(indices)).unwrap_or(0)]
            }
            Kind::List { element, .. } => {
                let element = *element;
                return self.items(items, element, ty, span, scope);
            }
            _ => {
                let message = format!("expected a value of type {}, found one in braces", self.type_name(ty));
                return Err(Diagnostic::new(span, message)
                    .label("a struct, array or buffer")
                    .help("write the value itself"));
            }
        };
        let parts: Vec<(Option<Name>, TypeIdx)> =
            parts.into_iter().map(|(name, ty)| (name.cloned(), ty)).collect();
        let mut exprs: Vec<Option<Expr>> = vec![None; parts.len()];
        let mut next = 0;
        for (name, item) in items {
            let at = match name {
                Some(name) => parts
                    .iter()
                    .position(|(part, _)| part.as_ref().is_some_and(|part| part.text == name.text))
                    .ok_or_else(|| {
                        let known =
                            parts.iter().flat_map(|(part, _)| part.iter().map(|part| part.text.as_str()));
                        unknown("component", name, known)
                    })?,
                None => next,
            };
            next = at + 1;
            let Some(expr) = exprs.get_mut(at) else {
                let message = format!("type {} has {} parts, here are more", self.type_name(ty), parts.len());
                let at = item.as_ref().map_or(span, |item| item.span);
                return Err(Diagnostic::new(at, message).label("one too many").help("leave it out"));
            };
            if let Some(item) = item {
                *expr = Some(self.value_of(item, parts[at].1, scope)?);
            }
        }
        // A part that is left out has no value, which matters once it is asked for.
        let missing = |(expr, (_, ty)): (Option<Expr>, &(Option<Name>, TypeIdx))| {
            expr.unwrap_or(Expr { kind: ExprKind::Fail(Failure::Undefined), ty: *ty, span })
        };
        let exprs: Vec<Expr> = exprs.into_iter().zip(&parts).map(missing).collect();
        let made = self.made(ExprKind::Tuple(exprs), ty, span)?;
        self.checked(made)
    }

    /// The items of a buffer.
    fn items(
        &mut self,
        items: &'a [(Option<Name>, Option<Formula>)],
        element: TypeIdx,
        ty: TypeIdx,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let mut exprs = Vec::new();
        for (name, item) in items {
            match (name, item) {
                (None, Some(item)) => exprs.push(self.value_of(item, element, scope)?),
                _ => {
                    let at = name.as_ref().map_or(span, |name| name.span);
                    return Err(Diagnostic::new(
                        at,
                        "the items of a buffer have no names, and none is left out",
                    )
                    .label("expected an item")
                    .help("write the items one after the other"));
                }
            }
        }
        let made = self.made(ExprKind::Seq(exprs), ty, span)?;
        self.checked(made)
    }

    /// A composite value of a type that has a constraint as a whole must satisfy it.
    fn checked(&mut self, expr: Expr) -> Elab<Expr> {
        if self.types[expr.ty].constraint.is_none() {
            return Ok(expr);
        }
        let (ty, span) = (expr.ty, expr.span);
        self.made(ExprKind::Convert(Box::new(expr)), ty, span)
    }

    /// `c = v`.
    pub(super) fn variant(
        &mut self,
        component: &Name,
        value: &'a Formula,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let Some(ty) = hint else {
            return Err(Diagnostic::new(span, "the type of this union is not known")
                .label("of which type?")
                .help("say it with a cast, as in `is T (c = v)`"));
        };
        let (tag, content) = self.variant_named(ty, component)?;
        let value = self.value_of(value, content, scope)?;
        let made = self.made(ExprKind::Tagged(tag, Box::new(value)), ty, span)?;
        self.checked(made)
    }

    fn variant_named(&self, ty: TypeIdx, name: &Name) -> Elab<(u32, TypeIdx)> {
        let Kind::Union { variants } = &self.types[ty].kind else {
            let message = format!("type {} is no union", self.type_name(ty));
            return Err(Diagnostic::new(name.span, message)
                .label("a component of a union")
                .help("use a value of a union"));
        };
        match variants.iter().position(|variant| variant.name.text == name.text) {
            Some(at) => Ok((at as u32, variants[at].ty)),
            None => {
                Err(unknown("component", name, variants.iter().map(|variant| variant.name.text.as_str())))
            }
        }
    }

    /// `x is c`.
    pub(super) fn is_component(
        &mut self,
        operand: &'a Formula,
        component: &Name,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let operand = self.value(operand, None, scope)?;
        let (tag, _) = self.variant_named(operand.ty, component)?;
        self.made(ExprKind::IsVariant(Box::new(operand), tag), self.basic.bool, span)
    }

    /// `x.c`.
    pub(super) fn component(
        &mut self,
        whole: &'a Formula,
        component: &Name,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let whole = self.value(whole, None, scope)?;
        if let Kind::Struct { .. } = self.types[whole.ty].kind {
            let (at, ty) = self.component_named(whole.ty, component)?;
            return self.made(ExprKind::Component(Box::new(whole), at), ty, span);
        }
        let (tag, ty) = self.variant_named(whole.ty, component)?;
        self.made(ExprKind::Content(Box::new(whole), tag), ty, span)
    }

    fn component_named(&self, ty: TypeIdx, name: &Name) -> Elab<(u32, TypeIdx)> {
        let Kind::Struct { components } = &self.types[ty].kind else {
            let message = format!("type {} has no components", self.type_name(ty));
            return Err(Diagnostic::new(name.span, message).label("no such component").help("use a struct"));
        };
        match components.iter().position(|component| component.name.text == name.text) {
            Some(at) => Ok((at as u32, components[at].ty)),
            None => Err(unknown(
                "component",
                name,
                components.iter().map(|component| component.name.text.as_str()),
            )),
        }
    }

    /// `a[i]`.
    pub(super) fn element(
        &mut self,
        whole: &'a Formula,
        index: &'a Formula,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let whole = self.value(whole, None, scope)?;
        self.element_of(whole, index, span, scope)
    }

    pub(super) fn element_of(
        &mut self,
        whole: Expr,
        index: &'a Formula,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let (index, element) = self.position(&whole, index, scope)?;
        self.made(ExprKind::Element(Box::new(whole), vec![index]), element, span)
    }

    /// The position that an index stands for in an array, and the type of the elements.
    fn position(&mut self, whole: &Expr, index: &'a Formula, scope: &mut Scope<'a>) -> Elab<(Expr, TypeIdx)> {
        let (Kind::Vector { indices, element }, Some(&index_type)) =
            (&self.types[whole.ty].kind, self.indices.get(&whole.ty))
        else {
            let name = self.type_name(whole.ty);
            let diagnostic = Diagnostic::new(whole.span, format!("type {name} is no array"))
                .label("indexed like an array");
            return Err(if self.is_buffer(whole.ty) {
                diagnostic.help("look at an item of a buffer with `*b[i]`")
            } else {
                diagnostic.help("index an array")
            });
        };
        let (position, element) = (indices[0], *element);
        let index = self.value_of(index, index_type, scope)?;
        if position == index_type {
            return Ok((index, element));
        }
        let span = index.span;
        Ok((self.made(ExprKind::Rank(Box::new(index)), position, span)?, element))
    }

    /// `x.{ c v }`.
    pub(super) fn with_component(
        &mut self,
        whole: &'a Formula,
        component: &Name,
        value: &'a Formula,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let whole = self.value(whole, hint, scope)?;
        let ty = whole.ty;
        let made = if let Kind::Union { .. } = self.types[ty].kind {
            let (tag, content) = self.variant_named(ty, component)?;
            let value = self.value_of(value, content, scope)?;
            self.made(ExprKind::Tagged(tag, Box::new(value)), ty, span)?
        } else {
            let (at, part) = self.component_named(ty, component)?;
            let value = self.value_of(value, part, scope)?;
            self.made(ExprKind::WithComponent(Box::new(whole), at, Box::new(value)), ty, span)?
        };
        self.checked(made)
    }

    /// `a.{ [i] v }`.
    pub(super) fn with_element(
        &mut self,
        whole: &'a Formula,
        index: &'a Formula,
        value: &'a Formula,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let whole = self.value(whole, hint, scope)?;
        let ty = whole.ty;
        if let Kind::List { element, .. } = self.types[ty].kind {
            let index = self.value(index, Some(self.basic.unsigned), scope)?;
            let index = self.number(index)?;
            let value = self.value_of(value, element, scope)?;
            let made =
                self.made(ExprKind::WithElement(Box::new(whole), vec![index], Box::new(value)), ty, span)?;
            return self.checked(made);
        }
        let (index, element) = self.position(&whole, index, scope)?;
        let value = self.value_of(value, element, scope)?;
        let made =
            self.made(ExprKind::WithElement(Box::new(whole), vec![index], Box::new(value)), ty, span)?;
        self.checked(made)
    }
}
