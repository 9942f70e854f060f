//! Traces for people: each step with the places that it changed.

use std::fmt::Write as _;

use petite_logic::{Change, Step, Trace};

/// Columns of a line.
const WIDTH: usize = 80;

/// Columns before the tokens of a further line.
const INDENT: usize = 9;

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
        text.push_str(&changed(change));
    }
    text
}

/// What a step did to a place: its tokens before and after where they fit on a line, else those that went and came.
fn changed(change: &Change) -> String {
    let line = format!("       {}: {} -> {}\n", change.place, shown(&change.before), shown(&change.after));
    if line.chars().count() <= WIDTH {
        return line;
    }
    let (mut gone, mut come) = (terms(&change.before), terms(&change.after));
    gone.retain(|term| match come.iter().position(|other| other == term) {
        Some(at) => {
            come.remove(at);
            false
        }
        None => true,
    });
    let signed =
        gone.iter().map(|term| format!("- {term}")).chain(come.iter().map(|term| format!("+ {term}")));
    let mut text = format!("       {}:", change.place);
    let mut column = text.chars().count();
    for term in signed {
        let width = 1 + term.chars().count();
        if column + width > WIDTH && column > INDENT {
            text.push_str("\n         ");
            column = INDENT;
        }
        text.push(' ');
        text.push_str(&term);
        column += width;
    }
    text.push('\n');
    text
}

/// The summands of some tokens, as they are written.
fn terms(tokens: &str) -> Vec<&str> {
    let (mut terms, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, c) in tokens.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '+' if depth == 0 && tokens[..at].ends_with(' ') && tokens[at + 1..].starts_with(' ') => {
                terms.push(tokens[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = tokens[start..].trim();
    terms.extend((!last.is_empty()).then_some(last));
    terms
}

/// Tokens, or the word for none.
pub fn shown(tokens: &str) -> &str {
    if tokens.is_empty() { "nothing" } else { tokens }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_changes_show_what_went_and_came() {
        let change = |before: &str, after: &str| Change {
            place: "p".to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
        };
        assert_eq!(changed(&change("", "<(1)>")), "       p: nothing -> <(1)>\n");
        let many: Vec<String> = (0..12).map(|i| format!("<({i}, {{a + b}})>")).collect();
        let after = many[1..].join(" + ") + " + 2*<(70)>";
        assert_eq!(changed(&change(&many.join(" + "), &after)), "       p: - <(0, {a + b})> + 2*<(70)>\n");
        for line in changed(&change("", &many.join(" + "))).lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
}
