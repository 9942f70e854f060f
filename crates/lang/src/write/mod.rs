//! Writers: nets as PNML and as pictures for GraphViz.
//!
//! ```text
//! Net ──────────────────────────> symmetric ──> PNML (symmetricnet)
//!  └─ PlainNet::of, unfolding ──> plain ──────> PNML (ptnet)
//! Net, PlainNet ────────────────> dot
//! ```
//!
//! A writer gets a net and a sink, and knows no file. What a format cannot say is a value, [`Unsayable`], so that
//! the caller may try another form.

mod dot;
mod ids;
mod plain;
mod show;
mod sorts;
mod symmetric;
mod terms;
mod xml;

pub use dot::{net_as_dot, plain_as_dot};
pub use plain::plain_as_pnml;
pub use symmetric::{Symmetric, symmetric};

use petite_net::Span;

/// Why a net is no symmetric net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsayable {
    /// What cannot be said, as in "priorities".
    pub what: &'static str,
    /// Where it stands.
    pub span: Span,
}

/// Something a symmetric net cannot say.
fn unsayable<T>(what: &'static str, span: Span) -> Result<T, Unsayable> {
    Err(Unsayable { what, span })
}
