//! Graphs in the formats of others.
//!
//! | format | what reads it | a node is |
//! |---|---|---|
//! | GraphViz | `dot` | a box with its number, its marking below |
//! | Aldebaran | CADP, mCRL2 and their kin | a number |
//! | CSV | spreadsheets | nothing: lines are edges |
//! | JSON lines | programs | an object with its marking and its edges |

use std::io::{Result, Write};

use crate::{Graph, GraphEdge, NodeId};

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// GraphViz.
    Dot,
    /// Aldebaran.
    Aut,
    /// Comma-separated values.
    Csv,
    /// One JSON object a line.
    JsonLines,
}

/// A node to write: its number, its edges with labels, and its marking by place, where that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct ExportedNode<'a> {
    /// The number.
    pub node: NodeId,
    /// The edges.
    pub edges: &'a [GraphEdge],
    /// Places with what they hold.
    pub marking: Option<&'a [(String, String)]>,
}

/// Writes what comes before the nodes.
///
/// # Errors
/// When it cannot be written.
pub fn export_begin(format: ExportFormat, graph: &Graph, sink: &mut dyn Write) -> Result<()> {
    match format {
        ExportFormat::Dot => {
            writeln!(sink, "digraph {} {{", quoted(&graph.about().net))?;
            writeln!(sink, "  node [shape=box];")
        }
        ExportFormat::Aut => writeln!(sink, "des (0, {}, {})", graph.n_edges(), graph.n_nodes()),
        ExportFormat::Csv => writeln!(sink, "source,label,target"),
        ExportFormat::JsonLines => Ok(()),
    }
}

/// Writes a node with its edges. Nodes may come in any order.
///
/// # Errors
/// When it cannot be written.
pub fn export_node(
    format: ExportFormat,
    graph: &Graph,
    exported: ExportedNode<'_>,
    sink: &mut dyn Write,
) -> Result<()> {
    let ExportedNode { node, edges, marking } = exported;
    let text = |edge: &GraphEdge| graph.actions()[edge.label.index()].text.as_str();
    let from = node.0;
    match format {
        ExportFormat::Dot => {
            let mut label = from.to_string();
            for (place, tokens) in marking.unwrap_or_default() {
                label.push_str(&format!("\n{place}: {tokens}"));
            }
            writeln!(sink, "  {from} [label={}];", quoted(&label))?;
            edges.iter().try_for_each(|edge| {
                writeln!(sink, "  {from} -> {} [label={}];", edge.target.0, quoted(text(edge)))
            })
        }
        ExportFormat::Aut => edges
            .iter()
            .try_for_each(|edge| writeln!(sink, "({from}, {}, {})", quoted(text(edge)), edge.target.0)),
        ExportFormat::Csv => edges.iter().try_for_each(|edge| {
            writeln!(sink, "{from},\"{}\",{}", text(edge).replace('"', "\"\""), edge.target.0)
        }),
        ExportFormat::JsonLines => {
            write!(sink, "{{\"node\":{from}")?;
            if let Some(marking) = marking {
                let places: Vec<String> = marking
                    .iter()
                    .map(|(place, tokens)| format!("{}:{}", json(place), json(tokens)))
                    .collect();
                write!(sink, ",\"marking\":{{{}}}", places.join(","))?;
            }
            let edges: Vec<String> = edges
                .iter()
                .map(|edge| format!("{{\"label\":{},\"target\":{}}}", json(text(edge)), edge.target.0))
                .collect();
            writeln!(sink, ",\"edges\":[{}]}}", edges.join(","))
        }
    }
}

/// Writes what comes behind the nodes.
///
/// # Errors
/// When it cannot be written.
pub fn export_end(format: ExportFormat, sink: &mut dyn Write) -> Result<()> {
    match format {
        ExportFormat::Dot => writeln!(sink, "}}"),
        ExportFormat::Aut | ExportFormat::Csv | ExportFormat::JsonLines => Ok(()),
    }
}

/// A text in quotes, for GraphViz and Aldebaran.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// A text as a JSON string.
fn json(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c < ' ' => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(quoted("a\"b\\c\nd"), r#""a\"b\\c\nd""#);
        assert_eq!(json("a\"b\\c\n\u{1}é"), "\"a\\\"b\\\\c\\u000a\\u0001é\"");
    }
}
