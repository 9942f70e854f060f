//! The progress measure of a model: given with the command, stated in its property file, or derived from the net.

use petite_bits::SlotIdx;
use petite_model::{ActionId, Engine, GroupIdx, Model, UnfoldedNet};
use petite_net::Net;
use petite_net::structure::{Incidence, token_totals};
use petite_search::{Columns, Counted, Measure, MeasureError, Sum, Tendency, derive_weights};

use crate::problem::Problem;
use crate::sweep_args::SweepArgs;

/// A measure that was derived, and what it does along the transitions.
#[derive(Clone, Debug)]
struct Derived {
    measure: Measure,
    tendency: Tendency,
}

/// Where a measure comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was given with the command.
    Given,
    /// The model states it, under this name.
    Stated(String),
    /// It follows from the net.
    Derived,
}

/// A measure for people.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Where it comes from.
    pub origin: Origin,
    /// The terms of the measure, as `--progress` reads them, each with its sign; one text where it was written by somebody.
    pub terms: Vec<String>,
    /// How many instances progress, keep and regress; transitions where instances are not listed. None where what a
    /// transition does depends on its binding, and bindings are not listed.
    pub tendency: Option<Tendency>,
    /// What was counted: instances or transitions.
    pub counted: &'static str,
}

impl Shown {
    /// The first terms of the measure, as many as wanted.
    pub fn text(&self, most: usize) -> String {
        let mut text = self.terms.iter().take(most).cloned().collect::<Vec<_>>().join(" ");
        if let Some(rest) = text.strip_prefix("+ ") {
            text = rest.to_owned();
        }
        if self.terms.len() > most {
            text.push_str(&format!(" and {} terms more", self.terms.len() - most));
        }
        text
    }
}

/// The measure of a sweep: the one that was given, else the one that the model states, else one that follows from the net.
///
/// # Errors
/// What is wrong with the expression; that there is none, and none could be derived.
pub fn measure(engine: &Engine, net: &Net, args: &SweepArgs) -> Result<Measure, Problem> {
    match written(engine, net, args.progress.as_deref())? {
        Some((measure, _, _)) => Ok(measure),
        None => derived(engine, net).map(|derived| derived.measure).ok_or_else(|| {
            Problem::plain("no progress measure could be derived from the net")
                .help("state one with --progress, or use --search bfs")
        }),
    }
}

/// The measure as a person would write it, and what it does; `None` where there is none.
///
/// # Errors
/// What is wrong with the expression.
pub fn shown(engine: &Engine, net: &Net, given: Option<&str>) -> Result<Option<Shown>, Problem> {
    let counted = match engine {
        Engine::Unfolded(_) => "instances",
        Engine::Binding(_) => "transitions",
    };
    if let Some((measure, text, origin)) = written(engine, net, given)? {
        let tendency = tendency(engine, net, &measure);
        return Ok(Some(Shown { origin, terms: vec![text], tendency, counted }));
    }
    let shown = |Derived { measure, tendency }| Shown {
        origin: Origin::Derived,
        terms: terms(engine, net, &measure),
        tendency: Some(tendency),
        counted,
    };
    Ok(derived(engine, net).map(shown))
}

/// The measure that somebody has written, with its text.
fn written(
    engine: &Engine,
    net: &Net,
    given: Option<&str>,
) -> Result<Option<(Measure, String, Origin)>, Problem> {
    let parse = |text: &str| -> Result<Measure, MeasureError> {
        match engine {
            Engine::Unfolded(model) => Measure::parse(text, &**model),
            Engine::Binding(model) => Measure::parse(text, &**model),
        }
    };
    match (given, &net.progress) {
        (Some(text), _) => {
            let wrong = |error| Problem::plain(format!("--progress: {error}")).note(format!("in: {text}"));
            Ok(Some((parse(text).map_err(wrong)?, text.to_owned(), Origin::Given)))
        }
        (None, Some(stated)) => {
            let wrong = |error: MeasureError| {
                let message =
                    format!("the progress measure {} cannot be used: {}", stated.name, error.message);
                Problem::of_source(stated.span, "in this measure", message)
                    .help("change it, or give another one with --progress")
            };
            let origin = Origin::Stated(stated.name.text.clone());
            Ok(Some((parse(&stated.text).map_err(wrong)?, stated.text.clone(), origin)))
        }
        (None, None) => Ok(None),
    }
}

/// What a measure does along all instances, or along all transitions where instances are not listed.
fn tendency(engine: &Engine, net: &Net, measure: &Measure) -> Option<Tendency> {
    let mut tendency = Tendency::default();
    match engine {
        Engine::Unfolded(model) => {
            let incidence = model.incidence();
            for (column, action) in incidence.columns().zip((0..model.n_actions()).map(ActionId::new)) {
                let (slots, groups) = (incidence.changes(column), model.group_changes(action));
                let change = |counted: Counted| match counted {
                    Counted::Slot(slot) => by(slots, |&(other, _)| other == slot),
                    Counted::Group(group) => by(groups, |&(other, _)| other == group),
                };
                tendency.count(direction(measure, change));
            }
        }
        Engine::Binding(_) => {
            let totals = token_totals(net);
            let unknown = uncountable(&totals, net.transitions.len());
            for column in totals.columns().take(net.transitions.len()) {
                let mut is_known = true;
                let change = |counted: Counted| match counted {
                    Counted::Group(group) if !unknown.contains(&SlotIdx(group.0)) => {
                        by(totals.changes(column), |&(other, _)| other.0 == group.0)
                    }
                    _ => {
                        is_known = false;
                        0
                    }
                };
                let direction = direction(measure, change);
                if !is_known {
                    return None;
                }
                tendency.count(direction);
            }
        }
    }
    Some(tendency)
}

/// The change of what is wanted.
fn by<T>(changes: &[(T, i64)], is_wanted: impl Fn(&(T, i64)) -> bool) -> i128 {
    changes.iter().filter(|change| is_wanted(change)).map(|&(_, by)| i128::from(by)).sum()
}

/// Whether a change of the counts increases the measure (1), keeps it (0) or decreases it (-1): the first sum that changes
/// decides.
fn direction(measure: &Measure, mut change: impl FnMut(Counted) -> i128) -> i128 {
    let mut sums = measure.sums.iter().map(|sum| {
        sum.terms.iter().map(|&(counted, weight)| i128::from(weight) * change(counted)).sum::<i128>()
    });
    sums.find(|&sum| sum != 0).map_or(0, i128::signum)
}

/// The terms of a measure that was derived.
fn terms(engine: &Engine, net: &Net, measure: &Measure) -> Vec<String> {
    let quoted = |name: &str| match name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => name.to_owned(),
        false => format!("\"{name}\""),
    };
    let place = |group: usize| quoted(&net.places[group].name.text);
    let count = |counted: Counted| match (counted, engine) {
        (Counted::Slot(slot), Engine::Unfolded(model)) => {
            let layout = model.layout();
            let group = layout.slots[slot.index()].group.index();
            let is_only = layout.groups[group].end.0 - layout.groups[group].first.0 == 1;
            match is_only {
                true => place(group),
                false => format!("{}({})", place(group), bare(&model.describe_slot(slot))),
            }
        }
        (Counted::Slot(slot), Engine::Binding(_)) => place(slot.index()),
        (Counted::Group(group), _) => place(group.index()),
    };
    let term = |&(counted, weight): &(Counted, i64)| {
        let sign = if weight < 0 { "-" } else { "+" };
        match weight.unsigned_abs() {
            1 => format!("{sign} {}", count(counted)),
            times => format!("{sign} {times}*{}", count(counted)),
        }
    };
    measure.sums.iter().flat_map(|sum| sum.terms.iter().map(term)).collect()
}

/// A token without the brackets that some languages put around it.
fn bare(token: &str) -> &str {
    let token = token.trim().trim_start_matches('<').trim_end_matches('>').trim();
    token.strip_prefix('(').and_then(|token| token.strip_suffix(')')).unwrap_or(token).trim()
}

/// Derives a measure; `None` where there is none, or the net is too large for that.
fn derived(engine: &Engine, net: &Net) -> Option<Derived> {
    match engine {
        Engine::Unfolded(model) => by_colours(model).or_else(|| by_places(model)),
        Engine::Binding(_) => by_inscriptions(net),
    }
}

/// With a weight for each colour of each place.
fn by_colours(model: &UnfoldedNet) -> Option<Derived> {
    derive(&model.incidence(), &transitions(model), &[], Counted::Slot)
}

/// With a weight for each place.
fn by_places(model: &UnfoldedNet) -> Option<Derived> {
    let mut changes = Incidence::new(model.layout().groups.len());
    for action in (0..model.n_actions()).map(ActionId::new) {
        let groups = model.group_changes(action).iter();
        changes.push([], groups.map(|&(group, by)| (SlotIdx(group.0), by)));
    }
    derive(&changes, &transitions(model), &[], |slot| Counted::Group(GroupIdx(slot.0)))
}

/// With a weight for each place, of a net whose instances nobody has listed.
fn by_inscriptions(net: &Net) -> Option<Derived> {
    let totals = token_totals(net);
    let n_transitions = net.transitions.len();
    let unknown = uncountable(&totals, n_transitions);
    let transition_of: Vec<u32> = (0..n_transitions as u32).collect();
    derive(&totals, &transition_of, &unknown, |slot| Counted::Group(GroupIdx(slot.0)))
}

/// The places that cannot be counted on: the columns behind the transitions name them.
fn uncountable(totals: &Incidence, n_transitions: usize) -> Vec<SlotIdx> {
    let columns = totals.columns().skip(n_transitions);
    columns.flat_map(|column| totals.changes(column).iter().map(|&(slot, _)| slot)).collect()
}

fn transitions(model: &UnfoldedNet) -> Vec<u32> {
    let actions = (0..model.n_actions()).map(ActionId::new);
    actions.map(|action| model.transition(action).map_or(0, |transition| transition.0)).collect()
}

fn derive(
    incidence: &Incidence,
    transition_of: &[u32],
    unknown: &[SlotIdx],
    counted: impl Fn(SlotIdx) -> Counted,
) -> Option<Derived> {
    let (weights, tendency) = derive_weights(Columns { incidence, transition_of, unknown })?;
    let terms = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
    let terms = terms.map(|(slot, &weight)| (counted(SlotIdx::new(slot)), weight)).collect();
    Some(Derived { measure: Measure { sums: vec![Sum { terms }] }, tendency })
}
