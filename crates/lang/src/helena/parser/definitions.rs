//! Nets and their definitions but for transitions.

use petite_net::{Name, Span};

use super::{Parse, Parser};
use crate::Diagnostic;
use crate::helena::ast::{
    Constant, Definition, Expr, Function, FunctionBody, Net, Param, Place, TypeDef, TypeKind,
};
use crate::helena::lexer::Token;

impl Parser<'_> {
    pub(super) fn net(&mut self) -> Parse<Net> {
        if self.cursor.token.is_none() {
            return Err(Diagnostic::new(self.cursor.span, "there is no model in this file")
                .label("expected the name of a net")
                .help("a model is written as `name { definitions }`"));
        }
        let name = self.name("the name of a net")?;
        let params = if self.cursor.take(Token::OpenParen)? {
            let params = self.list(Self::param)?;
            self.cursor.expect(Token::CloseParen)?;
            params
        } else {
            Vec::new()
        };
        self.cursor.expect(Token::OpenBrace)?;
        let mut definitions = Vec::new();
        while !self.cursor.at(Token::CloseBrace) {
            definitions.push(self.definition()?);
        }
        self.cursor.advance()?;
        if self.cursor.token.is_some() {
            return Err(self
                .cursor
                .expected("the end of the file")
                .help("the `}` before this closes the net; all definitions go before it"));
        }
        Ok(Net { name, params, definitions })
    }

    fn param(&mut self) -> Parse<Param> {
        let name = self.name("the name of a parameter")?;
        self.cursor.expect(Token::Assign)?;
        let negative = self.cursor.take(Token::Minus)?;
        let value = self.number()?;
        Ok(Param { name, value: if negative { -value } else { value } })
    }

    fn definition(&mut self) -> Parse<Definition> {
        match self.cursor.token {
            Some(Token::Type) => self.type_definition(),
            Some(Token::Subtype) => self.subtype(),
            Some(Token::Constant) => Ok(Definition::Constant(self.constant()?)),
            Some(Token::Function | Token::Import) => self.function(),
            Some(Token::Place) => self.place(),
            Some(Token::Transition) => self.transition(),
            Some(Token::Proposition) => {
                self.cursor.advance()?;
                let name = self.name("the name of a proposition")?;
                self.cursor.expect(Token::Colon)?;
                let expr = self.expr()?;
                self.cursor.expect(Token::Semicolon)?;
                Ok(Definition::Proposition { name, expr })
            }
            _ => Err(self.cursor.expected("a definition or `}`").help(
                "definitions start with type, subtype, constant, function, place, transition or proposition",
            )),
        }
    }

    // --- Types

    fn type_definition(&mut self) -> Parse<Definition> {
        self.cursor.expect(Token::Type)?;
        let name = self.name("the name of a type")?;
        self.cursor.expect(Token::Colon)?;
        let kind = match self.cursor.token {
            Some(Token::Range) => TypeKind::Range(self.range()?),
            Some(Token::Mod) => {
                self.cursor.advance()?;
                TypeKind::Modulo(self.expr()?)
            }
            Some(Token::Enum) => {
                self.cursor.advance()?;
                self.cursor.expect(Token::OpenParen)?;
                let constants = self.list(|this| this.name("an enumeration constant"))?;
                self.cursor.expect(Token::CloseParen)?;
                TypeKind::Enum(constants)
            }
            Some(Token::Vector) => {
                self.cursor.advance()?;
                self.cursor.expect(Token::OpenBracket)?;
                let indices = self.list(Self::type_name)?;
                self.cursor.expect(Token::CloseBracket)?;
                self.cursor.expect(Token::Of)?;
                TypeKind::Vector { indices, element: self.type_name()? }
            }
            Some(Token::Struct) => {
                self.cursor.advance()?;
                TypeKind::Struct(self.fields()?)
            }
            Some(Token::List) => {
                self.cursor.advance()?;
                self.cursor.expect(Token::OpenBracket)?;
                let index = self.type_name()?;
                self.cursor.expect(Token::CloseBracket)?;
                self.cursor.expect(Token::Of)?;
                let element = self.type_name()?;
                TypeKind::List { index, element, capacity: self.container_capacity()? }
            }
            Some(Token::Set) => {
                self.cursor.advance()?;
                self.cursor.expect(Token::Of)?;
                let element = self.type_name()?;
                TypeKind::Set { element, capacity: self.container_capacity()? }
            }
            _ => {
                return Err(self
                    .cursor
                    .expected("range, mod, enum, vector, struct, list or set")
                    .help("for a type with some values of another one write `subtype`"));
            }
        };
        self.cursor.expect(Token::Semicolon)?;
        Ok(Definition::Type(TypeDef { name, kind }))
    }

    fn type_name(&mut self) -> Parse<Name> {
        self.name("the name of a type")
    }

    /// `{ type name; ... }`.
    fn fields(&mut self) -> Parse<Vec<(Name, Name)>> {
        self.cursor.expect(Token::OpenBrace)?;
        let mut fields = Vec::new();
        while fields.is_empty() || !self.cursor.at(Token::CloseBrace) {
            let ty = self.type_name()?;
            let field = self.name("the name of a field")?;
            self.cursor.expect(Token::Semicolon)?;
            fields.push((ty, field));
        }
        self.cursor.advance()?;
        Ok(fields)
    }

    fn container_capacity(&mut self) -> Parse<Expr> {
        self.cursor.expect(Token::With)?;
        self.cursor.expect(Token::Capacity)?;
        self.expr()
    }

    fn subtype(&mut self) -> Parse<Definition> {
        self.cursor.expect(Token::Subtype)?;
        let name = self.name("the name of a subtype")?;
        self.cursor.expect(Token::Colon)?;
        let parent = self.type_name()?;
        let range = if self.cursor.at(Token::Range) { Some(self.range()?) } else { None };
        self.cursor.expect(Token::Semicolon)?;
        Ok(Definition::Subtype { name, parent, range })
    }

    // --- Constants and functions

    /// `constant type name := value;`.
    pub(super) fn constant(&mut self) -> Parse<Constant> {
        self.cursor.expect(Token::Constant)?;
        self.typed_value()
    }

    /// `type name := value;`.
    pub(super) fn typed_value(&mut self) -> Parse<Constant> {
        let ty = self.type_name()?;
        let name = self.name("a name")?;
        self.cursor.expect(Token::Assign)?;
        let value = self.expr()?;
        self.cursor.expect(Token::Semicolon)?;
        Ok(Constant { ty, name, value })
    }

    fn function(&mut self) -> Parse<Definition> {
        let start = self.cursor.span;
        let imported = self.cursor.take(Token::Import)?;
        self.cursor.expect(Token::Function)?;
        let name = self.name("the name of a function")?;
        self.cursor.expect(Token::OpenParen)?;
        let params = if self.cursor.at(Token::CloseParen) {
            Vec::new()
        } else {
            self.list(|this| Ok((this.type_name()?, this.name("the name of a parameter")?)))?
        };
        self.cursor.expect(Token::CloseParen)?;
        self.cursor.expect(Token::Arrow)?;
        let result = self.type_name()?;
        let span = self.since(start);
        let body = if imported {
            self.cursor.expect(Token::Semicolon)?;
            FunctionBody::Imported
        } else if self.cursor.take(Token::Semicolon)? {
            FunctionBody::Prototype
        } else {
            FunctionBody::Statement(self.statement()?)
        };
        Ok(Definition::Function(Function { name, params, result, body, span }))
    }

    // --- Places

    fn place(&mut self) -> Parse<Definition> {
        self.cursor.expect(Token::Place)?;
        let name = self.name("the name of a place")?;
        self.cursor.expect(Token::OpenBrace)?;
        self.cursor.expect(Token::Dom)?;
        self.cursor.expect(Token::Colon)?;
        let start = self.cursor.span;
        let mut domain = Vec::new();
        if !self.cursor.take(Token::Epsilon)? {
            domain.push(self.name("the name of a type or `epsilon`")?);
            while self.cursor.take(Token::Star)? {
                domain.push(self.type_name()?);
            }
        }
        let domain_span = self.since(start);
        self.cursor.expect(Token::Semicolon)?;
        let mut place = Place { name, domain, domain_span, init: None, capacity: None, role: None };
        while !self.cursor.at(Token::CloseBrace) {
            let start = self.cursor.span;
            match self.cursor.token {
                Some(Token::Init) => {
                    self.attribute()?;
                    let mapping = self.mapping()?;
                    self.once(&mut place.init, mapping, start)?;
                }
                Some(Token::Capacity) => {
                    self.attribute()?;
                    let capacity = self.expr()?;
                    self.once(&mut place.capacity, capacity, start)?;
                }
                Some(Token::Type) => {
                    self.attribute()?;
                    let role = self.name("process, local, shared, protected, buffer or ack")?;
                    self.once(&mut place.role, role, start)?;
                }
                _ => return Err(self.cursor.expected("init, capacity, type or `}`")),
            }
            self.cursor.expect(Token::Semicolon)?;
        }
        self.cursor.advance()?;
        Ok(Definition::Place(place))
    }

    /// The word at the cursor and the colon after it.
    pub(super) fn attribute(&mut self) -> Parse<()> {
        self.cursor.advance()?;
        self.cursor.expect(Token::Colon)?;
        Ok(())
    }

    /// Fills an attribute that may be stated once.
    pub(super) fn once<T>(&self, slot: &mut Option<T>, value: T, start: Span) -> Parse<()> {
        if slot.replace(value).is_some() {
            let word = self.cursor.slice(start);
            return Err(Diagnostic::new(start, format!("`{word}` is stated twice"))
                .label("stated before")
                .help("remove one of the two"));
        }
        Ok(())
    }
}
