//! Properties of the whole net, told from its reachable states.

use petite_model::{ActionId, NetModel};
use petite_net::Global;

/// What is known of a property of the net.
#[derive(Debug)]
pub(crate) enum GlobalHunt {
    /// Nobody has seen two equal tokens in a place.
    OneSafe,
    Stable(Stable),
    /// The transitions that were not enabled yet.
    QuasiLive {
        is_seen: Vec<bool>,
        n_unseen: usize,
    },
}

impl GlobalHunt {
    /// Nothing is known yet. Liveness is about more than reachable states.
    pub fn new<M: NetModel>(model: &M, global: Global) -> Option<GlobalHunt> {
        let n_transitions = model.net().transitions.len();
        Some(match global {
            Global::OneSafe => GlobalHunt::OneSafe,
            Global::StableMarking => GlobalHunt::Stable(Stable::default()),
            Global::QuasiLiveness => {
                GlobalHunt::QuasiLive { is_seen: vec![false; n_transitions], n_unseen: n_transitions }
            }
            Global::Liveness => return None,
        })
    }

    /// Looks at a new state. Gives the answer when it is decided.
    pub fn state<M: NetModel>(&mut self, model: &M, words: &[u64]) -> Option<bool> {
        match self {
            GlobalHunt::OneSafe => (model.largest_multiplicity(words) > 1).then_some(false),
            GlobalHunt::Stable(stable) => (!stable.see(model, words)).then_some(false),
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
            GlobalHunt::Stable(stable) => stable.n_stable() > 0,
            GlobalHunt::QuasiLive { n_unseen, .. } => *n_unseen == 0,
        }
    }

    /// Whether it wants to know what is enabled.
    pub fn needs_actions(&self) -> bool {
        matches!(self, GlobalHunt::QuasiLive { .. })
    }
}

/// The places that have kept their tokens so far.
#[derive(Debug, Default)]
pub(crate) struct Stable {
    /// The first state, slot by slot; empty before there was one.
    first: Vec<u32>,
    is_stable: Vec<bool>,
    /// The first state and the bits of stable places, packed as states were when they had so many bits.
    packed: Vec<u64>,
    mask: Vec<u64>,
    n_bits: usize,
}

impl Stable {
    /// Compares a state with the first one. Tells whether a place is left that never changed.
    fn see<M: NetModel>(&mut self, model: &M, words: &[u64]) -> bool {
        let packing = model.packing();
        if self.is_stable.is_empty() {
            self.is_stable = vec![true; model.layout().groups.len()];
            self.first = (0..packing.n_slots())
                .map(|slot| packing.get(words, petite_bits::SlotIdx::new(slot)))
                .collect();
        }
        if self.n_bits != packing.n_bits() {
            self.pack(model);
        }
        let is_same = words
            .iter()
            .zip(&self.packed)
            .zip(&self.mask)
            .all(|((now, first), mask)| (now ^ first) & mask == 0);
        if !is_same {
            for slot in packing.changed(words, &self.packed) {
                self.is_stable[model.layout().slots[slot.index()].group.index()] = false;
            }
            self.pack(model);
        }
        self.n_stable() > 0
    }

    fn pack<M: NetModel>(&mut self, model: &M) {
        let packing = model.packing();
        self.n_bits = packing.n_bits();
        self.packed = vec![0; packing.n_words()];
        self.mask = vec![0; packing.n_words()];
        for (i, slot) in model.layout().slots.iter().enumerate() {
            let (at, field) = (petite_bits::SlotIdx::new(i), packing.field(petite_bits::SlotIdx::new(i)));
            // The first state fitted narrower fields, too.
            let _ = packing.set(&mut self.packed, at, self.first[i]);
            if self.is_stable[slot.group.index()] {
                self.mask[field.word as usize] |= u64::from(field.max()) << field.shift;
            }
        }
    }

    fn n_stable(&self) -> usize {
        self.is_stable.iter().filter(|stable| **stable).count()
    }
}
