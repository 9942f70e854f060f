//! Text for people: names on the left, words or numbers beside them, within 80 columns.

use std::fmt::Write as _;

/// Columns of a line.
pub const WIDTH: usize = 80;
/// Columns of the names on the left.
const NAMES: usize = 16;
/// Columns of the names of numbers on the left.
const NUMBER_NAMES: usize = 26;
/// Columns of the numbers.
const NUMBERS: usize = 18;

/// Lines of text so far.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The text; every line is ended.
    pub text: String,
}

impl Sheet {
    /// An empty line.
    pub fn blank(&mut self) {
        self.line("");
    }

    /// A line as it is.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A name and words, folded between words where they are too long.
    pub fn named(&mut self, name: &str, words: &str) {
        let gap = if name.chars().count() < NAMES { "" } else { "  " };
        self.folded(&format!("{name:NAMES$}{gap}"), NAMES, words);
    }

    /// Words behind a start, folded between words where they are too long; later lines are indented.
    pub fn folded(&mut self, start: &str, indent: usize, words: &str) {
        let mut line = start.to_owned();
        let mut column = start.chars().count();
        for (i, word) in words.split(' ').enumerate() {
            let length = word.chars().count();
            if i > 0 && column + 1 + length > WIDTH {
                self.line(&line);
                line = " ".repeat(indent);
                column = indent;
            } else if i > 0 {
                line.push(' ');
                column += 1;
            }
            line.push_str(word);
            column += length;
        }
        self.line(&line);
    }

    /// A name and a number, both columns aligned, and a remark.
    pub fn number(&mut self, name: &str, number: &str, remark: &str) {
        let mut line = String::new();
        // A long name takes room from the number's column before it pushes the number out of line.
        let room = (NUMBER_NAMES + NUMBERS).saturating_sub(name.chars().count());
        let _ = write!(line, "{name}{number:>room$}   {remark}");
        self.line(&line);
    }
}
