//! Endless nets are recognised, with a run that proves it; bounded ones never are.

mod toys;

use std::collections::BTreeSet;

use petite_model::{ActionId, GroupIdx, Model};
use petite_search::{
    Boundedness, Ending, Limit, Limits, NoObserver, Observer, Order, Report, Silent, Unbounded, explore,
};
use petite_store::Plain;
use toys::Toy;

const ORDERS: [Order; 2] = [Order::DepthFirst, Order::BreadthFirst];

fn run(toy: &mut Toy, order: Order, limits: Limits) -> Report {
    let mut store = Plain::new(toy.packing());
    explore(toy, &mut store, order, &limits, &mut Silent, &mut NoObserver)
}

/// Wants to be told of everything, so that every step is taken.
struct Everything;

impl Observer<Toy> for Everything {}

fn most(states: u64) -> Limits {
    Limits { max_states: Some(states), ..Limits::NONE }
}

/// Follows the proof in the net itself: the pump can be repeated, and grows what it says each time.
fn check_proof(toy: &Toy, proof: &Unbounded) {
    let follow = |marking: Vec<u32>, actions: &[ActionId]| {
        actions.iter().fold(marking, |marking, action| {
            toy.fired(&marking, action.index()).expect("the run can be followed")
        })
    };
    let mut low = follow(toy.initial_marking().to_vec(), &proof.prefix);
    for _ in 0..5 {
        let high = follow(low.clone(), &proof.pump);
        let places = low.iter().zip(&high).enumerate();
        assert!(places.clone().all(|(_, (low, high))| low <= high), "{low:?} {high:?}");
        let grown: BTreeSet<GroupIdx> =
            places.filter(|(_, (low, high))| low < high).map(|(place, _)| toy.group_of(place)).collect();
        assert!(grown.iter().eq(&proof.growing) && !grown.is_empty(), "{grown:?}");
        low = high;
    }
}

fn proof(toy: &mut Toy, order: Order, limits: Limits) -> (Unbounded, u64) {
    let report = run(toy, order, limits);
    assert!(!report.is_complete());
    let Ending::Unbounded(proof) = report.ending else { panic!("{:?} {:?}", report.ending, order) };
    check_proof(toy, &proof);
    (*proof, report.states)
}

#[test]
fn a_producer_without_consumer() {
    for order in ORDERS {
        for width in [0, 1, 16] {
            let mut toy = Toy::new(vec![1, 0], &[vec![(0, 1, 1), (1, 0, 1)]], width, 1);
            let (proof, states) = proof(&mut toy, order, Limits::NONE);
            let expected = Unbounded { growing: vec![GroupIdx(1)], prefix: vec![], pump: vec![ActionId(0)] };
            assert_eq!((proof, states), (expected, 3));
        }
        // Out of nothing.
        let mut toy = Toy::new(vec![0], &[vec![(0, 0, 1)]], 1, 1);
        assert_eq!(proof(&mut toy, order, Limits::NONE).0.pump, [ActionId(0)]);
    }
}

#[test]
fn a_producer_that_is_faster_than_its_consumer() {
    // The producer goes between two states, the consumer too; the buffer between them has no limit.
    let transitions = [
        vec![(0, 1, 0), (1, 0, 1), (4, 0, 1)],
        vec![(1, 1, 0), (0, 0, 1)],
        vec![(2, 1, 0), (3, 0, 1), (4, 1, 0)],
        vec![(3, 1, 0), (2, 0, 1)],
    ];
    for order in ORDERS {
        let mut toy = Toy::new(vec![1, 0, 1, 0, 0], &transitions, 1, 1);
        let (proof, states) = proof(&mut toy, order, Limits::NONE);
        assert_eq!(proof.growing, [GroupIdx(4)]);
        assert!(states < 40, "{states}");
    }
}

/// A chain of places that ends in a producer, with switches beside it that have nothing to do with it.
fn chain(length: usize, switches: usize) -> Toy {
    let mut transitions: Vec<_> = (0..length).map(|i| vec![(i, 1, 0), (i + 1, 0, 1)]).collect();
    transitions.push(vec![(length, 1, 1), (length + 1, 0, 1)]);
    let mut initial = vec![0; length + 2 + 2 * switches];
    initial[0] = 1;
    for switch in 0..switches {
        let on = length + 2 + 2 * switch;
        initial[on] = 1;
        transitions.push(vec![(on, 1, 0), (on + 1, 0, 1)]);
        transitions.push(vec![(on, 0, 1), (on + 1, 1, 0)]);
    }
    Toy::new(initial, &transitions, 1, 1)
}

#[test]
fn growth_after_a_long_prefix() {
    for order in ORDERS {
        let (proof, states) = proof(&mut chain(3000, 0), order, most(100_000));
        assert_eq!((proof.prefix.len(), proof.pump.len()), (3000, 1));
        assert!(states < 10_000, "{states}");
        // With few states beside it the search gets there.
        let (proof, _) = self::proof(&mut chain(50, 4), order, most(100_000));
        assert!(proof.prefix.len() >= 50 && proof.growing == [GroupIdx(51)]);
    }
}

/// Switches, and a producer that is declared last.
fn hidden_producer(switches: usize) -> Toy {
    let mut transitions: Vec<_> = (0..switches)
        .flat_map(|i| [vec![(2 * i, 1, 0), (2 * i + 1, 0, 1)], vec![(2 * i, 0, 1), (2 * i + 1, 1, 0)]])
        .collect();
    transitions.push(vec![(2 * switches, 0, 1)]);
    let initial = (0..=2 * switches).map(|i| u32::from(i % 2 == 0 && i < 2 * switches)).collect();
    Toy::new(initial, &transitions, 1, 1)
}

#[test]
fn growth_that_only_the_other_order_meets() {
    // Where the limit comes before the first probe, there is one at the end.
    for (limit, expected) in [(20_000, 20_000), (1_000_000, 32_768)] {
        // Breadth first the switches alone have two million states before the chain has come to its end.
        let (found, states) = proof(&mut chain(100, 20), Order::BreadthFirst, most(limit));
        assert!(found.prefix.len() >= 100);
        assert!((expected..expected + 100).contains(&states), "{states}");
        // Depth first the switches come first.
        let mut toy = hidden_producer(20);
        let mut store = Plain::new(toy.packing());
        let report =
            explore(&mut toy, &mut store, Order::DepthFirst, &most(limit), &mut Silent, &mut Everything);
        let Ending::Unbounded(found) = report.ending else { panic!("{:?}", report.ending) };
        check_proof(&toy, &found);
        assert_eq!((found.prefix.len(), found.pump.len(), report.states), (0, 1, expected));
    }
}

#[test]
fn large_numbers_are_not_endless() {
    // Tokens that move, one by one and many at a time; a hundred for each of ten; a wheel of thousand.
    let toys: [fn() -> Toy; 5] = [
        || Toy::line(5000, 1),
        || Toy::new(vec![10, 0], &[vec![(0, 1, 0), (1, 0, 100)]], 1, 1),
        || Toy::new(vec![10, 0, 0], &[vec![(0, 1, 0), (1, 0, 100)], vec![(1, 1, 0), (2, 0, 1)]], 1, 1),
        || Toy::ring(2, 1000, 1),
        || Toy::new(vec![64, 0, 0], &[vec![(0, 2, 1), (1, 0, 3)], vec![(1, 3, 1), (2, 0, 5)]], 1, 1),
    ];
    for make in toys {
        let expected = make().naive();
        for order in ORDERS {
            let report = run(&mut make(), order, Limits::NONE);
            assert!(report.is_complete(), "{:?}", report.ending);
            assert_eq!((report.states, report.edges), (expected.states, expected.edges));
            // Nor when they are given up.
            let report = run(&mut make(), order, most(expected.states - 1));
            assert!(matches!(report.ending, Ending::LimitReached(Limit::States)), "{:?}", report.ending);
        }
    }
}

#[test]
fn nothing_is_tested_where_it_is_not_wanted_or_makes_no_sense() {
    let producer = || Toy::new(vec![1, 0], &[vec![(0, 1, 1), (1, 0, 1)]], 1, 1);
    for order in ORDERS {
        let limits = Limits { boundedness: Boundedness::Assume, ..most(5000) };
        let report = run(&mut producer(), order, limits);
        assert!(matches!(report.ending, Ending::LimitReached(Limit::States)), "{:?}", report.ending);
        assert_eq!(report.states, 5000);
        let mut limited = producer();
        limited.limit(100);
        let report = run(&mut limited, order, Limits::NONE);
        assert!(report.is_complete() && report.states == 101);
    }
}

/// Whether a net is bounded, by the tree of Karp and Miller; `None` when that gets too large.
fn is_bounded(toy: &Toy) -> Option<bool> {
    // Nodes with their parents; a bounded net has no node that covers one above it.
    let mut nodes = vec![(toy.initial_marking().to_vec(), None)];
    let mut next = 0;
    while next < nodes.len() {
        if nodes.len() > 20_000 {
            return None;
        }
        let marking = nodes[next].0.clone();
        let mut above = nodes[next].1;
        let mut is_old = false;
        while let Some(at) = above {
            let (other, parent): &(Vec<u32>, Option<usize>) = &nodes[at];
            if *other == marking {
                is_old = true;
            } else if other.iter().zip(&marking).all(|(low, high)| low <= high) {
                return Some(false);
            }
            above = *parent;
        }
        if !is_old {
            let successors: Vec<_> =
                (0..toy.n_actions()).filter_map(|action| toy.fired(&marking, action)).collect();
            nodes.extend(successors.into_iter().map(|successor| (successor, Some(next))));
        }
        next += 1;
    }
    Some(true)
}

#[test]
fn random_nets() {
    let (mut bounded, mut unbounded, mut missed) = (0, 0, 0);
    for seed in 0..1500 {
        let make = || Toy::random_unlimited(seed);
        let Some(is_bounded) = is_bounded(&make()) else { continue };
        for order in ORDERS {
            // Not all that the tree holds is different, so the states are fewer.
            let report = run(&mut make(), order, most(if is_bounded { 20_001 } else { 500 }));
            match (&report.ending, is_bounded) {
                (Ending::Complete, true) => {
                    bounded += 1;
                    assert_eq!(report.states, make().naive().states, "net {seed}");
                }
                (Ending::Unbounded(proof), false) => {
                    unbounded += 1;
                    check_proof(&make(), proof);
                }
                (Ending::LimitReached(_), false) => missed += 1,
                (ending, _) => panic!("net {seed} {order:?}: {ending:?}, bounded: {is_bounded}"),
            }
        }
    }
    assert!(bounded > 300 && unbounded > 1000 && missed * 100 <= unbounded, "{bounded} {unbounded} {missed}");
}
