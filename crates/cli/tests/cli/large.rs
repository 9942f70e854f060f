//! Nets with very many nodes, and with very many arcs at one node. How long they take is for `bench` to say.

use crate::common::{Scratch, pnml, run};
use serde_json::Value;

fn explore_json(model: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let run = run(&[&["explore", "--json", model], arguments].concat());
    let value = serde_json::from_str(&run.stdout);
    (run.status, value.unwrap_or_else(|error| panic!("{error}: {} {}", run.stdout, run.stderr)))
}

#[test]
fn twenty_thousand_places_and_transitions() {
    let scratch = Scratch::new("large-ring");
    let n = 20_000;
    let places: Vec<String> = (0..n).map(|i| format!("p{i}")).collect();
    let transitions: Vec<String> = (0..n).map(|i| format!("t{i}")).collect();
    // Forty rings of 500 places with a token each: every place is safe.
    let marked: Vec<_> =
        places.iter().enumerate().map(|(i, place)| (place.as_str(), u32::from(i % 500 == 0))).collect();
    let mut arcs = Vec::new();
    for i in 0..n {
        let next = if i % 500 == 499 { i - 499 } else { i + 1 };
        arcs.push((places[i].as_str(), transitions[i].as_str(), 1));
        arcs.push((transitions[i].as_str(), places[next].as_str(), 1));
    }
    let names: Vec<_> = transitions.iter().map(String::as_str).collect();
    let model = scratch.file("rings.pnml", pnml(&marked, &names, &arcs));
    let (status, found) = explore_json(&model, &["--max-states", "1000"]);
    assert_eq!(status, Some(3), "{found}");
    assert_eq!((&found["states"], &found["slots"], &found["actions"]), (&1000.into(), &n.into(), &n.into()));
    assert_eq!((&found["max_tokens_in_place"], &found["max_tokens_total"]), (&1.into(), &40.into()));
    assert_eq!(found["state_bits"], 20_000, "invariants show that every place is safe");
    // The first state has a successor for each ring, and each of these one for each ring but its parent's.
    let edges = found["edges"].as_u64().unwrap();
    assert!((1000..=40 * 1000).contains(&edges), "{edges}");
}

#[test]
fn a_transition_with_five_thousand_input_arcs() {
    let scratch = Scratch::new("large-transition");
    let n = 5_000;
    let places: Vec<String> = (0..n).map(|i| format!("p{i}")).collect();
    let mut marked: Vec<_> = places.iter().map(|place| (place.as_str(), 1)).collect();
    marked.push(("end", 0));
    let mut arcs: Vec<_> = places.iter().map(|place| (place.as_str(), "all", 1)).collect();
    arcs.push(("all", "end", 1));
    let model = scratch.file("all.pnml", pnml(&marked, &["all"], &arcs));
    for engine in ["unfolded", "binding"] {
        for search in ["bfs", "dfs"] {
            let (status, found) = explore_json(&model, &["--engine", engine, "--search", search]);
            assert_eq!(status, Some(0), "{found}");
            let counts =
                [&found["states"], &found["edges"], &found["dead_states"], &found["max_tokens_total"]];
            assert_eq!(
                counts,
                [&2, &1, &1, &5_000].map(|n: &i32| Value::from(*n)).each_ref(),
                "{engine} {search}"
            );
        }
    }
}
