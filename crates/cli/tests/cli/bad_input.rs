//! Bad input: every case ends with a message that helps, status 2, and never a panic.

use crate::common::{Run, Scratch, run};
use serde_json::Value;

/// A model with one transition from and to a place of small numbers.
fn one_transition(body: &str) -> String {
    format!(
        "net (N := 3) {{\n  type small : range 0 .. N;\n  place p {{ dom: small; init: <( 0 )>; }}\n  {body}\n}}\n"
    )
}

/// Runs a model that is wrong and checks what holds for all of them.
fn refused(arguments: &[&str]) -> Run {
    let refused = run(&[&["explore"], arguments].concat());
    let told = &refused.stderr;
    assert_eq!(refused.status, Some(2), "{arguments:?}: {told} {}", refused.stdout);
    assert!(told.starts_with("error: "), "{arguments:?}: {told}");
    assert!(!told.contains("panicked") && !told.contains("has failed"), "{arguments:?}: {told}");
    refused
}

#[test]
fn files_that_are_no_models() {
    let scratch = Scratch::new("no-models");
    let garbage: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 | 1).collect();
    for (path, expected) in [
        (scratch.path().join("missing.lna").to_string_lossy().into_owned(), "no such file"),
        (scratch.path().to_string_lossy().into_owned(), "directory"),
        (scratch.file("model.txt", "net {}"), ".lna"),
        (scratch.file("model", "net {}"), ".lna"),
        (scratch.file("binary.lna", b"\x7fELF\x00\x00\x01"), "binary file"),
        (scratch.file("a.prop.lna", "state property p: reject deadlock;"), "a.lna"),
        (scratch.file("empty.lna", ""), "empty.lna:1:1"),
        (scratch.file("blank.lna", "\n\n  // nothing\n"), "blank.lna:"),
        (scratch.file("garbage.lna", garbage), "garbage.lna:"),
        (scratch.file("latin.lna", b"n\xe9t { }"), "latin.lna:1:"),
        (scratch.file("deep.lna", one_transition(&"(".repeat(200_000))), "deep.lna:"),
        (
            scratch
                .file("nested.lna", guarded(&format!("{}1{} = 1", "(".repeat(100_000), ")".repeat(100_000)))),
            "nested.lna:",
        ),
    ] {
        let refused = refused(&[&path]);
        assert!(refused.stderr.contains(expected), "{path}: {}", refused.stderr);
        assert_eq!(refused.stdout, "", "{path}");
        assert!(refused.stderr.lines().all(|line| line.chars().count() < 200), "{path}: {}", refused.stderr);
    }
}

fn guarded(guard: &str) -> String {
    one_transition(&format!("transition t {{ in {{ p: <( x )>; }} out {{ p: <( x )>; }} guard: {guard}; }}"))
}

fn producing(token: &str) -> String {
    one_transition(&format!("transition t {{ in {{ p: <( x )>; }} out {{ p: <( {token} )>; }} }}"))
}

#[test]
fn errors_in_the_text_show_their_line() {
    let scratch = Scratch::new("text-errors");
    for (name, text, line) in [
        ("syntax", one_transition("transition { }"), 4),
        ("unknown_name", guarded("y = 0"), 4),
        ("unknown_type", one_transition("place q { dom: large; }"), 4),
        ("arity", one_transition("transition t { in { p: <( x, y )>; } out { } }"), 4),
        ("not_evaluable", one_transition("transition t { in { } out { p: <( x )>; } }"), 4),
        ("type_error", guarded("x + 1"), 4),
        ("import", one_transition("import function f (small x) -> small;"), 4),
        ("unfinished", "net {\n  place p {".to_owned(), 2),
    ] {
        let path = scratch.file(&format!("{name}.lna"), &text);
        let refused = refused(&[&path]);
        let place = format!("{path}:{line}:");
        assert!(refused.stderr.contains(&place), "{name}: {}", refused.stderr);
        let source_line = text.lines().nth(line - 1).unwrap();
        assert!(refused.stderr.contains(source_line), "{name}: {}", refused.stderr);
        assert!(!refused.stderr.contains('\u{1b}'), "{name}: {}", refused.stderr);

        let json = run(&["explore", "--json", &path]);
        assert_eq!(json.status, Some(2), "{name}");
        let value: Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!(value["error"]["file"], path.as_str(), "{name}: {value}");
        assert_eq!(value["error"]["line"], line, "{name}: {value}");
        assert!(value["error"]["column"].as_u64() > Some(0), "{name}: {value}");
    }
}

#[test]
fn errors_met_during_the_search_keep_what_was_found() {
    let scratch = Scratch::new("run-errors");
    for (name, text, expected) in [
        ("range", producing("x + 1"), "4"),
        ("division", producing("1 / (1 - x)"), "division by zero"),
        (
            "capacity",
            one_transition("place q { dom: epsilon; }\n transition t { in { } out { q: epsilon; } }"),
            "capacity",
        ),
        (
            "recursion",
            one_transition(
                "function f (small x) -> small return f(x);\n\
                 transition t { in { p: <( x )>; } out { p: <( f(x) )>; } }",
            ),
            "recursion",
        ),
    ] {
        let path = scratch.file(&format!("{name}.lna"), &text);
        for engine in ["auto", "unfolded", "binding"] {
            for search in ["bfs", "dfs"] {
                let flags = [path.as_str(), "--engine", engine, "--search", search];
                let stopped = refused(&flags);
                assert!(stopped.stderr.contains(expected), "{flags:?}: {}", stopped.stderr);
                assert!(stopped.stderr.contains(&format!("{path}:")), "{flags:?}: {}", stopped.stderr);
                let json = run(&[&["explore", "--json"], &flags[..]].concat());
                assert_eq!(json.status, Some(2), "{flags:?}");
                let value: Value = serde_json::from_str(&json.stdout).unwrap();
                assert!(value["error"]["message"].as_str().unwrap().contains(expected), "{flags:?}: {value}");
                assert!(value["error"]["line"].as_u64() >= Some(4), "{flags:?}: {value}");
            }
        }
    }
    let path = scratch.file("partial.lna", producing("x + 1"));
    let stopped = refused(&[&path]);
    assert!(stopped.stdout.contains("(partial: ended by an error of the model)"), "{}", stopped.stdout);
    let json = run(&["explore", "--json", &path]);
    let value: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        (&value["stopped"], &value["complete"], &value["states"]),
        (&"error".into(), &false.into(), &4.into())
    );
}

#[test]
fn wrong_parameters_are_named() {
    let scratch = Scratch::new("params");
    let path = scratch.file("model.lna", guarded("x = 0"));
    let refused_param = refused(&[&path, "--param", "M=4"]);
    assert!(refused_param.stderr.contains('M'), "{}", refused_param.stderr);
    refused(&[&path, "--param", "N=-5"]);
    refused(&[&path, "--param", "N"]);
    assert_eq!(run(&["explore", &path, "--param", "N=5", "-q"]).status, Some(0));
}

#[test]
fn the_property_file_is_read_too() {
    let scratch = Scratch::new("property-file");
    let path = scratch.file("model.lna", guarded("x = 0"));
    let properties = scratch.file("model.prop.lna", "state property p:\n  reject nonsense;\n");
    let stopped = refused(&[&path]);
    assert!(stopped.stderr.contains(&format!("{properties}:2:10")), "{}", stopped.stderr);
    scratch.file("model.prop.lna", "state property p:\n  reject deadlock;\n");
    assert_eq!(run(&["explore", &path, "-q"]).status, Some(0));
}

#[test]
fn a_hundred_megabytes_of_garbage_are_refused_quickly() {
    let scratch = Scratch::new("huge-garbage");
    let path = scratch.file("huge.lna", "x ( y [ 3 < ".repeat(100_000_000 / 12));
    let refused = refused(&[&path]);
    assert!(refused.stderr.contains("huge.lna:1:"), "{}", refused.stderr);
    assert!(refused.stderr.len() < 50_000);
}

#[cfg(unix)]
#[test]
fn unreadable_files_and_pipes_are_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::new("unreadable");
    let path = scratch.file("secret.lna", guarded("x = 0"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read it all the same.
    if std::fs::read(&path).is_err() {
        assert!(refused(&[&path]).stderr.contains("permission denied"));
    }
    let pipe = scratch.path().join("pipe.lna").to_string_lossy().into_owned();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    assert!(refused(&[&pipe]).stderr.contains("not a regular file"));
}
