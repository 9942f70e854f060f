//! Failures and states of nets in words.

use std::rc::Rc;

use petite_bits::SlotIdx;
use petite_net::{Marking, MultiSet, Net, PlaceIdx, RunError, RunErrorKind, Value};

use crate::{
    ActionId, Fault, Layout,
    effects::{Effects, Failure},
    matcher::Matcher,
};

/// What is needed to explain a failure.
pub(crate) struct Faults<'a> {
    pub matcher: &'a Matcher,
    pub layout: &'a Layout,
    pub effects: &'a Effects,
    pub frames: &'a [Rc<[Value]>],
}

impl Faults<'_> {
    /// A failure as an error that names place, token and binding; `token` gives the token of a count slot, or
    /// of a bag by its number.
    pub fn explain<'v>(
        &self,
        failure: Failure,
        action: ActionId,
        token: impl Fn(Held) -> &'v Value,
    ) -> Fault {
        let (place, token, value) = match failure {
            Failure::Outgrown(outgrown) => return Fault::Outgrown(outgrown),
            Failure::Error(error) => return Fault::Run(error),
            Failure::Negative => unreachable!("an enabled action finds its tokens"),
            Failure::Capacity { slot, value } => {
                let place = PlaceIdx(self.layout.slots[slot.index()].group.0);
                (place, token(Held::Slot(slot)), value)
            }
            Failure::BagCapacity { place, token: number, value } => {
                (place, token(Held::Bag(place, number)), value)
            }
        };
        let declared = self.matcher.net().place(place);
        let kind = match declared.capacity.per_token {
            Some(capacity) => RunErrorKind::CapacityExceeded {
                place: declared.name.text.clone(),
                token: show_token(self.matcher.net(), place, token),
                count: value,
                capacity: capacity.to_string(),
            },
            None => RunErrorKind::CountOverflow { place: declared.name.text.clone() },
        };
        let error = RunError::new(kind, self.transition_span(action));
        error.within(format!("when firing {}", self.describe(action))).into()
    }

    /// Whether a state's group totals respect the places' capacities.
    pub fn check_totals(&self, action: ActionId, totals: &[u64]) -> Result<(), Fault> {
        for (group, allowed) in self.effects.limited(action) {
            let total = totals[group.index()];
            if allowed.iter().any(|&(low, high)| (u64::from(low)..=u64::from(high)).contains(&total)) {
                continue;
            }
            let ranges: Vec<String> = allowed.iter().map(|(low, high)| format!("{low} .. {high}")).collect();
            let kind = RunErrorKind::CapacityExceeded {
                place: self.layout.groups[group.index()].name.clone(),
                token: "a token".to_owned(),
                count: total,
                capacity: ranges.join(", "),
            };
            let error = RunError::new(kind, self.transition_span(action));
            return Err(error.within(format!("when firing {}", self.describe(action))).into());
        }
        Ok(())
    }

    /// An action in words.
    pub fn describe(&self, action: ActionId) -> String {
        self.matcher.describe(self.effects.transition(action), &self.frames[action.index()])
    }

    fn transition_span(&self, action: ActionId) -> petite_net::Span {
        self.matcher.net().transition(self.effects.transition(action)).name.span
    }
}

/// Where a token is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Held {
    /// Counted by a slot.
    Slot(SlotIdx),
    /// Number `.1` among the tokens of a place with bags.
    Bag(PlaceIdx, u32),
}

/// The places that hold something, with their tokens in the model's notation.
pub(crate) fn describe_marking(net: &Net, marking: &dyn Marking) -> Vec<(String, String)> {
    let mut described = Vec::new();
    for (i, declared) in net.places.iter().enumerate() {
        let place = PlaceIdx::new(i);
        let mut terms = Vec::new();
        marking.tokens(place, &mut |token, count| terms.push(show_counted(net, place, token, count)));
        if !terms.is_empty() {
            described.push((declared.name.text.clone(), terms.join(" + ")));
        }
    }
    described
}

/// Some tokens of a place in the model's notation.
pub(crate) fn show_tokens(net: &Net, place: PlaceIdx, tokens: &MultiSet) -> String {
    let terms: Vec<String> =
        tokens.iter().map(|(token, count)| show_counted(net, place, token, count)).collect();
    if terms.is_empty() { "nothing".to_owned() } else { terms.join(" + ") }
}

fn show_counted(net: &Net, place: PlaceIdx, token: &Value, count: u32) -> String {
    let token = show_token(net, place, token);
    if count == 1 { token } else { format!("{count}*{token}") }
}

/// A token in the model's notation.
pub(crate) fn show_token(net: &Net, place: PlaceIdx, token: &Value) -> String {
    let text = net.types.show(net.place(place).domain, token);
    match text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        Some("") => "epsilon".to_owned(),
        Some(components) => format!("<({components})>"),
        None => text,
    }
}
