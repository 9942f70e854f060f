//! What can happen in a half, found once for all states that share it.
//!
//! An action whose rules are all about slots of one half is *local* to it: where it is enabled, and what it leads to, is decided
//! by that half alone. The others are *crossing*: enabled where both halves agree. There are thousands of halves where there are
//! millions of states, so a record is kept for each half, and expanding a state is reading two records:
//!
//! ```text
//!  record of a half, in words of 32 bits
//!  +---------------------+-----------------------+------------------------------------------+
//!  | numbers of its      | local actions enabled | images under crossing actions that the   |
//!  | profiles, n local   | here: number, image   | half agrees with and that change it      |
//!  +---------------------+-----------------------+------------------------------------------+
//!
//!  profiles, each kept once
//!  +----------------------------+  +------------------------------+
//!  | tokens of the groups that  |  | 64 crossing actions that the |
//!  | lie in both halves, packed |  | half agrees with, as bits    |
//!  +----------------------------+  +------------------------------+
//!
//!  successors of (l, r):   (image, r) for each local action of l,   (l, image) for each of r,
//!                          and (image, image) for each bit that both have set
//! ```
//!
//! An action that only reads a half does not change it, and needs no image there. The other images of crossing actions are in the
//! order of the bits, so that the bits before one count the images before its. Images are filled in when they are first met;
//! until then the action is fired. Sums of the packed numbers of tokens give the tokens of a state in each group, several at a
//! time.
//!
//! **Cost.** Some thirty bytes a half, kept below a part of the tree's size: when there is no room all records are
//! dropped, and made without images of crossing actions from then on, which the [`Memo`](super::memo::Memo) has to remember.
//! Making a record looks at all rules about its half; when that happens too often records are given up for good.

use petite_bits::Packing;
use petite_model::{ActionId, GroupIdx, Model, SlotRule};

use super::codec::Key;
use super::images::ImageWidth;
use super::lanes::Lanes;
use super::memo::Side;
use super::profiles::Profiles;
use crate::{Expansion, Figure, Peaks, StateKey};

/// What records may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLimits {
    /// Bytes that they may take at least.
    pub least_bytes: usize,
    /// The tree's bytes divided by those that they may take.
    pub share: usize,
    /// Expansions between two looks at how often records are made.
    pub window: u64,
    /// Actions that may be looked at for each expansion, to make records.
    pub looks: u64,
    /// Actions that may be looked at beyond that: in the beginning all records are new.
    pub patience: u64,
    /// The number of a half from which on images take a whole word; at most 65,535.
    pub end_of_short: u32,
}

impl RecordLimits {
    /// Those of every tree that is not made to be tested.
    pub const USUAL: RecordLimits = RecordLimits {
        least_bytes: 1 << 20,
        share: 2,
        window: 1 << 14,
        looks: 100,
        patience: 200_000_000,
        end_of_short: ImageWidth::UNKNOWN_SHORT,
    };
}

/// Bits of a record's first word that are the number of its local actions.
const LOCAL_BITS: u32 = 12;

/// The largest number of local actions.
const MOST_LOCAL: u32 = (1 << LOCAL_BITS) - 1;

/// Records of halves.
#[derive(Debug)]
pub(super) struct Halves {
    limits: RecordLimits,
    sides: [HalfRules; 2],
    crossing: Vec<ActionId>,
    /// Where the record of each half is, plus one; zero where there is none.
    places: [Vec<u32>; 2],
    records: Vec<u32>,
    /// Crossing actions that halves agree with, as bits, 64 at a time.
    masks: Vec<Profiles>,
    /// Tokens of the groups that lie in both halves, packed.
    tokens: Profiles,
    lanes: Lanes,
    images: ImageWidth,
    group_of: Vec<GroupIdx>,
    side_of: Vec<usize>,
    peaks: Peaks,
    n_expansions: u64,
    n_made: u64,
    n_drops: u64,
    n_looks: u64,
    /// Number of tokens of each group in the half at hand.
    totals: Vec<u64>,
}

/// What can happen in a half.
struct Record<'a> {
    local: &'a [u32],
    /// What follows the local actions, to the end of all records: images under crossing actions come first.
    images: &'a [u32],
    /// Numbers of profiles, two in a word.
    masks: &'a [u32],
    tokens: &'a [u32],
}

/// Actions as one half sees them.
#[derive(Debug, Default)]
struct HalfRules {
    local: Vec<(ActionId, Box<[SlotRule]>)>,
    /// Rules about this half of each crossing action.
    crossing: Vec<Box<[SlotRule]>>,
    /// Crossing actions that change this half, as bits.
    changing: Vec<u64>,
    /// Bits of a local entry that are the image.
    image_bits: u32,
}

/// There is no memory, or no sense in going on.
pub(super) struct GivenUp;

impl Halves {
    /// Records for a tree in which each slot is on a side; none where the model's actions are more than rules.
    pub fn new<M: Model>(model: &M, side_of: Vec<usize>, limits: RecordLimits) -> Option<Halves> {
        let rules = model.rules()?;
        let mut sides = [HalfRules::default(), HalfRules::default()];
        let mut crossing = Vec::new();
        for (number, rules) in rules.into_iter().enumerate() {
            let action = ActionId::new(number);
            let part = |side: usize| -> Box<[SlotRule]> {
                rules.iter().filter(|rule| side_of[rule.slot.index()] == side).copied().collect()
            };
            match [part(0), part(1)] {
                [left, right] if right.is_empty() => sides[0].local.push((action, left)),
                [left, right] if left.is_empty() => sides[1].local.push((action, right)),
                [left, right] => {
                    let changed = model.changed_slots(action)?;
                    for (side, rules) in [left, right].into_iter().enumerate() {
                        let changes = changed.iter().any(|slot| side_of[slot.index()] == side);
                        sides[side].push_crossing(crossing.len(), rules, changes);
                    }
                    crossing.push(action);
                }
            }
        }
        for side in &mut sides {
            // All ones stand for an unknown image, whatever the number.
            side.image_bits = (side.local.len() + 1).next_power_of_two().leading_zeros() - 32;
        }
        let layout = model.layout();
        let n_groups = layout.groups.len();
        let masks = (0..crossing.len().div_ceil(64)).map(|_| Profiles::default()).collect();
        Some(Halves {
            limits,
            sides,
            crossing,
            places: [Vec::new(), Vec::new()],
            records: Vec::new(),
            masks,
            tokens: Profiles::default(),
            lanes: Lanes::new(layout, &side_of),
            images: ImageWidth::Short,
            group_of: layout.slots.iter().map(|slot| slot.group).collect(),
            side_of,
            peaks: Peaks { groups: vec![0; n_groups], total: 0, multiplicity: 0 },
            n_expansions: 0,
            n_made: 0,
            n_drops: 0,
            n_looks: 0,
            totals: vec![0; n_groups],
        })
    }

    /// Whether both halves of a state have records.
    #[inline]
    pub fn knows(&self, (left, right): Key) -> bool {
        self.place(0, left).is_some() && self.place(1, right).is_some()
    }

    /// Makes the records of a state's halves that are missing.
    pub fn learn(
        &mut self,
        key: Key,
        words: &[u64],
        packing: &Packing,
        tree_bytes: usize,
    ) -> Result<(), GivenUp> {
        if self.bytes() > (tree_bytes / self.limits.share).max(self.limits.least_bytes) {
            self.forget();
            self.images = ImageWidth::None;
        }
        for (side, half) in [(0, key.0), (1, key.1)] {
            while self.place(side, half).is_none() {
                self.make(side, half, words, packing)?;
            }
        }
        Ok(())
    }

    /// Appends the steps, of those that are needed, from a state whose halves have records. `image` is asked for images that
    /// records do not have. Gives the number of all actions that are enabled there.
    #[inline]
    pub fn expand(
        &mut self,
        key: Key,
        mut image: impl FnMut(Side, ActionId, u32) -> Option<u32>,
        is_needed: impl Fn(ActionId) -> bool,
        steps: &mut Vec<Expansion>,
    ) -> Result<usize, GivenUp> {
        let (Some(left), Some(right)) = (self.place(0, key.0), self.place(1, key.1)) else {
            return Err(GivenUp);
        };
        let left = self.record(left);
        let right = self.record(right);
        let mut n_enabled = left.local.len() + right.local.len();
        for &entry in left.local {
            let (action, image) = self.sides[0].split(entry);
            if is_needed(action) {
                let to = image.map(|image| StateKey { left: image, right: key.1 });
                steps.push(Expansion { action, to });
            }
        }
        for &entry in right.local {
            let (action, image) = self.sides[1].split(entry);
            if is_needed(action) {
                let to = image.map(|image| StateKey { left: key.0, right: image });
                steps.push(Expansion { action, to });
            }
        }
        let width = self.images;
        let (mut n_left, mut n_right) = (0, 0);
        for (at, profiles) in self.masks.iter().enumerate() {
            let (left_bits, right_bits) = (profiles.bits(left.mask(at)), profiles.bits(right.mask(at)));
            let left_changing = left_bits & self.sides[0].changing[at];
            let right_changing = right_bits & self.sides[1].changing[at];
            let mut both = left_bits & right_bits;
            n_enabled += both.count_ones() as usize;
            while both != 0 {
                let bit = both & both.wrapping_neg();
                let action = self.crossing[at * 64 + both.trailing_zeros() as usize];
                both ^= bit;
                if !is_needed(action) {
                    continue;
                }
                let to_left = match (left_changing & bit, width) {
                    (0, _) => Some(key.0),
                    (_, ImageWidth::None) => image(Side::Left, action, key.0),
                    _ => width.get(left.images, n_left + rank(left_changing, bit)),
                };
                let to_right = match (right_changing & bit, width) {
                    (0, _) => Some(key.1),
                    (_, ImageWidth::None) => image(Side::Right, action, key.1),
                    _ => width.get(right.images, n_right + rank(right_changing, bit)),
                };
                let to = to_left.zip(to_right).map(|(left, right)| StateKey { left, right });
                steps.push(Expansion { action, to });
            }
            n_left += left_changing.count_ones() as usize;
            n_right += right_changing.count_ones() as usize;
        }
        if !self.lanes.cover(left.tokens, right.tokens) {
            let sums = left.tokens.iter().zip(right.tokens).map(|(left, right)| left + right).collect();
            self.lanes.see(sums);
        }
        self.n_expansions += 1;
        if self.n_expansions.is_multiple_of(self.limits.window) {
            self.look_back()?;
        }
        Ok(n_enabled)
    }

    /// Fills in where an action leads. Gives whether that can be kept in records.
    pub fn remember(&mut self, from: Key, action: ActionId, to: Key) -> bool {
        if let Ok(number) = self.crossing.binary_search(&action) {
            return self.remember_crossing(from, number, to);
        }
        for (side, half, image) in [(0, from.0, to.0), (1, from.1, to.1)] {
            let rules = &self.sides[side];
            let Ok(number) = rules.local.binary_search_by_key(&action, |(action, _)| *action) else {
                continue;
            };
            let Some(place) = self.place(side, half) else { return true };
            let n_local = (self.records[place] & MOST_LOCAL) as usize;
            let entries = &mut self.records[place + 1 + self.masks.len().div_ceil(2)..][..n_local];
            let unknown = (1u32 << rules.image_bits) - 1;
            if let Ok(at) = entries.binary_search_by_key(&(number as u32), |entry| entry >> rules.image_bits)
                && image < unknown
            {
                entries[at] = (number as u32) << rules.image_bits | image;
            }
            return true;
        }
        false
    }

    fn remember_crossing(&mut self, from: Key, number: usize, to: Key) -> bool {
        if self.images == ImageWidth::None {
            return false;
        }
        if self.images == ImageWidth::Short && to.0.max(to.1) >= self.limits.end_of_short {
            self.forget();
            self.images = ImageWidth::Long;
            return true;
        }
        let (chunk, bit) = (number / 64, 1 << (number % 64));
        for (side, half, image) in [(0, from.0, to.0), (1, from.1, to.1)] {
            let Some(place) = self.place(side, half) else { continue };
            let record = self.record(place);
            let bits_of = |at: usize| self.masks[at].bits(record.mask(at)) & self.sides[side].changing[at];
            if bits_of(chunk) & bit != 0 {
                let before = (0..chunk).map(|at| bits_of(at).count_ones() as usize).sum::<usize>();
                let index = before + rank(bits_of(chunk), bit);
                let start = self.records.len() - record.images.len();
                self.images.set(&mut self.records[start..], index, image);
            }
        }
        true
    }

    /// The largest numbers of tokens in all states that were expanded.
    pub fn peaks(&self) -> Peaks {
        let mut peaks = self.peaks.clone();
        self.lanes.raise(&mut peaks);
        peaks
    }

    /// What is told of them.
    pub fn figures(&self) -> [Figure; 4] {
        [
            Figure::bytes("records of halves", self.bytes() as u64),
            Figure::count("records made", self.n_made),
            Figure::count("times that records were dropped", self.n_drops),
            Figure::count(
                "actions within one half",
                self.sides.iter().map(|side| side.local.len() as u64).sum(),
            ),
        ]
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let places = self.places[0].capacity() + self.places[1].capacity();
        (places + self.records.capacity()) * size_of::<u32>()
            + self.tokens.bytes()
            + self.masks.iter().map(Profiles::bytes).sum::<usize>()
    }

    /// Heap bytes owned by what does not grow with the states.
    pub fn fixed_bytes(&self) -> usize {
        let rules = |list: &[SlotRule]| size_of_val(list) + size_of::<Box<[SlotRule]>>();
        let side = |side: &HalfRules| {
            side.local.iter().map(|(_, list)| rules(list) + size_of::<ActionId>()).sum::<usize>()
                + side.changing.capacity() * size_of::<u64>()
                + side.crossing.iter().map(|list| rules(list)).sum::<usize>()
        };
        self.sides.iter().map(side).sum::<usize>()
            + self.crossing.capacity() * size_of::<ActionId>()
            + self.group_of.capacity() * size_of::<GroupIdx>()
            + self.side_of.capacity() * size_of::<usize>()
            + (self.peaks.groups.capacity() + self.totals.capacity()) * size_of::<u64>()
    }

    #[inline]
    fn place(&self, side: usize, half: u32) -> Option<usize> {
        (*self.places[side].get(half as usize)? as usize).checked_sub(1)
    }

    /// The record at a place.
    #[inline]
    fn record(&self, place: usize) -> Record<'_> {
        let head = self.records[place];
        let (masks, rest) = self.records[place + 1..].split_at(self.masks.len().div_ceil(2));
        let (local, images) = rest.split_at((head & MOST_LOCAL) as usize);
        Record { local, images, masks, tokens: self.tokens.get(head >> LOCAL_BITS) }
    }

    fn forget(&mut self) {
        self.n_drops += 1;
        for places in &mut self.places {
            places.clear();
            places.shrink_to_fit();
        }
        self.records = Vec::new();
        self.masks.iter_mut().for_each(|profiles| *profiles = Profiles::default());
        self.tokens = Profiles::default();
    }

    /// Whether records pay.
    #[cold]
    fn look_back(&mut self) -> Result<(), GivenUp> {
        let is_too_much = self.n_looks > self.n_expansions * self.limits.looks + self.limits.patience;
        if is_too_much { Err(GivenUp) } else { Ok(()) }
    }

    /// Makes the record of a half, or wider lanes, which drops all records.
    #[cold]
    fn make(&mut self, side: usize, half: u32, words: &[u64], packing: &Packing) -> Result<(), GivenUp> {
        self.totals.fill(0);
        let mut all = 0;
        for (slot, count) in packing.marked(words).filter(|(slot, _)| self.side_of[slot.index()] == side) {
            self.totals[self.group_of[slot.index()].index()] += u64::from(count);
            all += u64::from(count);
            self.peaks.multiplicity = self.peaks.multiplicity.max(count);
        }
        if !self.lanes.fit(all)? {
            self.forget();
        }
        for (peak, total) in self.peaks.groups.iter_mut().zip(&self.totals) {
            *peak = (*peak).max(*total);
        }
        self.n_looks += self.sides[side].n_actions();
        self.n_made += 1;
        let is_met =
            |rules: &[SlotRule]| rules.iter().all(|rule| rule.is_met_by(packing.get(words, rule.slot)));
        let rules = &self.sides[side];
        let tokens = self.tokens.intern(self.lanes.packed(&self.totals, all))?;
        let start = self.records.len();
        let head = 1 + self.masks.len().div_ceil(2);
        let most_images = self.images.n_words(rules.crossing.len());
        reserve(&mut self.records, head + rules.local.len() + most_images)?;
        self.records.resize(start + head, 0);
        let mut n_images = 0;
        for (at, (profiles, actions)) in self.masks.iter_mut().zip(rules.crossing.chunks(64)).enumerate() {
            let bits = actions.iter().enumerate().map(|(bit, rules)| u64::from(is_met(rules)) << bit);
            let bits = bits.sum::<u64>();
            let id = profiles.intern(vec![bits as u32, (bits >> 32) as u32])?;
            let id = u32::from(u16::try_from(id).map_err(|_| GivenUp)?);
            self.records[start + 1 + at / 2] |= id << (at % 2 * 16);
            n_images += (bits & rules.changing[at]).count_ones() as usize;
        }
        let unknown = (1u32 << rules.image_bits) - 1;
        for (number, (_, rules_of)) in rules.local.iter().enumerate() {
            if is_met(rules_of) {
                self.records.push((number as u32) << rules.image_bits | unknown);
            }
        }
        let n_local = (self.records.len() - start - head) as u32;
        if n_local > MOST_LOCAL || tokens > u32::MAX >> LOCAL_BITS {
            return Err(GivenUp);
        }
        self.records[start] = tokens << LOCAL_BITS | n_local;
        let end = self.records.len() + self.images.n_words(n_images);
        self.records.resize(end, u32::MAX);
        let places = &mut self.places[side];
        if places.len() <= half as usize {
            let missing = half as usize + 1 - places.len();
            reserve(places, missing)?;
            places.resize(half as usize + 1, 0);
        }
        places[half as usize] = u32::try_from(start + 1).map_err(|_| GivenUp)?;
        Ok(())
    }
}

impl HalfRules {
    /// Adds the rules of the next crossing action.
    fn push_crossing(&mut self, number: usize, rules: Box<[SlotRule]>, changes: bool) {
        self.crossing.push(rules);
        if number.is_multiple_of(64) {
            self.changing.push(0);
        }
        self.changing[number / 64] |= u64::from(changes) << (number % 64);
    }

    fn n_actions(&self) -> u64 {
        (self.local.len() + self.crossing.len()) as u64
    }

    /// The action of an entry, and its image where that is known.
    #[inline]
    fn split(&self, entry: u32) -> (ActionId, Option<u32>) {
        let unknown = (1u32 << self.image_bits) - 1;
        let image = entry & unknown;
        (self.local[(entry >> self.image_bits) as usize].0, (image != unknown).then_some(image))
    }
}

impl Record<'_> {
    /// The number of the profile with the crossing actions of a chunk.
    #[inline]
    fn mask(&self, chunk: usize) -> u32 {
        self.masks[chunk / 2] >> (chunk % 2 * 16) & 0xFFFF
    }
}

/// How many bits are set before one.
#[inline]
fn rank(bits: u64, bit: u64) -> usize {
    (bits & (bit - 1)).count_ones() as usize
}

/// Makes room for more numbers, a little beyond what is needed now.
pub(super) fn reserve(numbers: &mut Vec<u32>, more: usize) -> Result<(), GivenUp> {
    if numbers.capacity() - numbers.len() < more {
        let spare = numbers.len() / 8 + 64;
        numbers.try_reserve_exact(more + spare).map_err(|_| GivenUp)?;
    }
    Ok(())
}
