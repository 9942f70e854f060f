//! Branching time on random nets against fixpoints computed as they are defined.

mod common;

use common::nets::{AtLeast, Graph, engine, fire, random_mixed_net};
use common::{Random, random_ctl, seeds};
use petite_graph::{About, Builder, Labels, Way};
use petite_logic::{
    Ctl, CtlVerdict, Lasso, Linear, LtlVerdict, Rest, check_ctl, check_ctl_locally, check_ltl, label_graph,
    linear,
};
use petite_model::{Model, NetModel, UnfoldedNet};
use petite_net::{Comparison, Number, PlaceIdx, PlainNet, Predicate};
use petite_search::{Limits, Order, Silent, explore};
use petite_store::{IndexedTree, Plain};

/// Where a formula holds, by iterating the equations that define the operators.
fn everywhere(graph: &Graph, atoms: &AtLeast, formula: &Ctl) -> Vec<bool> {
    let n = graph.markings.len();
    let of = |part: &Ctl| everywhere(graph, atoms, part);
    let some = |set: &[bool], node: usize| graph.successors(node).iter().any(|&to| set[to]);
    let all = |set: &[bool], node: usize| graph.successors(node).iter().all(|&to| set[to]);
    let iterate = |start: bool, step: &dyn Fn(&[bool], usize) -> bool| {
        let mut set = vec![start; n];
        loop {
            let next: Vec<bool> = (0..n).map(|node| step(&set, node)).collect();
            if next == set {
                return set;
            }
            set = next;
        }
    };
    match formula {
        Ctl::True => vec![true; n],
        Ctl::False => vec![false; n],
        Ctl::Atom(atom) => graph.markings.iter().map(|m| atoms.letter(m) >> atom.0 & 1 == 1).collect(),
        Ctl::Not(part) => of(part).iter().map(|holds| !holds).collect(),
        Ctl::And(parts) => {
            let parts: Vec<_> = parts.iter().map(of).collect();
            (0..n).map(|node| parts.iter().all(|part| part[node])).collect()
        }
        Ctl::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(of).collect();
            (0..n).map(|node| parts.iter().any(|part| part[node])).collect()
        }
        // A dead marking has no successor.
        Ctl::ExistsNext(part) => {
            let part = of(part);
            graph.steps.iter().map(|steps| steps.iter().any(|step| part[step.1])).collect()
        }
        Ctl::AllNext(part) => {
            let part = of(part);
            graph.steps.iter().map(|steps| steps.iter().all(|step| part[step.1])).collect()
        }
        Ctl::ExistsFinally(part) => {
            let part = of(part);
            iterate(false, &|set, node| part[node] || some(set, node))
        }
        Ctl::AllFinally(part) => {
            let part = of(part);
            iterate(false, &|set, node| part[node] || all(set, node))
        }
        Ctl::ExistsGlobally(part) => {
            let part = of(part);
            iterate(true, &|set, node| part[node] && some(set, node))
        }
        Ctl::AllGlobally(part) => {
            let part = of(part);
            iterate(true, &|set, node| part[node] && all(set, node))
        }
        Ctl::ExistsUntil(left, right) => {
            let (left, right) = (of(left), of(right));
            iterate(false, &|set, node| right[node] || left[node] && some(set, node))
        }
        Ctl::AllUntil(left, right) => {
            let (left, right) = (of(left), of(right));
            iterate(false, &|set, node| right[node] || left[node] && all(set, node))
        }
    }
}

/// The numbers of the markings that a run visits, all of them where it is a lasso.
fn replay(net: &PlainNet, model: &UnfoldedNet, graph: &Graph, lasso: &Lasso) -> Vec<usize> {
    let number = |marking: &Vec<u32>| graph.markings.iter().position(|other| other == marking).unwrap();
    let mut marking = graph.markings[0].clone();
    let mut visited = vec![0];
    let cycle = if let Rest::Cycle(cycle) = &lasso.rest { &cycle[..] } else { &[] };
    for action in lasso.prefix.iter().chain(cycle) {
        let transition = model.transition_of(*action).index();
        marking = fire(net, &marking, transition).expect("the run can be fired");
        visited.push(number(&marking));
    }
    match &lasso.rest {
        Rest::Cycle(cycle) => {
            assert!(!cycle.is_empty());
            assert_eq!(visited[lasso.prefix.len()], visited[visited.len() - 1], "the cycle leads back");
        }
        Rest::Dead => assert!(graph.steps[number(&marking)].is_empty(), "the run ends in a dead state"),
        Rest::Any => {}
    }
    visited
}

/// A literal. With others, a formula may have been simplified to one of another form, and the run shows that one.
fn is_literal(formula: &Ctl) -> bool {
    match formula {
        Ctl::Atom(_) => true,
        Ctl::Not(inner) => matches!(**inner, Ctl::Atom(_)),
        _ => false,
    }
}

/// Whether a run shows what it is given for. Gives false where the formula's form allows no run.
fn shows(graph: &Graph, atoms: &AtLeast, formula: &Ctl, holds: bool, visited: &[usize], rest: &Rest) -> bool {
    let of = |part: &Ctl| everywhere(graph, atoms, part);
    let last = visited[visited.len() - 1];
    let before = &visited[..visited.len() - 1];
    let second = visited[visited.len().min(2) - 1];
    let is_endless = !matches!(rest, Rest::Any);
    match (formula, holds) {
        (Ctl::ExistsNext(part), true) => assert!(visited.len() == 2 && of(part)[second]),
        (Ctl::AllNext(part), false) => assert!(visited.len() == 2 && !of(part)[second]),
        (Ctl::ExistsFinally(part), true) => assert!(of(part)[last]),
        (Ctl::AllGlobally(part), false) => assert!(!of(part)[last]),
        (Ctl::ExistsUntil(left, right), true) => {
            assert!(of(right)[last] && before.iter().all(|&node| of(left)[node]));
        }
        (Ctl::ExistsGlobally(part), true) => {
            assert!(is_endless || of(part).iter().all(|holds| *holds));
            assert!(visited.iter().all(|&node| of(part)[node]));
        }
        (Ctl::AllFinally(part), false) => assert!(is_endless && visited.iter().all(|&node| !of(part)[node])),
        (Ctl::AllUntil(left, right), false) => {
            let (left, right) = (of(left), of(right));
            assert!(visited.iter().all(|&node| !right[node]));
            assert!(is_endless || !left[last]);
        }
        _ => return false,
    }
    true
}

/// Whether a formula is an operator of time on literals.
fn has_literals(formula: &Ctl) -> bool {
    match formula {
        Ctl::ExistsNext(part)
        | Ctl::AllNext(part)
        | Ctl::ExistsFinally(part)
        | Ctl::AllFinally(part)
        | Ctl::ExistsGlobally(part)
        | Ctl::AllGlobally(part) => is_literal(part),
        Ctl::ExistsUntil(left, right) | Ctl::AllUntil(left, right) => {
            is_literal(left) && is_literal(right) && left != right
        }
        _ => false,
    }
}

#[test]
fn random_nets_and_formulas() {
    let (mut holding, mut failing, mut shown, mut shown_locally, mut on_the_fly) = (0, 0, 0, 0, 0);
    for seed in seeds(0, 2000) {
        let mut random = Random::new(seed);
        let net = random_mixed_net(&mut random);
        let Some(graph) = Graph::of(&net, 200) else { continue };
        let mut atoms = AtLeast::random(&mut random, &net, 3);
        let questions: Vec<Ctl> = (0..1 + random.below(4))
            .map(|_| {
                let size = if random.flip() { 2 + random.below(2) } else { 1 + random.below(8) };
                random_ctl(&mut random, size, 3)
            })
            .collect();
        let mut model = engine(&net);
        let mut store = Plain::new(model.packing());
        let mut local_model = engine(&net);
        let mut local_store = Plain::new(local_model.packing());
        let verdicts = check_ctl(&mut model, &mut store, &mut atoms, &questions, &Limits::NONE, &mut Silent);
        let mut tree = IndexedTree::new(&mut model).unwrap();
        let in_tree = check_ctl(&mut model, &mut tree, &mut atoms, &questions, &Limits::NONE, &mut Silent);
        for ((formula, verdict), in_tree) in questions.iter().zip(verdicts).zip(in_tree) {
            let expected = everywhere(&graph, &atoms, formula)[0];
            assert_eq!(
                matches!(in_tree, CtlVerdict::Holds(_)),
                expected,
                "seed {seed}, in a tree: {formula:?}"
            );
            // One store serves all questions on the fly.
            let local = check_ctl_locally(
                &mut local_model,
                &mut local_store,
                &mut atoms,
                formula,
                &Limits::NONE,
                &mut Silent,
            );
            let (holds, run) = match local {
                CtlVerdict::Holds(run) => (true, run),
                CtlVerdict::Fails(run) => (false, run),
                CtlVerdict::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
            };
            assert_eq!(holds, expected, "seed {seed}, on the fly: {formula:?}");
            if let Some(run) = run.filter(|_| has_literals(formula)) {
                let visited = replay(&net, &local_model, &graph, &run);
                shown_locally += usize::from(shows(&graph, &atoms, formula, holds, &visited, &run.rest));
            }
            let (holds, run) = match verdict {
                CtlVerdict::Holds(run) => (true, run),
                CtlVerdict::Fails(run) => (false, run),
                CtlVerdict::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
            };
            assert_eq!(holds, expected, "seed {seed}: {formula:?}");
            *(if holds { &mut holding } else { &mut failing }) += 1;
            if let Some(run) = run.filter(|_| has_literals(formula)) {
                let visited = replay(&net, &model, &graph, &run);
                shown += usize::from(shows(&graph, &atoms, formula, holds, &visited, &run.rest));
            }
            if let Some(linear) = linear(formula) {
                on_the_fly += 1;
                let (Linear::All(path) | Linear::Not(path)) = &linear;
                let mut model = engine(&net);
                let mut store = Plain::new(model.packing());
                let outcome = check_ltl(&mut model, &mut store, &mut atoms, path, &Limits::NONE, &mut Silent);
                let all_satisfy = matches!(outcome.verdict, LtlVerdict::Holds);
                let decided = if matches!(linear, Linear::All(_)) { all_satisfy } else { !all_satisfy };
                assert_eq!(decided, expected, "seed {seed}: {formula:?} as {linear:?}");
            }
        }
    }
    assert!(holding > 500 && failing > 500, "{holding} hold, {failing} do not");
    assert!(shown_locally > 300, "{shown_locally} were shown on the fly");
    assert!(shown > 300 && on_the_fly > 300, "{shown} were shown, {on_the_fly} decided on the fly");
}

/// On a condensed graph, formulas hold in as many nodes as there are markings where they should, however it was built.
#[test]
fn formulas_hold_in_the_nodes_of_graphs() {
    let (mut n_graphs, mut n_nodes) = (0, 0);
    for seed in seeds(5000, 300) {
        let mut random = Random::new(seed);
        let net = random_mixed_net(&mut random);
        let Some(graph) = Graph::of(&net, 200) else { continue };
        let atoms = AtLeast::random(&mut random, &net, 3);
        let meaning = |&(place, least): &(usize, u32)| {
            let tokens = Number::Tokens(PlaceIdx::new(place));
            Predicate::Compare(Comparison::Ge, tokens, Number::Const(i64::from(least)))
        };
        let meanings: Vec<Predicate> = atoms.0.iter().map(meaning).collect();
        let questions: Vec<Ctl> = (1..7).map(|size| random_ctl(&mut random, size, 3)).collect();
        for (order, way, labels) in [
            (Order::BreadthFirst, Way::NodeByNode, Labels::Kept),
            (Order::DepthFirst, Way::AlongThePath, Labels::Left),
        ] {
            let mut model = engine(&net);
            let (mut store, mut builder) = (Plain::new(model.packing()), Builder::new(&model, way));
            let report = explore(&mut model, &mut store, order, &Limits::NONE, &mut Silent, &mut builder);
            assert!(report.is_complete());
            let condensed = builder.finish(&model, &About::default(), labels).unwrap();
            let sets = label_graph(&condensed, &mut model, &meanings, &questions).unwrap();
            for (formula, set) in questions.iter().zip(sets) {
                let expected = everywhere(&graph, &atoms, formula);
                assert_eq!(set.contains(0), expected[0], "seed {seed}: {formula:?}");
                let count = expected.iter().filter(|&&holds| holds).count();
                assert_eq!(set.iter().count(), count, "seed {seed}: {formula:?}");
                n_nodes += count;
            }
            n_graphs += 1;
        }
    }
    assert!(n_graphs > 200 && n_nodes > 2000, "{n_graphs} graphs, {n_nodes} nodes");
}
