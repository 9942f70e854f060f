//! Random sets of keys against a sorted set.

use super::*;
use petite_bits::mix64;
use std::collections::BTreeSet;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix64(self.0) % n.max(1)
    }
}

fn keys_of(diagram: &Ondd, format: &Format) -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    let all: Result<(), ()> = for_each_key(&diagram.nodes, diagram.root, format, |key| {
        keys.push(key.to_vec());
        Ok(())
    });
    assert_eq!(all, Ok(()));
    keys
}

fn add(diagram: &mut Ondd, format: &Format, keys: &BTreeSet<Vec<u8>>) {
    diagram.add_sorted(format, keys.iter().map(Vec::as_slice)).unwrap();
}

/// A random key whose digits are mostly small and often at their ends.
fn draw(format: &Format, random: &mut Random, spread: u64) -> Vec<u8> {
    let mut key = vec![0; format.key_bytes()];
    for (digit, &bits) in format.bits().iter().enumerate() {
        let most = (1u64 << bits) - 1;
        let value = match random.below(12) {
            0 => most,
            1 => most - random.below(most + 1),
            _ => random.below(spread).min(most),
        };
        format.set_digit(&mut key, digit, value as u32);
    }
    key
}

#[test]
fn random_unions_are_those_of_a_sorted_set() {
    let mut n_collected = 0;
    for seed in 0..80 {
        let mut random = Random(seed << 32);
        let n_digits = random.below(9);
        let widest = [1, 4, 9, 32][random.below(4) as usize];
        let format = Format::new((0..n_digits).map(|_| random.below(widest + 1) as u8).collect());
        let spread = 1 + random.below(30);
        let (mut diagram, mut oracle) = (Ondd::new(), BTreeSet::new());
        for _ in 0..random.below(30) {
            let mut batch = BTreeSet::new();
            let most = [3, 40, 900][random.below(3) as usize];
            for _ in 0..random.below(most) {
                let key = draw(&format, &mut random, spread);
                assert_eq!(diagram.contains(&format, &key), oracle.contains(&key), "seed {seed}");
                if !oracle.contains(&key) {
                    batch.insert(key);
                }
            }
            add(&mut diagram, &format, &batch);
            oracle.extend(batch);
            n_collected += u64::from(diagram.largest.nodes > 0);
        }
        assert!(keys_of(&diagram, &format).iter().eq(&oracle), "seed {seed}");
        // However the keys came, there is one diagram for them.
        let (mut at_once, mut backwards) = (Ondd::new(), Ondd::new());
        add(&mut at_once, &format, &oracle);
        for key in oracle.iter().rev() {
            add(&mut backwards, &format, &BTreeSet::from([key.clone()]));
        }
        assert_eq!(diagram.size(), at_once.size(), "seed {seed}");
        assert_eq!(diagram.size(), backwards.size(), "seed {seed}");
        let collected = collect(&mut diagram.nodes, diagram.root).unwrap();
        diagram.root = collected.0;
        assert_eq!(diagram.nodes.len as u64, collected.1.nodes);
        assert!(keys_of(&diagram, &format).iter().eq(&oracle), "seed {seed}, collected");
    }
    assert!(n_collected > 30, "{n_collected}");
}

#[test]
fn all_values_are_one_arc() {
    let format = Format::new(vec![4; 5]);
    let mut diagram = Ondd::new();
    let mut all = BTreeSet::new();
    for number in 0..100_000u32 {
        let mut key = vec![0; 5];
        (0..5).for_each(|digit| format.set_digit(&mut key, digit, number / 10u32.pow(digit as u32) % 10));
        all.insert(key);
    }
    add(&mut diagram, &format, &all);
    assert_eq!(diagram.size(), Some([5, 5]));
}

#[test]
fn figure_11_is_the_diagram_of_mutual_exclusion() {
    // Both processes outside or trying and the semaphore free, or one of them critical and the semaphore taken.
    let format = Format::new(vec![2, 2, 1]);
    let states = (0..3).flat_map(|p| (0..3).map(move |q| (p, q))).filter(|&state| state != (2, 2));
    let keys = states.map(|(p, q)| vec![p, q, u8::from(p == 2 || q == 2)]).collect();
    let mut diagram = Ondd::new();
    add(&mut diagram, &format, &keys);
    // The first process; the second one beside a critical first or not; the semaphore free or taken.
    assert_eq!(diagram.size(), Some([5, 7]));
}

#[test]
fn cutting_keys_anew_keeps_them() {
    let old = Format::new(vec![5, 1]);
    // The first digit of five bits becomes two of three bits each; the last one gets two more bits.
    let new = Format::new(vec![3, 3, 3]);
    let reform = Reform { old: old.clone(), kept: vec![1, 2, 3, 4, 5, 8], same_digits: false };
    let mut diagram = Ondd::new();
    let keys: BTreeSet<Vec<u8>> = [[3, 0], [17, 1], [31, 0], [31, 1]].map(|key| key.to_vec()).into();
    add(&mut diagram, &old, &keys);
    diagram.reform(&reform, &new).unwrap();
    let moved = |key: &Vec<u8>| vec![key[0] >> 3, key[0] & 7, key[1]];
    assert!(keys_of(&diagram, &new).into_iter().eq(keys.iter().map(moved)));
}
