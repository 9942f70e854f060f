//! Formulas that stand for values.

use petite_net::{
    BinaryOp, Cardinality, Expr, ExprKind, Failure, Fold, Iter, IterDomain, Name, Span, TypeIdx, Value,
};

use super::scope::{Scope, Site};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{Binary, Formula, FormulaKind, Quantifier, Unary};

impl<'a> Elaborator<'a> {
    /// A formula as a value of a type.
    pub(super) fn value_of(
        &mut self,
        formula: &'a Formula,
        ty: TypeIdx,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let expr = self.value(formula, Some(ty), scope)?;
        self.converted(expr, ty)
    }

    /// A formula as a truth value.
    pub(super) fn truth(&mut self, formula: &'a Formula, scope: &mut Scope<'a>) -> Elab<Expr> {
        self.value_of(formula, self.basic.bool, scope)
    }

    /// A formula as a value; `hint` is the type that is expected, if one is.
    pub(super) fn value(
        &mut self,
        formula: &'a Formula,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let span = formula.span;
        match &formula.kind {
            FormulaKind::Bool(truth) => Ok(self.bool_const(*truth, span)),
            FormulaKind::Number(number) => {
                let value = Value::Int(i64::from(*number));
                let base = hint.filter(|&ty| self.is_numeric(ty)).map(|ty| self.types.root(ty));
                let base = base.filter(|&base| self.types.contains(base, &value));
                let ty = base.unwrap_or(self.basic.unsigned);
                Ok(Expr { kind: ExprKind::Const(value), ty, span })
            }
            FormulaKind::Character(code) => {
                Ok(Expr { kind: ExprKind::Const(Value::Int(i64::from(*code))), ty: self.basic.char, span })
            }
            FormulaKind::Name(name) => self.name(name, span, hint, scope),
            FormulaKind::Undefined | FormulaKind::Fatal => self.failing(formula, hint, scope),
            FormulaKind::Count(name) => {
                let ty = self.named_type(name, scope.module)?;
                match self.types.cardinality(ty) {
                    Cardinality::Word(n_values) if n_values <= u64::from(u32::MAX) => {
                        let number = Value::Int(n_values as i64);
                        Ok(Expr { kind: ExprKind::Const(number), ty: self.basic.unsigned, span })
                    }
                    _ => Err(Diagnostic::new(
                        span,
                        format!("type {name} has more values than 32 bits can count"),
                    )
                    .label("too many values")
                    .help("use a smaller type")),
                }
            }
            FormulaKind::Least(name) | FormulaKind::Greatest(name) => {
                let ty = self.named_type(name, scope.module)?;
                self.refuse_order(ty, span)?;
                let value = match formula.kind {
                    FormulaKind::Least(_) => self.types.first_value(ty),
                    _ => self.types.last_value(ty),
                };
                Ok(Expr { kind: ExprKind::Const(value), ty, span })
            }
            FormulaKind::Call(name, arguments) => self.call(name, arguments, hint, scope),
            FormulaKind::Atom(inner) => self.value(inner, hint, scope),
            FormulaKind::Braces(items) => self.braces(items, span, hint, scope),
            FormulaKind::Variant(component, value) => self.variant(component, value, span, hint, scope),
            FormulaKind::Cast(name, operand) => {
                let ty = self.named_type(name, scope.module)?;
                let typable = self.is_typable(operand, scope);
                let expr = self.value(operand, Some(ty), scope)?;
                if typable { self.cast(expr, ty, span) } else { self.converted(expr, ty) }
            }
            FormulaKind::Is(operand, component) => self.is_component(operand, component, span, scope),
            FormulaKind::Component(whole, component) => self.component(whole, component, span, scope),
            FormulaKind::Index(whole, index) => self.element(whole, index, span, scope),
            FormulaKind::WithComponent(whole, component, value) => {
                self.with_component(whole, component, value, span, hint, scope)
            }
            FormulaKind::WithElement(whole, index, value) => {
                self.with_element(whole, index, value, span, hint, scope)
            }
            FormulaKind::Unary(op, operand) => self.unary(*op, operand, span, hint, scope),
            FormulaKind::Binary(op, left, right) => self.binary(*op, left, right, span, hint, scope),
            FormulaKind::Choice(subject, alternatives) => {
                self.choice(subject, alternatives, span, hint, scope)
            }
            FormulaKind::Output(ty, name, condition) => {
                self.output(ty, name.as_ref(), condition.as_deref(), span, scope)
            }
            FormulaKind::Indexed(name, quantifier, which) => {
                self.indexed(name, quantifier.as_ref(), *which, span, hint, scope)
            }
            FormulaKind::Quantified(quantified) if quantified.quantifier != Quantifier::Sum => {
                self.quantified_truth(quantified, span, scope)
            }
            FormulaKind::Trans(..) => {
                Err(Diagnostic::new(span, "transitions can only be named in fairness assumptions")
                    .label("no value")
                    .help("write a condition on variables or places"))
            }
            FormulaKind::Empty
            | FormulaKind::Sum(_)
            | FormulaKind::Quantified(_)
            | FormulaKind::Place(_)
            | FormulaKind::Filter(..)
            | FormulaKind::Map(..) => Err(no_value(span)),
        }
    }

    /// `undefined` and `fatal`.
    fn failing(&mut self, formula: &Formula, hint: Option<TypeIdx>, scope: &Scope<'a>) -> Elab<Expr> {
        let span = formula.span;
        if scope.site == Site::Property {
            // A property that would be an error is one that is to be reported.
            return Ok(self.bool_const(true, span));
        }
        let failure = match formula.kind {
            FormulaKind::Fatal => Failure::Fatal,
            _ => Failure::Undefined,
        };
        Ok(Expr { kind: ExprKind::Fail(failure), ty: hint.unwrap_or(self.basic.bool), span })
    }

    /// Identifiers have no order.
    pub(super) fn refuse_order(&self, ty: TypeIdx, span: Span) -> Elab<()> {
        if !self.ids.contains(&ty) {
            return Ok(());
        }
        Err(Diagnostic::new(span, format!("the identifiers of type {} have no order", self.type_name(ty)))
            .label("needs an order")
            .help("identifiers can only be compared with == and !=, and quantified over"))
    }

    /// `subject ? a : b : c`, the first alternative for the greatest value.
    fn choice(
        &mut self,
        subject: &'a Formula,
        alternatives: &'a [Formula],
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let subject = self.subject(subject, alternatives.len(), scope)?;
        let lead = alternatives.iter().position(|alternative| self.is_strongly_typable(alternative, scope));
        let mut ty = hint;
        let mut exprs: Vec<Option<Expr>> = vec![None; alternatives.len()];
        if ty.is_none()
            && let Some(lead) = lead
        {
            let expr = self.value(&alternatives[lead], None, scope)?;
            ty = Some(expr.ty);
            exprs[lead] = Some(expr);
        }
        for (alternative, expr) in alternatives.iter().zip(&mut exprs) {
            if expr.is_none() {
                let found = self.value(alternative, ty, scope)?;
                ty = ty.or(Some(found.ty));
                *expr = Some(found);
            }
        }
        // A constraint that one of them has need not hold for the others.
        let exprs: Vec<Expr> = exprs.into_iter().flatten().collect();
        let mut common = exprs.first().map_or(self.basic.bool, |expr| expr.ty);
        if exprs.iter().any(|expr| expr.ty != common) {
            common = match hint {
                Some(hint) => hint,
                None => self.types.root(common),
            };
        }
        let exprs = exprs.into_iter().map(|expr| self.converted(expr, common)).collect::<Elab<Vec<_>>>()?;
        self.chosen(&subject, exprs, span)
    }

    /// The value that a choice depends on.
    pub(super) fn subject(&mut self, subject: &'a Formula, n: usize, scope: &mut Scope<'a>) -> Elab<Expr> {
        let span = subject.span;
        let subject = self.value(subject, Some(self.basic.bool), scope)?;
        if self.types.cardinality(subject.ty) == Cardinality::Word(n as u64) {
            return Ok(subject);
        }
        let values = match self.types.cardinality(subject.ty) {
            Cardinality::Word(values) => values.to_string(),
            Cardinality::Huge => "very many".to_owned(),
        };
        let message =
            format!("{n} alternatives for the {values} values of type {}", self.type_name(subject.ty));
        Err(Diagnostic::new(span, message)
            .label("decides between the alternatives")
            .help("write one alternative for each value, the first for the greatest"))
    }

    /// The alternative for the value of a subject.
    fn chosen(&mut self, subject: &Expr, mut alternatives: Vec<Expr>, span: Span) -> Elab<Expr> {
        let n = alternatives.len();
        let Some(mut result) = alternatives.pop() else { return Err(no_value(span)) };
        for (i, alternative) in alternatives.into_iter().enumerate().rev() {
            let ty = alternative.ty;
            let is_it = self.has_rank(subject, (n - 1 - i) as u64, span)?;
            if let ExprKind::Const(value) = &is_it.kind {
                if value.int() != 0 {
                    result = alternative;
                }
                continue;
            }
            let kind = ExprKind::If(Box::new(is_it), Box::new(alternative), Box::new(result));
            result = self.made(kind, ty, span)?;
        }
        Ok(result)
    }

    /// Whether a value is number `rank` of its type.
    pub(super) fn has_rank(&mut self, subject: &Expr, rank: u64, span: Span) -> Elab<Expr> {
        if self.is_bool(subject.ty) && self.types.cardinality(subject.ty) == Cardinality::Word(2) {
            return if rank == 1 { Ok(subject.clone()) } else { self.negated(subject.clone(), span) };
        }
        let position = self.made(ExprKind::Rank(Box::new(subject.clone())), self.basic.unsigned, span)?;
        let rank = Expr { kind: ExprKind::Const(Value::Int(rank as i64)), ty: self.basic.unsigned, span };
        let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(position), Box::new(rank));
        self.made(kind, self.basic.bool, span)
    }

    /// Number of items of a multi-set.
    pub(super) fn cardinality(
        &mut self,
        operand: &'a Formula,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let (bag, ty) = self.bag_of_unknown(operand, scope)?;
        let var = scope.variable(Name::predefined("item"), ty);
        let iters = vec![Iter { var, domain: IterDomain::Bag(Box::new(bag)), span }];
        let kind = ExprKind::Iterate { fold: Fold::Mult, iters, condition: None, body: None };
        self.made(kind, self.basic.unsigned, span)
    }

    /// Whether the type of a formula is known without one that is expected.
    pub(super) fn is_typable(&self, formula: &Formula, scope: &Scope<'a>) -> bool {
        match &formula.kind {
            FormulaKind::Name(name) => self.is_resolvable(name, scope),
            FormulaKind::Undefined
            | FormulaKind::Fatal
            | FormulaKind::Braces(_)
            | FormulaKind::Variant(..) => false,
            FormulaKind::Indexed(name, quantifier, which) => {
                self.known_indexed(name, quantifier.as_ref(), *which, scope).is_some()
            }
            FormulaKind::Atom(inner) => self.is_typable(inner, scope),
            FormulaKind::Component(whole, _) | FormulaKind::Index(whole, _) => self.is_typable(whole, scope),
            FormulaKind::WithComponent(whole, ..) | FormulaKind::WithElement(whole, ..) => {
                self.is_typable(whole, scope)
            }
            FormulaKind::Unary(
                Unary::Minus | Unary::Complement | Unary::Successor | Unary::Predecessor | Unary::Head,
                operand,
            ) => self.is_typable(operand, scope),
            FormulaKind::Binary(op, left, right) => match op {
                Binary::Add
                | Binary::Sub
                | Binary::Mul
                | Binary::Div
                | Binary::Rem
                | Binary::BitAnd
                | Binary::BitOr
                | Binary::BitXor => self.is_typable(left, scope) || self.is_typable(right, scope),
                Binary::ShiftLeft | Binary::ShiftRight => self.is_typable(left, scope),
                _ => true,
            },
            FormulaKind::Choice(_, alternatives) => {
                alternatives.iter().any(|alternative| self.is_typable(alternative, scope))
            }
            _ => true,
        }
    }

    /// The same, where a bare number does not count: it adapts to what is around it.
    pub(super) fn is_strongly_typable(&self, formula: &Formula, scope: &Scope<'a>) -> bool {
        match &formula.kind {
            FormulaKind::Number(_) => false,
            FormulaKind::Atom(inner) | FormulaKind::Unary(Unary::Minus | Unary::Complement, inner) => {
                self.is_strongly_typable(inner, scope)
            }
            FormulaKind::Binary(
                Binary::Add
                | Binary::Sub
                | Binary::Mul
                | Binary::Div
                | Binary::Rem
                | Binary::BitAnd
                | Binary::BitOr
                | Binary::BitXor,
                left,
                right,
            ) => self.is_strongly_typable(left, scope) || self.is_strongly_typable(right, scope),
            FormulaKind::Choice(_, alternatives) => {
                alternatives.iter().any(|alternative| self.is_strongly_typable(alternative, scope))
            }
            _ => self.is_typable(formula, scope),
        }
    }
}

/// That a multi-set stands where a value is expected.
pub(super) fn no_value(span: Span) -> Diagnostic {
    Diagnostic::new(span, "expected a value, found a multi-set")
        .label("a multi-set")
        .help("ask something of it, as in `cardinality place p` or `place p equals empty`")
}
