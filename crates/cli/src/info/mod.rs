//! What `petite info` tells of a model, and how it is shown.

pub mod facts;
mod families;
pub mod json;
pub mod text;
