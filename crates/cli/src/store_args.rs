//! How the set of states is kept, as far as it can be chosen on the command line.

use clap::{Args, ValueEnum};

/// How the set of states is kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Store")]
pub struct StoreArgs {
    /// How the set of states is kept.
    #[arg(long, value_enum, default_value_t = StoreArg::Plain)]
    pub store: StoreArg,
}

/// The stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreArg {
    /// A hash table of bit-packed state vectors.
    Plain,
    /// A tree of pairs with exact quotient tables: about a byte a state.
    Tree,
    /// The same with identities of states, for what needs them: about 8 bytes a state.
    TreeIds,
}
