//! The formulas of the Model Checking Contest, in XML.
//!
//! ```text
//! <property-set> <property> <id> ... <formula> one element </formula> </property> ... </property-set>
//! ```
//!
//! Names in formulas are the identifiers of places and transitions; names for people do as well. Counting the tokens of
//! several places adds them up, and several transitions are fireable when one of them is. An element that is not known is
//! refused by its name.

use petite_net::{Comparison, Formula, FormulaKind, Net, Number, Predicate, Query, Question, Span};

use crate::diagnostic::Diagnostics;
use crate::formula::names::Names;
use crate::pnml::xml::{Element, Xml};
use crate::{Diagnostic, Source};

/// Levels of nesting that a formula may have.
const MAX_NESTING: u32 = 1000;

/// Parts that a formula may have.
const MAX_PARTS: usize = 200_000;

type Read<T> = Result<T, Diagnostic>;

/// Reads a set of properties. Spans name the source as file number `file`.
///
/// # Errors
/// What is wrong with it: the first fault of the XML, or one of each property that does not fit the net.
pub fn read(source: &Source, file: u32, net: &Net) -> Result<Vec<Query>, Vec<Diagnostic>> {
    let names = Names::of(net);
    let mut reader =
        Reader { xml: Xml::new(&source.text), names: &names, faults: Diagnostics::default(), nesting: 0 };
    let mut queries = match reader.properties() {
        Ok(queries) => queries,
        Err(fatal) => {
            reader.faults.push(fatal);
            Vec::new()
        }
    };
    if !reader.faults.is_empty() {
        let mut faults = reader.faults.into_sorted();
        faults.iter_mut().for_each(|fault| fault.span.file = file);
        return Err(faults);
    }
    queries.iter_mut().for_each(|query| query.span.file = file);
    Ok(queries)
}

struct Reader<'s, 'n> {
    xml: Xml<'s>,
    names: &'n Names<'n>,
    faults: Diagnostics,
    nesting: u32,
}

impl<'s> Reader<'s, '_> {
    fn properties(&mut self) -> Read<Vec<Query>> {
        let root = self.xml.root()?;
        if root.name() != "property-set" {
            return Err(Diagnostic::new(
                root.span,
                format!("expected <property-set>, found <{}>", root.name()),
            )
            .label("no set of formulas")
            .help("give the model first, and its formulas with --properties"));
        }
        let mut queries = Vec::new();
        while let Some(element) = self.xml.child()? {
            match element.name() {
                "property" => queries.extend(self.property(&element)?),
                _ => return Err(unknown(&element)),
            }
        }
        Ok(queries)
    }

    /// A property; none where it does not fit the net, which is noted.
    fn property(&mut self, property: &Element<'s>) -> Read<Option<Query>> {
        let (mut name, mut question) = (None, None);
        while let Some(element) = self.xml.child()? {
            match element.name() {
                "id" => name = Some(self.xml.text()?.value.into_owned()),
                "formula" => question = Some(self.formula_element(&element)?),
                // Remarks and figures of the contest's own.
                "description" | "tags" => self.xml.skip()?,
                _ => return Err(unknown(&element)),
            }
        }
        let missing = |what: &str| {
            Diagnostic::new(property.span, format!("this property has no <{what}>")).label("incomplete")
        };
        let name = name.ok_or_else(|| missing("id"))?;
        let question = question.ok_or_else(|| missing("formula"))?;
        Ok(question.map(|question| Query { name, question, span: property.span }))
    }

    fn formula_element(&mut self, element: &Element<'s>) -> Read<Option<Question>> {
        let Some(body) = self.xml.child()? else {
            return Err(
                Diagnostic::new(element.span, "this formula is empty").label("expected an element in it")
            );
        };
        let n_before = self.n_faults();
        let question = if body.name() == "place-bound" {
            Question::Bound(self.places()?)
        } else {
            Question::Holds(self.formula(&body)?)
        };
        if let Some(more) = self.xml.child()? {
            return Err(Diagnostic::new(more.span, "a formula has one element").label("one too many"));
        }
        Ok((self.n_faults() == n_before).then_some(question))
    }

    fn n_faults(&self) -> usize {
        self.faults.len()
    }

    fn formula(&mut self, element: &Element<'s>) -> Read<Formula> {
        let span = element.span;
        if self.nesting == MAX_NESTING {
            return Err(Diagnostic::new(span, format!("formulas are nested more than {MAX_NESTING} deep"))
                .label("too deep"));
        }
        self.nesting += 1;
        let state = |predicate| Formula::state(predicate, span);
        let of = |kind| Formula { kind, span };
        let formula = match element.name() {
            "true" | "false" | "deadlock" => {
                let predicate = match element.name() {
                    "deadlock" => Predicate::Deadlock,
                    name => Predicate::Const(name == "true"),
                };
                self.xml.skip()?;
                state(predicate)
            }
            "is-fireable" => state(self.fireable()?),
            "negation" => self.only(element)?.negated(),
            "conjunction" => Formula::and(self.parts()?, span),
            "disjunction" => Formula::or(self.parts()?, span),
            "implication" => {
                let [left, right] = self.two(element)?;
                Formula::or(vec![left.negated(), right], span)
            }
            name @ ("equivalence" | "exclusive-disjunction") => {
                let [left, right] = self.two(element)?;
                // Both sides are written twice, so formulas may double in size with each nesting.
                if left.n_parts() + right.n_parts() > MAX_PARTS {
                    return Err(Diagnostic::new(span, format!("a formula of more than {MAX_PARTS} parts"))
                        .label("too deeply nested"));
                }
                let both = Formula::and(vec![left.clone(), right.clone()], span);
                let neither = Formula::and(vec![left.negated(), right.negated()], span);
                let same = Formula::or(vec![both, neither], span);
                if name == "equivalence" { same } else { same.negated() }
            }
            "exists-path" => of(FormulaKind::Exists(Box::new(self.only(element)?))),
            "all-paths" => of(FormulaKind::All(Box::new(self.only(element)?))),
            "next" => of(FormulaKind::Next(Box::new(self.only(element)?))),
            "finally" => of(FormulaKind::Finally(Box::new(self.only(element)?))),
            "globally" => of(FormulaKind::Globally(Box::new(self.only(element)?))),
            "until" => {
                let (before, reach) = self.until(element)?;
                of(FormulaKind::Until(Box::new(before), Box::new(reach)))
            }
            name => match comparison(name) {
                Some(comparison) => {
                    let mut numbers = self.numbers()?;
                    match (numbers.pop(), numbers.pop(), numbers.pop()) {
                        (Some(right), Some(left), None) => state(Predicate::Compare(comparison, left, right)),
                        _ => return Err(wrong_count(element, "two numbers")),
                    }
                }
                None => return Err(unknown(element)),
            },
        };
        self.nesting -= 1;
        Ok(formula)
    }

    fn parts(&mut self) -> Read<Vec<Formula>> {
        let mut parts = Vec::new();
        while let Some(element) = self.xml.child()? {
            parts.push(self.formula(&element)?);
        }
        Ok(parts)
    }

    fn only(&mut self, element: &Element<'s>) -> Read<Formula> {
        let mut parts = self.parts()?;
        match (parts.pop(), parts.is_empty()) {
            (Some(part), true) => Ok(part),
            _ => Err(wrong_count(element, "one formula")),
        }
    }

    fn two(&mut self, element: &Element<'s>) -> Read<[Formula; 2]> {
        <[Formula; 2]>::try_from(self.parts()?).map_err(|_| wrong_count(element, "two formulas"))
    }

    fn until(&mut self, until: &Element<'s>) -> Read<(Formula, Formula)> {
        let (mut before, mut reach) = (None, None);
        while let Some(element) = self.xml.child()? {
            match element.name() {
                "before" => before = Some(self.only(&element)?),
                "reach" => reach = Some(self.only(&element)?),
                _ => return Err(unknown(&element)),
            }
        }
        match (before, reach) {
            (Some(before), Some(reach)) => Ok((before, reach)),
            _ => Err(wrong_count(until, "a <before> and a <reach>")),
        }
    }

    fn fireable(&mut self) -> Read<Predicate> {
        let mut transitions = Vec::new();
        while let Some(element) = self.xml.child()? {
            if element.name() != "transition" {
                return Err(unknown(&element));
            }
            let name = self.xml.text()?;
            match self.names.transition(&name.value, name.span) {
                Ok(transition) => transitions.push(transition),
                Err(fault) => self.faults.push(fault),
            }
        }
        Ok(Predicate::Enabled(transitions))
    }

    /// The sum of the tokens of the places in an element.
    fn places(&mut self) -> Read<Number> {
        let mut places = Vec::new();
        while let Some(element) = self.xml.child()? {
            if element.name() != "place" {
                return Err(unknown(&element));
            }
            let name = self.xml.text()?;
            match self.names.place(&name.value, name.span) {
                Ok(place) => places.push(Number::Tokens(place)),
                Err(fault) => self.faults.push(fault),
            }
        }
        Ok(Number::Sum(places))
    }

    fn numbers(&mut self) -> Read<Vec<Number>> {
        let mut numbers = Vec::new();
        while let Some(element) = self.xml.child()? {
            if self.nesting == MAX_NESTING {
                return Err(Diagnostic::new(
                    element.span,
                    format!("formulas are nested more than {MAX_NESTING} deep"),
                )
                .label("too deep"));
            }
            self.nesting += 1;
            numbers.push(self.number(&element)?);
            self.nesting -= 1;
        }
        Ok(numbers)
    }

    fn number(&mut self, element: &Element<'s>) -> Read<Number> {
        match element.name() {
            "tokens-count" => self.places(),
            "integer-constant" => {
                let text = self.xml.text()?;
                let number = text.value.parse().map_err(|_| {
                    Diagnostic::new(text.span, format!("`{}` is no whole number of 64 bits", text.value))
                        .label("expected a number")
                })?;
                Ok(Number::Const(number))
            }
            "integer-sum" => Ok(Number::Sum(self.numbers()?)),
            "integer-product" => Ok(Number::Product(self.numbers()?)),
            "integer-difference" => {
                let mut numbers = self.numbers()?.into_iter();
                let first = numbers.next().ok_or_else(|| wrong_count(element, "at least one number"))?;
                let rest = numbers.map(|number| Number::Minus(Box::new(number)));
                Ok(Number::Sum(std::iter::once(first).chain(rest).collect()))
            }
            _ => Err(unknown(element)),
        }
    }
}

fn comparison(name: &str) -> Option<Comparison> {
    Some(match name {
        "integer-eq" => Comparison::Eq,
        "integer-ne" => Comparison::Ne,
        "integer-lt" => Comparison::Lt,
        "integer-le" => Comparison::Le,
        "integer-gt" => Comparison::Gt,
        "integer-ge" => Comparison::Ge,
        _ => return None,
    })
}

fn unknown(element: &Element<'_>) -> Diagnostic {
    Diagnostic::new(element.span, format!("element <{}> is not known here", element.name()))
        .label("cannot be read")
        .help("formulas are read as the Model Checking Contest writes them")
}

fn wrong_count(element: &Element<'_>, expected: &str) -> Diagnostic {
    let Span { file, start, end } = element.span;
    Diagnostic::new(Span { file, start, end }, format!("<{}> takes {expected}", element.name()))
        .label("has more or fewer")
}
