//! Transitions and the inscriptions of their arcs.

use super::{Parse, Parser};
use crate::Diagnostic;
use crate::helena::ast::{Arc, Definition, Expr, Text, Transition, Tuple};
use crate::helena::lexer::Token;

impl Parser<'_> {
    pub(super) fn transition(&mut self) -> Parse<Definition> {
        self.cursor.expect(Token::Transition)?;
        let name = self.name("the name of a transition")?;
        self.cursor.expect(Token::OpenBrace)?;
        let inputs = self.arcs(Token::In)?;
        let outputs = self.arcs(Token::Out)?;
        let inhibitors = if self.cursor.at(Token::Inhibit) { self.arcs(Token::Inhibit)? } else { Vec::new() };
        let mut picks = Vec::new();
        if self.cursor.take(Token::Pick)? {
            self.cursor.expect(Token::OpenBrace)?;
            while !self.cursor.at(Token::CloseBrace) {
                picks.push(self.iter()?);
                self.cursor.expect(Token::Semicolon)?;
            }
            self.cursor.advance()?;
        }
        let mut lets = Vec::new();
        if self.cursor.take(Token::Let)? {
            self.cursor.expect(Token::OpenBrace)?;
            while !self.cursor.at(Token::CloseBrace) {
                lets.push(self.typed_value()?);
            }
            self.cursor.advance()?;
        }
        let mut transition = Transition {
            name,
            inputs,
            outputs,
            inhibitors,
            picks,
            lets,
            guard: None,
            priority: None,
            description: None,
            safe: false,
        };
        while !self.cursor.at(Token::CloseBrace) {
            self.transition_attribute(&mut transition)?;
        }
        self.cursor.advance()?;
        Ok(Definition::Transition(Box::new(transition)))
    }

    fn transition_attribute(&mut self, transition: &mut Transition) -> Parse<()> {
        let start = self.cursor.span;
        match self.cursor.token {
            Some(Token::Guard) => {
                self.attribute()?;
                let guard = self.expr()?;
                self.once(&mut transition.guard, guard, start)?;
            }
            Some(Token::Priority) => {
                self.attribute()?;
                let priority = self.expr()?;
                self.once(&mut transition.priority, priority, start)?;
            }
            Some(Token::Safe) => {
                self.cursor.advance()?;
                transition.safe = true;
            }
            Some(Token::Description) => {
                self.attribute()?;
                let text = self.string()?;
                let args = if self.cursor.take(Token::Comma)? { self.exprs()? } else { Vec::new() };
                self.once(&mut transition.description, (text, args), start)?;
            }
            _ => {
                return Err(self
                    .cursor
                    .expected("guard, priority, safe, description or `}`")
                    .help("before these come the sections in, out, inhibit, pick and let, in this order"));
            }
        }
        self.cursor.expect(Token::Semicolon)?;
        Ok(())
    }

    /// A string with its quotes taken off.
    pub(super) fn string(&mut self) -> Parse<Text> {
        let span = self.cursor.span;
        if !self.cursor.at(Token::String) {
            return Err(self.cursor.expected("a string"));
        }
        let text = self.cursor.slice(span).trim_matches('"').to_owned();
        self.cursor.advance()?;
        Ok(Text { text, span })
    }

    /// `in { place: mapping; ... }` and the like.
    fn arcs(&mut self, section: Token) -> Parse<Vec<Arc>> {
        self.cursor.expect(section)?;
        self.cursor.expect(Token::OpenBrace)?;
        let mut arcs = Vec::new();
        while !self.cursor.at(Token::CloseBrace) {
            let start = self.cursor.span;
            let place = self.name("the name of a place or `}`")?;
            self.cursor.expect(Token::Colon)?;
            let tuples = self.mapping()?;
            self.cursor.expect(Token::Semicolon)?;
            arcs.push(Arc { place, tuples, span: self.since(start) });
        }
        self.cursor.advance()?;
        Ok(arcs)
    }

    /// `tuple { "+" tuple }`.
    pub(super) fn mapping(&mut self) -> Parse<Vec<Tuple>> {
        let mut tuples = vec![self.tuple()?];
        while self.cursor.take(Token::Plus)? {
            tuples.push(self.tuple()?);
        }
        Ok(tuples)
    }

    fn tuple(&mut self) -> Parse<Tuple> {
        let start = self.cursor.span;
        let mut iters = Vec::new();
        if self.cursor.take(Token::For)? {
            self.cursor.expect(Token::OpenParen)?;
            iters = self.iters()?;
            self.cursor.expect(Token::CloseParen)?;
        }
        let mut condition = None;
        if self.cursor.take(Token::If)? {
            self.cursor.expect(Token::OpenParen)?;
            condition = Some(self.expr()?);
            self.cursor.expect(Token::CloseParen)?;
        }
        let mut factor = None;
        if !matches!(self.cursor.token, Some(Token::OpenTuple | Token::Epsilon)) {
            factor = Some(self.factor()?);
        }
        let token_start = self.cursor.span;
        let components = if self.cursor.take(Token::Epsilon)? {
            None
        } else {
            self.cursor.expect(Token::OpenTuple)?;
            let components = self.exprs()?;
            if self.cursor.at(Token::CloseParen) {
                return Err(self.cursor.expected("`)>`").help("a token is written as `<( a, b )>`"));
            }
            self.cursor.expect(Token::CloseTuple)?;
            Some(components)
        };
        let token_span = self.since(token_start);
        Ok(Tuple { iters, condition, factor, components, token_span, span: self.since(start) })
    }

    /// `expr "*"` in front of a token. In `N - 1 * <( x )>` the star would bind the one, so a factor with looser
    /// operators needs parentheses.
    fn factor(&mut self) -> Parse<Expr> {
        let start = self.cursor.span;
        let factor = self.factors()?;
        if self.cursor.take(Token::Star)? {
            return Ok(factor);
        }
        if self.at_operator() {
            return Err(Diagnostic::new(
                start.to(self.cursor.span),
                "a factor with operators needs parentheses",
            )
            .label("what is multiplied?")
            .help("write it as in `(N - 1) * <( x )>`"));
        }
        Err(self
            .cursor
            .expected("`*` and a token")
            .help("a token is written as `<( a, b )>`, several of them as `2 * <( a, b )>`"))
    }
}
