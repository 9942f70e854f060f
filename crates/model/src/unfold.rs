//! Instantiating all transitions ahead.
//!
//! Which tokens can ever appear in which place, and which bindings can ever be enabled? The exact answer is the
//! state space itself; a superset is cheap: let tokens, once given, stay forever, and ignore multiplicities,
//! inhibitors and priorities. Starting from the initial tokens, bindings are found whose input tokens are all
//! known, and their outputs become known, until nothing is new. What is left out can never happen; so places
//! get a slot only for colours that may appear, and guards are evaluated here once for all.
//!
//! Rounds are *semi-naive*: a binding is looked for only with at least one token of the last round. In round r,
//! with step m the first to take a new token, steps before m take old tokens, step m new ones, steps behind m
//! any. A tuple's tokens are found through an index on the components that are known by then (a hash join).
//!
//! Where no transition gives tokens to a place, each of its tokens is there at most as often as at first; a binding
//! that takes it more often is not pursued.
//!
//! Tuples whose tokens are determined (`Require` steps) do not search. A binding that lacks such a token waits:
//! it is filed under one missing token, and looked at again when that one appears.
//!
//! **Cost**: one test for each candidate of a match, one evaluation for each instance. A [`Budget`] bounds both,
//! because models with counters can have astronomically many.

use petite_net::{PlaceIdx, TransIdx, Value};

use crate::{
    hashing::{FixedMap, fixed_map},
    matcher::{Instance, Matcher},
    pattern::{Path, Pattern, part},
    plan::Step,
};

/// How much unfolding may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Tokens tested against tuples.
    pub tests: u64,
    /// Instances found, and tokens known.
    pub instances: usize,
    /// Instances whose evaluation did not end, each of which costs seconds.
    pub endless: usize,
}

/// All tokens that may appear and all instances that may be enabled.
#[derive(Debug)]
pub(crate) struct Unfolding {
    /// Possible tokens of each place, ascending.
    pub colours: Vec<Vec<Value>>,
    pub instances: Vec<Instance>,
}

/// The budget is used up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooLarge;

/// Finds the possible tokens and instances of a net.
pub(crate) fn unfold(matcher: &Matcher, budget: Budget) -> Result<Unfolding, TooLarge> {
    let mut unfolder = Unfolder::new(matcher, budget);
    let net = matcher.net();
    for (i, place) in net.places.iter().enumerate() {
        for (token, _) in place.initial.iter() {
            unfolder.add_token(PlaceIdx::new(i), token)?;
        }
    }
    unfolder.run()?;
    let mut colours: Vec<Vec<Value>> = unfolder.places.into_iter().map(|place| place.tokens).collect();
    for tokens in &mut colours {
        tokens.sort_unstable();
    }
    Ok(Unfolding { colours, instances: unfolder.instances })
}

/// What is known of one place.
struct KnownTokens {
    tokens: Vec<Value>,
    numbers: FixedMap<Value, u32>,
    /// Tokens known before the last round, and before this one.
    old: u32,
    current: u32,
    /// The indices of the match steps on this place.
    indices: Vec<usize>,
}

/// Tokens of a place by the components that a match step knows beforehand.
struct StepIndex {
    pattern: Pattern,
    components: Vec<Path>,
    tokens: FixedMap<Vec<Value>, Vec<u32>>,
}

struct Unfolder<'a> {
    matcher: &'a Matcher,
    budget: Budget,
    places: Vec<KnownTokens>,
    indices: Vec<StepIndex>,
    /// The number in `indices` of each match step, by transition and step.
    index_of: Vec<Vec<Option<usize>>>,
    instances: Vec<Instance>,
    /// Instances that wait for a token.
    waiting: FixedMap<(PlaceIdx, Value), Vec<Instance>>,
    n_waiting: usize,
    /// Instances that got all their tokens in this round.
    ready: Vec<Instance>,
    /// For each place, whether some transition gives tokens to it.
    gains: Vec<bool>,
    /// Tokens that the match steps of the binding under way take one of each, of places that gain none.
    taken: Vec<(PlaceIdx, u32)>,
}

impl<'a> Unfolder<'a> {
    fn new(matcher: &'a Matcher, budget: Budget) -> Self {
        let net = matcher.net();
        let mut places: Vec<KnownTokens> = net
            .places
            .iter()
            .map(|_| KnownTokens {
                tokens: vec![],
                numbers: fixed_map(),
                old: 0,
                current: 0,
                indices: vec![],
            })
            .collect();
        let mut indices = Vec::new();
        let mut index_of = Vec::new();
        for t in 0..net.transitions.len() {
            let steps = matcher.steps(TransIdx::new(t)).iter();
            index_of.push(
                steps
                    .map(|step| match step {
                        Step::Match { place, pattern, .. } => {
                            let known = &pattern.tests[..pattern.n_known];
                            let components = known.iter().map(|(component, _)| component.clone()).collect();
                            places[place.index()].indices.push(indices.len());
                            let pattern = pattern.clone();
                            indices.push(StepIndex { pattern, components, tokens: fixed_map() });
                            Some(indices.len() - 1)
                        }
                        Step::Pick(_) | Step::Require { .. } | Step::Guard(_) => None,
                    })
                    .collect(),
            );
        }
        let (instances, ready) = (Vec::new(), Vec::new());
        let mut gains = vec![false; net.places.len()];
        let outputs = net.transitions.iter().flat_map(|transition| &transition.outputs);
        outputs.for_each(|arc| gains[arc.place.index()] = true);
        Unfolder {
            gains,
            taken: Vec::new(),
            matcher,
            budget,
            places,
            indices,
            index_of,
            instances,
            waiting: fixed_map(),
            n_waiting: 0,
            ready,
        }
    }

    fn run(&mut self) -> Result<(), TooLarge> {
        let n_transitions = self.matcher.net().transitions.len();
        let mut first = true;
        loop {
            for place in &mut self.places {
                place.old = place.current;
                place.current = place.tokens.len() as u32;
            }
            for t in 0..n_transitions {
                self.instantiate(TransIdx::new(t), first)?;
            }
            while let Some(instance) = self.ready.pop() {
                self.settle(instance)?;
            }
            first = false;
            if self.places.iter().all(|place| place.current == place.tokens.len() as u32) {
                return Ok(());
            }
        }
    }

    /// Finds the bindings of a transition that use a token of the last round.
    fn instantiate(&mut self, transition: TransIdx, first: bool) -> Result<(), TooLarge> {
        let matcher = self.matcher;
        let mut has_match = false;
        for (s, step) in matcher.steps(transition).iter().enumerate() {
            if let Step::Match { place, .. } = step {
                has_match = true;
                let place = &self.places[place.index()];
                if place.old < place.current {
                    let mut frame = matcher.empty_frame(transition);
                    self.enumerate(transition, 0, s, &mut frame)?;
                }
            }
        }
        if first && !has_match {
            let mut frame = matcher.empty_frame(transition);
            self.enumerate(transition, 0, usize::MAX, &mut frame)?;
        }
        Ok(())
    }

    /// Goes on from step `at`; step `newest` is the first that takes a new token.
    fn enumerate(
        &mut self,
        transition: TransIdx,
        at: usize,
        newest: usize,
        frame: &mut Vec<Value>,
    ) -> Result<(), TooLarge> {
        let matcher = self.matcher;
        let declared = matcher.net().transition(transition);
        let Some(step) = matcher.steps(transition).get(at) else {
            if let Some(instance) = matcher.finish(transition, frame) {
                self.settle(instance)?;
            }
            return Ok(());
        };
        match step {
            Step::Guard(conjunct) => {
                if matcher.may_hold(conjunct, frame) {
                    self.enumerate(transition, at + 1, newest, frame)?;
                }
            }
            Step::Require { .. } => self.enumerate(transition, at + 1, newest, frame)?,
            Step::Pick(pick) => {
                let pick = &declared.picks[*pick];
                match matcher.picked(pick, frame) {
                    Err(error) => self.settle(matcher.failed(transition, at, frame, None, error))?,
                    Ok(values) => {
                        for value in values {
                            self.spend()?;
                            frame[pick.var.index()] = value;
                            self.enumerate(transition, at + 1, newest, frame)?;
                        }
                    }
                }
            }
            Step::Match { place, input, pattern } => {
                let takes_one =
                    !self.gains[place.index()] && declared.inputs[input.0].terms[input.1].factor.is_none();
                let tables = &self.places[place.index()];
                let (low, high) = match at.cmp(&newest) {
                    std::cmp::Ordering::Less => (0, tables.old),
                    std::cmp::Ordering::Equal => (tables.old, tables.current),
                    std::cmp::Ordering::Greater => (0, tables.current),
                };
                let candidates = match self.candidates(transition, at, pattern, frame, low, high) {
                    Ok(candidates) => candidates,
                    Err(error) => {
                        return self.settle(matcher.failed(transition, at, frame, None, error));
                    }
                };
                for number in candidates {
                    self.spend()?;
                    let token = self.places[place.index()].tokens[number as usize].clone();
                    let is_same = |&&taken: &&(PlaceIdx, u32)| taken == (*place, number);
                    if takes_one {
                        let there = matcher.net().place(*place).initial.count(&token) as usize;
                        if self.taken.iter().filter(is_same).count() >= there {
                            continue;
                        }
                    }
                    match matcher.matches(pattern, &token, frame) {
                        Ok(false) => {}
                        Ok(true) => {
                            let n_taken = self.taken.len();
                            if takes_one {
                                self.taken.push((*place, number));
                            }
                            let outcome = self.enumerate(transition, at + 1, newest, frame);
                            self.taken.truncate(n_taken);
                            outcome?;
                        }
                        Err(error) => {
                            let token = Some((*place, token));
                            self.settle(matcher.failed(transition, at, frame, token, error))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Tokens numbered `low..high` that may fit a match step.
    fn candidates(
        &self,
        transition: TransIdx,
        at: usize,
        pattern: &Pattern,
        frame: &mut [Value],
        low: u32,
        high: u32,
    ) -> Result<Vec<u32>, petite_net::RunError> {
        let Some(index) = self.index_of[transition.index()][at].map(|i| &self.indices[i]) else {
            return Ok(Vec::new());
        };
        let key = self.matcher.known_tests(pattern, frame)?;
        let Some(tokens) = index.tokens.get(&key) else { return Ok(Vec::new()) };
        let from = tokens.partition_point(|&token| token < low);
        let to = tokens.partition_point(|&token| token < high);
        Ok(tokens[from..to].to_vec())
    }

    /// Takes an instance in, or lets it wait for a missing token.
    fn settle(&mut self, instance: Instance) -> Result<(), TooLarge> {
        let missing = instance
            .takes
            .iter()
            .find(|(place, token, _)| !self.places[place.index()].numbers.contains_key(token))
            .map(|(place, token, _)| (*place, token.clone()));
        if self.instances.len() + self.n_waiting >= self.budget.instances {
            return Err(TooLarge);
        }
        if instance.is_endless() {
            self.budget.endless = self.budget.endless.checked_sub(1).ok_or(TooLarge)?;
        }
        if let Some(missing) = missing {
            self.n_waiting += 1;
            self.waiting.entry(missing).or_default().push(instance);
            return Ok(());
        }
        for (place, token, _) in &instance.gives {
            self.add_token(*place, token)?;
        }
        self.instances.push(instance);
        Ok(())
    }

    fn add_token(&mut self, place: PlaceIdx, token: &Value) -> Result<(), TooLarge> {
        let known = &mut self.places[place.index()];
        if known.numbers.contains_key(token) {
            return Ok(());
        }
        let number = known.tokens.len() as u32;
        if number as usize >= self.budget.instances {
            return Err(TooLarge);
        }
        known.numbers.insert(token.clone(), number);
        known.tokens.push(token.clone());
        for &index in &known.indices {
            let index = &mut self.indices[index];
            if !index.pattern.has_shape(token) {
                continue;
            }
            // A token of the right shape has all these parts.
            let parts = index.components.iter().map(|path| part(token, path).cloned());
            if let Some(key) = parts.collect::<Option<Vec<Value>>>() {
                index.tokens.entry(key).or_default().push(number);
            }
        }
        if let Some(woken) = self.waiting.remove(&(place, token.clone())) {
            self.n_waiting -= woken.len();
            self.ready.extend(woken);
        }
        Ok(())
    }

    fn spend(&mut self) -> Result<(), TooLarge> {
        self.budget.tests = self.budget.tests.checked_sub(1).ok_or(TooLarge)?;
        Ok(())
    }
}
