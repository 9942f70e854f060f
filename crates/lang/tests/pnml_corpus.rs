//! Reads the PNML models of a folder outside the repository, where there is one: set `PETITE_CORPUS` to it.

use std::path::{Path, PathBuf};

use petite_lang::{ReadOptions, Source, pnml};

fn models() -> Vec<PathBuf> {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return Vec::new() };
    let mut models = Vec::new();
    for kind in ["pnml-pt", "pnml-col", "pnml-tapaal"] {
        for folder in std::fs::read_dir(Path::new(&corpus).join(kind)).into_iter().flatten().flatten() {
            models.push(folder.path().join("model.pnml"));
        }
    }
    models.sort();
    models
}

#[test]
fn every_model_of_the_corpus_is_read() {
    let mut refused = Vec::new();
    for path in models() {
        let text = pnml::decode(std::fs::read(&path).unwrap()).unwrap();
        let source = Source::new(path.display().to_string(), text);
        if let Err(diagnostics) = pnml::read(&source, &ReadOptions::default()) {
            for diagnostic in diagnostics {
                let at = source.position(diagnostic.span.start);
                let (path, message) = (&source.path, &diagnostic.message);
                refused.push(format!("{path}:{}:{}: {message}\n  {}", at.line, at.column, at.text));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
