//! What happened to the tokens between two states.
//!
//! Paper 2, section 3: a token moves to another place, changes its value, is created or deleted. Slots count tokens of
//! one colour in one place, so what is known is which tokens are fewer and which are more; each that is gone is
//! matched with one that came: of the same colour elsewhere (moved), else in the same place (changed).

use petite_bits::SlotIdx;
use petite_model::{Content, Layout};

/// How many tokens were moved, changed, created and deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// Tokens that are in another place now.
    pub moved: u64,
    /// Tokens that have another value now, or bags of tokens that do.
    pub changed: u64,
    /// Tokens that were not there.
    pub created: u64,
    /// Tokens that are not there any more.
    pub deleted: u64,
}

impl Kinds {
    /// Counts a difference: slots with their values before and after.
    pub fn count(&mut self, layout: &Layout, changes: &[(SlotIdx, u32, u32)]) {
        let mut gone: Vec<(SlotIdx, u32)> = Vec::new();
        let mut came: Vec<(SlotIdx, u32)> = Vec::new();
        for &(slot, before, after) in changes {
            let group = layout.slots[slot.index()].group;
            if layout.groups[group.index()].content == Content::Bag {
                self.changed += 1;
            } else if after < before {
                gone.push((slot, before - after));
            } else {
                came.push((slot, after - before));
            }
        }
        let slot = |slot: SlotIdx| &layout.slots[slot.index()];
        self.moved += matched(&mut gone, &mut came, |a, b| {
            slot(a).colour == slot(b).colour && slot(a).group != slot(b).group
        });
        self.changed += matched(&mut gone, &mut came, |a, b| slot(a).group == slot(b).group);
        self.created += came.iter().map(|&(_, n)| u64::from(n)).sum::<u64>();
        self.deleted += gone.iter().map(|&(_, n)| u64::from(n)).sum::<u64>();
    }
}

/// Takes tokens that belong together out of both lists, and says how many there were.
fn matched(
    gone: &mut [(SlotIdx, u32)],
    came: &mut [(SlotIdx, u32)],
    belong: impl Fn(SlotIdx, SlotIdx) -> bool,
) -> u64 {
    let mut sum = 0;
    for (from, n_gone) in gone.iter_mut() {
        for (to, n_came) in came.iter_mut() {
            if *n_gone > 0 && *n_came > 0 && belong(*from, *to) {
                let both = (*n_gone).min(*n_came);
                (*n_gone, *n_came) = (*n_gone - both, *n_came - both);
                sum += u64::from(both);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_model::{Group, GroupIdx, Slot};

    #[test]
    fn tokens_are_matched_by_colour_then_by_place() {
        // Three places with the colours 1 and 2 each.
        let mut layout = Layout::default();
        for group in 0..3 {
            let first = SlotIdx(2 * group);
            for colour in [1, 2] {
                layout.slots.push(Slot { colour: Box::new([colour]), ..Slot::new(GroupIdx(group)) });
            }
            layout.groups.push(Group::new("", first, SlotIdx(2 * group + 2), Content::Counts));
        }
        let mut kinds = Kinds::default();
        // A token of colour 1 moves to the second place, another one changes its colour there, and one is new.
        let change = |slot, before, after| (SlotIdx(slot), before, after);
        kinds.count(&layout, &[change(0, 1, 0), change(2, 0, 1), change(4, 1, 0), change(5, 0, 2)]);
        assert_eq!(kinds, Kinds { moved: 1, changed: 1, created: 1, deleted: 0 });
        kinds.count(&layout, &[change(0, 3, 0)]);
        assert_eq!(kinds.deleted, 3);
    }
}
