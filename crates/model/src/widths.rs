//! What layouts say of nets: widths, bounds and colours of slots.

use petite_bits::{Outgrown, Packing, width_of};
use petite_net::{Place, Value};

use crate::Layout;

/// Width that a slot with unknown bound starts with, in bits: wide enough that most never outgrow it.
const FIRST_WIDTH: u8 = 4;

/// Width that a slot gains when it outgrows its field, in bits: repacking all states must stay rare.
const GROWTH: u8 = 2;

/// Number of bits that each slot should start with, given its value in the initial state.
pub(crate) fn at_start(layout: &Layout, initial: &[u32]) -> Vec<u8> {
    let slots = layout.slots.iter().zip(initial);
    slots.map(|(slot, &value)| slot.bound.map_or(FIRST_WIDTH, width_of).max(width_of(value))).collect()
}

/// A packing with room for a value that outgrew its field.
pub(crate) fn widened(packing: &Packing, outgrown: Outgrown) -> Packing {
    let roomy = (packing.field(outgrown.slot).width + GROWTH).min(32).max(width_of(outgrown.value));
    let value = ((1u64 << roomy) - 1) as u32;
    packing.widened(Outgrown { slot: outgrown.slot, value })
}

/// Largest number of tokens that a place allows.
pub(crate) fn group_capacity(place: &Place) -> Option<u64> {
    place.capacity.total.as_ref().and_then(|ranges| ranges.last()).map(|&(_, most)| u64::from(most))
}

/// Numbers for the components of the tokens of one place, in their order. Numbers of discrete components are
/// comparable between places; others are numbered among the tokens given.
pub(crate) fn colour_numbers(tokens: &[Value]) -> Vec<Box<[u64]>> {
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
