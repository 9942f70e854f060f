//! Fairness assumptions.
//!
//! An assumption stands for sets of instances: one, or one for each value of a quantifier that sums. What is in a
//! set is, for each transition, a condition on its variables.

use petite_net::{Expr, ExprKind, Fairness, FairnessSet, Span, TransIdx};

use super::modules::unknown;
use super::scope::{Scope, Site};
use super::{Elab, Elaborator};
use crate::maria::ast::{Binary, Formula, FormulaKind, Part, Quantifier, Strength, Unary};

impl<'a> Elaborator<'a> {
    /// All fairness assumptions, of transitions and of nets.
    pub(super) fn all_fairness(&mut self, scopes: &[Scope<'a>]) {
        // After an error transitions and scopes do not belong together.
        if scopes.len() != self.transitions.len() || !self.diagnostics.is_empty() {
            return;
        }
        for (t, scope) in scopes.iter().enumerate() {
            for (m, member) in scope.members.iter().enumerate() {
                for part in &member.parts {
                    if let Part::Fairness(strength, formula) = part {
                        let mut scope = at_member(scope, m);
                        let outcome =
                            self.sets_of_transition(*strength, formula, TransIdx::new(t), &mut scope);
                        self.keep(outcome);
                    }
                }
            }
        }
        for m in 0..self.modules.len() {
            for (strength, formula) in std::mem::take(&mut self.modules[m].fairness) {
                let mut around = Scope::at(super::ModuleIdx::new(m), Site::Gate);
                let outcome = self.sets_of_net(strength, formula, scopes, &mut around);
                self.keep(outcome);
            }
        }
    }

    fn sets_of_transition(
        &mut self,
        strength: Strength,
        formula: &'a Formula,
        transition: TransIdx,
        scope: &mut Scope<'a>,
    ) -> Elab<()> {
        if let FormulaKind::Quantified(quantified) = &formula.kind
            && quantified.quantifier == Quantifier::Sum
        {
            let over = self.named_type(&quantified.ty, scope.module)?;
            return self.for_each_value(
                quantified,
                over,
                formula.span,
                scope,
                &mut |this, condition, scope| {
                    let first = this.fairness.len();
                    this.sets_of_transition(strength, &quantified.body, transition, scope)?;
                    this.restrict_sets(first, condition)
                },
            );
        }
        let condition = self.truth(formula, scope)?;
        self.add_set(strength, vec![(transition, condition)], formula.span);
        Ok(())
    }

    fn sets_of_net(
        &mut self,
        strength: Strength,
        formula: &'a Formula,
        scopes: &[Scope<'a>],
        around: &mut Scope<'a>,
    ) -> Elab<()> {
        if let FormulaKind::Quantified(quantified) = &formula.kind
            && quantified.quantifier == Quantifier::Sum
        {
            let over = self.named_type(&quantified.ty, around.module)?;
            return self.for_each_value(
                quantified,
                over,
                formula.span,
                around,
                &mut |this, condition, around| {
                    let first = this.fairness.len();
                    this.sets_of_net(strength, &quantified.body, scopes, around)?;
                    this.restrict_sets(first, condition)
                },
            );
        }
        self.check_names(formula)?;
        let mut members = Vec::new();
        for (t, scope) in scopes.iter().enumerate() {
            let condition = self.qualified(formula, scope, around)?;
            members.push((TransIdx::new(t), condition));
        }
        self.add_set(strength, members, formula.span);
        Ok(())
    }

    /// The condition under which instances of a transition satisfy an assumption of a net.
    fn qualified(&mut self, formula: &'a Formula, scope: &Scope<'a>, around: &mut Scope<'a>) -> Elab<Expr> {
        let span = formula.span;
        match &formula.kind {
            FormulaKind::Trans(name, condition) => {
                let member = scope.members.iter().position(|member| member.names.contains(&name.text));
                match (member, condition) {
                    (None, _) => Ok(self.bool_const(false, span)),
                    (Some(_), None) => Ok(self.bool_const(true, span)),
                    (Some(member), Some(condition)) => {
                        let mut scope = at_member(scope, member);
                        scope.locals.clone_from(&around.locals);
                        scope.quantified.clone_from(&around.quantified);
                        self.truth(condition, &mut scope)
                    }
                }
            }
            FormulaKind::Atom(inner) => self.qualified(inner, scope, around),
            FormulaKind::Unary(Unary::Not, operand) => {
                let operand = self.qualified(operand, scope, around)?;
                self.negated(operand, span)
            }
            FormulaKind::Binary(
                op @ (Binary::And | Binary::Or | Binary::Xor | Binary::Implies | Binary::Iff),
                left,
                right,
            ) => {
                let left = self.qualified(left, scope, around)?;
                let right = self.qualified(right, scope, around)?;
                self.connected(*op, left, right, span)
            }
            FormulaKind::Quantified(quantified) => {
                let over = self.named_type(&quantified.ty, around.module)?;
                let all = quantified.quantifier == Quantifier::All;
                let mut parts = Vec::new();
                self.for_each_value(quantified, over, span, around, &mut |this, condition, around| {
                    let body = this.qualified(&quantified.body, scope, around)?;
                    parts.push(match condition {
                        None => body,
                        Some(condition) if all => this.connected(Binary::Implies, condition, body, span)?,
                        Some(condition) => this.connected(Binary::And, condition, body, span)?,
                    });
                    Ok(())
                })?;
                self.in_halves(parts, all, span)
            }
            _ => self.truth(formula, around),
        }
    }

    /// Every transition that an assumption names must be there.
    fn check_names(&self, formula: &Formula) -> Elab<()> {
        match &formula.kind {
            FormulaKind::Trans(name, _) => {
                let mut all = self.modules.iter().flat_map(|module| &module.transitions);
                if all.clone().any(|other| other.name.text == name.text) {
                    return Ok(());
                }
                Err(unknown("transition", name, all.by_ref().map(|other| other.name.text.as_str())))
            }
            FormulaKind::Atom(inner) | FormulaKind::Unary(_, inner) => self.check_names(inner),
            FormulaKind::Binary(_, left, right) => {
                self.check_names(left)?;
                self.check_names(right)
            }
            FormulaKind::Quantified(quantified) => self.check_names(&quantified.body),
            _ => Ok(()),
        }
    }

    /// Conditions of a quantifier restrict the sets made since.
    fn restrict_sets(&mut self, first: usize, condition: Option<Expr>) -> Elab<()> {
        let Some(condition) = condition else { return Ok(()) };
        for s in first..self.fairness.len() {
            for (transition, member) in std::mem::take(&mut self.fairness[s].members) {
                let span = member.span;
                let restricted = self.both(condition.clone(), member, span)?;
                self.fairness[s].members.push((transition, restricted));
            }
        }
        Ok(())
    }

    fn add_set(&mut self, strength: Strength, mut members: Vec<(TransIdx, Expr)>, span: Span) {
        members
            .retain(|(_, condition)| !matches!(&condition.kind, ExprKind::Const(value) if value.int() == 0));
        let demand = match strength {
            Strength::Strong => Fairness::Strong,
            Strength::Weak => Fairness::Weak,
            Strength::Enabled => Fairness::Enabled,
        };
        self.fairness.push(FairnessSet { demand, members, span });
    }
}

/// A transition's scope, as one of its members sees it.
fn at_member<'a>(scope: &Scope<'a>, member: usize) -> Scope<'a> {
    let mut scope = scope.clone();
    scope.current = member;
    scope.module = scope.members[member].module;
    scope.site = Site::Gate;
    scope
}
