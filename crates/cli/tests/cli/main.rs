//! The command from outside: one file for each thing it promises.

mod auto;
mod bad_input;
mod check;
mod common;
mod compare;
mod convert;
mod counts;
mod documents;
mod explore;
mod graph;
mod guide;
mod info;
mod large;
mod maria;
mod pages;
mod reductions;
mod steps;
mod stores;
mod unbounded;
mod usage;
