//! Progress measures as people write them.
//!
//! ```text
//!  measure   sum , sum , ...             compared in order: the first one counts most
//!  sum       [-] term {+ term | - term}
//!  term      [number *] count
//!  count     place                       tokens in the place
//!            place ( token )             tokens in the place that are this one, in the model's notation; a
//!                                        component that is _ may be anything
//!            place . k                   sum of the k-th components of the tokens in the place, counted from
//!                                        zero for the least one that can be there
//!  place     a name, in double quotes where it has other characters than letters, digits and _
//! ```

use petite_bits::SlotIdx;
use petite_model::{Content, GroupIdx, Model};

use super::{Counted, Measure, Sum};

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureError {
    /// Where, in bytes from the beginning.
    pub at: usize,
    /// What.
    pub message: String,
}

impl std::fmt::Display for MeasureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, at character {}", self.message, self.at + 1)
    }
}

impl std::error::Error for MeasureError {}

impl Measure {
    /// The measure that a text says, over the places of a model.
    ///
    /// # Errors
    /// Where the text is not as above, or speaks of something that the model does not have.
    pub fn parse<M: Model>(text: &str, model: &M) -> Result<Measure, MeasureError> {
        let mut parser = Parser { text, at: 0, model };
        let mut sums = vec![parser.sum()?];
        while parser.take(',') {
            sums.push(parser.sum()?);
        }
        match parser.peek() {
            None => Ok(Measure { sums }),
            Some(c) => parser.fail(format!("expected + or - or a comma, found {c}")),
        }
    }
}

struct Parser<'a, M> {
    text: &'a str,
    at: usize,
    model: &'a M,
}

impl<'a, M: Model> Parser<'a, M> {
    fn sum(&mut self) -> Result<Sum, MeasureError> {
        let mut sum = Sum::default();
        let mut sign = if self.take('-') { -1 } else { 1 };
        loop {
            self.term(sign, &mut sum)?;
            sign = match self.peek() {
                Some('+') => 1,
                Some('-') => -1,
                _ => return Ok(sum),
            };
            self.at += 1;
        }
    }

    fn term(&mut self, sign: i64, sum: &mut Sum) -> Result<(), MeasureError> {
        let mut weight = sign;
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            let number = self.number()?;
            weight = weight.checked_mul(number).map_or_else(|| self.fail("the weight is too large"), Ok)?;
            if !self.take('*') {
                return self.fail("expected * and a place behind the number");
            }
        }
        let group = self.place()?;
        match self.peek() {
            Some('(') => self.token(group, weight, sum),
            Some('.') => self.component(group, weight, sum),
            _ => {
                sum.terms.push((Counted::Group(group), weight));
                Ok(())
            }
        }
    }

    /// The tokens that are a given one.
    fn token(&mut self, group: GroupIdx, weight: i64, sum: &mut Sum) -> Result<(), MeasureError> {
        let start = self.at;
        let mut depth = 0;
        for (i, c) in self.text[self.at..].char_indices() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            if depth == 0 {
                self.at += i + 1;
                let wanted = essence(&self.text[start..self.at]);
                self.needs_counts(group)?;
                let slots = self.model.layout().slots_of(group);
                let found = slots.into_iter().filter(|&slot| matches(&wanted, &essence(&self.shown(slot))));
                let before = sum.terms.len();
                sum.terms.extend(found.map(|slot| (Counted::Slot(slot), weight)));
                // A token that can never be in the place is there zero times, but is probably a mistake.
                if sum.terms.len() == before {
                    let name = &self.model.layout().groups[group.index()].name;
                    return self.fail(format!("place {name} never holds the token ({wanted})"));
                }
                return Ok(());
            }
        }
        self.fail("expected a closing parenthesis")
    }

    /// The sum of a component of all tokens.
    fn component(&mut self, group: GroupIdx, weight: i64, sum: &mut Sum) -> Result<(), MeasureError> {
        self.at += 1;
        let k = self.number()?;
        self.needs_counts(group)?;
        let layout = self.model.layout();
        let at = usize::try_from(k).ok().and_then(|k| k.checked_sub(1));
        let component = |slot: SlotIdx| at.and_then(|at| layout.slots[slot.index()].colour.get(at).copied());
        // Components are numbers in the order of the values; where they begin means nothing.
        let Some(least) = layout.slots_of(group).filter_map(component).min() else {
            return self.fail("the tokens of the place have no such component");
        };
        for slot in layout.slots_of(group) {
            let rank = component(slot).and_then(|component| i64::try_from(component - least).ok());
            let product = rank.and_then(|rank| rank.checked_mul(weight));
            let product = product.map_or_else(|| self.fail("the component is too large"), Ok)?;
            if product != 0 {
                sum.terms.push((Counted::Slot(slot), product));
            }
        }
        Ok(())
    }

    /// Refuses a place whose tokens have no slots of their own.
    fn needs_counts(&self, group: GroupIdx) -> Result<(), MeasureError> {
        let group = &self.model.layout().groups[group.index()];
        match group.content {
            Content::Counts => Ok(()),
            Content::Bag => self.fail(format!(
                "place {} has too many possible tokens to tell them apart here; use the number of its tokens",
                group.name
            )),
        }
    }

    /// The token that a slot counts, as the model shows it.
    fn shown(&self, slot: SlotIdx) -> String {
        let packing = self.model.packing();
        let mut words = vec![0; packing.n_words()];
        match packing.set(&mut words, slot, 1) {
            Ok(()) => self.model.describe_state(&words).into_iter().map(|(_, tokens)| tokens).collect(),
            // A slot without bits counts a token that never appears.
            Err(_) => String::new(),
        }
    }

    fn place(&mut self) -> Result<GroupIdx, MeasureError> {
        let rest = self.rest();
        let (name, length) = match rest.strip_prefix('"') {
            Some(quoted) => match quoted.split_once('"') {
                Some((name, _)) => (name, name.len() + 2),
                None => return self.fail("expected a closing quote"),
            },
            None => {
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                (&rest[..end], end)
            }
        };
        if name.is_empty() {
            return self.fail("expected the name of a place");
        }
        let groups = &self.model.layout().groups;
        match groups.iter().position(|group| group.name == name) {
            Some(group) => {
                self.at += length;
                Ok(GroupIdx::new(group))
            }
            None => self.fail(format!("there is no place {name}")),
        }
    }

    fn number(&mut self) -> Result<i64, MeasureError> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        match rest[..end].parse() {
            Ok(number) => {
                self.at += end;
                Ok(number)
            }
            Err(_) => self.fail("expected a whole number of 63 bits"),
        }
    }

    /// What is left, without leading blanks.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn peek(&mut self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, c: char) -> bool {
        let is_there = self.peek() == Some(c);
        self.at += if is_there { c.len_utf8() } else { 0 };
        is_there
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, MeasureError> {
        Err(MeasureError { at: self.at, message: message.into() })
    }
}

/// Whether a token is as it is wanted, component by component.
fn matches(wanted: &str, token: &str) -> bool {
    let same = |(wanted, own): (&str, &str)| wanted == "_" || wanted == own;
    let parts = |text: &str| text.split(',').count();
    parts(wanted) == parts(token) && wanted.split(',').zip(token.split(',')).all(same)
}

/// A token without blanks, brackets and multiplicity signs, which languages use differently.
fn essence(token: &str) -> String {
    token.chars().filter(|c| !c.is_whitespace() && !"<>(){}".contains(*c)).collect()
}
