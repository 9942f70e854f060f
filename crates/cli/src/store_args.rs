//! How the set of states is kept, as far as it can be chosen on the command line.

use clap::{Args, ValueEnum};

use crate::codec_args::CodecArgs;

/// How the set of states is kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Store")]
pub struct StoreArgs {
    /// How the set of states is kept.
    #[arg(long, value_enum, default_value_t = StoreArg::Plain)]
    pub store: StoreArg,

    #[command(flatten)]
    pub codec: CodecArgs,
}

/// The stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreArg {
    /// A hash table of bit-packed state vectors.
    Plain,
}
