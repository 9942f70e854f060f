//! The actions that waiting states were found by.
//!
//! States wait in the order in which they were found, so this is a queue of small numbers beside them: two bytes a
//! state, and only where [steps may be left out](petite_model::Commuting).

use std::collections::VecDeque;

use petite_bits::OutOfMemory;
use petite_model::ActionId;

/// Stands for no action: the initial state was found by none. [`Commuting`](petite_model::Commuting) is never made for so
/// many actions that it could be one.
const NONE: u16 = u16::MAX;

/// A queue of actions.
#[derive(Debug, Default)]
pub struct FoundBy(VecDeque<u16>);

impl FoundBy {
    /// Adds the action that the newest state was found by.
    #[inline]
    pub fn push(&mut self, action: Option<ActionId>) -> Result<(), OutOfMemory> {
        if self.0.len() == self.0.capacity() {
            self.grow()?;
        }
        self.0.push_back(action.map_or(NONE, |action| action.0 as u16));
        Ok(())
    }

    /// Takes out the action that the oldest state was found by.
    #[inline]
    pub fn pop(&mut self) -> Option<ActionId> {
        self.0.pop_front().filter(|&action| action != NONE).map(|action| ActionId(action.into()))
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u16>()
    }

    /// Makes room, a quarter beyond what there is.
    #[cold]
    fn grow(&mut self) -> Result<(), OutOfMemory> {
        Ok(self.0.try_reserve_exact((self.0.len() / 4).max(64))?)
    }
}
