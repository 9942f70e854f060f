//! The engine of nets whose transitions are instantiated ahead.
//!
//! After [`unfold`] the net is a place/transition net over slots: an
//! instance takes, changes and gives counts, and colours are only names. Enabled instances are found through
//! [`Triggers`] or by a [`Tracker`], whichever looks at fewer in a sample, firing is [`Effects`]. Nothing is evaluated during the search but priorities that read the
//! marking.

mod finder;
mod plain;

use std::rc::Rc;

use petite_bits::{Outgrown, Packing, SlotIdx};
use petite_net::{Marking, MultiSet, Net, PlaceIdx, RunError, TransIdx, Value, structure::Incidence};

use crate::{
    ActionId, Content, CountedAt, Facts, Fault, Group, GroupIdx, Layout, Model, NetModel, NotPlain,
    PlainForm, Refusal, SlotRule,
    bags::Bags,
    classes::Classes,
    effects::{Direction, Effect, Effects},
    faults::{Faults, Held},
    growth::Growth,
    hashing::{FixedMap, fixed_map},
    implied::{self, Implied},
    lists::Lists,
    matcher::{Instance, Matcher},
    moves::Moved,
    priority::Priorities,
    trigger::Triggers,
    unfold::{Budget, TooLarge, Unfolding, unfold},
    widths::{self, CountWidths},
};

use finder::Finder;
pub use plain::{Flawed, Unsayable};

/// A net with all its transitions instantiated.
#[derive(Debug)]
pub struct UnfoldedNet {
    matcher: Matcher,
    layout: Layout,
    packing: Packing,
    /// The group that each bit of a packed state belongs to, and how many tokens it stands for.
    token_at_bit: Vec<(GroupIdx, u32)>,
    /// The token that each slot counts.
    colours: Vec<Value>,
    effects: Effects,
    finder: Finder,
    /// Slots that must stay below a count, for instances with inhibitor arcs; empty when there are none.
    inhibitors: Lists<(SlotIdx, u32)>,
    /// Variables of each instance.
    frames: Vec<Rc<[Value]>>,
    /// Heap bytes of colours and frames, which never change.
    value_bytes: usize,
    priorities: Option<Priorities>,
    classes: Option<Classes>,
    /// Places whose contents follow from others, those that others need first.
    implied: Implied,
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
        let mut effects = Effects::new(net, &layout, &packing);
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
        let mut growth = Growth::of(net, &layout);
        if widths::can_gain(&layout) && effects.n_changes() <= widths::MOST_CHANGES {
            if widths::tighten(&mut layout, &effects.incidence(), &starts) {
                growth.rule_out();
            }
            packing = Packing::new(&widths::at_start(&layout, &starts, CountWidths::of(net)));
            effects.repack(&packing);
        }
        let mut net = UnfoldedNet {
            token_at_bit: token_at_bit(&layout, &packing),
            implied: Implied::new(net, &layout, &packing),
            packing,
            colours: colours.into_iter().flatten().collect(),
            priorities: Priorities::of(net),
            classes: Classes::of(net),
            growth,
            finder: Finder::Triggers(Triggers::default()),
            bags: Bags::default(),
            matcher,
            layout,
            effects,
            inhibitors,
            frames,
            value_bytes: 0,
            initial,
        };
        net.value_bytes = net.colours.capacity() * size_of::<Value>()
            + net.frames.iter().map(|frame| 16 + frame.len() * size_of::<Value>()).sum::<usize>()
            + net.frames.capacity() * size_of::<Rc<[Value]>>();
        let n_groups = net.layout.groups.len();
        net.finder = Finder::Triggers(net.triggers(&vec![1.0; n_groups]));
        let sample = net.sample();
        net.finder = net.best_finder(&sample);
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

    /// The value of a slot in the initial state.
    fn initial_value(&self, slot: SlotIdx) -> u32 {
        self.initial.iter().find(|(other, _)| *other == slot).map_or(0, |(_, count)| *count)
    }

    /// Writes the contents of a place into a state.
    fn put(&self, words: &mut [u64], place: PlaceIdx, contents: &MultiSet) -> Result<(), Fault> {
        let mut n_found = 0;
        for slot in self.layout.slots_of(GroupIdx(place.0)) {
            let count = contents.count(&self.colours[slot.index()]);
            n_found += usize::from(count > 0);
            self.packing.set(words, slot, count)?;
        }
        if n_found < contents.n_distinct() {
            let group = &self.layout.groups[place.index()];
            let colours = &self.colours[group.first.index()..group.end.index()];
            let strange = contents.iter().find(|(value, _)| !colours.contains(value));
            if let Some((value, _)) = strange {
                return Err(implied::no_token(self.matcher.net(), place, value).into());
            }
        }
        Ok(())
    }

    /// What an action asks of each slot that it reads or changes.
    fn rules_of(&self, action: ActionId) -> Vec<SlotRule> {
        let inhibitors: &[(SlotIdx, u32)] = match self.inhibitors.len() {
            0 => &[],
            _ => self.inhibitors.get(action.index()),
        };
        let needed = self.effects.needed(action).map(|(slot, least)| SlotRule { slot, least, end: u64::MAX });
        let free = inhibitors.iter().map(|&(slot, end)| SlotRule { slot, least: 0, end: u64::from(end) });
        let changed =
            self.effects.changed(action).map(|(slot, _)| SlotRule { slot, least: 0, end: u64::MAX });
        let mut rules: Vec<SlotRule> = needed.chain(free).chain(changed).collect();
        rules.sort_unstable_by_key(|rule| rule.slot);
        rules.dedup_by(|rule, first| {
            let is_same = rule.slot == first.slot;
            if is_same {
                first.least = first.least.max(rule.least);
                first.end = first.end.min(rule.end);
            }
            is_same
        });
        rules
    }

    fn view<'a>(&'a self, words: &'a [u64]) -> View<'a> {
        View { packing: &self.packing, layout: &self.layout, colours: &self.colours, words }
    }

    /// Lets an action happen that is more than changes of counts, or finds out why it cannot.
    #[inline(never)]
    fn fire_in_full(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Fault> {
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

    /// Whether the places with an expression for their contents hold them.
    fn check_implied(&mut self, words: &[u64]) -> Result<(), RunError> {
        if self.implied.len() == 0 {
            return Ok(());
        }
        let view = View { packing: &self.packing, layout: &self.layout, colours: &self.colours, words };
        self.implied.check(self.matcher.net(), words, &view)
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
        self.implied.repack(&self.layout, &wider);
        self.token_at_bit = token_at_bit(&self.layout, &wider);
        let old = std::mem::replace(&mut self.packing, wider);
        self.repack_finder();
        old
    }

    fn initial(&mut self, words: &mut [u64]) -> Result<(), Fault> {
        words.fill(0);
        for &(slot, count) in &self.initial {
            self.packing.set(words, slot, count)?;
        }
        Ok(())
    }

    fn enabled(&mut self, words: &[u64], actions: &mut Vec<ActionId>) -> Result<(), RunError> {
        self.check_implied(words)?;
        let start = actions.len();
        let UnfoldedNet { finder, effects, inhibitors, packing, .. } = self;
        let is_enabled = |action| {
            effects.has_tokens(packing, words, action)
                && (inhibitors.len() == 0 || is_free(inhibitors, packing, words, action))
        };
        finder.find(packing, words, is_enabled, actions);
        self.effects.leave_out(actions, start);
        if let Some(classes) = &self.classes {
            classes.keep_first(&self.effects, actions, start);
        }
        if let Some(priorities) = &mut self.priorities {
            let view = View { packing: &self.packing, layout: &self.layout, colours: &self.colours, words };
            priorities.keep_highest(&self.matcher, &self.effects, &self.frames, &view, actions, start)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn fire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Fault> {
        match self.effects.apply_plainly(Direction::Forward, action, words, hash) {
            Moved::Done => Ok(()),
            Moved::Not => self.fire_in_full(words, hash, action),
        }
    }

    #[inline(always)]
    fn unfire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Refusal> {
        match self.effects.apply_plainly(Direction::Backward, action, words, hash) {
            Moved::Done => Ok(()),
            Moved::Not => {
                let bags = &mut self.bags;
                Ok(self.effects.apply(Direction::Backward, action, &self.packing, bags, words, hash)?)
            }
        }
    }

    fn n_actions(&self) -> usize {
        self.effects.len()
    }

    fn group_totals(&self, words: &[u64], totals: &mut [u64]) {
        totals.fill(0);
        for (&word, tokens) in words.iter().zip(self.token_at_bit.as_chunks::<64>().0) {
            let mut rest = word;
            while rest != 0 {
                let (group, count) = tokens[rest.trailing_zeros() as usize];
                totals[group.index()] += u64::from(count);
                rest &= rest - 1;
            }
        }
    }

    fn changed_slots(&self, action: ActionId) -> Option<Vec<SlotIdx>> {
        self.effects.changed_slots(action)
    }

    fn rules(&self) -> Option<Vec<Vec<SlotRule>>> {
        let is_more = self.priorities.is_some()
            || self.classes.is_some()
            || self.implied.len() > 0
            || self.effects.limits_groups()
            || self.has_flaws();
        if is_more {
            return None;
        }
        let rules = (0..self.effects.len()).map(|action| self.rules_of(ActionId::new(action)));
        Some(rules.collect())
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

    fn token_digits(&self, group: GroupIdx, token: u32, each: &mut dyn FnMut(u64, u64)) {
        let first = self.layout.groups[group.index()].first;
        let value = &self.colours[first.index() + token as usize];
        widths::each_digit(self.matcher.net(), PlaceIdx(group.0), value, each);
    }

    fn token_from_digits(
        &mut self,
        group: GroupIdx,
        next: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Option<u32> {
        let net = self.matcher.net();
        let value = net.types.from_digits(net.place(PlaceIdx(group.0)).domain, next)?;
        // The tokens of a place are in ascending order.
        let group = &self.layout.groups[group.index()];
        let colours = &self.colours[group.first.index()..group.end.index()];
        colours.binary_search(&value).ok().map(|at| at as u32)
    }

    fn facts(&self) -> Facts {
        let (net, initial) = (self.matcher.net(), self.initial_counts());
        match self.effects.n_changes() <= widths::MOST_CHANGES {
            true => Facts::of_instances(net, &self.layout, &self.effects.incidence(), &initial),
            false => Facts::of_totals(net),
        }
    }

    fn left_out(&self) -> Vec<&RunError> {
        self.effects.errors_left_out()
    }

    fn complete(&mut self, words: &mut [u64]) -> Result<(), Fault> {
        let net = self.matcher.net().clone();
        for (p, _) in net.places.iter().enumerate().filter(|(_, place)| place.constant) {
            for slot in self.layout.slots_of(GroupIdx::new(p)) {
                self.packing.set(words, slot, self.initial_value(slot))?;
            }
        }
        for number in 0..self.implied.len() {
            if !self.implied.fill(number, words) {
                let place = self.implied.place(number);
                let contents = implied::contents(&net, place, &self.view(words))?;
                self.put(words, place, &contents)?;
                self.implied.note(number, words);
            }
        }
        Ok(())
    }

    fn transition(&self, action: ActionId) -> Option<TransIdx> {
        Some(self.effects.transition(action))
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
            + self.implied.bytes()
            + self.finder.bytes()
            + self.inhibitors.bytes()
            + self.packing.bytes()
            + self.token_at_bit.capacity() * size_of::<(GroupIdx, u32)>()
            + self.value_bytes
    }
}

impl NetModel for UnfoldedNet {
    fn net(&self) -> &Rc<Net> {
        self.matcher.net()
    }

    #[inline]
    fn transition_of(&self, action: ActionId) -> TransIdx {
        self.effects.transition(action)
    }

    fn frame_of(&self, action: ActionId) -> &[Value] {
        &self.frames[action.index()]
    }

    fn counted_at(&mut self, place: PlaceIdx, token: &Value) -> CountedAt {
        // The tokens of a place are in ascending order.
        let group = &self.layout.groups[place.index()];
        let colours = &self.colours[group.first.index()..group.end.index()];
        match colours.binary_search(token) {
            Ok(at) => CountedAt::Slot(SlotIdx::new(group.first.index() + at)),
            Err(_) => CountedAt::Nowhere,
        }
    }

    fn token_of(&self, slot: SlotIdx) -> &Value {
        &self.colours[slot.index()]
    }

    fn read(&self, words: &[u64], reader: &mut dyn FnMut(&dyn Marking)) {
        reader(&self.view(words));
    }

    fn structure(&self) -> Option<(Incidence, Vec<u64>)> {
        Some((self.incidence(), self.initial_counts()))
    }

    fn check_plain(&self) -> Result<(), NotPlain> {
        self.is_plain()
    }

    fn plain_form(&self) -> Result<PlainForm, NotPlain> {
        self.plain_form_of_all()
    }

    fn binding_of(&self, action: ActionId) -> Vec<Value> {
        let transition = self.matcher.net().transition(self.effects.transition(action));
        let frame = &self.frames[action.index()];
        transition.binding.iter().filter_map(|variable| frame.get(variable.index()).cloned()).collect()
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

/// The group of each bit, and the count that it stands for; padding counts nothing.
fn token_at_bit(layout: &Layout, packing: &Packing) -> Vec<(GroupIdx, u32)> {
    let mut tokens = vec![(GroupIdx(0), 0); packing.n_words() * 64];
    for (slot, content) in layout.slots.iter().enumerate() {
        let field = packing.field(SlotIdx::new(slot));
        let start = field.word as usize * 64 + usize::from(field.shift);
        (0..usize::from(field.width)).for_each(|bit| tokens[start + bit] = (content.group, 1 << bit));
    }
    tokens
}

/// Whether no slot inhibits an action.
fn is_free(inhibitors: &Lists<(SlotIdx, u32)>, packing: &Packing, words: &[u64], action: ActionId) -> bool {
    inhibitors.get(action.index()).iter().all(|&(slot, count)| packing.get(words, slot) < count)
}

/// One group for each place, one slot for each possible token.
fn layout(net: &Net, colours: &[Vec<Value>]) -> Layout {
    let mut layout = Layout::default();
    for (p, (place, tokens)) in net.places.iter().zip(colours).enumerate() {
        let first = SlotIdx::new(layout.slots.len());
        layout.slots.extend(widths::slots(net, PlaceIdx::new(p), tokens));
        let end = SlotIdx::new(layout.slots.len());
        layout.groups.push(Group { first, end, content: Content::Counts, ..widths::group(net, place) });
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
                if matcher.fits(&inhibitor.test, token)? {
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
