//! Parsers of net and property files: recursive descent with one token of lookahead.

mod arcs;
mod cursor;
mod definitions;
mod exprs;
mod progress;
mod properties;
mod statements;

use petite_net::{Name, Span};

use super::ast;
use super::lexer::Token;
use crate::Diagnostic;
use cursor::{Cursor, Parse};

pub use progress::{Item, Part, Term};
pub use properties::{Formula, FormulaKind, Predicate, Property, PropertyKind, parse_properties};

/// Parser of net files.
struct Parser<'s> {
    cursor: Cursor<'s, Token>,
}

/// The tree of a net file.
///
/// # Errors
/// At the first place where the text does not follow the grammar.
pub fn parse_net(text: &str, file: u32) -> Result<ast::Net, Diagnostic> {
    Parser { cursor: Cursor::new(text, file)? }.net()
}

impl Parser<'_> {
    fn name(&mut self, what: &str) -> Parse<Name> {
        self.cursor.expect_name(Token::Name, what)
    }

    /// A number of at most 32 bits.
    fn number(&mut self) -> Parse<i64> {
        let span = self.cursor.span;
        if !self.cursor.at(Token::Number) {
            return Err(self.cursor.expected("a number"));
        }
        let value = self.cursor.slice(span).parse::<i64>().ok().filter(|&value| value <= 1 << 31);
        let value = value.ok_or_else(|| {
            Diagnostic::new(span, "this number is beyond 32 bits")
                .label("too large")
                .help("numbers go up to 2147483647")
        })?;
        self.cursor.advance()?;
        Ok(value)
    }

    /// `item { "," item }`.
    fn list<R>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<R>) -> Parse<Vec<R>> {
        let mut items = vec![item(self)?];
        while self.cursor.take(Token::Comma)? {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Parses something one level deeper.
    fn nested<R>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<R>) -> Parse<R> {
        self.cursor.enter()?;
        let result = parse(self);
        self.cursor.leave();
        result
    }

    fn since(&self, start: Span) -> Span {
        self.cursor.since(start)
    }
}
