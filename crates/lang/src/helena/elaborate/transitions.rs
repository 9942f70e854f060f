//! Transitions: where their variables come from, and their parts.
//!
//! A variable is never declared. It is defined where it stands alone as a component of an input token without
//! `for` and `if`, or by a pick; everywhere else it is used. The types of the variables follow from the domains
//! of the places, so they are collected before any expression is typed.

use std::collections::HashSet;

use petite_net::{Arc, Iter, OnError, PlaceIdx, PriorityClass, Transition, TypeIdx, VarIdx};

use super::evaluable::names_in;
use super::iterate::Domains;
use super::names::Space;
use super::scope::{Context, Role, Scope};
use super::terms::TermKind;
use super::{Elab, Elaborator, Typed};
use crate::Diagnostic;
use crate::helena::ast;

impl Elaborator<'_> {
    pub(super) fn transition(&mut self, transition: &ast::Transition) -> Elab<()> {
        let name = &transition.name;
        self.undeclared(Space::Transition, name)?;
        let mut scope = Scope::new(Context::Transition(name.text.clone()));
        self.bound_variables(&transition.inputs, &mut scope)?;
        let picks = self.picks(&transition.picks, &mut scope)?;
        let binding: Vec<VarIdx> = (0..scope.variables.len()).map(VarIdx::new).collect();
        let inputs = self.arcs(&transition.inputs, TermKind::Input, &mut scope)?;
        self.evaluable(transition, &inputs, &picks, &binding, &scope)?;
        let lets = self.lets(&transition.lets, &mut scope)?;
        let outputs = self.arcs(&transition.outputs, TermKind::Used, &mut scope)?;
        let inhibitors = self.inhibitors(&transition.inhibitors, &mut scope)?;
        let guard = match &transition.guard {
            Some(guard) => Some(self.converted(guard, self.bool, &mut scope)?),
            None => None,
        };
        let priority = match &transition.priority {
            Some(priority) => {
                scope.reads_marking = true;
                let priority = self.converted(priority, self.int, &mut scope)?;
                scope.reads_marking = false;
                Some(priority)
            }
            None => None,
        };
        let description = match &transition.description {
            Some((text, args)) => {
                let args = self.shown(args, &mut scope)?;
                if let Some(arg) = args.iter().find(|arg| !self.types.is_discrete(arg.ty)) {
                    let message =
                        format!("a description cannot show a value of type {}", self.type_name(arg.ty));
                    return self.fail(
                        Diagnostic::new(arg.span, message)
                            .label("a composite value")
                            .help("show its parts one by one"),
                    );
                }
                Some((self.format(text, args.len())?, args))
            }
            None => None,
        };
        self.names.declare(Space::Transition, name, self.transitions.len());
        self.transitions.push(Transition {
            name: name.clone(),
            variables: scope.variables,
            binding,
            inputs,
            outputs,
            inhibitors,
            picks,
            lets,
            guard,
            priority,
            description,
            safe: transition.safe,
            class: PriorityClass::NONE,
            on_error: OnError::Stop,
        });
        Ok(())
    }

    // --- Variables

    /// Declares the variables that input tokens define.
    fn bound_variables(&mut self, arcs: &[ast::Arc], scope: &mut Scope) -> Elab<()> {
        for arc in arcs {
            let place = self.named(Space::Place, &arc.place)?;
            let types = self.components(self.places[place].domain);
            for tuple in arc.tuples.iter().filter(|tuple| tuple.iters.is_empty() && tuple.condition.is_none())
            {
                let items = tuple.components.as_deref().unwrap_or(&[]);
                for (item, &ty) in items.iter().zip(&types) {
                    self.bound_variable(item, ty, scope)?;
                }
            }
        }
        Ok(())
    }

    fn bound_variable(&mut self, item: &ast::Expr, ty: TypeIdx, scope: &mut Scope) -> Elab<()> {
        let ast::ExprKind::Name(name) = &item.kind else { return Ok(()) };
        if self.names.is_constant(name) {
            return Ok(());
        }
        let Some((var, _)) = scope.find(name) else {
            let name = petite_net::Name { text: name.clone(), span: item.span };
            scope.declare(&name, ty, Role::Transition);
            return Ok(());
        };
        // A variable of several tokens must be able to hold the values of all.
        let known = scope.ty(var);
        if self.is_subtype(ty, known) {
            return Ok(());
        }
        let typed = |ty| Typed::fixed(petite_net::ExprKind::Var(var), ty, item.span);
        let wider = if self.is_subtype(known, ty) {
            Some(ty)
        } else {
            self.common(&typed(known), &typed(ty)).map(|(ty, _)| ty)
        };
        match wider {
            Some(wider) => scope.variables[var.index()].ty = wider,
            None => {
                let (first, second) = (self.type_name(known), self.type_name(ty));
                let message = format!("variable {name} would be of the types {first} and {second}");
                return self.fail(
                    Diagnostic::new(item.span, message)
                        .label(format!("of type {second} here"))
                        .help("use two variables, and compare them in the guard with a cast"),
                );
            }
        }
        Ok(())
    }

    /// Declares the picked variables. A pick may use others, whatever their order in the text.
    fn picks(&mut self, picks: &[ast::Iter], scope: &mut Scope) -> Elab<Vec<Iter>> {
        let mut remaining: Vec<&ast::Iter> = picks.iter().collect();
        let mut done = Vec::new();
        while !remaining.is_empty() {
            let waiting: HashSet<&str> = remaining.iter().map(|pick| pick.variable.text.as_str()).collect();
            let ready = |pick: &&ast::Iter| {
                let mut ready = true;
                let mut see = |name: &str| ready &= name == pick.variable.text || !waiting.contains(name);
                names_in(&pick.domain, &mut see);
                for bound in pick.range.iter().flat_map(|range| [&range.low, &range.high]) {
                    names_in(bound, &mut see);
                }
                ready
            };
            // Where all wait for each other, typing the first one tells which name is missing.
            let next = remaining.iter().position(ready).unwrap_or(0);
            let pick = remaining.remove(next);
            if scope.find(&pick.variable.text).is_some() {
                let name = &pick.variable;
                return self.fail(
                    Diagnostic::new(
                        name.span,
                        format!("variable {name} is already defined in this transition"),
                    )
                    .label("defined again")
                    .help("rename it, and compare the two in the guard if they should be equal"),
                );
            }
            let (domain, ty, _) = self.iter_domain(pick, Domains::Values, scope)?;
            let var = scope.declare(&pick.variable, ty, Role::Transition);
            done.push(Iter { var, domain, span: pick.span });
        }
        Ok(done)
    }

    fn lets(&mut self, lets: &[ast::Constant], scope: &mut Scope) -> Elab<Vec<(VarIdx, petite_net::Expr)>> {
        let mut done = Vec::new();
        for ast::Constant { ty, name, value } in lets {
            if scope.find(&name.text).is_some() {
                return self.fail(
                    Diagnostic::new(
                        name.span,
                        format!("variable {name} is already defined in this transition"),
                    )
                    .label("defined again")
                    .help("rename one of the two"),
                );
            }
            let ty = self.type_named(ty)?;
            let value = self.converted(value, ty, scope)?;
            done.push((scope.declare(name, ty, Role::Transition), value));
        }
        Ok(done)
    }

    // --- Arcs

    /// The arcs of a section; several arcs of one place become one.
    fn arcs(&mut self, arcs: &[ast::Arc], kind: TermKind, scope: &mut Scope) -> Elab<Vec<Arc>> {
        let mut done: Vec<Arc> = Vec::new();
        for arc in arcs {
            let place = self.named(Space::Place, &arc.place)?;
            let domain = self.places[place].domain;
            let terms = self.terms(&arc.tuples, &arc.place.text, domain, kind, scope)?;
            let place = PlaceIdx::new(place);
            match done.iter_mut().find(|arc| arc.place == place) {
                Some(same) => same.terms.extend(terms),
                None => done.push(Arc { place, terms, span: arc.span }),
            }
        }
        Ok(done)
    }

    /// Inhibitor arcs. A name alone that means nothing else matches any value; it is known on its arc only.
    fn inhibitors(&mut self, arcs: &[ast::Arc], scope: &mut Scope) -> Elab<Vec<Arc>> {
        let mut done = Vec::new();
        for arc in arcs {
            let mark = scope.mark();
            let place = self.named(Space::Place, &arc.place)?;
            let domain = self.places[place].domain;
            let types = self.components(domain);
            for tuple in &arc.tuples {
                let iterated: HashSet<&str> =
                    tuple.iters.iter().map(|iter| iter.variable.text.as_str()).collect();
                let items = tuple.components.as_deref().unwrap_or(&[]);
                for (item, &ty) in items.iter().zip(&types) {
                    if let ast::ExprKind::Name(name) = &item.kind
                        && !iterated.contains(name.as_str())
                        && (scope.find(name).is_none() || scope.declared_since(mark, name))
                    {
                        self.bound_variable(item, ty, scope)?;
                    }
                }
            }
            let terms = self.terms(&arc.tuples, &arc.place.text, domain, TermKind::Inhibitor, scope)?;
            scope.release(mark);
            done.push(Arc { place: PlaceIdx::new(place), terms, span: arc.span });
        }
        Ok(done)
    }
}
