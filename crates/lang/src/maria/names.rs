//! Names and characters as they are written: quotes and escapes.

/// A name without its quotes and escapes.
pub fn unescaped(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if !inner.contains('\\') {
        return inner.to_owned();
    }
    let mut name = String::new();
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        name.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(continued) = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n")) {
            rest = continued.trim_start_matches([' ', '\t']);
            continue;
        }
        let (c, length) = escape(rest);
        name.extend(c);
        rest = &rest[length..];
    }
    name.push_str(rest);
    name
}

/// The code of a character in quotes; `None` beyond eight bits.
pub fn character(text: &str) -> Option<u8> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let (c, length) = match inner.strip_prefix('\\') {
        Some(rest) => {
            let (c, length) = escape(rest);
            (c?, length + 1)
        }
        None => {
            let c = inner.chars().next()?;
            (c, c.len_utf8())
        }
    };
    if length == inner.len() { u8::try_from(u32::from(c)).ok() } else { None }
}

/// What follows a backslash stands for, and how many bytes that is.
fn escape(rest: &str) -> (Option<char>, usize) {
    let Some(first) = rest.chars().next() else { return (None, 0) };
    let digits = |from: usize, most: usize, radix: u32| {
        let end =
            rest[from..].char_indices().take(most).take_while(|(_, c)| c.is_digit(radix)).count() + from;
        (u8::from_str_radix(&rest[from..end], radix).ok().map(char::from), end)
    };
    let simple = |c: char| (Some(c), 1);
    match first {
        'a' => simple('\x07'),
        'b' => simple('\x08'),
        'f' => simple('\x0C'),
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        'v' => simple('\x0B'),
        'x' if rest[1..].starts_with(|c: char| c.is_ascii_hexdigit()) => digits(1, 2, 16),
        '0'..='7' => digits(0, 3, 8),
        other => (Some(other), other.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (text, expected) in [
            ("abc", "abc"),
            ("\"in k\"", "in k"),
            ("in\\ k", "in k"),
            ("\"a\\\"b\\\\\"", "a\"b\\"),
            ("\"a\\\n   b\"", "ab"),
            ("\"\\x41\\102\\tc\"", "AB\tc"),
            ("\"\"", ""),
        ] {
            assert_eq!(unescaped(text), expected, "{text}");
        }
    }

    #[test]
    fn characters() {
        for (text, expected) in [
            ("'a'", Some(b'a')),
            ("'\\n'", Some(10)),
            ("'\\x41'", Some(0x41)),
            ("'\\101'", Some(0o101)),
            ("'\\''", Some(b'\'')),
            ("'\\0'", Some(0)),
            ("'\\400'", None),
            ("'\\xfff'", None),
            ("'é'", Some(0xE9)),
            ("'€'", None),
        ] {
            assert_eq!(character(text), expected, "{text}");
        }
    }
}
