//! From a net that fails to a small net that fails.
//!
//! Greedy: every way to make the net a little smaller is tried, the coarse ones first; the first that still fails
//! is taken, and everything starts over, until none does. Nets are small, so the square of their size costs little.
//! What is not a net any more (a variable nobody binds) is not tried.

use crate::describe::{Arc, Expr, ExprKind, Kind, Net, PickDomain, PlaceId, Transition, Tuple, TypeId, Val};
use crate::evaluate::domain;
use crate::wellformed::is_well_formed;

/// The smallest net within reach that still fails.
pub fn shrink(mut net: Net, fails: &mut dyn FnMut(&Net) -> bool) -> Net {
    'smaller: loop {
        for candidate in candidates(&net) {
            if candidate != net && is_well_formed(&candidate) && fails(&candidate) {
                net = candidate;
                continue 'smaller;
            }
        }
        return net;
    }
}

/// All nets that are a little smaller.
fn candidates(net: &Net) -> Vec<Net> {
    let mut found = Vec::new();
    let mut offer = |change: &dyn Fn(&mut Net)| {
        let mut smaller = net.clone();
        change(&mut smaller);
        found.push(smaller);
    };
    for t in 0..net.transitions.len() {
        offer(&|net| drop(net.transitions.remove(t)));
    }
    for p in 0..net.places.len() {
        offer(&|net| disconnect(net, p));
    }
    for (t, transition) in net.transitions.iter().enumerate() {
        for section in SECTIONS {
            for (a, arc) in section(&mut transition.clone()).iter().enumerate() {
                offer(&|net| drop(section(&mut net.transitions[t]).remove(a)));
                for tuple in 0..arc.tuples.len() {
                    offer(&|net| drop(section(&mut net.transitions[t])[a].tuples.remove(tuple)));
                }
            }
        }
        for pick in 0..transition.picks.len() {
            offer(&|net| drop(net.transitions[t].picks.remove(pick)));
        }
        for define in 0..transition.lets.len() {
            offer(&|net| drop(net.transitions[t].lets.remove(define)));
        }
        offer(&|net| net.transitions[t].guard = None);
        offer(&|net| net.transitions[t].priority = None);
        for (pick, _) in transition.picks.iter().enumerate() {
            offer(&|net| {
                if let PickDomain::Type(range) = &mut net.transitions[t].picks[pick].1 {
                    *range = None;
                }
            });
        }
    }
    for (p, place) in net.places.iter().enumerate() {
        for tuple in 0..place.initial.len() {
            offer(&|net| drop(net.places[p].initial.remove(tuple)));
        }
        for component in 0..place.domain.len() {
            offer(&|net| remove_component(net, p, component));
        }
        offer(&|net| net.places[p].capacity = 1);
        offer(&|net| net.places[p].capacity = net.places[p].capacity.max(2) - 1);
    }
    for tuple in 0..net.clone().tuples_mut().len() {
        offer(&|net| net.tuples_mut()[tuple].iters.clear());
        offer(&|net| net.tuples_mut()[tuple].condition = None);
        offer(&|net| net.tuples_mut()[tuple].factor = 1);
        offer(&|net| {
            for iter in &mut net.tuples_mut()[tuple].iters {
                iter.range = None;
            }
        });
    }
    for ty in 0..net.types.len() {
        offer(&|net| {
            if let Kind::Range { parent, .. } = &mut net.types[ty] {
                *parent = None;
            }
        });
        offer(&|net| shrink_type(net, TypeId(ty)));
    }
    for (at, expr) in net.expressions().into_iter().enumerate() {
        for simple in simpler(net, expr) {
            offer(&|net| *net.expressions_mut()[at] = simple.clone());
        }
    }
    found
}

/// The kinds of arcs of a transition.
const SECTIONS: [fn(&mut Transition) -> &mut Vec<Arc>; 3] = [
    |transition| &mut transition.inputs,
    |transition| &mut transition.outputs,
    |transition| &mut transition.inhibitors,
];

/// Takes away a place's tokens and arcs.
fn disconnect(net: &mut Net, place: PlaceId) {
    net.places[place].initial.clear();
    for transition in &mut net.transitions {
        for section in SECTIONS {
            section(transition).retain(|arc| arc.place != place);
        }
        transition.priority.take_if(|priority| {
            let mut reads = false;
            priority.walk(&mut |part| {
                reads |= matches!(part.kind, ExprKind::Card(read) | ExprKind::Mult(read) if read == place);
            });
            reads
        });
    }
}

/// Takes one component away from all tokens of a place.
fn remove_component(net: &mut Net, place: PlaceId, component: usize) {
    net.places[place].domain.remove(component);
    let shorten = |tuple: &mut Tuple| drop(tuple.token.remove(component));
    net.places[place].initial.iter_mut().for_each(shorten);
    for transition in &mut net.transitions {
        for section in SECTIONS {
            let arcs = section(transition).iter_mut().filter(|arc| arc.place == place);
            arcs.flat_map(|arc| &mut arc.tuples).for_each(shorten);
        }
    }
}

/// Takes one value away from a type, and puts its neighbour wherever the value stood.
fn shrink_type(net: &mut Net, ty: TypeId) {
    match &mut net.types[ty.0] {
        Kind::Range { low, high, .. } if *high > *low => *high -= 1,
        Kind::Mod(n) | Kind::Enum(n) if *n > 1 => *n -= 1,
        Kind::Set { capacity, .. } if *capacity > 1 => *capacity -= 1,
        _ => return,
    }
    adjust_subtypes(net);
    let reference = net.clone();
    for expr in net.expressions_mut() {
        clamp(&reference, expr);
    }
    let within = |types: &[TypeId], var: usize, range: &mut Option<(i64, i64)>| {
        if let Some((low, high)) = range {
            let (first, last) = reference.bounds(types[var]);
            (*low, *high) = ((*low).clamp(first, last), (*high).clamp(first, last));
        }
    };
    for place in &mut net.places {
        let iters = place.initial.iter_mut().flat_map(|tuple| &mut tuple.iters);
        iters.for_each(|iter| within(&place.variables, iter.var, &mut iter.range));
    }
    for transition in &mut net.transitions {
        let types = transition.variables.clone();
        for section in SECTIONS {
            let tuples = section(transition).iter_mut().flat_map(|arc| &mut arc.tuples);
            tuples
                .flat_map(|tuple| &mut tuple.iters)
                .for_each(|iter| within(&types, iter.var, &mut iter.range));
        }
        for (var, domain) in &mut transition.picks {
            if let PickDomain::Type(range) = domain {
                within(&types, *var, range);
            }
        }
    }
}

/// Keeps the subtypes of ranges within their parents, which stand before them.
fn adjust_subtypes(net: &mut Net) {
    for ty in 0..net.types.len() {
        if let Kind::Range { low, high, parent: Some(parent) } = net.types[ty] {
            let (first, last) = net.bounds(parent);
            let (low, high) = (low.clamp(first, last), high.clamp(first, last));
            net.types[ty] = Kind::Range { low, high, parent: Some(parent) };
        }
    }
}

/// Replaces literals outside their types.
fn clamp(net: &Net, expr: &mut Expr) {
    if let ExprKind::Literal(value) = &mut expr.kind {
        match (net.kind(expr.ty), value) {
            (_, Val::Num(number)) => {
                let (first, last) = net.bounds(expr.ty);
                *number = (*number).clamp(first, last);
            }
            (Kind::Vector { index, element }, Val::Vector(items)) => {
                let (low, high) = net.bounds(*index);
                items.truncate((high - low + 1) as usize);
                let (first, last) = net.bounds(*element);
                items.iter_mut().for_each(|item| *item = (*item).clamp(first, last));
            }
            (Kind::Set { element, capacity }, Val::Set(items)) => {
                let (first, last) = net.bounds(*element);
                items.retain(|item| (first..=last).contains(item));
                while items.len() > *capacity {
                    items.pop_last();
                }
            }
            _ => {}
        }
    }
    expr.parts_mut().into_iter().for_each(|part| clamp(net, part));
}

/// Expressions of the same type with fewer parts.
fn simpler(net: &Net, expr: &Expr) -> Vec<Expr> {
    let parts = expr.parts();
    let mut found: Vec<Expr> =
        parts.iter().filter(|part| part.ty == expr.ty).map(|part| (*part).clone()).collect();
    if !matches!(expr.kind, ExprKind::Literal(_)) && !matches!(net.kind(expr.ty), Kind::Int) {
        found.extend(domain(net, expr.ty).into_iter().next().map(|first| Expr::literal(expr.ty, first)));
    }
    for (at, part) in parts.iter().enumerate() {
        for simple in simpler(net, part) {
            let mut with = expr.clone();
            *with.parts_mut()[at] = simple;
            found.push(with);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::draw;

    /// Shrinks every net of some seeds that has an artificial defect, and checks what is left.
    fn shrink_all(defect: &dyn Fn(&Net) -> bool, check: &dyn Fn(&Net)) {
        let mut n_shrunk = 0;
        for seed in 0..40 {
            let net = draw(seed);
            if defect(&net) {
                let small = shrink(net, &mut |net| defect(net));
                assert!(defect(&small) && is_well_formed(&small), "seed {seed}\n{}", small.render());
                check(&small);
                n_shrunk += 1;
            }
        }
        assert!(n_shrunk > 3, "too few nets with the defect");
    }

    #[test]
    fn two_transitions_are_all_that_is_left() {
        shrink_all(&|net| net.transitions.len() >= 2, &|net| {
            assert_eq!(net.transitions.len(), 2, "{}", net.render());
            assert_eq!(net.transitions.iter().flat_map(Transition::tuples).count(), 0, "{}", net.render());
            let n_tuples: usize = net.places.iter().map(|place| place.initial.len()).sum();
            assert_eq!(n_tuples, 1, "a net has to hold something\n{}", net.render());
        });
    }

    #[test]
    fn a_guard_keeps_what_defines_its_variables() {
        let defect = |net: &Net| {
            net.transitions.iter().any(|transition| {
                transition.guard.as_ref().is_some_and(|guard| !guard.variables().is_empty())
            })
        };
        shrink_all(&defect, &|net| {
            assert_eq!(net.transitions.len(), 1, "{}", net.render());
            let transition = &net.transitions[0];
            assert!(transition.outputs.is_empty() && transition.inhibitors.is_empty(), "{}", net.render());
            let n_definitions = transition.binding().len() + transition.lets.len();
            assert_eq!(n_definitions, 1, "{}", net.render());
        });
    }
}
