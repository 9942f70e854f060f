//! Questions asked of smaller nets.
//!
//! A model that is a place/transition net can be reduced for a question, or for several that ask alike
//! ([`petite_net::reduce`]). The question is put into counts of slots (`counting`), what it sees of the net follows from its
//! form (`kind`), and the places that it reads are kept. A run of the reduced net is mapped back to one of the model, and
//! followed there before anybody gets to see it.

mod counting;
mod kind;

use std::rc::Rc;

use petite_model::{ActionId, Engine, EngineChoice, NetModel, NotPlain, PlainForm, UnfoldedNet, compile};
use petite_net::reduce::{Keeps, Reduction, reduce};
use petite_net::{PlaceIdx, Query, Question, TransIdx};

use crate::simplify::simplified;
use crate::{Predicates, Verdict};
use counting::{Counting, rename};

/// The longest run of the original net that is put together, in steps.
const LONGEST: u64 = 1_000_000;

/// How much smaller a net became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shrinkage {
    /// Places of the unfolded net, before and after.
    pub places: (usize, usize),
    /// Transitions of the unfolded net, before and after.
    pub transitions: (usize, usize),
}

/// A model that can be reduced, and the questions that it can be reduced for.
pub(crate) struct Origin {
    form: PlainForm,
    /// Each question in counts, and what has to be kept for it; none where it needs the model as it is.
    questions: Vec<Option<(Query, Keeps)>>,
}

impl Origin {
    /// Puts those of the questions into counts that are open.
    ///
    /// # Errors
    /// Why the model cannot be reduced.
    pub fn new<M: NetModel>(model: &mut M, queries: &[Query], open: &[usize]) -> Result<Origin, NotPlain> {
        let form = model.plain_form()?;
        let has_fairness = !model.net().fairness.is_empty();
        let mut scratch = Predicates::with_bounds(model.group_bounds());
        let simple = |&question: &usize| match &queries[question].question {
            // What the bounds decide need not be kept.
            Question::Holds(formula) => Question::Holds(simplified(model, &mut scratch, formula)),
            other => other.clone(),
        };
        let simple: Vec<Question> = open.iter().map(simple).collect();
        let counting = Counting::new(model, &form);
        let mut questions = vec![None; queries.len()];
        for (&at, question) in open.iter().zip(&simple) {
            let Query { name, span, .. } = &queries[at];
            questions[at] = counting.question(question).and_then(|question| {
                let keeps = kind::keeps(&question, has_fairness)?;
                Some((Query { name: name.clone(), question, span: *span }, keeps))
            });
        }
        Ok(Origin { form, questions })
    }

    /// What has to be kept for a question; none where it needs the model as it is.
    pub fn keeps(&self, question: usize) -> Option<Keeps> {
        self.questions[question].as_ref().map(|(_, keeps)| *keeps)
    }

    /// The net reduced for some questions, which all need the same to be kept; none where nothing got smaller.
    pub fn reduced(&self, questions: &[usize]) -> Option<Smaller> {
        let mut queries = Vec::new();
        let mut keeps = None;
        for &question in questions {
            let (query, kept) = self.questions[question].as_ref()?;
            queries.push(query.clone());
            keeps = keeps.or(Some(*kept));
        }
        let keeps = keeps?;
        let mut read = Vec::new();
        for query in &mut queries {
            rename(&mut query.question, &mut |place| {
                read.push(place);
                place
            });
        }
        read.sort_unstable();
        read.dedup();
        let reduction = reduce(&self.form.net, &read, keeps);
        let original = &self.form.net;
        let shrinkage = Shrinkage {
            places: (original.places.len(), reduction.net.places.len()),
            transitions: (original.transitions.len(), reduction.net.transitions.len()),
        };
        if shrinkage.places.0 == shrinkage.places.1 && shrinkage.transitions.0 == shrinkage.transitions.1 {
            return None;
        }
        let mut is_whole = true;
        for query in &mut queries {
            rename(&mut query.question, &mut |place| {
                // Places that are read stay; a question that lost one could not be asked.
                let kept = reduction.place(place);
                is_whole &= kept.is_some();
                kept.unwrap_or(PlaceIdx(0))
            });
        }
        if !is_whole {
            return None;
        }
        let net = Rc::new(reduction.net.to_net());
        let Ok(Engine::Unfolded(model)) = compile(&net, EngineChoice::Unfolded) else { return None };
        Some(Smaller { model: *model, queries, keeps, shrinkage, reduction })
    }
}

/// A reduced net with the questions that it was reduced for.
pub(crate) struct Smaller {
    /// The model of the reduced net.
    pub model: UnfoldedNet,
    /// The questions, about the reduced net.
    pub queries: Vec<Query>,
    /// What was kept.
    pub keeps: Keeps,
    /// How much smaller it is.
    pub shrinkage: Shrinkage,
    reduction: Reduction,
}

impl Smaller {
    /// The verdict with its run as one of the original model. There is none where it became too long, or where what
    /// repeats in the reduced net does not in the original one, which may count on for ever where nobody looks.
    pub fn original(&self, origin: &Origin, verdict: Verdict) -> Verdict {
        let (witness, cycle) = match verdict.witness.as_deref() {
            Some(actions) => match self.run(origin, actions, verdict.cycle) {
                Some((witness, cycle)) => (Some(witness), cycle),
                None => (None, None),
            },
            None => (None, None),
        };
        Verdict { witness, cycle, ..verdict }
    }

    fn run(
        &self,
        origin: &Origin,
        actions: &[ActionId],
        cycle: Option<usize>,
    ) -> Option<(Vec<ActionId>, Option<usize>)> {
        let original = &origin.form.net;
        let steps: Vec<TransIdx> = actions.iter().map(|&action| self.model.transition_of(action)).collect();
        if self.reduction.expanded_len(steps.iter().copied()) > LONGEST {
            return None;
        }
        let (before, round) = steps.split_at(cycle.unwrap_or(steps.len()));
        let mut run = self.reduction.initially();
        run.extend(self.reduction.expand(before.iter().copied()));
        let cycle = cycle.map(|_| run.len());
        run.extend(self.reduction.expand(round.iter().copied()));
        let mut marking = original.initial();
        let mut entry = None;
        for (at, &step) in run.iter().enumerate() {
            if cycle == Some(at) {
                entry = Some(marking.clone());
            }
            original.fire(&mut marking, step)?;
        }
        if cycle.is_some() && entry.as_ref() != Some(&marking) {
            return None;
        }
        if cycle.is_none() && self.keeps != Keeps::Reachability && self.is_dead_after(&steps) {
            run.extend(Reduction::finish_dead(original, &run)?);
        }
        Some((run.into_iter().map(|step| origin.form.actions[step.index()]).collect(), cycle))
    }

    /// Whether the reduced net is dead after a run.
    fn is_dead_after(&self, steps: &[TransIdx]) -> bool {
        let net = &self.reduction.net;
        let mut marking = net.initial();
        let fits = steps.iter().all(|&step| net.fire(&mut marking, step).is_some());
        fits && (0..net.transitions.len()).all(|t| !net.is_enabled(&marking, TransIdx::new(t)))
    }
}
