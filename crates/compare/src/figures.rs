//! What a run measured, as its JSON tells it.

use serde_json::Value;

use crate::break_even::BreakEven;
use crate::sample::Sample;

/// The figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// States found.
    pub states: u64,
    /// Edges walked.
    pub edges: u64,
    /// States without a successor.
    pub dead_states: Option<u64>,
    /// Time of the search.
    pub seconds: f64,
    /// Heap bytes of the store.
    pub store_bytes: u64,
    /// Average bytes of a stored vector.
    pub vector_bytes: Option<f64>,
    /// Heap bytes of the model's tables.
    pub model_bytes: u64,
    /// Heap bytes of the frontier at its peak.
    pub frontier_bytes: u64,
    /// Peak resident memory of the process.
    pub peak_bytes: Option<u64>,
    /// Whether all states are kept apart.
    pub exact: bool,
    /// The probability that a lossy store missed a state.
    pub omission: Option<f64>,
    /// How many states may have been counted more than once, where that is so.
    pub repeated: Option<u64>,
    /// Bits of a packed state.
    pub state_bits: Option<u64>,
    /// From how many states on the codec's tables pay, where it has some.
    pub break_even: Option<BreakEven>,
}

impl Figures {
    /// Reads the object that `petite explore --json` prints; nothing where it tells only of a problem.
    pub fn of(json: &Value) -> Option<Figures> {
        let number = |name: &str| json[name].as_u64();
        Some(Figures {
            states: number("states")?,
            edges: number("edges")?,
            dead_states: number("dead_states"),
            seconds: json["seconds"].as_f64()?,
            store_bytes: number("store_bytes")?,
            vector_bytes: json["vector_bytes"].as_f64(),
            model_bytes: number("model_bytes")?,
            frontier_bytes: number("frontier_bytes")?,
            peak_bytes: number("peak_rss_bytes"),
            exact: json["exact"].as_bool()?,
            omission: json["omission_probability"].as_f64(),
            repeated: number("states_counted_again_at_most"),
            state_bits: number("state_bits"),
            break_even: BreakEven::of(&json["store_figures"]),
        })
    }

    /// What is known of a run that ended without a word: the last that was heard of it, and the largest resident
    /// memory that was seen from outside.
    pub fn last_seen(sample: &Sample, peak_bytes: Option<u64>) -> Figures {
        Figures {
            states: sample.states,
            edges: sample.edges,
            dead_states: None,
            seconds: sample.seconds,
            store_bytes: sample.store_bytes,
            vector_bytes: None,
            model_bytes: sample.model_bytes,
            frontier_bytes: sample.frontier_bytes,
            peak_bytes,
            exact: true,
            omission: None,
            repeated: None,
            state_bits: None,
            break_even: None,
        }
    }

    /// Bytes of the store for each state.
    pub fn bytes_per_state(&self) -> Option<f64> {
        (self.states > 0).then(|| self.store_bytes as f64 / self.states as f64)
    }

    /// States found in a second.
    pub fn states_per_second(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.states as f64 / self.seconds)
    }

    /// The memory that it took: of the whole process, or where that is not known of all that it counted.
    pub fn memory(&self) -> u64 {
        self.peak_bytes.unwrap_or(self.store_bytes + self.model_bytes + self.frontier_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_problem_has_no_figures() {
        assert_eq!(Figures::of(&json!({"error": {"message": "no"}})), None);
        assert_eq!(Figures::of(&Value::Null), None);
    }
}
