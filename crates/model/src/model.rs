//! The trait that every explored thing implements.

use petite_bits::{Outgrown, Packing, SlotIdx};
use petite_net::{RunError, TransIdx};

use crate::{Facts, GroupIdx, Layout, SlotRule};

petite_bits::typed_index! {
    /// An action: a transition with its binding, numbered by the model.
    pub struct ActionId;
}

/// Something with states and deterministic actions.
///
/// A state is a vector of slots, packed into words by [`Model::packing`]. Its hash is
/// [`Packing::hash`]; a search keeps it beside the words, and [`Model::fire`] brings both up to date from the
/// slots that the action touches alone.
///
/// Methods take `&mut self` because a model may intern what it meets (bindings, bags of tokens). What it
/// interns depends only on the sequence of calls, so the same run numbers the same actions alike.
///
/// # Growing fields
/// When a value does not fit its field, `fire` and `unfire` give [`Fault::Outgrown`] and leave the state as it
/// was. The search then calls [`Model::widen`], repacks every state that it and its store hold from the old
/// packing to the new one, and fires again.
pub trait Model {
    /// Slots and groups. It never changes; only the packing does.
    fn layout(&self) -> &Layout;

    /// How states are packed now.
    fn packing(&self) -> &Packing;

    /// Makes room for a value, perhaps for others that are close to their limit too. Gives the old packing.
    fn widen(&mut self, outgrown: Outgrown) -> Packing;

    /// Writes the initial state into `words`, which has [`Packing::n_words`] words.
    ///
    /// # Errors
    /// [`Fault::Outgrown`] as in [`Model::fire`]; a run-time error of the model.
    fn initial(&mut self, words: &mut [u64]) -> Result<(), Fault>;

    /// Appends the actions enabled in a state, always in the same order.
    ///
    /// # Errors
    /// When the evaluation of a guard or the like fails.
    fn enabled(&mut self, words: &[u64], actions: &mut Vec<ActionId>) -> Result<(), RunError>;

    /// Lets an enabled action happen: `words` and `hash` become the successor's.
    ///
    /// # Errors
    /// State and hash are unchanged then.
    fn fire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Fault>;

    /// Takes an action back: `words` and `hash` become those of the state it was fired in.
    ///
    /// # Errors
    /// State and hash are unchanged then.
    fn unfire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Refusal>;

    /// Whether [`Model::unfire`] takes back every action that led to a state. A model that cannot always do that says
    /// no, and is never asked to.
    fn is_reversible(&self) -> bool {
        true
    }

    /// Number of actions numbered so far.
    fn n_actions(&self) -> usize;

    /// Writes the number of tokens in each group of a state; `totals` has one entry a group.
    fn group_totals(&self, words: &[u64], totals: &mut [u64]);

    /// The slots that an action may change, where what it does to each, and whether that can be done, follows from the
    /// action and that slot's value alone; `None` where that is not so or not known.
    fn changed_slots(&self, action: ActionId) -> Option<Vec<SlotIdx>> {
        let _ = action;
        None
    }

    /// The rules of every action, numbered as the actions are, where no action is more than its rules: each slot that an
    /// action reads or changes has one, and [`Model::changed_slots`] tells what it does. `None` where some action is
    /// more than that, or not all actions are known.
    fn rules(&self) -> Option<Vec<Vec<SlotRule>>> {
        None
    }

    /// By how much an action changes the number of tokens of each group; groups left out keep theirs.
    fn group_changes(&self, action: ActionId) -> &[(GroupIdx, i64)];

    /// How often the most frequent token of a state is in its group: what a place holds at most once the net is
    /// unfolded.
    fn largest_multiplicity(&self, words: &[u64]) -> u32;

    /// The same, but at least over the tokens that `action` has just given; `words` is the state it led to.
    fn largest_given(&self, words: &[u64], action: ActionId) -> u32;

    /// Whether some group may hold more and more tokens without end, and [`Model::grown`] may tell. A model that
    /// cannot tell says no.
    fn may_grow(&self) -> bool {
        false
    }

    /// The groups in which one state has more tokens than another, where it has at least as many of each token
    /// everywhere and none of these groups is limited; `None` otherwise, and where the states are equal.
    ///
    /// Repeating the run that led from one state to the other makes these groups grow without end, unless one of
    /// its actions [is hindered](Model::is_hindered) by that.
    fn grown(&self, before: &[u64], after: &[u64]) -> Option<Vec<GroupIdx>> {
        let _ = (before, after);
        None
    }

    /// Whether more tokens in these groups may disable an action: through an inhibitor arc, or through another
    /// action of higher priority.
    fn is_hindered(&self, action: ActionId, groups: &[GroupIdx]) -> bool {
        let _ = (action, groups);
        true
    }

    /// The tokens of a bag with their multiplicities, ascending by number. Only groups that hold bags have any.
    fn bag_tokens(&self, group: GroupIdx, bag: u32) -> &[(u32, u32)] {
        let _ = (group, bag);
        &[]
    }

    /// The number of the bag with these tokens, ascending by number; the inverse of [`Model::bag_tokens`].
    fn bag_of(&mut self, group: GroupIdx, tokens: &[(u32, u32)]) -> u32 {
        let _ = (group, tokens);
        0
    }

    /// Gives the digits of a token, one after the other, each with the number of digits to choose from. Tokens of
    /// a type whose values fit a word have one, which is their rank; others are taken apart. In a group that counts,
    /// token number `i` is that of the group's slot number `i`.
    fn token_digits(&self, group: GroupIdx, token: u32, each: &mut dyn FnMut(u64, u64)) {
        let _ = (group, token, each);
    }

    /// The number of the token with these digits; `next` is called for one after the other with the number of
    /// digits to choose from. `None` where they are none of a token that can be in the group.
    fn token_from_digits(
        &mut self,
        group: GroupIdx,
        next: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Option<u32> {
        let _ = (group, next);
        None
    }

    /// Facts about all reachable states. Finding them may take a while.
    fn facts(&self) -> Facts {
        Facts::default()
    }

    /// The largest number of tokens in each group, where it is known beyond the bounds of its slots: as [`Facts::most`],
    /// but only what is found in a moment.
    fn group_bounds(&self) -> Vec<Option<u64>> {
        self.layout().groups.iter().map(|group| group.capacity).collect()
    }

    /// What went wrong with actions that were left out for it, each action once, in the order in which they were
    /// met: models may say that an error in the evaluation of an action only disables it.
    fn left_out(&self) -> Vec<&RunError> {
        Vec::new()
    }

    /// Fills in the groups of a state that are implied or constant, from the others; what they held before does
    /// not matter. `hash` is not needed: it follows from the words.
    ///
    /// # Errors
    /// [`Fault::Outgrown`] as in [`Model::fire`]; a run-time error of an expression, or a token that no slot
    /// counts.
    fn complete(&mut self, words: &mut [u64]) -> Result<(), Fault> {
        let _ = words;
        Ok(())
    }

    /// The transition that an action is an instance of, where the model comes from a net.
    fn transition(&self, action: ActionId) -> Option<TransIdx> {
        let _ = action;
        None
    }

    /// An action in words: the transition and its binding.
    fn describe(&self, action: ActionId) -> String;

    /// A state in words, by group: only groups that hold something.
    fn describe_state(&self, words: &[u64]) -> Vec<(String, String)>;

    /// Heap bytes owned by the model's tables that grow during a search.
    fn bytes(&self) -> usize;
}

/// Why an action could not happen although it is enabled.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// A value needs a wider field; widen and try again.
    Outgrown(Outgrown),
    /// The model is wrong here.
    Run(Box<RunError>),
}

/// Why an action could not be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A value needs a wider field; widen and try again.
    Outgrown(Outgrown),
    /// The action cannot have led to this state.
    Impossible,
}

impl From<Outgrown> for Fault {
    fn from(outgrown: Outgrown) -> Fault {
        Fault::Outgrown(outgrown)
    }
}

impl From<RunError> for Fault {
    fn from(error: RunError) -> Fault {
        Fault::Run(Box::new(error))
    }
}

impl From<Outgrown> for Refusal {
    fn from(outgrown: Outgrown) -> Refusal {
        Refusal::Outgrown(outgrown)
    }
}
