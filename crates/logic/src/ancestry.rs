//! Where each state was first reached from.
//!
//! **Cost.** 8 bytes a state, beside the store.

use petite_bits::OutOfMemory;
use petite_model::ActionId;
use petite_search::Edge;
use petite_store::StateId;

/// The step that each state was first reached by.
#[derive(Clone, Debug, Default)]
pub struct Ancestry {
    /// Of state number one on; the initial state has none.
    steps: Vec<(StateId, ActionId)>,
}

impl Ancestry {
    /// Takes note of an edge to a new state. States come in the order of their identities.
    ///
    /// # Errors
    /// When there is no memory for it.
    #[inline]
    pub fn note(&mut self, edge: &Edge) -> Result<(), OutOfMemory> {
        if self.steps.len() == self.steps.capacity() {
            let more = (self.steps.len() / 2).max(1024);
            self.steps.try_reserve_exact(more).map_err(|_| OutOfMemory)?;
        }
        self.steps.push((edge.from, edge.action));
        Ok(())
    }

    /// The actions from the initial state to one that was noted; none where it was not.
    pub fn path(&self, mut to: StateId) -> Option<Vec<ActionId>> {
        let mut actions = Vec::new();
        while to.0 > 0 {
            let &(from, action) = self.steps.get(to.index().checked_sub(1)?)?;
            // A state is reached from an earlier one, so this ends.
            if from >= to {
                return None;
            }
            actions.push(action);
            to = from;
        }
        actions.reverse();
        Some(actions)
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<(StateId, ActionId)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_follow_the_first_steps() {
        let mut ancestry = Ancestry::default();
        for (from, to) in [(0, 1), (0, 2), (1, 3), (3, 4)] {
            let edge = Edge { from: StateId(from), action: ActionId(10 + to), to: StateId(to), new: true };
            ancestry.note(&edge).unwrap();
        }
        let path = |to| {
            ancestry.path(StateId(to)).map(|path| path.iter().map(|action| action.0).collect::<Vec<_>>())
        };
        assert_eq!(path(0), Some(vec![]));
        assert_eq!(path(4), Some(vec![11, 13, 14]));
        assert_eq!(path(2), Some(vec![12]));
        assert_eq!(path(5), None);
    }
}
