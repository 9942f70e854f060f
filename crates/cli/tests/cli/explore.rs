//! `petite explore` from outside: results, limits, signals, exit statuses.

use crate::common::{Scratch, petite, run};
use serde_json::{Value, json};

/// Counts from 0 to N and stops: N + 1 states in a row.
const COUNTER: &str = "
counter (N := 3) {
   type number : range 0 .. N;
   place p { dom: number; init: <( 0 )>; }
   transition up { in { p: <( x )>; } out { p: <( x + 1 )>; } guard: x < N; }
}
";

/// N switches that anybody may turn on and off: 2^N states.
const SWITCHES: &str = "
switches (N := 40) {
   type index : mod N;
   place off { dom: index; init: for (i in index) <( i )>; }
   place on { dom: index; }
   transition turn_on { in { off: <( i )>; } out { on: <( i )>; } }
   transition turn_off { in { on: <( i )>; } out { off: <( i )>; } }
}
";

fn explore_json(arguments: &[&str]) -> (Option<i32>, Value, String) {
    let run = run(&[&["explore", "--json"], arguments].concat());
    let value = serde_json::from_str(&run.stdout);
    (run.status, value.unwrap_or_else(|error| panic!("{error}: {} {}", run.stdout, run.stderr)), run.stderr)
}

#[test]
fn counts_are_the_same_for_every_engine_and_order() {
    let scratch = Scratch::new("engines");
    let model = scratch.file("switches.lna", SWITCHES);
    for engine in ["auto", "unfolded", "binding"] {
        for search in ["bfs", "dfs"] {
            let arguments = [model.as_str(), "--param", "N=10", "--engine", engine, "--search", search];
            let (status, value, stderr) = explore_json(&arguments);
            assert_eq!((status, stderr.as_str()), (Some(0), ""));
            assert_eq!(value["states"], json!(1024), "{arguments:?}");
            assert_eq!(value["edges"], json!(10240), "{arguments:?}");
            assert_eq!(value["dead_states"], json!(0), "{arguments:?}");
            assert_eq!(value["max_tokens_in_place"], json!(1), "{arguments:?}");
            assert_eq!(value["max_tokens_in_coloured_place"], json!(10), "{arguments:?}");
            assert_eq!(value["max_tokens_total"], json!(10), "{arguments:?}");
            assert_eq!(value["search"], json!(search));
            assert!(engine == "auto" || value["engine"] == json!(engine), "{value}");
        }
    }
}

#[test]
fn json_has_every_field() {
    let scratch = Scratch::new("json");
    let model = scratch.file("counter.lna", COUNTER);
    let (status, value, _) = explore_json(&[&model, "--param", "N=7", "--param", "N=9"]);
    assert_eq!(status, Some(0));
    assert_eq!((&value["model"], &value["net"]), (&json!(model), &json!("counter")));
    assert_eq!(value["params"], json!({"N": 9}));
    assert_eq!((&value["states"], &value["edges"]), (&json!(10), &json!(9)));
    assert_eq!(value["dead_states"], json!(1));
    assert_eq!((&value["complete"], &value["stopped"]), (&json!(true), &json!(null)));
    assert_eq!((&value["store"], &value["search"]), (&json!("plain"), &json!("bfs")));
    for field in [
        "seconds",
        "states_per_second",
        "store_bytes",
        "bytes_per_state",
        "vector_bytes",
        "model_bytes",
        "frontier_bytes",
        "actions",
    ] {
        assert!(value[field].as_f64().is_some_and(|number| number > 0.0), "{field} in {value}");
    }
    let store_bytes = value["store_bytes"].as_f64().unwrap();
    assert!((value["bytes_per_state"].as_f64().unwrap() - store_bytes / 10.0).abs() < 1e-9);
    #[cfg(target_os = "linux")]
    assert!(value["peak_rss_bytes"].as_u64().unwrap() > 100_000);
    assert!(value.get("place_bounds").is_none() && value.get("error").is_none());
    let (_, value, _) = explore_json(&[&model, "-v"]);
    assert_eq!(value["place_bounds"], json!({"p": 1}));
}

#[test]
fn people_get_a_report() {
    let scratch = Scratch::new("report");
    let model = scratch.file("counter.lna", COUNTER);
    let normal = run(&["explore", &model]);
    assert_eq!((normal.status, normal.stderr.as_str()), (Some(0), ""));
    assert!(normal.stdout.contains("parameters      N=3\n"), "{}", normal.stdout);
    assert!(normal.stdout.contains("result          complete\n"), "{}", normal.stdout);
    assert!(!normal.stdout.contains('\u{1b}'), "{}", normal.stdout);
    assert_eq!(run(&["explore", &model, "-q"]).stdout, "4 3 1\n");
    let verbose = run(&["explore", &model, "-v"]).stdout;
    assert!(verbose.contains("engine choice") && verbose.contains("most tokens in each place"), "{verbose}");
}

#[test]
fn limits_end_the_search_with_a_partial_result() {
    let scratch = Scratch::new("limits");
    let model = scratch.file("switches.lna", SWITCHES);
    for (flag, value, reason) in [
        ("--max-states", "1000", "max-states"),
        ("--max-memory", "200k", "max-memory"),
        ("--max-time", "100ms", "max-time"),
    ] {
        for search in ["bfs", "dfs"] {
            let (status, found, stderr) = explore_json(&[&model, flag, value, "--search", search]);
            assert_eq!((status, stderr.as_str()), (Some(3), ""), "{flag}");
            assert_eq!((&found["complete"], &found["stopped"]), (&json!(false), &json!(reason)));
            assert!(found["states"].as_u64().unwrap() > 0, "{found}");
        }
    }
    let (_, found, _) = explore_json(&[&model, "--max-states", "1000"]);
    assert_eq!(found["states"], json!(1000));
    let report = run(&["explore", &model, "--max-states", "1000"]);
    assert!(report.stdout.contains("(partial: state limit reached)"), "{}", report.stdout);
    let quiet = run(&["explore", &model, "--max-states", "1000", "-q"]);
    assert!(quiet.status == Some(3) && quiet.stdout.ends_with(" partial\n"), "{}", quiet.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn running_out_of_memory_ends_with_a_partial_result() {
    let scratch = Scratch::new("out-of-memory");
    let model = scratch.file("switches.lna", SWITCHES);
    let petite = env!("CARGO_BIN_EXE_petite");
    for search in ["bfs", "dfs"] {
        // A limit of its own keeps the search from ending before the memory does.
        let flags = format!("--search {search} --store plain --max-memory 1T");
        let command = format!("ulimit -v 120000; exec '{petite}' explore --json '{model}' {flags}");
        let output = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&found["complete"], &found["stopped"]), (&json!(false), &json!("out-of-memory")));
        assert!(found["states"].as_u64().unwrap() > 100_000, "{found}");
    }
}

/// Starts a search that would never end, and sends it a signal after a while.
#[cfg(unix)]
fn signalled(model: &str, signal: &str, delay: std::time::Duration) -> std::process::Output {
    use std::process::{Command, Stdio};
    let limits = ["--max-time", "60s", "--max-memory", "2G"];
    let mut command = petite();
    command.args(["explore", "--json", model]).args(limits).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(delay);
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn signals_end_the_search_with_a_partial_result() {
    let scratch = Scratch::new("signals");
    let model = scratch.file("switches.lna", SWITCHES);
    for signal in ["-INT", "-TERM"] {
        // A busy machine may not have come to the search yet; then there is nothing to print.
        let delays = [300, 1000, 3000, 9000].map(std::time::Duration::from_millis);
        let outputs = delays.iter().map(|&delay| signalled(&model, signal, delay));
        let output = outputs.into_iter().find(|output| !output.stdout.is_empty()).expect("a result");
        assert_eq!(output.status.code(), Some(130));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&found["complete"], &found["stopped"]), (&json!(false), &json!("interrupted")));
        assert!(found["states"].as_u64().unwrap() > 1, "{found}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_reader_who_left_is_not() {
    let scratch = Scratch::new("full-disk");
    let model = scratch.file("counter.lna", COUNTER);
    for flags in [vec![], vec!["--json"], vec!["-q"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = petite().args(["explore", &model]).args(&flags).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {stderr}");
        assert!(stderr.contains("no space left"), "{flags:?}: {stderr}");

        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = petite().args(["explore", &model]).args(&flags).stdout(writer).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{flags:?}");
    }
}

#[test]
fn the_contests_form() {
    let scratch = Scratch::new("mcc");
    let model = scratch.file("counter.lna", COUNTER);
    let done = run(&["explore", &model, "--format", "mcc", "--engine", "binding"]);
    let techniques = "TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION";
    let expected =
        [("STATES", 4), ("TRANSITIONS", 3), ("MAX_TOKEN_PER_MARKING", 1), ("MAX_TOKEN_IN_PLACE", 1)]
            .map(|(figure, value)| format!("STATE_SPACE {figure} {value} {techniques}\n"));
    assert_eq!((done.status, done.stdout), (Some(0), expected.concat()));
    let partial = run(&["explore", &model, "--format", "mcc", "--max-states", "2"]);
    assert_eq!((partial.status, partial.stdout.as_str()), (Some(3), "STATE_SPACE CANNOT_COMPUTE\n"));
    let json = run(&["explore", &model, "--format", "json"]);
    assert!(json.stdout.contains("\"states\": 4"), "{}", json.stdout);
}
