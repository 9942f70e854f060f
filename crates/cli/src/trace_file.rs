//! Traces as files: JSON that `petite check` and `petite simulate` write and `petite simulate` follows.

use petite_logic::{Change, Step, Trace};
use petite_net::Net;
use serde::{Deserialize, Serialize};

/// What the file says it is.
const KIND: &str = "petite trace";

/// A trace as a document.
#[derive(Debug, Serialize, Deserialize)]
pub struct TraceDocument {
    /// Always the same words.
    kind: String,
    /// The net's name.
    pub net: String,
    /// The parameters that the net was read with.
    pub params: Vec<Param>,
    /// The property that the trace is about, if it is about one.
    #[serde(default)]
    pub property: Option<String>,
    /// Whether the property holds or fails, as the trace shows.
    #[serde(default)]
    pub answer: Option<String>,
    /// The places that hold something at first.
    initial: Vec<PlaceTokens>,
    /// The steps.
    steps: Vec<StepDocument>,
    /// After how many steps the run is where it comes back to at its end.
    #[serde(default)]
    cycle: Option<usize>,
}

/// A parameter of the net.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i64,
}

#[derive(Debug, Serialize, Deserialize)]
struct PlaceTokens {
    place: String,
    tokens: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct StepDocument {
    transition: String,
    binding: Vec<Bound>,
    changes: Vec<ChangeDocument>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Bound {
    variable: String,
    value: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct ChangeDocument {
    place: String,
    before: String,
    after: String,
}

/// The parameters of a net.
pub fn params(net: &Net) -> Vec<Param> {
    net.params.iter().map(|(name, value)| Param { name: name.text.clone(), value: *value }).collect()
}

impl TraceDocument {
    /// A trace of a net.
    pub fn new(net: &Net, trace: &Trace, property: Option<&str>, answer: Option<&str>) -> TraceDocument {
        let step = |step: &Step| StepDocument {
            transition: step.transition.clone(),
            binding: step
                .binding
                .iter()
                .map(|(variable, value)| Bound { variable: variable.clone(), value: value.clone() })
                .collect(),
            changes: step
                .changes
                .iter()
                .map(|change| ChangeDocument {
                    place: change.place.clone(),
                    before: change.before.clone(),
                    after: change.after.clone(),
                })
                .collect(),
        };
        TraceDocument {
            kind: KIND.to_owned(),
            net: net.name.text.clone(),
            params: params(net),
            property: property.map(str::to_owned),
            answer: answer.map(str::to_owned),
            initial: trace
                .initial
                .iter()
                .map(|(place, tokens)| PlaceTokens { place: place.clone(), tokens: tokens.clone() })
                .collect(),
            steps: trace.steps.iter().map(step).collect(),
            cycle: trace.cycle,
        }
    }

    /// Reads a document.
    ///
    /// # Errors
    /// With a message when it is no trace.
    pub fn read(text: &str) -> Result<TraceDocument, String> {
        let document: TraceDocument =
            serde_json::from_str(text).map_err(|error| format!("this is no trace of petite: {error}"))?;
        if document.kind != KIND {
            return Err(format!(
                "this is no trace of petite: its kind is {:?}, expected {KIND:?}",
                document.kind
            ));
        }
        if document.cycle.is_some_and(|cycle| cycle > document.steps.len()) {
            return Err("the cycle of this trace begins behind its last step".to_owned());
        }
        Ok(document)
    }

    /// The trace.
    pub fn trace(&self) -> Trace {
        let step = |step: &StepDocument| Step {
            transition: step.transition.clone(),
            binding: step.binding.iter().map(|bound| (bound.variable.clone(), bound.value.clone())).collect(),
            changes: step
                .changes
                .iter()
                .map(|change| Change {
                    place: change.place.clone(),
                    before: change.before.clone(),
                    after: change.after.clone(),
                })
                .collect(),
        };
        Trace {
            initial: self.initial.iter().map(|held| (held.place.clone(), held.tokens.clone())).collect(),
            steps: self.steps.iter().map(step).collect(),
            cycle: self.cycle,
        }
    }

    /// The document as text.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
