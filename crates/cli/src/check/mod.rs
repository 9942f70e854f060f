//! What `petite check` found, before it is written for people or programs.

pub mod json;
pub mod mcc;
pub mod questions;
pub mod text;

use petite_logic::{Answer, Asking, Trace, Unknown, Verdict};
use petite_store::Exactness;

use crate::exit::Exit;
use crate::problem::Problem;
use crate::summary::{LeftOut, Stop};
use crate::trace_file::Param;

/// Everything that is reported of one check.
pub struct Checked {
    /// The model's path as the user gave it.
    pub model: String,
    /// The net's name.
    pub net: String,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The questions' names, in order, with their answers.
    pub properties: Vec<Property>,
    /// The search of the reachable states; none where none was needed.
    pub searched: Option<SearchFigures>,
    /// Questions that needed searches of their own.
    pub n_about_runs: usize,
    /// What these keep states in.
    pub store_of_runs: &'static str,
    /// The error of the model that ended the search.
    pub error: Option<Problem>,
    /// Transition instances that are not in the state space because their evaluation failed.
    pub left_out: Option<LeftOut>,
    /// Time in all, in seconds.
    pub seconds: f64,
    /// The engine that was used.
    pub engine: &'static str,
    /// Why the model cannot be reduced, where that was tried.
    pub not_reduced: Option<String>,
}

/// A question with its answer.
pub struct Property {
    /// Its name.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The net that gave it.
    pub net: Asking,
    /// The witness for people, where there is one.
    pub trace: Option<Trace>,
}

/// Figures of the last search of reachable states.
pub struct SearchFigures {
    /// The net that was searched.
    pub net: Asking,
    /// States stored.
    pub states: u64,
    /// Edges walked.
    pub edges: u64,
    /// Why it ended before all states were seen, if it did.
    pub stopped: Option<Stop>,
    /// Whether the store keeps all states apart.
    pub exactness: Exactness,
    /// The store.
    pub store: &'static str,
    /// Why that one, where it was chosen for the user.
    pub store_choice: Option<String>,
    /// The order.
    pub search: &'static str,
    /// Heap bytes of the store.
    pub store_bytes: u64,
    /// Time of the search, in seconds.
    pub seconds: f64,
}

impl Checked {
    /// How the command ends.
    pub fn exit(&self) -> Exit {
        let any = |is_it: fn(&Answer) -> bool| {
            self.properties.iter().any(|property| is_it(&property.verdict.answer))
        };
        let is_interrupted = |searched: &SearchFigures| searched.stopped == Some(Stop::Interrupted);
        if self.error.is_some() {
            Exit::Bad
        } else if self.searched.as_ref().is_some_and(is_interrupted) {
            Exit::Interrupted
        } else if any(|answer| *answer == Answer::Fails) {
            Exit::Fails
        } else if any(|answer| matches!(answer, Answer::Unknown(_))) {
            Exit::Limit
        } else {
            Exit::Done
        }
    }

    /// Why an answer is not known, in words.
    pub fn reason(&self, unknown: &Unknown) -> String {
        let so_far =
            |at_least: &Option<i128>| at_least.map_or(String::new(), |most| format!("at least {most}; "));
        match unknown {
            Unknown::Incomplete { at_least } => {
                let why =
                    self.searched.as_ref().and_then(|searched| searched.stopped).map_or("", Stop::words);
                format!("{}not all states were seen: {why}", so_far(at_least))
            }
            Unknown::Probabilistic { at_least } => {
                format!(
                    "{}the store may have missed states; use an exact one, as --store plain",
                    so_far(at_least)
                )
            }
            Unknown::NotSupported(why) | Unknown::Ended(why) => (*why).to_owned(),
            Unknown::Failed(error) => error.to_string(),
        }
    }
}
