//! Opening models: the files, the language by their name, and kind words when they cannot be read.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use petite_lang::Source;

use crate::output::reason;
use crate::problem::Problem;
use crate::units;

/// Larger files are not models. Positions in a source are 32-bit numbers, and decoding can triple its size.
const LARGEST: u64 = 1 << 30;

/// What to say about the files that can be read.
const KNOWN: &str = "petite reads nets in Helena's language from files that end in .lna";

/// A model's sources.
#[derive(Debug)]
pub struct Input {
    /// The model.
    pub model: Source,
    /// The property file beside it, if there is one.
    pub properties: Option<Source>,
}

/// Opens a model and the property file beside it.
///
/// # Errors
/// When a file cannot be read, or clearly is no model.
pub fn open(path: &Path) -> Result<Input, Problem> {
    check_kind(path).map_err(|problem| suggest(path, problem))?;
    check_name(path)?;
    let model = read(path)?;
    let beside = path.with_extension("prop.lna");
    let properties = match fs::metadata(&beside) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        _ => {
            check_kind(&beside)?;
            Some(read(&beside)?)
        }
    };
    Ok(Input { model, properties })
}

/// A path as it is shown.
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn refused(path: &Path, message: impl Into<String>) -> Problem {
    Problem::of_file(shown(path), message)
}

/// Refuses what is no file of a sensible size, before it is opened: opening a pipe would wait for a writer.
fn check_kind(path: &Path) -> Result<(), Problem> {
    let metadata = fs::metadata(path)
        .map_err(|error| refused(path, format!("cannot read the file: {}", reason(&error))))?;
    if metadata.is_dir() {
        return Err(refused(path, "this is a directory, expected a model").help(KNOWN));
    }
    if !metadata.is_file() {
        let help = "save the model in a file first: it may have to be read twice";
        return Err(refused(path, "this is not a regular file, expected a model").help(help));
    }
    if metadata.len() > LARGEST {
        let (size, limit) = (units::size(metadata.len()), units::size(LARGEST));
        return Err(refused(path, format!("the file has {size}, a model has at most {limit}")));
    }
    Ok(())
}

fn check_name(path: &Path) -> Result<(), Problem> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    if let Some(stem) = name.strip_suffix(".prop.lna") {
        let help = format!("give the model, {stem}.lna: its property file is read with it");
        return Err(refused(path, "this is a property file, expected a model").help(help));
    }
    match path.extension().map(|extension| extension.to_string_lossy()) {
        Some(extension) if extension.eq_ignore_ascii_case("lna") => Ok(()),
        Some(extension) => {
            Err(refused(path, format!("unknown kind of model: the file's name ends in .{extension}"))
                .help(KNOWN))
        }
        None => Err(refused(path, "unknown kind of model: the file's name has no extension").help(KNOWN)),
    }
}

/// Adds the name that was probably meant, where such a file exists.
fn suggest(path: &Path, problem: Problem) -> Problem {
    if path.exists() || path.as_os_str().is_empty() {
        return problem;
    }
    let mut longer = path.as_os_str().to_owned();
    longer.push(".lna");
    let meant = [PathBuf::from(longer), path.with_extension("lna")].into_iter().find(|other| other.is_file());
    match meant {
        Some(other) => problem.help(format!("did you mean {}?", shown(&other))),
        None => problem,
    }
}

fn read(path: &Path) -> Result<Source, Problem> {
    let cannot = |error| refused(path, format!("cannot read the file: {}", reason(&error)));
    let mut bytes = Vec::new();
    // The file may have grown since it was measured.
    File::open(path).map_err(cannot)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > LARGEST {
        return Err(refused(path, format!("a model has at most {}", units::size(LARGEST))));
    }
    if bytes.contains(&0) {
        return Err(refused(path, "this looks like a binary file, expected a model in text").help(KNOWN));
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        // A comment in another encoding does no harm, and elsewhere the reader points at the odd character.
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    });
    Ok(Source { path: shown(path), text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Place;

    /// A directory of its own for one test, removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("petite-input-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        fn file(&self, name: &str, contents: &[u8]) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, contents).unwrap();
            path
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn message(path: &Path) -> String {
        let problem = open(path).unwrap_err();
        assert_eq!(problem.place, Place::File(shown(path)));
        format!("{} / {}", problem.message, problem.help.unwrap_or_default())
    }

    #[test]
    fn a_model_comes_with_its_property_file() {
        let scratch = Scratch::new("pair");
        let path = scratch.file("a.lna", b"net {}");
        let input = open(&path).unwrap();
        assert_eq!((input.model.text.as_str(), input.properties.is_none()), ("net {}", true));
        scratch.file("a.prop.lna", b"property");
        assert_eq!(open(&path).unwrap().properties.unwrap().text, "property");
    }

    #[test]
    fn other_encodings_are_read() {
        let scratch = Scratch::new("latin");
        let path = scratch.file("a.LNA", b"// caf\xe9\nnet {}");
        assert_eq!(open(&path).unwrap().model.text, "// caf\u{fffd}\nnet {}");
    }

    #[test]
    fn what_is_no_model_is_refused_with_advice() {
        let scratch = Scratch::new("bad");
        assert!(message(&scratch.0.join("no.lna")).contains("no such file"));
        assert!(message(&scratch.0).contains("directory"));
        assert!(message(&scratch.file("a.txt", b"x")).contains("ends in .txt"));
        assert!(message(&scratch.file("plain", b"x")).contains("no extension"));
        assert!(message(&scratch.file("a.prop.lna", b"x")).contains("give the model, a.lna"));
        assert!(message(&scratch.file("b.lna", b"net \0 {}")).contains("binary file"));
        scratch.file("c.lna", b"net {}");
        assert!(message(&scratch.0.join("c")).contains("did you mean"));
        assert!(message(&scratch.0.join("c.lma")).contains("c.lna?"));
    }

    #[test]
    fn huge_files_are_refused_unread() {
        let scratch = Scratch::new("huge");
        let path = scratch.file("a.lna", b"");
        File::options().write(true).open(&path).unwrap().set_len(LARGEST + 1).unwrap();
        assert!(message(&path).contains("at most 1.0 GiB"));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_refused() {
        assert!(message(Path::new("/dev/zero")).contains("not a regular file"));
    }
}
