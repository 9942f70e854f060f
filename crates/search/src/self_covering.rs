//! Runs that can be repeated for ever.
//!
//! A run covers itself when a state of it has at least the tokens of an earlier one, and more somewhere:
//!
//! ```text
//!  initial ──────────> low ──────────> high           high >= low in every slot, > in one
//!           prefix           pump
//! ```
//!
//! What was enabled in `low` is enabled in `high`, so the pump can be repeated, each time with more tokens, and there are
//! states without end (Karp and Miller, "Parallel program schemata", 1969). The model says what is
//! different for capacities, inhibitor arcs and priorities: see [`Model::grown`] and [`Model::is_hindered`].
//!
//! By Dickson's lemma every run of different states that is long enough covers itself, so a search that examines longer
//! and longer runs recognises every endless net at last, if no arc or priority hinders.
//!
//! **Cost.** The run is replayed twice. In the first replay some states are kept, the *heads*: all of them where the
//! purse and [`MOST_WORDS`] allow it, otherwise the last ones, which hold the most tokens, and some between. In the
//! second replay each state is compared with the heads behind it.

use petite_model::{ActionId, GroupIdx, Model};

use crate::Unbounded;
use crate::allowance::{Purse, Spent};

/// Words that the heads of a run may take.
const MOST_WORDS: usize = 1 << 20;

/// Units for firing an action in both replays.
const REPLAYING: usize = 24;

/// Units for comparing two states.
const COMPARING: usize = 3;

/// Units for a run of so many steps, at least.
pub fn least_cost<M: Model>(model: &M, n_steps: usize) -> usize {
    n_steps * (REPLAYING + model.packing().n_words() / 8 + COMPARING)
}

/// Looks for two states of a run from the initial state of which the later covers the earlier.
pub fn self_covering<M: Model>(
    model: &mut M,
    run: &[ActionId],
    purse: &mut Purse,
) -> Result<Option<Unbounded>, Spent> {
    let n_words = model.packing().n_words();
    purse.pay(run.len() * (REPLAYING + n_words / 8))?;
    let affordable = purse.affords(COMPARING * run.len());
    let positions = head_positions(run.len(), affordable.min(MOST_WORDS / n_words).max(1));
    purse.pay(COMPARING * run.len() * positions.len())?;

    let mut heads = Vec::new();
    let mut next = positions.iter().peekable();
    let replayed = replay(model, run, |_, at, words| {
        if next.next_if(|&&position| position == at).is_some() {
            heads.extend_from_slice(words);
        }
        Ok(())
    })?;
    if !replayed {
        return Ok(None);
    }
    // The last state that each head covers, so that pumps are short.
    let mut covered: Vec<Option<(usize, Vec<GroupIdx>)>> = vec![None; positions.len()];
    let replayed = replay(model, run, |model, at, words| {
        let first = positions.partition_point(|&position| position <= at);
        for head in first..positions.len() {
            let Some(growing) = model.grown(words, &heads[head * n_words..][..n_words]) else { continue };
            let pump = &run[at..positions[head]];
            purse.pay(pump.len())?;
            if !pump.iter().any(|&action| model.is_hindered(action, &growing)) {
                covered[head] = Some((at, growing));
            }
        }
        Ok(())
    })?;
    let found = covered.into_iter().enumerate().find_map(|(head, covered)| Some((head, covered?)));
    let Some((head, (low, growing))) = found.filter(|_| replayed) else { return Ok(None) };
    let (prefix, pump) = (run[..low].to_vec(), run[low..positions[head]].to_vec());
    let found = Unbounded { growing, prefix, pump };
    Ok(is_repeatable(model, &heads[head * n_words..][..n_words], &found).then_some(found))
}

/// Positions of the states that become heads, at most `most` of those from 1 to `last`, ascending.
fn head_positions(last: usize, most: usize) -> Vec<usize> {
    if most >= last {
        return (1..=last).collect();
    }
    let n_last = most.div_ceil(2);
    let (between, rest) = (most - n_last, last - n_last);
    (1..=between).map(|i| i * rest / (between + 1)).filter(|&i| i > 0).chain(rest + 1..=last).collect()
}

/// Walks a run from the initial state and shows each state with its position. Says whether the model did so, too.
fn replay<M: Model>(
    model: &mut M,
    run: &[ActionId],
    mut show: impl FnMut(&M, usize, &[u64]) -> Result<(), Spent>,
) -> Result<bool, Spent> {
    let mut words = vec![0; model.packing().n_words()];
    let mut hash = 0;
    if model.initial(&mut words).is_err() {
        return Ok(false);
    }
    show(model, 0, &words)?;
    for (at, &action) in run.iter().enumerate() {
        if model.fire(&mut words, &mut hash, action).is_err() {
            return Ok(false);
        }
        show(model, at + 1, &words)?;
    }
    Ok(true)
}

/// Repeats the pump once, as far as the fields are wide enough: a model that breaks its promise is not believed.
fn is_repeatable<M: Model>(model: &mut M, high: &[u64], found: &Unbounded) -> bool {
    let (mut words, mut hash, mut actions) = (high.to_vec(), 0, Vec::new());
    for &action in &found.pump {
        actions.clear();
        if model.enabled(&words, &mut actions).is_err() || !actions.contains(&action) {
            return false;
        }
        match model.fire(&mut words, &mut hash, action) {
            Ok(()) => {}
            Err(petite_model::Fault::Outgrown(_)) => return true,
            Err(petite_model::Fault::Run(_)) => return false,
        }
    }
    model.grown(high, &words).as_ref() == Some(&found.growing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_ascending_and_end_with_the_last_state() {
        assert_eq!(head_positions(0, 5), []);
        assert_eq!(head_positions(4, 5), [1, 2, 3, 4]);
        assert_eq!(head_positions(100, 1), [100]);
        assert_eq!(head_positions(100, 6), [24, 48, 72, 98, 99, 100]);
        for last in 1..60 {
            for most in 1..70 {
                let heads = head_positions(last, most);
                assert!(heads.is_sorted_by(|a, b| a < b), "{last} {most} {heads:?}");
                assert!(heads.len() <= most && heads.first() > Some(&0) && heads.last() == Some(&last));
            }
        }
    }
}
