//! The subcommands, one file each.

pub mod completions;
pub mod convert;
pub mod explore;
pub mod info;
pub mod man;
