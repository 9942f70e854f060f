//! Searches that read what can happen in halves of states instead of states, against a naive search.

mod toys;

use petite_search::{Limits, NoObserver, Order, Report, Silent, explore_unnumbered};
use petite_store::{Amount, Frontier, RecordLimits, StateSet, Tree};
use toys::{Found, Toy};

/// Records that are dropped all the time.
const TIGHT: RecordLimits = RecordLimits { least_bytes: 700, share: usize::MAX, ..RecordLimits::USUAL };

/// Records that are given up in the middle of the search.
const HASTY: RecordLimits = RecordLimits { window: 7, looks: 0, patience: 30, ..RecordLimits::USUAL };

/// Images that soon need more room.
const SHORT: RecordLimits = RecordLimits { end_of_short: 5, ..RecordLimits::USUAL };

fn run(toy: &mut Toy, records: RecordLimits, limits: &Limits) -> (Report, Tree) {
    let mut tree = Tree::with_limits(toy, Frontier::Inside, records).unwrap();
    let order = Order::BreadthFirst;
    let report = explore_unnumbered(toy, &mut tree, order, limits, &mut Silent, &mut NoObserver);
    (report, tree)
}

/// A figure of a tree; none where it keeps no records.
fn figure(tree: &Tree, name: &str) -> Option<u64> {
    tree.figures().into_iter().find(|figure| figure.name == name).map(|figure| match figure.amount {
        Amount::Count(count) => count,
        other => panic!("{name} is {other:?}"),
    })
}

/// Explores with all limits, and gives how often records were made, dropped and given up.
fn check(make: impl Fn() -> Toy) -> [u64; 3] {
    let expected = make().naive();
    let mut seen = [0; 3];
    for records in [RecordLimits::USUAL, TIGHT, HASTY, SHORT] {
        let (report, tree) = run(&mut make(), records, &Limits::NONE);
        assert!(report.is_complete());
        let found = Found {
            states: report.states,
            edges: report.edges,
            dead_states: report.dead_states,
            group_maxima: report.group_maxima,
            max_tokens_total: report.max_tokens_total,
        };
        assert_eq!(found, expected, "{records:?}");
        match figure(&tree, "records made") {
            Some(made) => {
                seen[0] += made;
                seen[1] += figure(&tree, "times that records were dropped").unwrap();
            }
            None => seen[2] += 1,
        }
    }
    seen
}

#[test]
fn random_nets() {
    let mut sum = [0; 3];
    for seed in 0..400 {
        let seen = check(|| Toy::random(seed));
        sum.iter_mut().zip(seen).for_each(|(sum, seen)| *sum += seen);
    }
    assert!(sum[0] > 2000 && sum[1] > 100 && sum[2] > 20, "made, dropped, given up: {sum:?}");
}

/// Numbers of tokens that need lanes of 16 and of 32 bits, reached step by step, in groups on one side and on both.
#[test]
fn many_tokens() {
    for (sizes, places_a_group) in [(&[130, 3][..], 1), (&[200, 9], 2), (&[40_000], 1), (&[30, 40, 50], 6)] {
        let make = || {
            let transitions: Vec<_> =
                (0..sizes.len()).map(|i| vec![(2 * i, 1, 0), (2 * i + 1, 0, 1)]).collect();
            let initial = sizes.iter().flat_map(|&size| [size, 0]).collect();
            let mut toy = Toy::new(initial, &transitions, 2, places_a_group);
            toy.limit(50_000);
            toy
        };
        check(make);
    }
    // Tokens that come into being: the first halves are narrow, later ones are not.
    check(|| {
        let mut toy = Toy::new(
            vec![1, 0, 0, 0],
            &[vec![(0, 1, 2)], vec![(1, 0, 90)], vec![(2, 0, 1), (3, 0, 7)]],
            3,
            4,
        );
        toy.limit(300);
        toy
    });
}

/// The largest numbers of a search that ends early are those of all states it has found, expanded or not.
#[test]
fn an_early_end() {
    for states in [1, 2, 5, 40] {
        let mut toy = Toy::line(100, 3);
        toy.limit(100);
        let limits = Limits { max_states: Some(states), ..Limits::NONE };
        let (report, _) = run(&mut toy, RecordLimits::USUAL, &limits);
        assert!(!report.is_complete());
        assert_eq!((report.states, report.group_maxima), (states, vec![100, states - 1]));
        assert_eq!(report.max_tokens_total, 100);
    }
}
