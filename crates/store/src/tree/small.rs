//! The tree without identities.

use petite_bits::{OutOfMemory, Packing, QuotientSet, ScanPosition, Spot, USUAL_FILL, mix64};
use petite_model::{ActionId, Model, NeededSteps};

use super::codec::{Codec, Key};
use super::halves::{Halves, RecordLimits};
use super::memo::{Memo, Side};
use super::order::{self, Choice};
use super::sample::Sample;
use crate::{
    Expansion, Figure, Inserted, OpenSet, Origin, Peaks, StateId, StateKey, StateSet, Store, StoreError,
};

/// Number of states at which the order of slots is first looked at again.
const FIRST_LOOK: usize = 1 << 15;

/// States at a look divided by those at the one before.
const STRIDE: usize = 8;

/// Looks that always happen; later ones only when states have become larger than they were at the last one.
const LOOKS: u32 = 2;

/// How much larger, as a factor.
const RUNAWAY: f64 = 1.4;

/// A better order is taken when the present one needs this many times its bits: estimates are rough.
const WORTHWHILE: f64 = 1.2;

/// Who keeps the states that are still to be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frontier {
    /// The store, by a bit beside each state.
    Inside,
    /// The search.
    Outside,
}

/// Which halves an action touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    /// Nobody asked yet.
    Unknown,
    /// What it does is not a matter of single slots.
    More,
    Halves {
        left: bool,
        right: bool,
    },
}

/// An exact set of states in a tree of pairs.
#[derive(Debug)]
pub struct Tree {
    codec: Codec,
    root: QuotientSet,
    frontier: Frontier,
    scan: ScanPosition,
    taken: Vec<Key>,
    choice: Choice,
    memo: Memo,
    /// What can happen in each half; none where that is not known, or does not pay.
    halves: Option<Box<Halves>>,
    limits: RecordLimits,
    /// The peaks of states that were expanded before that was so.
    peaks: Option<Peaks>,
    /// What each action touches.
    touches: Vec<Touch>,
    /// The root's bytes when it had so many states: asking all of its segments takes a while.
    root_bytes: (usize, usize),
    /// Number of states at which the order is looked at again.
    next_look: usize,
    looks: u32,
    /// Bytes a state at the last look.
    last_size: f64,
    rebuilds: u64,
    /// States that were lost when memory ran out while they moved: they still count.
    lost: usize,
}

impl Tree {
    /// An empty store for a model, whose slots are ordered by a sample of its states.
    ///
    /// # Errors
    /// When the system gives no more memory.
    pub fn new<M: Model>(model: &mut M, frontier: Frontier) -> Result<Tree, StoreError> {
        Tree::with_limits(model, frontier, RecordLimits::USUAL)
    }

    /// The same with other limits for the records of halves.
    ///
    /// # Errors
    /// When the system gives no more memory.
    pub fn with_limits<M: Model>(
        model: &mut M,
        frontier: Frontier,
        limits: RecordLimits,
    ) -> Result<Tree, StoreError> {
        let sample = Sample::of(model);
        let choice = order::choose(model, &sample);
        Tree::with_choice(model, frontier, choice, limits)
    }

    fn with_choice<M: Model>(
        model: &M,
        frontier: Frontier,
        choice: Choice,
        limits: RecordLimits,
    ) -> Result<Tree, StoreError> {
        let codec = Codec::new(&choice.shape, model.packing(), order::is_dense(model.layout()))?;
        let halves = match frontier {
            Frontier::Inside => {
                Halves::new(model, codec.slot_sides(model.layout().slots.len()), limits).map(Box::new)
            }
            Frontier::Outside => None,
        };
        Ok(Tree {
            codec,
            root: QuotientSet::new(USUAL_FILL, frontier == Frontier::Inside),
            frontier,
            scan: ScanPosition::default(),
            taken: Vec::new(),
            choice,
            memo: Memo::default(),
            halves,
            limits,
            peaks: None,
            touches: Vec::new(),
            root_bytes: (0, 0),
            next_look: FIRST_LOOK,
            looks: 0,
            last_size: 0.0,
            rebuilds: 0,
            lost: 0,
        })
    }

    /// Finds out which halves an action touches.
    #[cold]
    fn learn_touch<M: Model>(&mut self, model: &M, action: ActionId) -> Touch {
        let touch = match model.changed_slots(action) {
            Some(slots) => {
                let (left, right) = self.codec.sides(&slots);
                Touch::Halves { left, right }
            }
            None => Touch::More,
        };
        let n_actions = model.n_actions().max(action.index() + 1);
        if self.touches.len() < n_actions {
            if self.touches.try_reserve(n_actions - self.touches.len()).is_err() {
                return Touch::More;
            }
            self.touches.resize(n_actions, Touch::Unknown);
        }
        self.touches[action.index()] = touch;
        touch
    }

    /// A sample of the stored states, packed as they are now.
    fn stored_sample<M: Model>(&mut self, model: &M) -> Sample {
        let mut sample = Sample::empty(model.packing().n_words());
        let n_segments = self.root.n_segments();
        let every = (self.root.len() / sample.room()).max(1) as u64;
        let mut keys = Vec::new();
        for segment in 0..n_segments {
            self.root.for_each(segment, |pair, _| {
                let number = u64::from(pair.0) << 32 | u64::from(pair.1);
                if mix64(number).is_multiple_of(every) {
                    keys.push(pair);
                }
            });
        }
        for key in keys {
            self.codec.go_to_key(key);
            sample.push(self.codec.base_words());
        }
        sample
    }

    /// Moves all states to a tree of another shape, a segment at a time. Those that someone holds become open.
    fn rebuild<M: Model>(
        &mut self,
        model: &M,
        choice: Choice,
        mut held: Vec<StateKey>,
    ) -> Result<(), StoreError> {
        held.sort_unstable();
        let mut other = Tree::with_choice(model, self.frontier, choice, self.limits)?;
        let n_states = self.root.len();
        let mut keys = Vec::new();
        for segment in 0..self.root.n_segments() {
            keys.clear();
            self.root.for_each(segment, |pair, open| keys.push((pair, open)));
            self.root.forget(segment)?;
            for &(key, open) in &keys {
                let open = open || held.binary_search(&StateKey { left: key.0, right: key.1 }).is_ok();
                self.codec.go_to_key(key);
                let words = self.codec.base_words();
                let key = other.codec.step(words)?;
                other.codec.keep(words);
                other.root.insert(key, open)?;
            }
        }
        debug_assert_eq!(other.root.len(), n_states, "states are lost");
        self.codec = other.codec;
        self.root = other.root;
        self.choice = other.choice;
        self.scan = ScanPosition::default();
        self.memo.clear();
        let peaks = <Tree as OpenSet<M>>::peaks(self);
        // Records that were given up stay so.
        self.halves = self.halves.take().and(other.halves);
        self.peaks = peaks;
        self.touches.clear();
        self.rebuilds += 1;
        Ok(())
    }
}

impl StateSet for Tree {
    #[inline]
    fn len(&self) -> usize {
        self.root.len() + self.lost
    }

    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        self.codec.repack(from, to)
    }

    fn bytes(&self) -> usize {
        self.codec.bytes()
            + self.root.bytes()
            + self.taken.capacity() * size_of::<Key>()
            + self.choice.bytes()
            + self.memo.bytes()
            + self.halves.as_ref().map_or(0, |halves| halves.bytes() + halves.fixed_bytes())
            + self.touches.capacity() * size_of::<Touch>()
    }

    fn vector_bytes(&self) -> usize {
        self.root.bytes() + self.codec.table_bytes()
    }

    fn name(&self) -> &'static str {
        "tree"
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = figures(&self.codec, &self.choice, self.root.bytes(), self.rebuilds);
        figures.extend(self.halves.iter().flat_map(|halves| halves.figures()));
        figures
    }
}

/// What a tree tells of itself.
pub(super) fn figures(codec: &Codec, choice: &Choice, root_bytes: usize, rebuilds: u64) -> Vec<Figure> {
    let (left, right) = codec.n_halves();
    vec![
        Figure::words("slot order", choice.name.clone()),
        Figure::number("estimated bits per state", choice.bits),
        Figure::count("left halves", left as u64),
        Figure::count("right halves", right as u64),
        Figure::count("pairs in the tree", codec.n_pairs() as u64),
        Figure::count("leaves", codec.n_leaves().0 as u64),
        Figure::bytes("root", root_bytes as u64),
        Figure::bytes("tables of pairs", codec.table_bytes() as u64),
        Figure::count("changes of slot order", rebuilds),
    ]
}

impl<M: Model> Store<M> for Tree {
    #[inline]
    fn insert(&mut self, _: &mut M, words: &[u64], _: u64, _: Origin) -> Result<Inserted, StoreError> {
        if self.root.len() >= StateId::UNKNOWN.index() {
            return Err(StoreError::OutOfIds);
        }
        let key = self.codec.step(words)?;
        match self.root.insert(key, self.frontier == Frontier::Inside) {
            Ok(true) => {
                // Its successors come next, if any.
                self.codec.keep(words);
                Ok(Inserted { id: StateId::new(self.root.len() - 1), new: true })
            }
            Ok(false) => {
                self.codec.step_back(words);
                Ok(Inserted { id: StateId::UNKNOWN, new: false })
            }
            Err(error) => {
                self.codec.step_back(words);
                Err(error.into())
            }
        }
    }

    #[inline]
    fn expanding(&mut self, words: &[u64]) {
        if self.codec.step(words).is_ok() {
            self.codec.keep(words);
        }
    }
}

impl<M: Model> OpenSet<M> for Tree {
    type Spot = Spot;

    fn take_open(&mut self, enough: usize, keys: &mut Vec<StateKey>) {
        self.taken.clear();
        // A scan from the middle may end without having seen what was opened behind its back; the next sees all.
        for _ in 0..2 {
            let ended = self.root.take_open(&mut self.scan, enough, &mut self.taken);
            if !self.taken.is_empty() || !ended {
                break;
            }
        }
        if self.halves.is_none() {
            // Neighbours with a common half are quick to go to, and what actions do to it is remembered.
            self.taken.sort_unstable();
        }
        keys.extend(self.taken.iter().map(|&(left, right)| StateKey { left, right }));
    }

    #[inline]
    fn go_to(&mut self, key: StateKey) -> &[u64] {
        self.codec.go_to_key((key.left, key.right));
        self.codec.base_words()
    }

    #[inline]
    fn key(&mut self, words: &[u64]) -> Result<StateKey, StoreError> {
        let (left, right) = self.codec.key(words)?;
        Ok(StateKey { left, right })
    }

    #[inline]
    fn expand(
        &mut self,
        model: &M,
        from: StateKey,
        needed: NeededSteps<'_>,
        steps: &mut Vec<Expansion>,
    ) -> Option<usize> {
        let halves = self.halves.as_mut()?;
        let key = (from.left, from.right);
        let mut outcome = Ok(());
        if !halves.knows(key) {
            self.codec.go_to_key(key);
            let (n_states, n_bytes) = &mut self.root_bytes;
            if self.root.len() > *n_states + *n_states / 64 {
                (*n_states, *n_bytes) = (self.root.len(), self.root.bytes());
            }
            outcome = halves.learn(key, self.codec.base_words(), model.packing(), *n_bytes);
        }
        let memo = &self.memo;
        let start = steps.len();
        let image = |side, action: ActionId, half| memo.image(side, action.0, half);
        let outcome = outcome.and_then(|()| match needed {
            // What is asked for each step is known beforehand here.
            NeededSteps::Bits(row) => {
                halves.expand(key, image, |action| NeededSteps::Bits(row).contains(action), steps)
            }
            NeededSteps::All => halves.expand(key, image, |_| true, steps),
            needed => halves.expand(key, image, |action| needed.contains(action), steps),
        });
        if let Ok(n_enabled) = outcome {
            return Some(n_enabled);
        }
        steps.truncate(start);
        self.peaks = <Tree as OpenSet<M>>::peaks(self);
        self.halves = None;
        None
    }

    fn peaks(&self) -> Option<Peaks> {
        let known = self.halves.as_ref().map(|halves| halves.peaks());
        match (known, &self.peaks) {
            (Some(mut known), Some(before)) => {
                known.raise(before);
                Some(known)
            }
            (known, before) => known.or_else(|| before.clone()),
        }
    }

    #[inline]
    fn successor(&mut self, model: &M, from: StateKey, action: ActionId) -> Option<StateKey> {
        let touch = match self.touches.get(action.index()) {
            None | Some(Touch::Unknown) => self.learn_touch(model, action),
            Some(&touch) => touch,
        };
        let Touch::Halves { left, right } = touch else { return None };
        let mut to = from;
        if left {
            to.left = self.memo.image(Side::Left, action.0, from.left)?;
        }
        if right {
            to.right = self.memo.image(Side::Right, action.0, from.right)?;
        }
        Some(to)
    }

    #[inline]
    fn remember(&mut self, model: &M, from: StateKey, action: ActionId, to: StateKey) {
        if let Some(halves) = &mut self.halves
            && halves.remember((from.left, from.right), action, (to.left, to.right))
        {
            return;
        }
        if !matches!(self.touches.get(action.index()), Some(Touch::Halves { .. } | Touch::More)) {
            self.learn_touch(model, action);
        }
        let Some(&Touch::Halves { left, right }) = self.touches.get(action.index()) else { return };
        if left {
            self.memo.remember(Side::Left, action.0, from.left, to.left);
        }
        if right {
            self.memo.remember(Side::Right, action.0, from.right, to.right);
        }
    }

    #[inline]
    fn prefetch_key(&self, key: StateKey) -> Spot {
        self.root.prefetch((key.left, key.right))
    }

    #[inline]
    fn insert_key(&mut self, key: StateKey, spot: Spot, open: bool) -> Result<bool, StoreError> {
        Ok(self.root.insert_at((key.left, key.right), spot, open)?)
    }

    #[inline]
    fn improve(
        &mut self,
        model: &mut M,
        held: impl FnOnce() -> Result<Vec<StateKey>, OutOfMemory>,
    ) -> Result<(), StoreError> {
        self.memo.fit(self.root.len());
        if self.root.len() < self.next_look {
            return Ok(());
        }
        self.next_look = self.root.len().saturating_mul(STRIDE);
        let size = (self.codec.table_bytes() + self.root.bytes()) as f64 / self.root.len() as f64;
        if self.looks >= LOOKS && size < self.last_size * RUNAWAY {
            return Ok(());
        }
        self.looks += 1;
        self.last_size = size;
        let sample = self.stored_sample(model);
        let choice = order::choose(model, &sample);
        let present = order::bits_of(&self.choice.shape, model, &sample);
        if choice.shape != self.choice.shape && choice.bits * WORTHWHILE < present {
            let held = held()?;
            let n_states = self.root.len();
            let rebuilt = self.rebuild(model, choice, held);
            self.lost = n_states - self.root.len();
            return rebuilt;
        }
        Ok(())
    }
}
