//! Deciding for each place how it is written, before the first state.

use petite_bits::{SlotIdx, bits_for};
use petite_model::{Content, Equation, Facts, Fault, Group, GroupIdx, Layout, Model};

use super::cardinality::{Cardinality, EmptinessBit};
use super::contents::{Contents, Token};
use super::dependent::{Dependents, solve};
use super::place::{Bag, Gone, Place, Slots, Source};
use super::{FactSource, ItemCode, MultisetOptions, Reference};

/// Most bits of a number of tokens that is only found to be limited, and gets no emptiness bit.
const FEW_BITS: u32 = 4;

/// Most bits of such a number at all; beyond, the code for any number is shorter for most.
const MOST_BITS: u32 = 8;

/// How the states of a model are written.
pub(super) struct Plan {
    pub places: Vec<Place>,
    /// Slots that follow from those of the places.
    pub dependents: Dependents,
    /// Whether the model has groups of its own to compute.
    pub completes: bool,
}

impl Plan {
    /// Looks at a model whose search has not begun.
    pub fn new<M: Model>(model: &mut M, options: MultisetOptions) -> Plan {
        let initial = initial(model);
        let facts = match options.facts {
            FactSource::Stated => Facts::default(),
            FactSource::Found => model.facts(),
        };
        let layout = model.layout().clone();
        let completes = layout.groups.iter().any(left_out);
        let dependents = dependent_slots(model, &layout, facts.equations, &initial);
        let mut follows = vec![false; layout.slots.len()];
        dependents.slots().for_each(|slot| follows[slot.index()] = true);
        let mut places = Vec::new();
        for (g, group) in layout.groups.iter().enumerate().filter(|(_, group)| !left_out(group)) {
            let most = facts.most.get(g).copied().flatten();
            let mut has_digits = false;
            if group.content == Content::Counts && group.n_colours.is_none() && group.first < group.end {
                model.token_digits(GroupIdx::new(g), 0, &mut |_, _| has_digits = true);
            }
            let maker = Maker { options, layout: &layout, group, follows: &follows, most, has_digits };
            let Some(mut place) = maker.place(GroupIdx::new(g)) else { continue };
            let mut tokens = Vec::new();
            // Where there is no memory for a few ranks, the search will say so.
            let _ = place.read(model, &initial, &mut tokens);
            let total: u64 = tokens.iter().map(|&(_, count)| u64::from(count)).sum();
            if !place.here.cardinality.allows(total) {
                place.here.cardinality = Cardinality::Any;
            }
            if options.reference == Reference::Initial && !tokens.is_empty() {
                maker.refer(&mut place, tokens);
            }
            places.push(place);
        }
        Plan { places, dependents, completes }
    }
}

/// Whether the model computes a group's content itself.
fn left_out(group: &Group) -> bool {
    group.implied || group.constant
}

/// The initial state; one without tokens where the model has none, since the search will say so.
pub(super) fn initial<M: Model>(model: &mut M) -> Vec<u64> {
    loop {
        let mut words = vec![0; model.packing().n_words()];
        match model.initial(&mut words) {
            Ok(()) => return words,
            Err(Fault::Outgrown(outgrown)) => drop(model.widen(outgrown)),
            Err(Fault::Run(_)) => return vec![0; model.packing().n_words()],
        }
    }
}

/// The slots that follow from others by the equations. Groups with many tokens in the initial state go first, since
/// these are the ones that have more to say than others, then groups with many slots.
fn dependent_slots<M: Model>(
    model: &M,
    layout: &Layout,
    equations: Vec<Equation>,
    initial: &[u64],
) -> Dependents {
    let mut totals = vec![0; layout.groups.len()];
    model.group_totals(initial, &mut totals);
    let mut groups: Vec<usize> = (0..layout.groups.len()).collect();
    groups.sort_by_key(|&g| {
        let group = &layout.groups[g];
        // What the model computes itself comes first, so that nothing else depends on it.
        std::cmp::Reverse((left_out(group), totals[g], group.end.0 - group.first.0))
    });
    let is_left_out = |slot: SlotIdx| left_out(&layout.groups[layout.slots[slot.index()].group.index()]);
    let order = groups.iter().flat_map(|&g| layout.slots_of(GroupIdx::new(g)));
    let mut dependent = solve(equations, order);
    dependent.retain(|dependent| !is_left_out(dependent.slot) && !dependent.others().any(is_left_out));
    Dependents::new(&dependent, layout.slots.len())
}

/// What the code of one place is made from.
struct Maker<'a> {
    options: MultisetOptions,
    layout: &'a Layout,
    group: &'a Group,
    follows: &'a [bool],
    /// Largest number of tokens, where one was found.
    most: Option<u64>,
    /// Whether the model can take apart the tokens of slots without a rank.
    has_digits: bool,
}

impl Maker<'_> {
    /// The code of a place; none where there is nothing to write.
    fn place(&self, group: GroupIdx) -> Option<Place> {
        let slots = &self.layout.slots[self.group.first.index()..self.group.end.index()];
        let is_found = self.options.facts == FactSource::Found;
        let (source, n_items, at_most_once) = match self.group.content {
            Content::Bag => {
                let n_items = self.group.n_colours;
                (Source::Bag(Bag::new(self.group.first, n_items.is_some())), n_items, false)
            }
            Content::Counts => {
                let source = Slots::new(
                    self.group.first,
                    &self.follows[self.group.first.index()..self.group.end.index()],
                );
                if is_found && source.n_items() == 0 {
                    return None;
                }
                let n_items = self.n_items(&source);
                let at_most_once = slots.iter().all(|slot| slot.bound.is_some_and(|bound| bound <= 1));
                (Source::Slots(source), n_items, at_most_once)
            }
        };
        let here = Contents {
            cardinality: self.cardinality(&source),
            n_items,
            items: self.options.items,
            at_most_once,
            weighted: None,
        };
        Some(Place { group, source, here, gone: None })
    }

    /// How many items there are to choose from; none where the model has to take them apart.
    fn n_items(&self, slots: &Slots) -> Option<u64> {
        let n_slots = slots.n_items() as u64;
        match (self.options.facts, self.group.n_colours) {
            (FactSource::Found, _) => Some(n_slots),
            // More slots than values would be a mistake in the layout; it must not become one in the code.
            (FactSource::Stated, Some(n_colours)) => Some(n_colours.max(n_slots)),
            // Where the model cannot, the slots are all that there is to choose from.
            (FactSource::Stated, None) => (!self.has_digits).then_some(n_slots),
        }
    }

    fn cardinality(&self, source: &Source) -> Cardinality {
        let is_whole = match source {
            Source::Slots(slots) => slots.is_whole(),
            Source::Bag(_) => true,
        };
        let emptiness = match self.options.items {
            ItemCode::OneByOne => EmptinessBit::Sometimes,
            ItemCode::Subset => EmptinessBit::Never,
        };
        match (&self.group.cardinalities, self.most.or(self.group.capacity)) {
            (Some(stated), most) if is_whole => {
                let most = most.unwrap_or(u64::MAX);
                let ranges = stated.iter().map(|&(low, high)| (u64::from(low), u64::from(high).min(most)));
                Cardinality::among(ranges.filter(|(low, high)| low <= high), emptiness)
            }
            // Without the slots that follow from others, there may be any number of tokens up to the most.
            (_, Some(most)) => up_to(most),
            (_, None) => Cardinality::Any,
        }
    }

    /// Makes a place's initial content its reference, where that can be shorter.
    fn refer(&self, place: &mut Place, initial: Vec<Token>) {
        let is_short =
            matches!(&place.here.cardinality, Cardinality::Among(allowed) if allowed.n_bits() <= 2);
        if is_short && place.here.n_items.is_some_and(|n_items| n_items <= 2) {
            return;
        }
        let total = initial.iter().map(|&(_, count)| u64::from(count)).sum();
        let contents = Contents {
            cardinality: up_to(total),
            n_items: Some(initial.len() as u64),
            items: self.options.items,
            at_most_once: initial.iter().all(|&(_, count)| count == 1),
            weighted: None,
        };
        // What has come is mostly nothing, and that takes one bit.
        let come = Contents { cardinality: Cardinality::Any, ..place.here.clone() };
        let alone = std::mem::replace(&mut place.here, come);
        place.gone = Some(Gone { initial: initial.into(), contents, alone });
    }
}

/// A number of tokens that is found to be limited.
fn up_to(most: u64) -> Cardinality {
    let n_bits = bits_for(most.saturating_add(1));
    if n_bits > MOST_BITS {
        return Cardinality::Any;
    }
    let emptiness = if n_bits > FEW_BITS { EmptinessBit::Sometimes } else { EmptinessBit::Never };
    Cardinality::among([(0, most)], emptiness)
}
