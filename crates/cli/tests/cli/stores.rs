//! Every exact store and codec finds what the plain one finds; lossy ones say what they are.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::run;

/// All exact combinations.
const EXACT: &[&[&str]] = &[
    &["--codec", "compress"],
    &["--codec", "collapse"],
    &["--codec", "new-collapse"],
    &["--store", "obdd"],
    &["--store", "obdd", "--order", "file", "--insert", "single"],
    &["--store", "obdd", "--codec", "compress"],
    &["--store", "obdd", "--codec", "collapse"],
    &["--store", "ondd", "--order", "file"],
    &["--store", "ondd", "--order", "component"],
    &["--store", "ondd", "--order", "interaction"],
    &["--store", "ondd", "--order", "sample"],
    &["--store", "ondd", "--order", "file", "--insert", "single"],
    &["--store", "ondd", "--codec", "compress"],
    &["--store", "ondd", "--codec", "new-collapse"],
];

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

fn explore(model: &Path, arguments: &[&str]) -> Value {
    let model = model.to_string_lossy();
    let output = run(&[&["explore", &model, "--json"], arguments].concat());
    assert_eq!(output.status, Some(0), "{model} {arguments:?}: {}", output.stderr);
    serde_json::from_str(&output.stdout).expect("one JSON object")
}

fn counts(value: &Value) -> Vec<u64> {
    let names = ["states", "edges", "dead_states", "max_tokens_in_place", "max_tokens_total"];
    names.iter().map(|name| value[name].as_u64().expect("a number")).collect()
}

fn check(model: &Path, parameters: &[&str]) {
    let plain = explore(model, parameters);
    assert_eq!(plain["exact"], Value::Bool(true));
    for arguments in EXACT {
        for search in ["bfs", "dfs"] {
            let found = explore(model, &[parameters, arguments, &["--search", search]].concat());
            assert_eq!(counts(&found), counts(&plain), "{} {arguments:?} {search}", model.display());
            assert_eq!(found["exact"], Value::Bool(true));
        }
    }
}

#[test]
fn exact_stores_agree_on_our_models() {
    for file in std::fs::read_dir(models()).expect("the models") {
        let path = file.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".lna")
            && !name.ends_with(".prop.lna")
            && !["peterson.lna", "combination_lock.lna"].contains(&name.as_str())
        {
            check(&path, &[]);
        }
    }
    check(&models().join("peterson.lna"), &["--param", "N=3"]);
}

#[test]
fn exact_stores_agree_on_a_sample_of_the_corpus() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let corpus = Path::new(&corpus);
    for model in [
        "lna/lamport/lamport.lna",
        "pnml-col/TokenRing-COL-005/model.pnml",
        "pnml-pt/Philosophers-PT-000005/model.pnml",
    ] {
        check(&corpus.join(model), &[]);
    }
}

#[test]
fn lossy_stores_say_so() {
    let model = models().join("peterson.lna");
    for store in ["bitstate", "hashcompact"] {
        for search in ["bfs", "dfs"] {
            let arguments = ["--param", "N=3", "--store", store, "--search", search];
            let found = explore(&model, &arguments);
            // With this much memory for few states nothing is lost, but nobody may rely on it.
            assert_eq!((&found["states"], &found["exact"]), (&Value::from(20_754), &Value::Bool(false)));
            let omission = found["omission_probability"].as_f64().expect("a probability");
            assert!(0.0 < omission && omission < 0.01, "{omission}");
        }
    }
    let few = ["--param", "N=3", "--store", "hashcompact", "--hash-bits", "12"];
    let found = explore(&model, &few);
    assert!(found["states"].as_u64().expect("a number") <= 1 << 12);
    assert!(found["omission_probability"].as_f64().expect("a probability") > 0.99);
    let text = run(&[&["explore", &model.to_string_lossy()], &few[..]].concat()).stdout;
    assert!(
        text.contains("at least (lossy)") && text.contains("probability that some are: at least"),
        "{text}"
    );
}

#[test]
fn seeds_miss_different_states() {
    let model = models().join("peterson.lna");
    let states = |seed: &str| {
        let bits = ["--param", "N=3", "--store", "bitstate", "--bitstate-memory", "4K", "--hash-seed", seed];
        explore(&model, &bits)["states"].as_u64().expect("a number")
    };
    assert_eq!(states("1"), states("1"));
    assert_ne!(states("1"), states("2"));
}

#[test]
fn combinations_that_cannot_work_are_refused() {
    let model = models().join("peterson.lna");
    for (arguments, why, help) in [
        (["--store", "bitstate", "--codec", "compress"], "a lossy store keeps no states", "--store plain"),
        (["--store", "plain", "--order", "file"], "only decision diagrams have an order", "--store ondd"),
        (["--store", "hashcompact", "--insert", "single"], "only decision diagrams", "--store ondd"),
    ] {
        let output = run(&[&["explore", &model.to_string_lossy()], &arguments[..]].concat());
        assert_eq!(output.status, Some(2));
        assert!(output.stderr.contains(why) && output.stderr.contains(help), "{}", output.stderr);
    }
    let both = ["--store", "obdd", "--codec", "collapse", "--order", "file"];
    let output = run(&[&["explore", &model.to_string_lossy()], &both[..]].concat());
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("an order of their own"), "{}", output.stderr);
}

#[test]
fn diagrams_tell_of_their_size() {
    let model = models().join("counters.lna");
    let found = explore(&model, &["--store", "ondd", "--order", "file", "--insert", "single"]);
    let figures = &found["store_figures"];
    // Two counters are one level; in the end every value leads to the same node.
    assert_eq!((&figures["levels"], &figures["nodes_now"]), (&Value::from(2), &Value::from(2)), "{figures}");
    for name in ["largest_number_of_nodes", "memory_at_the_peak", "arcs_for_each_state", "variable_order"] {
        assert!(!figures[name].is_null(), "{name} in {figures}");
    }
}
