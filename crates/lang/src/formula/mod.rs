//! Formulas: the property language of all models.
//!
//! ```text
//! text ── lexer ──> tokens ── parser ──> tree ── elaborate ──> Query
//! ```
//!
//! The language is described in `docs/check.md`. A [`Query`] has its names resolved against the net that it is about,
//! so a formula for another model is refused here.

mod colours;
mod elaborate;
mod lexer;
pub(crate) mod names;
mod parser;
mod tree;

use petite_net::{Net, Query};

use crate::{Diagnostic, Source};
use names::Names;

/// Reads one formula. Spans name the source as file number `file`.
///
/// # Errors
/// What is wrong with it first.
pub fn read_formula(source: &Source, file: u32, net: &Net, name: &str) -> Result<Query, Diagnostic> {
    let stated = parser::formula(&source.text, file)?;
    elaborate::question(&Names::of(net), &stated, name.to_owned())
}

/// Reads a file of properties: `name: formula;` one after the other, names may be left out.
///
/// # Errors
/// What is wrong with it: the first fault of the form, or of each property that does not fit the net.
pub fn read_file(source: &Source, file: u32, net: &Net) -> Result<Vec<Query>, Vec<Diagnostic>> {
    let stated = parser::file(&source.text, file).map_err(|diagnostic| vec![diagnostic])?;
    let names = Names::of(net);
    let mut faults = crate::diagnostic::Diagnostics::default();
    let mut queries: Vec<Query> = Vec::new();
    for (i, stated) in stated.iter().enumerate() {
        let name =
            stated.name.as_ref().map_or_else(|| format!("property{}", i + 1), |name| name.text.clone());
        if let Some(again) =
            stated.name.as_ref().filter(|name| queries.iter().any(|query| query.name == name.text))
        {
            faults.push(
                Diagnostic::new(again.span, format!("there are two properties `{name}`"))
                    .label("used before"),
            );
        }
        match elaborate::question(&names, stated, name) {
            Ok(query) => queries.push(query),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(queries) } else { Err(faults.into_sorted()) }
}
