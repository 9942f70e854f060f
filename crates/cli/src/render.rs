//! Problems as text on a terminal: file, line, column, the source line, what was expected.

use std::io::IsTerminal as _;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Padding, Renderer, Snippet};
use petite_lang::Source;

use crate::excerpt::{Excerpt, Position};
use crate::problem::{Place, Problem};
use crate::units::grouped;

/// More problems than this are counted only.
pub const SHOWN: usize = 20;

/// Whether standard error takes colours: a terminal that can, and a user who did not say no.
pub fn colours_wanted() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !refused && !dumb && std::io::stderr().is_terminal()
}

/// The problems as text, each followed by an empty line.
pub fn problems(problems: &[Problem], sources: &[Source], colours: bool) -> String {
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for problem in problems.iter().take(SHOWN) {
        text.push_str(&renderer.render(&groups(problem, sources)));
        text.push_str("\n\n");
    }
    if problems.len() > SHOWN {
        let hidden = (problems.len() - SHOWN) as u64;
        text.push_str(&format!("... and {} more\n", grouped(hidden)));
    }
    text
}

fn groups<'a>(problem: &'a Problem, sources: &'a [Source]) -> Vec<Group<'a>> {
    let title = Group::with_title(Level::ERROR.primary_title(problem.message.as_str()));
    let mut groups = match &problem.place {
        Place::Nowhere => vec![title],
        Place::File(path) => vec![title.element(Origin::path(path.as_str()))],
        Place::Source { span, label } => match sources.get(span.file as usize) {
            Some(source) => {
                let excerpt = Excerpt::around(&source.text, span.start as usize..span.end as usize);
                with_excerpt(title, source, excerpt, label)
            }
            None => vec![title],
        },
    };
    let notes = problem.notes.iter().map(|note| Level::NOTE.message(note.as_str()));
    let help = problem.help.iter().map(|help| Level::HELP.message(help.as_str()));
    if let Some(last) = groups.pop() {
        groups.push(last.elements(notes.chain(help)));
    }
    groups
}

fn with_excerpt<'a>(
    title: Group<'a>,
    source: &'a Source,
    excerpt: Excerpt,
    label: &'a str,
) -> Vec<Group<'a>> {
    let Position { line, column } = excerpt.position;
    let mark = AnnotationKind::Primary.span(excerpt.mark).label((!label.is_empty()).then_some(label));
    let snippet = Snippet::source(excerpt.text).line_start(line).annotation(mark);
    if excerpt.cut {
        // The renderer would count the column in the cut line, so the true one is told apart.
        let origin = Origin::path(&source.path).line(line).char_column(column);
        vec![title.element(origin), Group::with_level(Level::ERROR).element(snippet).element(Padding)]
    } else {
        vec![title.element(snippet.path(&source.path))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_net::Span;

    fn sources(text: &str) -> Vec<Source> {
        vec![Source { path: "a.lna".to_owned(), text: text.to_owned() }]
    }

    fn span(start: u32, end: u32) -> Span {
        Span { file: 0, start, end }
    }

    #[test]
    fn a_problem_shows_position_line_and_help() {
        let problem = Problem::of_source(span(14, 15), "not declared", "unknown name x")
            .note("in transition t")
            .help("declare it");
        let text = problems(&[problem], &sources("net {\n  y := x;\n}\n"), false);
        let expected = "\
error: unknown name x
 --> a.lna:2:9
  |
2 |   y := x;
  |         ^ not declared
  |
  = note: in transition t
  = help: declare it

";
        assert_eq!(text, expected);
    }

    #[test]
    fn odd_places_are_shown_too() {
        let all = [
            Problem::of_source(span(0, 0), "", "the file is empty"),
            Problem::of_source(Span { file: 7, start: 0, end: 1 }, "", "in a file that nobody has"),
            Problem::of_file("b.lna", "no such file or directory"),
            Problem::plain("no place"),
        ];
        let text = problems(&all, &sources(""), false);
        assert!(text.contains(" --> a.lna:1:1") && text.contains("--> b.lna"), "{text}");
        assert!(text.contains("nobody has") && text.contains("error: no place"), "{text}");
    }

    #[test]
    fn a_cut_line_keeps_its_true_column() {
        let source = format!("{} x {}", "(".repeat(3000), ")".repeat(3000));
        let problem = Problem::of_source(span(3001, 3002), "here", "unknown name x").note("a note");
        let text = problems(&[problem], &sources(&source), false);
        assert!(text.contains(" --> a.lna:1:3002\n"), "{text}");
        assert!(text.contains("^ here\n") && text.contains("= note: a note\n"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 130), "{text}");
    }

    #[test]
    fn many_problems_are_counted() {
        let all = vec![Problem::of_source(span(0, 1), "", "wrong"); 1500];
        let text = problems(&all, &sources("x"), false);
        assert_eq!(text.matches("error: wrong").count(), SHOWN);
        assert!(text.ends_with("... and 1,480 more\n"), "{text}");
    }

    #[test]
    fn colours_only_where_wanted() {
        let all = [Problem::of_source(span(0, 1), "here", "wrong")];
        assert!(!problems(&all, &sources("x\u{1b}[31m"), false).contains('\u{1b}'));
        assert!(problems(&all, &sources("x"), true).contains('\u{1b}'));
    }
}
