//! From a path to a net: the files, their language, and what is wrong with them.

use std::path::Path;

use petite_lang::{ReadOptions, Source, helena};
use petite_model::{CompileError, EngineChoice};
use petite_net::Net;

use crate::args::{EngineArg, ReadArgs};
use crate::input::{self, Input};
use crate::problem::Problem;

/// Reads a model and the property file beside it. The sources are left to the caller, who shows problems with them.
pub fn read(path: &Path, args: &ReadArgs, sources: &mut Vec<Source>) -> Result<Net, Vec<Problem>> {
    let Input { model, properties } = input::open(path).map_err(|problem| vec![problem])?;
    sources.push(model);
    sources.extend(properties);
    helena::read(&sources[0], sources.get(1), &options(args))
        .map_err(|diagnostics| diagnostics.into_iter().map(Problem::from).collect())
}

/// The engine that the arguments ask for.
pub fn engine_choice(engine: EngineArg) -> EngineChoice {
    match engine {
        EngineArg::Auto => EngineChoice::Auto,
        EngineArg::Unfolded => EngineChoice::Unfolded,
        EngineArg::Binding => EngineChoice::Binding,
    }
}

/// Why the engine that was asked for cannot take a model, and what to do.
pub fn unsuitable(path: &str, error: CompileError) -> Problem {
    let problem = Problem::of_file(path, error.to_string());
    match error {
        CompileError::TooLarge => problem.help("leave --engine out, or say --engine binding"),
        _ => problem,
    }
}

fn options(args: &ReadArgs) -> ReadOptions {
    let mut params: Vec<(String, i64)> = Vec::new();
    for (name, value) in &args.params {
        // The last value of a name counts, as with most flags of most commands.
        match params.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = *value,
            None => params.push((name.clone(), *value)),
        }
    }
    ReadOptions { params, defines: args.defines.clone(), default_capacity: args.capacity }
}
