//! Properties of the whole net, told from its reachable states.
//!
//! Tokens of a place are counted together, whatever their colours, as the contest does: a coloured place with two tokens of
//! different colours is not safe, and one that changes the colour of its token is stable.

use petite_model::{ActionId, NetModel};
use petite_net::Global;

/// What is known of a property of the net.
#[derive(Debug)]
pub(crate) enum GlobalHunt {
    /// Nobody has seen two tokens in a place.
    OneSafe,
    /// The places that have had the same number of tokens so far, with that number; none before the first state.
    Stable(Option<Vec<(u32, u64)>>),
    /// The transitions that were not enabled yet.
    QuasiLive { is_seen: Vec<bool>, n_unseen: usize },
}

impl GlobalHunt {
    /// Nothing is known yet. Liveness is about more than reachable states.
    pub fn new<M: NetModel>(model: &M, global: Global) -> Option<GlobalHunt> {
        let n_transitions = model.net().transitions.len();
        Some(match global {
            Global::OneSafe => GlobalHunt::OneSafe,
            Global::StableMarking => GlobalHunt::Stable(None),
            Global::QuasiLiveness => {
                GlobalHunt::QuasiLive { is_seen: vec![false; n_transitions], n_unseen: n_transitions }
            }
            Global::Liveness => return None,
        })
    }

    /// Looks at the numbers of tokens of a new state. Gives the answer when it is decided.
    pub fn state(&mut self, totals: &[u64]) -> Option<bool> {
        match self {
            GlobalHunt::OneSafe => totals.iter().any(|&total| total > 1).then_some(false),
            GlobalHunt::Stable(stable) => {
                let stable = stable.get_or_insert_with(|| (0..).zip(totals.iter().copied()).collect());
                stable.retain(|&(place, total)| totals[place as usize] == total);
                stable.is_empty().then_some(false)
            }
            GlobalHunt::QuasiLive { n_unseen, .. } => (*n_unseen == 0).then_some(true),
        }
    }

    /// Looks at what is enabled in a state.
    pub fn expanded<M: NetModel>(&mut self, model: &M, actions: &[ActionId]) -> Option<bool> {
        let GlobalHunt::QuasiLive { is_seen, n_unseen } = self else { return None };
        for &action in actions {
            let seen = &mut is_seen[model.transition_of(action).index()];
            *n_unseen -= usize::from(!std::mem::replace(seen, true));
        }
        (*n_unseen == 0).then_some(true)
    }

    /// The answer when all states were seen and nothing decided it before.
    pub fn at_end(&self) -> bool {
        match self {
            GlobalHunt::OneSafe => true,
            GlobalHunt::Stable(stable) => stable.as_ref().is_some_and(|stable| !stable.is_empty()),
            GlobalHunt::QuasiLive { n_unseen, .. } => *n_unseen == 0,
        }
    }

    /// Whether it wants to know what is enabled.
    pub fn needs_actions(&self) -> bool {
        matches!(self, GlobalHunt::QuasiLive { .. })
    }
}
