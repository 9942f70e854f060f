//! The enabled actions of a small net, by tables alone.
//!
//! Whether an action is enabled is a conjunction of conditions, each on the value of one slot: enough tokens to
//! take, few enough not to be inhibited. So each slot's value rules actions out on its own, and the enabled ones are what
//! no slot rules out: an intersection of sets of bits. The bits of a packed state are cut into chunks of whole fields,
//! and a table gives for each value of a chunk the actions that it leaves:
//!
//! ```text
//!  state    | 101 01 | 1 10 011 | ...        tables[0][10101]   1 1 0 1 1 0 1 ...
//!             chunk 0   chunk 1              tables[1][110011]  1 0 0 1 1 1 1 ...
//!                                            enabled            1 0 0 1 1 0 1 ...
//! ```
//!
//! **Cost.** A look-up for each chunk of about six bits, as many words as the actions need bits for; no test of any
//! action. Tables take 2^6 such sets a chunk, so this is for nets with some hundreds of actions at most.

use petite_bits::{Field, Packing, SlotIdx};

use crate::ActionId;

/// Bits of a chunk, unless one field is wider.
const CHUNK_BITS: u32 = 6;

/// The widest field that a table is made for.
const WIDEST: u8 = 10;

/// Most words of all tables together: they are to stay in the processor's cache.
const MOST_WORDS: usize = 1 << 15;

/// The tables.
#[derive(Debug, Default)]
pub(crate) struct Masks {
    chunks: Vec<Chunk>,
    /// The sets of all chunks, one for each value.
    tables: Vec<u64>,
    /// Words of a set.
    n_words: usize,
    /// The set of all actions.
    all: Vec<u64>,
    /// The set of the state at hand.
    enabled: Vec<u64>,
}

/// Some neighbouring fields of a word.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    word: u32,
    shift: u32,
    mask: u64,
    /// Where its table begins.
    table: u32,
}

/// What an action asks of a slot: a value from `least` on and below `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub slot: SlotIdx,
    pub least: u32,
    pub end: u32,
}

impl Masks {
    /// The tables of actions with these conditions; none where they would be too large.
    pub fn new<I: Iterator<Item = Condition>>(
        packing: &Packing,
        n_actions: usize,
        conditions: impl Fn(ActionId) -> I,
    ) -> Option<Masks> {
        let n_words = n_actions.div_ceil(64).max(1);
        let fields = (0..packing.n_slots()).map(|slot| packing.field(SlotIdx::new(slot)));
        let mut masks = Masks { n_words, enabled: vec![0; n_words], ..Masks::default() };
        let mut chunk_of = Vec::new();
        let mut n_sets = 0usize;
        for field in fields {
            if field.width > WIDEST {
                return None;
            }
            masks.add_field(field, &mut n_sets);
            chunk_of.push(masks.chunks.len().saturating_sub(1));
            if n_sets * n_words > MOST_WORDS {
                return None;
            }
        }
        masks.all = vec![!0; n_words];
        masks.all[n_words - 1] =
            if n_actions.is_multiple_of(64) && n_actions > 0 { !0 } else { (1 << (n_actions % 64)) - 1 };
        masks.tables = masks.all.repeat(n_sets);
        for action in (0..n_actions).map(ActionId::new) {
            for condition in conditions(action) {
                masks.rule_out(packing, chunk_of[condition.slot.index()], action, condition);
            }
        }
        Some(masks)
    }

    /// Appends the enabled actions of a state in the order of their numbers.
    #[inline]
    pub fn find(&mut self, words: &[u64], actions: &mut Vec<ActionId>) {
        match self.n_words {
            1 => self.find_in::<1>(words, actions),
            2 => self.find_in::<2>(words, actions),
            3 => self.find_in::<3>(words, actions),
            4 => self.find_in::<4>(words, actions),
            _ => {
                let mut enabled = std::mem::take(&mut self.enabled);
                enabled.copy_from_slice(&self.all);
                for chunk in &self.chunks {
                    let set = chunk.set_at(words, self.n_words);
                    let set = &self.tables[set..set + self.n_words];
                    enabled.iter_mut().zip(set).for_each(|(enabled, left)| *enabled &= left);
                }
                list(&enabled, actions);
                self.enabled = enabled;
            }
        }
    }

    /// Roughly the instructions that a state takes.
    pub fn cost(&self) -> usize {
        self.chunks.len() * (6 + 3 * self.n_words)
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.chunks.capacity() * size_of::<Chunk>()
            + (self.tables.capacity() + self.all.capacity() + self.enabled.capacity()) * size_of::<u64>()
    }

    #[inline(always)]
    fn find_in<const N: usize>(&self, words: &[u64], actions: &mut Vec<ActionId>) {
        let mut enabled = [0; N];
        enabled.copy_from_slice(&self.all);
        for chunk in &self.chunks {
            let set = chunk.set_at(words, N);
            for (enabled, left) in enabled.iter_mut().zip(&self.tables[set..set + N]) {
                *enabled &= left;
            }
        }
        list(&enabled, actions);
    }

    /// Puts a field into the last chunk, or into one of its own.
    fn add_field(&mut self, field: Field, n_sets: &mut usize) {
        if field.width == 0 && !self.chunks.is_empty() {
            return;
        }
        let end = u32::from(field.shift) + u32::from(field.width);
        if let Some(last) = self.chunks.last_mut()
            && last.word == field.word
            && end - last.shift <= CHUNK_BITS
        {
            last.mask = (1 << (end - last.shift)) - 1;
            *n_sets = (last.table as usize) + last.mask as usize + 1;
            return;
        }
        let chunk = Chunk {
            word: field.word,
            shift: u32::from(field.shift),
            mask: (1 << field.width) - 1,
            table: *n_sets as u32,
        };
        *n_sets += chunk.mask as usize + 1;
        self.chunks.push(chunk);
    }

    /// Takes an action out of the sets of all values that do not meet its condition.
    fn rule_out(&mut self, packing: &Packing, chunk: usize, action: ActionId, condition: Condition) {
        let field = packing.field(condition.slot);
        let chunk = self.chunks[chunk];
        let shift =
            u32::from(field.shift) - if field.width == 0 { u32::from(field.shift) } else { chunk.shift };
        for value in 0..=chunk.mask {
            let count = (value >> shift) as u32 & field.max();
            if count < condition.least || count >= condition.end {
                let set = (chunk.table as usize + value as usize) * self.n_words;
                self.tables[set + action.index() / 64] &= !(1 << (action.0 % 64));
            }
        }
    }
}

impl Chunk {
    /// Where the set of a state is in the tables.
    #[inline]
    fn set_at(&self, words: &[u64], n_words: usize) -> usize {
        let value = words[self.word as usize] >> self.shift & self.mask;
        (self.table as usize + value as usize) * n_words
    }
}

/// Appends the numbers of the set bits.
#[inline]
fn list(set: &[u64], actions: &mut Vec<ActionId>) {
    for (at, &word) in set.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            actions.push(ActionId((at * 64) as u32 + rest.trailing_zeros()));
            rest &= rest - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    /// Random conditions in random states, against testing each of them.
    #[test]
    fn tables_say_what_tests_say() {
        let mut seed = 5u64;
        let mut below = |n: u64| {
            seed = mix64(seed.wrapping_add(1));
            seed % n
        };
        let mut made = 0;
        for _ in 0..400 {
            let widths: Vec<u8> = (0..1 + below(90)).map(|_| [0, 1, 1, 2, 3, 9][below(6) as usize]).collect();
            let packing = Packing::new(&widths);
            let n_actions = below(300) as usize;
            let mut n_drawn = n_actions;
            let conditions: Vec<Vec<Condition>> = (0..n_actions)
                .map(|_| {
                    let draw = |_| Condition {
                        slot: SlotIdx(below(widths.len() as u64) as u32),
                        least: below(2) as u32,
                        end: [u32::MAX, u32::MAX, 1, 3][below(4) as usize],
                    };
                    let n = [0, 1, 2, 4][n_drawn % 4];
                    n_drawn += 1;
                    (0..n).map(draw).collect()
                })
                .collect();
            let masks = Masks::new(&packing, n_actions, |action| conditions[action.index()].iter().copied());
            let Some(mut masks) = masks else { continue };
            made += 1;
            for _ in 0..20 {
                let mut words = vec![0; packing.n_words()];
                for slot in (0..widths.len()).map(SlotIdx::new) {
                    let value = below(u64::from(packing.field(slot).max()) + 1).min(below(5)) as u32;
                    packing.set(&mut words, slot, value).unwrap();
                }
                let is_met = |condition: &Condition| {
                    (condition.least..condition.end).contains(&packing.get(&words, condition.slot))
                };
                let expected: Vec<_> = (0..n_actions)
                    .map(ActionId::new)
                    .filter(|a| conditions[a.index()].iter().all(is_met))
                    .collect();
                let mut found = Vec::new();
                masks.find(&words, &mut found);
                assert_eq!(found, expected, "{widths:?}");
            }
        }
        assert!(made > 100, "{made}");
    }
}
