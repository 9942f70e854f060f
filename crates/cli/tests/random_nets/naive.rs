//! The oracle: a naive breadth-first search over the description of a net.
//!
//! A transition is tried with every combination of values of all its variables, whole types over; each combination
//! is evaluated once, before the search starts, into the tokens it takes and gives. In a state a combination is
//! enabled when its tokens are there, nothing inhibits it and none has a higher priority. There is no matching,
//! no planning, no index and no packing: nothing that Petite's engines could share a mistake with.
//!
//! **Run-time errors** are outcomes, too. Tokens come first, then `let` variables, then the guard: an error there
//! counts as soon as the tokens are there. Outputs are evaluated only for what is fired, so an error in them, or
//! a capacity exceeded, counts for enabled combinations alone. Which error is met first depends on the order of
//! the search, so the outcome is the set of all of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::describe::{Arc, Bag, Marking, Net, PickDomain, PlaceId, Transition, TypeId, Val, VarId};
use crate::evaluate::{Scope, Wrong, domain, iterated};

/// How far the oracle goes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub states: usize,
    /// Combinations of values tried for each transition.
    pub combinations: usize,
    /// Bindings tested in all states together.
    pub tests: usize,
}

/// What there is to find.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Explored(Explored),
    /// The search must end with one of these errors.
    Wrong(BTreeSet<Wrong>),
    /// Beyond the bounds.
    TooLarge,
}

/// The whole state space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explored {
    /// In the order in which they were found.
    pub states: Vec<Marking>,
    /// One for each state and enabled binding: from, transition, to.
    pub edges: Vec<(usize, usize, usize)>,
    pub dead: Vec<usize>,
    pub max_tokens_in_place: u64,
    pub max_tokens_total: u64,
    /// How often a binding with all its tokens was inhibited.
    pub inhibited: u64,
    /// How often an enabled binding had too low a priority.
    pub outranked: u64,
}

/// The multi-sets that a combination takes from or gives to places.
type Tokens = BTreeMap<PlaceId, Bag>;

/// A combination of values that is enabled where its tokens are, or that is an error there.
struct Binding {
    transition: usize,
    values: Vec<Option<Val>>,
    takes: Tokens,
    /// What it gives; the error of its `let` variables or guard.
    gives: Result<Gives, Wrong>,
}

/// Evaluated when the binding fires.
type Gives = Result<Tokens, Wrong>;

/// Explores a net.
pub fn explore(net: &Net, bounds: Bounds) -> Verdict {
    let Some(bindings) = bindings(net, bounds) else { return Verdict::TooLarge };
    let Ok(initial) = initial(net) else { return Verdict::TooLarge };
    let mut numbers = BTreeMap::from([(initial.clone(), 0)]);
    let mut found = Explored { states: vec![initial], ..Explored::default() };
    let mut wrongs = BTreeSet::new();
    let mut next = 0;
    while next < found.states.len() {
        let marking = found.states[next].clone();
        found.measure(&marking);
        let n_edges = found.edges.len();
        for binding in enabled(net, &bindings, &marking, &mut found, &mut wrongs) {
            match fire(net, binding, &marking) {
                Err(wrong) => {
                    wrongs.insert(wrong);
                }
                Ok(successor) => {
                    let to = *numbers.entry(successor).or_insert_with_key(|successor| {
                        found.states.push(successor.clone());
                        found.states.len() - 1
                    });
                    found.edges.push((next, binding.transition, to));
                }
            }
        }
        if found.edges.len() == n_edges {
            found.dead.push(next);
        }
        if found.states.len() > bounds.states || next * bindings.len() > bounds.tests {
            return Verdict::TooLarge;
        }
        next += 1;
    }
    if wrongs.is_empty() { Verdict::Explored(found) } else { Verdict::Wrong(wrongs) }
}

/// The initial marking; an error where the text is refused before any search.
pub fn initial(net: &Net) -> Result<Marking, Wrong> {
    let mut marking = Marking::new();
    for place in &net.places {
        let mut bag = Bag::new();
        let mut scope = Scope { net, values: vec![None; place.variables.len()], marking: None };
        for tuple in &place.initial {
            scope.add_tokens(tuple, &place.variables, &place.domain, &mut bag)?;
        }
        if bag.values().any(|count| *count > place.capacity) {
            return Err(Wrong::Capacity);
        }
        marking.push(bag);
    }
    Ok(marking)
}

/// Number of combinations of values of some variables.
pub fn n_combinations(net: &Net, types: &[TypeId], vars: &BTreeSet<VarId>) -> usize {
    vars.iter().fold(1, |product: usize, var| product.saturating_mul(domain(net, types[*var]).len()))
}

/// All combinations of values of some variables, the others left as they are in `values`.
fn combinations(
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

/// The bindings of all transitions, or none when there are too many to try.
fn bindings(net: &Net, bounds: Bounds) -> Option<Vec<Binding>> {
    let mut found = Vec::new();
    for (t, transition) in net.transitions.iter().enumerate() {
        let vars = transition.binding();
        if n_combinations(net, &transition.variables, &vars) > bounds.combinations {
            return None;
        }
        let unset = vec![None; transition.variables.len()];
        for values in combinations(net, &transition.variables, &vars, &unset) {
            let mut scope = Scope { net, values, marking: None };
            // The generator keeps errors out of picks and input tuples, where their meaning would depend on the
            // order in which tuples are matched.
            if !picked(&scope, transition).ok()? {
                continue;
            }
            let takes = tokens(&mut scope, &transition.inputs, transition).ok()?;
            let holds = lets_and_guard(&mut scope, transition);
            let gives = match holds {
                Ok(false) => continue,
                Ok(true) => Ok(tokens(&mut scope, &transition.outputs, transition)),
                Err(wrong) => Err(wrong),
            };
            found.push(Binding { transition: t, values: scope.values, takes, gives });
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

fn lets_and_guard(scope: &mut Scope<'_>, transition: &Transition) -> Result<bool, Wrong> {
    for (var, value) in &transition.lets {
        scope.values[*var] = Some(scope.converted(value, transition.variables[*var])?);
    }
    transition.guard.as_ref().map_or(Ok(true), |guard| Ok(scope.value(guard)?.holds()))
}

fn tokens(scope: &mut Scope<'_>, arcs: &[Arc], transition: &Transition) -> Result<Tokens, Wrong> {
    let mut tokens = Tokens::new();
    for arc in arcs {
        let bag = tokens.entry(arc.place).or_default();
        for tuple in &arc.tuples {
            scope.add_tokens(tuple, &transition.variables, &scope.net.places[arc.place].domain, bag)?;
        }
    }
    Ok(tokens)
}

fn enabled<'b>(
    net: &Net,
    bindings: &'b [Binding],
    marking: &Marking,
    found: &mut Explored,
    wrongs: &mut BTreeSet<Wrong>,
) -> Vec<&'b Binding> {
    let mut candidates = Vec::new();
    for binding in bindings.iter().filter(|binding| includes(marking, &binding.takes)) {
        if let Err(wrong) = binding.gives {
            wrongs.insert(wrong);
        } else if inhibited(net, binding, marking) {
            found.inhibited += 1;
        } else {
            candidates.push((priority(net, binding, marking), binding));
        }
    }
    let highest = candidates.iter().map(|(priority, _)| *priority).max();
    let n_candidates = candidates.len();
    candidates.retain(|(priority, _)| Some(*priority) == highest);
    found.outranked += (n_candidates - candidates.len()) as u64;
    candidates.into_iter().map(|(_, binding)| binding).collect()
}

fn includes(marking: &Marking, takes: &Tokens) -> bool {
    let count = |place: PlaceId, token| marking[place].get(token).copied().unwrap_or(0);
    takes.iter().all(|(place, bag)| bag.iter().all(|(token, least)| count(*place, token) >= *least))
}

/// Whether some inhibitor tuple, with some values of the variables that only it has, is there often enough.
fn inhibited(net: &Net, binding: &Binding, marking: &Marking) -> bool {
    let transition = &net.transitions[binding.transition];
    transition.inhibitors.iter().any(|arc| {
        arc.tuples.iter().any(|tuple| {
            let free = transition.free_variables(tuple);
            combinations(net, &transition.variables, &free, &binding.values).into_iter().any(|values| {
                let scope = Scope { net, values, marking: None };
                let token: Result<Vec<Val>, Wrong> =
                    tuple.token.iter().map(|part| scope.value(part)).collect();
                token.is_ok_and(|token| marking[arc.place].get(&token).is_some_and(|n| *n >= tuple.factor))
            })
        })
    })
}

fn priority(net: &Net, binding: &Binding, marking: &Marking) -> i64 {
    let scope = Scope { net, values: binding.values.clone(), marking: Some(marking) };
    let priority = &net.transitions[binding.transition].priority;
    priority.as_ref().map_or(0, |priority| match scope.value(priority) {
        Ok(value) => value.num(),
        Err(wrong) => panic!("the generator promised a priority without errors, not {wrong:?}"),
    })
}

fn fire(net: &Net, binding: &Binding, marking: &Marking) -> Result<Marking, Wrong> {
    let gives = binding.gives.as_ref().map_err(|wrong| *wrong)?.as_ref().map_err(|wrong| *wrong)?;
    let mut successor = marking.clone();
    for (place, bag) in &binding.takes {
        for (token, count) in bag {
            if let Some(left) = successor[*place].get_mut(token) {
                *left -= count;
            }
        }
        successor[*place].retain(|_, count| *count > 0);
    }
    for (place, bag) in gives {
        for (token, count) in bag {
            let now = successor[*place].entry(token.clone()).or_default();
            *now += count;
            if *now > net.places[*place].capacity {
                return Err(Wrong::Capacity);
            }
        }
    }
    Ok(successor)
}

impl Explored {
    fn measure(&mut self, marking: &Marking) {
        let mut total = 0;
        for bag in marking {
            let held = bag.values().map(|count| u64::from(*count)).sum();
            self.max_tokens_in_place = self.max_tokens_in_place.max(held);
            total += held;
        }
        self.max_tokens_total = self.max_tokens_total.max(total);
    }
}
