//! `petite explore`: the whole state space of a model.

use std::rc::Rc;
use std::time::Instant;

use petite_lang::Source;
use petite_model::{Engine, Model, compile};
use petite_net::Net;
use petite_search::{Measure, NoObserver, Order};

use crate::args::{EngineArg, ExploreArgs, FormArg, OrderArg, OutputArgs, SearchArgs};
use crate::exit::Exit;
use crate::input;
use crate::interrupt::Interrupt;
use crate::json::{self, Detail};
use crate::problem::Problem;
use crate::searching::{Plan, Searched};
use crate::summary::{LeftOut, Summary};
use crate::{load, mcc, memory, output, progress_measure, render, report, stores, sweeping};

/// Explores a model and prints what was found, or what is wrong.
pub fn run(args: &ExploreArgs) -> Exit {
    let interrupt = Interrupt::install();
    let mut sources = Vec::new();
    let outcome = explore(args, &interrupt, &mut sources);
    present(&outcome, &sources, &args.output)
}

/// Reads, compiles and searches. The sources are left to the caller, who shows problems with them.
fn explore(
    args: &ExploreArgs,
    interrupt: &Interrupt,
    sources: &mut Vec<Source>,
) -> Result<Summary, Vec<Problem>> {
    let started = Instant::now();
    let net = load::net(&args.model, &args.reading, sources)?;
    let net = Rc::new(net);
    let choice = load::engine_choice(args.reading.engine);
    let engine = compile(&net, choice).map_err(|error| vec![load::unsuitable(&sources[0].path, error)])?;
    let measure = match args.search.search {
        OrderArg::Sweep => progress_measure::measure(&engine, &net, &args.search.sweep).map(Some),
        OrderArg::Bfs | OrderArg::Dfs => Ok(None),
    };
    let measure = measure.map_err(|problem| vec![problem])?;
    let prepared = Prepared { args, interrupt, net: &net, started, measure };
    let summary = match engine {
        Engine::Unfolded(model) => prepared.explore(*model, "unfolded"),
        Engine::Binding(model) => prepared.explore(*model, "binding"),
    };
    summary.map_err(|problem| vec![problem])
}

/// Everything that is known before the search begins, but the model itself.
struct Prepared<'a> {
    args: &'a ExploreArgs,
    interrupt: &'a Interrupt,
    net: &'a Net,
    started: Instant,
    /// The progress measure of a sweep.
    measure: Option<Measure>,
}

impl Prepared<'_> {
    fn explore<M: Model>(&self, mut model: M, engine: &'static str) -> Result<Summary, Problem> {
        let prepare = self.started.elapsed();
        let SearchArgs { search: order, limits, ref sweep, ref store } = self.args.search;
        let plan = Plan {
            order: match order {
                OrderArg::Dfs => Order::DepthFirst,
                OrderArg::Bfs | OrderArg::Sweep => Order::BreadthFirst,
            },
            limits: limits.limits(self.started),
            asked_memory: limits.max_memory,
            interrupt: self.interrupt,
            telling: self.args.output.telling(),
        };
        let searched = match &self.measure {
            Some(measure) => {
                stores::refuse_for_sweep(store)?;
                sweeping::explore(&mut model, measure, sweep, &plan)
            }
            None => {
                sweeping::refuse_without_sweep(sweep)?;
                stores::explore(&mut model, store, &plan, &mut NoObserver)?
            }
        };
        let Searched {
            report,
            stopped,
            error,
            endless,
            store,
            store_choice,
            store_bytes,
            vectors_bytes,
            figures,
            exactness,
        } = searched;
        let left_out = LeftOut::of(&model.left_out());
        let groups = model.layout().groups.iter();
        Ok(Summary {
            model: input::shown(&self.args.model),
            net: self.net.name.text.clone(),
            params: self.net.params.iter().map(|(name, value)| (name.text.clone(), *value)).collect(),
            engine,
            engine_reason: engine_reason(self.args.reading.engine, engine),
            search: order.name(),
            store,
            store_choice,
            figures,
            exactness,
            states: report.states,
            edges: report.edges,
            edges_not_taken: report.edges_left_out,
            dead_states: report.dead_states,
            max_multiplicity: report.max_multiplicity,
            max_tokens_in_place: report.max_tokens_in_place,
            max_tokens_total: report.max_tokens_total,
            place_bounds: groups.map(|group| group.name.clone()).zip(report.group_maxima).collect(),
            stopped,
            error,
            left_out,
            endless,
            prepare_seconds: prepare.as_secs_f64(),
            seconds: report.elapsed.as_secs_f64(),
            store_bytes,
            vectors_bytes,
            model_bytes: model.bytes() as u64,
            frontier_bytes: report.frontier_bytes as u64,
            peak_rss_bytes: memory::peak_resident(),
            actions: model.n_actions() as u64,
            slots: model.layout().slots.len() as u64,
            state_bits: model.packing().n_bits() as u64,
        })
    }
}

fn engine_reason(asked: EngineArg, used: &str) -> String {
    match (asked, used) {
        (EngineArg::Auto, "unfolded") => "the transitions have few enough instances to list them".to_owned(),
        (EngineArg::Auto, _) => "the transitions have too many instances to list them".to_owned(),
        _ => "asked for with --engine".to_owned(),
    }
}

/// Prints the outcome where it belongs: results on standard output, problems on standard error.
fn present(outcome: &Result<Summary, Vec<Problem>>, sources: &[Source], args: &OutputArgs) -> Exit {
    let complain = |problems: &[Problem]| {
        output::complain(&render::problems(problems, sources, render::colours_wanted()));
    };
    let (text, exit) = match outcome {
        Ok(summary) => {
            for problem in summary.left_out.iter().map(|left_out| &left_out.first).chain(&summary.error) {
                complain(std::slice::from_ref(problem));
            }
            let detail = if args.verbose { Detail::Full } else { Detail::Figures };
            let text = match args.form() {
                FormArg::Json => json::summary(summary, sources, detail),
                FormArg::Mcc => mcc::state_space(summary),
                FormArg::Text => report::text(summary, args),
            };
            (text, summary.stopped.map_or(Exit::Done, |stop| stop.exit()))
        }
        Err(problems) => {
            complain(problems);
            let text = match args.form() {
                FormArg::Json => json::problems(problems, sources),
                FormArg::Mcc | FormArg::Text => String::new(),
            };
            (text, Exit::Bad)
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
