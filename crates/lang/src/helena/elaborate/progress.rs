//! The progress measure of a property file, with its places found in the net.
//!
//! A measure is about the slots of a compiled net, which nobody knows here. So it stays a text, in the form that measures have
//! everywhere; but its places are there, its tokens have as many components as the places' tokens, and parameters and
//! constants are replaced by their values.

use petite_net::{Name, Progress, Span, Value};

use super::names::{Found, Space};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::helena::parser::{self, Item, Part, PropertyKind, Term};

impl Elaborator<'_> {
    /// The measure that a property file states, if it states one.
    pub(super) fn progress(&mut self, properties: &[parser::Property]) -> Option<Progress> {
        let mut measures = properties.iter().filter_map(|property| match &property.kind {
            PropertyKind::Progress(measure) => Some((&property.name, measure)),
            _ => None,
        });
        let (name, measure) = measures.next()?;
        if let Some((second, _)) = measures.next() {
            self.diagnostics.push(
                Diagnostic::new(second.span, "there is already a progress measure")
                    .label("a second one")
                    .help(format!("states can go on in one order only: remove this one or {name}")),
            );
        }
        let mut sums = Vec::new();
        for sum in &measure.sums {
            let terms: Elab<Vec<String>> = sum.iter().map(|term| self.measure_term(term)).collect();
            sums.push(terms.ok()?.join(" "));
        }
        let sums: Vec<&str> = sums.iter().map(|sum| sum.strip_prefix("+ ").unwrap_or(sum)).collect();
        Some(Progress { name: name.clone(), text: sums.join(", "), span: measure.span })
    }

    /// A term with its sign.
    fn measure_term(&mut self, term: &Term) -> Elab<String> {
        let place = self.named(Space::Place, &term.place)?;
        let components = self.components(self.places[place].domain);
        let arity = components.len();
        let (sign, name) = (if term.is_negative { "-" } else { "+" }, &term.place.text);
        let factor = match &term.factor {
            Some(factor) => format!("{}*", self.measure_factor(factor)?),
            None => String::new(),
        };
        let part = match &term.part {
            Part::All => String::new(),
            Part::Component(item) => {
                let (text, span) = (self.measure_item(item), item_span(item, term));
                let number = text.parse::<usize>().ok().filter(|number| (1..=arity).contains(number));
                let Some(number) = number else {
                    return self.fail(
                        Diagnostic::new(span, format!("tokens of place {name} have no component {text}"))
                            .label("no such component")
                            .help(match arity {
                                0 => format!("its tokens are black: count them with `{name}`"),
                                _ => format!("{name} has the components 1 to {arity}"),
                            }),
                    );
                };
                format!(".{number}")
            }
            Part::Token { items, span } => {
                if items.len() != arity {
                    let (n, found) = (arity, items.len());
                    let message = format!("tokens of place {name} have {n} components, not {found}");
                    let diagnostic = Diagnostic::new(*span, message).label(format!("{found} components"));
                    return self.fail(diagnostic.help("write `_` for a component that may be anything"));
                }
                if !components.iter().all(|&component| self.types.is_discrete(component)) {
                    let message = format!("tokens of place {name} have components of several values");
                    let help = format!("count all tokens with `{name}`, or a component with `{name}.1`");
                    return self
                        .fail(Diagnostic::new(*span, message).label("cannot be told apart").help(help));
                }
                let items: Vec<String> = items.iter().map(|item| self.measure_item(item)).collect();
                format!("({})", items.join(", "))
            }
        };
        Ok(format!("{sign} {factor}{name}{part}"))
    }

    /// A factor: a number that is not negative, so that it can stand behind a sign.
    fn measure_factor(&mut self, item: &Item) -> Elab<String> {
        let text = self.measure_item(item);
        let (Item::Number(name) | Item::Named(name)) = item else { return Ok(text) };
        if text.chars().all(|c| c.is_ascii_digit()) {
            return Ok(text);
        }
        let known = self.names.all(Space::Constant).any(|known| known == name.text);
        let message = match known {
            true => format!("{name} is no number that is at least 0"),
            false => format!("{name} is no number, parameter or constant"),
        };
        let help = "a place is multiplied by a number, as in `2 * place`";
        self.fail(Diagnostic::new(name.span, message).label("expected a number").help(help))
    }

    /// A value as it is written, with parameters and constants replaced by their values.
    fn measure_item(&self, item: &Item) -> String {
        match item {
            Item::Any => "_".to_owned(),
            Item::Number(Name { text, .. }) => text.clone(),
            Item::Named(Name { text, .. }) => match self.names.find(Space::Constant, text) {
                Found::Thing(constant) => match self.constants[constant].value {
                    Value::Int(number) => number.to_string(),
                    _ => text.clone(),
                },
                Found::Broken | Found::Nothing => text.clone(),
            },
        }
    }
}

fn item_span(item: &Item, term: &Term) -> Span {
    match item {
        Item::Number(name) | Item::Named(name) => name.span,
        Item::Any => term.place.span,
    }
}

#[cfg(test)]
mod tests {
    use crate::{ReadOptions, Source, helena};

    const NET: &str = "net (N := 3) {
        type t : range 1 .. N;
        type c : enum (a, b);
        type s : struct { t x; c y; };
        constant t TWO := 2;
        place p { dom: t * c; }
        place q { dom: epsilon; }
        place r { dom: s; }
        transition x { in { q: epsilon; } out { p: <( 1, a )>; } }
    }";

    /// The measure, or the first message and what it points to.
    fn read(properties: &str) -> Result<String, (String, String)> {
        let source = Source::new("net.prop.lna", properties);
        let net = helena::read(&Source::new("net.lna", NET), Some(&source), &ReadOptions::default());
        match net {
            Ok(net) => Ok(net.progress.map_or("none".to_owned(), |progress| progress.text)),
            Err(diagnostics) => {
                let span = diagnostics[0].span;
                assert_eq!(span.file, 1);
                let marked = &properties[span.start as usize..span.end as usize];
                Err((diagnostics[0].message.clone(), marked.to_owned()))
            }
        }
    }

    #[test]
    fn measures_are_read() {
        for (text, expected) in [
            ("", "none"),
            ("progress property f: q;", "q"),
            (
                "progress property f: p.1, -q + 2 * p(_, a) - N * p(TWO, b); // as it is",
                "p.1, - q + 2*p(_, a) - 3*p(2, b)",
            ),
            ("ltl property progress: true; progress property f: 3*q, r, r.1;", "3*q, r, r.1"),
        ] {
            assert_eq!(read(text), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_marked() {
        for (measure, message, marked) in [
            ("pp", "there is no place pp", "pp"),
            ("q.1", "tokens of place q have no component 1", "1"),
            ("p.3", "tokens of place p have no component 3", "3"),
            ("p(1)", "tokens of place p have 2 components, not 1", "(1)"),
            ("r(1)", "tokens of place r have components of several values", "(1)"),
            ("M*q", "M is no number, parameter or constant", "M"),
            ("2 q", "expected `*` and a place behind the number, found the name `q`", "q"),
            ("q q", "expected `+`, `-`, `,` or `;`, found the name `q`", "q"),
            ("p(1, *)", "expected a value or `_`, found `*`", "*"),
            ("p(1, a", "expected `,` or `)`, found `;`", ";"),
            ("q +", "expected the name of a place, found `;`", ";"),
        ] {
            let text = format!("progress property f: {measure};");
            assert_eq!(read(&text), Err((message.to_owned(), marked.to_owned())), "{text}");
        }
        let twice = "progress property f: q; progress property g: q;";
        assert_eq!(read(twice), Err(("there is already a progress measure".to_owned(), "g".to_owned())));
        let (message, _) = read("progres property f: q;").unwrap_err();
        assert!(message.contains("`progress property`"), "{message}");
    }
}
