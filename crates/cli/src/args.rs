//! The command line: what can be asked for, in one definition that also makes the help, the shell completions
//! and the manual page.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};

use crate::check_args::{CheckArgs, SimulateArgs};
use crate::compare_args::CompareArgs;
use crate::graph_args::GraphArgs;
use crate::limit_args::LimitArgs;
use crate::searching::Telling;
use crate::store_args::StoreArgs;
use crate::sweep_args::SweepArgs;
use crate::version;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const TOP_EXAMPLES: &str = "\
Examples:
  petite explore models/philosophers.lna              count all states
  petite explore models/philosophers.lna --param N=8  with another constant
  petite check models/philosophers.lna                check its properties
  petite check net.pnml -f 'AG critical <= 1'         check a formula
  petite compare models/philosophers.lna              what each store costs
  petite simulate models/philosophers.lna             step through it
  petite info models/philosophers.lna                 invariants and bounds
  petite convert models/philosophers.lna --to pnml    in another format
  petite explore                                      models to try
  petite help explore                                 all options

Exit status: 0 done, or all properties hold; 1 a property fails; 2 bad usage
or bad input; 3 a limit was reached or an answer is not known; 130 interrupted.";

const EXPLORE_EXAMPLES: &str = "\
Examples:
  petite explore philosophers.lna
      count states, edges and dead states of a net written in Helena's language
  petite explore philosophers.lna --param N=10 --search dfs
      replace the constant N of the model, search depth first
  petite explore big.lna --max-memory 4G --max-time 1h30m
      stop at a limit and print what was found so far (exit status 3)
  petite explore philosophers.lna --json | jq .states
      one JSON object on standard output, for scripts
  petite explore philosophers.lna -q
      one line: states, edges, dead states

The property file philosophers.prop.lna beside philosophers.lna is read too if it is there.

Exit status: 0 done; 2 bad usage, bad input or an error of the model;
3 a limit was reached; 130 interrupted. In the last two cases, and when an
error of the model ends the search, what was found so far is still printed,
marked partial.";

const INFO_EXAMPLES: &str = "\
Examples:
  petite info philosophers.lna
      sizes, invariants and bounds of a net, without exploring it
  petite info philosophers.lna --param N=10 -v
      with another constant, everything that was found
  petite info philosophers.lna --json | jq .place_bounds
      one JSON object on standard output, for scripts

Exit status: 0 done, also where something is not known; 2 bad usage or bad
input.";

const CONVERT_EXAMPLES: &str = "\
Examples:
  petite convert philosophers.lna --to pnml
      print the net as PNML, coloured where PNML can say it and unfolded otherwise
  petite convert philosophers.lna --param N=10 -o philosophers.pnml --unfold
      write a place/transition net into a file
  petite convert philosophers.lna --to dot | dot -Tsvg > philosophers.svg
      draw the net

Exit status: 0 done; 2 bad usage, bad input, a net that the format cannot say,
or output that cannot be written; 130 interrupted.";

/// A model checker for models that no longer fit in memory.
#[derive(Debug, Parser)]
#[command(
    name = "petite",
    version = version::SHORT,
    long_version = version::LONG,
    styles = STYLES,
    arg_required_else_help = true,
    subcommand_required = true,
    after_help = TOP_EXAMPLES,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explore the whole state space: states, edges, dead states, bounds; time and memory.
    Explore(ExploreArgs),
    /// Check properties: reachability, invariants, bounds, formulas; a trace when one fails.
    Check(CheckArgs),
    /// Compare what each way to keep states costs: a table, plots, a report.
    Compare(CompareArgs),
    /// Step through a model by hand, at random, or along a trace.
    Simulate(SimulateArgs),
    /// Show what the structure of a model tells: sizes, invariants, bounds.
    Info(InfoArgs),
    /// Write a model as PNML or as a picture for GraphViz.
    Convert(ConvertArgs),
    /// Build the condensed reachability graph of a model, and ask it.
    Graph(GraphArgs),
    /// Print the completion script of a shell.
    #[command(after_help = "Examples:
  petite completions bash > ~/.local/share/bash-completion/completions/petite
  petite completions zsh > ~/.zfunc/_petite
  petite completions fish > ~/.config/fish/completions/petite.fish")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one page per command into a directory.
    #[command(after_help = "Examples:
  petite man | man -l -
  petite man explore | man -l -
  petite man --out ~/.local/share/man/man1")]
    Man {
        /// The command to print the page of, as in explore.
        #[arg(conflicts_with = "out")]
        command: Option<String>,

        /// Directory to write petite.1, petite-explore.1 and so on into; it is made if it is missing.
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        out: Option<PathBuf>,
    },
}

/// The arguments of `petite explore`.
#[derive(Debug, Args)]
#[command(after_help = EXPLORE_EXAMPLES)]
pub struct ExploreArgs {
    /// The model: a net in Helena's language (.lna), in Maria's (.pn) or in PNML (.pnml).
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    #[command(flatten)]
    pub reading: ReadArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// The arguments of `petite info`.
#[derive(Debug, Args)]
#[command(after_help = INFO_EXAMPLES)]
pub struct InfoArgs {
    /// The model: a net in Helena's language (.lna), in Maria's (.pn) or in PNML (.pnml).
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    #[command(flatten)]
    pub reading: ReadArgs,

    /// Show what this progress measure does, as in "received, 2*sent - waiting(1)"; without it, the one that the property
    /// file states, or one that is derived from the net.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub progress: Option<String>,

    /// Print one JSON object on standard output and nothing else there.
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// Print all invariants and all places, however many there are.
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
}

/// The arguments of `petite convert`.
#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub struct ConvertArgs {
    /// The model: a net in Helena's language (.lna), in Maria's (.pn) or in PNML (.pnml).
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    /// What to write; guessed from the name of the output file if this is not given.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<FormatArg>,

    /// File to write, .pnml, .dot or .gv; standard output if this is not given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Write a place/transition net in any case: one place for each colour, one transition for each instance.
    #[arg(long)]
    pub unfold: bool,

    #[command(flatten)]
    pub reading: ReadArgs,
}

/// The formats that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// PNML: a symmetric net where that can say it, a place/transition net otherwise.
    Pnml,
    /// A picture for GraphViz.
    Dot,
}

/// How the model is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct ReadArgs {
    /// Give a constant of the model another value (repeatable; the last one counts).
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub params: Vec<(String, i64)>,

    /// Define a symbol for the model's #ifdef (repeatable).
    #[arg(long = "define", value_name = "SYMBOL", value_parser = parse_symbol)]
    pub defines: Vec<String>,

    /// Capacity of the places that state none; 1 if this is not given.
    #[arg(long, value_name = "N")]
    pub capacity: Option<u32>,

    /// How transitions are made ready to fire.
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub engine: EngineArg,
}

/// How the state space is searched, and when to stop.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Which state is expanded next.
    #[arg(long, value_enum, default_value_t = OrderArg::Bfs)]
    pub search: OrderArg,

    #[command(flatten)]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub sweep: SweepArgs,

    #[command(flatten)]
    pub store: StoreArgs,
}

/// What is printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print one JSON object on standard output and nothing else there.
    #[arg(long)]
    pub json: bool,

    /// The form of the result; json is the same as --json, mcc that of the Model Checking Contest.
    #[arg(long, value_enum, value_name = "FORM", conflicts_with_all = ["json", "quiet"])]
    pub format: Option<FormArg>,

    /// Print one line, "STATES EDGES DEAD", and no progress.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print also the layout of a state, the bound of each place and why this engine and this store were chosen.
    #[arg(short, long)]
    pub verbose: bool,

    /// Write lines of JSON to standard error while the search runs, for programs: seconds, states, bytes.
    #[arg(long)]
    pub events: bool,
}

impl OutputArgs {
    /// How progress is told.
    pub fn telling(&self) -> Telling {
        match (self.events, self.quiet) {
            (true, _) => Telling::Events,
            (false, true) => Telling::Nothing,
            (false, false) => Telling::Line,
        }
    }

    /// The form that was asked for.
    pub fn form(&self) -> FormArg {
        self.format.unwrap_or(if self.json { FormArg::Json } else { FormArg::Text })
    }
}

/// The form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormArg {
    /// For people.
    Text,
    /// One JSON object.
    Json,
    /// The lines of the Model Checking Contest.
    Mcc,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// Unfolded where that is affordable, binding elsewhere.
    Auto,
    /// All transition instances are listed before the search.
    Unfolded,
    /// Bindings are found in each state by matching tokens.
    Binding,
}

/// The search orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderArg {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
    /// Least progress first, forgetting what is behind.
    Sweep,
}

impl OrderArg {
    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OrderArg::Dfs => "dfs",
            OrderArg::Bfs => "bfs",
            OrderArg::Sweep => "sweep",
        }
    }
}

/// The definition as clap's command, for completions and manual pages.
pub fn command() -> clap::Command {
    Cli::command()
}

fn parse_param(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in N=5")?;
    let (name, value) = (name.trim(), value.trim());
    if !is_identifier(name) {
        return Err(format!("'{name}' is not the name of a constant: expected NAME=VALUE, as in N=5"));
    }
    let value = value.parse().map_err(|_| format!("'{value}' is not a whole number of 64 bits"))?;
    Ok((name.to_owned(), value))
}

fn parse_symbol(text: &str) -> Result<String, String> {
    if is_identifier(text) {
        Ok(text.to_owned())
    } else {
        Err("expected a symbol of letters, digits and underscores, as in WITH_LOSS".to_owned())
    }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explore(words: &[&str]) -> Result<ExploreArgs, clap::Error> {
        let words = ["petite", "explore"].iter().chain(words);
        Cli::try_parse_from(words).map(|cli| match cli.command {
            Command::Explore(args) => args,
            other => panic!("read as {other:?}"),
        })
    }

    #[test]
    fn the_definition_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn common_flags_are_read() {
        let args = explore(&[
            "m.lna",
            "--param",
            "N=5",
            "--param",
            "M=-3",
            "--define",
            "FAST",
            "--search",
            "dfs",
            "--max-states",
            "5M",
            "--max-memory",
            "4G",
            "--max-time",
            "1h30m",
            "--json",
        ]);
        let args = args.unwrap();
        assert_eq!(args.reading.params, [("N".to_owned(), 5), ("M".to_owned(), -3)]);
        assert_eq!(args.reading.defines, ["FAST"]);
        assert_eq!(args.reading.engine, EngineArg::Auto);
        assert_eq!(args.search.search, OrderArg::Dfs);
        assert_eq!(args.search.limits.max_states, Some(5_000_000));
        assert_eq!(args.search.limits.max_memory, Some(4 << 30));
        assert_eq!(args.search.limits.max_time, Some(std::time::Duration::from_secs(5400)));
        assert!(args.output.json);
    }

    #[test]
    fn wrong_flags_say_what_was_expected() {
        let message = |words: &[&str]| explore(words).unwrap_err().to_string();
        assert!(message(&["m.lna", "--param", "N"]).contains("NAME=VALUE"));
        assert!(message(&["m.lna", "--param", "N=x"]).contains("whole number"));
        assert!(message(&["m.lna", "--param", "3=4"]).contains("name of a constant"));
        assert!(message(&["m.lna", "--define", "A B"]).contains("expected a symbol"));
        assert!(message(&["m.lna", "--store", "plane"]).contains("plain"));
        assert!(message(&["m.lna", "--sarch", "dfs"]).contains("--search"));
        assert!(message(&["m.lna", "-q", "-v"]).contains("cannot be used with"));
        assert!(message(&[]).contains("MODEL"));
    }
}
