//! A file's bytes as memory of the system.
//!
//! The system reads a page of the file when it is touched first, and may drop it again when memory is short: bytes of a
//! file that is larger than memory can be looked at all the same, and several processes share them.
//!
//! Mapped bytes are the file, not a copy of it: whoever writes to the file writes to them, and whoever cuts it takes pages
//! away, after which touching them ends the process (SIGBUS). Four things stand against that.
//!
//! - Whoever writes such files puts a new one in the place of the old one, and never changes a file that is there. The map then
//!   is of the old one, which stays until the map is gone.
//! - A shared lock is held as long as the map. It keeps away all programs that ask for a lock before they write, and on some
//!   systems all others, too.
//! - Pages are private to the process: nothing that it does can reach the file.
//! - [`MappedFile::is_unchanged`] tells whether length and time of the last change are still those of the beginning. An answer
//!   that was computed from a file that changed under way must not be given.
//!
//! What is left is a program that cuts the file in spite of all that; then the process ends without an answer, as it would
//! with a broken disk.

use std::fs::{File, Metadata, TryLockError};
use std::io::{Error, ErrorKind, Result};
use std::time::SystemTime;

use memmap2::{Mmap, MmapOptions};

/// The bytes of a file.
#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
    /// The file, which has the lock.
    file: File,
    stamp: Stamp,
}

/// What changes when a file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl MappedFile {
    /// Maps a whole file that was opened for reading. Where that cannot be done, the file is as it was.
    ///
    /// # Errors
    /// When it is no regular file, when another program has locked it to write to it, or when the system cannot map it.
    pub fn new(file: &File) -> Result<MappedFile> {
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(Error::new(ErrorKind::Unsupported, "only a regular file can be mapped"));
        }
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => {
                return Err(Error::new(
                    ErrorKind::ResourceBusy,
                    "another program has locked it to write to it",
                ));
            }
            // Not all file systems have locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let stamp = Stamp::of(&metadata);
        // SAFETY: the bytes must not change and the file must not become shorter while the map is there. Nothing in this
        // process writes to such a file: its writers replace it as a whole, and the map is private and cannot be written to. The
        // other processes that write to files in place are kept away by the lock if they ask for it. None of this binds a
        // process that does not ask: against that no mapping is safe, and nothing here makes it worse than a wrong number or
        // an end of the process, since the bytes are only ever read as plain numbers whose use is checked (no pointer,
        // no character and no enumeration is made of them without a test), and answers are withheld when the file's
        // stamp has changed.
        let map = unsafe { MmapOptions::new().map_copy_read_only(file)? };
        if map.len() as u64 != stamp.length {
            return Err(Error::new(ErrorKind::ResourceBusy, "its length changed while it was opened"));
        }
        Ok(MappedFile { map, file: file.try_clone()?, stamp })
    }

    /// The bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.map
    }

    /// Whether the file is as it was when it was mapped, as far as its length and the time of its last change tell.
    pub fn is_unchanged(&self) -> bool {
        self.file.metadata().is_ok_and(|metadata| Stamp::of(&metadata) == self.stamp)
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::path::PathBuf;

    use super::*;

    /// A file of its own for a test, which is removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str, content: &[u8]) -> Scratch {
            let path = std::env::temp_dir().join(format!("petite-mapped-{}-{name}", std::process::id()));
            std::fs::write(&path, content).unwrap();
            Scratch(path)
        }

        fn map(&self) -> Result<MappedFile> {
            MappedFile::new(&File::open(&self.0).unwrap())
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn bytes_are_those_of_the_file() {
        for content in [&b""[..], b"a", &[7; 100_000]] {
            let scratch = Scratch::new(&format!("bytes-{}", content.len()), content);
            let mapped = scratch.map().unwrap();
            assert_eq!(mapped.as_bytes(), content);
            assert!(mapped.is_unchanged());
        }
    }

    #[test]
    fn a_replaced_file_stays_as_it_was() {
        let scratch = Scratch::new("replaced", b"old");
        let mapped = scratch.map().unwrap();
        let other = Scratch::new("replacing", b"new and longer");
        std::fs::rename(&other.0, &scratch.0).unwrap();
        assert_eq!((mapped.as_bytes(), mapped.is_unchanged()), (&b"old"[..], true));
        assert_eq!(scratch.map().unwrap().as_bytes(), b"new and longer");
    }

    #[test]
    fn a_change_is_seen() {
        let scratch = Scratch::new("changed", b"old");
        let mapped = scratch.map().unwrap();
        let mut file = OpenOptions::new().append(true).open(&scratch.0).unwrap();
        file.write_all(b" and more").unwrap();
        drop(file);
        assert!(!mapped.is_unchanged());
    }

    #[test]
    fn a_file_locked_for_writing_is_refused() {
        let scratch = Scratch::new("locked", b"under way");
        let writer = OpenOptions::new().write(true).open(&scratch.0).unwrap();
        writer.lock().unwrap();
        assert_eq!(scratch.map().unwrap_err().kind(), ErrorKind::ResourceBusy);
        writer.unlock().unwrap();
        let mapped = scratch.map().unwrap();
        assert!(matches!(writer.try_lock(), Err(TryLockError::WouldBlock)));
        drop(mapped);
        assert!(writer.try_lock().is_ok());
    }

    #[test]
    fn a_folder_is_refused() {
        let folder = File::open(std::env::temp_dir()).unwrap();
        assert_eq!(MappedFile::new(&folder).unwrap_err().kind(), ErrorKind::Unsupported);
    }
}
