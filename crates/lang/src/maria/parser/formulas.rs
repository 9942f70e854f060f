//! Formulas.
//!
//! Operators bind by level, the loosest first. A formula with a quantifier or an output variable starts like an
//! operand and goes on as far as it can.
//!
//! | level | operators |
//! |---|---|
//! | 0 | `? :` |
//! | 1 | `until`, `release` |
//! | 2 to 5 | `=>` `<=>`, `\|\|`, `^^`, `&&` |
//! | 6 | `<>` `[]` `()` in front |
//! | 7 to 14 | `\|`, `^`, `&`, `==` `!=`, `<` `<=` `>` `>=`, `<<` `>>`, `+` `-`, `*` `/` `%` |
//! | 15 | `#`, `is` behind |
//! | 16 | unary operators |
//! | 17 | `cardinality`, `min`, `max`, `map`, filtering `subset` |
//! | 18 to 21 | `equals`, `subset`, `minus` `union`, `intersect` |
//! | 22 | `atom`, `is` in front |
//! | 23 | `.`, `[ ]` |

use petite_net::{Name, Span};

use super::{MAX_NESTING, Parse, Parser};
use crate::Diagnostic;
use crate::maria::ast::{Binary, Formula, FormulaKind, Quantified, Quantifier, Unary, Which};
use crate::maria::lexer::Token;
use crate::maria::names;

/// Operators that may follow each other: each nests the tree one level deeper.
const MAX_CHAIN: u32 = 2000;

/// The same, however deep the formula is nested.
const MIN_CHAIN: u32 = 20;

/// The level of the temporal operators in front of an operand.
const TEMPORAL: u8 = 6;

/// The level and meaning of an operator between two values.
fn between_values(token: Token) -> Option<(u8, Binary)> {
    Some(match token {
        Token::Until => (1, Binary::Until),
        Token::Release => (1, Binary::Release),
        Token::Implies => (2, Binary::Implies),
        Token::Iff => (2, Binary::Iff),
        Token::OrOr => (3, Binary::Or),
        Token::XorXor => (4, Binary::Xor),
        Token::AndAnd => (5, Binary::And),
        Token::Bar => (7, Binary::BitOr),
        Token::Caret => (8, Binary::BitXor),
        Token::Ampersand => (9, Binary::BitAnd),
        Token::EqualEqual => (10, Binary::Equal),
        Token::NotEqual => (10, Binary::NotEqual),
        Token::GreaterEqual => (11, Binary::GreaterEqual),
        Token::LessEqual => (11, Binary::LessEqual),
        Token::Less => (11, Binary::Less),
        Token::Greater => (11, Binary::Greater),
        Token::ShiftLeft => (12, Binary::ShiftLeft),
        Token::ShiftRight => (12, Binary::ShiftRight),
        Token::Plus => (13, Binary::Add),
        Token::Dash => (13, Binary::Sub),
        Token::Star => (14, Binary::Mul),
        Token::Slash => (14, Binary::Div),
        Token::Percent => (14, Binary::Rem),
        _ => return None,
    })
}

/// The level and meaning of an operator between two multi-sets.
fn between_bags(token: Token) -> Option<(u8, Binary)> {
    Some(match token {
        Token::Equals => (18, Binary::Equals),
        Token::Subset => (19, Binary::Subset),
        Token::Minus => (20, Binary::Minus),
        Token::Union => (20, Binary::Union),
        Token::Intersect => (21, Binary::Intersect),
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn formula(&mut self) -> Parse<Formula> {
        self.nested(Self::choice)
    }

    pub(super) fn too_deep(&self, span: Span) -> Diagnostic {
        Diagnostic::new(span, format!("nested deeper than {MAX_NESTING} levels"))
            .label("one level too many")
            .help("split it with functions of their own")
    }

    /// `( formula )` where it may be left out.
    pub(super) fn condition(&mut self) -> Parse<Option<Formula>> {
        if !self.take(Token::OpenParen) {
            return Ok(None);
        }
        let condition = self.formula()?;
        self.expect(Token::CloseParen)?;
        Ok(Some(condition))
    }

    fn made(&self, start: Span, kind: FormulaKind) -> Formula {
        Formula { kind, span: self.since(start) }
    }

    fn choice(&mut self) -> Parse<Formula> {
        let start = self.span();
        let subject = self.values(1)?;
        if self.is_at(Token::Question) { self.choice_of(start, subject) } else { Ok(subject) }
    }

    /// A choice whose subject was read already. An alternative that is a choice itself takes the ones behind it.
    fn choice_of(&mut self, start: Span, subject: Formula) -> Parse<Formula> {
        self.expect(Token::Question)?;
        let mut alternatives = Vec::new();
        loop {
            let at = self.span();
            let alternative = self.nested(|parser| parser.values(1))?;
            if self.is_at(Token::Question) {
                alternatives.push(self.nested(|parser| parser.choice_of(at, alternative))?);
                break;
            }
            alternatives.push(alternative);
            if !self.take(Token::Colon) {
                break;
            }
        }
        Ok(self.made(start, FormulaKind::Choice(Box::new(subject), alternatives)))
    }

    /// Operators between values, of a level and tighter ones.
    fn values(&mut self, level: u8) -> Parse<Formula> {
        self.chain(level, between_values, Self::values, Self::temporal)
    }

    /// Operators between multi-sets, likewise.
    fn bags(&mut self, level: u8) -> Parse<Formula> {
        self.chain(level, between_bags, Self::bags, Self::cast)
    }

    /// Operands with left-associative operators of a level and tighter ones between them.
    fn chain(
        &mut self,
        level: u8,
        operator: fn(Token) -> Option<(u8, Binary)>,
        tighter: fn(&mut Self, u8) -> Parse<Formula>,
        operand: fn(&mut Self) -> Parse<Formula>,
    ) -> Parse<Formula> {
        let start = self.span();
        let mut left = operand(self)?;
        let mut n_operators = 0;
        while let Some((found, op)) = self.token().and_then(operator).filter(|(found, _)| *found >= level) {
            // In a fairness assumption, a transition's condition ends where the next transition begins.
            if self.peek(1) == Some(Token::Trans) && !contains_transition(&left) {
                break;
            }
            n_operators += 1;
            // A chain nests to the left; deep inside others it must be shorter.
            let most = (MAX_CHAIN / (self.nesting + 1)).max(MIN_CHAIN);
            if n_operators > most {
                let message = format!("more than {most} operators in a row");
                return Err(Diagnostic::new(self.span(), message)
                    .label("one operator too many")
                    .help("put parts of the formula in brackets, or in functions of their own"));
            }
            self.advance();
            let right = tighter(self, found + 1)?;
            left = self.made(start, FormulaKind::Binary(op, Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn temporal(&mut self) -> Parse<Formula> {
        let start = self.span();
        let op = match self.token() {
            Some(Token::Eventually) => Unary::Eventually,
            Some(Token::Always) => Unary::Always,
            Some(Token::Parens) => Unary::Next,
            _ => return self.multiple(),
        };
        self.advance();
        let operand = self.nested(|parser| parser.values(TEMPORAL))?;
        Ok(self.made(start, FormulaKind::Unary(op, Box::new(operand))))
    }

    /// `n # x` and `x is c`.
    fn multiple(&mut self) -> Parse<Formula> {
        let start = self.span();
        let mut left = self.unary()?;
        while self.take(Token::Is) {
            let component = self.name("the name of a component")?;
            left = self.made(start, FormulaKind::Is(Box::new(left), component));
        }
        if !self.take(Token::Hash) {
            return Ok(left);
        }
        let right = self.nested(Self::multiple)?;
        Ok(self.made(start, FormulaKind::Binary(Binary::Times, Box::new(left), Box::new(right))))
    }

    fn unary(&mut self) -> Parse<Formula> {
        let start = self.span();
        let op = match self.token() {
            Some(Token::Dash) => Unary::Minus,
            Some(Token::Tilde) => Unary::Complement,
            Some(Token::Bang) => Unary::Not,
            Some(Token::Plus) => Unary::Successor,
            Some(Token::Bar) => Unary::Predecessor,
            Some(Token::Star) => Unary::Head,
            Some(Token::Slash) => Unary::Used,
            Some(Token::Percent) => Unary::Free,
            _ => return self.of_bags(),
        };
        self.advance();
        let operand = self.nested(Self::unary)?;
        Ok(self.made(start, FormulaKind::Unary(op, Box::new(operand))))
    }

    fn of_bags(&mut self) -> Parse<Formula> {
        let start = self.span();
        let op = match self.token() {
            Some(Token::Cardinality) => Unary::Cardinality,
            Some(Token::Max) => Unary::Max,
            Some(Token::Min) => Unary::Min,
            Some(Token::Map) => return self.nested(Self::map),
            Some(Token::Subset) => return self.nested(Self::filter),
            _ => return self.bags(18),
        };
        self.advance();
        let operand = self.nested(Self::of_bags)?;
        Ok(self.made(start, FormulaKind::Unary(op, Box::new(operand))))
    }

    fn map(&mut self) -> Parse<Formula> {
        let start = self.expect(Token::Map)?;
        let mut var = self.name("the name of a variable")?;
        let mut count = None;
        if self.take(Token::Hash) {
            count = Some(std::mem::replace(&mut var, self.name("the name of a variable")?));
        }
        let bag = self.braced_marking()?;
        let image = self.of_bags()?;
        Ok(self.made(start, FormulaKind::Map(count, var, Box::new(bag), Box::new(image))))
    }

    fn filter(&mut self) -> Parse<Formula> {
        let start = self.expect(Token::Subset)?;
        let var = self.name("the name of a variable")?;
        let bag = self.braced_marking()?;
        let condition = self.of_bags()?;
        Ok(self.made(start, FormulaKind::Filter(var, Box::new(bag), Box::new(condition))))
    }

    fn braced_marking(&mut self) -> Parse<Formula> {
        self.expect(Token::OpenBrace)?;
        let marking = self.marking()?;
        self.expect(Token::CloseBrace)?;
        Ok(marking)
    }

    fn cast(&mut self) -> Parse<Formula> {
        let start = self.span();
        match self.token() {
            Some(Token::Atom) => {
                self.advance();
                let operand = self.nested(Self::cast)?;
                Ok(self.made(start, FormulaKind::Atom(Box::new(operand))))
            }
            Some(Token::Is) => {
                self.advance();
                let ty = self.name("a type")?;
                let operand = self.nested(Self::cast)?;
                Ok(self.made(start, FormulaKind::Cast(ty, Box::new(operand))))
            }
            // Where an operand is expected, an operator in front of it is clear however loosely it binds.
            Some(
                Token::Dash
                | Token::Tilde
                | Token::Bang
                | Token::Plus
                | Token::Bar
                | Token::Star
                | Token::Slash
                | Token::Percent,
            ) => self.nested(Self::unary),
            Some(Token::Cardinality | Token::Max | Token::Min | Token::Map | Token::Subset) => {
                self.nested(Self::of_bags)
            }
            _ => self.accessed(),
        }
    }

    /// An operand with components, elements and updates behind it.
    fn accessed(&mut self) -> Parse<Formula> {
        let start = self.span();
        let mut whole = self.operand()?;
        let mut n_accesses = 0;
        loop {
            let kind = match self.token() {
                Some(Token::Dot) if self.peek(1) == Some(Token::OpenBrace) => {
                    self.at += 2;
                    let kind = self.update(whole)?;
                    self.expect(Token::CloseBrace)?;
                    kind
                }
                Some(Token::Dot) => {
                    self.advance();
                    FormulaKind::Component(Box::new(whole), self.name("the name of a component")?)
                }
                Some(Token::OpenBracket) => {
                    self.advance();
                    let index = self.formula()?;
                    self.expect(Token::CloseBracket)?;
                    FormulaKind::Index(Box::new(whole), Box::new(index))
                }
                _ => return Ok(whole),
            };
            n_accesses += 1;
            if n_accesses > MAX_NESTING {
                return Err(self.too_deep(self.span()));
            }
            whole = self.made(start, kind);
        }
    }

    /// What is behind `.{`.
    fn update(&mut self, whole: Formula) -> Parse<FormulaKind> {
        let whole = Box::new(whole);
        if self.take(Token::OpenBracket) {
            let index = self.formula()?;
            self.expect(Token::CloseBracket)?;
            let value = self.formula()?;
            return Ok(FormulaKind::WithElement(whole, Box::new(index), Box::new(value)));
        }
        let component = self.name("the name of a component or an index in `[ ]`")?;
        let value = self.formula()?;
        Ok(FormulaKind::WithComponent(whole, component, Box::new(value)))
    }

    fn operand(&mut self) -> Parse<Formula> {
        let start = self.span();
        let Some(token) = self.token() else { return Err(self.expected("a formula")) };
        let kind = match token {
            Token::True | Token::False => {
                self.advance();
                FormulaKind::Bool(token == Token::True)
            }
            Token::Number => FormulaKind::Number(self.number()?),
            Token::Character => {
                let code = names::character(self.slice(start)).ok_or_else(|| {
                    Diagnostic::new(start, "this character is beyond 8 bits")
                        .label("no character of the type char")
                        .help("characters are numbered from 0 to 255")
                })?;
                self.advance();
                FormulaKind::Character(code)
            }
            Token::Undefined | Token::Fatal | Token::Empty => {
                self.advance();
                match token {
                    Token::Undefined => FormulaKind::Undefined,
                    Token::Fatal => FormulaKind::Fatal,
                    _ => FormulaKind::Empty,
                }
            }
            Token::Hash | Token::Less | Token::Greater => {
                self.advance();
                let ty = self.name("a type")?;
                match token {
                    Token::Hash => FormulaKind::Count(ty),
                    Token::Less => FormulaKind::Least(ty),
                    _ => FormulaKind::Greatest(ty),
                }
            }
            Token::OpenParen => {
                self.advance();
                let inner = self.marking()?;
                self.expect(Token::CloseParen)?;
                // A list stays a list; brackets around one formula only group.
                return Ok(Formula { kind: inner.kind, span: self.since(start) });
            }
            Token::OpenBrace => self.braces()?,
            Token::Dot | Token::Colon => {
                self.advance();
                let which = if token == Token::Dot { Which::Same } else { Which::Previous };
                let name = self.name("the name of a variable")?;
                let quantifier = if self.is_at_name(0) {
                    Some(self.name("the name of a quantified variable")?)
                } else {
                    None
                };
                FormulaKind::Indexed(name, quantifier, which)
            }
            Token::Place => {
                self.advance();
                FormulaKind::Place(self.name("the name of a place")?)
            }
            Token::Trans => {
                self.advance();
                let name = self.name("the name of a transition")?;
                let condition = if self.take(Token::Colon) { Some(Box::new(self.formula()?)) } else { None };
                FormulaKind::Trans(name, condition)
            }
            Token::Name | Token::Quoted => self.named()?,
            _ => return Err(self.expected("a formula")),
        };
        Ok(self.made(start, kind))
    }

    /// What is in braces: components or items, each perhaps with a name, perhaps left out.
    fn braces(&mut self) -> Parse<FormulaKind> {
        self.expect(Token::OpenBrace)?;
        let mut items = Vec::new();
        if !self.is_at(Token::CloseBrace) {
            loop {
                let named = self.is_at_name(0) && self.peek(1) == Some(Token::Colon);
                let name = if named { Some(self.name("the name of a component")?) } else { None };
                self.at += usize::from(named);
                let is_hole =
                    matches!(self.token(), Some(Token::Comma | Token::Semicolon | Token::CloseBrace));
                let item = if is_hole { None } else { Some(self.formula()?) };
                items.push((name, item));
                if !self.take_delimiter() {
                    break;
                }
            }
        }
        self.expect(Token::CloseBrace)?;
        Ok(FormulaKind::Braces(items))
    }

    /// What begins with a name.
    fn named(&mut self) -> Parse<FormulaKind> {
        let name = self.name("a name")?;
        match self.token() {
            Some(Token::Parens) => {
                self.advance();
                Ok(FormulaKind::Call(name, Vec::new()))
            }
            Some(Token::OpenParen) => {
                self.advance();
                let mut arguments = Vec::new();
                while !self.is_at(Token::CloseParen) {
                    arguments.push(self.formula()?);
                    if !self.take_delimiter() {
                        break;
                    }
                }
                self.expect(Token::CloseParen)?;
                Ok(FormulaKind::Call(name, arguments))
            }
            Some(Token::Equal) => {
                self.advance();
                let value = self.nested(|parser| parser.values(2))?;
                Ok(FormulaKind::Variant(name, Box::new(value)))
            }
            Some(Token::Bang) => {
                self.advance();
                let condition = self.condition()?.map(Box::new);
                Ok(FormulaKind::Output(name, None, condition))
            }
            Some(Token::Name | Token::Quoted) => self.quantified(name),
            _ => Ok(FormulaKind::Name(name.text)),
        }
    }

    /// A type was read, and a variable follows.
    fn quantified(&mut self, ty: Name) -> Parse<FormulaKind> {
        let var = self.name("the name of a variable")?;
        if self.take(Token::Bang) {
            let condition = self.condition()?.map(Box::new);
            return Ok(FormulaKind::Output(ty, Some(var), condition));
        }
        let condition = self.condition()?;
        let quantifier = match self.token() {
            Some(Token::Colon) => Quantifier::Sum,
            Some(Token::AndAnd) => Quantifier::All,
            Some(Token::OrOr) => Quantifier::Any,
            _ => return Err(self.expected("`:`, `&&`, `||` or `!` after the quantified variable")),
        };
        self.advance();
        let body = self.formula()?;
        Ok(FormulaKind::Quantified(Box::new(Quantified { quantifier, ty, var, condition, body })))
    }
}

/// Whether a formula is one of transitions.
fn contains_transition(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Trans(..) => true,
        FormulaKind::Unary(_, operand) => contains_transition(operand),
        FormulaKind::Binary(_, left, _) => contains_transition(left),
        FormulaKind::Quantified(quantified) => contains_transition(&quantified.body),
        _ => false,
    }
}
