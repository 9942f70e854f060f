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

impl Ltl {
    /// The same formula with other numbers for its atoms.
    pub fn renumbered(&self, number: &dyn Fn(AtomId) -> AtomId) -> Ltl {
        let of = |part: &Ltl| Box::new(part.renumbered(number));
        let all = |parts: &[Ltl]| parts.iter().map(|part| part.renumbered(number)).collect();
        match self {
            Ltl::True => Ltl::True,
            Ltl::False => Ltl::False,
            Ltl::Atom(atom) => Ltl::Atom(number(*atom)),
            Ltl::Not(part) => Ltl::Not(of(part)),
            Ltl::And(parts) => Ltl::And(all(parts)),
            Ltl::Or(parts) => Ltl::Or(all(parts)),
            Ltl::Next(part) => Ltl::Next(of(part)),
            Ltl::Finally(part) => Ltl::Finally(of(part)),
            Ltl::Globally(part) => Ltl::Globally(of(part)),
            Ltl::Until(first, second) => Ltl::Until(of(first), of(second)),
            Ltl::Release(first, second) => Ltl::Release(of(first), of(second)),
        }
    }
}

impl Ctl {
    /// The same formula with other numbers for its atoms.
    pub fn renumbered(&self, number: &dyn Fn(AtomId) -> AtomId) -> Ctl {
        let of = |part: &Ctl| Box::new(part.renumbered(number));
        let all = |parts: &[Ctl]| parts.iter().map(|part| part.renumbered(number)).collect();
        match self {
            Ctl::True => Ctl::True,
            Ctl::False => Ctl::False,
            Ctl::Atom(atom) => Ctl::Atom(number(*atom)),
            Ctl::Not(part) => Ctl::Not(of(part)),
            Ctl::And(parts) => Ctl::And(all(parts)),
            Ctl::Or(parts) => Ctl::Or(all(parts)),
            Ctl::ExistsNext(part) => Ctl::ExistsNext(of(part)),
            Ctl::AllNext(part) => Ctl::AllNext(of(part)),
            Ctl::ExistsFinally(part) => Ctl::ExistsFinally(of(part)),
            Ctl::AllFinally(part) => Ctl::AllFinally(of(part)),
            Ctl::ExistsGlobally(part) => Ctl::ExistsGlobally(of(part)),
            Ctl::AllGlobally(part) => Ctl::AllGlobally(of(part)),
            Ctl::ExistsUntil(first, second) => Ctl::ExistsUntil(of(first), of(second)),
            Ctl::AllUntil(first, second) => Ctl::AllUntil(of(first), of(second)),
        }
    }
}
