//! Some states that were met lately, by value.
//!
//! A chain of Δ-markings ends at an explicit one. It may as well end earlier, at any state that is known by value. Two
//! kinds of states are worth it:
//!
//! - The **newest** ones. Actions that do not touch each other lead to the same state in either order, so most states
//!   are met again soon after they were found; they are compared at once, as in a table of vectors.
//! - Those that were **reconstituted** last. Chains run together towards their beginnings, so a small table of the
//!   states met on the way cuts most of them short after a step or two, whatever k is.
//!
//! ```text
//!  newest          place = identity modulo size      | words |                  all identities from `first_new` on
//!  reconstituted   place = identity modulo size      | identity | words |       the last one that came to a place stays
//! ```
//!
//! **Cost.** Both tables grow with the store: an eighth of a byte for each state, and up to [`MOST_BYTES`] each. More does
//! not pay: states that are not met again soon are met again much later, and bytes are better spent on a smaller k.

use crate::StateId;

/// Bytes that a table has at most.
const MOST_BYTES: usize = 1 << 22;

/// Eighths of a byte for each state in the store that the newest states take, and those that were reconstituted.
const NEWEST_SHARE: usize = 1;
const RECALLED_SHARE: usize = 1;

/// The part by which the store grows before the tables do.
const GROWTH: usize = 8;

/// States that a table has room for at least, where it has any.
const LEAST: usize = 32;

/// A place where no state is.
const NOBODY: u32 = u32::MAX;

/// States by identity, as many as fit.
#[derive(Debug)]
pub struct Recall {
    ids: Vec<u32>,
    words: Vec<u64>,
    recalled_place: Modulo,
    /// The newest states.
    newest: Vec<u64>,
    newest_place: Modulo,
    /// The first of them; one beyond all states where there is none.
    first_new: u32,
    n_words: usize,
    /// Number of states in the store at which the table grows.
    grow_at: usize,
}

impl Recall {
    /// An empty table of states of so many words.
    pub fn new(n_words: usize) -> Recall {
        Recall::empty(n_words, 0)
    }

    /// A table that never holds anything.
    pub fn none() -> Recall {
        Recall::empty(0, usize::MAX)
    }

    fn empty(n_words: usize, grow_at: usize) -> Recall {
        let (ids, words, newest) = (Vec::new(), Vec::new(), Vec::new());
        let (recalled_place, newest_place) = (Modulo::new(0), Modulo::new(0));
        let first_new = u32::MAX;
        Recall { ids, words, recalled_place, newest, newest_place, first_new, n_words, grow_at }
    }

    /// A state, if it is here.
    #[inline]
    pub fn get(&self, id: StateId) -> Option<&[u64]> {
        if self.is_new(id) {
            let place = self.newest_place.of(id.0);
            return self.newest.get(place * self.n_words..(place + 1) * self.n_words);
        }
        let place = self.recalled_place.of(id.0);
        match self.ids.get(place) {
            Some(&other) if other == id.0 => Some(&self.words[place * self.n_words..][..self.n_words]),
            _ => None,
        }
    }

    /// Whether a state is one of the newest, which are all here.
    #[inline]
    pub fn is_new(&self, id: StateId) -> bool {
        id.0 >= self.first_new
    }

    /// Takes a state in. Another one may have to go.
    #[inline]
    pub fn put(&mut self, id: StateId, words: &[u64]) {
        if self.ids.is_empty() {
            return;
        }
        let place = self.recalled_place.of(id.0);
        self.ids[place] = id.0;
        copy_words(words, &mut self.words[place * self.n_words..][..self.n_words]);
    }

    /// Takes in a state that is new, with the next identity. Grows with the store; without memory it stays as it is.
    #[inline]
    pub fn add(&mut self, id: StateId, words: &[u64]) {
        if id.index() >= self.grow_at {
            self.grow(id.index());
        }
        let n_newest = self.newest_place.n;
        if n_newest == 0 {
            return;
        }
        let place = self.newest_place.of(id.0);
        copy_words(words, &mut self.newest[place * self.n_words..][..self.n_words]);
        // The first state after all were forgotten is the only one; later the oldest one has to go.
        self.first_new = match self.first_new {
            u32::MAX => id.0,
            first => first.max(id.0.saturating_sub(n_newest - 1)),
        };
    }

    #[cold]
    fn grow(&mut self, n_states: usize) {
        self.grow_at = n_states.saturating_add(n_states / GROWTH).max(1 << 9);
        let bytes = |share: usize| (n_states / 8).saturating_mul(share).min(MOST_BYTES);
        let n_newest = (bytes(NEWEST_SHARE) / (8 * self.n_words).max(1)).max(LEAST);
        let n_recalled = (bytes(RECALLED_SHARE) / (4 + 8 * self.n_words)).max(LEAST);
        let (mut ids, mut words, mut newest) = (Vec::new(), Vec::new(), Vec::new());
        if n_recalled > self.ids.len()
            && ids.try_reserve_exact(n_recalled).is_ok()
            && words.try_reserve_exact(n_recalled * self.n_words).is_ok()
        {
            ids.resize(n_recalled, NOBODY);
            words.resize(n_recalled * self.n_words, 0);
            (self.ids, self.words) = (ids, words);
            self.recalled_place = Modulo::new(n_recalled as u32);
        }
        if n_newest * self.n_words > self.newest.len()
            && newest.try_reserve_exact(n_newest * self.n_words).is_ok()
        {
            newest.resize(n_newest * self.n_words, 0);
            (self.newest, self.first_new) = (newest, u32::MAX);
            self.newest_place = Modulo::new(n_newest as u32);
        }
    }

    /// Forgets all; states will have so many words from now on.
    pub fn clear(&mut self, n_words: usize) {
        if self.grow_at == usize::MAX && self.ids.is_empty() {
            return;
        }
        *self = Recall::new(n_words);
    }

    /// Words of a state.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let words = self.words.capacity() + self.newest.capacity();
        self.ids.capacity() * size_of::<u32>() + words * size_of::<u64>()
    }
}

/// Remainders by two multiplications (Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019).
#[derive(Clone, Copy, Debug)]
struct Modulo {
    n: u32,
    /// 2^64 divided by `n`, rounded up; zero where that is 2^64 or `n` is zero: all remainders are zero then.
    inverse: u64,
}

impl Modulo {
    fn new(n: u32) -> Modulo {
        Modulo { n, inverse: u64::MAX.checked_div(n.into()).map_or(0, |inverse| inverse.wrapping_add(1)) }
    }

    #[inline]
    fn of(self, number: u32) -> usize {
        let fraction = self.inverse.wrapping_mul(number.into());
        ((u128::from(fraction) * u128::from(self.n)) >> 64) as usize
    }
}

/// Copies a state. Most are short, and a call to the library's copying would take longer than they do.
#[inline(always)]
pub fn copy_words(from: &[u64], to: &mut [u64]) {
    match (from, to) {
        ([a], [to_a]) => *to_a = *a,
        ([a, b], [to_a, to_b]) => (*to_a, *to_b) = (*a, *b),
        (from, to) => to.copy_from_slice(from),
    }
}

/// Whether two states of the same length are equal, for the same reason.
#[inline(always)]
pub fn are_equal(one: &[u64], other: &[u64]) -> bool {
    match (one, other) {
        ([a], [b]) => a == b,
        ([a, c], [b, d]) => (a ^ b) | (c ^ d) == 0,
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_are_those_of_a_division() {
        for n in [1, 2, 3, 7, 32, 1000, 65_535, 65_537, 1 << 31, u32::MAX] {
            for number in (0..300).chain([n - 1, n, n.wrapping_add(1), u32::MAX - 1, u32::MAX]) {
                assert_eq!(Modulo::new(n).of(number), (number % n) as usize, "{number} modulo {n}");
            }
        }
        assert_eq!(Modulo::new(0).of(77), 0);
    }

    #[test]
    fn only_the_state_itself_is_recalled() {
        let mut recall = Recall::new(2);
        recall.put(StateId(1), &[1, 1]);
        assert_eq!(recall.get(StateId(1)), None);
        recall.grow(0);
        for id in 0..1000 {
            recall.put(StateId(id), &[id.into(), 7]);
        }
        assert_eq!(recall.get(StateId(999)), Some(&[999, 7][..]));
        assert_eq!(recall.get(StateId(0)), None);
        recall.grow(1_000_000);
        assert!((150_000..=250_000).contains(&recall.bytes()), "{}", recall.bytes());
        recall.clear(3);
        assert_eq!(recall.bytes(), 0);
        let mut none = Recall::none();
        none.add(StateId(1 << 30), &[]);
        none.clear(2);
        none.add(StateId(1 << 30), &[]);
        none.put(StateId(1), &[]);
        assert_eq!((none.get(StateId(1)), none.bytes()), (None, 0));
        assert_eq!(none.get(StateId(1 << 30)), None);
    }

    #[test]
    fn the_newest_states_are_recalled() {
        let mut recall = Recall::new(2);
        let state = |id: u32| [id.into(), 5];
        for id in 0..5000 {
            recall.add(StateId(id), &state(id));
            assert_eq!(recall.get(StateId(id)), Some(&state(id)[..]));
        }
        let known: Vec<u32> = (0..5000).filter(|&id| recall.get(StateId(id)).is_some()).collect();
        assert!((32..=40).contains(&known.len()), "{}", known.len());
        assert!(known.iter().rev().copied().eq((0..known.len() as u32).map(|back| 4999 - back)));
        assert!(known.iter().all(|&id| recall.get(StateId(id)) == Some(&state(id)[..])));
        recall.clear(2);
        assert_eq!(recall.get(StateId(4999)), None);
        recall.add(StateId(5000), &state(5000));
        assert_eq!((recall.get(StateId(4999)), recall.get(StateId(5000))), (None, Some(&state(5000)[..])));
    }
}
