//! Nets that grow without end, from outside.

use crate::common::{Scratch, pnml, run};
use serde_json::{Value, json};

/// Starts once, then produces in two steps, and consumes half of it.
fn producer() -> String {
    pnml(
        &[("off", 1), ("idle", 0), ("busy", 0), ("buffer", 0)],
        &["start", "work", "put", "get"],
        &[
            ("off", "start", 1),
            ("start", "idle", 1),
            ("idle", "work", 1),
            ("work", "busy", 1),
            ("busy", "put", 1),
            ("put", "idle", 1),
            ("put", "buffer", 2),
            ("buffer", "get", 1),
        ],
    )
}

fn explore_json(arguments: &[&str]) -> (Option<i32>, Value) {
    let run = run(&[&["explore", "--json"], arguments].concat());
    let value = serde_json::from_str(&run.stdout);
    (run.status, value.unwrap_or_else(|error| panic!("{error}: {} {}", run.stdout, run.stderr)))
}

#[test]
fn an_unbounded_net_is_reported_with_a_run() {
    let scratch = Scratch::new("unbounded");
    let model = scratch.file("producer.pnml", producer());
    for search in ["bfs", "dfs"] {
        for engine in ["unfolded", "binding"] {
            let (status, value) = explore_json(&[&model, "--search", search, "--engine", engine]);
            assert_eq!(status, Some(3));
            assert_eq!((&value["complete"], &value["stopped"]), (&json!(false), &json!("unbounded")));
            let expected = json!({"places": ["buffer"], "prefix": ["start"], "pump": ["work", "put"]});
            assert_eq!(value["unbounded"], expected, "{search} {engine}");
            assert!(value["states"].as_u64().is_some_and(|states| states < 100), "{value}");
        }
    }
    let report = run(&["explore", &model]);
    let shown = "\
result          (partial: unbounded)

these places grow without end:
  buffer
after this run from the initial state:
  start
when this is repeated:
  work
  put

states ";
    assert!(report.status == Some(3) && report.stdout.contains(shown), "{}", report.stdout);
    let contest = run(&["explore", "--format", "mcc", &model]);
    assert!(contest.stdout.starts_with("STATE_SPACE STATES +inf TECHNIQUES"), "{}", contest.stdout);
}

#[test]
fn the_test_can_be_left_out() {
    let scratch = Scratch::new("assume_bounded");
    let model = scratch.file("producer.pnml", producer());
    let (status, value) = explore_json(&[&model, "--assume-bounded", "--max-states", "1000"]);
    assert_eq!((status, &value["stopped"]), (Some(3), &json!("max-states")));
    assert_eq!((&value["states"], value.get("unbounded")), (&json!(1000), None));
}

#[test]
fn an_inhibitor_arc_bounds_only_what_it_hinders() {
    let scratch = Scratch::new("inhibited");
    let arcs = [("make", "stock", 1), ("stock", "make", -5)];
    // As soon as there are five, no more is made.
    let model = scratch.file("bounded.pnml", pnml(&[("stock", 0)], &["make"], &arcs));
    let (status, value) = explore_json(&[&model]);
    assert_eq!((status, &value["states"]), (Some(0), &json!(6)));
    // Another one makes it all the same.
    let arcs = [arcs.as_slice(), &[("more", "stock", 1)]].concat();
    let model = scratch.file("unbounded.pnml", pnml(&[("stock", 0)], &["make", "more"], &arcs));
    let (status, value) = explore_json(&[&model]);
    assert_eq!((status, &value["unbounded"]["pump"]), (Some(3), &json!(["more"])));
}
