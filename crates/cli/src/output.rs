//! Writing to the standard streams.
//!
//! Standard output is the product: what cannot be written there is an error, except that a reader who has gone
//! away, as `head` does, wants no more and is no error. Standard error is for people; what cannot be written
//! there is lost.

use std::io::{ErrorKind, Write};

/// Writes a whole text to standard output.
///
/// # Errors
/// With a message when it cannot be written, as on a full disk.
pub fn print(text: &str) -> Result<(), String> {
    settle(write_all(std::io::stdout().lock(), text.as_bytes()))
}

/// What to make of an attempt to write to standard output.
pub fn settle(result: std::io::Result<()>) -> Result<(), String> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {}", reason(&error)))
        }
        _ => Ok(()),
    }
}

/// Writes a text to standard error as far as that is possible.
pub fn complain(text: &str) {
    let _ = write_all(std::io::stderr().lock(), text.as_bytes());
}

/// An error of the system in the words of this program: lower case, without its number.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

fn write_all(mut stream: impl Write, bytes: &[u8]) -> std::io::Result<()> {
    stream.write_all(bytes)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn a_reader_who_left_is_no_error_but_a_full_disk_is() {
        assert_eq!(settle(Ok(())), Ok(()));
        assert_eq!(settle(Err(Error::from(ErrorKind::BrokenPipe))), Ok(()));
        assert!(settle(Err(Error::from(ErrorKind::StorageFull))).unwrap_err().contains("standard output"));
    }

    #[cfg(unix)]
    #[test]
    fn system_errors_lose_their_number() {
        assert_eq!(reason(&Error::from_raw_os_error(2)), "no such file or directory");
    }
}
