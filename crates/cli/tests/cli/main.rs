//! The command from outside: one file for each thing it promises.

mod bad_input;
mod common;
mod convert;
mod counts;
mod documents;
mod explore;
mod info;
mod steps;
mod unbounded;
mod usage;
