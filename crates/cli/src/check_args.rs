//! The arguments of `petite check` and `petite simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::args::{FormArg, ReadArgs, SearchArgs};
use crate::json::Detail;
use crate::units;

const CHECK_EXAMPLES: &str = "\
Examples:
  petite check philosophers.lna
      check the properties that the model states, or its property file does
  petite check net.pnml -f 'AG (critical <= 1)' -f 'EF deadlock'
      check formulas; all of them in one search
  petite check net.pnml --properties UpperBounds.xml --format mcc
      formulas of the Model Checking Contest, and answers in its form
  petite check philosophers.lna --trace dead.json
      write the way to the first failure into a file, for petite simulate

Exit status: 0 all properties hold; 1 a property fails; 2 bad usage, bad input
or an error of the model; 3 an answer is not known, because a limit was reached
or the kind of formula is not supported; 130 interrupted.";

const SIMULATE_EXAMPLES: &str = "\
Examples:
  petite simulate philosophers.lna
      show what can happen, ask what shall happen, and so on
  petite simulate philosophers.lna --steps 20 --seed 7
      twenty steps at random; the same seed gives the same steps
  petite simulate philosophers.lna --trace dead.json
      follow a trace that petite check wrote, and refuse one that does not fit

Exit status: 0 done; 2 bad usage, bad input, an error of the model, or a trace
that does not fit.";

/// The arguments of `petite check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// The model: a net in Helena's language (.lna), in Maria's (.pn) or in PNML (.pnml).
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    /// A formula to check, as in 'AG (p + q <= 1)' or 'bound(p)' (repeatable).
    #[arg(short, long = "formula", value_name = "FORMULA", help_heading = "Properties")]
    pub formulas: Vec<String>,

    /// A file of properties: the contest's XML, Helena's (.prop.lna), or lines like `name: formula;` (repeatable).
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Properties")]
    pub properties: Vec<PathBuf>,

    /// An examination of the whole net (repeatable).
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Properties")]
    pub examination: Vec<ExaminationArg>,

    /// Check only the properties of these names (repeatable).
    #[arg(long, value_name = "NAME", help_heading = "Properties")]
    pub only: Vec<String>,

    #[command(flatten)]
    pub reading: ReadArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    /// Search the net as it is, never one that is reduced for a question.
    #[arg(long, help_heading = "Search")]
    pub no_reduction: bool,

    #[command(flatten)]
    pub output: CheckOutputArgs,
}

/// What `petite check` prints.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct CheckOutputArgs {
    /// Write the trace of the first property that has one into a file, as JSON; failures come first.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub trace: Option<PathBuf>,

    /// Keep no traces: saves 8 bytes a state.
    #[arg(long, conflicts_with = "trace")]
    pub no_trace: bool,

    /// Print one JSON object on standard output and nothing else there.
    #[arg(long)]
    pub json: bool,

    /// The form of the result; json is the same as --json, mcc that of the Model Checking Contest.
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "json")]
    pub format: Option<FormArg>,

    /// Print the answers alone: no traces, no progress.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print also how far nets were reduced, or why the model cannot be, and why this store was chosen.
    #[arg(short, long)]
    pub verbose: bool,
}

impl CheckOutputArgs {
    /// How much is told.
    pub fn detail(&self) -> Detail {
        if self.verbose { Detail::Full } else { Detail::Figures }
    }

    /// The form that was asked for.
    pub fn form(&self) -> FormArg {
        self.format.unwrap_or(if self.json { FormArg::Json } else { FormArg::Text })
    }
}

/// Examinations of the whole net, as the contest calls them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExaminationArg {
    /// Whether a dead state can be reached.
    #[value(name = "ReachabilityDeadlock", alias = "deadlock")]
    ReachabilityDeadlock,
    /// Whether no place ever holds two tokens, of whatever colours.
    #[value(name = "OneSafe", alias = "one-safe")]
    OneSafe,
    /// Whether some place always holds the same number of tokens.
    #[value(name = "StableMarking", alias = "stable-marking")]
    StableMarking,
    /// Whether every transition is enabled somewhere.
    #[value(name = "QuasiLiveness", alias = "quasi-liveness")]
    QuasiLiveness,
    /// Whether every transition can always become enabled again.
    #[value(name = "Liveness", alias = "liveness")]
    Liveness,
}

impl ExaminationArg {
    /// The contest's name of it.
    pub fn name(self) -> &'static str {
        match self {
            ExaminationArg::ReachabilityDeadlock => "ReachabilityDeadlock",
            ExaminationArg::OneSafe => "OneSafe",
            ExaminationArg::StableMarking => "StableMarking",
            ExaminationArg::QuasiLiveness => "QuasiLiveness",
            ExaminationArg::Liveness => "Liveness",
        }
    }
}

/// The arguments of `petite simulate`.
#[derive(Debug, Args)]
#[command(after_help = SIMULATE_EXAMPLES)]
pub struct SimulateArgs {
    /// The model: a net in Helena's language (.lna), in Maria's (.pn) or in PNML (.pnml).
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    /// Follow the trace in this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["seed", "steps"])]
    pub trace: Option<PathBuf>,

    /// Choose steps at random, beginning with this number; 0 if only --steps is given.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Take so many steps at random; 100 if only --seed is given.
    #[arg(long, value_name = "N", value_parser = units::parse_count)]
    pub steps: Option<u64>,

    /// Write the steps that were taken into a file, as a trace.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub save: Option<PathBuf>,

    #[command(flatten)]
    pub reading: ReadArgs,
}
