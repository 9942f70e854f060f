//! What an exploration found, before it is written for people or programs.

use petite_net::RunError;
use petite_store::{Exactness, Figure};

use crate::endless::Endless;
use crate::exit::Exit;
use crate::problem::Problem;

/// Everything that is reported of one exploration.
pub struct Summary {
    /// The model's path as the user gave it.
    pub model: String,
    /// The net's name.
    pub net: String,
    /// The constants that can be set with `--param`, with their values.
    pub params: Vec<(String, i64)>,
    /// The engine that was used.
    pub engine: &'static str,
    /// Why that one.
    pub engine_reason: String,
    /// The order of the search.
    pub search: &'static str,
    /// The store.
    pub store: &'static str,
    /// Why that one, where it was chosen for the user.
    pub store_choice: Option<String>,
    /// What the store tells of itself beyond its size.
    pub figures: Vec<Figure>,
    /// Whether the store keeps all states apart; what a lossy one counts bounds the truth from below.
    pub exactness: Exactness,
    /// Number of states.
    pub states: u64,
    /// Number of enabled transition instances, summed over the states.
    pub edges: u64,
    /// Number of states without a successor.
    /// Edges that were counted without being followed; see `petite_model::Commuting`.
    pub edges_not_taken: u64,
    pub dead_states: u64,
    /// Largest number of equal tokens in one place.
    pub max_multiplicity: u32,
    /// Largest number of tokens that a place held.
    pub max_tokens_in_place: u64,
    /// Largest number of tokens that all places together held.
    pub max_tokens_total: u64,
    /// Largest number of tokens that each place held.
    pub place_bounds: Vec<(String, u64)>,
    /// Why the search ended before the whole state space was seen, if it did.
    pub stopped: Option<Stop>,
    /// The error of the model that ended the search, with [`Stop::Error`].
    pub error: Option<Problem>,
    /// Transition instances that are not in the state space because their evaluation failed, if there are any.
    pub left_out: Option<LeftOut>,
    /// How the states were found to have no end, with [`Stop::Unbounded`].
    pub endless: Option<Endless>,
    /// Time to read the model and make it ready, in seconds.
    pub prepare_seconds: f64,
    /// Time of the search alone, in seconds.
    pub seconds: f64,
    /// Heap bytes of the store: index, tables, vectors.
    pub store_bytes: u64,
    /// Heap bytes of all stored state vectors alone.
    pub vectors_bytes: u64,
    /// Heap bytes of the model's tables.
    pub model_bytes: u64,
    /// Heap bytes of the states to be expanded, at their peak.
    pub frontier_bytes: u64,
    /// Largest resident set of the process, where the system tells it.
    pub peak_rss_bytes: Option<u64>,
    /// Number of actions: transition instances that were numbered.
    pub actions: u64,
    /// Number of slots of a state vector.
    pub slots: u64,
    /// Number of bits of a packed state vector.
    pub state_bits: u64,
}

impl Summary {
    /// States found in a second; nothing where no time passed.
    pub fn states_per_second(&self) -> Option<f64> {
        ratio(self.states as f64, self.seconds)
    }

    /// Edges found in a second; nothing where no time passed.
    pub fn edges_per_second(&self) -> Option<f64> {
        ratio(self.edges as f64, self.seconds)
    }

    /// All bytes of the store for each state; nothing where there are no states.
    pub fn bytes_per_state(&self) -> Option<f64> {
        ratio(self.store_bytes as f64, self.states as f64)
    }

    /// Average bytes of a stored vector; nothing where there are no states.
    pub fn vector_bytes(&self) -> Option<f64> {
        ratio(self.vectors_bytes as f64, self.states as f64)
    }
}

/// Transition instances that were left out, as some languages have it.
pub struct LeftOut {
    /// How many.
    pub n_instances: u64,
    /// What went wrong with the first one.
    pub first: Problem,
}

impl LeftOut {
    /// What is to be said of these errors, if there are any.
    pub fn of(errors: &[&RunError]) -> Option<LeftOut> {
        let (first, others) = errors.split_first()?;
        let note = match others.len() {
            0 => "this transition instance was left out of the state space".to_owned(),
            n => format!(
                "this transition instance was left out of the state space, and {n} others with errors"
            ),
        };
        Some(LeftOut { n_instances: errors.len() as u64, first: Problem::from(*first).note(note) })
    }
}

fn ratio(amount: f64, unit: f64) -> Option<f64> {
    (unit > 0.0).then(|| amount / unit)
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// `--max-states`.
    States,
    /// `--max-memory`.
    Memory,
    /// `--max-time`.
    Time,
    /// Ctrl-C or a request to terminate.
    Interrupted,
    /// Everything that was asked for is known.
    Observed,
    /// The system gave no more memory.
    OutOfMemory,
    /// More states than can be numbered.
    OutOfIds,
    /// Places grow without end.
    Unbounded,
    /// An error of the model.
    Error,
}

impl Stop {
    /// How the command ends then.
    pub fn exit(self) -> Exit {
        match self {
            Stop::States | Stop::Memory | Stop::Time => Exit::Limit,
            Stop::OutOfMemory | Stop::OutOfIds | Stop::Unbounded => Exit::Limit,
            Stop::Interrupted => Exit::Interrupted,
            Stop::Observed => Exit::Done,
            Stop::Error => Exit::Bad,
        }
    }

    /// The reason for programs.
    pub fn name(self) -> &'static str {
        match self {
            Stop::States => "max-states",
            Stop::Memory => "max-memory",
            Stop::Time => "max-time",
            Stop::Interrupted => "interrupted",
            Stop::Observed => "decided",
            Stop::OutOfMemory => "out-of-memory",
            Stop::OutOfIds => "out-of-ids",
            Stop::Unbounded => "unbounded",
            Stop::Error => "error",
        }
    }

    /// The reason for people.
    pub fn words(self) -> &'static str {
        match self {
            Stop::States => "state limit reached",
            Stop::Memory => "memory limit reached",
            Stop::Time => "time limit reached",
            Stop::Interrupted => "interrupted",
            Stop::Observed => "ended as soon as all was decided",
            Stop::OutOfMemory => "the system has no more memory",
            Stop::OutOfIds => "more states than can be numbered",
            Stop::Unbounded => "unbounded",
            Stop::Error => "ended by an error of the model",
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A summary to write in tests.
    pub fn sample() -> Summary {
        Summary {
            model: "models/dining.lna".to_owned(),
            net: "dining".to_owned(),
            params: vec![("N".to_owned(), 5), ("EAT".to_owned(), -2)],
            engine: "unfolded",
            engine_reason: "125 instances are few".to_owned(),
            search: "bfs",
            store: "plain",
            store_choice: None,
            figures: Vec::new(),
            exactness: Exactness::Exact,
            states: 1_914_784,
            edges: 9_046_048,
            edges_not_taken: 0,
            dead_states: 0,
            max_multiplicity: 2,
            max_tokens_in_place: 5,
            max_tokens_total: 12,
            place_bounds: vec![("forks".to_owned(), 5), ("a_long_name_of_a_place".to_owned(), 1)],
            stopped: None,
            error: None,
            left_out: None,
            endless: None,
            prepare_seconds: 0.01,
            seconds: 2.0,
            store_bytes: 38_295_680,
            vectors_bytes: 15_318_272,
            model_bytes: 2048,
            frontier_bytes: 4096,
            peak_rss_bytes: Some(42 << 20),
            actions: 125,
            slots: 40,
            state_bits: 61,
        }
    }

    #[test]
    fn averages_need_something_to_average() {
        let mut summary = sample();
        assert_eq!(summary.bytes_per_state(), Some(20.0));
        assert_eq!(summary.vector_bytes(), Some(8.0));
        assert_eq!(summary.states_per_second(), Some(957_392.0));
        summary.states = 0;
        summary.seconds = 0.0;
        assert_eq!(summary.bytes_per_state(), None);
        assert_eq!(summary.edges_per_second(), None);
    }
}
