//! What layouts say of nets: widths, bounds and colours of slots.

use petite_bits::{Outgrown, Packing, SlotIdx, width_of};
use petite_net::{
    Cardinality, Net, Place, PlaceIdx, Value,
    structure::{Effort, Incidence, SlotBounds, semiflows},
};

use crate::{Content, Group, GroupIdx, Layout, Slot};

/// Width that a slot with unknown bound starts with, in bits: wide enough that most never outgrow it.
const FIRST_WIDTH: u8 = 4;

/// Width that a slot gains when it outgrows its field, in bits: repacking all states must stay rare.
const GROWTH: u8 = 2;

/// Widths of counts at the start, in bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountWidths {
    /// Where the bound is unknown.
    unknown: u8,
    /// At most, whatever the bound.
    most: u8,
}

impl CountWidths {
    /// Where the modeller promises safe units, no count is above one. It is a promise and no bound: the fields
    /// can still grow.
    pub fn of(net: &Net) -> CountWidths {
        match &net.nupn {
            Some(units) if units.safe => CountWidths { unknown: 1, most: 1 },
            _ => CountWidths { unknown: FIRST_WIDTH, most: 32 },
        }
    }
}

/// Number of bits that each slot should start with, given its value in the initial state.
pub(crate) fn at_start(layout: &Layout, initial: &[u32], counts: CountWidths) -> Vec<u8> {
    let wanted = |slot: &Slot| match layout.groups[slot.group.index()].content {
        Content::Counts => slot.bound.map_or(counts.unknown, width_of).min(counts.most),
        Content::Bag => slot.bound.map_or(FIRST_WIDTH, width_of),
    };
    let slots = layout.slots.iter().zip(initial);
    slots.map(|(slot, &value)| wanted(slot).max(width_of(value))).collect()
}

/// Nets with more changes than this keep the bounds that their places state: finding others would take longer
/// than they save.
pub(crate) const MOST_CHANGES: usize = 2_000_000;

/// Whether knowing more bounds could make a state smaller.
pub(crate) fn can_gain(layout: &Layout) -> bool {
    layout.slots.iter().any(|slot| slot.bound.is_none_or(|bound| bound > 1))
}

/// Lowers the bounds of slots to what the place invariants of the net prove.
pub(crate) fn tighten(layout: &mut Layout, incidence: &Incidence, initial: &[u32]) {
    let invariants = semiflows(incidence, &mut Effort::QUICK.clone()).found;
    let initial: Vec<u64> = initial.iter().map(|&count| u64::from(count)).collect();
    let bounds = SlotBounds::new(incidence, &initial, &invariants);
    for (i, slot) in layout.slots.iter_mut().enumerate() {
        let proved = bounds.of(SlotIdx::new(i)).and_then(|bound| u32::try_from(bound).ok());
        slot.bound = match (slot.bound, proved) {
            (Some(stated), Some(proved)) => Some(stated.min(proved)),
            (stated, proved) => stated.or(proved),
        };
    }
}

/// A packing with room for a value that outgrew its field.
pub(crate) fn widened(packing: &Packing, outgrown: Outgrown) -> Packing {
    let roomy = (packing.field(outgrown.slot).width + GROWTH).min(32).max(width_of(outgrown.value));
    let value = ((1u64 << roomy) - 1) as u32;
    packing.widened(Outgrown { slot: outgrown.slot, value })
}

/// What the declaration of a place tells of its group; the slots are left to the caller.
pub(crate) fn group(net: &Net, place: &Place) -> Group {
    let allowed = place.capacity.total.as_deref();
    let n_colours = match net.types.cardinality(place.domain) {
        Cardinality::Word(n_colours) => Some(n_colours),
        Cardinality::Huge => None,
    };
    Group {
        name: place.name.text.clone(),
        capacity: allowed.and_then(|ranges| ranges.last()).map(|&(_, most)| u64::from(most)),
        cardinalities: allowed.map(Box::from),
        n_colours,
        implied: place.implied.is_some(),
        constant: place.constant,
        ..Group::default()
    }
}

/// A slot for each of these tokens of a place.
pub(crate) fn slots(net: &Net, place: PlaceIdx, tokens: &[Value]) -> impl Iterator<Item = Slot> {
    let declared = net.place(place);
    let (group, bound) = (GroupIdx(place.0), declared.capacity.per_token);
    let colours = colour_numbers(tokens).into_iter().zip(tokens);
    colours.map(move |(colour, token)| Slot {
        group,
        bound,
        colour,
        rank: net.types.rank(declared.domain, token),
    })
}

/// Gives the digits of a token of a place, each with the number of digits to choose from.
pub(crate) fn each_digit(net: &Net, place: PlaceIdx, token: &Value, each: &mut dyn FnMut(u64, u64)) {
    let mut digits = Vec::new();
    // A token is always a value of the place's type.
    let _ = net.types.digits(net.place(place).domain, token, &mut digits);
    digits.iter().for_each(|digit| each(digit.rank, digit.cardinality));
}

/// Numbers for the components of the tokens of one place, in their order. Numbers of discrete components are
/// comparable between places; others are numbered among the tokens given.
fn colour_numbers(tokens: &[Value]) -> Vec<Box<[u64]>> {
    let component = |token: &Value, at: usize| match token {
        Value::Tuple(items) => items.get(at).cloned(),
        other => (at == 0).then(|| other.clone()),
    };
    let n_components = (0..).take_while(|&at| tokens.iter().any(|t| component(t, at).is_some())).count();
    let columns: Vec<Vec<u64>> = (0..n_components)
        .map(|at| {
            let mut different: Vec<Option<Value>> = tokens.iter().map(|token| component(token, at)).collect();
            different.sort_unstable();
            different.dedup();
            let number = |token: &Value| match component(token, at) {
                // Flipping the sign bit keeps the order of signed numbers.
                Some(Value::Int(number)) => number as u64 ^ 1 << 63,
                value => different.binary_search(&value).unwrap_or(0) as u64,
            };
            tokens.iter().map(number).collect()
        })
        .collect();
    (0..tokens.len()).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariants_lower_bounds_but_never_raise_them() {
        let slot = |bound| Slot { group: GroupIdx(0), bound, colour: Box::default(), rank: None };
        let stated = [None, None, Some(1), Some(9), None];
        let at = SlotIdx::new;
        let (first, end, content) = (at(0), at(5), Content::Counts);
        let groups = vec![Group { name: "g".to_owned(), first, end, content, ..Group::default() }];
        let mut layout = Layout { slots: stated.map(slot).into(), groups };
        let mut incidence = Incidence::new(5);
        // The first four slots exchange tokens; the last one only gains.
        for i in 0..4 {
            let next = (i + 1) % 4;
            incidence.push([(at(i), 1)], [(at(i), -1), (at(next), 1)]);
        }
        incidence.push([(at(0), 1)], [(at(4), 1)]);
        let unpromised = CountWidths { unknown: FIRST_WIDTH, most: 32 };
        assert!(can_gain(&layout));
        let initial = [3, 0, 0, 0, 0];
        assert_eq!(at_start(&layout, &initial, unpromised), [4, 4, 1, 4, 4]);
        tighten(&mut layout, &incidence, &initial);
        let bounds: Vec<_> = layout.slots.iter().map(|slot| slot.bound).collect();
        assert_eq!(bounds, [Some(3), Some(3), Some(1), Some(3), None]);
        assert_eq!(at_start(&layout, &initial, unpromised), [2, 2, 1, 2, 4]);
        // A promise makes fields narrow, but the initial state must fit.
        assert_eq!(at_start(&layout, &initial, CountWidths { unknown: 1, most: 1 }), [2, 1, 1, 1, 1]);
    }
}
