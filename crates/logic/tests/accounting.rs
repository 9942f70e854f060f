//! Searches own what they say they own.
//!
//! All checks are in one test, so that nothing else allocates meanwhile.

mod common;

use common::nets::{AtLeast, engine};
use petite_bits::CountingAllocator;
use petite_logic::{AtomId, Ctl, Ltl, check_ctl, check_ctl_locally, check_ltl};
use petite_model::{Model, UnfoldedNet};
use petite_net::{PlaceIdx, PlainNet, PlainPlace, PlainTransition};
use petite_search::{Limits, Monitor, Progress};
use petite_store::Plain;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Compares what is told with what was allocated.
struct Auditor {
    before: usize,
    most: usize,
}

impl Monitor for Auditor {
    fn progress(&mut self, progress: &Progress) {
        let allocated = ALLOCATOR.current() - self.before;
        let told = progress.store_bytes + progress.frontier_bytes;
        self.most = self.most.max(told);
        // What does not grow with the number of states: formulas, automata, buffers of one state.
        let slack = 40_000 + allocated / 50;
        assert!(allocated.abs_diff(told) < slack, "{told} bytes were told, {allocated} were allocated");
    }

    fn interrupted(&self) -> bool {
        false
    }
}

/// Three counters that count up and down.
fn counters(size: u32) -> PlainNet {
    let mut net = PlainNet { name: "counters".into(), ..PlainNet::default() };
    for i in 0..3 {
        let place = |tokens| PlainPlace { id: None, name: format!("p{i}"), tokens };
        net.places.extend([place(size), place(0)]);
        let (left, right) = (PlaceIdx(2 * i), PlaceIdx(2 * i + 1));
        for (from, to) in [(left, right), (right, left)] {
            net.transitions.push(PlainTransition {
                name: format!("t{i}"),
                inputs: vec![(from, 1)],
                outputs: vec![(to, 1)],
                ..PlainTransition::default()
            });
        }
    }
    net
}

/// Runs a check with an auditor; it has to own some memory of its own.
fn audit(check: impl Fn(&mut UnfoldedNet, &mut Plain, &mut AtLeast, &mut Auditor)) {
    let mut model = engine(&counters(40));
    let mut atoms = AtLeast(vec![(0, 99), (1, 99)]);
    let before = ALLOCATOR.current();
    let mut store = Plain::new(model.packing());
    let mut auditor = Auditor { before, most: 0 };
    check(&mut model, &mut store, &mut atoms, &mut auditor);
    assert!(auditor.most > 1_000_000, "{} bytes were told at most", auditor.most);
}

#[test]
fn bytes_are_what_was_allocated() {
    let never = || Ltl::Atom(AtomId(0));
    let answered = Ltl::Or(vec![Ltl::Not(Box::new(never())), Ltl::Next(Box::new(never()))]);
    let formula = Ltl::Globally(Box::new(answered));
    audit(|model, store, atoms, auditor| {
        check_ltl(model, store, atoms, &formula, &Limits::NONE, auditor);
    });
    let reached = Ctl::ExistsFinally(Box::new(Ctl::Atom(AtomId(0))));
    let question = Ctl::AllGlobally(Box::new(Ctl::Not(Box::new(reached))));
    audit(|model, store, atoms, auditor| {
        check_ctl(model, store, atoms, std::slice::from_ref(&question), &Limits::NONE, auditor);
    });
    audit(|model, store, atoms, auditor| {
        check_ctl_locally(model, store, atoms, &question, &Limits::NONE, auditor);
    });
}
