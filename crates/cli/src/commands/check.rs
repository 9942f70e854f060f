//! `petite check`: properties of a model.

use std::rc::Rc;
use std::time::Instant;

use petite_lang::Source;
use petite_logic::{Ancestry, Answer, Coverage, Hunt, Means, Phases, Plan, Unknown, about_runs, trace};
use petite_model::{Engine, NetModel, compile};
use petite_net::{Net, Query};
use petite_search::{Boundedness, Ending, Limits, Measure, Order};
use petite_store::Exactness;

use crate::args::{FormArg, OrderArg, SearchArgs};
use crate::check::{self, Checked, Property, SearchFigures};
use crate::check_args::CheckArgs;
use crate::deliver::deliver;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::problem::Problem;
use crate::searching::{self, Searched, Telling};
use crate::summary::{LeftOut, Stop};
use crate::trace_file::{self, TraceDocument};
use crate::{input, json, load, memory, output, progress_measure, render, stores, sweeping};

/// Checks properties and prints the answers, or what is wrong.
pub fn run(args: &CheckArgs) -> Exit {
    let interrupt = Interrupt::install();
    let mut sources = Vec::new();
    let outcome = check(args, &interrupt, &mut sources);
    present(outcome, &sources, args)
}

fn check(
    args: &CheckArgs,
    interrupt: &Interrupt,
    sources: &mut Vec<Source>,
) -> Result<(Checked, Rc<Net>), Vec<Problem>> {
    let started = Instant::now();
    let (net, queries) = check::questions::read(args, sources)?;
    let net = Rc::new(net);
    let choice = load::engine_choice(args.reading.engine);
    let engine = compile(&net, choice).map_err(|error| vec![load::unsuitable(&sources[0].path, error)])?;
    let derived = match (args.search.search, &args.search.sweep.progress) {
        (OrderArg::Sweep, None) => progress_measure::derived(&engine, &net).map(|derived| derived.measure),
        _ => None,
    };
    let prepared = Prepared { args, interrupt, net: &net, queries: &queries, started, derived };
    let checked = match engine {
        Engine::Unfolded(model) => prepared.check(*model, "unfolded"),
        Engine::Binding(model) => prepared.check(*model, "binding"),
    };
    checked.map(|checked| (checked, net)).map_err(|problem| vec![problem])
}

/// Everything that is known before the search begins, but the model itself.
struct Prepared<'a> {
    args: &'a CheckArgs,
    interrupt: &'a Interrupt,
    net: &'a Net,
    queries: &'a [Query],
    started: Instant,
    derived: Option<Measure>,
}

impl Prepared<'_> {
    fn check<M: NetModel>(&self, mut model: M, engine: &'static str) -> Result<Checked, Problem> {
        let form = self.args.output.form();
        let tell = |name: &str, answer: &Answer, means: Means| {
            let line = match form {
                FormArg::Json => None,
                FormArg::Mcc => Some(check::mcc::line(name, answer, means, engine)),
                FormArg::Text => check::text::line(name, answer, means),
            };
            // What cannot be written now is told at the end, when the whole result is.
            let _ = line.map_or(Ok(()), |line| output::print(&line));
        };
        // A sweep forgets states, and with them the way to others.
        let is_sweep = self.args.search.search == OrderArg::Sweep;
        let wants_traces = !self.args.output.no_trace && form != FormArg::Mcc && !is_sweep;
        let ancestry = wants_traces.then(Ancestry::default);
        let most = model.group_bounds();
        let mut plan = Plan::new(&mut model, self.queries, most.clone(), |hunted| {
            let names: Vec<&str> = hunted.iter().map(|&at| self.queries[at].name.as_str()).collect();
            let tell = Box::new(move |at: usize, answer: &Answer, means| tell(names[at], answer, means));
            Hunt::new(most, ancestry, tell)
        })
        .map_err(|(at, error)| Problem::of_source(self.queries[at].span, "", error.to_string()))?;

        for (at, verdict) in plan.settled() {
            tell(&self.queries[*at].name, &verdict.answer, verdict.means);
        }
        let mut searched: Option<SearchFigures> = None;
        let mut coverage = Coverage::Some;
        let mut error = None;
        let mut phases = Phases::new(self.limits());
        while !plan.hunt.is_done() {
            let began = Instant::now();
            let Searched {
                report,
                mut stopped,
                error: found,
                store,
                store_choice,
                store_bytes,
                exactness,
                ..
            } = self.search(&mut model, &mut plan.hunt, phases.limits())?;
            if plan.hunt.is_out_of_memory() {
                stopped = Some(Stop::OutOfMemory);
            }
            coverage = match (&report.ending, exactness) {
                (Ending::Complete, Exactness::Lossy { .. }) => Coverage::Probabilistic,
                (ending, _) => Coverage::of(ending),
            };
            error = found;
            searched = Some(SearchFigures {
                states: report.states,
                edges: report.edges,
                stopped,
                exactness,
                store,
                store_choice,
                search: self.args.search.search.name(),
                store_bytes,
                seconds: report.elapsed.as_secs_f64(),
            });
            if !phases.go_on(&mut plan.hunt, &mut model, &report.ending, began.elapsed()) {
                break;
            }
        }
        if plan.hunt.is_done() {
            // Whatever ended the last search, there was nothing left to be found.
            let stopped = searched.as_mut().and_then(|searched| searched.stopped.as_mut());
            stopped.into_iter().for_each(|stopped| *stopped = Stop::Observed);
        } else if phases.is_endless() {
            searched.iter_mut().for_each(|searched| {
                let is_limit = matches!(searched.stopped, Some(Stop::States | Stop::Memory | Stop::Time));
                searched.stopped = if is_limit { Some(Stop::Unbounded) } else { searched.stopped };
            });
        }
        let others = searching::watched(self.interrupt, Telling::unless(self.args.output.quiet), |watcher| {
            about_runs(&mut model, &plan, &self.limits(), watcher)
        });
        for (at, verdict) in &others {
            tell(&self.queries[*at].name, &verdict.answer, verdict.means);
        }
        let n_about_runs = others.len();
        let verdicts = plan.verdicts(self.queries.len(), coverage, others);
        let mut properties = Vec::new();
        for (query, verdict) in self.queries.iter().zip(verdicts) {
            if let Answer::Unknown(Unknown::Failed(failure)) = &verdict.answer {
                error.get_or_insert_with(|| Problem::from(&**failure));
            }
            let witness = verdict.witness.as_deref();
            let followed = witness.map(|actions| trace(&mut model, actions, verdict.cycle)).transpose();
            let trace = followed.map_err(|error| Problem::from(&*error))?;
            properties.push(Property { name: query.name.clone(), verdict, trace });
        }
        Ok(Checked {
            model: input::shown(&self.args.model),
            net: self.net.name.text.clone(),
            params: trace_file::params(self.net),
            properties,
            searched,
            n_about_runs,
            error,
            left_out: LeftOut::of(&model.left_out()),
            seconds: self.started.elapsed().as_secs_f64(),
            engine,
        })
    }

    fn search<M: NetModel>(
        &self,
        model: &mut M,
        hunt: &mut Hunt<'_>,
        limits: Limits,
    ) -> Result<Searched, Problem> {
        let SearchArgs { search: order, max_memory, ref store, ref sweep, .. } = self.args.search;
        let plan = searching::Plan {
            order: match order {
                OrderArg::Dfs => Order::DepthFirst,
                OrderArg::Bfs | OrderArg::Sweep => Order::BreadthFirst,
            },
            limits,
            asked_memory: max_memory,
            interrupt: self.interrupt,
            telling: Telling::unless(self.args.output.quiet),
        };
        match order {
            OrderArg::Sweep => {
                stores::refuse_for_sweep(store)?;
                let measure = sweeping::measure(&*model, sweep, self.derived.clone())?;
                Ok(sweeping::observe(model, &measure, &plan, hunt))
            }
            OrderArg::Bfs | OrderArg::Dfs => {
                sweeping::refuse_without_sweep(sweep)?;
                stores::explore(model, store, &plan, hunt)
            }
        }
    }

    /// How far a search may go that begins now. The time limit is for the whole command, so what has passed is taken off.
    fn limits(&self) -> Limits {
        let SearchArgs { max_states, max_memory, max_time, assume_bounded, .. } = self.args.search;
        Limits {
            max_states,
            max_memory: max_memory.or_else(memory::available),
            max_time: max_time.map(|limit| limit.saturating_sub(self.started.elapsed())),
            boundedness: if assume_bounded { Boundedness::Assume } else { Boundedness::Test },
        }
    }
}

/// Prints the outcome where it belongs: results on standard output, problems on standard error.
fn present(outcome: Result<(Checked, Rc<Net>), Vec<Problem>>, sources: &[Source], args: &CheckArgs) -> Exit {
    let complain = |problems: &[Problem]| {
        output::complain(&render::problems(problems, sources, render::colours_wanted()));
    };
    let form = args.output.form();
    let (checked, net) = match outcome {
        Ok(found) => found,
        Err(problems) => {
            complain(&problems);
            if form == FormArg::Json {
                let _ = output::print(&json::problems(&problems, sources));
            }
            return Exit::Bad;
        }
    };
    for problem in checked.left_out.iter().map(|left_out| &left_out.first).chain(&checked.error) {
        complain(std::slice::from_ref(problem));
    }
    let text = match form {
        FormArg::Json => check::json::document(&checked, &net, sources),
        FormArg::Mcc => String::new(),
        FormArg::Text if args.output.quiet => check::text::unknowns(&checked),
        FormArg::Text => check::text::unknowns(&checked) + &check::text::rest(&checked, args.output.detail()),
    };
    if let Err(message) = output::print(&text) {
        complain(&[Problem::plain(message)]);
        return Exit::Bad;
    }
    if let Some(path) = &args.output.trace {
        if let Some(document) = document(&checked, &net) {
            let written = deliver(Some(path), &mut |sink| sink.write_all(document.text().as_bytes()));
            if let Err(problem) = written {
                complain(&[problem]);
                return Exit::Bad;
            }
        } else {
            output::complain("note: no property has a trace, so none was written\n");
        }
    }
    checked.exit()
}

/// The trace to write: that of the first failure, or else of the first property that has one.
fn document(checked: &Checked, net: &Net) -> Option<TraceDocument> {
    let has_trace = || checked.properties.iter().filter(|property| property.trace.is_some());
    let failure = has_trace().find(|property| property.verdict.answer == Answer::Fails);
    let property = failure.or_else(|| has_trace().next())?;
    let answer = check::json::word(&property.verdict.answer);
    property.trace.as_ref().map(|trace| TraceDocument::new(net, trace, Some(&property.name), Some(answer)))
}
