//! Opening models: the files, the language by their name, and kind words when they cannot be read.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use petite_lang::{Source, pnml};

use crate::output::reason;
use crate::problem::Problem;
use crate::{shipped, units};

/// Larger files are not models. Positions in a source are 32-bit numbers, and decoding can triple its size.
const LARGEST: u64 = 1 << 30;

/// What to say about the files that can be read.
const KNOWN: &str = "petite reads nets in Helena's language (.lna), in Maria's (.pn) and in PNML (.pnml)";

/// The language of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Helena's, with a property file beside the model.
    Helena,
    /// Maria's, with files that the model includes.
    Maria,
    /// PNML.
    Pnml,
}

impl Language {
    const ALL: [Language; 3] = [Language::Helena, Language::Maria, Language::Pnml];

    /// The extension of its files.
    fn extension(self) -> &'static str {
        match self {
            Language::Helena => "lna",
            Language::Maria => "pn",
            Language::Pnml => "pnml",
        }
    }
}

/// A model's sources.
#[derive(Debug)]
pub struct Input {
    /// The language, by the file's name.
    pub language: Language,
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
    if let (false, Some(text)) = (path.exists(), shipped::text(path)) {
        let source = |path: &Path, text: &str| Source { path: shown(path), text: text.to_owned() };
        let beside = path.with_extension("prop.lna");
        return Ok(Input {
            language: language_of(path)?,
            model: source(path, text),
            properties: shipped::text(&beside).map(|text| source(&beside, text)),
        });
    }
    check_kind(path).map_err(|problem| suggest(path, problem))?;
    let language = language_of(path)?;
    let model = read(path, language)?;
    let beside = path.with_extension("prop.lna");
    let properties = match fs::metadata(&beside) {
        _ if language != Language::Helena => None,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        _ => {
            check_kind(&beside)?;
            Some(read(&beside, language)?)
        }
    };
    Ok(Input { language, model, properties })
}

/// Opens a file that a model in Maria's language includes.
///
/// # Errors
/// The reason why it cannot be read.
pub fn included(path: &str, from: &str) -> Result<Source, String> {
    let beside = Path::new(from).parent().map_or_else(|| PathBuf::from(path), |folder| folder.join(path));
    let source = check_kind(&beside).and_then(|()| read(&beside, Language::Maria));
    source.map_err(|problem| problem.message)
}

/// Opens a file of formulas or a trace; `expected` says which.
///
/// # Errors
/// When it cannot be read, or is no text.
pub fn text(path: &Path, expected: &str) -> Result<Source, Problem> {
    let cannot = |error| refused(path, format!("cannot read the file: {}", reason(&error)));
    let metadata = fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err(refused(path, format!("this is not a regular file, expected {expected}")));
    }
    if metadata.len() > LARGEST {
        let (size, limit) = (units::size(metadata.len()), units::size(LARGEST));
        return Err(refused(path, format!("the file has {size}, at most {limit} are read")));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(cannot)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<') {
        // XML says itself how it is encoded.
        let text = pnml::decode(bytes).map_err(|diagnostic| refused(path, diagnostic.message))?;
        return Ok(Source { path: shown(path), text });
    }
    if bytes.contains(&0) {
        return Err(refused(path, format!("this looks like a binary file, expected {expected} in text")));
    }
    Ok(Source { path: shown(path), text: String::from_utf8_lossy(&bytes).into_owned() })
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

fn language_of(path: &Path) -> Result<Language, Problem> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    if let Some(stem) = name.strip_suffix(".prop.lna") {
        let help = format!("give the model, {stem}.lna: its property file is read with it");
        return Err(refused(path, "this is a property file, expected a model").help(help));
    }
    let Some(extension) = path.extension().map(|extension| extension.to_string_lossy()) else {
        return Err(refused(path, "unknown kind of model: the file's name has no extension").help(KNOWN));
    };
    let is_it = |language: &Language| extension.eq_ignore_ascii_case(language.extension());
    Language::ALL.into_iter().find(is_it).ok_or_else(|| {
        refused(path, format!("unknown kind of model: the file's name ends in .{extension}")).help(KNOWN)
    })
}

/// Adds the name that was probably meant, where such a file exists.
fn suggest(path: &Path, problem: Problem) -> Problem {
    if path.exists() || path.as_os_str().is_empty() {
        return problem;
    }
    let candidates = Language::ALL.into_iter().flat_map(|language| {
        let mut longer = path.as_os_str().to_owned();
        longer.push(format!(".{}", language.extension()));
        [PathBuf::from(longer), path.with_extension(language.extension())]
    });
    match candidates.into_iter().find(|other| other.is_file()) {
        Some(other) => problem.help(format!("did you mean {}?", shown(&other))),
        None => match similar(path).or_else(|| shipped::nearest(path).map(str::to_owned)) {
            Some(name) => problem.help(format!("did you mean {name}?")),
            None => problem.help("petite explore without a model lists those that come with petite"),
        },
    }
}

/// A model in the same folder whose name differs by a letter or two.
fn similar(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let near = |entry: PathBuf| {
        let other = entry.file_name()?.to_string_lossy().into_owned();
        let is_model = language_of(&entry).is_ok() && entry.is_file();
        let letters = shipped::distance(&name, &other.to_lowercase());
        (is_model && letters <= 2).then(|| (letters, path.with_file_name(other)))
    };
    // A folder with very many files is not searched to its end.
    let entries = fs::read_dir(folder).ok()?.flatten().take(10_000);
    entries.filter_map(|entry| near(entry.path())).min().map(|(_, path)| shown(&path))
}

fn read(path: &Path, language: Language) -> Result<Source, Problem> {
    let cannot = |error| refused(path, format!("cannot read the file: {}", reason(&error)));
    let mut bytes = Vec::new();
    // The file may have grown since it was measured.
    File::open(path).map_err(cannot)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > LARGEST {
        return Err(refused(path, format!("a model has at most {}", units::size(LARGEST))));
    }
    if language == Language::Pnml {
        // XML says itself how it is encoded.
        let text = pnml::decode(bytes).map_err(|diagnostic| refused(path, diagnostic.message))?;
        return Ok(Source { path: shown(path), text });
    }
    if bytes.contains(&0) {
        return Err(refused(path, "this looks like a binary file, expected a model in text").help(KNOWN));
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        if language == Language::Maria {
            // Such nets come from a time when a character was a byte of ISO 8859-1.
            return error.as_bytes().iter().map(|&byte| char::from(byte)).collect();
        }
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
    fn the_name_tells_the_language() {
        let scratch = Scratch::new("language");
        assert_eq!(open(&scratch.file("a.lna", b"x")).unwrap().language, Language::Helena);
        scratch.file("a.prop.lna", b"x");
        let pnml = open(&scratch.file("a.PNML", b"<?xml version='1.0' encoding='ISO-8859-1'?>\xe9")).unwrap();
        assert_eq!((pnml.language, pnml.properties.is_none()), (Language::Pnml, true));
        assert!(pnml.model.text.ends_with('\u{e9}'), "{}", pnml.model.text);
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
