//! Temporal formulas over numbered atoms.

use petite_net::RunError;

petite_bits::typed_index! {
    /// A statement about one state that is true or false there.
    pub struct AtomId;
}

/// Tells where atoms hold.
pub trait Atoms<M> {
    /// Number of atoms; they are numbered from zero.
    fn n_atoms(&self) -> usize;

    /// Whether an atom holds in a state of the model.
    ///
    /// # Errors
    /// When the evaluation of an expression fails there.
    fn holds(&mut self, model: &mut M, words: &[u64], atom: AtomId) -> Result<bool, RunError>;
}

/// A formula of linear time, about a run: an endless one, or one that ends in a dead state, which then repeats forever.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ltl {
    /// Always true.
    True,
    /// Never true.
    False,
    /// The atom holds in the first state.
    Atom(AtomId),
    /// The formula does not hold.
    Not(Box<Ltl>),
    /// All of them hold; true when there is none.
    And(Vec<Ltl>),
    /// One of them holds; false when there is none.
    Or(Vec<Ltl>),
    /// It holds from the second state on.
    Next(Box<Ltl>),
    /// It holds from some state on.
    Finally(Box<Ltl>),
    /// It holds from every state on.
    Globally(Box<Ltl>),
    /// The second holds from some state on, and the first from every state before that.
    Until(Box<Ltl>, Box<Ltl>),
    /// The second holds from every state on, up to and including one where the first holds, if there is one.
    Release(Box<Ltl>, Box<Ltl>),
}

/// A formula of branching time, about a state. A run that comes to a dead state stays there forever; but a dead state has
/// no successor that `EX` and `AX` could speak of. That is how the Model Checking Contest understands it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ctl {
    /// Always true.
    True,
    /// Never true.
    False,
    /// The atom holds in the state.
    Atom(AtomId),
    /// The formula does not hold.
    Not(Box<Ctl>),
    /// All of them hold; true when there is none.
    And(Vec<Ctl>),
    /// One of them holds; false when there is none.
    Or(Vec<Ctl>),
    /// Some successor has it: false in a dead state.
    ExistsNext(Box<Ctl>),
    /// Every successor has it: true in a dead state.
    AllNext(Box<Ctl>),
    /// Some run has it somewhere.
    ExistsFinally(Box<Ctl>),
    /// Every run has it somewhere.
    AllFinally(Box<Ctl>),
    /// Some run has it everywhere.
    ExistsGlobally(Box<Ctl>),
    /// Every run has it everywhere.
    AllGlobally(Box<Ctl>),
    /// Some run has the second somewhere, and the first in every state before that.
    ExistsUntil(Box<Ctl>, Box<Ctl>),
    /// Every run has the second somewhere, and the first in every state before that.
    AllUntil(Box<Ctl>, Box<Ctl>),
}
