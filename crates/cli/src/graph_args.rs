//! The arguments of `petite graph`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueHint};

use crate::args::{OrderArg, ReadArgs};
use crate::units;

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

    /// Give up after this many states, as in 250000 or 5M.
    #[arg(long, value_name = "N", value_parser = units::parse_count)]
    pub max_states: Option<u64>,

    /// Give up when store, model tables and frontier take this much, as in 4G or 512MiB; without it, when they take
    /// 85 % of the memory that the system had to give.
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size)]
    pub max_memory: Option<u64>,

    /// Give up after this time, as in 90s, 5m or 1h30m.
    #[arg(long, value_name = "DURATION", value_parser = units::parse_duration)]
    pub max_time: Option<Duration>,

    /// Do not test whether places grow without end; an unbounded net is then searched until a limit.
    #[arg(long)]
    pub assume_bounded: bool,
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
