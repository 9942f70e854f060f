//! What actions do to halves, remembered.
//!
//! Where an action does to each slot what that slot's value alone decides, the left half of a successor follows from the left
//! half and the action. There are few halves, so the same question comes up thousands of times; a small table of
//! answers spares firing the action and looking the tree's nodes up. An entry is overwritten by the next one that
//! falls on it, and holds its question in full, so a wrong answer is impossible:
//!
//! ```text
//!  63            43 42  41           21 20            0
//!  +---------------+---+---------------+--------------+
//!  | action + 1    | s |  half         |  its image   |     s: left or right; zero is an empty entry
//!  +---------------+---+---------------+--------------+
//! ```
//!
//! **Cost.** 8 bytes for each 64 to 128 states at most, so half a bit to one a state; fewer where few answers get lost. Larger
//! numbers than fit are not remembered.

use petite_bits::mix64;

/// Bits of a half's number.
const HALF_BITS: u32 = 21;

/// Bits of an action's number.
const ACTION_BITS: u32 = 64 - 2 * HALF_BITS - 1;

/// States for each entry, at least.
const STATES_AN_ENTRY: usize = 64;

/// Answers given between two calls of [`Memo::fit`] that are too many, and the number of such calls after which the table grows.
const MANY_ANSWERS: usize = 256;
const PATIENCE: u32 = 4;

/// Entries at least and at most, as powers of two: more do not fit a processor's cache.
const ENTRIES: (u32, u32) = (8, 17);

/// Which half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// A table of answers.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// A power of two of them, or none.
    entries: Vec<u64>,
    /// Answers that were given since the table was last looked at, and how often there were many of them.
    n_given: usize,
    n_complaints: u32,
}

impl Memo {
    /// What an action makes of a half, if that is remembered.
    #[inline]
    pub fn image(&self, side: Side, action: u32, half: u32) -> Option<u32> {
        let question = question(side, action, half)?;
        let entry = *self.entries.get(self.place(question))?;
        (entry >> HALF_BITS == question).then_some((entry & ((1 << HALF_BITS) - 1)) as u32)
    }

    /// Remembers what an action makes of a half.
    #[inline]
    pub fn remember(&mut self, side: Side, action: u32, half: u32, image: u32) {
        if let Some(question) = question(side, action, half)
            && image >> HALF_BITS == 0
        {
            self.n_given += 1;
            let place = self.place(question);
            if let Some(entry) = self.entries.get_mut(place) {
                *entry = question << HALF_BITS | u64::from(image);
            }
        }
    }

    /// Makes the table larger where answers get lost, up to a size that suits the number of states. Without memory for more
    /// it stays as it is.
    pub fn fit(&mut self, n_states: usize) {
        let most = 1 << (n_states / STATES_AN_ENTRY).max(1).ilog2().clamp(ENTRIES.0, ENTRIES.1);
        let wanted = (self.entries.len() * 2).max(1 << ENTRIES.0);
        self.n_complaints += u32::from(std::mem::take(&mut self.n_given) > MANY_ANSWERS);
        if wanted <= most && (self.n_complaints >= PATIENCE || self.entries.is_empty()) {
            let more = wanted - self.entries.len();
            if self.entries.try_reserve_exact(more).is_ok() {
                // Answers are looked for elsewhere now.
                self.entries.fill(0);
                self.entries.resize(wanted, 0);
                self.n_complaints = 0;
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(0);
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<u64>()
    }

    #[inline]
    fn place(&self, question: u64) -> usize {
        mix64(question) as usize & self.entries.len().wrapping_sub(1)
    }
}

/// A question as a number, never zero; none where it is too large.
#[inline]
fn question(side: Side, action: u32, half: u32) -> Option<u64> {
    let fits = half >> HALF_BITS == 0 && (u64::from(action) + 1) >> ACTION_BITS == 0;
    let side = u64::from(side == Side::Right);
    fits.then_some((u64::from(action) + 1) << 1 << HALF_BITS | side << HALF_BITS | u64::from(half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_right_or_forgotten() {
        let mut memo = Memo::default();
        assert_eq!(memo.image(Side::Left, 0, 0), None);
        memo.remember(Side::Left, 0, 0, 5);
        memo.fit(200_000);
        let image = |side: Side, action: u32, half: u32| half * 7 + action + u32::from(side == Side::Left);
        let mut known = 0;
        for _ in 0..12 {
            for i in 0..3000u32 {
                if i % 500 == 0 {
                    memo.fit(200_000);
                }
                let (side, action, half) = ([Side::Left, Side::Right][i as usize % 2], i % 13, i / 26);
                match memo.image(side, action, half) {
                    Some(found) => {
                        assert_eq!(found, image(side, action, half));
                        known += 1;
                    }
                    None => memo.remember(side, action, half, image(side, action, half)),
                }
            }
        }
        assert!(memo.entries.len() > 256, "answers got lost");
        assert!(known > 1000, "{known}");
        memo.remember(Side::Left, 3, 1 << HALF_BITS, 1);
        memo.remember(Side::Left, u32::MAX - 1, 1, 1);
        memo.remember(Side::Left, 1, 1, u32::MAX);
        assert_eq!(memo.image(Side::Left, 3, 1 << HALF_BITS), None);
        memo.clear();
        assert_eq!(memo.image(Side::Left, 0, 0), None);
    }
}
