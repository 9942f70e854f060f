//! The nested units of a net: looking up what they name.

use std::collections::HashMap;

use petite_net::{Nupn, PlaceIdx, Span, Unit, UnitIdx};

use super::document::{Document, Units};
use super::ids::Role;
use super::xml::Text;
use crate::Diagnostic;

/// What to do about units that do not fit the net.
const HELP: &str = "correct the <toolspecific tool=\"nupn\"> element, or remove it: the net does not need it";

/// The units of a document.
///
/// # Errors
/// The first thing that is wrong with them: an unknown name, a place in two units, units that make no tree.
pub(super) fn resolve(units: &Units<'_>, document: &Document<'_>) -> Result<Nupn, Diagnostic> {
    let mut numbers: HashMap<&str, UnitIdx> = HashMap::new();
    for (i, unit) in units.units.iter().enumerate() {
        if numbers.insert(&unit.id.value, UnitIdx::new(i)).is_some() {
            return Err(wrong(unit.id.span, format!("there is already a unit {}", unit.id.value)));
        }
    }
    let unit = |id: &str, span: Span| {
        let number = numbers.get(id).copied();
        number.ok_or_else(|| wrong(span, format!("there is no unit {id}")))
    };
    let root = unit(&units.root.value, units.root.span)?;
    let mut owners: Vec<bool> = vec![false; document.places.len()];
    let mut nested: Vec<bool> = vec![false; units.units.len()];
    let mut resolved = Vec::new();
    for declared in &units.units {
        let mut places = Vec::new();
        for (id, span) in words(declared.places.as_ref()) {
            let place = place(document, id, span)?;
            if std::mem::replace(&mut owners[place.index()], true) {
                return Err(wrong(span, format!("the place {id} is in two units")));
            }
            places.push(place);
        }
        let mut subunits = Vec::new();
        for (id, span) in words(declared.subunits.as_ref()) {
            let subunit = unit(id, span)?;
            if subunit == root || std::mem::replace(&mut nested[subunit.index()], true) {
                return Err(wrong(span, format!("the unit {id} is nested in two units, or is the root")));
            }
            subunits.push(subunit);
        }
        resolved.push(Unit { name: declared.id.value.to_string(), places, subunits });
    }
    // Each unit is nested at most once, so those that the root does not reach are alone or in a circle.
    let (mut work, mut n_reached) = (vec![root], 0);
    while let Some(unit) = work.pop() {
        n_reached += 1;
        work.extend_from_slice(&resolved[unit.index()].subunits);
    }
    if n_reached != resolved.len() {
        let message = format!("the unit {} does not contain all others", units.root.value);
        return Err(wrong(units.root.span, message));
    }
    Ok(Nupn { root, units: resolved, safe: units.safe })
}

fn place(document: &Document<'_>, id: &str, span: Span) -> Result<PlaceIdx, Diagnostic> {
    match document.ids.find(id).map(|id| document.ids.role(id)) {
        Some(Role::Place(place)) => Ok(place),
        _ => Err(wrong(span, format!("there is no place {id}"))),
    }
}

/// The words of a text, each with its own span where the text stands in the source as it is.
fn words<'t>(text: Option<&'t Text<'_>>) -> impl Iterator<Item = (&'t str, Span)> {
    text.into_iter().flat_map(|text| {
        text.value.split_whitespace().map(|word| {
            let at = (word.as_ptr().addr() - text.value.as_ptr().addr()) as u32;
            let start = text.span.start.saturating_add(at).min(text.span.end);
            let end = start.saturating_add(word.len() as u32).min(text.span.end);
            (word, Span { start, end, ..text.span })
        })
    })
}

fn wrong(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(span, message).label("in the units of the net").help(HELP)
}
