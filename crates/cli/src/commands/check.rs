//! `petite check`: properties of a model.

use std::rc::Rc;
use std::time::Instant;

use petite_lang::Source;
use petite_logic::{
    Answer, Answered, Asking, Coverage, Explorer, Hunt, Keeping, Means, NoAnswer, Options, Reducing, Unknown,
    Witnesses, answer, decide, trace,
};
use petite_model::{ActionId, Engine, NetModel, compile};
use petite_net::{Net, Query};
use petite_search::{Ending, Limits, Measure, Monitor, Order};
use petite_store::Exactness;

use crate::args::{FormArg, OrderArg, SearchArgs};
use crate::check::{self, Checked, Property, SearchFigures};
use crate::check_args::CheckArgs;
use crate::deliver::deliver;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::problem::Problem;
use crate::searching::{self, Searched, Telling};
use crate::store_args::StoreArg;
use crate::summary::{LeftOut, Stop};
use crate::trace_file::{self, TraceDocument};
use crate::{input, json, load, output, progress_measure, render, stores, sweeping};

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
    let measure = match args.search.search {
        OrderArg::Sweep => progress_measure::measure(&engine, &net, &args.search.sweep).map(Some),
        OrderArg::Bfs | OrderArg::Dfs => Ok(None),
    };
    let measure = measure.map_err(|problem| vec![problem])?;
    let prepared = Prepared { args, interrupt, net: &net, queries: &queries, started, measure };
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
    /// The progress measure of a sweep.
    measure: Option<Measure>,
}

impl Prepared<'_> {
    fn check<M: NetModel>(&self, mut model: M, engine: &'static str) -> Result<Checked, Problem> {
        let form = self.args.output.form();
        let tell = |question: usize, answer: &Answer, means: Means, net: &Asking| {
            let name = &self.queries[question].name;
            let line = match form {
                FormArg::Json => None,
                FormArg::Mcc => Some(check::mcc::line(name, answer, means, net, engine)),
                FormArg::Text => check::text::line(name, answer, means),
            };
            // What cannot be written now is told at the end, when the whole result is.
            let _ = line.map_or(Ok(()), |line| output::print(&line));
        };
        let wants_traces = !self.args.output.no_trace && form != FormArg::Mcc;
        let witnesses = |kept: bool| if kept { Witnesses::Kept } else { Witnesses::None };
        let options = Options {
            limits: self.args.search.limits.limits(self.started),
            witnesses: witnesses(wants_traces && !self.forgets_ways()),
            // A progress measure is one of the model, and so is the order of its states.
            reducing: match self.args.no_reduction || self.args.search.search == OrderArg::Sweep {
                true => Reducing::Never,
                false => Reducing::WhenOpen,
            },
            keeping: match self.args.search.store.store {
                StoreArg::Tree | StoreArg::TreeIds => Keeping::Tree,
                _ => Keeping::Table,
            },
        };
        let mut searches = Searches { prepared: self, figures: None, is_endless: false, error: None };
        let answers = answer(&mut model, self.queries, &options, &mut searches, &tell);
        let Searches { figures: mut searched, is_endless, mut error, .. } = searches;
        let answers = answers.map_err(|reason| match reason {
            NoAnswer::Question(at, error) => Problem::of_source(self.queries[at].span, "", error.to_string()),
            NoAnswer::Search(problem) => problem,
        })?;
        let is_unknown = |answered: &Answered| matches!(answered.verdict.answer, Answer::Unknown(_));
        for stopped in searched.iter_mut().filter_map(|searched| searched.stopped.as_mut()) {
            if *stopped == Stop::Interrupted {
                continue;
            }
            if !answers.all.iter().any(is_unknown) {
                // Whatever ended the last search, there was nothing left to be found.
                *stopped = Stop::Observed;
            } else if is_endless && matches!(stopped, Stop::States | Stop::Memory | Stop::Time) {
                *stopped = Stop::Unbounded;
            }
        }
        let mut properties = Vec::new();
        for (query, Answered { verdict, net }) in self.queries.iter().zip(answers.all) {
            if let Answer::Unknown(Unknown::Failed(failure)) = &verdict.answer {
                error.get_or_insert_with(|| Problem::from(&**failure));
            }
            let (witness, cycle) = match &verdict.witness {
                None if wants_traces && self.forgets_ways() && verdict.means == Means::Witness => {
                    self.way_anew(&mut model, query, &options, &verdict.answer)
                }
                witness => (witness.clone(), verdict.cycle),
            };
            let followed = witness.map(|actions| trace(&mut model, &actions, cycle)).transpose();
            let trace = followed.map_err(|error| Problem::from(&*error))?;
            properties.push(Property { name: query.name.clone(), verdict, net, trace });
        }
        Ok(Checked {
            model: input::shown(&self.args.model),
            net: self.net.name.text.clone(),
            params: trace_file::params(self.net),
            properties,
            searched,
            n_about_runs: answers.n_about_runs,
            store_of_runs: match options.keeping {
                Keeping::Table => StoreArg::Plain.name(),
                Keeping::Tree => StoreArg::TreeIds.name(),
            },
            error,
            left_out: LeftOut::of(&model.left_out()),
            seconds: self.started.elapsed().as_secs_f64(),
            engine,
            not_reduced: answers.not_reduced.map(|reason| reason.to_string()),
        })
    }

    /// Whether searches of reachable states do not know how they got to a state: a sweep forgets states, and with them the way
    /// to others, and some stores give states no identities.
    fn forgets_ways(&self) -> bool {
        let SearchArgs { search, ref store, .. } = self.args.search;
        search == OrderArg::Sweep || (search == OrderArg::Bfs && store.store == StoreArg::Tree)
    }

    /// The way to what was found by a search that forgets ways: it is searched again, breadth first with a store that knows
    /// them. After a breadth-first search that sees no more states than the first one did. There is none where the limits do
    /// not allow it.
    fn way_anew<M: NetModel>(
        &self,
        model: &mut M,
        query: &Query,
        options: &Options,
        known: &Answer,
    ) -> (Option<Vec<ActionId>>, Option<usize>) {
        let options = Options {
            limits: self.args.search.limits.limits(self.started),
            witnesses: Witnesses::Kept,
            ..*options
        };
        let again = searching::watched(self.interrupt, Telling::unless(self.args.output.quiet), |watcher| {
            decide(model, std::slice::from_ref(query), &options, watcher, &|_, _, _, _| {})
        });
        let verdict = again.ok().and_then(|answers| answers.all.into_iter().next()).map(|one| one.verdict);
        match verdict.filter(|verdict| verdict.answer == *known) {
            Some(verdict) => (verdict.witness, verdict.cycle),
            None => (None, None),
        }
    }

    fn search<M: NetModel>(
        &self,
        model: &mut M,
        hunt: &mut Hunt<'_>,
        limits: Limits,
    ) -> Result<Searched, Problem> {
        let SearchArgs { search: order, limits: asked, ref store, ref sweep } = self.args.search;
        let plan = searching::Plan {
            order: match order {
                OrderArg::Dfs => Order::DepthFirst,
                OrderArg::Bfs | OrderArg::Sweep => Order::BreadthFirst,
            },
            limits,
            asked_memory: asked.max_memory,
            interrupt: self.interrupt,
            telling: Telling::unless(self.args.output.quiet),
        };
        match &self.measure {
            Some(measure) => {
                stores::refuse_for_sweep(store)?;
                Ok(sweeping::observe(model, measure, &plan, hunt))
            }
            None => {
                sweeping::refuse_without_sweep(sweep)?;
                stores::explore(model, store, &plan, hunt)
            }
        }
    }
}

/// The searches of a check, with what is reported of them.
struct Searches<'a> {
    prepared: &'a Prepared<'a>,
    figures: Option<SearchFigures>,
    is_endless: bool,
    error: Option<Problem>,
}

impl Explorer for Searches<'_> {
    type Refusal = Problem;

    fn explore<M: NetModel>(
        &mut self,
        model: &mut M,
        hunt: &mut Hunt<'_>,
        limits: Limits,
        net: &Asking,
    ) -> Result<(Ending, Coverage), Problem> {
        let Searched { report, mut stopped, error, store, store_choice, store_bytes, exactness, .. } =
            self.prepared.search(model, hunt, limits)?;
        if hunt.is_out_of_memory() {
            stopped = Some(Stop::OutOfMemory);
        }
        let coverage = match (&report.ending, exactness) {
            (Ending::Complete, Exactness::Lossy { .. }) => Coverage::Probabilistic,
            (ending, _) => Coverage::of(ending),
        };
        if *net == Asking::Model {
            self.error = self.error.take().or(error);
        }
        self.is_endless |= matches!(report.ending, Ending::Unbounded(_));
        self.figures = Some(SearchFigures {
            net: *net,
            states: report.states,
            edges: report.edges,
            stopped,
            exactness,
            store,
            store_choice,
            search: self.prepared.args.search.search.name(),
            store_bytes,
            seconds: report.elapsed.as_secs_f64(),
        });
        Ok((report.ending, coverage))
    }

    fn watch<R>(&mut self, run: impl FnOnce(&mut dyn Monitor) -> R) -> R {
        searching::watched(self.prepared.interrupt, Telling::unless(self.prepared.args.output.quiet), run)
    }

    fn is_interrupted(&self) -> bool {
        self.prepared.interrupt.asked()
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
        FormArg::Text => {
            let reductions =
                if args.output.verbose { check::text::reductions(&checked) } else { String::new() };
            check::text::unknowns(&checked) + &check::text::rest(&checked, args.output.detail()) + &reductions
        }
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
