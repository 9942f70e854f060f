//! Transitions.

use petite_net::{Arc, BinaryOp, Expr, ExprKind, Iter, OnError, PriorityClass, Term, Transition, VarIdx};

use super::bound;
use super::fusion::Fused;
use super::scope::{Local, Scope, Site};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{Formula, FormulaKind, Part};

impl<'a> Elaborator<'a> {
    /// Makes all transitions; gives what their names stand for.
    pub(super) fn all_transitions(&mut self) -> Vec<Scope<'a>> {
        let mut scopes = Vec::new();
        let mut next_class = u32::MAX;
        for fused in self.fused() {
            if self.diagnostics.is_full() {
                break;
            }
            let class = if fused.is_urgent {
                next_class -= 1;
                PriorityClass(next_class + 1)
            } else {
                PriorityClass::NONE
            };
            let outcome = self.transition(fused, class);
            if let Some((transition, scope)) = self.keep(outcome) {
                self.transitions.push(transition);
                scopes.push(scope);
            }
        }
        scopes
    }

    fn transition(&mut self, fused: Fused<'a>, mut class: PriorityClass) -> Elab<(Transition, Scope<'a>)> {
        let Fused { name, members, .. } = fused;
        let module = members.first().map_or(super::ModuleIdx::new(0), |member| member.module);
        let mut scope = Scope::at(module, Site::Gate);
        scope.members = members;
        let agreements = self.declare(&mut scope)?;
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        let (mut gates, mut failing) = (Vec::new(), Vec::new());
        self.for_each_part(&mut scope, &mut |this, part, scope| {
            if let Part::Take(place, marking) = part {
                scope.site = Site::Input;
                let arc = this.arc(place, marking, scope)?;
                scope.taken.push((arc.place, arc.terms.clone()));
                inputs.push(arc);
            }
            Ok(())
        })?;
        self.for_each_part(&mut scope, &mut |this, part, scope| {
            if let Part::Output(ty, name, condition) = part {
                let ty = this.named_type(ty, scope.module)?;
                this.add_output(ty, name.clone(), condition.as_ref(), name.span, scope)?;
            }
            Ok(())
        })?;
        self.for_each_part(&mut scope, &mut |this, part, scope| {
            match part {
                Part::Give(place, marking) => {
                    scope.site = Site::Output;
                    let arc = this.arc(place, marking, scope)?;
                    outputs.push(arc);
                }
                Part::Class(number) if *number != 0 && class == PriorityClass::NONE => {
                    class = PriorityClass(*number);
                }
                _ => {}
            }
            Ok(())
        })?;
        self.for_each_part(&mut scope, &mut |this, part, scope| {
            scope.site = Site::Gate;
            match part {
                Part::Gate(formula) => {
                    let gate = this.truth(formula, scope)?;
                    // An assertion comes to light once everything else holds.
                    if is_failure(formula) { failing.push(gate) } else { gates.push(gate) }
                }
                Part::Hide(formula) => drop(this.truth(formula, scope)?),
                _ => {}
            }
            Ok(())
        })?;
        scope.site = Site::Gate;
        let mut conjuncts = std::mem::take(&mut scope.conditions);
        conjuncts.extend(gates);
        conjuncts.extend(
            agreements
                .into_iter()
                .map(|agreement| self.agreed(agreement, &mut scope))
                .collect::<Elab<Vec<_>>>()?,
        );
        conjuncts.extend(self.type_checks(&inputs, &scope)?);
        conjuncts.extend(failing);
        conjuncts.retain(|conjunct| !Self::is_true(conjunct));
        let guard = match conjuncts.is_empty() {
            true => None,
            false => Some(self.in_halves(conjuncts, true, name.span)?),
        };
        let binding = self.binding(&scope, &inputs, &outputs, guard.as_ref())?;
        let transition = Transition {
            name,
            variables: scope.variables.clone(),
            binding,
            inputs,
            outputs,
            inhibitors: Vec::new(),
            picks: scope.picks.clone(),
            lets: Vec::new(),
            guard,
            priority: None,
            description: None,
            safe: false,
            class,
            on_error: OnError::LeaveOut,
        };
        Ok((transition, scope))
    }

    /// Declares variables and functions. Gives functions that stand for a variable of a body which has another one
    /// already: both must agree.
    fn declare(&mut self, scope: &mut Scope<'a>) -> Elab<Vec<Agreement>> {
        let mut agreements = Vec::new();
        for m in 0..scope.members.len() {
            let module = scope.members[m].module;
            for part in scope.members[m].parts.clone() {
                match part {
                    Part::Variable(ty, name) | Part::Output(ty, name, _) => {
                        let ty = self.named_type(ty, module)?;
                        if !scope.members[m].locals.contains_key(&name.text) {
                            let var = scope.variable(name.clone(), ty);
                            scope.members[m].locals.insert(name.text.clone(), Local::Variable(var));
                        }
                    }
                    Part::Function(function) => {
                        let text = &function.name.text;
                        scope.members[m].locals.insert(text.clone(), Local::Function(function, m));
                        for outer in scope.members[m].outer.clone() {
                            match scope.members[outer].locals.get(text) {
                                Some(Local::Variable(_)) if function.params.is_empty() => {
                                    let local = Local::Function(function, m);
                                    scope.members[outer].locals.insert(text.clone(), local);
                                }
                                Some(Local::Function(..)) if function.params.is_empty() => {
                                    agreements
                                        .push(Agreement { name: function.name.clone(), members: [outer, m] });
                                }
                                _ => {}
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(agreements)
    }

    /// That a name stands for the same value in two members.
    fn agreed(&mut self, agreement: Agreement, scope: &mut Scope<'a>) -> Elab<Expr> {
        let Agreement { name, members } = agreement;
        let mut values = Vec::new();
        for member in members {
            scope.current = member;
            scope.module = scope.members[member].module;
            values.push(self.name(&name.text, name.span, None, scope)?);
        }
        let (Some(right), Some(left)) = (values.pop(), values.pop()) else {
            return Ok(self.bool_const(true, name.span));
        };
        let right = self.converted(right, left.ty)?;
        let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(left), Box::new(right));
        self.made(kind, self.basic.bool, name.span)
    }

    /// Calls `each` with every part of every member, with that member's names in scope.
    fn for_each_part(
        &mut self,
        scope: &mut Scope<'a>,
        each: &mut dyn FnMut(&mut Self, &'a Part, &mut Scope<'a>) -> Elab<()>,
    ) -> Elab<()> {
        for m in 0..scope.members.len() {
            scope.current = m;
            scope.module = scope.members[m].module;
            for part in scope.members[m].parts.clone() {
                each(self, part, scope)?;
            }
        }
        Ok(())
    }

    fn arc(&mut self, place: &petite_net::Name, marking: &'a Formula, scope: &mut Scope<'a>) -> Elab<Arc> {
        let span = place.span;
        let place = self.place_named(place, scope.module)?;
        let domain = self.places[place.index()].domain;
        let terms = self.terms(marking, domain, scope)?;
        Ok(Arc { place, terms, span: span.to(marking.span) })
    }

    /// A variable of a narrower type than what an arc gives it must not get other values.
    fn type_checks(&mut self, inputs: &[Arc], scope: &Scope<'a>) -> Elab<Vec<Expr>> {
        let mut checks = Vec::new();
        for var in bound::widened(&self.types, inputs, &scope.variables) {
            let var = var.clone();
            let (ty, span) = (var.ty, var.span);
            let checked = Expr { kind: ExprKind::Convert(Box::new(var.clone())), ty, span };
            let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(checked), Box::new(var));
            checks.push(self.made(kind, self.basic.bool, span)?);
        }
        Ok(checks)
    }

    /// The variables that make the binding: all that are used must get a value.
    fn binding(
        &self,
        scope: &Scope<'a>,
        inputs: &[Arc],
        outputs: &[Arc],
        guard: Option<&Expr>,
    ) -> Elab<Vec<VarIdx>> {
        let own = own_variables(scope);
        let mut known = vec![true; scope.variables.len()];
        own.iter().for_each(|var| known[var.index()] = false);
        bound::known_in_the_end(&self.types, inputs, &scope.picks, &mut known);
        let terms = || inputs.iter().chain(outputs).flat_map(|arc| &arc.terms);
        let mut exprs: Vec<&Expr> = Vec::new();
        for term in terms() {
            Term::for_each_part(term, &mut |expr| exprs.push(expr));
        }
        exprs.extend(guard);
        if let Some((var, span)) = bound::first_unknown(exprs, &known) {
            let name = &scope.variables[var.index()].name;
            return Err(Diagnostic::new(span, format!("nothing gives a value to the variable {name}"))
                .label("used here")
                .help(format!("match it on an input arc, or let it take any value with `T {name}!`")));
        }
        Ok(own.into_iter().filter(|var| known[var.index()]).collect())
    }
}

/// A name for which two members have a function.
struct Agreement {
    name: petite_net::Name,
    members: [usize; 2],
}

/// The variables of a transition that are no iteration variables, in the order of their declaration.
fn own_variables(scope: &Scope<'_>) -> Vec<VarIdx> {
    let mut own: Vec<VarIdx> = Vec::new();
    for member in &scope.members {
        own.extend(member.locals.values().filter_map(|local| match local {
            Local::Variable(var) => Some(*var),
            Local::Function(..) => None,
        }));
        own.extend(member.indexed.values());
    }
    own.extend(scope.picks.iter().map(|pick: &Iter| pick.var));
    own.sort_unstable();
    own.dedup();
    own
}

/// Whether a gate is nothing but an error.
fn is_failure(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Undefined | FormulaKind::Fatal => true,
        FormulaKind::Atom(inner) => is_failure(inner),
        _ => false,
    }
}
