//! Answers for programs: one JSON object.

use petite_lang::Source;
use petite_logic::{Answer, Asking, Means, Shrinkage};
use petite_net::Net;
use petite_store::Exactness;
use serde::Serialize;

use super::Checked;
use crate::json::{Error, text_of};
use crate::summary::Stop;
use crate::trace_file::{Param, TraceDocument};

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    net: &'a str,
    params: &'a [Param],
    properties: Vec<PropertyDocument<'a>>,
    states: Option<u64>,
    edges: Option<u64>,
    /// Whether all reachable states of the net that was searched last were seen.
    complete: bool,
    /// The size of that net, where it was a reduced one.
    #[serde(skip_serializing_if = "Option::is_none")]
    reduced: Option<ReducedDocument>,
    /// Why the model cannot be reduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_reduced: Option<&'a str>,
    stopped: Option<&'a str>,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    omission_probability: Option<f64>,
    store: Option<&'a str>,
    search: Option<&'a str>,
    engine: &'a str,
    store_bytes: Option<u64>,
    search_seconds: Option<f64>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error<'a>>,
}

#[derive(Serialize)]
struct PropertyDocument<'a> {
    name: &'a str,
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    obtained: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The size of the net that gave the answer, where it was a reduced one.
    #[serde(skip_serializing_if = "Option::is_none")]
    reduced: Option<ReducedDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceDocument>,
}

/// Places and transitions of the unfolded net, before and after it was reduced.
#[derive(Serialize)]
struct ReducedDocument {
    places_before: usize,
    places: usize,
    transitions_before: usize,
    transitions: usize,
}

impl ReducedDocument {
    fn of(net: &Asking) -> Option<ReducedDocument> {
        let Asking::Reduced(Shrinkage { places, transitions }) = net else { return None };
        Some(ReducedDocument {
            places_before: places.0,
            places: places.1,
            transitions_before: transitions.0,
            transitions: transitions.1,
        })
    }
}

/// The word for an answer.
pub fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Fails => "fails",
        Answer::Bound(_) => "bound",
        Answer::Unbounded => "unbounded",
        Answer::Unknown(_) => "unknown",
    }
}

/// The whole document.
pub fn document(checked: &Checked, net: &Net, sources: &[Source]) -> String {
    let property = |property: &'_ super::Property| {
        let answer = &property.verdict.answer;
        let (value, reason) = match answer {
            Answer::Bound(most) => (i64::try_from(*most).ok(), None),
            Answer::Unknown(unknown) => (None, Some(checked.reason(unknown))),
            _ => (None, None),
        };
        let trace = property.trace.as_ref();
        PropertyDocument {
            name: "",
            answer: word(answer),
            value,
            obtained: match property.verdict.means {
                Means::Structure => "structure",
                Means::Witness => "witness",
                Means::AllStates => "all-states",
                Means::None => "not",
            },
            reason,
            reduced: ReducedDocument::of(&property.net),
            trace: trace
                .map(|trace| TraceDocument::new(net, trace, Some(&property.name), Some(word(answer)))),
        }
    };
    let searched = checked.searched.as_ref();
    let document = Document {
        model: &checked.model,
        net: &checked.net,
        params: &checked.params,
        properties: checked
            .properties
            .iter()
            .map(|one| PropertyDocument { name: &one.name, ..property(one) })
            .collect(),
        states: searched.map(|searched| searched.states),
        edges: searched.map(|searched| searched.edges),
        complete: searched.is_some_and(|searched| searched.stopped.is_none()),
        reduced: searched.and_then(|searched| ReducedDocument::of(&searched.net)),
        not_reduced: checked.not_reduced.as_deref(),
        stopped: searched.and_then(|searched| searched.stopped).map(Stop::name),
        exact: searched.is_none_or(|searched| searched.exactness == Exactness::Exact),
        omission_probability: searched.and_then(|searched| match searched.exactness {
            Exactness::Lossy { omission } => Some(omission),
            _ => None,
        }),
        store: searched.map(|searched| searched.store),
        search: searched.map(|searched| searched.search),
        engine: checked.engine,
        store_bytes: searched.map(|searched| searched.store_bytes),
        search_seconds: searched.map(|searched| searched.seconds),
        seconds: checked.seconds,
        error: checked.error.as_ref().map(|problem| Error::of(problem, sources)),
    };
    text_of(&document)
}
