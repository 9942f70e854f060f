//! Expressions: operators by precedence climbing.
//!
//! Operators of one precedence make one flat chain, however long it is, so the tree is only as deep as the
//! nesting. The typed tree has a level for each operator of a chain (but for `and` and `or`, whose chains
//! become balanced trees); its depth is limited here, where the message can point at the chain.

use petite_net::{Fold, Name, Span};

use super::{Parse, Parser};
use crate::Diagnostic;
use crate::helena::ast::{BinaryOp, Expr, ExprKind, Iter, Range, UnaryOp};
use crate::helena::lexer::Token;

/// Deepest typed tree.
const MAX_DEPTH: u32 = 1200;

/// Precedence of the signs in front of an operand: that of the operators written alike.
const SIGN: u8 = 6;

/// Precedence of `not`, `succ` and `pred`, above all operators between operands.
const PREFIX: u8 = 9;

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.nested(|this| {
            let start = this.cursor.span;
            let condition = this.operators(1)?;
            if !this.cursor.take(Token::Question)? {
                return Ok(condition);
            }
            let then = this.expr()?;
            this.cursor.expect(Token::Colon)?;
            let otherwise = this.expr()?;
            let depth = condition.depth.max(then.depth).max(otherwise.depth) + 1;
            this.build(ExprKind::If(Box::new([condition, then, otherwise])), start, depth)
        })
    }

    pub(super) fn exprs(&mut self) -> Parse<Vec<Expr>> {
        self.list(Self::expr)
    }

    /// The operator at the cursor, unless it separates the factor of a tuple from the tuple.
    fn operator(&self) -> Option<BinaryOp> {
        Some(match self.cursor.token? {
            Token::Star if matches!(self.cursor.next, Some(Token::OpenTuple | Token::Epsilon)) => {
                return None;
            }
            Token::Or => BinaryOp::Or,
            Token::And => BinaryOp::And,
            Token::In => BinaryOp::In,
            Token::Equal => BinaryOp::Eq,
            Token::NotEqual => BinaryOp::Ne,
            Token::Less => BinaryOp::Lt,
            Token::LessEqual => BinaryOp::Le,
            Token::Greater => BinaryOp::Gt,
            Token::GreaterEqual => BinaryOp::Ge,
            Token::Plus => BinaryOp::Add,
            Token::Minus => BinaryOp::Sub,
            Token::Star => BinaryOp::Mul,
            Token::Slash => BinaryOp::Div,
            Token::Percent => BinaryOp::Rem,
            Token::Ampersand => BinaryOp::Concat,
            _ => return None,
        })
    }

    /// Operands joined by operators that bind at least as tightly as `least`.
    fn operators(&mut self, least: u8) -> Parse<Expr> {
        let start = self.cursor.span;
        let mut left = self.prefix()?;
        while let Some(operator) = self.operator().filter(|operator| operator.precedence() >= least) {
            let level = operator.precedence();
            let mut rest = Vec::new();
            let mut depth = left.depth;
            while let Some(operator) = self.operator().filter(|operator| operator.precedence() == level) {
                self.cursor.advance()?;
                let right = self.nested(|this| this.operators(level + 1))?;
                depth = match operator {
                    BinaryOp::And | BinaryOp::Or => depth.max(right.depth),
                    _ => depth.max(right.depth) + 1,
                };
                self.limit(start, depth)?;
                rest.push((operator, right));
            }
            if matches!(operator, BinaryOp::And | BinaryOp::Or) {
                depth += usize::BITS - rest.len().leading_zeros();
            }
            left = self.build(ExprKind::Chain(Box::new(left), rest), start, depth)?;
        }
        Ok(left)
    }

    /// What may stand in front of the star of a tuple.
    pub(super) fn factors(&mut self) -> Parse<Expr> {
        self.operators(BinaryOp::Mul.precedence())
    }

    /// Whether the text goes on with an operator.
    pub(super) fn at_operator(&self) -> bool {
        self.operator().is_some() || self.cursor.at(Token::Question)
    }

    fn prefix(&mut self) -> Parse<Expr> {
        let (operator, least) = match self.cursor.token {
            Some(Token::Plus) => (UnaryOp::Plus, SIGN + 1),
            Some(Token::Minus) => (UnaryOp::Minus, SIGN + 1),
            Some(Token::Not) => (UnaryOp::Not, PREFIX),
            Some(Token::Succ) => (UnaryOp::Succ, PREFIX),
            Some(Token::Pred) => (UnaryOp::Pred, PREFIX),
            _ => return self.postfix(),
        };
        let start = self.cursor.span;
        self.cursor.advance()?;
        let operand = self.nested(|this| this.operators(least))?;
        let depth = operand.depth + 1;
        self.build(ExprKind::Unary(operator, Box::new(operand)), start, depth)
    }

    /// An operand with what follows it: components, elements, changes and attributes.
    fn postfix(&mut self) -> Parse<Expr> {
        let start = self.cursor.span;
        let mut expr = self.operand()?;
        let mut length = 0;
        loop {
            length += 1;
            if length > super::cursor::MAX_NESTING {
                return Err(too_deep(self.since(start)));
            }
            let depth = expr.depth + 1;
            match self.cursor.token {
                Some(Token::Dot) => {
                    self.cursor.advance()?;
                    let field = self.name("the name of a field")?;
                    expr = self.build(ExprKind::Field(Box::new(expr), field), start, depth)?;
                }
                Some(Token::OpenBracket) => {
                    self.cursor.advance()?;
                    let first = self.expr()?;
                    let kind = if self.cursor.take(Token::DotDot)? {
                        let last = self.expr()?;
                        self.cursor.expect(Token::CloseBracket)?;
                        ExprKind::Slice(Box::new([expr, first, last]))
                    } else {
                        let mut indices = vec![first];
                        while self.cursor.take(Token::Comma)? {
                            indices.push(self.expr()?);
                        }
                        self.cursor.expect(Token::CloseBracket)?;
                        ExprKind::Element(Box::new(expr), indices)
                    };
                    expr = self.build(kind, start, depth)?;
                }
                Some(Token::ColonColon) => {
                    self.cursor.advance()?;
                    let kind = self.change(expr)?;
                    expr = self.build(kind, start, depth)?;
                }
                Some(Token::Quote) => {
                    self.cursor.advance()?;
                    let name = self.attribute_name()?;
                    expr = self.build(ExprKind::Attribute(Box::new(expr), name), start, depth)?;
                }
                _ => return Ok(expr),
            }
        }
    }

    /// `( field := value )` or `( [ index ] := value )` after `::`.
    fn change(&mut self, whole: Expr) -> Parse<ExprKind> {
        self.cursor.expect(Token::OpenParen)?;
        let kind = if self.cursor.take(Token::OpenBracket)? {
            let indices = self.exprs()?;
            self.cursor.expect(Token::CloseBracket)?;
            self.cursor.expect(Token::Assign)?;
            ExprKind::WithElement(Box::new(whole), indices, Box::new(self.expr()?))
        } else {
            let field = self.name("`[` or the name of a field")?;
            self.cursor.expect(Token::Assign)?;
            ExprKind::WithField(Box::new(whole), field, Box::new(self.expr()?))
        };
        self.close_paren()?;
        Ok(kind)
    }

    /// The name behind a quote; three of them are reserved words.
    fn attribute_name(&mut self) -> Parse<Name> {
        if !matches!(self.cursor.token, Some(Token::Card | Token::Mult | Token::Empty | Token::Capacity)) {
            return self.name("the name of an attribute");
        }
        let name = Name { text: self.cursor.slice(self.cursor.span).to_owned(), span: self.cursor.span };
        self.cursor.advance()?;
        Ok(name)
    }

    fn operand(&mut self) -> Parse<Expr> {
        let start = self.cursor.span;
        let Some(token) = self.cursor.token else { return Err(self.cursor.expected("an expression")) };
        if let Some(fold) = fold(token) {
            self.cursor.advance()?;
            return self.iteration(fold, start);
        }
        match token {
            Token::Number => {
                let number = self.number()?;
                self.build(ExprKind::Number(number), start, 1)
            }
            Token::Empty => {
                self.cursor.advance()?;
                self.build(ExprKind::Empty, start, 1)
            }
            Token::Name => self.named(start),
            Token::OpenParen => {
                self.cursor.advance()?;
                let mut inner = self.expr()?;
                self.close_paren()?;
                inner.span = self.since(start);
                Ok(inner)
            }
            Token::OpenBrace => self.literal(start, Token::CloseBrace, ExprKind::Struct),
            Token::OpenBracket => self.literal(start, Token::CloseBracket, ExprKind::Vector),
            Token::Bar => self.literal(start, Token::Bar, ExprKind::Container),
            Token::OpenTuple => Err(self
                .cursor
                .expected("an expression")
                .help("`<(` opens a token; to compare with something in parentheses write a blank: `< (`")),
            _ => Err(self.cursor.expected("an expression")),
        }
    }

    fn named(&mut self, start: Span) -> Parse<Expr> {
        let name = self.name("a name")?;
        match self.cursor.token {
            Some(Token::OpenParen) => {
                self.cursor.advance()?;
                let args = if self.cursor.at(Token::CloseParen) { Vec::new() } else { self.exprs()? };
                self.close_paren()?;
                let depth = deepest(&args) + 1;
                self.build(ExprKind::Call(name, args), start, depth)
            }
            Some(Token::Arrow) => {
                self.cursor.advance()?;
                let number = self.number()?;
                self.build(ExprKind::Component(name, number), start, 2)
            }
            _ => self.build(ExprKind::Name(name.text), start, 1),
        }
    }

    fn literal(&mut self, start: Span, close: Token, kind: fn(Vec<Expr>) -> ExprKind) -> Parse<Expr> {
        self.cursor.advance()?;
        let ends = |token| {
            use Token::{CloseBrace, CloseBracket, CloseParen, CloseTuple, Comma, Semicolon};
            matches!(token, Semicolon | Comma | CloseParen | CloseTuple | CloseBracket | CloseBrace)
        };
        if self.cursor.at(close) && close == Token::Bar && self.cursor.next.is_none_or(ends) {
            return Err(self.cursor.expected("an element").help("write `empty` for the empty list or set"));
        }
        let items = self.exprs()?;
        self.cursor.expect(close)?;
        let depth = deepest(&items) + 1;
        self.build(kind(items), start, depth)
    }

    /// A closing parenthesis, where `)>` may have been written for `) >`.
    fn close_paren(&mut self) -> Parse<()> {
        if self.cursor.at(Token::CloseTuple) {
            return Err(self
                .cursor
                .expected("`)`")
                .help("`)>` closes a token; to compare something in parentheses write a blank: `) >`"));
        }
        self.cursor.expect(Token::CloseParen)?;
        Ok(())
    }

    // --- Iterations

    /// `( iters | condition : body )` after the word that says what to compute.
    fn iteration(&mut self, fold: Fold, start: Span) -> Parse<Expr> {
        self.cursor.expect(Token::OpenParen)?;
        let iters = self.iters()?;
        let condition = if self.cursor.take(Token::Bar)? { Some(Box::new(self.expr()?)) } else { None };
        let has_body = !matches!(fold, Fold::Exists | Fold::Card | Fold::Mult);
        let body = if has_body {
            self.cursor.expect(Token::Colon)?;
            Some(Box::new(self.expr()?))
        } else {
            if self.cursor.at(Token::Colon) {
                return Err(self.cursor.expected("`)`").help("write a condition after `|`"));
            }
            None
        };
        self.close_paren()?;
        let parts = [&condition, &body].into_iter().flatten().map(|expr| expr.depth);
        let depth = parts.max().unwrap_or(0).max(deepest_iter(&iters)) + 1;
        self.build(ExprKind::Iterate { fold, iters, condition, body }, start, depth)
    }

    pub(super) fn iters(&mut self) -> Parse<Vec<Iter>> {
        self.list(Self::iter)
    }

    /// `name in domain range low .. high`.
    pub(super) fn iter(&mut self) -> Parse<Iter> {
        let start = self.cursor.span;
        let variable = self.name("the name of an iteration variable")?;
        self.cursor.expect(Token::In)?;
        let domain = self.expr()?;
        let range = if self.cursor.at(Token::Range) { Some(self.range()?) } else { None };
        Ok(Iter { variable, domain, range, span: self.since(start) })
    }

    /// `range low .. high`.
    pub(super) fn range(&mut self) -> Parse<Range> {
        let start = self.cursor.expect(Token::Range)?;
        let low = self.expr()?;
        self.cursor.expect(Token::DotDot)?;
        let high = self.expr()?;
        Ok(Range { low, high, span: self.since(start) })
    }

    // --- Depth

    fn build(&self, kind: ExprKind, start: Span, depth: u32) -> Parse<Expr> {
        self.limit(start, depth)?;
        Ok(Expr { kind, span: self.since(start), depth })
    }

    fn limit(&self, start: Span, depth: u32) -> Parse<()> {
        if depth > MAX_DEPTH { Err(too_deep(self.since(start))) } else { Ok(()) }
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(span, "this expression is too long or nested too deeply")
        .label(format!("more than {MAX_DEPTH} operations one inside the other"))
        .help("split it with constants, functions or propositions of their own")
}

fn deepest(exprs: &[Expr]) -> u32 {
    exprs.iter().map(|expr| expr.depth).max().unwrap_or(0)
}

fn deepest_iter(iters: &[Iter]) -> u32 {
    let depth = |iter: &Iter| {
        let range = iter.range.as_ref().map_or(0, |range| range.low.depth.max(range.high.depth));
        iter.domain.depth.max(range)
    };
    iters.iter().map(depth).max().unwrap_or(0)
}

fn fold(token: Token) -> Option<Fold> {
    Some(match token {
        Token::Forall => Fold::Forall,
        Token::Exists => Fold::Exists,
        Token::Card => Fold::Card,
        Token::Mult => Fold::Mult,
        Token::Sum => Fold::Sum,
        Token::Product => Fold::Product,
        Token::Min => Fold::Min,
        Token::Max => Fold::Max,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Cursor;
    use super::*;

    /// The expression with all its parentheses, in prefix form.
    fn show(expr: &Expr) -> String {
        let all = |exprs: &[Expr]| exprs.iter().map(show).collect::<Vec<_>>().join(" ");
        match &expr.kind {
            ExprKind::Number(number) => number.to_string(),
            ExprKind::Name(name) => name.clone(),
            ExprKind::Call(name, args) => format!("{name}({})", all(args)),
            ExprKind::Unary(op, operand) => format!("({op:?} {})", show(operand)),
            ExprKind::Chain(first, rest) => rest
                .iter()
                .fold(show(first), |left, (op, right)| format!("({left} {} {})", op.sign(), show(right))),
            ExprKind::If(parts) => format!("(if {})", all(&parts[..])),
            ExprKind::Struct(items) => format!("{{{}}}", all(items)),
            ExprKind::Vector(items) => format!("[{}]", all(items)),
            ExprKind::Container(items) => format!("|{}|", all(items)),
            ExprKind::Empty => "empty".to_owned(),
            ExprKind::Field(whole, name) => format!("{}.{name}", show(whole)),
            ExprKind::WithField(whole, name, part) => format!("{}::({name} {})", show(whole), show(part)),
            ExprKind::Element(whole, indices) => format!("{}[{}]", show(whole), all(indices)),
            ExprKind::WithElement(whole, at, part) => {
                format!("{}::([{}] {})", show(whole), all(at), show(part))
            }
            ExprKind::Slice(parts) => format!("(slice {})", all(&parts[..])),
            ExprKind::Component(name, number) => format!("{name}->{number}"),
            ExprKind::Attribute(whole, name) => format!("{}'{name}", show(whole)),
            ExprKind::Iterate { fold, iters, condition, body } => {
                let iters: Vec<String> =
                    iters.iter().map(|iter| format!("{} in {}", iter.variable, show(&iter.domain))).collect();
                let part = |part: &Option<Box<Expr>>| part.as_ref().map_or("-".to_owned(), |part| show(part));
                format!("({fold:?} {} | {} : {})", iters.join(", "), part(condition), part(body))
            }
        }
    }

    fn parse(text: &str) -> Parse<Expr> {
        let mut parser = Parser { cursor: Cursor::new(text, 0)? };
        let expr = parser.expr()?;
        if parser.cursor.token.is_some() { Err(parser.cursor.expected("nothing more")) } else { Ok(expr) }
    }

    #[test]
    fn precedence() {
        for (text, expected) in [
            (
                "a or b and c in d = e < f + g * h & i",
                "(a or (b and (c in (d = (e < (f + (g * (h & i))))))))",
            ),
            ("a - b - c + d", "(((a - b) - c) + d)"),
            ("-a + b", "((Minus a) + b)"),
            ("-a * b", "(Minus (a * b))"),
            ("a / -b * c + d", "((a / (Minus (b * c))) + d)"),
            ("not a = b", "((Not a) = b)"),
            ("not s'empty and succ x[1] > 2", "((Not s'empty) and ((Succ x[1]) > 2))"),
            ("succ a & l", "((Succ a) & l)"),
            ("a ? b : c ? d : e", "(if a b (if c d e))"),
            ("a ? b ? c : d : e", "(if a (if b c d) e)"),
            ("t->2'full", "t->2'full"),
            ("a::([i, j] := 1)::(f := 2).f", "a::([i j] 1)::(f 2).f"),
            ("l[1 .. 2][0]", "(slice l 1 2)[0]"),
            ("s - |a, b| or {c}", "((s - |a b|) or {c})"),
            ("| | a |, | b | |", "||a| |b||"),
            ("f() + g(1, 2)", "(f() + g(1 2))"),
            ("a < (b)", "(a < b)"),
            ("exists (t in p | t->1 = 0)", "(Exists t in p | (t->1 = 0) : -)"),
            (
                "sum (x in s - |1|, y in T range 1 .. x | x > y : x * y) + 1",
                "((Sum x in (s - |1|), y in T | (x > y) : (x * y)) + 1)",
            ),
            ("max (x in T : x)", "(Max x in T | - : x)"),
            ("p'card + p'mult + l'capacity", "((p'card + p'mult) + l'capacity)"),
        ] {
            assert_eq!(parse(text).map(|expr| show(&expr)).unwrap_or_else(|e| e.message), expected, "{text}");
        }
    }

    #[test]
    fn long_and_deep_expressions() {
        let chain = |n: usize, op: &str| vec!["a"; n].join(op);
        assert!(parse(&chain(1100, "+")).is_ok());
        assert!(parse(&chain(100_000, " and ")).is_ok());
        let too_long = "this expression is too long or nested too deeply";
        assert_eq!(parse(&chain(1_000_000, "+")).unwrap_err().message, too_long);
        let too_deep = "nested deeper than 200 levels";
        for (open, close) in [("(", ")"), ("-", ""), ("not ", ""), ("f(", ")"), ("[", "]"), ("a?", ":a")] {
            let deep = |n: usize| [&open.repeat(n), "a", &close.repeat(n)].concat();
            assert!(parse(&deep(60)).is_ok(), "{open}");
            assert_eq!(parse(&deep(100_000)).unwrap_err().message, too_deep, "{open}");
        }
        for postfix in ["'prefix", ".f", "[1]", "::(f := 1)"] {
            assert!(parse(&["a", &postfix.repeat(100)].concat()).is_ok(), "{postfix}");
            let error = parse(&["a", &postfix.repeat(100_000)].concat()).unwrap_err();
            assert_eq!(error.message, too_long, "{postfix}");
        }
    }
}
