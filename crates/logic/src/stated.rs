//! The properties that a model states itself, as questions.

use petite_net::{
    Formula, FormulaKind, Ltl, Net, Predicate, PropertyKind, Query, Question, Span, StatePredicate,
};

/// The properties of a net as questions.
pub fn stated(net: &Net) -> Vec<Query> {
    let query = |property: &petite_net::Property| {
        let span = property.name.span;
        let formula = match &property.kind {
            PropertyKind::State { reject, accept } => never(reject, accept, span),
            PropertyKind::Ltl(formula) => on_all_runs(linear(formula, span), span),
        };
        Query { name: property.name.text.clone(), question: Question::Holds(formula), span }
    };
    net.properties.iter().map(query).collect()
}

/// That no reachable state is rejected without being accepted.
fn never(reject: &StatePredicate, accept: &[StatePredicate], span: Span) -> Formula {
    let mut parts = vec![Predicate::Not(Box::new(predicate(reject)))];
    parts.extend(accept.iter().map(predicate));
    let body = Box::new(Formula::state(Predicate::Or(parts), span));
    on_all_runs(Formula { kind: FormulaKind::Globally(body), span }, span)
}

fn on_all_runs(formula: Formula, span: Span) -> Formula {
    Formula { kind: FormulaKind::All(Box::new(formula)), span }
}

fn predicate(stated: &StatePredicate) -> Predicate {
    match stated {
        StatePredicate::Deadlock => Predicate::Deadlock,
        StatePredicate::Proposition(proposition) => Predicate::Proposition(*proposition),
    }
}

fn linear(formula: &Ltl, span: Span) -> Formula {
    let one = |formula: &Ltl| Box::new(linear(formula, span));
    let of = |kind| Formula { kind, span };
    match formula {
        Ltl::Const(truth) => Formula::state(Predicate::Const(*truth), span),
        Ltl::Proposition(proposition) => Formula::state(Predicate::Proposition(*proposition), span),
        Ltl::Not(body) => linear(body, span).negated(),
        Ltl::And(left, right) => Formula::and(vec![linear(left, span), linear(right, span)], span),
        Ltl::Or(left, right) => Formula::or(vec![linear(left, span), linear(right, span)], span),
        Ltl::Implies(left, right) => {
            Formula::or(vec![linear(left, span).negated(), linear(right, span)], span)
        }
        Ltl::Iff(left, right) => {
            let (left, right) = (linear(left, span), linear(right, span));
            let both = Formula::and(vec![left.clone(), right.clone()], span);
            let neither = Formula::and(vec![left.negated(), right.negated()], span);
            Formula::or(vec![both, neither], span)
        }
        Ltl::Always(body) => of(FormulaKind::Globally(one(body))),
        Ltl::Eventually(body) => of(FormulaKind::Finally(one(body))),
        Ltl::Until(left, right) => of(FormulaKind::Until(one(left), one(right))),
    }
}
