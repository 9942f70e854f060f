//! Results in the form of the Model Checking Contest.

use petite_store::Exactness;

use crate::summary::{Stop, Summary};

/// The techniques that a result was obtained with, as the contest calls them.
fn techniques(summary: &Summary) -> String {
    let unfolding = if summary.engine == "unfolded" { " UNFOLDING_TO_PT" } else { "" };
    format!("TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION{unfolding}")
}

/// The answer to the contest's examination of the state space. Only a complete search with an exact store has one, and
/// one that found the net to be unbounded.
pub fn state_space(summary: &Summary) -> String {
    let is_endless = summary.stopped == Some(Stop::Unbounded);
    let is_complete = summary.stopped.is_none() && summary.exactness == Exactness::Exact;
    if !is_complete && !is_endless {
        return "STATE_SPACE CANNOT_COMPUTE\n".to_owned();
    }
    let techniques = techniques(summary);
    let line = |figure: &str, value: u64| {
        let value = if is_endless { "+inf".to_owned() } else { value.to_string() };
        format!("STATE_SPACE {figure} {value} {techniques}\n")
    };
    [
        line("STATES", summary.states),
        line("TRANSITIONS", summary.edges),
        line("MAX_TOKEN_PER_MARKING", summary.max_tokens_total),
        line("MAX_TOKEN_IN_PLACE", u64::from(summary.max_multiplicity)),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::sample;

    #[test]
    fn each_figure_has_its_line() {
        let summary = Summary { stopped: None, error: None, ..sample() };
        let text = state_space(&summary);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0].starts_with(&format!("STATE_SPACE STATES {} TECHNIQUES EXPLICIT", summary.states)));
        assert!(lines[3].starts_with("STATE_SPACE MAX_TOKEN_IN_PLACE 2 TECHNIQUES"));
    }

    #[test]
    fn an_unbounded_net_has_no_end_of_states() {
        let text = state_space(&Summary { stopped: Some(Stop::Unbounded), ..sample() });
        assert_eq!(text.matches(" +inf TECHNIQUES").count(), 4, "{text}");
    }

    #[test]
    fn a_partial_result_is_none() {
        let stopped = Some(Stop::Time);
        let summary = Summary { stopped, ..sample() };
        assert_eq!(state_space(&summary), "STATE_SPACE CANNOT_COMPUTE\n");
        let summary = Summary { exactness: Exactness::Lossy { omission: 0.0 }, ..sample() };
        assert_eq!(state_space(&summary), "STATE_SPACE CANNOT_COMPUTE\n");
    }
}
