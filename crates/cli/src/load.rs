//! From a file's name to a net, and what is wrong on the way.

use std::path::Path;

use petite_graph::Fingerprint;
use petite_lang::{ReadOptions, Source, helena, maria, pnml};
use petite_model::{CompileError, EngineChoice};
use petite_net::Net;

use crate::args::{EngineArg, ReadArgs};
use crate::input::{self, Input, Language};
use crate::problem::Problem;

/// Reads a model. Its sources are left to the caller, who shows problems with them.
///
/// # Errors
/// Everything that is wrong with the model.
pub fn net(path: &Path, args: &ReadArgs, sources: &mut Vec<Source>) -> Result<Net, Vec<Problem>> {
    net_with(path, None, args, sources)
}

/// The same, with another property file in Helena's language than the one beside the model, if one is given.
///
/// # Errors
/// Everything that is wrong with the model and the property file.
pub fn net_with(
    path: &Path,
    properties: Option<Source>,
    args: &ReadArgs,
    sources: &mut Vec<Source>,
) -> Result<Net, Vec<Problem>> {
    let Input { language, model, properties: beside } = input::open(path).map_err(|problem| vec![problem])?;
    if let (Some(source), false) = (&properties, language == Language::Helena) {
        let message = "this is a property file in Helena's language, and the model is in another one";
        return Err(vec![Problem::of_file(source.path.clone(), message)]);
    }
    let properties = properties.or(beside);
    sources.push(model);
    sources.extend(properties);
    let options = read_options(args);
    let net = match language {
        Language::Helena => helena::read(&sources[0], sources.get(1), &options),
        Language::Maria => maria::read(sources, &options, &mut input::included),
        Language::Pnml => pnml::read(&sources[0], &options),
    };
    net.map_err(|diagnostics| diagnostics.into_iter().map(Problem::from).collect())
}

/// What tells a model, as it was read, from others: its text, its parameters' values, and how it was read. Properties
/// are not part of it.
pub fn fingerprint(net: &Net, args: &ReadArgs, sources: &[Source]) -> Fingerprint {
    let is_property = |source: &&Source| source.path.ends_with(".prop.lna");
    let texts = sources.iter().filter(|source| !is_property(source)).map(|source| source.text.clone());
    let params = net.params.iter().map(|(name, value)| format!("{}={value}", name.text));
    let defines = args.defines.iter().map(|symbol| format!("#{symbol}"));
    let capacity = args.capacity.map(|capacity| format!("capacity {capacity}"));
    let pieces = texts.chain(params).chain(defines).chain(capacity);
    pieces.fold(Fingerprint::default(), |fingerprint, piece| fingerprint.with(piece.as_bytes()))
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

fn read_options(args: &ReadArgs) -> ReadOptions {
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
