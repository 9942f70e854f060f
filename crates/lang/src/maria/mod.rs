//! Maria's net language (`.pn`).
//!
//! ```text
//! text ── preprocess ──> pieces ── lexer ──> tokens ── parser ──> tree (ast) ── elaborate ──> Net
//! ```
//!
//! Elaboration resolves names, types expressions, carries out quantifiers where each value has variables of its
//! own, fuses transitions, flattens subnets and evaluates all that is static.

mod ast;
mod elaborate;
mod lexer;
mod names;
mod parser;
mod preprocess;

use petite_net::{Net, Span};

use crate::{Diagnostic, ReadOptions, Source};

/// Finds a file that a model includes: by the path as written, and the path of the file that includes it. Gives
/// the source or the reason why there is none.
pub type Load<'l> = dyn FnMut(&str, &str) -> Result<Source, String> + 'l;

/// Reads a net. `sources` holds the model alone at first; the files that it includes are added in the order in
/// which they are met, and spans name them by their position.
///
/// # Errors
/// What is wrong with the texts: at least one diagnostic, at most twenty.
pub fn read(
    sources: &mut Vec<Source>,
    options: &ReadOptions,
    load: &mut Load<'_>,
) -> Result<Net, Vec<Diagnostic>> {
    let alone = |diagnostic| vec![diagnostic];
    if sources.is_empty() {
        let message = "there is no text to read";
        return Err(alone(Diagnostic::new(Span::default(), message).label("expected a model")));
    }
    let pieces = preprocess::preprocess(sources, &options.defines, load).map_err(alone)?;
    let tokens = lexer::tokens(sources, &pieces).map_err(alone)?;
    let net = parser::parse(sources, &tokens).map_err(alone)?;
    drop(tokens);
    elaborate::elaborate(&net, &sources[0], options)
}
