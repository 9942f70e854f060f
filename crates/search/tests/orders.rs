//! Both orders find what a naive search finds, however often states are packed anew.

mod toys;

use std::ops::ControlFlow;

use petite_model::Model;
use petite_search::{
    Edge, Ending, Limits, NoObserver, Observer, Order, Report, Silent, explore, explore_set,
};
use petite_store::{Plain, StateSet};
use toys::{Found, Toy};

const ORDERS: [Order; 2] = [Order::DepthFirst, Order::BreadthFirst];

fn run(toy: &mut Toy, order: Order) -> Report {
    let mut store = Plain::new(toy.packing());
    let report = explore(toy, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
    assert_eq!(report.states, store.len() as u64);
    assert!(matches!(report.ending, Ending::Complete), "{:?}", report.ending);
    report
}

fn found(report: &Report) -> Found {
    assert_eq!(Some(report.max_tokens_in_place), report.group_maxima.iter().copied().max());
    Found {
        states: report.states,
        edges: report.edges,
        dead_states: report.dead_states,
        group_maxima: report.group_maxima.clone(),
        max_tokens_total: report.max_tokens_total,
    }
}

/// Explores the toy that `make` makes in both orders. Gives how often states were packed anew at least.
fn check(make: impl Fn() -> Toy) -> u64 {
    let expected = make().naive();
    let reports = ORDERS.map(|order| {
        let report = run(&mut make(), order);
        assert_eq!(found(&report), expected, "{order:?}");
        report
    });
    reports[0].repackings.min(reports[1].repackings)
}

/// Counts the edges that it is told of, and can do without some.
#[derive(Default)]
struct Told(u64);

impl Observer<Toy> for Told {
    const WANTS_EDGES: bool = false;

    fn edge(&mut self, _: Edge) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

#[test]
fn steps_that_another_order_makes_are_counted_but_not_taken() {
    let (mut n_edges, mut n_taken) = (0, 0);
    for seed in 0..400 {
        for order in ORDERS {
            let (mut toy, mut told) = (Toy::random(seed), Told::default());
            let mut store = Plain::new(toy.packing());
            let report = explore(&mut toy, &mut store, order, &Limits::NONE, &mut Silent, &mut told);
            assert_eq!(found(&report), Toy::random(seed).naive(), "{order:?}, net {seed}");
            assert!(told.0 <= report.edges && told.0 + 1 >= report.states);
            n_edges += report.edges;
            n_taken += told.0;
        }
    }
    assert!(n_taken * 4 < n_edges * 3, "{n_taken} of {n_edges}");
}

#[test]
fn random_nets() {
    let (mut largest, mut dead, mut repackings) = (0, 0, 0);
    for seed in 0..400 {
        let expected = Toy::random(seed).naive();
        largest = largest.max(expected.states);
        dead += expected.dead_states;
        for order in ORDERS {
            let report = run(&mut Toy::random(seed), order);
            assert_eq!(found(&report), expected, "{order:?}, net {seed}");
            repackings += report.repackings;
            let mut toy = Toy::random(seed);
            let mut store = Plain::new(toy.packing());
            let report =
                explore_set(&mut toy, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
            assert!(report.is_complete());
            assert_eq!(found(&report), expected, "{order:?} without lookup, net {seed}");
        }
    }
    // The nets are worth testing with.
    assert!(largest > 1000 && dead > 100 && repackings > 1000, "{largest} {dead} {repackings}");
}

#[test]
fn rings_and_grids_with_fields_that_grow() {
    // Every place grows from no bits to four, the initial state too.
    assert!(check(|| Toy::ring(5, 9, 0)) >= 5);
    assert!(check(|| Toy::ring(3, 40, 1)) >= 3);
    assert!(check(|| Toy::grid(&[20, 30, 5], 1)) >= 5);
    assert_eq!(check(|| Toy::grid(&[20, 30, 5], 8)), 0);
}

#[test]
fn a_state_with_many_successors() {
    check(|| Toy::fan(500));
    let report = run(&mut Toy::fan(5_000), Order::BreadthFirst);
    assert_eq!((report.states, report.edges, report.dead_states), (5_001, 5_000, 5_000));
    assert_eq!(report.peak_frontier, 5_000);
}

#[test]
fn no_action_at_all() {
    assert_eq!(check(|| Toy::new(vec![3], &[], 1, 1)), 1);
    assert_eq!(check(|| Toy::new(vec![0], &[], 0, 1)), 0);
}

#[test]
fn queues_and_stacks_are_measured() {
    // The longest simple path of a grid goes through each step once; its widest level is the diagonal.
    assert_eq!(run(&mut Toy::grid(&[9, 9], 4), Order::DepthFirst).peak_frontier, 19);
    assert_eq!(run(&mut Toy::line(1000, 4), Order::DepthFirst).peak_frontier, 1001);
    assert_eq!(run(&mut Toy::line(1000, 4), Order::BreadthFirst).peak_frontier, 1);
    let diagonal = run(&mut Toy::grid(&[9, 9], 4), Order::BreadthFirst).peak_frontier;
    assert!((10..=12).contains(&diagonal), "{diagonal}");
}

#[test]
fn a_queue_holds_two_layers() {
    // Layers of the grid grow and shrink again; the queue's memory is that of the widest two.
    let mut toy = Toy::grid(&[300, 300], 9);
    let mut store = Plain::new(toy.packing());
    let order = Order::BreadthFirst;
    let report = explore_set(&mut toy, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
    assert_eq!(report.states, 301 * 301);
    assert!((301..=303).contains(&report.peak_frontier), "{}", report.peak_frontier);
    assert!((301 * 3..20_000).contains(&report.frontier_bytes), "{}", report.frontier_bytes);
}

#[test]
fn ten_million_steps_deep() {
    let report = run(&mut Toy::line(10_000_000, 1), Order::DepthFirst);
    assert_eq!((report.states, report.edges, report.dead_states), (10_000_001, 10_000_000, 1));
    assert_eq!(report.peak_frontier, 10_000_001);
    assert!(report.frontier_bytes < 200_000_000, "{} bytes of stack", report.frontier_bytes);
    // The second place grew from one bit to 24, one by one.
    assert!(report.repackings >= 23);
}
