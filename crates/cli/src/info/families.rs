//! Invariants as people write them, those that look alike told once.
//!
//! In a coloured net an invariant tends to hold for every colour: `idle(1) + busy(1) = 1`, `idle(2) + busy(2) = 1`
//! and so on. They are one family when they have the same value and take as many colours of the same places with
//! the same weights; the first stands for all. Where an invariant takes all colours of a place alike, the place's
//! name stands for them.

use std::collections::HashMap;

use petite_bits::SlotIdx;
use petite_model::{Model, UnfoldedNet};
use petite_net::structure::Invariant;

/// Invariants that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The weighted names of the first one.
    pub terms: Vec<(i64, String)>,
    /// The value of the sum.
    pub value: i128,
    /// How many there are.
    pub members: u64,
}

/// What invariants of one family have in common: how often each weight occurs in each place.
type Shape = Vec<(usize, i64, usize)>;

/// Gives slots their names.
pub enum Namer<'a> {
    /// Slot number `i` is place number `i`, with these names.
    Places(&'a [&'a str]),
    /// Slots are those of a model, colours of its places.
    Colours(&'a UnfoldedNet),
}

impl Namer<'_> {
    fn place(&self, slot: SlotIdx) -> usize {
        match self {
            Namer::Places(_) => slot.index(),
            Namer::Colours(model) => model.layout().slots[slot.index()].group.index(),
        }
    }

    fn n_slots(&self, place: usize) -> usize {
        match self {
            Namer::Places(_) => 1,
            Namer::Colours(model) => {
                let group = &model.layout().groups[place];
                (group.end.0 - group.first.0) as usize
            }
        }
    }

    fn place_name(&self, place: usize) -> &str {
        match self {
            Namer::Places(names) => names[place],
            Namer::Colours(model) => &model.layout().groups[place].name,
        }
    }

    fn slot_name(&self, slot: SlotIdx) -> String {
        let place = self.place_name(self.place(slot));
        match self {
            Namer::Places(_) => place.to_owned(),
            Namer::Colours(model) => {
                let token = model.describe_slot(slot);
                let components = token.strip_prefix("<(").and_then(|token| token.strip_suffix(")>"));
                // Without blanks, so that a line is never broken within a name.
                format!("{place}({})", components.unwrap_or(&token).replace(' ', ""))
            }
        }
    }

    /// The weighted names of an invariant; all colours of a place with one weight are its name.
    fn terms(&self, invariant: &Invariant) -> Vec<(i64, String)> {
        let mut terms = Vec::new();
        for slots in invariant.weights.chunk_by(|a, b| self.place(a.0) == self.place(b.0)) {
            let (first, weight) = slots[0];
            let place = self.place(first);
            if slots.len() == self.n_slots(place) && slots.iter().all(|(_, other)| *other == weight) {
                terms.push((weight, self.place_name(place).to_owned()));
            } else {
                terms.extend(slots.iter().map(|&(slot, weight)| (weight, self.slot_name(slot))));
            }
        }
        terms
    }

    /// The shape of an invariant.
    fn shape(&self, invariant: &Invariant) -> Shape {
        let mut parts: Vec<(usize, i64)> =
            invariant.weights.iter().map(|&(slot, weight)| (self.place(slot), weight)).collect();
        parts.sort_unstable();
        parts.chunk_by(|a, b| a == b).map(|same| (same[0].0, same[0].1, same.len())).collect()
    }
}

/// The families of invariants, in the order of their first members; those of one place alone come last.
pub fn families(invariants: &[&Invariant], initial: &[u64], namer: &Namer<'_>) -> Vec<Family> {
    let mut known: HashMap<(i128, Shape), usize> = HashMap::new();
    let mut families: Vec<Family> = Vec::new();
    for invariant in invariants {
        // A value beyond 128 bits needs more tokens than can be counted.
        let Some(value) = invariant.value(initial) else { continue };
        let family = *known.entry((value, namer.shape(invariant))).or_insert_with(|| {
            families.push(Family { terms: namer.terms(invariant), value, members: 0 });
            families.len() - 1
        });
        families[family].members += 1;
    }
    families.sort_by_key(|family| family.terms.len() == 1);
    families
}

impl Family {
    /// The first one as text, at most so many terms of it.
    pub fn text(&self, most_terms: usize) -> String {
        let mut text = String::new();
        for (i, (weight, name)) in self.terms.iter().take(most_terms).enumerate() {
            text.push_str(match (i, *weight < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            if weight.unsigned_abs() != 1 {
                text.push_str(&format!("{}*", weight.unsigned_abs()));
            }
            text.push_str(name);
        }
        let left = self.terms.len().saturating_sub(most_terms);
        if left > 0 {
            text.push_str(&format!(" + ... ({left} more)"));
        }
        text.push_str(&format!(" = {}", self.value));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invariant(weights: &[(u32, i64)]) -> Invariant {
        Invariant { weights: weights.iter().map(|&(slot, weight)| (SlotIdx(slot), weight)).collect() }
    }

    #[test]
    fn an_invariant_is_a_readable_equation() {
        let names = ["idle", "waiting", "cs"];
        let namer = Namer::Places(&names);
        let all = [invariant(&[(1, 1)]), invariant(&[(0, 1), (1, 1), (2, 1)]), invariant(&[(0, -2), (2, 3)])];
        let families = families(&all.iter().collect::<Vec<_>>(), &[3, 0, 1], &namer);
        let texts: Vec<_> = families.iter().map(|family| family.text(9)).collect();
        assert_eq!(texts, ["idle + waiting + cs = 4", "-2*idle + 3*cs = -3", "waiting = 0"]);
        assert_eq!(families[0].text(2), "idle + waiting + ... (1 more) = 4");
    }
}
