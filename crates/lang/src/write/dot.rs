//! Nets as pictures for GraphViz: places are circles with their initial tokens, transitions are boxes with their
//! guards, inhibitor arcs end in a small circle.

use std::fmt::{Display, Formatter};
use std::io::{Result, Write};

use petite_net::{Net, PlaceIdx, PlainNet};

use super::show;

/// Writes a net, coloured or not.
///
/// # Errors
/// Those of the sink.
pub fn net_as_dot(net: &Net, sink: &mut dyn Write) -> Result<()> {
    begin(&net.name.text, sink)?;
    for (i, place) in net.places.iter().enumerate() {
        let tokens = if place.initial.is_empty() {
            String::new()
        } else {
            show::marking(net, place.domain, &place.initial)
        };
        node(sink, 'p', i, &place.name.text, &tokens)?;
    }
    for (i, transition) in net.transitions.iter().enumerate() {
        let variables = &transition.variables;
        let guard = transition.guard.as_ref().map(|guard| show::guard(net, variables, guard));
        let guard = guard.map(|guard| format!("[{guard}]")).unwrap_or_default();
        node(sink, 't', i, &transition.name.text, &guard)?;
        let inscription = |arc| match show::inscription(net, variables, arc) {
            text if text == "epsilon" => String::new(),
            text => text.trim_end_matches("*epsilon").to_owned(),
        };
        for arc in &transition.inputs {
            edge(sink, End::PlaceTo(arc.place, i), &inscription(arc))?;
        }
        for arc in &transition.inhibitors {
            edge(sink, End::Inhibits(arc.place, i), &inscription(arc))?;
        }
        for arc in &transition.outputs {
            edge(sink, End::ToPlace(i, arc.place), &inscription(arc))?;
        }
    }
    writeln!(sink, "}}")
}

/// Writes a place/transition net.
///
/// # Errors
/// Those of the sink.
pub fn plain_as_dot(net: &PlainNet, sink: &mut dyn Write) -> Result<()> {
    begin(&net.name, sink)?;
    for (i, place) in net.places.iter().enumerate() {
        let tokens = if place.tokens == 0 { String::new() } else { place.tokens.to_string() };
        node(sink, 'p', i, &place.name, &tokens)?;
    }
    for (i, transition) in net.transitions.iter().enumerate() {
        node(sink, 't', i, &transition.name, "")?;
        let label = |weight: u32| if weight == 1 { String::new() } else { weight.to_string() };
        for &(place, weight) in &transition.inputs {
            edge(sink, End::PlaceTo(place, i), &label(weight))?;
        }
        for &(place, weight) in &transition.inhibitors {
            edge(sink, End::Inhibits(place, i), &label(weight))?;
        }
        for &(place, weight) in &transition.outputs {
            edge(sink, End::ToPlace(i, place), &label(weight))?;
        }
    }
    writeln!(sink, "}}")
}

/// Where an arc leads; transitions are given by their numbers.
enum End {
    PlaceTo(PlaceIdx, usize),
    Inhibits(PlaceIdx, usize),
    ToPlace(usize, PlaceIdx),
}

/// A text in quotes. GraphViz knows two escapes there that matter: the quote and the backslash.
struct Quoted<'t>(&'t str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        use std::fmt::Write as _;
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                // GraphViz would read these as the start of an entity, or not at all.
                '&' => f.write_str("&amp;")?,
                _ if character.is_control() => f.write_char(' ')?,
                _ => f.write_char(character)?,
            }
        }
        f.write_char('"')
    }
}

fn begin(name: &str, sink: &mut dyn Write) -> Result<()> {
    writeln!(sink, "digraph {} {{", Quoted(name))?;
    writeln!(sink, "  node [fontname=\"Helvetica\", fontsize=11];")?;
    writeln!(sink, "  edge [fontname=\"Helvetica\", fontsize=9];")
}

fn node(sink: &mut dyn Write, kind: char, number: usize, name: &str, below: &str) -> Result<()> {
    let shape = if kind == 'p' { "circle" } else { "box" };
    let label = if below.is_empty() { name.to_owned() } else { format!("{name}\n{below}") };
    writeln!(sink, "  {kind}{number} [shape={shape}, label={}];", Quoted(&label))
}

fn edge(sink: &mut dyn Write, end: End, label: &str) -> Result<()> {
    let head = if matches!(end, End::Inhibits(..)) { "arrowhead=odot" } else { "" };
    match end {
        End::PlaceTo(place, t) | End::Inhibits(place, t) => write!(sink, "  p{} -> t{t}", place.index())?,
        End::ToPlace(t, place) => write!(sink, "  t{t} -> p{}", place.index())?,
    }
    match (head, label) {
        ("", "") => writeln!(sink, ";"),
        (head, "") => writeln!(sink, " [{head}];"),
        ("", label) => writeln!(sink, " [label={}];", Quoted(label)),
        (head, label) => writeln!(sink, " [{head}, label={}];", Quoted(label)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_quoted() {
        assert_eq!(Quoted("a\"b\\c\nd\u{7}&lt;").to_string(), "\"a\\\"b\\\\c\\nd &amp;lt;\"");
    }
}
