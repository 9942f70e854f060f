//! An unfolded net as a place/transition net: each slot is a place, each instance a transition.
//!
//! What an instance takes and what it gives back are both kept, since a token that is only looked at must be there.
//! Three things of an engine have no counterpart in a plain net: priorities, which are refused unless all
//! instances have the same; errors of the evaluation, which are refused unless the caller knows that they never
//! happen; and capacities, which are left out.

use petite_bits::SlotIdx;
use petite_net::structure::{Effort, SlotBounds, semiflows};
use petite_net::{
    Kind, Marking, PlaceIdx, PlainNet, PlainPlace, PlainTransition, PriorityClass, RunError, TransIdx, Value,
};

use super::UnfoldedNet;
use crate::{ActionId, Model, NotPlain, PlainForm};

/// What to do with instances whose evaluation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flawed {
    /// Refuse the net.
    Refuse,
    /// Leave them out: the caller knows that they never happen.
    Drop,
}

/// Why an unfolded net is no place/transition net.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unsayable {
    /// Firing the instance is an error.
    Error {
        /// The instance in words.
        instance: String,
        /// What is wrong.
        error: Box<RunError>,
    },
    /// The transition has a priority of its own, or one that depends on the marking.
    Priority(TransIdx),
}

impl UnfoldedNet {
    /// Whether some instance's evaluation failed.
    pub fn has_flaws(&self) -> bool {
        (0..self.effects.len()).any(|action| self.effects.flaw(ActionId::new(action)).is_some())
    }

    /// The net as a place/transition net.
    ///
    /// # Errors
    /// When such a net cannot say what this one does.
    pub fn to_plain(&self, flawed: Flawed) -> Result<PlainNet, Unsayable> {
        self.check_priorities()?;
        let places = self.plain_places();
        let mut transitions = Vec::with_capacity(self.effects.len());
        for action in (0..self.effects.len()).map(ActionId::new) {
            match self.effects.flaw(action) {
                Some(flaw) if flaw.left_out || flawed == Flawed::Drop => {}
                Some(flaw) => {
                    let (instance, error) = (self.describe(action), flaw.error.clone());
                    return Err(Unsayable::Error { instance, error });
                }
                None => transitions.extend(self.plain_transition(action)),
            }
        }
        let name = self.matcher.net().name.text.clone();
        Ok(PlainNet { name, places, transitions, nupn: None })
    }

    /// Whether a place/transition net has the same behaviour, although nothing can fail there.
    pub(super) fn is_plain(&self) -> Result<(), NotPlain> {
        if self.check_priorities().is_err() || self.classes.is_some() {
            return Err(NotPlain::Priorities);
        }
        if self.implied.len() > 0 {
            return Err(NotPlain::Implied);
        }
        if self.has_flaws() {
            return Err(NotPlain::Errors);
        }
        if !self.keeps_capacities() {
            return Err(NotPlain::Capacities);
        }
        Ok(())
    }

    /// The net as a place/transition net with the same behaviour.
    pub(super) fn plain_form_of_all(&self) -> Result<PlainForm, NotPlain> {
        self.is_plain()?;
        let mut form = PlainForm {
            net: PlainNet {
                name: self.matcher.net().name.text.clone(),
                places: self.plain_places(),
                ..PlainNet::default()
            },
            actions: Vec::new(),
        };
        for action in (0..self.effects.len()).map(ActionId::new) {
            if let Some(transition) = self.plain_transition(action) {
                form.net.transitions.push(transition);
                form.actions.push(action);
            }
        }
        Ok(form)
    }

    /// Whether the place invariants prove that no place exceeds its capacity.
    fn keeps_capacities(&self) -> bool {
        let net = self.matcher.net();
        if net.places.iter().any(|place| place.capacity.total.is_some()) {
            return false;
        }
        if net.places.iter().all(|place| place.capacity.per_token.is_none()) {
            return true;
        }
        let (incidence, initial) = (self.incidence(), self.initial_counts());
        let sums = semiflows(&incidence, &mut Effort::QUICK.clone()).found;
        let bounds = SlotBounds::new(&incidence, &initial, &sums);
        self.layout.slots.iter().enumerate().all(|(slot, declared)| {
            let capacity = net.places[declared.group.index()].capacity.per_token;
            let most = bounds.of(SlotIdx::new(slot));
            capacity.is_none_or(|capacity| most.is_some_and(|most| most <= u64::from(capacity)))
        })
    }

    fn plain_places(&self) -> Vec<PlainPlace> {
        let mut starts = vec![0; self.n_slots()];
        self.initial.iter().for_each(|&(slot, count)| starts[slot.index()] = count);
        let place =
            |(slot, tokens)| PlainPlace { id: None, name: self.slot_name(SlotIdx::new(slot)), tokens };
        starts.into_iter().enumerate().map(place).collect()
    }

    /// An instance as a transition; none when it is always inhibited.
    fn plain_transition(&self, action: ActionId) -> Option<PlainTransition> {
        let place = |slot: SlotIdx| PlaceIdx(slot.0);
        let needed = || self.effects.needed(action);
        let mut gives: Vec<(SlotIdx, i64)> = needed().map(|(slot, count)| (slot, i64::from(count))).collect();
        gives.extend(self.effects.changed(action));
        let gives = super::summed(gives).into_iter();
        let mut inhibitors: Vec<(PlaceIdx, u32)> = match self.inhibitors.len() {
            0 => Vec::new(),
            _ => self
                .inhibitors
                .get(action.index())
                .iter()
                .map(|&(slot, least)| (place(slot), least))
                .collect(),
        };
        // The least count disables first, and a count of zero always does.
        inhibitors.sort_unstable();
        inhibitors.dedup_by_key(|(place, _)| *place);
        if inhibitors.iter().any(|(_, least)| *least == 0) {
            return None;
        }
        Some(PlainTransition {
            id: None,
            name: self.describe(action),
            inputs: needed().map(|(slot, count)| (place(slot), count)).collect(),
            // What is taken and the change make up what the instance gives, which is a number of 32 bits.
            outputs: gives.map(|(slot, n)| (place(slot), u32::try_from(n).unwrap_or(u32::MAX))).collect(),
            inhibitors,
        })
    }

    /// A place with the colour that a slot counts.
    fn slot_name(&self, slot: SlotIdx) -> String {
        let net = self.matcher.net();
        let place = &net.places[self.layout.slots[slot.index()].group.index()];
        let value = &self.colours[slot.index()];
        let colour = match (&net.types[place.domain].kind, value) {
            (Kind::Struct { components }, Value::Tuple(items)) => {
                let shown = components.iter().zip(items.iter()).map(|(c, item)| net.types.show(c.ty, item));
                shown.collect::<Vec<_>>().join(", ")
            }
            _ => net.types.show(place.domain, value),
        };
        if colour.is_empty() { place.name.text.clone() } else { format!("{}({colour})", place.name) }
    }

    /// All instances must have the same priority.
    fn check_priorities(&self) -> Result<(), Unsayable> {
        let mut transitions = self.matcher.net().transitions.iter();
        if let Some(at) = transitions.position(|transition| transition.class != PriorityClass::NONE) {
            return Err(Unsayable::Priority(TransIdx::new(at)));
        }
        if self.priorities.is_none() {
            return Ok(());
        }
        let mut common = None;
        for action in (0..self.effects.len()).map(ActionId::new) {
            let transition = self.effects.transition(action);
            let declared = |transition: TransIdx| self.matcher.net().transition(transition).priority.as_ref();
            if declared(transition).is_some_and(|priority| priority.reads_marking()) {
                return Err(Unsayable::Priority(transition));
            }
            if self.effects.fails_early(action) {
                continue;
            }
            let frame = &self.frames[action.index()];
            let Ok(priority) = self.matcher.priority(transition, frame, &NoTokens) else {
                return Err(Unsayable::Priority(transition));
            };
            let (other, first) = *common.get_or_insert((priority, transition));
            if other != priority {
                // One of them states it; the other may have none.
                let stated = if declared(transition).is_some() { transition } else { first };
                return Err(Unsayable::Priority(stated));
            }
        }
        Ok(())
    }
}

/// A marking for expressions that do not read it.
struct NoTokens;

impl Marking for NoTokens {
    fn tokens(&self, _: PlaceIdx, _: &mut dyn FnMut(&Value, u32)) {}
}
