//! The engine that finds bindings at run time.
//!
//! Models whose transitions cannot be instantiated ahead, because values are many, still use few bindings.
//! Each is evaluated once, on first use, and remembered in a tree that follows the transition's plan:
//!
//! ```text
//!  transition t ── match tokens of p ──┬─ token 3 ── match tokens of q ──┬─ token 8 ── action 17
//!                                      │                                 └─ token 9 ── (guard fails)
//!                                      └─ token 5 ── (not tried yet)
//! ```
//!
//! In a state, only branches of tokens that are there are followed; a branch not tried yet is evaluated (the
//! tuple matched, guards tested) and becomes a node, an action, or a dead end. So an expression is evaluated
//! once for each combination of tokens that it depends on, however many states have that combination.
//! Actions are numbered as they are found: the collapsed transition instances of paper 1.
//!
//! **Cost**: 16 bytes a branch tried, and what an action's tables take.

use std::rc::Rc;

use petite_bits::{Outgrown, Packing, SlotIdx};
use petite_net::{Marking, MultiSet, Net, PlaceIdx, RunError, TransIdx, Value};

use crate::{
    ActionId, CountedAt, Facts, Fault, GroupIdx, Layout, Model, NetModel, Refusal,
    classes::Classes,
    effects::{Direction, Effect, Effects},
    faults::{Faults, Held},
    growth::Growth,
    hashing::{FixedMap, fixed_map},
    implied::{self, Implied},
    lists::Lists,
    matcher::{Instance, Matcher, Test},
    moves::Moved,
    places::{Places, State, View},
    plan::Step,
    priority::Priorities,
    unfolded::summed,
    widths::{self, CountWidths},
};

/// A net whose bindings are found when they are needed.
#[derive(Debug)]
pub struct BindingNet {
    matcher: Matcher,
    layout: Layout,
    packing: Packing,
    places: Places,
    effects: Effects,
    /// Tokens that actions take from places with bags.
    bag_takes: Lists<(PlaceIdx, u32, u32)>,
    /// What disables actions; empty when no transition has inhibitor arcs.
    inhibitors: Vec<Vec<Inhibitor>>,
    /// Variables of each action.
    frames: Vec<Rc<[Value]>>,
    priorities: Option<Priorities>,
    classes: Option<Classes>,
    /// Places whose contents follow from others, those that others need first.
    implied: Implied,
    growth: Growth,
    nodes: Vec<Node>,
    /// Tokens that must be there for a node to be worth a visit.
    needs: Lists<(PlaceIdx, u32, u32)>,
    /// Where a token leads from a match node, as far as it was tried.
    children: FixedMap<(u32, u32), u32>,
    /// The node that each transition starts from.
    roots: Vec<u32>,
    initial: Vec<u32>,
    /// Scratch: tokens of the places being matched.
    tokens: Vec<(u32, u32)>,
    /// Scratch: tokens that the match steps on the way to a node take one of each.
    taken: Vec<(PlaceIdx, u32)>,
    /// Heap bytes of frames and fans.
    shared_bytes: usize,
}

#[derive(Clone, Debug)]
enum Node {
    /// A token of the place is to be matched by a step of the transition's plan.
    Match {
        place: PlaceIdx,
        transition: TransIdx,
        step: u32,
        frame: Rc<[Value]>,
    },
    /// All of these are to be visited.
    Fan(Rc<[u32]>),
    Leaf(ActionId),
}

/// No binding is possible there.
const DEAD: u32 = u32::MAX;

/// What disables an action.
#[derive(Debug)]
enum Inhibitor {
    /// A token, from a multiplicity on.
    Token { place: PlaceIdx, token: u32, count: u32 },
    /// Any token that fits, from a multiplicity on; which ones do is remembered.
    Pattern { place: PlaceIdx, count: u32, test: Test, fits: FixedMap<u32, bool> },
}

impl BindingNet {
    pub(crate) fn new(net: &Rc<Net>) -> BindingNet {
        let (mut places, layout) = Places::new(net);
        let mut initial = vec![0; layout.slots.len()];
        for (p, declared) in net.places.iter().enumerate() {
            let place = PlaceIdx::new(p);
            let mut bag = Vec::new();
            for (value, count) in declared.initial.iter() {
                // The reader has checked that initial tokens are of the domain.
                let Some(token) = places.token(place, value) else { continue };
                match places.slot(place, token) {
                    Some(slot) => initial[slot.index()] = count,
                    None => bag.push((token, i64::from(count))),
                }
            }
            if !bag.is_empty() {
                let step = places.bags.intern_step(place, bag);
                let slot = layout.groups[p].first;
                // The reader has checked the capacity.
                initial[slot.index()] = places.bags.step(place, 0, step, Direction::Forward).unwrap_or(0);
            }
        }
        let packing = Packing::new(&widths::at_start(&layout, &initial, CountWidths::of(net)));
        let mut net = BindingNet {
            effects: Effects::new(net, &layout, &packing),
            implied: Implied::new(net, &layout, &packing),
            packing,
            priorities: Priorities::of(net),
            classes: Classes::of(net),
            growth: Growth::of(net, &layout),
            bag_takes: Lists::default(),
            inhibitors: Vec::new(),
            frames: Vec::new(),
            nodes: Vec::new(),
            needs: Lists::default(),
            children: fixed_map(),
            roots: Vec::new(),
            tokens: Vec::new(),
            taken: Vec::new(),
            shared_bytes: 0,
            matcher: Matcher::new(net.clone()),
            layout,
            places,
            initial,
        };
        for t in 0..net.matcher.net().transitions.len() {
            let transition = TransIdx::new(t);
            let mut frame = net.matcher.empty_frame(transition);
            let root = net.advance(transition, 0, &mut frame, Vec::new());
            net.roots.push(root);
        }
        net
    }

    /// Number of slots.
    pub fn n_slots(&self) -> usize {
        self.layout.slots.len()
    }

    fn visit(&mut self, node: u32, words: &[u64], actions: &mut Vec<ActionId>) -> Result<(), RunError> {
        let state = State { layout: &self.layout, packing: &self.packing, words };
        let needs = self.needs.get(node as usize).iter();
        if !needs.clone().all(|&(place, token, count)| self.places.count(state, place, token) >= count) {
            return Ok(());
        }
        match &self.nodes[node as usize] {
            Node::Leaf(action) => {
                let action = *action;
                if self.is_enabled(words, action)? {
                    actions.push(action);
                }
            }
            Node::Fan(nodes) => {
                for &node in nodes.clone().iter() {
                    self.visit(node, words, actions)?;
                }
            }
            &Node::Match { place, transition, step, .. } => {
                let takes_one = self.takes_one(transition, step);
                let start = self.tokens.len();
                self.places.tokens(state, place, &mut self.tokens);
                for at in start..self.tokens.len() {
                    let (token, count) = self.tokens[at];
                    // A token that earlier steps take as often as it is there is of no use to this one.
                    let is_same = |&&taken: &&(PlaceIdx, u32)| taken == (place, token);
                    if takes_one && self.taken.iter().filter(is_same).count() >= count as usize {
                        continue;
                    }
                    let child = match self.children.get(&(node, token)) {
                        Some(&child) => child,
                        None => self.expand(node, token),
                    };
                    if child != DEAD {
                        let n_taken = self.taken.len();
                        if takes_one {
                            self.taken.push((place, token));
                        }
                        let outcome = self.visit(child, words, actions);
                        self.taken.truncate(n_taken);
                        outcome?;
                    }
                }
                self.tokens.truncate(start);
            }
        }
        Ok(())
    }

    /// Whether a match step takes its token exactly once, as far as the inscription tells.
    fn takes_one(&self, transition: TransIdx, step: u32) -> bool {
        match &self.matcher.steps(transition)[step as usize] {
            Step::Match { input, .. } => {
                let declared = self.matcher.net().transition(transition);
                declared.inputs[input.0].terms[input.1].factor.is_none()
            }
            _ => false,
        }
    }

    fn is_enabled(&mut self, words: &[u64], action: ActionId) -> Result<bool, RunError> {
        let state = State { layout: &self.layout, packing: &self.packing, words };
        let mut bag_takes = self.bag_takes.get(action.index()).iter();
        if !self.effects.has_tokens(&self.packing, words, action)
            || !bag_takes.all(|&(place, token, count)| self.places.count(state, place, token) >= count)
        {
            return Ok(false);
        }
        let Some(inhibitors) = self.inhibitors.get_mut(action.index()) else { return Ok(true) };
        for inhibitor in inhibitors {
            match inhibitor {
                Inhibitor::Token { place, token, count } => {
                    if self.places.count(state, *place, *token) >= *count {
                        return Ok(false);
                    }
                }
                Inhibitor::Pattern { place, count, test, fits } => {
                    let mut tokens = Vec::new();
                    self.places.tokens(state, *place, &mut tokens);
                    for &(token, multiplicity) in &tokens {
                        let fits = match fits.get(&token) {
                            Some(&fits) => fits,
                            None => {
                                let value = self.places.value(*place, token);
                                let fit = self.matcher.fits(test, value)?;
                                fits.insert(token, fit);
                                fit
                            }
                        };
                        if fits && multiplicity >= *count {
                            return Ok(false);
                        }
                    }
                }
            }
        }
        Ok(true)
    }

    /// Tries a token at a match node for the first time.
    fn expand(&mut self, node: u32, token: u32) -> u32 {
        let Node::Match { place, transition, step, frame } = self.nodes[node as usize].clone() else {
            return DEAD;
        };
        let mut frame = frame.to_vec();
        let value = self.places.value(place, token).clone();
        let Step::Match { pattern, .. } = &self.matcher.steps(transition)[step as usize] else {
            return DEAD;
        };
        let child = match self.matcher.matches(pattern, &value, &mut frame) {
            Ok(false) => DEAD,
            Ok(true) => self.advance(transition, step as usize + 1, &mut frame, Vec::new()),
            Err(error) => {
                let token = Some((place, value));
                let failed = self.matcher.failed(transition, step as usize, &frame, token, error);
                self.leaf(failed)
            }
        };
        self.children.insert((node, token), child);
        child
    }

    /// The node for a partial binding that has come to step `at`.
    fn advance(
        &mut self,
        transition: TransIdx,
        mut at: usize,
        frame: &mut Vec<Value>,
        mut needs: Vec<(PlaceIdx, u32, u32)>,
    ) -> u32 {
        let net = self.matcher.net().clone();
        let declared = net.transition(transition);
        loop {
            let Some(step) = self.matcher.steps(transition).get(at).cloned() else {
                return match self.matcher.finish(transition, frame) {
                    Some(instance) => self.leaf(instance),
                    None => DEAD,
                };
            };
            let outcome = match &step {
                Step::Guard(conjunct) if self.matcher.may_hold(conjunct, frame) => Ok(()),
                Step::Guard(_) => return DEAD,
                Step::Require { place, input } => {
                    let term = &declared.inputs[input.0].terms[input.1];
                    match self.matcher.tokens(*place, term, frame) {
                        Ok(tokens) => {
                            for (place, value, count) in tokens {
                                // A value from outside the domain is never there.
                                let Some(token) = self.places.token(place, &value) else { return DEAD };
                                needs.push((place, token, count));
                            }
                            Ok(())
                        }
                        Err(error) => Err(error),
                    }
                }
                Step::Pick(pick) => match self.matcher.picked(&declared.picks[*pick], frame) {
                    Ok(values) => {
                        let var = declared.picks[*pick].var.index();
                        let mut nodes = Vec::new();
                        for value in values {
                            let mut frame = frame.clone();
                            frame[var] = value;
                            nodes.push(self.advance(transition, at + 1, &mut frame, Vec::new()));
                        }
                        nodes.retain(|&node| node != DEAD);
                        return if nodes.is_empty() {
                            DEAD
                        } else {
                            self.node(Node::Fan(nodes.into()), needs)
                        };
                    }
                    Err(error) => Err(error),
                },
                Step::Match { place, pattern, .. } => match self.matcher.known_tests(pattern, frame) {
                    Ok(_) => {
                        let frame = frame.as_slice().into();
                        return self
                            .node(Node::Match { place: *place, transition, step: at as u32, frame }, needs);
                    }
                    Err(error) => Err(error),
                },
            };
            if let Err(error) = outcome {
                let failed = self.matcher.failed(transition, at, frame, None, error);
                return self.leaf(failed);
            }
            at += 1;
        }
    }

    fn node(&mut self, node: Node, needs: Vec<(PlaceIdx, u32, u32)>) -> u32 {
        self.shared_bytes += match &node {
            Node::Match { frame, .. } => shared(frame),
            Node::Fan(nodes) => shared(nodes),
            Node::Leaf(_) => 0,
        };
        self.nodes.push(node);
        self.needs.push(needs);
        self.nodes.len() as u32 - 1
    }

    /// Numbers an instance and makes the node that stands for it, unless it can never be enabled.
    fn leaf(&mut self, mut instance: Instance) -> u32 {
        let transition = instance.transition;
        let inhibited = !self.matcher.net().transition(transition).inhibitors.is_empty();
        let inhibitors = if inhibited { self.inhibitors_of(&mut instance) } else { Vec::new() };
        let mut effect = Effect { flaw: instance.flaw.take(), ..Effect::default() };
        let (mut groups, mut bag_takes, mut bag_changes) = (Vec::new(), Vec::new(), Vec::new());
        for (tokens, sign) in [(&instance.takes, -1), (&instance.gives, 1)] {
            for (place, value, count) in tokens {
                // A value from outside the domain is never there; what is given was converted to the domain.
                let Some(token) = self.places.token(*place, value) else { return DEAD };
                let by = sign * i64::from(*count);
                groups.push((GroupIdx(place.0), by));
                match self.places.slot(*place, token) {
                    Some(slot) => {
                        effect.changes.push((slot, by));
                        if sign < 0 {
                            effect.takes.push((slot, *count));
                        }
                    }
                    None => {
                        bag_changes.push(((*place, token), by));
                        if sign < 0 {
                            bag_takes.push((*place, token, *count));
                        }
                    }
                }
            }
        }
        if effect.flaw.is_none() {
            effect.groups = summed(groups);
            effect.changes = summed(effect.changes);
            let changes = summed(bag_changes);
            for changes in changes.chunk_by(|a, b| a.0.0 == b.0.0) {
                let place = changes[0].0.0;
                let changes = changes.iter().map(|&((_, token), by)| (token, by)).collect();
                effect.steps.push((place, self.places.bags.intern_step(place, changes)));
            }
        } else {
            effect.changes.clear();
        }
        if inhibited {
            self.inhibitors.resize_with(self.effects.len(), Vec::new);
            self.inhibitors.push(inhibitors);
        }
        self.bag_takes.push(bag_takes);
        self.shared_bytes += shared(&instance.frame);
        self.frames.push(instance.frame);
        let action = self.effects.push(transition, effect, &self.layout, &self.packing);
        self.node(Node::Leaf(action), Vec::new())
    }

    fn inhibitors_of(&mut self, instance: &mut Instance) -> Vec<Inhibitor> {
        if instance.fails_early() {
            return Vec::new();
        }
        match self.matcher.inhibitors(instance.transition, &instance.frame) {
            Ok(found) => found
                .into_iter()
                .filter_map(|found| {
                    let (place, count) = (found.place, found.count);
                    Some(match found.test {
                        Test::Token(value) => {
                            Inhibitor::Token { place, count, token: self.places.token(place, &value)? }
                        }
                        test => Inhibitor::Pattern { place, count, test, fits: fixed_map() },
                    })
                })
                .collect(),
            Err(error) => {
                self.matcher.spoil(instance, error);
                Vec::new()
            }
        }
    }

    /// Lets an action happen that is more than changes of counts, or finds out why it cannot.
    #[inline(never)]
    fn fire_in_full(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Fault> {
        let bags = &mut self.places.bags;
        match self.effects.apply(Direction::Forward, action, &self.packing, bags, words, hash) {
            Ok(()) if self.effects.limits_groups() => self.check_totals(action, words, hash),
            Ok(()) => Ok(()),
            Err(failure) => Err(self.faults().explain(failure, action, |held| match held {
                Held::Slot(slot) => self.places.value_of_slot(&self.layout, slot),
                Held::Bag(place, token) => self.places.value(place, token),
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
        let view = View {
            places: &self.places,
            state: State { layout: &self.layout, packing: &self.packing, words },
        };
        self.implied.check(self.matcher.net(), words, &view)
    }

    fn faults(&self) -> Faults<'_> {
        Faults { matcher: &self.matcher, layout: &self.layout, effects: &self.effects, frames: &self.frames }
    }

    /// The value of a slot in the initial state.
    fn initial_value(&self, slot: SlotIdx) -> u32 {
        self.initial[slot.index()]
    }

    /// Writes the contents of a place into a state.
    fn put(&mut self, words: &mut [u64], place: PlaceIdx, contents: &MultiSet) -> Result<(), Fault> {
        let group = GroupIdx(place.0);
        for slot in self.layout.slots_of(group) {
            self.packing.set(words, slot, 0)?;
        }
        let mut bag = Vec::new();
        for (value, count) in contents.iter() {
            let Some(token) = self.places.token(place, value) else {
                return Err(implied::no_token(self.matcher.net(), place, value).into());
            };
            match self.places.slot(place, token) {
                Some(slot) => self.packing.set(words, slot, count)?,
                None => bag.push((token, i64::from(count))),
            }
        }
        if !bag.is_empty() {
            bag.sort_unstable();
            let step = self.places.bags.intern_step(place, bag);
            // The empty bag can take whatever 32 bits can count.
            let number = self.places.bags.step(place, 0, step, Direction::Forward).unwrap_or(0);
            self.packing.set(words, self.layout.groups[group.index()].first, number)?;
        }
        Ok(())
    }

    fn view<'a>(&'a self, words: &'a [u64]) -> View<'a> {
        View { places: &self.places, state: self.state(words) }
    }

    fn state<'a>(&'a self, words: &'a [u64]) -> State<'a> {
        State { layout: &self.layout, packing: &self.packing, words }
    }
}

impl Model for BindingNet {
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
        std::mem::replace(&mut self.packing, wider)
    }

    fn initial(&mut self, words: &mut [u64]) -> Result<(), Fault> {
        words.fill(0);
        for (slot, &value) in self.initial.iter().enumerate() {
            self.packing.set(words, SlotIdx::new(slot), value)?;
        }
        Ok(())
    }

    fn enabled(&mut self, words: &[u64], actions: &mut Vec<ActionId>) -> Result<(), RunError> {
        self.check_implied(words)?;
        let start = actions.len();
        for t in 0..self.roots.len() {
            let root = self.roots[t];
            if root != DEAD {
                self.visit(root, words, actions)?;
            }
        }
        self.effects.leave_out(actions, start);
        if let Some(classes) = &self.classes {
            classes.keep_first(&self.effects, actions, start);
        }
        if let Some(priorities) = &mut self.priorities {
            let state = State { layout: &self.layout, packing: &self.packing, words };
            let view = View { places: &self.places, state };
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
                let bags = &mut self.places.bags;
                Ok(self.effects.apply(Direction::Backward, action, &self.packing, bags, words, hash)?)
            }
        }
    }

    fn n_actions(&self) -> usize {
        self.effects.len()
    }

    fn group_totals(&self, words: &[u64], totals: &mut [u64]) {
        self.places.totals(self.state(words), totals);
    }

    fn changed_slots(&self, action: ActionId) -> Option<Vec<SlotIdx>> {
        self.effects.changed_slots(action)
    }

    fn group_changes(&self, action: ActionId) -> &[(GroupIdx, i64)] {
        self.effects.groups(action)
    }

    fn largest_multiplicity(&self, words: &[u64]) -> u32 {
        self.places.largest_multiplicity(self.state(words))
    }

    fn largest_given(&self, words: &[u64], action: ActionId) -> u32 {
        self.effects.largest_given(&self.packing, &self.places.bags, words, action)
    }

    fn may_grow(&self) -> bool {
        self.growth.is_possible(&self.layout)
    }

    fn grown(&self, before: &[u64], after: &[u64]) -> Option<Vec<GroupIdx>> {
        let bag_covers = |place, low, high| self.places.bags.covers(place, low, high);
        self.growth.grown(&self.layout, &self.packing, before, after, bag_covers)
    }

    fn is_hindered(&self, action: ActionId, groups: &[GroupIdx]) -> bool {
        let transition = self.effects.transition(action);
        self.growth.hinders(self.matcher.net().transition(transition), groups)
    }

    #[inline]
    fn bag_tokens(&self, group: GroupIdx, bag: u32) -> &[(u32, u32)] {
        self.places.bags.content(PlaceIdx(group.0), bag)
    }

    fn bag_of(&mut self, group: GroupIdx, tokens: &[(u32, u32)]) -> u32 {
        self.places.bags.intern(PlaceIdx(group.0), tokens)
    }

    fn token_digits(&self, group: GroupIdx, token: u32, each: &mut dyn FnMut(u64, u64)) {
        let place = PlaceIdx(group.0);
        widths::each_digit(self.matcher.net(), place, self.places.value(place, token), each);
    }

    fn token_from_digits(
        &mut self,
        group: GroupIdx,
        next: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Option<u32> {
        let (net, place) = (self.matcher.net(), PlaceIdx(group.0));
        let value = net.types.from_digits(net.place(place).domain, next)?;
        self.places.token(place, &value)
    }

    fn facts(&self) -> Facts {
        Facts::of_totals(self.matcher.net())
    }

    fn group_bounds(&self) -> Vec<Option<u64>> {
        Facts::of_totals(self.matcher.net()).most
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
        let view = View { places: &self.places, state: self.state(words) };
        crate::faults::describe_marking(self.matcher.net(), &view)
    }

    fn bytes(&self) -> usize {
        self.places.bytes()
            + self.effects.bytes()
            + self.implied.bytes()
            + self.bag_takes.bytes()
            + self.needs.bytes()
            + self.children.allocation_size()
            + self.nodes.capacity() * size_of::<Node>()
            + self.frames.capacity() * size_of::<Rc<[Value]>>()
            + self.shared_bytes
    }
}

impl NetModel for BindingNet {
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
        match self.places.token(place, token) {
            None => CountedAt::Nowhere,
            Some(number) => match self.places.slot(place, number) {
                Some(slot) => CountedAt::Slot(slot),
                None => CountedAt::Bag(number),
            },
        }
    }

    fn token_of(&self, slot: SlotIdx) -> &Value {
        self.places.value_of_slot(&self.layout, slot)
    }

    fn read(&self, words: &[u64], reader: &mut dyn FnMut(&dyn Marking)) {
        reader(&self.view(words));
    }

    fn binding_of(&self, action: ActionId) -> Vec<Value> {
        let transition = self.matcher.net().transition(self.effects.transition(action));
        let frame = &self.frames[action.index()];
        transition.binding.iter().filter_map(|variable| frame.get(variable.index()).cloned()).collect()
    }
}

/// Heap bytes of a shared slice, with its two counters.
fn shared<T>(slice: &Rc<[T]>) -> usize {
    2 * size_of::<usize>() + size_of_val::<[T]>(slice)
}
