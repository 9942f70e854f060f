//! Types and ranges.

use petite_net::Span;

use super::{Parse, Parser};
use crate::maria::ast::{Discipline, Formula, Range, TypeExpr, TypeKind};
use crate::maria::lexer::Token;
use petite_net::Name;

impl Parser<'_> {
    pub(super) fn type_expr(&mut self) -> Parse<TypeExpr> {
        self.nested(Self::suffixed_type)
    }

    fn suffixed_type(&mut self) -> Parse<TypeExpr> {
        let start = self.span();
        let mut ty = self.base_type(start)?;
        loop {
            let base = |ty: &mut TypeExpr| {
                let span = ty.span;
                Box::new(std::mem::replace(ty, TypeExpr { kind: TypeKind::Struct(Vec::new()), span }))
            };
            let kind = match self.token() {
                Some(Token::OpenParen) => {
                    let ranges = self.ranges()?;
                    TypeKind::Constrained(base(&mut ty), ranges)
                }
                Some(Token::OpenBracket) => {
                    self.advance();
                    let discipline = match self.token() {
                        Some(Token::Queue) => Some(Discipline::Queue),
                        Some(Token::Stack) => Some(Discipline::Stack),
                        _ => None,
                    };
                    let kind = match discipline {
                        Some(discipline) => {
                            self.advance();
                            let capacity = self.formula()?;
                            TypeKind::Buffer(base(&mut ty), discipline, capacity)
                        }
                        None => {
                            let index = self.type_expr()?;
                            TypeKind::Array(base(&mut ty), Box::new(index))
                        }
                    };
                    self.expect(Token::CloseBracket)?;
                    kind
                }
                _ => return Ok(ty),
            };
            ty = TypeExpr { kind, span: self.since(start) };
            self.depth(start, &ty)?;
        }
    }

    /// A chain of suffixes is a nesting, too.
    fn depth(&self, start: Span, ty: &TypeExpr) -> Parse<()> {
        let mut depth = 0;
        let mut at = ty;
        while let TypeKind::Constrained(base, _) | TypeKind::Array(base, _) | TypeKind::Buffer(base, ..) =
            &at.kind
        {
            depth += 1;
            at = base;
        }
        if depth < super::MAX_NESTING { Ok(()) } else { Err(self.too_deep(start)) }
    }

    fn base_type(&mut self, start: Span) -> Parse<TypeExpr> {
        let kind = match self.token() {
            Some(Token::Enum) => {
                self.advance();
                TypeKind::Enum(self.constants()?)
            }
            Some(Token::Struct) => {
                self.advance();
                if self.peek(0) == Some(Token::OpenBrace) && self.peek(1) == Some(Token::CloseBrace) {
                    self.at += 2;
                    TypeKind::Struct(Vec::new())
                } else {
                    TypeKind::Struct(self.fields()?)
                }
            }
            Some(Token::Union) => {
                self.advance();
                TypeKind::Union(self.fields()?)
            }
            Some(Token::Id) => {
                self.advance();
                self.expect(Token::OpenBracket)?;
                let size = self.formula()?;
                self.expect(Token::CloseBracket)?;
                TypeKind::Id(size)
            }
            _ => TypeKind::Named(self.name("a type")?),
        };
        Ok(TypeExpr { kind, span: self.since(start) })
    }

    fn constants(&mut self) -> Parse<Vec<(Name, Option<Formula>)>> {
        self.expect(Token::OpenBrace)?;
        let mut constants = Vec::new();
        loop {
            let name = self.name("the name of a constant")?;
            let is_end = matches!(self.token(), Some(Token::Comma | Token::Semicolon | Token::CloseBrace));
            let number = if self.take(Token::Equal) || !is_end { Some(self.formula()?) } else { None };
            constants.push((name, number));
            if !self.take_delimiter() || self.is_at(Token::CloseBrace) {
                break;
            }
        }
        self.expect(Token::CloseBrace)?;
        Ok(constants)
    }

    fn fields(&mut self) -> Parse<Vec<(TypeExpr, Name)>> {
        self.expect(Token::OpenBrace)?;
        let mut fields = Vec::new();
        loop {
            let ty = self.type_expr()?;
            fields.push((ty, self.name("the name of a component")?));
            if !self.take_delimiter() || self.is_at(Token::CloseBrace) {
                break;
            }
        }
        self.expect(Token::CloseBrace)?;
        Ok(fields)
    }

    /// `( range { , range } )`.
    pub(super) fn ranges(&mut self) -> Parse<Vec<Range>> {
        self.expect(Token::OpenParen)?;
        let mut ranges = vec![self.range()?];
        while self.take_delimiter() {
            ranges.push(self.range()?);
        }
        self.expect(Token::CloseParen)?;
        Ok(ranges)
    }

    fn range(&mut self) -> Parse<Range> {
        let start = self.span();
        if self.take(Token::DotDot) {
            let high = Some(self.formula()?);
            return Ok(Range { low: None, high, span: self.since(start) });
        }
        let low = self.formula()?;
        let high = match self.take(Token::DotDot) {
            false => Some(low.clone()),
            true if matches!(self.token(), Some(Token::Comma | Token::Semicolon | Token::CloseParen)) => None,
            true => Some(self.formula()?),
        };
        Ok(Range { low: Some(low), high, span: self.since(start) })
    }
}
