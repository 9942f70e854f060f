//! Stores that keep states as steps, from the command line: the same counts as the plain table, and honest reports.
//!
//! This is a sample of `petite-bench same-counts`, which takes longer.

use std::path::Path;

use serde_json::Value;

use crate::common::run;

const DISTANCES: [&str; 8] = ["1", "2", "3", "5", "7", "10", "20", "50"];

/// Models up to this many states are explored.
const LARGEST: u64 = 3000;

/// Explores a model of ours and gives the report.
fn explore(model: &str, arguments: &[&str]) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(format!("{model}.lna"));
    let path = path.to_string_lossy().into_owned();
    let all = [&["explore", &path, "--json", "-q"], arguments].concat();
    let outcome = run(&all);
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{all:?}: {}", outcome.stderr))
}

/// A figure of the store.
fn figure(report: &Value, name: &str) -> u64 {
    report["store_figures"][name].as_u64().unwrap_or_else(|| panic!("{name} in {report}"))
}

#[test]
fn every_way_counts_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let table = std::fs::read_to_string(folder.join("expected.csv")).expect("models/expected.csv");
    let mut n_runs = 0;
    for (number, line) in table.lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let [model, parameters, states, ..] = fields[..] else { panic!("{line}") };
        if states.parse::<u64>().is_ok_and(|states| states > LARGEST) {
            continue;
        }
        let given =
            parameters.split_whitespace().flat_map(|parameter| match parameter.strip_prefix("define:") {
                Some(symbol) => ["--define", symbol],
                None => ["--param", parameter],
            });
        let given: Vec<&str> = given.collect();
        for engine in ["unfolded", "binding"] {
            let plain = explore(model, &[&given[..], &["--engine", engine]].concat());
            if plain["states"].is_null() {
                // Too large to be unfolded.
                continue;
            }
            for order in ["bfs", "dfs"] {
                for (store, distance) in [("delta", "--k"), ("difference", "--delta")] {
                    let n = DISTANCES[(number + n_runs) % DISTANCES.len()];
                    let ways = ["--engine", engine, "--search", order, "--store", store, distance, n];
                    let found = explore(model, &[&given[..], &ways].concat());
                    for count in ["states", "edges", "dead_states", "max_tokens_total", "complete"] {
                        assert_eq!(found[count], plain[count], "{count} of {line}: {ways:?}");
                    }
                    assert_eq!(found["store"], store);
                    n_runs += 1;
                }
            }
        }
    }
    assert!(n_runs > 200, "{n_runs}");
}

#[test]
fn switches_are_taken_and_reported() {
    // With this engine all steps are taken, so that nearer ways to known states are met.
    let way = ["--param", "N=9", "--engine", "binding", "--search", "dfs", "--store", "delta", "--k", "50"];
    let arguments = |more: &[&'static str]| [&way[..], more].concat();
    let all_on = explore("mutex", &arguments(&[]));
    assert_eq!(figure(&all_on, "k"), 50);
    assert!(figure(&all_on, "predecessors_updated") > 0);
    let no_update = explore("mutex", &arguments(&["--no-update"]));
    assert_eq!(figure(&no_update, "predecessors_updated"), 0);
    let collapsed = explore("mutex", &arguments(&["--collapse"]));
    assert!(figure(&collapsed, "values_of_collapsed_components") > 0);
    let no_recall = explore("mutex", &arguments(&["--no-recall"]));
    assert_eq!(figure(&no_recall, "memory_of_recalled_states"), 0);
    let firings = |report| figure(report, "firings_for_reconstitutions");
    assert!(firings(&no_recall) > firings(&all_on));
    let forward = explore("mutex", &arguments(&["--no-unfire", "--no-recall"]));
    for report in [&no_update, &collapsed, &no_recall, &forward] {
        assert_eq!(report["states"], all_on["states"]);
        assert_eq!(report["edges"], all_on["edges"]);
    }
}

/// A net of the corpus whose search stack is short: where it is long, it takes the memory, not the store.
#[test]
fn a_limit_of_memory_drops_markings_and_says_so() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let path = Path::new(&corpus).join("lna/leader/leader.lna").to_string_lossy().into_owned();
    let explore = |memory: &str| {
        let way = ["--search", "dfs", "--store", "delta", "--k", "10", "--max-memory", memory];
        let outcome = run(&[&["explore", &path, "--param", "N=11", "--json", "-q"], &way[..]].concat());
        serde_json::from_str::<Value>(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.stderr))
    };
    let exact = explore("200M");
    assert!(exact["complete"] == true && figure(&exact, "markings_dropped") == 0, "{exact}");
    let tight = explore("800K");
    assert!(figure(&tight, "markings_dropped") > 0, "{tight}");
    let count = |report: &Value| report["states"].as_u64().expect("a count");
    let again = count(&tight) - count(&exact);
    assert!(
        tight["complete"] == true && Some(again) <= tight["states_counted_again_at_most"].as_u64(),
        "{tight}"
    );
    assert!(exact["exact"] == true && tight["exact"] == false, "{tight}");
}

#[test]
fn a_k_of_zero_is_refused() {
    let outcome = run(&["explore", "whatever.lna", "--store", "delta", "--k", "0"]);
    assert_eq!(outcome.status, Some(2), "{}", outcome.stderr);
}
