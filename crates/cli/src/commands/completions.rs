//! `petite completions`: scripts that let a shell complete the command line.

use clap_complete::Shell;

use crate::exit::Exit;
use crate::problem::Problem;
use crate::{args, output};

/// Prints the script of a shell.
pub fn run(shell: Shell) -> Result<Exit, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "petite", &mut script);
    output::print(&String::from_utf8_lossy(&script)).map_err(Problem::plain)?;
    Ok(Exit::Done)
}
