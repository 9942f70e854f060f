//! `--store auto`, the default: the table where it fits, and another store where it does not.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::run;

fn model(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    path.to_string_lossy().into_owned()
}

fn explore(arguments: &[&str]) -> (Option<i32>, Value) {
    let run = run(&[&["explore", "--json", "-v"], arguments].concat());
    assert_eq!(run.stderr, "", "{arguments:?}");
    (run.status, serde_json::from_str(&run.stdout).expect("one object"))
}

#[test]
fn the_table_is_used_where_it_fits() {
    let peterson = model("peterson.lna");
    let arguments = [peterson.as_str(), "--param", "N=3"];
    let (status, found) = explore(&arguments);
    assert_eq!((status, &found["store"]), (Some(0), &json!("plain")));
    assert!(found["store_choice"].as_str().unwrap().starts_with("the plain table is fastest"), "{found}");
    // The same in every figure that does not depend on the machine.
    let (_, plain) = explore(&[&arguments[..], &["--store", "plain"]].concat());
    for field in ["states", "edges", "dead_states", "store_bytes", "vector_bytes"] {
        assert_eq!(found[field], plain[field], "{field}");
    }
    assert_eq!(plain.get("store_choice"), None);
    // Whoever chooses a codec has chosen the table.
    let (_, coded) = explore(&[&arguments[..], &["--codec", "multiset"]].concat());
    assert_eq!((&coded["store"], &coded["store_figures"]["codec"]), (&json!("plain"), &json!("multiset")));
    assert_eq!(coded.get("store_choice"), None);
}

#[test]
fn a_smaller_store_finishes_what_the_table_cannot() {
    let peterson = model("peterson.lna");
    for search in ["bfs", "dfs"] {
        let arguments = [peterson.as_str(), "--param", "N=3", "--search", search, "--max-memory", "420k"];
        let (status, plain) = explore(&[&arguments[..], &["--store", "plain"]].concat());
        assert_eq!((status, &plain["stopped"]), (Some(3), &json!("max-memory")), "{plain}");
        let (status, found) = explore(&arguments);
        assert_eq!(status, Some(0), "{found}");
        assert_eq!((&found["states"], &found["edges"]), (&json!(20_754), &json!(62_262)), "{found}");
        assert_ne!(found["store"], json!("plain"));
        let why = found["store_choice"].as_str().expect("a reason");
        assert!(why.contains("plain reached the memory limit at ") && why.contains("tree "), "{why}");
    }
}

#[test]
fn properties_are_answered_where_the_table_does_not_fit() {
    let peterson = model("peterson.lna");
    let check = |more: &[&str]| {
        let arguments =
            ["check", &peterson, "--param", "N=3", "--only", "mutual_exclusion", "--no-reduction"];
        run(&[&arguments[..], more].concat())
    };
    // The table with the ways to states takes more than this.
    let limit = ["--max-memory", "700k"];
    let plain = check(&[&limit[..], &["--store", "plain"]].concat());
    assert_eq!(plain.status, Some(3), "{}", plain.stdout);
    let auto = check(&[&limit[..], &["-v"]].concat());
    assert_eq!(auto.status, Some(0), "{}{}", auto.stdout, auto.stderr);
    assert!(auto.stdout.contains("mutual_exclusion: holds"), "{}", auto.stdout);
    assert!(auto.stdout.contains("plain reached the memory limit"), "{}", auto.stdout);
}
