//! Actions word by word.
//!
//! An action needs, takes and gives counts in a few slots, and several of them often share a word of the packed
//! state. All fields of a word are tested and changed at once: a test is a comparison of every field with a least or a
//! greatest value ([`not_less`]), a change is one addition.
//!
//! ```text
//!  state    | 3 | 0 | 2 | 1 |        needs    | 0 | 0 | 1 | 1 |   no field of the state is less
//!                                    room     | ~ | 1 | ~ | ~ |   no field of the state is more; ~ is all ones
//!  change   | 0 |+2 |-1 |-1 |   =    | 3 | 2 | 1 | 0 |            one addition: nothing is carried between fields
//! ```
//!
//! Not every action can be written this way: an amount may be wider than its field, until that is widened, and an
//! action may do more than to change counts. Such an action is not *plain* and is left to the slot-wise way of
//! [`Effects`](crate::effects::Effects).
//!
//! **Cost.** 16 bytes for each word that is tested, 48 for each that is changed and 16 for the action, and about ten
//! instructions for each word.

use petite_bits::{Packing, SlotIdx, not_less, slot_key};

use crate::{ActionId, effects::Direction, lists::Lists};

/// What the actions of a model need and change in each word.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    needs: Lists<Need>,
    heads: Vec<Head>,
    moves: Vec<Move>,
    /// What it takes to undo each of them.
    ways_back: Vec<WayBack>,
    /// The top bits of all fields, word by word.
    tops: Vec<u64>,
}

/// What is looked up first of an action.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// By how much it changes the hash.
    hash: u64,
    /// Where its moves start.
    start: u32,
    n_moves: u16,
    kind: Kind,
}

/// How an action can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Word by word, and that is all.
    Plain,
    /// Counts are tested word by word, but more is to be done than to change them.
    Testable,
    /// Nothing can be done word by word.
    Oversized,
}

/// The least value of each field of a word.
#[derive(Clone, Copy, Debug)]
struct Need {
    word: u32,
    least: u64,
}

/// How a word changes, and what its fields must be within for that.
#[derive(Clone, Copy, Debug)]
struct Move {
    word: u32,
    add: u64,
    /// Greatest values for the action to happen.
    room: u64,
    /// The top bits of the word's fields: they are wanted at once, and here they are at hand.
    tops: u64,
}

/// Least and greatest values of a word's fields for a change to be taken back.
#[derive(Clone, Copy, Debug)]
struct WayBack {
    least: u64,
    room: u64,
}

/// Whether an action was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// It was.
    Done,
    /// A count or a field would be exceeded, or the action is not plain; nothing has changed.
    Not,
}

impl Moves {
    /// No actions yet.
    pub fn new(packing: &Packing) -> Moves {
        Moves { tops: packing.tops().to_vec(), ..Moves::default() }
    }

    /// Adds the next action: the least counts that it needs, by how much it changes slots that may
    /// hold up to a limit, both in order of the slots, and whether it does `more` than that.
    pub fn push(
        &mut self,
        packing: &Packing,
        needs: impl Iterator<Item = (SlotIdx, u32)>,
        changes: impl Iterator<Item = (SlotIdx, i32, u32)>,
        more: bool,
    ) {
        let mut fits = true;
        let mut least: Vec<Need> = Vec::new();
        for (slot, count) in needs {
            let field = packing.field(slot);
            fits &= count <= field.max();
            let need = match least.last_mut().filter(|need| need.word == field.word) {
                Some(need) => need,
                None => {
                    least.push(Need { word: field.word, least: 0 });
                    let last = least.len() - 1;
                    &mut least[last]
                }
            };
            need.least |= u64::from(count & field.max()) << field.shift;
        }
        let (mut moves, mut hash) = (Vec::<(Move, WayBack)>::new(), 0u64);
        for (slot, by, limit) in changes {
            let field = packing.field(slot);
            let most = limit.min(field.max());
            let amount = by.unsigned_abs();
            fits &= amount <= most;
            let (step, back) = match moves.last_mut().filter(|(step, _)| step.word == field.word) {
                Some(both) => both,
                None => {
                    let tops = self.tops[field.word as usize];
                    let step = Move { word: field.word, add: 0, room: !0, tops };
                    moves.push((step, WayBack { least: 0, room: !0 }));
                    let last = moves.len() - 1;
                    &mut moves[last]
                }
            };
            let mask = u64::from(field.max()) << field.shift;
            let room = u64::from(most.saturating_sub(amount)) << field.shift;
            step.add = step.add.wrapping_add((i64::from(by) as u64) << field.shift);
            hash = hash.wrapping_add(slot_key(slot).wrapping_mul(i64::from(by) as u64));
            if by > 0 {
                step.room = step.room & !mask | room;
                back.least |= u64::from(amount & field.max()) << field.shift;
            } else {
                back.room = back.room & !mask | room;
            }
        }
        self.needs.push(least);
        let (start, n_moves) = (u32::try_from(self.moves.len()), u16::try_from(moves.len()));
        let (Ok(start), Ok(n_moves), true) = (start, n_moves, fits) else {
            self.heads.push(Head { hash, start: 0, n_moves: 0, kind: Kind::Oversized });
            return;
        };
        let kind = if more { Kind::Testable } else { Kind::Plain };
        self.heads.push(Head { hash, start, n_moves, kind });
        self.moves.extend(moves.iter().map(|(step, _)| step));
        self.ways_back.extend(moves.iter().map(|(_, back)| back));
    }

    /// By how much an action changes the hash through the counts.
    pub fn hash(&self, action: ActionId) -> u64 {
        self.heads[action.index()].hash
    }

    /// Whether a state has all counts that an action needs; not known where the action is oversized.
    #[inline]
    pub fn has_counts(&self, words: &[u64], action: ActionId) -> Option<bool> {
        if self.heads[action.index()].kind == Kind::Oversized {
            return None;
        }
        let is_met = |need: &Need| {
            let word = need.word as usize;
            not_less(words[word], need.least, self.tops[word])
        };
        Some(self.needs.get(action.index()).iter().all(is_met))
    }

    /// Lets an action happen in a state that has what it needs, or takes it back; the hash follows.
    #[inline(always)]
    pub fn apply(&self, direction: Direction, words: &mut [u64], hash: &mut u64, action: ActionId) -> Moved {
        let head = self.heads[action.index()];
        if head.kind == Kind::Plain { self.change(head, direction, words, hash, action) } else { Moved::Not }
    }

    /// The same for the counts of an action that does more than to change counts.
    pub fn apply_counts(
        &self,
        direction: Direction,
        words: &mut [u64],
        hash: &mut u64,
        action: ActionId,
    ) -> Moved {
        let head = self.heads[action.index()];
        if head.kind == Kind::Oversized {
            Moved::Not
        } else {
            self.change(head, direction, words, hash, action)
        }
    }

    #[inline(always)]
    fn change(
        &self,
        head: Head,
        direction: Direction,
        words: &mut [u64],
        hash: &mut u64,
        action: ActionId,
    ) -> Moved {
        let range = head.start as usize..head.start as usize + usize::from(head.n_moves);
        let moves = &self.moves[range.clone()];
        match direction {
            Direction::Forward => {
                debug_assert_eq!(self.has_counts(words, action), Some(true), "the action is not enabled");
                // There is nearly always room: one walk over the moves does it, and is taken back where there is not.
                let mut has_room = true;
                for step in moves {
                    let word = &mut words[step.word as usize];
                    has_room &= not_less(step.room, *word, step.tops);
                    *word = word.wrapping_add(step.add);
                }
                if !has_room {
                    take_back(moves, words);
                    return Moved::Not;
                }
                *hash = hash.wrapping_add(head.hash);
            }
            Direction::Backward => {
                for (step, back) in moves.iter().zip(&self.ways_back[range]) {
                    let word = words[step.word as usize];
                    if !not_less(back.room, word, step.tops) || !not_less(word, back.least, step.tops) {
                        return Moved::Not;
                    }
                }
                take_back(moves, words);
                *hash = hash.wrapping_sub(head.hash);
            }
        }
        Moved::Done
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.needs.bytes()
            + self.heads.capacity() * size_of::<Head>()
            + self.moves.capacity() * size_of::<Move>()
            + self.ways_back.capacity() * size_of::<WayBack>()
            + self.tops.capacity() * size_of::<u64>()
    }
}

/// Subtracts what moves have added.
#[inline]
fn take_back(moves: &[Move], words: &mut [u64]) {
    for step in moves {
        let word = &mut words[step.word as usize];
        *word = word.wrapping_sub(step.add);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    /// Random actions in random states, against what happens slot by slot.
    #[test]
    fn words_do_what_slots_do() {
        let mut seed = 3u64;
        let mut below = |n: u64| {
            seed = mix64(seed.wrapping_add(1));
            seed % n
        };
        let mut outcomes = [0u32; 4];
        for _ in 0..20_000 {
            let widths: Vec<u8> = (0..1 + below(30)).map(|_| [0, 1, 1, 2, 3, 9][below(6) as usize]).collect();
            let packing = Packing::new(&widths);
            let slots = || (0..widths.len()).map(SlotIdx::new);
            let mut words = vec![0; packing.n_words()];
            for slot in slots() {
                let value = below(u64::from(packing.field(slot).max()) + 1) as u32;
                packing.set(&mut words, slot, value).unwrap();
            }
            let limit = if below(2) == 0 { u32::MAX } else { 2 };
            let choose = |slot| (below(8) == 0).then(|| (slot, [-3, -1, -1, 1, 1, 4][below(6) as usize]));
            let chosen: Vec<(SlotIdx, i32)> = slots().filter_map(choose).collect();
            let mut moves = Moves::new(&packing);
            let needs = chosen.iter().filter(|(_, by)| *by < 0).map(|&(slot, by)| (slot, by.unsigned_abs()));
            moves.push(&packing, needs.clone(), chosen.iter().map(|&(slot, by)| (slot, by, limit)), false);
            let action = ActionId(0);
            let Some(has) = moves.has_counts(&words, action) else {
                let is_wide =
                    |&(slot, by): &(SlotIdx, i32)| by.unsigned_abs() > limit.min(packing.field(slot).max());
                assert!(chosen.iter().any(is_wide));
                outcomes[0] += 1;
                continue;
            };
            assert_eq!(has, needs.clone().all(|(slot, least)| packing.get(&words, slot) >= least));
            for direction in [Direction::Forward, Direction::Backward] {
                if direction == Direction::Forward && !has {
                    outcomes[1] += 1;
                    continue;
                }
                let sign = if direction == Direction::Forward { 1 } else { -1 };
                let mut expected = words.clone();
                let done = chosen.iter().all(|&(slot, by)| {
                    // A limit below the value of a slot that gets less does not matter.
                    let by = i64::from(by) * sign;
                    let limit = if by > 0 { limit } else { u32::MAX };
                    packing.add(&mut expected, slot, by, limit).is_ok()
                });
                let (mut moved, mut hash) = (words.clone(), packing.hash(&words));
                let outcome = moves.apply(direction, &mut moved, &mut hash, action);
                assert_eq!(hash, packing.hash(&moved));
                assert_eq!(outcome == Moved::Done, done, "{widths:?} {chosen:?} {direction:?}");
                assert_eq!(moved, if done { expected } else { words.clone() });
                outcomes[if done { 2 } else { 3 }] += 1;
            }
        }
        assert!(outcomes.iter().all(|&n| n > 500), "{outcomes:?}");
    }
}
