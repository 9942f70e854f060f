//! The transcripts in the documentation are true: what they show is what the command prints.

use std::path::Path;

use crate::common::{Scratch, petite};

/// Lines whose figures depend on the machine or on the state of the tables.
const MEASURED: [&str; 9] = [
    "time ",
    "states per second",
    "edges per second",
    "store ",
    "bytes per state",
    "bytes of a state vector",
    "model tables",
    "frontier at its peak",
    "peak resident memory",
];

/// The commands of a document that explore a model of ours, with the lines shown below them.
fn transcripts(document: &str) -> Vec<(&str, Vec<&str>)> {
    document
        .split("```")
        .filter_map(|block| block.trim_start().strip_prefix("$ petite "))
        .filter_map(|block| block.split_once('\n'))
        .filter(|(command, _)| command.contains(" models/") || command.starts_with("graph "))
        .filter(|(command, _)| !command.contains('|'))
        .map(|(command, shown)| (command, shown.trim_end().lines().collect()))
        .collect()
}

#[test]
fn transcripts_show_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Graph files are written beside nothing else; the documents name them without a folder.
    let scratch = Scratch::new("documents");
    let folder = format!("{}/", scratch.path().display());
    for (name, at_least) in [
        ("README.md", 4),
        ("docs/explore.md", 1),
        ("docs/info.md", 1),
        ("docs/stores.md", 3),
        ("docs/graph.md", 6),
        ("docs/progress.md", 3),
        ("docs/check.md", 1),
    ] {
        let document = std::fs::read_to_string(root.join(name)).unwrap();
        let transcripts = transcripts(&document);
        assert!(transcripts.len() >= at_least, "{name} has only {} transcripts", transcripts.len());
        for (command, shown) in transcripts {
            let words = command.split_whitespace().map(|word| match word.ends_with(".graph") {
                true => format!("{folder}{word}"),
                false => word.to_owned(),
            });
            let output = petite().current_dir(&root).args(words).output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap().replace(&folder, "");
            let printed: Vec<&str> = printed.trim_end().lines().collect();
            assert_eq!(shown.len(), printed.len(), "{name}: petite {command}");
            for (shown, printed) in shown.iter().zip(printed) {
                match MEASURED.iter().find(|name| shown.starts_with(*name)) {
                    Some(name) => assert!(printed.starts_with(name), "{shown} | {printed}"),
                    None => assert_eq!(*shown, printed, "petite {command}"),
                }
            }
        }
    }
}
