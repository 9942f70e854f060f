//! `petite info` from outside: sizes, invariants, bounds, exit statuses.

use crate::common::{Scratch, run};
use serde_json::{Value, json};

/// Processes share a lock; any number of processes and permits.
const MUTEX: &str = "
mutex (N := 3) {
   place idle { dom: epsilon; init: N*epsilon; capacity: 99; }
   place waiting { dom: epsilon; capacity: 99; }
   place cs { dom: epsilon; capacity: 99; }
   place lock { dom: epsilon; init: epsilon; capacity: 99; }
   transition ask { in { idle: epsilon; } out { waiting: epsilon; } }
   transition enter { in { waiting: epsilon; lock: epsilon; } out { cs: epsilon; } }
   transition leave { in { cs: epsilon; } out { idle: epsilon; lock: epsilon; } }
}
";

/// N switches; and a counter that only grows, which is an error of the model in the end.
const SWITCHES: &str = "
switches (N := 4) {
   type index : mod N;
   place off { dom: index; init: for (i in index) <( i )>; }
   place on { dom: index; }
   place flips { dom: epsilon; capacity: 1000; }
   transition turn_on { in { off: <( i )>; } out { on: <( i )>; flips: epsilon; } }
   transition turn_off { in { on: <( i )>; } out { off: <( i )>; } }
}
";

fn info_json(arguments: &[&str]) -> (Option<i32>, Value, String) {
    let run = run(&[&["info", "--json"], arguments].concat());
    let value = serde_json::from_str(&run.stdout);
    (run.status, value.unwrap_or_else(|error| panic!("{error}: {} {}", run.stdout, run.stderr)), run.stderr)
}

/// The invariants of a list as texts with the number of their members.
fn texts(list: &Value) -> Vec<(&str, u64)> {
    let families = list["families"].as_array().unwrap().iter();
    families.map(|family| (family["text"].as_str().unwrap(), family["members"].as_u64().unwrap())).collect()
}

#[test]
fn invariants_are_equations_over_places() {
    let scratch = Scratch::new("info-mutex");
    let model = scratch.file("mutex.lna", MUTEX);
    let (status, value, stderr) = info_json(&[&model, "--param", "N=5"]);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert_eq!((&value["net"], &value["params"]), (&json!("mutex"), &json!({"N": 5})));
    assert_eq!((&value["places"], &value["transitions"], &value["arcs"]), (&json!(4), &json!(3), &json!(8)));
    assert_eq!(texts(&value["place_invariants"]), [("cs + lock = 1", 1), ("idle + waiting + cs = 5", 1)]);
    assert_eq!(value["place_invariants"]["complete"], json!(true));
    assert_eq!(value["colour_invariants"], json!(null));
    assert_eq!(value["place_bounds"], json!({"idle": 5, "waiting": 5, "cs": 1, "lock": 1}));
    assert_eq!((&value["structurally_bounded"], &value["safe"]), (&json!(true), &json!(false)));
    // Five tokens need three bits, one needs one: the capacities would take seven each.
    assert_eq!(value["state_bits"], json!(8));
    let report = run(&["info", &model]);
    assert_eq!((report.status, report.stderr.as_str()), (Some(0), ""));
    assert!(report.stdout.contains("\n  idle + waiting + cs = 3\n"), "{}", report.stdout);
    assert!(report.stdout.contains("\nsafe            no"), "{}", report.stdout);
}

#[test]
fn invariants_of_colours_are_told_once() {
    let scratch = Scratch::new("info-switches");
    let model = scratch.file("switches.lna", SWITCHES);
    let (status, value, _) = info_json(&[&model]);
    assert_eq!(status, Some(0));
    assert_eq!(texts(&value["place_invariants"]), [("off + on = 4", 1)]);
    assert_eq!(texts(&value["colour_invariants"]), [("off(0) + on(0) = 1", 4)]);
    assert_eq!(value["place_bounds"], json!({"off": 4, "on": 4, "flips": 1000}));
    assert_eq!((&value["slots"], &value["instances"]), (&json!(9), &json!(8)));
    assert_eq!((&value["structurally_bounded"], &value["safe"]), (&json!(false), &json!(null)));
    assert_eq!(value["growth"]["places"], json!(["flips"]));
    assert_eq!(value["growth"]["actions"].as_object().unwrap().len(), 2);
    let report = run(&["info", &model]).stdout;
    assert!(report.contains("\n  off(0) + on(0) = 1   (and 3 alike)\n"), "{report}");
    let words = report.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("tokens gather in flips"), "{report}");

    // Without unfolding the places are still known, and nothing is said of what is not.
    let (_, value, _) = info_json(&[&model, "--engine", "binding"]);
    assert_eq!(texts(&value["place_invariants"]), [("off + on = 4", 1)]);
    assert_eq!(value["place_bounds"], json!({"off": 4, "on": 4, "flips": 1000}));
    assert_eq!((&value["slots"], &value["structurally_bounded"]), (&json!(null), &json!(null)));
}

#[test]
fn what_depends_on_the_binding_is_not_counted_on() {
    let scratch = Scratch::new("info-binding");
    let model = scratch.file(
        "pour.lna",
        "pour {
            type number : range 1 .. 3;
            place size { dom: number; init: <( 1 )> + <( 2 )>; }
            place jug { dom: epsilon; init: epsilon; }
            place poured { dom: epsilon; }
            place drops { dom: epsilon; capacity: 50; }
            transition pour { in { size: <( x )>; jug: epsilon; }
                              out { size: <( x )>; poured: epsilon; drops: if (x > 1) epsilon; } }
        }",
    );
    let (status, value, stderr) = info_json(&[&model, "--engine", "binding"]);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert_eq!(texts(&value["place_invariants"]), [("jug + poured = 1", 1), ("size = 2", 1)]);
    assert_eq!(value["place_bounds"], json!({"size": 2, "jug": 1, "poured": 1, "drops": 50}));
    assert_eq!(value["structurally_bounded"], json!(null));
    // Unfolded, the two ways to pour are known, and so is what they give at most.
    let (_, value, _) = info_json(&[&model, "--engine", "unfolded"]);
    assert_eq!(value["place_bounds"], json!({"size": 2, "jug": 1, "poured": 1, "drops": 1}));
    assert_eq!(value["structurally_bounded"], json!(true));
}

#[test]
fn units_and_promises_of_a_model_are_told() {
    let scratch = Scratch::new("info-units");
    let model = scratch.file(
        "units.pnml",
        r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>1</text></initialMarking></place><place id="q"/><place id="r"/>
<transition id="t"/><transition id="u"/>
<arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/><arc id="c" source="t" target="r"/>
<arc id="d" source="q" target="u"/><arc id="e" source="u" target="r"/>
</page><toolspecific tool="nupn" version="1.1"><size places="3" transitions="2" arcs="5"/>
<structure units="1" root="u0" safe="true"><unit id="u0"><places>p q r</places><subunits/></unit></structure>
</toolspecific></net></pnml>"#,
    );
    let (status, value, stderr) = info_json(&[&model]);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert_eq!(value["units"], json!({"count": 1, "safe": true}));
    assert_eq!((&value["safe"], &value["safe_because"]), (&json!(true), &json!("units")));
    assert_eq!(value["place_bounds"], json!({"p": 1, "q": 1, "r": 1}));
    assert_eq!((&value["structurally_bounded"], &value["state_bits"]), (&json!(true), &json!(3)));
    // The promise is broken here: r ends with two tokens. Its field grows, and nothing is lost.
    let explored = run(&["explore", &model, "-q"]);
    assert_eq!((explored.status, explored.stdout.as_str()), (Some(0), "3 2 1\n"));
}

#[test]
fn bounds_are_those_that_exploring_finds() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for name in ["philosophers", "readers_writers", "bank", "river", "alternating_bit"] {
        let model = models.join(format!("{name}.lna")).to_string_lossy().into_owned();
        let (_, facts, _) = info_json(&[&model]);
        let explored = run(&["explore", "--json", "-v", &model]).stdout;
        let explored: Value = serde_json::from_str(&explored).unwrap();
        for (place, most) in explored["place_bounds"].as_object().unwrap() {
            let (bound, most) = (facts["place_bounds"][place].as_u64(), most.as_u64().unwrap());
            assert!(bound.is_none_or(|bound| most <= bound), "{name}: {place} has {most}, bound {bound:?}");
        }
        assert_ne!(facts["structurally_bounded"], json!(false), "{name}");
    }
}

#[test]
fn long_lists_are_cut_unless_all_is_asked_for() {
    let scratch = Scratch::new("info-long");
    let place = |i: usize| format!("place p{i} {{ dom: epsilon; init: epsilon; }}\n");
    let model = scratch.file("long.lna", format!("long {{ {} }}", (0..50).map(place).collect::<String>()));
    let short = run(&["info", &model]).stdout;
    assert!(short.contains("... and 35 more (-v shows all)") && !short.contains("p49"), "{short}");
    let long = run(&["info", &model, "-v"]).stdout;
    assert!(!long.contains("more (-v") && long.contains("\n  p49 = 1\n"), "{long}");
}

#[test]
fn what_is_wrong_is_said_as_by_explore() {
    let scratch = Scratch::new("info-bad");
    let model = scratch.file("bad.lna", "bad { place p { dom: nothing; } }");
    let (status, value, stderr) = info_json(&[&model]);
    assert_eq!(status, Some(2));
    assert!(value["error"]["message"].is_string() && stderr.contains("bad.lna:1"), "{value} {stderr}");
    assert_eq!(run(&["info", &model]).stdout, "");
    assert_eq!(run(&["info", "/nowhere/at/all.lna"]).status, Some(2));
    assert_eq!(run(&["info"]).status, Some(2));
}
