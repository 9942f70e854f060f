//! Traces for people: each step with the places that it changed.

use std::fmt::Write as _;

use petite_logic::{Step, Trace};

/// Steps of a trace that are shown; in a longer one, the middle is left out.
const SHOWN: usize = 200;

/// A whole trace.
pub fn trace(trace: &Trace) -> String {
    let mut text = String::new();
    text.push_str("  initially\n");
    for (place, tokens) in &trace.initial {
        let _ = writeln!(text, "       {place}: {}", shown(tokens));
    }
    let n = trace.steps.len();
    for (i, one) in trace.steps.iter().enumerate() {
        if n > SHOWN && (SHOWN / 2..n - SHOWN / 2).contains(&i) {
            if i == SHOWN / 2 {
                let _ =
                    writeln!(text, "  ...  {} steps are left out; --trace FILE writes them all", n - SHOWN);
            }
            continue;
        }
        if trace.cycle == Some(i) {
            text.push_str("  what follows repeats for ever\n");
        }
        text.push_str(&step(i + 1, one));
    }
    if trace.cycle == Some(n) {
        text.push_str("  nothing happens any more\n");
    }
    text
}

/// One step.
pub fn step(number: usize, step: &Step) -> String {
    let mut text = format!("{number:>5}  {}\n", step.title());
    for change in &step.changes {
        let _ =
            writeln!(text, "       {}: {} -> {}", change.place, shown(&change.before), shown(&change.after));
    }
    text
}

/// Tokens, or the word for none.
pub fn shown(tokens: &str) -> &str {
    if tokens.is_empty() { "nothing" } else { tokens }
}
