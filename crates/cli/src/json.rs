//! A summary or a problem for programs: one JSON object with its fields always in the same order.

use petite_lang::Source;
use petite_store::{Amount, Exactness, Figure};
use serde::{Serialize, Serializer};

use crate::endless::Endless;
use crate::excerpt::Excerpt;
use crate::problem::{Place, Problem};
use crate::render::SHOWN;
use crate::summary::Summary;

/// What an exploration found; the bound of each place is only given in `detail`.
pub fn summary(summary: &Summary, sources: &[Source], detail: Detail) -> String {
    let document = Exploration {
        model: &summary.model,
        net: &summary.net,
        params: Pairs(&summary.params),
        states: summary.states,
        edges: summary.edges,
        edges_not_taken: Some(summary.edges_not_taken).filter(|&edges| edges > 0),
        dead_states: summary.dead_states,
        max_tokens_in_place: summary.max_multiplicity,
        max_tokens_in_coloured_place: summary.max_tokens_in_place,
        max_tokens_total: summary.max_tokens_total,
        complete: summary.stopped.is_none(),
        stopped: summary.stopped.map(|stop| stop.name()),
        exact: summary.exactness == Exactness::Exact,
        omission_probability: match summary.exactness {
            Exactness::Exact | Exactness::Repeated { .. } => None,
            Exactness::Lossy { omission } => Some(omission),
        },
        states_counted_again_at_most: match summary.exactness {
            Exactness::Exact | Exactness::Lossy { .. } => None,
            Exactness::Repeated { most } => Some(most),
        },
        store: summary.store,
        store_choice: summary.store_choice.as_deref().filter(|_| detail == Detail::Full),
        search: summary.search,
        engine: summary.engine,
        seconds: summary.seconds,
        prepare_seconds: summary.prepare_seconds,
        states_per_second: summary.states_per_second(),
        edges_per_second: summary.edges_per_second(),
        store_bytes: summary.store_bytes,
        bytes_per_state: summary.bytes_per_state(),
        vector_bytes: summary.vector_bytes(),
        model_bytes: summary.model_bytes,
        frontier_bytes: summary.frontier_bytes,
        peak_states: summary.figures.iter().find_map(|figure| match figure.amount {
            Amount::Count(states) if figure.name == "peak states" => Some(states),
            _ => None,
        }),
        peak_rss_bytes: summary.peak_rss_bytes,
        actions: summary.actions,
        slots: summary.slots,
        state_bits: summary.state_bits,
        store_figures: (!summary.figures.is_empty()).then_some(Figures(&summary.figures)),
        place_bounds: (detail == Detail::Full).then_some(Pairs(&summary.place_bounds)),
        unbounded: summary.endless.as_ref(),
        instances_left_out: summary.left_out.as_ref().map(|left_out| left_out.n_instances),
        left_out_for: summary.left_out.as_ref().map(|left_out| Error::of(&left_out.first, sources)),
        error: summary.error.as_ref().map(|problem| Error::of(problem, sources)),
    };
    text_of(&document)
}

/// Why nothing could be found: the first problem as `error`, and the first of them all as `errors`.
pub fn problems(problems: &[Problem], sources: &[Source]) -> String {
    let errors: Vec<_> = problems.iter().take(SHOWN).map(|problem| Error::of(problem, sources)).collect();
    text_of(&Failure { error: errors.first(), errors: &errors, error_count: problems.len() })
}

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The figures of the whole state space.
    Figures,
    /// Those of each place too.
    Full,
}

#[derive(Serialize)]
struct Exploration<'a> {
    model: &'a str,
    net: &'a str,
    params: Pairs<'a, i64>,
    states: u64,
    edges: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    edges_not_taken: Option<u64>,
    dead_states: u64,
    max_tokens_in_place: u32,
    max_tokens_in_coloured_place: u64,
    max_tokens_total: u64,
    complete: bool,
    stopped: Option<&'a str>,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    omission_probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states_counted_again_at_most: Option<u64>,
    store: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    store_choice: Option<&'a str>,
    search: &'a str,
    engine: &'a str,
    seconds: f64,
    prepare_seconds: f64,
    states_per_second: Option<f64>,
    edges_per_second: Option<f64>,
    store_bytes: u64,
    bytes_per_state: Option<f64>,
    vector_bytes: Option<f64>,
    model_bytes: u64,
    frontier_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_states: Option<u64>,
    peak_rss_bytes: Option<u64>,
    actions: u64,
    slots: u64,
    state_bits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    store_figures: Option<Figures<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place_bounds: Option<Pairs<'a, u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unbounded: Option<&'a Endless>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instances_left_out: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out_for: Option<Error<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error<'a>>,
}

#[derive(Serialize)]
struct Failure<'a> {
    error: Option<&'a Error<'a>>,
    errors: &'a [Error<'a>],
    error_count: usize,
}

/// A problem for programs.
#[derive(Serialize)]
pub struct Error<'a> {
    message: &'a str,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    notes: &'a [String],
    help: Option<&'a str>,
}

impl<'a> Error<'a> {
    /// A problem with where it is.
    pub fn of(problem: &'a Problem, sources: &'a [Source]) -> Error<'a> {
        let (file, position) = match &problem.place {
            Place::Nowhere => (None, None),
            Place::File(path) => (Some(path.as_str()), None),
            Place::Source { span, .. } => {
                let source = sources.get(span.file as usize);
                let position = source.map(|source| {
                    Excerpt::around(&source.text, span.start as usize..span.end as usize).position
                });
                (source.map(|source| source.path.as_str()), position)
            }
        };
        Error {
            message: &problem.message,
            file,
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            notes: &problem.notes,
            help: problem.help.as_deref(),
        }
    }
}

/// Names with values, written as an object in their own order.
pub struct Pairs<'a, T>(pub &'a [(String, T)]);

impl<T: Serialize> Serialize for Pairs<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The figures of a store, as an object with their names joined by underscores.
pub struct Figures<'a>(pub &'a [Figure]);

impl Serialize for Figures<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|figure| {
            let value = match &figure.amount {
                Amount::Count(count) | Amount::Bytes(count) => (*count).into(),
                Amount::Number(number) => (*number).into(),
                Amount::Words(words) => serde_json::Value::from(words.as_str()),
            };
            (figure.name.replace([' ', '-'], "_"), value)
        }))
    }
}

/// The document as text that ends its line.
pub fn text_of(document: &impl Serialize) -> String {
    // These documents are plain data with string keys, which can always be written.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{Stop, tests::sample};
    use petite_net::Span;
    use serde_json::{Value, json};

    fn parsed(text: &str) -> Value {
        assert!(text.ends_with("}\n"));
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_complete_result_has_every_field() {
        let value = parsed(&summary(&sample(), &[], Detail::Figures));
        let expected = json!({
            "model": "models/dining.lna", "net": "dining", "params": {"N": 5, "EAT": -2},
            "states": 1_914_784, "edges": 9_046_048, "dead_states": 0,
            "max_tokens_in_place": 2, "max_tokens_in_coloured_place": 5, "max_tokens_total": 12,
            "complete": true, "stopped": null, "exact": true,
            "store": "plain", "search": "bfs", "engine": "unfolded",
            "seconds": 2.0, "prepare_seconds": 0.01,
            "states_per_second": 957_392.0, "edges_per_second": 4_523_024.0,
            "store_bytes": 38_295_680, "bytes_per_state": 20.0, "vector_bytes": 8.0,
            "model_bytes": 2048, "frontier_bytes": 4096, "peak_rss_bytes": 42 << 20,
            "actions": 125, "slots": 40, "state_bits": 61,
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn a_lossy_result_says_so() {
        let found = Summary { exactness: Exactness::Lossy { omission: 0.25 }, ..sample() };
        let value = parsed(&summary(&found, &[], Detail::Figures));
        assert_eq!((&value["exact"], &value["omission_probability"]), (&json!(false), &json!(0.25)));
    }

    #[test]
    fn a_result_with_states_counted_again_says_so() {
        let found = Summary { exactness: Exactness::Repeated { most: 7 }, ..sample() };
        let value = parsed(&summary(&found, &[], Detail::Figures));
        assert_eq!((&value["exact"], &value["states_counted_again_at_most"]), (&json!(false), &json!(7)));
        assert_eq!(value.get("omission_probability"), None);
    }

    #[test]
    fn figures_of_the_store_are_named() {
        let mut found = sample();
        found.figures = vec![Figure::count("nodes now", 12), Figure::words("slot order", "by place")];
        let value = parsed(&summary(&found, &[], Detail::Figures));
        assert_eq!(value["store_figures"], json!({"nodes_now": 12, "slot_order": "by place"}));
    }

    #[test]
    fn a_partial_result_names_its_reason_and_error() {
        let mut found = sample();
        found.stopped = Some(Stop::Error);
        found.error = Some(Problem::of_source(Span { file: 0, start: 4, end: 5 }, "", "division by zero"));
        let sources = [Source { path: "d.lna".to_owned(), text: "a\nb c\n".to_owned() }];
        let value = parsed(&summary(&found, &sources, Detail::Full));
        assert_eq!((&value["complete"], &value["stopped"]), (&json!(false), &json!("error")));
        assert_eq!(value["place_bounds"]["forks"], json!(5));
        let error = json!({"message": "division by zero", "file": "d.lna", "line": 2, "column": 3,
            "notes": [], "help": null});
        assert_eq!(value["error"], error);
    }

    #[test]
    fn problems_are_listed_and_counted() {
        let all = vec![Problem::of_file("no.lna", "no such file").help("look again"); 30];
        let value = parsed(&problems(&all, &[]));
        let error = json!({"message": "no such file", "file": "no.lna", "line": null, "column": null,
            "notes": [], "help": "look again"});
        assert_eq!(value["error"], error);
        assert_eq!(value["errors"].as_array().unwrap().len(), SHOWN);
        assert_eq!(value["error_count"], json!(30));
    }
}
