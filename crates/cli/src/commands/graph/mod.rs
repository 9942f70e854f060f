//! `petite graph`: the condensed reachability graph as a file to keep and ask.

mod answer;
mod build;
mod compare;
mod export;
mod info;
mod model;
mod open;
mod query;

use petite_lang::Source;

use crate::exit::Exit;
use crate::graph_args::{GraphArgs, GraphCommand};
use crate::problem::Problem;
use crate::{json, output, render};

/// Does what was asked for, and prints what came of it.
pub fn run(args: &GraphArgs) -> Exit {
    let mut sources = Vec::new();
    let (outcome, as_json) = match &args.command {
        GraphCommand::Build(args) => (build::run(args, &mut sources), args.json),
        GraphCommand::Info(args) => (info::run(args), args.json),
        GraphCommand::Query(args) => (query::run(args, &mut sources), args.json),
        GraphCommand::Compare(args) => (compare::run(args), args.json),
        GraphCommand::Export(args) => (export::run(args, &mut sources), false),
    };
    present(outcome, as_json, &sources)
}

/// What a command prints, and how it ends.
pub struct Answer {
    /// For standard output.
    pub text: String,
    /// What else went wrong.
    pub problems: Vec<Problem>,
    /// The exit status.
    pub exit: Exit,
}

impl Answer {
    /// An answer to all that was asked.
    pub fn done(text: String) -> Answer {
        Answer { text, problems: Vec::new(), exit: Exit::Done }
    }
}

/// Prints an answer, or what is wrong.
fn present(outcome: Result<Answer, Vec<Problem>>, as_json: bool, sources: &[Source]) -> Exit {
    let complain = |problems: &[Problem]| {
        if !problems.is_empty() {
            output::complain(&render::problems(problems, sources, render::colours_wanted()));
        }
    };
    let (text, exit) = match outcome {
        Ok(answer) => {
            complain(&answer.problems);
            (answer.text, answer.exit)
        }
        Err(problems) => {
            complain(&problems);
            (if as_json { json::problems(&problems, sources) } else { String::new() }, Exit::Bad)
        }
    };
    match output::print(&text) {
        Ok(()) => exit,
        Err(message) => {
            complain(&[Problem::plain(message)]);
            Exit::Bad
        }
    }
}
