//! Interned contents of places with large domains.
//!
//! A place whose tokens can have too many values for a slot each gets one slot, and its whole content, a bag
//! of tokens, gets a number. Tokens are numbered on first sight, too. What an action does to such a place is a
//! *step*: tokens removed and added. Steps are interned, and where a step leads from a bag is remembered, so
//! after the first time it is one look-up:
//!
//! ```text
//!   state ──slot──> bag 17 = {(token 3, 1), (token 9, 2)}
//!                     │ step 5 = {token 9: -1, token 4: +1}       memo: (17, 5) -> 42
//!                     ▼
//!                   bag 42 = {(token 3, 1), (token 4, 1), (token 9, 1)}
//! ```
//!
//! The same idea as the collapsed markings of paper 1 (its section on state collapsing), with places as
//! components. **Cost**: 8 bytes a token of each different bag, 16 bytes a remembered step and direction.

use hashbrown::{HashTable, hash_table::Entry};
use petite_bits::mix64;
use petite_net::{PlaceIdx, Value};

use crate::{
    effects::Direction,
    hashing::{FixedMap, fixed_map},
    lists::Lists,
};

petite_bits::typed_index! {
    /// An interned step of one place.
    pub struct StepId;
}

/// Tokens and bags of all places that need them.
#[derive(Debug, Default)]
pub(crate) struct Bags {
    places: Vec<PlaceBags>,
}

#[derive(Debug)]
struct PlaceBags {
    tokens: Vec<Value>,
    numbers: FixedMap<Value, u32>,
    /// Contents of the bags: tokens in ascending order of number, with their multiplicities. Bag 0 is empty.
    bags: Lists<(u32, u32)>,
    /// Number of tokens of each bag.
    totals: Vec<u64>,
    /// Largest multiplicity in each bag.
    largest: Vec<u32>,
    bag_index: HashTable<u32>,
    /// Tokens in ascending order of number, with what is added or removed.
    steps: Lists<(u32, i64)>,
    step_index: HashTable<u32>,
    /// Where steps led: (bag, step) with the direction in the lowest bit of the step.
    memo: FixedMap<(u32, u32), u32>,
    /// Largest multiplicity of a token.
    capacity: u32,
}

impl Bags {
    /// Empty tables for places with the given largest multiplicities.
    pub fn new(capacities: impl IntoIterator<Item = u32>) -> Bags {
        Bags { places: capacities.into_iter().map(PlaceBags::new).collect() }
    }

    /// The number of a token of a place.
    pub fn token(&mut self, place: PlaceIdx, value: &Value) -> u32 {
        self.places[place.index()].token(value)
    }

    /// The token with a number.
    pub fn value(&self, place: PlaceIdx, token: u32) -> &Value {
        &self.places[place.index()].tokens[token as usize]
    }

    /// The tokens of a bag with their multiplicities.
    #[inline]
    pub fn content(&self, place: PlaceIdx, bag: u32) -> &[(u32, u32)] {
        self.places[place.index()].bags.get(bag as usize)
    }

    /// Number of tokens in a bag.
    pub fn total(&self, place: PlaceIdx, bag: u32) -> u64 {
        self.places[place.index()].totals[bag as usize]
    }

    /// How often the most frequent token is in a bag.
    #[inline]
    pub fn largest(&self, place: PlaceIdx, bag: u32) -> u32 {
        self.places[place.index()].largest[bag as usize]
    }

    /// How often a token is in a bag.
    #[inline]
    pub fn count(&self, place: PlaceIdx, bag: u32, token: u32) -> u32 {
        let content = self.content(place, bag);
        content.binary_search_by_key(&token, |(token, _)| *token).map_or(0, |at| content[at].1)
    }

    /// Whether a bag has each token of another at least as often.
    pub fn covers(&self, place: PlaceIdx, low: u32, high: u32) -> bool {
        self.content(place, low).iter().all(|&(token, count)| self.count(place, high, token) >= count)
    }

    /// The number of the bag with these tokens, which are in ascending order of number.
    pub fn intern(&mut self, place: PlaceIdx, tokens: &[(u32, u32)]) -> u32 {
        self.places[place.index()].intern_bag(tokens)
    }

    /// The number of a step that changes tokens' multiplicities.
    pub fn intern_step(&mut self, place: PlaceIdx, changes: Vec<(u32, i64)>) -> StepId {
        self.places[place.index()].intern_step(changes)
    }

    /// The bag that a step leads to.
    #[inline]
    pub fn step(
        &mut self,
        place: PlaceIdx,
        bag: u32,
        step: StepId,
        direction: Direction,
    ) -> Result<u32, Wrong> {
        let tables = &mut self.places[place.index()];
        let key = (bag, step.0 << 1 | u32::from(direction == Direction::Backward));
        if let Some(&to) = tables.memo.get(&key) {
            return Ok(to);
        }
        let to = tables.apply(bag, step, direction)?;
        tables.memo.insert(key, to);
        Ok(to)
    }

    /// Heap bytes owned, the components of composite tokens left out.
    pub fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<PlaceBags>()
            + self.places.iter().map(PlaceBags::bytes).sum::<usize>()
    }
}

/// Why a step does not apply to a bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It takes tokens that are not there.
    Negative,
    /// The place does not allow a token so many times.
    Above { token: u32, value: u64 },
}

impl PlaceBags {
    fn new(capacity: u32) -> PlaceBags {
        let mut tables = PlaceBags {
            tokens: Vec::new(),
            numbers: fixed_map(),
            bags: Lists::default(),
            totals: Vec::new(),
            largest: Vec::new(),
            bag_index: HashTable::new(),
            steps: Lists::default(),
            step_index: HashTable::new(),
            memo: fixed_map(),
            capacity,
        };
        tables.intern_bag(&[]);
        tables
    }

    fn token(&mut self, value: &Value) -> u32 {
        if let Some(&number) = self.numbers.get(value) {
            return number;
        }
        let number = self.tokens.len() as u32;
        self.tokens.push(value.clone());
        self.numbers.insert(value.clone(), number);
        number
    }

    fn intern_bag(&mut self, content: &[(u32, u32)]) -> u32 {
        let hash = |bag: &[(u32, u32)]| {
            hash_of(bag.iter().map(|&(token, count)| u64::from(token) << 32 | u64::from(count)))
        };
        let bags = &self.bags;
        let entry = self.bag_index.entry(
            hash(content),
            |&bag| bags.get(bag as usize) == content,
            |&bag| hash(bags.get(bag as usize)),
        );
        match entry {
            Entry::Occupied(bag) => *bag.get(),
            Entry::Vacant(free) => {
                let bag = self.bags.len() as u32;
                free.insert(bag);
                self.totals.push(content.iter().map(|(_, count)| u64::from(*count)).sum());
                self.largest.push(content.iter().map(|(_, count)| *count).max().unwrap_or(0));
                self.bags.push(content.iter().copied());
                bag
            }
        }
    }

    fn intern_step(&mut self, mut changes: Vec<(u32, i64)>) -> StepId {
        changes.retain(|(_, by)| *by != 0);
        changes.sort_unstable();
        let hash = |step: &[(u32, i64)]| {
            hash_of(step.iter().map(|&(token, by)| mix64(u64::from(token)) ^ by as u64))
        };
        let steps = &self.steps;
        let entry = self.step_index.entry(
            hash(&changes),
            |&step| steps.get(step as usize) == changes,
            |&step| hash(steps.get(step as usize)),
        );
        match entry {
            Entry::Occupied(step) => StepId(*step.get()),
            Entry::Vacant(free) => {
                let step = self.steps.len() as u32;
                free.insert(step);
                self.steps.push(changes);
                StepId(step)
            }
        }
    }

    /// Merges a bag with a step; both are sorted by token.
    fn apply(&mut self, bag: u32, step: StepId, direction: Direction) -> Result<u32, Wrong> {
        let (content, changes) = (self.bags.get(bag as usize), self.steps.get(step.index()));
        let mut merged = Vec::with_capacity(content.len() + changes.len());
        let mut rest = content.iter().copied().peekable();
        for &(token, by) in changes {
            while let Some(item) = rest.next_if(|(other, _)| *other < token) {
                merged.push(item);
            }
            let by = if direction == Direction::Forward { by } else { -by };
            let before = rest.next_if(|(other, _)| *other == token).map_or(0, |(_, count)| count);
            let value = i64::from(before) + by;
            if value < 0 {
                return Err(Wrong::Negative);
            }
            if by > 0 && value > i64::from(self.capacity) {
                return Err(Wrong::Above { token, value: value as u64 });
            }
            if value > 0 {
                merged.push((token, value as u32));
            }
        }
        merged.extend(rest);
        Ok(self.intern_bag(&merged))
    }

    fn bytes(&self) -> usize {
        self.tokens.capacity() * size_of::<Value>()
            + self.numbers.allocation_size()
            + self.bags.bytes()
            + self.totals.capacity() * size_of::<u64>()
            + self.largest.capacity() * size_of::<u32>()
            + self.bag_index.allocation_size()
            + self.steps.bytes()
            + self.step_index.allocation_size()
            + self.memo.allocation_size()
    }
}

fn hash_of(items: impl Iterator<Item = u64>) -> u64 {
    items.fold(0x5851_F42D_4C95_7F2D, |hash, item| mix64(hash ^ item))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: PlaceIdx = PlaceIdx(0);

    #[test]
    fn steps_go_there_and_back() {
        let mut bags = Bags::new([2]);
        let tokens: Vec<u32> = (0..3).map(|i| bags.token(PLACE, &Value::Int(10 * i))).collect();
        let give = bags.intern_step(PLACE, vec![(tokens[2], 1), (tokens[0], 2), (tokens[1], 0)]);
        let swap = bags.intern_step(PLACE, vec![(tokens[0], -1), (tokens[1], 1)]);
        let first = bags.step(PLACE, 0, give, Direction::Forward).unwrap();
        let second = bags.step(PLACE, first, swap, Direction::Forward).unwrap();
        assert_eq!(bags.content(PLACE, second), [(tokens[0], 1), (tokens[1], 1), (tokens[2], 1)]);
        assert_eq!((bags.total(PLACE, second), bags.count(PLACE, second, tokens[1])), (3, 1));
        assert_eq!(
            (bags.largest(PLACE, 0), bags.largest(PLACE, first), bags.largest(PLACE, second)),
            (0, 2, 1)
        );
        let again: Vec<_> = bags.content(PLACE, second).to_vec();
        assert_eq!((bags.intern(PLACE, &again), bags.intern(PLACE, &[])), (second, 0));
        assert_eq!(bags.step(PLACE, second, swap, Direction::Backward).unwrap(), first);
        assert_eq!(bags.step(PLACE, first, give, Direction::Backward).unwrap(), 0);
        assert_eq!(bags.step(PLACE, 0, swap, Direction::Forward), Err(Wrong::Negative));
        let above = bags.step(PLACE, first, give, Direction::Forward);
        assert_eq!(above, Err(Wrong::Above { token: tokens[0], value: 4 }));
    }
}
