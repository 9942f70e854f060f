//! Known counts: the models of this repository, and those of a corpus outside it.
//!
//! `models/expected.csv` lists ours. The corpus has a folder for each model with an `expected.csv` beside it;
//! its folder is named by `PETITE_CORPUS`, and without it only our own models are explored.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;

use crate::common::run;

/// Larger state spaces take too long for a test.
const LARGEST: u64 = 5_000_000;

/// State spaces up to this size are explored in every combination of engine and order.
const SMALL: u64 = 25_000;

/// Flags of all combinations, the usual one first. Listing all instances ahead is left to the automatic choice:
/// where that is not affordable, forcing it takes long.
const ALL: [&[&str]; 4] =
    [&[], &["--search", "dfs"], &["--engine", "binding"], &["--engine", "binding", "--search", "dfs"]];

/// A model with what is known of its state space.
struct Case {
    model: PathBuf,
    /// `NAME=VALUE` and `define:SYMBOL`, with spaces between them.
    setting: String,
    states: u64,
    edges: Option<u64>,
    dead_states: Option<u64>,
}

impl Case {
    /// Explores the model with some flags and compares; gives what is wrong.
    fn check(&self, flags: &[&str]) -> Result<(), String> {
        let model = self.model.to_string_lossy();
        let mut arguments = vec!["explore", "--json", &model];
        arguments.extend(flags);
        for word in self.setting.split_whitespace() {
            match word.strip_prefix("define:") {
                Some(symbol) => arguments.extend(["--define", symbol]),
                None => arguments.extend(["--param", word]),
            }
        }
        let run = run(&arguments);
        let found: Value =
            serde_json::from_str(&run.stdout).map_err(|_| format!("{arguments:?}: {}", run.stderr))?;
        let counts = ["states", "edges", "dead_states"].map(|field| found[field].as_u64());
        let known = [Some(self.states), self.edges, self.dead_states];
        let agree = counts.iter().zip(known).all(|(found, known)| known.is_none() || *found == known);
        if run.status == Some(0) && found["complete"] == true && agree {
            Ok(())
        } else {
            Err(format!("{arguments:?}: found {counts:?}, expected {known:?}; {}", run.stderr))
        }
    }
}

/// Checks all cases, the largest first, on all cores.
fn check_all(mut cases: Vec<Case>) {
    cases.retain(|case| case.states <= LARGEST);
    cases.sort_by_key(|case| case.states);
    let waiting = Mutex::new(cases);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(case) = waiting.lock().ok().and_then(|mut cases| cases.pop()) {
            let combinations: &[&[&str]] = if case.states <= SMALL { &ALL } else { &ALL[..1] };
            let problems = combinations.iter().filter_map(|flags| case.check(flags).err());
            wrong.lock().unwrap().extend(problems);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn our_own_models() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let table = std::fs::read_to_string(folder.join("expected.csv")).unwrap();
    let cases: Vec<Case> = table.lines().skip(1).map(|row| own_case(&folder, row)).collect();
    assert!(cases.len() >= 12, "a dozen models have known counts");
    for file in std::fs::read_dir(&folder).unwrap().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let is_model = name.ends_with(".lna") && !name.ends_with(".prop.lna");
        assert!(!is_model || cases.iter().any(|case| case.model.ends_with(&name)), "{name} has no counts");
    }
    check_all(cases);
}

fn own_case(folder: &Path, row: &str) -> Case {
    let fields: Vec<&str> = row.split(',').collect();
    let [model, setting, states, edges, dead_states] = fields[..] else {
        panic!("models/expected.csv: {row}")
    };
    Case {
        model: folder.join(model).with_extension("lna"),
        setting: setting.to_owned(),
        states: states.parse().unwrap(),
        edges: Some(edges.parse().unwrap()),
        dead_states: Some(dead_states.parse().unwrap()),
    }
}

#[test]
fn the_corpus() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let mut cases = Vec::new();
    for folder in std::fs::read_dir(Path::new(&corpus).join("lna")).unwrap() {
        let folder = folder.unwrap().path();
        let model = folder.join(folder.file_name().unwrap()).with_extension("lna");
        let table = std::fs::read_to_string(folder.join("expected.csv")).unwrap();
        for row in table.lines().skip(1) {
            let mut fields = row.split(',');
            let mut field = || fields.next().unwrap_or_default();
            cases.push(Case {
                model: model.clone(),
                setting: field().replace("(default)", ""),
                states: field().parse().unwrap(),
                edges: field().parse().ok(),
                dead_states: None,
            });
        }
    }
    assert!(cases.len() > 50, "only {} known counts in {}", cases.len(), corpus.display());
    check_all(cases);
}
