//! `petite graph` and `--search sweep` from outside.

use serde_json::Value;

use crate::common::{Scratch, run};

fn model(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn json(arguments: &[&str]) -> Value {
    let run = run(arguments);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {} {}", run.stdout, run.stderr))
}

/// Builds a graph and gives its path and what was printed.
fn build(scratch: &Scratch, name: &str, arguments: &[&str]) -> (String, Value) {
    let file = scratch.path().join(name).to_string_lossy().into_owned();
    let value = json(&[&["graph", "build", "-o", &file, "--json"], arguments].concat());
    (file, value)
}

#[test]
fn graphs_are_the_same_however_they_are_built() {
    let scratch = Scratch::new("graph-orders");
    for name in [
        "philosophers.lna",
        "commit.lna",
        "databases.pn",
        "token_ring.lna",
        "alternating_bit.lna",
        "torch.lna",
    ] {
        let model = model(name);
        let params: &[&str] = if name == "databases.pn" { &["--param", "N=5"] } else { &["--param"; 0] };
        let counts = json(&[&["explore", &model, "--json"], params].concat());
        let mut answers = Vec::new();
        for (i, way) in [
            &["--search", "bfs"][..],
            &["--search", "bfs", "--no-labels"],
            &["--search", "bfs", "--engine", "binding"],
            &["--search", "dfs"],
            &["--search", "sweep", "--exact-count", "--progress", "PLACE"],
        ]
        .iter()
        .enumerate()
        {
            // Any measure has to do; that of the first place is one.
            let bounds = json(&[&["info", &model, "--json"], params].concat());
            let place = bounds["place_bounds"].as_object().unwrap().keys().next().unwrap().clone();
            let way: Vec<&str> =
                way.iter().map(|&word| if word == "PLACE" { &place } else { word }).collect();
            let (file, built) =
                build(&scratch, &format!("{name}-{i}"), &[&[&model[..]], params, &way].concat());
            assert_eq!(built["nodes"], counts["states"], "{name} {way:?}");
            assert_eq!(built["edges"], counts["edges"], "{name} {way:?}");
            assert_eq!(built["dead_nodes"], counts["dead_states"], "{name} {way:?}");
            assert_eq!(json(&["graph", "info", &file, "--json"])["nodes"], built["nodes"]);
            let ask =
                |question: &str| json(&["graph", "query", &file, question, "--json", "--limit", "1000"]);
            answers.push([ask("components"), ask("live"), ask("bounds")]);
            assert_eq!(answers[0], answers[i], "{name} {way:?}");
        }
    }
}

#[test]
fn the_tables_of_paper_3_hold() {
    let sweep = |arguments: &[&str]| {
        let value = json(&[&["explore", "--json", "--search", "sweep"], arguments].concat());
        [&value["states"], &value["peak_states"]].map(|number| number.as_u64().unwrap())
    };
    for (sites, states, swept, peak) in [(4, 110, 219, 14), (5, 407, 813, 33), (6, 1460, 2919, 88)] {
        let waiting: Vec<String> = (0..sites).map(|s| format!("{}*waiting({s})", s + 1)).collect();
        let others: Vec<String> =
            (0..sites).map(|s| format!("received(_, {s}) + 2*answered(_, {s})")).collect();
        let progress = format!("-1*asleep, {}, {}", waiting.join(" + "), others.join(", "));
        let (model, param) = (model("replication.lna"), format!("N={sites}"));
        let arguments = [&model[..], "--param", &param, "--progress", &progress];
        assert_eq!(sweep(&arguments), [swept, peak]);
        assert_eq!(sweep(&[&arguments[..], &["--exact-count"]].concat()), [states, peak]);
    }
    for (packets, states) in [(20, 5284), (40, 10_704)] {
        let (model, param) = (model("stop_and_wait.lna"), format!("P={packets}"));
        assert_eq!(sweep(&[&model, "--param", &param, "--progress", "expected.1"]), [states, 287]);
        // The property file states the same measure.
        assert_eq!(sweep(&[&model, "--param", &param]), [states, 287]);
    }
}

#[test]
fn counts_that_may_be_too_high_say_so() {
    let model = model("philosophers.lna");
    let swept = json(&["explore", &model, "--json", "--search", "sweep", "--progress", "eating"]);
    assert_eq!(swept["exact"], false);
    assert!(swept["states"].as_u64().unwrap() > 82);
    let most = swept["states_counted_again_at_most"].as_u64().unwrap();
    assert!(swept["states"].as_u64().unwrap() - most <= 82);
    let exact =
        json(&["explore", &model, "--json", "--search", "sweep", "--progress", "eating", "--exact-count"]);
    assert_eq!((&exact["states"], &exact["exact"]), (&Value::from(82), &Value::from(true)));
}

#[test]
fn questions_are_answered() {
    let scratch = Scratch::new("graph-questions");
    let (file, _) = build(&scratch, "g", &[&model("philosophers.lna")]);
    let ask = |words: &[&str]| json(&[&["graph", "query", &file, "--json"], words].concat());
    let dead = ask(&["dead"]);
    assert_eq!(dead["dead_nodes"], 1);
    let node = dead["nodes"][0].to_string();
    let path = ask(&["path", "0", &node]);
    assert_eq!(path["steps"], 5);
    assert_eq!(path["path"][4]["to"].to_string(), node);
    let marking = ask(&["marking", &node]);
    assert_eq!(marking["marking"].as_array().unwrap().len(), 1, "{marking}");
    assert_eq!(marking["marking"][0][0], "holding");
    assert_eq!(ask(&["predecessors", &node])["edges"], 5);
    assert_eq!(ask(&["successors", &node])["edges"], 0);
    assert_eq!(ask(&["components"])["home_states"], 1);
    assert_eq!(ask(&["home"])["nodes"][0].to_string(), node);
    assert_eq!(ask(&["path", &node, "0"])["path"], Value::Null);
    let beyond = run(&["graph", "query", &file, "marking", "82"]);
    assert_eq!(beyond.status, Some(2));
    assert!(beyond.stderr.contains("0 to 81"), "{}", beyond.stderr);
}

#[test]
fn files_that_are_no_whole_graph_of_the_model_are_refused() {
    let scratch = Scratch::new("graph-damaged");
    let text = std::fs::read_to_string(model("philosophers.lna")).unwrap();
    let net = scratch.file("net.lna", &text);
    let (file, _) = build(&scratch, "g", &[&net]);
    let bytes = std::fs::read(&file).unwrap();
    let refused = |name: &str, bytes: &[u8], expected: &str| {
        let file = scratch.file(name, bytes);
        let run = run(&["graph", "info", &file]);
        assert_eq!(run.status, Some(2), "{name}");
        assert!(run.stderr.contains(expected) && run.stderr.contains(name), "{}", run.stderr);
    };
    refused("short", &bytes[..bytes.len() - 3], "truncated");
    refused("strange", text.as_bytes(), "not a graph");
    let mut changed = bytes.clone();
    changed[200] ^= 4;
    refused("changed", &changed, "corrupted");
    let mut newer = bytes.clone();
    newer[8] = 77;
    refused("newer", &newer, "version 77");
    // The model is another one now; what needs no marking still works.
    scratch.file("net.lna", text.replace("N := 5", "N := 6"));
    let marking = run(&["graph", "query", &file, "marking", "3"]);
    assert_eq!(marking.status, Some(2));
    assert!(marking.stderr.contains("another model"), "{}", marking.stderr);
    assert_eq!(run(&["graph", "query", &file, "dead"]).status, Some(0));
    let other = run(&["graph", "query", &file, "marking", "3", "--model", &model("mutex.lna")]);
    assert!(other.stderr.contains("of philosophers, and this is mutex"), "{}", other.stderr);
}

#[test]
fn nothing_that_looks_whole_is_left_where_writing_fails() {
    let scratch = Scratch::new("graph-unwritten");
    let model = model("philosophers.lna");
    let limited = scratch.path().join("limited").to_string_lossy().into_owned();
    let stopped = run(&["graph", "build", &model, "-o", &limited, "--max-states", "10"]);
    assert_eq!(stopped.status, Some(3));
    assert!(stopped.stderr.contains("no graph was written"), "{}", stopped.stderr);
    assert!(!std::path::Path::new(&limited).exists());
    if std::path::Path::new("/dev/full").exists() {
        let full = run(&["graph", "build", &model, "-o", "/dev/full"]);
        assert_eq!(full.status, Some(2));
        assert!(full.stderr.contains("no space left"), "{}", full.stderr);
    }
    let nowhere = scratch.path().join("no/such/folder").to_string_lossy().into_owned();
    assert_eq!(run(&["graph", "build", &model, "-o", &nowhere]).status, Some(2));
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

/// A graph that somebody is about to write is not read, and one in a pipe cannot be mapped but is read.
#[test]
fn graphs_are_mapped_under_a_lock() {
    let scratch = Scratch::new("graph-lock");
    let (file, built) = build(&scratch, "g", &[&model("philosophers.lna")]);
    let writer = std::fs::OpenOptions::new().write(true).open(&file).unwrap();
    writer.lock().unwrap();
    let refused = run(&["graph", "info", &file]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("another program has locked it"), "{}", refused.stderr);
    drop(writer);
    assert_eq!(json(&["graph", "info", &file, "--json"])["nodes"], built["nodes"]);
    if cfg!(target_os = "linux") {
        use std::io::Write;
        let mut piped = crate::common::petite();
        piped.args(["graph", "info", "/dev/stdin", "--json"]);
        piped.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut piped = piped.spawn().unwrap();
        piped.stdin.take().unwrap().write_all(&std::fs::read(&file).unwrap()).unwrap();
        let output = piped.wait_with_output().unwrap();
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(printed["nodes"], built["nodes"]);
    }
}

#[test]
fn graphs_are_exported() {
    let scratch = Scratch::new("graph-exports");
    let (file, built) = build(&scratch, "g", &[&model("philosophers.lna")]);
    let export = |words: &[&str]| run(&[&["graph", "export", &file], words].concat()).stdout;
    let [nodes, edges] = [&built["nodes"], &built["edges"]].map(|number| number.as_u64().unwrap() as usize);
    let aut = export(&["--to", "aut"]);
    assert_eq!(aut.lines().next(), Some("des (0, 265, 82)"));
    assert_eq!(aut.lines().count(), 1 + edges);
    assert_eq!(export(&["--to", "csv"]).lines().count(), 1 + edges);
    let dot = export(&["--to", "dot"]);
    assert_eq!(dot.matches(" -> ").count(), edges);
    let lines = export(&["--to", "jsonl", "--markings"]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), nodes);
    let first = lines.iter().find(|line| line["node"] == 0).unwrap();
    assert!(first["marking"]["thinking"].is_string(), "{first}");
    let unlabelled = build(&scratch, "u", &[&model("philosophers.lna"), "--no-labels"]).0;
    let mut walked: Vec<String> =
        run(&["graph", "export", &unlabelled, "--to", "csv"]).stdout.lines().map(str::to_owned).collect();
    walked.sort();
    let mut straight: Vec<String> = export(&["--to", "csv"]).lines().map(str::to_owned).collect();
    straight.sort();
    assert_eq!(walked, straight);
    let large = run(&["graph", "export", &file, "--to", "dot", "--limit", "81"]);
    assert_eq!(large.status, Some(2));
    assert!(large.stderr.contains("82 nodes") && large.stderr.contains("--limit"), "{}", large.stderr);
}

#[test]
fn languages_are_compared() {
    let scratch = Scratch::new("graph-languages");
    let (first, _) = build(&scratch, "a", &[&model("philosophers.lna")]);
    let (second, _) = build(&scratch, "b", &[&model("philosophers.lna"), "--search", "dfs"]);
    let (other, _) = build(&scratch, "c", &[&model("philosophers.lna"), "--define", "ASYMMETRIC"]);
    assert_eq!(run(&["graph", "compare", &first, &second]).status, Some(0));
    let different = run(&["graph", "compare", &first, &other, "--json"]);
    assert_eq!(different.status, Some(1));
    let value: Value = serde_json::from_str(&different.stdout).unwrap();
    assert_eq!(value["equal"], false);
    assert_eq!(value["word"].as_array().unwrap().len() as u64, value["length"].as_u64().unwrap());
    // Who takes a second fork is then all that is seen, and both can halt after nothing more.
    let hidden = run(&["graph", "compare", &first, &second, "--hide", "take_first", "--halting"]);
    assert_eq!(hidden.status, Some(0), "{}", hidden.stderr);
    assert_eq!(run(&["graph", "compare", &first, &second, "--hide", "nobody"]).status, Some(2));
}

#[test]
fn measures_are_explained_and_refused() {
    let model = model("philosophers.lna");
    let refused = |progress: &str, expected: &str| {
        let run = run(&["explore", &model, "--search", "sweep", "--progress", progress]);
        assert_eq!(run.status, Some(2), "{progress}");
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    };
    refused("", "expected the name of a place");
    refused("eating +", "expected the name of a place");
    refused("sleeping", "no place sleeping");
    refused("eating(9)", "never holds");
    refused("eating.2", "no such component");
    refused("2 eating", "expected *");
    refused("eating)", "expected + or -");
    refused("eating(1", "closing parenthesis");
    refused("\"eating", "closing quote");
    let contradictory = run(&["explore", &model, "--progress", "eating"]);
    assert!(contradictory.stderr.contains("--search sweep"), "{}", contradictory.stderr);
    let stored = run(&["explore", &model, "--search", "sweep", "--store", "tree"]);
    assert!(stored.stderr.contains("--store"), "{}", stored.stderr);
    // What info shows can be given back.
    let shown = json(&["info", &model, "--json"])["progress"]["measure"].as_str().unwrap().to_owned();
    let derived = json(&["explore", &model, "--json", "--search", "sweep"]);
    let given = json(&["explore", &model, "--json", "--search", "sweep", "--progress", &shown]);
    assert_eq!(derived["peak_states"], given["peak_states"], "{shown}");
    assert_eq!(derived["states"], given["states"], "{shown}");
}

/// A measure of the property file is used unless another one is given, and what is wrong with it is shown there.
#[test]
fn measures_are_stated_in_property_files() {
    let stated = json(&["info", &model("stop_and_wait.lna"), "--json"]);
    let progress = &stated["progress"];
    assert_eq!((&progress["measure"], &progress["origin"]), (&"expected.1".into(), &"stated".into()));
    assert_eq!((&progress["monotone"], &progress["progressing"]), (&true.into(), &20.into()));
    let shown = run(&["info", &model("stop_and_wait.lna")]).stdout;
    assert!(shown.contains("stated as       delivered, in the property file"), "{shown}");
    // Its properties are still all there is to check.
    let checked = json(&["check", &model("stop_and_wait.lna"), "--json", "--search", "sweep"]);
    assert_eq!(checked["properties"].as_array().unwrap().len(), 2, "{checked}");

    let scratch = Scratch::new("graph-stated");
    let net = "net (N := 3) { type t : range 1 .. N; place p { dom: t; init: <( 1 )>; } place q { dom: t; }
        transition x { in { p: <( i )>; } out { q: <( i )>; } } transition y { in { q: <( i )>; } out { p: <( i )>; } } }";
    let net = scratch.file("net.lna", net);
    let tendency = |progress: &Value| {
        ["progressing", "keeping", "regressing"].map(|name| progress[name].as_u64().unwrap())
    };
    let info =
        |arguments: &[&str]| json(&[&["info", &net, "--json"], arguments].concat())["progress"].clone();
    // One transition takes back what the other one does: nothing is won by any measure.
    assert_eq!(info(&[]), Value::Null);
    for (text, expected) in
        [("q", [1, 0, 1]), ("p + q", [0, 2, 0]), ("p + q, p(1)", [1, 0, 1]), ("q, q, -q", [1, 0, 1])]
    {
        let given = info(&["--progress", text]);
        assert_eq!((&given["origin"], &given["measure"]), (&"given".into(), &text.into()));
        assert_eq!(tendency(&given), expected, "{text}");
        assert_eq!(given["monotone"], Value::from(expected[2] == 0), "{text}");
        // Without a list of instances, transitions are counted, as far as that can be said.
        let counted = info(&["--progress", text, "--engine", "binding"]);
        match text.contains('(') {
            true => assert_eq!(counted["monotone"], Value::Null),
            false => assert_eq!(tendency(&counted), expected, "{text}"),
        }
    }
    let refused = run(&["info", &net, "--progress", "nowhere"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("--progress: there is no place nowhere"), "{}", refused.stderr);

    scratch.file("net.prop.lna", "progress property up: q(N);\n");
    let refused = run(&["explore", &net, "--search", "sweep"]);
    assert_eq!(refused.status, Some(2), "{}", refused.stdout);
    assert!(refused.stderr.contains("the progress measure up cannot be used"), "{}", refused.stderr);
    assert!(refused.stderr.contains("net.prop.lna:1:"), "{}", refused.stderr);
    assert_eq!(run(&["explore", &net]).status, Some(0));
    scratch.file("net.prop.lna", "progress property up:\n   Q;\n");
    let refused = run(&["explore", &net]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("net.prop.lna:2:4"), "{}", refused.stderr);
    scratch.file("net.prop.lna", "progress property up: q;\n");
    let built = build(&scratch, "up", &[&net, "--search", "sweep", "--exact-count"]).1;
    assert_eq!(built["nodes"], 2);
}

/// A graph gives the answers that a check of the model gives, whatever it was built by.
#[test]
fn formulas_are_checked_on_graphs() {
    let scratch = Scratch::new("graph-formulas");
    for (name, formulas) in [
        (
            "philosophers.lna",
            &["AG EF eating = 0", "EF deadlock", "AG (deadlock or EX true)", "A [eating = 0 U eating = 1]"][..],
        ),
        ("either_fork.lna", &["AG EF thinking = 5", "EG eating = 0", "AF eating > 0", "EX AX has_left = 2"]),
        ("token_ring.lna", &["AG EF deadlock", "AG not deadlock"]),
    ] {
        let model = model(name);
        for (i, way) in [
            &["--search", "bfs"][..],
            &["--search", "dfs", "--no-labels"],
            &["--search", "sweep", "--exact-count"],
        ]
        .iter()
        .enumerate()
        {
            let file = scratch.path().join(format!("{name}-{i}")).to_string_lossy().into_owned();
            let built = run(&[&["graph", "build", &model, "-o", &file][..], way].concat());
            if built.status == Some(2) && way.contains(&"sweep") {
                // No measure can be derived.
                continue;
            }
            for formula in formulas {
                let checked = run(&["check", &model, "-f", formula, "--json"]);
                assert!(
                    checked.status.is_some_and(|status| status < 2),
                    "{name} {formula}: {}",
                    checked.stderr
                );
                let asked = run(&["graph", "query", &file, "check", formula, "--json"]);
                assert_eq!(asked.status, checked.status, "{name} {way:?} {formula}: {}", asked.stderr);
                let nodes =
                    serde_json::from_str::<Value>(&asked.stdout).unwrap()["n_nodes"].as_u64().unwrap();
                assert_eq!(
                    nodes > 0,
                    run(&["graph", "query", &file, "path-to", "0", formula]).stdout.contains("steps")
                );
            }
        }
    }
    let (file, _) = build(&scratch, "bad", &[&model("either_fork.lna")]);
    for (formula, expected) in
        [("G F deadlock", "branching time"), ("EF nowhere = 1", "nowhere"), ("EF (", "expected")]
    {
        let refused = run(&["graph", "query", &file, "check", formula]);
        assert_eq!(refused.status, Some(2), "{formula}");
        assert!(refused.stderr.contains(expected), "{formula}: {}", refused.stderr);
    }
}

#[test]
fn questions_are_answered_along_a_sweep() {
    for (name, formulas) in [
        ("stop_and_wait.lna", &["EF deadlock", "AG not deadlock"][..]),
        ("replication.lna", &["EF deadlock", "AG not deadlock"]),
        ("commit.lna", &["EF deadlock"]),
    ] {
        for formula in formulas {
            let check = |order: &str| run(&["check", &model(name), "-f", formula, "--search", order, "-q"]);
            let (expected, found) = (check("bfs"), check("sweep"));
            assert!(matches!(found.status, Some(0 | 1)), "{name} {formula}: {}", found.stderr);
            assert_eq!((found.status, found.stdout), (expected.status, expected.stdout), "{name} {formula}");
        }
    }
    let refused = run(&["check", &model("commit.lna"), "-f", "EF deadlock", "--progress", "1"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("--search sweep"), "{}", refused.stderr);
}
