//! Nets and their components.

use petite_net::Name;

use super::{Parse, Parser};
use crate::maria::ast::{Component, Formula, FormulaKind, Function, Net, Place, Strength, Verify};
use crate::maria::lexer::Token;

impl Parser<'_> {
    /// Components up to the end or a `}`.
    pub(super) fn net(&mut self) -> Parse<Net> {
        let mut net = Net::default();
        loop {
            while self.take(Token::Semicolon) {}
            if self.token().is_none() || self.is_at(Token::CloseBrace) {
                return Ok(net);
            }
            net.components.push(self.component()?);
            if !self.is_at(Token::CloseBrace) {
                self.expect(Token::Semicolon)?;
            }
        }
    }

    fn component(&mut self) -> Parse<Component> {
        let start = self.span();
        Ok(match self.token() {
            Some(Token::Typedef) => {
                self.advance();
                let ty = self.type_expr()?;
                Component::Typedef(ty, self.name("the name of the type")?)
            }
            Some(Token::Place) => Component::Place(self.place()?),
            Some(Token::Trans) => Component::Transition(self.transition()?),
            Some(Token::StronglyFair | Token::WeaklyFair | Token::Enabled) => {
                let strength = self.strength();
                let mut sets = vec![self.formula()?];
                while self.take(Token::Comma) {
                    sets.push(self.formula()?);
                }
                Component::Fairness(strength, sets)
            }
            Some(Token::Reject) => {
                self.advance();
                Component::Verify(Verify::Reject, self.formula()?, start)
            }
            Some(Token::Deadlock) => {
                self.advance();
                Component::Verify(Verify::Deadlock, self.formula()?, start)
            }
            Some(Token::Prop) => {
                self.advance();
                let name = self.name("the name of the proposition")?;
                self.expect(Token::Colon)?;
                Component::Proposition(name, self.formula()?)
            }
            Some(Token::Subnet) => {
                self.advance();
                let name = if self.is_at_name(0) { Some(self.name("the name of the subnet")?) } else { None };
                self.expect(Token::OpenBrace)?;
                let net = self.nested(Self::net)?;
                self.expect(Token::CloseBrace)?;
                Component::Subnet(name, net)
            }
            _ if self.is_at_name(0) => Component::Function(self.function()?),
            _ => return Err(self.expected("a declaration")),
        })
    }

    /// Takes the word that says how fair something is.
    pub(super) fn strength(&mut self) -> Strength {
        let strength = match self.token() {
            Some(Token::StronglyFair) => Strength::Strong,
            Some(Token::WeaklyFair) => Strength::Weak,
            _ => Strength::Enabled,
        };
        self.advance();
        strength
    }

    /// A function, from the type of its result on.
    pub(super) fn function(&mut self) -> Parse<Function> {
        let ty = self.name("the type of the function")?;
        let name = self.name("the name of the function")?;
        let mut params = Vec::new();
        match self.token() {
            Some(Token::Equal | Token::Parens) => self.advance(),
            Some(Token::OpenParen) => {
                self.advance();
                while !self.is_at(Token::CloseParen) {
                    let ty = self.name("the type of a parameter")?;
                    params.push((ty, self.name("the name of a parameter")?));
                    if !self.take_delimiter() {
                        break;
                    }
                }
                self.expect(Token::CloseParen)?;
            }
            _ => return Err(self.expected("`=` or the parameters of a function")),
        }
        Ok(Function { ty, name, params, body: self.formula()? })
    }

    fn place(&mut self) -> Parse<Place> {
        self.expect(Token::Place)?;
        let name = self.name("the name of the place")?;
        let mut capacities = Vec::new();
        while self.is_at(Token::OpenParen) {
            capacities.push(self.ranges()?);
        }
        let ty = self.type_expr()?;
        let constant = self.take(Token::Const);
        let marking = if self.take(Token::Colon) { Some(self.marking()?) } else { None };
        Ok(Place { name, capacities, ty, constant, marking })
    }

    /// Formulas with commas between them, as one.
    pub(super) fn marking(&mut self) -> Parse<Formula> {
        let start = self.span();
        let mut items = vec![self.formula()?];
        while self.take(Token::Comma) {
            items.push(self.formula()?);
        }
        Ok(match items.len() {
            1 => items.remove(0),
            _ => Formula { kind: FormulaKind::Sum(items), span: self.since(start) },
        })
    }

    /// `place name : marking`, the first word optional.
    pub(super) fn arc(&mut self) -> Parse<(Name, Formula)> {
        self.take(Token::Place);
        let place = self.name("the name of a place")?;
        self.expect(Token::Colon)?;
        Ok((place, self.marking()?))
    }
}
