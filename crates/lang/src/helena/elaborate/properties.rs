//! Properties, with their propositions found in the net.

use petite_net::{Ltl, Name, PropIdx, Property, PropertyKind, StatePredicate};

use super::names::Space;
use super::{Elab, Elaborator};
use crate::helena::parser;
use crate::helena::parser::{Formula, FormulaKind, Predicate};

impl Elaborator<'_> {
    pub(super) fn properties(&mut self, properties: &[parser::Property]) -> Vec<Property> {
        let mut done = Vec::new();
        for property in properties {
            if let Ok(found) = self.property(property) {
                self.names.declare(Space::Property, &property.name, done.len());
                done.extend(found);
            }
        }
        done
    }

    /// A property to check; none where it is a measure, of which nothing is demanded.
    fn property(&mut self, property: &parser::Property) -> Elab<Option<Property>> {
        self.undeclared(Space::Property, &property.name)?;
        let kind = match &property.kind {
            parser::PropertyKind::State { reject, accept } => {
                let reject = self.predicate(reject)?;
                let accept: Elab<Vec<_>> = accept.iter().map(|predicate| self.predicate(predicate)).collect();
                PropertyKind::State { reject, accept: accept? }
            }
            parser::PropertyKind::Ltl(formula) => PropertyKind::Ltl(self.formula(formula)?),
            parser::PropertyKind::Progress(_) => return Ok(None),
        };
        Ok(Some(Property { name: property.name.clone(), kind }))
    }

    fn predicate(&mut self, predicate: &Predicate) -> Elab<StatePredicate> {
        match predicate {
            Predicate::Deadlock => Ok(StatePredicate::Deadlock),
            Predicate::Proposition(name) => Ok(StatePredicate::Proposition(self.proposition_named(name)?)),
        }
    }

    fn proposition_named(&mut self, name: &Name) -> Elab<PropIdx> {
        self.named(Space::Proposition, name).map(PropIdx::new)
    }

    fn formula(&mut self, formula: &Formula) -> Elab<Ltl> {
        let mut one = |formula: &Formula| self.formula(formula).map(Box::new);
        Ok(match &formula.kind {
            FormulaKind::Const(value) => Ltl::Const(*value),
            FormulaKind::Proposition(name) => Ltl::Proposition(self.proposition_named(name)?),
            FormulaKind::Not(operand) => Ltl::Not(one(operand)?),
            FormulaKind::Always(operand) => Ltl::Always(one(operand)?),
            FormulaKind::Eventually(operand) => Ltl::Eventually(one(operand)?),
            FormulaKind::And(left, right) => Ltl::And(one(left)?, one(right)?),
            FormulaKind::Or(left, right) => Ltl::Or(one(left)?, one(right)?),
            FormulaKind::Implies(left, right) => Ltl::Implies(one(left)?, one(right)?),
            FormulaKind::Iff(left, right) => Ltl::Iff(one(left)?, one(right)?),
            FormulaKind::Until(left, right) => Ltl::Until(one(left)?, one(right)?),
        })
    }
}
