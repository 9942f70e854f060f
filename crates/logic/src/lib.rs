//! Properties of models: what can be asked, and how it is answered.
//!
//! Temporal formulas ([`Ltl`], [`Ctl`]) speak of *atoms*: statements about one state, which are known here by their
//! number alone. What an atom means in a state of a model is told by [`Atoms`]; so the temporal part knows no places
//! and no languages, and the part that does knows no automata.

#![forbid(unsafe_code)]

mod ancestry;
mod atoms;
mod claim;
mod decide;
mod globals;
mod hunt;
mod infeasible;
mod initial;
mod liveness;
mod normal;
mod phases;
mod plan;
mod predicate;
mod runs;
mod simplify;
mod state_equation;
mod stated;
mod temporal;
mod trace;
mod translate;
mod verdict;

pub use ancestry::Ancestry;
pub use atoms::PredicateAtoms;
pub use decide::{Witnesses, decide};
pub use hunt::{Coverage, Hunt, Tell};
pub use liveness::liveness;
pub use phases::Phases;
pub use plan::{Asked, Plan};
pub use predicate::{CompileError, Enabled, NumberId, PredicateId, Predicates, Snapshot, Source};
pub use runs::about_runs;
pub use stated::stated;
pub use temporal::{AtomId, Atoms, Ctl, Ltl};
pub use trace::{Change, Misfit, Step, Trace, Walk, replay, trace};
pub use translate::{Temporal, temporal};
pub use verdict::{Answer, Means, Unknown, Verdict};
