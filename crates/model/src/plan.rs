//! In which order a transition's binding is found.
//!
//! Bindings are found by matching input tuples against tokens, one after the other. The order decides how many
//! partial bindings are tried in vain, so it is planned once for each transition:
//!
//! 1. Whatever is determined already is done first, because it can only end the attempt early: guard conjuncts
//!    and input tuples whose variables are all known.
//! 2. Then a tuple that shares a known variable or a constant is matched, since few tokens can fit it; among
//!    equals the one whose place starts with the fewest tokens.
//! 3. A pick comes when no tuple can be matched, or when its variable is needed.
//!
//! An arc with a term that takes away from the others has no step: the reader sees to it that its variables are
//! bound elsewhere, and its tokens are found when the binding is complete.
//!
//! A guard conjunct that fails to evaluate is taken as true here. The whole guard is evaluated once more, from
//! left to right, when the binding is complete; so `x != 0 and 10 / x > 2` means what it says, in whatever
//! order its parts become known.

use petite_net::{BagExpr, BinaryOp, Expr, ExprKind, Iter, IterDomain, Net, PlaceIdx, Term, Transition};

use crate::pattern::Pattern;

/// Steps that find all bindings of a transition.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub steps: Vec<Step>,
}

/// One step towards a binding. Inputs are named by arc and term.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The tuple takes some token of the place and binds variables.
    Match { place: PlaceIdx, input: (usize, usize), pattern: Pattern },
    /// All variables of the tuple are known, so its tokens are.
    Require { place: PlaceIdx, input: (usize, usize) },
    /// The variable of a pick takes one of its values.
    Pick(usize),
    /// The conjunct must hold.
    Guard(Expr),
}

impl Plan {
    /// Plans a transition. The reader has checked that every variable can be bound.
    pub fn new(net: &Net, transition: &Transition) -> Plan {
        let mut planner = Planner::new(net, transition);
        while planner.advance() {}
        Plan { steps: planner.steps }
    }
}

struct Planner<'a> {
    net: &'a Net,
    transition: &'a Transition,
    known: Vec<bool>,
    /// Terms, picks and guard conjuncts that are not placed yet.
    terms: Vec<(usize, usize)>,
    picks: Vec<usize>,
    conjuncts: Vec<Expr>,
    steps: Vec<Step>,
}

impl<'a> Planner<'a> {
    fn new(net: &'a Net, transition: &'a Transition) -> Self {
        // What an arc with subtraction takes is known only with the whole binding.
        let inputs = transition.inputs.iter().enumerate().filter(|(_, arc)| !arc.subtracts());
        let terms = inputs.flat_map(|(a, arc)| (0..arc.terms.len()).map(move |t| (a, t))).collect();
        let mut conjuncts = Vec::new();
        if let Some(guard) = &transition.guard {
            split_conjunction(guard, &mut conjuncts);
        }
        let known = vec![false; transition.variables.len()];
        let picks = (0..transition.picks.len()).collect();
        Planner { net, transition, known, terms, picks, conjuncts, steps: Vec::new() }
    }

    /// Places one more step; whether there was one.
    fn advance(&mut self) -> bool {
        self.place_determined();
        if let Some(at) = self.best_match() {
            let input = self.terms.remove(at);
            let term = self.term(input);
            let pattern = Pattern::new(&self.net.types, term, &self.known);
            for &(_, var) in &pattern.binds {
                self.known[var.index()] = true;
            }
            let place = self.transition.inputs[input.0].place;
            self.steps.push(Step::Match { place, input, pattern });
            return true;
        }
        let ready = self.picks.iter().position(|&pick| self.is_ready(&self.transition.picks[pick]));
        if let Some(at) = ready {
            let pick = self.picks.remove(at);
            self.known[self.transition.picks[pick].var.index()] = true;
            self.steps.push(Step::Pick(pick));
        }
        ready.is_some()
    }

    fn place_determined(&mut self) {
        let mut conjuncts = std::mem::take(&mut self.conjuncts);
        conjuncts.retain(|conjunct| {
            let determined = self.is_known(conjunct);
            if determined {
                self.steps.push(Step::Guard(conjunct.clone()));
            }
            !determined
        });
        self.conjuncts = conjuncts;
        let mut terms = std::mem::take(&mut self.terms);
        terms.retain(|&input| {
            let determined = self.is_determined(self.term(input));
            if determined {
                let place = self.transition.inputs[input.0].place;
                self.steps.push(Step::Require { place, input });
            }
            !determined
        });
        self.terms = terms;
    }

    /// The position in `terms` of the tuple to match next.
    fn best_match(&self) -> Option<usize> {
        let candidates = self.terms.iter().enumerate().filter_map(|(at, &input)| {
            let term = self.term(input);
            if !term.can_bind() || !term.factor.as_ref().is_none_or(|factor| self.is_known(factor)) {
                return None;
            }
            let pattern = Pattern::new(&self.net.types, term, &self.known);
            let mut known = self.known.clone();
            for &(_, var) in &pattern.binds {
                known[var.index()] = true;
            }
            if pattern.binds.is_empty() || !pattern.tests.iter().all(|(_, test)| all_known(test, &known)) {
                return None;
            }
            let place = self.net.place(self.transition.inputs[input.0].place);
            let free = !pattern.tests.iter().any(|(_, test)| self.is_known(test));
            Some(((free, place.initial.total(), pattern.binds.len()), at))
        });
        candidates.min().map(|(_, at)| at)
    }

    fn term(&self, (arc, term): (usize, usize)) -> &'a Term {
        &self.transition.inputs[arc].terms[term]
    }

    fn is_known(&self, expr: &Expr) -> bool {
        all_known(expr, &self.known)
    }

    fn is_determined(&self, term: &Term) -> bool {
        term_known(term, &self.known)
    }

    fn is_ready(&self, pick: &Iter) -> bool {
        iter_known(pick, &self.known)
    }
}

fn split_conjunction(expr: &Expr, conjuncts: &mut Vec<Expr>) {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            split_conjunction(left, conjuncts);
            split_conjunction(right, conjuncts);
        }
        _ => conjuncts.push(expr.clone()),
    }
}

fn iter_known(iter: &Iter, known: &[bool]) -> bool {
    if let IterDomain::Bag(bag) = &iter.domain {
        return bag_known(bag, known);
    }
    let mut all = true;
    iter.for_each_part(&mut |part| all = all && all_known(part, known));
    all
}

/// Whether iterations can be carried out in their order; their variables are known then.
fn iters_known(iters: &[Iter], known: &mut [bool]) -> bool {
    iters.iter().all(|iter| {
        let ready = iter_known(iter, known);
        known[iter.var.index()] = true;
        ready
    })
}

fn term_known(term: &Term, known: &[bool]) -> bool {
    let mut known = known.to_vec();
    iters_known(&term.iters, &mut known)
        && term.condition.iter().chain(&term.factor).chain([&term.token]).all(|expr| all_known(expr, &known))
}

fn bag_known(bag: &BagExpr, known: &[bool]) -> bool {
    match bag {
        BagExpr::Terms(terms) => terms.iter().all(|term| term_known(term, known)),
        BagExpr::Place(_) => true,
        BagExpr::Minus(left, right) | BagExpr::Intersection(left, right) => {
            bag_known(left, known) && bag_known(right, known)
        }
    }
}

/// Whether every variable of an expression is known; its own iteration variables are.
pub(crate) fn all_known(expr: &Expr, known: &[bool]) -> bool {
    match &expr.kind {
        ExprKind::Var(var) => known[var.index()],
        ExprKind::Iterate { iters, condition, body, .. } => {
            let mut known = known.to_vec();
            iters_known(iters, &mut known) && condition.iter().chain(body).all(|expr| all_known(expr, &known))
        }
        ExprKind::Compare(_, left, right) => bag_known(left, known) && bag_known(right, known),
        ExprKind::Multiplicity(_, bag) => bag_known(bag, known),
        _ => {
            let mut all = true;
            expr.for_each_part(&mut |part| all = all && all_known(part, known));
            all
        }
    }
}
