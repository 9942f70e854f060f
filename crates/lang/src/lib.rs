//! Readers and writers of net languages.
//!
//! A reader turns the text of a model into a [`petite_net::Net`] in which all names are resolved and all
//! expressions are typed, or into [`Diagnostic`]s that say where the text is wrong and what to do about it.
//! Readers get their text from the caller: nothing here opens files or prints. Writers go the other way, into
//! whatever the caller gives them.

#![forbid(unsafe_code)]

mod diagnostic;
pub mod formula;
pub mod helena;
pub mod maria;
pub mod mcc;
mod nearest;
pub mod pnml;
mod source;
pub mod write;

pub use diagnostic::Diagnostic;
pub use source::{Position, Source};

/// What the user of a model may choose when it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Values for parameters of the model, in place of the ones it states.
    pub params: Vec<(String, i64)>,
    /// Symbols that are defined for the preprocessor.
    pub defines: Vec<String>,
    /// Capacity of the places that state none; one when absent.
    pub default_capacity: Option<u32>,
}
