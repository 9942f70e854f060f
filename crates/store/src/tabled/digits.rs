//! Indices into tables as the digits of a diagram.
//!
//! Paper 4 joins its compression with the diagram (section 5.2): there are fewer bits, so fewer levels. With an n-ary
//! diagram each index is a level of its own, and because indices are given consecutively, ranges are frequent.

use petite_bits::Packing;
use petite_model::Model;

use super::Tabled;
use crate::diagram::{DigitSource, Digits, Format, Keyed, Reform};
use crate::{Coding, Figure, StoreError};

/// The indices that a codec by tables gives, as digits.
#[derive(Debug)]
pub struct PartDigits {
    codec: Tabled,
    format: Format,
    /// The part whose index did not fit, and that index.
    outgrown: Option<(usize, u32)>,
}

impl PartDigits {
    /// The indices of a codec.
    pub fn new(codec: Tabled) -> PartDigits {
        let format = format_of(&codec);
        PartDigits { codec, format, outgrown: None }
    }
}

impl DigitSource for PartDigits {
    fn format(&self) -> &Format {
        &self.format
    }

    /// Indices stay what they are.
    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<Option<Reform>, StoreError> {
        self.codec.repack(from, to)?;
        Ok(None)
    }

    fn widen(&mut self) -> Reform {
        if let Some((part, index)) = self.outgrown.take() {
            self.codec.widen(part, index);
        }
        let old = std::mem::replace(&mut self.format, format_of(&self.codec));
        Reform::widened(&old, &self.format)
    }

    fn bytes(&self) -> usize {
        self.codec.bytes() + self.format.bytes()
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = vec![Figure::words("codec", self.codec.name())];
        figures.extend(self.codec.figures());
        figures
    }
}

impl<M: Model> Digits<M> for PartDigits {
    #[inline]
    fn write_key(&mut self, _: &mut M, words: &[u64], key: &mut [u8]) -> Result<Keyed, StoreError> {
        for part in 0..self.codec.parts.len() {
            let Tabled { parts, content, .. } = &mut self.codec;
            let index = parts[part].number(words, content)?;
            if self.codec.is_too_wide(part, index) {
                self.outgrown = Some((part, index));
                return Ok(Keyed::Outgrown);
            }
            self.format.set_digit(key, part, index);
        }
        Ok(Keyed::Written)
    }
}

fn format_of(codec: &Tabled) -> Format {
    Format::new(codec.widths.iter().map(|&width| width as u8).collect())
}
