//! `petite check` and `petite simulate`: verdicts, statuses, traces that replay, formulas that are refused.

use crate::common::{Run, Scratch, pnml, run};
use serde_json::Value;

fn model(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn check(arguments: &[&str]) -> Run {
    run(&[&["check"], arguments].concat())
}

/// Two processes and one lock; `broken` lets a process enter without it.
fn two_processes(broken: bool) -> String {
    let mut arcs = vec![
        ("idle1", "enter1", 1),
        ("enter1", "busy1", 1),
        ("busy1", "leave1", 1),
        ("leave1", "idle1", 1),
        ("leave1", "lock", 1),
        ("idle2", "enter2", 1),
        ("lock", "enter2", 1),
        ("enter2", "busy2", 1),
        ("busy2", "leave2", 1),
        ("leave2", "idle2", 1),
        ("leave2", "lock", 1),
    ];
    if !broken {
        arcs.push(("lock", "enter1", 1));
    }
    pnml(
        &[("idle1", 1), ("idle2", 1), ("busy1", 0), ("busy2", 0), ("lock", 1)],
        &["enter1", "enter2", "leave1", "leave2"],
        &arcs,
    )
}

#[test]
fn an_invariant_holds_and_its_broken_variant_fails_with_a_trace_that_replays() {
    let scratch = Scratch::new("check-lock");
    let good = scratch.file("good.pnml", two_processes(false));
    let holds = check(&[&good, "-f", "AG busy1 + busy2 <= 1"]);
    assert_eq!(holds.status, Some(0), "{}{}", holds.stdout, holds.stderr);
    assert!(holds.stdout.starts_with("formula: holds"), "{}", holds.stdout);

    let bad = scratch.file("bad.pnml", two_processes(true));
    let file = scratch.path().join("trace.json").to_string_lossy().into_owned();
    let fails = check(&[&bad, "-f", "AG busy1 + busy2 <= 1", "--trace", &file]);
    assert_eq!(fails.status, Some(1), "{}{}", fails.stdout, fails.stderr);
    assert!(fails.stdout.contains("formula fails: 2 steps show it"), "{}", fails.stdout);
    assert!(fails.stdout.contains("busy1: nothing -> 1"), "only what changed is shown: {}", fails.stdout);
    let replayed = run(&["simulate", &bad, "--trace", &file]);
    assert_eq!(replayed.status, Some(0), "{}", replayed.stderr);
    assert!(replayed.stdout.ends_with("the trace fits: 2 steps: formula fails\n"), "{}", replayed.stdout);

    let foreign = run(&["simulate", &good, "--trace", &file]);
    assert_eq!(foreign.status, Some(2), "{}", foreign.stdout);
    assert!(foreign.stderr.contains("does not fit the model"), "{}", foreign.stderr);
    let text = std::fs::read_to_string(&file).unwrap();
    for (from, to, expected) in [
        ("\"after\": \"1\"", "\"after\": \"2\"", "and the trace says 2"),
        ("\"kind\": \"petite trace\"", "\"kind\": \"other\"", "no trace of petite"),
        ("\"net\": \"n\"", "\"net\": \"m\"", "of the net m"),
        ("\"transition\": \"enter", "\"transition\": \"leave", "is not enabled there"),
    ] {
        assert!(text.contains(from), "{text}");
        let changed = scratch.file("changed.json", text.replacen(from, to, 1));
        let refused = run(&["simulate", &bad, "--trace", &changed]);
        assert_eq!(refused.status, Some(2), "{from}");
        assert!(refused.stderr.contains(expected), "{from}: {}", refused.stderr);
    }
}

#[test]
fn helena_s_properties_are_checked_and_broken_guards_are_found() {
    let holds = check(&[
        &model("peterson.lna"),
        "--param",
        "N=3",
        "--only",
        "mutual_exclusion",
        "--only",
        "no_deadlock",
    ]);
    assert_eq!(holds.status, Some(0), "{}", holds.stdout);
    let text = std::fs::read_to_string(model("peterson.lna")).unwrap();
    // Nobody looks whether a rival wants the section.
    let guard = "in  { looking: <( p, l, q )>; wants: <( q, false )>; }\n      out { looked : <( p, l, q )>; wants: <( q, false )>; }";
    assert!(text.contains(guard));
    let without =
        text.replacen(guard, "in  { looking: <( p, l, q )>; }\n      out { looked : <( p, l, q )>; }", 1);
    let scratch = Scratch::new("check-peterson");
    let broken = scratch.file("peterson.lna", without);
    scratch.file("peterson.prop.lna", std::fs::read_to_string(model("peterson.prop.lna")).unwrap());
    let file = scratch.path().join("trace.json").to_string_lossy().into_owned();
    let arguments = [broken.as_str(), "--param", "N=3", "--only", "mutual_exclusion", "--trace", &file];
    let fails = check(&arguments);
    assert_eq!(fails.status, Some(1), "{}", fails.stdout);
    assert!(fails.stdout.contains("mutual_exclusion fails: "), "{}", fails.stdout);
    let replayed = run(&["simulate", &broken, "--param", "N=3", "--trace", &file]);
    assert_eq!(replayed.status, Some(0), "{}", replayed.stderr);
    let other = run(&["simulate", &broken, "--param", "N=4", "--trace", &file]);
    assert!(other.stderr.contains("--param N=3"), "{}", other.stderr);
}

#[test]
fn maria_s_properties_are_checked() {
    for net in ["databases.pn", "hats.pn", "shunting.pn"] {
        let holds = check(&[&model(net), "-q"]);
        assert_eq!(holds.status, Some(0), "{net}: {}{}", holds.stdout, holds.stderr);
        assert!(holds.stdout.contains("reject1: holds"), "{net}: {}", holds.stdout);
    }
}

#[test]
fn questions_about_runs_can_be_kept_in_a_tree() {
    // There are more states than a first look takes, which is always at a table.
    let peterson = model("peterson.lna");
    for (store, kept) in [("plain", "plain"), ("tree", "tree-ids"), ("tree-ids", "tree-ids")] {
        for (formula, status) in [("G F not deadlock", 0), ("A G E F deadlock", 1)] {
            let arguments = [&peterson, "--param", "N=3", "-f", formula, "--store", store, "--no-reduction"];
            let found = check(&arguments);
            assert_eq!(found.status, Some(status), "{store}, {formula}: {}{}", found.stdout, found.stderr);
            assert!(found.stdout.contains(&format!("of its own, store {kept}\n")), "{}", found.stdout);
        }
    }
}

#[test]
fn all_orders_and_stores_give_the_same_answers() {
    let net = model("philosophers.lna");
    let properties =
        ["--only", "no_deadlock", "--only", "known_deadlocks", "--only", "neighbours_exclude_each_other"];
    for choice in [
        &[][..],
        &["--search", "dfs"],
        &["--store", "tree"],
        &["--store", "tree-ids"],
        &["--store", "delta"],
        &["--store", "ondd"],
        &["--engine", "binding"],
        &["--no-trace"],
    ] {
        let found = check(&[&[net.as_str(), "-q"], &properties[..], choice].concat());
        assert_eq!(found.status, Some(1), "{choice:?}: {}", found.stderr);
        let mut lines: Vec<&str> = found.stdout.lines().collect();
        lines.sort_unstable();
        assert_eq!(
            lines,
            ["known_deadlocks: holds", "neighbours_exclude_each_other: holds", "no_deadlock: fails"],
            "{choice:?}"
        );
    }
}

#[test]
fn nothing_holds_by_an_incomplete_or_lossy_search() {
    let net = model("philosophers.lna");
    let partial = check(&[&net, "--only", "known_deadlocks", "--max-states", "20"]);
    assert_eq!(partial.status, Some(3), "{}", partial.stdout);
    assert!(
        partial.stdout.contains("known_deadlocks: unknown (not all states were seen"),
        "{}",
        partial.stdout
    );
    let lossy = check(&[&net, "--only", "known_deadlocks", "--store", "hashcompact"]);
    assert_eq!(lossy.status, Some(3), "{}", lossy.stdout);
    assert!(lossy.stdout.contains("may have missed states"), "{}", lossy.stdout);
    // What was found is found.
    let found = check(&[&net, "--only", "no_deadlock", "--store", "hashcompact"]);
    assert_eq!(found.status, Some(1), "{}", found.stdout);
}

#[test]
fn bounds_are_numbers_and_growth_has_none() {
    let scratch = Scratch::new("check-bounds");
    let net = scratch.file("n.pnml", two_processes(false));
    let found = check(&[&net, "-f", "bound(busy1 + 2 * busy2 - 1)", "--json"]);
    let document: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(document["properties"][0]["answer"], "bound");
    assert_eq!(document["properties"][0]["value"], 1);
    assert_eq!(found.status, Some(0));
    let growing =
        pnml(&[("p", 1), ("q", 0), ("r", 0)], &["t"], &[("p", "t", 1), ("t", "p", 1), ("t", "q", 1)]);
    let net = scratch.file("g.pnml", growing);
    let found = check(&[&net, "-f", "bound(q)", "-f", "bound(p)", "-f", "EF q >= 3", "-f", "EF r >= 1"]);
    assert!(found.stdout.contains("formula1: unbounded"), "{}", found.stdout);
    assert!(found.stdout.contains("formula2: at most 1"), "{}", found.stdout);
    assert!(found.stdout.contains("formula3: holds"), "{}", found.stdout);
    assert!(found.stdout.contains("formula4: fails (by the structure"), "{}", found.stdout);
}

#[test]
fn answers_in_the_contest_s_form() {
    let scratch = Scratch::new("check-mcc");
    let net = scratch.file("n.pnml", two_processes(false));
    let found = check(&[
        &net,
        "--format",
        "mcc",
        "--examination",
        "OneSafe",
        "--examination",
        "StableMarking",
        "--examination",
        "QuasiLiveness",
        "--examination",
        "Liveness",
        "--examination",
        "ReachabilityDeadlock",
    ]);
    let mut lines: Vec<String> =
        found.stdout.lines().map(|line| line.split(" TECHNIQUES").next().unwrap_or("").to_owned()).collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "FORMULA Liveness TRUE",
            "FORMULA OneSafe TRUE",
            "FORMULA QuasiLiveness TRUE",
            "FORMULA ReachabilityDeadlock FALSE",
            "FORMULA StableMarking FALSE"
        ],
        "{}",
        found.stderr
    );
    assert_eq!(found.status, Some(1));
}

#[test]
fn bad_formulas_are_refused_with_their_place() {
    let scratch = Scratch::new("check-bad");
    let net = scratch.file("n.pnml", two_processes(false));
    let foreign = scratch.file(
        "foreign.xml",
        "<property-set xmlns='http://mcc.lip6.fr/'>\n<property><id>f</id><formula>\n<place-bound>\n\
         <place>elsewhere</place></place-bound></formula></property></property-set>",
    );
    let own = scratch.file("own.prop", "good: AG busy1 <= 1;\nbad: AG nowhere <= 1;\n");
    for (arguments, place, message) in [
        (vec!["-f", "AG busy3 <= 1"], "--formula:1:4", "has no place `busy3`"),
        (vec!["-f", "AG (busy1 > 0) > 1"], "--formula:1:4", "a condition where a number"),
        (vec!["-f", "AG (busy1 <= 1"], "--formula:1:4", "not closed"),
        (vec!["-f", "AG busy1 <= 1)"], "--formula:1:14", "nothing was opened"),
        (vec!["-f", "EF busy1[1] > 0"], "--formula:1:4", "have no colour"),
        (vec!["--properties", &foreign], "foreign.xml:4:8", "has no place `elsewhere`"),
        (vec!["--properties", &own], "own.prop:2:9", "has no place `nowhere`"),
        (vec!["--properties", "missing.xml"], "missing.xml", "no such file"),
        (vec!["-f", "EF deadlock", "--only", "x"], "", "no property `x`"),
        (vec![], "n.pnml", "states no property"),
    ] {
        let refused = check(&[&[net.as_str()], &arguments[..]].concat());
        assert_eq!(refused.status, Some(2), "{arguments:?}: {}", refused.stdout);
        assert!(refused.stderr.starts_with("error: "), "{arguments:?}: {}", refused.stderr);
        assert!(
            refused.stderr.contains(place) && refused.stderr.contains(message),
            "{arguments:?}: {}",
            refused.stderr
        );
    }
    let refused = check(&[&net, "-f", "AG busy3 <= 1", "--json"]);
    let document: Value = serde_json::from_str(&refused.stdout).unwrap();
    assert_eq!(
        (&document["error"]["line"], &document["error"]["column"]),
        (&Value::from(1), &Value::from(4))
    );
}

#[test]
fn walks_at_random_are_the_same_for_a_seed_and_replay() {
    let scratch = Scratch::new("simulate");
    let net = model("philosophers.lna");
    let file = scratch.path().join("walk.json").to_string_lossy().into_owned();
    let walk = |seed: &str| run(&["simulate", &net, "--seed", seed, "--steps", "30", "--save", &file]);
    let first = walk("5");
    assert_eq!(first.status, Some(0), "{}", first.stderr);
    assert_eq!(first.stdout, walk("5").stdout);
    let replayed = run(&["simulate", &net, "--trace", &file]);
    assert!(replayed.stdout.contains("the trace fits"), "{}{}", replayed.stdout, replayed.stderr);
}

#[test]
fn walking_by_hand_understands_a_plain_terminal() {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut child = crate::common::petite()
        .args(["simulate", &model("philosophers.lna")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"1\ns\nb\nnonsense\n99\nr\n2\nq\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("[1] take_first(s = 0)") && text.contains("    1  take_first(s = 0)"), "{text}");
    assert!(text.contains("after 0 steps") && text.contains("a number takes that step"), "{text}");
}

/// The model without one of its guards; none where it has fewer.
fn without_guard(text: &str, number: usize) -> Option<String> {
    let start = text.match_indices("guard").nth(number)?.0;
    let end = start + text[start..].find(';')? + 1;
    Some(format!("{}{}", &text[..start], &text[end..]))
}

#[test]
fn mutual_exclusion_of_the_corpus_holds_and_breaks_without_a_guard() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let corpus = corpus.to_string_lossy().into_owned();
    for name in ["lamport", "szymanski"] {
        let path = format!("{corpus}/lna/{name}/{name}.lna");
        let holds = check(&[&path, "--param", "N=2", "-q"]);
        assert_eq!(holds.status, Some(0), "{name}: {}{}", holds.stdout, holds.stderr);
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let properties = std::fs::read(format!("{corpus}/lna/{name}/{name}.prop.lna")).unwrap();
        let scratch = Scratch::new(&format!("broken-{name}"));
        scratch.file(&format!("{name}.prop.lna"), properties);
        let file = scratch.path().join("trace.json").to_string_lossy().into_owned();
        let mut n_broken = 0;
        for number in 0.. {
            let Some(broken) = without_guard(&text, number) else { break };
            let path = scratch.file(&format!("{name}.lna"), broken);
            // Some variants are no model any more: they are refused, or fail on the way.
            if check(&[&path, "--param", "N=3", "-q", "--trace", &file, "--max-states", "300000"]).status
                == Some(1)
            {
                n_broken += 1;
                let replayed = run(&["simulate", &path, "--param", "N=3", "--trace", &file]);
                assert!(replayed.stdout.contains("the trace fits"), "{name} {number}: {}", replayed.stderr);
            }
        }
        assert!(n_broken > 0, "{name} holds whatever is removed");
    }
}
