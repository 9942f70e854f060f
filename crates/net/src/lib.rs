//! Coloured Petri nets as data.
//!
//! A [`Net`] has colour types with their [`Value`]s, functions, places, transitions, propositions and
//! properties. Every reader produces one, and nothing past the readers knows which language it came from. This
//! crate knows nothing of files or of search.

#![forbid(unsafe_code)]

mod bag;
mod combinatorics;
mod digits;
mod error;
mod eval;
mod expr;
mod formula;
mod multiset;
mod neighbour;
mod net;
mod nupn;
mod order;
mod plain;
mod plain_net;
mod property;
mod rank;
pub mod reduce;
mod span;
mod stack;
pub mod structure;
mod types;
mod value;

pub use bag::{BagExpr, BagTest, Extreme};
pub use digits::Digit;
pub use error::{RunError, RunErrorKind};
pub use eval::{EachCombination, Evaluator, Flow};
pub use expr::{
    Access, BinaryOp, ContainerAttribute, Expr, ExprKind, Failure, Fold, FuncIdx, Function, Iter, IterDomain,
    Stmt, Target, UnaryOp, VarIdx, Variable,
};
pub use formula::{Comparison, Formula, FormulaKind, Global, Number, Pattern, Predicate, Query, Question};
pub use multiset::{MultiSet, MultiplicityOverflow};
pub use net::{
    Arc, Capacity, Fairness, FairnessSet, Ids, Implied, Marking, Net, OnError, Place, PlaceIdx,
    PriorityClass, PropIdx, Proposition, Sign, Term, TransIdx, Transition,
};
pub use nupn::{Nupn, Unit, UnitIdx};
pub use plain::{PlainNet, PlainPlace, PlainTransition};
pub use property::{Ltl, Progress, Property, PropertyKind, StatePredicate};
pub use rank::Cardinality;
pub use span::{Name, Span};
pub use stack::on_large_stack;
pub use types::{Component, Kind, Type, TypeIdx, Types};
pub use value::Value;
