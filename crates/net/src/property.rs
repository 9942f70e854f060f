//! Properties as a model states them; checking is the business of the `logic` crate.

use crate::{Name, PropIdx, Span};

/// A property of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: Name,
    /// What it demands.
    pub kind: PropertyKind,
}

/// A progress measure that a model states: in which order a search is to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Its name.
    pub name: Name,
    /// The measure: sums of numbers of tokens, the one that counts most first, in the form that all languages share.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// What a property demands.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyKind {
    /// No reachable state satisfies `reject` without satisfying one of `accept`.
    State {
        /// What a bad state satisfies.
        reject: StatePredicate,
        /// What excuses a bad state.
        accept: Vec<StatePredicate>,
    },
    /// All maximal runs satisfy a formula of linear temporal logic.
    Ltl(Ltl),
}

/// A predicate of single states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatePredicate {
    /// The state has no successor.
    Deadlock,
    /// A proposition of the net holds.
    Proposition(PropIdx),
}

/// Linear temporal logic over propositions.
#[derive(Clone, Debug, PartialEq)]
pub enum Ltl {
    /// Constant.
    Const(bool),
    /// A proposition of the net.
    Proposition(PropIdx),
    /// Negation.
    Not(Box<Ltl>),
    /// Conjunction.
    And(Box<Ltl>, Box<Ltl>),
    /// Disjunction.
    Or(Box<Ltl>, Box<Ltl>),
    /// Implication.
    Implies(Box<Ltl>, Box<Ltl>),
    /// Equivalence.
    Iff(Box<Ltl>, Box<Ltl>),
    /// From now on always.
    Always(Box<Ltl>),
    /// Now or later.
    Eventually(Box<Ltl>),
    /// The left one holds until the right one does, which it eventually does.
    Until(Box<Ltl>, Box<Ltl>),
}
