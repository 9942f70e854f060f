//! Running the command and looking at what it did.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the command left behind.
pub struct Run {
    /// The exit status; none if a signal ended it.
    pub status: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// The command, with nothing from the outside that changes its output.
pub fn petite() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_petite"));
    command.env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

/// Runs the command to its end.
pub fn run<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Run {
    let output = petite().args(arguments).output().expect("the command starts");
    Run {
        status: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A place/transition net in PNML: places with their tokens, and arcs with a weight; a negative weight is an
/// inhibitor arc.
pub fn pnml(places: &[(&str, u32)], transitions: &[&str], arcs: &[(&str, &str, i32)]) -> String {
    let mut body = String::new();
    for (place, tokens) in places {
        body +=
            &format!("<place id='{place}'><initialMarking><text>{tokens}</text></initialMarking></place>\n");
    }
    for transition in transitions {
        body += &format!("<transition id='{transition}'/>\n");
    }
    for (i, (source, target, weight)) in arcs.iter().enumerate() {
        let kind = if *weight < 0 { " type='inhibitor'" } else { "" };
        let weight = weight.abs();
        body += &format!(
            "<arc id='a{i}' source='{source}' target='{target}'{kind}><inscription><text>{weight}</text></inscription></arc>\n"
        );
    }
    format!(
        "<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'>\n\
         <net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>\n{body}</page></net></pnml>"
    )
}

/// A directory of its own for one test, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// An empty directory; the name must be the test's alone.
    pub fn new(name: &str) -> Scratch {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a directory for the test");
        Scratch(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, contents).expect("a file for the test");
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
