//! Places whose contents follow from those of others.
//!
//! A model may state an expression for the contents of a place. It is checked in every state, as paper 5 asks in
//! its section 3.3: a store that leaves the place out can rely on it, and the modeller learns of it when it does
//! not hold. The other way around, a state without these places can be completed.
//!
//! **Memo.** The contents of such a place are a function of the places that its expression reads, so what was computed
//! for their bits in the packed state is remembered. Most states have been met before as far as these places go, and
//! cost a look into a table instead of an evaluation.

use petite_bits::{Packing, WordMemo};
use petite_net::{Evaluator, Marking, MultiSet, Net, PlaceIdx, RunError, RunErrorKind, Value};

use crate::faults::show_tokens;
use crate::{GroupIdx, Layout};

/// Bytes of all that is remembered, at most.
const MOST_BYTES: usize = 1 << 20;

/// The places with an expression, those that others depend on first.
#[derive(Debug)]
pub(crate) struct Implied {
    places: Vec<ImpliedPlace>,
}

#[derive(Debug)]
struct ImpliedPlace {
    place: PlaceIdx,
    /// The places that its expression reads.
    needed: Vec<PlaceIdx>,
    /// The bits of these places, and those of its own.
    inputs: Vec<Mask>,
    own: Vec<Mask>,
    /// Its bits behind a zero, by those of the places it needs.
    memo: WordMemo,
    /// Scratch: the bits of the places it needs.
    key: Vec<u64>,
}

/// A word of the packed state and the bits of it that count.
type Mask = (usize, u64);

impl Implied {
    /// Those of a net whose states are packed like this.
    pub fn new(net: &Net, layout: &Layout, packing: &Packing) -> Implied {
        let of_place = |place| {
            let needed = needed(net, place);
            let memo = WordMemo::new(0, 1, 0);
            ImpliedPlace { place, needed, inputs: Vec::new(), own: Vec::new(), memo, key: Vec::new() }
        };
        let mut implied = Implied { places: order(net).into_iter().map(of_place).collect() };
        implied.repack(layout, packing);
        implied
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The place with a number.
    pub fn place(&self, number: usize) -> PlaceIdx {
        self.places[number].place
    }

    /// Gets to know how states are packed from now on.
    pub fn repack(&mut self, layout: &Layout, packing: &Packing) {
        let most_bytes = MOST_BYTES / self.places.len().max(1);
        for implied in &mut self.places {
            implied.inputs = masks(&implied.needed, layout, packing);
            implied.own = masks(&[implied.place], layout, packing);
            implied.memo = WordMemo::new(implied.inputs.len(), 1 + implied.own.len(), most_bytes);
        }
    }

    /// Whether every place holds what its expression gives, in a state and its marking.
    pub fn check(&mut self, net: &Net, words: &[u64], marking: &dyn Marking) -> Result<(), RunError> {
        for number in 0..self.places.len() {
            if !self.places[number].is_known(words) {
                check(net, self.places[number].place, marking)?;
                self.note(number, words);
            }
        }
        Ok(())
    }

    /// Writes the contents of a place into a state that has the places it needs, if they are remembered.
    pub fn fill(&mut self, number: usize, words: &mut [u64]) -> bool {
        let implied = &mut self.places[number];
        implied.read(words);
        let Some(entry) = implied.memo.find(&implied.key) else { return false };
        for (&(word, mask), &own) in implied.own.iter().zip(&implied.memo.value(entry)[1..]) {
            words[word] = words[word] & !mask | own;
        }
        true
    }

    /// Remembers the contents of a place, which are right in this state.
    pub fn note(&mut self, number: usize, words: &[u64]) {
        let implied = &mut self.places[number];
        implied.read(words);
        implied.memo.note(&implied.key, [0].into_iter().chain(bits(&implied.own, words)));
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let of_place =
            |implied: &ImpliedPlace| implied.memo.bytes() + implied.key.capacity() * size_of::<u64>();
        self.places.iter().map(of_place).sum()
    }
}

impl ImpliedPlace {
    /// Makes the bits of the places that it needs the key.
    fn read(&mut self, words: &[u64]) {
        self.key.clear();
        self.key.extend(bits(&self.inputs, words));
    }

    /// Whether the place is remembered to hold what it does.
    fn is_known(&mut self, words: &[u64]) -> bool {
        self.read(words);
        let entry = self.memo.find(&self.key);
        entry.is_some_and(|entry| self.memo.value(entry)[1..].iter().copied().eq(bits(&self.own, words)))
    }
}

fn bits(masks: &[Mask], words: &[u64]) -> impl Iterator<Item = u64> {
    masks.iter().map(|&(word, mask)| words[word] & mask)
}

/// Where the slots of some places are.
fn masks(places: &[PlaceIdx], layout: &Layout, packing: &Packing) -> Vec<Mask> {
    let mut masks = vec![0; packing.n_words()];
    for slot in places.iter().flat_map(|place| layout.slots_of(GroupIdx(place.0))) {
        let field = packing.field(slot);
        masks[field.word as usize] |= u64::from(field.max()) << field.shift;
    }
    masks.into_iter().enumerate().filter(|&(_, mask)| mask != 0).collect()
}

fn order(net: &Net) -> Vec<PlaceIdx> {
    let mut found = Vec::new();
    let mut seen = vec![false; net.places.len()];
    for place in (0..net.places.len()).map(PlaceIdx::new) {
        visit(net, place, &mut seen, &mut found);
    }
    found
}

fn visit(net: &Net, place: PlaceIdx, seen: &mut [bool], found: &mut Vec<PlaceIdx>) {
    if net.place(place).implied.is_none() {
        return;
    }
    if std::mem::replace(&mut seen[place.index()], true) {
        return;
    }
    needed(net, place).into_iter().for_each(|other| visit(net, other, seen, found));
    found.push(place);
}

/// The places that the expression of a place reads.
fn needed(net: &Net, place: PlaceIdx) -> Vec<PlaceIdx> {
    let mut needed = Vec::new();
    let terms = net.place(place).implied.iter().flat_map(|implied| &implied.terms);
    terms.for_each(|term| term.for_each_place(&mut |place| needed.push(place)));
    needed
}

/// What the expression of a place gives in a marking.
pub(crate) fn contents(net: &Net, place: PlaceIdx, marking: &dyn Marking) -> Result<MultiSet, RunError> {
    let Some(implied) = &net.place(place).implied else { return Ok(MultiSet::new()) };
    let mut frame = vec![Value::Int(0); implied.variables.len()];
    let mut evaluator = Evaluator::new(&net.types, &net.functions);
    let contents = evaluator.terms(&implied.terms, &mut frame, Some(marking));
    contents.map_err(|error| error.within(format!("in the contents of place {}", net.place(place).name)))
}

/// Whether a place holds what its expression gives.
fn check(net: &Net, place: PlaceIdx, marking: &dyn Marking) -> Result<(), RunError> {
    let gives = contents(net, place, marking)?;
    let mut n_tokens = 0;
    let mut equal = true;
    marking.tokens(place, &mut |token, count| {
        n_tokens += 1;
        equal = equal && gives.count(token) == count;
    });
    if equal && n_tokens == gives.n_distinct() {
        return Ok(());
    }
    let mut holds = MultiSet::new();
    // What a place holds is within its counts.
    marking.tokens(place, &mut |token, count| {
        let _ = holds.add(token.clone(), count);
    });
    let name = &net.place(place).name;
    let kind = RunErrorKind::NotImplied {
        place: name.text.clone(),
        holds: show_tokens(net, place, &holds),
        gives: show_tokens(net, place, &gives),
    };
    Err(RunError::new(kind, name.span))
}

/// That the expression of a place gives a token that the place can never hold.
pub(crate) fn no_token(net: &Net, place: PlaceIdx, token: &Value) -> RunError {
    let name = &net.place(place).name;
    let mut gives = MultiSet::new();
    // One token fits every count.
    let _ = gives.add(token.clone(), 1);
    let kind = RunErrorKind::NotImplied {
        place: name.text.clone(),
        holds: "no such token".to_owned(),
        gives: show_tokens(net, place, &gives),
    };
    RunError::new(kind, name.span)
}
