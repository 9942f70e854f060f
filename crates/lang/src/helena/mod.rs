//! Helena's net language (`.lna`) and property language (`.prop.lna`).
//!
//! ```text
//! text ── preprocess ──> active text ── lexer, parser ──> tree (ast) ── elaborate ──> Net
//! ```
//!
//! The preprocessor keeps every character at its offset, so spans are true all the way. Elaboration resolves
//! names, types expressions and evaluates all that is static, with the parameters' values known first.

mod ast;
mod elaborate;
mod lexer;
mod parser;
mod preprocess;

use petite_net::{Net, Span};

use crate::{Diagnostic, ReadOptions, Source};

/// Number of the model's file in spans.
const MODEL: u32 = 0;

/// Number of the property file in spans.
const PROPERTIES: u32 = 1;

/// Reads a net and, where there is one, its file of properties. Spans name the model as file 0 and the
/// properties as file 1.
///
/// # Errors
/// What is wrong with the texts: at least one diagnostic, at most twenty, in the order of the texts.
pub fn read(
    model: &Source,
    properties: Option<&Source>,
    options: &ReadOptions,
) -> Result<Net, Vec<Diagnostic>> {
    let alone = |diagnostic| vec![diagnostic];
    let text = active_text(model, MODEL, options).map_err(alone)?;
    let net = parser::parse_net(&text, MODEL).map_err(alone)?;
    // The tree owns its names; the text may be large.
    drop(text);
    let parsed = match properties {
        Some(source) => {
            let text = active_text(source, PROPERTIES, options).map_err(alone)?;
            parser::parse_properties(&text, PROPERTIES).map_err(alone)?
        }
        None => Vec::new(),
    };
    elaborate::elaborate(&net, &parsed, model, options)
}

fn active_text<'t>(
    source: &'t Source,
    file: u32,
    options: &ReadOptions,
) -> Result<std::borrow::Cow<'t, str>, Diagnostic> {
    if u32::try_from(source.text.len()).is_err() {
        return Err(Diagnostic::new(Span { file, start: 0, end: 0 }, "this file is larger than 4 GB")
            .label("too large")
            .help("is this a model in Helena's language?"));
    }
    preprocess::preprocess(&source.text, file, &options.defines)
}
