//! What the tests share: models of our own, and diagnostics as text.

use petite_lang::{Diagnostic, ReadOptions, Source, helena};
use petite_net::Net;

/// A model that uses all of the language.
#[allow(dead_code, reason = "not all tests use it")]
pub const MARKET: &str = include_str!("../models/market.lna");

/// Its properties.
#[allow(dead_code, reason = "not all tests use it")]
pub const MARKET_PROPERTIES: &str = include_str!("../models/market.prop.lna");

/// A small model.
#[allow(dead_code, reason = "not all tests use it")]
pub const SMALL: &str = include_str!("../models/small.lna");

pub fn read_with(
    model: &str,
    properties: Option<&str>,
    options: &ReadOptions,
) -> Result<Net, Vec<Diagnostic>> {
    let properties = properties.map(|text| Source::new("m.prop.lna", text));
    helena::read(&Source::new("m.lna", model), properties.as_ref(), options)
}

#[allow(dead_code, reason = "not all tests use it")]
pub fn read(model: &str) -> Result<Net, Vec<Diagnostic>> {
    read_with(model, None, &ReadOptions::default())
}

/// Each diagnostic as `line:column: message`, with `p:` in front if it is in the property file.
#[allow(dead_code, reason = "not all tests use it")]
pub fn shown(model: &str, properties: &str, diagnostics: &[Diagnostic]) -> String {
    let sources = [Source::new("m", model), Source::new("p", properties)];
    let show = |diagnostic: &Diagnostic| {
        let at = sources[diagnostic.span.file as usize].position(diagnostic.span.start);
        let file = if diagnostic.span.file == 1 { "p:" } else { "" };
        format!("{file}{}:{}: {}", at.line, at.column, diagnostic.message)
    };
    diagnostics.iter().map(show).collect::<Vec<_>>().join("\n")
}
