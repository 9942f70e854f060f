//! Running a sweep.

use petite_graph::{About, BuildError, Builder, Graph, Labels, Way};
use petite_model::Model;
use petite_search::{Measure, NoObserver, Observer, SweepReport, sweep, sweep_exact};
use petite_store::{Exactness, Figure};

use crate::problem::Problem;
use crate::searching::{Ended, Plan, Searched, run_watched};
use crate::summary::Stop;
use crate::sweep_args::SweepArgs;

/// What a sweep kept.
const STORE: &str = "window";

/// Refuses what only a sweep could do.
///
/// # Errors
/// Where it was asked for.
pub fn refuse_without_sweep(args: &SweepArgs) -> Result<(), Problem> {
    if args.progress.is_none() && !args.exact_count {
        return Ok(());
    }
    let message = "only a sweep has a progress measure and may count states twice";
    Err(Problem::plain(message).help("leave out --progress and --exact-count, or use --search sweep"))
}

/// Explores a model by sweeps.
pub fn explore<M: Model>(model: &mut M, measure: &Measure, args: &SweepArgs, plan: &Plan<'_>) -> Searched {
    let most_bytes = plan.limits.max_memory.unwrap_or(u64::MAX);
    let mut builder = Builder::new(model, Way::NodeByNode).limited_to(most_bytes);
    let (swept, mut ended) = run_watched(model, plan, |model, watcher| match args.exact_count {
        true => sweep_exact(model, measure, &plan.limits, watcher, &mut builder),
        false => sweep(model, measure, &plan.limits, watcher, &mut NoObserver),
    });
    if builder.is_out_of_memory() {
        ended.stopped = Some(Stop::OutOfMemory);
    }
    searched(swept, ended, args.exact_count.then(|| builder.bytes()))
}

/// Explores a model by sweeps, and tells an observer of everything; states may come more than once.
pub fn observe<M: Model, O: Observer<M>>(
    model: &mut M,
    measure: &Measure,
    plan: &Plan<'_>,
    observer: &mut O,
) -> Searched {
    let (swept, ended) =
        run_watched(model, plan, |model, watcher| sweep(model, measure, &plan.limits, watcher, observer));
    searched(swept, ended, None)
}

/// Builds the graph of a model by sweeps; with `exact_count`, every state is one node.
///
/// # Errors
/// When there is no memory, or labels would not be told apart. The graph is only for a search that was complete.
pub fn build<M: Model>(
    model: &mut M,
    measure: &Measure,
    args: &SweepArgs,
    plan: &Plan<'_>,
    finish: (&About, Labels),
) -> (Searched, Result<Graph, BuildError>) {
    let most_bytes = plan.limits.max_memory.unwrap_or(u64::MAX);
    let mut builder = Builder::new(model, Way::NodeByNode).limited_to(most_bytes);
    let (swept, mut ended) = run_watched(model, plan, |model, watcher| match args.exact_count {
        true => sweep_exact(model, measure, &plan.limits, watcher, &mut builder),
        false => sweep(model, measure, &plan.limits, watcher, &mut builder),
    });
    if builder.is_out_of_memory() {
        ended.stopped = Some(Stop::OutOfMemory);
    }
    let bytes = builder.bytes();
    let (mut about, labels) = (finish.0.clone(), finish.1);
    if swept.counted_again_at_most > 0 {
        about.search.push_str(" (an unfolding: states may be there more than once)");
    }
    let graph = match (builder.is_out_of_memory(), swept.report.is_complete()) {
        (false, true) => builder.finish_sweep(model, &about, labels, &swept.aliases),
        _ => {
            ended.stopped = ended.stopped.or(Some(Stop::OutOfMemory));
            Err(BuildError::OutOfMemory)
        }
    };
    (searched(swept, ended, Some(bytes)), graph)
}

/// What came of a sweep, in the words of the command.
fn searched(swept: SweepReport, ended: Ended, graph_bytes: Option<usize>) -> Searched {
    let mut figures = vec![
        Figure::count("peak states", swept.peak_states),
        Figure::count("sweeps", swept.sweeps),
        Figure::count("persistent states", swept.persistent_states),
        Figure::count("regress edges", swept.regress_edges),
    ];
    if let Some(bytes) = graph_bytes {
        figures.push(Figure::bytes("edges of the graph", bytes as u64));
    }
    if swept.replayed_states > 0 {
        figures.push(Figure::count("states replayed", swept.replayed_states));
    }
    let exactness = match swept.counted_again_at_most {
        0 => Exactness::Exact,
        most => Exactness::Repeated { most },
    };
    Searched {
        stopped: ended.stopped,
        error: ended.error,
        endless: ended.endless,
        store: STORE,
        store_choice: None,
        store_bytes: (swept.store_bytes + graph_bytes.unwrap_or(0)) as u64,
        vectors_bytes: swept.vector_bytes as u64,
        figures,
        exactness,
        report: swept.report,
    }
}
