//! The oracle: a naive breadth-first search over the description of a net.
//!
//! In a state, every binding is tried. It is enabled when its tokens are there, nothing inhibits it and no other has
//! a higher priority. There is no index and no packing, and no code of Petite's.
//!
//! **Run-time errors** are outcomes, too. Tokens come first, then `let` variables and the guard: an error there
//! counts as soon as the tokens are there, unless a conjunct of the guard that needs no `let` variable is false. Outputs are evaluated only for what is fired, so an error in them, or
//! a capacity exceeded, counts for enabled bindings alone. Which error is met first depends on the order of the
//! search, so the outcome is the set of all of them.

use std::collections::{BTreeSet, HashMap};

use crate::bindings::{Binding, Counts, Numbering, bindings, combinations};
use crate::describe::{Bag, Marking, Net, PlaceId, Val};
use crate::evaluate::{Scope, Wrong};

/// How far the oracle goes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub states: usize,
    /// Combinations of values tried for each transition.
    pub combinations: usize,
    /// Bindings tried in all states together.
    pub trials: usize,
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
    pub numbering: Numbering,
    /// In the order in which they were found.
    pub states: Vec<Counts>,
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

/// Explores a net.
pub fn explore(net: &Net, bounds: Bounds) -> Verdict {
    let mut found = Explored::default();
    let Some(bindings) = bindings(net, bounds.combinations, &mut found.numbering) else {
        return Verdict::TooLarge;
    };
    let Ok(initial) = initial(net) else { return Verdict::TooLarge };
    let initial = found.numbering.counts(initial.into_iter().enumerate());
    let mut numbers = HashMap::from([(initial.clone(), 0)]);
    found.states.push(initial);
    let mut wrongs = BTreeSet::new();
    let mut next = 0;
    while next < found.states.len() {
        if found.states.len() > bounds.states || next * bindings.len() > bounds.trials {
            return Verdict::TooLarge;
        }
        let state = found.states[next].clone();
        found.measure(net, &state);
        let n_edges = found.edges.len();
        for binding in enabled(net, &bindings, &state, &mut found, &mut wrongs) {
            match fire(net, &found.numbering, binding, &state) {
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

fn enabled<'b>(
    net: &Net,
    bindings: &'b [Binding],
    state: &Counts,
    found: &mut Explored,
    wrongs: &mut BTreeSet<Wrong>,
) -> Vec<&'b Binding> {
    let has_priorities = net.transitions.iter().any(|transition| transition.priority.is_some());
    let marking = if has_priorities { found.numbering.marking(state, net.places.len()) } else { vec![] };
    let mut candidates = Vec::new();
    for binding in bindings.iter().filter(|binding| includes(state, &binding.takes)) {
        if let Err(wrong) = binding.gives {
            wrongs.insert(wrong);
        } else if inhibited(net, &found.numbering, binding, state) {
            found.inhibited += 1;
        } else {
            candidates.push((priority(net, binding, &marking), binding));
        }
    }
    let highest = candidates.iter().map(|(priority, _)| *priority).max();
    let n_candidates = candidates.len();
    candidates.retain(|(priority, _)| Some(*priority) == highest);
    found.outranked += (n_candidates - candidates.len()) as u64;
    candidates.into_iter().map(|(_, binding)| binding).collect()
}

/// How often a token is there.
fn count(state: &Counts, token: usize) -> u32 {
    state.iter().find(|(other, _)| *other == token).map_or(0, |(_, count)| *count)
}

fn includes(state: &Counts, takes: &Counts) -> bool {
    takes.iter().all(|(token, least)| count(state, *token) >= *least)
}

/// Whether some inhibitor tuple, with some values of the variables that only it has, is there often enough.
fn inhibited(net: &Net, numbering: &Numbering, binding: &Binding, state: &Counts) -> bool {
    let transition = &net.transitions[binding.transition];
    transition.inhibitors.iter().any(|arc| {
        arc.tuples.iter().any(|tuple| {
            let free = transition.free_variables(tuple);
            combinations(net, &transition.variables, &free, &binding.values).into_iter().any(|values| {
                let scope = Scope { net, values, marking: None };
                let token: Result<Vec<Val>, Wrong> =
                    tuple.token.iter().map(|part| scope.value(part)).collect();
                let number = token.ok().and_then(|token| numbering.find(arc.place, &token));
                number.is_some_and(|number| count(state, number) >= tuple.factor)
            })
        })
    })
}

fn priority(net: &Net, binding: &Binding, marking: &Marking) -> i64 {
    let Some(priority) = &net.transitions[binding.transition].priority else { return 0 };
    let scope = Scope { net, values: binding.values.clone(), marking: Some(marking) };
    match scope.value(priority) {
        Ok(value) => value.num(),
        Err(wrong) => panic!("the generator promised a priority without errors, not {wrong:?}"),
    }
}

fn fire(net: &Net, numbering: &Numbering, binding: &Binding, state: &Counts) -> Result<Counts, Wrong> {
    let gives = binding.gives.as_ref().map_err(|wrong| *wrong)?.as_ref().map_err(|wrong| *wrong)?;
    let mut successor = state.clone();
    for (number, taken) in &binding.takes {
        for (token, count) in &mut successor {
            if token == number {
                *count -= taken;
            }
        }
    }
    successor.retain(|(_, count)| *count > 0);
    for (number, given) in gives {
        let now = match successor.iter_mut().find(|(token, _)| token == number) {
            Some((_, count)) => {
                *count += given;
                *count
            }
            None => {
                successor.push((*number, *given));
                *given
            }
        };
        if now > net.places[numbering.place(*number)].capacity {
            return Err(Wrong::Capacity);
        }
    }
    successor.sort_unstable();
    Ok(successor)
}

impl Explored {
    /// How many different contents a place has.
    pub fn n_contents(&self, place: PlaceId) -> usize {
        let content = |state: &Counts| -> Counts {
            state.iter().copied().filter(|(token, _)| self.numbering.place(*token) == place).collect()
        };
        self.states.iter().map(content).collect::<BTreeSet<Counts>>().len()
    }

    fn measure(&mut self, net: &Net, state: &Counts) {
        let mut held = vec![0; net.places.len()];
        for &(token, count) in state {
            held[self.numbering.place(token)] += u64::from(count);
        }
        self.max_tokens_in_place = held.iter().copied().fold(self.max_tokens_in_place, u64::max);
        self.max_tokens_total = self.max_tokens_total.max(held.iter().sum());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::{Arc, Expr, ExprKind, INT, Kind, Op, Place, Transition, Tuple, TypeId};
    use crate::differ::BOUNDS;

    const FORK: TypeId = TypeId(2);

    /// A net over the numbers modulo `n`.
    fn ring(n: i64, places: Vec<Place>, transitions: Vec<Transition>) -> Net {
        Net { types: vec![Kind::Bool, Kind::Int, Kind::Mod(n)], functions: vec![], places, transitions }
    }

    /// A place with one token of each value, or none.
    fn place(full: bool) -> Place {
        let iter = crate::describe::Iter { var: 0, range: None };
        let all = Tuple { iters: vec![iter], ..Tuple::plain(vec![Expr::var(FORK, 0)]) };
        let initial = if full { vec![all] } else { vec![] };
        Place { domain: vec![FORK], capacity: 1, initial, variables: vec![FORK] }
    }

    fn arc(place: PlaceId, tokens: &[Expr]) -> Arc {
        Arc { place, tuples: tokens.iter().map(|token| Tuple::plain(vec![token.clone()])).collect() }
    }

    fn next(expr: Expr) -> Expr {
        Expr { ty: FORK, kind: ExprKind::Succ(expr.into()) }
    }

    fn counts(verdict: Verdict) -> [usize; 3] {
        match verdict {
            Verdict::Explored(found) => [found.states.len(), found.edges.len(), found.dead.len()],
            other => panic!("{other:?}"),
        }
    }

    /// Places: thinking, eating, forks. A philosopher takes and gives back both forks at once.
    fn philosophers(n: i64) -> Net {
        let x = Expr::var(FORK, 0);
        let (thinks, eats) = ([arc(0, std::slice::from_ref(&x))], [arc(1, std::slice::from_ref(&x))]);
        let forks = [arc(2, &[x.clone(), next(x)])];
        let take = Transition {
            variables: vec![FORK],
            inputs: [thinks.clone(), forks.clone()].concat(),
            outputs: eats.to_vec(),
            ..Transition::default()
        };
        let give = Transition { inputs: eats.to_vec(), outputs: [thinks, forks].concat(), ..take.clone() };
        ring(n, vec![place(true), place(false), place(true)], vec![take, give])
    }

    #[test]
    fn philosophers_eat_in_sets_without_neighbours() {
        // The states are the independent sets of a ring, counted by the Lucas numbers; each member can stop eating
        // and is the end of one edge.
        assert_eq!(counts(explore(&philosophers(3), BOUNDS)), [4, 6, 0]);
        assert_eq!(counts(explore(&philosophers(5), BOUNDS)), [11, 30, 0]);
        assert_eq!(counts(explore(&philosophers(6), BOUNDS)), [18, 60, 0]);
        assert_eq!(explore(&philosophers(6), Bounds { states: 17, ..BOUNDS }), Verdict::TooLarge);
    }

    /// Tokens of all values leave one place for another; with the priority, lower ones first.
    fn move_over(n: i64, priority: Option<Expr>) -> Net {
        let x = [Expr::var(FORK, 0)];
        let transition = Transition {
            variables: vec![FORK, FORK],
            inputs: vec![arc(0, &x)],
            outputs: vec![arc(1, &x)],
            priority,
            ..Transition::default()
        };
        ring(n, vec![place(true), place(false)], vec![transition])
    }

    #[test]
    fn priorities_and_inhibitors_restrict() {
        assert_eq!(counts(explore(&move_over(4, None), BOUNDS)), [16, 32, 1]);
        let number = Expr { ty: INT, kind: ExprKind::ToInt(Expr::var(FORK, 0).into()) };
        let lowest_first = Expr::binary(INT, Op::Sub, Expr::number(INT, 9), number);
        assert_eq!(counts(explore(&move_over(4, Some(lowest_first)), BOUNDS)), [5, 4, 1]);
        let fullest = Expr { ty: INT, kind: ExprKind::Mult(1) };
        assert_eq!(counts(explore(&move_over(4, Some(fullest)), BOUNDS)), [16, 32, 1]);
        // Any token in the second place stops the rest.
        let mut net = move_over(4, None);
        net.transitions[0].inhibitors = vec![arc(1, &[Expr::var(FORK, 1)])];
        assert_eq!(counts(explore(&net, BOUNDS)), [5, 4, 4]);
        // Only the next one does.
        net.transitions[0].inhibitors = vec![arc(1, &[next(Expr::var(FORK, 0))])];
        assert_eq!(counts(explore(&net, BOUNDS))[0], 15);
    }

    #[test]
    fn errors_count_where_they_are_met() {
        let mut net = move_over(2, None);
        net.transitions[0].outputs = vec![arc(1, &[Expr::number(FORK, 0)])];
        assert_eq!(explore(&net, BOUNDS), Verdict::Wrong([Wrong::Capacity].into()));
        net.places[1].capacity = 2;
        assert_eq!(counts(explore(&net, BOUNDS)), [4, 4, 1]);
        net.transitions[0].outputs = vec![arc(1, &[Expr::number(FORK, 2)])];
        assert_eq!(explore(&net, BOUNDS), Verdict::Wrong([Wrong::Range].into()));
        net.transitions[0].inhibitors = vec![arc(0, &[Expr::var(FORK, 0)])];
        assert_eq!(counts(explore(&net, BOUNDS)), [1, 0, 1]);
    }
}
