//! Orders, limits and observers over any model and any store.

#![forbid(unsafe_code)]
