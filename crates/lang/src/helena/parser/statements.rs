//! Statements of functions.

use super::{Parse, Parser};
use crate::Diagnostic;
use crate::helena::ast::{Access, Declaration, LValue, Stmt};
use crate::helena::lexer::Token;

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Parse<Stmt> {
        self.nested(Self::statement_inside)
    }

    fn statement_inside(&mut self) -> Parse<Stmt> {
        let start = self.cursor.span;
        match self.cursor.token {
            Some(Token::If) => {
                self.cursor.advance()?;
                let condition = self.condition()?;
                let then = Box::new(self.statement()?);
                let otherwise =
                    if self.cursor.take(Token::Else)? { Some(Box::new(self.statement()?)) } else { None };
                Ok(Stmt::If { condition, then, otherwise })
            }
            Some(Token::Case) => self.case(),
            Some(Token::While) => {
                self.cursor.advance()?;
                let condition = self.condition()?;
                let span = self.since(start);
                Ok(Stmt::While { condition, body: Box::new(self.statement()?), span })
            }
            Some(Token::For) => {
                self.cursor.advance()?;
                self.cursor.expect(Token::OpenParen)?;
                let iters = self.iters()?;
                self.cursor.expect(Token::CloseParen)?;
                Ok(Stmt::For { iters, body: Box::new(self.statement()?) })
            }
            Some(Token::Return) => {
                self.cursor.advance()?;
                let value = self.expr()?;
                self.cursor.expect(Token::Semicolon)?;
                Ok(Stmt::Return(value))
            }
            Some(Token::Assert) => {
                self.attribute()?;
                let condition = self.expr()?;
                self.cursor.expect(Token::Semicolon)?;
                Ok(Stmt::Assert(condition))
            }
            Some(Token::Print) => self.print(),
            Some(Token::OpenBrace) => self.block(),
            Some(Token::Name) => self.assignment(),
            _ => Err(self.cursor.expected("a statement")),
        }
    }

    /// `( expr )`.
    fn condition(&mut self) -> Parse<crate::helena::ast::Expr> {
        self.cursor.expect(Token::OpenParen)?;
        let condition = self.expr()?;
        self.cursor.expect(Token::CloseParen)?;
        Ok(condition)
    }

    fn case(&mut self) -> Parse<Stmt> {
        self.cursor.expect(Token::Case)?;
        let subject = self.condition()?;
        self.cursor.expect(Token::OpenBrace)?;
        let mut alternatives = Vec::new();
        let mut default = None;
        while !self.cursor.at(Token::CloseBrace) {
            if self.cursor.at(Token::Default) {
                self.attribute()?;
                default = Some(Box::new(self.statement()?));
                if !self.cursor.at(Token::CloseBrace) {
                    return Err(self.cursor.expected("`}`").help("`default` is the last alternative"));
                }
                break;
            }
            let value = self.expr()?;
            self.cursor.expect(Token::Colon)?;
            alternatives.push((value, self.statement()?));
        }
        self.cursor.expect(Token::CloseBrace)?;
        Ok(Stmt::Case { subject, alternatives, default })
    }

    fn print(&mut self) -> Parse<Stmt> {
        self.cursor.expect(Token::Print)?;
        let (mut format, mut args) = (None, Vec::new());
        if self.cursor.at(Token::String) {
            format = Some(self.string()?);
            if self.cursor.take(Token::Comma)? {
                args = self.exprs()?;
            }
        } else {
            args = self.exprs()?;
        }
        self.cursor.expect(Token::Semicolon)?;
        Ok(Stmt::Print { format, args })
    }

    fn block(&mut self) -> Parse<Stmt> {
        self.cursor.expect(Token::OpenBrace)?;
        let mut declarations = Vec::new();
        loop {
            if self.cursor.at(Token::Constant) {
                declarations.push(Declaration::Constant(self.constant()?));
            } else if self.at_declaration() {
                let ty = self.name("the name of a type")?;
                let name = self.name("the name of a variable")?;
                let value = if self.cursor.take(Token::Assign)? { Some(self.expr()?) } else { None };
                self.cursor.expect(Token::Semicolon)?;
                declarations.push(Declaration::Variable { ty, name, value });
            } else {
                break;
            }
        }
        let mut statements = Vec::new();
        while statements.is_empty() || !self.cursor.at(Token::CloseBrace) {
            if self.cursor.at(Token::Constant) || self.at_declaration() {
                return Err(Diagnostic::new(self.cursor.span, "a declaration after a statement")
                    .label("expected a statement or `}`")
                    .help("move it before the first statement of its block, or open a new block"));
            }
            if self.cursor.at(Token::CloseBrace) {
                return Err(self.cursor.expected("a statement").help("a block has at least one statement"));
            }
            statements.push(self.statement()?);
        }
        self.cursor.advance()?;
        Ok(Stmt::Block { declarations, statements })
    }

    /// Two names in a row are a type and a variable.
    fn at_declaration(&self) -> bool {
        self.cursor.at(Token::Name) && self.cursor.next == Some(Token::Name)
    }

    fn assignment(&mut self) -> Parse<Stmt> {
        let start = self.cursor.span;
        let variable = self.name("the name of a variable")?;
        let mut path = Vec::new();
        loop {
            if self.cursor.take(Token::OpenBracket)? {
                let indices = self.exprs()?;
                let close = self.cursor.expect(Token::CloseBracket)?;
                path.push(Access::Element(indices, start.to(close)));
            } else if self.cursor.take(Token::Dot)? {
                path.push(Access::Field(self.name("the name of a field")?));
            } else {
                break;
            }
        }
        let target = LValue { variable, path, span: self.since(start) };
        self.cursor.expect(Token::Assign)?;
        let value = self.expr()?;
        self.cursor.expect(Token::Semicolon)?;
        Ok(Stmt::Assign { target, value })
    }
}
