//! Running a search: the watcher that draws and interrupts it, and its ending in the words of the command.

use std::time::Duration;

use petite_model::Model;
use petite_search::{
    Ending, Limit, Limits, ModelFailure, Monitor, Observer, Order, Progress, Report, explore, explore_set,
    explore_unnumbered,
};
use petite_store::{Exactness, Figure, Lookup, OpenSet, StateSet, Store};

use crate::endless::Endless;
use crate::events::Events;
use crate::interrupt::Interrupt;
use crate::problem::Problem;
use crate::progress::ProgressLine;
use crate::summary::Stop;
use crate::units::grouped;

/// Time between two drawings of the progress line; the first one comes after as long.
const DRAW_EVERY: Duration = Duration::from_millis(125);

/// Most steps of the path to an error that are shown, and most places of the state there.
const SHOWN: usize = 12;

/// Longest description of a step or of a place's tokens that is shown whole, in characters.
const LONGEST: usize = 160;

/// Memory put aside for what comes after a search that ran out of it, in bytes.
const RESERVE: usize = 4 << 20;

/// How to search.
pub struct Plan<'a> {
    /// Which state is expanded next.
    pub order: Order,
    /// How far to go.
    pub limits: Limits,
    /// The limit of memory that was asked for, in bytes; a store may do something about it.
    pub asked_memory: Option<u64>,
    /// Who may end it.
    pub interrupt: &'a Interrupt,
    /// How progress is told.
    pub telling: Telling,
}

/// How the progress of a search is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Not at all.
    Nothing,
    /// By a line on the terminal, if there is one.
    Line,
    /// By lines of JSON on standard error.
    Events,
}

impl Telling {
    /// A line on the terminal, unless the user wants quiet.
    pub fn unless(quiet: bool) -> Telling {
        if quiet { Telling::Nothing } else { Telling::Line }
    }
}

/// What a search found, and what its store took.
pub struct Searched {
    /// The counts.
    pub report: Report,
    /// Why it ended early, if it did.
    pub stopped: Option<Stop>,
    /// The error of the model that ended it, if one did.
    pub error: Option<Problem>,
    /// How it was found to be endless, if it was.
    pub endless: Option<Endless>,
    /// The store's name.
    pub store: &'static str,
    /// Why this store, where it was chosen for the user.
    pub store_choice: Option<String>,
    /// Heap bytes of the store.
    pub store_bytes: u64,
    /// Heap bytes of the state vectors alone.
    pub vectors_bytes: u64,
    /// What the store tells of itself beyond that.
    pub figures: Vec<Figure>,
    /// Whether the store keeps all states apart.
    pub exactness: Exactness,
}

/// Explores a model with an empty store.
pub fn search<M: Model, S: Lookup<M>, O: Observer<M>>(
    model: &mut M,
    store: S,
    plan: &Plan<'_>,
    observer: &mut O,
) -> Searched {
    search_by(model, store, plan, |model, store, watcher| {
        explore(model, store, plan.order, &plan.limits, watcher, observer)
    })
}

/// Explores a model with an empty store that is only a set.
pub fn search_set<M: Model, S: Store<M>, O: Observer<M>>(
    model: &mut M,
    store: S,
    plan: &Plan<'_>,
    observer: &mut O,
) -> Searched {
    search_by(model, store, plan, |model, store, watcher| {
        explore_set(model, store, plan.order, &plan.limits, watcher, observer)
    })
}

/// Explores a model with an empty store that need not keep identities.
pub fn search_unnumbered<M: Model, S: OpenSet<M>, O: Observer<M>>(
    model: &mut M,
    store: S,
    plan: &Plan<'_>,
    observer: &mut O,
) -> Searched {
    search_by(model, store, plan, |model, store, watcher| {
        explore_unnumbered(model, store, plan.order, &plan.limits, watcher, observer)
    })
}

/// Runs something else that takes time: with a progress line if one is wanted, and ended by a signal.
pub fn watched<R>(interrupt: &Interrupt, telling: Telling, run: impl FnOnce(&mut dyn Monitor) -> R) -> R {
    watched_within(&Limits::NONE, interrupt, telling, run)
}

/// The same, where the progress line may show how near the limits are.
fn watched_within<R>(
    limits: &Limits,
    interrupt: &Interrupt,
    telling: Telling,
    run: impl FnOnce(&mut dyn Monitor) -> R,
) -> R {
    let mut watcher = Watcher::new(interrupt, telling, limits);
    interrupt.search_begins();
    let outcome = run(&mut watcher);
    interrupt.search_ended();
    watcher.finish();
    outcome
}

/// Why a search ended early, if it did.
pub struct Ended {
    /// The reason.
    pub stopped: Option<Stop>,
    /// The error of the model that ended it, if one did.
    pub error: Option<Problem>,
    /// How it was found to be endless, if it was.
    pub endless: Option<Endless>,
}

/// Runs a search of any kind under the eyes of the watcher.
pub fn run_watched<M: Model, R: AsRef<Report>>(
    model: &mut M,
    plan: &Plan<'_>,
    run: impl FnOnce(&mut M, &mut dyn Monitor) -> R,
) -> (R, Ended) {
    // The limit of memory is shown only where it was asked for: otherwise nobody has an idea of it.
    let shown = Limits { max_memory: plan.asked_memory, ..plan.limits };
    let result = watched_within(&shown, plan.interrupt, plan.telling, |watcher| {
        // Where there is not even that much, the report has to do without.
        let mut reserve = Vec::<u8>::new();
        let _ = std::hint::black_box(&mut reserve).try_reserve_exact(RESERVE);
        run(model, watcher)
    });
    let report = result.as_ref();
    let (stopped, error) = match &report.ending {
        Ending::Complete => (None, None),
        Ending::LimitReached(Limit::States) => (Some(Stop::States), None),
        Ending::LimitReached(Limit::Memory) => (Some(Stop::Memory), None),
        Ending::LimitReached(Limit::Time) => (Some(Stop::Time), None),
        Ending::Interrupted => (Some(Stop::Interrupted), None),
        Ending::Stopped => (Some(Stop::Observed), None),
        Ending::OutOfMemory => (Some(Stop::OutOfMemory), None),
        Ending::OutOfIds => (Some(Stop::OutOfIds), None),
        Ending::Unbounded(_) => (Some(Stop::Unbounded), None),
        Ending::Failed(failure) => (Some(Stop::Error), Some(explain(model, failure))),
    };
    let endless = match &report.ending {
        Ending::Unbounded(proof) => Some(Endless::of(model, proof)),
        _ => None,
    };
    (result, Ended { stopped, error, endless })
}

/// Runs a search, and says what came of it.
fn search_by<M: Model, S: StateSet>(
    model: &mut M,
    mut store: S,
    plan: &Plan<'_>,
    run: impl FnOnce(&mut M, &mut S, &mut dyn Monitor) -> Report,
) -> Searched {
    let (report, Ended { stopped, error, endless }) =
        run_watched(model, plan, |model, watcher| run(model, &mut store, watcher));
    Searched {
        stopped,
        error,
        endless,
        store: store.name(),
        store_choice: None,
        store_bytes: store.bytes() as u64,
        vectors_bytes: store.vector_bytes() as u64,
        figures: store.figures(),
        exactness: store.exactness(),
        report,
    }
}

/// Draws the progress and passes on the wish to end.
struct Watcher<'a> {
    interrupt: &'a Interrupt,
    line: ProgressLine,
    next: Duration,
    events: Option<Events>,
}

impl Watcher<'_> {
    fn new<'a>(interrupt: &'a Interrupt, telling: Telling, limits: &Limits) -> Watcher<'a> {
        let line = match telling {
            Telling::Line => ProgressLine::on_terminal(limits),
            Telling::Nothing | Telling::Events => ProgressLine::hidden(),
        };
        let events = (telling == Telling::Events).then(Events::default);
        Watcher { interrupt, line, next: DRAW_EVERY, events }
    }

    fn finish(&mut self) {
        self.line.clear();
        self.events.iter_mut().for_each(Events::finish);
    }
}

impl Monitor for Watcher<'_> {
    fn progress(&mut self, progress: &Progress) {
        if progress.elapsed >= self.next {
            self.next = progress.elapsed + DRAW_EVERY;
            self.line.show(progress);
        }
        if let Some(events) = &mut self.events {
            events.progress(progress);
        }
    }

    fn interrupted(&self) -> bool {
        self.interrupt.asked() || self.events.as_ref().is_some_and(Events::is_gone)
    }
}

/// A failure with the state where it showed and the steps that led there.
fn explain<M: Model>(model: &M, failure: &ModelFailure) -> Problem {
    let mut problem = Problem::from(&failure.error);
    if let Some(state) = &failure.state {
        let places = model.describe_state(state);
        let lines = places.iter().map(|(place, tokens)| format!("{place}: {tokens}"));
        problem = problem.note(listed("in the state", lines, places.len()));
    } else {
        problem = problem.note("in the initial state");
    }
    if let Some(trace) = failure.trace.as_deref().filter(|trace| !trace.is_empty()) {
        let skipped = trace.len().saturating_sub(SHOWN);
        let title = match skipped {
            0 => "reached from the initial state by".to_owned(),
            _ => format!("reached by {} steps, the last ones being", grouped(trace.len() as u64)),
        };
        let steps = trace[skipped..].iter().map(|&action| model.describe(action));
        problem = problem.note(listed(&title, steps, SHOWN));
    }
    problem
}

/// A title with lines below it, not too many and not too long.
fn listed(title: &str, lines: impl Iterator<Item = String>, total: usize) -> String {
    let mut text = title.to_owned();
    for line in lines.take(SHOWN) {
        text.push_str("\n  ");
        match line.char_indices().nth(LONGEST) {
            Some((end, _)) => {
                text.push_str(&line[..end]);
                text.push_str("...");
            }
            None => text.push_str(&line),
        }
    }
    if total > SHOWN {
        text.push_str(&format!("\n  ... and {} more", grouped((total - SHOWN) as u64)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_in_both_directions() {
        let text = listed("title", (0..30).map(|i| format!("{i}{}", "é".repeat(500))), 30);
        assert_eq!(text.lines().count(), 1 + SHOWN + 1);
        assert!(text.lines().all(|line| line.chars().count() <= LONGEST + 5), "{text}");
        assert!(text.ends_with("... and 18 more"), "{text}");
        assert_eq!(listed("title", ["a".to_owned()].into_iter(), 1), "title\n  a");
    }
}
