//! Source texts and positions in them.

/// A text to read, with the path that messages show for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Where the text comes from.
    pub path: String,
    /// The text, already decoded.
    pub text: String,
}

/// A position as people count: lines and columns from one, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<'s> {
    /// Number of the line.
    pub line: usize,
    /// Number of the character in the line.
    pub column: usize,
    /// The line itself, without its end.
    pub text: &'s str,
}

impl Source {
    /// A source from its path and text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    /// Line, column and line text of a byte offset. Offsets past the end count as the end, those inside a
    /// character as its start.
    pub fn position(&self, offset: u32) -> Position<'_> {
        let mut offset = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let end = self.text[offset..].find('\n').map_or(self.text.len(), |length| offset + length);
        Position {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: self.text[start..offset].chars().count() + 1,
            text: self.text[start..end].trim_end_matches('\r'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let source = Source::new("m", "one\r\nzwö é x\n");
        let at = |offset| {
            let position = source.position(offset);
            (position.line, position.column, position.text)
        };
        assert_eq!(at(0), (1, 1, "one"));
        assert_eq!(at(2), (1, 3, "one"));
        assert_eq!(at(5), (2, 1, "zwö é x"));
        assert_eq!(at(9), (2, 4, "zwö é x"));
        assert_eq!(at(8), (2, 3, "zwö é x"), "inside a character");
        assert_eq!(at(999), (3, 1, ""));
    }
}
