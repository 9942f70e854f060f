//! Runs that can be repeated for ever.
//!
//! A run covers itself when a state of it has at least the tokens of an earlier one, and more somewhere:
//!
//! ```text
//!  initial ──────────> low ──────────> high ──────────> last         high >= low in every slot, > in one
//!           prefix           pump
//! ```
//!
//! What was enabled in `low` is enabled in `high`, so the pump can be repeated, each time with more tokens, and there are
//! states without end (Karp and Miller, "Parallel program schemata", 1969). The model says what is
//! different for capacities, inhibitor arcs and priorities: see [`Model::grown`] and [`Model::is_hindered`].
//!
//! By Dickson's lemma every run of different states that is long enough covers itself, and the run to a state with
//! many tokens is long. So the longer an endless search goes on, the surer it is recognised.
//!
//! **Cost.** The run is walked from its last state backwards, as far as can be paid for. Some states are kept on the
//! way, the *heads*: all of them where the run is short, otherwise the last ones, which hold the most tokens, and
//! some between. Each state is compared with the heads that were kept before.

use petite_model::{ActionId, Fault, GroupIdx, Model};

use crate::Unbounded;
use crate::allowance::{Purse, Spent};

/// Heads of a run that can be paid for as a whole; more of them may cost a part of the purse only.
const HEADS: usize = 64;

/// That part.
const SHARE: usize = 8;

/// Heads of a longer run.
const FEW_HEADS: usize = 16;

/// Words that the heads may take.
const MOST_WORDS: usize = 1 << 20;

/// Two states of a run, by their numbers of steps before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covering {
    growing: Vec<GroupIdx>,
    low: usize,
    high: usize,
}

impl Covering {
    /// The proof, with the actions of the run from the initial state.
    pub fn proof(self, run: &[ActionId]) -> Unbounded {
        let (low, high) = (run.len() - self.low, run.len() - self.high);
        Unbounded { growing: self.growing, prefix: run[..low].to_vec(), pump: run[low..high].to_vec() }
    }
}

/// Looks for two states of a run of which the later covers the earlier. The run is given by its last state, the
/// number of its steps, and its actions from the last one on.
pub fn self_covering<M: Model>(
    model: &mut M,
    last: &[u64],
    n_steps: usize,
    back: impl Iterator<Item = ActionId>,
    purse: &mut Purse,
) -> Result<Option<Covering>, Spent> {
    let n_words = model.packing().n_words();
    let effort = Effort::new(n_steps, n_words, purse)?;
    let mut heads = Heads { n_words, kept: Vec::new(), words: Vec::new() };
    let mut positions = effort.head_positions().into_iter().peekable();
    let (mut words, mut hash, mut taken) = (last.to_vec(), 0, Vec::new());
    for (steps, action) in back.take(effort.n_steps).enumerate() {
        if positions.next_if(|&position| position == steps).is_some() {
            heads.keep(steps, &words);
        }
        if model.unfire(&mut words, &mut hash, action).is_err() {
            break;
        }
        taken.push(action);
        heads.compare(model, &words, &taken, purse)?;
    }
    // The earliest head makes the shortest run.
    let found = (0..heads.kept.len()).rev().find(|&head| heads.kept[head].covered.is_some());
    let Some(head) = found else { return Ok(None) };
    let Head { steps: high, covered } = heads.kept[head].clone();
    let Some((low, growing)) = covered else { return Ok(None) };
    let pump: Vec<ActionId> = taken[high..low].iter().rev().copied().collect();
    Ok(is_repeatable(model, heads.words_of(head), &pump, &growing).then_some(Covering { growing, low, high }))
}

/// How much of a run is looked at.
struct Effort {
    n_steps: usize,
    n_heads: usize,
}

impl Effort {
    /// What can be paid for, and is.
    fn new(n_steps: usize, n_words: usize, purse: &mut Purse) -> Result<Effort, Spent> {
        // Taking an action back; comparing two states, most of which differ early.
        let (walking, comparing) = (12 + n_words / 8, 3 + n_words / 4);
        let most_heads = (MOST_WORDS / n_words).max(1);
        let whole = n_steps * (walking + comparing * HEADS.min(n_steps));
        let effort = if purse.affords(whole) > 0 {
            let more = purse.affords(n_steps * comparing * SHARE);
            Effort { n_steps, n_heads: HEADS.max(more).min(n_steps).min(most_heads) }
        } else {
            let n_heads = FEW_HEADS.min(most_heads);
            Effort { n_steps: purse.affords(walking + comparing * n_heads).min(n_steps), n_heads }
        };
        if effort.n_steps == 0 {
            return Err(Spent);
        }
        purse.pay(effort.n_steps * (walking + comparing * effort.n_heads))?;
        Ok(effort)
    }

    /// How many steps before the end the heads are, ascending: half of them follow each other, the others are spread.
    fn head_positions(&self) -> Vec<usize> {
        if self.n_heads >= self.n_steps {
            return (0..self.n_steps).collect();
        }
        let n_last = self.n_heads.div_ceil(2);
        let (spread, rest) = (self.n_heads - n_last, self.n_steps - n_last);
        (0..n_last).chain((0..spread).map(|i| n_last + i * rest / spread)).collect()
    }
}

/// States that are kept to be compared with.
struct Heads {
    n_words: usize,
    kept: Vec<Head>,
    words: Vec<u64>,
}

#[derive(Clone)]
struct Head {
    /// Steps before the end of the run.
    steps: usize,
    /// The latest state that it covers, and what grew from there.
    covered: Option<(usize, Vec<GroupIdx>)>,
}

impl Heads {
    fn keep(&mut self, steps: usize, words: &[u64]) {
        self.kept.push(Head { steps, covered: None });
        self.words.extend_from_slice(words);
    }

    fn words_of(&self, head: usize) -> &[u64] {
        &self.words[head * self.n_words..][..self.n_words]
    }

    /// Compares the state that comes before the actions taken back with all heads.
    fn compare<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        taken: &[ActionId],
        purse: &mut Purse,
    ) -> Result<(), Spent> {
        for (head, high) in self.kept.iter_mut().zip(self.words.chunks_exact(self.n_words)) {
            if head.covered.is_some() {
                continue;
            }
            let Some(growing) = model.grown(words, high) else { continue };
            let pump = &taken[head.steps..];
            purse.pay(pump.len())?;
            if !pump.iter().any(|&action| model.is_hindered(action, &growing)) {
                head.covered = Some((taken.len(), growing));
            }
        }
        Ok(())
    }
}

/// Repeats a pump once, as far as the fields are wide enough: a model that breaks its promise is not believed.
fn is_repeatable<M: Model>(model: &mut M, high: &[u64], pump: &[ActionId], growing: &[GroupIdx]) -> bool {
    let (mut words, mut hash, mut actions) = (high.to_vec(), 0, Vec::new());
    for &action in pump {
        actions.clear();
        if model.enabled(&words, &mut actions).is_err() || !actions.contains(&action) {
            return false;
        }
        match model.fire(&mut words, &mut hash, action) {
            Ok(()) => {}
            Err(Fault::Outgrown(_)) => return true,
            Err(Fault::Run(_)) => return false,
        }
    }
    model.grown(high, &words).is_some_and(|grown| grown == growing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_ascending_and_begin_with_the_last_state() {
        let positions = |n_steps, n_heads| Effort { n_steps, n_heads }.head_positions();
        assert_eq!(positions(4, 5), [0, 1, 2, 3]);
        assert_eq!(positions(100, 1), [0]);
        assert_eq!(positions(103, 6), [0, 1, 2, 3, 36, 69]);
        for n_steps in 1..60 {
            for n_heads in 1..70 {
                let heads = positions(n_steps, n_heads);
                assert!(heads.is_sorted_by(|a, b| a < b), "{n_steps} {n_heads} {heads:?}");
                assert_eq!(heads.len(), n_heads.min(n_steps));
                assert!(heads[0] == 0 && heads[heads.len() - 1] < n_steps);
            }
        }
    }
}
