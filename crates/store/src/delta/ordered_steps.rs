//! Steps of states that come in breadth-first order.
//!
//! States are expanded in the order of their identities, so the predecessors of new states never decrease: they
//! take three bits each ([`MonotoneVec`]). Levels are ranges of identities, so whether a state is explicit
//! needs no bit at all: only the ranges of the explicit levels are kept.
//!
//! ```text
//!  identities   0 | 1 2 3 | 4 5 6 7 8 | 9 10 11 | ...
//!  explicit     0                       1  2  3          ranges 0..1 and 9..12, for k = 3
//!  parents          0 0 0   1 1 2 3 3              }  one entry for each state that is not explicit,
//!  actions          a b c   b d a a c              }  in their order
//! ```
//!
//! An origin that breaks the order makes its state explicit; so the table is right in any order, and small in this
//! one.
//!
//! **Cost.** 3 bits and those of the largest action for each state that is not explicit; 12 bytes for each explicit
//! level, which counts only where levels have few states and k is small.

use petite_bits::{MonotoneVec, PackedVec};
use petite_model::ActionId;

use super::steps::{Kept, Steps};
use crate::{Origin, StateId, StoreError};

/// Ranges that are looked at one after the other, the newest first, before all others are searched.
const NEWEST_RANGES: usize = 4;

/// The steps of states in breadth-first order.
#[derive(Debug)]
pub struct OrderedSteps {
    explicit_every: u32,
    parents: MonotoneVec,
    actions: PackedVec,
    /// Ranges of explicit states, in order, with gaps between them.
    ranges: Vec<Range>,
    len: u32,
    /// First state of the newest level, and the number of that level modulo `explicit_every`.
    level_start: u32,
    level: u32,
    last_parent: u32,
}

/// Explicit states that follow each other.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: u32,
    end: u32,
    /// The number of the first explicit marking, which is how many explicit ones come before it.
    number: u32,
}

impl OrderedSteps {
    /// No states yet.
    pub fn new(explicit_every: u32) -> OrderedSteps {
        OrderedSteps {
            explicit_every,
            parents: MonotoneVec::new(),
            actions: PackedVec::new(),
            ranges: Vec::new(),
            len: 0,
            level_start: 0,
            level: 0,
            last_parent: 0,
        }
    }

    /// The last range that begins at or before a state, and the position of the state among the steps unless it is
    /// in that range.
    #[inline]
    fn find(&self, id: u32) -> Result<u32, usize> {
        // Most states that are asked for are among the newest.
        let is_before = |range: &&Range| range.first <= id;
        let range = self.ranges.iter().rev().take(NEWEST_RANGES).find(is_before).or_else(|| {
            let older = &self.ranges[..self.ranges.len().saturating_sub(NEWEST_RANGES)];
            older.get(older.partition_point(|range| range.first <= id).checked_sub(1)?)
        });
        match range {
            Some(range) if id < range.end => Ok(range.number + (id - range.first)),
            Some(range) => Err((id - range.number - (range.end - range.first)) as usize),
            None => Err(id as usize),
        }
    }

    /// The level of a state that comes from a given one, modulo `explicit_every`.
    #[inline]
    fn level_after(&self, parent: u32) -> u32 {
        match parent >= self.level_start {
            true if self.level + 1 == self.explicit_every => 0,
            true => self.level + 1,
            false => self.level,
        }
    }
}

impl Steps for OrderedSteps {
    #[inline]
    fn len(&self) -> usize {
        self.len as usize
    }

    #[inline]
    fn distance_of_next(&self, origin: Origin) -> u32 {
        match origin {
            Origin::Step { parent, .. } if parent.0 >= self.last_parent => self.level_after(parent.0),
            _ => 0,
        }
    }

    fn push(&mut self, origin: Origin, distance: u32, number: u32) -> Result<(), StoreError> {
        match origin {
            Origin::Step { parent, action } if distance > 0 => {
                self.actions.push(u64::from(action.0))?;
                if let Err(error) = self.parents.push(parent.0) {
                    self.actions.pop();
                    return Err(error.into());
                }
            }
            _ => match self.ranges.last_mut() {
                Some(range) if range.end == self.len => range.end += 1,
                _ => {
                    if self.ranges.len() == self.ranges.capacity() {
                        let more = self.ranges.len() / 8 + 4;
                        self.ranges.try_reserve_exact(more).map_err(|_| StoreError::OutOfMemory)?;
                    }
                    self.ranges.push(Range { first: self.len, end: self.len + 1, number });
                }
            },
        }
        if let Origin::Step { parent, .. } = origin {
            let level = self.level_after(parent.0);
            if parent.0 >= self.level_start {
                self.level_start = self.len;
                self.level = level;
            }
            self.last_parent = self.last_parent.max(parent.0);
        }
        self.len += 1;
        Ok(())
    }

    /// What was remembered of the level stays: it is only asked again for the same state, or never.
    fn pop(&mut self) {
        let Some(last) = self.len.checked_sub(1) else { return };
        self.len = last;
        match self.ranges.last_mut() {
            Some(range) if range.end > last => {
                range.end = last;
                if range.first == range.end {
                    self.ranges.pop();
                }
            }
            _ => {
                self.actions.pop();
                self.parents.pop();
            }
        }
    }

    #[inline]
    fn get(&self, id: StateId) -> Kept {
        match self.find(id.0) {
            Ok(number) => Kept::Explicit(number),
            Err(at) => Kept::Step {
                parent: StateId(self.parents.get(at)),
                action: ActionId(self.actions.get(at) as u32),
            },
        }
    }

    /// In this order the first way is the shortest from the initial state, and the order of the predecessors would
    /// be lost.
    fn shorten(&mut self, _: StateId, _: StateId, _: ActionId) -> Result<bool, StoreError> {
        Ok(false)
    }

    #[inline]
    fn prefetch(&self, id: StateId) {
        if let Err(at) = self.find(id.0) {
            self.actions.prefetch(at);
            self.parents.prefetch(at);
        }
    }

    fn bytes(&self) -> usize {
        self.parents.bytes() + self.actions.bytes() + self.ranges.capacity() * size_of::<Range>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree in which every state has `width` children, in breadth-first order.
    fn tree(explicit_every: u32, width: u32, n: u32) -> OrderedSteps {
        let mut steps = OrderedSteps::new(explicit_every);
        let mut number = 0;
        for id in 0..n {
            let origin = match id {
                0 => Origin::Initial,
                _ => Origin::Step { parent: StateId((id - 1) / width), action: ActionId(id % width + 9) },
            };
            let distance = steps.distance_of_next(origin);
            steps.push(origin, distance, number).unwrap();
            number += u32::from(distance == 0);
        }
        steps
    }

    #[test]
    fn levels_decide_what_is_explicit() {
        for (explicit_every, width) in [(1, 2), (2, 1), (3, 2), (7, 3), (50, 2), (u32::MAX, 1)] {
            let steps = tree(explicit_every, width, 3000);
            let mut levels = vec![0u32; 3000];
            let mut number = 0;
            for id in 0..3000u32 {
                let parent = id.saturating_sub(1) / width;
                levels[id as usize] = if id == 0 { 0 } else { levels[parent as usize] + 1 };
                let expected = if levels[id as usize].is_multiple_of(explicit_every) {
                    number += 1;
                    Kept::Explicit(number - 1)
                } else {
                    Kept::Step { parent: StateId(parent), action: ActionId(id % width + 9) }
                };
                assert_eq!(steps.get(StateId(id)), expected, "k = {explicit_every}, {id}");
            }
        }
    }

    #[test]
    fn what_breaks_the_order_is_explicit() {
        let mut steps = tree(10, 2, 100);
        let back = Origin::Step { parent: StateId(3), action: ActionId(1) };
        assert_eq!(steps.distance_of_next(back), 0);
        steps.push(back, 0, 1).unwrap();
        assert_eq!(steps.get(StateId(100)), Kept::Explicit(1));
        let on = Origin::Step { parent: StateId(60), action: ActionId(2) };
        let distance = steps.distance_of_next(on);
        assert!(distance > 0);
        steps.push(on, distance, 2).unwrap();
        assert_eq!(steps.get(StateId(101)), Kept::Step { parent: StateId(60), action: ActionId(2) });
        steps.pop();
        steps.pop();
        assert_eq!(steps.len(), 100);
        assert_eq!(steps.get(StateId(99)), tree(10, 2, 100).get(StateId(99)));
    }
}
