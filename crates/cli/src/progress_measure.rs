//! The progress measure that follows from a net.

use petite_bits::SlotIdx;
use petite_model::{ActionId, Engine, GroupIdx, Model, UnfoldedNet};
use petite_net::Net;
use petite_net::structure::{Incidence, token_totals};
use petite_search::{Columns, Counted, Measure, Sum, Tendency, derive_weights};

/// A measure that was derived, and what it does along the transitions.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The measure.
    pub measure: Measure,
    /// How many instances progress, keep and regress; transitions where they were not listed.
    pub tendency: Tendency,
}

/// A derived measure for people.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The terms of the sum, as `--progress` reads them, each with its sign.
    pub terms: Vec<String>,
    /// How many instances progress, keep and regress.
    pub tendency: Tendency,
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

/// Derives a measure and writes it as a person would.
pub fn shown(engine: &Engine, net: &Net) -> Option<Shown> {
    let Derived { measure, tendency } = derived(engine, net)?;
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
    let terms = measure.sums.iter().flat_map(|sum| sum.terms.iter().map(term)).collect();
    Some(Shown { terms, tendency })
}

/// A token without the brackets that some languages put around it.
fn bare(token: &str) -> &str {
    let token = token.trim().trim_start_matches('<').trim_end_matches('>').trim();
    token.strip_prefix('(').and_then(|token| token.strip_suffix(')')).unwrap_or(token).trim()
}

/// Derives a measure; `None` where there is none, or the net is too large for that.
pub fn derived(engine: &Engine, net: &Net) -> Option<Derived> {
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
    // Columns behind the transitions name the places that cannot be counted on.
    let unknown: Vec<SlotIdx> = totals
        .columns()
        .skip(n_transitions)
        .flat_map(|column| totals.changes(column).iter().map(|&(slot, _)| slot))
        .collect();
    let transition_of: Vec<u32> = (0..n_transitions as u32).collect();
    derive(&totals, &transition_of, &unknown, |slot| Counted::Group(GroupIdx(slot.0)))
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
