//! Priorities: of the enabled bindings only those with the highest stay enabled.

use std::rc::Rc;

use petite_net::{Marking, Net, RunError, Value};

use crate::{ActionId, effects::Effects, matcher::Matcher};

/// The priorities of a net that has some.
#[derive(Debug)]
pub(crate) struct Priorities {
    /// For each transition, whether its priority depends on the marking.
    dynamic: Vec<bool>,
    /// Priorities that do not, by action, as far as they were needed.
    fixed: Vec<Option<i64>>,
    /// Scratch: the priority of each candidate.
    found: Vec<i64>,
}

impl Priorities {
    /// `None` for a net in which all bindings have the same priority.
    pub fn of(net: &Net) -> Option<Priorities> {
        let reads =
            |priority: &Option<petite_net::Expr>| priority.as_ref().is_some_and(|p| p.reads_marking());
        let dynamic = net.transitions.iter().map(|transition| reads(&transition.priority)).collect();
        let any = net.transitions.iter().any(|transition| transition.priority.is_some());
        any.then_some(Priorities { dynamic, fixed: Vec::new(), found: Vec::new() })
    }

    /// Drops all actions from position `start` on that do not have the highest priority among them.
    pub fn keep_highest(
        &mut self,
        matcher: &Matcher,
        effects: &Effects,
        frames: &[Rc<[Value]>],
        marking: &dyn Marking,
        actions: &mut Vec<ActionId>,
        start: usize,
    ) -> Result<(), RunError> {
        self.fixed.resize(effects.len(), None);
        self.found.clear();
        for &action in &actions[start..] {
            let transition = effects.transition(action);
            let priority = match self.fixed[action.index()] {
                Some(priority) => priority,
                // What cannot be evaluated must come to light.
                None if effects.fails_early(action) => i64::MAX,
                None => {
                    let frame = &frames[action.index()];
                    let context = || matcher.context(transition, frame);
                    let priority = matcher
                        .priority(transition, frame, marking)
                        .map_err(|error| error.within(context()))?;
                    if !self.dynamic[transition.index()] {
                        self.fixed[action.index()] = Some(priority);
                    }
                    priority
                }
            };
            self.found.push(priority);
        }
        let highest = self.found.iter().max().copied().unwrap_or(0);
        let mut kept = start;
        for (i, &priority) in self.found.iter().enumerate() {
            if priority == highest {
                actions[kept] = actions[start + i];
                kept += 1;
            }
        }
        actions.truncate(kept);
        Ok(())
    }
}
