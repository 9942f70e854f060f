//! From tokens to trees.
//!
//! Operators bind in this order, loosest first: `<->`, `->`, `or`, `and`, `U R W`, comparisons, `+ -`, `*`, and then all that
//! stands in front of its operand; `forall` and `exists` reach as far to the right as they can. `->`, `U`, `R` and `W` group to the right, as usual.

use petite_net::{Comparison, Name, Span};

use super::lexer::{Token, tokens};
use super::tree::{Domain, Fold, Infix, Operator, Quantifier, Stated, Tree, TreeKind};
use crate::Diagnostic;

/// Levels of nesting that a formula may have.
const MAX_NESTING: u32 = 400;

type Parse<T> = Result<T, Diagnostic>;

/// Reads one formula, or a bound.
pub(super) fn formula(text: &str, file: u32) -> Parse<Stated> {
    let mut parser = Parser::new(text, file)?;
    let stated = parser.question(None)?;
    match parser.token() {
        None => Ok(stated),
        Some(Token::CloseParen | Token::CloseBracket) => {
            Err(parser.unexpected("nothing was opened that this closes"))
        }
        Some(_) => Err(parser.expected("an operator or the end of the formula")),
    }
}

/// Reads a file of properties: `name: formula;` one after the other.
pub(super) fn file(text: &str, file: u32) -> Parse<Vec<Stated>> {
    let mut parser = Parser::new(text, file)?;
    let mut all = Vec::new();
    while parser.token().is_some() {
        if parser.word() == Some("property") && parser.token_after(1) != Some(Token::Colon) {
            parser.at += 1;
        }
        let name = match (parser.token(), parser.token_after(1)) {
            (Some(Token::Word | Token::Quoted), Some(Token::Colon)) => {
                let name = parser.any_name("a name")?;
                parser.at += 1;
                Some(name)
            }
            _ => None,
        };
        all.push(parser.question(name)?);
        match parser.token() {
            Some(Token::Semicolon) => parser.at += 1,
            Some(Token::CloseParen | Token::CloseBracket) => {
                return Err(parser.unexpected("nothing was opened that this closes"));
            }
            _ => return Err(parser.expected("an operator or `;`")),
        }
    }
    if all.is_empty() {
        return Err(Diagnostic::new(parser.span(), "there is no property in this file")
            .help("write properties like this, one after the other: `exclusion: AG critical <= 1;`"));
    }
    Ok(all)
}

struct Parser<'s> {
    text: &'s str,
    tokens: Vec<(Token, Span)>,
    at: usize,
    end: Span,
    nesting: u32,
    /// Brackets that are open, each with what closes it.
    open: Vec<(Span, &'static str)>,
}

impl<'s> Parser<'s> {
    fn new(text: &'s str, file: u32) -> Parse<Parser<'s>> {
        let end = u32::try_from(text.trim_end().len()).unwrap_or(u32::MAX);
        let end = Span { file, start: end, end };
        Ok(Parser { text, tokens: tokens(text, file)?, at: 0, end, nesting: 0, open: Vec::new() })
    }

    fn token(&self) -> Option<Token> {
        self.token_after(0)
    }

    fn token_after(&self, n: usize) -> Option<Token> {
        self.tokens.get(self.at + n).map(|(token, _)| *token)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    fn slice(&self, span: Span) -> &'s str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The word that the parser is at.
    fn word(&self) -> Option<&'s str> {
        (self.token() == Some(Token::Word)).then(|| self.slice(self.span()))
    }

    fn take(&mut self, token: Token) -> bool {
        let found = self.token() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn since(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(start, |(_, span)| *span);
        start.to(last)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.token() {
            None => "the end".to_owned(),
            Some(_) => format!("`{}`", self.slice(self.span()).chars().take(40).collect::<String>()),
        };
        if let (None, Some(&(span, closing))) = (self.token(), self.open.last()) {
            let message = format!("this is not closed: expected `{closing}` before the end");
            return Diagnostic::new(span, message).label("opened here");
        }
        Diagnostic::new(self.span(), format!("expected {what}, found {found}"))
            .label(format!("expected {what}"))
    }

    fn unexpected(&self, why: &str) -> Diagnostic {
        let found = self.slice(self.span());
        Diagnostic::new(self.span(), format!("unexpected `{found}`: {why}")).label("unbalanced")
    }

    fn open(&mut self, token: Token, what: &str, closing: &'static str) -> Parse<()> {
        let span = self.span();
        if !self.take(token) {
            return Err(self.expected(what));
        }
        self.open.push((span, closing));
        Ok(())
    }

    fn close(&mut self, token: Token) -> Parse<()> {
        let closing = self.open.last().map_or("`)`".to_owned(), |(_, closing)| format!("`{closing}`"));
        if !self.take(token) {
            return Err(self.expected(&closing));
        }
        self.open.pop();
        Ok(())
    }

    /// A name: any word, reserved or not, or a quoted text.
    fn any_name(&mut self, what: &str) -> Parse<Name> {
        let span = self.span();
        let text = self.slice(span);
        match self.token() {
            Some(Token::Word) => {
                self.at += 1;
                Ok(Name { text: text.to_owned(), span })
            }
            Some(Token::Quoted) => {
                self.at += 1;
                Ok(Name { text: text[1..text.len() - 1].to_owned(), span })
            }
            _ => Err(self.expected(what)),
        }
    }

    fn question(&mut self, name: Option<Name>) -> Parse<Stated> {
        if self.word() == Some("bound") && self.token_after(1) == Some(Token::OpenParen) {
            self.at += 1;
            self.open(Token::OpenParen, "`(`", ")")?;
            let tree = self.tree(0)?;
            self.close(Token::CloseParen)?;
            return Ok(Stated { name, is_bound: true, tree });
        }
        Ok(Stated { name, is_bound: false, tree: self.tree(0)? })
    }

    /// A part whose operators bind at least so tightly.
    fn tree(&mut self, least: u8) -> Parse<Tree> {
        if self.nesting == MAX_NESTING {
            return Err(Diagnostic::new(self.span(), format!("nested deeper than {MAX_NESTING} levels"))
                .label("one level too many"));
        }
        self.nesting += 1;
        let start = self.span();
        let mut left = self.prefix()?;
        while let Some((operator, power, groups_right)) = self.infix() {
            if power < least {
                break;
            }
            self.at += 1;
            let right = self.tree(if groups_right { power } else { power + 1 })?;
            let span = self.since(start);
            left = Tree { kind: TreeKind::Infix(operator, Box::new(left), Box::new(right)), span };
        }
        self.nesting -= 1;
        Ok(left)
    }

    /// The operator between two operands that the parser is at, how tightly it binds, and whether it groups to the
    /// right.
    fn infix(&self) -> Option<(Infix, u8, bool)> {
        use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
        let compare = |comparison| Some((Infix::Compare(comparison), 6, false));
        match self.token()? {
            Token::Iff => Some((Infix::Iff, 1, false)),
            Token::Implies => Some((Infix::Implies, 2, true)),
            Token::Or => Some((Infix::Or, 3, false)),
            Token::And => Some((Infix::And, 4, false)),
            Token::Equal => compare(Eq),
            Token::NotEqual => compare(Ne),
            Token::Less => compare(Lt),
            Token::LessEqual => compare(Le),
            Token::Greater => compare(Gt),
            Token::GreaterEqual => compare(Ge),
            Token::Plus => Some((Infix::Plus, 7, false)),
            Token::Minus => Some((Infix::Minus, 7, false)),
            Token::Star => Some((Infix::Times, 8, false)),
            Token::Word => match self.word()? {
                "or" => Some((Infix::Or, 3, false)),
                "and" => Some((Infix::And, 4, false)),
                "U" | "until" => Some((Infix::Until, 5, true)),
                "R" | "release" => Some((Infix::Release, 5, true)),
                "W" => Some((Infix::WeakUntil, 5, true)),
                _ => None,
            },
            _ => None,
        }
    }

    fn prefix(&mut self) -> Parse<Tree> {
        /// How tightly the operand of a logical or temporal operator in front binds: comparisons belong to it.
        const OPERAND: u8 = 6;
        let start = self.span();
        let temporal = |parser: &mut Self, quantifier: Option<Quantifier>, operator: Operator| {
            parser.at += 1;
            let body = Box::new(parser.tree(OPERAND)?);
            let span = parser.since(start);
            let tree = Tree { kind: TreeKind::Temporal(operator, body), span };
            Ok(match quantifier {
                None => tree,
                Some(quantifier) => Tree { kind: TreeKind::Path(quantifier, Box::new(tree)), span },
            })
        };
        let kind = match self.token() {
            Some(Token::Bang) => {
                self.at += 1;
                TreeKind::Not(Box::new(self.tree(OPERAND)?))
            }
            Some(Token::Minus) => {
                self.at += 1;
                TreeKind::Minus(Box::new(self.tree(9)?))
            }
            Some(Token::Box) => return temporal(self, None, Operator::Globally),
            Some(Token::Diamond) => return temporal(self, None, Operator::Finally),
            Some(Token::Word) => {
                use Operator::{Finally, Globally, Next};
                use Quantifier::{All, Exists};
                match self.word().unwrap_or_default() {
                    "not" => {
                        self.at += 1;
                        TreeKind::Not(Box::new(self.tree(OPERAND)?))
                    }
                    "G" => return temporal(self, None, Globally),
                    "F" => return temporal(self, None, Finally),
                    "X" => return temporal(self, None, Next),
                    "AG" => return temporal(self, Some(All), Globally),
                    "AF" => return temporal(self, Some(All), Finally),
                    "AX" => return temporal(self, Some(All), Next),
                    "EG" => return temporal(self, Some(Exists), Globally),
                    "EF" => return temporal(self, Some(Exists), Finally),
                    "EX" => return temporal(self, Some(Exists), Next),
                    word @ ("A" | "E") => {
                        let quantifier = if word == "A" { All } else { Exists };
                        self.at += 1;
                        TreeKind::Path(quantifier, Box::new(self.path_body(OPERAND)?))
                    }
                    "forall" => return self.each(Fold::Forall),
                    "exists" => return self.each(Fold::Exists),
                    "sum" => return self.each(Fold::Sum),
                    _ => return self.primary(),
                }
            }
            _ => return self.primary(),
        };
        Ok(Tree { kind, span: self.since(start) })
    }

    /// What stands behind `A` or `E`: a formula, in brackets of either kind where it has an infix operator.
    fn path_body(&mut self, power: u8) -> Parse<Tree> {
        if self.token() != Some(Token::OpenBracket) {
            return self.tree(power);
        }
        self.open(Token::OpenBracket, "`[`", "]")?;
        let body = self.tree(0)?;
        self.close(Token::CloseBracket)?;
        Ok(body)
    }

    fn each(&mut self, fold: Fold) -> Parse<Tree> {
        let start = self.span();
        self.at += 1;
        self.open(Token::OpenParen, "`(`", ")")?;
        let variable = self.any_name("the name of a variable")?;
        if self.word() != Some("in") {
            return Err(self.expected("`in`"));
        }
        self.at += 1;
        let low = self.tree(7)?;
        let domain = if self.take(Token::DotDot) {
            Domain::Range(Box::new(low), Box::new(self.tree(7)?))
        } else {
            match low.kind {
                TreeKind::Name(text) => Domain::Type(Name { text, span: low.span }),
                _ => return Err(self.expected("`..`")),
            }
        };
        self.close(Token::CloseParen)?;
        let body = Box::new(self.tree(if fold == Fold::Sum { 8 } else { 0 })?);
        Ok(Tree { kind: TreeKind::Each { fold, variable, domain, body }, span: self.since(start) })
    }

    fn primary(&mut self) -> Parse<Tree> {
        let start = self.span();
        let kind = match self.token() {
            Some(Token::Number) => {
                self.at += 1;
                let number = self.slice(start).parse().map_err(|_| {
                    Diagnostic::new(start, "this number does not fit 64 bits").label("too large")
                })?;
                TreeKind::Number(number)
            }
            Some(Token::OpenParen) => {
                self.open(Token::OpenParen, "`(`", ")")?;
                let first = self.tree(0)?;
                if self.token() == Some(Token::Comma) {
                    let mut parts = vec![first];
                    while self.take(Token::Comma) {
                        parts.push(self.tree(0)?);
                    }
                    self.close(Token::CloseParen)?;
                    TreeKind::Tuple(parts)
                } else {
                    self.close(Token::CloseParen)?;
                    first.kind
                }
            }
            Some(Token::Star) => {
                self.at += 1;
                TreeKind::Any
            }
            Some(Token::Word) if self.word() == Some("_") => {
                self.at += 1;
                TreeKind::Any
            }
            Some(Token::Word | Token::Quoted) => return self.named(),
            _ => return Err(self.expected("a formula")),
        };
        Ok(Tree { kind, span: self.since(start) })
    }

    fn named(&mut self) -> Parse<Tree> {
        let start = self.span();
        let word = self.word();
        let is_call = self.token_after(1) == Some(Token::OpenParen);
        let name = self.any_name("a name")?;
        let kind = match word {
            Some("true") => TreeKind::Const(true),
            Some("false") => TreeKind::Const(false),
            Some("deadlock") => TreeKind::Deadlock,
            Some("tokens") if is_call => {
                let place = self.arguments("the name of a place")?;
                self.one_place(place, start, TreeKind::Tokens)?
            }
            Some("distinct") if is_call => {
                let place = self.arguments("the name of a place")?;
                self.one_place(place, start, TreeKind::Distinct)?
            }
            Some("enabled" | "fireable") if is_call => {
                TreeKind::Enabled(self.arguments("the name of a transition")?)
            }
            Some(reserved @ ("and" | "or" | "U" | "R" | "W" | "in")) => {
                return Err(Diagnostic::new(
                    start,
                    format!("expected a formula, found the operator `{reserved}`"),
                )
                .label("no operand in front of it")
                .help(format!("a place of this name is written \"{reserved}\"")));
            }
            _ if self.token() == Some(Token::OpenBracket) => {
                self.open(Token::OpenBracket, "`[`", "]")?;
                let mut colour = vec![self.tree(0)?];
                while self.take(Token::Comma) {
                    colour.push(self.tree(0)?);
                }
                self.close(Token::CloseBracket)?;
                TreeKind::Coloured(name, colour)
            }
            _ if is_call => {
                return Err(Diagnostic::new(start, format!("`{}` is no function", name.text))
                    .label("not known")
                    .help("there are tokens(place), distinct(place), enabled(transition) and, in front, bound(number)"));
            }
            _ => TreeKind::Name(name.text),
        };
        Ok(Tree { kind, span: self.since(start) })
    }

    fn one_place(&self, names: Vec<Name>, start: Span, make: fn(Name) -> TreeKind) -> Parse<TreeKind> {
        let mut names = names.into_iter();
        match (names.next(), names.next()) {
            (Some(name), None) => Ok(make(name)),
            _ => {
                Err(Diagnostic::new(self.since(start), "expected one place here")
                    .help("add them up with `+`"))
            }
        }
    }

    fn arguments(&mut self, what: &str) -> Parse<Vec<Name>> {
        self.open(Token::OpenParen, "`(`", ")")?;
        let mut names = vec![self.any_name(what)?];
        while self.take(Token::Comma) {
            names.push(self.any_name(what)?);
        }
        self.close(Token::CloseParen)?;
        Ok(names)
    }
}
