//! Property files.
//!
//! The operators of temporal formulas bind in an unusual order that the language fixes, from loose to tight:
//! `or`, `and`, `=>`, `<=>`, `until`, `[]`, `<>`, `not`; all of them group from the left. So `a => b or c` is
//! `(a => b) or c`.

use petite_net::{Name, Span};

use super::cursor::{Cursor, Parse};
use super::progress::{self, Progress};
use crate::Diagnostic;
use crate::helena::lexer::PropertyToken as Token;

/// Operators that one formula may have one inside the other; checkers walk the tree.
const MAX_DEPTH: u32 = 400;

#[derive(Debug)]
pub struct Property {
    pub name: Name,
    pub kind: PropertyKind,
}

#[derive(Debug)]
pub enum PropertyKind {
    State { reject: Predicate, accept: Vec<Predicate> },
    Ltl(Formula),
    Progress(Progress),
}

#[derive(Debug)]
pub enum Predicate {
    Deadlock,
    Proposition(Name),
}

#[derive(Debug)]
pub struct Formula {
    pub kind: FormulaKind,
    depth: u32,
}

#[derive(Debug)]
pub enum FormulaKind {
    Const(bool),
    Proposition(Name),
    Not(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
}

/// The properties of a property file.
///
/// # Errors
/// At the first place where the text does not follow the grammar.
pub fn parse_properties(text: &str, file: u32) -> Result<Vec<Property>, Diagnostic> {
    let mut parser = Parser { cursor: Cursor::new(text, file)? };
    let mut properties = Vec::new();
    while parser.cursor.token.is_some() {
        properties.push(parser.property()?);
    }
    Ok(properties)
}

/// Makes a formula of two others.
type Join = fn(Box<Formula>, Box<Formula>) -> FormulaKind;

struct Parser<'s> {
    cursor: Cursor<'s, Token>,
}

impl Parser<'_> {
    fn name(&mut self, what: &str) -> Parse<Name> {
        self.cursor.expect_name(Token::Name, what)
    }

    fn property(&mut self) -> Parse<Property> {
        let is_state = self.cursor.at(Token::State);
        let is_progress =
            self.cursor.at(Token::Name) && self.cursor.slice(self.cursor.span) == progress::WORD;
        if !is_state && !is_progress && !self.cursor.at(Token::Ltl) {
            return Err(self
                .cursor
                .expected("`state property`, `ltl property` or `progress property`")
                .help("a file of properties has nothing else; propositions are defined in the model"));
        }
        self.cursor.advance()?;
        self.cursor.expect(Token::Property)?;
        let name = self.name("the name of a property")?;
        self.cursor.expect(Token::Colon)?;
        let kind = if is_state {
            self.cursor.expect(Token::Reject)?;
            let reject = self.predicate()?;
            let mut accept = Vec::new();
            while self.cursor.take(Token::Accept)? {
                accept.push(self.predicate()?);
            }
            PropertyKind::State { reject, accept }
        } else if is_progress {
            PropertyKind::Progress(progress::progress(&mut self.cursor)?)
        } else {
            let formula = self.formula(1)?;
            self.cursor.expect(Token::Semicolon)?;
            PropertyKind::Ltl(formula)
        };
        Ok(Property { name, kind })
    }

    fn predicate(&mut self) -> Parse<Predicate> {
        let predicate = if self.cursor.take(Token::Deadlock)? {
            Predicate::Deadlock
        } else {
            Predicate::Proposition(self.name("`deadlock` or the name of a proposition")?)
        };
        self.cursor.expect(Token::Semicolon)?;
        Ok(predicate)
    }

    /// A formula whose operators bind at least as tightly as `least`.
    fn formula(&mut self, least: u8) -> Parse<Formula> {
        let start = self.cursor.span;
        self.cursor.enter()?;
        let mut left = self.prefix()?;
        loop {
            let (precedence, kind): (u8, Join) = match self.cursor.token {
                Some(Token::Or) => (1, FormulaKind::Or),
                Some(Token::And) => (2, FormulaKind::And),
                Some(Token::Implies) => (3, FormulaKind::Implies),
                Some(Token::Iff) => (4, FormulaKind::Iff),
                Some(Token::Until) => (5, FormulaKind::Until),
                _ => break,
            };
            if precedence < least {
                break;
            }
            self.cursor.advance()?;
            let right = self.formula(precedence + 1)?;
            let depth = left.depth.max(right.depth) + 1;
            left = self.build(kind(Box::new(left), Box::new(right)), start, depth)?;
        }
        self.cursor.leave();
        Ok(left)
    }

    fn prefix(&mut self) -> Parse<Formula> {
        let start = self.cursor.span;
        let (least, kind): (u8, fn(Box<Formula>) -> FormulaKind) = match self.cursor.token {
            Some(Token::Always) => (6, FormulaKind::Always),
            Some(Token::Eventually) => (7, FormulaKind::Eventually),
            Some(Token::Not) => (8, FormulaKind::Not),
            Some(Token::OpenParen) => {
                self.cursor.advance()?;
                let inner = self.formula(1)?;
                self.cursor.expect(Token::CloseParen)?;
                return Ok(inner);
            }
            Some(Token::True | Token::False) => {
                let value = self.cursor.at(Token::True);
                self.cursor.advance()?;
                return self.build(FormulaKind::Const(value), start, 1);
            }
            _ => {
                let name = self.name("a formula")?;
                return self.build(FormulaKind::Proposition(name), start, 1);
            }
        };
        self.cursor.advance()?;
        let operand = self.formula(least)?;
        let depth = operand.depth + 1;
        self.build(kind(Box::new(operand)), start, depth)
    }

    fn build(&self, kind: FormulaKind, start: Span, depth: u32) -> Parse<Formula> {
        if depth > MAX_DEPTH {
            return Err(Diagnostic::new(self.cursor.since(start), "this formula is too long")
                .label(format!("more than {MAX_DEPTH} operators one inside the other"))
                .help("state parts of it as propositions of the model"));
        }
        Ok(Formula { kind, depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(formula: &Formula) -> String {
        use FormulaKind::*;
        let two =
            |left: &Formula, sign: &str, right: &Formula| format!("({} {sign} {})", show(left), show(right));
        match &formula.kind {
            Const(value) => value.to_string(),
            Proposition(name) => name.text.clone(),
            Not(f) => format!("!{}", show(f)),
            Always(f) => format!("G{}", show(f)),
            Eventually(f) => format!("F{}", show(f)),
            And(l, r) => two(l, "&", r),
            Or(l, r) => two(l, "|", r),
            Implies(l, r) => two(l, "->", r),
            Iff(l, r) => two(l, "<->", r),
            Until(l, r) => two(l, "U", r),
        }
    }

    fn parse(formula: &str) -> Result<String, String> {
        let text = format!("ltl property p: {formula};");
        match parse_properties(&text, 1) {
            Ok(properties) => match &properties[0].kind {
                PropertyKind::Ltl(formula) => Ok(show(formula)),
                kind => Err(format!("{kind:?}")),
            },
            Err(error) => Err(error.message),
        }
    }

    #[test]
    fn operators_bind_as_the_language_fixes() {
        for (text, expected) in [
            ("a => b or c", "((a -> b) | c)"),
            ("a or b and c => d <=> e until f", "(a | (b & (c -> (d <-> (e U f)))))"),
            ("a => b => c", "((a -> b) -> c)"),
            ("[] <> not a until b", "(GF!a U b)"),
            ("[] (a => <> not b)", "G(a -> F!b)"),
            ("not [] a and true or false", "((!Ga & true) | false)"),
            ("<> [] a", "FGa"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn deep_and_long_formulas_are_refused() {
        assert_eq!(parse(&"(".repeat(100_000)).unwrap_err(), "nested deeper than 200 levels");
        assert_eq!(parse(&"not ".repeat(100_000)).unwrap_err(), "nested deeper than 200 levels");
        assert_eq!(parse(&vec!["a"; 100_000].join(" and ")).unwrap_err(), "this formula is too long");
        assert!(parse(&vec!["a"; 300].join(" until ")).is_ok());
    }
}
