//! What is known of a formula in each state, two bits each.

use petite_bits::OutOfMemory;
use petite_store::StateId;

/// What is known of a formula in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Nothing yet.
    Unknown,
    False,
    True,
    /// It is being found out.
    Open,
}

/// What is known of a formula in all states.
#[derive(Debug, Default)]
pub struct Truths {
    words: Vec<u64>,
}

impl Truths {
    /// What is known in a state.
    pub fn get(&self, state: StateId) -> Truth {
        let word = self.words.get(state.index() / 32).copied().unwrap_or(0);
        match word >> (state.0 % 32 * 2) & 3 {
            0 => Truth::Unknown,
            1 => Truth::False,
            2 => Truth::True,
            _ => Truth::Open,
        }
    }

    /// Takes note of what is known.
    pub fn set(&mut self, state: StateId, truth: Truth) -> Result<(), OutOfMemory> {
        let at = state.index() / 32;
        if self.words.len() <= at {
            let more = at + 1 - self.words.len();
            if self.words.capacity() <= at {
                self.words.try_reserve_exact(more.max(self.words.len() / 4).max(16))?;
            }
            self.words.resize(at + 1, 0);
        }
        let shift = state.0 % 32 * 2;
        let code = match truth {
            Truth::Unknown => 0,
            Truth::False => 1,
            Truth::True => 2,
            Truth::Open => 3,
        };
        self.words[at] = self.words[at] & !(3 << shift) | code << shift;
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}
