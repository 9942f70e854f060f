//! The arguments of the sweep-line method.

use clap::Args;

/// How a sweep goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Sweep (with --search sweep)")]
pub struct SweepArgs {
    /// The progress measure: sums of numbers of tokens, the first one counts most, as in
    /// "received, 2*sent - waiting(1), acked.1"; without it, the one that the property file states, or one that is
    /// derived from the net.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub progress: Option<String>,

    /// Count every state once where the measure decreases along edges: the graph is kept, and old states are
    /// recognised by replaying it.
    #[arg(long)]
    pub exact_count: bool,
}
