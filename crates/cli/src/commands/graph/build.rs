//! `petite graph build`: from a model to a graph file.

use std::rc::Rc;
use std::time::Instant;

use petite_graph::{About, BuildError, Builder, Graph, Labels, Way};
use petite_lang::Source;
use petite_model::{Engine, Model, compile};
use petite_net::Net;
use petite_search::{Measure, Order};
use petite_store::Plain;

use super::{Answer, info};
use crate::args::OrderArg;
use crate::exit::Exit;
use crate::graph_args::BuildArgs;
use crate::interrupt::Interrupt;
use crate::problem::Problem;
use crate::searching::{self, Plan, Searched, Telling};
use crate::{deliver, input, load, progress_measure, sweeping};

/// Builds a graph and writes it.
pub fn run(args: &BuildArgs, sources: &mut Vec<Source>) -> Result<Answer, Vec<Problem>> {
    let interrupt = Interrupt::install();
    let started = Instant::now();
    let net = Rc::new(load::net(&args.model, &args.reading, sources)?);
    let choice = load::engine_choice(args.reading.engine);
    let engine = compile(&net, choice).map_err(|error| vec![load::unsuitable(&sources[0].path, error)])?;
    let about = |engine: &str| about(args, &net, sources, engine);
    let measure = match args.search.search {
        OrderArg::Sweep => progress_measure::measure(&engine, &net, &args.search.sweep).map(Some),
        OrderArg::Bfs | OrderArg::Dfs => Ok(None),
    };
    let measure = measure.map_err(|problem| vec![problem])?;
    let prepared = Prepared { args, interrupt: &interrupt, started, measure };
    let built = match engine {
        Engine::Unfolded(model) => prepared.build(*model, &about("unfolded")),
        Engine::Binding(model) => prepared.build(*model, &about("binding")),
    };
    let (graph, searched) = match built {
        Ok(built) => built,
        Err(Failure::Stopped { problem, exit }) => {
            return Ok(Answer { text: String::new(), problems: vec![problem], exit });
        }
        Err(Failure::Bad(problem)) => return Err(vec![problem]),
    };
    deliver::deliver(Some(&args.output), &mut |sink| sink.write_all(graph.as_bytes()))
        .map_err(|problem| vec![problem])?;
    Ok(Answer::done(info::text(&graph, &args.output, &searched.figures, args.json)))
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

/// Everything that is known before the search begins, but the model itself.
struct Prepared<'a> {
    args: &'a BuildArgs,
    interrupt: &'a Interrupt,
    started: Instant,
    /// The progress measure of a sweep.
    measure: Option<Measure>,
}

impl Prepared<'_> {
    fn build<M: Model>(self, mut model: M, about: &About) -> Result<(Graph, Searched), Failure> {
        let Prepared { args, interrupt, started, .. } = self;
        let search = &args.search;
        let (order, way) = match search.search {
            OrderArg::Bfs | OrderArg::Sweep => (Order::BreadthFirst, Way::NodeByNode),
            OrderArg::Dfs => (Order::DepthFirst, Way::AlongThePath),
        };
        let labels = if args.no_labels { Labels::Left } else { Labels::Kept };
        let plan = Plan {
            order,
            limits: search.limits.limits(started),
            asked_memory: search.limits.max_memory,
            interrupt,
            telling: Telling::unless(args.quiet),
        };
        if let Some(measure) = &self.measure {
            let (searched, graph) =
                sweeping::build(&mut model, measure, &search.sweep, &plan, (about, labels));
            incomplete(&searched)?;
            return Ok((graph?, searched));
        }
        sweeping::refuse_without_sweep(&search.sweep).map_err(Failure::Bad)?;
        let most_bytes = plan.limits.max_memory.unwrap_or(u64::MAX);
        let mut builder = Builder::new(&model, way).limited_to(most_bytes);
        let store = Plain::new(model.packing());
        let searched = searching::search(&mut model, store, &plan, &mut builder);
        if builder.is_out_of_memory() {
            return Err(stopped("there is not enough memory for the edges", Exit::Limit));
        }
        incomplete(&searched)?;
        Ok((builder.finish(&model, about, labels)?, searched))
    }
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
