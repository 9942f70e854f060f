//! PNML, the exchange format of ISO/IEC 15909-2: place/transition nets and symmetric nets.
//!
//! ```text
//! bytes ── decode ──> text ── xml, reader ──> document ── sorts, lower, build ──> Net
//! ```
//!
//! The text is read once, front to back, into a document that borrows from it: sorts, variables and nodes may be
//! used before they are declared, so names are looked up when all is read. Pages and references vanish in the
//! net. What the standard has and Petite does not support is refused by name, and so is any element that is not
//! known, because it may change the meaning of the net; `<toolspecific>` elements are skipped, besides nested
//! units.
//!
//! *Dialects.* Inhibitor arcs as TAPAAL writes them, `<arc type="inhibitor">` or `<type value="inhibitor"/>`, with
//! a weight: the transition is disabled where the place holds at least so many tokens. Nets that speak of time are
//! refused.
//!
//! *Meaning.* An instance of a transition has a value for every variable of its inscriptions and its guard, whether
//! or not an input arc binds it. Successors are cyclic in ranges as in enumerations.
//!
//! *Names.* A node is called by its name where that tells it apart from all others, and by its identifier
//! otherwise; [`petite_net::Net::place_id`] and [`petite_net::Net::transition_id`] give the identifiers, which
//! formulas refer to.

mod arcs;
mod bindings;
mod build;
mod conditions;
mod declarations;
mod document;
mod encoding;
mod ends;
mod ids;
mod lower;
mod names;
mod partitions;
mod reader;
mod sorts;
mod sums;
mod terms;
mod units;
pub(crate) mod xml;

use petite_net::{Net, Span};

pub use encoding::decode;

use crate::{Diagnostic, ReadOptions, Source};

/// Something is wrong, and has been noted.
#[derive(Clone, Copy, Debug)]
struct Failed;

/// Reads a net. Spans name the source as file 0.
///
/// # Errors
/// What is wrong with the text: at least one diagnostic, at most twenty, in the order of the text.
pub fn read(source: &Source, options: &ReadOptions) -> Result<Net, Vec<Diagnostic>> {
    let front = Span { file: 0, start: 0, end: 0 };
    if u32::try_from(source.text.len()).is_err() {
        return Err(vec![Diagnostic::new(front, "this file is larger than 4 GB").label("too large")]);
    }
    if let Some((name, _)) = options.params.first() {
        let message = format!("a PNML net has no parameters, but {name} is given a value");
        return Err(vec![Diagnostic::new(front, message)]);
    }
    let (document, diagnostics) = reader::read_document(&source.text)?;
    if !diagnostics.is_empty() {
        return Err(diagnostics.into_sorted());
    }
    build::build(document, diagnostics)
}
