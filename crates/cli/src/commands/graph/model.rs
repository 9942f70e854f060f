//! The model of a graph, read again.

use std::path::PathBuf;
use std::rc::Rc;

use petite_graph::{Graph, WalkError};
use petite_lang::Source;
use petite_model::{Engine, EngineChoice, NetModel, compile};

use crate::args::{EngineArg, ReadArgs};
use crate::graph_args::GraphModelArgs;
use crate::load;
use crate::problem::Problem;

/// Something to do with a graph and its model.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it. `file` is the number that a further source would have.
    fn run<M: NetModel>(self, graph: &Graph, model: &mut M, file: u32) -> Result<Self::Output, WalkError>;
}

/// Reads the model of a graph and does something with both.
pub fn with_model<T: Task>(
    graph: &Graph,
    args: &GraphModelArgs,
    sources: &mut Vec<Source>,
    task: T,
) -> Result<T::Output, Vec<Problem>> {
    // A model that was read for another task is read again.
    sources.clear();
    let about = graph.about();
    let path = args.model.clone().unwrap_or_else(|| PathBuf::from(&about.model));
    let reading = ReadArgs {
        params: about.params.clone(),
        defines: about.defines.clone(),
        capacity: about.capacity,
        engine: if about.engine == "binding" { EngineArg::Binding } else { EngineArg::Unfolded },
    };
    let net = load::net(&path, &reading, sources).map_err(|problems| {
        let say = |problem: Problem| match (&args.model, &problem.help) {
            (None, None) => problem.help("say where the graph's model is with --model"),
            _ => problem,
        };
        problems.into_iter().map(say).collect::<Vec<_>>()
    })?;
    let net = Rc::new(net);
    let shown = sources[0].path.clone();
    let wrong = || {
        let message = format!("the graph is of another model: {} has changed since it was built", about.net);
        let message = if net.name.text == about.net {
            message
        } else {
            format!("the graph is of another model: of {}, and this is {}", about.net, net.name.text)
        };
        vec![Problem::of_file(&shown, message).help("build the graph again, or say --model")]
    };
    if load::fingerprint(&net, &reading, sources) != about.fingerprint {
        return Err(wrong());
    }
    let choice = match reading.engine {
        EngineArg::Binding => EngineChoice::Binding,
        _ => EngineChoice::Unfolded,
    };
    let engine = compile(&net, choice).map_err(|error| vec![load::unsuitable(&shown, error)])?;
    let file = sources.len() as u32;
    let outcome = match engine {
        Engine::Unfolded(mut model) => task.run(graph, &mut *model, file),
        Engine::Binding(mut model) => task.run(graph, &mut *model, file),
    };
    outcome.map_err(|error| match error {
        WalkError::Model(error) => vec![Problem::from(&*error)],
        WalkError::WrongModel => wrong(),
        _ => vec![Problem::plain(error.to_string())],
    })
}
