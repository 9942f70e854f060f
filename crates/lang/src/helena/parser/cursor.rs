//! A place in the stream of tokens, with one token of lookahead.

use logos::{Lexer, Logos};
use petite_net::{Name, Span};

use crate::Diagnostic;
use crate::helena::lexer::{Describe, LexError};

/// Levels of nesting that a text may have; deeper ones would use up the stack of whoever walks the tree.
pub const MAX_NESTING: u32 = 200;

pub type Parse<T> = Result<T, Diagnostic>;

pub struct Cursor<'s, T: Logos<'s, Source = str, Error = LexError>> {
    text: &'s str,
    file: u32,
    lexer: Lexer<'s, T>,
    /// The current token; none at the end.
    pub token: Option<T>,
    /// Where the current token stands.
    pub span: Span,
    /// The token after the current one.
    pub next: Option<T>,
    next_span: Span,
    /// Where the token before the current one stands.
    pub last: Span,
    nesting: u32,
}

impl<'s, T> Cursor<'s, T>
where
    T: Logos<'s, Source = str, Error = LexError> + Copy + PartialEq + Describe,
    T::Extras: Default,
{
    /// At the first token of a text.
    pub fn new(text: &'s str, file: u32) -> Parse<Cursor<'s, T>> {
        let start = Span { file, start: 0, end: 0 };
        let mut cursor = Cursor {
            text,
            file,
            lexer: T::lexer(text),
            token: None,
            span: start,
            next: None,
            next_span: start,
            last: start,
            nesting: 0,
        };
        cursor.advance()?;
        cursor.advance()?;
        cursor.last = start;
        Ok(cursor)
    }

    /// Goes on to the next token.
    pub fn advance(&mut self) -> Parse<()> {
        self.last = self.span;
        (self.token, self.span) = (self.next, self.next_span);
        let next = self.lexer.next();
        let range = self.lexer.span();
        self.next_span = Span { file: self.file, start: range.start as u32, end: range.end as u32 };
        self.next = match next {
            None => {
                let end = self.text.len() as u32;
                self.next_span = Span { file: self.file, start: end, end };
                None
            }
            Some(Ok(token)) => Some(token),
            Some(Err(error)) => return Err(self.no_token(error)),
        };
        Ok(())
    }

    fn no_token(&self, error: LexError) -> Diagnostic {
        let Span { file, start, .. } = self.next_span;
        let rest = &self.text[start as usize..];
        match error {
            LexError::OpenComment => {
                Diagnostic::new(Span { file, start, end: start + 2 }, "this comment does not end")
                    .label("opened here")
                    .help("close it with `*/`")
            }
            LexError::OpenString => {
                Diagnostic::new(Span { file, start, end: start + 1 }, "this string does not end")
                    .label("opened here")
                    .help("close it with `\"`")
            }
            LexError::Stray => {
                let stray = rest.chars().next().unwrap_or(' ');
                let end = start + stray.len_utf8() as u32;
                Diagnostic::new(Span { file, start, end }, format!("stray character {}", shown(stray)))
                    .label("starts no name, number or operator")
                    .help("remove it; is this a model in Helena's language?")
            }
        }
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &'s str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    pub fn at(&self, token: T) -> bool {
        self.token == Some(token)
    }

    /// Takes the token if it is the current one.
    pub fn take(&mut self, token: T) -> Parse<bool> {
        let found = self.at(token);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Takes the token or says that it is missing.
    pub fn expect(&mut self, token: T) -> Parse<Span> {
        if !self.at(token) {
            return Err(self.expected(&token.kind()));
        }
        let span = self.span;
        self.advance()?;
        Ok(span)
    }

    /// Takes a token of the kind of names.
    pub fn expect_name(&mut self, kind: T, what: &str) -> Parse<Name> {
        if !self.at(kind) {
            let error = self.expected(what);
            let reserved = self.token.and_then(Describe::noun) == Some("the reserved word");
            return Err(if reserved { error.help("reserved words cannot be used as names") } else { error });
        }
        let name = Name { text: self.slice(self.span).to_owned(), span: self.span };
        self.advance()?;
        Ok(name)
    }

    /// That something else than the current token was expected.
    pub fn expected(&self, what: &str) -> Diagnostic {
        Diagnostic::new(self.span, format!("expected {what}, found {}", self.found()))
            .label(format!("expected {what}"))
    }

    fn found(&self) -> String {
        let Some(token) = self.token else { return "the end of the file".to_owned() };
        let text: String = self.slice(self.span).chars().take(40).collect();
        match token.noun() {
            Some(_) if text.starts_with('"') => "a string".to_owned(),
            Some(noun) => format!("{noun} `{text}`"),
            None => format!("`{text}`"),
        }
    }

    /// Goes one level deeper; [`Cursor::leave`] comes back.
    pub fn enter(&mut self) -> Parse<()> {
        if self.nesting == MAX_NESTING {
            return Err(Diagnostic::new(self.span, format!("nested deeper than {MAX_NESTING} levels"))
                .label("one level too many")
                .help("split it with constants, functions or propositions of their own"));
        }
        self.nesting += 1;
        Ok(())
    }

    /// Comes back from a deeper level. After an error the level no longer matters, as parsing ends there.
    pub fn leave(&mut self) {
        self.nesting -= 1;
    }

    /// From `start` to the last token taken.
    pub fn since(&self, start: Span) -> Span {
        Span { file: start.file, start: start.start, end: self.last.end.max(start.start) }
    }
}

fn shown(stray: char) -> String {
    match stray {
        '\u{fffd}' => "that is no text (the file is not encoded in UTF-8 here)".to_owned(),
        c if c.is_control() => format!("number {} (not printable)", u32::from(c)),
        c => format!("`{c}`"),
    }
}
