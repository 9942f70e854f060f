//! Answers to formulas on small nets, by both engines: what is counted, what is enabled, what is proved.

use std::rc::Rc;

use petite_lang::{ReadOptions, Source, formula, helena};
use petite_logic::{Answer, Keeping, Means, Options, Reducing, Verdict, Witnesses, decide, trace};
use petite_model::{Engine, EngineChoice, NetModel, compile};
use petite_net::Net;
use petite_search::{Limits, Silent};

/// Tokens with a number and a light go from `p` to `q`, where only the number is left. The numbers are many, so the engine
/// that finds bindings keeps them in bags.
const NET: &str = "colours (N := 3) {
   type number : range 1 .. 500;
   type light : enum (red, green);
   place p { dom: number * light; init: <( 1, red )> + <( 2, red )> + <( 2, green )>; capacity: 4; }
   place q { dom: number; capacity: 4; }
   place runs { dom: epsilon; init: epsilon; }
   transition go {
      in  { p: <( x, c )>; }
      out { q: <( x )>; }
   }
   transition stop {
      in  { runs: epsilon; q: <( 2 )>; }
      out { }
      guard: true;
   }
   transition never {
      in  { p: <( 7, red )>; }
      out { }
   }
   proposition some_two: exists (t in q | t->1 = 2);
   proposition crowded: q'card > 1 and p'mult < 2;
}";

fn net() -> Rc<Net> {
    Rc::new(helena::read(&Source::new("c.lna", NET), None, &ReadOptions::default()).expect("a net"))
}

fn verdict<M: NetModel>(mut model: M, net: &Net, text: &str) -> Verdict {
    let query = formula::read_formula(&Source::new("-f", text), 1, net, "f");
    let query = query.unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
    let mut of = |reducing: Reducing| {
        let options =
            Options { limits: Limits::NONE, witnesses: Witnesses::Kept, reducing, keeping: Keeping::Table };
        let queries = std::slice::from_ref(&query);
        let decided = decide(&mut model, queries, &options, &mut Silent, &|_, _, _, _| {});
        decided.unwrap_or_else(|error| panic!("{text}: {error:?}")).all.remove(0).verdict
    };
    let (verdict, reduced) = (of(Reducing::Never), of(Reducing::AtOnce));
    assert_eq!(verdict.answer, reduced.answer, "{text}");
    if let Some(actions) = &reduced.witness {
        trace(&mut model, actions, reduced.cycle).expect("a way that can be followed");
    }
    if let Some(actions) = &verdict.witness {
        trace(&mut model, actions, verdict.cycle).expect("a way that can be followed");
    }
    verdict
}

/// The answer of both engines, as the unfolded one gives it.
#[track_caller]
fn answer(text: &str) -> Verdict {
    let net = net();
    let mut answers =
        [EngineChoice::Unfolded, EngineChoice::Binding].map(|choice| match compile(&net, choice).unwrap() {
            Engine::Unfolded(model) => verdict(*model, &net, text),
            Engine::Binding(model) => verdict(*model, &net, text),
        });
    assert_eq!(answers[0].answer, answers[1].answer, "{text}");
    std::mem::replace(&mut answers[0], Verdict::plain(Answer::Holds, Means::None))
}

#[test]
fn tokens_are_counted_by_place_colour_and_pattern() {
    for (number, most) in [
        ("p", 3),
        ("p[_, red]", 2),
        ("p[2, _]", 2),
        ("p[2, green]", 1),
        ("p[9, green]", 0),
        ("q", 3),
        ("q[2]", 2),
        ("distinct(q)", 2),
        ("distinct(p)", 3),
        ("sum (l in light) p[1, l]", 1),
        ("3 * q[1] - 2 * p[1, red]", 3),
        ("q + p", 3),
        ("N - runs", 3),
    ] {
        assert_eq!(answer(&format!("bound({number})")).answer, Answer::Bound(most), "{number}");
    }
}

#[test]
fn formulas_about_reachable_states_are_decided() {
    for (formula, holds) in [
        ("EF q[2] = 2", true),
        ("EF q[2] >= 3", false),
        ("AG p + q >= 2", true),
        ("AG p + q = 3", false),
        ("EF (p = 0 and deadlock)", true),
        ("AG (deadlock -> p = 0)", true),
        ("AG (deadlock -> runs = 0)", true),
        ("EF enabled(stop)", true),
        ("EF enabled(never)", false),
        ("EF (enabled(stop) and enabled(go))", true),
        ("AG (enabled(go) <-> p > 0)", true),
        ("EF some_two", true),
        ("EF crowded", true),
        ("AG (crowded -> q >= 2)", true),
        ("EF q * p = 2", true),
        ("EF q * p > 2", false),
        ("G (forall (l in light) p[1, l] <= 1)", true),
        ("EF q = 1 and not EF q = 4", true),
        ("p = 3 and runs = 1", true),
        ("p = 2", false),
        ("EF EF q = 3", true),
        ("F p = 3", true),
        ("p = 2 U q = 9", false),
        ("A X true", true),
        ("E X false", false),
    ] {
        let expected = if holds { Answer::Holds } else { Answer::Fails };
        assert_eq!(answer(formula).answer, expected, "{formula}");
    }
}

#[test]
fn witnesses_are_shortest() {
    let steps = |text: &str| answer(text).witness.map(|actions| actions.len());
    assert_eq!(steps("EF q = 2"), Some(2));
    assert_eq!(steps("AG p > 0"), Some(3));
    assert_eq!(steps("EF runs = 0"), Some(2));
    assert_eq!(steps("EF (deadlock)"), Some(4));
    assert_eq!(steps("EF q = 9"), None);
    assert_eq!(steps("EF p = 3"), Some(0));
}

#[test]
fn bounds_decide_without_a_search() {
    let means = |text: &str| answer(text).means;
    assert_eq!(means("EF p[9, green] > 0"), Means::Structure);
    assert_eq!(means("EF q > 99"), Means::Structure);
    assert_eq!(means("EF q > 2"), Means::Witness);
    assert_eq!(means("AG q <= 3 or EF q = 3"), Means::Witness);
}
