//! Tokens that move at random: the models of paper 2's experiment.
//!
//! Mukherjee, Tari and Bertok (2010), section 4: there are n places and m tokens, each with a name of its own, all of
//! them in place 0 at first. In each state some transitions, drawn at random, are enabled, so that a model of any size
//! needs no description. Each moves one token to another place.
//!
//! A state has one slot for each token, its place. Which actions are enabled is drawn from a seed and the state, so a
//! state always has the same ones, and the same seed gives the same model.
//!
//! An action is a token and a distance, from 1 to n - 1, in a circle of places: so it can be taken back.

use petite_bits::{Outgrown, Packing, SlotIdx, mix64, slot_key, width_of};
use petite_net::RunError;

use crate::{ActionId, Content, Fault, Group, GroupIdx, Layout, Model, Refusal, Slot};

/// A token game.
#[derive(Debug)]
pub struct TokenGame {
    layout: Layout,
    packing: Packing,
    places: u32,
    tokens: u32,
    seed: u64,
    /// Actions drawn for each state.
    draws: u32,
    /// The change of every action: none, since each group holds one token.
    unchanged: Vec<(GroupIdx, i64)>,
}

impl TokenGame {
    /// A game of `tokens` tokens on `places` places in which `draws` actions are drawn for each state; some may be drawn
    /// twice and count once. `None` where nothing could move, or an action would not fit its number.
    pub fn new(places: u32, tokens: u32, draws: u32, seed: u64) -> Option<TokenGame> {
        if places < 2 || tokens == 0 || draws == 0 {
            return None;
        }
        u32::try_from(u64::from(tokens) * u64::from(places - 1)).ok()?;
        let mut layout = Layout::default();
        for token in 0..tokens {
            let group = GroupIdx(token);
            layout.slots.push(Slot { bound: Some(places - 1), ..Slot::new(group) });
            let (first, end) = (SlotIdx(token), SlotIdx(token + 1));
            layout.groups.push(Group::new(format!("token {token}"), first, end, Content::Counts));
        }
        let packing = Packing::new(&vec![width_of(places - 1); tokens as usize]);
        Some(TokenGame { layout, packing, places, tokens, seed, draws, unchanged: Vec::new() })
    }

    /// The token and the distance of an action.
    fn parts(&self, action: ActionId) -> (SlotIdx, u32) {
        (SlotIdx(action.0 / (self.places - 1)), 1 + action.0 % (self.places - 1))
    }

    /// Moves a token on by some places of the circle.
    fn advance(&self, words: &mut [u64], hash: &mut u64, token: SlotIdx, by: u32) -> Result<(), Outgrown> {
        let before = self.packing.get(words, token);
        let after = ((u64::from(before) + u64::from(by)) % u64::from(self.places)) as u32;
        self.packing.set(words, token, after)?;
        let change = i64::from(after) - i64::from(before);
        *hash = hash.wrapping_add(slot_key(token).wrapping_mul(change as u64));
        Ok(())
    }
}

impl Model for TokenGame {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn packing(&self) -> &Packing {
        &self.packing
    }

    fn widen(&mut self, outgrown: Outgrown) -> Packing {
        let wider = self.packing.widened(outgrown);
        std::mem::replace(&mut self.packing, wider)
    }

    fn initial(&mut self, words: &mut [u64]) -> Result<(), Fault> {
        words.fill(0);
        Ok(())
    }

    fn enabled(&mut self, words: &[u64], actions: &mut Vec<ActionId>) -> Result<(), RunError> {
        let n_actions = u64::from(self.tokens) * u64::from(self.places - 1);
        let state = mix64(self.packing.hash(words) ^ mix64(self.seed));
        let start = actions.len();
        for draw in 0..u64::from(self.draws) {
            let action = ActionId((mix64(state.wrapping_add(draw)) % n_actions) as u32);
            if !actions[start..].contains(&action) {
                actions.push(action);
            }
        }
        Ok(())
    }

    fn fire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Fault> {
        let (token, by) = self.parts(action);
        Ok(self.advance(words, hash, token, by)?)
    }

    fn unfire(&mut self, words: &mut [u64], hash: &mut u64, action: ActionId) -> Result<(), Refusal> {
        let (token, by) = self.parts(action);
        Ok(self.advance(words, hash, token, self.places - by)?)
    }

    fn n_actions(&self) -> usize {
        self.tokens as usize * (self.places as usize - 1)
    }

    /// Every group is one token.
    fn group_totals(&self, _: &[u64], totals: &mut [u64]) {
        totals.fill(1);
    }

    fn group_changes(&self, _: ActionId) -> &[(GroupIdx, i64)] {
        &self.unchanged
    }

    fn largest_multiplicity(&self, _: &[u64]) -> u32 {
        1
    }

    fn largest_given(&self, _: &[u64], _: ActionId) -> u32 {
        1
    }

    fn describe(&self, action: ActionId) -> String {
        let (token, by) = self.parts(action);
        format!("token {} moves on by {by}", token.0)
    }

    fn describe_state(&self, words: &[u64]) -> Vec<(String, String)> {
        let place = |token| self.packing.get(words, SlotIdx(token));
        (0..self.tokens).map(|token| (format!("token {token}"), format!("place {}", place(token)))).collect()
    }

    fn bytes(&self) -> usize {
        self.packing.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_can_be_taken_back_and_come_again() {
        let mut game = TokenGame::new(7, 5, 4, 1).unwrap();
        let mut words = vec![0; game.packing().n_words()];
        game.initial(&mut words).unwrap();
        let mut hash = game.packing().hash(&words);
        let mut path = Vec::new();
        for _ in 0..200 {
            let (mut actions, mut again) = (Vec::new(), Vec::new());
            game.enabled(&words, &mut actions).unwrap();
            game.enabled(&words, &mut again).unwrap();
            assert_eq!(actions, again);
            assert!((1..=4).contains(&actions.len()));
            path.push((words.clone(), actions[0]));
            game.fire(&mut words, &mut hash, actions[0]).unwrap();
            assert_eq!(hash, game.packing().hash(&words));
            assert_ne!(words, path[path.len() - 1].0);
        }
        while let Some((before, action)) = path.pop() {
            game.unfire(&mut words, &mut hash, action).unwrap();
            assert_eq!((&words, hash), (&before, game.packing().hash(&before)));
        }
    }

    #[test]
    fn games_in_which_nothing_moves_are_refused() {
        assert!(TokenGame::new(1, 5, 4, 1).is_none());
        assert!(TokenGame::new(5, 0, 4, 1).is_none());
        assert!(TokenGame::new(u32::MAX, u32::MAX, 4, 1).is_none());
    }
}
