//! `petite compare`: every way in a process of its own, its figures those of `petite explore`, and what is odd explained.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::{Run, Scratch, run};

fn model(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    path.to_string_lossy().into_owned()
}

fn compare(arguments: &[&str]) -> Run {
    run(&[&["compare"], arguments].concat())
}

fn compared(arguments: &[&str]) -> (Option<i32>, Value) {
    let run = compare(&[arguments, &["--json"]].concat());
    let value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    (run.status, value)
}

fn row<'a>(value: &'a Value, name: &str) -> &'a Value {
    let rows = value["rows"].as_array().expect("rows");
    rows.iter().find(|row| row["name"] == json!(name)).unwrap_or_else(|| panic!("no {name} in {value}"))
}

/// Everything that does not depend on the machine is the same as in a run of its own.
#[test]
fn figures_are_those_of_separate_runs() {
    let model = model("either_fork.lna");
    let (status, value) = compared(&[&model, "--param", "N=8"]);
    assert_eq!((status, &value["disagreement"]), (Some(0), &Value::Null), "{value}");
    let rows = value["rows"].as_array().expect("rows");
    assert!(rows.len() >= 14);
    for row in rows.iter().filter(|row| row["status"] == json!("complete")) {
        let command = row["command"].as_str().expect("a command");
        assert!(command.starts_with("petite explore ") && !command.contains('\''), "{command}");
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let alone = run(&words);
        assert_eq!(alone.status, Some(0), "{command}: {}", alone.stderr);
        let alone: Value = serde_json::from_str(&alone.stdout).expect("one object");
        for field in ["states", "edges", "dead_states", "store_bytes", "bytes_per_state", "vector_bytes"] {
            assert_eq!(row[field], alone[field], "{field} of {command}");
        }
    }
    let tree = row(&value, "tree");
    assert_eq!((&tree["states"], &tree["exact"]), (&json!(6561), &json!(true)));
    assert_eq!(row(&value, "plain")["memory_ratio"], json!(1.0));
    assert!(
        row(&value, "collapse")["break_even_states"].is_number()
            || row(&value, "collapse")["break_even_states"] == json!("never")
    );
    assert_eq!(row(&value, "hashcompact")["exact"], json!(false));
    assert!(rows.iter().any(|row| row["pareto"] == json!(true)));
}

#[test]
fn the_table_fits_a_screen_and_explains_itself() {
    let run = compare(&[&model("jugs.lna"), "--stores", "plain,tree,tree+multiset,collapse,sweep"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{}", run.stdout);
    for line in run.stdout.lines().skip(1) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for part in [
        "* ",
        "tree+multiset: cannot be used: this store has a way of its own",
        "sweep: ",
        "collapse: tables",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
}

#[test]
fn files_are_written() {
    let scratch = Scratch::new("compare-files");
    let path = |name: &str| scratch.path().join(name).to_string_lossy().into_owned();
    let (page, table, plots) = (path("page.html"), path("table.csv"), path("deep/plots"));
    let model = model("either_fork.lna");
    let sweep = ["--sweep", "k=1,5,20", "--sweep", "N=5,6", "--stores", "plain,delta"];
    let files = ["--report", &page, "--csv", &table, "--plot", &plots];
    let run = compare(&[&[model.as_str()], &sweep[..], &files[..]].concat());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let table = std::fs::read_to_string(table).unwrap();
    assert_eq!(table.lines().count(), 1 + 2 * 4, "{table}");
    assert!(table.contains("delta k=5, N=6"), "{table}");
    for name in ["memory-time", "memory-states", "sweep-memory", "sweep-time", "sweep-trade"] {
        let svg = std::fs::read_to_string(Path::new(&plots).join(format!("{name}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("delta"), "{name}: {svg}");
        let png = std::fs::read(Path::new(&plots).join(format!("{name}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n"), "{name}");
    }
    let page = std::fs::read_to_string(page).unwrap();
    assert_eq!(page.matches("<svg").count(), 5);
    let refused =
        compare(&[&model, "--stores", "plain", "--param", "N=3", "--report", "/no/such/folder/a.html"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("cannot write the file"), "{}", refused.stderr);
}

#[test]
fn limits_are_told() {
    let peterson = model("peterson.lna");
    let (status, value) = compared(&[&peterson, "--stores", "plain,tree", "--max-states", "5000"]);
    assert_eq!(status, Some(3));
    for name in ["plain", "tree"] {
        let row = row(&value, name);
        assert_eq!((&row["status"], &row["states"]), (&json!("max-states"), &json!(5000)), "{row}");
    }
    let (status, value) = compared(&[&peterson, "--stores", "plain", "--max-time", "300ms"]);
    assert_eq!((status, &row(&value, "plain")["status"]), (Some(3), &json!("limit")), "{value}");
    let remark = row(&value, "plain")["remark"].as_str().expect("a remark").to_owned();
    assert!(remark.starts_with("244-bit vectors, stopped after "), "{remark}");
}

#[test]
fn bad_usage_and_bad_models_are_told_once() {
    let fork = model("either_fork.lna");
    for (arguments, expected) in [
        (vec![fork.as_str(), "--stores", "tre"], "did you mean tree?"),
        (vec![fork.as_str(), "--sweep", "Q=1..3"], "no parameter Q to sweep"),
        (vec![fork.as_str(), "--sweep", "k=3..1"], "expected NAME=FROM..TO"),
        (vec!["no-such-model.lna"], "no such file"),
    ] {
        let run = compare(&arguments);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stderr.matches("error").count(), 1, "{}", run.stderr);
    }
    let (status, value) = compared(&[&fork, "--stores", "tree+multiset"]);
    assert_eq!((status, &value["rows"][0]["status"]), (Some(2), &json!("refused")));
}

/// Starts a comparison that takes a while, signals it or its first child once that is at work, and waits for the end.
#[cfg(target_os = "linux")]
fn disturbed(stores: &str, time: &str, signal: &dyn Fn(u32, u32)) -> std::process::Output {
    use std::process::Stdio;
    let mut command = crate::common::petite();
    command.args(["compare", &model("peterson.lna"), "--stores", stores, "--max-time", time, "--json"]);
    let parent = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let child = (0..600).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        child_of(parent.id())
    });
    // It has to read the model and to begin.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    child.iter().for_each(|&child| signal(parent.id(), child));
    let output = parent.wait_with_output().unwrap();
    assert!(child.is_some(), "no process was started");
    output
}

/// A process that another one has started.
#[cfg(target_os = "linux")]
fn child_of(parent: u32) -> Option<u32> {
    let of = |entry: std::fs::DirEntry| {
        let process: u32 = entry.file_name().to_string_lossy().parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // Behind the name in parentheses come the state and the parent.
        let field = stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse();
        (field == Ok(parent)).then_some(process)
    };
    std::fs::read_dir("/proc").ok()?.flatten().find_map(of)
}

#[cfg(target_os = "linux")]
fn kill(signal: &str, process: u32) {
    let sent = std::process::Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_that_is_lost_is_a_row_and_the_rest_goes_on() {
    let output = disturbed("difference,tree", "8s", &|_, child| kill("-KILL", child));
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lost = row(&value, "difference");
    assert_eq!(lost["status"], json!("lost"));
    assert!(lost["remark"].as_str().unwrap().contains("signal 9"), "{lost}");
    assert!(row(&value, "tree")["states"].as_u64().unwrap() > 0, "{value}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_ends_with_what_there_is() {
    let output = disturbed("difference,tree,delta", "60s", &|parent, child| {
        // As a terminal does, to all at once.
        kill("-INT", parent);
        kill("-INT", child);
    });
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(row(&value, "difference")["status"], json!("interrupted"), "{value}");
    assert_eq!(row(&value, "delta")["status"], json!("not-run"), "{value}");
}
