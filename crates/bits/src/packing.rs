//! State vectors as packed words.
//!
//! A state is a fixed number of slots, each a small unsigned number. A [`Packing`] gives every slot its own
//! field of 0 to 32 bits inside 64-bit words; a field never straddles two words, so reading one is a shift and
//! a mask:
//!
//! ```text
//!  word 0                                          word 1
//!  63            ...            9   5  3  1  0     63           ...          0
//!  +----------------------------+---+--+--+--+     +------------------------+
//!  |  (padding)                 | 4 | 2| 2| 1|     |  fields 4, 5, ...      |
//!  +----------------------------+---+--+--+--+     +------------------------+
//!                        slot     3   2  1  0
//! ```
//!
//! **Cost.** The sum of the widths plus the padding at the ends of words. All operations of the engines and of
//! the plain store work on packed words directly: copying, comparing and storing cost what the packed vector
//! is long, and empty slots cost nothing to skip because [`Packing::marked`] walks set bits.
//!
//! **Hash.** [`Packing::hash`] is the sum over the slots of value times an odd 64-bit key of the slot, modulo
//! 2^64. It does not depend on the widths, and it is linear: an action that changes slots by fixed amounts
//! changes the hash by a fixed amount, so a successor's hash is one addition.

use crate::SlotIdx;

/// Where the bits of one slot are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Index of the 64-bit word.
    pub word: u32,
    /// Distance of the lowest bit from the word's lowest bit.
    pub shift: u8,
    /// Number of bits, 0 to 32.
    pub width: u8,
}

impl Field {
    /// The largest value that fits.
    #[inline]
    pub fn max(self) -> u32 {
        ((1u64 << self.width) - 1) as u32
    }
}

/// A value did not fit the field of its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgrown {
    /// The slot whose field is too narrow.
    pub slot: SlotIdx,
    /// The value that has to fit.
    pub value: u32,
}

/// Why [`Packing::add`] could not change a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It would be below zero.
    Negative,
    /// It would be this value, above the limit.
    Above(u64),
    /// Its field is too narrow.
    Outgrown(Outgrown),
}

/// The fields of all slots of a state vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    fields: Vec<Field>,
    /// Slot that owns each bit of the packed words; padding bits belong to no slot and are never set.
    slot_at_bit: Vec<u32>,
    /// What each bit adds to the hash: the [`slot_key`] of its slot, shifted to the bit's place in the value.
    bit_keys: Vec<u64>,
    /// Where the bits of each slot start, counted through all words, and where the last one's end. A slot of no
    /// bits starts where the next one does, or at the end of the word before.
    bit_starts: Vec<usize>,
    /// The highest bit of each field, for each word.
    tops: Vec<u64>,
    n_words: usize,
    n_bits: usize,
}

impl Packing {
    /// Packs slots of the given widths (0 to 32 bits each) in order.
    ///
    /// # Panics
    /// When a width is above 32: widths come from [`width_of`], which never gives one.
    pub fn new(widths: &[u8]) -> Self {
        let mut fields = Vec::with_capacity(widths.len());
        let mut bit_starts = Vec::with_capacity(widths.len() + 1);
        let (mut word, mut used, mut n_bits) = (0u32, 0u8, 0usize);
        for &width in widths {
            assert!(width <= 32, "a slot is at most 32 bits wide");
            if u32::from(used) + u32::from(width) > 64 {
                word += 1;
                used = 0;
            }
            // A field of no bits at a full word's end would need a shift by 64: it moves to the word's start.
            let shift = if width == 0 { 0 } else { used };
            fields.push(Field { word, shift, width });
            bit_starts.push(word as usize * 64 + usize::from(used));
            used += width;
            n_bits += usize::from(width);
        }
        bit_starts.push(word as usize * 64 + usize::from(used));
        let n_words = word as usize + 1;
        let mut slot_at_bit = vec![u32::MAX; n_words * 64];
        let mut tops = vec![0; n_words];
        for (slot, field) in fields.iter().enumerate() {
            let start = field.word as usize * 64 + usize::from(field.shift);
            tops[field.word as usize] |= (1u64 << field.width >> 1) << field.shift;
            slot_at_bit[start..start + usize::from(field.width)].fill(slot as u32);
        }
        let mut bit_keys = vec![0; n_words * 64];
        for (slot, field) in fields.iter().enumerate() {
            let start = field.word as usize * 64 + usize::from(field.shift);
            let key = slot_key(SlotIdx::new(slot));
            (0..usize::from(field.width)).for_each(|bit| bit_keys[start + bit] = key << bit);
        }
        Packing { fields, slot_at_bit, bit_starts, bit_keys, tops, n_words, n_bits }
    }

    /// Number of slots.
    #[inline]
    pub fn n_slots(&self) -> usize {
        self.fields.len()
    }

    /// Number of 64-bit words of a packed state, at least one.
    #[inline]
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// Number of bits in use, padding left out.
    pub fn n_bits(&self) -> usize {
        self.n_bits
    }

    /// Number of bytes up to the last bit in use: what a store has to keep of the words' little-endian bytes.
    pub fn n_bytes(&self) -> usize {
        let last = self.fields.iter().rev().find(|field| field.width > 0);
        last.map_or(0, |f| f.word as usize * 8 + usize::from(f.shift + f.width).div_ceil(8))
    }

    /// The field of a slot.
    #[inline]
    pub fn field(&self, slot: SlotIdx) -> Field {
        self.fields[slot.index()]
    }

    /// The widths of all slots.
    pub fn widths(&self) -> impl Iterator<Item = u8> + '_ {
        self.fields.iter().map(|field| field.width)
    }

    /// The value of a slot.
    #[inline]
    pub fn get(&self, words: &[u64], slot: SlotIdx) -> u32 {
        let field = self.fields[slot.index()];
        (words[field.word as usize] >> field.shift) as u32 & field.max()
    }

    /// Sets the value of a slot.
    ///
    /// # Errors
    /// [`Outgrown`] when the value does not fit; the words are then unchanged.
    #[inline]
    pub fn set(&self, words: &mut [u64], slot: SlotIdx, value: u32) -> Result<(), Outgrown> {
        let field = self.fields[slot.index()];
        if value > field.max() {
            return Err(Outgrown { slot, value });
        }
        let word = &mut words[field.word as usize];
        *word = *word & !(u64::from(field.max()) << field.shift) | u64::from(value) << field.shift;
        Ok(())
    }

    /// Changes the value of a slot by a number, to at most `limit`.
    ///
    /// # Errors
    /// The words are unchanged then.
    #[inline]
    pub fn add(&self, words: &mut [u64], slot: SlotIdx, by: i64, limit: u32) -> Result<(), Misfit> {
        let field = self.fields[slot.index()];
        let word = &mut words[field.word as usize];
        let value = i64::from((*word >> field.shift) as u32 & field.max()) + by;
        let most = limit.min(field.max());
        if 0 <= value && value <= i64::from(most) {
            // The sum stays within the field, so nothing is carried into its neighbours.
            *word = word.wrapping_add((by as u64) << field.shift);
            return Ok(());
        }
        Err(match u32::try_from(value) {
            Ok(value) if value <= limit => Misfit::Outgrown(Outgrown { slot, value }),
            _ if value < 0 => Misfit::Negative,
            _ => Misfit::Above(value as u64),
        })
    }

    /// The slots with a value other than zero, in slot order, with their values.
    #[inline]
    pub fn marked<'a>(&'a self, words: &'a [u64]) -> Marked<'a> {
        Marked { packing: self, words, word: 0, last_word: self.n_words - 1, rest: words[0], keep: !0 }
    }

    /// The slots of the range `first..last` with a value other than zero, in slot order.
    #[inline]
    pub fn marked_in<'a>(&'a self, words: &'a [u64], first: SlotIdx, last: SlotIdx) -> Marked<'a> {
        let (start, end) = (self.bit_starts[first.index()], self.bit_starts[last.index()]);
        if start >= end {
            return Marked { packing: self, words, word: 0, last_word: 0, rest: 0, keep: 0 };
        }
        let (word, last_word) = (start / 64, (end - 1) / 64);
        let keep = !0u64 >> (63 - (end - 1) % 64);
        let mut rest = words[word] & (!0u64 << (start % 64));
        if word == last_word {
            rest &= keep;
        }
        Marked { packing: self, words, word, last_word, rest, keep }
    }

    /// The slots that have another value in one state than in another, in slot order.
    pub fn changed(&self, one: &[u64], other: &[u64]) -> impl Iterator<Item = SlotIdx> {
        let mut slots = Vec::new();
        for (word, (one, other)) in one.iter().zip(other).enumerate() {
            let mut rest = one ^ other;
            while rest != 0 {
                let slot = SlotIdx(self.slot_at_bit[word * 64 + rest.trailing_zeros() as usize]);
                let field = self.fields[slot.index()];
                rest &= !(u64::from(field.max()) << field.shift);
                slots.push(slot);
            }
        }
        slots.into_iter()
    }

    /// The hash of a whole state; see the head of this file.
    pub fn hash(&self, words: &[u64]) -> u64 {
        let mut hash = 0u64;
        for (&word, keys) in words.iter().zip(self.bit_keys.as_chunks::<64>().0) {
            let mut rest = word;
            while rest != 0 {
                hash = hash.wrapping_add(keys[rest.trailing_zeros() as usize]);
                rest &= rest - 1;
            }
        }
        hash
    }

    /// Whether no slot is less in `high` than in `low`.
    #[inline]
    pub fn covers(&self, high: &[u64], low: &[u64]) -> bool {
        self.tops.iter().zip(high).zip(low).all(|((&tops, &high), &low)| not_less(high, low, tops))
    }

    /// The top bits of all fields, word by word: what [`not_less`] asks for.
    pub fn tops(&self) -> &[u64] {
        &self.tops
    }

    /// The slot that owns each bit of the packed words; padding bits are none's.
    #[inline]
    pub fn slot_at_bit(&self, bit: usize) -> Option<SlotIdx> {
        self.slot_at_bit.get(bit).filter(|&&slot| slot != u32::MAX).map(|&slot| SlotIdx(slot))
    }

    /// The same slots with `outgrown`'s field wide enough for its value.
    pub fn widened(&self, outgrown: Outgrown) -> Packing {
        let mut widths: Vec<u8> = self.widths().collect();
        widths[outgrown.slot.index()] = width_of(outgrown.value);
        Packing::new(&widths)
    }

    /// Copies a state packed by `self` into words packed by `to`.
    ///
    /// # Errors
    /// [`Outgrown`] when a value does not fit the new packing.
    pub fn repack(&self, words: &[u64], to: &Packing, out: &mut [u64]) -> Result<(), Outgrown> {
        out.fill(0);
        self.marked(words).try_for_each(|(slot, value)| to.set(out, slot, value))
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.fields.capacity() * size_of::<Field>()
            + self.slot_at_bit.capacity() * size_of::<u32>()
            + self.bit_keys.capacity() * size_of::<u64>()
            + self.tops.capacity() * size_of::<u64>()
            + self.bit_starts.capacity() * size_of::<usize>()
    }
}

/// Whether no field of a word is less in `high` than in `low`, all of them compared at once. `tops` has the top bit of
/// each field.
///
/// ```text
///  high    1  0 1 1     The top bit of each field is set apart and replaced by a one to borrow from, so the
///  low     0  1 1 0     differences of the rest do not disturb their neighbours. A one is left where the rest is not
///          |  |         less; it decides where the top bits are equal, and elsewhere these decide.
///         top bits
/// ```
#[inline]
pub fn not_less(high: u64, low: u64, tops: u64) -> bool {
    let rest_is_not_less = (high | tops).wrapping_sub(low & !tops);
    let is_not_less = high & !low | !(high ^ low) & rest_is_not_less;
    is_not_less & tops == tops
}

/// The key of a slot in the linear hash: an odd number, the same in every run and on every machine.
#[inline]
pub fn slot_key(slot: SlotIdx) -> u64 {
    crate::mix64(u64::from(slot.0).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1
}

/// Number of bits that hold all values up to `max`.
#[inline]
pub fn width_of(max: u32) -> u8 {
    (32 - max.leading_zeros()) as u8
}

/// Iterator over marked slots; see [`Packing::marked`].
#[derive(Clone, Debug)]
pub struct Marked<'a> {
    packing: &'a Packing,
    words: &'a [u64],
    /// The word being walked, and its bits that were not walked yet.
    word: usize,
    rest: u64,
    last_word: usize,
    /// Bits of the last word that belong to the range.
    keep: u64,
}

impl Iterator for Marked<'_> {
    type Item = (SlotIdx, u32);

    #[inline]
    fn next(&mut self) -> Option<(SlotIdx, u32)> {
        while self.rest == 0 {
            if self.word >= self.last_word {
                return None;
            }
            self.word += 1;
            self.rest = self.words[self.word];
            if self.word == self.last_word {
                self.rest &= self.keep;
            }
        }
        let bit = self.rest.trailing_zeros() as usize;
        let slot = SlotIdx(self.packing.slot_at_bit[self.word * 64 + bit]);
        let field = self.packing.fields[slot.index()];
        let value = (self.rest >> field.shift) as u32 & field.max();
        self.rest &= !(u64::from(field.max()) << field.shift);
        Some((slot, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(n: usize) -> impl Iterator<Item = SlotIdx> {
        (0..n).map(SlotIdx::new)
    }

    #[test]
    fn every_slot_keeps_its_own_value() {
        let widths: Vec<u8> = (0..200).map(|i| (i * 7 % 33) as u8).collect();
        let packing = Packing::new(&widths);
        let mut words = vec![0; packing.n_words()];
        for slot in slots(200) {
            let max = packing.field(slot).max();
            packing.set(&mut words, slot, max - slot.0 % 2 * (max / 2)).unwrap();
        }
        for slot in slots(200) {
            let max = packing.field(slot).max();
            assert_eq!(packing.get(&words, slot), max - slot.0 % 2 * (max / 2));
        }
        let full: Vec<_> = packing.marked(&words).collect();
        let expected: Vec<_> =
            slots(200).map(|s| (s, packing.get(&words, s))).filter(|&(_, value)| value > 0).collect();
        assert_eq!(full, expected);
        for (first, last) in [(0, 0), (0, 1), (3, 9), (50, 180), (0, 200), (199, 200)] {
            let part: Vec<_> = packing.marked_in(&words, SlotIdx(first), SlotIdx(last)).collect();
            let expected: Vec<_> =
                full.iter().copied().filter(|(s, _)| (first..last).contains(&s.0)).collect();
            assert_eq!(part, expected, "{first}..{last}");
        }
    }

    #[test]
    fn ranges_may_begin_and_end_with_slots_of_no_bits() {
        for seed in 0..300u64 {
            let random = |i: u64| crate::mix64(seed << 32 | i);
            let n = 1 + random(0) as usize % 60;
            let widths: Vec<u8> =
                (0..n as u64).map(|i| [0, 0, 1, 5, 32][random(1 + i) as usize % 5]).collect();
            let packing = Packing::new(&widths);
            let mut words = vec![0; packing.n_words()];
            for slot in slots(n) {
                packing.set(&mut words, slot, packing.field(slot).max()).unwrap();
            }
            for first in 0..=n {
                for last in first..=n {
                    let expected: Vec<u32> =
                        (first as u32..last as u32).filter(|&slot| widths[slot as usize] > 0).collect();
                    let marked = packing.marked_in(&words, SlotIdx::new(first), SlotIdx::new(last));
                    assert!(marked.map(|(slot, _)| slot.0).eq(expected), "{widths:?} {first}..{last}");
                }
            }
        }
    }

    #[test]
    fn a_value_too_large_changes_nothing() {
        let packing = Packing::new(&[3, 0, 5]);
        let mut words = vec![0];
        packing.set(&mut words, SlotIdx(0), 7).unwrap();
        assert_eq!(packing.set(&mut words, SlotIdx(0), 8), Err(Outgrown { slot: SlotIdx(0), value: 8 }));
        assert_eq!(packing.set(&mut words, SlotIdx(1), 1), Err(Outgrown { slot: SlotIdx(1), value: 1 }));
        assert_eq!(words, [7]);
    }

    #[test]
    fn adding_respects_zero_limit_and_width() {
        let packing = Packing::new(&[3, 3, 3]);
        let mut words = vec![0];
        let mut add = |by, limit| packing.add(&mut words, SlotIdx(1), by, limit).map(|()| words[0]);
        assert_eq!(add(5, u32::MAX), Ok(5 << 3));
        assert_eq!(add(-6, u32::MAX), Err(Misfit::Negative));
        assert_eq!(add(2, 6), Err(Misfit::Above(7)));
        assert_eq!(add(3, 8), Err(Misfit::Outgrown(Outgrown { slot: SlotIdx(1), value: 8 })));
        assert_eq!(add(1 << 40, u32::MAX), Err(Misfit::Above((1 << 40) + 5)));
        assert_eq!(add(2, 7), Ok(7 << 3));
        assert_eq!(add(-7, 0), Ok(0));
    }

    #[test]
    fn the_hash_is_linear_and_independent_of_widths() {
        let narrow = Packing::new(&[4, 9, 1]);
        let wide = narrow.widened(Outgrown { slot: SlotIdx(0), value: 70_000 });
        let (mut a, mut b) = (vec![0; narrow.n_words()], vec![0; wide.n_words()]);
        narrow.set(&mut a, SlotIdx(0), 5).unwrap();
        narrow.set(&mut a, SlotIdx(1), 300).unwrap();
        narrow.repack(&a, &wide, &mut b).unwrap();
        assert_eq!(narrow.hash(&a), wide.hash(&b));
        let before = narrow.hash(&a);
        narrow.set(&mut a, SlotIdx(1), 298).unwrap();
        let step = slot_key(SlotIdx(1)).wrapping_mul(2);
        assert_eq!(narrow.hash(&a), before.wrapping_sub(step));
    }

    #[test]
    fn bytes_end_at_the_last_bit() {
        assert_eq!(Packing::new(&[]).n_bytes(), 0);
        assert_eq!(Packing::new(&[0, 0]).n_bytes(), 0);
        assert_eq!(Packing::new(&[8, 1]).n_bytes(), 2);
        assert_eq!(Packing::new(&[32, 32, 32]).n_bytes(), 12);
        assert_eq!(Packing::new(&[1; 65]).n_bytes(), 9);
    }

    #[test]
    fn covering_is_not_less_in_every_slot() {
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = crate::mix64(state.wrapping_add(1));
            state % n
        };
        let mut covered = 0;
        for _ in 0..20_000 {
            let widths: Vec<u8> =
                (0..1 + below(9)).map(|_| [0, 1, 2, 3, 31, 32][below(6) as usize]).collect();
            let packing = Packing::new(&widths);
            let (mut low, mut high) = (vec![0; packing.n_words()], vec![0; packing.n_words()]);
            let mut expected = true;
            for slot in slots(widths.len()) {
                let values = u64::from(packing.field(slot).max()) + 1;
                let first = below(values) as u32;
                // Neighbours and equals are what may go wrong, and most pairs should be close to covering.
                let second = match below(8) {
                    0 => below(values) as u32,
                    1 | 2 => first,
                    _ => first.saturating_add(1).min(packing.field(slot).max()),
                };
                packing.set(&mut low, slot, first).unwrap();
                packing.set(&mut high, slot, second).unwrap();
                expected &= first <= second;
            }
            covered += u32::from(expected);
            assert_eq!(packing.covers(&high, &low), expected, "{widths:?}");
            assert!(packing.covers(&low, &low));
        }
        assert!((5_000..19_000).contains(&covered), "{covered}");
    }
}
