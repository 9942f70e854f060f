//! Quantified formulas.
//!
//! A quantifier is carried out value by value where each value may have variables of its own: on input arcs, in
//! conditions, and wherever `.x` or an output variable stands in its body. Elsewhere a sum stays an iteration, so
//! that a large type costs nothing until it is evaluated.

use petite_net::{Cardinality, Expr, ExprKind, Fold, Iter, IterDomain, Span, Term, TypeIdx, Value};

use super::bags::within;
use super::scope::{Quantified, Scope, Site};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{self, Formula, FormulaKind, Quantifier};

/// Values that a quantifier may be carried out for.
const MAX_CARRIED_OUT: u64 = 20_000;

/// Values of a condition's quantifier up to which it is carried out.
const MAX_CONDITION: u64 = 4_096;

impl<'a> Elaborator<'a> {
    /// The terms of a quantified sum.
    pub(super) fn quantified_terms(
        &mut self,
        quantified: &'a ast::Quantified,
        span: Span,
        ty: TypeIdx,
        scope: &mut Scope<'a>,
    ) -> Elab<Vec<Term>> {
        let over = self.named_type(&quantified.ty, scope.module)?;
        let needs = [Some(&quantified.body), quantified.condition.as_ref()]
            .into_iter()
            .flatten()
            .any(has_own_variables);
        let small = self.n_values(over).is_some_and(|n_values| n_values <= MAX_CARRIED_OUT);
        if needs || scope.site == Site::Input && small {
            let mut terms = Vec::new();
            self.for_each_value(quantified, over, span, scope, &mut |this, condition, scope| {
                for term in this.terms(&quantified.body, ty, scope)? {
                    match &condition {
                        Some(condition) => terms.extend(this.restricted(term, condition.clone())?),
                        None => terms.push(term),
                    }
                }
                Ok(())
            })?;
            return Ok(terms);
        }
        if self.n_values(over).is_none() {
            return Err(too_many(quantified.ty.span, u64::MAX));
        }
        let var = scope.variable(quantified.var.clone(), over);
        let iter = Iter { var, domain: IterDomain::Type(over, None), span };
        let item = Expr { kind: ExprKind::Var(var), ty: over, span: quantified.var.span };
        scope.locals.push((quantified.var.text.clone(), item));
        let condition =
            quantified.condition.as_ref().map(|condition| self.truth(condition, scope)).transpose();
        let terms = self.terms(&quantified.body, ty, scope);
        scope.locals.pop();
        let (condition, terms) = (condition?, terms?);
        let mut result = Vec::new();
        for term in terms {
            let term = match &condition {
                Some(condition) => self.restricted(term, condition.clone())?,
                None => Some(term),
            };
            result.extend(term.map(|term| within(std::slice::from_ref(&iter), term)));
        }
        Ok(result)
    }

    /// Whether all or any of the bodies hold.
    pub(super) fn quantified_truth(
        &mut self,
        quantified: &'a ast::Quantified,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let over = self.named_type(&quantified.ty, scope.module)?;
        let all = quantified.quantifier == Quantifier::All;
        let needs = [Some(&quantified.body), quantified.condition.as_ref()]
            .into_iter()
            .flatten()
            .any(has_own_variables);
        if needs || self.n_values(over).is_some_and(|n_values| n_values <= MAX_CONDITION) {
            let mut parts = Vec::new();
            self.for_each_value(quantified, over, span, scope, &mut |this, condition, scope| {
                let body = this.truth(&quantified.body, scope)?;
                parts.push(match condition {
                    None => body,
                    Some(condition) if all => {
                        let not = this.negated(condition, span)?;
                        this.either(not, body, span)?
                    }
                    Some(condition) => this.both(condition, body, span)?,
                });
                Ok(())
            })?;
            // What is known decides alone or not at all; the rest is combined in halves, so that the tree is flat.
            let decides =
                |part: &Expr| matches!(&part.kind, ExprKind::Const(value) if (value.int() == 0) == all);
            if parts.iter().any(decides) {
                return Ok(self.bool_const(!all, span));
            }
            parts.retain(|part| !matches!(part.kind, ExprKind::Const(_)));
            return self.in_halves(parts, all, span);
        }
        if self.n_values(over).is_none() {
            return Err(too_many(quantified.ty.span, u64::MAX));
        }
        let var = scope.variable(quantified.var.clone(), over);
        let item = Expr { kind: ExprKind::Var(var), ty: over, span: quantified.var.span };
        scope.locals.push((quantified.var.text.clone(), item));
        let condition =
            quantified.condition.as_ref().map(|condition| self.truth(condition, scope)).transpose();
        let body = self.truth(&quantified.body, scope);
        scope.locals.pop();
        let (condition, body) = (condition?, body?);
        let iters = vec![Iter { var, domain: IterDomain::Type(over, None), span }];
        let kind = if all {
            let condition = condition.map(Box::new);
            ExprKind::Iterate { fold: Fold::Forall, iters, condition, body: Some(Box::new(body)) }
        } else {
            let condition = match condition {
                Some(condition) => self.both(condition, body, span)?,
                None => body,
            };
            ExprKind::Iterate { fold: Fold::Exists, iters, condition: Some(Box::new(condition)), body: None }
        };
        self.made(kind, self.basic.bool, span)
    }

    /// The conjunction or disjunction of many.
    pub(super) fn in_halves(&mut self, mut parts: Vec<Expr>, all: bool, span: Span) -> Elab<Expr> {
        match parts.len() {
            0 => Ok(self.bool_const(all, span)),
            1 => Ok(parts.remove(0)),
            n => {
                let right = parts.split_off(n / 2);
                let left = self.in_halves(parts, all, span)?;
                let right = self.in_halves(right, all, span)?;
                if all { self.both(left, right, span) } else { self.either(left, right, span) }
            }
        }
    }

    /// Calls `each` with every value of a quantifier in scope, and with its condition there; not for those whose
    /// condition is known not to hold.
    pub(super) fn for_each_value(
        &mut self,
        quantified: &'a ast::Quantified,
        over: TypeIdx,
        span: Span,
        scope: &mut Scope<'a>,
        each: &mut EachValue<'_, 'a>,
    ) -> Elab<()> {
        let n_values = self.n_values(over).unwrap_or(u64::MAX);
        if n_values > MAX_CARRIED_OUT {
            return Err(too_many(quantified.ty.span, n_values));
        }
        let values: Vec<Value> = self.types.values(over).into_iter().flatten().collect();
        for value in values {
            let item = Expr { kind: ExprKind::Const(value.clone()), ty: over, span };
            scope.locals.push((quantified.var.text.clone(), item));
            scope.quantified.push(Quantified { name: quantified.var.text.clone(), ty: over, value });
            let outcome = self.at_value(quantified, scope, each);
            scope.quantified.pop();
            scope.locals.pop();
            outcome?;
        }
        Ok(())
    }

    fn at_value(
        &mut self,
        quantified: &'a ast::Quantified,
        scope: &mut Scope<'a>,
        each: &mut EachValue<'_, 'a>,
    ) -> Elab<()> {
        let condition =
            quantified.condition.as_ref().map(|condition| self.truth(condition, scope)).transpose()?;
        match condition {
            Some(Expr { kind: ExprKind::Const(value), .. }) if value.int() == 0 => Ok(()),
            Some(Expr { kind: ExprKind::Const(_), .. }) | None => each(self, None, scope),
            condition => each(self, condition, scope),
        }
    }

    fn n_values(&self, ty: TypeIdx) -> Option<u64> {
        match self.types.cardinality(ty) {
            Cardinality::Word(n_values) => Some(n_values),
            Cardinality::Huge => None,
        }
    }
}

/// What is done with each value of a quantifier.
pub(super) type EachValue<'e, 'a> =
    dyn FnMut(&mut Elaborator<'a>, Option<Expr>, &mut Scope<'a>) -> Elab<()> + 'e;

fn too_many(span: Span, n_values: u64) -> Diagnostic {
    let message = match n_values {
        u64::MAX => "a quantifier over very many values".to_owned(),
        _ => format!("a quantifier over {n_values} values, each with variables of its own"),
    };
    Diagnostic::new(span, message).label("too many values").help("quantify over a smaller type")
}

/// Whether the values of a quantifier have variables of their own in its body.
fn has_own_variables(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Indexed(..) | FormulaKind::Output(..) => true,
        FormulaKind::Call(_, parts) | FormulaKind::Sum(parts) => parts.iter().any(has_own_variables),
        FormulaKind::Atom(part)
        | FormulaKind::Variant(_, part)
        | FormulaKind::Cast(_, part)
        | FormulaKind::Is(part, _)
        | FormulaKind::Component(part, _)
        | FormulaKind::Unary(_, part) => has_own_variables(part),
        FormulaKind::Index(a, b)
        | FormulaKind::WithComponent(a, _, b)
        | FormulaKind::Binary(_, a, b)
        | FormulaKind::Filter(_, a, b)
        | FormulaKind::Map(_, _, a, b) => has_own_variables(a) || has_own_variables(b),
        FormulaKind::WithElement(a, b, c) => [a, b, c].into_iter().any(|part| has_own_variables(part)),
        FormulaKind::Braces(items) => {
            items.iter().any(|(_, item)| item.as_ref().is_some_and(has_own_variables))
        }
        FormulaKind::Choice(subject, alternatives) => {
            has_own_variables(subject) || alternatives.iter().any(has_own_variables)
        }
        FormulaKind::Quantified(quantified) => {
            has_own_variables(&quantified.body)
                || quantified.condition.as_ref().is_some_and(has_own_variables)
        }
        _ => false,
    }
}
