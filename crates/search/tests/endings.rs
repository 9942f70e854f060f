//! Every way in which a search can end.

mod toys;

use std::ops::ControlFlow;
use std::time::Duration;

use petite_bits::{Hint, OutOfMemory, Packing, SlotIdx};
use petite_model::{ActionId, Model};
use petite_search::{
    Edge, Ending, Limit, Limits, Monitor, NoObserver, Observer, Order, Progress, Report, Silent, Visit,
    explore,
};
use petite_store::{Inserted, Lookup, Origin, Plain, StateId, StateSet, Store, StoreError};
use toys::{Toy, Wrong};

const ORDERS: [Order; 2] = [Order::DepthFirst, Order::BreadthFirst];

fn ring() -> Toy {
    Toy::ring(6, 12, 2)
}

fn run(mut toy: Toy, order: Order, limits: Limits) -> (Report, usize) {
    let mut store = Plain::new(toy.packing());
    let report = explore(&mut toy, &mut store, order, &limits, &mut Silent, &mut NoObserver);
    (report, store.len())
}

#[test]
fn exactly_so_many_states() {
    let all = ring().naive().states;
    for order in ORDERS {
        for max in [0, 1, 2, 3, 31, 32, 33, 1000, all - 1, all] {
            let (report, stored) = run(ring(), order, Limits { max_states: Some(max), ..Limits::NONE });
            assert!(matches!(report.ending, Ending::LimitReached(Limit::States)), "{:?}", report.ending);
            assert_eq!((report.states, stored as u64), (max, max));
            assert!(!report.is_complete());
        }
        let (report, _) = run(ring(), order, Limits { max_states: Some(all + 1), ..Limits::NONE });
        assert!(report.is_complete() && report.states == all);
    }
}

#[test]
fn not_much_more_than_so_many_bytes() {
    for order in ORDERS {
        let limits = Limits { max_memory: Some(300_000), ..Limits::NONE };
        let runs = [(); 2].map(|()| {
            let mut toy = Toy::ring(8, 30, 8);
            let mut store = Plain::new(toy.packing());
            let report = explore(&mut toy, &mut store, order, &limits, &mut Silent, &mut NoObserver);
            assert!(matches!(report.ending, Ending::LimitReached(Limit::Memory)), "{:?}", report.ending);
            let bytes = store.bytes() + report.frontier_bytes;
            assert!((300_000..500_000).contains(&bytes), "{bytes}");
            (report.states, report.edges)
        });
        assert_eq!(runs[0], runs[1], "the same states each time");
    }
}

#[test]
fn not_longer_than_so_long() {
    for order in ORDERS {
        let limits = Limits { max_time: Some(Duration::from_millis(30)), ..Limits::NONE };
        let (report, _) = run(Toy::ring(12, 100, 8), order, limits);
        assert!(matches!(report.ending, Ending::LimitReached(Limit::Time)), "{:?}", report.ending);
        assert!(report.elapsed >= Duration::from_millis(30) && report.states > 1);
        let limits = Limits { max_time: Some(Duration::ZERO), ..Limits::NONE };
        let (report, _) = run(ring(), order, limits);
        assert!(matches!(report.ending, Ending::LimitReached(Limit::Time)), "{:?}", report.ending);
    }
}

/// Notes the progress and interrupts after some time.
struct Impatient {
    calls: u64,
    patience: u64,
    last: Option<Progress>,
}

impl Monitor for Impatient {
    fn progress(&mut self, progress: &Progress) {
        if let Some(last) = self.last {
            assert!(last.states <= progress.states && last.edges <= progress.edges);
            assert!(last.elapsed <= progress.elapsed);
        }
        assert!(progress.store_bytes > 0 && progress.frontier > 0);
        self.calls += 1;
        self.last = Some(*progress);
    }

    fn interrupted(&self) -> bool {
        self.calls >= self.patience
    }
}

#[test]
fn interrupted_also_within_a_state() {
    for order in ORDERS {
        for patience in [1, 2, 10, 30] {
            let mut toy = Toy::fan(50_000);
            let mut store = Plain::new(toy.packing());
            let mut monitor = Impatient { calls: 0, patience, last: None };
            let report = explore(&mut toy, &mut store, order, &Limits::NONE, &mut monitor, &mut NoObserver);
            assert!(matches!(report.ending, Ending::Interrupted), "{:?}", report.ending);
            assert_eq!(monitor.calls, patience);
            assert!(report.edges < 50_000 && report.states <= report.edges + 1);
        }
    }
}

#[test]
fn the_monitor_sees_a_whole_search() {
    for order in ORDERS {
        let (mut toy, mut monitor) = (ring(), Impatient { calls: 0, patience: u64::MAX, last: None });
        let mut store = Plain::new(toy.packing());
        let report = explore(&mut toy, &mut store, order, &Limits::NONE, &mut monitor, &mut NoObserver);
        assert!(report.is_complete());
        assert!(monitor.calls >= report.edges / 1024, "{} calls", monitor.calls);
        assert!(monitor.last.is_some_and(|last| last.edges + 1024 + 32 >= report.edges));
    }
}

/// Notes all that is told, checks it against the model, and stops where it should.
#[derive(Default)]
struct Notes {
    states: u64,
    edges: Vec<Edge>,
    dead: Vec<StateId>,
    stop_at_state: Option<u64>,
    stop_at_edge: Option<usize>,
    stop_at_dead: bool,
}

impl Observer<Toy> for Notes {
    fn state(&mut self, state: Visit<'_, Toy>, totals: &[u64]) -> ControlFlow<()> {
        assert_eq!(u64::from(state.id.0), self.states);
        let mut counted = vec![0; totals.len()];
        state.model.group_totals(state.words, &mut counted);
        assert_eq!(counted, totals);
        self.states += 1;
        if self.stop_at_state == Some(self.states) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn edge(&mut self, edge: Edge) -> ControlFlow<()> {
        assert!(u64::from(edge.to.0) < self.states && u64::from(edge.from.0) < self.states);
        assert!(!edge.new || u64::from(edge.to.0) + 1 == self.states);
        self.edges.push(edge);
        if self.stop_at_edge == Some(self.edges.len()) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn dead(&mut self, state: Visit<'_, Toy>) -> ControlFlow<()> {
        self.dead.push(state.id);
        if self.stop_at_dead { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn observe(mut toy: Toy, order: Order, notes: &mut Notes) -> Report {
    let mut store = Plain::new(toy.packing());
    explore(&mut toy, &mut store, order, &Limits::NONE, &mut Silent, notes)
}

#[test]
fn observers_are_told_everything() {
    for seed in 0..100 {
        for order in ORDERS {
            let mut notes = Notes::default();
            let report = observe(Toy::random(seed), order, &mut notes);
            assert!(report.is_complete());
            assert_eq!((notes.states, notes.edges.len() as u64), (report.states, report.edges));
            assert_eq!(notes.dead.len() as u64, report.dead_states);
            assert_eq!(notes.edges.iter().filter(|edge| edge.new).count() as u64, report.states - 1);
            assert!(notes.dead.iter().all(|&id| notes.edges.iter().all(|edge| edge.from != id)));
            if order == Order::BreadthFirst {
                assert!(notes.edges.is_sorted_by_key(|edge| edge.from), "net {seed}");
                assert!(notes.dead.is_sorted());
            }
        }
    }
}

/// The state that a trace leads to.
fn follow(mut toy: Toy, trace: &[ActionId]) -> Vec<(String, String)> {
    let mut words = vec![0; toy.packing().n_words()];
    toy.initial(&mut words).unwrap();
    let mut hash = 0;
    for &action in trace {
        let mut enabled = Vec::new();
        toy.enabled(&words, &mut enabled).unwrap();
        assert!(enabled.contains(&action));
        toy.fire(&mut words, &mut hash, action).unwrap();
    }
    toy.describe_state(&words)
}

#[test]
fn observers_stop_the_search_and_traces_lead_there() {
    let toy = || Toy::grid(&[4, 3], 8);
    for order in ORDERS {
        for stop in 1..20 {
            let mut notes = Notes { stop_at_state: Some(stop), ..Notes::default() };
            let report = observe(toy(), order, &mut notes);
            assert!(matches!(report.ending, Ending::Stopped), "{:?}", report.ending);
            assert_eq!((report.states, notes.states), (stop, stop));
            assert_eq!(report.trace.is_some(), order == Order::DepthFirst);
            if let Some(trace) = report.trace {
                // In a grid each step is a new state until the far corner, then the path shortens.
                assert_eq!(trace.is_empty(), stop == 1);
                follow(toy(), &trace);
            }
            let mut notes = Notes { stop_at_edge: Some(stop as usize), ..Notes::default() };
            let report = observe(toy(), order, &mut notes);
            assert!(matches!(report.ending, Ending::Stopped), "{:?}", report.ending);
            assert_eq!(report.edges, stop);
            if let Some(trace) = report.trace {
                assert_eq!(trace.last(), notes.edges.last().map(|edge| &edge.action));
                follow(toy(), &trace);
            }
        }
        let mut notes = Notes { stop_at_dead: true, ..Notes::default() };
        let report = observe(toy(), order, &mut notes);
        assert!(matches!(report.ending, Ending::Stopped), "{:?}", report.ending);
        assert_eq!(report.dead_states, 1);
        if let Some(trace) = report.trace {
            assert_eq!(trace.len(), 7);
            let corner = [("p1".into(), "4".into()), ("p3".into(), "3".into())];
            assert_eq!(follow(toy(), &trace), corner);
        }
    }
}

fn wrong(wrong: Wrong, width: u8) -> Toy {
    let mut toy = Toy::ring(4, 5, width);
    toy.wrong = wrong;
    toy
}

#[test]
fn a_wrong_model_says_where() {
    for order in ORDERS {
        for width in [1, 8] {
            let fail = |how: Wrong| {
                let mut toy = wrong(how, width);
                let mut store = Plain::new(toy.packing());
                let report =
                    explore(&mut toy, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
                let Ending::Failed(failure) = report.ending else { panic!("{:?}", report.ending) };
                assert_eq!(failure.error, toys::error());
                let state = failure.state.as_ref().map(|words| toy.describe_state(words));
                if let (Some(trace), Some(state)) = (&failure.trace, &state) {
                    assert_eq!(&follow(wrong(Wrong::Never, 8), trace), state, "the trace leads to the state");
                }
                assert_eq!(failure.trace.is_some(), order == Order::DepthFirst);
                (report.states, state, failure.action)
            };
            assert_eq!(fail(Wrong::Initially), (0, None, None));

            let (states, state, action) = fail(Wrong::WhereFirstIsEmpty);
            assert!(states > 1 && action.is_none());
            assert!(state.is_some_and(|state| state.iter().all(|(place, _)| place != "p0")));

            let (states, state, action) = fail(Wrong::Action(2));
            assert!(states > 1 && action == Some(ActionId(2)));
            assert!(state.is_some_and(|state| state.iter().any(|(place, _)| place == "p2")));
        }
    }
}

#[test]
fn states_found_before_a_failure_count() {
    // Breadth first, the states at distance one and those before the failing one are all there.
    let (report, _) = run(wrong(Wrong::Action(1), 8), Order::BreadthFirst, Limits::NONE);
    // The initial state leads to one state; there action 0 is fired before action 1 fails.
    assert_eq!((report.states, report.edges), (3, 2));
}

/// A store that has room for so many states, and then gives the error.
struct Small(Plain, usize, StoreError);

impl StateSet for Small {
    fn prefetch(&self, hash: u64) -> Hint {
        self.0.prefetch(hash)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        self.0.repack(from, to)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn vector_bytes(&self) -> usize {
        self.0.vector_bytes()
    }

    fn name(&self) -> &'static str {
        "small"
    }
}

impl<M: Model> Store<M> for Small {
    fn insert(
        &mut self,
        model: &mut M,
        words: &[u64],
        hash: u64,
        origin: Origin,
    ) -> Result<Inserted, StoreError> {
        if self.0.len() == self.1 { Err(self.2) } else { self.0.insert(model, words, hash, origin) }
    }
}

impl<M: Model> Lookup<M> for Small {
    fn get(&mut self, model: &mut M, id: StateId, words: &mut [u64]) {
        self.0.get(model, id, words);
    }

    fn find(&mut self, model: &mut M, words: &[u64], hash: u64) -> Option<StateId> {
        self.0.find(model, words, hash)
    }
}

#[test]
fn a_full_store_ends_the_search() {
    for order in ORDERS {
        for room in [0, 1, 50] {
            for error in [StoreError::from(OutOfMemory), StoreError::OutOfIds] {
                let mut toy = ring();
                let mut store = Small(Plain::new(toy.packing()), room, error);
                let report =
                    explore(&mut toy, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
                assert_eq!(report.states, room as u64);
                assert_eq!(matches!(report.ending, Ending::OutOfIds), error == StoreError::OutOfIds);
                assert_eq!(matches!(report.ending, Ending::OutOfMemory), error == StoreError::OutOfMemory);
            }
        }
    }
}

#[test]
fn breadth_first_stores_states_in_order_of_distance() {
    let mut toy = Toy::grid(&[6, 6], 1);
    let mut store = Plain::new(toy.packing());
    explore(&mut toy, &mut store, Order::BreadthFirst, &Limits::NONE, &mut Silent, &mut NoObserver);
    let mut words = vec![0; toy.packing().n_words()];
    let distances = (0..store.len()).map(|id| {
        store.get(&mut toy, StateId::new(id), &mut words);
        toy.packing().get(&words, SlotIdx(1)) + toy.packing().get(&words, SlotIdx(3))
    });
    assert!(distances.is_sorted());
}
