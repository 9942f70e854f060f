//! Compiled predicates as the atoms of temporal formulas.

use petite_model::{ActionId, NetModel};
use petite_net::{Predicate, RunError};

use crate::{AtomId, Atoms, CompileError, Enabled, PredicateId, Predicates, Snapshot};

/// Tells where predicates hold. What is enabled in a state is found once for all atoms that ask for it one after the
/// other.
#[derive(Debug, Default)]
pub struct PredicateAtoms {
    predicates: Predicates,
    atoms: Vec<PredicateId>,
    /// The state that `enabled` is about.
    words: Vec<u64>,
    /// The bits of a state when it was: fields only ever grow, so this tells one packing from another.
    n_bits: usize,
    enabled: Enabled,
    actions: Vec<ActionId>,
}

impl PredicateAtoms {
    /// Atoms with these meanings, in order. `most_of_groups` is as in [`Predicates::with_bounds`].
    ///
    /// # Errors
    /// When one of them cannot be compiled.
    pub fn new<M: NetModel>(
        model: &mut M,
        atoms: &[Predicate],
        most_of_groups: Vec<Option<u64>>,
    ) -> Result<PredicateAtoms, CompileError> {
        let predicates = Predicates::with_bounds(most_of_groups);
        let mut made = PredicateAtoms { predicates, ..PredicateAtoms::default() };
        for atom in atoms {
            made.atoms.push(made.predicates.compile(model, atom)?);
        }
        Ok(made)
    }
}

impl<M: NetModel> Atoms<M> for PredicateAtoms {
    fn n_atoms(&self) -> usize {
        self.atoms.len()
    }

    fn holds(&mut self, model: &mut M, words: &[u64], atom: AtomId) -> Result<bool, RunError> {
        let predicate = self.atoms[atom.index()];
        let mut enabled = None;
        if self.predicates.needs_actions(predicate) {
            if self.words != words || self.n_bits != model.packing().n_bits() {
                // The words are of no state until the enabled actions are known: finding them may fail.
                self.words.clear();
                self.actions.clear();
                model.enabled(words, &mut self.actions)?;
                self.predicates.note_enabled(model, &self.actions, &mut self.enabled);
                self.words.extend_from_slice(words);
                self.n_bits = model.packing().n_bits();
            }
            enabled = Some(&self.enabled);
        }
        let state = Snapshot { model: &*model, words, totals: None, enabled };
        self.predicates.holds(predicate, &state).map_err(|error| *error)
    }
}
