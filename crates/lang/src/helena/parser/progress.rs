//! Progress measures in property files.
//!
//! ```text
//!  progress property name : sum { , sum } ;     compared in order: the first one counts most
//!  sum       [-] term {+ term | - term}
//!  term      [factor *] place [ part ]
//!  factor    a number, or a parameter or constant of the net
//!  part      ( item {, item} )                  tokens of the place with these components
//!            . number                           sum of that component of the tokens of the place
//!  item      [-] number | name | _              _ is any value
//! ```
//!
//! `progress` is no reserved word: it begins a property only where one may begin, and may be a name as before.

use petite_net::{Name, Span};

use super::cursor::{Cursor, Parse};
use crate::helena::lexer::PropertyToken as Token;

/// A measure.
#[derive(Debug)]
pub struct Progress {
    /// The sums, the one that counts most first.
    pub sums: Vec<Vec<Term>>,
    pub span: Span,
}

/// A multiple of a number of tokens.
#[derive(Debug)]
pub struct Term {
    pub is_negative: bool,
    pub factor: Option<Item>,
    pub place: Name,
    pub part: Part,
}

/// What is counted of a place.
#[derive(Debug)]
pub enum Part {
    /// All tokens.
    All,
    /// Those with these components.
    Token { items: Vec<Item>, span: Span },
    /// The sum of a component, counted from one.
    Component(Item),
}

/// A value as it is written.
#[derive(Debug)]
pub enum Item {
    Any,
    Number(Name),
    Named(Name),
}

/// The word that begins a measure.
pub const WORD: &str = "progress";

/// A measure up to its semicolon.
pub fn progress(cursor: &mut Cursor<'_, Token>) -> Parse<Progress> {
    let start = cursor.span;
    let mut sums = vec![sum(cursor)?];
    while cursor.take(Token::Comma)? {
        sums.push(sum(cursor)?);
    }
    let span = cursor.since(start);
    if !cursor.at(Token::Semicolon) {
        return Err(cursor.expected("`+`, `-`, `,` or `;`"));
    }
    cursor.advance()?;
    Ok(Progress { sums, span })
}

fn sum(cursor: &mut Cursor<'_, Token>) -> Parse<Vec<Term>> {
    let mut is_negative = cursor.take(Token::Minus)?;
    let mut terms = Vec::new();
    loop {
        terms.push(term(cursor, is_negative)?);
        is_negative = cursor.at(Token::Minus);
        if !is_negative && !cursor.at(Token::Plus) {
            return Ok(terms);
        }
        cursor.advance()?;
    }
}

fn term(cursor: &mut Cursor<'_, Token>, is_negative: bool) -> Parse<Term> {
    let factor = match (cursor.token, cursor.next) {
        (Some(Token::Number), _) => Some(Item::Number(cursor.expect_name(Token::Number, "a number")?)),
        (Some(Token::Name), Some(Token::Star)) => {
            Some(Item::Named(cursor.expect_name(Token::Name, "a number")?))
        }
        _ => None,
    };
    if factor.is_some() && !cursor.take(Token::Star)? {
        return Err(cursor.expected("`*` and a place behind the number"));
    }
    let place = cursor.expect_name(Token::Name, "the name of a place")?;
    let part = match cursor.token {
        Some(Token::OpenParen) => token(cursor)?,
        Some(Token::Dot) => {
            cursor.advance()?;
            Part::Component(Item::Number(cursor.expect_name(Token::Number, "the number of a component")?))
        }
        _ => Part::All,
    };
    Ok(Term { is_negative, factor, place, part })
}

fn token(cursor: &mut Cursor<'_, Token>) -> Parse<Part> {
    let start = cursor.span;
    cursor.advance()?;
    let mut items = vec![item(cursor)?];
    while cursor.take(Token::Comma)? {
        items.push(item(cursor)?);
    }
    if !cursor.at(Token::CloseParen) {
        return Err(cursor.expected("`,` or `)`"));
    }
    cursor.advance()?;
    Ok(Part::Token { items, span: cursor.since(start) })
}

fn item(cursor: &mut Cursor<'_, Token>) -> Parse<Item> {
    match cursor.token {
        Some(Token::Any) => {
            cursor.advance()?;
            Ok(Item::Any)
        }
        Some(Token::Minus) => {
            let start = cursor.span;
            cursor.advance()?;
            let number = cursor.expect_name(Token::Number, "a number")?;
            Ok(Item::Number(Name { text: format!("-{}", number.text), span: cursor.since(start) }))
        }
        Some(Token::Number) => Ok(Item::Number(cursor.expect_name(Token::Number, "a number")?)),
        // Words of the property language may be values of the net's.
        Some(Token::True | Token::False) => {
            let (text, span) = (cursor.slice(cursor.span).to_owned(), cursor.span);
            cursor.advance()?;
            Ok(Item::Named(Name { text, span }))
        }
        _ => Ok(Item::Named(cursor.expect_name(Token::Name, "a value or `_`")?)),
    }
}
