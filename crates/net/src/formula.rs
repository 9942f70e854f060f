//! Questions about a net, with all names resolved: what readers of formulas give and the `logic` crate answers.
//!
//! A [`Formula`] is a tree in which path quantifiers and temporal operators may stand anywhere. Formulas of branching
//! time (each operator directly below a quantifier) and of linear time (one quantifier in front, or none) are both of
//! this form, and which one a formula is follows from its shape.

use crate::{PlaceIdx, PropIdx, Span, TransIdx, Value};

/// A question with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// How answers refer to it.
    pub name: String,
    /// What is asked.
    pub question: Question,
    /// Where it stands.
    pub span: Span,
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether a formula holds in the initial state; without a quantifier it is about all runs from there.
    Holds(Formula),
    /// The largest value that a number has in a reachable state.
    Bound(Number),
    /// Something about the net as a whole.
    Global(Global),
}

/// Properties of a whole net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Global {
    /// No place ever holds two tokens, of whatever colours.
    OneSafe,
    /// Some place has the same number of tokens in all reachable states.
    StableMarking,
    /// Every transition is enabled in some reachable state.
    QuasiLiveness,
    /// From every reachable state every transition can become enabled.
    Liveness,
}

/// A formula and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Where it stands.
    pub span: Span,
}

/// What a formula says.
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaKind {
    /// Something about the first state of a run.
    State(Predicate),
    /// The formula does not hold.
    Not(Box<Formula>),
    /// All of them hold.
    And(Vec<Formula>),
    /// One of them holds.
    Or(Vec<Formula>),
    /// Some run from here has it.
    Exists(Box<Formula>),
    /// Every run from here has it.
    All(Box<Formula>),
    /// It holds from the next state on.
    Next(Box<Formula>),
    /// It holds from some state on.
    Finally(Box<Formula>),
    /// It holds from every state on.
    Globally(Box<Formula>),
    /// The second holds from some state on, the first from every state before that.
    Until(Box<Formula>, Box<Formula>),
    /// The second holds from every state on, up to and including one where the first holds, if there is one.
    Release(Box<Formula>, Box<Formula>),
}

/// Something that is true or false in a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// Constant.
    Const(bool),
    /// It does not hold.
    Not(Box<Predicate>),
    /// All of them hold.
    And(Vec<Predicate>),
    /// One of them holds.
    Or(Vec<Predicate>),
    /// Two numbers compare like this.
    Compare(Comparison, Number, Number),
    /// One of these transitions is enabled, with some binding.
    Enabled(Vec<TransIdx>),
    /// The state has no successor.
    Deadlock,
    /// A proposition of the net holds.
    Proposition(PropIdx),
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Eq,
    /// Different.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

impl Comparison {
    /// Whether two numbers compare like this.
    pub fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Comparison::Eq => left == right,
            Comparison::Ne => left != right,
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Gt => left > right,
            Comparison::Ge => left >= right,
        }
    }
}

/// A whole number that depends on the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// Constant.
    Const(i64),
    /// Tokens of a place, of all colours.
    Tokens(PlaceIdx),
    /// Different tokens of a place.
    Distinct(PlaceIdx),
    /// Tokens of a place that fit a pattern.
    Fitting(PlaceIdx, Pattern),
    /// Sum.
    Sum(Vec<Number>),
    /// Product.
    Product(Vec<Number>),
    /// Negation.
    Minus(Box<Number>),
}

/// Which tokens are meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Any value.
    Any,
    /// This value.
    Value(Value),
    /// A tuple whose components fit.
    Tuple(Vec<Pattern>),
}

impl Pattern {
    /// Whether a value fits.
    pub fn fits(&self, value: &Value) -> bool {
        match (self, value) {
            (Pattern::Any, _) => true,
            (Pattern::Value(wanted), value) => wanted == value,
            (Pattern::Tuple(parts), Value::Tuple(items)) => {
                parts.len() == items.len()
                    && parts.iter().zip(items.iter()).all(|(part, item)| part.fits(item))
            }
            (Pattern::Tuple(_), _) => false,
        }
    }
}

impl Formula {
    /// A formula about the first state alone.
    pub fn state(predicate: Predicate, span: Span) -> Formula {
        Formula { kind: FormulaKind::State(predicate), span }
    }

    /// The negation.
    #[must_use]
    pub fn negated(self) -> Formula {
        let span = self.span;
        let kind = match self.kind {
            FormulaKind::State(predicate) => FormulaKind::State(Predicate::Not(Box::new(predicate))),
            kind => FormulaKind::Not(Box::new(Formula { kind, span })),
        };
        Formula { kind, span }
    }

    /// The conjunction; of states alone it is a predicate again.
    pub fn and(parts: Vec<Formula>, span: Span) -> Formula {
        match predicates(parts) {
            Ok(parts) => Formula::state(Predicate::And(parts), span),
            Err(parts) => Formula { kind: FormulaKind::And(parts), span },
        }
    }

    /// The disjunction, likewise.
    pub fn or(parts: Vec<Formula>, span: Span) -> Formula {
        match predicates(parts) {
            Ok(parts) => Formula::state(Predicate::Or(parts), span),
            Err(parts) => Formula { kind: FormulaKind::Or(parts), span },
        }
    }
}

impl Formula {
    /// How many operators and operands it has, arithmetic counted as one.
    pub fn n_parts(&self) -> usize {
        match &self.kind {
            FormulaKind::State(predicate) => predicate.n_parts(),
            FormulaKind::Not(a)
            | FormulaKind::Exists(a)
            | FormulaKind::All(a)
            | FormulaKind::Next(a)
            | FormulaKind::Finally(a)
            | FormulaKind::Globally(a) => 1 + a.n_parts(),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                1 + parts.iter().map(Formula::n_parts).sum::<usize>()
            }
            FormulaKind::Until(a, b) | FormulaKind::Release(a, b) => 1 + a.n_parts() + b.n_parts(),
        }
    }
}

impl Predicate {
    /// How many operators and operands it has, arithmetic counted as one.
    pub fn n_parts(&self) -> usize {
        match self {
            Predicate::Not(a) => 1 + a.n_parts(),
            Predicate::And(parts) | Predicate::Or(parts) => {
                1 + parts.iter().map(Predicate::n_parts).sum::<usize>()
            }
            _ => 1,
        }
    }
}

/// The predicates of formulas that are all about one state, or the formulas.
fn predicates(parts: Vec<Formula>) -> Result<Vec<Predicate>, Vec<Formula>> {
    if parts.iter().any(|part| !matches!(part.kind, FormulaKind::State(_))) {
        return Err(parts);
    }
    let predicate = |part: Formula| match part.kind {
        FormulaKind::State(predicate) => Some(predicate),
        _ => None,
    };
    Ok(parts.into_iter().filter_map(predicate).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_look_into_tuples() {
        let pair = |a, b| Value::Tuple([Value::Int(a), Value::Int(b)].into());
        let pattern = Pattern::Tuple(vec![Pattern::Any, Pattern::Value(Value::Int(2))]);
        assert!(pattern.fits(&pair(7, 2)));
        assert!(!pattern.fits(&pair(2, 7)));
        assert!(!pattern.fits(&Value::Int(2)));
        assert!(Pattern::Value(pair(1, 2)).fits(&pair(1, 2)));
    }

    #[test]
    fn formulas_about_states_alone_stay_predicates() {
        let state = |truth| Formula::state(Predicate::Const(truth), Span::default());
        let both = Formula::and(vec![state(true), state(false).negated()], Span::default());
        assert!(matches!(&both.kind, FormulaKind::State(Predicate::And(parts)) if parts.len() == 2));
        let later = Formula { kind: FormulaKind::Finally(Box::new(state(true))), span: Span::default() };
        assert!(matches!(Formula::or(vec![later, both], Span::default()).kind, FormulaKind::Or(_)));
    }
}
