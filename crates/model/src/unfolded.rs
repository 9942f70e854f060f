//! The engine of nets whose transitions are instantiated ahead.
//!
//! After [`unfold`] the net is a place/transition net over slots: an
//! instance takes, changes and gives counts, and colours are only names. Enabled instances are found through
//! [`Triggers`], firing is [`Effects`]. Nothing is evaluated during the search but priorities that read the
//! marking.

mod plain;

use std::rc::Rc;

use petite_bits::{Outgrown, Packing, SlotIdx};
use petite_net::{Marking, Net, PlaceIdx, RunError, Value, structure::Incidence};

use crate::{
    ActionId, Content, Fault, Group, GroupIdx, Layout, Model, Refusal, Slot,
    bags::Bags,
    effects::{Direction, Effect, Effects},
    faults::{Faults, Held},
    growth::Growth,
    hashing::{FixedMap, fixed_map},
    lists::Lists,
    matcher::{Instance, Matcher},
    priority::Priorities,
    trigger::Triggers,
    unfold::{Budget, TooLarge, Unfolding, unfold},
    widths::{self, CountWidths},
};

pub use plain::{Flawed, Unsayable};

/// States sampled to learn which groups are marked often.
const SAMPLE: usize = 500;

/// A net with all its transitions instantiated.
#[derive(Debug)]
pub struct UnfoldedNet {
    matcher: Matcher,
    layout: Layout,
    packing: Packing,
    /// The token that each slot counts.
    colours: Vec<Value>,
    effects: Effects,
    triggers: Triggers,
    /// Slots that must stay below a count, for instances with inhibitor arcs; empty when there are none.
    inhibitors: Lists<(SlotIdx, u32)>,
    /// Variables of each instance.
    frames: Vec<Rc<[Value]>>,
    priorities: Option<Priorities>,
    growth: Growth,
    initial: Vec<(SlotIdx, u32)>,
    bags: Bags,
}

impl UnfoldedNet {
    pub(crate) fn new(net: &Rc<Net>, budget: Budget) -> Result<UnfoldedNet, TooLarge> {
        let matcher = Matcher::new(net.clone());
        let Unfolding { colours, instances } = unfold(&matcher, budget)?;
        let mut layout = layout(net, &colours);
        let slots = slot_numbers(&layout, &colours);
        let initial = net.places.iter().enumerate().flat_map(|(p, place)| {
            let slots = &slots[p];
            place.initial.iter().map(move |(token, count)| (slots[token], count))
        });
        let initial: Vec<_> = initial.collect();
        let mut starts = vec![0; layout.slots.len()];
        initial.iter().for_each(|&(slot, count): &(SlotIdx, u32)| starts[slot.index()] = count);
        let mut packing = Packing::new(&widths::at_start(&layout, &starts, CountWidths::of(net)));
        let mut effects = Effects::new(net, &layout);
        let mut frames = Vec::new();
        let mut inhibitors = Lists::default();
        let inhibited = net.transitions.iter().any(|transition| !transition.inhibitors.is_empty());
        for mut instance in instances {
            if inhibited {
                inhibitors.push(inhibitor_slots(&matcher, &layout, &colours, &mut instance));
            }
            frames.push(instance.frame.clone());
            effects.push(instance.transition, effect(instance, &slots), &layout, &packing);
        }
        if widths::can_gain(&layout) && effects.n_changes() <= widths::MOST_CHANGES {
            widths::tighten(&mut layout, &effects.incidence(), &starts);
            packing = Packing::new(&widths::at_start(&layout, &starts, CountWidths::of(net)));
            effects.repack(&packing);
        }
        let mut net = UnfoldedNet {
            packing,
            colours: colours.into_iter().flatten().collect(),
            priorities: Priorities::of(net),
            growth: Growth::of(net, &layout),
            triggers: Triggers::default(),
            bags: Bags::default(),
            matcher,
            layout,
            effects,
            inhibitors,
            frames,
            initial,
        };
        let n_groups = net.layout.groups.len();
        net.build_triggers(&vec![1.0; n_groups]);
        let marked = net.sample();
        net.build_triggers(&marked);
        Ok(net)
    }

    /// Number of slots.
    pub fn n_slots(&self) -> usize {
        self.layout.slots.len()
    }

    /// What each action takes and changes, for the analysis of the structure: column number `i` is action number `i`.
    pub fn incidence(&self) -> Incidence {
        self.effects.incidence()
    }

    /// The count of each slot in the initial state.
    pub fn initial_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.layout.slots.len()];
        self.initial.iter().for_each(|&(slot, count)| counts[slot.index()] = u64::from(count));
        counts
    }

    /// The token that a slot counts, in the model's notation.
    pub fn describe_slot(&self, slot: SlotIdx) -> String {
        let place = PlaceIdx(self.layout.slots[slot.index()].group.0);
        crate::faults::show_token(self.matcher.net(), place, &self.colours[slot.index()])
    }

    fn build_triggers(&mut self, marked: &[f64]) {
        let effects = &self.effects;
        self.triggers = Triggers::new(&self.layout, effects.len(), |action| effects.takes(action), marked);
    }

    /// How many slots of each group are marked on average, in the first states of a breadth-first search and a
    /// few walks from there. Only speed depends on it, so errors just end it.
    fn sample(&mut self) -> Vec<f64> {
        let mut marked = vec![0.0; self.layout.groups.len()];
        let mut words = vec![0; self.packing.n_words()];
        let mut actions = Vec::new();
        let (mut random, mut hash) = (1u64, 0);
        for step in 0..SAMPLE {
            if step % 100 == 0 && self.initial(&mut words).is_err() {
                break;
            }
            for (slot, _) in self.packing.marked(&words) {
                marked[self.layout.slots[slot.index()].group.index()] += 1.0 / SAMPLE as f64;
            }
            actions.clear();
            if self.enabled(&words, &mut actions).is_err() || actions.is_empty() {
                continue;
            }
            random = petite_bits::mix64(random.wrapping_add(0x9E37_79B9_7F4A_7C15));
            let action = actions[(random % actions.len() as u64) as usize];
            let _ = self.fire(&mut words, &mut hash, action);
        }
        // A group never seen marked may still be; it is only less likely.
        marked.iter().map(|count| count + 0.01).collect()
    }

    #[inline]
    fn is_enabled(&self, words: &[u64], action: ActionId) -> bool {
        self.effects.has_tokens(words, action)
            && (self.inhibitors.len() == 0
                || self
                    .inhibitors
                    .get(action.index())
                    .iter()
                    .all(|&(slot, count)| self.packing.get(words, slot) < count))
    }

    /// Whether the state that an action led to respects the limits of places; if not, the action is taken back.
    fn check_totals(&mut self, action: ActionId, words: &mut [u64], hash: &mut u64) -> Result<(), Fault> {
        let mut totals = vec![0; self.layout.groups.len()];
        self.group_totals(words, &mut totals);
        let checked = self.faults().check_totals(action, &totals);
        if checked.is_err() {
            // What was just done can be taken back.
            let _ = self.unfire(words, hash, action);
        }
        checked
    }

    fn faults(&self) -> Faults<'_> {
        Faults { matcher: &self.matcher, layout: &self.layout, effects: &self.effects, frames: &self.frames }
    }
}

impl Model for UnfoldedNet {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn packing(&self) -> &Packing {
        &self.packing
    }

    fn widen(&mut self, outgrown: Outgrown) -> Packing {
        let wider = widths::widened(&self.packing, outgrown);
        self.effects.repack(&wider);
        std::mem::replace(&mut self.packing, wider)
    }

    fn initial(&mut self, words: &mut [u64]) -> Result<(), Fault> {
        words.fill(0);
        for &(slot, count) in &self.initial {
            self.packing.set(words, slot, count)?;
        }
        Ok(())
    }

    fn enabled(&mut self, words: &[u64], actions: &mut Vec<ActionId>) -> Result<(), RunError> {
        let start = actions.len();
        self.triggers.candidates(&self.packing, words, &mut |action| {
            if self.is_enabled(words, action) {
                actions.push(action);
            }
        });
        if let Some(priorities) = &mut self.priorities {
            let view = View { packing: &self.packing, layout: &self.layout, colours: &self.colours, words };
            priorities.keep_highest(&self.matcher, &self.effects, &self.frames, &view, actions, start)?;
        }
        Ok(())
    }

    #[inline]
    fn fire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Fault> {
        let bags = &mut self.bags;
        match self.effects.apply(Direction::Forward, action, &self.packing, bags, words, hash) {
            Ok(()) if self.effects.limits_groups() => self.check_totals(action, words, hash),
            Ok(()) => Ok(()),
            Err(failure) => Err(self.faults().explain(failure, action, |held| match held {
                Held::Slot(slot) => &self.colours[slot.index()],
                Held::Bag(place, token) => self.bags.value(place, token),
            })),
        }
    }

    #[inline]
    fn unfire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Refusal> {
        let bags = &mut self.bags;
        Ok(self.effects.apply(Direction::Backward, action, &self.packing, bags, words, hash)?)
    }

    fn n_actions(&self) -> usize {
        self.effects.len()
    }

    fn group_totals(&self, words: &[u64], totals: &mut [u64]) {
        totals.fill(0);
        for (slot, count) in self.packing.marked(words) {
            totals[self.layout.slots[slot.index()].group.index()] += u64::from(count);
        }
    }

    fn changed_slots(&self, action: ActionId) -> Option<Vec<SlotIdx>> {
        self.effects.changed_slots(action)
    }

    #[inline]
    fn group_changes(&self, action: ActionId) -> &[(GroupIdx, i64)] {
        self.effects.groups(action)
    }

    fn largest_multiplicity(&self, words: &[u64]) -> u32 {
        self.packing.marked(words).map(|(_, count)| count).max().unwrap_or(0)
    }

    #[inline]
    fn largest_given(&self, words: &[u64], action: ActionId) -> u32 {
        self.effects.largest_given(&self.packing, &self.bags, words, action)
    }

    fn may_grow(&self) -> bool {
        self.growth.is_possible(&self.layout)
    }

    fn grown(&self, before: &[u64], after: &[u64]) -> Option<Vec<GroupIdx>> {
        self.growth.grown(&self.layout, &self.packing, before, after, |_, low, high| low == high)
    }

    fn is_hindered(&self, action: ActionId, groups: &[GroupIdx]) -> bool {
        let transition = self.effects.transition(action);
        self.growth.hinders(self.matcher.net().transition(transition), groups)
    }

    fn describe(&self, action: ActionId) -> String {
        self.faults().describe(action)
    }

    fn describe_state(&self, words: &[u64]) -> Vec<(String, String)> {
        let view = View { packing: &self.packing, layout: &self.layout, colours: &self.colours, words };
        crate::faults::describe_marking(self.matcher.net(), &view)
    }

    fn bytes(&self) -> usize {
        self.effects.bytes()
            + self.triggers.bytes()
            + self.inhibitors.bytes()
            + self.packing.bytes()
            + self.colours.capacity() * size_of::<Value>()
            + self.frames.iter().map(|frame| 16 + frame.len() * size_of::<Value>()).sum::<usize>()
            + self.frames.capacity() * size_of::<Rc<[Value]>>()
    }
}

/// A state as a marking.
struct View<'a> {
    packing: &'a Packing,
    layout: &'a Layout,
    colours: &'a [Value],
    words: &'a [u64],
}

impl Marking for View<'_> {
    fn tokens(&self, place: PlaceIdx, each: &mut dyn FnMut(&Value, u32)) {
        let group = &self.layout.groups[place.index()];
        for (slot, count) in self.packing.marked_in(self.words, group.first, group.end) {
            each(&self.colours[slot.index()], count);
        }
    }
}

/// One group for each place, one slot for each possible token.
fn layout(net: &Net, colours: &[Vec<Value>]) -> Layout {
    let mut layout = Layout::default();
    for (p, (place, tokens)) in net.places.iter().zip(colours).enumerate() {
        let first = SlotIdx::new(layout.slots.len());
        let colours = widths::colour_numbers(tokens).into_iter();
        let bound = place.capacity.per_token;
        layout.slots.extend(colours.map(|colour| Slot { group: GroupIdx::new(p), bound, colour }));
        layout.groups.push(Group {
            name: place.name.text.clone(),
            first,
            end: SlotIdx::new(layout.slots.len()),
            content: Content::Counts,
            capacity: widths::group_capacity(place),
        });
    }
    layout
}

/// The slot of each token of each place.
fn slot_numbers(layout: &Layout, colours: &[Vec<Value>]) -> Vec<FixedMap<Value, SlotIdx>> {
    layout
        .groups
        .iter()
        .zip(colours)
        .map(|(group, tokens)| {
            let mut slots = fixed_map();
            slots.extend(tokens.iter().cloned().zip((group.first.0..).map(SlotIdx)));
            slots
        })
        .collect()
}

fn effect(instance: Instance, slots: &[FixedMap<Value, SlotIdx>]) -> Effect {
    let slot = |place: &PlaceIdx, token: &Value| slots[place.index()][token];
    let mut effect = Effect { flaw: instance.flaw, ..Effect::default() };
    let mut groups: Vec<(GroupIdx, i64)> = Vec::new();
    for (tokens, sign) in [(&instance.takes, -1), (&instance.gives, 1)] {
        for (place, token, count) in tokens {
            effect.changes.push((slot(place, token), sign * i64::from(*count)));
            groups.push((GroupIdx(place.0), sign * i64::from(*count)));
        }
    }
    effect.takes = instance.takes.iter().map(|(place, token, count)| (slot(place, token), *count)).collect();
    effect.takes.sort_unstable();
    if effect.flaw.is_some() {
        effect.changes.clear();
        groups.clear();
    }
    effect.changes = summed(std::mem::take(&mut effect.changes));
    effect.groups = summed(groups);
    effect
}

/// One entry for each key, with the sum of its numbers; keys whose sum is zero are left out.
pub(crate) fn summed<K: Ord + Copy>(mut entries: Vec<(K, i64)>) -> Vec<(K, i64)> {
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    entries.retain(|(_, sum)| *sum != 0);
    entries
}

/// The slots that inhibit an instance, each with the count from which on it does. An error of the evaluation
/// becomes the instance's.
fn inhibitor_slots(
    matcher: &Matcher,
    layout: &Layout,
    colours: &[Vec<Value>],
    instance: &mut Instance,
) -> Vec<(SlotIdx, u32)> {
    let (transition, frame) = (instance.transition, instance.frame.clone());
    if instance.fails_early() {
        return Vec::new();
    }
    let find = || -> Result<Vec<(SlotIdx, u32)>, RunError> {
        let mut slots = Vec::new();
        for inhibitor in matcher.inhibitors(transition, &frame)? {
            let first = layout.groups[inhibitor.place.index()].first;
            for (i, token) in colours[inhibitor.place.index()].iter().enumerate() {
                if matcher.fits(transition, &inhibitor.test, token)? {
                    slots.push((SlotIdx(first.0 + i as u32), inhibitor.count));
                }
            }
        }
        Ok(slots)
    };
    find().unwrap_or_else(|error| {
        matcher.spoil(instance, error);
        Vec::new()
    })
}
