//! Conditional text and other files: `#ifdef`, `#ifndef`, `#else`, `#endif`, `#define`, `#undef`, `#include`.
//!
//! A directive begins with a `#` in the first column; comments and quoted names hide it. What is left is a list of
//! [`Piece`]s: stretches of the files between directives, in the order in which they are read. Tokens are made
//! from the pieces, so every span is one of the original files.

use std::collections::HashSet;
use std::ops::Range;

use petite_net::Span;

use super::Load;
use crate::{Diagnostic, Source};

/// Active text.
pub struct Piece {
    /// Number of the file.
    pub file: u32,
    /// Where in the file.
    pub range: Range<usize>,
}

/// Files that may be open in each other.
const MAX_DEPTH: usize = 32;

/// Bytes of text that a model may have, with everything that it includes.
const MAX_TEXT: usize = 1 << 28;

/// An `#ifdef` whose `#endif` has not come yet.
struct Open {
    span: Span,
    /// Whether the text around it is active.
    outer: bool,
    /// Whether its condition holds.
    holds: bool,
    /// Whether its `#else` has come.
    in_else: bool,
}

impl Open {
    fn is_active(&self) -> bool {
        self.outer && self.holds != self.in_else
    }
}

/// The active text of a model under some defined symbols. `sources` holds the model at first; the files that it
/// includes are added.
///
/// # Errors
/// At the first directive that is wrong, or at an `#ifdef` that does not end.
pub fn preprocess(
    sources: &mut Vec<Source>,
    defines: &[String],
    load: &mut Load<'_>,
) -> Result<Vec<Piece>, Diagnostic> {
    let defined = defines.iter().cloned().collect();
    let mut reader = Reader { sources, load, defined, pieces: Vec::new(), text: 0 };
    reader.file(0, 0, Span::default())?;
    Ok(reader.pieces)
}

struct Reader<'r, 'l> {
    sources: &'r mut Vec<Source>,
    load: &'r mut Load<'l>,
    defined: HashSet<String>,
    pieces: Vec<Piece>,
    /// Bytes of text so far.
    text: usize,
}

impl Reader<'_, '_> {
    fn file(&mut self, file: usize, depth: usize, included_at: Span) -> Result<(), Diagnostic> {
        self.text = self.text.saturating_add(self.sources[file].text.len());
        if depth > MAX_DEPTH {
            return Err(Diagnostic::new(
                included_at,
                format!("files included in each other {MAX_DEPTH} times"),
            )
            .label("one file too many")
            .help("does the file include itself?"));
        }
        if self.text > MAX_TEXT {
            let message = "the model and what it includes are larger than 256 MB";
            return Err(Diagnostic::new(included_at, message).label("too large").help("split the model"));
        }
        let mut open: Vec<Open> = Vec::new();
        let mut from = 0;
        loop {
            let text = &self.sources[file].text;
            let directive = next_directive(text, from);
            let active = open.last().is_none_or(Open::is_active);
            let end = directive.as_ref().map_or(text.len(), |range| range.start);
            if active && from < end {
                self.pieces.push(Piece { file: file as u32, range: from..end });
            }
            let Some(range) = directive else { break };
            let span = Span { file: file as u32, start: range.start as u32, end: range.end as u32 };
            let line = text[range.clone()].to_owned();
            if let Some(path) = self.directive(&line, span, &mut open)? {
                let included = (self.load)(&path, &self.sources[file].path).map_err(|reason| {
                    Diagnostic::new(span, format!("cannot read {path}: {reason}")).label("included here")
                })?;
                self.sources.push(included);
                self.file(self.sources.len() - 1, depth + 1, span)?;
            }
            from = range.end;
        }
        match open.last() {
            Some(open) => Err(Diagnostic::new(open.span, "this condition does not end")
                .label("opened here")
                .help("write `#endif` in a line of its own after the conditional text")),
            None => Ok(()),
        }
    }

    /// Does what a directive says; gives the file to include, if it says so.
    fn directive(
        &mut self,
        line: &str,
        span: Span,
        open: &mut Vec<Open>,
    ) -> Result<Option<String>, Diagnostic> {
        let active = open.last().is_none_or(Open::is_active);
        let line = line[1..].trim_start();
        let word_end = line.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
        let (word, rest) = line.split_at(word_end);
        let alone = |what: &str| {
            Diagnostic::new(span, format!("`#{what}` without an `#ifdef` or `#ifndef` before it"))
                .label("nothing to end here")
                .help("remove it, or write the `#ifdef` that it belongs to")
        };
        match word {
            "define" | "undef" | "ifdef" | "ifndef" => {
                let symbol = symbol(rest).ok_or_else(|| {
                    Diagnostic::new(span, format!("`#{word}` needs a symbol"))
                        .label("expected a symbol")
                        .help(format!("write a name after it, as in `#{word} DEBUG`"))
                })?;
                match word {
                    "define" if active => drop(self.defined.insert(symbol.to_owned())),
                    "undef" if active => drop(self.defined.remove(symbol)),
                    "ifdef" | "ifndef" => {
                        let holds = self.defined.contains(symbol) == (word == "ifdef");
                        open.push(Open { span, outer: active, holds, in_else: false });
                    }
                    _ => {}
                }
            }
            "else" => {
                let open = open.last_mut().ok_or_else(|| alone("else"))?;
                if open.in_else {
                    return Err(Diagnostic::new(span, "a second `#else` of one condition")
                        .label("expected `#endif`")
                        .help("end the condition with `#endif` first"));
                }
                open.in_else = true;
            }
            "endif" => {
                open.pop().ok_or_else(|| alone("endif"))?;
            }
            "include" if active => {
                let path = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"'));
                let path = path.filter(|(path, _)| !path.is_empty()).ok_or_else(|| {
                    Diagnostic::new(span, "`#include` needs the name of a file")
                        .label("expected a name in quotes")
                        .help("write it in quotes, as in `#include \"types.pn\"`")
                })?;
                return Ok(Some(path.0.to_owned()));
            }
            // Positions that other tools leave behind, and the line that makes a file a command.
            "include" | "line" => {}
            "" if line.is_empty() || line.starts_with('!') => {}
            _ => {
                return Err(Diagnostic::new(span, format!("there is no directive `#{word}`"))
                    .label("unknown directive")
                    .help(
                        "the directives are #include, #define, #undef, #ifdef, #ifndef, #else and #endif",
                    ));
            }
        }
        Ok(None)
    }
}

/// The symbol at the start of a directive's rest.
fn symbol(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    rest.starts_with(is_first).then_some(&rest[..end])
}

/// The next line that begins with `#` outside comments and quotes.
fn next_directive(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length);
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| matches!(byte, b'/' | b'"' | b'#' | b'\''))?;
        at = match (bytes[at], bytes.get(at + 1)) {
            (b'#', _) if at == 0 || bytes[at - 1] == b'\n' => return Some(at..line_end(at)),
            (b'/', Some(b'/')) => line_end(at),
            (b'/', Some(b'*')) => text[at + 2..].find("*/").map_or(text.len(), |length| at + length + 4),
            (quote @ (b'"' | b'\''), _) => quote_end(bytes, at, quote),
            _ => at + 1,
        };
    }
}

/// One past the end of a quoted text; the lexer complains about one that does not end.
fn quote_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' if quote == b'\'' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn active(text: &str, defines: &[&str]) -> Result<String, Diagnostic> {
        let mut sources = vec![Source::new("m.pn", text)];
        let defines: Vec<String> = defines.iter().map(|&symbol| symbol.to_owned()).collect();
        let mut load = |path: &str, from: &str| match path {
            "itself.pn" => Ok(Source::new(path, "#include \"itself.pn\"\n")),
            "none.pn" => Err(format!("not beside {from}")),
            _ => Ok(Source::new(path, format!("in {path}\n#ifdef X\nX\n#endif\n"))),
        };
        let pieces = preprocess(&mut sources, &defines, &mut load)?;
        let text: String =
            pieces.iter().map(|piece| &sources[piece.file as usize].text[piece.range.clone()]).collect();
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn conditions() {
        let text = "a\n#ifdef X // why\nb\n# ifdef Y\nc\n# else // Y\nd\n#endif /* Y */\ne\n#else\nf\n#ifndef Y\ng\n#endif\n#endif\nh";
        for (defines, expected) in
            [(&[][..], "a f g h"), (&["X"], "a b d e h"), (&["Y"], "a f h"), (&["X", "Y"], "a b c e h")]
        {
            assert_eq!(active(text, defines).unwrap(), expected);
        }
    }

    #[test]
    fn symbols_and_files() {
        assert_eq!(active("#define X\n#include \"t.pn\"\nb #not\n", &[]).unwrap(), "in t.pn X b #not");
        assert_eq!(active("#ifdef N\n#include \"none.pn\"\n#endif\na", &[]).unwrap(), "a");
        assert_eq!(
            active("#define X\n#undef X\n#!x\n#line 3 \"f\"\n#ifdef X\na\n#endif\nb", &[]).unwrap(),
            "b"
        );
    }

    #[test]
    fn comments_and_quotes_hide_directives() {
        assert_eq!(
            active("/*\n#ifdef X\n*/ a '\"' \n#ifdef X\n'#'\n#endif\n", &[]).unwrap(),
            "/* #ifdef X */ a '\"'"
        );
        assert_eq!(active("\"a\\\"\n#else\n\" b", &[]).unwrap(), "\"a\\\" #else \" b");
    }

    #[test]
    fn errors() {
        for (text, at, message) in [
            ("a\n#endif", 2, "`#endif` without an `#ifdef` or `#ifndef` before it"),
            ("#ifdef X\n#else\n#else\n#endif", 15, "a second `#else` of one condition"),
            ("#ifdef X\n#ifdef Y\n#endif", 0, "this condition does not end"),
            ("#define 1", 0, "`#define` needs a symbol"),
            ("\n#undefine X", 1, "there is no directive `#undefine`"),
            ("#include x", 0, "`#include` needs the name of a file"),
            ("#include \"none.pn\"", 0, "cannot read none.pn: not beside m.pn"),
            ("#include \"itself.pn\"", 0, "files included in each other 32 times"),
        ] {
            let error = active(text, &[]).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (at, message), "{text}");
        }
    }
}
