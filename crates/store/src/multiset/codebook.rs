//! All codes of a few places that have few bits together.
//!
//! Where the slots of some places have at most a dozen bits in the packed state, these bits are a number, and a table has the
//! code for each such number. A code is written the first time that it is needed.
//!
//! ```text
//!  packed state   ... | place 3 | place 4 | ...        bits 0110 1001 = 105
//!                                                            |
//!  codebook       | 0: - | 1: 01011 | ... | 105: 110100010 | ... | 255: - |
//! ```
//!
//! **Cost.** 16 bytes for each number, from the time on when half as many states were written as there are numbers. Looking a
//! code up takes a dozen instructions and compares nothing.

use super::blocks::Piece;

/// Bits of a piece that is not there yet.
const NOTHING: u32 = u32::MAX;

/// A table of codes.
#[derive(Clone, Debug)]
pub(super) struct Codebook {
    parts: Box<[Part]>,
    /// Bits of the number.
    key_bits: u32,
    /// The piece of each number; none at first.
    pieces: Vec<Piece>,
    /// States written without the table.
    n_written: usize,
}

/// Bits of a word that are part of the number.
#[derive(Clone, Copy, Debug)]
struct Part {
    word: u32,
    /// How far they are down in the word, and up in the number.
    down: u8,
    up: u8,
    mask: u64,
}

impl Codebook {
    /// For the bits of these masks, each with its word.
    pub fn new(masks: &[(u32, u64)]) -> Codebook {
        let mut up = 0;
        let parts = masks.iter().map(|&(word, mask)| {
            let part =
                Part { word, down: mask.trailing_zeros() as u8, up, mask: mask >> mask.trailing_zeros() };
            up += span(mask) as u8;
            part
        });
        Codebook { parts: parts.collect(), key_bits: key_bits(masks), pieces: Vec::new(), n_written: 0 }
    }

    /// The piece of a state, if it is here.
    #[inline]
    pub fn find(&self, words: &[u64]) -> Option<Piece> {
        let piece = *self.pieces.get(self.number(words))?;
        (piece.n_bits != NOTHING).then_some(piece)
    }

    /// Takes note of a piece that was not here; one of more than a word is not kept. The table is made when it is worth it;
    /// where there is no memory for it, that is tried again later.
    pub fn note(&mut self, words: &[u64], piece: Piece) {
        if self.pieces.is_empty() {
            self.n_written += 1;
            let n = 1 << self.key_bits;
            if 2 * self.n_written < n {
                return;
            }
            self.n_written = 0;
            if self.pieces.try_reserve_exact(n).is_err() {
                return;
            }
            self.pieces.resize(n, Piece { n_bits: NOTHING, ..Piece::default() });
        }
        if piece.n_bits <= 64 {
            let number = self.number(words);
            self.pieces[number] = piece;
        }
    }

    #[inline]
    fn number(&self, words: &[u64]) -> usize {
        let part = |part: &Part| (words[part.word as usize] >> part.down & part.mask) << part.up;
        match &*self.parts {
            [only] => part(only) as usize,
            parts => parts.iter().map(part).sum::<u64>() as usize,
        }
    }

    /// Bytes of the table at most.
    pub fn most_bytes(masks: &[(u32, u64)]) -> usize {
        size_of::<Piece>() << key_bits(masks)
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.parts) + self.pieces.capacity() * size_of::<Piece>()
    }
}

/// Bits of the number that these masks make up, with those between them.
pub(super) fn key_bits(masks: &[(u32, u64)]) -> u32 {
    masks.iter().map(|&(_, mask)| span(mask)).sum()
}

fn span(mask: u64) -> u32 {
    64 - mask.leading_zeros() - mask.trailing_zeros().min(64 - mask.leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_apart() {
        // Five bits at the end of a word, one of which does not count, and three at the beginning of the next.
        let masks = [(1, 0b11011 << 59), (2, 0b111)];
        assert_eq!((key_bits(&masks), Codebook::most_bytes(&masks)), (8, 256 * 16));
        let mut book = Codebook::new(&masks);
        let words = |number: u64| [!0, (number & 31 & !4) << 59 | 5, number >> 5 | 64];
        let piece = |number: u64| Piece { bits: number, n_bits: 11, quiet: number as u32 };
        let values = || (0..256).filter(|number| number & 4 == 0);
        assert!((0..127).all(|_| {
            book.note(&words(3), piece(3));
            book.find(&words(3)).is_none()
        }));
        assert_eq!(book.pieces.capacity(), 0);
        for number in values() {
            assert!(book.find(&words(number)).is_none());
            book.note(&words(number), piece(number));
        }
        for number in values() {
            let found = book.find(&words(number)).unwrap();
            assert_eq!((found.bits, found.n_bits, found.quiet), (number, 11, number as u32));
        }
        assert_eq!(Codebook::new(&[]).key_bits, 0);
    }
}
