//! A hash table of numbers, ordered by hash.
//!
//! The table finds things that lie elsewhere (in an arena, in a file) by their hash: it keeps a number and 32
//! bits of hash for each, and asks the owner of the things whether number so-and-so is the one.
//!
//! **Entries.** One 64-bit word each, the tag above the number:
//!
//! ```text
//!  63            32 31             0
//!  +----------------+---------------+
//!  |  tag           |  id           |      all ones: empty (ids end at 2^32 - 2)
//!  +----------------+---------------+
//! ```
//!
//! **Order.** The home of an entry grows with its tag: home = tag · homes / 2^32. Collisions go to the right,
//! and entries are kept in order of their tags (Amble and Knuth, *Ordered hash tables*, 1974), so that a whole
//! table, its gaps left out, is a sorted sequence of words. This has three uses:
//!
//! - A search for something absent ends at the first larger tag. Without the order it would have to run to the
//!   next gap, about 23 entries away at a load of 0.85; with it, both kinds of search look at about 4. And the
//!   place of a tag is the number of smaller ones from its home on, which is counted without branches.
//! - Any number of homes will do, and changing it is one sequential sweep that needs neither the things nor
//!   their hashes. Tables grow by a quarter, not by two.
//! - A range of tags is a table of its own. A large table is cut into 64 segments that grow one by one, so
//!   growing never needs more than 1/64 of the table beyond what is kept.
//!
//! **Ends.** A segment has a few cells beyond its last home for what is pushed out there, and more are added
//! when they run out, so nothing ever wraps round.
//!
//! **Cost.** 8 bytes over the load, which moves between 0.7 and 0.875: 9.1 to 11.4 bytes an entry. Two things
//! with the same tag cost a look at the wrong thing: one entry has 2^32 / homes tags to itself, so this is rare
//! up to 10^8 entries and happens at every other search near 10^9.

use crate::{OutOfMemory, mix64, prefetch};

/// A cell without entry.
const EMPTY: u64 = u64::MAX;

/// The largest load of a segment: entries over homes.
const MAX_LOAD: (usize, usize) = (7, 8);

/// Homes of the first segment of a table.
const FIRST_HOMES: usize = 8;

/// Cells that are compared at once.
const WINDOW: usize = 4;

/// Cells beyond the last home that a segment starts with.
const FIRST_TAIL: usize = 8;

/// Binary logarithm of the number of segments of a large table.
const SEGMENT_BITS: u32 = 6;

/// Number of entries at which a table becomes a large one. Until then growing copies at most some 40 MB, where the
/// system copies at all, and one segment is a tenth faster than many. The tests split sooner.
const LARGE: usize = if cfg!(test) { 1 << 16 } else { 1 << 22 };

/// Finds numbers by hash.
#[derive(Debug, Default)]
pub struct IdTable {
    /// None, one, or 2^[`SEGMENT_BITS`], in order of the tags.
    segments: Vec<Segment>,
    segment_bits: u32,
    len: usize,
    /// Capacity of all segments, in cells.
    n_cells: usize,
}

/// Where something absent belongs; only good until the table changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    tag: u32,
    cell: usize,
}

/// Where a hash is looked for; only good until the table changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    tag: u32,
    home: u32,
}

/// The entries of a range of tags.
#[derive(Debug, Default)]
struct Segment {
    /// Entries in order with gaps; the last cell is always empty and ends every search.
    cells: Vec<u64>,
    homes: u32,
    len: u32,
}

impl IdTable {
    /// The largest number that a table can hold.
    pub const MAX_ID: u32 = u32::MAX - 1;

    /// An empty table; it owns no memory.
    pub fn new() -> IdTable {
        IdTable::default()
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

    /// Finds the number with this hash for which `is_it` says yes, or the gap where it belongs.
    #[inline]
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Result<u32, Gap> {
        let tag = tag_of(hash);
        let Some(segment) = self.segments.get(self.segment_of(tag)) else {
            return Err(Gap { tag, cell: 0 });
        };
        let (first, last) = entries_of(tag);
        let mut cell = segment.first_not_below(segment.home(tag << self.segment_bits), first);
        while segment.cells[cell] <= last {
            let id = segment.cells[cell] as u32;
            if is_it(id) {
                return Ok(id);
            }
            cell += 1;
        }
        Err(Gap { tag, cell })
    }

    /// The first number with the same tag, if there is one: a guess of what [`IdTable::find`] will find. The hint is
    /// what [`IdTable::prefetch`] gave since the last change.
    #[inline(always)]
    pub fn guess(&self, hint: Hint) -> Option<u32> {
        let segment = self.segments.get(self.segment_of(hint.tag))?;
        let first = u64::from(hint.tag) << 32;
        // A home is below the number of homes, which has 32 bits.
        let entry = segment.cells[segment.first_not_below(hint.home as usize, first)];
        (entry != EMPTY && (entry >> 32) as u32 == hint.tag).then_some(entry as u32)
    }

    /// Puts a number into a gap that [`IdTable::find`] gave since the last change.
    ///
    /// # Errors
    /// The table is unchanged then.
    ///
    /// # Panics
    /// When the number is above [`IdTable::MAX_ID`].
    #[inline]
    pub fn insert(&mut self, gap: Gap, id: u32) -> Result<(), OutOfMemory> {
        assert!(id <= Self::MAX_ID, "this number marks an empty cell");
        let Gap { tag, mut cell } = gap;
        let mut at = self.segment_of(tag);
        if self.segments.get(at).is_none_or(Segment::is_full) {
            self.make_room(at)?;
            at = self.segment_of(tag);
            let segment = &self.segments[at];
            let after = entries_of(tag).1;
            cell = segment.home(tag << self.segment_bits);
            while segment.cells[cell] <= after {
                cell += 1;
            }
        }
        let segment = &mut self.segments[at];
        let hole = cell + segment.cells[cell..].iter().position(|&entry| entry == EMPTY).unwrap_or(0);
        if hole + 1 == segment.cells.len() {
            self.n_cells += segment.lengthen()?;
        }
        segment.cells.copy_within(cell..hole, cell + 1);
        segment.cells[cell] = u64::from(tag) << 32 | u64::from(id);
        segment.len += 1;
        self.len += 1;
        Ok(())
    }

    /// Tells that this hash is about to be looked for. Gives what helps with that, until the table changes.
    #[inline]
    pub fn prefetch(&self, hash: u64) -> Hint {
        let tag = tag_of(hash);
        let segment = self.segments.get(self.segment_of(tag));
        let home = segment.map_or(0, |segment| {
            let home = segment.home(tag << self.segment_bits);
            prefetch(&segment.cells, home);
            home as u32
        });
        Hint { tag, home }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.n_cells * size_of::<u64>() + self.segments.capacity() * size_of::<Segment>()
    }

    #[inline]
    fn segment_of(&self, tag: u32) -> usize {
        (u64::from(tag) >> (32 - self.segment_bits)) as usize
    }

    /// Makes a full segment larger, or cuts the table into segments when it is time.
    #[cold]
    fn make_room(&mut self, at: usize) -> Result<(), OutOfMemory> {
        if self.segments.is_empty() {
            let first = Segment::with_entries(&[], FIRST_HOMES, 0)?;
            self.segments.try_reserve_exact(1)?;
            self.n_cells = first.cells.capacity();
            self.segments.push(first);
            return Ok(());
        }
        if self.segment_bits == 0 && self.len >= LARGE {
            return self.split();
        }
        let segment = &mut self.segments[at];
        let before = segment.cells.capacity();
        let homes = segment.homes as usize;
        let result = segment.grow(homes + homes / 4 + FIRST_HOMES, self.segment_bits);
        self.n_cells += segment.cells.capacity() - before;
        result
    }

    /// Cuts the only segment into many.
    fn split(&mut self) -> Result<(), OutOfMemory> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(self.len)?;
        entries.extend(self.segments[0].cells.iter().filter(|&&entry| entry != EMPTY));
        let mut segments = Vec::new();
        segments.try_reserve_exact(1 << SEGMENT_BITS)?;
        let mut rest = entries.as_slice();
        for number in 0..1u64 << SEGMENT_BITS {
            let n = rest.partition_point(|entry| entry >> (64 - SEGMENT_BITS) <= number);
            let (mine, others) = rest.split_at(n);
            rest = others;
            let homes = n * MAX_LOAD.1 / MAX_LOAD.0;
            segments.push(Segment::with_entries(mine, homes + homes / 4 + FIRST_HOMES, SEGMENT_BITS)?);
        }
        self.n_cells = segments.iter().map(|segment| segment.cells.capacity()).sum();
        self.segments = segments;
        self.segment_bits = SEGMENT_BITS;
        Ok(())
    }
}

impl Segment {
    /// A segment of sorted entries.
    fn with_entries(entries: &[u64], homes: usize, segment_bits: u32) -> Result<Segment, OutOfMemory> {
        // Even 2^32 entries over 64 segments need a tenth of this, unless nearly all tags are alike.
        let homes = u32::try_from(homes).map_err(|_| OutOfMemory)?;
        let mut segment = Segment { cells: Vec::new(), homes, len: entries.len() as u32 };
        let end = entries.iter().fold(0, |end, &entry| home_of(entry, homes, segment_bits).max(end) + 1);
        let n_cells = end.max(homes as usize) + FIRST_TAIL;
        segment.cells.try_reserve_exact(n_cells)?;
        segment.cells.resize(n_cells, EMPTY);
        let mut writer = 0;
        for &entry in entries {
            writer = home_of(entry, homes, segment_bits).max(writer);
            segment.cells[writer] = entry;
            writer += 1;
        }
        Ok(segment)
    }

    /// The first cell where an entry may be. The segment's own bits are shifted out of the tag.
    #[inline]
    fn home(&self, rest_of_tag: u32) -> usize {
        home(rest_of_tag, self.homes)
    }

    /// The first cell from `cell` on whose entry is not below the given one.
    ///
    /// Smaller entries come first, so counting them in a few cells gives the place without a branch that the
    /// processor could only guess. There is always such a cell: the last one is empty, and that is above all
    /// entries.
    #[inline]
    fn first_not_below(&self, mut cell: usize, entry: u64) -> usize {
        while let Some(window) = self.cells[cell..].first_chunk::<WINDOW>() {
            let below = window.iter().map(|&other| usize::from(other < entry)).sum::<usize>();
            cell += below;
            if below < WINDOW {
                return cell;
            }
        }
        while self.cells[cell] < entry {
            cell += 1;
        }
        cell
    }

    #[inline]
    fn is_full(&self) -> bool {
        (self.len as usize + 1) * MAX_LOAD.1 > self.homes as usize * MAX_LOAD.0
    }

    /// Spreads the entries over more homes, in place: they are first moved to the far end and then laid out from
    /// the front, where the writer never overtakes the reader.
    ///
    /// The tail need not become longer. With t for the tag's fraction of all tags and h for the homes, an entry's
    /// home lies (1 - t) h before the end of the homes, which only grows with h: in cells, rounded down, no entry
    /// comes nearer to the end of the homes, so no entry is pushed further beyond it.
    fn grow(&mut self, homes: usize, segment_bits: u32) -> Result<(), OutOfMemory> {
        // Even 2^32 entries over 64 segments need a tenth of this, unless nearly all tags are alike.
        let homes = u32::try_from(homes).map_err(|_| OutOfMemory)?;
        let more = homes.saturating_sub(self.homes) as usize;
        let old_len = self.cells.len();
        self.cells.try_reserve_exact(more)?;
        self.homes += more as u32;
        self.cells.resize(old_len + more, EMPTY);

        let homes = self.homes;
        let cells = self.cells.as_mut_slice();
        // A gap is written as well, and then over: that is less than to guess where the gaps are.
        let mut reader = cells.len();
        for cell in (0..old_len).rev() {
            let entry = cells[cell];
            cells[reader - 1] = entry;
            reader -= usize::from(entry != EMPTY);
        }
        let mut writer = 0;
        for cell in reader..cells.len() {
            let entry = cells[cell];
            let home = home_of(entry, homes, segment_bits);
            while writer < home {
                cells[writer] = EMPTY;
                writer += 1;
            }
            cells[writer] = entry;
            writer += 1;
        }
        cells[writer..].fill(EMPTY);
        Ok(())
    }

    /// Adds cells beyond the last home. Gives their number.
    #[cold]
    fn lengthen(&mut self) -> Result<usize, OutOfMemory> {
        let before = self.cells.capacity();
        let tail = self.cells.len() - self.homes as usize;
        self.cells.try_reserve_exact(tail)?;
        self.cells.resize(self.cells.len() + tail, EMPTY);
        Ok(self.cells.capacity() - before)
    }
}

/// The part of the mixed hash that is kept.
#[inline]
fn tag_of(hash: u64) -> u32 {
    (mix64(hash) >> 32) as u32
}

/// The first cell, among so many homes, where an entry with this rest of a tag may be.
#[inline]
fn home(rest_of_tag: u32, homes: u32) -> usize {
    ((u64::from(rest_of_tag) * u64::from(homes)) >> 32) as usize
}

/// The same for an entry.
#[inline]
fn home_of(entry: u64, homes: u32, segment_bits: u32) -> usize {
    home(((entry >> 32) as u32) << segment_bits, homes)
}

/// The smallest and the largest entry of a tag.
#[inline]
fn entries_of(tag: u32) -> (u64, u64) {
    let first = u64::from(tag) << 32;
    (first, first | u64::from(IdTable::MAX_ID))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number whose tag is the given one: the inverse of `mix64`, found by undoing its steps.
    fn hash_with_tag(tag: u32) -> u64 {
        let inverse =
            |odd: u64| (0..6).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
        let unshift = |x: u64, by: u32| (0..64 / by + 1).fold(x, |y, _| x ^ (y >> by));
        let mut x = u64::from(tag) << 32;
        x = unshift(x, 31).wrapping_mul(inverse(0x94D0_49BB_1331_11EB));
        x = unshift(x, 27).wrapping_mul(inverse(0xBF58_476D_1CE4_E5B9));
        unshift(x, 30)
    }

    /// Inserts things with the given hashes, looks all of them up again, and checks the shape of the table.
    fn check(hashes: &[u64]) -> IdTable {
        let mut table = IdTable::new();
        for (id, &hash) in hashes.iter().enumerate() {
            let gap = table.find(hash, |other| other as usize == id).expect_err("it was never inserted");
            table.insert(gap, id as u32).unwrap();
        }
        assert_eq!(table.len(), hashes.len());
        for (id, &hash) in hashes.iter().enumerate() {
            let hint = table.prefetch(hash);
            assert_eq!(table.find(hash, |other| other as usize == id), Ok(id as u32));
            assert_eq!(table.guess(hint), table.find(hash, |_| true).ok());
        }
        let n_cells: usize = table.segments.iter().map(|segment| segment.cells.capacity()).sum();
        assert_eq!(table.n_cells, n_cells);
        for segment in &table.segments {
            let entries: Vec<u64> = segment.cells.iter().copied().filter(|&e| e != EMPTY).collect();
            assert!(entries.is_sorted());
            assert_eq!(entries.len(), segment.len as usize);
            assert_eq!(segment.cells.last(), Some(&EMPTY));
        }
        table
    }

    #[test]
    fn an_empty_table_owns_nothing() {
        let table = IdTable::new();
        assert_eq!((table.bytes(), table.guess(table.prefetch(5)), table.is_empty()), (0, None, true));
    }

    #[test]
    fn tables_of_all_sizes_find_everything() {
        for n in [1, 2, 7, 8, 9, 100, 5000, LARGE as u64 - 1, LARGE as u64 + 1, 300_000] {
            let table = check(&(0..n).collect::<Vec<_>>());
            assert!(table.segments.len() == 1 || n >= LARGE as u64);
            assert!(table.segments.len() == 64 || n < 100_000);
            if n > 1000 {
                let bytes = table.bytes() as f64 / n as f64;
                assert!((9.0..11.7).contains(&bytes), "{bytes} bytes an entry at {n}");
            }
        }
    }

    #[test]
    fn equal_and_extreme_tags_are_kept_apart() {
        for tag in [0, 1, 77 << 20, u32::MAX - 1, u32::MAX] {
            assert_eq!(tag_of(hash_with_tag(tag)), tag);
            check(&vec![hash_with_tag(tag); 2000]);
        }
        let mixed: Vec<u64> =
            (0..3000u32).map(|i| hash_with_tag([0, u32::MAX, u32::MAX - i % 3, i][i as usize % 4])).collect();
        check(&mixed);
    }

    #[test]
    fn crowded_segments_survive_the_split() {
        // All tags of the second half fall into the last segment.
        let hashes: Vec<u64> =
            (0..90_000u64).map(|i| if i < 50_000 { i } else { hash_with_tag(!(i as u32 * 700)) }).collect();
        assert_eq!(check(&hashes).segments.len(), 64);
    }
}
