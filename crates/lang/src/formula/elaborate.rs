//! From trees to formulas in which every name is resolved and every part is of the right type.
//!
//! A tree is a *condition* (true or false, perhaps of a run), a *number*, or a *value* of a colour. Quantifiers are carried
//! out: `forall (x in T)` is a conjunction with one part for each value of T.

use petite_net::{
    Comparison, Formula, FormulaKind, Number, Predicate, Query, Question, Span, TypeIdx, Types, Value,
};

use super::names::Names;
use super::tree::{Domain, Fold, Infix, Operator, Quantifier, Stated, Tree, TreeKind};
use crate::Diagnostic;

/// Most parts that all quantifiers of a formula together may stand for.
const MAX_PARTS: usize = 200_000;

type Elab<T> = Result<T, Diagnostic>;

/// A variable of a quantifier, with the value it has at the moment.
pub(super) struct Variable {
    pub name: String,
    /// Its type; a range of numbers has none.
    pub ty: Option<TypeIdx>,
    pub value: Value,
}

pub(super) struct Elaborator<'n> {
    pub names: &'n Names<'n>,
    pub variables: Vec<Variable>,
    /// Parts made so far.
    n_parts: usize,
}

/// The question that a tree states.
pub(super) fn question(names: &Names<'_>, stated: &Stated, name: String) -> Elab<Query> {
    let mut elaborator = Elaborator { names, variables: Vec::new(), n_parts: 0 };
    let question = if stated.is_bound {
        Question::Bound(elaborator.number(&stated.tree)?)
    } else {
        Question::Holds(elaborator.formula(&stated.tree)?)
    };
    Ok(Query { name, question, span: stated.tree.span })
}

impl Elaborator<'_> {
    pub fn types(&self) -> &Types {
        &self.names.net.types
    }

    fn formula(&mut self, tree: &Tree) -> Elab<Formula> {
        let span = tree.span;
        self.count(1, span)?;
        let state = |predicate| Ok(Formula::state(predicate, span));
        let of = |kind| Ok(Formula { kind, span });
        match &tree.kind {
            TreeKind::Const(truth) => state(Predicate::Const(*truth)),
            TreeKind::Deadlock => state(Predicate::Deadlock),
            TreeKind::Enabled(names) => {
                let all: Elab<Vec<_>> =
                    names.iter().map(|name| self.names.transition(&name.text, name.span)).collect();
                state(Predicate::Enabled(all?))
            }
            TreeKind::Name(name) => match self.names.proposition(name) {
                Some(proposition) => state(Predicate::Proposition(proposition)),
                None => Err(self.no_condition(name, span)),
            },
            TreeKind::Not(body) => Ok(self.formula(body)?.negated()),
            TreeKind::Path(quantifier, body) => {
                let body = Box::new(self.formula(body)?);
                of(match quantifier {
                    Quantifier::All => FormulaKind::All(body),
                    Quantifier::Exists => FormulaKind::Exists(body),
                })
            }
            TreeKind::Temporal(operator, body) => {
                let body = Box::new(self.formula(body)?);
                of(match operator {
                    Operator::Globally => FormulaKind::Globally(body),
                    Operator::Finally => FormulaKind::Finally(body),
                    Operator::Next => FormulaKind::Next(body),
                })
            }
            TreeKind::Each { fold: fold @ (Fold::Forall | Fold::Exists), .. } => {
                let mut parts = Vec::new();
                self.each(tree, &mut |elaborator, body| {
                    parts.push(elaborator.formula(body)?);
                    Ok(())
                })?;
                Ok(match fold {
                    Fold::Forall => Formula::and(parts, span),
                    _ => Formula::or(parts, span),
                })
            }
            TreeKind::Infix(Infix::Compare(comparison), left, right) => {
                state(self.comparison(*comparison, left, right)?)
            }
            TreeKind::Infix(operator, left, right) if !is_arithmetic(*operator) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                self.connective(*operator, left, right, span)
            }
            TreeKind::Any | TreeKind::Tuple(_) => {
                Err(Diagnostic::new(span, "a colour where a condition is expected")
                    .label("colours stand only in brackets behind a place, as in p[1, _]"))
            }
            _ => Err(Diagnostic::new(span, "a number where a condition is expected")
                .label("this is a number")
                .help("compare it with another one, as in `p > 0`")),
        }
    }

    fn connective(&mut self, operator: Infix, left: Formula, right: Formula, span: Span) -> Elab<Formula> {
        let of = |kind| Formula { kind, span };
        Ok(match operator {
            Infix::And => Formula::and(vec![left, right], span),
            Infix::Or => Formula::or(vec![left, right], span),
            Infix::Implies => Formula::or(vec![left.negated(), right], span),
            Infix::Iff => {
                // Both sides are written twice, so formulas may double in size with each nesting.
                self.count(left.n_parts() + right.n_parts(), span)?;
                let both = Formula::and(vec![left.clone(), right.clone()], span);
                let neither = Formula::and(vec![left.negated(), right.negated()], span);
                Formula::or(vec![both, neither], span)
            }
            Infix::Until => of(FormulaKind::Until(Box::new(left), Box::new(right))),
            Infix::Release => of(FormulaKind::Release(Box::new(left), Box::new(right))),
            _ => {
                // p W q: q releases p or q.
                self.count(right.n_parts(), span)?;
                let either = Formula::or(vec![left, right.clone()], span);
                of(FormulaKind::Release(Box::new(right), Box::new(either)))
            }
        })
    }

    fn comparison(&mut self, comparison: Comparison, left: &Tree, right: &Tree) -> Elab<Predicate> {
        // Constants of enumerations have no number: they compare with values of their type only.
        let ty = self.enumeration(left).or_else(|| self.enumeration(right));
        if let Some(ty) = ty {
            let (left, right) = (self.value(left, ty)?, self.value(right, ty)?);
            return Ok(Predicate::Const(comparison.holds(i128::from(left.int()), i128::from(right.int()))));
        }
        Ok(Predicate::Compare(comparison, self.number(left)?, self.number(right)?))
    }

    /// The enumeration that a tree is surely a value of.
    fn enumeration(&self, tree: &Tree) -> Option<TypeIdx> {
        let TreeKind::Name(name) = &tree.kind else { return None };
        match self.variable(name) {
            Some(variable) => {
                variable.ty.filter(|&ty| matches!(self.types()[ty].kind, petite_net::Kind::Enum { .. }))
            }
            None if self.names.find_place(name).is_some() || self.names.param(name).is_some() => None,
            None => self.names.constant(name, None).map(|(ty, _)| ty),
        }
    }

    pub fn number(&mut self, tree: &Tree) -> Elab<Number> {
        let span = tree.span;
        self.count(1, span)?;
        match &tree.kind {
            TreeKind::Number(number) => Ok(Number::Const(*number)),
            TreeKind::Name(name) => self.named_number(name, span),
            TreeKind::Tokens(name) => Ok(Number::Tokens(self.names.place(&name.text, name.span)?)),
            TreeKind::Distinct(name) => Ok(Number::Distinct(self.names.place(&name.text, name.span)?)),
            TreeKind::Coloured(name, colour) => {
                let place = self.names.place(&name.text, name.span)?;
                Ok(Number::Fitting(place, self.pattern(place, colour, span)?))
            }
            TreeKind::Minus(body) => Ok(Number::Minus(Box::new(self.number(body)?))),
            TreeKind::Infix(Infix::Plus, left, right) => {
                Ok(Number::Sum(vec![self.number(left)?, self.number(right)?]))
            }
            TreeKind::Infix(Infix::Minus, left, right) => {
                Ok(Number::Sum(vec![self.number(left)?, Number::Minus(Box::new(self.number(right)?))]))
            }
            TreeKind::Infix(Infix::Times, left, right) => {
                Ok(Number::Product(vec![self.number(left)?, self.number(right)?]))
            }
            TreeKind::Each { fold: Fold::Sum, .. } => {
                let mut parts = Vec::new();
                self.each(tree, &mut |elaborator, body| {
                    parts.push(elaborator.number(body)?);
                    Ok(())
                })?;
                Ok(Number::Sum(parts))
            }
            TreeKind::Any | TreeKind::Tuple(_) => {
                Err(Diagnostic::new(span, "a colour where a number is expected")
                    .label("colours stand only in brackets behind a place, as in p[1, _]"))
            }
            _ => Err(Diagnostic::new(span, "a condition where a number is expected")
                .label("this is true or false")
                .help("numbers are counts of tokens, sums of them and constants")),
        }
    }

    fn named_number(&mut self, name: &str, span: Span) -> Elab<Number> {
        if let Some(variable) = self.variable(name) {
            return match &variable.value {
                Value::Int(number) => Ok(Number::Const(*number)),
                _ => {
                    Err(Diagnostic::new(span, format!("`{name}` is no number"))
                        .label("its values are tuples"))
                }
            };
        }
        if let Some(place) = self.names.find_place(name) {
            return Ok(Number::Tokens(place));
        }
        if let Some(value) = self.names.param(name) {
            return Ok(Number::Const(value));
        }
        if self.names.proposition(name).is_some() {
            return Err(Diagnostic::new(
                span,
                format!("the proposition `{name}` where a number is expected"),
            )
            .label("this is true or false"));
        }
        self.names.place(name, span).map(Number::Tokens)
    }

    /// Carries out a quantifier: calls `make` for each value of its variable.
    fn each(&mut self, tree: &Tree, make: &mut dyn FnMut(&mut Self, &Tree) -> Elab<()>) -> Elab<()> {
        let TreeKind::Each { variable, domain, body, .. } = &tree.kind else { return Ok(()) };
        let mut bind = |elaborator: &mut Self, ty: Option<TypeIdx>, value: Value| {
            elaborator.count(1, tree.span)?;
            elaborator.variables.push(Variable { name: variable.text.clone(), ty, value });
            let made = make(elaborator, body);
            elaborator.variables.pop();
            made
        };
        match domain {
            Domain::Range(low, high) => {
                let (low, high) = (self.constant(low)?, self.constant(high)?);
                for number in low..=high {
                    bind(self, None, Value::Int(number))?;
                }
            }
            Domain::Type(name) => {
                let ty = self.names.type_named(name)?;
                let net = self.names.net;
                let Some(values) = net.types.values(ty) else {
                    return Err(Diagnostic::new(
                        name.span,
                        format!("the type {} has too many values", name.text),
                    )
                    .label("cannot be listed"));
                };
                for value in values {
                    bind(self, Some(ty), value)?;
                }
            }
        }
        Ok(())
    }

    /// The value of a number that does not depend on the state.
    pub fn constant(&mut self, tree: &Tree) -> Elab<i64> {
        let number = self.number(tree)?;
        value_of(&number).ok_or_else(|| {
            Diagnostic::new(tree.span, "expected a constant number")
                .label("depends on the state, or is too large")
        })
    }

    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().rev().find(|variable| variable.name == name)
    }

    fn no_condition(&self, name: &str, span: Span) -> Diagnostic {
        if self.variable(name).is_some()
            || self.names.find_place(name).is_some()
            || self.names.param(name).is_some()
        {
            return Diagnostic::new(span, format!("`{name}` is a number where a condition is expected"))
                .label("this is a number")
                .help(format!("compare it with another one, as in `{name} > 0`"));
        }
        let all = self.names.net.propositions.iter().map(|proposition| proposition.name.text.as_str());
        let places = self.names.net.places.iter().map(|place| place.name.text.as_str());
        self.names.unknown("place or proposition", name, span, all.chain(places))
    }

    fn count(&mut self, n: usize, span: Span) -> Elab<()> {
        self.n_parts = self.n_parts.saturating_add(n);
        if self.n_parts > MAX_PARTS {
            return Err(Diagnostic::new(
                span,
                format!("this formula stands for more than {MAX_PARTS} parts"),
            )
            .label("too many values, or too deeply nested `<->`")
            .help("use `_` for components that do not matter, or a proposition of the model"));
        }
        Ok(())
    }
}

fn is_arithmetic(operator: Infix) -> bool {
    matches!(operator, Infix::Plus | Infix::Minus | Infix::Times)
}

fn value_of(number: &Number) -> Option<i64> {
    match number {
        Number::Const(value) => Some(*value),
        Number::Minus(body) => value_of(body)?.checked_neg(),
        Number::Sum(parts) => parts.iter().try_fold(0i64, |sum, part| sum.checked_add(value_of(part)?)),
        Number::Product(parts) => {
            parts.iter().try_fold(1i64, |product, part| product.checked_mul(value_of(part)?))
        }
        Number::Tokens(_) | Number::Distinct(_) | Number::Fitting(..) => None,
    }
}
