//! `petite check` asks reduced nets what a look at the model leaves open, and its traces are those of the model.

use crate::common::{Run, Scratch, pnml, run};

/// Steps of the chain.
const LENGTH: usize = 40;

/// Eleven processes that go round for themselves, which makes 177,147 states, and a long chain that goes its own way.
fn crowd() -> String {
    let mut places: Vec<(String, u32)> = Vec::new();
    let mut arcs: Vec<(String, String)> = Vec::new();
    let mut transitions = Vec::new();
    let mut step = |from: String, to: String| {
        let name = format!("t{}", transitions.len());
        arcs.extend([(from, name.clone()), (name.clone(), to)]);
        transitions.push(name);
    };
    for process in 0..11 {
        for at in 0..3 {
            places.push((format!("p{process}_{at}"), u32::from(at == 0)));
            step(format!("p{process}_{at}"), format!("p{process}_{}", (at + 1) % 3));
        }
    }
    for at in 0..=LENGTH {
        places.push((format!("c{at}"), u32::from(at == 0)));
        if at > 0 {
            step(format!("c{}", at - 1), format!("c{at}"));
        }
    }
    let places: Vec<(&str, u32)> = places.iter().map(|(place, tokens)| (place.as_str(), *tokens)).collect();
    let transitions: Vec<&str> = transitions.iter().map(String::as_str).collect();
    let arcs: Vec<(&str, &str, i32)> =
        arcs.iter().map(|(from, to)| (from.as_str(), to.as_str(), 1)).collect();
    pnml(&places, &transitions, &arcs)
}

fn check(arguments: &[&str]) -> Run {
    run(&[&["check"], arguments].concat())
}

#[test]
fn a_reduced_net_decides_what_the_model_is_too_large_for() {
    let scratch = Scratch::new("reductions_decide");
    let net = scratch.file("crowd.pnml", crowd());
    let trace = scratch.path().join("trace.json").to_string_lossy().into_owned();
    let limit = ["--max-states", "60k"];
    let last = format!("EF c{LENGTH} = 1");
    let ask = |formula: &str, more: &[&str]| check(&[&[&net, "-f", formula], &limit[..], more].concat());

    let whole = ask(&last, &["--no-reduction", "-q"]);
    assert_eq!(whole.status, Some(3), "the model is too large: {}", whole.stdout);

    let reduced = ask(&last, &["-v", "--trace", &trace]);
    assert_eq!(reduced.status, Some(0), "{}{}", reduced.stdout, reduced.stderr);
    assert!(reduced.stdout.contains("formula: holds\n"), "{}", reduced.stdout);
    assert!(reduced.stdout.contains("40 steps show it\n  found in a reduced net"), "{}", reduced.stdout);
    let size = format!("of {} places and", 33 + LENGTH + 1);
    assert!(reduced.stdout.contains(&size), "{}", reduced.stdout);
    let replayed = run(&["simulate", &net, "--trace", &trace]);
    assert_eq!(replayed.status, Some(0), "{}{}", replayed.stdout, replayed.stderr);

    let json = ask(&last, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let reduced = &json["properties"][0]["reduced"];
    assert_eq!(reduced["places_before"], 33 + LENGTH + 1);
    assert!(reduced["places"].as_u64() < Some(10), "{reduced}");
    let mcc = ask(&last, &["--format", "mcc"]);
    assert!(mcc.stdout.contains("STRUCTURAL_REDUCTION"), "{}", mcc.stdout);
}

#[test]
fn runs_and_bounds_are_asked_of_reduced_nets_too() {
    let scratch = Scratch::new("reductions_runs");
    let net = scratch.file("crowd.pnml", crowd());
    let trace = scratch.path().join("trace.json").to_string_lossy().into_owned();
    // The chain may stand still while the others go round.
    let last = format!("c{LENGTH} = 1");
    for (formula, status) in [
        (format!("F {last}"), 1),
        (format!("AG EF ({last})"), 0),
        (format!("AF ({last})"), 1),
        (format!("bound(c{LENGTH} + c1)"), 0),
        (format!("AG not ({last} and c3 = 1)"), 0),
    ] {
        let found = check(&[&net, "-f", &formula, "--max-states", "60k", "--trace", &trace]);
        assert_eq!(found.status, Some(status), "{formula}: {}{}", found.stdout, found.stderr);
        if status == 1 {
            let replayed = run(&["simulate", &net, "--trace", &trace]);
            assert_eq!(replayed.status, Some(0), "{formula}: {}{}", replayed.stdout, replayed.stderr);
        }
    }
}

#[test]
fn stores_without_ways_get_traces_by_a_second_search() {
    let scratch = Scratch::new("reductions_ways");
    let net = scratch.file("crowd.pnml", crowd());
    for more in [&["--store", "tree"][..], &["--search", "sweep"][..]] {
        let trace = scratch.path().join("trace.json").to_string_lossy().into_owned();
        let found = check(&[&[&net, "-f", "AG c2 = 0", "--trace", &trace], more].concat());
        assert_eq!(found.status, Some(1), "{more:?}: {}{}", found.stdout, found.stderr);
        assert!(found.stdout.contains("2 steps show it"), "{more:?}: {}", found.stdout);
        let replayed = run(&["simulate", &net, "--trace", &trace]);
        assert_eq!(replayed.status, Some(0), "{more:?}: {}{}", replayed.stdout, replayed.stderr);
        std::fs::remove_file(&trace).expect("the trace was written");
    }
}

#[test]
fn a_model_that_cannot_be_reduced_says_why() {
    let scratch = Scratch::new("reductions_none");
    let net = scratch.file("crowd.pnml", crowd());
    let found = check(&[&net, "-f", "EF c1 = 1", "--engine", "binding", "-v"]);
    assert_eq!(found.status, Some(0), "{}", found.stderr);
    assert!(found.stdout.contains("the net cannot be reduced: its bindings"), "{}", found.stdout);
}
