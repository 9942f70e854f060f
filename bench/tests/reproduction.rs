//! The committed page is what a run gives: whatever is counted in docs/reproduction.md is counted again for the small sizes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn check(page: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_petite-bench"));
    command.args(["papers", "check"]).arg(page).output().unwrap()
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reproduction.md")
}

#[test]
fn the_page_of_the_papers_is_what_a_run_gives() {
    let output = check(&page());
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    let n_rows: usize = said.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap();
    assert!(n_rows > 150, "only {said}");
}

#[test]
fn a_page_that_says_otherwise_is_found() {
    let text = std::fs::read_to_string(page()).unwrap();
    // The bytes of the data base net with six sites, which are the paper's, and its states.
    let altered = text.replace("46,109", "46,110").replace("1,459", "1,460");
    assert_ne!(text, altered);
    let path = std::env::temp_dir().join(format!("petite-reproduction-{}.md", std::process::id()));
    std::fs::write(&path, altered).unwrap();
    let output = check(&path);
    std::fs::remove_file(&path).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("the page has 46,110, a run gave 46,109"), "{errors}");
}
