//! How the set of states is kept, as far as it can be chosen on the command line.

use std::num::NonZeroU32;

use clap::{Args, ValueEnum};

use crate::codec_args::CodecArgs;
use crate::diagram_args::DiagramArgs;
use crate::lossy_args::LossyArgs;

/// How the set of states is kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Store")]
pub struct StoreArgs {
    /// How the set of states is kept.
    #[arg(long, value_enum, default_value_t = StoreArg::Auto)]
    pub store: StoreArg,

    #[command(flatten)]
    pub codec: CodecArgs,

    #[command(flatten)]
    pub diagram: DiagramArgs,

    #[command(flatten)]
    pub lossy: LossyArgs,

    /// For --store delta: every so manieth level is stored explicitly.
    #[arg(long, value_name = "N", default_value = "20")]
    pub k: NonZeroU32,

    /// For --store delta: collapse explicit markings.
    #[arg(long)]
    pub collapse: bool,

    /// For --store delta, depth first: never replace a predecessor by a nearer one.
    #[arg(long)]
    pub no_update: bool,

    /// For --store delta: compare by firing forward, never by taking actions back.
    #[arg(long)]
    pub no_unfire: bool,

    /// For --store delta: do not keep states that were reconstituted lately.
    #[arg(long)]
    pub no_recall: bool,

    /// For --store difference: distance between explicit levels; 0 is off, 1 makes all states explicit.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub delta: u32,
}

/// The stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreArg {
    /// The plain one as long as it fits into memory; then the smallest, from the beginning.
    Auto,
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
    /// Most states as a step from another one (Δ-markings).
    Delta,
    /// Most states as the tokens that differ from the state before.
    Difference,
    /// A tree of pairs with exact quotient tables: about a byte a state.
    Tree,
    /// The same with identities of states, for what needs them: about 8 bytes a state.
    TreeIds,
}

impl StoreArg {
    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            StoreArg::Auto => "auto",
            StoreArg::Plain => "plain",
            StoreArg::Obdd => "obdd",
            StoreArg::Ondd => "ondd",
            StoreArg::Bitstate => "bitstate",
            StoreArg::Hashcompact => "hashcompact",
            StoreArg::Delta => "delta",
            StoreArg::Difference => "difference",
            StoreArg::Tree => "tree",
            StoreArg::TreeIds => "tree-ids",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_command_line() {
        for store in StoreArg::value_variants() {
            let value = store.to_possible_value().expect("all can be chosen");
            assert_eq!(value.get_name(), store.name());
        }
    }
}
