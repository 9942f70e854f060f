//! Questions that are about more than reachable states.
//!
//! A formula about runs may be decided by a few states or need all of them, and nobody knows beforehand. So there are three
//! rounds, and what is decided in one does not get into the next:
//!
//! 1. each formula on the fly, with few states: branching time by a local search, linear time by an automaton;
//! 2. all that are left of branching time together, on the graph of all states;
//! 3. each that is left on the fly again, with what time there is.
//!
//! A look ([`Effort::Look`]) is the first round alone, and what comes after one ([`Effort::Rest`]) is the others.
//!
//! Where the model is found to be endless, no search gets to see all states: then there is no second round, and the third only
//! where something limits it.

use std::time::Duration;

use petite_model::NetModel;
use petite_net::Predicate;
use petite_search::{Ending, Limit, Limits, Monitor, NoObserver, Order, explore};
use petite_store::{IndexedTree, Lookup, Plain};

use crate::{
    Answer, Asked, AtomId, Clock, Ctl, CtlUnknown, CtlVerdict, Effort, Keeping, Lasso, Ltl, LtlUnknown,
    LtlVerdict, Means, NetFairness, Plan, PredicateAtoms, Rest, Temporal, Unknown, Verdict, check_ctl,
    check_ctl_locally, check_ltl_fair, liveness,
};

/// States that each formula gets in the first round.
const FEW_STATES: u64 = 20_000;

/// Answers the questions of a plan that its hunt does not: those about runs, and whether the net is live.
pub fn about_runs<M: NetModel>(
    model: &mut M,
    plan: &Plan<'_>,
    limits: &Limits,
    effort: Effort,
    keeping: Keeping,
    monitor: &mut dyn Monitor,
) -> Vec<(usize, Verdict)> {
    let clock = Clock::new(*limits);
    let mut verdicts = Vec::new();
    // Whether the net is live takes all states, so a look is of no use.
    for &question in plan.liveness.iter().filter(|_| effort != Effort::Look) {
        verdicts.push((question, liveness(model, &clock.rest(1), monitor)));
    }
    if !plan.temporal.is_empty() {
        verdicts.extend(temporal(model, &plan.temporal, &clock, effort, keeping, monitor));
    }
    verdicts
}

/// A formula that is not decided yet.
struct Open {
    question: usize,
    formula: Temporal,
    /// Why the last attempt did not decide it.
    why: Unknown,
}

fn temporal<M: NetModel>(
    model: &mut M,
    asked: &[Asked],
    clock: &Clock,
    effort: Effort,
    keeping: Keeping,
    monitor: &mut dyn Monitor,
) -> Vec<(usize, Verdict)> {
    let mut meanings = Vec::new();
    let mut open: Vec<Open> = asked.iter().map(|asked| Open::new(asked, &mut meanings)).collect();
    let most = model.group_bounds();
    let Ok(mut atoms) = PredicateAtoms::new(model, &meanings, most) else {
        let unknown =
            Verdict::unknown(Unknown::NotSupported("the numbers of this formula may leave 128 bits"));
        return asked.iter().map(|asked| (asked.question, unknown.clone())).collect();
    };
    let mut checker =
        Checker { fairness: NetFairness::of(&model.net().fairness), model, atoms: &mut atoms, monitor };
    let mut decided = Vec::new();
    let few = |limits: Limits| Limits {
        max_states: Some(limits.max_states.map_or(FEW_STATES, |most| most.min(FEW_STATES))),
        ..limits
    };
    if effort != Effort::Rest {
        // A part of the time is for the first round.
        let shares = 6 * open.len() as u32;
        checker.round(&mut open, &mut decided, Keeping::Table, |_| few(clock.rest(shares)));
    }
    if open.is_empty() {
        return decided;
    }
    if effort != Effort::Look {
        let is_endless = checker.is_endless(&clock.rest(1));
        let limits = clock.rest(1);
        if is_endless && limits.max_time.is_none() && limits.max_states.is_none() {
            open.iter_mut().for_each(|open| open.why = Unknown::Ended("the model has no end"));
        } else {
            let is_branching = |open: &&Open| matches!(open.formula, Temporal::Ctl(_));
            let n_branching = open.iter().filter(is_branching).count();
            if n_branching > 0 && !is_endless {
                // One search for all of them takes the time of a few.
                let shares = if n_branching < open.len() { 2 } else { 1 };
                checker.together(&mut open, &mut decided, keeping, &clock.rest(shares));
            }
            checker.round(&mut open, &mut decided, keeping, |left| clock.rest(left));
        }
    }
    decided.extend(open.into_iter().map(|open| (open.question, Verdict::unknown(open.why))));
    decided
}

/// What all attempts have in common.
struct Checker<'a, M> {
    model: &'a mut M,
    atoms: &'a mut PredicateAtoms,
    fairness: NetFairness,
    monitor: &'a mut dyn Monitor,
}

impl<M: NetModel> Checker<'_, M> {
    /// Tries each formula on the fly. `limits` is asked with the number of formulas that are still to be tried.
    fn round(
        &mut self,
        open: &mut Vec<Open>,
        decided: &mut Vec<(usize, Verdict)>,
        keeping: Keeping,
        limits: impl Fn(u32) -> Limits,
    ) {
        let mut left = open.len() as u32;
        open.retain_mut(|open| {
            let limits = limits(left);
            left -= 1;
            if limits.max_time == Some(Duration::ZERO) {
                return true;
            }
            let verdict = self.on_the_fly(&open.formula, keeping, &limits);
            match verdict.answer {
                Answer::Unknown(why) => {
                    open.why = why;
                    true
                }
                _ => {
                    decided.push((open.question, verdict));
                    false
                }
            }
        });
    }

    fn on_the_fly(&mut self, formula: &Temporal, keeping: Keeping, limits: &Limits) -> Verdict {
        match keeping {
            Keeping::Table => {
                let mut store = Plain::new(self.model.packing());
                self.on_the_fly_in(&mut store, formula, limits)
            }
            Keeping::Tree => match IndexedTree::new(self.model) {
                Ok(mut store) => self.on_the_fly_in(&mut store, formula, limits),
                Err(_) => ended(Ending::OutOfMemory),
            },
        }
    }

    fn on_the_fly_in<S: Lookup<M>>(&mut self, store: &mut S, formula: &Temporal, limits: &Limits) -> Verdict {
        let Checker { model, atoms, fairness, monitor } = self;
        match formula {
            Temporal::Ctl(formula) => {
                branching(check_ctl_locally(*model, store, *atoms, formula, limits, *monitor))
            }
            Temporal::AllRuns(formula) => {
                let outcome = check_ltl_fair(*model, store, *atoms, formula, fairness, limits, *monitor);
                linear(outcome.verdict, Answer::Holds, Answer::Fails)
            }
            Temporal::SomeRun(formula) => {
                let negation = Ltl::Not(Box::new(formula.clone()));
                let outcome = check_ltl_fair(*model, store, *atoms, &negation, fairness, limits, *monitor);
                linear(outcome.verdict, Answer::Fails, Answer::Holds)
            }
        }
    }

    /// Decides all formulas of branching time in one search of all states.
    fn together(
        &mut self,
        open: &mut Vec<Open>,
        decided: &mut Vec<(usize, Verdict)>,
        keeping: Keeping,
        limits: &Limits,
    ) {
        let formulas: Vec<Ctl> = open.iter().filter_map(|open| open.branching().cloned()).collect();
        let Checker { model, atoms, monitor, .. } = self;
        let found = match keeping {
            Keeping::Table => {
                let mut store = Plain::new(model.packing());
                check_ctl(*model, &mut store, *atoms, &formulas, limits, *monitor)
            }
            Keeping::Tree => match IndexedTree::new(*model) {
                Ok(mut store) => check_ctl(*model, &mut store, *atoms, &formulas, limits, *monitor),
                Err(_) => return,
            },
        };
        let mut found = found.into_iter().map(branching);
        open.retain_mut(|open| {
            if open.branching().is_none() {
                return true;
            }
            let Some(verdict) = found.next() else { return true };
            match verdict.answer {
                Answer::Unknown(why) => {
                    open.why = why;
                    true
                }
                _ => {
                    decided.push((open.question, verdict));
                    false
                }
            }
        });
    }

    /// Whether a look at some states shows that the model has no end.
    fn is_endless(&mut self, limits: &Limits) -> bool {
        let mut store = Plain::new(self.model.packing());
        let limits = Limits { max_states: Some(FEW_STATES), ..*limits };
        let report =
            explore(self.model, &mut store, Order::BreadthFirst, &limits, self.monitor, &mut NoObserver);
        matches!(report.ending, Ending::Unbounded(_))
    }
}

impl Open {
    fn new(asked: &Asked, meanings: &mut Vec<Predicate>) -> Open {
        // Atoms with the same meaning are one.
        let numbers: Vec<AtomId> = asked
            .atoms
            .iter()
            .map(|atom| {
                let known = meanings.iter().position(|other| other == atom);
                AtomId::new(known.unwrap_or_else(|| {
                    meanings.push(atom.clone());
                    meanings.len() - 1
                }))
            })
            .collect();
        let renumber = |atom: AtomId| numbers[atom.index()];
        let formula = match &asked.formula {
            Temporal::Ctl(formula) => Temporal::Ctl(formula.renumbered(&renumber)),
            Temporal::AllRuns(formula) => Temporal::AllRuns(formula.renumbered(&renumber)),
            Temporal::SomeRun(formula) => Temporal::SomeRun(formula.renumbered(&renumber)),
        };
        Open { question: asked.question, formula, why: Unknown::Ended("time limit reached") }
    }

    fn branching(&self) -> Option<&Ctl> {
        match &self.formula {
            Temporal::Ctl(formula) => Some(formula),
            _ => None,
        }
    }
}

fn branching(verdict: CtlVerdict) -> Verdict {
    match verdict {
        CtlVerdict::Holds(run) => with_run(Answer::Holds, run),
        CtlVerdict::Fails(run) => with_run(Answer::Fails, run),
        CtlVerdict::Unknown(CtlUnknown::Ended(ending)) => ended(ending),
        CtlVerdict::Unknown(CtlUnknown::TooDeep) => {
            Verdict::unknown(Unknown::NotSupported("the formula is nested too deep"))
        }
        CtlVerdict::Unknown(CtlUnknown::Inexact(_)) => {
            Verdict::unknown(Unknown::Probabilistic { at_least: None })
        }
    }
}

/// A verdict on all runs: `all` is the answer where all of them have it, `not_all` where one does not.
fn linear(verdict: LtlVerdict, all: Answer, not_all: Answer) -> Verdict {
    match verdict {
        LtlVerdict::Holds => Verdict::plain(all, Means::AllStates),
        LtlVerdict::Violated(run) => with_run(not_all, run),
        LtlVerdict::Unknown(LtlUnknown::Ended(ending)) => ended(ending),
        LtlVerdict::Unknown(LtlUnknown::Translation(_)) => {
            Verdict::unknown(Unknown::NotSupported("the automaton of the formula is too large"))
        }
        LtlVerdict::Unknown(LtlUnknown::TooManySets) => {
            Verdict::unknown(Unknown::NotSupported("there are more than 64 fairness sets"))
        }
        LtlVerdict::Unknown(LtlUnknown::Inexact(_)) => {
            Verdict::unknown(Unknown::Probabilistic { at_least: None })
        }
    }
}

/// An answer, and the run that shows it.
fn with_run(answer: Answer, run: Option<Box<Lasso>>) -> Verdict {
    let Some(run) = run else { return Verdict::plain(answer, Means::AllStates) };
    let Lasso { prefix: mut witness, rest } = *run;
    let mut cycle = None;
    if let Rest::Cycle(actions) = rest {
        cycle = Some(witness.len());
        witness.extend(actions);
    }
    Verdict { answer, means: Means::Witness, witness: Some(witness), cycle }
}

/// Why nothing is known after a search that ended like this.
fn ended(ending: Ending) -> Verdict {
    Verdict::unknown(match ending {
        Ending::Failed(failure) => Unknown::Failed(Box::new(failure.error)),
        Ending::LimitReached(Limit::States) => Unknown::Ended("state limit reached"),
        Ending::LimitReached(Limit::Memory) => Unknown::Ended("memory limit reached"),
        Ending::LimitReached(Limit::Time) => Unknown::Ended("time limit reached"),
        Ending::Interrupted => Unknown::Ended("interrupted"),
        Ending::OutOfMemory => Unknown::Ended("the system has no more memory"),
        Ending::OutOfIds => Unknown::Ended("there are more states than identities"),
        Ending::Unbounded(_) => Unknown::Ended("the model has no end"),
        Ending::Complete | Ending::Stopped => Unknown::Incomplete { at_least: None },
    })
}
