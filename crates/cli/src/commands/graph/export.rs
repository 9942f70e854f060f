//! `petite graph export`: a graph in the formats of others.

use std::io::{self, Write};
use std::ops::ControlFlow;

use petite_graph::{
    ExportFormat, ExportedNode, Graph, Labels, WalkError, Walker, export_begin, export_end, export_node,
};
use petite_lang::Source;
use petite_model::NetModel;

use super::model::{Task, with_model};
use super::{Answer, open};
use crate::deliver;
use crate::graph_args::{ExportArg, ExportArgs};
use crate::problem::Problem;
use crate::units::grouped;

/// Writes a graph.
pub fn run(args: &ExportArgs, sources: &mut Vec<Source>) -> Result<Answer, Vec<Problem>> {
    let format = format(args).map_err(|problem| vec![problem])?;
    let graph = open::graph(&args.file).map_err(|problem| vec![problem])?;
    if format == ExportFormat::Dot && graph.n_nodes() > args.limit {
        let [nodes, limit] = [graph.n_nodes(), args.limit].map(|n| grouped(n as u64));
        let message = format!("the graph has {nodes} nodes, and GraphViz is given at most {limit}");
        return Err(vec![Problem::plain(message).help("raise --limit, or use --to aut, csv or jsonl")]);
    }
    let has_markings = matches!(format, ExportFormat::Dot | ExportFormat::JsonLines);
    if args.markings && !has_markings {
        let message = "only dot and jsonl have room for markings";
        return Err(vec![Problem::plain(message).help("leave out --markings, or use --to jsonl")]);
    }
    let needs_model = args.markings || graph.labels() == Labels::Left;
    let mut trouble = None;
    let delivered = deliver::deliver(args.output.as_deref(), &mut |sink| {
        export_begin(format, &graph, sink)?;
        if needs_model {
            let task = Walked { format, markings: args.markings, sink };
            match with_model(&graph, &args.model, sources, task) {
                Ok(written) => written?,
                Err(problems) => {
                    trouble = Some(problems);
                    return Err(io::Error::other("the model cannot be used"));
                }
            }
        } else {
            let mut reader = graph.reader();
            for node in graph.nodes() {
                let exported = ExportedNode { node, edges: reader.edges(node), marking: None };
                export_node(format, &graph, exported, sink)?;
            }
        }
        if let Err(problems) = open::unchanged(&graph, &args.file) {
            trouble = Some(problems);
            return Err(io::Error::other("the graph file was changed"));
        }
        export_end(format, sink)
    });
    match (trouble, delivered) {
        (Some(problems), _) => Err(problems),
        (None, Err(problem)) => Err(vec![problem]),
        (None, Ok(())) => Ok(Answer::done(String::new())),
    }
}

/// The format that was asked for.
fn format(args: &ExportArgs) -> Result<ExportFormat, Problem> {
    if let Some(to) = args.to {
        return Ok(match to {
            ExportArg::Dot => ExportFormat::Dot,
            ExportArg::Aut => ExportFormat::Aut,
            ExportArg::Csv => ExportFormat::Csv,
            ExportArg::Jsonl => ExportFormat::JsonLines,
        });
    }
    let extension = args.output.as_deref().and_then(|path| path.extension());
    match extension.and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => Ok(ExportFormat::Dot),
        Some("aut") => Ok(ExportFormat::Aut),
        Some("csv") => Ok(ExportFormat::Csv),
        Some("jsonl") => Ok(ExportFormat::JsonLines),
        _ => Err(Problem::plain("the format is not known").help("say --to dot, aut, csv or jsonl")),
    }
}

/// Writes nodes as a walk meets them.
struct Walked<'a> {
    format: ExportFormat,
    markings: bool,
    sink: &'a mut dyn Write,
}

impl Task for Walked<'_> {
    type Output = io::Result<()>;

    fn run<M: NetModel>(self, graph: &Graph, model: &mut M, _: u32) -> Result<Self::Output, WalkError> {
        let mut written = Ok(());
        let _ = Walker::new(graph, model)?.walk(|met| {
            let marking = self.markings.then(|| met.model.describe_state(met.words));
            let exported = ExportedNode { node: met.node, edges: met.edges, marking: marking.as_deref() };
            written = export_node(self.format, graph, exported, self.sink);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(written)
    }
}
