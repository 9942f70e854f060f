//! Where a thing stands in its source text.

/// A stretch of source text: bytes `start..end` of file number `file`.
///
/// The reader that made the net numbers its files and can turn a span back into path, line and column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Number of the file in the reader's list of sources.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; they must be of one file.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A name with the place where it was given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Where it was declared.
    pub span: Span,
}

impl Name {
    /// A name that stands nowhere in a source, for predefined things.
    pub fn predefined(text: &str) -> Name {
        Name { text: text.to_owned(), span: Span::default() }
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
