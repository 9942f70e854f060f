//! Answers for people.

use std::fmt::Write as _;

use petite_logic::{Answer, Asking, Means, Shrinkage};
use petite_store::Exactness;

use super::{Checked, SearchFigures};
use crate::json::Detail;
use crate::summary::Stop;
use crate::trace_text;
use crate::units::grouped;

/// The line of a property that is decided. What is not known has to wait for the reason.
pub fn line(name: &str, answer: &Answer, means: Means) -> Option<String> {
    let how = match means {
        Means::Structure => " (by the structure of the net alone)",
        Means::Witness | Means::AllStates | Means::None => "",
    };
    let answer = match answer {
        Answer::Holds => "holds".to_owned(),
        Answer::Fails => "fails".to_owned(),
        Answer::Bound(most) => format!("at most {most}"),
        Answer::Unbounded => "unbounded".to_owned(),
        Answer::Unknown(_) => return None,
    };
    Some(format!("{name}: {answer}{how}\n"))
}

/// What comes after the lines: what is not known and why.
pub fn unknowns(checked: &Checked) -> String {
    let mut text = String::new();
    for property in &checked.properties {
        if let Answer::Unknown(unknown) = &property.verdict.answer {
            let _ = writeln!(text, "{}: unknown ({})", property.name, checked.reason(unknown));
        }
    }
    text
}

/// How far nets were reduced, or why the model cannot be.
pub fn reductions(checked: &Checked) -> String {
    let mut text = String::new();
    for property in &checked.properties {
        let Asking::Reduced(Shrinkage { places, transitions }) = property.net else { continue };
        let [places_before, places, transitions_before, transitions] =
            [places.0, places.1, transitions.0, transitions.1].map(|n| grouped(n as u64));
        let _ = writeln!(
            text,
            "{}: asked of a net with {places} of {places_before} places and {transitions} of \
             {transitions_before} transitions",
            property.name
        );
    }
    if let Some(reason) = &checked.not_reduced {
        let _ = writeln!(text, "the net cannot be reduced: {reason}");
    }
    text
}

/// The traces, and how all was found.
pub fn rest(checked: &Checked, detail: Detail) -> String {
    let mut text = String::new();
    for property in &checked.properties {
        let Some(trace) = &property.trace else { continue };
        let verb = match property.verdict.answer {
            Answer::Fails => "fails",
            Answer::Holds => "holds",
            _ => "is reached",
        };
        let n = trace.steps.len();
        let steps = match (n, trace.cycle) {
            (0, None) => "the initial state shows it".to_owned(),
            (1, None) => "one step shows it".to_owned(),
            (_, None) => format!("{} steps show it", grouped(n as u64)),
            (_, Some(cycle)) => {
                format!(
                    "{} steps, and then {} for ever, show it",
                    grouped(cycle as u64),
                    grouped((n - cycle) as u64)
                )
            }
        };
        // What was found breadth first is only known to be nearest in the net that was searched.
        let caution = match (property.net, trace.cycle) {
            (Asking::Reduced(_), None) if n > 0 => "  found in a reduced net; there may be a shorter way\n",
            _ => "",
        };
        let _ = write!(text, "\n{} {verb}: {steps}\n{caution}{}", property.name, trace_text::trace(trace));
    }
    text.push('\n');
    match checked.n_about_runs {
        0 => {}
        1 => {
            let _ = writeln!(
                text,
                "one question about runs: searches of its own, store {}",
                checked.store_of_runs
            );
        }
        n => {
            let store = checked.store_of_runs;
            let _ = writeln!(text, "{n} questions about runs: searches of their own, store {store}");
        }
    }
    match &checked.searched {
        None if checked.n_about_runs == 0 => text.push_str("no state had to be looked at\n"),
        None => {}
        Some(searched) => {
            let SearchFigures { states, edges, stopped, .. } = searched;
            let how = match (stopped, searched.exactness) {
                (None, Exactness::Lossy { omission }) => {
                    format!("probabilistic, some state is missing with a probability of {omission:.1e}")
                }
                (None, _) => "complete".to_owned(),
                (Some(Stop::Observed), _) => "ended as soon as all was decided".to_owned(),
                (Some(stop), _) => format!("partial, {}", stop.words()),
            };
            let whereof = if searched.net == Asking::Model { "" } else { ", reduced net" };
            let _ = writeln!(
                text,
                "search {}, store {}{whereof}: {} states, {} edges, {how}",
                searched.search,
                searched.store,
                grouped(*states),
                grouped(*edges)
            );
            if let Some(choice) = searched.store_choice.as_ref().filter(|_| detail == Detail::Full) {
                let _ = writeln!(text, "store {}: {choice}", searched.store);
            }
        }
    }
    text
}
