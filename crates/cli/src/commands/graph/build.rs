//! `petite graph build`: from a model to a graph file.

use std::rc::Rc;
use std::time::Instant;

use petite_graph::{About, BuildError, Builder, Graph, Labels, Way};
use petite_lang::Source;
use petite_model::{Engine, Model, compile};
use petite_net::Net;
use petite_search::{Boundedness, Limits, Order};
use petite_store::Plain;

use super::{Answer, info};
use crate::args::OrderArg;
use crate::exit::Exit;
use crate::graph_args::BuildArgs;
use crate::interrupt::Interrupt;
use crate::problem::Problem;
use crate::searching::{Plan, Searched, search_observed};
use crate::{deliver, input, load, memory};

/// Builds a graph and writes it.
pub fn run(args: &BuildArgs, sources: &mut Vec<Source>) -> Result<Answer, Vec<Problem>> {
    let interrupt = Interrupt::install();
    let started = Instant::now();
    let net = Rc::new(load::net(&args.model, &args.reading, sources)?);
    let choice = load::engine_choice(args.reading.engine);
    let engine = compile(&net, choice).map_err(|error| vec![load::unsuitable(&sources[0].path, error)])?;
    let about = |engine: &str| about(args, &net, sources, engine);
    let built = match engine {
        Engine::Unfolded(model) => build(args, *model, &about("unfolded"), &interrupt, started),
        Engine::Binding(model) => build(args, *model, &about("binding"), &interrupt, started),
    };
    let graph = match built {
        Ok(graph) => graph,
        Err(Failure::Stopped { problem, exit }) => {
            return Ok(Answer { text: String::new(), problems: vec![problem], exit });
        }
        Err(Failure::Bad(problem)) => return Err(vec![problem]),
    };
    deliver::deliver(Some(&args.output), &mut |sink| sink.write_all(graph.as_bytes()))
        .map_err(|problem| vec![problem])?;
    Ok(Answer::done(info::text(&graph, &args.output, args.json)))
}

/// Why there is no graph.
enum Failure {
    /// The search ended early.
    Stopped { problem: Problem, exit: Exit },
    /// There cannot be one.
    Bad(Problem),
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        match error {
            BuildError::OutOfMemory => stopped("the system has no more memory", Exit::Limit),
            _ => Failure::Bad(Problem::plain(error.to_string())),
        }
    }
}

fn stopped(why: &str, exit: Exit) -> Failure {
    let problem = Problem::plain(format!("no graph was written: {why}"));
    Failure::Stopped { problem, exit }
}

fn build<M: Model>(
    args: &BuildArgs,
    mut model: M,
    about: &About,
    interrupt: &Interrupt,
    started: Instant,
) -> Result<Graph, Failure> {
    let search = &args.search;
    let (order, way) = match search.search {
        OrderArg::Bfs => (Order::BreadthFirst, Way::NodeByNode),
        OrderArg::Dfs => (Order::DepthFirst, Way::AlongThePath),
    };
    let boundedness = if search.assume_bounded { Boundedness::Assume } else { Boundedness::Test };
    let plan = Plan {
        order,
        limits: Limits {
            max_states: search.max_states,
            max_memory: search.max_memory.or_else(memory::available),
            max_time: search.max_time.map(|limit| limit.saturating_sub(started.elapsed())),
            boundedness,
        },
        asked_memory: search.max_memory,
        interrupt,
        show_progress: !args.quiet,
    };
    let mut builder = Builder::new(&model, way);
    let store = Plain::new(model.packing());
    let searched = search_observed(&mut model, store, &plan, &mut builder);
    if builder.is_out_of_memory() {
        return Err(stopped("the system has no more memory", Exit::Limit));
    }
    incomplete(&searched)?;
    let labels = if args.no_labels { Labels::Left } else { Labels::Kept };
    Ok(builder.finish(&model, about, labels)?)
}

/// Why a search is no ground for a graph.
fn incomplete(searched: &Searched) -> Result<(), Failure> {
    if let Some(error) = &searched.error {
        return Err(Failure::Bad(error.clone()));
    }
    match searched.stopped {
        None => Ok(()),
        Some(stop) => Err(stopped(stop.words(), stop.exit())),
    }
}

fn about(args: &BuildArgs, net: &Net, sources: &[Source], engine: &str) -> About {
    About {
        model: input::shown(&args.model),
        net: net.name.text.clone(),
        params: net.params.iter().map(|(name, value)| (name.text.clone(), *value)).collect(),
        defines: args.reading.defines.clone(),
        capacity: args.reading.capacity,
        engine: engine.to_owned(),
        search: args.search.search.name().to_owned(),
        fingerprint: load::fingerprint(net, &args.reading, sources),
        transitions: net.transitions.iter().map(|transition| transition.name.text.clone()).collect(),
    }
}
