//! Everything that can be said of a model without exploring it.
//!
//! A net that was unfolded is analysed twice: by its slots, one for each colour of a place, and by its places, as
//! if all tokens were black. The second gives the sums that people know; the first knows more. A net with too many
//! bindings to unfold is analysed by its places alone, from the inscriptions of its arcs.

use std::rc::Rc;

use petite_bits::SlotIdx;
use petite_model::{ActionId, Engine, Group, Model, UnfoldedNet};
use petite_net::structure::{
    Boundedness, Effort, Incidence, Invariant, Invariants, SlotBounds, boundedness, independent,
    invariant_basis, semiflows, token_totals,
};
use petite_net::{Arc, Cardinality, Net, PlaceIdx, PropertyKind};

use super::families::{Family, Namer, families};
use crate::progress_measure::Shown;

/// What is known of a model.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The path as it was given.
    pub model: String,
    /// The net's name.
    pub net: String,
    /// The net's parameters and the values used.
    pub params: Vec<(String, i64)>,
    /// Number of places.
    pub places: u64,
    /// Number of transitions.
    pub transitions: u64,
    /// Number of input and output arcs.
    pub arcs: u64,
    /// Number of inhibitor arcs.
    pub inhibitor_arcs: u64,
    /// Size of the unfolded net; none where there are too many bindings.
    pub unfolded: Option<Unfolded>,
    /// Invariants of the numbers of tokens in places.
    pub place_invariants: Listed,
    /// Invariants of the colours of places, for a coloured net that was unfolded.
    pub colour_invariants: Option<Listed>,
    /// What is known of each place.
    pub bounds: Vec<PlaceBound>,
    /// Whether the structure alone keeps the net bounded.
    pub bounded: Bounded,
    /// Whether no token is twice in a place.
    pub safe: Safe,
    /// The nested units that the model states.
    pub units: Option<Units>,
    /// The progress measure: given, stated, or derived; none where no transition can progress.
    pub progress: Option<Shown>,
    /// Names and kinds of the properties.
    pub properties: Vec<(String, &'static str)>,
}

/// Size of an unfolded net.
#[derive(Clone, Copy, Debug)]
pub struct Unfolded {
    /// Colours that places may hold, all places taken together.
    pub slots: u64,
    /// Transitions with a binding that may be enabled.
    pub instances: u64,
    /// Bits of a state at the start of a search.
    pub state_bits: u64,
}

/// Invariants that were found.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// Those that look alike are one family.
    pub families: Vec<Family>,
    /// How many there are in all families.
    pub count: u64,
    /// Whether there are no others, but for sums of these.
    pub complete: bool,
}

/// What is known of the number of tokens in a place.
#[derive(Clone, Debug)]
pub struct PlaceBound {
    /// The place's name.
    pub place: String,
    /// Most tokens, where that is known.
    pub tokens: Option<u64>,
    /// Most tokens of one colour, where that is known; none for a place of black tokens, too.
    pub alike: Option<u64>,
    /// How the first of these is known.
    pub because: Because,
}

/// How a fact is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// It follows from the arcs and the initial marking.
    Structure,
    /// The place states a capacity, and a search ends with an error where it is exceeded.
    Capacity,
    /// The model promises it with its nested units.
    Units,
}

/// Whether the structure alone keeps a net bounded, whatever the initial marking.
#[derive(Clone, Debug, Default)]
pub enum Bounded {
    /// It does.
    Yes,
    /// It does not: with enough tokens, actions can be repeated for ever, and places grow.
    No {
        /// The actions in words, each with how often it happens in one round.
        actions: Vec<(String, u64)>,
        /// The places that grow.
        places: Vec<String>,
    },
    /// Not decided.
    #[default]
    Unknown,
}

/// Whether no place ever holds a token twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Safe {
    /// It is so.
    Yes(Because),
    /// The initial marking has such a token.
    No,
    /// Not known without exploring.
    #[default]
    Unknown,
}

/// Nested units.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// How many there are.
    pub count: u64,
    /// Whether the model promises that at most one place of each is marked.
    pub safe: bool,
}

/// Finds out what there is to know beside the progress measure, which is given.
pub fn facts(model: String, net: &Rc<Net>, engine: &Engine, progress: Option<Shown>) -> Facts {
    let n_arcs = |arcs: &[Arc]| arcs.len() as u64;
    let transitions = net.transitions.iter();
    let mut facts = Facts {
        model,
        net: net.name.text.clone(),
        params: net.params.iter().map(|(name, value)| (name.text.clone(), *value)).collect(),
        places: net.places.len() as u64,
        transitions: net.transitions.len() as u64,
        arcs: transitions.clone().map(|t| n_arcs(&t.inputs) + n_arcs(&t.outputs)).sum(),
        inhibitor_arcs: transitions.map(|t| n_arcs(&t.inhibitors)).sum(),
        units: net.nupn.as_ref().map(|units| Units { count: units.units.len() as u64, safe: units.safe }),
        properties: net.properties.iter().map(|p| (p.name.text.clone(), kind(&p.kind))).collect(),
        progress,
        ..Facts::default()
    };
    match engine {
        Engine::Unfolded(unfolded) => by_slots(&mut facts, net, unfolded),
        Engine::Binding(_) => by_inscriptions(&mut facts, net),
    }
    facts
}

fn kind(kind: &PropertyKind) -> &'static str {
    match kind {
        PropertyKind::State { .. } => "state",
        PropertyKind::Ltl(_) => "ltl",
    }
}

// ---------------------------------------------------------------------------------------------------------
// The two analyses
// ---------------------------------------------------------------------------------------------------------

/// What was found by the analysis of one incidence matrix.
struct Analysis {
    incidence: Incidence,
    initial: Vec<u64>,
    flows: Invariants,
    boundedness: Boundedness,
    /// The semiflows, and the weights that prove the net bounded, as such and without semiflows.
    proofs: Vec<Invariant>,
    bounds: SlotBounds,
}

impl Analysis {
    fn new(incidence: Incidence, initial: Vec<u64>) -> Analysis {
        let flows = semiflows(&incidence, &mut Effort::THOROUGH.clone());
        let boundedness = boundedness(&incidence, &flows.found, &mut Effort::THOROUGH.clone());
        let mut proofs = flows.found.clone();
        if let Boundedness::Bounded(proof) = &boundedness {
            proofs.push(proof.reduced_by(&flows.found));
            proofs.push(proof.clone());
        }
        let bounds = SlotBounds::new(&incidence, &initial, &proofs);
        Analysis { incidence, initial, flows, boundedness, proofs, bounds }
    }

    fn is_safe(&self) -> bool {
        let mut slots = (0..self.incidence.n_slots()).map(SlotIdx::new);
        slots.all(|slot| self.bounds.of(slot).is_some_and(|most| most <= 1))
    }
}

fn by_slots(facts: &mut Facts, net: &Net, model: &UnfoldedNet) {
    let layout = model.layout();
    facts.unfolded = Some(Unfolded {
        slots: layout.slots.len() as u64,
        instances: model.n_actions() as u64,
        state_bits: model.packing().n_bits() as u64,
    });
    let mut changes = Incidence::new(net.places.len());
    for action in (0..model.n_actions()).map(ActionId::new) {
        let groups = model.group_changes(action).iter();
        changes.push([], groups.map(|&(group, by)| (SlotIdx(group.0), by)));
    }
    let places = Analysis::new(changes, totals(net));
    let n_colours = |group: &Group| u64::from(group.end.0 - group.first.0);
    // In a net of black tokens the places are the slots, but for those that are never marked.
    let is_coloured = layout.groups.iter().any(|group| n_colours(group) > 1);
    let colours = is_coloured.then(|| Analysis::new(model.incidence(), model.initial_counts()));
    let place_of: Vec<PlaceIdx> = layout.slots.iter().map(|slot| PlaceIdx(slot.group.0)).collect();
    let sums = colours.as_ref().map(|colours| {
        colours.bounds.of_places(&place_of, net.places.len(), &colours.initial, &colours.proofs)
    });
    for (p, group) in layout.groups.iter().enumerate() {
        let at = SlotIdx::new(p);
        let alike = colours.as_ref().map(|colours| {
            let slots = (group.first.0..group.end.0).map(SlotIdx);
            slots.map(|slot| colours.bounds.of(slot)).try_fold(0, |most: u64, bound| Some(most.max(bound?)))
        });
        let proved = Proved {
            tokens: least(sums.as_ref().and_then(|sums| sums[p]), places.bounds.of(at)),
            alike: alike.unwrap_or(places.bounds.of(at)),
            n_colours: Some(n_colours(group)),
        };
        facts.bounds.push(place_bound(net, PlaceIdx::new(p), &proved));
    }
    let finest = colours.as_ref().unwrap_or(&places);
    facts.safe = safety(net, finest.is_safe());
    facts.bounded = match &finest.boundedness {
        Boundedness::Bounded(_) => Bounded::Yes,
        Boundedness::Unbounded(growth) => {
            let place = |slot: SlotIdx| if is_coloured { place_of[slot.index()] } else { PlaceIdx(slot.0) };
            let mut grow: Vec<PlaceIdx> = growth.slots.iter().map(|&(slot, _)| place(slot)).collect();
            grow.dedup();
            Bounded::No {
                actions: growth
                    .columns
                    .iter()
                    .map(|&(c, times)| (model.describe(ActionId(c.0)), times))
                    .collect(),
                places: grow.into_iter().map(|place| net.place(place).name.text.clone()).collect(),
            }
        }
        Boundedness::Unknown => Bounded::Unknown,
    };
    facts.place_invariants = listed(&places, &Namer::Places(&place_names(net)));
    facts.colour_invariants = colours.as_ref().map(|colours| listed(colours, &Namer::Colours(model)));
}

fn by_inscriptions(facts: &mut Facts, net: &Net) {
    let places = Analysis::new(token_totals(net), totals(net));
    // That a binding could make places grow does not mean that there is such a binding.
    if matches!(places.boundedness, Boundedness::Bounded(_)) {
        facts.bounded = Bounded::Yes;
    }
    for (p, place) in net.places.iter().enumerate() {
        let tokens = places.bounds.of(SlotIdx::new(p));
        let n_colours = match net.types.cardinality(place.domain) {
            Cardinality::Word(n) => Some(n),
            _ => None,
        };
        facts.bounds.push(place_bound(net, PlaceIdx::new(p), &Proved { tokens, alike: tokens, n_colours }));
    }
    facts.safe = safety(net, places.is_safe());
    facts.place_invariants = listed(&places, &Namer::Places(&place_names(net)));
}

fn place_names(net: &Net) -> Vec<&str> {
    net.places.iter().map(|place| place.name.text.as_str()).collect()
}

/// The number of tokens in each place at the start.
fn totals(net: &Net) -> Vec<u64> {
    net.places.iter().map(|place| place.initial.total()).collect()
}

/// Semiflows, and with them as many invariants with negative weights as it takes to span all there are.
fn listed(analysis: &Analysis, namer: &Namer<'_>) -> Listed {
    let flows = &analysis.flows;
    let basis = invariant_basis(&analysis.incidence, &mut Effort::THOROUGH.clone());
    let mut effort = Effort::THOROUGH;
    let mut all: Vec<&Invariant> = flows.found.iter().collect();
    let spanning = independent(flows.found.iter().chain(&basis.found), &mut effort);
    all.extend(spanning.into_iter().filter(|invariant| !invariant.is_semiflow()));
    Listed {
        count: all.len() as u64,
        complete: flows.complete && basis.complete && effort.steps > 0,
        families: families(&all, &analysis.initial, namer),
    }
}

// ---------------------------------------------------------------------------------------------------------
// Conclusions
// ---------------------------------------------------------------------------------------------------------

/// What the structure says of a place.
struct Proved {
    tokens: Option<u64>,
    /// Most tokens of one colour.
    alike: Option<u64>,
    /// How many colours its tokens may have.
    n_colours: Option<u64>,
}

fn place_bound(net: &Net, place: PlaceIdx, proved: &Proved) -> PlaceBound {
    let declared = net.place(place);
    let per_token = declared.capacity.per_token.map(u64::from);
    let of_total = declared.capacity.total.as_ref().and_then(|ranges| ranges.last());
    let of_colours = per_token.and_then(|each| each.checked_mul(proved.n_colours?));
    let stated = least(of_total.map(|&(_, most)| u64::from(most)), of_colours);
    let promised = net.nupn.as_ref().filter(|units| units.safe).map(|_| 1);
    let tokens = least(promised, least(proved.tokens, stated));
    let is_black = net.types.cardinality(declared.domain) == Cardinality::Word(1);
    PlaceBound {
        place: declared.name.text.clone(),
        tokens,
        alike: least(promised, least(proved.alike, per_token)).filter(|_| !is_black),
        because: match tokens {
            _ if tokens == proved.tokens => Because::Structure,
            _ if tokens == promised => Because::Units,
            _ => Because::Capacity,
        },
    }
}

fn safety(net: &Net, is_proved: bool) -> Safe {
    let twice = net.places.iter().any(|place| place.initial.iter().any(|(_, count)| count > 1));
    let stated = net.places.iter().all(|place| place.capacity.per_token.is_some_and(|most| most <= 1));
    if twice {
        Safe::No
    } else if is_proved {
        Safe::Yes(Because::Structure)
    } else if net.nupn.as_ref().is_some_and(|units| units.safe) {
        Safe::Yes(Because::Units)
    } else if stated {
        Safe::Yes(Because::Capacity)
    } else {
        Safe::Unknown
    }
}

fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
