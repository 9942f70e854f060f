//! Known state spaces, explored as a user would: our own models, and the corpus where there is one.
//!
//! Every row of `models/expected.csv` and of the `lna` folders' `expected.csv` under `PETITE_CORPUS` is a model
//! with parameters and the figures it must give. The small ones are explored by both engines in both orders, and
//! all must agree on everything.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;

use crate::common::run;

/// Rows up to this many states are explored in every way.
const EVERY_WAY: u64 = 30_000;

/// Rows with more states than this are left to the benchmarks.
const LARGEST: u64 = 5_000_000;

/// A model with parameters and what it must give.
#[derive(Debug)]
struct Row {
    model: PathBuf,
    /// Parameters and symbols as arguments.
    arguments: Vec<String>,
    states: u64,
    edges: Option<u64>,
    dead_states: Option<u64>,
}

#[test]
fn our_own_models() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let table = std::fs::read_to_string(folder.join("expected.csv")).expect("models/expected.csv");
    let rows: Vec<Row> = table
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let [model, parameters, states, edges, dead] = fields[..] else { panic!("{line}") };
            let maria = folder.join(format!("{model}.pn"));
            let path = if maria.exists() { maria } else { folder.join(format!("{model}.lna")) };
            row(path, parameters, states, edges, dead)
        })
        .collect();
    assert!(rows.len() > 30, "{}", rows.len());
    for file in std::fs::read_dir(&folder).expect("the models") {
        let path = file.expect("an entry of the models").path();
        let name = path.to_string_lossy();
        let is_model = name.ends_with(".lna") && !name.ends_with(".prop.lna") || name.ends_with(".pn");
        assert!(!is_model || rows.iter().any(|row| row.model == path), "{name} has no row");
    }
    check_all(rows);
}

#[test]
fn corpus_of_helenas_nets() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let mut rows = Vec::new();
    let mut models: Vec<PathBuf> = std::fs::read_dir(Path::new(&corpus).join("lna"))
        .expect("the lna folder of the corpus")
        .map(|entry| entry.expect("an entry of the lna folder").path())
        .collect();
    models.sort();
    for folder in models {
        let name = folder.file_name().expect("a folder with a name").to_string_lossy().into_owned();
        let model = folder.join(format!("{name}.lna"));
        let table = std::fs::read_to_string(folder.join("expected.csv")).expect("an expected.csv");
        for line in table.lines().skip(1) {
            let mut fields = line.splitn(4, ',');
            let mut field = || fields.next().expect("parameters, states, arcs, origin");
            let (parameters, states, edges) = (field(), field(), field());
            let parameters = if parameters == "(default)" { "" } else { parameters };
            rows.push(row(model.clone(), parameters, states, edges, ""));
        }
    }
    rows.retain(|row| row.states <= LARGEST);
    assert!(rows.len() > 60, "only {} rows in the corpus", rows.len());
    check_all(rows);
}

/// Figures of Maria's nets beyond those beside the files: parameters, states, edges.
const MORE_OF_MARIA: &[(&str, &str, &str, &str)] = &[
    ("swn", "", "1233728", "4620776"),
    ("swn", "define:PRIORITY", "601256", "1873408"),
    ("swn-m", "define:LOSSY", "323724", "1537638"),
    ("dbm", "define:UNUSED", "196831", "1181000"),
];

#[test]
fn corpus_of_marias_nets() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let folder = Path::new(&corpus).join("maria");
    let model = |name: &str| folder.join(name).join(format!("{name}.pn"));
    let mut rows = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the maria folder of the corpus") {
        let name = entry.expect("an entry of the maria folder").file_name().to_string_lossy().into_owned();
        let table = folder.join(&name).join("expected.csv");
        let table = std::fs::read_to_string(table).expect("an expected.csv");
        let figure = |what: &str| table.lines().find_map(|line| line.strip_prefix(what));
        let figures = (figure("StateSpace,STATES,"), figure("StateSpace,TRANSITIONS,"));
        if let (Some(states), Some(edges)) = figures {
            rows.push(row(model(&name), "", states, edges, ""));
        }
    }
    rows.sort_by(|a, b| a.model.cmp(&b.model));
    assert!(rows.len() >= 13, "only {} rows in the corpus", rows.len());
    let more = MORE_OF_MARIA.iter();
    rows.extend(
        more.map(|(name, parameters, states, edges)| row(model(name), parameters, states, edges, "")),
    );
    check_all(rows);
}

/// Models of the corpus without figures: the ways must agree with each other.
#[test]
fn corpus_models_without_figures() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let lna = Path::new(&corpus).join("lna");
    let model = lna.join("client_server/client_server.lna");
    let arguments = vec!["--param".to_owned(), "C=4".to_owned()];
    let figures = explore(&model, &arguments, &[]);
    for (engine, search) in [("unfolded", "dfs"), ("binding", "bfs"), ("binding", "dfs")] {
        let other = explore(&model, &arguments, &["--engine", engine, "--search", search]);
        assert_eq!(other, figures, "{engine} {search}");
    }
    let sort = lna.join("sort/sort.lna");
    let refused = run(&["explore".as_ref(), sort.as_os_str()]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("import"), "{}", refused.stderr);
}

/// Depth first and breadth first meet the same states of a model of the list.
#[test]
fn parameters_reach_factors_and_capacities() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let dining = Path::new(&corpus).join("lna/dining/dining.lna");
    let figures = explore(&dining, &["--param".to_owned(), "N=5".to_owned()], &[]);
    assert_eq!((figures.states, figures.edges, figures.dead_states), (491, 1895, 0));
}

fn row(model: PathBuf, parameters: &str, states: &str, edges: &str, dead_states: &str) -> Row {
    let number = |text: &str| (!text.is_empty()).then(|| text.parse().expect("a number"));
    let arguments = parameters.split_whitespace().flat_map(|word| match word.strip_prefix("define:") {
        Some(symbol) => ["--define".to_owned(), symbol.to_owned()],
        None => ["--param".to_owned(), word.to_owned()],
    });
    Row {
        model,
        arguments: arguments.collect(),
        states: number(states).expect("a number of states"),
        edges: number(edges),
        dead_states: number(dead_states),
    }
}

/// What every way of exploring a model must agree on.
#[derive(Debug, PartialEq)]
struct Figures {
    states: u64,
    edges: u64,
    dead_states: u64,
    max_tokens_in_place: u64,
    max_tokens_total: u64,
}

/// Checks all rows on all cores, the largest first, and reports every wrong one.
fn check_all(mut rows: Vec<Row>) {
    let total = rows.len();
    rows.sort_by_key(|row| row.states);
    let waiting = Mutex::new(rows);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(row) = waiting.lock().ok().and_then(|mut rows| rows.pop()) {
            if let Err(problem) = check(&row) {
                wrong.lock().expect("nobody panics while pushing").push(problem);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics while pushing");
    assert!(wrong.is_empty(), "{} of {total} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(row: &Row) -> Result<(), String> {
    let figures = explore(&row.model, &row.arguments, &[]);
    let dead_states = row.dead_states.unwrap_or(figures.dead_states);
    let edges = row.edges.unwrap_or(figures.edges);
    if (figures.states, figures.edges, figures.dead_states) != (row.states, edges, dead_states) {
        return Err(format!("{row:?}: {figures:?}"));
    }
    if row.states > EVERY_WAY {
        return Ok(());
    }
    for options in [["--engine", "auto", "--search", "dfs"], ["--engine", "binding", "--search", "bfs"]] {
        let other = explore(&row.model, &row.arguments, &options);
        if other != figures {
            return Err(format!("{row:?}: {figures:?}, but {options:?} gives {other:?}"));
        }
    }
    Ok(())
}

fn explore(model: &Path, arguments: &[String], options: &[&str]) -> Figures {
    let mut all = vec!["explore".to_owned(), "--json".to_owned(), model.to_string_lossy().into_owned()];
    all.extend(arguments.iter().cloned());
    all.extend(options.iter().map(|&option| option.to_owned()));
    let run = run(&all);
    assert_eq!(run.status, Some(0), "{all:?}: {}", run.stderr);
    let json: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{all:?}: {error}"));
    let number = |field: &str| json[field].as_u64().unwrap_or_else(|| panic!("{all:?}: {json}"));
    assert_eq!(json["complete"], Value::Bool(true), "{all:?}");
    Figures {
        states: number("states"),
        edges: number("edges"),
        dead_states: number("dead_states"),
        max_tokens_in_place: number("max_tokens_in_place"),
        max_tokens_total: number("max_tokens_total"),
    }
}
