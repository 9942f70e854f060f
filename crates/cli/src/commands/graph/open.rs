//! Opening a graph file.

use std::path::Path;

use petite_graph::{FileError, Graph};

use crate::input;
use crate::output::reason;
use crate::problem::Problem;

/// Reads a graph file.
///
/// # Errors
/// Where it cannot be read, or is no whole graph.
pub fn graph(path: &Path) -> Result<Graph, Problem> {
    let shown = input::shown(path);
    let bytes = std::fs::read(path)
        .map_err(|error| Problem::of_file(&shown, format!("cannot read the file: {}", reason(&error))))?;
    Graph::from_bytes(bytes).map_err(|error| {
        let problem = Problem::of_file(&shown, error.to_string());
        match error {
            FileError::NotAGraph => problem.help("make one with: petite graph build MODEL -o FILE"),
            _ => problem.help("build the graph again with: petite graph build MODEL -o FILE"),
        }
    })
}
