//! Reductions change no answer: random questions about random nets, asked of the nets as they are and of reduced ones, alone and
//! several together; and the runs that reduced nets give are runs of the original ones that show what they are said to show.

mod common;

use common::nets::{Graph, engine, fire, random_mixed_net};
use common::{Random, seeds};
use petite_logic::{
    Answer, Answers, Asking, Keeping, Options, Reducing, Verdict, Witnesses, decide, replay, trace,
};
use petite_model::{NetModel, UnfoldedNet};
use petite_net::{
    Comparison, Formula, FormulaKind, Number, PlaceIdx, PlainNet, Predicate, Query, Question, Span, TransIdx,
};
use petite_search::{Limits, Silent};

fn number(random: &mut Random, net: &PlainNet) -> Number {
    let place = |random: &mut Random| Number::Tokens(PlaceIdx(random.below(net.places.len() as u64) as u32));
    match random.below(4) {
        0 => Number::Sum(vec![place(random), place(random)]),
        1 => Number::Sum(vec![place(random), Number::Minus(Box::new(place(random)))]),
        _ => place(random),
    }
}

fn predicate(random: &mut Random, net: &PlainNet, depth: u64) -> Predicate {
    match random.below(if depth == 0 { 6 } else { 9 }) {
        0 => Predicate::Deadlock,
        1 | 2 if !net.transitions.is_empty() => {
            let transition =
                |random: &mut Random| TransIdx(random.below(net.transitions.len() as u64) as u32);
            Predicate::Enabled((0..1 + random.below(2)).map(|_| transition(random)).collect())
        }
        6 => Predicate::Not(Box::new(predicate(random, net, depth - 1))),
        7 => Predicate::And(vec![predicate(random, net, depth - 1), predicate(random, net, depth - 1)]),
        8 => Predicate::Or(vec![predicate(random, net, depth - 1), predicate(random, net, depth - 1)]),
        _ => {
            let comparisons =
                [Comparison::Ge, Comparison::Lt, Comparison::Eq, Comparison::Ne, Comparison::Le];
            let comparison = comparisons[random.below(5) as usize];
            Predicate::Compare(comparison, number(random, net), Number::Const(random.below(3) as i64))
        }
    }
}

fn of(kind: FormulaKind) -> Formula {
    Formula { kind, span: Span::default() }
}

/// What a random formula is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    Linear,
    Branching,
}

fn formula(random: &mut Random, net: &PlainNet, time: Time, size: u64) -> Formula {
    if size <= 1 {
        return Formula::state(predicate(random, net, 1), Span::default());
    }
    let left = 1 + random.below(size - 1);
    let boxed = |random: &mut Random, size| Box::new(formula(random, net, time, size));
    let kind = match random.below(9) {
        0 => return formula(random, net, time, size - 1).negated(),
        1 => {
            let parts = vec![*boxed(random, left), *boxed(random, size - left)];
            return Formula::and(parts, Span::default());
        }
        2 => {
            let parts = vec![*boxed(random, left), *boxed(random, size - left)];
            return Formula::or(parts, Span::default());
        }
        3 if random.below(3) == 0 => FormulaKind::Next(boxed(random, size - 1)),
        3 | 4 => FormulaKind::Finally(boxed(random, size - 1)),
        5 | 6 => FormulaKind::Globally(boxed(random, size - 1)),
        7 => FormulaKind::Until(boxed(random, left), boxed(random, size - left)),
        _ => FormulaKind::Release(boxed(random, left), boxed(random, size - left)),
    };
    let body = of(kind);
    match (time, random.flip()) {
        (Time::Linear, _) => body,
        (Time::Branching, true) => of(FormulaKind::Exists(Box::new(body))),
        (Time::Branching, false) => of(FormulaKind::All(Box::new(body))),
    }
}

fn question(random: &mut Random, net: &PlainNet) -> Question {
    match random.below(8) {
        0 => Question::Bound(number(random, net)),
        1..=3 => {
            let body = Box::new(Formula::state(predicate(random, net, 2), Span::default()));
            let kind = match random.flip() {
                true => FormulaKind::Exists(Box::new(of(FormulaKind::Finally(body)))),
                false => FormulaKind::All(Box::new(of(FormulaKind::Globally(body)))),
            };
            Question::Holds(of(kind))
        }
        kind => {
            let size = 2 + random.below(4);
            let time = if kind < 6 { Time::Linear } else { Time::Branching };
            Question::Holds(formula(random, net, time, size))
        }
    }
}

fn answers(model: &mut UnfoldedNet, queries: &[Query], reducing: Reducing) -> Answers {
    let options =
        Options { limits: Limits::NONE, witnesses: Witnesses::Kept, reducing, keeping: Keeping::Table };
    decide(model, queries, &options, &mut Silent, &|_, _, _, _| {}).expect("questions that can be compiled")
}

/// Whether a predicate holds in a marking.
fn holds(net: &PlainNet, marking: &[u32], predicate: &Predicate) -> bool {
    let is_enabled = |transition: usize| fire(net, marking, transition).is_some();
    match predicate {
        Predicate::Const(truth) => *truth,
        Predicate::Not(body) => !holds(net, marking, body),
        Predicate::And(parts) => parts.iter().all(|part| holds(net, marking, part)),
        Predicate::Or(parts) => parts.iter().any(|part| holds(net, marking, part)),
        Predicate::Compare(comparison, left, right) => {
            comparison.holds(value(marking, left), value(marking, right))
        }
        Predicate::Enabled(transitions) => transitions.iter().any(|t| is_enabled(t.index())),
        Predicate::Deadlock => !(0..net.transitions.len()).any(is_enabled),
        Predicate::Proposition(_) => panic!("there are none"),
    }
}

fn value(marking: &[u32], number: &Number) -> i128 {
    match number {
        Number::Const(value) => i128::from(*value),
        Number::Tokens(place) => i128::from(marking[place.index()]),
        Number::Sum(parts) => parts.iter().map(|part| value(marking, part)).sum(),
        Number::Minus(body) => -value(marking, body),
        other => panic!("{other:?} is not asked here"),
    }
}

/// Follows the run of a verdict, and looks at the state that it leads to where the question is about one.
fn follow(net: &PlainNet, model: &mut UnfoldedNet, question: &Question, verdict: &Verdict) -> bool {
    let Some(actions) = &verdict.witness else { return false };
    let shown = trace(model, actions, verdict.cycle).expect("a run that can be followed");
    replay(model, &shown, &mut |_, _| {}).expect("a run that fits");
    let mut marking = net.initial();
    for &action in actions {
        net.fire(&mut marking, model.transition_of(action)).expect("a run of the original net");
    }
    let Question::Holds(formula) = question else { return true };
    let (wanted, body) = match &formula.kind {
        FormulaKind::Exists(body) => (true, body),
        FormulaKind::All(body) => (false, body),
        _ => return true,
    };
    if let FormulaKind::Finally(body) | FormulaKind::Globally(body) = &body.kind
        && let FormulaKind::State(predicate) = &body.kind
        && (verdict.answer == Answer::Holds) == wanted
        && verdict.cycle.is_none()
    {
        let is_reachability = matches!(formula.kind, FormulaKind::Exists(_))
            == matches!(&formula.kind, FormulaKind::Exists(body) if matches!(body.kind, FormulaKind::Finally(_)));
        if is_reachability {
            assert_eq!(holds(net, &marking, predicate), wanted, "{question:?} in {marking:?}");
        }
    }
    true
}

#[test]
fn reductions_change_no_answer() {
    let (mut n_reduced, mut n_followed, mut n_true, mut n_false, mut n_bounds) = (0, 0, 0, 0, 0);
    for seed in seeds(70_000, 3000) {
        let mut random = Random::new(seed);
        let net = random_mixed_net(&mut random);
        if Graph::of(&net, 300).is_none() {
            continue;
        }
        let query = |at: u64, random: &mut Random| {
            let question = question(random, &net);
            Query { name: format!("q{at}"), question, span: Span::default() }
        };
        let queries: Vec<Query> = (0..4).map(|at| query(at, &mut random)).collect();
        let mut model = engine(&net);
        let whole = answers(&mut model, &queries, Reducing::Never);
        let reduced = answers(&mut model, &queries, Reducing::AtOnce);
        for (query, (whole, reduced)) in queries.iter().zip(whole.all.iter().zip(&reduced.all)) {
            assert_eq!(
                whole.verdict.answer, reduced.verdict.answer,
                "seed {seed}: {:?} {:?}\n{net:?}",
                query.question, reduced.net
            );
            n_reduced += usize::from(reduced.net != Asking::Model);
            if reduced.net != Asking::Model && follow(&net, &mut model, &query.question, &reduced.verdict) {
                n_followed += 1;
            }
            match reduced.verdict.answer {
                Answer::Holds => n_true += 1,
                Answer::Fails => n_false += 1,
                Answer::Bound(_) => n_bounds += 1,
                _ => {}
            }
        }
    }
    assert!(n_reduced > 2000, "{n_reduced} answers of reduced nets");
    assert!(n_followed > 300, "{n_followed} runs of reduced nets");
    assert!(n_true > 1000 && n_false > 1000 && n_bounds > 200, "{n_true}, {n_false}, {n_bounds}");
}
