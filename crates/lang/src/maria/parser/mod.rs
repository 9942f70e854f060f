//! The parser: recursive descent over the list of tokens.

mod formulas;
mod nets;
mod transitions;
mod types;

use petite_net::{Name, Span};

use super::ast;
use super::lexer::{Lexeme, Token};
use super::names;
use crate::{Diagnostic, Source};

/// Levels of nesting that a text may have; deeper ones would use up the stack of whoever walks the tree.
const MAX_NESTING: u32 = 200;

type Parse<T> = Result<T, Diagnostic>;

/// The tree of a net.
///
/// # Errors
/// At the first place where the text does not follow the grammar.
pub fn parse(sources: &[Source], tokens: &[Lexeme]) -> Result<ast::Net, Diagnostic> {
    let end = sources.first().map_or(0, |source| source.text.len() as u32);
    let end = Span { file: 0, start: end, end };
    let mut parser = Parser { sources, tokens, at: 0, end, nesting: 0 };
    let net = parser.net()?;
    match parser.token() {
        None => Ok(net),
        Some(_) => Err(parser.expected("a declaration")),
    }
}

struct Parser<'s> {
    sources: &'s [Source],
    tokens: &'s [Lexeme],
    at: usize,
    /// Where the text ends.
    end: Span,
    nesting: u32,
}

impl Parser<'_> {
    /// The current token; none at the end.
    fn token(&self) -> Option<Token> {
        self.peek(0)
    }

    /// The token so many behind the current one.
    fn peek(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).map(|lexeme| lexeme.token)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |lexeme| lexeme.span)
    }

    fn advance(&mut self) {
        self.at += 1;
    }

    fn is_at(&self, token: Token) -> bool {
        self.token() == Some(token)
    }

    /// Takes the token if it is the current one.
    fn take(&mut self, token: Token) -> bool {
        let found = self.is_at(token);
        self.at += usize::from(found);
        found
    }

    /// Takes the token or says that it is missing.
    fn expect(&mut self, token: Token) -> Parse<Span> {
        let span = self.span();
        if self.take(token) { Ok(span) } else { Err(self.expected(token.kind())) }
    }

    /// Takes a `,` or `;`.
    fn take_delimiter(&mut self) -> bool {
        self.take(Token::Comma) || self.take(Token::Semicolon)
    }

    fn is_at_name(&self, ahead: usize) -> bool {
        matches!(self.peek(ahead), Some(Token::Name | Token::Quoted))
    }

    fn name(&mut self, what: &str) -> Parse<Name> {
        if !self.is_at_name(0) {
            let error = self.expected(what);
            return Err(match self.token() {
                Some(token) if token.is_reserved() => {
                    error.help("a reserved word can be a name if it is put in quotes")
                }
                _ => error,
            });
        }
        let span = self.span();
        let text = names::unescaped(self.slice(span));
        self.advance();
        Ok(Name { text, span })
    }

    /// That something else than the current token was expected.
    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.token() {
            None => "the end of the file".to_owned(),
            Some(token) => {
                let text: String = self.slice(self.span()).chars().take(40).collect();
                match token {
                    Token::Name | Token::Quoted => format!("the name `{text}`"),
                    Token::Number => format!("the number `{text}`"),
                    _ if token.is_reserved() => format!("the reserved word `{text}`"),
                    _ => format!("`{text}`"),
                }
            }
        };
        Diagnostic::new(self.span(), format!("expected {what}, found {found}"))
            .label(format!("expected {what}"))
    }

    fn slice(&self, span: Span) -> &str {
        let text = self.sources.get(span.file as usize).map_or("", |source| source.text.as_str());
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Parses something one level deeper.
    fn nested<R>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<R>) -> Parse<R> {
        if self.nesting == MAX_NESTING {
            return Err(Diagnostic::new(self.span(), format!("nested deeper than {MAX_NESTING} levels"))
                .label("one level too many")
                .help("split it with functions of their own"));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// From `start` to the last token taken.
    fn since(&self, start: Span) -> Span {
        match self.at.checked_sub(1).and_then(|last| self.tokens.get(last)) {
            Some(last) if last.span.file == start.file && last.span.end >= start.end => start.to(last.span),
            _ => start,
        }
    }
}
