//! Linear time on random nets against a checker that knows no automata of ours.
//!
//! The judge builds the tableau of the formula on the explicit graph: its nodes are pairs of a marking and a
//! consistent guess of which subformulas hold there; a run exists where a component fulfils all its untils
//! (Lichtenstein and Pnueli). It shares nothing with the translation but the type of formulas.

mod common;

use std::collections::HashMap;

use common::nets::{AtLeast, Graph, engine, fire, random_mixed_net, random_net, random_steady_net};
use common::{Nexts, Random, Word, random_ltl, seeds};
use petite_logic::{AtomId, FairSets, Lasso, Ltl, LtlVerdict, Rest, check_ltl, check_ltl_fair};
use petite_model::{ActionId, Model, NetModel, UnfoldedNet};
use petite_net::{PlainNet, RunError};
use petite_search::{Ending, Limit, Limits, Silent};
use petite_store::{IndexedTree, Plain};

/// What the judge demands of runs beyond the formula: weak sets and strong sets of transitions.
#[derive(Clone, Default)]
struct Sets {
    weak: Vec<Vec<usize>>,
    strong: Vec<Vec<usize>>,
}

impl FairSets<UnfoldedNet> for Sets {
    fn n_weak(&self) -> u32 {
        self.weak.len() as u32
    }

    fn n_strong(&self) -> u32 {
        self.strong.len() as u32
    }

    fn sets_of(&mut self, model: &UnfoldedNet, action: ActionId) -> Result<u64, RunError> {
        let transition = model.transition_of(action).index();
        let bits = self.weak.iter().chain(&self.strong).enumerate();
        Ok(bits.fold(0, |all, (i, set)| all | u64::from(set.contains(&transition)) << i))
    }
}

/// Subformulas, children first, without derived operators at the top of the list twice.
fn subformulas<'f>(formula: &'f Ltl, list: &mut Vec<&'f Ltl>) {
    match formula {
        Ltl::True | Ltl::False | Ltl::Atom(_) => {}
        Ltl::Not(part) | Ltl::Next(part) | Ltl::Finally(part) | Ltl::Globally(part) => {
            subformulas(part, list);
        }
        Ltl::And(parts) | Ltl::Or(parts) => {
            parts.iter().for_each(|part| subformulas(part, list));
        }
        Ltl::Until(left, right) | Ltl::Release(left, right) => {
            subformulas(left, list);
            subformulas(right, list);
        }
    }
    if !list.contains(&formula) {
        list.push(formula);
    }
}

/// Whether some fair run from the initial marking satisfies the formula.
fn has_run(graph: &Graph, atoms: &AtLeast, formula: &Ltl, sets: &Sets) -> bool {
    let mut list = Vec::new();
    subformulas(formula, &mut list);
    let number: HashMap<&Ltl, usize> = list.iter().enumerate().map(|(i, f)| (*f, i)).collect();
    // A guess says of every subformula with a future whether it holds; the rest follows.
    let has_future = |f: &Ltl| {
        matches!(f, Ltl::Next(_) | Ltl::Finally(_) | Ltl::Globally(_) | Ltl::Until(..) | Ltl::Release(..))
    };
    let futures: Vec<usize> = (0..list.len()).filter(|&i| has_future(list[i])).collect();
    let value_of = |letter: u64, guess: u64| -> Vec<bool> {
        let mut values: Vec<bool> = Vec::new();
        for (i, f) in list.iter().enumerate() {
            let of = |part: &Ltl| values[number[part]];
            let value = match f {
                Ltl::True => true,
                Ltl::False => false,
                Ltl::Atom(atom) => letter >> atom.0 & 1 == 1,
                Ltl::Not(part) => !of(part),
                Ltl::And(parts) => parts.iter().all(of),
                Ltl::Or(parts) => parts.iter().any(of),
                _ => guess >> futures.iter().position(|&at| at == i).unwrap() & 1 == 1,
            };
            values.push(value);
        }
        values
    };
    // The fixpoint equations between a guess and the next one.
    let fits = |now: &[bool], next: &[bool]| {
        futures.iter().all(|&i| {
            let of = |part: &Ltl| now[number[part]];
            now[i]
                == match list[i] {
                    Ltl::Next(part) => next[number[&**part]],
                    Ltl::Finally(part) => of(part) || next[i],
                    Ltl::Globally(part) => of(part) && next[i],
                    Ltl::Until(left, right) => of(right) || of(left) && next[i],
                    Ltl::Release(left, right) => of(right) && (of(left) || next[i]),
                    _ => unreachable!(),
                }
        })
    };
    let n_guesses = 1u64 << futures.len();
    let n = graph.markings.len() * n_guesses as usize;
    let values: Vec<Vec<bool>> = (0..n as u64)
        .map(|node| value_of(atoms.letter(&graph.markings[(node / n_guesses) as usize]), node % n_guesses))
        .collect();
    let mut steps: Vec<Vec<(usize, Option<usize>)>> = vec![Vec::new(); n];
    for (node, found) in steps.iter_mut().enumerate() {
        let marking = node / n_guesses as usize;
        let moves: Vec<(Option<usize>, usize)> = if graph.steps[marking].is_empty() {
            vec![(None, marking)]
        } else {
            graph.steps[marking].iter().map(|&(t, to)| (Some(t), to)).collect()
        };
        for (transition, to) in moves {
            for guess in 0..n_guesses as usize {
                let target = to * n_guesses as usize + guess;
                if fits(&values[node], &values[target]) {
                    found.push((target, transition));
                }
            }
        }
    }
    let starts: Vec<usize> = (0..n_guesses as usize).filter(|&guess| values[guess][list.len() - 1]).collect();
    let mut is_reachable = vec![false; n];
    let mut open = starts;
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_reachable[node], true) {
            open.extend(steps[node].iter().map(|step| step.0));
        }
    }
    // Each promise: the nodes that call for it again and again must come with edges that keep it.
    let mut alive = is_reachable;
    loop {
        let components = components(&steps, &alive);
        let mut changed = false;
        for members in components {
            let inside = |node: usize| members.binary_search(&node).is_ok();
            let inner: Vec<(usize, usize, Option<usize>)> = members
                .iter()
                .flat_map(|&node| steps[node].iter().map(move |&(to, t)| (node, to, t)))
                .filter(|&(_, to, _)| inside(to))
                .collect();
            if inner.is_empty() {
                members.iter().for_each(|&node| changed |= std::mem::replace(&mut alive[node], false));
                continue;
            }
            let fulfils = |i: usize, node: usize| match list[i] {
                Ltl::Finally(part) => !values[node][i] || values[node][number[&**part]],
                Ltl::Until(_, right) => !values[node][i] || values[node][number[&**right]],
                // Where one of these does not hold, its negation is an until.
                Ltl::Globally(part) => values[node][i] || !values[node][number[&**part]],
                Ltl::Release(_, right) => values[node][i] || !values[node][number[&**right]],
                _ => true,
            };
            let enabled = |set: &Vec<usize>, node: usize| {
                graph.steps[node / n_guesses as usize].iter().any(|(t, _)| set.contains(t))
            };
            let fired = |set: &Vec<usize>| inner.iter().any(|(_, _, t)| t.is_some_and(|t| set.contains(&t)));
            let is_good = futures.iter().all(|&i| members.iter().any(|&node| fulfils(i, node)))
                && sets.weak.iter().all(|set| fired(set) || members.iter().any(|&node| !enabled(set, node)));
            if !is_good {
                members.iter().for_each(|&node| changed |= std::mem::replace(&mut alive[node], false));
                continue;
            }
            let broken = sets.strong.iter().filter(|set| !fired(set));
            let bad: Vec<usize> = broken
                .flat_map(|set| {
                    members.iter().copied().filter(|&node| enabled(set, node)).collect::<Vec<_>>()
                })
                .collect();
            if bad.is_empty() {
                return true;
            }
            bad.iter().for_each(|&node| changed |= std::mem::replace(&mut alive[node], false));
        }
        if !changed {
            return false;
        }
    }
}

/// The strongly connected components of the living nodes, by Kosaraju's algorithm.
fn components(steps: &[Vec<(usize, Option<usize>)>], alive: &[bool]) -> Vec<Vec<usize>> {
    let n = steps.len();
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (node, found) in steps.iter().enumerate() {
        found.iter().for_each(|&(to, _)| back[to].push(node));
    }
    let (mut seen, mut order) = (vec![false; n], Vec::new());
    for root in (0..n).filter(|&node| alive[node]) {
        let mut path = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((node, at)) = path.last_mut() {
            if let Some(&(to, _)) = steps[*node].get(*at) {
                *at += 1;
                if alive[to] && !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            } else {
                order.push(*node);
                path.pop();
            }
        }
    }
    let (mut done, mut components) = (vec![false; n], Vec::new());
    for &root in order.iter().rev() {
        let (mut members, mut open) = (Vec::new(), vec![root]);
        while let Some(node) = open.pop() {
            if alive[node] && !std::mem::replace(&mut done[node], true) {
                members.push(node);
                open.extend(&back[node]);
            }
        }
        if !members.is_empty() {
            members.sort_unstable();
            components.push(members);
        }
    }
    components
}

/// Replays a lasso and gives its word. The run is fair where that is asked for.
fn replay(net: &PlainNet, model: &UnfoldedNet, atoms: &AtLeast, lasso: &Lasso, sets: &Sets) -> Word {
    let transition = |action: &ActionId| model.transition_of(*action).index();
    let mut marking: Vec<u32> = net.places.iter().map(|place| place.tokens).collect();
    let mut letters = vec![atoms.letter(&marking)];
    let enabled = |marking: &[u32], set: &Vec<usize>| set.iter().any(|&t| fire(net, marking, t).is_some());
    for action in &lasso.prefix {
        marking = fire(net, &marking, transition(action)).expect("the prefix can be fired");
        letters.push(atoms.letter(&marking));
    }
    let back_to = letters.len() - 1;
    match &lasso.rest {
        Rest::Cycle(cycle) => {
            assert!(!cycle.is_empty());
            let (first, mut visited) = (marking.clone(), Vec::new());
            for action in cycle {
                visited.push(marking.clone());
                marking = fire(net, &marking, transition(action)).expect("the cycle can be fired");
                letters.push(atoms.letter(&marking));
            }
            assert_eq!(marking, first, "the cycle leads back");
            letters.pop();
            let fired = |set: &Vec<usize>| cycle.iter().any(|action| set.contains(&transition(action)));
            for set in &sets.weak {
                assert!(fired(set) || visited.iter().any(|marking| !enabled(marking, set)), "weakly fair");
            }
            for set in &sets.strong {
                assert!(fired(set) || visited.iter().all(|marking| !enabled(marking, set)), "strongly fair");
            }
        }
        Rest::Dead => {
            let is_dead = (0..net.transitions.len()).all(|t| fire(net, &marking, t).is_none());
            assert!(is_dead, "the prefix leads to a dead state");
        }
        Rest::Any => {
            // Whatever comes is a violation; let nothing more happen, or the first thing that can, for a while.
            let mut seen = vec![marking.clone()];
            loop {
                let next = (0..net.transitions.len()).find_map(|t| fire(net, &marking, t));
                let Some(next) = next else { return Word { back_to: letters.len() - 1, letters } };
                marking = next;
                if let Some(at) = seen.iter().position(|other| *other == marking) {
                    return Word { letters, back_to: back_to + at };
                }
                seen.push(marking.clone());
                letters.push(atoms.letter(&marking));
            }
        }
    }
    Word { letters, back_to }
}

/// Checks a formula both ways; gives whether it holds.
fn check(net: &PlainNet, graph: &Graph, atoms: &mut AtLeast, formula: &Ltl, sets: &Sets, seed: u64) -> bool {
    let mut model = engine(net);
    let mut fairness = sets.clone();
    let (limits, monitor) = (&Limits::NONE, &mut Silent);
    let outcome = if seed.is_multiple_of(2) {
        let mut store = Plain::new(model.packing());
        check_ltl_fair(&mut model, &mut store, atoms, formula, &mut fairness, limits, monitor)
    } else {
        let mut store = IndexedTree::new(&mut model).unwrap();
        check_ltl_fair(&mut model, &mut store, atoms, formula, &mut fairness, limits, monitor)
    };
    let negation = Ltl::Not(Box::new(formula.clone()));
    let expected = !has_run(graph, atoms, &negation, sets);
    match outcome.verdict {
        LtlVerdict::Holds => assert!(expected, "seed {seed}: {formula:?} is said to hold"),
        LtlVerdict::Violated(lasso) => {
            let lasso = lasso.expect("there is memory enough");
            assert!(!expected, "seed {seed}: {formula:?} is said not to hold: {lasso:?}");
            let word = replay(net, &model, atoms, &lasso, sets);
            assert!(!word.satisfies(formula), "seed {seed}: {lasso:?} satisfies {formula:?}");
        }
        LtlVerdict::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
    }
    expected
}

fn random_case(seed: u64) -> Option<(Random, PlainNet, Graph)> {
    let mut random = Random::new(seed);
    let net = random_mixed_net(&mut random);
    let graph = Graph::of(&net, 60)?;
    Some((random, net, graph))
}

#[test]
fn random_nets_and_formulas() {
    let (mut holding, mut violated) = (0, 0);
    for seed in seeds(0, 1500) {
        let Some((mut random, net, graph)) = random_case(seed) else { continue };
        let mut atoms = AtLeast::random(&mut random, &net, 3);
        let size = 2 + random.below(7);
        let formula = random_ltl(&mut random, size, 3, Nexts::Some);
        let holds = check(&net, &graph, &mut atoms, &formula, &Sets::default(), seed);
        *(if holds { &mut holding } else { &mut violated }) += 1;
    }
    assert!(holding > 100 && violated > 100, "{holding} hold, {violated} do not");
}

#[test]
fn random_nets_and_fairness() {
    let (mut holding, mut violated, mut differ) = (0, 0, 0);
    for seed in seeds(10_000, 1500) {
        let mut random = Random::new(seed);
        let net = random_steady_net(&mut random, 4, 8);
        let Some(graph) = Graph::of(&net, 60) else { continue };
        let mut atoms = AtLeast::random(&mut random, &net, 2);
        let size = 1 + random.below(4);
        let mut formula = random_ltl(&mut random, size, 2, Nexts::Some);
        if random.below(3) > 0 {
            formula = Ltl::Globally(Box::new(Ltl::Finally(Box::new(formula))));
        }
        let set = |random: &mut Random| (0..net.transitions.len()).filter(|_| random.below(3) == 0).collect();
        let sets = Sets {
            weak: (0..random.below(4)).map(|_| set(&mut random)).collect(),
            strong: (0..random.below(4)).map(|_| set(&mut random)).collect(),
        };
        let holds = check(&net, &graph, &mut atoms, &formula, &sets, seed);
        let negation = Ltl::Not(Box::new(formula.clone()));
        differ += usize::from(holds == has_run(&graph, &atoms, &negation, &Sets::default()));
        *(if holds { &mut holding } else { &mut violated }) += 1;
    }
    assert!(holding > 100 && violated > 100, "{holding} hold, {violated} do not");
    assert!(differ > 10, "fairness made a difference {differ} times");
}

#[test]
fn many_atoms() {
    let (mut holding, mut violated) = (0, 0);
    for seed in seeds(30_000, 300) {
        let Some((mut random, net, graph)) = random_case(seed) else { continue };
        // A hundred atoms of which a few are different; the judge sees the formula without repetitions.
        let few = AtLeast::random(&mut random, &net, 3);
        let mut many = AtLeast((0..100).map(|i| few.0[i % 3]).collect());
        let atom = |i: u32| Ltl::Atom(AtomId(i));
        let all = |n: u32| Ltl::Or((0..n).map(atom).collect());
        let shape = |n: u32| {
            let goal = Ltl::Finally(Box::new(Ltl::And((0..n).map(atom).collect())));
            Ltl::Globally(Box::new(Ltl::Or(vec![Ltl::Not(Box::new(all(n))), goal])))
        };
        let mut model = engine(&net);
        let mut store = Plain::new(model.packing());
        let outcome = check_ltl(&mut model, &mut store, &mut many, &shape(100), &Limits::NONE, &mut Silent);
        let expected = !has_run(&graph, &few, &Ltl::Not(Box::new(shape(3))), &Sets::default());
        match outcome.verdict {
            LtlVerdict::Holds => assert!(expected, "seed {seed}"),
            LtlVerdict::Violated(_) => assert!(!expected, "seed {seed}"),
            LtlVerdict::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
        }
        *(if expected { &mut holding } else { &mut violated }) += 1;
    }
    assert!(holding > 20 && violated > 20, "{holding} hold, {violated} do not");
}

#[test]
fn limits_are_kept() {
    let net = random_net(&mut Random::new(7), 5, 6);
    let mut model = engine(&net);
    let mut store = Plain::new(model.packing());
    let limits = Limits { max_states: Some(1), ..Limits::NONE };
    let formula = Ltl::Globally(Box::new(Ltl::Finally(Box::new(Ltl::Atom(AtomId(0))))));
    let mut atoms = AtLeast(vec![(0, 1)]);
    let outcome = check_ltl(&mut model, &mut store, &mut atoms, &formula, &limits, &mut Silent);
    let is_limited = matches!(
        outcome.verdict,
        LtlVerdict::Unknown(petite_logic::LtlUnknown::Ended(Ending::LimitReached(Limit::States)))
    );
    assert!(is_limited, "{:?}", outcome.verdict);
}
