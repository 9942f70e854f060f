//! What every exact store has to do, checked on random insertions against a hash map.
//!
//! A new store joins by one test at the foot of this file. Set `SEED` to run one sequence alone.

mod inert;

use std::collections::HashMap;
use std::num::NonZeroU32;

use petite_bits::{Outgrown, Packing, SlotIdx, mix64};
use petite_model::{ActionId, Model};
use petite_store::{
    Batching, Coded, Delta, DeltaConfig, DiagramStore, Difference, DigitSource, IndexedTree, Inserted,
    Lookup, Multiset, MultisetOptions, Obdd, Ondd, Origin, PartDigits, Plain, Scheme, Shape, SlotDigits,
    StateId, Store, Switch, Tabled, Weights,
};

use inert::Inert;

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix64(self.0) % n.max(1)
    }
}

/// Runs a store through many random sequences of insertions and repackings.
fn conformance<S: Lookup<Inert>>(make: impl Fn(&Packing) -> S) {
    if let Some(seed) = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()) {
        return one_sequence(&make, seed);
    }
    for seed in 0..120 {
        one_sequence(&make, seed);
    }
    for n in [1000, 70_000, 400_000] {
        many_states(&make, n);
    }
    no_slots(&make);
}

/// A random sequence; every third one has hashes that collide nearly always.
fn one_sequence<S: Lookup<Inert>>(make: impl Fn(&Packing) -> S, seed: u64) {
    let mut random = Random(seed << 40);
    let n_slots = 1 + random.below(40) as usize;
    let widest = 1 + random.below(6);
    let mut packing = Packing::new(&(0..n_slots).map(|_| random.below(widest) as u8).collect::<Vec<_>>());
    let kept_hash_bits = if seed.is_multiple_of(3) { 3 } else { !0 };
    let hash_of = |packing: &Packing, words: &[u64]| packing.hash(words) & kept_hash_bits;

    let mut model = Inert::new(&packing);
    let mut store = make(&packing);
    let mut oracle: HashMap<Vec<u32>, StateId> = HashMap::new();
    let mut states: Vec<Vec<u32>> = Vec::new();
    let n_insertions = random.below(1500);
    for _ in 0..n_insertions {
        if random.below(200) == 0 {
            let slot = SlotIdx(random.below(n_slots as u64) as u32);
            let value = packing.field(slot).max().saturating_mul(2).max(1);
            let narrow = model.widen(Outgrown { slot, value });
            packing = model.packing().clone();
            store.repack(&narrow, &packing).unwrap();
        }
        // A few slots differ from some earlier state, so that many states come twice.
        let mut state =
            states.get(random.below(states.len() as u64) as usize).cloned().unwrap_or(vec![0; n_slots]);
        for _ in 0..random.below(3) {
            let slot = random.below(n_slots as u64) as usize;
            let max = packing.field(SlotIdx::new(slot)).max();
            state[slot] = random.below(u64::from(max) + 1) as u32;
        }
        let words = packed(&packing, &state);
        let hash = hash_of(&packing, &words);
        let origin = match states.len() {
            0 => Origin::Initial,
            n => Origin::Step { parent: StateId(random.below(n as u64) as u32), action: ActionId(7) },
        };
        let hint = store.prefetch(hash);
        let guess = store.guess(hash, hint);
        let expected = match oracle.get(&state) {
            Some(&id) => Inserted { id, new: false },
            None => Inserted { id: StateId::new(states.len()), new: true },
        };
        assert_eq!(store.find(&mut model, &words, hash), oracle.get(&state).copied(), "SEED={seed}");
        assert_eq!(
            store.insert_guessed(&mut model, &words, hash, origin, guess),
            Ok(expected),
            "SEED={seed}"
        );
        assert_eq!(store.find(&mut model, &words, hash), Some(expected.id), "SEED={seed}");
        if expected.new {
            oracle.insert(state.clone(), expected.id);
            states.push(state);
        }
        assert_eq!(store.len(), states.len(), "SEED={seed}");
        assert_eq!(store.is_empty(), states.is_empty(), "SEED={seed}");
    }
    let mut words = vec![!0; packing.n_words()];
    for (id, state) in states.iter().enumerate() {
        store.get(&mut model, StateId::new(id), &mut words);
        assert_eq!(words, packed(&packing, state), "SEED={seed}");
    }
    assert!(store.vector_bytes() <= store.bytes(), "SEED={seed}");
}

/// Enough states that tables grow many times; all are found again and come back, also after a repacking.
fn many_states<S: Lookup<Inert>>(make: impl Fn(&Packing) -> S, n: u32) {
    let mut packing = Packing::new(&[7, 0, 20, 32, 32, 1]);
    let mut model = Inert::new(&packing);
    let mut store = make(&packing);
    let state_of = |i: u32| vec![i % 100, 0, i, i.wrapping_mul(0x9E37_79B9), i / 2, i & 1];
    for repeat in 0..3 {
        for i in 0..n {
            let words = packed(&packing, &state_of(i));
            let inserted = store.insert(&mut model, &words, packing.hash(&words), Origin::Initial).unwrap();
            assert_eq!(inserted, Inserted { id: StateId(i), new: repeat == 0 });
        }
        assert_eq!(store.len(), n as usize);
        if repeat == 1 {
            let narrow = model.widen(Outgrown { slot: SlotIdx(1), value: 1000 });
            packing = model.packing().clone();
            store.repack(&narrow, &packing).unwrap();
        }
    }
    let mut words = vec![0; packing.n_words()];
    for i in 0..n {
        store.get(&mut model, StateId(i), &mut words);
        assert_eq!(words, packed(&packing, &state_of(i)));
    }
}

/// States without any bits: there is exactly one.
fn no_slots<S: Lookup<Inert>>(make: impl Fn(&Packing) -> S) {
    for packing in [Packing::new(&[]), Packing::new(&[0, 0])] {
        let mut model = Inert::new(&packing);
        let mut store = make(&packing);
        assert_eq!(
            store.insert(&mut model, &[0], 0, Origin::Initial),
            Ok(Inserted { id: StateId(0), new: true })
        );
        assert_eq!(
            store.insert(&mut model, &[0], 0, Origin::Initial),
            Ok(Inserted { id: StateId(0), new: false })
        );
        let mut words = [5];
        store.get(&mut model, StateId(0), &mut words);
        assert_eq!((words, store.len()), ([0], 1));
    }
}

fn packed(packing: &Packing, state: &[u32]) -> Vec<u64> {
    let mut words = vec![0; packing.n_words()];
    for (slot, &value) in state.iter().enumerate() {
        packing.set(&mut words, SlotIdx::new(slot), value).unwrap();
    }
    words
}

#[test]
fn plain() {
    conformance(Plain::new);
}

#[test]
fn codecs_by_tables() {
    for scheme in [Scheme::Compress, Scheme::Collapse, Scheme::NewCollapse] {
        conformance(|packing: &Packing| {
            let model = Inert::new(packing);
            Coded::new(Tabled::new(scheme, model.layout(), packing))
        });
    }
}

/// Runs a pure set through random sequences of insertions and repackings.
fn set_conformance<S: Store<Inert>>(n_seeds: u64, make: impl Fn(&Packing) -> S) {
    for seed in 0..n_seeds {
        one_set(&make, seed);
    }
    for packing in [Packing::new(&[]), Packing::new(&[0, 0])] {
        let (mut model, mut store) = (Inert::new(&packing), make(&packing));
        for new in [true, false] {
            let inserted = store.insert(&mut model, &[0], 0, Origin::Initial).unwrap();
            assert_eq!((inserted.new, store.len()), (new, 1));
        }
    }
}

/// A random sequence; states come back often, fields grow, and every third sequence has bad hashes.
fn one_set<S: Store<Inert>>(make: impl Fn(&Packing) -> S, seed: u64) {
    let mut random = Random(seed << 40);
    let n_slots = 1 + random.below(30) as usize;
    let widest = 1 + random.below(6);
    let mut packing = Packing::new(&(0..n_slots).map(|_| random.below(widest) as u8).collect::<Vec<_>>());
    let kept_hash_bits = if seed.is_multiple_of(3) { 3 } else { !0 };
    let (mut model, mut store) = (Inert::new(&packing), make(&packing));
    let mut oracle: HashMap<Vec<u32>, ()> = HashMap::new();
    let mut states: Vec<Vec<u32>> = Vec::new();
    for _ in 0..random.below(4000) {
        if random.below(500) == 0 {
            let slot = SlotIdx(random.below(n_slots as u64) as u32);
            let value = packing.field(slot).max().saturating_mul(2).max(1);
            let narrow = model.widen(Outgrown { slot, value });
            packing = model.packing().clone();
            store.repack(&narrow, &packing).unwrap();
        }
        let mut state =
            states.get(random.below(states.len() as u64) as usize).cloned().unwrap_or(vec![0; n_slots]);
        for _ in 0..random.below(3) {
            let slot = random.below(n_slots as u64) as usize;
            let max = packing.field(SlotIdx::new(slot)).max();
            state[slot] = random.below(u64::from(max) + 1) as u32;
        }
        let words = packed(&packing, &state);
        let hash = packing.hash(&words) & kept_hash_bits;
        let new = oracle.insert(state.clone(), ()).is_none();
        let id = if new { StateId::new(states.len()) } else { StateId::UNKNOWN };
        let inserted = store.insert(&mut model, &words, hash, Origin::Initial);
        assert_eq!(inserted, Ok(Inserted { id, new }), "SEED={seed}");
        if new {
            states.push(state);
        }
        assert_eq!(store.len(), states.len(), "SEED={seed}");
    }
    assert!(store.bytes() > 0, "SEED={seed}");
}

/// The slots in a random order.
fn shuffled(packing: &Packing) -> SlotDigits {
    let mut random = Random(packing.n_bits() as u64);
    let mut slots: Vec<SlotIdx> = (0..packing.n_slots()).map(SlotIdx::new).collect();
    for at in (1..slots.len()).rev() {
        slots.swap(at, random.below(at as u64 + 1) as usize);
    }
    SlotDigits::new(Inert::new(packing).layout(), packing, &slots, "shuffled")
}

#[test]
fn n_ary_diagrams() {
    set_conformance(80, |packing| DiagramStore::new(Ondd::new(), shuffled(packing), Batching::Batches));
    set_conformance(30, |packing| DiagramStore::new(Ondd::new(), shuffled(packing), Batching::Single));
}

#[test]
fn binary_diagrams() {
    let make = |batching| {
        move |packing: &Packing| {
            let digits = shuffled(packing);
            DiagramStore::new(Obdd::new(digits.format()).unwrap(), digits, batching)
        }
    };
    set_conformance(40, make(Batching::Batches));
    set_conformance(10, make(Batching::Single));
}

#[test]
fn diagrams_over_tables() {
    for scheme in [Scheme::Compress, Scheme::Collapse, Scheme::NewCollapse] {
        let digits =
            |packing: &Packing| PartDigits::new(Tabled::new(scheme, Inert::new(packing).layout(), packing));
        set_conformance(30, |packing| DiagramStore::new(Ondd::new(), digits(packing), Batching::Batches));
        set_conformance(15, |packing| {
            let digits = digits(packing);
            DiagramStore::new(Obdd::new(digits.format()).unwrap(), digits, Batching::Batches)
        });
    }
}

/// Steps need a model in which something happens, see `steps.rs`; with all states explicit, none is needed.
#[test]
fn delta_markings_all_explicit() {
    let config = DeltaConfig::new(NonZeroU32::MIN);
    let layout = |packing: &Packing| Inert::new(packing).layout().clone();
    conformance(|packing| Delta::any_order(&layout(packing), packing, config));
    conformance(|packing| Delta::breadth_first(&layout(packing), packing, config));
    let config = DeltaConfig { collapse: Switch::On, ..config };
    conformance(|packing| Delta::any_order(&layout(packing), packing, config));
}

#[test]
fn differences() {
    for delta in [0, 1, 2, 7, 1000] {
        conformance(|packing| Difference::new(packing, delta));
    }
}

#[test]
fn coded_as_multisets() {
    for options in [MultisetOptions::PAPER, MultisetOptions::BEST] {
        conformance(|packing| Coded::new(Multiset::new(&mut Inert::new(packing), options)));
    }
}

#[test]
fn coded_as_trained_multisets() {
    let options = MultisetOptions { weights: Weights::Trained, ..MultisetOptions::BEST };
    conformance(|packing| Coded::new(Multiset::new(&mut Inert::new(packing), options)));
}

#[test]
fn indexed_tree() {
    conformance(|packing| IndexedTree::with_shape(packing, Shape::in_order(packing)).unwrap());
}
