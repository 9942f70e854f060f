//! Formulas as formulas of branching or of linear time, over numbered atoms.
//!
//! A formula is of branching time where every operator stands directly below a quantifier, and of linear time where at
//! most one quantifier stands in front of everything. What is neither mixes both.

use petite_net::{Formula, FormulaKind, Predicate};

use crate::normal::normal;
use crate::{AtomId, Ctl, Ltl};

/// A formula over atoms.
#[derive(Clone, Debug, PartialEq)]
pub enum Temporal {
    /// Of branching time, asked in the initial state.
    Ctl(Ctl),
    /// Of linear time: whether all runs have it.
    AllRuns(Ltl),
    /// Of linear time: whether some run has it. It is so exactly if not all runs have the negation.
    SomeRun(Ltl),
}

/// The formula over atoms, and the predicate of each atom; none where it is neither of branching nor of linear time.
pub fn temporal(formula: &Formula, atoms: &mut Vec<Predicate>) -> Option<Temporal> {
    let formula = normal(formula, false);
    let mut translator = Translator { atoms };
    if let Some(ctl) = translator.ctl(&formula) {
        return Some(Temporal::Ctl(ctl));
    }
    match &formula.kind {
        FormulaKind::All(body) => translator.ltl(body).map(Temporal::AllRuns),
        FormulaKind::Exists(body) => translator.ltl(body).map(Temporal::SomeRun),
        _ => translator.ltl(&formula).map(Temporal::AllRuns),
    }
}

struct Translator<'a> {
    atoms: &'a mut Vec<Predicate>,
}

impl Translator<'_> {
    fn atom(&mut self, predicate: &Predicate) -> (AtomId, bool) {
        // A predicate and its negation are one atom.
        let (predicate, truth) = match predicate {
            Predicate::Not(body) => (&**body, false),
            _ => (predicate, true),
        };
        if let Predicate::Not(_) = predicate {
            let (atom, inner) = self.atom(predicate);
            return (atom, inner == truth);
        }
        let known = self.atoms.iter().position(|atom| atom == predicate);
        let index = known.unwrap_or_else(|| {
            self.atoms.push(predicate.clone());
            self.atoms.len() - 1
        });
        (AtomId::new(index), truth)
    }

    fn ctl(&mut self, formula: &Formula) -> Option<Ctl> {
        match &formula.kind {
            FormulaKind::State(Predicate::Const(truth)) => Some(if *truth { Ctl::True } else { Ctl::False }),
            FormulaKind::State(predicate) => Some(match self.atom(predicate) {
                (atom, true) => Ctl::Atom(atom),
                (atom, false) => Ctl::Not(Box::new(Ctl::Atom(atom))),
            }),
            FormulaKind::And(parts) => {
                parts.iter().map(|part| self.ctl(part)).collect::<Option<_>>().map(Ctl::And)
            }
            FormulaKind::Or(parts) => {
                parts.iter().map(|part| self.ctl(part)).collect::<Option<_>>().map(Ctl::Or)
            }
            FormulaKind::Exists(body) => self.below_exists(body),
            FormulaKind::All(body) => self.below_all(body),
            _ => None,
        }
    }

    fn boxed(&mut self, formula: &Formula) -> Option<Box<Ctl>> {
        self.ctl(formula).map(Box::new)
    }

    fn below_exists(&mut self, formula: &Formula) -> Option<Ctl> {
        Some(match &formula.kind {
            FormulaKind::Next(body) => Ctl::ExistsNext(self.boxed(body)?),
            FormulaKind::Finally(body) => Ctl::ExistsFinally(self.boxed(body)?),
            FormulaKind::Globally(body) => Ctl::ExistsGlobally(self.boxed(body)?),
            FormulaKind::Until(a, b) => Ctl::ExistsUntil(self.boxed(a)?, self.boxed(b)?),
            FormulaKind::Release(a, b) => {
                // E (a R b) is not A (not a U not b).
                let (a, b) = (self.boxed(a)?, self.boxed(b)?);
                Ctl::Not(Box::new(Ctl::AllUntil(Box::new(Ctl::Not(a)), Box::new(Ctl::Not(b)))))
            }
            _ => return self.ctl(formula),
        })
    }

    fn below_all(&mut self, formula: &Formula) -> Option<Ctl> {
        Some(match &formula.kind {
            FormulaKind::Next(body) => Ctl::AllNext(self.boxed(body)?),
            FormulaKind::Finally(body) => Ctl::AllFinally(self.boxed(body)?),
            FormulaKind::Globally(body) => Ctl::AllGlobally(self.boxed(body)?),
            FormulaKind::Until(a, b) => Ctl::AllUntil(self.boxed(a)?, self.boxed(b)?),
            FormulaKind::Release(a, b) => {
                let (a, b) = (self.boxed(a)?, self.boxed(b)?);
                Ctl::Not(Box::new(Ctl::ExistsUntil(Box::new(Ctl::Not(a)), Box::new(Ctl::Not(b)))))
            }
            _ => return self.ctl(formula),
        })
    }

    fn ltl(&mut self, formula: &Formula) -> Option<Ltl> {
        let mut boxed = |body: &Formula| self.ltl(body).map(Box::new);
        Some(match &formula.kind {
            FormulaKind::Next(body) => Ltl::Next(boxed(body)?),
            FormulaKind::Finally(body) => Ltl::Finally(boxed(body)?),
            FormulaKind::Globally(body) => Ltl::Globally(boxed(body)?),
            FormulaKind::Until(a, b) => Ltl::Until(boxed(a)?, boxed(b)?),
            FormulaKind::Release(a, b) => Ltl::Release(boxed(a)?, boxed(b)?),
            FormulaKind::State(Predicate::Const(truth)) => {
                if *truth {
                    Ltl::True
                } else {
                    Ltl::False
                }
            }
            FormulaKind::State(predicate) => match self.atom(predicate) {
                (atom, true) => Ltl::Atom(atom),
                (atom, false) => Ltl::Not(Box::new(Ltl::Atom(atom))),
            },
            FormulaKind::And(parts) => {
                Ltl::And(parts.iter().map(|part| self.ltl(part)).collect::<Option<_>>()?)
            }
            FormulaKind::Or(parts) => {
                Ltl::Or(parts.iter().map(|part| self.ltl(part)).collect::<Option<_>>()?)
            }
            FormulaKind::Not(body) => Ltl::Not(Box::new(self.ltl(body)?)),
            FormulaKind::Exists(_) | FormulaKind::All(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_net::{PropIdx, Span};

    fn p(n: u32) -> Formula {
        Formula::state(Predicate::Proposition(PropIdx(n)), Span::default())
    }

    fn wrap(make: fn(Box<Formula>) -> FormulaKind, body: Formula) -> Formula {
        Formula { kind: make(Box::new(body)), span: Span::default() }
    }

    #[test]
    fn shapes_are_told_apart() {
        let gf = |body| wrap(FormulaKind::Globally, wrap(FormulaKind::Finally, body));
        let mut atoms = Vec::new();
        assert!(matches!(temporal(&gf(p(1)), &mut atoms), Some(Temporal::AllRuns(_))));
        assert!(matches!(
            temporal(&wrap(FormulaKind::Exists, gf(p(1))), &mut atoms),
            Some(Temporal::SomeRun(_))
        ));
        // Not on all runs: on some run the negation.
        let not_all = wrap(FormulaKind::All, gf(p(1))).negated();
        assert!(matches!(temporal(&not_all, &mut atoms), Some(Temporal::SomeRun(_))));
        let agef = wrap(
            FormulaKind::All,
            wrap(FormulaKind::Globally, wrap(FormulaKind::Exists, wrap(FormulaKind::Finally, p(2)))),
        );
        assert!(matches!(temporal(&agef, &mut atoms), Some(Temporal::Ctl(_))));
        assert_eq!(atoms.len(), 2, "a predicate is one atom, negated or not");
        let mixed = Formula::and(vec![gf(p(1)), agef], Span::default());
        assert_eq!(temporal(&mixed, &mut atoms), None);
    }
}
