//! How the binding engine keeps the tokens of places.
//!
//! A place with a small domain has a slot for each of its values; its tokens are numbered by rank. Any other
//! place has one slot, the number of its bag; its tokens are numbered on first sight. Either way a token is a
//! number, and a place answers which tokens it holds and how often.

use petite_bits::{Packing, SlotIdx};
use petite_net::{Cardinality, Marking, Net, PlaceIdx, Value};

use crate::{
    Content, Group, GroupIdx, Layout, Slot,
    bags::Bags,
    hashing::{FixedMap, fixed_map},
    widths,
};

/// Domains of up to this many values get a slot for each value.
const MAX_COUNTED: u64 = 64;

/// The places of a net, as groups of slots.
#[derive(Debug)]
pub(crate) struct Places {
    counted: Vec<Option<Counted>>,
    pub bags: Bags,
}

/// A place with a slot for each value of its domain.
#[derive(Debug)]
struct Counted {
    first: SlotIdx,
    values: Vec<Value>,
    numbers: FixedMap<Value, u32>,
}

impl Places {
    /// Decides how each place is kept, and lays out the slots.
    pub fn new(net: &Net) -> (Places, Layout) {
        let mut layout = Layout::default();
        let mut counted = Vec::new();
        for (p, place) in net.places.iter().enumerate() {
            let group = GroupIdx::new(p);
            let first = SlotIdx::new(layout.slots.len());
            let values = match net.types.cardinality(place.domain) {
                Cardinality::Word(n) if n <= MAX_COUNTED => net.types.values(place.domain),
                _ => None,
            };
            let values: Option<Vec<Value>> = values.map(Iterator::collect);
            let content = match &values {
                Some(values) => {
                    layout.slots.extend(widths::slots(net, PlaceIdx::new(p), values));
                    Content::Counts
                }
                None => {
                    layout.slots.push(Slot { group, bound: None, colour: Box::default(), rank: None });
                    Content::Bag
                }
            };
            let end = SlotIdx::new(layout.slots.len());
            layout.groups.push(Group { first, end, content, ..widths::group(net, place) });
            counted.push(values.map(|values| {
                let mut numbers = fixed_map();
                numbers.extend(values.iter().cloned().zip(0..));
                Counted { first, values, numbers }
            }));
        }
        let capacities = net.places.iter().map(|place| place.capacity.per_token.unwrap_or(u32::MAX));
        (Places { counted, bags: Bags::new(capacities) }, layout)
    }

    /// The slot that counts a token, or `None` in a place with bags.
    pub fn slot(&self, place: PlaceIdx, token: u32) -> Option<SlotIdx> {
        self.counted[place.index()].as_ref().map(|counted| SlotIdx(counted.first.0 + token))
    }

    /// The number of a token; `None` when the value is not of the place's domain.
    pub fn token(&mut self, place: PlaceIdx, value: &Value) -> Option<u32> {
        match &self.counted[place.index()] {
            Some(counted) => counted.numbers.get(value).copied(),
            None => Some(self.bags.token(place, value)),
        }
    }

    /// The token with a number.
    pub fn value(&self, place: PlaceIdx, token: u32) -> &Value {
        match &self.counted[place.index()] {
            Some(counted) => &counted.values[token as usize],
            None => self.bags.value(place, token),
        }
    }

    /// The token that a slot counts.
    pub fn value_of_slot(&self, layout: &Layout, slot: SlotIdx) -> &Value {
        let group = layout.slots[slot.index()].group;
        let first = layout.groups[group.index()].first;
        self.value(PlaceIdx(group.0), slot.0 - first.0)
    }

    /// How often a token is in a place.
    #[inline]
    pub fn count(&self, state: State<'_>, place: PlaceIdx, token: u32) -> u32 {
        match &self.counted[place.index()] {
            Some(counted) => state.packing.get(state.words, SlotIdx(counted.first.0 + token)),
            None => self.bags.count(place, state.bag(place), token),
        }
    }

    /// Appends the tokens of a place with their multiplicities.
    #[inline]
    pub fn tokens(&self, state: State<'_>, place: PlaceIdx, tokens: &mut Vec<(u32, u32)>) {
        match &self.counted[place.index()] {
            Some(_) => {
                let group = &state.layout.groups[place.index()];
                let marked = state.packing.marked_in(state.words, group.first, group.end);
                tokens.extend(marked.map(|(slot, count)| (slot.0 - group.first.0, count)));
            }
            None => tokens.extend_from_slice(self.bags.content(place, state.bag(place))),
        }
    }

    /// Number of tokens in each place.
    pub fn totals(&self, state: State<'_>, totals: &mut [u64]) {
        totals.fill(0);
        for (slot, value) in state.packing.marked(state.words) {
            let group = state.layout.slots[slot.index()].group;
            totals[group.index()] += match state.layout.groups[group.index()].content {
                Content::Counts => u64::from(value),
                Content::Bag => self.bags.total(PlaceIdx(group.0), value),
            };
        }
    }

    /// How often the most frequent token is in its place.
    pub fn largest_multiplicity(&self, state: State<'_>) -> u32 {
        let marked = state.packing.marked(state.words);
        let largest = marked.map(|(slot, value)| {
            let group = state.layout.slots[slot.index()].group;
            match state.layout.groups[group.index()].content {
                Content::Counts => value,
                Content::Bag => self.bags.largest(PlaceIdx(group.0), value),
            }
        });
        largest.max().unwrap_or(0)
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let of = |counted: &Counted| {
            counted.values.capacity() * size_of::<Value>() + counted.numbers.allocation_size()
        };
        self.bags.bytes() + self.counted.iter().flatten().map(of).sum::<usize>()
    }
}

/// A packed state with what is needed to read it.
#[derive(Clone, Copy)]
pub(crate) struct State<'a> {
    pub layout: &'a Layout,
    pub packing: &'a Packing,
    pub words: &'a [u64],
}

impl State<'_> {
    #[inline]
    fn bag(self, place: PlaceIdx) -> u32 {
        self.packing.get(self.words, self.layout.groups[place.index()].first)
    }
}

/// A state as a marking.
pub(crate) struct View<'a> {
    pub places: &'a Places,
    pub state: State<'a>,
}

impl Marking for View<'_> {
    fn tokens(&self, place: PlaceIdx, each: &mut dyn FnMut(&Value, u32)) {
        let mut tokens = Vec::new();
        self.places.tokens(self.state, place, &mut tokens);
        let mut tokens: Vec<(&Value, u32)> =
            tokens.into_iter().map(|(token, count)| (self.places.value(place, token), count)).collect();
        // Numbers depend on the run so far; values do not.
        tokens.sort_unstable();
        tokens.into_iter().for_each(|(token, count)| each(token, count));
    }
}
