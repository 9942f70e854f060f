//! Where the bytes of a graph are.

use std::ops::Deref;

use petite_bits::MappedFile;

/// The bytes of a graph: in memory, where it was built, or in a file that is mapped.
#[derive(Debug)]
pub enum GraphBytes {
    /// In memory.
    Owned(Vec<u8>),
    /// In a file.
    Mapped(MappedFile),
}

impl Deref for GraphBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            GraphBytes::Owned(bytes) => bytes,
            GraphBytes::Mapped(file) => file.as_bytes(),
        }
    }
}

impl From<Vec<u8>> for GraphBytes {
    fn from(bytes: Vec<u8>) -> GraphBytes {
        GraphBytes::Owned(bytes)
    }
}

impl From<MappedFile> for GraphBytes {
    fn from(file: MappedFile) -> GraphBytes {
        GraphBytes::Mapped(file)
    }
}
