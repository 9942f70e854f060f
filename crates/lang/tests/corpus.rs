//! Reads the models of a folder outside the repository, where there is one: set `PETITE_CORPUS` to it.

use std::path::{Path, PathBuf};

use petite_lang::{Diagnostic, ReadOptions, Source, helena};
use petite_net::Net;

fn source(path: &Path) -> Option<Source> {
    let bytes = std::fs::read(path).ok()?;
    Some(Source::new(path.display().to_string(), String::from_utf8_lossy(&bytes)))
}

fn read(model: &Path, params: &[(&str, i64)], defines: &[&str]) -> Result<Net, Vec<Diagnostic>> {
    let options = ReadOptions {
        params: params.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
        defines: defines.iter().map(|&symbol| symbol.to_owned()).collect(),
        default_capacity: None,
    };
    let properties = source(&model.with_extension("prop.lna"));
    helena::read(&source(model).expect("a readable model"), properties.as_ref(), &options)
}

fn models() -> Vec<PathBuf> {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return Vec::new() };
    let mut models = Vec::new();
    for folder in std::fs::read_dir(Path::new(&corpus).join("lna")).into_iter().flatten().flatten() {
        for file in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.ends_with(".lna") && !name.ends_with(".prop.lna") {
                models.push(file.path());
            }
        }
    }
    models.sort();
    models
}

#[test]
fn every_model_of_the_corpus_is_read() {
    let mut wrong = Vec::new();
    for path in models() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match (name.as_str(), read(&path, &[], &[])) {
            ("sort", Err(diagnostics)) => {
                assert_eq!(diagnostics.len(), 3);
                assert_eq!(diagnostics[0].message, "the imported function initList cannot be run");
            }
            ("sort", Ok(_)) => wrong.push("sort: was read".to_owned()),
            (_, Ok(net)) => assert_eq!(net.name.text, name),
            (_, Err(diagnostics)) => {
                for diagnostic in diagnostics {
                    let at = source(&path).unwrap();
                    let at = at.position(diagnostic.span.start);
                    wrong.push(format!(
                        "{name}:{}:{}: {}\n  {}",
                        at.line, at.column, diagnostic.message, at.text
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn parameters_and_symbols_reach_everything() {
    let find =
        |name: &str| models().into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == name));
    let Some(dining) = find("dining") else { return };
    for n in [2, 3, 7] {
        let net = read(&dining, &[("N", n)], &[]).unwrap();
        let place = |name: &str| net.places.iter().find(|place| place.name.text == name).unwrap();
        assert_eq!(place("forks").initial.n_distinct() as i64, n);
        assert_eq!(place("chairs").initial.total() as i64, n - 1);
        assert_eq!(place("chairs").capacity.per_token, Some(n as u32 - 1));
        assert_eq!(net.params[0].1, n);
        assert_eq!(net.properties.len(), 2);
    }
    let wrong = read(&dining, &[("M", 3)], &[]).unwrap_err();
    assert_eq!(wrong[0].message, "net dining has no parameter M");
    assert_eq!(wrong[0].help.as_deref(), Some("its only parameter is N"));

    let dbm = find("dbm").unwrap();
    assert_eq!(read(&dbm, &[], &[]).unwrap().places.len(), 7);
    let unused = read(&dbm, &[("N", 4)], &["UNUSED"]).unwrap();
    assert_eq!(unused.places.len(), 8);
    assert!(unused.places.iter().any(|place| place.name.text == "unused" && place.initial.total() == 12));

    let telephony = find("telephony").unwrap();
    for defines in [&["FORWARD"][..], &["BACK"], &["FORWARD", "BACK", "ERROR"]] {
        assert!(read(&telephony, &[("N", 3)], defines).is_ok(), "{defines:?}");
    }
}
