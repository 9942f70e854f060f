//! Formats of descriptions and print statements.

use petite_net::Expr;

use super::scope::Scope;
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::helena::ast;

impl Elaborator<'_> {
    /// Values to show.
    pub(super) fn shown(&mut self, args: &[ast::Expr], scope: &mut Scope) -> Elab<Vec<Expr>> {
        args.iter().map(|arg| Ok(self.expr(arg, None, scope)?.expr)).collect()
    }

    /// A format whose conversions are all `%d`, one for each argument; `%%` stays as it is.
    pub(super) fn format(&mut self, text: &ast::Text, n_args: usize) -> Elab<String> {
        let (format, conversions) = match normalised(&text.text) {
            Ok(normalised) => normalised,
            Err(message) => {
                return self.fail(
                    Diagnostic::new(text.span, message)
                        .label("in this text")
                        .help("write `%d` for a value, and `%%` for the sign itself"),
                );
            }
        };
        if conversions != n_args {
            let plural = |number, word: &str| match number {
                1 => format!("1 {word}"),
                _ => format!("{number} {word}s"),
            };
            let message = format!(
                "this text shows {}, and {} given",
                plural(conversions, "value"),
                if n_args == 1 { "1 is".to_owned() } else { format!("{n_args} are") }
            );
            return self.fail(
                Diagnostic::new(text.span, message)
                    .label(format!("has {}", plural(conversions, "conversion")))
                    .help("write one `%d` for each value after the text"),
            );
        }
        Ok(format)
    }
}

/// The text with escapes resolved and conversions written as `%d`, and how many conversions there are.
fn normalised(text: &str) -> Result<(String, usize), String> {
    let mut result = String::with_capacity(text.len());
    let mut conversions = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                // A line that goes on in the next one.
                Some('\r') if chars.peek() == Some(&'\n') => {
                    chars.next();
                }
                Some('\n') => {}
                Some('n') => result.push('\n'),
                Some('t') => result.push('\t'),
                Some('\\') | None => result.push('\\'),
                Some(other) => result.extend(['\\', other]),
            },
            '%' if chars.peek() == Some(&'%') => {
                chars.next();
                result.push_str("%%");
            }
            '%' => {
                while chars.next_if(|c| matches!(c, '-' | '+' | '#' | '.' | '0'..='9' | 'h' | 'l')).is_some()
                {
                }
                match chars.next() {
                    Some('d' | 'i' | 'u' | 's' | 'c' | 'x') => {}
                    Some(other) => return Err(format!("`%{other}` is no conversion")),
                    None => return Err("the text ends in the middle of a conversion".to_owned()),
                }
                conversions += 1;
                result.push_str("%d");
            }
            c => result.push(c),
        }
    }
    Ok((result, conversions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        for (text, expected) in [
            ("a %d b %5i %-3u%ld", Ok(("a %d b %d %d%d", 4))),
            ("100%% \\\nsure\\n\\t\\\\", Ok(("100%% sure\n\t\\", 0))),
            ("x \\\r\ny", Ok(("x y", 0))),
            ("%q", Err("`%q` is no conversion")),
            ("50 %", Err("the text ends in the middle of a conversion")),
        ] {
            let found = normalised(text);
            let found = found.as_ref().map(|(text, n)| (text.as_str(), *n)).map_err(String::as_str);
            assert_eq!(found, expected, "{text}");
        }
    }
}
