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
        let line = format!("       {place}: {}\n", shown(tokens));
        let is_long = line.chars().count() > WIDTH + 1;
        let summands = || joined(&terms(tokens));
        text.push_str(&if is_long { wrapped(&format!("       {place}:"), summands()) } else { line });
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
    let mut text = wrapped(&format!("{number:>5} "), [step.title()]);
    for change in &step.changes {
        text.push_str(&changed(change));
    }
    text
}

/// What a step did to a place: its tokens before and after where they fit on a line, else those that went and came.
fn changed(change: &Change) -> String {
    let line = format!("       {}: {} -> {}\n", change.place, shown(&change.before), shown(&change.after));
    if line.chars().count() <= WIDTH + 1 {
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
    wrapped(&format!("       {}:", change.place), signed)
}

/// Summands with the signs between them, each with its own.
fn joined(terms: &[&str]) -> Vec<String> {
    let last = terms.len().saturating_sub(1);
    let signed =
        |(at, term): (usize, &&str)| if at < last { format!("{term} +") } else { (*term).to_owned() };
    terms.iter().enumerate().map(signed).collect()
}

/// A head and what follows it on lines of [`WIDTH`] columns. What fits on a line stays on one, what does not is broken between
/// words, and a word that is longer than a line wherever the line ends.
fn wrapped(head: &str, items: impl IntoIterator<Item = String>) -> String {
    let mut page = Page { text: head.to_owned(), column: head.chars().count() };
    for item in items {
        if item.chars().count() < WIDTH - INDENT {
            page.put(&item);
            continue;
        }
        for word in item.split(' ') {
            let mut rest: Vec<char> = word.chars().collect();
            while rest.len() >= WIDTH - INDENT {
                let room = (WIDTH - 1).saturating_sub(page.column);
                let room = if room == 0 { WIDTH - INDENT - 1 } else { room };
                let behind = rest.split_off(room);
                page.put(&rest.iter().collect::<String>());
                rest = behind;
            }
            page.put(&rest.iter().collect::<String>());
        }
    }
    page.text.push('\n');
    page.text
}

/// Text that grows by words.
struct Page {
    text: String,
    column: usize,
}

impl Page {
    /// Puts a word behind a space, on the next line where it does not fit on this one.
    fn put(&mut self, word: &str) {
        let width = 1 + word.chars().count();
        if self.column + width > WIDTH && self.column > INDENT {
            self.text.push_str("\n         ");
            self.column = INDENT;
        }
        self.text.push(' ');
        self.text.push_str(word);
        self.column += width;
    }
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

    #[test]
    fn no_line_is_longer_than_a_terminal() {
        let long = |n: usize| "x".repeat(n);
        let tuple = format!("<({})>", (0..60).map(|i| i.to_string()).collect::<Vec<_>>().join(", "));
        for tokens in [long(61), long(70), long(71), long(72), long(300), tuple, format!("a {} b", long(150))]
        {
            let change = Change { place: "place".to_owned(), before: tokens.clone(), after: String::new() };
            let binding = vec![("v".to_owned(), tokens.clone())];
            let one = Step { transition: "t".to_owned(), binding, changes: vec![change] };
            let initial = vec![("place".to_owned(), format!("{tokens} + {tokens}"))];
            let text = trace(&Trace { initial, steps: vec![one], cycle: None });
            for line in text.lines() {
                assert!(line.chars().count() <= WIDTH, "{line}");
            }
            let letters = |text: &str| text.chars().filter(|c| *c == 'x').count();
            assert_eq!(letters(&text), 4 * letters(&tokens), "nothing is lost: {text}");
        }
    }
}
