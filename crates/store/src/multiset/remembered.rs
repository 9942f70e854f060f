//! The last codes of a place that has too many bits for a codebook.
//!
//! The bits of its slots in the packed state are the key, and the bits of its code the value of a small table, of which the
//! places that change rarely need a few entries and others many. A table that was of no use lately is not asked for
//! a while: looking in vain takes as long as a place with few tokens.
//!
//! **Exact**: the code of a place is a function of its slots alone, and these are compared as a whole.

use petite_bits::{BitWriter, MemoEntry, WordMemo};

use super::blocks::Piece;

/// Words of the longest key and of the longest code that are remembered.
const MOST_WORDS: usize = 32;

/// Words of a value before those of the code: whether the place is quiet, and in the lower half the number of bits.
const HEAD: usize = 1;

/// Look-ups after which a table is judged.
const WINDOW: u32 = 1024;

/// Look-ups that a table is left alone that was of no use.
const REST: u32 = 16 * WINDOW;

/// A table of codes by the bits of a place.
#[derive(Clone, Debug)]
pub(super) struct Remembered {
    memo: WordMemo,
    n_asked: u32,
    n_missed: u32,
    /// Look-ups until the table is asked again.
    rest: u32,
}

impl Remembered {
    /// For bits in so many words, in at most so many bytes; none where not even a few pieces have room.
    pub fn new(n_words: usize, most_bytes: usize) -> Option<Remembered> {
        let memo = WordMemo::new(n_words, HEAD + 1, most_bytes);
        let has_room = n_words <= MOST_WORDS && memo.has_room();
        has_room.then_some(Remembered { memo, n_asked: 0, n_missed: 0, rest: 0 })
    }

    /// Where the piece for these bits is, if it is here. It is there until the next one is noted.
    #[inline]
    pub fn find(&mut self, bits: &[u64]) -> Option<MemoEntry> {
        if self.rest > 0 {
            self.rest -= 1;
            return None;
        }
        self.n_asked += 1;
        if self.n_asked == WINDOW {
            self.judge();
        }
        self.entry(bits)
    }

    /// Puts a piece that was found into a code; gives a bit for each place that is quiet.
    #[inline]
    pub fn put(&self, entry: MemoEntry, code: &mut BitWriter) -> u32 {
        let [head, bits @ ..] = self.memo.value(entry) else { return 0 };
        code.put_words(bits, *head as u32 as usize);
        (head >> 32) as u32
    }

    #[inline]
    fn entry(&self, bits: &[u64]) -> Option<MemoEntry> {
        // Numbers of words that are known are compared without a loop.
        match *bits {
            [only] => self.memo.find([only]),
            [first, second] => self.memo.find([first, second]),
            [first, second, third] => self.memo.find([first, second, third]),
            _ => self.memo.find(bits),
        }
    }

    /// Takes note of the piece for these bits, which was not here; where it has more than a word, all of it is in `long`.
    pub fn note(&mut self, bits: &[u64], piece: Piece, long: &[u64]) {
        if self.rest > 0 {
            return;
        }
        self.n_missed += 1;
        let short = [piece.bits];
        let code = if piece.n_bits < 64 { &short } else { long };
        if code.len() > MOST_WORDS {
            return;
        }
        if HEAD + code.len() > self.memo.n_value() {
            self.memo.clear(HEAD + code.len());
        }
        let head = u64::from(piece.quiet) << 32 | u64::from(piece.n_bits);
        self.memo.note(bits, [head].into_iter().chain(code.iter().copied()));
    }

    /// Looks at what the table was good for lately.
    #[cold]
    fn judge(&mut self) {
        if 2 * self.n_missed > self.n_asked {
            self.rest = REST;
        }
        (self.n_asked, self.n_missed) = (0, 0);
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.memo.bytes()
    }
}
