//! The arguments of `petite compare`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use petite_compare::{Sweep, Way, ways};

use crate::args::ReadArgs;
use crate::units;

const EXAMPLES: &str = "\
Examples:
  petite compare philosophers.lna --param N=10
      what the usual stores and codecs cost, each in a process of its own
  petite compare big.pnml --max-states 1M --report big.html
      only as far as a million states; a page with table and plots
  petite compare net.pnml --stores plain,tree,delta+dfs,ondd+collapse
      STORE+CODEC+ORDER; a codec alone is in the plain table; all is everything
  petite compare net.pnml --sweep k=1..50 --plot plots
      what the k of --store delta trades
  petite compare counters.lna --sweep N=2..6 --stores plain,tree,ondd
      how stores grow with a parameter of the model

Exit status: 0 done; 2 bad usage, bad input, or nothing could be run; 3 a way
reached a limit or was lost; 130 interrupted, with what there is until then.";

/// The arguments of `petite compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// The model: a net in Helena's language (.lna), in Maria's (.pn) or in PNML (.pnml).
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    /// What to compare: words with commas between them, as in plain,tree,delta+dfs,ondd+collapse; usual and all
    /// stand for many. If this is not given: usual, or what --sweep needs.
    #[arg(long, value_name = "LIST", value_parser = read_ways, help_heading = "What to compare")]
    pub stores: Option<WayList>,

    /// Give a parameter several values: k (of delta), delta (of difference), hash-bits (of hashcompact), or a
    /// constant of the model; as in k=1..50, delta=0,1,2,3,7,20 or N=2..10/2 (repeatable).
    #[arg(long, value_name = "NAME=VALUES", value_parser = Sweep::read, help_heading = "What to compare")]
    pub sweep: Vec<Sweep>,

    #[command(flatten)]
    pub reading: ReadArgs,

    /// Stop each run after this many states, as in 250000 or 5M.
    #[arg(long, value_name = "N", value_parser = units::parse_count, help_heading = "Limits of each run")]
    pub max_states: Option<u64>,

    /// Stop a run when store, model tables and frontier take this much, as in 4G or 512MiB; without it, when
    /// they take 85 % of the memory that the system had to give.
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size, help_heading = "Limits of each run")]
    pub max_memory: Option<u64>,

    /// Stop each run after this time, as in 90s, 5m or 1h30m.
    #[arg(
        long,
        value_name = "DURATION",
        value_parser = units::parse_duration,
        default_value = "60s",
        help_heading = "Limits of each run"
    )]
    pub max_time: Duration,

    /// Do not test whether places grow without end.
    #[arg(long, help_heading = "Limits of each run")]
    pub assume_bounded: bool,

    /// Write a page with table, plots, machine and commands; it needs nothing beside itself.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Write the table as comma-separated values.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub csv: Option<PathBuf>,

    /// Write the plots into this directory, as SVG and as PNG: memory-time, memory-states, and with --sweep sweep-*;
    /// it is made if it is missing.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub plot: Option<PathBuf>,

    /// Print one JSON object on standard output and nothing else there.
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// Do not show how far it has come.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// The ways that `--stores` lists.
#[derive(Clone, Debug)]
pub struct WayList(pub Vec<Way>);

fn read_ways(text: &str) -> Result<WayList, String> {
    ways(text).map(WayList)
}
