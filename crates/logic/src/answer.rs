//! All questions about a model, with all that helps to answer them.
//!
//! What decides a question is seldom known beforehand, so cheap attempts come first, and what one decides does not get into
//! the next:
//!
//! 1. a look at some thousand states of the model as it is, for all questions together: small models need no more, and what is
//!    found breadth first is found by a shortest way;
//! 2. such a look for each question alone, in the net reduced for it ([`crate::reduced`]);
//! 3. for questions that ask alike, one search in the net reduced for all of them, with most of the time that is left where that
//!    net is not much larger than those for one question, and with a third of it else;
//! 4. each question alone in its reduced net, with an equal share of the rest.
//!
//! Questions that need the model as it is, and models that cannot be reduced, get a search there that goes as far as the limits
//! allow.

use std::time::Instant;

use petite_model::{NetModel, NotPlain};
use petite_net::Query;
use petite_net::reduce::Keeps;
use petite_search::{Ending, Limits, Monitor};

use crate::reduced::{Origin, Smaller};
use crate::{
    Ancestry, Answer, Clock, CompileError, Coverage, Effort, Hunt, Means, Phases, Plan, Shrinkage, Unknown,
    Verdict, about_runs,
};

/// What part of the time the looks at reduced nets get together: one of so many.
const LOOKS: u32 = 6;

/// Who makes the searches: with what store, in what order, and who may end them.
pub trait Explorer {
    /// Why a search cannot be made at all.
    type Refusal;

    /// Searches reachable states with an empty store. Says how the search ended and what it saw.
    ///
    /// # Errors
    /// When there is no such search.
    fn explore<M: NetModel>(
        &mut self,
        model: &mut M,
        hunt: &mut Hunt<'_>,
        limits: Limits,
        net: &Asking,
    ) -> Result<(Ending, Coverage), Self::Refusal>;

    /// Runs another search under the eyes of a monitor.
    fn watch<R>(&mut self, run: impl FnOnce(&mut dyn Monitor) -> R) -> R;

    /// Whether everything shall end now.
    fn is_interrupted(&self) -> bool;
}

/// Which net is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// The model as it is.
    Model,
    /// A reduced one.
    Reduced(Shrinkage),
}

/// Whether the ways to states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witnesses {
    /// They are, breadth first, so that they are shortest.
    Kept,
    /// They are not.
    None,
}

/// What may be done to answer questions.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How far searches may go; the time is for all of them together.
    pub limits: Limits,
    /// Whether the ways to states are kept.
    pub witnesses: Witnesses,
    /// Whether nets may be reduced.
    pub reducing: Reducing,
    /// How searches for runs keep states.
    pub keeping: Keeping,
}

/// How states are kept by searches that are the checker's own, those for runs, beyond a first look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// In a table.
    Table,
    /// In a tree of pairs with identities: slower, and smaller where vectors are long.
    Tree,
}

/// Whether nets may be reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reducing {
    /// Never.
    Never,
    /// For questions that a look at some states of the model leaves open.
    WhenOpen,
    /// For all questions, without a look at the model.
    AtOnce,
}

/// A verdict and where it was found.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The verdict; its witness is a run of the model.
    pub verdict: Verdict,
    /// The net that gave it.
    pub net: Asking,
}

/// Told of each answer as soon as there is one: the number of the question, the answer, how it was obtained and in which net.
pub type TellAnswer<'t> = &'t dyn Fn(usize, &Answer, Means, &Asking);

/// Why questions are not answered.
#[derive(Clone, Debug)]
pub enum NoAnswer<E> {
    /// The question with this number cannot be compiled.
    Question(usize, CompileError),
    /// A search was refused.
    Search(E),
}

/// The answers to all questions.
#[derive(Clone, Debug)]
pub struct Answers {
    /// In the order of the questions.
    pub all: Vec<Answered>,
    /// How many needed searches for runs.
    pub n_about_runs: usize,
    /// Why the model cannot be reduced, where that was tried.
    pub not_reduced: Option<NotPlain>,
}

/// Answers questions about a model. Answers are told as they come; those that are not known come at the end.
///
/// # Errors
/// When a question cannot be compiled or a search is refused.
pub fn answer<M: NetModel, E: Explorer>(
    model: &mut M,
    queries: &[Query],
    options: &Options,
    explorer: &mut E,
    tell: TellAnswer<'_>,
) -> Result<Answers, NoAnswer<E::Refusal>> {
    let nothing =
        || Answered { verdict: Verdict::unknown(Unknown::Incomplete { at_least: None }), net: Asking::Model };
    let mut job = Job {
        explorer,
        tell,
        witnesses: options.witnesses,
        keeping: options.keeping,
        clock: Clock::new(options.limits),
        answers: queries.iter().map(|_| nothing()).collect(),
        n_about_runs: 0,
    };
    let everything: Vec<usize> = (0..queries.len()).collect();
    let wants = options.reducing != Reducing::Never;
    let not_reduced = if wants { model.check_plain().err() } else { None };
    if !wants || not_reduced.is_some() {
        job.ask_model(model, queries, &everything, Effort::Whole, options.limits)?;
    } else {
        if options.reducing == Reducing::WhenOpen {
            job.ask_model(model, queries, &everything, Effort::Look, options.limits)?;
        }
        job.go_on(model, queries)?;
    }
    for (question, answered) in job.answers.iter().enumerate() {
        if let Answer::Unknown(_) = answered.verdict.answer {
            tell(question, &answered.verdict.answer, Means::None, &answered.net);
        }
    }
    Ok(Answers { all: job.answers, n_about_runs: job.n_about_runs, not_reduced })
}

/// Questions under way.
struct Job<'a, E> {
    explorer: &'a mut E,
    tell: TellAnswer<'a>,
    witnesses: Witnesses,
    keeping: Keeping,
    clock: Clock,
    answers: Vec<Answered>,
    n_about_runs: usize,
}

impl<E: Explorer> Job<'_, E> {
    /// Those of some questions that are open.
    fn open(&self, questions: &[usize]) -> Vec<usize> {
        let is_open = |&question: &usize| matches!(self.answers[question].verdict.answer, Answer::Unknown(ref why) if may_change(why));
        questions.iter().copied().filter(is_open).collect()
    }

    fn is_over(&self) -> bool {
        self.clock.is_over() || self.explorer.is_interrupted()
    }

    /// Answers what a look at the model left open.
    fn go_on<M: NetModel>(&mut self, model: &mut M, queries: &[Query]) -> Result<(), NoAnswer<E::Refusal>> {
        let everything: Vec<usize> = (0..queries.len()).collect();
        let open = self.open(&everything);
        if open.is_empty() || self.is_over() {
            return Ok(());
        }
        let origin = Origin::new(model, queries, &open).ok();
        let is_reducible =
            |question: &usize| origin.as_ref().is_some_and(|origin| origin.keeps(*question).is_some());
        let (reducible, others): (Vec<usize>, Vec<usize>) = open.into_iter().partition(is_reducible);
        if !others.is_empty() {
            let limits = self.clock.rest(if reducible.is_empty() { 1 } else { 2 });
            self.ask_model(model, queries, &others, Effort::Rest, limits)?;
        }
        match origin {
            Some(origin) => self.reduced(model, queries, &origin, &reducible),
            None => Ok(()),
        }
    }

    /// Answers open questions in reduced nets, as far as there is time.
    fn reduced<M: NetModel>(
        &mut self,
        model: &mut M,
        queries: &[Query],
        origin: &Origin,
        questions: &[usize],
    ) -> Result<(), NoAnswer<E::Refusal>> {
        let mut alone: Vec<Option<Smaller>> = Vec::new();
        for (at, &question) in questions.iter().enumerate() {
            if self.is_over() {
                return Ok(());
            }
            let mut smaller = origin.reduced(&[question]);
            if let Some(smaller) = &mut smaller {
                let limits = self.clock.part(1, LOOKS * (questions.len() - at) as u32);
                self.ask(origin, smaller, &[question], Effort::Look, limits)?;
            }
            alone.push(smaller);
        }
        // Linear time gains nothing from being asked together: each formula has a search of its own.
        let kinds = [Keeps::Reachability, Keeps::Deadlock, Keeps::StutterCtl, Keeps::Everything];
        let alike = |job: &Self, keeps: Keeps| -> Vec<usize> {
            let open = job.open(questions).into_iter();
            open.filter(|&question| origin.keeps(question) == Some(keeps)).collect()
        };
        for (at, &keeps) in kinds.iter().enumerate() {
            let together = alike(self, keeps);
            if together.len() < 2 || self.is_over() {
                continue;
            }
            let n_later =
                kinds[at + 1..].iter().filter(|&&later| alike(self, later).len() > 1).count() as u32;
            let mut smaller = origin.reduced(&together);
            let size = |smaller: &Smaller| smaller.shrinkage.places.1 + smaller.shrinkage.transitions.1;
            let sizes = questions.iter().zip(&alone).filter(|(question, _)| together.contains(question));
            let sizes: usize = sizes.filter_map(|(_, smaller)| smaller.as_ref()).map(size).sum();
            let is_near = smaller.as_ref().is_none_or(|all| size(all) * together.len() < 2 * sizes.max(1));
            // Nine or four of twelve shares, of which the kinds that are still to come want as much.
            let limits = self.clock.part(if is_near { 9 } else { 4 }, 12 * (1 + n_later));
            match &mut smaller {
                Some(smaller) => self.ask(origin, smaller, &together, Effort::Rest, limits)?,
                None => self.ask_model(model, queries, &together, Effort::Rest, limits)?,
            }
        }
        let left = self.open(questions);
        for (at, question) in left.iter().enumerate() {
            if self.is_over() {
                return Ok(());
            }
            let limits = self.clock.rest((left.len() - at) as u32);
            let smaller =
                questions.iter().position(|other| other == question).and_then(|at| alone[at].as_mut());
            match smaller {
                Some(smaller) => self.ask(origin, smaller, &[*question], Effort::Rest, limits)?,
                None => self.ask_model(model, queries, &[*question], Effort::Rest, limits)?,
            }
        }
        Ok(())
    }

    /// Asks the model as it is.
    fn ask_model<M: NetModel>(
        &mut self,
        model: &mut M,
        queries: &[Query],
        questions: &[usize],
        effort: Effort,
        limits: Limits,
    ) -> Result<(), NoAnswer<E::Refusal>> {
        let asked: Vec<Query> = questions.iter().map(|&question| queries[question].clone()).collect();
        let net = Asking::Model;
        let verdicts = self.attempt(model, &asked, questions, effort, limits, &net)?;
        questions.iter().zip(verdicts).for_each(|(&question, verdict)| self.note(question, verdict, net));
        Ok(())
    }

    /// Asks a reduced net.
    fn ask(
        &mut self,
        origin: &Origin,
        smaller: &mut Smaller,
        questions: &[usize],
        effort: Effort,
        limits: Limits,
    ) -> Result<(), NoAnswer<E::Refusal>> {
        let net = Asking::Reduced(smaller.shrinkage);
        let verdicts = self.attempt(&mut smaller.model, &smaller.queries, questions, effort, limits, &net)?;
        for (&question, verdict) in questions.iter().zip(verdicts) {
            let verdict = smaller.original(origin, verdict);
            self.note(question, verdict, net);
        }
        Ok(())
    }

    /// The verdicts of a net on some questions, where `numbers` says which of all questions they are.
    fn attempt<M: NetModel>(
        &mut self,
        model: &mut M,
        queries: &[Query],
        numbers: &[usize],
        effort: Effort,
        limits: Limits,
        net: &Asking,
    ) -> Result<Vec<Verdict>, NoAnswer<E::Refusal>> {
        let tell = self.tell;
        let known = |question: usize, answer: &Answer, means: Means| {
            if !matches!(answer, Answer::Unknown(_)) {
                tell(question, answer, means, net);
            }
        };
        let clock = Clock::new(limits);
        let most = model.group_bounds();
        let ancestry = (self.witnesses == Witnesses::Kept).then(Ancestry::default);
        let mut plan = Plan::new(model, queries, most.clone(), |hunted| {
            let hunted: Vec<usize> = hunted.iter().map(|&at| numbers[at]).collect();
            let tell = Box::new(move |at: usize, answer: &Answer, means| known(hunted[at], answer, means));
            Hunt::new(most, ancestry, tell)
        })
        .map_err(|(at, error)| NoAnswer::Question(numbers[at], error))?;
        plan.settled().iter().for_each(|(at, verdict)| known(numbers[*at], &verdict.answer, verdict.means));
        let mut coverage = Coverage::Some;
        let mut phases = Phases::new(limits, effort);
        while !plan.hunt.is_done() {
            let started = Instant::now();
            let explored = self.explorer.explore(model, &mut plan.hunt, phases.limits(), net);
            let (ending, seen) = explored.map_err(NoAnswer::Search)?;
            coverage = seen;
            if !phases.go_on(&mut plan.hunt, model, &ending, started.elapsed()) {
                break;
            }
        }
        let limits = clock.rest(1);
        let keeping = self.keeping;
        let others =
            self.explorer.watch(|monitor| about_runs(model, &plan, &limits, effort, keeping, monitor));
        others.iter().for_each(|(at, verdict)| known(numbers[*at], &verdict.answer, verdict.means));
        if *net == Asking::Model {
            self.n_about_runs = self.n_about_runs.max(others.len());
        }
        Ok(plan.verdicts(queries.len(), coverage, others))
    }

    /// Takes note of what an attempt found out; what was known before stays.
    fn note(&mut self, question: usize, verdict: Verdict, net: Asking) {
        let known = &mut self.answers[question];
        let Answer::Unknown(before) = &known.verdict.answer else { return };
        // What goes wrong in a reduced net, as a count beyond 32 bits, is no error of the model.
        let is_failure = matches!(verdict.answer, Answer::Unknown(Unknown::Failed(_)));
        if is_failure && net != Asking::Model {
            return;
        }
        let most = |why: &Unknown| match why {
            Unknown::Incomplete { at_least } | Unknown::Probabilistic { at_least } => *at_least,
            _ => None,
        };
        let before = most(before);
        *known = Answered { verdict, net };
        if let Answer::Unknown(Unknown::Incomplete { at_least } | Unknown::Probabilistic { at_least }) =
            &mut known.verdict.answer
        {
            *at_least = before.max(*at_least);
        }
    }
}

/// Whether another attempt can change that nothing is known.
fn may_change(why: &Unknown) -> bool {
    !matches!(why, Unknown::Failed(_))
}
