//! Inscriptions of arcs and initial markings: sums of `for (..) if (..) factor * <( .. )>`.

use petite_net::{Expr, ExprKind, Iter, IterDomain, Kind, Sign, Term, TypeIdx, Value};

use super::iterate::Domains;
use super::scope::Scope;
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::helena::ast;

/// Most tokens that one term may stand for, or that a place may start with.
pub(super) const MAX_TOKENS: u64 = 1 << 24;

/// What a variable alone means in a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermKind {
    /// Its value is used.
    Used,
    /// In a tuple without `for` and `if` it takes the token's component as its value, or is compared with it: it
    /// must stay a variable alone.
    Input,
    /// The same in any tuple.
    Inhibitor,
}

impl Elaborator<'_> {
    pub(super) fn terms(
        &mut self,
        tuples: &[ast::Tuple],
        place: &str,
        domain: TypeIdx,
        kind: TermKind,
        scope: &mut Scope,
    ) -> Elab<Vec<Term>> {
        let mut terms = Vec::new();
        for tuple in tuples {
            let mark = scope.mark();
            let term = self.term(tuple, place, domain, kind, scope);
            scope.release(mark);
            terms.push(term?);
        }
        Ok(terms)
    }

    fn term(
        &mut self,
        tuple: &ast::Tuple,
        place: &str,
        domain: TypeIdx,
        kind: TermKind,
        scope: &mut Scope,
    ) -> Elab<Term> {
        let iters = self.iters(&tuple.iters, Domains::Static, scope)?;
        if self.n_combinations(&iters) > MAX_TOKENS {
            return self.fail(
                Diagnostic::new(tuple.span, format!("this stands for more than {MAX_TOKENS} tokens"))
                    .label("too many")
                    .help("restrict the variables by a range"),
            );
        }
        let condition = match &tuple.condition {
            Some(condition) => Some(self.converted(condition, self.bool, scope)?),
            None => None,
        };
        let factor = match &tuple.factor {
            Some(factor) => Some(self.factor(factor)?),
            None => None,
        };
        let matches = match kind {
            TermKind::Used => false,
            TermKind::Input => iters.is_empty() && condition.is_none(),
            TermKind::Inhibitor => true,
        };
        let token = self.token(tuple, place, domain, matches, scope)?;
        Ok(Term { sign: Sign::Plus, iters, condition, factor, token, span: tuple.span })
    }

    /// A static number above zero.
    fn factor(&mut self, factor: &ast::Expr) -> Elab<Expr> {
        let (expr, value) = self.static_number_expr(factor, "the factor of a token")?;
        if value < 1 || u32::try_from(value).is_err() {
            return self.fail(
                Diagnostic::new(factor.span, format!("a token cannot occur {value} times"))
                    .label(format!("this is {value}"))
                    .help("expected a number from 1 to 4294967295; is a parameter too small?"),
            );
        }
        Ok(Expr { kind: ExprKind::Const(Value::Int(value)), ..expr })
    }

    fn n_combinations(&self, iters: &[Iter]) -> u64 {
        let size = |iter: &Iter| {
            let IterDomain::Type(ty, bounds) = &iter.domain else { return 1 };
            let (mut low, mut high) = self.types.bounds(*ty);
            if let Some((from, to)) = bounds.as_deref().map(|(from, to)| (&from.kind, &to.kind))
                && let (ExprKind::Const(Value::Int(from)), ExprKind::Const(Value::Int(to))) = (from, to)
            {
                (low, high) = (low.max(*from), high.min(*to));
            }
            u64::try_from(high.saturating_sub(low).saturating_add(1)).unwrap_or(0)
        };
        iters.iter().map(size).fold(1, u64::saturating_mul)
    }

    fn token(
        &mut self,
        tuple: &ast::Tuple,
        place: &str,
        domain: TypeIdx,
        matches: bool,
        scope: &mut Scope,
    ) -> Elab<Expr> {
        let types = self.components(domain);
        let items = tuple.components.as_deref().unwrap_or(&[]);
        if types.len() != items.len() {
            let message = match (types.len(), &tuple.components) {
                (0, _) => format!("place {place} has black tokens, this one has {}", components(items.len())),
                (n, None) => format!("the tokens of place {place} have {}, this one is black", components(n)),
                (n, Some(_)) => format!(
                    "the tokens of place {place} have {}, this one has {}",
                    components(n),
                    items.len()
                ),
            };
            let help = match types.len() {
                0 => "write `epsilon` for a black token".to_owned(),
                _ => format!("its domain is {}", self.type_name(domain)),
            };
            return self.fail(
                Diagnostic::new(tuple.token_span, message).label("wrong number of components").help(help),
            );
        }
        let mut parts = Vec::new();
        for (item, ty) in items.iter().zip(types) {
            let is_variable = matches!(&item.kind, ast::ExprKind::Name(name) if scope.find(name).is_some());
            parts.push(if matches && is_variable {
                self.comparable(item, ty, scope)?
            } else {
                self.converted(item, ty, scope)?
            });
        }
        Ok(Expr { kind: ExprKind::Tuple(parts), ty: domain, span: tuple.token_span })
    }

    /// The types of the components of a domain.
    pub(super) fn components(&self, domain: TypeIdx) -> Vec<TypeIdx> {
        match self.kind_of(domain) {
            Kind::Struct { components } => components.iter().map(|component| component.ty).collect(),
            _ => Vec::new(),
        }
    }
}

fn components(number: usize) -> String {
    match number {
        1 => "1 component".to_owned(),
        _ => format!("{number} components"),
    }
}
