//! Text inside XML.

use std::fmt::{Display, Formatter, Result, Write};

/// Text that is escaped for use in content and in attributes with double quotes.
///
/// Line ends and tabs become character references, because a reader would turn them into spaces in an attribute.
/// Characters that XML cannot have at all become the replacement character.
pub(super) struct Escaped<'t>(pub &'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\t' | '\n' | '\r' => write!(f, "&#{};", u32::from(character))?,
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_in_xml_is_escaped() {
        assert_eq!(Escaped("a<b> & \"c\"").to_string(), "a&lt;b&gt; &amp; &quot;c&quot;");
        assert_eq!(Escaped("1\t2\n3\r4").to_string(), "1&#9;2&#10;3&#13;4");
        assert_eq!(Escaped("x\0\u{1b}\u{ffff}é").to_string(), "x\u{fffd}\u{fffd}\u{fffd}é");
    }
}
