//! `petite man`: the manual pages, made from the definition of the command line.

use std::fs;
use std::io::Error;
use std::path::Path;

use clap_mangen::Man;

use crate::exit::Exit;
use crate::input::shown;
use crate::problem::{Place, Problem};
use crate::{args, output};

/// Prints the page of the whole command.
pub fn print() -> Result<Exit, Problem> {
    print_page(args::command())
}

/// Prints the page of one subcommand.
pub fn print_of(name: &str) -> Result<Exit, Problem> {
    let mut whole = args::command();
    whole.build();
    let names: Vec<_> = whole.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = whole.find_subcommand(name).cloned().ok_or_else(|| {
        Problem::plain(format!("there is no command '{name}'"))
            .help(format!("the commands are {}", names.join(", ")))
    })?;
    let page_name = format!("petite-{}", command.get_name());
    print_page(command.display_name(page_name))
}

/// Writes one page per command into a directory.
pub fn write(directory: &Path) -> Result<Exit, Problem> {
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(args::command(), directory))
        .map_err(|error| Problem { place: Place::File(shown(directory)), ..cannot(&error) })?;
    Ok(Exit::Done)
}

fn print_page(command: clap::Command) -> Result<Exit, Problem> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(|error| cannot(&error))?;
    output::print(&String::from_utf8_lossy(&page)).map_err(Problem::plain)?;
    Ok(Exit::Done)
}

fn cannot(error: &Error) -> Problem {
    Problem::plain(format!("cannot write the manual pages: {}", output::reason(error)))
}
