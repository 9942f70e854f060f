//! The subcommands, one file each.

pub mod check;
pub mod compare;
pub mod completions;
pub mod convert;
pub mod explore;
pub mod graph;
pub mod info;
pub mod man;
pub mod simulate;
