//! Figures 7 and 8 of paper 4, and random sets.

use super::*;
use crate::diagram::Pending;
use petite_bits::mix64;
use std::collections::{BTreeMap, BTreeSet};

/// A Boolean function of the bits from some level on, as the set of its members.
type Rest = BTreeSet<Vec<bool>>;

/// The nodes of the diagram of a set by the definition: the distinct functions that remain after some bits and depend on
/// the next one, each with what its two branches are; without the function that is never true.
fn by_definition(members: &Rest, n_bits: usize) -> BTreeSet<(usize, Rest)> {
    let mut nodes = BTreeSet::new();
    let mut open = vec![(0, members.clone())];
    while let Some((level, rest)) = open.pop() {
        if rest.is_empty() {
            continue;
        }
        if level == n_bits {
            nodes.insert((level, rest));
            continue;
        }
        let branch =
            |bit| rest.iter().filter(|bits| bits[0] == bit).map(|bits| bits[1..].to_vec()).collect::<Rest>();
        let (zero, one) = (branch(false), branch(true));
        if zero == one {
            open.push((level + 1, zero));
            continue;
        }
        if nodes.insert((level, rest.clone())) {
            open.extend([(level + 1, zero), (level + 1, one)]);
        }
    }
    nodes
}

/// The nodes of a diagram, in the same form.
fn found(obdd: &Obdd) -> BTreeSet<(usize, Rest)> {
    let n_bits = obdd.places.len();
    let mut rests: BTreeMap<usize, (usize, Rest)> = BTreeMap::new();
    obdd.set.with_manager_shared(|manager, root| {
        fn walk<'id>(
            manager: &encode::BddManager<'id>,
            edge: oxidd_core::util::Ref<'_, <encode::BddManager<'id> as Manager>::Edge>,
            truth: usize,
            n_bits: usize,
            rests: &mut BTreeMap<usize, (usize, Rest)>,
        ) -> (usize, Rest) {
            let Node::Inner(node) = manager.get_node(edge) else {
                let members = if edge.node_id() == truth { Rest::from([vec![]]) } else { Rest::new() };
                if !members.is_empty() {
                    rests.insert(edge.node_id(), (n_bits, members.clone()));
                }
                return (n_bits, members);
            };
            let level = node.level() as usize;
            let mut members = Rest::new();
            for (child, bit) in [(node.child(0), true), (node.child(1), false)] {
                let (below, rest) = walk(manager, child, truth, n_bits, rests);
                // Levels that are skipped may be anything.
                let skipped = below - level - 1;
                for rest in rest {
                    for any in 0..1usize << skipped {
                        let mut bits = vec![bit];
                        bits.extend((0..skipped).map(|i| any >> i & 1 == 1));
                        bits.extend(&rest);
                        members.insert(bits);
                    }
                }
            }
            rests.insert(edge.node_id(), (level, members.clone()));
            (level, members)
        }
        walk(manager, root, obdd.truth, n_bits, &mut rests);
    });
    rests.into_values().collect()
}

fn add(obdd: &mut Obdd, format: &Format, keys: &BTreeSet<Vec<u8>>) {
    let mut pending = Pending::default();
    pending.reset(format.key_bytes(), keys.len()).unwrap();
    for key in keys {
        let cell = pending.find(key, 0).unwrap_err();
        pending.add(key, cell);
    }
    obdd.union(format, pending.sorted()).unwrap();
}

/// Adds states one by one and gives the number of nodes after each, which are compared one by one with the definition.
fn insert_all(states: &[&str]) -> Vec<usize> {
    // Bit 0, the semaphore, is the topmost variable; the text has it last.
    let format = Format::new(vec![1; 5]);
    let mut obdd = Obdd::new(&format).unwrap();
    let mut members = Rest::new();
    let insert = |state: &&str| {
        let bits: Vec<bool> = state.chars().rev().map(|bit| bit == '1').collect();
        let key: Vec<u8> = bits.iter().map(|&bit| u8::from(bit)).collect();
        assert!(!obdd.contains(&format, &key));
        add(&mut obdd, &format, &[key.clone()].into());
        assert!(obdd.contains(&format, &key));
        members.insert(bits);
        assert_eq!(found(&obdd), by_definition(&members, 5), "{state}");
        assert_eq!(obdd.n_nodes(), found(&obdd).len());
        obdd.n_nodes()
    };
    states.iter().map(insert).collect()
}

#[test]
fn the_diagrams_of_mutual_exclusion_node_by_node() {
    // Figure 7 names its first four states; figure 8 says that the diagrams of six and seven have twelve nodes each,
    // which the remaining states have in these two orders.
    let first = ["00000", "01000", "10001", "00010"];
    for (rest, nodes) in [
        (["00101", "10011", "01101", "01010"], [6, 5, 9, 11, 11, 12, 12, 9]),
        (["10011", "00101", "01101", "01010"], [6, 5, 9, 11, 10, 12, 12, 9]),
    ] {
        assert_eq!(insert_all(&[first, rest].concat()), nodes);
    }
}

#[test]
fn random_sets_grow_by_moving() {
    for seed in 0..12u64 {
        let n_digits = 1 + seed as usize % 4;
        let format = Format::new(vec![9; n_digits]);
        let mut obdd = Obdd::new(&format).unwrap();
        let mut oracle = BTreeSet::new();
        let draw = |i: u64| {
            let mut key = vec![0; format.key_bytes()];
            for d in 0..n_digits {
                format.set_digit(&mut key, d, mix64(seed << 40 | i << 8 | d as u64) as u32 % 512);
            }
            key
        };
        for batch in 0..12u64 {
            let keys: BTreeSet<Vec<u8>> =
                (0..800).map(|i| draw(batch * 800 + i)).filter(|key| !oracle.contains(key)).collect();
            assert!(keys.iter().all(|key| !obdd.contains(&format, key)));
            add(&mut obdd, &format, &keys);
            oracle.extend(keys);
        }
        assert!(oracle.iter().all(|key| obdd.contains(&format, key)), "seed {seed}");
        assert!(
            (0..5000)
                .map(|i| draw(1 << 20 | i))
                .all(|key| obdd.contains(&format, &key) == oracle.contains(&key))
        );
        assert!(n_digits < 3 || obdd.capacity > FIRST_NODES, "seed {seed}");
        // A bit more in front of each digit changes nothing.
        let wider = Format::new(vec![10; n_digits]);
        obdd.reform(&Reform::widened(&format, &wider), &wider).unwrap();
        let widened = |key: &Vec<u8>| {
            let mut wide = vec![0; wider.key_bytes()];
            (0..n_digits).for_each(|d| wider.set_digit(&mut wide, d, format.digit(key, d)));
            wide
        };
        for key in oracle.iter().map(widened) {
            assert!(obdd.contains(&wider, &key));
            let mut other = key.clone();
            wider.set_digit(&mut other, 0, wider.digit(&key, 0) | 512);
            assert!(!obdd.contains(&wider, &other));
        }
    }
}
