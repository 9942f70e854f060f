//! Writing a product into a file or to standard output, whole or not at all.
//!
//! A file is written beside its final place under another name and then renamed, so nobody ever sees half of it,
//! and what was there before stays if something goes wrong.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use crate::input::shown;
use crate::output::reason;
use crate::problem::Problem;

/// Names tried for the file that is written first.
const ATTEMPTS: u32 = 100;

/// Writes to a file, or to standard output where there is none.
///
/// # Errors
/// When it cannot be written, also when the reader at the other end of a pipe is gone: half a model is none.
pub fn deliver(
    path: Option<&Path>,
    write: &mut dyn FnMut(&mut dyn Write) -> Result<()>,
) -> std::result::Result<(), Problem> {
    match path {
        None => through_buffer(std::io::stdout().lock(), write)
            .map(drop)
            .map_err(|error| Problem::plain(format!("cannot write to standard output: {}", reason(&error)))),
        Some(path) => to_file(path, write).map_err(|error| {
            Problem::of_file(shown(path), format!("cannot write the file: {}", reason(&error)))
        }),
    }
}

fn through_buffer<W: Write>(sink: W, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<W> {
    let mut buffer = BufWriter::with_capacity(1 << 16, sink);
    let written = write(&mut buffer).and_then(|()| buffer.flush());
    // Dropping the buffer would try to write once more what could not be written.
    let (sink, _) = buffer.into_parts();
    written.map(|()| sink)
}

fn to_file(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    // A link stays a link: what it leads to is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(path) {
        // Devices and pipes cannot be replaced, only written to.
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
            return through_buffer(OpenOptions::new().write(true).open(path)?, write).map(drop);
        }
        Ok(metadata) if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        _ => {}
    }
    let (file, beside) = create_beside(path)?;
    let written = through_buffer(file, write).and_then(|file| file.sync_all());
    let renamed = written.and_then(|()| fs::rename(&beside, path));
    if renamed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    renamed
}

/// A new file in the same directory.
fn create_beside(path: &Path) -> Result<(File, PathBuf)> {
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
    let mut outcome = Err(ErrorKind::AlreadyExists.into());
    for attempt in 0..ATTEMPTS {
        let mut beside = std::ffi::OsString::from(".");
        beside.push(name);
        beside.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let beside = path.with_file_name(beside);
        outcome = OpenOptions::new().write(true).create_new(true).open(&beside).map(|file| (file, beside));
        match &outcome {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            _ => break,
        }
    }
    outcome
}
