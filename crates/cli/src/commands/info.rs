//! `petite info`: what can be said of a model without exploring it.

use std::rc::Rc;

use petite_lang::Source;
use petite_model::compile;

use crate::args::InfoArgs;
use crate::exit::Exit;
use crate::info::facts::{Facts, facts};
use crate::info::text::Extent;
use crate::problem::Problem;
use crate::{info, input, json, load, output, progress_measure, render};

/// Reads a model and prints what its structure tells, or what is wrong.
pub fn run(args: &InfoArgs) -> Exit {
    let mut sources = Vec::new();
    let outcome = find(args, &mut sources);
    let complain = |problems: &[Problem]| {
        output::complain(&render::problems(problems, &sources, render::colours_wanted()));
    };
    let extent = if args.verbose { Extent::Everything } else { Extent::Screenful };
    let (text, exit) = match &outcome {
        Ok(facts) if args.json => (info::json::text(facts, extent), Exit::Done),
        Ok(facts) => (info::text::text(facts, extent), Exit::Done),
        Err(problems) => {
            complain(problems);
            (if args.json { json::problems(problems, &sources) } else { String::new() }, Exit::Bad)
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

/// Reads and analyses. The sources are left to the caller, who shows problems with them.
fn find(args: &InfoArgs, sources: &mut Vec<Source>) -> Result<Facts, Vec<Problem>> {
    let net = Rc::new(load::net(&args.model, &args.reading, sources)?);
    let choice = load::engine_choice(args.reading.engine);
    let engine = compile(&net, choice).map_err(|error| vec![load::unsuitable(&sources[0].path, error)])?;
    let progress = progress_measure::shown(&engine, &net, args.progress.as_deref());
    let progress = progress.map_err(|problem| vec![problem])?;
    Ok(facts(input::shown(&args.model), &net, &engine, progress))
}
