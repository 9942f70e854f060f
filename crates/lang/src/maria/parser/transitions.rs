//! Transitions.

use super::{Parse, Parser};
use crate::Diagnostic;
use crate::maria::ast::{Part, Transition};
use crate::maria::lexer::Token;

impl Parser<'_> {
    pub(super) fn transition(&mut self) -> Parse<Transition> {
        self.expect(Token::Trans)?;
        let is_body = self.take(Token::Colon);
        let name = self.name("the name of the transition")?;
        let is_urgent = self.take(Token::Bang);
        let mut parts = Vec::new();
        while self.part(&mut parts)? {}
        Ok(Transition { name, is_body, is_urgent, parts })
    }

    /// Parses one part; whether there was one.
    fn part(&mut self, parts: &mut Vec<Part>) -> Parse<bool> {
        match self.token() {
            Some(Token::OpenBrace) => {
                self.advance();
                while !self.is_at(Token::CloseBrace) {
                    let part = self.variable()?;
                    parts.push(part);
                    if !self.take_delimiter() {
                        break;
                    }
                }
                self.expect(Token::CloseBrace)?;
            }
            Some(direction @ (Token::In | Token::Out)) => {
                self.advance();
                self.expect(Token::OpenBrace)?;
                while !self.is_at(Token::CloseBrace) {
                    let (place, marking) = self.arc()?;
                    parts.push(match direction {
                        Token::In => Part::Take(place, marking),
                        _ => Part::Give(place, marking),
                    });
                    if !self.take(Token::Semicolon) {
                        break;
                    }
                }
                self.expect(Token::CloseBrace)?;
            }
            Some(Token::Gate) => {
                self.advance();
                parts.push(Part::Gate(self.formula()?));
                while self.take(Token::Comma) {
                    parts.push(Part::Gate(self.formula()?));
                }
            }
            Some(Token::Hide) => {
                self.advance();
                parts.push(Part::Hide(self.formula()?));
            }
            Some(Token::StronglyFair | Token::WeaklyFair | Token::Enabled) => {
                let strength = self.strength();
                parts.push(Part::Fairness(strength, self.formula()?));
            }
            Some(Token::Colon) => {
                self.advance();
                self.take(Token::Trans);
                parts.push(Part::Call(self.name("the name of a transition's body")?));
            }
            Some(Token::Number) => {
                let class = self.number()?;
                parts.push(Part::Class(class));
            }
            Some(Token::Semicolon | Token::CloseBrace) | None => return Ok(false),
            Some(_) => {
                let what = "a part of the transition (`in`, `out`, `gate`, ...) or `;`";
                return Err(self.expected(what));
            }
        }
        Ok(true)
    }

    /// A variable or function of a transition.
    fn variable(&mut self) -> Parse<Part> {
        self.take(Token::Hide);
        if matches!(self.peek(2), Some(Token::Equal | Token::Parens | Token::OpenParen)) {
            return Ok(Part::Function(self.function()?));
        }
        let ty = self.name("the type of a variable")?;
        let name = self.name("the name of a variable")?;
        if !self.take(Token::Bang) {
            return Ok(Part::Variable(ty, name));
        }
        let condition = self.condition()?;
        Ok(Part::Output(ty, name, condition))
    }

    /// A number of 32 bits.
    pub(super) fn number(&mut self) -> Parse<u32> {
        let span = self.span();
        if !self.is_at(Token::Number) {
            return Err(self.expected("a number"));
        }
        let text = self.slice(span);
        let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None if text.starts_with('0') => u32::from_str_radix(text, 8),
            None => text.parse(),
        };
        let number = parsed.map_err(|error| match error.kind() {
            std::num::IntErrorKind::InvalidDigit => {
                Diagnostic::new(span, "a number that begins with 0 is octal and has digits up to 7")
                    .label("no octal number")
                    .help("leave out the 0 in front")
            }
            _ => Diagnostic::new(span, "this number is beyond 32 bits")
                .label("too large")
                .help("numbers go up to 4294967295"),
        })?;
        self.advance();
        Ok(number)
    }
}
