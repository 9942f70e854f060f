//! Moving many states from one packing to a wider one.
//!
//! When a field is widened, nearly all others keep their width and only shift. A [`Repacking`] finds, once for
//! the two packings, the longest blocks of bits that move as a whole; a state then moves with one shift, mask
//! and shift a block instead of one lookup a slot.
//!
//! ```text
//!  from   | a | b | c |  d  | e |          blocks:  a b c   (one)
//!                                                   d       (its field is wider, its bits are not)
//!  to     | a | b | c |   d   | e |                 e
//! ```

use crate::{Packing, SlotIdx};

/// A plan to move states from one packing to another that is at least as wide in every slot.
#[derive(Clone, Debug)]
pub struct Repacking {
    blocks: Vec<Block>,
    from_words: usize,
    to_words: usize,
}

/// Adjacent bits inside one word that stay adjacent inside one word.
#[derive(Clone, Copy, Debug)]
struct Block {
    from_word: u32,
    to_word: u32,
    from_shift: u8,
    to_shift: u8,
    /// Number of bits, 1 to 64.
    width: u8,
}

impl Repacking {
    /// Plans the moves.
    ///
    /// # Panics
    /// When the packings differ in the number of slots or a slot gets narrower: models only ever widen.
    pub fn new(from: &Packing, to: &Packing) -> Repacking {
        assert_eq!(from.n_slots(), to.n_slots(), "a repacking keeps the slots");
        let mut blocks: Vec<Block> = Vec::new();
        for slot in (0..from.n_slots()).map(SlotIdx::new) {
            let (old, new) = (from.field(slot), to.field(slot));
            assert!(old.width <= new.width, "a repacking never narrows a slot");
            if old.width == 0 {
                continue;
            }
            if let Some(last) = blocks.last_mut()
                && (last.from_word, last.to_word) == (old.word, new.word)
                && last.from_shift + last.width == old.shift
                && last.to_shift + last.width == new.shift
            {
                last.width += old.width;
                continue;
            }
            blocks.push(Block {
                from_word: old.word,
                to_word: new.word,
                from_shift: old.shift,
                to_shift: new.shift,
                width: old.width,
            });
        }
        Repacking { blocks, from_words: from.n_words(), to_words: to.n_words() }
    }

    /// Number of words of a state before.
    pub fn from_words(&self) -> usize {
        self.from_words
    }

    /// Number of words of a state afterwards.
    pub fn to_words(&self) -> usize {
        self.to_words
    }

    /// Moves one state.
    #[inline]
    pub fn apply(&self, from: &[u64], to: &mut [u64]) {
        to.fill(0);
        for block in &self.blocks {
            let mask = !0u64 >> (64 - block.width);
            let bits = from[block.from_word as usize] >> block.from_shift & mask;
            to[block.to_word as usize] |= bits << block.to_shift;
        }
    }

    /// Moves all states of a buffer that holds them one behind the other.
    pub fn apply_all(&self, states: &mut Vec<u64>) {
        let n_states = states.len() / self.from_words;
        let mut moved = vec![0; n_states * self.to_words];
        for (old, new) in states.chunks_exact(self.from_words).zip(moved.chunks_exact_mut(self.to_words)) {
            self.apply(old, new);
        }
        *states = moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outgrown, mix64};

    #[test]
    fn blocks_move_what_slots_hold() {
        for seed in 0..200u64 {
            let random = |i: u64| mix64(seed << 32 | i);
            let n_slots = random(0) % 90;
            let widths: Vec<u8> = (0..n_slots).map(|i| (random(i + 1) % 12) as u8).collect();
            let from = Packing::new(&widths);
            let mut to = from.clone();
            for round in 0..random(1000) % 4 {
                if n_slots > 0 {
                    let slot = SlotIdx((random(2000 + round) % n_slots) as u32);
                    let value = 1 << (u32::from(to.field(slot).width) + random(3000) as u32 % 3);
                    to = to.widened(Outgrown { slot, value });
                }
            }
            let mut state = vec![0; from.n_words()];
            for slot in (0..n_slots as u32).map(SlotIdx) {
                let value = random(4000 + u64::from(slot.0)) as u32 & from.field(slot).max();
                from.set(&mut state, slot, value).unwrap();
            }
            let mut expected = vec![0; to.n_words()];
            from.repack(&state, &to, &mut expected).unwrap();
            let plan = Repacking::new(&from, &to);
            let mut twice = [state.clone(), state].concat();
            plan.apply_all(&mut twice);
            assert_eq!(twice, [expected.clone(), expected].concat(), "seed {seed}");
        }
    }

    #[test]
    fn an_unchanged_packing_moves_whole_words() {
        let packing = Packing::new(&[16; 8]);
        assert_eq!(Repacking::new(&packing, &packing).blocks.len(), 2);
    }
}
