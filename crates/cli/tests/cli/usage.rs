//! Help, completions, manual pages and wrong usage.

use crate::common::{Scratch, petite, run};

#[test]
fn alone_it_shows_what_to_do_next() {
    let run = run::<&str>(&[]);
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("petite explore models/") && run.stderr.contains("Usage:"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

#[test]
fn help_has_examples_and_exit_statuses() {
    for arguments in
        [vec!["explore", "--help"], vec!["explore", "-h"], vec!["help", "explore"], vec!["--help"]]
    {
        let run = run(&arguments);
        assert_eq!(run.status, Some(0));
        assert!(run.stdout.contains("Examples:") && run.stdout.contains("Exit status"), "{}", run.stdout);
        assert_eq!(run.stderr, "");
    }
    let version = run(&["--version"]).stdout;
    assert!(
        version.starts_with("petite 0.") && version.contains("stores ") && version.contains("tree"),
        "{version}"
    );
    assert!(version.lines().all(|line| line.len() <= 80), "{version}");
    for line in run(&["--help"]).stdout.lines() {
        assert!(line.chars().count() <= 80 || !line.starts_with("  petite "), "{line}");
    }
}

#[test]
fn every_shell_gets_a_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = run(&["completions", shell]);
        assert_eq!(run.status, Some(0));
        assert!(
            run.stdout.contains("explore") && run.stdout.contains("max-memory"),
            "{shell}: {}",
            run.stdout
        );
    }
    assert_eq!(run(&["completions", "cobol"]).status, Some(2));
}

#[test]
fn manual_pages_are_printed_and_written() {
    let page = run(&["man"]);
    assert_eq!(page.status, Some(0));
    assert!(page.stdout.contains(".TH petite 1"), "{}", page.stdout);
    let page = run(&["man", "explore"]);
    assert!(page.stdout.contains(r"\-\-max\-memory") && page.stdout.contains("petite"), "{}", page.stdout);
    assert_eq!(run(&["man", "frobnicate"]).status, Some(2));

    let scratch = Scratch::new("man-pages");
    let directory = scratch.path().join("deep/man1");
    let written = run(&["man", "--out", &directory.to_string_lossy()]);
    assert_eq!((written.status, written.stdout.as_str()), (Some(0), ""));
    for name in ["petite.1", "petite-explore.1"] {
        assert!(std::fs::metadata(directory.join(name)).unwrap().len() > 100);
    }
    let file = scratch.file("occupied", "");
    let refused = run(&["man", "--out", &file]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("cannot write the manual pages"), "{}", refused.stderr);
}

#[test]
fn wrong_usage_is_explained() {
    for (arguments, expected) in [
        (vec!["explore"], "<MODEL>"),
        (vec!["explore"], "philosophers.lna"),
        (vec!["check", "philosoper.lna"], "did you mean philosophers.lna?"),
        (vec!["explode", "m.lna"], "explore"),
        (vec!["explore", "m.lna", "--max-stats", "5"], "--max-states"),
        (vec!["explore", "m.lna", "--max-states", "many"], "unknown suffix 'many'"),
        (vec!["explore", "m.lna", "--max-memory", "4Q"], "unknown unit 'Q'"),
        (vec!["explore", "m.lna", "--max-time", "soon"], "soon"),
        (vec!["explore", "m.lna", "--param", "N"], "NAME=VALUE"),
        (vec!["explore", "m.lna", "--param", "N=99999999999999999999"], "whole number"),
        (vec!["explore", "m.lna", "--store", "plan"], "plain"),
        (vec!["explore", "m.lna", "--search", "sideways"], "bfs"),
        (vec!["explore", "m.lna", "-q", "-v"], "cannot be used with"),
    ] {
        let run = run(&arguments);
        assert_eq!(run.status, Some(2), "{arguments:?}");
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn wrong_usage_is_told_to_programs_too() {
    let run = run(&["explore", "m.lna", "--json", "--max-states", "many"]);
    assert_eq!(run.status, Some(2));
    let value: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(value["error"]["message"].as_str().unwrap().contains("many"), "{value}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_reader_who_left_is_not() {
    for arguments in [vec!["--help"], vec!["man"], vec!["completions", "bash"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = petite().args(&arguments).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("no space left"), "{arguments:?}: {stderr}");

        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = petite().args(&arguments).stdout(writer).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{arguments:?}");
    }
}
