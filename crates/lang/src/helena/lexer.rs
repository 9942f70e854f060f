//! Tokens of net and property files.
//!
//! Tokens are made one at a time as the parser asks for them, so a large file costs no more than its text, and
//! one that is no model at all is refused at its first token. The longest token wins: `<(` opens a tuple even
//! where a comparison was meant.

use logos::{FilterResult, Lexer, Logos};

/// Why a text is no token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexError {
    /// A character that starts no token.
    #[default]
    Stray,
    /// A `/*` without its `*/`.
    OpenComment,
    /// A quote without its partner.
    OpenString,
}

fn line_comment<'s, T: Logos<'s, Source = str>>(lexer: &mut Lexer<'s, T>) -> FilterResult<(), LexError> {
    let rest = lexer.remainder();
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
    FilterResult::Skip
}

fn block_comment<'s, T: Logos<'s, Source = str>>(lexer: &mut Lexer<'s, T>) -> FilterResult<(), LexError> {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            FilterResult::Skip
        }
        None => FilterResult::Error(LexError::OpenComment),
    }
}

fn string<'s, T: Logos<'s, Source = str>>(lexer: &mut Lexer<'s, T>) -> Result<(), LexError> {
    let length = lexer.remainder().find('"').ok_or(LexError::OpenString)?;
    lexer.bump(length + 1);
    Ok(())
}

/// A kind of token that messages can name.
pub trait Describe {
    /// What tokens of this kind are called where any of them would do: "a name", "`;`".
    fn kind(self) -> String;
    /// Whether it is a name, a number or a reserved word.
    fn noun(self) -> Option<&'static str>;
}

macro_rules! tokens {
    (
        $(#[$meta:meta])* $name:ident;
        words { $($word:ident = $word_text:literal,)* }
        signs { $($sign:ident = $sign_text:literal,)* }
        others { $($(#[$other_meta:meta])* $other:ident = $other_kind:literal,)* }
    ) => {
        $(#[$meta])*
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(error = LexError)]
        #[logos(skip r"[ \t\r\n\x0B\x0C\u{FEFF}]+")]
        pub enum $name {
            $(#[token($word_text)] $word,)*
            $(#[token($sign_text)] $sign,)*
            $($(#[$other_meta])* $other,)*
        }

        impl Describe for $name {
            fn kind(self) -> String {
                match self {
                    $($name::$word => concat!("`", $word_text, "`"),)*
                    $($name::$sign => concat!("`", $sign_text, "`"),)*
                    $($name::$other => $other_kind,)*
                }
                .to_owned()
            }

            fn noun(self) -> Option<&'static str> {
                match self {
                    $($name::$word => Some("the reserved word"),)*
                    $($name::$sign => None,)*
                    $($name::$other => Some(concat!("the ", $other_kind)),)*
                }
            }
        }
    };
}

tokens! {
    /// Tokens of net files.
    Token;
    words {
        Assert = "assert", And = "and", Capacity = "capacity", Card = "card", Case = "case",
        Constant = "constant", Default = "default", Description = "description", Dom = "dom", Else = "else",
        Empty = "empty", Enum = "enum", Epsilon = "epsilon", Exists = "exists", For = "for",
        Forall = "forall", Function = "function", Guard = "guard", If = "if", Import = "import", In = "in",
        Init = "init", Inhibit = "inhibit", Let = "let", List = "list", Max = "max", Min = "min",
        Mod = "mod", Mult = "mult", Not = "not", Of = "of", Or = "or", Out = "out", Pick = "pick",
        Place = "place", Pred = "pred", Print = "print", Priority = "priority", Product = "product",
        Proposition = "proposition", Range = "range", Return = "return", Safe = "safe", Set = "set",
        Struct = "struct", Subtype = "subtype", Succ = "succ", Sum = "sum", Transition = "transition",
        Type = "type", Vector = "vector", While = "while", With = "with",
    }
    signs {
        Arrow = "->", Semicolon = ";", OpenParen = "(", CloseParen = ")", OpenBrace = "{",
        CloseBrace = "}", OpenBracket = "[", CloseBracket = "]", Dot = ".", DotDot = "..", Colon = ":",
        ColonColon = "::", Assign = ":=", Comma = ",", Plus = "+", Minus = "-", Star = "*", Slash = "/",
        Percent = "%", Equal = "=", NotEqual = "!=", Less = "<", LessEqual = "<=", Greater = ">",
        GreaterEqual = ">=", OpenTuple = "<(", CloseTuple = ")>", Question = "?", Quote = "'", Bar = "|",
        Ampersand = "&",
    }
    others {
        #[regex("[A-Za-z][A-Za-z0-9_]*")] Name = "name",
        #[regex("[0-9]+")] Number = "number",
        #[token("\"", string)] String = "string",
        #[token("//", line_comment)] #[token("/*", block_comment)] Comment = "comment",
    }
}

tokens! {
    /// Tokens of property files.
    PropertyToken;
    words {
        Accept = "accept", And = "and", Deadlock = "deadlock", False = "false", Ltl = "ltl", Not = "not",
        Or = "or", Property = "property", Reject = "reject", State = "state", True = "true", Until = "until",
    }
    signs {
        Semicolon = ";", Colon = ":", OpenParen = "(", CloseParen = ")", Always = "[]", Eventually = "<>",
        Implies = "=>", Iff = "<=>", Comma = ",", Plus = "+", Minus = "-", Star = "*", Dot = ".", Any = "_",
    }
    others {
        #[regex("[A-Za-z][A-Za-z0-9_]*")] Name = "name",
        #[regex("[0-9]+")] Number = "number",
        #[token("//", line_comment)] #[token("/*", block_comment)] Comment = "comment",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<(Result<Token, LexError>, &str)> {
        Token::lexer(text).spanned().map(|(token, span)| (token, &text[span])).collect()
    }

    #[test]
    fn the_longest_token_wins() {
        let shown: Vec<&str> =
            lex("a<(b))>c<=::=..1..2->-'(x)> -").into_iter().map(|(_, text)| text).collect();
        let expected = [
            "a", "<(", "b", ")", ")>", "c", "<=", "::", "=", "..", "1", "..", "2", "->", "-", "'", "(", "x",
            ")>", "-",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn words_and_names() {
        use Token::*;
        let kinds: Vec<Token> =
            lex("card cards for1 forall _").into_iter().filter_map(|(t, _)| t.ok()).collect();
        assert_eq!(kinds, [Card, Name, Name, Forall]);
    }

    #[test]
    fn comments_and_strings() {
        assert_eq!(
            lex("// x \"\n\"a // b\n\" /* \" \n**/ ;/"),
            [(Ok(Token::String), "\"a // b\n\""), (Ok(Token::Semicolon), ";"), (Ok(Token::Slash), "/"),]
        );
        assert_eq!(lex("/* *")[0].0, Err(LexError::OpenComment));
        assert_eq!(lex("\"abc")[0].0, Err(LexError::OpenString));
        assert_eq!(lex("\u{fffd}")[0], (Err(LexError::Stray), "\u{fffd}"));
        assert_eq!(lex("\u{feff}a \u{0}"), [(Ok(Token::Name), "a"), (Err(LexError::Stray), "\u{0}")]);
    }
}
