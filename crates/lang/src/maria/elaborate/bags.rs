//! Formulas that stand for multi-sets.
//!
//! A formula becomes a list of terms, whose sum it is. What is no sum (a difference, an intersection) becomes one
//! term that runs over its items.

use petite_net::{
    BagExpr, BinaryOp, Evaluator, Expr, ExprKind, Iter, IterDomain, Name, Sign, Span, Term, TypeIdx, Value,
};

use super::scope::{Scope, Site};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{Binary, Formula, FormulaKind, Quantifier};

/// Different items up to which a multi-set that is known is written out.
const MAX_WRITTEN_OUT: usize = 10_000;

impl<'a> Elaborator<'a> {
    /// The terms whose sum a formula is, over items of a type.
    pub(super) fn terms(
        &mut self,
        formula: &'a Formula,
        ty: TypeIdx,
        scope: &mut Scope<'a>,
    ) -> Elab<Vec<Term>> {
        let span = formula.span;
        match &formula.kind {
            FormulaKind::Empty => Ok(Vec::new()),
            FormulaKind::Sum(items) => {
                let mut terms = Vec::new();
                for item in items {
                    terms.extend(self.terms(item, ty, scope)?);
                }
                Ok(terms)
            }
            FormulaKind::Atom(inner) if is_bag(inner) => self.terms(inner, ty, scope),
            FormulaKind::Quantified(quantified) if quantified.quantifier == Quantifier::Sum => {
                self.quantified_terms(quantified, span, ty, scope)
            }
            FormulaKind::Binary(Binary::Times, factor, bag) => {
                let factor = self.value(factor, Some(self.basic.unsigned), scope)?;
                if !self.is_bool(factor.ty) {
                    self.number(factor.clone())?;
                }
                let terms = self.terms(bag, ty, scope)?;
                terms.into_iter().map(|term| self.multiplied(term, &factor)).collect()
            }
            FormulaKind::Binary(Binary::Union, left, right) => {
                let mut terms = self.terms(left, ty, scope)?;
                terms.extend(self.terms(right, ty, scope)?);
                Ok(terms)
            }
            FormulaKind::Binary(Binary::Minus | Binary::Intersect, ..) => {
                let bag = self.bag(formula, ty, scope)?;
                Ok(vec![self.over_items(bag, ty, span, scope)])
            }
            FormulaKind::Place(name) => {
                let place = self.place_named(name, scope.module)?;
                let held = self.places[place.index()].domain;
                match scope.site {
                    Site::Contents | Site::Property => {
                        let term = self.over_items(BagExpr::Place(place), held, span, scope);
                        Ok(vec![Term { token: self.converted(term.token, ty)?, ..term }])
                    }
                    Site::Output => {
                        let taken = scope.taken.iter().filter(|(other, _)| *other == place);
                        let taken: Vec<Term> = taken.flat_map(|(_, terms)| terms.clone()).collect();
                        let converted =
                            |term: Term| Ok(Term { token: self.converted(term.token, ty)?, ..term });
                        taken.into_iter().map(converted).collect()
                    }
                    Site::Fixed | Site::Input | Site::Gate => Err(Diagnostic::new(
                        span,
                        format!("the tokens of place {name} cannot be asked for here"),
                    )
                    .label("depends on the state")
                    .help("contents of places, output arcs and properties may name places")),
                }
            }
            FormulaKind::Filter(var, bag, condition) => {
                let bag = self.bag(bag, ty, scope)?;
                let mut term = self.over_items(bag, ty, span, scope);
                scope.locals.push((var.text.clone(), term.token.clone()));
                let condition = self.truth(condition, scope);
                scope.locals.pop();
                term.condition = Some(condition?);
                Ok(vec![term])
            }
            FormulaKind::Map(count, var, bag, image) => {
                self.mapped(count.as_ref(), var, bag, image, ty, span, scope)
            }
            FormulaKind::Choice(subject, alternatives) if alternatives.iter().any(is_bag) => {
                let n = alternatives.len();
                let subject = self.subject(subject, n, scope)?;
                let mut terms = Vec::new();
                for (i, alternative) in alternatives.iter().enumerate() {
                    let is_it = self.has_rank(&subject, (n - 1 - i) as u64, span)?;
                    for term in self.terms(alternative, ty, scope)? {
                        terms.extend(self.restricted(term, is_it.clone())?);
                    }
                }
                Ok(terms)
            }
            _ => {
                let token = self.value_of(formula, ty, scope)?;
                Ok(vec![single(token, span)])
            }
        }
    }

    /// A formula as a multi-set over items of a type.
    pub(super) fn bag(&mut self, formula: &'a Formula, ty: TypeIdx, scope: &mut Scope<'a>) -> Elab<BagExpr> {
        if let FormulaKind::Binary(op @ (Binary::Minus | Binary::Intersect), left, right) = &formula.kind {
            let left = Box::new(self.bag(left, ty, scope)?);
            let right = Box::new(self.bag(right, ty, scope)?);
            return Ok(match op {
                Binary::Minus => BagExpr::Minus(left, right),
                _ => BagExpr::Intersection(left, right),
            });
        }
        let mut terms = self.terms(formula, ty, scope)?;
        // A term that only runs over a multi-set is that multi-set.
        if let [term] = terms.as_mut_slice()
            && let [Iter { var, domain: IterDomain::Bag(bag), .. }] = term.iters.as_mut_slice()
            && term.condition.is_none()
            && term.factor.is_none()
            && term.token.kind == ExprKind::Var(*var)
        {
            return Ok(std::mem::replace(bag, BagExpr::Terms(Vec::new())));
        }
        Ok(BagExpr::Terms(self.written_out(terms)))
    }

    /// Two multi-sets over one type, found from whichever side has one.
    pub(super) fn two_bags(
        &mut self,
        left: &'a Formula,
        right: &'a Formula,
        scope: &mut Scope<'a>,
    ) -> Elab<(BagExpr, BagExpr)> {
        let found = match self.item_type(left, scope)? {
            Some(ty) => Some(ty),
            None => self.item_type(right, scope)?,
        };
        let Some(ty) = found else { return Err(of_which_type(left.span.to(right.span))) };
        Ok((self.bag(left, ty, scope)?, self.bag(right, ty, scope)?))
    }

    /// A multi-set over a type that must be found from itself.
    pub(super) fn bag_of_unknown(
        &mut self,
        formula: &'a Formula,
        scope: &mut Scope<'a>,
    ) -> Elab<(BagExpr, TypeIdx)> {
        let Some(ty) = self.item_type(formula, scope)? else { return Err(of_which_type(formula.span)) };
        Ok((self.bag(formula, ty, scope)?, ty))
    }

    /// The type of a multi-set's items, where the formula tells.
    pub(super) fn item_type(&mut self, formula: &'a Formula, scope: &mut Scope<'a>) -> Elab<Option<TypeIdx>> {
        match &formula.kind {
            FormulaKind::Empty => Ok(None),
            FormulaKind::Place(name) => {
                let place = self.place_named(name, scope.module)?;
                Ok(Some(self.places[place.index()].domain))
            }
            FormulaKind::Sum(items) => {
                for item in items {
                    if let Some(ty) = self.item_type(item, scope)? {
                        return Ok(Some(ty));
                    }
                }
                Ok(None)
            }
            FormulaKind::Atom(inner)
            | FormulaKind::Filter(_, inner, _)
            | FormulaKind::Binary(Binary::Times, _, inner) => self.item_type(inner, scope),
            FormulaKind::Binary(Binary::Union | Binary::Minus | Binary::Intersect, left, right) => {
                match self.item_type(left, scope)? {
                    Some(ty) => Ok(Some(ty)),
                    None => self.item_type(right, scope),
                }
            }
            FormulaKind::Quantified(quantified) if quantified.quantifier == Quantifier::Sum => {
                let ty = self.named_type(&quantified.ty, scope.module)?;
                self.type_with(&quantified.var.text, ty, &quantified.body, formula.span, scope)
            }
            FormulaKind::Map(_, var, bag, image) => match self.item_type(bag, scope)? {
                Some(ty) => self.type_with(&var.text, ty, image, formula.span, scope),
                None => Ok(None),
            },
            FormulaKind::Choice(_, alternatives) if alternatives.iter().any(is_bag) => {
                for alternative in alternatives {
                    if let Some(ty) = self.item_type(alternative, scope)? {
                        return Ok(Some(ty));
                    }
                }
                Ok(None)
            }
            _ if self.is_typable(formula, scope) => {
                // Only the type matters: what is declared on the way is declared again.
                let mut apart = scope.clone();
                Ok(Some(self.value(formula, None, &mut apart)?.ty))
            }
            _ => Ok(None),
        }
    }

    /// The type of a multi-set's items in which a name stands for a value of some type.
    fn type_with(
        &mut self,
        name: &str,
        ty: TypeIdx,
        formula: &'a Formula,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Option<TypeIdx>> {
        let value = Expr { kind: ExprKind::Const(self.types.first_value(ty)), ty, span };
        scope.locals.push((name.to_owned(), value));
        let found = self.item_type(formula, scope);
        scope.locals.pop();
        found
    }

    /// `map x { bag } image` and `map n # x { bag } image`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one formula and its context")]
    fn mapped(
        &mut self,
        count: Option<&Name>,
        var: &Name,
        bag: &'a Formula,
        image: &'a Formula,
        ty: TypeIdx,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Vec<Term>> {
        let Some(item_type) = self.item_type(bag, scope)? else { return Err(of_which_type(bag.span)) };
        let bag = self.bag(bag, item_type, scope)?;
        let Some(count) = count else {
            let over = self.over_items(bag, item_type, span, scope);
            scope.locals.push((var.text.clone(), over.token.clone()));
            let images = self.terms(image, ty, scope);
            scope.locals.pop();
            return Ok(images?.into_iter().map(|image| within(&over.iters, image)).collect());
        };
        // The multiplicity is a value of its own, so each item counts once.
        let over = self.over_items(BagExpr::Support(Box::new(bag.clone())), item_type, span, scope);
        let times = self.times(bag, &over.token, item_type, span, scope)?;
        scope.locals.push((var.text.clone(), over.token.clone()));
        scope.locals.push((count.text.clone(), times));
        let images = self.terms(image, ty, scope);
        scope.locals.truncate(scope.locals.len() - 2);
        Ok(images?.into_iter().map(|image| within(&over.iters, image)).collect())
    }

    /// How often an item is in a multi-set.
    fn times(
        &mut self,
        bag: BagExpr,
        item: &Expr,
        ty: TypeIdx,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let other = scope.variable(Name::predefined("other"), ty);
        let iters = vec![Iter { var: other, domain: IterDomain::Bag(Box::new(bag)), span }];
        let same = ExprKind::Binary(
            BinaryOp::Eq,
            Box::new(Expr { kind: ExprKind::Var(other), ty, span }),
            Box::new(item.clone()),
        );
        let condition = Some(Box::new(self.made(same, self.basic.bool, span)?));
        let kind = ExprKind::Iterate { fold: petite_net::Fold::Mult, iters, condition, body: None };
        self.made(kind, self.basic.unsigned, span)
    }

    /// The term that runs over the items of a multi-set.
    pub(super) fn over_items(
        &mut self,
        bag: BagExpr,
        ty: TypeIdx,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Term {
        let var = scope.variable(Name::predefined("item"), ty);
        let token = Expr { kind: ExprKind::Var(var), ty, span };
        let iters = vec![Iter { var, domain: IterDomain::Bag(Box::new(bag)), span }];
        Term { iters, ..single(token, span) }
    }

    fn multiplied(&mut self, term: Term, factor: &Expr) -> Elab<Term> {
        let factor = match term.factor {
            None => factor.clone(),
            Some(other) => {
                let kind = ExprKind::Binary(BinaryOp::Mul, Box::new(factor.clone()), Box::new(other));
                self.made(kind, self.basic.unsigned, factor.span)?
            }
        };
        let is_one = matches!(factor.kind, ExprKind::Const(Value::Int(1)));
        Ok(Term { factor: (!is_one).then_some(factor), ..term })
    }

    /// A term under a condition; none where that never holds.
    pub(super) fn restricted(&mut self, term: Term, condition: Expr) -> Elab<Option<Term>> {
        let condition = match term.condition {
            None => condition,
            Some(other) => {
                let span = condition.span;
                self.both(condition, other, span)?
            }
        };
        Ok(match &condition.kind {
            ExprKind::Const(value) if value.int() == 0 => None,
            ExprKind::Const(_) => Some(Term { condition: None, ..term }),
            _ => Some(Term { condition: Some(condition), ..term }),
        })
    }

    /// Terms that are known are evaluated once for all.
    pub(super) fn written_out(&self, terms: Vec<Term>) -> Vec<Term> {
        let is_plain = |term: &Term| {
            matches!(term.token.kind, ExprKind::Const(_)) && term.iters.is_empty() && term.condition.is_none()
        };
        if terms.iter().all(is_plain) || !terms.iter().all(is_closed) {
            return terms;
        }
        let n_vars = terms.iter().map(most_variables).max().unwrap_or(0);
        let mut frame = vec![Value::Int(0); n_vars];
        match Evaluator::new(&self.types, &[]).terms(&terms, &mut frame, None) {
            Ok(sum) if sum.n_distinct() <= MAX_WRITTEN_OUT => {
                let (ty, span) = (terms[0].token.ty, terms[0].span);
                let written = |(value, count): (&Value, u32)| {
                    let token = Expr { kind: ExprKind::Const(value.clone()), ty, span };
                    let number = ExprKind::Const(Value::Int(i64::from(count)));
                    let factor = Expr { kind: number, ty: self.basic.unsigned, span };
                    Term { factor: (count != 1).then_some(factor), ..single(token, span) }
                };
                sum.iter().map(written).collect()
            }
            _ => terms,
        }
    }
}

/// A term that stands for one token.
pub(super) fn single(token: Expr, span: Span) -> Term {
    Term { sign: Sign::Plus, iters: Vec::new(), condition: None, factor: None, token, span }
}

/// A term inside iterations.
pub(super) fn within(iters: &[Iter], term: Term) -> Term {
    Term { iters: iters.iter().cloned().chain(term.iters).collect(), ..term }
}

/// Whether a formula can only be a multi-set.
pub(super) fn is_bag(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Empty
        | FormulaKind::Sum(_)
        | FormulaKind::Place(_)
        | FormulaKind::Filter(..)
        | FormulaKind::Map(..)
        | FormulaKind::Binary(Binary::Times | Binary::Union | Binary::Minus | Binary::Intersect, ..) => true,
        FormulaKind::Quantified(quantified) => quantified.quantifier == Quantifier::Sum,
        FormulaKind::Atom(inner) => is_bag(inner),
        FormulaKind::Choice(_, alternatives) => alternatives.iter().any(is_bag),
        _ => false,
    }
}

/// Whether a term depends on nothing but its own iterations.
fn is_closed(term: &Term) -> bool {
    !term.reads_marking() && closed(term, &mut Vec::new())
}

fn closed(term: &Term, bound: &mut Vec<usize>) -> bool {
    let outer = bound.len();
    let mut all = true;
    for iter in &term.iters {
        all = all
            && match &iter.domain {
                IterDomain::Bag(bag) => closed_bag(bag, bound),
                _ => {
                    let mut parts = true;
                    iter.for_each_part(&mut |part| parts = parts && closed_expr(part, bound));
                    parts
                }
            };
        bound.push(iter.var.index());
    }
    let mut parts = term.condition.iter().chain(&term.factor).chain([&term.token]);
    all = all && parts.all(|part| closed_expr(part, bound));
    bound.truncate(outer);
    all
}

fn closed_bag(bag: &BagExpr, bound: &mut Vec<usize>) -> bool {
    match bag {
        BagExpr::Terms(terms) => terms.iter().all(|term| closed(term, bound)),
        BagExpr::Place(_) => false,
        BagExpr::Support(bag) => closed_bag(bag, bound),
        BagExpr::Minus(left, right) | BagExpr::Intersection(left, right) => {
            closed_bag(left, bound) && closed_bag(right, bound)
        }
    }
}

/// Whether all variables of an expression are bound; those of its own iterations are taken as not bound, which
/// only means that it is not evaluated ahead.
fn closed_expr(expr: &Expr, bound: &[usize]) -> bool {
    match &expr.kind {
        ExprKind::Var(var) => bound.contains(&var.index()),
        ExprKind::Iterate { .. } | ExprKind::Compare(..) | ExprKind::Multiplicity(..) => false,
        _ => {
            let mut all = true;
            expr.for_each_part(&mut |part| all = all && closed_expr(part, bound));
            all
        }
    }
}

/// One more than the greatest variable of a term's iterations.
fn most_variables(term: &Term) -> usize {
    let of_iter = |iter: &Iter| {
        let nested = match &iter.domain {
            IterDomain::Bag(bag) => most_in_bag(bag),
            _ => 0,
        };
        nested.max(iter.var.index() + 1)
    };
    term.iters.iter().map(of_iter).max().unwrap_or(0)
}

fn most_in_bag(bag: &BagExpr) -> usize {
    match bag {
        BagExpr::Terms(terms) => terms.iter().map(most_variables).max().unwrap_or(0),
        BagExpr::Place(_) => 0,
        BagExpr::Support(bag) => most_in_bag(bag),
        BagExpr::Minus(left, right) | BagExpr::Intersection(left, right) => {
            most_in_bag(left).max(most_in_bag(right))
        }
    }
}

fn of_which_type(span: Span) -> Diagnostic {
    Diagnostic::new(span, "the type of these items is not known")
        .label("of which type?")
        .help("say it with a cast of an item, as in `is T x`")
}
