//! An exact set of pairs of numbers that keeps only remainders.
//!
//! A key is mixed by a [permutation](crate::Permutation) of exactly as many numbers as there can be keys. Its upper part, the
//! *quotient*, says where it is, so only the rest has to be written down (Knuth, TAOCP 3, exercise 6.4-13; Cleary,
//! "Compact hash tables using bidirectional linear probing", 1984). Keys are kept in blocks of a cache line or
//! two that never disturb each other, as in the vector quotient filter (Pandey et al., SIGMOD 2021); since the mixing
//! is invertible, this is no filter but the set itself:
//!
//! ```text
//!  block for 128 quotients            counts in unary        open      remainders
//!                                    +----------------------+---------+----------------------+
//!  (words for remainders of w bits)  |  4                   |  2      |  2 w                 |
//!                                    +----------------------+---------+----------------------+
//!  block full: the whole key goes to a short sorted list of the segment (the overflow)
//! ```
//!
//! **Growing.** The set is cut into segments by a part of the right number, scrambled by the rest of the key, so
//! that a segment's keys stay its own whatever the ranges of the numbers. Each grows by itself, by a quarter, when
//! it is nearly full or meets a number beyond its range: nothing larger than a segment is ever there twice. When
//! segments become long they are cut into sixteen, each freed as soon as it is emptied.
//!
//! **Open keys.** A bit beside each key says whether it is open: a search keeps its frontier here. Scans give open keys
//! out and close them.
//!
//! **Cost.** With n keys out of a universe of U: log2(U/n) bits for the remainder, two for the counts and one for being open, over
//! the load, which moves between 0.72 and 0.92. Theory needs log2(U/n) + 1.44 without the open bit.
//! A search is one or two cache misses; an insertion moves half a block.

use crate::OutOfMemory;
use crate::quotient_segment::{Need, Outcome, Segment};

pub use crate::quotient_segment::Fill;

/// Segments that one is cut into, as a power of two.
const CUT_BITS: u32 = 4;

/// Segments at most, as a power of two.
const MOST_SEGMENT_BITS: u32 = 24;

/// How full production tables are.
pub const USUAL_FILL: Fill = Fill { most: 92, grown: (69, 75), overflow: 64, segment: 1 << 14 };

/// An exact set of pairs.
#[derive(Clone, Debug)]
pub struct QuotientSet<const W: usize = 2> {
    segments: Vec<Segment<W>>,
    segment_bits: u32,
    fill: Fill,
    has_open: bool,
    len: usize,
    /// One more than the largest numbers seen.
    n_lefts: u64,
    n_rights: u64,
    /// How often something has grown: spots of another age are void.
    age: u32,
}

/// Where a key is or would be, as long as nothing grows.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    segment: u32,
    age: u32,
    permuted: u64,
}

/// Where a scan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScanPosition {
    segment: usize,
    block: usize,
}

/// A pair, as the set sees it.
type Pair = (u32, u32);

impl<const W: usize> QuotientSet<W> {
    /// Without keys. Only a set with open bits can be scanned.
    pub fn new(fill: Fill, has_open: bool) -> QuotientSet<W> {
        QuotientSet {
            segments: Vec::new(),
            segment_bits: 0,
            fill,
            has_open,
            len: 0,
            n_lefts: 0,
            n_rights: 0,
            age: 0,
        }
    }

    /// Number of keys.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Hints that a key is about to be inserted. Gives what was computed for that: it saves
    /// [`QuotientSet::insert_at`] the same work.
    #[inline]
    pub fn prefetch(&self, (left, right): Pair) -> Spot {
        let (at, rest) = self.place(left, right);
        let permuted = self.segments.get(at).and_then(|segment| segment.prefetch(left, rest));
        // Permuted keys have at most 62 bits.
        Spot { segment: at as u32, age: self.age, permuted: permuted.unwrap_or(u64::MAX) }
    }

    /// Adds a key, open or not, unless it is there, with what [`QuotientSet::prefetch`] gave for it. Gives whether it was not.
    ///
    /// # Errors
    /// As those of [`QuotientSet::insert`].
    #[inline]
    pub fn insert_at(&mut self, pair: Pair, spot: Spot, open: bool) -> Result<bool, OutOfMemory> {
        if spot.age == self.age && spot.permuted != u64::MAX {
            let outcome = self.segments[spot.segment as usize].insert_permuted(spot.permuted, open)?;
            if let Some(new) = self.note(pair, outcome) {
                return Ok(new);
            }
        }
        self.insert(pair, open)
    }

    /// Whether a key is there.
    pub fn contains(&self, (left, right): Pair) -> bool {
        let (segment, rest) = self.place(left, right);
        self.segments.get(segment).is_some_and(|segment| segment.contains(left, rest))
    }

    /// Adds a key unless it is there. Gives whether it was not.
    ///
    /// # Errors
    /// When the system gives no more memory, or there are more possible keys than 60 bits tell apart. The number of
    /// keys stays right, but some may be lost when memory ran out while segments were cut.
    #[inline]
    pub fn insert(&mut self, (left, right): Pair, open: bool) -> Result<bool, OutOfMemory> {
        let (at, rest) = self.place(left, right);
        if let Some(segment) = self.segments.get_mut(at) {
            let outcome = segment.insert(left, rest, open)?;
            if let Some(new) = self.note((left, right), outcome) {
                return Ok(new);
            }
        }
        self.insert_growing(left, right, open)
    }

    /// Takes note of an insertion. Gives whether the key was new, unless there was no room for it.
    #[inline]
    fn note(&mut self, (left, right): Pair, outcome: Outcome) -> Option<bool> {
        match outcome {
            Outcome::Present => Some(false),
            Outcome::New => {
                self.len += 1;
                // A segment's ranges may be wider than what was seen; the others have to learn of it.
                self.n_lefts = self.n_lefts.max(u64::from(left) + 1);
                self.n_rights = self.n_rights.max(u64::from(right) + 1);
                Some(true)
            }
            Outcome::NoRoom => None,
        }
    }

    /// Number of open keys.
    pub fn n_open(&self) -> usize {
        self.segments.iter().map(Segment::n_open).sum()
    }

    /// Closes some open keys and gives them out, going on from where a scan is. Unless the scan came to its end at least
    /// `enough` are given. Gives whether it did; it is at the beginning again then.
    ///
    /// Keys may be inserted between two calls. A key that was open during the whole scan is given at its end, or was before; one
    /// that was inserted meanwhile may be.
    pub fn take_open(&mut self, position: &mut ScanPosition, enough: usize, keys: &mut Vec<Pair>) -> bool {
        let segment_bits = self.segment_bits;
        let start = keys.len();
        while let Some(segment) = self.segments.get_mut(position.segment) {
            if segment.n_open() > 0 {
                let number = position.segment;
                let missing = (start + enough).saturating_sub(keys.len());
                let next = segment.take_open(position.block, missing, |left, rest| {
                    keys.push((left, right_of(segment_bits, number, left, rest)));
                });
                if let Some(block) = next {
                    position.block = block;
                    return false;
                }
            }
            position.segment += 1;
            position.block = 0;
            if keys.len() >= start + enough {
                return false;
            }
        }
        *position = ScanPosition::default();
        true
    }

    /// Number of segments there are now.
    pub fn n_segments(&self) -> usize {
        self.segments.len()
    }

    /// All keys of one segment, and whether they are open.
    pub fn for_each(&self, segment: usize, mut each: impl FnMut(Pair, bool)) {
        let Some(found) = self.segments.get(segment) else { return };
        found.for_each(|left, rest, open| {
            each((left, right_of(self.segment_bits, segment, left, rest)), open);
            true
        });
    }

    /// Frees the keys of one segment; the set is of use for the others only.
    ///
    /// # Errors
    /// When the system gives no more memory.
    pub fn forget(&mut self, segment: usize) -> Result<(), OutOfMemory> {
        let need = Need { n_lefts: 0, n_rights: 0, n_keys: 0, has_open: self.has_open };
        if let Some(found) = self.segments.get_mut(segment) {
            let empty = Segment::new(need, &self.fill)?;
            self.len -= found.len();
            *found = empty;
            self.age = self.age.wrapping_add(1);
        }
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let owned: usize = self.segments.iter().map(Segment::bytes).sum();
        owned + self.segments.capacity() * size_of::<Segment<W>>()
    }

    /// The segment of a key, and what is left of its right number there.
    #[inline]
    fn place(&self, left: u32, right: u32) -> (usize, u64) {
        let bits = self.segment_bits;
        let rest = u64::from(right) >> bits;
        let low = u64::from(right) & ((1 << bits) - 1);
        ((low ^ scramble(bits, left, rest)) as usize, rest)
    }

    #[cold]
    fn insert_growing(&mut self, left: u32, right: u32, open: bool) -> Result<bool, OutOfMemory> {
        self.age = self.age.wrapping_add(1);
        self.n_lefts = self.n_lefts.max(u64::from(left) + 1);
        self.n_rights = self.n_rights.max(u64::from(right) + 1);
        if self.segments.is_empty() {
            self.segments.try_reserve_exact(1)?;
            self.segments.push(Segment::new(self.need(0), &self.fill)?);
        }
        if self.len >= self.fill.segment << self.segment_bits && self.segment_bits < MOST_SEGMENT_BITS {
            let len = self.len;
            let outcome = self.cut();
            self.len = len;
            outcome?;
        }
        let (at, rest) = self.place(left, right);
        let mut more = 0;
        loop {
            match self.segments[at].insert(left, rest, open)? {
                Outcome::Present => return Ok(false),
                Outcome::New => {
                    self.len += 1;
                    return Ok(true);
                }
                Outcome::NoRoom => {
                    let grown = self.segments[at].grown(self.need(more), &self.fill)?;
                    // The new key's block may be full all the same.
                    more += grown.len() / 8 + 1;
                    self.segments[at] = grown;
                }
            }
        }
    }

    fn need(&self, n_keys: usize) -> Need {
        let n_rights = (self.n_rights >> self.segment_bits) + 1;
        Need { n_lefts: self.n_lefts, n_rights, n_keys, has_open: self.has_open }
    }

    /// Cuts all segments.
    fn cut(&mut self) -> Result<(), OutOfMemory> {
        let segment_bits = self.segment_bits + CUT_BITS;
        let mut more = QuotientSet { segments: Vec::new(), segment_bits, len: 0, ..self.clone_shape() };
        let n_segments = 1usize << segment_bits;
        let share = self.len >> segment_bits;
        more.segments.try_reserve_exact(n_segments)?;
        for _ in 0..n_segments {
            // They fill up while the old ones are freed.
            more.segments.push(Segment::new(more.need(share / 4), &self.fill)?);
        }
        for segment in 0..self.segments.len() {
            let mut outcome = Ok(());
            self.for_each(segment, |pair, open| {
                if outcome.is_ok() {
                    outcome = more.insert(pair, open).map(|_| ());
                }
            });
            outcome?;
            self.forget(segment)?;
        }
        *self = more;
        Ok(())
    }

    fn clone_shape(&self) -> QuotientSet<W> {
        QuotientSet {
            segments: Vec::new(),
            segment_bits: self.segment_bits,
            fill: self.fill,
            has_open: self.has_open,
            len: 0,
            n_lefts: self.n_lefts,
            n_rights: self.n_rights,
            age: self.age,
        }
    }
}

/// What hides the segment's number in the right one.
#[inline]
fn scramble(bits: u32, left: u32, rest: u64) -> u64 {
    if bits == 0 {
        return 0;
    }
    let mixed = (u64::from(left) << 32 ^ rest).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed ^ mixed >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> (64 - bits)
}

/// The right number of a key in a segment.
#[inline]
fn right_of(bits: u32, segment: usize, left: u32, rest: u64) -> u32 {
    (rest << bits | (segment as u64 ^ scramble(bits, left, rest))) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix64;
    use std::collections::HashSet;

    /// Tables that overflow, grow and are cut all the time.
    const TIGHT: Fill = Fill { most: 105, grown: (88, 100), overflow: 6, segment: 150 };

    /// Inserts keys, most of them twice, takes open ones now and then, and compares with a hash set.
    fn check<const W: usize>(fill: Fill, n: u64, key: impl Fn(u64) -> Pair) -> QuotientSet<W> {
        let mut set = QuotientSet::<W>::new(fill, true);
        let (mut oracle, mut open) = (HashSet::new(), HashSet::new());
        let (mut position, mut taken) = (ScanPosition::default(), Vec::new());
        for i in 0..n {
            let pair = key(if i % 3 == 2 { mix64(i) % i } else { i });
            assert_eq!(set.contains(pair), oracle.contains(&pair));
            let spot = set.prefetch(pair);
            let is_open = !mix64(i).is_multiple_of(4);
            let is_new = oracle.insert(pair);
            let inserted = match i % 2 {
                0 => set.insert(pair, is_open),
                _ => set.insert_at(pair, spot, is_open),
            };
            assert_eq!(inserted, Ok(is_new), "key {pair:?}");
            if is_new && is_open {
                open.insert(pair);
            }
            assert_eq!(set.n_open(), open.len());
            if i % 97 == 0 {
                set.take_open(&mut position, 5, &mut taken);
                for pair in taken.drain(..) {
                    assert!(open.remove(&pair), "{pair:?} was given although it is not open");
                }
            }
        }
        while !open.is_empty() {
            set.take_open(&mut position, 50, &mut taken);
            for pair in taken.drain(..) {
                assert!(open.remove(&pair));
            }
        }
        assert_eq!((set.len(), set.n_open()), (oracle.len(), 0));
        let mut all = HashSet::new();
        for segment in 0..set.n_segments() {
            set.for_each(segment, |pair, open| assert!(all.insert(pair) && !open));
        }
        assert!(all == oracle, "the keys are not the same");
        set
    }

    #[test]
    fn sets_of_all_shapes_are_exact() {
        let pair = |left: u64, right: u64| (left as u32, right as u32);
        for fill in [TIGHT, USUAL_FILL] {
            check::<1>(fill, 2, |_| (0, 0));
            check::<1>(fill, 3000, |i| pair(mix64(i) % 40, mix64(i + 1) % 50));
            check::<2>(fill, 6000, |i| pair(mix64(i) % 90, mix64(i + 1) % 80));
            check::<1>(fill, 5000, |i| pair(i, 0));
            check::<1>(fill, 5000, |i| pair(0, i));
            check::<2>(fill, 8000, |i| pair(i / 70, i % 70));
            check::<1>(fill, 9000, |i| pair(mix64(i) % (i / 50 + 2), mix64(i + 7) % (i / 20 + 2)));
            check::<2>(fill, 4000, |i| pair(mix64(i) % (1 << 28), mix64(i + 3) % (1 << 27)));
        }
    }

    #[test]
    fn a_large_set_is_small() {
        let key = |i: u64| ((mix64(i) % 2000) as u32, (mix64(i + 5) % 4000) as u32);
        let set = check::<2>(USUAL_FILL, 400_000, key);
        let excess = (2000.0 * 4000.0 / set.len() as f64).log2();
        let bits = set.bytes() as f64 * 8.0 / set.len() as f64;
        assert!(bits < (excess + 3.6) / 0.76, "{bits} bits a key, excess {excess}");
    }

    #[test]
    fn too_many_possible_keys_are_refused() {
        let mut set = QuotientSet::<2>::new(USUAL_FILL, false);
        assert_eq!(set.insert((1, 1), false), Ok(true));
        assert_eq!(set.insert((u32::MAX, u32::MAX), false), Err(OutOfMemory));
        assert_eq!((set.len(), set.contains((1, 1))), (1, true));
        assert_eq!(set.insert((1, 1), false), Ok(false));
    }
}
