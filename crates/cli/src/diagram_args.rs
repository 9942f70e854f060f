//! What can be chosen of the decision-diagram stores.

use clap::{Args, ValueEnum};

/// What can be chosen of the decision-diagram stores.
#[derive(Debug, Args)]
#[command(next_help_heading = "Decision diagrams")]
pub struct DiagramArgs {
    /// How new states are added to the diagram of --store obdd or ondd; in batches if this is not given.
    #[arg(long, value_enum, value_name = "HOW")]
    pub insert: Option<InsertArg>,

    /// The order of the slots in the diagram of --store obdd or ondd; chosen by a sample if this is not given.
    #[arg(long, value_enum, value_name = "ORDER")]
    pub order: Option<SlotOrderArg>,
}

/// How states are added to a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InsertArg {
    /// Many together, in order: new states wait in a small table.
    Batch,
    /// Each at once.
    Single,
}

/// The order of the slots in a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SlotOrderArg {
    /// That of the places in the file.
    File,
    /// Slots of the same first colour together: mostly those of one process.
    Component,
    /// Slots close to each other that change together.
    Interaction,
    /// Whichever of the others makes the smallest diagram of a sample of states.
    Sample,
}
