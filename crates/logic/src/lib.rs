//! Properties of models: what can be asked, and how it is answered.
//!
//! Temporal formulas ([`Ltl`], [`Ctl`]) speak of *atoms*: statements about one state, which are known here by their
//! number alone. What an atom means in a state of a model is told by [`Atoms`]; so the temporal part knows no places
//! and no languages, and the part that does knows no automata.

#![forbid(unsafe_code)]

mod ancestry;
mod answer;
mod atoms;
mod claim;
mod clock;
mod ctl;
mod decide;
mod expander;
mod globals;
mod hunt;
mod infeasible;
mod initial;
mod liveness;
pub mod ltl;
mod normal;
mod phases;
mod plan;
mod predicate;
mod product;
mod reduced;
mod runs;
mod simplify;
mod state_equation;
mod stated;
mod temporal;
mod trace;
mod translate;
mod verdict;

use clock::Clock;

pub use ancestry::Ancestry;
pub use answer::{
    Answered, Answers, Asking, Explorer, Keeping, NoAnswer, Options, Reducing, TellAnswer, Witnesses, answer,
};
pub use atoms::PredicateAtoms;
pub use ctl::{
    CtlUnknown, CtlVerdict, LabelFailure, Linear, NodeBits, Structure, check_ctl, check_ctl_locally,
    label_graph, linear,
};
pub use decide::decide;
pub use hunt::{Coverage, Hunt, Tell};
pub use liveness::liveness;
pub use phases::{Effort, Phases};
pub use plan::{Asked, Plan};
pub use predicate::{CompileError, Enabled, NumberId, PredicateId, Predicates, Snapshot, Source};
pub use product::{
    FairSets, Lasso, LtlFigures, LtlOutcome, LtlUnknown, LtlVerdict, NetFairness, Rest, Unfair, check_ltl,
    check_ltl_fair,
};
pub use reduced::Shrinkage;
pub use runs::about_runs;
pub use stated::stated;
pub use temporal::{AtomId, Atoms, Ctl, Ltl};
pub use trace::{Change, Misfit, Step, Trace, Walk, replay, trace};
pub use translate::{Temporal, temporal};
pub use verdict::{Answer, Means, Unknown, Verdict};
