//! Classes of transitions that go first; see [`petite_net::PriorityClass`].

use petite_net::{Net, PriorityClass};

use crate::{ActionId, effects::Effects};

/// The classes of a net that has some, by transition.
#[derive(Debug)]
pub(crate) struct Classes {
    of: Vec<PriorityClass>,
}

impl Classes {
    /// `None` for a net in which no transition has a class.
    pub fn of(net: &Net) -> Option<Classes> {
        let of: Vec<PriorityClass> = net.transitions.iter().map(|transition| transition.class).collect();
        of.iter().any(|class| *class != PriorityClass::NONE).then_some(Classes { of })
    }

    /// Drops the actions from position `start` on that come after an enabled one of another class.
    pub fn keep_first(&self, effects: &Effects, actions: &mut Vec<ActionId>, start: usize) {
        let class = |action: ActionId| self.of[effects.transition(action).index()];
        let classed = actions[start..].iter().filter(|&&action| class(action) != PriorityClass::NONE);
        let Some(first) = classed.map(|&action| effects.transition(action)).min() else { return };
        let mut kept = start;
        for i in start..actions.len() {
            let action = actions[i];
            if effects.transition(action) < first || class(action) == self.of[first.index()] {
                actions[kept] = action;
                kept += 1;
            }
        }
        actions.truncate(kept);
    }
}
