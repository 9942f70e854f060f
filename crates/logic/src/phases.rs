//! The searches that a hunt goes through.
//!
//! A first look at some thousand states decides most questions, or the whole of a small model. Only what is open then is worth
//! the time of linear programs, which may prove that there is nothing to be found; the rest is looked for without that limit. A
//! search that is found to be endless is begun anew without the test, up to the limits, or for another look where there are none.

use std::time::Duration;

use petite_model::NetModel;
use petite_search::{Boundedness, Ending, Limit, Limits};

use crate::Hunt;

/// States of the first look.
const FIRST_LOOK: u64 = 30_000;

/// Which searches are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Only a first look at some thousand states; what it does not decide may be easier to answer elsewhere.
    Look,
    /// All that the limits allow, after a first look.
    Whole,
    /// The same where the first look was taken already.
    Rest,
}

/// How far the next search of a hunt may go.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    /// The limits that were asked for; the time is what is left of it.
    whole: Limits,
    effort: Effort,
    is_first: bool,
    is_endless: bool,
}

impl Phases {
    /// Before the first search.
    pub fn new(limits: Limits, effort: Effort) -> Phases {
        let is_first = effort != Effort::Rest && limits.max_states.is_none_or(|most| most > FIRST_LOOK);
        Phases { whole: limits, effort, is_first, is_endless: false }
    }

    /// Whether the model was found to have states without end.
    pub fn is_endless(&self) -> bool {
        self.is_endless
    }

    /// The limits of the next search.
    pub fn limits(&self) -> Limits {
        match self.is_first {
            true => Limits { max_states: Some(FIRST_LOOK), ..self.whole },
            false => self.whole,
        }
    }

    /// Whether another search is worth while after one that ended like this and took so long. The hunt is ready for it then.
    pub fn go_on<M: NetModel>(
        &mut self,
        hunt: &mut Hunt<'_>,
        model: &mut M,
        ending: &Ending,
        took: Duration,
    ) -> bool {
        self.whole.max_time = self.whole.max_time.map(|limit| limit.saturating_sub(took));
        match ending {
            Ending::LimitReached(Limit::States) if self.is_first => hunt.sharpen(model),
            Ending::Unbounded(proof) => {
                hunt.grows(&proof.growing);
                self.is_endless = true;
                self.whole.boundedness = Boundedness::Assume;
                if self.whole.max_time.is_none() && self.whole.max_states.is_none() {
                    self.whole.max_states = Some(FIRST_LOOK);
                }
            }
            _ => return false,
        }
        self.is_first = false;
        if hunt.is_done() || self.effort == Effort::Look {
            return false;
        }
        hunt.restart();
        true
    }
}
