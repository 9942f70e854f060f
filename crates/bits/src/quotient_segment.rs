//! One segment of a quotient set: a table of a fixed number of blocks; see [`super::quotient_set`].
//!
//! The permuted keys are spread evenly over the quotients, so their order is that of the quotients:
//!
//! ```text
//!  quotient(p) = p · scale / 2^63      scale = slots · 2^63 / size of the permutation, rounded down
//!  remainder   = low bits of p         as many as tell the keys of a quotient apart
//! ```
//!
//! Any number of slots will do for a permutation. A segment that grows keeps its own as long as the numbers of the pairs stay
//! within their ranges, and its keys are laid out anew in their old order, with no need to permute or to sort them.

use crate::low_bits;
use crate::packed_array::read_bits;
use crate::permutation::Permutation;
use crate::quotient_block as block;
use crate::{OutOfMemory, prefetch};

/// How full a segment may be.
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// Keys in a hundred slots at which it grows.
    pub most: usize,
    /// Keys in a hundred slots that it has after growing, at most and at least; what takes the fewest bits is chosen.
    pub grown: (usize, usize),
    /// One key in so many may overflow its block before the segment grows.
    pub overflow: usize,
    /// Average number of keys of a segment at which the set is cut into more of them.
    pub segment: usize,
}

/// A table of keys, each a pair of numbers in ranges of the segment's own.
#[derive(Clone, Debug)]
pub(crate) struct Segment<const W: usize> {
    /// The blocks, and a word at the end so that every field can be read with two loads.
    words: Vec<u64>,
    n_blocks: usize,
    remainder_bits: u32,
    /// Quotients over permuted keys, with 63 bits behind the point, and permuted keys over quotients, with 32.
    scale: u64,
    stride: u128,
    /// Words of open bits in a block: W, or none.
    open_words: usize,
    /// Keys are left · n_rights + right, below the permutation's size.
    n_rights: u64,
    permutation: Permutation,
    len: usize,
    most: usize,
    n_open: usize,
    /// Permuted keys that found their block full, above one bit that says whether they are open; ascending.
    overflow: Vec<u64>,
    most_overflow: usize,
}

/// What came of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was there.
    Present,
    /// It was not.
    New,
    /// It was not, and there is no room for it, or it is outside the ranges.
    NoRoom,
}

/// Numbers that a segment must take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    pub n_lefts: u64,
    pub n_rights: u64,
    pub n_keys: usize,
    pub has_open: bool,
}

impl<const W: usize> Segment<W> {
    const SLOTS: usize = 64 * W;

    /// An empty segment.
    pub fn new(need: Need, fill: &Fill) -> Result<Segment<W>, OutOfMemory> {
        Segment::with_plan(Self::plan(need, fill)?, need, fill)
    }

    /// What takes the fewest words.
    fn plan(need: Need, fill: &Fill) -> Result<Plan, OutOfMemory> {
        // A little more than what is there now: numbers grow with the keys.
        let n_lefts = need.n_lefts + need.n_lefts / 16 + 1;
        let n_rights = need.n_rights + need.n_rights / 16 + 1;
        let size = n_lefts.checked_mul(n_rights).filter(|&size| size <= Permutation::MAX_SIZE / 4);
        let size = size.ok_or(OutOfMemory)?;
        let shape = Self::shape(need, fill, |n_slots| {
            let enough = |bits: &u32| Permutation::within(n_slots << bits).size() >= size;
            // The largest size needs fewer bits than there are.
            (0..60).find(enough).unwrap_or(60)
        });
        let permutation =
            Permutation::within(((shape.n_blocks * Self::SLOTS) as u64) << shape.remainder_bits);
        // What is beyond the need is shared by both ranges.
        let stretch = (permutation.size() as f64 / size as f64).sqrt();
        let n_rights = ((n_rights as f64 * stretch) as u64).clamp(n_rights, permutation.size() / n_lefts);
        Ok(Plan { shape, permutation, n_rights })
    }

    /// The same with the permutation that there is; none where that would not do.
    fn plan_in_order(&self, need: Need, fill: &Fill) -> Option<Plan> {
        let (permutation, n_rights) = (self.permutation, self.n_rights);
        let size = permutation.size();
        let is_enough = need.n_rights <= n_rights && need.n_lefts.checked_mul(n_rights)? <= size;
        is_enough.then(|| {
            let enough = |n_slots: u64| (0..60).find(|bits| n_slots << bits >= size).unwrap_or(60);
            Plan { shape: Self::shape(need, fill, enough), permutation, n_rights }
        })
    }

    /// The number of blocks that takes the fewest words, given the remainders' width for each number of slots.
    fn shape(need: Need, fill: &Fill, remainder_bits: impl Fn(u64) -> u32) -> Shape {
        let open_words = if need.has_open { W } else { 0 };
        let blocks_at = |percent: usize| (need.n_keys * 100).div_ceil(Self::SLOTS * percent).max(1);
        let (fewest, most) = (blocks_at(fill.grown.1), blocks_at(fill.grown.0));
        let step = (most - fewest).div_ceil(8).max(1);
        let shape_of = |n_blocks: usize| {
            let remainder_bits = remainder_bits((n_blocks * Self::SLOTS) as u64);
            let n_words = n_blocks * (2 * W + open_words + W * remainder_bits as usize);
            Shape { n_words, n_blocks, remainder_bits }
        };
        let others = (fewest..=most).step_by(step).skip(1).map(shape_of);
        others.fold(shape_of(fewest), |best, other| if other.n_words < best.n_words { other } else { best })
    }

    /// An empty segment.
    fn with_plan(plan: Plan, need: Need, fill: &Fill) -> Result<Segment<W>, OutOfMemory> {
        let Plan { shape: Shape { n_words, n_blocks, remainder_bits }, permutation, n_rights } = plan;
        let n_slots = n_blocks * Self::SLOTS;
        let scale = (((n_slots as u128) << 63) / u128::from(permutation.size())).min(1 << 63) as u64;
        let mut words = Vec::new();
        words.try_reserve_exact(n_words + 1)?;
        words.resize(n_words + 1, 0);
        let mut segment = Segment {
            words,
            n_blocks,
            remainder_bits,
            scale,
            stride: (1 << 95) / u128::from(scale),
            open_words: if need.has_open { W } else { 0 },
            n_rights,
            permutation,
            len: 0,
            most: (n_slots * fill.most / 100).max(need.n_keys),
            n_open: 0,
            overflow: Vec::new(),
            most_overflow: n_slots / fill.overflow + 2,
        };
        for at in 0..n_blocks {
            let first = at * segment.block_words();
            block::clear(&mut segment.words[first..first + 2 * W]);
        }
        Ok(segment)
    }

    /// The same keys with room for more: `need.n_keys` of them beyond one.
    pub fn grown(&self, need: Need, fill: &Fill) -> Result<Segment<W>, OutOfMemory> {
        let mut need = Need { n_keys: self.len + 1 + need.n_keys, ..need };
        let mut entries = Vec::new();
        entries.try_reserve_exact(self.len)?;
        loop {
            let plan = Self::plan(need, fill)?;
            let in_order = self.plan_in_order(need, fill);
            let in_order = in_order.filter(|other| other.shape.n_words <= plan.shape.n_words);
            let mut grown = Segment::with_plan(in_order.unwrap_or(plan), need, fill)?;
            entries.clear();
            if in_order.is_some() {
                self.entries_in_order(&mut entries);
            } else {
                self.for_each(|left, right, open| {
                    // What was in the old ranges is in the new ones, which are wider.
                    let permuted = grown.permuted(left, right);
                    entries.extend(permuted.map(|permuted| permuted << 1 | u64::from(open)));
                    true
                });
                entries.sort_unstable();
            }
            debug_assert_eq!(entries.len(), self.len, "ranges never get narrower");
            debug_assert!(entries.is_sorted(), "quotients are in the order of the permuted keys");
            if grown.fill(&entries)? {
                return Ok(grown);
            }
            // Too many keys fell into the same blocks.
            need.n_keys += need.n_keys / 8 + 1;
        }
    }

    /// All permuted keys, ascending, each above its open bit.
    fn entries_in_order(&self, entries: &mut Vec<u64>) {
        let mut overflow = self.overflow.iter().copied().peekable();
        self.for_each_slot(|permuted, open| {
            let entry = permuted << 1 | u64::from(open);
            while let Some(other) = overflow.next_if(|&other| other < entry) {
                push_in_order(entries, other);
            }
            push_in_order(entries, entry);
            true
        });
        overflow.for_each(|other| push_in_order(entries, other));
    }

    /// Fills an empty segment with permuted keys, ascending, each above its open bit. Gives whether they fit.
    fn fill(&mut self, entries: &[u64]) -> Result<bool, OutOfMemory> {
        let (width, block_words, scale) = (self.remainder_bits, self.block_words(), self.scale);
        let mut rest = entries;
        for at in 0..self.n_blocks {
            let first = (at * Self::SLOTS) as u64;
            let words = &mut self.words[at * block_words..(at + 1) * block_words];
            let (counts, words) = words.split_at_mut(2 * W);
            let (open, fields) = words.split_at_mut(self.open_words);
            // Zeros for the quotients, ones for the keys and for the free slots.
            counts.fill(0);
            let mut fields = FieldWriter::new(fields, width);
            let (mut n, mut n_used) = (0, 0);
            while let Some(&entry) = rest.get(n) {
                let quotient = quotient(entry >> 1, scale).wrapping_sub(first) as usize;
                if quotient >= Self::SLOTS {
                    break;
                }
                n += 1;
                if n <= Self::SLOTS {
                    let bit = quotient + n_used;
                    counts[bit / 64] |= 1 << (bit % 64);
                    if self.open_words > 0 {
                        open[n_used / 64] |= (entry & 1) << (n_used % 64);
                    }
                    fields.push(entry >> 1);
                    n_used += 1;
                }
                self.n_open += (entry & 1) as usize;
            }
            fields.finish();
            for bit in Self::SLOTS + n_used..2 * Self::SLOTS {
                counts[bit / 64] |= 1 << (bit % 64);
            }
            let (mine, others) = rest.split_at(n);
            let beyond = &mine[n_used..];
            if !beyond.is_empty() {
                if self.overflow.len() + beyond.len() > self.most_overflow {
                    return Ok(false);
                }
                self.overflow.try_reserve_exact(beyond.len())?;
                self.overflow.extend_from_slice(beyond);
            }
            rest = others;
        }
        debug_assert!(rest.is_empty(), "every quotient is that of a block");
        self.len = entries.len();
        Ok(true)
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn n_open(&self) -> usize {
        self.n_open
    }

    /// Hints that a key is about to be looked for, and gives it permuted; none where it is outside the ranges.
    #[inline]
    pub fn prefetch(&self, left: u32, right: u64) -> Option<u64> {
        let permuted = self.permuted(left, right)?;
        let first = self.quotient(permuted) as usize / Self::SLOTS * self.block_words();
        prefetch(&self.words, first);
        prefetch(&self.words, first + 8);
        Some(permuted)
    }

    /// Adds a key unless it is there.
    #[inline]
    pub fn insert(&mut self, left: u32, right: u64, open: bool) -> Result<Outcome, OutOfMemory> {
        match self.permuted(left, right) {
            Some(permuted) => self.insert_permuted(permuted, open),
            None => Ok(Outcome::NoRoom),
        }
    }

    /// The same for a key that is permuted already.
    #[inline]
    pub fn insert_permuted(&mut self, permuted: u64, open: bool) -> Result<Outcome, OutOfMemory> {
        let place = match self.look(permuted) {
            Ok(()) => return Ok(Outcome::Present),
            Err(place) => place,
        };
        if self.len >= self.most {
            return Ok(Outcome::NoRoom);
        }
        let block_words = self.block_words();
        let open_words = self.open_words;
        let words = &mut self.words[place.first..place.first + block_words + 1];
        if block::is_full(&words[..2 * W]) {
            return self.insert_overflow(permuted, open);
        }
        let slot = place.start - place.quotient;
        block::insert_bit(&mut words[..2 * W], place.start, true);
        if open_words > 0 {
            block::insert_bit(&mut words[2 * W..2 * W + open_words], slot, open);
        }
        let width = self.remainder_bits;
        if width > 0 {
            let fields = &mut words[2 * W + open_words..];
            let remainder = permuted & low_bits(width);
            block::insert_field(fields, W * width as usize, slot * width as usize, width, remainder);
        }
        self.len += 1;
        self.n_open += usize::from(open);
        Ok(Outcome::New)
    }

    /// Whether a key is there.
    pub fn contains(&self, left: u32, right: u64) -> bool {
        self.permuted(left, right).is_some_and(|permuted| self.look(permuted).is_ok())
    }

    /// Calls a function with all keys, until it says no. Gives whether it never did.
    pub fn for_each(&self, mut each: impl FnMut(u32, u64, bool) -> bool) -> bool {
        let mut each = |permuted: u64, open: bool| {
            let (left, right) = self.key(permuted);
            each(left, right, open)
        };
        self.for_each_slot(&mut each) && self.overflow.iter().all(|&entry| each(entry >> 1, entry & 1 == 1))
    }

    /// The same with the permuted keys in blocks, those of a quotient in any order.
    #[inline]
    fn for_each_slot(&self, mut each: impl FnMut(u64, bool) -> bool) -> bool {
        let (width, block_words) = (self.remainder_bits, self.block_words());
        for at in 0..self.n_blocks {
            let words = &self.words[at * block_words..(at + 1) * block_words + 1];
            let (counts, words) = words.split_at(2 * W);
            let (open, fields) = words.split_at(self.open_words);
            let used = block::used(counts);
            let (mut slot, mut field) = (0, 0);
            for (word_at, &word) in counts.iter().enumerate() {
                let first = (at * Self::SLOTS + word_at * 64) as u64;
                let mut ones = word;
                while ones != 0 && slot < used {
                    let quotient = first + u64::from(ones.trailing_zeros()) - slot as u64;
                    ones &= ones - 1;
                    let remainder = if width == 0 { 0 } else { read_bits(fields, field, width) };
                    let is_open = !open.is_empty() && open[slot / 64] >> (slot % 64) & 1 == 1;
                    if !each(self.permuted_from(quotient, remainder), is_open) {
                        return false;
                    }
                    slot += 1;
                    field += width as usize;
                }
            }
        }
        true
    }

    /// Closes open keys from a block on and gives them out, at least `enough` of them unless the segment ends. Gives the block to
    /// go on with, none at the end.
    pub fn take_open(&mut self, from: usize, enough: usize, mut give: impl FnMut(u32, u64)) -> Option<usize> {
        let mut given = 0;
        for at in from..self.n_blocks {
            if given >= enough {
                self.n_open -= given;
                return Some(at);
            }
            for word_at in 0..self.open_words {
                let index = at * self.block_words() + 2 * W + word_at;
                let mut open = std::mem::take(&mut self.words[index]);
                while open != 0 {
                    let slot = word_at * 64 + open.trailing_zeros() as usize;
                    open &= open - 1;
                    let quotient = block::quotient_of(self.counts(at), slot);
                    let (left, right) = self.key(self.permuted_at(at, quotient, slot));
                    give(left, right);
                    given += 1;
                }
            }
        }
        for at in 0..self.overflow.len() {
            let entry = self.overflow[at];
            if entry & 1 == 1 {
                self.overflow[at] = entry & !1;
                let (left, right) = self.key(entry >> 1);
                give(left, right);
                given += 1;
            }
        }
        self.n_open -= given;
        None
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        (self.words.capacity() + self.overflow.capacity()) * size_of::<u64>()
    }

    #[inline]
    fn block_words(&self) -> usize {
        2 * W + self.open_words + W * self.remainder_bits as usize
    }

    #[inline]
    fn counts(&self, block: usize) -> &[u64] {
        let first = block * self.block_words();
        &self.words[first..first + 2 * W]
    }

    /// The permuted key; none when it is outside the ranges.
    #[inline]
    fn permuted(&self, left: u32, right: u64) -> Option<u64> {
        let key = u64::from(left).checked_mul(self.n_rights)?.checked_add(right)?;
        let is_inside = right < self.n_rights && key < self.permutation.size();
        is_inside.then(|| self.permutation.apply(key))
    }

    /// The key that was permuted.
    #[inline]
    fn key(&self, permuted: u64) -> (u32, u64) {
        let key = self.permutation.invert(permuted);
        ((key / self.n_rights) as u32, key % self.n_rights)
    }

    /// The permuted key in a slot.
    #[inline]
    fn permuted_at(&self, block: usize, quotient: usize, slot: usize) -> u64 {
        let width = self.remainder_bits;
        let fields = &self.words[block * self.block_words() + 2 * W + self.open_words..];
        let remainder = if width == 0 { 0 } else { read_bits(fields, slot * width as usize, width) };
        self.permuted_from((block * Self::SLOTS + quotient) as u64, remainder)
    }

    /// The permuted key with a quotient and a remainder.
    #[inline]
    fn permuted_from(&self, quotient: u64, remainder: u64) -> u64 {
        let width = self.remainder_bits;
        // Two at most before the first number with this quotient, if it is not that number itself.
        let before = ((u128::from(quotient) * self.stride) >> 32) as u64;
        let permuted = before + (remainder.wrapping_sub(before) & low_bits(width));
        if self.quotient(permuted) == quotient { permuted } else { permuted + (1 << width) }
    }

    #[inline]
    fn quotient(&self, permuted: u64) -> u64 {
        quotient(permuted, self.scale)
    }

    /// Looks for a permuted key; gives where it would be.
    #[inline]
    fn look(&self, permuted: u64) -> Result<(), Place> {
        let width = self.remainder_bits;
        let remainder = permuted & low_bits(width);
        let quotient = self.quotient(permuted) as usize;
        let (at, quotient) = (quotient / Self::SLOTS, quotient % Self::SLOTS);
        let block_words = self.block_words();
        let first = at * block_words;
        let words = &self.words[first..first + block_words + 1];
        let (counts, fields) = (&words[..2 * W], &words[2 * W + self.open_words..]);
        let start = block::start_of(counts, quotient);
        let (mut bit, mut field) = (start, (start - quotient) * width as usize);
        // The zero of the quotient ends its ones, so this never runs into those that fill the block.
        while block::is_one(counts, bit) {
            if width == 0 || read_bits(fields, field, width) == remainder {
                return Ok(());
            }
            bit += 1;
            field += width as usize;
        }
        if block::is_full(counts) && self.find_overflow(permuted).is_ok() {
            return Ok(());
        }
        Err(Place { first, start, quotient })
    }

    #[cold]
    fn find_overflow(&self, permuted: u64) -> Result<usize, usize> {
        self.overflow.binary_search_by_key(&permuted, |entry| entry >> 1)
    }

    #[cold]
    fn insert_overflow(&mut self, permuted: u64, open: bool) -> Result<Outcome, OutOfMemory> {
        if self.overflow.len() >= self.most_overflow {
            return Ok(Outcome::NoRoom);
        }
        if self.overflow.len() == self.overflow.capacity() {
            self.overflow.try_reserve_exact(self.overflow.len() / 4 + 4)?;
        }
        if let Err(at) = self.find_overflow(permuted) {
            self.overflow.insert(at, permuted << 1 | u64::from(open));
            self.len += 1;
            self.n_open += usize::from(open);
        }
        Ok(Outcome::New)
    }
}

/// The quotient of a permuted key.
#[inline]
fn quotient(permuted: u64, scale: u64) -> u64 {
    ((u128::from(permuted) * u128::from(scale)) >> 63) as u64
}

/// Appends an entry to ascending ones, of which only the last few may be larger.
#[inline]
fn push_in_order(entries: &mut Vec<u64>, entry: u64) {
    let mut at = entries.len();
    entries.push(entry);
    while at > 0 && entries[at - 1] > entry {
        entries.swap(at - 1, at);
        at -= 1;
    }
}

/// Writes the fields of a block one after the other.
struct FieldWriter<'a> {
    words: std::slice::IterMut<'a, u64>,
    width: u32,
    /// Bits that are not written yet, fewer than 64, and how many.
    pending: u64,
    n_pending: u32,
}

impl<'a> FieldWriter<'a> {
    fn new(words: &'a mut [u64], width: u32) -> FieldWriter<'a> {
        FieldWriter { words: words.iter_mut(), width, pending: 0, n_pending: 0 }
    }

    #[inline]
    fn push(&mut self, number: u64) {
        let field = number & low_bits(self.width);
        self.pending |= field << self.n_pending;
        self.n_pending += self.width;
        if self.n_pending >= 64 {
            self.n_pending -= 64;
            if let Some(word) = self.words.next() {
                *word = self.pending;
            }
            // In two steps, for all 64 bits may have been written.
            self.pending = field >> 1 >> (self.width - 1 - self.n_pending);
        }
    }

    fn finish(self) {
        let FieldWriter { mut words, pending, n_pending, .. } = self;
        if n_pending > 0
            && let Some(word) = words.next()
        {
            *word = pending;
        }
    }
}

/// What a segment is to be like.
#[derive(Clone, Copy)]
struct Plan {
    shape: Shape,
    permutation: Permutation,
    n_rights: u64,
}

/// How large it is.
#[derive(Clone, Copy)]
struct Shape {
    n_words: usize,
    n_blocks: usize,
    remainder_bits: u32,
}

/// Where a key would be.
struct Place {
    /// First word of its block.
    first: usize,
    /// Where the ones of its quotient start.
    start: usize,
    /// Its quotient within the block.
    quotient: usize,
}
