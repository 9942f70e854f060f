//! The guide holds together: every page is listed, every link leads somewhere, every field of JSON is described.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Scratch, pnml, run};
use crate::pages::{self, Page};

/// Fields whose own fields are names of the model, or figures of a store, as the text report has them.
const NAMED_BY_OTHERS: [&str; 6] =
    ["params", "place_bounds", "store_figures", "actions", "setting", "instance"];

/// Options in the pages that are those of other programs.
const OF_OTHERS: [&str; 16] = [
    "--ctl",
    "--deadlock",
    "--instances",
    "--invariant",
    "--ltl",
    "--path",
    "--por",
    "--reduction",
    "--release",
    "--state",
    "--strategy",
    "--test",
    "--threads",
    "--time",
    "--trace-replay",
    "--write-unfolded-net",
];

#[test]
fn the_contents_list_every_page_once() {
    let summary = Page::read("docs/SUMMARY.md".to_owned());
    let mut listed: Vec<String> = summary.links().iter().map(|link| format!("docs/{link}")).collect();
    let pages = pages::all().into_iter().map(|page| page.name);
    let mut pages: Vec<String> =
        pages.filter(|name| name != "README.md" && name != "docs/SUMMARY.md").collect();
    listed.sort();
    pages.sort();
    assert_eq!(listed, pages);
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut n_links = 0;
    for page in pages::all() {
        let folder = pages::root().join(&page.name).parent().unwrap().to_owned();
        for link in page.links() {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = if file.is_empty() { pages::root().join(&page.name) } else { folder.join(file) };
            assert!(path.exists(), "{}: there is no {link}", page.name);
            if !anchor.is_empty() {
                let target = Page::read(path.to_string_lossy().into_owned());
                assert!(target.anchors().iter().any(|one| one == anchor), "{}: no heading {link}", page.name);
            }
            n_links += 1;
        }
    }
    assert!(n_links > 100, "only {n_links} links were found");
}

#[test]
fn options_that_are_named_exist() {
    let commands = [
        "",
        "explore",
        "check",
        "simulate",
        "info",
        "compare",
        "convert",
        "completions",
        "man",
        "graph build",
        "graph info",
        "graph query",
        "graph export",
        "graph compare",
    ];
    let mut known: BTreeSet<String> = OF_OTHERS.iter().map(|&option| option.to_owned()).collect();
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        known.extend(options(&run(&words).stdout));
    }
    assert!(known.len() > 50, "the help has only {known:?}");
    for page in pages::all().iter().filter(|page| page.name != "README.md") {
        for line in page.lines() {
            for option in options(line) {
                assert!(known.contains(&option), "{}: no option {option}: {line}", page.name);
            }
        }
    }
}

/// The long options of a text: two hyphens and a name behind a blank, a mark, or nothing.
fn options(text: &str) -> Vec<String> {
    let is_before = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '-' || c == '|');
    let places = text.match_indices("--").filter(|(at, _)| is_before(&text[..*at]));
    let names = places.filter_map(|(at, _)| {
        let name = &text[at + 2..];
        let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(name.len());
        (name.starts_with(|c: char| c.is_ascii_lowercase()) && end > 1).then(|| format!("--{}", &name[..end]))
    });
    names.collect()
}

#[test]
fn every_field_of_json_is_described() {
    let scratch = Scratch::new("guide-json");
    let grows = scratch.file("grows.pnml", pnml(&[("p", 0)], &["t"], &[("t", "p", 1)]));
    let fails = scratch.file(
        "fails.pn",
        "typedef unsigned (0..3) n_t; place p n_t: 0; trans up in { place p: x; } out { place p: x + 1; };\n",
    );
    let ends = scratch
        .file("ends.lna", "ends { place p { dom: epsilon; } transition t { in { } out { p: epsilon; } } }");
    let graph = scratch.path().join("p.graph").to_string_lossy().into_owned();
    let commands = [
        "explore philosophers.lna -v",
        "explore philosophers.lna --store bitstate",
        "explore philosophers.lna --store ondd",
        "explore stop_and_wait.lna --search sweep",
        "explore replication.lna --search sweep --progress waiting(1)+2*waiting(2)",
        "explore nothing.lna",
        &format!("explore {grows}"),
        &format!("explore {fails}"),
        &format!("explore {ends}"),
        "check philosophers.lna",
        "check semaphore.lna -f bound(critical)",
        "check peterson.lna --param N=3 --only no_deadlock",
        "check peterson.lna --param N=3 --only no_deadlock --no-reduction --max-states 10",
        "check elevator.lna",
        "info philosophers.lna",
        "info combination_lock.lna",
        &format!("info {grows}"),
        "compare philosophers.lna --stores plain,collapse,hashcompact",
        "compare counters.lna --stores plain,tree --sweep N=1..2",
        &format!("graph build philosophers.lna -o {graph}"),
        &format!("graph info {graph}"),
    ];
    let page = Page::read("docs/json.md".to_owned());
    let mut fields = BTreeSet::new();
    for command in commands {
        let mut words: Vec<&str> = command.split(' ').collect();
        words.push("--json");
        let output = run(&words);
        let value: Value = serde_json::from_str(&output.stdout)
            .unwrap_or_else(|error| panic!("{command}: {error}\n{}{}", output.stdout, output.stderr));
        collect(&value, &mut fields);
    }
    let missing: Vec<&String> = fields.iter().filter(|field| !page.has(&format!("`{field}`"))).collect();
    assert!(missing.is_empty(), "docs/json.md does not describe {missing:?}");
    assert!(fields.len() > 100, "only {} fields were seen", fields.len());
}

fn collect(value: &Value, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                fields.insert(name.clone());
                if !NAMED_BY_OTHERS.contains(&name.as_str()) || value.is_array() {
                    collect(value, fields);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, fields)),
        _ => {}
    }
}
