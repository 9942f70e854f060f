//! Steps of states that come in any order: depth first, for instance.
//!
//! Each state has a record of the bits that the largest state and the largest action need, and its distance from the
//! explicit marking that it is reconstituted from:
//!
//! ```text
//!  record    | explicit? 1 | action | parent, or number of the explicit marking |
//!  distance  | 0 to k - 1 |
//! ```
//!
//! Widths grow by themselves: a state or action that does not fit makes all records wider.
//!
//! **Distances** are those at the time a state was stored. When a predecessor is replaced by one that is closer to an
//! explicit marking, the states behind it get closer too, but keep the distance they were given: a distance is never
//! less than the truth, and always greater than that of the parent. This is why replacing by a strictly shorter
//! distance never closes a circle.
//!
//! **Cost.** At four million states, 300 actions and k = 20: 32 bits for the record and 5 for the distance.

use petite_bits::{PackedVec, low_bits};
use petite_model::ActionId;

use super::steps::{Kept, Steps};
use crate::{Origin, StateId, StoreError};

/// The largest action that a record can name.
const MAX_ACTION: u32 = u32::MAX >> 1;

/// The steps of states in any order.
#[derive(Debug)]
pub struct FreeSteps {
    explicit_every: u32,
    records: PackedVec,
    action_width: u32,
    distances: PackedVec,
    /// A state that is the predecessor of what is met, mostly several times in turn, and its distance.
    predecessor: (StateId, u32),
}

impl FreeSteps {
    /// No states yet.
    pub fn new(explicit_every: u32) -> FreeSteps {
        FreeSteps {
            explicit_every,
            records: PackedVec::new(),
            action_width: 0,
            distances: PackedVec::new(),
            // The first state is explicit.
            predecessor: (StateId(0), 0),
        }
    }

    /// How far a state is from the explicit marking that it is reconstituted from, at most.
    pub fn distance(&self, id: StateId) -> u32 {
        self.distances.get(id.index()) as u32
    }

    /// Replaces a state by another one, with what pushing one takes.
    pub fn replace(
        &mut self,
        id: StateId,
        origin: Origin,
        distance: u32,
        number: u32,
    ) -> Result<(), StoreError> {
        let record = self.record(origin, distance, number)?;
        self.records.set(id.index(), record)?;
        self.distances.set(id.index(), u64::from(distance))?;
        if self.predecessor.0 == id {
            self.predecessor.1 = distance;
        }
        Ok(())
    }

    /// The record of a state; records are wide enough for its action afterwards.
    #[inline]
    fn record(&mut self, origin: Origin, distance: u32, number: u32) -> Result<u64, StoreError> {
        let (action, target, explicit) = match origin {
            Origin::Step { parent, action } if distance > 0 => (action.0, parent.0, 0),
            _ => (0, number, 1),
        };
        if action > MAX_ACTION {
            return Err(StoreError::OutOfIds);
        }
        let width = 32 - action.leading_zeros();
        if width > self.action_width {
            self.widen_actions(width)?;
        }
        Ok(explicit | u64::from(action) << 1 | u64::from(target) << (1 + self.action_width))
    }

    #[cold]
    fn widen_actions(&mut self, width: u32) -> Result<(), StoreError> {
        let (old, more) = (self.action_width, width - self.action_width);
        let low = low_bits(1 + old);
        self.records.map(self.records.width() + more, |record| record & low | (record & !low) << more)?;
        self.action_width = width;
        Ok(())
    }
}

impl Steps for FreeSteps {
    #[inline]
    fn len(&self) -> usize {
        self.records.len()
    }

    #[inline]
    fn distance_of_next(&self, origin: Origin) -> u32 {
        match origin {
            Origin::Initial => 0,
            Origin::Step { parent, .. } => match self.distance(parent) + 1 {
                distance if distance == self.explicit_every => 0,
                distance => distance,
            },
        }
    }

    #[inline]
    fn push(&mut self, origin: Origin, distance: u32, number: u32) -> Result<(), StoreError> {
        let record = self.record(origin, distance, number)?;
        self.records.push(record)?;
        if let Err(error) = self.distances.push(u64::from(distance)) {
            self.records.pop();
            return Err(error.into());
        }
        Ok(())
    }

    /// The last state has no successors yet, so it is no predecessor.
    fn pop(&mut self) {
        self.records.pop();
        self.distances.pop();
    }

    #[inline]
    fn get(&self, id: StateId) -> Kept {
        let record = self.records.get(id.index());
        let target = (record >> (1 + self.action_width)) as u32;
        match record & 1 {
            1 => Kept::Explicit(target),
            _ => Kept::Step {
                parent: StateId(target),
                action: ActionId((record >> 1 & low_bits(self.action_width)) as u32),
            },
        }
    }

    #[inline]
    fn shorten(&mut self, id: StateId, parent: StateId, action: ActionId) -> Result<bool, StoreError> {
        if self.predecessor.0 != parent {
            self.predecessor = (parent, self.distance(parent));
        }
        let distance = self.predecessor.1 + 1;
        if distance >= self.distance(id) {
            return Ok(false);
        }
        self.replace(id, Origin::Step { parent, action }, distance, 0)?;
        Ok(true)
    }

    #[inline]
    fn prefetch(&self, id: StateId) {
        self.records.prefetch(id.index());
        self.distances.prefetch(id.index());
    }

    fn bytes(&self) -> usize {
        self.records.bytes() + self.distances.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_while_all_widths_grow() {
        let mut steps = FreeSteps::new(5);
        let mut expected = Vec::new();
        for id in 0..40_000u32 {
            let parent = StateId(petite_bits::mix64(id.into()) as u32 % id.max(1));
            let action = ActionId(id * 3);
            let origin = if id == 0 { Origin::Initial } else { Origin::Step { parent, action } };
            let distance = steps.distance_of_next(origin);
            steps.push(origin, distance, id).unwrap();
            expected.push(match distance {
                0 => Kept::Explicit(id),
                _ => Kept::Step { parent, action },
            });
        }
        assert!((0..40_000).all(|id| steps.get(StateId::new(id)) == expected[id]));
        assert!((0..40_000).all(|id| steps.distance(StateId(id)) < 5));
        assert_eq!(
            steps.push(Origin::Step { parent: StateId(0), action: ActionId(u32::MAX) }, 1, 0),
            Err(StoreError::OutOfIds)
        );
        steps.pop();
        assert_eq!(steps.len(), 39_999);
    }

    #[test]
    fn only_shorter_ways_are_taken() {
        let mut steps = FreeSteps::new(100);
        let step = |parent| Origin::Step { parent: StateId(parent), action: ActionId(0) };
        steps.push(Origin::Initial, 0, 0).unwrap();
        for id in 1..10 {
            steps.push(step(id - 1), id, 0).unwrap();
        }
        assert_eq!(steps.shorten(StateId(5), StateId(4), ActionId(1)), Ok(false));
        assert_eq!(steps.shorten(StateId(5), StateId(9), ActionId(1)), Ok(false));
        assert_eq!(steps.shorten(StateId(0), StateId(3), ActionId(1)), Ok(false));
        assert_eq!(steps.shorten(StateId(5), StateId(1), ActionId(1)), Ok(true));
        assert_eq!(steps.get(StateId(5)), Kept::Step { parent: StateId(1), action: ActionId(1) });
        assert_eq!((steps.distance(StateId(5)), steps.distance(StateId(6))), (2, 6));
        assert_eq!(steps.shorten(StateId(9), StateId(6), ActionId(1)), Ok(true));
        assert_eq!(steps.shorten(StateId(6), StateId(5), ActionId(1)), Ok(true));
        assert_eq!(steps.shorten(StateId(7), StateId(6), ActionId(1)), Ok(true));
        assert_eq!((steps.distance(StateId(9)), steps.distance(StateId(7))), (7, 4));
    }
}
