//! The `petite` command.
//!
//! Only this crate opens files by name, prints and exits. `main` reads the command line, runs the command on a
//! thread with a deep stack, and turns what happened into an exit status.

#![forbid(unsafe_code)]

mod args;
mod auto_store;
mod check;
mod check_args;
mod child;
mod codec_args;
mod commands;
mod compare_args;
mod deliver;
mod diagram_args;
mod endless;
mod events;
mod excerpt;
mod exit;
mod graph_args;
mod info;
mod input;
mod interrupt;
mod json;
mod limit_args;
mod live;
mod load;
mod lossy_args;
mod machine;
mod mcc;
mod memory;
mod output;
mod problem;
mod progress;
mod progress_measure;
mod render;
mod report;
mod searching;
mod sheet;
mod shipped;
mod store_args;
mod stores;
mod summary;
mod sweep_args;
mod sweeping;
mod trace_file;
mod trace_text;
mod units;
mod version;
mod worker;

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::{Cli, Command};
use crate::exit::Exit;
use crate::problem::Problem;

fn main() {
    let exit = match Cli::try_parse() {
        Ok(cli) => worker::run(move || run(cli.command)),
        Err(error) => explain_usage(&error),
    };
    std::process::exit(exit.status());
}

fn run(command: Command) -> Exit {
    let result = match command {
        Command::Explore(args) => return commands::explore::run(&args),
        Command::Check(args) => return commands::check::run(&args),
        Command::Compare(args) => return commands::compare::run(&args),
        Command::Simulate(args) => return commands::simulate::run(&args),
        Command::Info(args) => return commands::info::run(&args),
        Command::Convert(args) => return commands::convert::run(&args),
        Command::Graph(args) => return commands::graph::run(&args),
        Command::Completions { shell } => commands::completions::run(shell),
        Command::Man { command: Some(name), .. } => commands::man::print_of(&name),
        Command::Man { out: Some(directory), .. } => commands::man::write(&directory),
        Command::Man { .. } => commands::man::print(),
    };
    result.unwrap_or_else(|problem| {
        output::complain(&render::problems(&[problem], &[], render::colours_wanted()));
        Exit::Bad
    })
}

/// Shows the help or version that was asked for, or what is wrong with the command line.
fn explain_usage(error: &clap::Error) -> Exit {
    let printed = error.print().and_then(|()| std::io::Write::flush(&mut std::io::stdout()));
    if error.use_stderr() {
        let is_model = |value: &ContextValue| value.to_string().contains("<MODEL>");
        if error.kind() == ErrorKind::MissingRequiredArgument
            && error.get(ContextKind::InvalidArg).is_some_and(is_model)
        {
            output::complain(&format!(
                "\nModels that come with petite, and are found by these names wherever it runs:\n{}",
                shipped::list()
            ));
        }
        // A program that asked for JSON reads standard output only. The arguments did not parse, so this is as
        // near as one can come to knowing that it asked.
        if std::env::args_os().any(|argument| argument == "--json") {
            let text = error.render().to_string();
            let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            let _ = output::print(&json::problems(&[Problem::plain(message)], &[]));
        }
        return Exit::Bad;
    }
    match output::settle(printed) {
        Ok(()) => Exit::Done,
        Err(message) => {
            output::complain(&format!("error: {message}\n"));
            Exit::Bad
        }
    }
}
