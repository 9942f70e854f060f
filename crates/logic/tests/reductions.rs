//! Reduced nets give the same answers as the nets they come from, and their runs are runs there.

mod common;

use std::collections::{BTreeSet, VecDeque};

use common::nets::{AtLeast, Graph, engine, fire, random_mixed_net};
use common::{Nexts, Random, Word, random_ctl, random_ltl, seeds};
use petite_logic::{Ctl, CtlVerdict, Lasso, Ltl, LtlVerdict, Rest, check_ctl, check_ltl};
use petite_model::{ActionId, Model, NetModel, UnfoldedNet};
use petite_net::reduce::{Keeps, Reduction, Rule, reduce};
use petite_net::{PlaceIdx, PlainNet, TransIdx};
use petite_search::{Limits, Silent};
use petite_store::Plain;

const KINDS: [Keeps; 5] =
    [Keeps::Everything, Keeps::StutterCtl, Keeps::StutterLtl, Keeps::Deadlock, Keeps::Reachability];

/// A net, its graph, and places to protect.
struct Case {
    net: PlainNet,
    graph: Graph,
    protected: Vec<PlaceIdx>,
}

fn random_case(random: &mut Random) -> Option<Case> {
    let net = random_mixed_net(random);
    let graph = Graph::of(&net, 300)?;
    let n = random.below(3).min(net.places.len() as u64);
    let mut protected: Vec<_> =
        (0..n).map(|_| PlaceIdx(random.below(net.places.len() as u64) as u32)).collect();
    protected.sort_unstable();
    protected.dedup();
    Some(Case { net, graph, protected })
}

/// The counts of protected places in the original net, or in the reduced one.
fn counts(case: &Case, marking: &[u32]) -> Vec<u32> {
    case.protected.iter().map(|place| marking[place.index()]).collect()
}

fn reduced_counts(case: &Case, reduction: &Reduction, marking: &[u32]) -> Vec<u32> {
    let place = |&place: &PlaceIdx| reduction.place(place).expect("protected places stay");
    case.protected.iter().map(|protected| marking[place(protected).index()]).collect()
}

/// A shortest run to each marking of a graph.
fn runs(graph: &Graph) -> Vec<Vec<TransIdx>> {
    let mut runs: Vec<Option<Vec<TransIdx>>> = vec![None; graph.markings.len()];
    runs[0] = Some(Vec::new());
    let mut queue = VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for &(transition, to) in &graph.steps[node] {
            if runs[to].is_none() {
                let before = runs[node].clone().unwrap();
                runs[to] = Some(before.into_iter().chain([TransIdx::new(transition)]).collect());
                queue.push_back(to);
            }
        }
    }
    runs.into_iter().map(Option::unwrap).collect()
}

fn after(net: &PlainNet, run: &[TransIdx]) -> Vec<u32> {
    let initial: Vec<u32> = net.places.iter().map(|place| place.tokens).collect();
    run.iter().fold(initial, |marking, step| fire(net, &marking, step.index()).expect("the run can be fired"))
}

#[test]
fn reachable_and_dead_counts() {
    let mut applied: BTreeSet<Rule> = BTreeSet::new();
    let (mut states, mut reduced_states, mut dead) = (0, 0, 0);
    for seed in seeds(0, 6000) {
        let Some(case) = random_case(&mut Random::new(seed)) else { continue };
        let all = |graph: &Graph, counts: &dyn Fn(&[u32]) -> Vec<u32>| -> BTreeSet<Vec<u32>> {
            graph.markings.iter().map(|marking| counts(marking)).collect()
        };
        let dead_ones = |graph: &Graph, counts: &dyn Fn(&[u32]) -> Vec<u32>| -> BTreeSet<Vec<u32>> {
            let nodes = (0..graph.markings.len()).filter(|&node| graph.steps[node].is_empty());
            nodes.map(|node| counts(&graph.markings[node])).collect()
        };
        let here = |marking: &[u32]| counts(&case, marking);
        for keeps in KINDS {
            let reduction = reduce(&case.net, &case.protected, keeps);
            applied.extend(reduction.applied.iter().map(|(rule, _)| *rule));
            let graph = Graph::of(&reduction.net, 3000).expect("the reduced net is bounded");
            let there = |marking: &[u32]| reduced_counts(&case, &reduction, marking);
            let context = || {
                format!(
                    "seed {seed}, {keeps:?}: {:?}\n{:?}\n{:?}",
                    reduction.applied, case.net, reduction.net
                )
            };
            if keeps == Keeps::Everything {
                assert!(graph.markings.len() <= case.graph.markings.len(), "{}", context());
            }
            assert_eq!(all(&graph, &there), all(&case.graph, &here), "{}", context());
            if keeps != Keeps::Reachability {
                assert_eq!(dead_ones(&graph, &there), dead_ones(&case.graph, &here), "{}", context());
            }
            if keeps == Keeps::Reachability {
                states += case.graph.markings.len();
                reduced_states += graph.markings.len();
            }
            for (node, run) in runs(&graph).iter().enumerate() {
                let mut original = reduction.initially();
                original.extend(reduction.expand(run.iter().copied()));
                let marking = after(&case.net, &original);
                assert_eq!(here(&marking), there(&graph.markings[node]), "{}", context());
                if keeps != Keeps::Reachability && graph.steps[node].is_empty() {
                    dead += 1;
                    let rest = Reduction::finish_dead(&case.net, &original).expect("it ends");
                    original.extend(rest);
                    let last = after(&case.net, &original);
                    let is_dead =
                        (0..case.net.transitions.len()).all(|t| fire(&case.net, &last, t).is_none());
                    assert!(is_dead && here(&last) == here(&marking), "{}", context());
                }
            }
        }
    }
    assert_eq!(applied.len(), 9, "every rule was applied: {applied:?}");
    assert!(reduced_states * 2 < states, "{states} states became {reduced_states}");
    assert!(dead > 1000, "{dead} dead states");
}

/// The word of a lasso of the reduced net, as a run of the original one.
fn word(case: &Case, reduction: &Reduction, model: &UnfoldedNet, atoms: &AtLeast, lasso: &Lasso) -> Word {
    let steps =
        |actions: &[ActionId]| reduction.expand(actions.iter().map(|&action| model.transition_of(action)));
    let mut run = reduction.initially();
    run.extend(steps(&lasso.prefix));
    let mut letters = Vec::new();
    let mut marking = after(&case.net, &[]);
    letters.push(atoms.letter(&marking));
    let mut go = |marking: &mut Vec<u32>, run: &[TransIdx]| {
        for step in run {
            *marking = fire(&case.net, marking, step.index()).expect("the run can be fired");
            letters.push(atoms.letter(marking));
        }
        letters.len() - 1
    };
    let back_to = go(&mut marking, &run);
    match &lasso.rest {
        Rest::Cycle(cycle) => {
            let first = marking.clone();
            go(&mut marking, &steps(cycle));
            assert_eq!(marking, first, "the cycle leads back");
            letters.pop();
            Word { letters, back_to }
        }
        Rest::Dead => {
            let rest = Reduction::finish_dead(&case.net, &run).expect("it ends");
            let back_to = go(&mut marking, &rest);
            Word { letters, back_to }
        }
        Rest::Any => {
            // Go on until a marking repeats.
            let mut seen = vec![marking.clone()];
            let start = letters.len() - 1;
            while let Some(next) = (0..case.net.transitions.len()).find_map(|t| fire(&case.net, &marking, t))
            {
                marking = next;
                if let Some(at) = seen.iter().position(|other| *other == marking) {
                    return Word { letters, back_to: start + at };
                }
                seen.push(marking.clone());
                letters.push(atoms.letter(&marking));
            }
            let back_to = letters.len() - 1;
            Word { letters, back_to }
        }
    }
}

fn verdict(net: &PlainNet, atoms: &mut AtLeast, formula: &Ltl) -> (UnfoldedNet, Option<Box<Lasso>>) {
    let mut model = engine(net);
    let mut store = Plain::new(model.packing());
    let outcome = check_ltl(&mut model, &mut store, atoms, formula, &Limits::NONE, &mut Silent);
    match outcome.verdict {
        LtlVerdict::Holds => (model, None),
        LtlVerdict::Violated(lasso) => (model, lasso),
        LtlVerdict::Unknown(reason) => panic!("{reason:?}"),
    }
}

#[test]
fn linear_time_without_next() {
    let (mut holding, mut violated, mut smaller) = (0, 0, 0);
    for seed in seeds(20_000, 6000) {
        let mut random = Random::new(seed);
        let Some(case) = random_case(&mut random).filter(|case| !case.protected.is_empty()) else { continue };
        let place = |random: &mut Random| random.below(case.protected.len() as u64) as usize;
        let atoms: Vec<(PlaceIdx, u32)> =
            (0..2).map(|_| (case.protected[place(&mut random)], 1 + random.below(2) as u32)).collect();
        let size = 2 + random.below(6);
        let formula = random_ltl(&mut random, size, 2, Nexts::None);
        assert!(formula.is_stutter_insensitive());
        let reduction = reduce(&case.net, &case.protected, Keeps::StutterLtl);
        smaller += usize::from(reduction.net.places.len() < case.net.places.len());
        let mut here = AtLeast(atoms.iter().map(|(place, least)| (place.index(), *least)).collect());
        let moved = |&(place, least): &(PlaceIdx, u32)| (reduction.place(place).unwrap().index(), least);
        let mut there = AtLeast(atoms.iter().map(moved).collect());
        let (_, original) = verdict(&case.net, &mut here, &formula);
        let (model, reduced) = verdict(&reduction.net, &mut there, &formula);
        assert_eq!(
            original.is_some(),
            reduced.is_some(),
            "seed {seed}: {formula:?} {:?}\n{:?}\n{:?}",
            reduction.applied,
            case.net,
            reduction.net
        );
        *(if reduced.is_some() { &mut violated } else { &mut holding }) += 1;
        if let Some(lasso) = reduced {
            let word = word(&case, &reduction, &model, &here, &lasso);
            assert!(!word.satisfies(&formula), "seed {seed}: {lasso:?} satisfies {formula:?} as {word:?}");
        }
    }
    assert!(holding > 200 && violated > 200, "{holding} hold, {violated} do not");
    assert!(smaller > 500, "{smaller} nets became smaller");
}

/// The formula with every `X` replaced by an operator that does not see single steps.
fn without_next(formula: &Ctl) -> Ctl {
    let of = |part: &Ctl| Box::new(without_next(part));
    let all = |parts: &[Ctl]| parts.iter().map(without_next).collect();
    match formula {
        Ctl::True | Ctl::False | Ctl::Atom(_) => formula.clone(),
        Ctl::Not(part) => Ctl::Not(of(part)),
        Ctl::And(parts) => Ctl::And(all(parts)),
        Ctl::Or(parts) => Ctl::Or(all(parts)),
        Ctl::ExistsNext(part) | Ctl::ExistsFinally(part) => Ctl::ExistsFinally(of(part)),
        Ctl::AllNext(part) | Ctl::AllFinally(part) => Ctl::AllFinally(of(part)),
        Ctl::ExistsGlobally(part) => Ctl::ExistsGlobally(of(part)),
        Ctl::AllGlobally(part) => Ctl::AllGlobally(of(part)),
        Ctl::ExistsUntil(first, second) => Ctl::ExistsUntil(of(first), of(second)),
        Ctl::AllUntil(first, second) => Ctl::AllUntil(of(first), of(second)),
    }
}

#[test]
fn branching_time() {
    let (mut checked, mut agglomerated) = (0, 0);
    for seed in seeds(40_000, 8000) {
        let mut random = Random::new(seed);
        let Some(case) = random_case(&mut random).filter(|case| !case.protected.is_empty()) else { continue };
        let size = 1 + random.below(9);
        let any = random_ctl(&mut random, size, 2);
        let least = 1 + random.below(2) as u32;
        let (first, last) = (case.protected[0], case.protected[case.protected.len() - 1]);
        let holds = |net: &PlainNet, question: &Ctl, place: &dyn Fn(PlaceIdx) -> PlaceIdx| {
            let mut atoms = AtLeast(vec![(place(first).index(), 1), (place(last).index(), least)]);
            let mut model = engine(net);
            let mut store = Plain::new(model.packing());
            let question = std::slice::from_ref(question);
            let found = check_ctl(&mut model, &mut store, &mut atoms, question, &Limits::NONE, &mut Silent);
            matches!(found[0], CtlVerdict::Holds(_))
        };
        for (keeps, question) in [(Keeps::Everything, any.clone()), (Keeps::StutterCtl, without_next(&any))] {
            let reduction = reduce(&case.net, &case.protected, keeps);
            let is_agglomeration =
                |(rule, _): &(Rule, usize)| matches!(rule, Rule::PreAgglomeration | Rule::PostAgglomeration);
            agglomerated += usize::from(reduction.applied.iter().any(is_agglomeration));
            let reduced = holds(&reduction.net, &question, &|place| reduction.place(place).unwrap());
            let original = holds(&case.net, &question, &|place| place);
            assert_eq!(
                original, reduced,
                "seed {seed}: {question:?} {keeps:?} {:?}\n{:?}\n{:?}",
                reduction.applied, case.net, reduction.net
            );
            checked += 1;
        }
    }
    assert!(checked > 1500, "{checked} were checked");
    assert!(agglomerated > 300, "{agglomerated} were agglomerated");
}
