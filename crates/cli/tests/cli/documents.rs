//! The transcripts in the documentation are true: what they show is what the command prints.
//!
//! The commands of a page run one after the other in a folder of its own, with our models in `models/` and with the files that the
//! page shows before them.

use crate::common::{Scratch, petite};
use crate::pages::{self, Block, Page, Transcript};

/// Lines whose figures depend on the machine or on the state of the tables.
const MEASURED: [&str; 20] = [
    "time ",
    "states per second",
    "edges per second",
    "store ",
    "bytes per state",
    "bytes of a state vector",
    "model tables",
    "frontier at its peak",
    "peak resident memory",
    "\"seconds\":",
    "\"prepare_seconds\":",
    "\"search_seconds\":",
    "\"states_per_second\":",
    "\"edges_per_second\":",
    "\"store_bytes\":",
    "\"bytes_per_state\":",
    "\"vector_bytes\":",
    "\"model_bytes\":",
    "\"frontier_bytes\":",
    "\"peak_rss_bytes\":",
];

/// Pages with the fewest transcripts that they must have.
const AT_LEAST: [(&str, usize); 20] = [
    ("README.md", 4),
    ("docs/check.md", 1),
    ("docs/codecs.md", 3),
    ("docs/coming-from.md", 4),
    ("docs/convert.md", 2),
    ("docs/exit-codes.md", 4),
    ("docs/explore.md", 2),
    ("docs/first-model.md", 7),
    ("docs/graph.md", 6),
    ("docs/helena.md", 3),
    ("docs/info.md", 1),
    ("docs/json.md", 4),
    ("docs/maria.md", 1),
    ("docs/performance.md", 1),
    ("docs/pnml.md", 4),
    ("docs/progress.md", 3),
    ("docs/properties.md", 20),
    ("docs/stores-diagrams.md", 4),
    ("docs/stores-steps.md", 2),
    ("docs/stores.md", 4),
];

/// Pages with commands that are shown and not run, and how many: usage lines, builds, long runs, pipes, files that the page does
/// not have.
const SHOWN_ONLY: [(&str, usize); 11] = [
    ("README.md", 5),
    ("docs/check.md", 1),
    ("docs/codecs.md", 3),
    ("docs/compare.md", 5),
    ("docs/convert.md", 2),
    ("docs/exit-codes.md", 1),
    ("docs/explore.md", 2),
    ("docs/install.md", 7),
    ("docs/stores-diagrams.md", 4),
    ("docs/stores-steps.md", 2),
    ("docs/stores.md", 1),
];

/// What follows a command whose exit status is shown as the last line.
const STATUS: &str = "; echo $?";

#[test]
fn transcripts_show_what_is_printed() {
    let pages = pages::all();
    for (name, _) in AT_LEAST {
        assert!(pages.iter().any(|page| page.name == name), "there is no page {name}");
    }
    for page in pages {
        let scratch = Scratch::new(&format!("documents-{}", page.name.replace('/', "-")));
        copy_models(&scratch);
        let mut n_run = 0;
        for block in page.blocks() {
            if let Some(name) = block.file() {
                scratch.file(name, block.lines.join("\n") + "\n");
            }
            for transcript in block.transcripts() {
                run(&page, &scratch, &transcript);
                n_run += 1;
            }
        }
        let least = AT_LEAST.iter().find(|(name, _)| *name == page.name).map_or(0, |(_, least)| *least);
        assert!(n_run >= least, "{} has only {n_run} transcripts", page.name);
    }
}

#[test]
fn commands_are_run_or_marked_as_shown_only() {
    for page in pages::all() {
        let (marked, plain): (Vec<Block>, Vec<Block>) =
            page.blocks().into_iter().partition(|block| !block.words.is_empty());
        for block in plain.iter().filter(|block| block.commands() > 0) {
            let first = block.lines.first().copied().unwrap_or_default();
            let help = "begin with `$ petite`, or mark the block with `sh` or `text`";
            assert!(first.starts_with("$ petite "), "{}: {first}: {help}", page.name);
            let others = block.commands() - block.transcripts().len();
            assert_eq!(others, 0, "{}: {first}: a command that is not run", page.name);
        }
        let shown: usize = marked.iter().map(Block::commands).sum();
        let known = SHOWN_ONLY.iter().find(|(name, _)| *name == page.name).map_or(0, |(_, known)| *known);
        assert_eq!(shown, known, "{}: commands that are only shown; if that is meant, list it", page.name);
    }
}

/// Runs a command and compares what it prints, errors first, and its exit status where that is shown.
fn run(page: &Page, scratch: &Scratch, transcript: &Transcript<'_>) {
    let command = transcript.command.as_str();
    let line = command.strip_suffix(STATUS).unwrap_or(command);
    let output = petite().current_dir(scratch.path()).args(pages::words(line)).output().unwrap();
    let mut printed = String::from_utf8(output.stderr).unwrap();
    printed += &String::from_utf8(output.stdout).unwrap();
    if command.ends_with(STATUS) {
        printed += &output.status.code().unwrap().to_string();
    }
    let printed: Vec<&str> = printed.trim_end().lines().collect();
    let n_shown = transcript.shown.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let at = format!("{}: petite {command}", page.name);
    assert_eq!(n_shown, printed.len(), "{at}\n{}", printed.join("\n"));
    for (shown, printed) in transcript.shown.iter().zip(printed) {
        match MEASURED.iter().find(|name| shown.trim_start().starts_with(*name)) {
            Some(name) => assert!(printed.trim_start().starts_with(name), "{at}\n{shown} | {printed}"),
            None => assert_eq!(*shown, printed, "{at}"),
        }
    }
}

fn copy_models(scratch: &Scratch) {
    std::fs::create_dir(scratch.path().join("models")).unwrap();
    for file in std::fs::read_dir(pages::root().join("models")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), scratch.path().join("models").join(file.file_name())).unwrap();
    }
}
