//! States that wait for their expansion beside a store that could keep them.
//!
//! A store that marks open states needs no queue. But a queue can hold the actions that states were found by, which tell what
//! [need not be done](petite_model::Commuting) there, and that saves more time than anything else. So new states wait in
//! a queue as long as that is not much larger than the store; those beyond are left to the store, are found by its scan, and
//! expanded in full. While a search widens, most states wait; when the store is large, few do: both together hardly take
//! more than the store does in the end.
//!
//! ```text
//!  new state --> room? --yes--> newest | chunk | chunk | chunk | oldest --> expanded
//!                   \
//!                    `--no---> open in the store                          a bit each
//! ```
//!
//! **Cost.** Keys and actions of a chunk are packed, with as many bits as the largest of them needs: about four bytes a state where
//! there are millions.

use std::collections::VecDeque;

use petite_bits::{OutOfMemory, PackedArray, width_of};
use petite_model::ActionId;
use petite_store::StateKey;

/// States of a chunk.
const CHUNK: usize = 1 << 11;

/// Bytes that may be used however small the store is.
const LEAST_BYTES: usize = if cfg!(test) { 1 << 16 } else { 1 << 20 };

/// Bytes that may be used divided by those of the store.
const SHARE: usize = 2;

/// A queue of states.
#[derive(Debug, Default)]
pub struct Waiting {
    /// Less than a chunk, the oldest one first.
    newest: Vec<Found>,
    chunks: VecDeque<Chunk>,
    /// Less than a chunk, the oldest one last.
    oldest: Vec<Found>,
    /// Bytes of all chunks, and those that they may take.
    chunk_bytes: usize,
    most_bytes: usize,
}

/// A state and the action that it was found by.
type Found = (StateKey, ActionId);

/// So many of them.
#[derive(Debug)]
struct Chunk {
    right_width: u32,
    keys: PackedArray,
    actions: PackedArray,
}

impl Waiting {
    /// Number of states that wait.
    #[inline]
    pub fn len(&self) -> usize {
        self.newest.len() + self.chunks.len() * CHUNK + self.oldest.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lets as many states wait as is reasonable beside a store of so many bytes.
    pub fn fit(&mut self, store_bytes: usize) {
        self.most_bytes = store_bytes.saturating_mul(SHARE).max(LEAST_BYTES);
    }

    /// Whether one more may wait.
    #[inline]
    pub fn has_room(&mut self) -> bool {
        self.newest.len() < CHUNK && self.most_bytes > 0 || self.make_room()
    }

    /// Adds a state, where there is room, that was found by an action.
    #[inline]
    pub fn push(&mut self, key: StateKey, found_by: ActionId) {
        self.newest.push((key, found_by));
    }

    /// Takes out the state that has waited longest.
    #[inline]
    pub fn pop(&mut self) -> Option<Found> {
        if self.oldest.is_empty() {
            self.unpack();
        }
        self.oldest.pop()
    }

    /// Takes out all states.
    pub fn take(&mut self) -> Result<Vec<StateKey>, OutOfMemory> {
        let mut keys = Vec::new();
        keys.try_reserve_exact(self.len())?;
        keys.extend(std::iter::from_fn(|| self.pop()).map(|(key, _)| key));
        Ok(keys)
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        (self.newest.capacity() + self.oldest.capacity()) * size_of::<Found>()
            + self.chunks.capacity() * size_of::<Chunk>()
            + self.chunk_bytes
    }

    /// Makes a chunk of the newest states. Gives whether there may be one.
    #[cold]
    fn make_room(&mut self) -> bool {
        if self.chunk_bytes >= self.most_bytes || self.chunks.try_reserve(1).is_err() {
            return false;
        }
        let Ok(chunk) = Chunk::of(&self.newest) else { return false };
        self.chunk_bytes += chunk.bytes();
        self.chunks.push_back(chunk);
        self.newest.clear();
        true
    }

    /// Gets the next states.
    #[cold]
    fn unpack(&mut self) {
        let Some(chunk) = self.chunks.pop_front() else {
            std::mem::swap(&mut self.newest, &mut self.oldest);
            self.oldest.reverse();
            return;
        };
        self.chunk_bytes -= chunk.bytes();
        let right = (1u64 << chunk.right_width) - 1;
        self.oldest.extend((0..chunk.keys.len()).rev().map(|at| {
            let (key, action) = (chunk.keys.get(at), chunk.actions.get(at) as u32);
            let key = StateKey { left: (key >> chunk.right_width) as u32, right: (key & right) as u32 };
            (key, ActionId(action))
        }));
    }
}

impl Chunk {
    fn of(states: &[Found]) -> Result<Chunk, OutOfMemory> {
        let most = |part: fn(&Found) -> u32| width_of(states.iter().map(part).max().unwrap_or(0));
        let (left, right) = (most(|(key, _)| key.left), most(|(key, _)| key.right));
        let mut keys = PackedArray::zeros(u32::from(left + right), states.len())?;
        let mut actions = PackedArray::zeros(u32::from(most(|(_, action)| action.0)), states.len())?;
        for (at, (key, action)) in states.iter().enumerate() {
            keys.set(at, u64::from(key.left) << right | u64::from(key.right));
            actions.set(at, action.0.into());
        }
        Ok(Chunk { right_width: right.into(), keys, actions })
    }

    /// Heap bytes owned.
    fn bytes(&self) -> usize {
        self.keys.bytes() + self.actions.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_out_as_they_went_in() {
        let state = |at: u32| {
            let key = StateKey { left: at.wrapping_mul(0x9E37_79B9) >> (at % 32), right: at ^ at << 7 };
            (key, ActionId(at % 1000))
        };
        for (n_in, n_out) in [(3, 2), (5000, 4999), (7, 7), (3000, 1)] {
            let (mut waiting, mut next_in, mut next_out) = (Waiting::default(), 0, 0);
            assert!(!waiting.has_room(), "nobody said that states may wait");
            waiting.fit(usize::MAX);
            for _ in 0..10 {
                for _ in 0..n_in {
                    assert!(waiting.has_room());
                    let (key, action) = state(next_in);
                    waiting.push(key, action);
                    next_in += 1;
                }
                for _ in 0..n_out {
                    assert_eq!(waiting.pop(), Some(state(next_out)));
                    next_out += 1;
                }
                assert_eq!(waiting.len() as u32, next_in - next_out);
            }
            let keys: Vec<StateKey> = (next_out..next_in).map(|at| state(at).0).collect();
            assert_eq!(waiting.take(), Ok(keys));
            assert!(waiting.is_empty() && waiting.chunk_bytes == 0);
        }
    }

    #[test]
    fn there_is_an_end_of_room() {
        let mut waiting = Waiting::default();
        waiting.fit(0);
        let mut n = 0;
        while waiting.has_room() {
            waiting.push(StateKey { left: n, right: n }, ActionId(5));
            n += 1;
        }
        assert!(
            (LEAST_BYTES..LEAST_BYTES + 64 * CHUNK).contains(&waiting.bytes()),
            "{} bytes",
            waiting.bytes()
        );
        assert!(n as usize > LEAST_BYTES / 10);
        while waiting.pop().is_some() {}
        assert!(waiting.has_room());
    }
}
