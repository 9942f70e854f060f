//! Nets in Maria's language from outside: errors that leave instances out, errors that end the search, and files.

use serde_json::Value;

use crate::common::{Scratch, run};

const COUNTER: &str = "typedef unsigned (0..3) c;\nplace p (1) c: 0;\n";

#[test]
fn instances_with_errors_are_left_out_and_told() {
    let scratch = Scratch::new("maria-left-out");
    let net = format!(
        "{COUNTER}trans up in {{ place p: n; }} out {{ place p: is c (n + 1); }};\n\
         trans div in {{ place p: n; }} out {{ place p: is c (3 / n); }} gate n > 0 || undefined;\n"
    );
    let path = scratch.file("m.pn", net);
    for engine in ["unfolded", "binding"] {
        let found = run(&["explore", "--json", "--engine", engine, &path]);
        assert_eq!(found.status, Some(0), "{}", found.stderr);
        let json: Value = serde_json::from_str(&found.stdout).expect("an object");
        // 0 to 3 by counting up; dividing 3 by 1, 2 and 3.
        assert_eq!((&json["states"], &json["edges"]), (&4.into(), &6.into()));
        assert_eq!(json["instances_left_out"], 2);
        assert!(found.stderr.contains("was left out of the state space"), "{}", found.stderr);
        assert!(found.stderr.contains("when firing"), "{}", found.stderr);
    }
}

#[test]
fn graver_errors_end_the_search() {
    let scratch = Scratch::new("maria-grave");
    for (name, rest, messages) in [
        (
            "fatal",
            "trans up in { place p: n; } out { place p: +n; };\ntrans never in { place p: n; } gate fatal gate n == 3;",
            &["the model says that this is fatal", "when firing never(n = 3)", "p: 3"][..],
        ),
        (
            "implied",
            "place q c: (c x: x) minus place p;\n\
             trans ok in { place p: 0; place q: 1; } out { place p: 1; place q: 0; };\n\
             trans bad in { place p: 1; place q: 3; } out { place p: 3; };",
            &[
                "place q is declared implied but holds 0 + 2 where its expression gives 0 + 1 + 2",
                "ok\n",
                "bad\n",
            ],
        ),
        (
            "constant",
            "place k c const: 0, 1;\ntrans t in { place k: x; } out { place k: +x; };",
            &["place k is declared constant but would change", "when firing t(x = "],
        ),
        (
            "capacity",
            "place k (0, 2) bool: 2#true;\ntrans t in { place k: x; };",
            &["capacity exceeded in place k", "when firing t(x = true)"],
        ),
    ] {
        let path = scratch.file(&format!("{name}.pn"), format!("{COUNTER}{rest}\n"));
        for engine in ["unfolded", "binding"] {
            let found = run(&["explore", "--search", "dfs", "--engine", engine, &path]);
            assert_eq!(found.status, Some(2), "{name}: {}", found.stderr);
            for message in messages {
                assert!(found.stderr.contains(message), "{name}, {message}: {}", found.stderr);
            }
        }
    }
}

#[test]
fn files_and_encodings() {
    let scratch = Scratch::new("maria-files");
    scratch.file("types.pn", b"// \xe4\ntypedef bool t;\n");
    let path = scratch.file("m.pn", b"#include \"types.pn\"\n// M\xe4kel\xe4\nplace p t: true;\n");
    assert_eq!(run(&["explore", "-q", &path]).stdout, "1 0 1\n");
    scratch.file("types.pn", "typedef boole t;\n");
    let refused = run(&["explore", "-q", &path]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("types.pn:1:9"), "{}", refused.stderr);
}

#[test]
fn gates_are_tested_early() {
    // Without that, all ways to place ten queens would be tried.
    let scratch = Scratch::new("maria-queens");
    let net = "typedef int (1..10) q_t; place free (0, #q_t) q_t: q_t q: q;\n\
               trans solve in { place free: q_t q: .c; } gate q_t a && q_t b (a < b) &&\n\
               (is int .c a - is int .c b != a - b && is int .c a - is int .c b != b - a);\n";
    let path = scratch.file("queens.pn", net);
    for engine in ["unfolded", "binding"] {
        assert_eq!(run(&["explore", "-q", "--engine", engine, &path]).stdout, "2 724 1\n");
    }
}
