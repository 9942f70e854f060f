//! Iteration variables and the expressions that fold over them.

use petite_net::{Expr, ExprKind, Fold, Iter, IterDomain, PlaceIdx, Span, TypeIdx};

use super::names::{Found, Space};
use super::scope::{Role, Scope};
use super::{Elab, Elaborator, Failed, Typed};
use crate::Diagnostic;
use crate::helena::ast;
use crate::nearest::nearest;

/// What iteration variables may run over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domains {
    /// Types, containers and places.
    All,
    /// Types and containers.
    Values,
    /// Types with static bounds.
    Static,
    /// Places.
    Places,
}

impl Elaborator<'_> {
    #[expect(clippy::too_many_arguments, reason = "the parts of one expression and its context")]
    pub(super) fn iterate(
        &mut self,
        fold: Fold,
        iters: &[ast::Iter],
        condition: Option<&ast::Expr>,
        body: Option<&ast::Expr>,
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let mark = scope.mark();
        let typed = self.iterate_inside(fold, iters, condition, body, span, expected, scope);
        scope.release(mark);
        typed
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one expression and its context")]
    fn iterate_inside(
        &mut self,
        fold: Fold,
        iters: &[ast::Iter],
        condition: Option<&ast::Expr>,
        body: Option<&ast::Expr>,
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        if fold == Fold::Mult && iters.len() > 1 {
            return self.fail(
                Diagnostic::new(iters[1].span, "mult counts the tokens of one place")
                    .label("a second variable")
                    .help("nest a `sum` around it, or count combinations with `card`"),
            );
        }
        let domains = if fold == Fold::Mult { Domains::Places } else { Domains::All };
        let iters = self.iters(iters, domains, scope)?;
        let condition = match condition {
            Some(condition) => Some(Box::new(self.converted(condition, self.bool, scope)?)),
            None => None,
        };
        let (body, ty, flexible) = match (fold, body) {
            (Fold::Exists, _) => (None, self.bool, false),
            (Fold::Forall, Some(body)) => (Some(self.converted(body, self.bool, scope)?), self.bool, false),
            (Fold::Card | Fold::Mult, _) | (_, None) => (None, self.int, true),
            (_, Some(body)) => {
                let typed = self.expr(body, expected, scope)?;
                if matches!(fold, Fold::Sum | Fold::Product) {
                    self.must_be_numeric(&typed, if fold == Fold::Sum { "sum" } else { "product" })?;
                } else if !self.types.is_discrete(typed.expr.ty) {
                    let message = format!("values of type {} have no order", self.type_name(typed.expr.ty));
                    return self.fail(Diagnostic::new(body.span, message).label("expected a discrete value"));
                }
                let ty = self.types.root(typed.expr.ty);
                (Some(typed.expr), ty, typed.flexible)
            }
        };
        let kind = ExprKind::Iterate { fold, iters, condition, body: body.map(Box::new) };
        let typed = Typed { expr: Expr { kind, ty, span }, flexible };
        // Counts adapt to any numeric type as they are; sums of flexible numbers are arithmetic.
        let is_sum = matches!(fold, Fold::Sum | Fold::Product);
        Ok(if is_sum { self.flexible_result(typed, expected) } else { typed })
    }

    /// Declares iteration variables; later ones may depend on earlier ones.
    pub(super) fn iters(
        &mut self,
        iters: &[ast::Iter],
        domains: Domains,
        scope: &mut Scope,
    ) -> Elab<Vec<Iter>> {
        let mark = scope.mark();
        let mut typed = Vec::new();
        for iter in iters {
            if scope.declared_since(mark, &iter.variable.text) {
                return self.fail(
                    Diagnostic::new(
                        iter.variable.span,
                        format!("there is already a variable {}", iter.variable),
                    )
                    .label("declared again")
                    .help("rename one of them"),
                );
            }
            let (domain, ty, role) = self.iter_domain(iter, domains, scope)?;
            let var = scope.declare(&iter.variable, ty, role);
            typed.push(Iter { var, domain, span: iter.span });
        }
        Ok(typed)
    }

    /// What an iteration variable runs over, its type and its role. A name is a type before it is a place, and
    /// a place before it is a value.
    pub(super) fn iter_domain(
        &mut self,
        iter: &ast::Iter,
        domains: Domains,
        scope: &mut Scope,
    ) -> Elab<(IterDomain, TypeIdx, Role)> {
        if let ast::ExprKind::Name(name) = &iter.domain.kind {
            if domains != Domains::Places {
                match self.names.find(Space::Type, name) {
                    Found::Thing(ty) if self.names_type(TypeIdx::new(ty), name, scope) => {
                        return self.type_domain(iter, TypeIdx::new(ty), domains, scope);
                    }
                    Found::Thing(_) => {}
                    Found::Broken => return Err(Failed),
                    Found::Nothing => {}
                }
            }
            match self.names.find(Space::Place, name) {
                Found::Thing(place) if matches!(domains, Domains::All | Domains::Places) => {
                    self.may_read_marking(iter.domain.span, scope)?;
                    self.no_range(iter)?;
                    let domain = self.places[place].domain;
                    return Ok((IterDomain::Place(PlaceIdx::new(place)), domain, Role::Token));
                }
                Found::Thing(_) if scope.find(name).is_none() && !self.names.is_constant(name) => {
                    return self.fail(
                        Diagnostic::new(
                            iter.domain.span,
                            "the tokens of a place cannot be iterated over here",
                        )
                        .label("this is a place")
                        .help("places can be read only in propositions and priorities"),
                    );
                }
                Found::Broken => return Err(Failed),
                Found::Thing(_) | Found::Nothing => {}
            }
            let is_value = scope.find(name).is_some() || self.names.is_constant(name);
            if !is_value && domains != Domains::Places {
                return self.unknown_domain(name, iter, scope);
            }
        }
        if matches!(domains, Domains::Static | Domains::Places) {
            let (message, help) = match domains {
                Domains::Static => (
                    "a variable of an arc runs over a type",
                    "write the name of a discrete type, with a range if need be; elements of a list or set can \
                     be picked",
                ),
                _ => ("mult counts the tokens of a place", "write the name of a place"),
            };
            return self.fail(Diagnostic::new(iter.domain.span, message).label("something else").help(help));
        }
        self.no_range(iter)?;
        let container = self.container(&iter.domain, None, scope)?;
        let Some(element) = self.element(container.ty) else { return Err(Failed) };
        Ok((IterDomain::Container(Box::new(container)), element, Role::Iteration))
    }

    fn type_domain(
        &mut self,
        iter: &ast::Iter,
        ty: TypeIdx,
        domains: Domains,
        scope: &mut Scope,
    ) -> Elab<(IterDomain, TypeIdx, Role)> {
        if !self.types.is_discrete(ty) {
            let message = format!("the values of the composite type {} are too many", self.type_name(ty));
            return self.fail(
                Diagnostic::new(iter.domain.span, message)
                    .label("expected a discrete type")
                    .help("iterate over the types of its parts instead"),
            );
        }
        // Bounds beyond the type are no error: there is just nothing to iterate over.
        let bounds = match &iter.range {
            None => None,
            Some(range) if domains == Domains::Static => {
                let mut static_scope = Scope::new(super::Context::Static("a range on an arc"));
                let mut bounds = Vec::new();
                for bound in [&range.low, &range.high] {
                    let expr = self.comparable(bound, ty, &mut static_scope)?;
                    let value = self.evaluate(&expr, &static_scope)?;
                    bounds.push(Expr { kind: ExprKind::Const(value), ..expr });
                }
                bounds.pop().zip(bounds.pop()).map(|(high, low)| Box::new((low, high)))
            }
            Some(range) => {
                let low = self.comparable(&range.low, ty, scope)?;
                let high = self.comparable(&range.high, ty, scope)?;
                Some(Box::new((low, high)))
            }
        };
        Ok((IterDomain::Type(ty, bounds), ty, Role::Iteration))
    }

    fn no_range(&mut self, iter: &ast::Iter) -> Elab<()> {
        let Some(range) = &iter.range else { return Ok(()) };
        self.fail(
            Diagnostic::new(range.span, "only the values of a type can be restricted by a range")
                .label("not possible here")
                .help("write a condition instead"),
        )
    }

    fn unknown_domain<T>(&mut self, name: &str, iter: &ast::Iter, scope: &Scope) -> Elab<T> {
        if self.names.is_broken_value(name) {
            return Err(Failed);
        }
        let candidates = self
            .names
            .all(Space::Type)
            .chain(self.names.all(Space::Place))
            .chain(self.names.all(Space::Constant))
            .chain(scope.names());
        let help = match nearest(name, candidates) {
            Some(near) => format!("did you mean {near}?"),
            None => "expected the name of a type or a place, or a list or set".to_owned(),
        };
        self.fail(
            Diagnostic::new(iter.domain.span, format!("there is no type, place or value {name}"))
                .label("unknown name")
                .help(help),
        )
    }
}
