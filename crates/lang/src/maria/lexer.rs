//! Tokens.

use logos::{FilterResult, Lexer, Logos};
use petite_net::Span;

use super::preprocess::Piece;
use crate::{Diagnostic, Source};

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Lexeme {
    /// What it is.
    pub token: Token,
    /// Where it stands.
    pub span: Span,
}

/// Why a text is no token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexError {
    /// A character that starts no token.
    #[default]
    Stray,
    /// A `/*` without its `*/`.
    OpenComment,
    /// A quoted name without its end.
    OpenQuote,
    /// A `'` that is no character.
    BadCharacter,
}

fn line_comment(lexer: &mut Lexer<'_, Token>) -> FilterResult<(), LexError> {
    let rest = lexer.remainder();
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
    FilterResult::Skip
}

fn block_comment(lexer: &mut Lexer<'_, Token>) -> FilterResult<(), LexError> {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            FilterResult::Skip
        }
        None => FilterResult::Error(LexError::OpenComment),
    }
}

fn quoted(lexer: &mut Lexer<'_, Token>) -> Result<(), LexError> {
    let rest = lexer.remainder();
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => {
                lexer.bump(at + 1);
                return Ok(());
            }
            _ => {}
        }
    }
    Err(LexError::OpenQuote)
}

fn character(lexer: &mut Lexer<'_, Token>) -> Result<(), LexError> {
    let rest = lexer.remainder();
    let skip = if rest.starts_with('\\') { 1 } else { 0 };
    let first = rest[skip..].chars().next().filter(|&c| c != '\n').ok_or(LexError::BadCharacter)?;
    let from = skip + first.len_utf8();
    let length = rest[from..].find('\'').filter(|&length| length <= 4).ok_or(LexError::BadCharacter)?;
    if skip == 0 && (length > 0 || first == '\'') || rest[..from + length].contains('\n') {
        return Err(LexError::BadCharacter);
    }
    lexer.bump(from + length + 1);
    Ok(())
}

macro_rules! tokens {
    (
        words { $($word:ident = $word_text:literal,)* }
        signs { $($sign:ident = $sign_text:literal,)* }
        others { $($(#[$other_meta:meta])* $other:ident = $other_kind:literal,)* }
    ) => {
        /// Tokens of Maria's language.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(error = LexError)]
        #[logos(skip r"[ \t\r\n\x0B\x0C\u{FEFF}]+")]
        pub enum Token {
            $(#[doc = $word_text] #[token($word_text)] $word,)*
            $(#[doc = $sign_text] #[token($sign_text)] $sign,)*
            $(#[doc = $other_kind] $(#[$other_meta])* $other,)*
        }

        impl Token {
            /// What tokens of this kind are called.
            pub fn kind(self) -> &'static str {
                match self {
                    $(Token::$word => concat!("`", $word_text, "`"),)*
                    $(Token::$sign => concat!("`", $sign_text, "`"),)*
                    $(Token::$other => $other_kind,)*
                }
            }

            /// Whether it is a reserved word.
            pub fn is_reserved(self) -> bool {
                matches!(self, $(Token::$word)|*)
            }
        }
    };
}

tokens! {
    words {
        Atom = "atom", Cardinality = "cardinality", Const = "const", Deadlock = "deadlock",
        Empty = "empty", Enabled = "enabled", Enum = "enum", Equals = "equals", False = "false",
        Fatal = "fatal", Gate = "gate", Hide = "hide", Id = "id", In = "in", Infinite = "infinite",
        Intersect = "intersect", Is = "is", Map = "map", Max = "max", Min = "min", Minus = "minus",
        Out = "out", Place = "place", Prop = "prop", Queue = "queue", Reject = "reject",
        Release = "release", Stack = "stack", StronglyFair = "strongly_fair", Struct = "struct",
        Subnet = "subnet", Subset = "subset", Trans = "trans", True = "true", Typedef = "typedef",
        Undefined = "undefined", Union = "union", Until = "until", WeaklyFair = "weakly_fair",
    }
    signs {
        DotDot = "..", EqualEqual = "==", NotEqual = "!=", LessEqual = "<=", GreaterEqual = ">=",
        ShiftLeft = "<<", ShiftRight = ">>", AndAnd = "&&", OrOr = "||", XorXor = "^^", Implies = "=>",
        Iff = "<=>", Eventually = "<>", Always = "[]", Parens = "()", OpenBrace = "{", CloseBrace = "}",
        OpenParen = "(", CloseParen = ")", OpenBracket = "[", CloseBracket = "]", Comma = ",",
        Semicolon = ";", Colon = ":", Dot = ".", Equal = "=", Less = "<", Greater = ">", Bang = "!",
        Tilde = "~", Plus = "+", Dash = "-", Star = "*", Slash = "/", Percent = "%", Hash = "#",
        Ampersand = "&", Bar = "|", Caret = "^", Question = "?",
    }
    others {
        #[regex(r"([A-Za-z_]|\\[^\n])([A-Za-z0-9_]|\\[^\n])*")] Name = "a name",
        #[token("\"", quoted)] Quoted = "a name",
        #[regex("0[xX][0-9a-fA-F]+")] #[regex("[0-9]+")] Number = "a number",
        #[token("'", character)] Character = "a character",
        #[token("//", line_comment)] #[token("/*", block_comment)] Comment = "a comment",
    }
}

/// The tokens of the active text.
///
/// # Errors
/// At the first text that is no token.
pub fn tokens(sources: &[Source], pieces: &[Piece]) -> Result<Vec<Lexeme>, Diagnostic> {
    let mut lexemes = Vec::new();
    for piece in pieces {
        let text = &sources[piece.file as usize].text[piece.range.clone()];
        let offset = piece.range.start as u32;
        let mut lexer = Token::lexer(text);
        while let Some(token) = lexer.next() {
            let range = lexer.span();
            let (start, end) = (offset + range.start as u32, offset + range.end as u32);
            let span = Span { file: piece.file, start, end };
            match token {
                Ok(token) => lexemes.push(Lexeme { token, span }),
                Err(error) => return Err(no_token(error, span, &text[range.start..])),
            }
        }
    }
    Ok(lexemes)
}

fn no_token(error: LexError, span: Span, rest: &str) -> Diagnostic {
    let first = |length: u32| Span { end: span.start + length, ..span };
    match error {
        LexError::OpenComment => Diagnostic::new(first(2), "this comment does not end")
            .label("opened here")
            .help("close it with `*/`"),
        LexError::OpenQuote => Diagnostic::new(first(1), "this quoted name does not end")
            .label("opened here")
            .help("close it with `\"`"),
        LexError::BadCharacter => Diagnostic::new(first(1), "this is no character")
            .label("expected one character in quotes")
            .help("write it as in 'a', '\\n' or '\\x41'"),
        LexError::Stray => {
            let stray = rest.chars().next().unwrap_or(' ');
            let shown = if stray.is_control() {
                format!("number {}", u32::from(stray))
            } else {
                format!("`{stray}`")
            };
            Diagnostic::new(first(stray.len_utf8() as u32), format!("stray character {shown}"))
                .label("starts no name, number or operator")
                .help("remove it, or put a name with such characters in quotes")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Result<Vec<(Token, &str)>, Diagnostic> {
        let pieces = [Piece { file: 0, range: 0..text.len() }];
        let lexemes = tokens(&[Source::new("m", text)], &pieces)?;
        let shown = |lexeme: Lexeme| &text[lexeme.span.start as usize..lexeme.span.end as usize];
        Ok(lexemes.into_iter().map(|lexeme| (lexeme.token, shown(lexeme))).collect())
    }

    #[test]
    fn the_longest_token_wins() {
        let texts: Vec<&str> = lex("1..n a..b f() f( ) <=>=> <>< []a[ ||| ^^^ 0x1Fg 010 in\\ k inn in")
            .unwrap()
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        let expected = [
            "1", "..", "n", "a", "..", "b", "f", "()", "f", "(", ")", "<=>", "=>", "<>", "<", "[]", "a", "[",
            "||", "|", "^^", "^", "0x1F", "g", "010", "in\\ k", "inn", "in",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn words_names_and_characters() {
        use Token::*;
        let kinds: Vec<Token> =
            lex("trans transit \"trans\" 'a' '\\'' '\\x41' '\\101' /* ' */ 'é' // '\n id")
                .unwrap()
                .into_iter()
                .map(|(token, _)| token)
                .collect();
        assert_eq!(kinds, [Trans, Name, Quoted, Character, Character, Character, Character, Character, Id]);
    }

    #[test]
    fn errors() {
        for (text, at, message) in [
            ("a /* b", 2, "this comment does not end"),
            ("a \"b\\\"", 2, "this quoted name does not end"),
            ("''", 0, "this is no character"),
            ("'ab'", 0, "this is no character"),
            ("'\n'", 0, "this is no character"),
            ("a @", 2, "stray character `@`"),
            ("é", 0, "stray character `é`"),
        ] {
            let error = lex(text).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (at, message), "{text}");
        }
    }
}
