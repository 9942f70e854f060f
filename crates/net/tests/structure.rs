//! Structural facts: known ones of nets made by hand, and on random nets everything that can be checked
//! without trusting them.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

use std::collections::{HashSet, VecDeque};

use petite_bits::{SlotIdx, mix64};
use petite_net::PlaceIdx;
use petite_net::structure::{
    Boundedness, Effort, Incidence, Invariant, SlotBounds, boundedness, independent, invariant_basis,
    semiflows,
};

const EFFORT: Effort = Effort::THOROUGH;

/// Places with a number of tokens each.
type Tokens = Vec<(usize, u64)>;

/// A net as the tokens that each transition takes and gives.
struct Small {
    n_slots: usize,
    transitions: Vec<(Tokens, Tokens)>,
    initial: Vec<u64>,
}

impl Small {
    fn incidence(&self) -> Incidence {
        let mut incidence = Incidence::new(self.n_slots);
        for (takes, gives) in &self.transitions {
            let mut changes = vec![0i64; self.n_slots];
            takes.iter().for_each(|&(slot, count)| changes[slot] -= count as i64);
            gives.iter().for_each(|&(slot, count)| changes[slot] += count as i64);
            let changes = changes.into_iter().enumerate().filter(|(_, change)| *change != 0);
            incidence.push(
                takes.iter().map(|&(slot, count)| (SlotIdx::new(slot), count as u32)),
                changes.map(|(slot, change)| (SlotIdx::new(slot), change)),
            );
        }
        incidence
    }

    fn successors(&self, counts: &[u64]) -> Vec<Vec<u64>> {
        let enabled = |takes: &[(usize, u64)]| takes.iter().all(|&(slot, count)| counts[slot] >= count);
        let fire = |(takes, gives): &(Tokens, Tokens)| {
            let mut next = counts.to_vec();
            takes.iter().for_each(|&(slot, count)| next[slot] -= count);
            gives.iter().for_each(|&(slot, count)| next[slot] += count);
            next
        };
        self.transitions.iter().filter(|(takes, _)| enabled(takes)).map(fire).collect()
    }

    /// The first reachable markings, and whether they are all.
    fn reachable(&self, most: usize) -> (HashSet<Vec<u64>>, bool) {
        let mut seen = HashSet::from([self.initial.clone()]);
        let mut queue = VecDeque::from([self.initial.clone()]);
        while let Some(counts) = queue.pop_front() {
            for next in self.successors(&counts) {
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
            if seen.len() > most {
                return (seen, false);
            }
        }
        (seen, true)
    }
}

fn weights(invariants: &[Invariant]) -> Vec<Vec<(u32, i64)>> {
    let of =
        |invariant: &Invariant| invariant.weights.iter().map(|&(slot, weight)| (slot.0, weight)).collect();
    invariants.iter().map(of).collect()
}

/// What a column adds to a weighted sum.
fn gains(incidence: &Incidence, invariant: &Invariant) -> Vec<i64> {
    let gain = |column| incidence.changes(column).iter().map(|&(slot, by)| by * invariant.weight(slot)).sum();
    incidence.columns().map(gain).collect()
}

#[test]
fn mutual_exclusion() {
    // 0 idle, 1 waiting, 2 critical, 3 the lock.
    let net = Small {
        n_slots: 4,
        transitions: vec![
            (vec![(0, 1)], vec![(1, 1)]),
            (vec![(1, 1), (3, 1)], vec![(2, 1)]),
            (vec![(2, 1)], vec![(0, 1), (3, 1)]),
        ],
        initial: vec![3, 0, 0, 1],
    };
    let incidence = net.incidence();
    let found = semiflows(&incidence, &mut EFFORT.clone());
    assert!(found.complete);
    assert_eq!(weights(&found.found), [vec![(2, 1), (3, 1)], vec![(0, 1), (1, 1), (2, 1)]]);
    let values: Vec<_> = found.found.iter().map(|invariant| invariant.value(&net.initial)).collect();
    assert_eq!(values, [Some(1), Some(3)]);
    let basis = invariant_basis(&incidence, &mut EFFORT.clone());
    assert_eq!((basis.found.len(), basis.complete), (2, true));
    let bounds = SlotBounds::new(&incidence, &net.initial, &found.found);
    assert_eq!([0, 1, 2, 3].map(|slot| bounds.of(SlotIdx(slot))), [Some(3), Some(3), Some(1), Some(1)]);
    let places = [0, 0, 0, 1].map(PlaceIdx);
    assert_eq!(bounds.of_places(&places, 3, &net.initial, &found.found), [Some(3), Some(1), Some(0)]);
    assert!(matches!(boundedness(&incidence, &found.found, &mut EFFORT.clone()), Boundedness::Bounded(_)));
}

#[test]
fn weights_count_how_much_a_token_is_worth() {
    // Two of slot 0 become three of slot 1: three times the first and twice the second stay the same.
    let net = Small {
        n_slots: 2,
        transitions: vec![(vec![(0, 2)], vec![(1, 3)]), (vec![(1, 3)], vec![(0, 2)])],
        initial: vec![5, 1],
    };
    let found = semiflows(&net.incidence(), &mut EFFORT.clone()).found;
    assert_eq!(weights(&found), [vec![(0, 3), (1, 2)]]);
    let bounds = SlotBounds::new(&net.incidence(), &net.initial, &found);
    assert_eq!([0, 1].map(|slot| bounds.of(SlotIdx(slot))), [Some(5), Some(8)]);
}

#[test]
fn an_invariant_may_need_a_negative_weight() {
    // Both slots are filled and emptied together.
    let net = Small {
        n_slots: 2,
        transitions: vec![(vec![], vec![(0, 1), (1, 1)]), (vec![(0, 2), (1, 2)], vec![])],
        initial: vec![0, 0],
    };
    let incidence = net.incidence();
    let found = semiflows(&incidence, &mut EFFORT.clone());
    assert!(found.complete && found.found.is_empty());
    assert_eq!(weights(&invariant_basis(&incidence, &mut EFFORT.clone()).found), [vec![(0, 1), (1, -1)]]);
    let Boundedness::Unbounded(growth) = boundedness(&incidence, &[], &mut EFFORT.clone()) else {
        panic!("the first transition takes nothing");
    };
    assert_eq!(growth.columns.iter().map(|&(column, times)| (column.0, times)).collect::<Vec<_>>(), [(0, 1)]);
    assert_eq!(growth.slots, [(SlotIdx(0), 1), (SlotIdx(1), 1)]);
}

#[test]
fn tokens_that_vanish_leave_a_net_bounded() {
    // One token becomes two smaller ones twice over, and these are consumed: no invariant, but a bound.
    let net = Small {
        n_slots: 3,
        transitions: vec![(vec![(0, 1)], vec![(1, 2)]), (vec![(1, 1)], vec![(2, 2)]), (vec![(2, 1)], vec![])],
        initial: vec![3, 0, 0],
    };
    let incidence = net.incidence();
    assert!(semiflows(&incidence, &mut EFFORT.clone()).found.is_empty());
    let Boundedness::Bounded(proof) = boundedness(&incidence, &[], &mut EFFORT.clone()) else {
        panic!("weights 4, 2, 1 never grow");
    };
    let bounds = SlotBounds::new(&incidence, &net.initial, [&proof]);
    assert_eq!([0, 1, 2].map(|slot| bounds.of(SlotIdx(slot))), [Some(3), Some(6), Some(12)]);
}

#[test]
fn growth_may_need_several_columns() {
    // Three of slot 0 become one of slot 1, which becomes four of slot 0.
    let net = Small {
        n_slots: 2,
        transitions: vec![(vec![(0, 3)], vec![(1, 1)]), (vec![(1, 2)], vec![(0, 8)])],
        initial: vec![0, 0],
    };
    let Boundedness::Unbounded(growth) = boundedness(&net.incidence(), &[], &mut EFFORT.clone()) else {
        panic!("two of the first and one of the second gain two");
    };
    let times =
        |column: u32| growth.columns.iter().find(|(c, _)| c.0 == column).map_or(0, |(_, times)| *times);
    assert!(times(0) >= 2 * times(1) && 8 * times(1) >= 3 * times(0), "{growth:?}");
}

#[test]
fn a_net_of_nothing() {
    let incidence = Incidence::new(0);
    assert!(semiflows(&incidence, &mut EFFORT.clone()).complete);
    assert!(invariant_basis(&incidence, &mut EFFORT.clone()).complete);
    assert!(matches!(boundedness(&incidence, &[], &mut EFFORT.clone()), Boundedness::Bounded(_)));
    // A slot that nothing touches is an invariant by itself.
    let found = semiflows(&Incidence::new(1), &mut EFFORT.clone());
    assert_eq!(weights(&found.found), [vec![(0, 1)]]);
}

#[test]
fn independent_vectors_are_told_from_others() {
    let of = |weights: &[(u32, i64)]| Invariant {
        weights: weights.iter().map(|&(slot, weight)| (SlotIdx(slot), weight)).collect(),
    };
    let vectors = [of(&[(0, 1), (1, 1)]), of(&[(1, 1), (2, 1)]), of(&[(0, 1), (2, -1)]), of(&[(2, 5)])];
    let kept = independent(&vectors, &mut EFFORT.clone());
    assert_eq!(kept, [&vectors[0], &vectors[1], &vectors[3]]);
}

#[test]
fn a_long_ring_is_cheap() {
    let n = 20_000;
    // Neighbours are far apart in the numbering, as they may be in a file.
    let at = |i: usize| (i * 7_919) % n;
    let transitions = (0..n).map(|i| (vec![(at(i), 1)], vec![(at((i + 1) % n), 1)])).collect();
    let mut initial = vec![0; n];
    initial[0] = 1;
    // The matrix is made without the dense detour of `Small`.
    let net = Small { n_slots: n, transitions, initial };
    let mut incidence = Incidence::new(n);
    for (takes, gives) in &net.transitions {
        let (from, to) = (SlotIdx::new(takes[0].0), SlotIdx::new(gives[0].0));
        incidence.push([(from, 1)], [(from, -1), (to, 1)]);
    }
    let mut effort = Effort::QUICK;
    let found = semiflows(&incidence, &mut effort);
    assert!(found.complete);
    assert_eq!((found.found.len(), found.found[0].weights.len()), (1, n));
    let bounds = SlotBounds::new(&incidence, &net.initial, &found.found);
    assert!((0..n).all(|slot| bounds.of(SlotIdx::new(slot)) == Some(1)));
    assert!(matches!(boundedness(&incidence, &found.found, &mut effort), Boundedness::Bounded(_)));
    assert!(effort.steps > 0);
}

#[test]
fn too_much_work_ends_with_less() {
    // Layers of choices: every way through them is a semiflow, 2^40 of them.
    let layers = 40;
    let transitions = (0..layers)
        .map(|layer| {
            let pair = |layer: usize| vec![(2 * layer, 1), (2 * layer + 1, 1)];
            (pair(layer), pair((layer + 1) % layers))
        })
        .collect();
    let net = Small { n_slots: 2 * layers, transitions, initial: vec![1; 2 * layers] };
    let incidence = net.incidence();
    let found = semiflows(&incidence, &mut Effort::QUICK.clone());
    assert!(!found.complete && !found.found.is_empty());
    assert!(found.found.iter().all(|semiflow| gains(&incidence, semiflow).iter().all(|gain| *gain == 0)));
    for steps in [0, 10, 100, 1000, 10_000] {
        let effort = Effort { steps, rows: 10 };
        let basis = invariant_basis(&incidence, &mut effort.clone());
        assert!(!basis.complete || basis.found.len() == layers + 1);
        let found = semiflows(&incidence, &mut effort.clone());
        assert!(!found.complete);
        let _ = boundedness(&incidence, &[], &mut effort.clone());
    }
}

// ---------------------------------------------------------------------------------------------------------
// Random nets
// ---------------------------------------------------------------------------------------------------------

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix64(self.0) % n
    }

    fn net(&mut self) -> Small {
        let n_slots = 2 + self.below(5) as usize;
        let heavy = self.below(3) == 0;
        let mut side = |least: u64| -> Vec<(usize, u64)> {
            let mut slots: Vec<usize> =
                (0..least + self.below(2)).map(|_| self.below(n_slots as u64) as usize).collect();
            slots.sort_unstable();
            slots.dedup();
            let weight = |random: &mut Random| 1 + if heavy { random.below(3) } else { 0 };
            slots.into_iter().map(|slot| (slot, weight(self))).collect()
        };
        let n_transitions = 1 + side(1).len() * 3;
        let transitions = (0..n_transitions).map(|_| (side(1), side(1))).collect();
        let initial = (0..n_slots).map(|_| self.below(3)).collect();
        Small { n_slots, transitions, initial }
    }
}

fn each_random_net(check: impl Fn(&Small, &Incidence)) {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in seed.map_or(0..600, |seed: u64| seed..seed + 1) {
        println!("SEED={seed}");
        let net = Random(mix64(seed)).net();
        check(&net, &net.incidence());
    }
}

/// The rank of the matrix modulo a prime, which is at most its rank.
fn rank_modulo(incidence: &Incidence, prime: i128) -> usize {
    let mut rows: Vec<Vec<i128>> = vec![vec![0; incidence.n_columns()]; incidence.n_slots()];
    for column in incidence.columns() {
        for &(slot, change) in incidence.changes(column) {
            rows[slot.index()][column.index()] = i128::from(change).rem_euclid(prime);
        }
    }
    let mut rank = 0;
    for column in 0..incidence.n_columns() {
        let Some(pivot) = (rank..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let pivot = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = row[column];
            for (entry, other) in row.iter_mut().zip(&pivot) {
                *entry = (*entry * pivot[column] - factor * other).rem_euclid(prime);
            }
        }
        rank += 1;
    }
    rank
}

#[test]
fn a_basis_has_the_right_dimension_and_never_changes() {
    each_random_net(|net, incidence| {
        let basis = invariant_basis(incidence, &mut EFFORT.clone());
        assert!(basis.complete);
        assert_eq!(basis.found.len(), net.n_slots - rank_modulo(incidence, 1_000_003));
        assert_eq!(independent(&basis.found, &mut EFFORT.clone()).len(), basis.found.len());
        let mut counts = net.initial.clone();
        let mut random = Random(7);
        for _ in 0..50 {
            for invariant in &basis.found {
                assert_eq!(invariant.value(&counts), invariant.value(&net.initial));
            }
            let next = net.successors(&counts);
            if next.is_empty() {
                break;
            }
            counts = next[random.below(next.len() as u64) as usize].clone();
        }
    });
}

#[test]
fn semiflows_are_all_there_and_minimal() {
    each_random_net(|net, incidence| {
        let found = semiflows(incidence, &mut EFFORT.clone());
        assert!(found.complete);
        for semiflow in &found.found {
            assert!(semiflow.is_semiflow() && gains(incidence, semiflow).iter().all(|gain| *gain == 0));
        }
        let support = |semiflow: &Invariant| -> HashSet<SlotIdx> {
            semiflow.weights.iter().map(|(slot, _)| *slot).collect()
        };
        let supports: Vec<_> = found.found.iter().map(support).collect();
        for (i, one) in supports.iter().enumerate() {
            assert!(supports.iter().enumerate().all(|(j, other)| i == j || !one.is_superset(other)));
        }
        // Any non-negative invariant is a sum of minimal ones, so these cover all its slots.
        for number in 1..3usize.pow(net.n_slots as u32) {
            let digits = (0..net.n_slots)
                .map(|slot| (SlotIdx::new(slot), (number / 3usize.pow(slot as u32) % 3) as i64));
            let other = Invariant { weights: digits.filter(|(_, weight)| *weight > 0).collect() };
            if gains(incidence, &other).iter().all(|gain| *gain == 0) {
                let within = supports.iter().filter(|one| support(&other).is_superset(one));
                let covered: HashSet<SlotIdx> = within.flatten().copied().collect();
                assert_eq!(covered, support(&other));
            }
        }
    });
}

#[test]
fn bounds_are_never_exceeded() {
    let exact = std::cell::Cell::new(0);
    each_random_net(|net, incidence| {
        let mut proofs = semiflows(incidence, &mut EFFORT.clone()).found;
        if let Boundedness::Bounded(proof) = boundedness(incidence, &proofs, &mut EFFORT.clone()) {
            let rest = proof.reduced_by(&proofs);
            assert!(rest.weights.iter().all(|(_, weight)| *weight > 0));
            assert!(gains(incidence, &rest).iter().all(|gain| *gain <= 0));
            proofs.extend([proof, rest]);
        }
        let bounds = SlotBounds::new(incidence, &net.initial, &proofs);
        let halves: Vec<PlaceIdx> = (0..net.n_slots).map(|slot| PlaceIdx::new(slot % 2)).collect();
        let sums = bounds.of_places(&halves, 2, &net.initial, &proofs);
        let (reachable, _) = net.reachable(3_000);
        for slot in 0..net.n_slots {
            let most = reachable.iter().map(|counts| counts[slot]).max();
            let bound = bounds.of(SlotIdx::new(slot));
            assert!(bound.is_none_or(|bound| most <= Some(bound)), "slot {slot}: {most:?} above {bound:?}");
            exact.set(exact.get() + usize::from(bound.is_some() && bound == most));
        }
        for (half, bound) in sums.iter().enumerate() {
            let sum = |counts: &Vec<u64>| counts.iter().skip(half).step_by(2).sum();
            let most: Option<u64> = reachable.iter().map(sum).max();
            assert!(bound.is_none_or(|bound| most <= Some(bound)), "half {half}: {most:?} above {bound:?}");
        }
    });
    assert!(exact.get() > 500, "only {} bounds are exact", exact.get());
}

#[test]
fn boundedness_is_decided_with_a_proof() {
    let answers = std::cell::Cell::new((0, 0));
    each_random_net(|net, incidence| {
        let (bounded, unbounded) = answers.get();
        match boundedness(incidence, &[], &mut EFFORT.clone()) {
            Boundedness::Bounded(proof) => {
                assert_eq!(proof.weights.len(), net.n_slots);
                assert!(proof.weights.iter().all(|(_, weight)| *weight >= 1));
                assert!(gains(incidence, &proof).iter().all(|gain| *gain <= 0));
                answers.set((bounded + 1, unbounded));
            }
            Boundedness::Unbounded(growth) => {
                let mut sums = vec![0i64; net.n_slots];
                for &(column, times) in &growth.columns {
                    for &(slot, change) in incidence.changes(column) {
                        sums[slot.index()] += change * times as i64;
                    }
                }
                assert!(sums.iter().all(|sum| *sum >= 0) && sums.iter().any(|sum| *sum > 0));
                for (slot, gain) in growth.slots {
                    assert_eq!(sums[slot.index()], gain as i64);
                }
                answers.set((bounded, unbounded + 1));
            }
            Boundedness::Unknown => panic!("a net so small is decided"),
        }
    });
    let (bounded, unbounded) = answers.get();
    assert!(std::env::var("SEED").is_ok() || bounded > 50 && unbounded > 50, "{bounded} and {unbounded}");
}
