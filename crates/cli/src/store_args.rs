//! How the set of states is kept, as far as it can be chosen on the command line.

use clap::{Args, ValueEnum};

use crate::codec_args::CodecArgs;
use crate::diagram_args::DiagramArgs;
use crate::lossy_args::LossyArgs;

/// How the set of states is kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Store")]
pub struct StoreArgs {
    /// How the set of states is kept.
    #[arg(long, value_enum, default_value_t = StoreArg::Plain)]
    pub store: StoreArg,

    #[command(flatten)]
    pub codec: CodecArgs,

    #[command(flatten)]
    pub diagram: DiagramArgs,

    #[command(flatten)]
    pub lossy: LossyArgs,
}

/// The stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreArg {
    /// A hash table of bit-packed state vectors.
    Plain,
    /// A binary decision diagram over the bits.
    Obdd,
    /// An n-ary decision diagram over the slots.
    Ondd,
    /// A few bits of an array for each state; lossy.
    Bitstate,
    /// A fingerprint of chosen width for each state; lossy.
    Hashcompact,
}
