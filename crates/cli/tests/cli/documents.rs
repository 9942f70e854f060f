//! The transcripts in the documentation are true: what they show is what the command prints.

use std::path::Path;

use crate::common::petite;

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
        .filter(|(command, _)| command.contains(" models/") && !command.contains('|'))
        .map(|(command, shown)| (command, shown.trim_end().lines().collect()))
        .collect()
}

#[test]
fn transcripts_show_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, at_least) in [
        ("README.md", 4),
        ("docs/explore.md", 1),
        ("docs/check.md", 1),
        ("docs/info.md", 1),
        ("docs/stores.md", 3),
    ] {
        let document = std::fs::read_to_string(root.join(name)).unwrap();
        let transcripts = transcripts(&document);
        assert!(transcripts.len() >= at_least, "{name} has only {} transcripts", transcripts.len());
        for (command, shown) in transcripts {
            let output = petite().current_dir(&root).args(command.split_whitespace()).output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
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
