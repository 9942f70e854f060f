//! Automata accept exactly the words that satisfy their formula, in every form.

mod common;

use common::syntax::ltl;
use common::{Nexts, Random, Word, random_ltl, seeds};
use petite_logic::ltl::{
    Automaton, Strength, TranslationError, degeneralised, translate, translate_negation,
};
use petite_logic::{AtomId, Ltl};

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
        let negative = translate_negation(&formula, None).unwrap();
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

#[test]
fn what_comes_again_and_again() {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in seeds(50_000, 1500) {
        let mut random = Random::new(seed);
        let mut part = || {
            let size = 1 + random.below(4);
            let part = random_ltl(&mut random, size, 3, Nexts::Some);
            match random.below(3) {
                0 => part,
                1 => Ltl::Globally(Box::new(Ltl::Finally(Box::new(part)))),
                _ => Ltl::Globally(Box::new(Ltl::Next(Box::new(Ltl::Finally(Box::new(part)))))),
            }
        };
        let (one, two, three) = (part(), part(), part());
        let formula = Ltl::And(vec![one, Ltl::Until(Box::new(two), Box::new(three))]);
        let automaton = translate(&formula).unwrap();
        let ordinary = degeneralised(&automaton);
        for _ in 0..12 {
            let word = Word::random(&mut random, 3);
            let holds = word.satisfies(&formula);
            assert_eq!(accepts(&automaton, &word), holds, "seed {seed}: {formula:?} on {word:?}");
            assert_eq!(accepts(&ordinary, &word), holds, "seed {seed}: {formula:?} on {word:?}");
            *(if holds { &mut accepted } else { &mut rejected }) += 1;
        }
    }
    assert!(accepted > 1000 && rejected > 1000, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn large_formulas_end() {
    let all = |n: usize, part: fn(String) -> String| {
        let parts: Vec<String> = (0..n).map(|i| part(format!("p{i}"))).collect();
        translate(&ltl(&parts.join(" & ")))
    };
    let again = all(10, |atom| format!("G F {atom}")).unwrap();
    assert_eq!((again.n_states(), again.n_marks), (1, 10));
    assert_eq!(all(16, |atom| format!("F {atom}")), Err(TranslationError::TooLarge));
    assert_eq!(all(70, |atom| format!("G {atom}")), Err(TranslationError::TooManyAtoms));
    let deep = (0..5000).fold(Ltl::Atom(AtomId(0)), |inner, _| Ltl::Next(Box::new(inner)));
    assert_eq!(translate(&deep), Err(TranslationError::TooDeep));
}

#[test]
fn a_translation_ends_with_its_time() {
    // n formulas `F(a & F(b & ...))` need a state for each combination of how far they are.
    let chains: Vec<String> = (0..7).map(|i| format!("F(p{i} & X F(q{i} & X F(r{i} & X F s{i})))")).collect();
    let formula = ltl(&format!("!({})", chains.join(" & ")));
    let started = std::time::Instant::now();
    let found = translate_negation(&formula, Some(started));
    assert_eq!(found.err(), Some(TranslationError::OutOfTime));
    assert!(started.elapsed().as_secs() < 5, "it took {:?}", started.elapsed());
}
