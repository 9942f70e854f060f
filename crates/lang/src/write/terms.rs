//! Expressions in the words of symmetric nets, found by what they compute.
//!
//! An expression on one variable is evaluated for each of the variable's values. If each gives the value that many
//! places further round its type, the expression is that many successors of the variable; so `x + 1` modulo
//! something, `succ x`, and `x % 5 + 1` on the range 1..5 all come out the same. A condition that is no comparison of
//! such expressions becomes the list of all values for which it holds, where there are not too many. Iterations in
//! inscriptions are sums over all values of a type, or are carried out here.
//!
//! An expression that cannot be evaluated for some value is not put into words at all: it might be an error of the
//! model there.
//!
//! **Cost**: one evaluation for each value, at most [`MAX_VALUES`] for an expression.

use std::collections::HashMap;

use petite_net::{
    BinaryOp, Cardinality, Evaluator, Expr, ExprKind, IterDomain, Net, Span, Term, Transition, UnaryOp,
    Value, VarIdx,
};

use super::sorts::{Sort, SortId, Sorts};
use super::symmetric::subterm;
use super::{Unsayable, unsayable};

/// Most values that an expression is evaluated for, and most summands that an iteration is carried out to.
const MAX_VALUES: u64 = 10_000;

/// Most combinations that a condition is listed with.
const MAX_LISTED: usize = 2_000;

/// Most neighbours in a row.
const MAX_STEPS: i64 = 16;

/// What the expressions around one transition are put into words with.
pub(super) struct Scope<'s> {
    pub net: &'s Net,
    pub transition: &'s Transition,
    pub evaluator: Evaluator<'s>,
    pub sorts: &'s mut Sorts,
    pub variables: &'s mut Vec<(String, SortId)>,
    pub numbers: &'s mut HashMap<(String, SortId), usize>,
    /// Which variables of the transition stand in what was written.
    pub used: &'s mut [bool],
}

/// A single value in words.
struct Said {
    text: String,
    sort: SortId,
}

impl Scope<'_> {
    /// The tokens that a term stands for, with their multiplicities.
    pub fn term(&mut self, term: &Term, domain: &[SortId]) -> Result<Vec<(u32, String)>, Unsayable> {
        let components = match &term.token.kind {
            ExprKind::Tuple(components) => components.clone(),
            ExprKind::Const(Value::Tuple(items)) => {
                let fixed = |item: &Value| Expr { kind: ExprKind::Const(item.clone()), ..term.token.clone() };
                items.iter().map(fixed).collect()
            }
            _ => return unsayable("a token that is not written as a tuple", term.token.span),
        };
        match self.whole_types(term, &components, domain)? {
            Some(token) => Ok(vec![token]),
            None => self.carried_out(term, &components, domain),
        }
    }

    /// A term whose iterations run over all values of components, in words: none for other terms.
    fn whole_types(
        &mut self,
        term: &Term,
        components: &[Expr],
        domain: &[SortId],
    ) -> Result<Option<(u32, String)>, Unsayable> {
        let factor = match term.factor.as_ref().map(|factor| &factor.kind) {
            None => Some(1),
            Some(ExprKind::Const(Value::Int(factor))) => u32::try_from(*factor).ok().filter(|&f| f > 0),
            Some(_) => None,
        };
        let Some(factor) = factor.filter(|_| !term.iters.is_empty() && term.condition.is_none()) else {
            return Ok(None);
        };
        let mut all = vec![false; components.len()];
        for iter in &term.iters {
            let IterDomain::Type(ty, None) = iter.domain else { return Ok(None) };
            let sort = self.sorts.of(self.net, ty, iter.span);
            let holding = |at: &usize| mentions(&components[*at], iter.var);
            let holding: Vec<usize> = (0..components.len()).filter(holding).collect();
            let &[at] = holding.as_slice() else { return Ok(None) };
            if components[at].kind != ExprKind::Var(iter.var) || sort != Ok(domain[at]) {
                return Ok(None);
            }
            all[at] = true;
        }
        let mut words = Vec::new();
        for ((component, &sort), all) in components.iter().zip(domain).zip(all) {
            words.push(match all {
                true => format!("<all>{}</all>", self.sorts.reference(sort)),
                false => self.value(component, Some(sort))?.text,
            });
        }
        Ok(Some((factor, tuple(words))))
    }

    /// A term with its iterations carried out.
    fn carried_out(
        &mut self,
        term: &Term,
        components: &[Expr],
        domain: &[SortId],
    ) -> Result<Vec<(u32, String)>, Unsayable> {
        let mut n_combinations = 1u64;
        let is_iterated = |var: VarIdx| term.iters.iter().any(|iter| iter.var == var);
        let fixed = |expr: &Expr| variables(expr).into_iter().all(is_iterated);
        let mut known = term.condition.iter().chain(&term.factor).all(fixed);
        for iter in &term.iters {
            let IterDomain::Type(ty, _) = iter.domain else {
                return unsayable("an iteration over tokens or elements", iter.span);
            };
            let Cardinality::Word(size) = self.net.types.cardinality(ty) else {
                return unsayable("an iteration over too many values", iter.span);
            };
            n_combinations = n_combinations.saturating_mul(size);
            iter.for_each_part(&mut |part| known &= fixed(part));
        }
        if !known {
            return unsayable("an inscription whose tokens depend on a condition", term.span);
        }
        if n_combinations > MAX_VALUES {
            return unsayable("an iteration over too many values", term.span);
        }
        // A component is a constant once the iterated variables are known, or does not depend on them.
        let depends = |component: &Expr| term.iters.iter().any(|iter| mentions(component, iter.var));
        if components.iter().any(|component| depends(component) && !fixed(component)) {
            return unsayable("an expression on several variables", term.token.span);
        }
        let mut found: Vec<(u32, Vec<Option<Value>>)> = Vec::new();
        let mut frame = vec![Value::Int(0); self.transition.variables.len()];
        let outcome = self.evaluator.combinations(term, &mut frame, &mut |evaluator, frame, count| {
            let mut values = Vec::new();
            for component in components {
                let value = depends(component).then(|| evaluator.eval(component, frame, None));
                values.push(value.transpose()?);
            }
            found.push((count, values));
            Ok(())
        });
        if outcome.is_err() {
            return unsayable("an inscription that is an error for some values", term.span);
        }
        let mut tokens = Vec::new();
        for (count, values) in found {
            let mut words = Vec::new();
            for ((component, value), &sort) in components.iter().zip(values).zip(domain) {
                words.push(match value {
                    Some(value) => self.constant(&value, sort, component.span)?,
                    None => self.value(component, Some(sort))?.text,
                });
            }
            tokens.push((count, tuple(words)));
        }
        // No tokens, but a variable that is bound here all the same: unfolding knows what that means.
        if tokens.iter().any(|(count, _)| *count == 0) && components.iter().any(|c| !fixed(c)) {
            return unsayable("a variable with no token to take its value from", term.span);
        }
        tokens.retain(|(count, _)| *count > 0);
        Ok(tokens)
    }

    /// A condition in words.
    pub fn condition(&mut self, expr: &Expr) -> Result<String, Unsayable> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(truth(value.int() != 0)),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let element = if *op == BinaryOp::And { "and" } else { "or" };
                match self.condition(left).and_then(|left| Ok([left, self.condition(right)?])) {
                    Ok(operands) => Ok(operator(element, &operands)),
                    // One side may rely on the other, as in a test for zero in front of a division.
                    Err(_) => self.listed(expr),
                }
            }
            ExprKind::Unary(UnaryOp::Not, operand) => Ok(operator("not", &[self.condition(operand)?])),
            ExprKind::Binary(op, left, right) => match self.comparison(*op, left, right)? {
                Some(comparison) => Ok(comparison),
                None => self.listed(expr),
            },
            _ => self.listed(expr),
        }
    }

    /// A comparison of two values of one sort; none where it is something else.
    fn comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Option<String>, Unsayable> {
        let (element, on_ranges_only) = match op {
            BinaryOp::Eq => ("equality", false),
            BinaryOp::Ne => ("inequality", false),
            BinaryOp::Lt => ("lessthan", true),
            BinaryOp::Le => ("lessthanorequal", true),
            BinaryOp::Gt => ("greaterthan", true),
            BinaryOp::Ge => ("greaterthanorequal", true),
            _ => return Ok(None),
        };
        let used = self.used.to_vec();
        // A constant is of the sort that the other side has.
        let left_first = !matches!(left.kind, ExprKind::Const(_));
        let (first, second) = if left_first { (left, right) } else { (right, left) };
        let first = self.value(first, None);
        let second = first.as_ref().ok().map(|first| self.value(second, Some(first.sort)));
        if let (Ok(first), Some(Ok(second))) = (first, second) {
            let is_range = matches!(self.sorts.get(first.sort), Sort::Range(..));
            if is_range || !on_ranges_only {
                let operands = if left_first { [first.text, second.text] } else { [second.text, first.text] };
                return Ok(Some(operator(element, &operands)));
            }
        }
        self.used.copy_from_slice(&used);
        Ok(None)
    }

    /// A condition as the list of all combinations of values for which it holds.
    fn listed(&mut self, expr: &Expr) -> Result<String, Unsayable> {
        if expr.reads_marking() {
            return unsayable("a condition on the marking", expr.span);
        }
        let found = variables(expr);
        let mut words = Vec::new();
        let mut bounds = Vec::new();
        for &var in &found {
            let sort = self.sort_of(var, expr.span)?;
            words.push((self.variable(var, expr.span)?, sort));
            bounds.push(self.sorts.bounds(self.net, sort));
        }
        let size = |&(low, high): &(i64, i64)| (high - low) as u64 + 1;
        if bounds.iter().map(size).fold(1, u64::saturating_mul) > MAX_VALUES {
            return unsayable("a condition on too many values", expr.span);
        }
        let mut frame = vec![Value::Int(0); self.transition.variables.len()];
        let mut numbers: Vec<i64> = bounds.iter().map(|(low, _)| *low).collect();
        let (mut holds, mut fails) = (Vec::new(), Vec::new());
        loop {
            found.iter().zip(&numbers).for_each(|(var, &n)| frame[var.index()] = Value::Int(n));
            match self.evaluator.holds(expr, &mut frame, None) {
                Ok(true) => holds.push(numbers.clone()),
                Ok(false) => fails.push(numbers.clone()),
                Err(_) => return unsayable("a condition that is an error for some values", expr.span),
            }
            // The next combination: the last number varies fastest.
            let Some(at) = (0..numbers.len()).rev().find(|&i| numbers[i] < bounds[i].1) else { break };
            numbers[at] += 1;
            (at + 1..numbers.len()).for_each(|i| numbers[i] = bounds[i].0);
        }
        if holds.is_empty() || fails.is_empty() {
            // The variables are not needed to say that; that they are there is another matter, so they are.
            let always: Vec<String> =
                words.iter().map(|(word, _)| operator("equality", &[word.clone(), word.clone()])).collect();
            let always = always.into_iter().reduce(|left, right| operator("and", &[left, right]));
            let always = always.unwrap_or_else(|| truth(true));
            return Ok(if fails.is_empty() { always } else { operator("not", &[always]) });
        }
        let negated = fails.len() < holds.len();
        let listed = if negated { fails } else { holds };
        if listed.len() > MAX_LISTED {
            return unsayable("a condition on too many values", expr.span);
        }
        let cases = listed.iter().map(|numbers| {
            let equal = words.iter().zip(numbers).map(|((word, sort), &number)| {
                operator("equality", &[word.clone(), self.sorts.constant(*sort, number)])
            });
            joined("and", equal.collect())
        });
        let any = joined("or", cases.collect());
        Ok(if negated { operator("not", &[any]) } else { any })
    }

    /// A single value, of the sort that is wanted.
    fn value(&mut self, expr: &Expr, wanted: Option<SortId>) -> Result<Said, Unsayable> {
        let other = "a value of another type than its place or what it is compared with";
        if let ExprKind::Const(value) = &expr.kind {
            let sort = wanted.map_or_else(|| self.sorts.of(self.net, expr.ty, expr.span), Ok)?;
            return Ok(Said { text: self.constant(value, sort, expr.span)?, sort });
        }
        let &[var] = variables(expr).as_slice() else {
            return unsayable("an expression on several variables", expr.span);
        };
        let sort = self.sort_of(var, expr.span)?;
        if wanted.is_some_and(|wanted| wanted != sort) {
            return unsayable(other, expr.span);
        }
        let steps = if expr.kind == ExprKind::Var(var) { 0 } else { self.steps(expr, var, sort)? };
        let mut text = self.variable(var, expr.span)?;
        let element = if steps > 0 { "successor" } else { "predecessor" };
        for _ in 0..steps.abs() {
            text = operator(element, &[text]);
        }
        if steps != 0 {
            self.sorts.make_cyclic(sort);
        }
        Ok(Said { text, sort })
    }

    /// How many values round its type an expression is behind its variable.
    fn steps(&mut self, expr: &Expr, var: VarIdx, sort: SortId) -> Result<i64, Unsayable> {
        let (low, high) = self.sorts.bounds(self.net, sort);
        let n_values = high - low + 1;
        if n_values as u64 > MAX_VALUES || !self.net.types.is_discrete(expr.ty) || expr.reads_marking() {
            return unsayable("an expression on too many values", expr.span);
        }
        let mut frame = vec![Value::Int(0); self.transition.variables.len()];
        let mut common = None;
        for number in low..=high {
            frame[var.index()] = Value::Int(number);
            let Ok(Value::Int(value)) = self.evaluator.eval(expr, &mut frame, None) else {
                return unsayable("an expression that is an error for some values", expr.span);
            };
            let steps = value.checked_sub(number).map(|by| by.rem_euclid(n_values));
            let steps = steps.filter(|_| (low..=high).contains(&value));
            if steps.is_none() || *common.get_or_insert(steps) != steps {
                return unsayable("an expression that is no neighbour of a variable", expr.span);
            }
        }
        let forward = common.flatten().unwrap_or(0);
        let steps = if forward > n_values / 2 { forward - n_values } else { forward };
        if steps.abs() > MAX_STEPS {
            return unsayable("an expression that is no neighbour of a variable", expr.span);
        }
        Ok(steps)
    }

    fn constant(&self, value: &Value, sort: SortId, span: Span) -> Result<String, Unsayable> {
        let (low, high) = self.sorts.bounds(self.net, sort);
        match value {
            Value::Int(number) if (low..=high).contains(number) => Ok(self.sorts.constant(sort, *number)),
            _ => unsayable("a value of another type than its place or what it is compared with", span),
        }
    }

    fn sort_of(&mut self, var: VarIdx, span: Span) -> Result<SortId, Unsayable> {
        self.sorts.of(self.net, self.transition.variables[var.index()].ty, span)
    }

    /// A variable of the binding.
    fn variable(&mut self, var: VarIdx, span: Span) -> Result<String, Unsayable> {
        if !self.transition.binding.contains(&var) {
            return unsayable("an iteration that is no sum over a type", span);
        }
        let sort = self.sort_of(var, span)?;
        self.used[var.index()] = true;
        // Two variables of a transition may have the same name, where identifiers tell them apart.
        let (before, rest) = self.transition.variables.split_at(var.index());
        let name = &rest[0].name.text;
        let key = match before.iter().filter(|other| other.name.text == *name).count() {
            0 => (name.clone(), sort),
            n_before => (format!("{name} {}", n_before + 1), sort),
        };
        let number = *self.numbers.entry(key.clone()).or_insert_with(|| {
            self.variables.push(key);
            self.variables.len() - 1
        });
        Ok(format!("<variable refvariable=\"{}\"/>", self.sorts.variable(number)))
    }
}

/// A token from its components.
pub(super) fn tuple(mut components: Vec<String>) -> String {
    match components.len() {
        0 => "<dotconstant/>".to_owned(),
        1 => components.swap_remove(0),
        _ => operator("tuple", &components),
    }
}

fn operator(element: &str, operands: &[String]) -> String {
    let operands: String = operands.iter().map(|operand| subterm(operand)).collect();
    format!("<{element}>{operands}</{element}>")
}

fn joined(element: &str, mut parts: Vec<String>) -> String {
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => operator(element, &parts),
    }
}

fn truth(truth: bool) -> String {
    format!("<booleanconstant value=\"{truth}\"/>")
}

fn mentions(expr: &Expr, var: VarIdx) -> bool {
    let mut found = expr.kind == ExprKind::Var(var);
    expr.for_each_part(&mut |part| found = found || mentions(part, var));
    found
}

/// The variables that an expression depends on, ascending: those of its own iterations are not among them.
fn variables(expr: &Expr) -> Vec<VarIdx> {
    fn collect(expr: &Expr, found: &mut Vec<VarIdx>, own: &mut Vec<VarIdx>) {
        match &expr.kind {
            ExprKind::Var(var) => found.push(*var),
            ExprKind::Iterate { iters, .. } => own.extend(iters.iter().map(|iter| iter.var)),
            _ => {}
        }
        expr.for_each_part(&mut |part| collect(part, found, own));
    }
    let (mut found, mut own) = (Vec::new(), Vec::new());
    collect(expr, &mut found, &mut own);
    found.retain(|var| !own.contains(var));
    found.sort_unstable();
    found.dedup();
    found
}
