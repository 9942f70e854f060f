//! What the command knows of itself and brings along: the commit it was built from, and the models of this repository.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=PETITE_COMMIT");
    println!("cargo:rustc-env=PETITE_COMMIT={}", commit());
    println!("cargo:rustc-env=PETITE_TARGET={}", env::var("TARGET").unwrap_or_default());
    let models = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../models");
    println!("cargo:rerun-if-changed={}", models.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("shipped_models.rs");
    fs::write(out, table(&models)).expect("the folder for generated code can be written");
}

/// The commit, or that it is not known. Builds for testing do without: they would have to be made again after each commit.
fn commit() -> String {
    if let Ok(commit) = env::var("PETITE_COMMIT") {
        return commit;
    }
    if env::var("PROFILE").as_deref() != Ok("release") {
        return "a build for testing".to_owned();
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    for name in ["HEAD", "index"] {
        let path = git(&["rev-parse", "--git-path", name]);
        path.iter().for_each(|path| println!("cargo:rerun-if-changed={path}"));
    }
    let commit = git(&["rev-parse", "--short=10", "HEAD"]);
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|text| !text.is_empty());
    let date = git(&["log", "-1", "--format=%cs"]).unwrap_or_default();
    match commit {
        Some(commit) if changed => format!("commit {commit} of {date}, with changes"),
        Some(commit) => format!("commit {commit} of {date}"),
        None => "unknown commit".to_owned(),
    }
}

/// The names and texts of all models, as a table in Rust. It is empty where there is no such folder.
fn table(folder: &Path) -> String {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "lna" || extension == "pn"));
    files.sort();
    let mut text = "&[\n".to_owned();
    for path in files.iter().filter_map(|path| path.canonicalize().ok()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let _ = writeln!(text, "    ({name:?}, include_str!({:?})),", path.to_string_lossy());
    }
    text.push_str("]\n");
    text
}
