//! Linear time: from formulas to automata.
//!
//! [`translate_negation`] gives an automaton for the runs that violate a formula; [`crate::check_ltl`] looks for such a
//! run in a model. On the way a formula is brought into negation normal form and simplified (`formula`, `rewrite`),
//! taken apart into what it demands now and later (`alternating`), assembled (`translate`) and made smaller (`reduce`).

mod alternating;
mod automaton;
mod degeneralise;
mod formula;
mod label;
mod reduce;
mod rewrite;
mod translate;

pub use automaton::{Automaton, AutomatonEdge, AutomatonState, Marks, Strength};
pub use degeneralise::degeneralised;
pub use label::Label;
pub use translate::{TranslationError, translate, translate_negation};

use crate::Ltl;

impl Ltl {
    /// Whether repeating states of a run never matters, as far as the form tells: there is no `X` in it.
    pub fn is_stutter_insensitive(&self) -> bool {
        match self {
            Ltl::True | Ltl::False | Ltl::Atom(_) => true,
            Ltl::Not(part) | Ltl::Finally(part) | Ltl::Globally(part) => part.is_stutter_insensitive(),
            Ltl::And(parts) | Ltl::Or(parts) => parts.iter().all(Ltl::is_stutter_insensitive),
            Ltl::Next(_) => false,
            Ltl::Until(left, right) | Ltl::Release(left, right) => {
                left.is_stutter_insensitive() && right.is_stutter_insensitive()
            }
        }
    }
}
