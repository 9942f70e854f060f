//! Conditional text: `#define`, `#undef`, `#ifdef`, `#ifndef`, `#else`, `#endif`.
//!
//! A directive goes from a `#` outside comments and strings to the end of its line. The preprocessor overwrites
//! directives and inactive text with blanks instead of taking them out, so every offset in its result is an
//! offset in the original text.

use std::borrow::Cow;
use std::collections::HashSet;

use petite_net::Span;

use crate::Diagnostic;

/// An `#ifdef` whose `#endif` has not come yet.
struct Open {
    /// Where the directive stands.
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

/// The text that is active under some defined symbols, at its original offsets.
///
/// # Errors
/// At the first directive that is wrong, or at an `#ifdef` that does not end.
pub fn preprocess<'t>(text: &'t str, file: u32, defines: &[String]) -> Result<Cow<'t, str>, Diagnostic> {
    if !text.contains('#') {
        return Ok(Cow::Borrowed(text));
    }
    let mut defined: HashSet<&str> = defines.iter().map(String::as_str).collect();
    let mut open: Vec<Open> = Vec::new();
    let mut result = text.as_bytes().to_vec();
    let mut from = 0;
    while let Some(item) = next_item(text, from) {
        let active = open.last().is_none_or(Open::is_active);
        if !active {
            blank(&mut result[from..item.start]);
        }
        if item.is_directive {
            let span = Span { file, start: item.start as u32, end: item.end as u32 };
            let line = &text[item.start..item.end];
            directive(line, span, &mut defined, &mut open)?;
        }
        if item.is_directive || !active {
            blank(&mut result[item.start..item.end]);
        }
        from = item.end;
    }
    if let Some(open) = open.last() {
        return Err(Diagnostic::new(open.span, "this condition does not end")
            .label("opened here")
            .help("write `#endif` in a line of its own after the conditional text"));
    }
    // Blanking replaces whole characters by spaces, so the result is text again.
    Ok(String::from_utf8(result).map_or(Cow::Borrowed(text), Cow::Owned))
}

/// Comment, string or directive: what hides the meaning of the characters in it.
struct Item {
    start: usize,
    end: usize,
    is_directive: bool,
}

fn next_item(text: &str, from: usize) -> Option<Item> {
    let bytes = text.as_bytes();
    let to_line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length);
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| matches!(byte, b'/' | b'"' | b'#'))?;
        let until = |end: &str, skip: usize| {
            let body = at + skip;
            text[body..].find(end).map_or(text.len(), |length| body + length + end.len())
        };
        let end = match (bytes[at], bytes.get(at + 1)) {
            (b'#', _) => return Some(Item { start: at, end: to_line_end(at), is_directive: true }),
            (b'"', _) => until("\"", 1),
            (b'/', Some(b'/')) => to_line_end(at),
            (b'/', Some(b'*')) => until("*/", 2),
            _ => {
                at += 1;
                continue;
            }
        };
        return Some(Item { start: at, end, is_directive: false });
    }
}

/// Overwrites everything but line ends.
fn blank(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
}

fn directive<'t>(
    line: &'t str,
    span: Span,
    defined: &mut HashSet<&'t str>,
    open: &mut Vec<Open>,
) -> Result<(), Diagnostic> {
    let line = line.split("//").next().unwrap_or(line);
    let mut words = line[1..].split_whitespace();
    let word = words.next().unwrap_or("");
    let active = open.last().is_none_or(Open::is_active);
    let alone = |what: &str| {
        Diagnostic::new(span, format!("`#{what}` without an `#ifdef` or `#ifndef` before it"))
            .label("nothing to end here")
            .help("remove it, or write the `#ifdef` that it belongs to")
    };
    match word {
        "define" | "undef" | "ifdef" | "ifndef" => {
            let symbol = words.next().filter(|symbol| is_symbol(symbol)).ok_or_else(|| {
                Diagnostic::new(span, format!("`#{word}` needs a symbol"))
                    .label("expected a symbol")
                    .help(format!("write a name after it, as in `#{word} DEBUG`"))
            })?;
            match word {
                "define" if active => {
                    defined.insert(symbol);
                }
                "undef" if active => {
                    defined.remove(symbol);
                }
                "ifdef" | "ifndef" => {
                    let holds = defined.contains(symbol) == (word == "ifdef");
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
        // Position marks of other tools: the text's own positions are the ones shown.
        "set" => {}
        "include" => {
            return Err(Diagnostic::new(span, "other files cannot be included")
                .label("not supported")
                .help("copy the text of the other file to this place"));
        }
        _ => {
            return Err(Diagnostic::new(span, format!("there is no directive `#{word}`"))
                .label("unknown directive")
                .help("the directives are #define, #undef, #ifdef, #ifndef, #else and #endif"));
        }
    }
    Ok(())
}

fn is_symbol(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, defines: &[&str], expected: &str) {
        let defines: Vec<String> = defines.iter().map(|&symbol| symbol.to_owned()).collect();
        let result = preprocess(text, 0, &defines).unwrap();
        assert_eq!(result.len(), text.len());
        let shown: Vec<&str> = result.split_whitespace().collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn conditions() {
        let text =
            "a\n#ifdef X\nb\n#ifdef Y\nc\n#else\nd\n#endif\ne\n#else\nf\n#ifndef Y\ng\n#endif\n#endif\nh";
        check(text, &[], "a f g h");
        check(text, &["X"], "a b d e h");
        check(text, &["Y"], "a f h");
        check(text, &["X", "Y"], "a b c e h");
    }

    #[test]
    fn symbols_change_on_the_way() {
        check("#define X\n#ifdef X\na\n#endif\n#undef X\n#ifdef X\nb\n#endif\n", &[], "a");
        check("#ifdef N\n#define X\n#endif\n#ifdef X\na\n#endif\n", &[], "");
        check("  #ifdef N // why\r\na\r\n  #endif\r\nb", &[], "b");
        check("#set line 3\nb", &[], "b");
    }

    #[test]
    fn comments_and_strings_hide_directives() {
        check(
            "/* \n#ifdef X\n*/ a // #else\n\"\n#endif\" b # set x",
            &[],
            "/* #ifdef X */ a // #else \" #endif\" b",
        );
        check("#ifdef X\nö /* #endif */ é\n#endif\nü", &[], "ü");
    }

    #[test]
    fn errors() {
        for (text, at, message) in [
            ("a\n#endif", 2, "`#endif` without an `#ifdef` or `#ifndef` before it"),
            ("#ifdef X\n#else\n#else\n#endif", 15, "a second `#else` of one condition"),
            ("#ifdef X\n#ifdef Y\n#endif", 0, "this condition does not end"),
            ("#define 1", 0, "`#define` needs a symbol"),
            ("x #undefine X", 2, "there is no directive `#undefine`"),
            ("#include \"x\"", 0, "other files cannot be included"),
        ] {
            let error = preprocess(text, 0, &[]).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (at, message), "{text}");
        }
    }
}
