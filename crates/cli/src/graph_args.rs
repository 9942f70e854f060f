//! The arguments of `petite graph`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use crate::args::{OrderArg, ReadArgs};
use crate::limit_args::LimitArgs;
use crate::sweep_args::SweepArgs;

const BUILD_EXAMPLES: &str = "\
Examples:
  petite graph build philosophers.lna -o philosophers.graph
      explore the net breadth first and write its graph into a file
  petite graph build philosophers.lna -o philosophers.graph --no-labels
      leave out what happens along the edges; it is computed again when needed

The file is written under another name first, and gets its own when it is whole:
what was there before stays where anything goes wrong.

Exit status: 0 done; 2 bad usage, bad input, an error of the model, or a file
that cannot be written; 3 a limit was reached, and no file was written;
130 interrupted.";

const QUERY_EXAMPLES: &str = "\
Examples:
  petite graph query philosophers.graph dead
      the nodes without successor
  petite graph query philosophers.graph path 0 17
      a shortest way from the initial state to node 17
  petite graph query philosophers.graph marking 17
      what node 17 stands for; the model is read again for that

Exit status: 0 answered; 2 bad usage, bad input, or a model that is not the
graph's.";

const EXPORT_EXAMPLES: &str = "\
Examples:
  petite graph export philosophers.graph --to dot | dot -Tsvg > graph.svg
      draw a small graph
  petite graph export philosophers.graph -o philosophers.aut
      write it for other tools
  petite graph export philosophers.graph --to jsonl --markings
      every node with its marking; the model is read again for that

Exit status: 0 done; 2 bad usage, bad input, or output that cannot be written.";

const COMPARE_EXAMPLES: &str = "\
Examples:
  petite graph compare protocol.graph service.graph --hide send --hide receive
      whether both do the same once sending and receiving is hidden

Actions with the same transition and binding in words are the same letter.

Exit status: 0 equal; 1 different; 2 bad usage or bad input; 3 given up.";

/// The arguments of `petite graph`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct GraphArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: GraphCommand,
}

/// What can be done with graphs.
#[derive(Debug, Subcommand)]
pub enum GraphCommand {
    /// Explore a model and write its reachability graph into a file.
    Build(BuildArgs),
    /// Show what a graph file says of itself: model, sizes, bytes.
    Info(GraphInfoArgs),
    /// Ask a graph: dead nodes, components, liveness, bounds, paths, markings.
    Query(QueryArgs),
    /// Write a graph for GraphViz, as Aldebaran, CSV or JSON lines.
    Export(ExportArgs),
    /// Compare the languages of two graphs: equal, or a word that only one has.
    Compare(CompareArgs),
}

/// The arguments of `petite graph build`.
#[derive(Debug, Args)]
#[command(after_help = BUILD_EXAMPLES)]
pub struct BuildArgs {
    /// The model: a net in Helena's language (.lna), in Maria's (.pn) or in PNML (.pnml).
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    /// The file to write.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,

    #[command(flatten)]
    pub reading: ReadArgs,

    #[command(flatten)]
    pub search: BuildSearchArgs,

    /// Leave out the labels of edges; they are computed again when needed.
    #[arg(long)]
    pub no_labels: bool,

    /// Print one JSON object on standard output and nothing else there.
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// Show no progress.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// How the state space is searched, and when to give up.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct BuildSearchArgs {
    /// Which state is expanded next, and so how nodes are numbered.
    #[arg(long, value_enum, default_value_t = OrderArg::Bfs)]
    pub search: OrderArg,

    #[command(flatten)]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub sweep: SweepArgs,
}

/// The arguments of `petite graph info`.
#[derive(Debug, Args)]
pub struct GraphInfoArgs {
    /// The graph file.
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Print one JSON object on standard output and nothing else there.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// The arguments of `petite graph query`.
#[derive(Debug, Args)]
#[command(after_help = QUERY_EXAMPLES, arg_required_else_help = true)]
pub struct QueryArgs {
    /// The graph file.
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// What to ask.
    #[command(subcommand)]
    pub question: Question,

    #[command(flatten)]
    pub model: GraphModelArgs,

    /// Print at most this many nodes, edges, places or transitions.
    #[arg(long, value_name = "N", default_value_t = 20, global = true, help_heading = "Output")]
    pub limit: usize,

    /// Print one JSON object on standard output and nothing else there.
    #[arg(long, global = true, help_heading = "Output")]
    pub json: bool,
}

/// Where the graph's model is.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct GraphModelArgs {
    /// The model's file; where the graph says it was if this is not given. It is read only where markings are needed,
    /// and must not have changed.
    #[arg(long, value_name = "MODEL", global = true, value_hint = ValueHint::FilePath)]
    pub model: Option<PathBuf>,
}

/// What a graph can be asked.
#[derive(Clone, Debug, Subcommand)]
pub enum Question {
    /// The nodes without successor.
    Dead,
    /// Strongly connected components: how many, how many are terminal, whether there are home states.
    Components,
    /// The nodes that can be reached from everywhere.
    Home,
    /// The fewest and most tokens of each place.
    Bounds,
    /// Which transitions are live, quasi-live or dead.
    Live,
    /// A shortest path from a node to another.
    Path {
        /// Where it begins.
        from: u32,
        /// Where it ends.
        to: u32,
    },
    /// A shortest path from a node to one where a formula holds.
    PathTo {
        /// Where it begins.
        from: u32,
        /// What holds where it ends: a condition of states or a formula of branching time, as in `petite check`.
        formula: String,
    },
    /// Whether a formula of branching time holds, and in which nodes.
    Check {
        /// The formula, as in `petite check`.
        formula: String,
    },
    /// The edges that lead to a node.
    Predecessors {
        /// The node.
        node: u32,
    },
    /// The edges that lead from a node.
    Successors {
        /// The node.
        node: u32,
    },
    /// The marking of a node.
    Marking {
        /// The node.
        node: u32,
    },
}

/// The arguments of `petite graph export`.
#[derive(Debug, Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub struct ExportArgs {
    /// The graph file.
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// What to write; guessed from the name of the output file if this is not given.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<ExportArg>,

    /// File to write; standard output if this is not given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// With the marking of each node, in dot and jsonl.
    #[arg(long)]
    pub markings: bool,

    /// Largest number of nodes that is written for GraphViz.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub limit: usize,

    #[command(flatten)]
    pub model: GraphModelArgs,
}

/// The formats of `petite graph export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportArg {
    /// A picture for GraphViz.
    Dot,
    /// Aldebaran's format for labelled transition systems.
    Aut,
    /// Edges as comma-separated values.
    Csv,
    /// Nodes as JSON objects, one a line.
    Jsonl,
}

/// The arguments of `petite graph compare`.
#[derive(Debug, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub struct CompareArgs {
    /// A graph file.
    #[arg(value_hint = ValueHint::FilePath)]
    pub first: PathBuf,

    /// Another one.
    #[arg(value_hint = ValueHint::FilePath)]
    pub second: PathBuf,

    /// Hide a transition, or one of its instances, of either graph (repeatable).
    #[arg(long, value_name = "NAME")]
    pub hide: Vec<String>,

    /// Compare only words that may end in a dead node.
    #[arg(long)]
    pub halting: bool,

    /// Give up when this many sets of nodes have to be told apart.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub max_sets: usize,

    /// Print one JSON object on standard output and nothing else there.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}
