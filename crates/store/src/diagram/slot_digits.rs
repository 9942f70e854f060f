//! Slots as the digits of a diagram.
//!
//! The slots come in a chosen order, each with its highest bit first. Neighbours that are narrow together make up one
//! digit of at most [`GROUP_BITS`] bits: a level of the diagram costs time and memory, and a place with a slot
//! for each of its colours has many slots of one bit.
//!
//! ```text
//!  slots in order   a:1  b:1  c:3  d:2      e:12             f:4
//!  digits           | a b c c c d d |       | e ... e |      | f f f f |
//! ```
//!
//! **Growing fields.** A slot that is wider after a repacking has more bits in its digit. Slots with a known bound never
//! get wider than that, and only they (and those of a single bit, which are mostly promised to be safe) share a
//! digit; where such a promise is broken, all digits are cut anew, which costs a walk through the whole diagram.

use petite_bits::{Packing, SlotIdx, width_of};
use petite_model::{Layout, Model};

use super::{DigitSource, Digits, Format, Keyed, Reform};
use crate::{Figure, StoreError};

/// Most bits of a digit that several slots share.
pub const GROUP_BITS: u8 = 8;

/// Slots in a chosen order as digits.
#[derive(Debug)]
pub struct SlotDigits {
    format: Format,
    /// The slots of each digit, in order.
    digits: Vec<Vec<SlotIdx>>,
    pieces: Vec<Piece>,
    /// How the order was found, in words.
    order_name: String,
}

/// Adjacent bits of a state that are adjacent in a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    word: u32,
    digit: u32,
    shift: u8,
    width: u8,
    /// Distance from the digit's lowest bit.
    up: u8,
    /// Whether the lowest bit becomes the highest: a run of slots of one bit each.
    is_reversed: bool,
}

impl SlotDigits {
    /// The slots of a layout in the given order, as they are packed now.
    pub fn new(layout: &Layout, packing: &Packing, order: &[SlotIdx], order_name: &str) -> SlotDigits {
        let width = |slot: SlotIdx| packing.field(slot).width;
        let may_share = |slot: SlotIdx| match layout.slots[slot.index()].bound {
            Some(bound) => width_of(bound) <= width(slot),
            None => width(slot) <= 1,
        };
        let mut digits: Vec<Vec<SlotIdx>> = Vec::new();
        let mut room = 0;
        for &slot in order {
            if width(slot) == 0 && may_share(slot) {
                // It is always zero. Should that change, a digit for it will come.
                continue;
            }
            if may_share(slot) && width(slot) <= room {
                room -= width(slot);
                if let Some(digit) = digits.last_mut() {
                    digit.push(slot);
                }
                continue;
            }
            digits.push(vec![slot]);
            room = if may_share(slot) { GROUP_BITS.saturating_sub(width(slot)) } else { 0 };
        }
        let mut made = SlotDigits {
            format: Format::new(Vec::new()),
            digits,
            pieces: Vec::new(),
            order_name: order_name.to_owned(),
        };
        made.cut(packing);
        made
    }

    /// Writes the key of a state.
    #[inline]
    pub fn write(&self, words: &[u64], key: &mut [u8]) {
        let mut at = 0;
        for digit in 0..self.format.n_digits() {
            let mut value = 0;
            while let Some(piece) = self.pieces.get(at).filter(|piece| piece.digit as usize == digit) {
                let mut bits = words[piece.word as usize] >> piece.shift & (!0 >> (64 - piece.width));
                if piece.is_reversed {
                    bits = bits.reverse_bits() >> (64 - piece.width);
                }
                value |= bits << piece.up;
                at += 1;
            }
            self.format.set_digit(key, digit, value as u32);
        }
    }

    /// Finds where the bits of the digits are.
    fn cut(&mut self, packing: &Packing) {
        let width = |slot: &SlotIdx| packing.field(*slot).width;
        let bits: Vec<u8> = self.digits.iter().map(|slots| slots.iter().map(width).sum()).collect();
        self.pieces.clear();
        for (digit, slots) in self.digits.iter().enumerate() {
            let mut up = bits[digit];
            for &slot in slots {
                let field = packing.field(slot);
                up -= field.width;
                if field.width == 0 {
                    continue;
                }
                if let Some(last) = self.pieces.last_mut()
                    && last.digit == digit as u32
                    && last.word == field.word
                    && field.width == 1
                    && (last.is_reversed || last.width == 1)
                    && last.shift + last.width == field.shift
                {
                    last.width += 1;
                    last.up = up;
                    last.is_reversed = true;
                    continue;
                }
                let (word, digit) = (field.word, digit as u32);
                let (shift, width) = (field.shift, field.width);
                self.pieces.push(Piece { word, digit, shift, width, up, is_reversed: false });
            }
        }
        self.format = Format::new(bits);
    }

    /// The slots of all bits, in order, each with the number of the bit in its slot.
    fn slot_bits(&self, packing: &Packing) -> Vec<(SlotIdx, u8)> {
        let slots = self.digits.iter().flatten();
        slots.flat_map(|&slot| (0..packing.field(slot).width).rev().map(move |bit| (slot, bit))).collect()
    }
}

impl DigitSource for SlotDigits {
    fn format(&self) -> &Format {
        &self.format
    }

    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<Option<Reform>, StoreError> {
        let old = self.format.clone();
        let old_bits = self.slot_bits(from);
        let is_wider = |slot: &SlotIdx| from.field(*slot).width < to.field(*slot).width;
        let n_slots = from.n_slots();
        let has_digit: Vec<bool> = {
            let mut has_digit = vec![false; n_slots];
            self.digits.iter().flatten().for_each(|slot| has_digit[slot.index()] = true);
            has_digit
        };
        let shared_is_wider = self.digits.iter().any(|slots| slots.len() > 1 && slots.iter().any(is_wider));
        let newcomers: Vec<SlotIdx> = (0..n_slots)
            .map(SlotIdx::new)
            .filter(|slot| !has_digit[slot.index()] && is_wider(slot))
            .collect();
        let same_digits = !shared_is_wider && newcomers.is_empty();
        if shared_is_wider {
            // A promise was broken, and others may be: from now on those slots are alone.
            let alone = |slots: Vec<SlotIdx>| match slots.iter().any(is_wider) {
                true => slots.into_iter().map(|slot| vec![slot]).collect(),
                false => vec![slots],
            };
            self.digits = std::mem::take(&mut self.digits).into_iter().flat_map(alone).collect();
        }
        self.digits.extend(newcomers.into_iter().map(|slot| vec![slot]));
        self.cut(to);
        if self.format == old && same_digits {
            return Ok(None);
        }
        let new_bits = self.slot_bits(to);
        let mut numbers = std::collections::HashMap::with_capacity(new_bits.len());
        numbers.extend(new_bits.into_iter().zip(0u32..));
        let kept = old_bits.iter().map(|bit| numbers[bit]).collect();
        Ok(Some(Reform { old, kept, same_digits }))
    }

    fn widen(&mut self) -> Reform {
        Reform::widened(&self.format, &self.format)
    }

    fn bytes(&self) -> usize {
        self.format.bytes()
            + self.pieces.capacity() * size_of::<Piece>()
            + self.digits.capacity() * size_of::<Vec<SlotIdx>>()
            + self.digits.iter().map(|slots| slots.capacity() * size_of::<SlotIdx>()).sum::<usize>()
            + self.order_name.capacity()
    }

    fn figures(&self) -> Vec<Figure> {
        vec![
            Figure::words("variable order", self.order_name.clone()),
            Figure::count("levels", self.format.n_digits() as u64),
        ]
    }
}

impl<M: Model> Digits<M> for SlotDigits {
    /// Slots always fit, because a packing only changes by [`DigitSource::repack`].
    #[inline]
    fn write_key(&mut self, _: &mut M, words: &[u64], key: &mut [u8]) -> Result<Keyed, StoreError> {
        self.write(words, key);
        Ok(Keyed::Written)
    }
}
