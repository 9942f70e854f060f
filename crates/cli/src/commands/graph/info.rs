//! `petite graph info`: what a graph file says of itself.

use std::path::Path;

use petite_graph::{Graph, Labels};
use petite_store::{Amount, Figure};
use serde::Serialize;

use super::{Answer, open};
use crate::graph_args::GraphInfoArgs;
use crate::input;
use crate::json::{Figures, Pairs, text_of};
use crate::problem::Problem;
use crate::sheet::Sheet;
use crate::units::{grouped, significant, size};

/// Reads a graph and shows what it is.
pub fn run(args: &GraphInfoArgs) -> Result<Answer, Vec<Problem>> {
    let graph = open::graph(&args.file).map_err(|problem| vec![problem])?;
    let text = text(&graph, &args.file, &[], args.json);
    open::unchanged(&graph, &args.file)?;
    Ok(Answer::done(text))
}

/// A graph in a file, for people or programs, with figures of the search that built it.
pub fn text(graph: &Graph, path: &Path, figures: &[Figure], as_json: bool) -> String {
    let about = graph.about();
    let mut reader = graph.reader();
    let dead = graph.nodes().filter(|&node| reader.is_dead(node)).count() as u64;
    let labels = graph.labels() == Labels::Kept;
    let [structure, formula] = [graph.structure_bits(), graph.formula_bits()];
    let percent = 100.0 * structure as f64 / (formula as f64).max(1.0);
    let path = input::shown(path);
    if as_json {
        return text_of(&Document {
            file: &path,
            model: &about.model,
            net: &about.net,
            params: Pairs(&about.params),
            engine: &about.engine,
            search: &about.search,
            fingerprint: format!("{:016x}", about.fingerprint.0),
            nodes: graph.n_nodes() as u64,
            edges: graph.n_edges(),
            dead_nodes: dead,
            transitions: about.transitions.len() as u64,
            actions: graph.actions().len() as u64,
            labels,
            file_bytes: graph.as_bytes().len() as u64,
            structure_bits: structure as u64,
            formula_bits: formula as u64,
            percent_of_formula: percent,
            search_figures: (!figures.is_empty()).then_some(Figures(figures)),
        });
    }
    let mut sheet = Sheet::default();
    sheet.named("graph", &path);
    sheet.named("model", &format!("{} ({})", about.net, about.model));
    if !about.params.is_empty() {
        let params: Vec<_> = about.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        sheet.named("parameters", &params.join(", "));
    }
    sheet.named("built by", &format!("search {}, engine {}", about.search, about.engine));
    sheet.named("labels", if labels { "kept" } else { "left out, computed when needed" });
    sheet.blank();
    sheet.number("nodes", &grouped(graph.n_nodes() as u64), "");
    sheet.number("edges", &grouped(graph.n_edges()), "");
    sheet.number("dead nodes", &grouped(dead), "");
    sheet.number("actions", &grouped(graph.actions().len() as u64), "");
    if !figures.is_empty() {
        sheet.blank();
    }
    for figure in figures {
        match &figure.amount {
            Amount::Count(count) => sheet.number(figure.name, &grouped(*count), ""),
            Amount::Bytes(bytes) => sheet.number(figure.name, &size(*bytes), ""),
            Amount::Number(number) => sheet.number(figure.name, &significant(*number), ""),
            Amount::Words(words) => sheet.named(figure.name, words),
        }
    }
    sheet.blank();
    sheet.number("file", &size(graph.as_bytes().len() as u64), "");
    let bits = structure as f64 / (graph.n_edges() as f64).max(1.0);
    sheet.number("bits per edge", &format!("{bits:.1}"), "nodes and the index included");
    let formula = (formula / 8) as u64;
    sheet.number("paper's formula", &size(formula), &format!("nodes and edges take {percent:.0} % of it"));
    sheet.text
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    model: &'a str,
    net: &'a str,
    params: Pairs<'a, i64>,
    engine: &'a str,
    search: &'a str,
    fingerprint: String,
    nodes: u64,
    edges: u64,
    dead_nodes: u64,
    transitions: u64,
    actions: u64,
    labels: bool,
    file_bytes: u64,
    structure_bits: u64,
    formula_bits: u64,
    percent_of_formula: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    search_figures: Option<Figures<'a>>,
}
