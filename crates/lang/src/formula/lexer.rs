//! Tokens of formulas.
//!
//! A formula is short, so all its tokens are made at once. Reserved words are words here; the parser knows where they
//! are meant as names.

use logos::Logos;
use petite_net::Span;

use crate::Diagnostic;

/// A token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{FEFF}]+")]
#[logos(skip(r"(//|#)[^\n]*", allow_greedy = true))]
pub(super) enum Token {
    #[regex(r"[\p{Alphabetic}_][\p{Alphabetic}\p{M}\p{Nd}_]*")]
    Word,
    #[regex("[0-9]+")]
    Number,
    #[regex(r#""[^"\n]*""#)]
    Quoted,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("[]")]
    Box,
    #[token("<>")]
    Diamond,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("..")]
    DotDot,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("!")]
    Bang,
    #[token("&&")]
    #[token("&")]
    And,
    #[token("||")]
    #[token("|")]
    Or,
    #[token("->")]
    #[token("=>")]
    Implies,
    #[token("<->")]
    #[token("<=>")]
    Iff,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
}

/// All tokens of a text with where they stand.
///
/// # Errors
/// At the first character that starts no token.
pub(super) fn tokens(text: &str, file: u32) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let span_of = |range: std::ops::Range<usize>| {
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { file, start: narrow(range.start), end: narrow(range.end) }
    };
    let mut tokens = Vec::new();
    for (token, range) in Token::lexer(text).spanned() {
        match token {
            Ok(token) => tokens.push((token, span_of(range))),
            Err(()) => {
                let stray = text[range.start..].chars().next().unwrap_or(' ');
                let span = span_of(range.start..range.start + stray.len_utf8());
                return Err(if stray == '"' {
                    Diagnostic::new(span, "this quoted name does not end on its line")
                        .label("opened here")
                        .help("close it with `\"`")
                } else {
                    Diagnostic::new(span, format!("stray character `{}`", stray.escape_debug()))
                        .label("starts no name, number or operator")
                        .help("put names with odd characters in double quotes, as in \"p-1\"")
                });
            }
        }
    }
    Ok(tokens)
}
