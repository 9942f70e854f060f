//! Propositions and what is to be checked.

use petite_net::{Expr, Name, PropIdx, Property, PropertyKind, Proposition, Span, StatePredicate};

use super::modules::{ModuleIdx, twice};
use super::scope::{Scope, Site};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{Formula, Verify};

impl<'a> Elaborator<'a> {
    pub(super) fn all_properties(&mut self) {
        for m in 0..self.modules.len() {
            let at = ModuleIdx::new(m);
            for (name, formula) in std::mem::take(&mut self.modules[m].stated_propositions) {
                let outcome = self.proposition(name, formula, at);
                self.keep(outcome);
            }
        }
        for m in 0..self.modules.len() {
            let at = ModuleIdx::new(m);
            for (what, formula, span) in std::mem::take(&mut self.modules[m].verify) {
                let outcome = self.verify(what, formula, span, at);
                self.keep(outcome);
            }
        }
    }

    fn proposition(&mut self, name: &'a Name, formula: &'a Formula, at: ModuleIdx) -> Elab<()> {
        if self.modules[at.index()].propositions.contains_key(&name.text) {
            return Err(twice("proposition", name));
        }
        let flat = self.flat_name(name, at);
        let index = self.state_formula(flat, formula, at)?;
        self.stated.push((at, formula, index));
        let stated = self.stated.len() - 1;
        self.modules[at.index()].propositions.insert(name.text.clone(), stated);
        Ok(())
    }

    fn state_formula(&mut self, name: Name, formula: &'a Formula, at: ModuleIdx) -> Elab<PropIdx> {
        let mut scope = Scope::at(at, Site::Property);
        let expr = self.truth(formula, &mut scope)?;
        self.propositions.push(Proposition { name, variables: scope.variables, expr });
        Ok(PropIdx::new(self.propositions.len() - 1))
    }

    fn verify(&mut self, what: Verify, formula: &'a Formula, span: Span, at: ModuleIdx) -> Elab<()> {
        let word = match what {
            Verify::Reject => "reject",
            Verify::Deadlock => "deadlock",
        };
        let n_before = self.properties.iter().filter(|property| property.name.text.starts_with(word)).count();
        let name = Name { text: format!("{word}{}", n_before + 1), span };
        let index = self.state_formula(name.clone(), formula, at)?;
        let kind = match what {
            Verify::Reject => {
                PropertyKind::State { reject: StatePredicate::Proposition(index), accept: Vec::new() }
            }
            Verify::Deadlock => {
                let stated = &mut self.propositions[index.index()];
                let accept = if Self::is_true(&stated.expr) {
                    self.propositions.pop();
                    Vec::new()
                } else {
                    // A dead state is excused where the formula does not hold.
                    let expr = stated.expr.clone();
                    let span = expr.span;
                    let negated = self.negated(expr, span)?;
                    self.propositions[index.index()].expr = negated;
                    vec![StatePredicate::Proposition(index)]
                };
                PropertyKind::State { reject: StatePredicate::Deadlock, accept }
            }
        };
        self.properties.push(Property { name, kind });
        Ok(())
    }

    /// A proposition named in another one.
    pub(super) fn proposition_value(
        &mut self,
        stated: usize,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let (module, formula, _) = self.stated[stated];
        if scope.depth > 100 {
            return Err(Diagnostic::new(span, "propositions in propositions deeper than 100 times")
                .label("one too many")
                .help("state it without the others"));
        }
        scope.apart(module, 0, Vec::new(), |scope| self.truth(formula, scope))
    }
}
