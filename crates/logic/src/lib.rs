//! Properties of models: what can be asked, and how it is answered.
//!
//! Temporal formulas ([`Ltl`], [`Ctl`]) speak of *atoms*: statements about one state, which are known here by their
//! number alone. What an atom means in a state of a model is told by [`Atoms`]; so the temporal part knows no places
//! and no languages, and the part that does knows no automata.

#![forbid(unsafe_code)]

mod ctl;
mod expander;
pub mod ltl;
mod product;
mod temporal;

pub use ctl::{CtlUnknown, CtlVerdict, Linear, Structure, check_ctl, check_ctl_locally, linear};
pub use product::{
    FairSets, Lasso, LtlFigures, LtlOutcome, LtlUnknown, LtlVerdict, NetFairness, Rest, Unfair, check_ltl,
    check_ltl_fair,
};
pub use temporal::{AtomId, Atoms, Ctl, Ltl};
