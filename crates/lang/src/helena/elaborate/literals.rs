//! Literals of structs, vectors, lists and sets, whose type comes from what is expected.

use petite_net::{Expr, ExprKind, Kind, Span, TypeIdx};

use super::scope::Scope;
use super::{Elab, Elaborator, Typed};
use crate::Diagnostic;
use crate::helena::ast;

impl Elaborator<'_> {
    pub(super) fn struct_literal(
        &mut self,
        items: &[ast::Expr],
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let fits = |kind: &Kind| matches!(kind, Kind::Struct { .. });
        let ty = self.literal_type("a struct", expected, span, fits, |this, ty| {
            let Kind::Struct { components } = this.kind_of(ty) else { return false };
            components.len() == items.len()
                && components
                    .iter()
                    .zip(items)
                    .all(|(component, item)| this.may_be(item, component.ty, scope))
        })?;
        let Kind::Struct { components } = self.kind_of(ty) else { return Err(super::Failed) };
        let types: Vec<TypeIdx> = components.iter().map(|component| component.ty).collect();
        if types.len() != items.len() {
            let message = format!(
                "type {} has {} fields, this literal has {}",
                self.type_name(ty),
                types.len(),
                items.len()
            );
            return self.fail(Diagnostic::new(span, message).label("wrong number of fields"));
        }
        let mut parts = Vec::new();
        for (item, ty) in items.iter().zip(types) {
            parts.push(self.converted(item, ty, scope)?);
        }
        Ok(Typed::fixed(ExprKind::Tuple(parts), ty, span))
    }

    pub(super) fn vector_literal(
        &mut self,
        items: &[ast::Expr],
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let fits = |kind: &Kind| matches!(kind, Kind::Vector { .. });
        let ty = self.literal_type("a vector", expected, span, fits, |this, ty| {
            let Kind::Vector { element, indices } = this.kind_of(ty) else { return false };
            items.len() as u64 <= this.types.vector_len(indices)
                && items.iter().all(|item| this.may_be(item, *element, scope))
        })?;
        let Kind::Vector { indices, element } = self.kind_of(ty) else { return Err(super::Failed) };
        let (length, element) = (self.types.vector_len(indices), *element);
        if items.len() as u64 > length {
            let message = format!(
                "type {} has vectors of {length} elements, this literal has {}",
                self.type_name(ty),
                items.len()
            );
            return self.fail(
                Diagnostic::new(span, message)
                    .label("too many elements")
                    .help("a literal may have fewer elements than its type: the last one fills the rest"),
            );
        }
        let parts = self.all_converted(items, element, scope)?;
        Ok(Typed::fixed(ExprKind::Tuple(parts), ty, span))
    }

    /// A list or set, possibly empty.
    pub(super) fn container_literal(
        &mut self,
        items: &[ast::Expr],
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let fits = |kind: &Kind| matches!(kind, Kind::List { .. } | Kind::Set { .. });
        let ty = self.literal_type("a list or set", expected, span, fits, |this, ty| {
            let element = this.element(ty);
            element.is_some_and(|element| items.iter().all(|item| this.may_be(item, element, scope)))
        })?;
        let Some(element) = self.element(ty) else { return Err(super::Failed) };
        let parts = self.all_converted(items, element, scope)?;
        Ok(Typed::fixed(ExprKind::Seq(parts), ty, span))
    }

    fn all_converted(&mut self, items: &[ast::Expr], ty: TypeIdx, scope: &mut Scope) -> Elab<Vec<Expr>> {
        items.iter().map(|item| self.converted(item, ty, scope)).collect()
    }

    /// The type of a literal: the expected one, or the only one that its parts fit.
    fn literal_type(
        &mut self,
        what: &str,
        expected: Option<TypeIdx>,
        span: Span,
        fits: impl Fn(&Kind) -> bool,
        may_be: impl Fn(&Self, TypeIdx) -> bool,
    ) -> Elab<TypeIdx> {
        if let Some(ty) = expected {
            if fits(self.kind_of(ty)) {
                return Ok(ty);
            }
            let message = format!("expected a value of type {}, found {what}", self.type_name(ty));
            return self.fail(Diagnostic::new(span, message).label(format!("this is {what}")).help(
                "structs are written as {a, b}, vectors as [a, b], lists and sets as |a, b| or empty",
            ));
        }
        // Domains of places are structs too, but no literal is of such a type.
        let is_domain = |ty: TypeIdx| self.domains.values().any(|&domain| domain == ty);
        let candidates: Vec<TypeIdx> = self
            .types
            .iter()
            .filter(|(ty, declared)| fits(&declared.kind) && !is_domain(*ty) && may_be(self, *ty))
            .map(|(ty, _)| ty)
            .collect();
        match candidates.as_slice() {
            [ty] => Ok(*ty),
            [] => self.fail(
                Diagnostic::new(span, format!("there is no type for {what} with these parts"))
                    .label("of unknown type")
                    .help("define a type for it before this line"),
            ),
            several => {
                let names: Vec<&str> = several.iter().map(|ty| self.type_name(*ty)).collect();
                let message = format!("this may be {what} of the types {}", names.join(", "));
                self.fail(
                    Diagnostic::new(span, message)
                        .label("which one is meant?")
                        .help("define a constant of the type that is meant, and use it here"),
                )
            }
        }
    }

    /// Whether a part of a literal may be of a type, as far as can be told.
    pub(super) fn may_be(&self, item: &ast::Expr, ty: TypeIdx, scope: &Scope) -> bool {
        use ast::ExprKind as E;
        match self.hint(item, scope) {
            Some(hint) => {
                let both_ranges = matches!(self.kind_of(hint), Kind::Range { .. })
                    && matches!(self.kind_of(ty), Kind::Range { .. });
                both_ranges || self.types.root(hint) == self.types.root(ty)
            }
            None => match &item.kind {
                E::Number(_) => self.is_numeric(ty),
                E::Struct(_) => matches!(self.kind_of(ty), Kind::Struct { .. }),
                E::Vector(_) => matches!(self.kind_of(ty), Kind::Vector { .. }),
                E::Container(_) | E::Empty => {
                    matches!(self.kind_of(ty), Kind::List { .. } | Kind::Set { .. })
                }
                _ => true,
            },
        }
    }
}
