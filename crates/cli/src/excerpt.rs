//! The piece of a source text that a message shows: few lines, none of them long, whatever the source is like.

use std::ops::Range;

/// Longest line that is shown whole, in characters.
const LINE_LIMIT: usize = 110;
/// Characters kept before the marked part of a line that is too long.
const KEPT_BEFORE: usize = 40;
/// Most lines that are shown for a mark that spans several.
const LINES_LIMIT: usize = 6;
/// Stands for what was cut off a line.
const CUT: &str = "...";

/// A line and a column, counted from one; the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A piece of a source text with a marked part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Where the mark begins in the source.
    pub position: Position,
    /// The lines to show, perhaps cut; the first one is `position.line`.
    pub text: String,
    /// The marked bytes of `text`.
    pub mark: Range<usize>,
    /// Whether something is missing at the beginning of a line, so that columns of `text` are not the source's.
    pub cut: bool,
}

impl Excerpt {
    /// The piece around some bytes of a source. Bytes outside the source are moved into it.
    ///
    /// A mark at the end of the source is shown after its last word rather than on an empty line.
    pub fn around(source: &str, bytes: Range<usize>) -> Excerpt {
        let written = source.trim_end().len();
        let (start, end) = if bytes.start > written && bytes.end >= source.len() {
            (written, written)
        } else {
            let start = source.floor_char_boundary(bytes.start.min(source.len()));
            (start, source.ceil_char_boundary(bytes.end.clamp(start, source.len())))
        };
        let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let position = Position {
            line: 1 + source.as_bytes()[..line_start].iter().filter(|&&byte| byte == b'\n').count(),
            column: 1 + source[line_start..start].chars().count(),
        };
        if let Some(text) = short_lines(&source[line_start..], end - line_start) {
            let mark = start - line_start..end - line_start;
            return Excerpt { position, text: text.to_owned(), mark, cut: false };
        }
        let line = first_line(&source[line_start..]);
        let mark = (start - line_start).min(line.len())..(end - line_start).min(line.len());
        cut_line(line, mark, position)
    }
}

/// The lines up to the one in which byte `end` stands, if they are few and short.
fn short_lines(source: &str, end: usize) -> Option<&str> {
    let mut length = 0;
    for line in source.split_inclusive('\n').take(LINES_LIMIT) {
        // A character has at most four bytes: this keeps the count of characters from walking a huge line.
        let shown = line.trim_end_matches(['\n', '\r']);
        if shown.len() > 4 * LINE_LIMIT || shown.chars().count() > LINE_LIMIT {
            return None;
        }
        if end <= length + shown.len() {
            return Some(&source[..length + shown.len()]);
        }
        length += line.len();
        // The mark ends within or just behind the end of the line.
        if end <= length {
            return Some(&source[..length]);
        }
    }
    source.is_empty().then_some("")
}

fn first_line(source: &str) -> &str {
    source.split('\n').next().unwrap_or("").trim_end_matches('\r')
}

/// Cuts a long line around the mark, and the mark itself where it is long too.
fn cut_line(line: &str, mark: Range<usize>, position: Position) -> Excerpt {
    let back = |from: usize, characters: usize| {
        line[..from].char_indices().rev().nth(characters - 1).map_or(0, |(at, _)| at)
    };
    let forth = |from: usize, characters: usize| {
        line[from..].char_indices().nth(characters).map_or(line.len(), |(at, _)| from + at)
    };
    let start = back(mark.start, KEPT_BEFORE);
    let end = forth(start, LINE_LIMIT);
    let before = if start > 0 { CUT } else { "" };
    let after = if end < line.len() { CUT } else { "" };
    let shift = |at: usize| at.min(end) - start + before.len();
    Excerpt {
        position,
        text: format!("{before}{}{after}", &line[start..end]),
        mark: shift(mark.start)..shift(mark.end),
        cut: start > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(source: &str, bytes: Range<usize>) -> (Position, String, String) {
        let excerpt = Excerpt::around(source, bytes);
        let marked = excerpt.text[excerpt.mark].to_owned();
        (excerpt.position, excerpt.text, marked)
    }

    fn at(line: usize, column: usize) -> Position {
        Position { line, column }
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        let source = "first\nséc ond\r\nthird";
        let start = source.find("ond").unwrap();
        assert_eq!(marked(source, start..start + 3), (at(2, 5), "séc ond".to_owned(), "ond".to_owned()));
    }

    #[test]
    fn a_few_lines_are_shown_together() {
        let source = "a (\n b\n) c\nd";
        assert_eq!(marked(source, 2..8), (at(1, 3), "a (\n b\n) c".to_owned(), "(\n b\n)".to_owned()));
    }

    #[test]
    fn many_lines_are_shown_by_the_first() {
        let source = "{\n".repeat(30);
        assert_eq!(marked(&source, 2..50), (at(2, 1), "{".to_owned(), "{".to_owned()));
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let source = format!("{}wrong{}", "é".repeat(5000), "b".repeat(5000));
        let (position, text, mark) = marked(&source, 10_000..10_005);
        assert_eq!((position, mark.as_str()), (at(1, 5001), "wrong"));
        assert!(text.starts_with("...é") && text.ends_with("b...") && text.chars().count() < 120, "{text}");
        let (_, text, mark) = marked(&source, 0..20_000);
        assert!(text.starts_with('é') && mark.chars().count() == LINE_LIMIT, "{text}");
    }

    #[test]
    fn the_end_of_the_source_is_behind_its_last_word() {
        assert_eq!(marked("ab\ncd \n\n", 8..8), (at(2, 3), "cd ".to_owned(), String::new()));
        assert_eq!(marked("", 0..0), (at(1, 1), String::new(), String::new()));
        assert_eq!(marked("\n\n", 2..2), (at(1, 1), String::new(), String::new()));
    }

    #[test]
    fn bytes_outside_the_source_or_inside_a_character_are_moved() {
        assert_eq!(marked("aé", 2..2).0, at(1, 2));
        assert_eq!(marked("ab ", 70..90).0, at(1, 3));
        #[expect(clippy::reversed_empty_ranges, reason = "a wrong span must not hurt")]
        let reversed = 2..1;
        assert_eq!(marked("abc", reversed).0, at(1, 3));
    }

    #[test]
    fn every_span_of_a_nasty_source_works() {
        let source = format!("a\r\n\té\r\r\n\n{}\n \u{1F600}\u{0}", "xé".repeat(200));
        for start in 0..=source.len() + 1 {
            for length in [0, 1, 2, 3, 7, 130, 1000] {
                let excerpt = Excerpt::around(&source, start..start + length);
                assert!(excerpt.text.is_char_boundary(excerpt.mark.start));
                assert!(excerpt.text.is_char_boundary(excerpt.mark.end));
                assert!(excerpt.text.lines().count() <= LINES_LIMIT);
            }
        }
    }
}
