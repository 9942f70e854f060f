//! When a net may grow without end.
//!
//! A run that leads from a state to one with at least the same tokens can be repeated, because more tokens
//! enable no less: this is how Karp and Miller ("Parallel program schemata", 1969) tell that a net is unbounded.
//! Three things break the argument, and each is looked at as narrowly as is easy:
//!
//! - A *capacity*: exceeding it is an error, so the growth ends there. A place that has one must not be among
//!   those that grow. The same goes for a place whose contents are declared to follow from others.
//! - An *inhibitor arc*: more tokens in its place may disable its transition. That matters only if the place
//!   grows and the transition is in the run that is repeated.
//! - *Priorities*: more tokens may enable a transition of higher priority, which disables others. Nothing is
//!   said of nets that have priorities.

use petite_bits::{Packing, SlotIdx};
use petite_net::{Net, Place, PlaceIdx, PriorityClass, Transition};

use crate::{Content, GroupIdx, Layout, Slot};

/// Which places of a net may grow.
#[derive(Debug)]
pub(crate) struct Growth {
    /// For each place, whether no capacity limits it.
    unlimited: Vec<bool>,
    has_priorities: bool,
    has_bags: bool,
}

impl Growth {
    /// What the declarations of a net tell.
    pub fn of(net: &Net, layout: &Layout) -> Growth {
        let is_unlimited = |place: &Place| {
            let capacity = &place.capacity;
            capacity.per_token.is_none() && capacity.total.is_none() && place.implied.is_none()
        };
        let is_first = |transition: &Transition| {
            transition.priority.is_some() || transition.class != PriorityClass::NONE
        };
        Growth {
            unlimited: net.places.iter().map(is_unlimited).collect(),
            has_bags: layout.groups.iter().any(|group| group.content == Content::Bag),
            has_priorities: net.transitions.iter().any(is_first),
        }
    }

    /// Whether some place may grow and it can be told. Slots whose bound is known do not grow.
    pub fn is_possible(&self, layout: &Layout) -> bool {
        let may_grow = |slot: &Slot| slot.bound.is_none() && self.unlimited[slot.group.index()];
        !self.has_priorities && layout.slots.iter().any(may_grow)
    }

    /// The places that grew from one state to another; see [`crate::Model::grown`]. Bags are compared by
    /// `bag_covers(place, before, after)`.
    pub fn grown(
        &self,
        layout: &Layout,
        packing: &Packing,
        before: &[u64],
        after: &[u64],
        bag_covers: impl Fn(PlaceIdx, u32, u32) -> bool,
    ) -> Option<Vec<GroupIdx>> {
        // The numbers of bags have no order: those that differ are compared further down.
        let has_less = |(slot, value): (SlotIdx, u32)| {
            let group = layout.slots[slot.index()].group;
            packing.get(after, slot) < value && layout.groups[group.index()].content == Content::Counts
        };
        let covered = packing.covers(after, before) || self.has_bags && !packing.marked(before).any(has_less);
        if !covered {
            return None;
        }
        if before == after {
            return None;
        }
        let mut grown = Vec::new();
        for (index, group) in layout.groups.iter().enumerate() {
            let changed = (group.first.0..group.end.0).map(SlotIdx).find_map(|slot| {
                let (low, high) = (packing.get(before, slot), packing.get(after, slot));
                (low != high).then_some((low, high))
            });
            let Some((low, high)) = changed else { continue };
            let covers = match group.content {
                Content::Counts => true,
                Content::Bag => bag_covers(PlaceIdx::new(index), low, high),
            };
            if !covers || !self.unlimited[index] {
                return None;
            }
            grown.push(GroupIdx::new(index));
        }
        Some(grown)
    }

    /// Whether more tokens in some places may disable a transition.
    pub fn hinders(&self, transition: &Transition, groups: &[GroupIdx]) -> bool {
        let inhibits = |place: PlaceIdx| groups.iter().any(|group| group.0 == place.0);
        self.has_priorities || transition.inhibitors.iter().any(|arc| inhibits(arc.place))
    }
}
