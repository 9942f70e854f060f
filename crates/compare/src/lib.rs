//! What it costs to keep a model's states in one way or another.
//!
//! A *way* is a store with a codec and a search order ([`Way`]); a *case* is a way with the values of swept parameters
//! ([`Case`]). Somebody else runs each case in a process of its own and hands over what came of it, which becomes a [`Row`].
//! From the rows of a [`Comparison`] come a table of 80 columns, a CSV, a JSON document, plots and a report in HTML.
//!
//! Nothing here starts a process, opens a file or prints.

#![forbid(unsafe_code)]

mod break_even;
mod case;
mod comparison;
mod csv;
mod document;
mod figures;
mod front;
mod html;
mod number;
mod plot;
mod row;
mod sample;
mod sweep;
mod table;
mod way;

pub use break_even::BreakEven;
pub use case::{Case, cases};
pub use comparison::{Comparison, Fact};
pub use csv::csv;
pub use document::document;
pub use figures::Figures;
pub use front::front;
pub use html::report;
pub use number::{grouped, short_seconds, short_size};
pub use plot::{Axis, Drawing, Look, Plot, PlotError, Series, draw, plots};
pub use row::{End, Exited, Row, read};
pub use sample::{Sample, thinned};
pub use sweep::{Knob, Sweep};
pub use table::{live_lines, table};
pub use way::{Way, ways};
