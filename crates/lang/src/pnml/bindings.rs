//! Which variables take their values from tokens, and which are free.
//!
//! An instance of a transition has a value for every variable around it, whichever. A variable that stands alone
//! in a tuple of an input arc takes its value from a token, provided that the rest of the tuple is known by then;
//! any other variable is free: it is picked from its whole type. In a ring such as `(x, y + 1)` and `(y, x + 1)`
//! neither tuple can come first, so one variable has to be picked there.
//!
//! **Cost**: a pick multiplies the instances to try by the size of its type, so as few as possible are made.

use petite_net::{Arc, Expr, ExprKind, Term, VarIdx};

/// The variables of a binding that have to be picked.
pub(super) fn free_variables(binding: &[VarIdx], n_variables: usize, inputs: &[Arc]) -> Vec<VarIdx> {
    let mut known = vec![true; n_variables];
    binding.iter().for_each(|var| known[var.index()] = false);
    let terms = inputs.iter().filter(|arc| !arc.subtracts()).flat_map(|arc| &arc.terms);
    let mut tuples: Vec<&[Expr]> = terms.filter(|term| term.can_bind()).filter_map(components).collect();
    let mut stands_alone = vec![false; n_variables];
    for var in tuples.iter().flat_map(|tuple| tuple.iter()).filter_map(variable_alone) {
        stands_alone[var.index()] = true;
    }
    let mut free = Vec::new();
    loop {
        bind(&mut tuples, &mut known);
        let unknown = || binding.iter().copied().filter(|var| !known[var.index()]);
        // A variable that no tuple can give a value is free in any case.
        let Some(var) = unknown().find(|var| !stands_alone[var.index()]).or_else(|| unknown().next()) else {
            return free;
        };
        known[var.index()] = true;
        free.push(var);
    }
}

/// Binds what the tuples can bind, one after the other; those that are done are removed.
fn bind(tuples: &mut Vec<&[Expr]>, known: &mut [bool]) {
    loop {
        let before = tuples.len();
        tuples.retain(|tuple| {
            let own = |var| tuple.iter().any(|component| variable_alone(component) == Some(var));
            let ready =
                tuple.iter().all(|component| is_known(component, &|var| known[var.index()] || own(var)));
            if ready {
                tuple.iter().filter_map(variable_alone).for_each(|var| known[var.index()] = true);
            }
            !ready
        });
        if tuples.len() == before {
            return;
        }
    }
}

fn variable_alone(component: &Expr) -> Option<VarIdx> {
    match component.kind {
        ExprKind::Var(var) => Some(var),
        _ => None,
    }
}

fn components(term: &Term) -> Option<&[Expr]> {
    match &term.token.kind {
        ExprKind::Tuple(components) => Some(components),
        _ => None,
    }
}

fn is_known(expr: &Expr, known: &dyn Fn(VarIdx) -> bool) -> bool {
    match expr.kind {
        ExprKind::Var(var) => known(var),
        _ => {
            let mut all = true;
            expr.for_each_part(&mut |part| all = all && is_known(part, known));
            all
        }
    }
}
