//! Facts for programs: one JSON object with its fields always in the same order.

use serde::Serialize;

use super::facts::{Because, Bounded, Facts, Listed, Safe};
use super::text::Extent;
use crate::json::{Pairs, text_of};
use crate::progress_measure::Origin;

/// Most families of invariants unless everything is asked for.
const FAMILIES: usize = 1000;

/// The facts as a document.
pub fn text(facts: &Facts, extent: Extent) -> String {
    let bounds: Vec<(String, Option<u64>)> =
        facts.bounds.iter().map(|bound| (bound.place.clone(), bound.tokens)).collect();
    let unfolded = facts.unfolded;
    text_of(&Document {
        model: &facts.model,
        net: &facts.net,
        params: Pairs(&facts.params),
        places: facts.places,
        transitions: facts.transitions,
        arcs: facts.arcs,
        inhibitor_arcs: facts.inhibitor_arcs,
        slots: unfolded.map(|unfolded| unfolded.slots),
        instances: unfolded.map(|unfolded| unfolded.instances),
        state_bits: unfolded.map(|unfolded| unfolded.state_bits),
        structurally_bounded: match facts.bounded {
            Bounded::Yes => Some(true),
            Bounded::No { .. } => Some(false),
            Bounded::Unknown => None,
        },
        growth: Growth::of(&facts.bounded),
        safe: match facts.safe {
            Safe::Yes(_) => Some(true),
            Safe::No => Some(false),
            Safe::Unknown => None,
        },
        safe_because: match facts.safe {
            Safe::Yes(because) => Some(name(because)),
            Safe::No => Some("initial-marking"),
            Safe::Unknown => None,
        },
        units: facts.units.map(|units| Units { count: units.count, safe: units.safe }),
        place_invariants: Invariants::of(&facts.place_invariants, extent),
        colour_invariants: facts.colour_invariants.as_ref().map(|listed| Invariants::of(listed, extent)),
        place_bounds: Pairs(&bounds),
        progress: facts.progress.as_ref().map(|shown| ProgressOf {
            measure: shown.text(usize::MAX),
            origin: match shown.origin {
                Origin::Given => "given",
                Origin::Stated(_) => "stated",
                Origin::Derived => "derived",
            },
            progressing: shown.tendency.map(|tendency| tendency.progressing),
            keeping: shown.tendency.map(|tendency| tendency.keeping),
            regressing: shown.tendency.map(|tendency| tendency.regressing),
            monotone: shown.tendency.map(|tendency| tendency.is_monotone()),
        }),
        properties: facts.properties.iter().map(|(name, kind)| Property { name, kind }).collect(),
    })
}

fn name(because: Because) -> &'static str {
    match because {
        Because::Structure => "structure",
        Because::Capacity => "capacities",
        Because::Units => "units",
    }
}

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    net: &'a str,
    params: Pairs<'a, i64>,
    places: u64,
    transitions: u64,
    arcs: u64,
    inhibitor_arcs: u64,
    slots: Option<u64>,
    instances: Option<u64>,
    state_bits: Option<u64>,
    structurally_bounded: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Growth<'a>>,
    safe: Option<bool>,
    safe_because: Option<&'a str>,
    units: Option<Units>,
    place_invariants: Invariants,
    colour_invariants: Option<Invariants>,
    place_bounds: Pairs<'a, Option<u64>>,
    progress: Option<ProgressOf>,
    properties: Vec<Property<'a>>,
}

#[derive(Serialize)]
struct ProgressOf {
    measure: String,
    origin: &'static str,
    progressing: Option<u64>,
    keeping: Option<u64>,
    regressing: Option<u64>,
    monotone: Option<bool>,
}

#[derive(Serialize)]
struct Growth<'a> {
    actions: Pairs<'a, u64>,
    places: &'a [String],
}

impl Growth<'_> {
    fn of(bounded: &Bounded) -> Option<Growth<'_>> {
        match bounded {
            Bounded::No { actions, places } => Some(Growth { actions: Pairs(actions), places }),
            Bounded::Yes | Bounded::Unknown => None,
        }
    }
}

#[derive(Serialize)]
struct Units {
    count: u64,
    safe: bool,
}

#[derive(Serialize)]
struct Invariants {
    count: u64,
    complete: bool,
    families: Vec<FamilyOf>,
}

#[derive(Serialize)]
struct FamilyOf {
    text: String,
    /// Null where it leaves 64 bits; the text has it in full.
    value: Option<i64>,
    members: u64,
}

impl Invariants {
    fn of(listed: &Listed, extent: Extent) -> Invariants {
        let most = if extent == Extent::Everything { usize::MAX } else { FAMILIES };
        let family = |family: &super::families::Family| FamilyOf {
            text: family.text(usize::MAX),
            value: i64::try_from(family.value).ok(),
            members: family.members,
        };
        let families = listed.families.iter().take(most).map(family).collect();
        Invariants { count: listed.count, complete: listed.complete, families }
    }
}

#[derive(Serialize)]
struct Property<'a> {
    name: &'a str,
    kind: &'a str,
}
