//! Readers of net languages.

#![forbid(unsafe_code)]
