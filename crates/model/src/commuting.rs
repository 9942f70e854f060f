//! Steps that need not be taken, because another order of the same actions leads to the same state.
//!
//! **Idea.** Two actions *commute* where neither changes a slot that the other reads or changes: if both are enabled, one
//! after the other leads to the same state in both orders, and neither enables or disables the other. A state `s` that
//! was found by the action `b` from `p` then need not be left by an action `a` that commutes with `b` and comes before
//! it in a fixed order of all actions, here that of falling numbers: the same state is found by the way through `p·a`.
//!
//! ```text
//!        a          a before b, and they commute:
//!    p ----> q
//!    |       |      (s, a) is counted but not taken,
//!  b |       | b    because (q, b) leads to t as well
//!    v       v
//!    s - - > t
//!        a
//! ```
//!
//! This is what is left of sleep sets (Godefroid, *Partial-order methods for the verification of concurrent systems*, 1996,
//! chapter 5) when nothing is remembered but one action a state, and only while the state waits. All states are
//! still found, and all edges counted.
//!
//! **Why no state is missed**, in whatever order states are expanded. Let W(s, a) say that the state which `a` leads to from `s` is
//! found at some time. Where the step is taken, it holds. Otherwise `s` was found by `b` from `p`, with
//! `a` before `b`, and `a` is enabled in `p`, because `b` cannot have enabled it. W(p, a) says that `q = p·a` is found;
//! `b` is enabled there, and W(q, b) says that `t = q·b = s·a` is found. So W(s, a) follows from W for a state that was found
//! earlier and the same action, and from W for some state and a later action. Going back this way ends: there are finitely
//! many actions, and the initial state was found by none. The same holds for an error that taking a step would meet: some step that is
//! taken meets it.
//!
//! **What it saves.** Of the edges of concurrent models a sixth to two thirds are left, the more concurrency the fewer.
//!
//! **Cost.** A bit test for each enabled action. Tables take a bit for each two actions, or four bytes for each two
//! that do not commute where there are many.

use petite_bits::SlotIdx;

use crate::{ActionId, Model, lists::Lists};

/// Actions at most: their numbers are kept in 16 bits while states wait, and one of them means that there was none.
const MOST_ACTIONS: usize = u16::MAX as usize;

/// Actions up to which there is a bit for each two: half a megabyte.
const MOST_BITS: usize = 1 << 11;

/// Pairs of actions with a common slot that are looked at. Where there are more, nothing is left out after the later
/// actions.
const MOST_PAIRS: usize = 1 << 21;

/// Which steps are needed after which.
#[derive(Debug)]
pub struct Commuting {
    rows: Rows,
}

/// The actions that must be taken in a state that was found by a given one.
#[derive(Debug)]
enum Rows {
    /// So many words for each action, in which these actions are set.
    Bits { n_words: usize, rows: Vec<u64> },
    /// For each action those of higher numbers, ascending; it and lower ones are needed anyway. After the ones beyond the last
    /// list, all are needed.
    Lists(Lists<ActionId>),
}

/// The steps that must be taken in a state.
#[derive(Clone, Copy, Debug)]
pub enum NeededSteps<'a> {
    /// All.
    All,
    /// Those that are set.
    Bits(&'a [u64]),
    /// Those up to one, and the ones in the list.
    Listed {
        /// The last of those.
        upto: ActionId,
        /// Ascending.
        list: &'a [ActionId],
    },
}

impl NeededSteps<'_> {
    /// Whether an action must be taken.
    #[inline]
    pub fn contains(&self, action: ActionId) -> bool {
        match self {
            NeededSteps::All => true,
            NeededSteps::Bits(row) => row[action.index() / 64] >> (action.index() % 64) & 1 != 0,
            NeededSteps::Listed { upto, list } => action <= *upto || list.binary_search(&action).is_ok(),
        }
    }
}

impl Commuting {
    /// Finds out which actions commute; `None` where the model cannot tell, or has too many actions. Steps should be taken in
    /// the order of the actions' numbers: then states are found by actions with low ones, and few steps are needed there.
    pub fn new<M: Model>(model: &M) -> Option<Commuting> {
        let n_actions = model.n_actions();
        if !(2..=MOST_ACTIONS).contains(&n_actions) {
            return None;
        }
        let slots = Slots::of(model)?;
        let (mut lists, mut n_pairs) = (Lists::default(), 0);
        let mut higher = Vec::new();
        for by in 0..n_actions {
            higher.clear();
            let mut look = |others: &[ActionId]| {
                n_pairs += others.len();
                higher.extend(others.iter().rev().take_while(|other| other.index() > by));
            };
            slots.touched.get(by).iter().for_each(|slot| look(&slots.changed_by[slot.index()]));
            slots.changed.get(by).iter().for_each(|slot| look(&slots.touched_by[slot.index()]));
            if n_pairs > MOST_PAIRS {
                break;
            }
            higher.sort_unstable();
            higher.dedup();
            lists.push(higher.iter().copied());
        }
        let rows = if n_actions <= MOST_BITS { bits(&lists, n_actions) } else { Rows::Lists(lists) };
        Some(Commuting { rows })
    }

    /// The steps that must be taken in a state that was found by the given action.
    #[inline]
    pub fn needed_after(&self, found_by: ActionId) -> NeededSteps<'_> {
        let by = found_by.index();
        match &self.rows {
            Rows::Bits { n_words, rows } => NeededSteps::Bits(&rows[by * n_words..][..*n_words]),
            Rows::Lists(lists) if by < lists.len() => {
                NeededSteps::Listed { upto: found_by, list: lists.get(by) }
            }
            Rows::Lists(_) => NeededSteps::All,
        }
    }

    /// Leaves only these. Gives how many were left out.
    #[inline]
    pub fn keep_needed(&self, found_by: ActionId, actions: &mut Vec<ActionId>) -> usize {
        let n_enabled = actions.len();
        match self.needed_after(found_by) {
            NeededSteps::All => {}
            NeededSteps::Bits(row) => keep(actions, |action| NeededSteps::Bits(row).contains(action)),
            listed => keep(actions, |action| listed.contains(action)),
        }
        n_enabled - actions.len()
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        match &self.rows {
            Rows::Bits { rows, .. } => rows.capacity() * size_of::<u64>(),
            Rows::Lists(lists) => lists.bytes(),
        }
    }
}

/// What actions do to slots, and slots to actions.
struct Slots {
    /// The slots that each action reads or changes, and those that it changes.
    touched: Lists<SlotIdx>,
    changed: Lists<SlotIdx>,
    /// The actions that read or change each slot, and those that change it.
    touched_by: Vec<Vec<ActionId>>,
    changed_by: Vec<Vec<ActionId>>,
}

impl Slots {
    fn of<M: Model>(model: &M) -> Option<Slots> {
        let rules = model.rules()?;
        let none = || vec![Vec::new(); model.layout().slots.len()];
        let mut slots = Slots {
            touched: Lists::default(),
            changed: Lists::default(),
            touched_by: none(),
            changed_by: none(),
        };
        for (number, rules) in rules.iter().enumerate() {
            let action = ActionId::new(number);
            let changed = model.changed_slots(action)?;
            if !changed.iter().all(|slot| rules.iter().any(|rule| rule.slot == *slot)) {
                return None;
            }
            rules.iter().for_each(|rule| slots.touched_by[rule.slot.index()].push(action));
            changed.iter().for_each(|slot| slots.changed_by[slot.index()].push(action));
            slots.touched.push(rules.iter().map(|rule| rule.slot));
            slots.changed.push(changed);
        }
        Some(slots)
    }
}

/// The same as [`Rows::Lists`] in bits.
fn bits(lists: &Lists<ActionId>, n_actions: usize) -> Rows {
    let n_words = n_actions.div_ceil(64);
    let mut rows = vec![!0; n_actions * n_words];
    for (by, row) in rows.chunks_exact_mut(n_words).enumerate().take(lists.len()) {
        row[by / 64] = !0 >> (63 - by % 64);
        row[by / 64 + 1..].fill(0);
        for action in lists.get(by) {
            row[action.index() / 64] |= 1 << (action.0 % 64);
        }
    }
    Rows::Bits { n_words, rows }
}

/// Keeps some actions, in their order.
#[inline]
fn keep(actions: &mut Vec<ActionId>, mut is_kept: impl FnMut(ActionId) -> bool) {
    // Whether one is kept is anybody's guess, so it is not branched on.
    let mut n_kept = 0;
    for at in 0..actions.len() {
        let action = actions[at];
        actions[n_kept] = action;
        n_kept += usize::from(is_kept(action));
    }
    actions.truncate(n_kept);
}
