//! The tokens of a place that has a slot for each, read as what differs from a reference.
//!
//! The reference is the initial content, or nothing. What differs is found word by word, so reading takes a few instructions
//! for each token that has come or gone, and next to none for those that stay:
//!
//! ```text
//!  slots now         | 0 | 2 | 1 | 0 | 1 |
//!  reference         | 1 | 1 | 1 | 0 | 0 |
//!  bits that differ    x   x           x        slot 0: one has gone; slots 1 and 4: one has come
//! ```
//!
//! **Cost.** 16 bytes for each slot of the place.

use petite_bits::{Packing, SlotIdx};

use super::contents::Token;

/// Where the counts of a place are in a packed state.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    spans: Box<[Span]>,
    /// The number of the first slot, and a mark for each one from there on.
    first: usize,
    marks: Box<[Mark]>,
    /// Where all slots have the same width and lie side by side in each word.
    even: Option<Even>,
}

/// Slots of equal width.
#[derive(Clone, Copy, Debug)]
struct Even {
    width: u32,
    /// What to multiply a number of bits by, to have the number of slots in the upper half.
    slots_per_bit: u32,
}

/// The bits of a place in a word.
#[derive(Clone, Copy, Debug)]
struct Span {
    word: u32,
    /// The lowest bit, and the number of its mark.
    low: u32,
    first: u32,
    mask: u64,
    reference: u64,
}

/// A slot: where it is in its word, and what it counts.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    item: u32,
    /// Position in the reference, if it is there, and how often.
    position: u32,
    before: u32,
    shift: u8,
    width: u8,
}

impl Marks {
    /// Slots with their items, both ascending, and the tokens of the reference, ascending.
    pub fn new(items: impl Iterator<Item = (SlotIdx, u64)>, reference: &[Token], packing: &Packing) -> Marks {
        let mut items = items.peekable();
        let first = items.peek().map_or(0, |(slot, _)| slot.index());
        let (mut spans, mut marks): (Vec<Span>, Vec<Mark>) = (Vec::new(), Vec::new());
        let mut reference = reference.iter().zip(0u32..).peekable();
        let mut width = None;
        let mut is_even = true;
        for (slot, item) in items {
            let is_it = |&(&(other, _), _): &(&Token, u32)| other == item;
            let (before, position) = reference.next_if(is_it).map_or((0, 0), |(&(_, n), at)| (n, at));
            let field = packing.field(slot);
            // Slots between this one and the one before have no item.
            marks.resize(slot.index() - first, Mark::default());
            marks.push(Mark { item: item as u32, position, before, shift: field.shift, width: field.width });
            if field.width == 0 {
                continue;
            }
            let (shift, at) = (u32::from(field.shift), marks.len() as u32 - 1);
            if spans.last().is_none_or(|span| span.word != field.word) {
                spans.push(Span { word: field.word, low: shift, first: at, mask: 0, reference: 0 });
            }
            if let Some(span) = spans.last_mut() {
                let mask = u64::from(field.max()) << shift;
                span.mask |= mask;
                span.reference |= u64::from(before) << shift & mask;
                let even = *width.get_or_insert(u32::from(field.width));
                is_even &= u32::from(field.width) == even && shift - span.low == (at - span.first) * even;
            }
        }
        let even =
            width.filter(|_| is_even).map(|width| Even { width, slots_per_bit: (1 << 16) / width + 1 });
        Marks { spans: spans.into(), first, marks: marks.into(), even }
    }

    /// The bits of the place in a state, word by word, each with the number of the slot that the word's lowest bit would be,
    /// where each slot has one bit.
    #[inline]
    pub fn row<'a>(&'a self, words: &'a [u64]) -> Option<impl Iterator<Item = (u64, u64)> + Clone + 'a> {
        self.even.filter(|even| even.width == 1)?;
        let bits = move |span: &Span| {
            (words[span.word as usize] & span.mask, u64::from(span.first).wrapping_sub(u64::from(span.low)))
        };
        Some(self.spans.iter().map(bits))
    }

    /// Appends what has come since the reference, and what has gone, as positions in it; both are ascending.
    #[inline]
    pub fn read(&self, packing: &Packing, words: &[u64], come: &mut Vec<Token>, gone: &mut Vec<Token>) {
        match self.even {
            Some(even) if even.width == 1 => return self.read_row(words, come, gone),
            Some(even) => return self.read_even(even, words, come, gone),
            None => {}
        }
        for span in &self.spans {
            let word = words[span.word as usize];
            let mut rest = (word ^ span.reference) & span.mask;
            while rest != 0 {
                let bit = span.word as usize * 64 + rest.trailing_zeros() as usize;
                let Some(slot) = packing.slot_at_bit(bit) else { return };
                let mark = self.marks[slot.index() - self.first];
                let max = low(mark.width);
                rest &= !(max << mark.shift);
                let count = (word >> mark.shift & max) as u32;
                if count > mark.before {
                    come.push((u64::from(mark.item), count - mark.before));
                } else {
                    gone.push((u64::from(mark.position), mark.before - count));
                }
            }
        }
    }

    /// The same for slots of one bit.
    #[inline]
    fn read_row(&self, words: &[u64], come: &mut Vec<Token>, gone: &mut Vec<Token>) {
        for span in &self.spans {
            let word = words[span.word as usize];
            let differs = (word ^ span.reference) & span.mask;
            let mark = |rest: u64| &self.marks[(span.first + rest.trailing_zeros() - span.low) as usize];
            let mut rest = differs & word;
            while rest != 0 {
                come.push((u64::from(mark(rest).item), 1));
                rest &= rest - 1;
            }
            let mut rest = differs & !word;
            while rest != 0 {
                gone.push((u64::from(mark(rest).position), 1));
                rest &= rest - 1;
            }
        }
    }

    /// The same for slots of equal width.
    #[inline]
    fn read_even(&self, even: Even, words: &[u64], come: &mut Vec<Token>, gone: &mut Vec<Token>) {
        let max = low(even.width as u8);
        for span in &self.spans {
            let word = words[span.word as usize];
            let mut rest = (word ^ span.reference) & span.mask;
            while rest != 0 {
                // Less than 64 bits: the rounding is too small to matter.
                let at = ((rest.trailing_zeros() - span.low) * even.slots_per_bit) >> 16;
                let shift = span.low + at * even.width;
                rest &= !(max << shift);
                let mark = &self.marks[(span.first + at) as usize];
                let count = (word >> shift & max) as u32;
                if count > mark.before {
                    come.push((u64::from(mark.item), count - mark.before));
                } else {
                    gone.push((u64::from(mark.position), mark.before - count));
                }
            }
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.spans) + size_of_val(&*self.marks)
    }
}

/// The lowest bits, of which there are at most 32.
#[inline]
fn low(width: u8) -> u64 {
    (1 << width) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    #[test]
    fn what_differs_is_what_was_changed() {
        for seed in 0..300u64 {
            let random = |i: u64| mix64(seed << 20 | i);
            let width = |i| if seed % 3 == 0 { 1 + (seed % 7) as u8 } else { (random(i + 1) % 5) as u8 };
            let widths: Vec<u8> = (0..1 + random(0) % 150).map(width).collect();
            let packing = Packing::new(&widths);
            let (mut words, mut reference) = (vec![0; packing.n_words()], Vec::new());
            let (mut come, mut gone) = (Vec::new(), Vec::new());
            let mut items = Vec::new();
            for (slot, &width) in widths.iter().enumerate() {
                let slot = SlotIdx::new(slot);
                let draw = |i: u64| random(1000 * i + slot.index() as u64) % (1 << width);
                let now = if random(7000 + slot.index() as u64) % 3 == 0 { draw(2) } else { draw(3) };
                packing.set(&mut words, slot, now as u32).unwrap();
                // Some slots are of other places, or have no item.
                if random(9000 + slot.index() as u64) % 4 == 0 {
                    continue;
                }
                let (item, before) = (items.len() as u64, draw(3));
                items.push((slot, item));
                if now > before {
                    come.push((item, (now - before) as u32));
                } else if now < before {
                    gone.push((reference.len() as u64, (before - now) as u32));
                }
                if before > 0 {
                    reference.push((item, before as u32));
                }
            }
            let marks = Marks::new(items.into_iter(), &reference, &packing);
            let (mut found, mut missed) = (Vec::new(), Vec::new());
            marks.read(&packing, &words, &mut found, &mut missed);
            assert_eq!((found, missed), (come, gone), "seed {seed}");
        }
    }
}
