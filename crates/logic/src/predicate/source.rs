//! Where a count comes from in a packed state.

use petite_bits::SlotIdx;
use petite_model::{Content, CountedAt, GroupIdx, NetModel};
use petite_net::{Number, Pattern, PlaceIdx};

use super::Snapshot;

/// Where a count comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The value of a slot.
    Slot(SlotIdx),
    /// All tokens of a group.
    Group(GroupIdx),
    /// The different tokens of a group.
    Distinct(GroupIdx),
    /// A token in the bags of a group.
    InBag(GroupIdx, u32),
    /// The tokens of a group with bags that fit.
    Fitting(GroupIdx, Pattern),
}

impl Source {
    /// The sources whose sum is a count; none where `number` is no count.
    pub(super) fn of<M: NetModel>(model: &mut M, number: &Number) -> Option<Vec<Source>> {
        match number {
            Number::Tokens(place) => Some(vec![Source::whole(model, *place)]),
            Number::Distinct(place) => Some(vec![Source::Distinct(GroupIdx(place.0))]),
            Number::Fitting(place, pattern) => Some(Source::fitting(model, *place, pattern)),
            _ => None,
        }
    }

    fn whole<M: NetModel>(model: &M, place: PlaceIdx) -> Source {
        let group = &model.layout().groups[place.index()];
        if group.content == Content::Counts && group.first.0 + 1 == group.end.0 {
            return Source::Slot(group.first);
        }
        Source::Group(GroupIdx(place.0))
    }

    fn fitting<M: NetModel>(model: &mut M, place: PlaceIdx, pattern: &Pattern) -> Vec<Source> {
        let group = GroupIdx(place.0);
        if let Some(value) = value_of(pattern) {
            return match model.counted_at(place, &value) {
                CountedAt::Slot(slot) => vec![Source::Slot(slot)],
                CountedAt::Bag(token) => vec![Source::InBag(group, token)],
                CountedAt::Nowhere => Vec::new(),
            };
        }
        if model.layout().groups[group.index()].content == Content::Bag {
            return vec![Source::Fitting(group, pattern.clone())];
        }
        let slots: Vec<SlotIdx> = model.layout().slots_of(group).collect();
        let fitting = slots.iter().copied().filter(|&slot| pattern.fits(model.token_of(slot)));
        let fitting: Vec<Source> = fitting.map(Source::Slot).collect();
        if fitting.len() == slots.len() && fitting.len() > 1 { vec![Source::Group(group)] } else { fitting }
    }

    /// The count in a state.
    #[inline]
    pub(super) fn count<M: NetModel>(&self, state: &Snapshot<'_, M>) -> u64 {
        match self {
            Source::Slot(slot) => u64::from(state.model.packing().get(state.words, *slot)),
            Source::Group(group) => match state.totals {
                Some(totals) => totals[group.index()],
                None => tokens(state, *group).map(|(_, count)| u64::from(count)).sum(),
            },
            Source::Distinct(group) => tokens(state, *group).count() as u64,
            Source::InBag(group, token) => {
                let held = bag(state, *group);
                held.binary_search_by_key(token, |(token, _)| *token).map_or(0, |at| u64::from(held[at].1))
            }
            Source::Fitting(group, pattern) => {
                let mut sum = 0;
                state.model.read(state.words, &mut |marking| {
                    marking.tokens(PlaceIdx(group.0), &mut |value, count| {
                        if pattern.fits(value) {
                            sum += u64::from(count);
                        }
                    });
                });
                sum
            }
        }
    }

    /// The group of which it counts all tokens.
    pub(crate) fn whole_group<M: NetModel>(&self, model: &M) -> Option<GroupIdx> {
        match self {
            Source::Group(group) => Some(*group),
            Source::Slot(slot) => {
                let group = model.layout().slots[slot.index()].group;
                (model.layout().slots_of(group).count() == 1).then_some(group)
            }
            _ => None,
        }
    }

    /// The largest count, where one is known before the search.
    pub(crate) fn most<M: NetModel>(&self, model: &M, most_of_groups: &[Option<u64>]) -> Option<u64> {
        let layout = model.layout();
        match self {
            Source::Slot(slot) => {
                let slot = &layout.slots[slot.index()];
                let group = &layout.groups[slot.group.index()];
                let found = most_of_groups.get(slot.group.index()).copied().flatten();
                [slot.bound.map(u64::from), group.capacity, found].into_iter().flatten().min()
            }
            Source::Group(group)
            | Source::Distinct(group)
            | Source::InBag(group, _)
            | Source::Fitting(group, _) => {
                let declared = &layout.groups[group.index()];
                let slots = layout.slots_of(*group).map(|slot| layout.slots[slot.index()].bound);
                let of_slots = match declared.content {
                    Content::Counts => slots.map(|bound| bound.map(u64::from)).sum::<Option<u64>>(),
                    Content::Bag => None,
                };
                let found = most_of_groups.get(group.index()).copied().flatten();
                [of_slots, declared.capacity, found].into_iter().flatten().min()
            }
        }
    }
}

/// The one value that fits a pattern, where there is just one.
fn value_of(pattern: &Pattern) -> Option<petite_net::Value> {
    match pattern {
        Pattern::Any => None,
        Pattern::Value(value) => Some(value.clone()),
        Pattern::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(value_of).collect();
            parts.map(|parts| petite_net::Value::Tuple(parts.into()))
        }
    }
}

/// The tokens of a bag.
#[inline]
fn bag<'a, M: NetModel>(state: &Snapshot<'a, M>, group: GroupIdx) -> &'a [(u32, u32)] {
    let slot = state.model.layout().groups[group.index()].first;
    state.model.bag_tokens(group, state.model.packing().get(state.words, slot))
}

/// The different tokens of a group with their counts; slots or tokens of a bag, as the group has them.
#[inline]
fn tokens<'a, M: NetModel>(
    state: &Snapshot<'a, M>,
    group: GroupIdx,
) -> impl Iterator<Item = (u32, u32)> + use<'a, M> {
    let declared = &state.model.layout().groups[group.index()];
    let (counted, in_bag) = match declared.content {
        Content::Counts => {
            (Some(state.model.packing().marked_in(state.words, declared.first, declared.end)), &[][..])
        }
        Content::Bag => (None, bag(state, group)),
    };
    let counted = counted.into_iter().flatten().map(|(slot, count)| (slot.0, count));
    counted.chain(in_bag.iter().copied())
}
