//! Stores that keep states as steps, on a model in which steps happen, against a hash map.

mod ring;

use std::collections::HashMap;
use std::num::NonZeroU32;

use petite_bits::{Packing, SlotIdx};
use petite_model::{Fault, Model};
use petite_store::{
    Amount, Delta, DeltaConfig, Difference, Exactness, Lookup, Origin, StateId, StateSet, Stratified, Switch,
};

use ring::Ring;

/// Which state is expanded next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Breadth,
    Depth,
}

/// The distances between explicit levels to try.
const DISTANCES: [u32; 8] = [1, 2, 3, 5, 7, 10, 20, 50];

fn every(k: u32) -> DeltaConfig {
    DeltaConfig::new(NonZeroU32::new(k).unwrap())
}

/// Explores a ring and compares every answer with a hash map. Fields start with a bit and are widened on the way.
fn check<S: Lookup<Ring>>(what: &str, ring: Ring, order: Order, make: impl Fn(&Ring) -> S) -> S {
    let mut model = ring;
    let mut store = make(&model);
    let mut words = vec![0; model.packing().n_words()];
    while let Err(Fault::Outgrown(outgrown)) = model.initial(&mut words) {
        let old = model.widen(outgrown);
        store.repack(&old, model.packing()).unwrap();
        words = vec![0; model.packing().n_words()];
    }
    let mut oracle = HashMap::from([(values(model.packing(), &words), StateId(0))]);
    let hash = model.packing().hash(&words);
    assert!(store.insert(&mut model, &words, hash, Origin::Initial).unwrap().new);
    let mut frontier = std::collections::VecDeque::from([StateId(0)]);
    let mut actions = Vec::new();
    // A state of a depth-first search is looked at again after each of its successors.
    let mut done: HashMap<StateId, usize> = HashMap::new();
    loop {
        let next = if order == Order::Breadth { frontier.front() } else { frontier.back() };
        let Some(&id) = next else { break };
        let mut words = vec![0; model.packing().n_words()];
        store.get(&mut model, id, &mut words);
        assert_eq!(oracle.get(&values(model.packing(), &words)), Some(&id), "{what}");
        actions.clear();
        model.enabled(&words, &mut actions).unwrap();
        let taken = done.entry(id).or_insert(0);
        let Some(&action) = actions.get(*taken) else {
            if order == Order::Breadth {
                frontier.pop_front()
            } else {
                frontier.pop_back()
            };
            continue;
        };
        *taken += 1;
        let mut hash = model.packing().hash(&words);
        while let Err(Fault::Outgrown(outgrown)) = model.fire(&mut words, &mut hash, action) {
            let old = model.widen(outgrown);
            store.repack(&old, model.packing()).unwrap();
            let mut repacked = vec![0; model.packing().n_words()];
            old.repack(&words, model.packing(), &mut repacked).unwrap();
            words = repacked;
        }
        let state = values(model.packing(), &words);
        assert_eq!(store.find(&mut model, &words, hash), oracle.get(&state).copied(), "{what}");
        let hint = store.prefetch(hash);
        // A guess may come or not.
        let guess = store.guess(hash, hint).filter(|_| hash & 64 == 0);
        let origin = Origin::Step { parent: id, action };
        let inserted = store.insert_guessed(&mut model, &words, hash, origin, guess).unwrap();
        assert_eq!(inserted.new, !oracle.contains_key(&state), "{what}");
        if inserted.new {
            oracle.insert(state, inserted.id);
            frontier.push_back(inserted.id);
        }
    }
    assert_eq!(store.len(), oracle.len(), "{what}");
    assert_eq!(oracle.len() as u64, model.n_states(), "{what}");
    let mut words = vec![0; model.packing().n_words()];
    for (state, &id) in &oracle {
        store.get(&mut model, id, &mut words);
        assert_eq!(&values(model.packing(), &words), state, "{what}");
    }
    assert!(store.vector_bytes() <= store.bytes(), "{what}");
    store
}

fn values(packing: &Packing, words: &[u64]) -> Vec<u32> {
    (0..packing.n_slots()).map(|slot| packing.get(words, SlotIdx::new(slot))).collect()
}

fn figure(store: &dyn StateSet, name: &str) -> u64 {
    let figures = store.figures();
    match figures.iter().find(|figure| figure.name == name).map(|figure| &figure.amount) {
        Some(Amount::Count(count)) => *count,
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn delta_markings_in_both_orders() {
    for k in DISTANCES {
        let ring = || Ring::new(6, 9);
        check(&format!("breadth, k = {k}"), ring(), Order::Breadth, |model| {
            Delta::breadth_first(model.layout(), model.packing(), every(k))
        });
        for (name, order) in [("depth", Order::Depth), ("breadth, free", Order::Breadth)] {
            check(&format!("{name}, k = {k}"), ring(), order, |model| {
                Delta::any_order(model.layout(), model.packing(), every(k))
            });
        }
        // The table for breadth-first order has to be right in any.
        check(&format!("depth, ordered, k = {k}"), ring(), Order::Depth, |model| {
            Delta::breadth_first(model.layout(), model.packing(), every(k))
        });
    }
}

#[test]
fn every_switch_gives_the_same_states() {
    let all = [Switch::On, Switch::Off];
    for update in all {
        for backward in all {
            for collapse in all {
                for recall in all {
                    let config = DeltaConfig {
                        predecessor_update: update,
                        backward_firing: backward,
                        collapse,
                        recall,
                        ..every(7)
                    };
                    let what = format!("{config:?}");
                    check(&what, Ring::new(5, 8), Order::Depth, |model| {
                        Delta::any_order(model.layout(), model.packing(), config)
                    });
                    check(&what, Ring::new(5, 8), Order::Breadth, |model| {
                        Delta::breadth_first(model.layout(), model.packing(), config)
                    });
                    // A model that cannot take actions back is never asked to.
                    check(&what, Ring::one_way(5, 8), Order::Depth, |model| {
                        Delta::any_order(model.layout(), model.packing(), config)
                    });
                }
            }
        }
    }
}

#[test]
fn the_switches_do_what_they_say() {
    let run = |config: DeltaConfig| {
        check("", Ring::new(6, 9), Order::Depth, |model| {
            Delta::any_order(model.layout(), model.packing(), config)
        })
    };
    let base = DeltaConfig { recall: Switch::Off, ..every(50) };
    let both = run(base);
    let no_update = run(DeltaConfig { predecessor_update: Switch::Off, ..base });
    assert!(figure(&both, "predecessors updated") > 0);
    assert_eq!(figure(&no_update, "predecessors updated"), 0);
    let firings = |store: &Delta<_>| figure(store, "firings for reconstitutions");
    assert!(firings(&both) < firings(&no_update), "updated predecessors are nearer");
    assert!(firings(&run(every(50))) < firings(&both), "recalled states are nearer still");
}

#[test]
fn differences_in_both_orders() {
    for delta in DISTANCES.into_iter().chain([0]) {
        for order in [Order::Breadth, Order::Depth] {
            for ring in [Ring::new(6, 9), Ring::one_way(6, 9)] {
                let store = check(&format!("{order:?}, delta = {delta}"), ring, order, |model| {
                    Difference::new(model.packing(), delta)
                });
                if delta > 1 {
                    let kinds = store.kinds();
                    let n = store.len() - store.n_explicit();
                    // Each step of the ring moves one black token.
                    assert_eq!(
                        (kinds.moved, kinds.changed, kinds.created, kinds.deleted),
                        (n as u64, 0, 0, 0)
                    );
                    assert_eq!(store.n_changes(), 2 * n as u64);
                }
            }
        }
    }
}

/// A path of a million steps from the only explicit marking: nothing may recurse.
#[test]
fn a_chain_of_a_million_steps() {
    let n = 1_000_000;
    assert_eq!(petite_bits::mix64(unmixed(12345)), 12345);
    for backward in [Switch::On, Switch::Off] {
        let config = DeltaConfig { backward_firing: backward, recall: Switch::Off, ..every(u32::MAX) };
        let mut model = Ring::counter(n);
        let (layout, packing) = (model.layout().clone(), model.packing().clone());
        let mut ordered = Delta::breadth_first(&layout, &packing, config);
        let mut free = Delta::any_order(&layout, &packing, config);
        walk(&mut model, &mut ordered, n);
        walk(&mut model, &mut free, n);
    }
    let mut model = Ring::counter(n);
    let mut difference = Difference::new(model.packing(), u32::MAX);
    walk(&mut model, &mut difference, n);
}

/// Counts to `n`. The hashes are chosen so that no two states look alike: a chain is walked only where it is asked for.
fn walk<S: Lookup<Ring>>(model: &mut Ring, store: &mut S, n: u32) {
    let hash_of = |id: u32| unmixed(u64::from(id.wrapping_mul(0x9E37_79B9)) << 39 | u64::from(id));
    let mut words = vec![0; model.packing().n_words()];
    model.initial(&mut words).unwrap();
    store.insert(model, &words, hash_of(0), Origin::Initial).unwrap();
    let mut actions = Vec::new();
    model.enabled(&words, &mut actions).unwrap();
    let action = actions[0];
    for id in 0..n {
        model.fire(&mut words, &mut 0, action).unwrap();
        let origin = Origin::Step { parent: StateId(id), action };
        assert!(store.insert(model, &words, hash_of(id + 1), origin).unwrap().new);
    }
    let mut last = vec![0; words.len()];
    store.get(model, StateId(n), &mut last);
    assert_eq!(last, words);
    assert_eq!(store.find(model, &words, hash_of(n)), Some(StateId(n)));
}

/// The number that [`petite_bits::mix64`] makes this one of.
fn unmixed(mut x: u64) -> u64 {
    x = (x ^ x >> 31 ^ x >> 62).wrapping_mul(0x3196_42B2_D24D_8EC3);
    x = (x ^ x >> 27 ^ x >> 54).wrapping_mul(0x96DE_1B17_3F11_9089);
    x ^ x >> 30 ^ x >> 60
}

#[test]
fn dropped_markings_are_admitted() {
    let config = every(6);
    let exact = check("", Ring::new(6, 9), Order::Depth, |model| {
        Stratified::new(model.layout(), model.packing(), config, usize::MAX)
    });
    assert_eq!((exact.repeated_at_most(), figure(&exact, "markings dropped")), (0, 0));
    for share in [2, 3] {
        let mut model = Ring::wide(6, 9);
        let budget = exact.bytes() / share;
        let mut store = Stratified::new(model.layout(), model.packing(), config, budget);
        let seen = depth_first(&mut model, &mut store);
        assert_eq!(seen.len() as u64, model.n_states(), "every state is met");
        let repeated = store.len() as u64 - model.n_states();
        assert!(figure(&store, "markings dropped") > 0);
        assert!(repeated <= store.repeated_at_most(), "{repeated} of {}", store.repeated_at_most());
        assert_eq!(store.exactness(), Exactness::Repeated { most: store.repeated_at_most() });
    }
}

/// A depth-first search with one working state, as the real one.
fn depth_first(model: &mut Ring, store: &mut Stratified) -> std::collections::HashSet<Vec<u64>> {
    use petite_store::Store;
    let mut words = vec![0; model.packing().n_words()];
    model.initial(&mut words).unwrap();
    let hash = model.packing().hash(&words);
    let first = store.insert(model, &words, hash, Origin::Initial).unwrap();
    let mut seen = std::collections::HashSet::from([words.clone()]);
    let mut stack = vec![(first.id, words, 0)];
    while let Some((id, words, taken)) = stack.last_mut() {
        let mut actions = Vec::new();
        model.enabled(words, &mut actions).unwrap();
        let Some(&action) = actions.get(*taken) else {
            stack.pop();
            continue;
        };
        *taken += 1;
        let (mut words, parent) = (words.clone(), *id);
        let mut hash = model.packing().hash(&words);
        model.fire(&mut words, &mut hash, action).unwrap();
        let inserted = store.insert(model, &words, hash, Origin::Step { parent, action }).unwrap();
        if inserted.new {
            seen.insert(words.clone());
            stack.push((inserted.id, words, 0));
        }
    }
    seen
}
