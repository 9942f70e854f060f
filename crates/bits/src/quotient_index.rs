//! A hash table of numbers without gaps.
//!
//! Like [`IdTable`](crate::IdTable) it finds things that lie elsewhere, by a few bits of their hash. It is less than
//! half as large, because nothing is stored that the order already tells: entries are sorted by hash and packed one
//! behind the other, and of the hash only the bits are kept that the place of an entry does not give away
//! (quotienting; Cleary, *Compact hash tables using bidirectional linear probing*, 1984).
//!
//! **Layout.** Of the mixed hash, `precision` bits are used. The first ones choose a segment, three more one of its
//! pages, seven more one of 128 runs in the page; what is left is the remainder, which an entry keeps beside its number.
//!
//! ```text
//!  hash   | segment .. | page 3 | run 7 | remainder 3 to 15 |        precision = 25, 27, 29 ...
//!
//!  page   | 1 0 0 1 1 0 ...                  | remainder, number | remainder, number | ...
//!           a one for each entry and             in the order of the runs
//!           a zero at the end of each run
//!           (whole words)
//! ```
//!
//! The pages of a segment lie one behind the other, each a whole number of words. An insertion moves what comes
//! behind it in the page by a few bits, and now and then the pages behind it by a word: some ten nanoseconds. The
//! first part of a page is whole words, so that one more bit there does not move all entries.
//!
//! **Growing.** When pages have 192 entries on average, each segment is cut in two, one after the other; a bit of the
//! remainder becomes a bit of the place. When the remainders have become too short, [`QuotientIndex::is_vague`] says
//! so, and the owner of the things may build the index anew with a higher precision. It must give the hashes of
//! all things then, for the index does not have them. An index that is never built anew only gets slower.
//!
//! **Cost.** The bits of the largest number and those of the remainder (3 or 4 for a large index), 2 for the place,
//! 2 for headers and room to grow: 30 bits an entry up to four million. A search reads two or three adjacent
//! cache lines, and meets the wrong thing every eighth to thirtieth time.

use crate::bit_runs::{insert_bits, low_bits, read_bits, write_bits};
use crate::select::Sums;
use crate::{OutOfMemory, mix64, prefetch};

/// Bits of hash that a new index uses.
const FIRST_PRECISION: u32 = 25;

/// Bits that building anew adds.
const PRECISION_STEP: u32 = 2;

/// The shortest remainder that is not called vague.
const SHORTEST_REMAINDER: u32 = 3;

/// Binary logarithm of the pages of a segment.
const PAGE_BITS: u32 = 3;

const PAGES: usize = 1 << PAGE_BITS;

/// Binary logarithm of the runs of a page.
const RUN_BITS: u32 = 7;

const RUNS: usize = 1 << RUN_BITS;

/// Entries of a page, on average, at which segments are cut in two.
const FULL_PAGE: usize = 192;

/// The part of a segment by which it grows. A segment is a few kilobytes, so copying it often costs little.
const ROOM_TO_GROW: usize = 64;

/// Finds numbers by hash.
#[derive(Debug)]
pub struct QuotientIndex {
    /// 2^`segment_bits` of them, in order of the hashes.
    segments: Vec<Segment>,
    segment_bits: u32,
    precision: u32,
    len: usize,
    /// Capacity of all segments, in words.
    n_words: usize,
}

/// The entries of a range of hashes.
#[derive(Debug, Default)]
struct Segment {
    words: Vec<u64>,
    /// Where each page starts, in words, and where the last one ends.
    starts: [u32; PAGES + 1],
    /// Entries of each page.
    counts: [u32; PAGES],
    /// Bits of a number.
    id_width: u32,
}

/// Where a hash belongs.
#[derive(Clone, Copy)]
struct Place {
    segment: usize,
    page: usize,
    run: usize,
    remainder: u64,
}

impl Default for QuotientIndex {
    fn default() -> QuotientIndex {
        QuotientIndex::new()
    }
}

impl QuotientIndex {
    /// The largest number that an index can hold.
    pub const MAX_ID: u32 = u32::MAX - 1;

    /// An empty index; it owns no memory.
    pub fn new() -> QuotientIndex {
        QuotientIndex {
            segments: Vec::new(),
            segment_bits: 0,
            precision: FIRST_PRECISION,
            len: 0,
            n_words: 0,
        }
    }

    /// Number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Finds the number with this hash for which `is_it` says yes.
    #[inline]
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let place = self.place(hash);
        let segment = self.segments.get(place.segment)?;
        let page = segment.page(place.page);
        let run = page.run(place.run);
        let width = self.remainder_width() + segment.id_width;
        let mut at = page.entries() + run.first * width as usize;
        for _ in 0..run.len {
            let entry = read_bits(page.words, at, width);
            if entry & low_bits(self.remainder_width()) == place.remainder {
                let id = (entry >> self.remainder_width()) as u32;
                if is_it(id) {
                    return Some(id);
                }
            }
            at += width as usize;
        }
        None
    }

    /// A guess of what [`QuotientIndex::find`] will find.
    #[inline]
    pub fn guess(&self, hash: u64) -> Option<u32> {
        self.find(hash, |_| true)
    }

    /// Adds a number.
    ///
    /// # Errors
    /// The index has the same entries then.
    ///
    /// # Panics
    /// When the number is above [`QuotientIndex::MAX_ID`].
    pub fn insert(&mut self, hash: u64, id: u32) -> Result<(), OutOfMemory> {
        assert!(id <= Self::MAX_ID, "a number that may mean nothing else");
        if self.segments.is_empty() {
            self.segments.try_reserve_exact(1)?;
            self.segments.push(Segment::default());
        }
        if self.len >= (FULL_PAGE * PAGES) << self.segment_bits && self.remainder_width() > 0 {
            self.split()?;
        }
        let place = self.place(hash);
        let remainder_width = self.remainder_width();
        let segment = &mut self.segments[place.segment];
        let before = segment.words.capacity();
        if 32 - id.leading_zeros() > segment.id_width {
            *segment = segment.widened(32 - id.leading_zeros(), remainder_width)?;
        }
        let added = segment.insert(place, id, remainder_width);
        self.n_words = self.n_words + segment.words.capacity() - before;
        added?;
        self.len += 1;
        Ok(())
    }

    /// Whether remainders have become so short that building anew would pay.
    #[inline]
    pub fn is_vague(&self) -> bool {
        self.remainder_width() < SHORTEST_REMAINDER
    }

    /// Forgets all entries, and will keep more of each hash from now on.
    pub fn start_anew(&mut self) {
        *self = QuotientIndex { precision: self.precision + PRECISION_STEP, ..QuotientIndex::new() };
    }

    /// Keeps only the entries for which `keep` says yes.
    ///
    /// # Errors
    /// Entries that were to go may still be there then.
    pub fn retain(&mut self, mut keep: impl FnMut(u32) -> bool) -> Result<(), OutOfMemory> {
        let remainder_width = self.remainder_width();
        for segment in &mut self.segments {
            let mut kept = Builder::new(segment.id_width, remainder_width);
            segment.for_each(remainder_width, |page, run, remainder, id| match keep(id) {
                true => kept.push(page, run, remainder, id),
                false => Ok(()),
            })?;
            let kept = kept.finish()?;
            self.n_words = self.n_words + kept.words.capacity() - segment.words.capacity();
            *segment = kept;
        }
        self.len = self.segments.iter().flat_map(|segment| &segment.counts).map(|&n| n as usize).sum();
        Ok(())
    }

    /// Hints that this hash is about to be looked for.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let place = self.place(hash);
        if let Some(segment) = self.segments.get(place.segment) {
            let (start, end) = (segment.starts[place.page] as usize, segment.starts[place.page + 1] as usize);
            prefetch(&segment.words, start);
            // About where the entry will be.
            prefetch(&segment.words, start + 3 + (end - start) * place.run / RUNS);
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.n_words * size_of::<u64>() + self.segments.capacity() * size_of::<Segment>()
    }

    #[inline]
    fn remainder_width(&self) -> u32 {
        self.precision.saturating_sub(self.segment_bits + PAGE_BITS + RUN_BITS)
    }

    #[inline]
    fn place(&self, hash: u64) -> Place {
        let mixed = mix64(hash);
        let take = |from: u32, width: u32| (mixed << from) >> 1 >> (63 - width);
        let run_end = self.segment_bits + PAGE_BITS + RUN_BITS;
        Place {
            segment: take(0, self.segment_bits) as usize,
            page: take(self.segment_bits, PAGE_BITS) as usize,
            run: take(self.segment_bits + PAGE_BITS, RUN_BITS) as usize,
            remainder: take(run_end, self.remainder_width()),
        }
    }

    /// Cuts each segment in two. Each old one is freed as soon as the new ones are there.
    #[cold]
    fn split(&mut self) -> Result<(), OutOfMemory> {
        let remainder_width = self.remainder_width();
        let mut segments = Vec::new();
        segments.try_reserve_exact(self.segments.len() * 2)?;
        let mut n_words = 0;
        for at in 0..self.segments.len() {
            let halves = self.segments[at].halves(remainder_width);
            let Ok(halves) = halves else {
                // What was cut already is put together again: it needs no more memory than it had.
                self.join(segments);
                return Err(OutOfMemory);
            };
            n_words += halves.iter().map(|half| half.words.capacity()).sum::<usize>();
            segments.extend(halves);
            self.segments[at] = Segment::default();
        }
        self.segments = segments;
        self.segment_bits += 1;
        self.n_words = n_words;
        Ok(())
    }

    /// Undoes a part of a split.
    #[cold]
    fn join(&mut self, halves: Vec<Segment>) {
        let remainder_width = self.remainder_width();
        let mut halves = halves.into_iter();
        let mut at = 0;
        while let (Some(low), Some(high)) = (halves.next(), halves.next()) {
            let id_width = low.id_width.max(high.id_width);
            let mut whole = Builder::new(id_width, remainder_width);
            let mut joined = Ok(());
            for (half, top) in [(low, 0), (high, 1)] {
                let pushed = half.for_each(remainder_width - 1, |page, run, remainder, id| {
                    let place = (top << PAGE_BITS | page) << RUN_BITS | run;
                    let remainder = (place as u64 & 1) << (remainder_width - 1) | remainder;
                    whole.push(place >> (RUN_BITS + 1), place >> 1 & (RUNS - 1), remainder, id)
                });
                joined = joined.and(pushed);
            }
            // The memory of the halves has just been freed; should it be gone all the same, entries are lost, and the
            // caller is told that memory is out.
            self.segments[at] = joined.and_then(|()| whole.finish()).unwrap_or_default();
            at += 1;
        }
        self.n_words = self.segments.iter().map(|segment| segment.words.capacity()).sum();
        self.len = self.segments.iter().flat_map(|segment| &segment.counts).map(|&n| n as usize).sum();
    }
}

/// The entries of a run, as positions among the entries of its page.
struct Run {
    first: usize,
    len: usize,
    /// The bit of the zero that ends it.
    end: usize,
}

/// One page of a segment.
struct Page<'a> {
    words: &'a [u64],
    count: usize,
}

impl Page<'_> {
    /// The bit where the entries begin.
    #[inline]
    fn entries(&self) -> usize {
        head_words(self.count) * 64
    }

    /// Finds a run.
    #[inline]
    fn run(&self, run: usize) -> Run {
        // The zeros before the one that ends the run: as many as runs come before it.
        let (mut at, mut zeros_left) = (0, run as u32);
        let end = loop {
            let Some(&word) = self.words.get(at) else { return Run { first: 0, len: 0, end: run } };
            let zeros = Sums::of(!word);
            if zeros_left < zeros.total() {
                break at * 64 + zeros.select(!word, zeros_left) as usize;
            }
            zeros_left -= zeros.total();
            at += 1;
        };
        let last = end - run;
        // The run is the ones directly before that zero: in its word, and perhaps in the one before.
        let bit = end % 64;
        let mut len = (!(self.words[at] << 1 << (63 - bit))).leading_zeros() as usize;
        if len >= bit && at > 0 {
            len = bit;
            for &word in self.words[..at].iter().rev() {
                let ones = (!word).leading_zeros() as usize;
                len += ones;
                if ones < 64 {
                    break;
                }
            }
        }
        let len = len.min(end);
        Run { first: last - len, len, end }
    }
}

impl Segment {
    #[inline]
    fn page(&self, page: usize) -> Page<'_> {
        Page {
            words: &self.words[self.starts[page] as usize..self.starts[page + 1] as usize],
            count: self.counts[page] as usize,
        }
    }

    /// Adds an entry whose number is narrow enough.
    fn insert(&mut self, place: Place, id: u32, remainder_width: u32) -> Result<(), OutOfMemory> {
        let width = remainder_width + self.id_width;
        let count = self.counts[place.page] as usize;
        self.make_room(place.page, words_of(count + 1, width))?;
        let page = self.page(place.page);
        let run = page.run(place.run);
        let start = self.starts[place.page] as usize;
        let words = &mut self.words[start..self.starts[place.page + 1] as usize];
        let (head, longer_head) = (head_words(count), head_words(count + 1));
        if longer_head > head {
            words.copy_within(head..words.len() - 1, longer_head);
            words[head] = 0;
        }
        insert_bits(&mut words[..longer_head], RUNS + count, run.end, 1, 1);
        if width > 0 {
            let entry = u64::from(id) << remainder_width | place.remainder;
            let at = (run.first + run.len) * width as usize;
            insert_bits(&mut words[longer_head..], count * width as usize, at, width, entry);
        }
        self.counts[place.page] += 1;
        Ok(())
    }

    /// Makes a page so many words long: the pages behind it move.
    #[inline]
    fn make_room(&mut self, page: usize, needed: usize) -> Result<(), OutOfMemory> {
        let (start, end) = (self.starts[page] as usize, self.starts[page + 1] as usize);
        let more = needed.saturating_sub(end - start);
        if more == 0 {
            return Ok(());
        }
        let len = self.words.len();
        if u32::try_from(len + more).is_err() {
            return Err(OutOfMemory);
        }
        if self.words.capacity() - len < more {
            self.words.try_reserve_exact(more.max(len / ROOM_TO_GROW).max(1))?;
        }
        self.words.resize(len + more, 0);
        self.words.copy_within(end..len, end + more);
        self.words[end..end + more].fill(0);
        self.starts[page + 1..].iter_mut().for_each(|start| *start += more as u32);
        Ok(())
    }

    /// Calls `each(page, run, remainder, id)` for all entries in their order.
    fn for_each(
        &self,
        remainder_width: u32,
        mut each: impl FnMut(usize, usize, u64, u32) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        let width = remainder_width + self.id_width;
        for number in 0..PAGES {
            let page = self.page(number);
            let (mut run, mut at) = (0, page.entries());
            for bit in 0..if page.count == 0 { 0 } else { RUNS + page.count } {
                if read_bits(page.words, bit, 1) == 0 {
                    run += 1;
                    continue;
                }
                let entry = read_bits(page.words, at, width);
                each(number, run, entry & low_bits(remainder_width), (entry >> remainder_width) as u32)?;
                at += width as usize;
            }
        }
        Ok(())
    }

    /// The same entries with wider numbers.
    #[cold]
    fn widened(&self, id_width: u32, remainder_width: u32) -> Result<Segment, OutOfMemory> {
        let mut wider = Builder::new(id_width, remainder_width);
        self.for_each(remainder_width, |page, run, remainder, id| wider.push(page, run, remainder, id))?;
        wider.finish()
    }

    /// The entries as two segments, with remainders that are shorter by a bit.
    fn halves(&self, remainder_width: u32) -> Result<[Segment; 2], OutOfMemory> {
        let new = || Builder::new(self.id_width, remainder_width - 1);
        let mut halves = [new(), new()];
        self.for_each(remainder_width, |page, run, remainder, id| {
            let place = (page << RUN_BITS | run) << 1 | (remainder >> (remainder_width - 1)) as usize;
            let (half, page) = (place >> (PAGE_BITS + RUN_BITS), place >> RUN_BITS & (PAGES - 1));
            let remainder = remainder & low_bits(remainder_width - 1);
            halves[half].push(page, place & (RUNS - 1), remainder, id)
        })?;
        let [low, high] = halves;
        Ok([low.finish()?, high.finish()?])
    }
}

/// Builds a segment from entries in the order of the pages.
struct Builder {
    segment: Segment,
    remainder_width: u32,
    /// The page being built, and its entries: run, remainder and number.
    page: usize,
    entries: Vec<(u8, u64, u32)>,
}

impl Builder {
    fn new(id_width: u32, remainder_width: u32) -> Builder {
        let segment = Segment { id_width, ..Segment::default() };
        Builder { segment, remainder_width, page: 0, entries: Vec::new() }
    }

    fn push(&mut self, page: usize, run: usize, remainder: u64, id: u32) -> Result<(), OutOfMemory> {
        while self.page < page {
            self.end_page()?;
        }
        self.entries.try_reserve(1)?;
        self.entries.push((run as u8, remainder, id));
        Ok(())
    }

    fn finish(mut self) -> Result<Segment, OutOfMemory> {
        while self.page < PAGES {
            self.end_page()?;
        }
        Ok(self.segment)
    }

    /// Writes the page that is complete.
    fn end_page(&mut self) -> Result<(), OutOfMemory> {
        let Builder { segment, remainder_width, page, entries } = self;
        let width = *remainder_width + segment.id_width;
        // A run has no order inside; where it was cut in two, its halves are mixed.
        entries.sort_by_key(|(run, ..)| *run);
        if !entries.is_empty() {
            segment.make_room(*page, words_of(entries.len(), width))?;
        }
        let start = segment.starts[*page] as usize;
        let words = &mut segment.words[start..segment.starts[*page + 1] as usize];
        for (number, &(run, remainder, id)) in entries.iter().enumerate() {
            write_bits(words, usize::from(run) + number, 1, 1);
            let at = head_words(entries.len()) * 64 + number * width as usize;
            write_bits(words, at, width, u64::from(id) << *remainder_width | remainder);
        }
        segment.counts[*page] = entries.len() as u32;
        entries.clear();
        *page += 1;
        Ok(())
    }
}

/// Words of the first part of a page with so many entries.
#[inline]
fn head_words(count: usize) -> usize {
    (RUNS + count).div_ceil(64)
}

/// Words of a page with so many entries.
#[inline]
fn words_of(count: usize, entry_width: u32) -> usize {
    head_words(count) + (count * entry_width as usize).div_ceil(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers that the index offers for a hash.
    fn offered(index: &QuotientIndex, hash: u64) -> Vec<u32> {
        let mut all = Vec::new();
        index.find(hash, |id| {
            all.push(id);
            false
        });
        all
    }

    #[test]
    fn every_number_is_found_at_every_size() {
        let mut index = QuotientIndex::new();
        assert_eq!(index.guess(5), None);
        let hash = |id: u32| mix64(u64::from(id) << 7);
        let n = 400_000;
        for id in 0..n {
            index.prefetch(hash(id));
            index.insert(hash(id), id).unwrap();
            if (id + 1).is_power_of_two() || id == n - 1 {
                assert_eq!(index.len(), id as usize + 1);
                assert!((0..=id).all(|id| offered(&index, hash(id)).contains(&id)), "up to {id}");
                let wrong: usize = (0..=id).map(|id| offered(&index, hash(id)).len() - 1).sum();
                assert!(wrong <= id as usize / 10 + 1, "{wrong} wrong ones among {id}");
            }
        }
        let bits = index.bytes() as f64 * 8.0 / f64::from(n);
        assert!(bits < 31.5, "{bits} bits an entry");
    }

    #[test]
    fn building_anew_makes_it_precise() {
        let mut index = QuotientIndex { precision: 15, ..QuotientIndex::new() };
        let hash = |id: u32| mix64(u64::from(id) * 3 + 1);
        let fill = |index: &mut QuotientIndex| {
            (0..60_000).for_each(|id| index.insert(hash(id), id).unwrap());
            (0..60_000).map(|id| offered(index, hash(id)).len() - 1).sum::<usize>()
        };
        let before = fill(&mut index);
        assert!(index.is_vague() && before > 60_000, "{before}");
        for _ in 0..6 {
            index.start_anew();
        }
        let after = fill(&mut index);
        assert!(!index.is_vague() && after < 3000, "{after}");
    }

    #[test]
    fn equal_hashes_are_all_offered() {
        let mut index = QuotientIndex::new();
        (0..5000).for_each(|id| index.insert(u64::from(id % 3), id).unwrap());
        for hash in 0..3 {
            let expected: Vec<u32> = (0..5000).filter(|id| u64::from(id % 3) == hash).collect();
            let mut found = offered(&index, hash);
            found.sort_unstable();
            assert_eq!(found, expected);
        }
        assert_eq!(offered(&index, 3), []);
    }

    #[test]
    fn numbers_that_go_are_gone() {
        let mut index = QuotientIndex::new();
        (0..50_000).for_each(|id| index.insert(mix64(id.into()), id).unwrap());
        index.retain(|id| id % 3 != 0).unwrap();
        assert_eq!(index.len(), 50_000 - 50_000usize.div_ceil(3));
        for id in 0..50_000u32 {
            assert_eq!(offered(&index, mix64(id.into())).contains(&id), id % 3 != 0);
        }
        index.insert(mix64(0), 0).unwrap();
        assert!(offered(&index, mix64(0)).contains(&0));
    }

    #[test]
    fn a_split_that_fails_is_undone() {
        let mut index = QuotientIndex::new();
        let hash = |id: u32| mix64(u64::from(id) ^ 99);
        (0..20_000).for_each(|id| index.insert(hash(id), id).unwrap());
        let cut = index.segments.len() / 2;
        let mut halves = Vec::new();
        for at in 0..cut {
            halves.extend(index.segments[at].halves(index.remainder_width()).unwrap());
            index.segments[at] = Segment::default();
        }
        index.join(halves);
        assert_eq!(index.len(), 20_000);
        assert!((0..20_000).all(|id| offered(&index, hash(id)).contains(&id)));
    }
}
