//! What a store tells of itself beyond its size, for reports.

/// A named figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name in lower-case words, as in "largest number of nodes".
    pub name: &'static str,
    /// What it amounts to.
    pub amount: Amount,
}

/// What a figure amounts to.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// A number of things.
    Count(u64),
    /// A number of bytes.
    Bytes(u64),
    /// An average, a ratio, a probability.
    Number(f64),
    /// A choice that was made, in words.
    Words(String),
}

impl Figure {
    /// A number of things.
    pub fn count(name: &'static str, count: u64) -> Figure {
        Figure { name, amount: Amount::Count(count) }
    }

    /// A number of bytes.
    pub fn bytes(name: &'static str, bytes: u64) -> Figure {
        Figure { name, amount: Amount::Bytes(bytes) }
    }

    /// An average, a ratio, a probability.
    pub fn number(name: &'static str, number: f64) -> Figure {
        Figure { name, amount: Amount::Number(number) }
    }

    /// A choice that was made, in words.
    pub fn words(name: &'static str, words: impl Into<String>) -> Figure {
        Figure { name, amount: Amount::Words(words.into()) }
    }
}
