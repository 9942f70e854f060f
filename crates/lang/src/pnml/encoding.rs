//! From the bytes of a file to text.

use petite_net::Span;

use crate::Diagnostic;

/// How far the declaration at the front of a file is looked for, in bytes.
const PROLOGUE: usize = 200;

/// The text of an XML file in the encoding that it declares: UTF-8, ASCII, Latin 1, or UTF-16 with a byte order
/// mark.
///
/// # Errors
/// When the encoding is another one, or the bytes are not in the declared one.
pub fn decode(bytes: Vec<u8>) -> Result<String, Diagnostic> {
    match bytes.as_slice() {
        [0xef, 0xbb, 0xbf, text @ ..] => return utf8(text.to_vec()),
        [0xfe, 0xff, text @ ..] => return utf16(text, u16::from_be_bytes),
        [0xff, 0xfe, text @ ..] => return utf16(text, u16::from_le_bytes),
        _ => {}
    }
    match declared(&bytes).map(|name| name.to_ascii_lowercase()).as_deref() {
        None | Some("utf-8" | "utf8" | "us-ascii" | "ascii") => utf8(bytes),
        // The first 256 characters of Unicode are those of Latin 1.
        Some("iso-8859-1" | "latin1" | "latin-1" | "iso8859-1") => {
            Ok(if bytes.is_ascii() { utf8(bytes)? } else { bytes.into_iter().map(char::from).collect() })
        }
        Some(other) => {
            let message = format!("the encoding {other} is not supported");
            let help = "save the file in UTF-8, and declare it: <?xml version=\"1.0\" encoding=\"UTF-8\"?>";
            Err(Diagnostic::new(Span::default(), message).label("declared here").help(help))
        }
    }
}

/// The encoding that the XML declaration names.
fn declared(bytes: &[u8]) -> Option<&str> {
    let prologue = bytes.get(..bytes.len().min(PROLOGUE))?;
    let ascii = prologue.iter().position(|byte| !byte.is_ascii()).unwrap_or(prologue.len());
    let prologue = str::from_utf8(&prologue[..ascii]).ok()?.trim_start();
    let declaration = prologue.strip_prefix("<?xml")?.split_once("?>")?.0;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|character| matches!(character, '"' | '\''))?;
    value[1..].split_once(quote).map(|(name, _)| name)
}

fn utf8(bytes: Vec<u8>) -> Result<String, Diagnostic> {
    String::from_utf8(bytes).map_err(|error| {
        let at = u32::try_from(error.utf8_error().valid_up_to()).unwrap_or(u32::MAX);
        let line = error.as_bytes()[..at as usize].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let span = Span { file: 0, start: at, end: at.saturating_add(1) };
        Diagnostic::new(span, format!("the byte at offset {at} (line {line}) is not UTF-8"))
            .label("wrong encoding")
            .help("declare the encoding, as in <?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>, or save it in UTF-8")
    })
}

fn utf16(bytes: &[u8], join: fn([u8; 2]) -> u16) -> Result<String, Diagnostic> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text: Result<String, _> = char::decode_utf16(pairs.iter().map(|&pair| join(pair))).collect();
    match text {
        Ok(text) if rest.is_empty() => Ok(text),
        _ => Err(Diagnostic::new(Span::default(), "this file starts as UTF-16, but is not")
            .label("wrong encoding")
            .help("save the file in UTF-8")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        let found = decode(bytes.to_vec()).unwrap_or_else(|diagnostic| diagnostic.message);
        assert_eq!(found, expected);
    }

    #[test]
    fn declared_encodings_are_decoded() {
        check(b"<?xml version='1.0'?><a/>", "<?xml version='1.0'?><a/>");
        check("<a>é</a>".as_bytes(), "<a>é</a>");
        check(b"\xef\xbb\xbf<a/>", "<a/>");
        check(b"\xff\xfe<\0a\0", "<a");
        check(b"\xfe\xff\0<\0a", "<a");
        let latin = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe9</a>";
        check(latin, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>é</a>");
    }

    #[test]
    fn other_encodings_are_refused_by_name() {
        check(b"<?xml version='1.0' encoding='Shift_JIS'?>", "the encoding shift_jis is not supported");
        check(b"<a>\n\xe9</a>", "the byte at offset 4 (line 2) is not UTF-8");
        check(b"\xff\xfe<\0a", "this file starts as UTF-16, but is not");
    }
}
