//! Results in the form of the Model Checking Contest.

use crate::summary::Summary;

/// The techniques that a result was obtained with, as the contest calls them.
fn techniques(summary: &Summary) -> String {
    let unfolding = if summary.engine == "unfolded" { " UNFOLDING_TO_PT" } else { "" };
    format!("TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION{unfolding}")
}

/// The answer to the contest's examination of the state space. Only a complete search has one.
pub fn state_space(summary: &Summary) -> String {
    if summary.stopped.is_some() {
        return "STATE_SPACE CANNOT_COMPUTE\n".to_owned();
    }
    let techniques = techniques(summary);
    let lines = [
        ("STATES", summary.states),
        ("TRANSITIONS", summary.edges),
        ("MAX_TOKEN_PER_MARKING", summary.max_tokens_total),
        ("MAX_TOKEN_IN_PLACE", u64::from(summary.max_multiplicity)),
    ];
    lines.iter().map(|(figure, value)| format!("STATE_SPACE {figure} {value} {techniques}\n")).collect()
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
    fn a_partial_result_is_none() {
        let stopped = Some(crate::summary::Stop::Time);
        let summary = Summary { stopped, ..sample() };
        assert_eq!(state_space(&summary), "STATE_SPACE CANNOT_COMPUTE\n");
    }
}
