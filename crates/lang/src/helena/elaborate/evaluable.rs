//! Whether the bindings of a transition can be found one variable at a time.
//!
//! Input tokens and picks define variables and use others. A transition can be evaluated if they can be put in
//! an order in which every use follows a definition.

use std::collections::HashSet;

use petite_net::{Arc, Expr, ExprKind, Iter, IterDomain, Span, Term, VarIdx};

use super::scope::Scope;
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::helena::ast;

/// An input token or a pick.
#[derive(Default)]
struct Step {
    defines: HashSet<VarIdx>,
    uses: Vec<(VarIdx, Span)>,
}

impl Elaborator<'_> {
    pub(super) fn evaluable(
        &mut self,
        transition: &ast::Transition,
        inputs: &[Arc],
        picks: &[Iter],
        binding: &[VarIdx],
        scope: &Scope,
    ) -> Elab<()> {
        let binding: HashSet<VarIdx> = binding.iter().copied().collect();
        let mut steps: Vec<Step> = inputs.iter().flat_map(|arc| &arc.terms).map(input_step).collect();
        for pick in picks {
            let mut step = Step { defines: HashSet::from([pick.var]), uses: Vec::new() };
            iter_uses(pick, &mut |var, span| step.uses.push((var, span)));
            steps.push(step);
        }
        let mut defined: HashSet<VarIdx> = HashSet::new();
        loop {
            let known = defined.len();
            let remaining = steps.len();
            steps.retain(|step| {
                let ready = step.uses.iter().all(|(var, _)| !binding.contains(var) || defined.contains(var));
                if ready {
                    defined.extend(&step.defines);
                }
                !ready
            });
            if steps.is_empty() {
                return Ok(());
            }
            if defined.len() == known && steps.len() == remaining {
                break;
            }
        }
        let missing = |(var, _): &&(VarIdx, Span)| binding.contains(var) && !defined.contains(var);
        let Some(&(var, span)) = steps.iter().flat_map(|step| &step.uses).find(missing) else {
            return Ok(());
        };
        let (name, variable) = (&transition.name, &scope.variables[var.index()].name);
        let message = format!(
            "transition {name} cannot be evaluated: variable {variable} is used before it is defined"
        );
        self.fail(
            Diagnostic::new(span, message)
                .label("its definition depends on this token or pick")
                .help("define it by a token or pick that does not need the others"),
        )
    }
}

fn input_step(term: &Term) -> Step {
    let mut step = Step::default();
    let uses = &mut step.uses;
    let mut see = |var, span| uses.push((var, span));
    term.iters.iter().for_each(|iter| iter_uses(iter, &mut see));
    term.condition.iter().for_each(|condition| uses_of(condition, &mut see));
    match &term.token.kind {
        ExprKind::Tuple(parts) if term.can_bind() => {
            for part in parts {
                match &part.kind {
                    ExprKind::Var(var) => {
                        step.defines.insert(*var);
                    }
                    _ => uses_of(part, &mut see),
                }
            }
        }
        _ => uses_of(&term.token, &mut see),
    }
    step
}

fn iter_uses(iter: &Iter, see: &mut dyn FnMut(VarIdx, Span)) {
    match &iter.domain {
        IterDomain::Type(_, Some(bounds)) => {
            uses_of(&bounds.0, see);
            uses_of(&bounds.1, see);
        }
        IterDomain::Container(container) => uses_of(container, see),
        IterDomain::Bag(bag) => bag.for_each_part(&mut |part| uses_of(part, see)),
        IterDomain::Type(_, None) | IterDomain::Place(_) => {}
    }
}

/// Calls `see` with every use of a variable.
fn uses_of(expr: &Expr, see: &mut dyn FnMut(VarIdx, Span)) {
    match &expr.kind {
        ExprKind::Var(var) => see(*var, expr.span),
        ExprKind::Const(_) | ExprKind::PlaceCard(_) | ExprKind::PlaceMult(_) => {}
        ExprKind::Unary(_, operand)
        | ExprKind::Convert(operand)
        | ExprKind::Tagged(_, operand)
        | ExprKind::Component(operand, _)
        | ExprKind::Attribute(_, operand) => uses_of(operand, see),
        ExprKind::Binary(_, left, right) | ExprKind::WithComponent(left, _, right) => {
            uses_of(left, see);
            uses_of(right, see);
        }
        ExprKind::If(a, b, c) | ExprKind::Slice(a, b, c) => {
            for part in [a, b, c] {
                uses_of(part, see);
            }
        }
        ExprKind::Call(_, parts) | ExprKind::Tuple(parts) | ExprKind::Seq(parts) => {
            parts.iter().for_each(|part| uses_of(part, see));
        }
        ExprKind::Element(whole, indices) => {
            uses_of(whole, see);
            indices.iter().for_each(|index| uses_of(index, see));
        }
        ExprKind::WithElement(whole, indices, part) => {
            uses_of(whole, see);
            indices.iter().for_each(|index| uses_of(index, see));
            uses_of(part, see);
        }
        ExprKind::Iterate { iters, condition, body, .. } => {
            iters.iter().for_each(|iter| iter_uses(iter, see));
            for part in [condition, body].into_iter().flatten() {
                uses_of(part, see);
            }
        }
        // Expressions of other languages.
        _ => expr.for_each_part(&mut |part| uses_of(part, see)),
    }
}

/// Calls `see` with every name that stands for a value in an expression.
pub(super) fn names_in(expr: &ast::Expr, see: &mut dyn FnMut(&str)) {
    use ast::ExprKind as E;
    let all = |parts: &[ast::Expr], see: &mut dyn FnMut(&str)| {
        parts.iter().for_each(|part| names_in(part, see));
    };
    match &expr.kind {
        E::Name(name) => see(name),
        E::Number(_) | E::Empty | E::Component(..) => {}
        E::Call(_, parts) | E::Struct(parts) | E::Vector(parts) | E::Container(parts) => all(parts, see),
        E::Unary(_, operand) | E::Field(operand, _) | E::Attribute(operand, _) => names_in(operand, see),
        E::Chain(first, rest) => {
            names_in(first, see);
            rest.iter().for_each(|(_, operand)| names_in(operand, see));
        }
        E::If(parts) | E::Slice(parts) => all(&parts[..], see),
        E::WithField(whole, _, part) => {
            names_in(whole, see);
            names_in(part, see);
        }
        E::Element(whole, indices) => {
            names_in(whole, see);
            all(indices, see);
        }
        E::WithElement(whole, indices, part) => {
            names_in(whole, see);
            all(indices, see);
            names_in(part, see);
        }
        E::Iterate { iters, condition, body, .. } => {
            for iter in iters {
                names_in(&iter.domain, see);
                for bound in iter.range.iter().flat_map(|range| [&range.low, &range.high]) {
                    names_in(bound, see);
                }
            }
            for part in [condition, body].into_iter().flatten() {
                names_in(part, see);
            }
        }
    }
}
