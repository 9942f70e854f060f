//! All bindings of all transitions, found by brute force.
//!
//! A transition is tried with every combination of values of the variables that make its binding, whole types over,
//! and each combination is evaluated once into the tokens it takes and gives. There is no matching and no planning:
//! nothing that Petite's engines could share a mistake with.
//!
//! Tokens are numbered as they are met, so that the search compares numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::describe::{
    Arc, Bag, Expr, ExprKind, Marking, Net, Op, PickDomain, PlaceId, Token, Transition, TypeId, Val, VarId,
};
use crate::evaluate::{Scope, Wrong, domain, iterated};

/// Tokens by number, ascending, with how often each occurs.
pub type Counts = Vec<(usize, u32)>;

/// The numbers of tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbering {
    numbers: BTreeMap<(PlaceId, Token), usize>,
    tokens: Vec<(PlaceId, Token)>,
}

/// A combination of values that is enabled where its tokens are, or that is an error there.
pub struct Binding {
    pub transition: usize,
    pub values: Vec<Option<Val>>,
    pub takes: Counts,
    /// The error of its `let` variables or guard, or what it gives.
    pub gives: Result<Gives, Wrong>,
}

/// What a binding gives, or the error that firing it is.
pub type Gives = Result<Counts, Wrong>;

impl Numbering {
    pub fn number(&mut self, place: PlaceId, token: Token) -> usize {
        *self.numbers.entry((place, token)).or_insert_with_key(|key| {
            self.tokens.push(key.clone());
            self.tokens.len() - 1
        })
    }

    /// The number of a token that was met before.
    pub fn find(&self, place: PlaceId, token: &Token) -> Option<usize> {
        self.numbers.get(&(place, token.clone())).copied()
    }

    pub fn place(&self, token: usize) -> PlaceId {
        self.tokens[token].0
    }

    /// Numbers the tokens of some places.
    pub fn counts(&mut self, bags: impl IntoIterator<Item = (PlaceId, Bag)>) -> Counts {
        let mut counts = Counts::new();
        for (place, bag) in bags {
            counts.extend(bag.into_iter().map(|(token, count)| (self.number(place, token), count)));
        }
        counts.sort_unstable();
        counts
    }

    /// The tokens behind the numbers.
    pub fn marking(&self, counts: &Counts, n_places: usize) -> Marking {
        let mut marking = vec![Bag::new(); n_places];
        for &(number, count) in counts {
            let (place, token) = &self.tokens[number];
            marking[*place].insert(token.clone(), count);
        }
        marking
    }
}

/// Number of combinations of values of some variables.
pub fn n_combinations(net: &Net, types: &[TypeId], vars: &BTreeSet<VarId>) -> usize {
    vars.iter().fold(1, |product: usize, var| product.saturating_mul(domain(net, types[*var]).len()))
}

/// All combinations of values of some variables, the others left as they are in `values`.
pub fn combinations(
    net: &Net,
    types: &[TypeId],
    vars: &BTreeSet<VarId>,
    values: &[Option<Val>],
) -> Vec<Vec<Option<Val>>> {
    let mut all = vec![values.to_vec()];
    for &var in vars {
        let domain = domain(net, types[var]);
        let with = |values: &Vec<Option<Val>>, value: &Val| {
            let mut values = values.clone();
            values[var] = Some(value.clone());
            values
        };
        all = all.iter().flat_map(|values| domain.iter().map(move |value| with(values, value))).collect();
    }
    all
}

/// The bindings of all transitions, or none when more than `most` combinations had to be tried for one.
pub fn bindings(net: &Net, most: usize, numbering: &mut Numbering) -> Option<Vec<Binding>> {
    let mut found = Vec::new();
    for (t, transition) in net.transitions.iter().enumerate() {
        let vars = transition.binding();
        if n_combinations(net, &transition.variables, &vars) > most {
            return None;
        }
        let unset = vec![None; transition.variables.len()];
        for values in combinations(net, &transition.variables, &vars, &unset) {
            let mut scope = Scope { net, values, marking: None };
            // The generator keeps errors out of picks and input tuples, where their meaning would depend on the
            // order in which tuples are matched. A variable of another range may have a value outside the place's
            // domain; such a token is never there.
            if !picked(&scope, transition).ok()? {
                continue;
            }
            let Ok(takes) = tokens(&mut scope, &transition.inputs, transition) else { continue };
            let gives = match lets_and_guard(&mut scope, transition) {
                Ok(false) => continue,
                Ok(true) => Ok(tokens(&mut scope, &transition.outputs, transition)),
                // Whether an inhibitor spares a binding its error is left open.
                Err(_) if !transition.inhibitors.is_empty() => return None,
                Err(wrong) => Err(wrong),
            };
            found.push(Binding {
                transition: t,
                values: scope.values,
                takes: numbering.counts(takes),
                gives: gives.map(|gives| gives.map(|bags| numbering.counts(bags))),
            });
        }
    }
    Some(found)
}

/// Whether picked variables have values that they may take.
fn picked(scope: &Scope<'_>, transition: &Transition) -> Result<bool, Wrong> {
    for (var, domain) in &transition.picks {
        let value = scope.values[*var].as_ref().map_or(0, Val::num);
        let allowed = match domain {
            PickDomain::Type(range) => {
                iterated(scope.net, &transition.variables, *var, *range).contains(&value)
            }
            PickDomain::Set(set) => matches!(scope.value(set)?, Val::Set(items) if items.contains(&value)),
        };
        if !allowed {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Gives `let` variables their values; whether the guard holds. Conjuncts of the guard that need no `let` variable
/// come first: where one of them is false, errors elsewhere do not matter.
fn lets_and_guard(scope: &mut Scope<'_>, transition: &Transition) -> Result<bool, Wrong> {
    let is_let = |var: &VarId| transition.lets.iter().any(|(defined, _)| defined == var);
    let mut early =
        transition.guard.iter().flat_map(conjuncts).filter(|part| !part.variables().iter().any(is_let));
    if early.any(|conjunct| scope.value(conjunct).is_ok_and(|value| !value.holds())) {
        return Ok(false);
    }
    for (var, value) in &transition.lets {
        scope.values[*var] = Some(scope.converted(value, transition.variables[*var])?);
    }
    transition.guard.as_ref().map_or(Ok(true), |guard| Ok(scope.value(guard)?.holds()))
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(Op::And, left, right) => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}

fn tokens(
    scope: &mut Scope<'_>,
    arcs: &[Arc],
    transition: &Transition,
) -> Result<BTreeMap<PlaceId, Bag>, Wrong> {
    let mut tokens: BTreeMap<PlaceId, Bag> = BTreeMap::new();
    for arc in arcs {
        let bag = tokens.entry(arc.place).or_default();
        for tuple in &arc.tuples {
            scope.add_tokens(tuple, &transition.variables, &scope.net.places[arc.place].domain, bag)?;
        }
    }
    Ok(tokens)
}
