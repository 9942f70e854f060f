//! Statements about one state as atoms of their own.
//!
//! The automaton of a formula branches on combinations of atoms. Where there are many, as in `G (a1 & a2 & ... & a100)`,
//! it need not know them: the largest parts of the formula without operators of time become atoms, and are evaluated as a
//! whole in each state.

use petite_net::RunError;

use crate::{AtomId, Atoms, Ltl};

/// Atoms, and more of them that are made of these.
pub struct Folded<'a, A> {
    atoms: &'a mut A,
    /// Formulas without operators of time, numbered after the atoms.
    statements: Vec<Ltl>,
    first: Option<usize>,
}

impl<'a, A> Folded<'a, A> {
    /// The atoms alone.
    pub fn new(atoms: &'a mut A) -> Folded<'a, A> {
        Folded { atoms, statements: Vec::new(), first: None }
    }

    /// The formula with its largest statements about one state as atoms.
    pub fn fold(&mut self, formula: &Ltl) -> Ltl {
        self.first.get_or_insert_with(|| n_atoms_of(formula));
        if is_statement(formula) {
            return self.atom(formula);
        }
        let mut part = |formula: &Ltl| Box::new(self.fold(formula));
        match formula {
            Ltl::True | Ltl::False | Ltl::Atom(_) => formula.clone(),
            Ltl::Not(inner) => Ltl::Not(part(inner)),
            Ltl::Next(inner) => Ltl::Next(part(inner)),
            Ltl::Finally(inner) => Ltl::Finally(part(inner)),
            Ltl::Globally(inner) => Ltl::Globally(part(inner)),
            Ltl::Until(left, right) => Ltl::Until(part(left), part(right)),
            Ltl::Release(left, right) => Ltl::Release(part(left), part(right)),
            Ltl::And(parts) => Ltl::And(self.fold_parts(parts, Ltl::And)),
            Ltl::Or(parts) => Ltl::Or(self.fold_parts(parts, Ltl::Or)),
        }
    }

    /// The parts of a conjunction or disjunction, with one atom for all that are statements.
    fn fold_parts(&mut self, parts: &[Ltl], join: fn(Vec<Ltl>) -> Ltl) -> Vec<Ltl> {
        let (statements, others): (Vec<&Ltl>, Vec<&Ltl>) = parts.iter().partition(|part| is_statement(part));
        let mut folded: Vec<Ltl> = others.into_iter().map(|part| self.fold(part)).collect();
        if !statements.is_empty() {
            folded.push(self.atom(&join(statements.into_iter().cloned().collect())));
        }
        folded
    }

    fn atom(&mut self, statement: &Ltl) -> Ltl {
        let known = self.statements.iter().position(|other| other == statement);
        let number = known.unwrap_or_else(|| {
            self.statements.push(statement.clone());
            self.statements.len() - 1
        });
        Ltl::Atom(AtomId::new(self.first.unwrap_or(0) + number))
    }
}

impl<M, A: Atoms<M>> Atoms<M> for Folded<'_, A> {
    fn n_atoms(&self) -> usize {
        self.atoms.n_atoms() + self.statements.len()
    }

    fn holds(&mut self, model: &mut M, words: &[u64], atom: AtomId) -> Result<bool, RunError> {
        let number = self.first.and_then(|first| atom.index().checked_sub(first));
        match number.and_then(|number| self.statements.get(number)) {
            Some(statement) => holds(self.atoms, model, words, statement),
            None => self.atoms.holds(model, words, atom),
        }
    }
}

/// Whether a formula has no operators of time.
fn is_statement(formula: &Ltl) -> bool {
    match formula {
        Ltl::True | Ltl::False | Ltl::Atom(_) => true,
        Ltl::Not(inner) => is_statement(inner),
        Ltl::And(parts) | Ltl::Or(parts) => parts.iter().all(is_statement),
        _ => false,
    }
}

/// A number above those of all atoms of a formula.
fn n_atoms_of(formula: &Ltl) -> usize {
    match formula {
        Ltl::True | Ltl::False => 0,
        Ltl::Atom(atom) => atom.index() + 1,
        Ltl::Not(inner) | Ltl::Next(inner) | Ltl::Finally(inner) | Ltl::Globally(inner) => n_atoms_of(inner),
        Ltl::And(parts) | Ltl::Or(parts) => parts.iter().map(n_atoms_of).max().unwrap_or(0),
        Ltl::Until(left, right) | Ltl::Release(left, right) => n_atoms_of(left).max(n_atoms_of(right)),
    }
}

/// Whether a formula without operators of time holds in a state.
fn holds<M, A: Atoms<M>>(
    atoms: &mut A,
    model: &mut M,
    words: &[u64],
    statement: &Ltl,
) -> Result<bool, RunError> {
    match statement {
        Ltl::Atom(atom) => atoms.holds(model, words, *atom),
        Ltl::Not(inner) => Ok(!holds(atoms, model, words, inner)?),
        Ltl::And(parts) => {
            for part in parts {
                if !holds(atoms, model, words, part)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Ltl::Or(parts) => {
            for part in parts {
                if holds(atoms, model, words, part)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        // Statements have no other parts.
        _ => Ok(*statement == Ltl::True),
    }
}
