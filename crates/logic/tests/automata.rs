//! Automata accept exactly the words that satisfy their formula, in every form.

mod common;

use common::{Nexts, Random, Word, random_ltl, seeds};
use petite_logic::ltl::{Automaton, Strength, degeneralised, translate, translate_negation};

/// Whether an automaton accepts a word: whether the graph of positions and states has an accepting cycle. Cycles are
/// found by the transitive closure, with the marks met on the way.
fn accepts(automaton: &Automaton, word: &Word) -> bool {
    let n_states = automaton.n_states();
    if n_states == 0 {
        return false;
    }
    let n_letters = word.letters.len();
    let mut steps: Vec<Vec<(usize, u64)>> = vec![Vec::new(); n_states * n_letters];
    for state in 0..n_states {
        for at in 0..n_letters {
            let mut letter = 0;
            for (i, atom) in automaton.atoms.iter().enumerate() {
                letter |= (word.letters[at] >> atom.0 & 1) << i;
            }
            let next = if at + 1 == n_letters { word.back_to } else { at + 1 };
            for edge in automaton.edges[state].iter().filter(|edge| edge.label.holds(letter)) {
                steps[state * n_letters + at].push((edge.to.index() * n_letters + next, edge.marks));
            }
        }
    }
    let reach = |from: usize| {
        let mut seen = vec![false; steps.len()];
        let mut open: Vec<usize> = steps[from].iter().map(|step| step.0).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(steps[node].iter().map(|step| step.0));
            }
        }
        seen
    };
    let mut reachable = reach(0);
    reachable[0] = true;
    let reached: Vec<Vec<bool>> = (0..steps.len()).map(reach).collect();
    (0..steps.len()).filter(|&node| reachable[node] && reached[node][node]).any(|node| {
        let in_component = |other: usize| reached[node][other] && reached[other][node];
        let mut marks = 0;
        for member in (0..steps.len()).filter(|&other| in_component(other)) {
            let inner = steps[member].iter().filter(|step| in_component(step.0));
            inner.for_each(|step| marks |= step.1);
        }
        marks & automaton.all_marks() == automaton.all_marks()
    })
}

#[test]
fn random_formulas_and_words() {
    let (mut accepted, mut rejected, mut strengths) = (0, 0, [0; 3]);
    for seed in seeds(0, 3000) {
        let mut random = Random::new(seed);
        let size = 1 + random.below(9);
        let formula = random_ltl(&mut random, size, 3, Nexts::Some);
        let positive = translate(&formula).unwrap();
        let negative = translate_negation(&formula).unwrap();
        let ordinary = degeneralised(&positive);
        for edges in &ordinary.edges {
            assert!(edges.iter().all(|edge| edge.marks == edges[0].marks), "acceptance is not on states");
        }
        strengths[match positive.strength() {
            Strength::Terminal => 0,
            Strength::Weak => 1,
            Strength::General => 2,
        }] += 1;
        for _ in 0..12 {
            let word = Word::random(&mut random, 3);
            let holds = word.satisfies(&formula);
            assert_eq!(
                accepts(&positive, &word),
                holds,
                "seed {seed}: {formula:?} on {word:?}: {positive:?}"
            );
            assert_eq!(accepts(&negative, &word), !holds, "seed {seed}: not {formula:?} on {word:?}");
            assert_eq!(
                accepts(&ordinary, &word),
                holds,
                "seed {seed}: {formula:?} on {word:?}: {ordinary:?}"
            );
            *(if holds { &mut accepted } else { &mut rejected }) += 1;
        }
    }
    assert!(accepted > 5000 && rejected > 5000, "{accepted} accepted, {rejected} rejected");
    assert!(strengths.iter().all(|&n| n > 50), "{strengths:?}");
}
