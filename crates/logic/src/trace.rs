//! Runs that a person can follow.
//!
//! A trace starts in the initial state. Each step has the transition, its binding, and the places whose tokens changed, with
//! what they hold afterwards, all in the model's own names.

use std::collections::{BTreeMap, BTreeSet};

use petite_model::{ActionId, Fault, NetModel};
use petite_net::RunError;

/// A run from the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The places that hold something at first, with their tokens.
    pub initial: Vec<(String, String)>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The number of steps after which the run is in a state that it comes back to at its end, and then repeats for ever.
    pub cycle: Option<usize>,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The transition.
    pub transition: String,
    /// The variables of its binding with their values.
    pub binding: Vec<(String, String)>,
    /// The places that changed, with their tokens before and after; an empty text is no token.
    pub changes: Vec<Change>,
}

/// What a step did to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The place.
    pub place: String,
    /// Its tokens before.
    pub before: String,
    /// Its tokens after.
    pub after: String,
}

impl Step {
    /// The transition with its binding.
    pub fn title(&self) -> String {
        if self.binding.is_empty() {
            return self.transition.clone();
        }
        let binding: Vec<String> =
            self.binding.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        format!("{}({})", self.transition, binding.join(", "))
    }
}

/// Why a trace does not fit a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// The initial state is another one.
    Initial {
        /// The place that differs.
        place: String,
    },
    /// A step cannot be taken.
    NotEnabled {
        /// The number of the step, from one.
        step: usize,
        /// The transition with its binding.
        title: String,
    },
    /// A step leads to other tokens.
    OtherTokens {
        /// The number of the step, from one.
        step: usize,
        /// The place that differs.
        place: String,
        /// What it holds.
        holds: String,
        /// What the trace says.
        said: String,
    },
    /// The run does not come back to where it is said to.
    NoCycle,
    /// The model is wrong on the way.
    Failed(Box<RunError>),
}

/// A state of a model that is walked through step by step.
pub struct Walk<'m, M> {
    model: &'m mut M,
    words: Vec<u64>,
    hash: u64,
    /// The places whose tokens have no colour.
    of_unit: BTreeSet<String>,
}

impl<'m, M: NetModel> Walk<'m, M> {
    /// At the initial state.
    ///
    /// # Errors
    /// When the model has none.
    pub fn new(model: &'m mut M) -> Result<Walk<'m, M>, Box<RunError>> {
        let net = model.net().clone();
        let of_unit = net.places.iter().filter(|place| net.types.is_unit(place.domain));
        let of_unit = of_unit.map(|place| place.name.text.clone()).collect();
        let mut walk = Walk { model, words: Vec::new(), hash: 0, of_unit };
        walk.restart()?;
        Ok(walk)
    }

    /// Goes back to the initial state.
    ///
    /// # Errors
    /// When the model has none.
    pub fn restart(&mut self) -> Result<(), Box<RunError>> {
        loop {
            self.words = vec![0; self.model.packing().n_words()];
            match self.model.initial(&mut self.words) {
                Ok(()) => {
                    self.hash = self.model.packing().hash(&self.words);
                    return Ok(());
                }
                Err(Fault::Outgrown(outgrown)) => {
                    self.model.widen(outgrown);
                }
                Err(Fault::Run(error)) => return Err(error),
            }
        }
    }

    /// The places that hold something, with their tokens; tokens without a colour are only counted.
    pub fn places(&self) -> Vec<(String, String)> {
        let mut places = self.model.describe_state(&self.words);
        for (place, tokens) in &mut places {
            if self.of_unit.contains(place.as_str()) {
                *tokens = tokens.strip_suffix("*epsilon").unwrap_or("1").to_owned();
            }
        }
        places
    }

    /// The actions that are enabled.
    ///
    /// # Errors
    /// When a guard cannot be evaluated.
    pub fn enabled(&mut self) -> Result<Vec<ActionId>, Box<RunError>> {
        let mut actions = Vec::new();
        self.model.enabled(&self.words, &mut actions)?;
        Ok(actions)
    }

    /// The transition of an action and its binding, in the model's names.
    pub fn name(&self, action: ActionId) -> (String, Vec<(String, String)>) {
        let net = self.model.net();
        let transition = net.transition(self.model.transition_of(action));
        let values = self.model.binding_of(action);
        let variables = transition.binding.iter().map(|variable| &transition.variables[variable.index()]);
        let shown = variables
            .zip(&values)
            .map(|(variable, value)| (variable.name.text.clone(), net.types.show(variable.ty, value)));
        (transition.name.text.clone(), shown.collect())
    }

    /// Takes an enabled action.
    ///
    /// # Errors
    /// When the model is wrong there; nothing has happened then.
    pub fn take(&mut self, action: ActionId) -> Result<Step, Box<RunError>> {
        let before = self.places();
        loop {
            match self.model.fire(&mut self.words, &mut self.hash, action) {
                Ok(()) => break,
                Err(Fault::Outgrown(outgrown)) => {
                    let old = self.model.widen(outgrown);
                    let mut wider = vec![0; self.model.packing().n_words()];
                    // Fields only grow, so everything fits.
                    let _ = old.repack(&self.words, self.model.packing(), &mut wider);
                    self.words = wider;
                }
                Err(Fault::Run(error)) => return Err(error),
            }
        }
        let (transition, binding) = self.name(action);
        Ok(Step { transition, binding, changes: changes(&before, &self.places()) })
    }
}

/// The run that takes these actions one after the other; `cycle` as in [`Trace`].
///
/// # Errors
/// When the model does not follow it.
pub fn trace<M: NetModel>(
    model: &mut M,
    actions: &[ActionId],
    cycle: Option<usize>,
) -> Result<Trace, Box<RunError>> {
    let mut walk = Walk::new(model)?;
    let initial = walk.places();
    let steps = actions.iter().map(|&action| walk.take(action)).collect::<Result<_, _>>()?;
    Ok(Trace { initial, steps, cycle })
}

/// Follows a trace, and calls `each` after every step with its number and the walk. The trace may come from anywhere: every
/// step is looked for among those that are enabled, and has to change the same places in the same way.
///
/// # Errors
/// Where the trace does not fit the model.
pub fn replay<M: NetModel>(
    model: &mut M,
    trace: &Trace,
    each: &mut dyn FnMut(usize, &Walk<'_, M>),
) -> Result<(), Misfit> {
    let mut walk = Walk::new(model).map_err(Misfit::Failed)?;
    if let Some(change) = changes(&trace.initial, &walk.places()).into_iter().next() {
        return Err(Misfit::Initial { place: change.place });
    }
    let mut entry = (trace.cycle == Some(0)).then(|| walk.places());
    for (i, said) in trace.steps.iter().enumerate() {
        let enabled = walk.enabled().map_err(Misfit::Failed)?;
        let is_it = |&&action: &&ActionId| {
            let (transition, binding) = walk.name(action);
            transition == said.transition && binding == said.binding
        };
        let Some(&action) = enabled.iter().find(is_it) else {
            return Err(Misfit::NotEnabled { step: i + 1, title: said.title() });
        };
        let done = walk.take(action).map_err(Misfit::Failed)?;
        if let Some((done, said)) = difference(&done.changes, &said.changes) {
            let place = done.or(said).map(|change| change.place.clone()).unwrap_or_default();
            let after = |change: Option<&Change>| {
                change.map_or("what it held before".to_owned(), |change| change.after.clone())
            };
            return Err(Misfit::OtherTokens { step: i + 1, place, holds: after(done), said: after(said) });
        }
        if trace.cycle == Some(i + 1) {
            entry = Some(walk.places());
        }
        each(i, &walk);
    }
    match trace.cycle {
        Some(_) if entry.as_ref() != Some(&walk.places()) => Err(Misfit::NoCycle),
        _ => Ok(()),
    }
}

/// The places that differ between two states.
fn changes(before: &[(String, String)], after: &[(String, String)]) -> Vec<Change> {
    let tokens = |state: &[(String, String)], place: &str| {
        state.iter().find(|(name, _)| name == place).map(|(_, tokens)| tokens.clone()).unwrap_or_default()
    };
    let old: BTreeMap<&str, &str> = before.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
    let new: BTreeMap<&str, &str> = after.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
    let mut changes = Vec::new();
    // In the order of the net: what was there, then what is only there now.
    for (place, _) in before.iter().filter(|(place, _)| old.get(place.as_str()) != new.get(place.as_str())) {
        changes.push(Change {
            place: place.clone(),
            before: tokens(before, place),
            after: tokens(after, place),
        });
    }
    for (place, after) in after.iter().filter(|(place, _)| !old.contains_key(place.as_str())) {
        changes.push(Change { place: place.clone(), before: String::new(), after: after.clone() });
    }
    changes
}

/// The first change that is not in both lists.
fn difference<'c>(
    done: &'c [Change],
    said: &'c [Change],
) -> Option<(Option<&'c Change>, Option<&'c Change>)> {
    let in_list = |list: &'c [Change], place: &str| list.iter().find(|change| change.place == place);
    let other = |change: &'c Change| (Some(change), in_list(said, &change.place));
    let changed = done.iter().map(other).find(|(done, said)| done != said);
    let only_said = || said.iter().find(|change| in_list(done, &change.place).is_none());
    changed.or_else(|| only_said().map(|change| (None, Some(change))))
}
