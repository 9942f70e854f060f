//! Opening a graph file.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use petite_bits::MappedFile;
use petite_graph::{FileError, Graph, GraphBytes};

use crate::input;
use crate::output::reason;
use crate::problem::Problem;

/// Opens a graph file. It is mapped, so only what is looked at takes memory, which the system can have back.
///
/// # Errors
/// Where it cannot be read, or is no whole graph.
pub fn graph(path: &Path) -> Result<Graph, Problem> {
    let shown = input::shown(path);
    let bytes = bytes(path)
        .map_err(|error| Problem::of_file(&shown, format!("cannot read the file: {}", reason(&error))))?;
    Graph::from_bytes(bytes).map_err(|error| {
        let problem = Problem::of_file(&shown, error.to_string());
        match error {
            FileError::NotAGraph => problem.help("make one with: petite graph build MODEL -o FILE"),
            _ => problem.help("build the graph again with: petite graph build MODEL -o FILE"),
        }
    })
}

/// Refuses an answer that was computed from a file that somebody has changed under way.
///
/// # Errors
/// Where that is so.
pub fn unchanged(graph: &Graph, path: &Path) -> Result<(), Vec<Problem>> {
    if graph.is_unchanged() {
        return Ok(());
    }
    let problem = Problem::of_file(input::shown(path), "the graph file was changed while it was read");
    Err(vec![problem.help("ask again when nobody writes to it")])
}

/// The bytes of a file: mapped where that is possible, and read where it is not, as from a pipe.
fn bytes(path: &Path) -> std::io::Result<GraphBytes> {
    let mut file = File::open(path)?;
    match MappedFile::new(&file) {
        Ok(mapped) => Ok(mapped.into()),
        Err(error) if error.kind() == ErrorKind::ResourceBusy => Err(error),
        Err(_) => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(bytes.into())
        }
    }
}
