//! Whether every variable of a transition gets a value.
//!
//! Input arcs give values to variables that stand alone or as parts of what they construct; everything else in them
//! must be known by then. Output variables take any value. The engines find an order for that; here it is only made
//! sure that there is one.

use petite_net::{Arc, Expr, ExprKind, Iter, Kind, Span, Types, VarIdx};

/// Which variables are known in the end, when those in `known` are from the beginning.
pub(super) fn known_in_the_end(types: &Types, inputs: &[Arc], picks: &[Iter], known: &mut [bool]) {
    for pick in picks {
        known[pick.var.index()] = true;
    }
    let mut terms: Vec<_> = inputs.iter().flat_map(|arc| &arc.terms).filter(|term| term.can_bind()).collect();
    loop {
        let before = terms.len();
        terms.retain(|term| {
            if !term.factor.as_ref().is_none_or(|factor| all_known(factor, known)) {
                return true;
            }
            let (mut binds, mut tests) = (Vec::new(), Vec::new());
            let mut with = known.to_vec();
            take_apart(types, &term.token, &mut with, &mut binds, &mut tests);
            let is_possible = tests.iter().all(|test| all_known(test, &with));
            if is_possible {
                known.copy_from_slice(&with);
            }
            !is_possible
        });
        if terms.len() == before {
            return;
        }
    }
}

/// Variables that an input arc gives a value of another type than their own.
pub(super) fn widened<'e>(
    types: &Types,
    inputs: &'e [Arc],
    variables: &[petite_net::Variable],
) -> Vec<&'e Expr> {
    let mut found = Vec::new();
    for term in inputs.iter().flat_map(|arc| &arc.terms).filter(|term| term.can_bind()) {
        let (mut binds, mut tests) = (Vec::new(), Vec::new());
        take_apart(types, &term.token, &mut vec![false; variables.len()], &mut binds, &mut tests);
        found.extend(binds);
    }
    found
}

/// The first use of a variable that is not known.
pub(super) fn first_unknown<'e>(
    exprs: impl IntoIterator<Item = &'e Expr>,
    known: &[bool],
) -> Option<(VarIdx, Span)> {
    exprs.into_iter().find_map(|expr| unknown_in(expr, known))
}

fn unknown_in(expr: &Expr, known: &[bool]) -> Option<(VarIdx, Span)> {
    if let ExprKind::Var(var) = expr.kind {
        return (!known[var.index()]).then_some((var, expr.span));
    }
    let mut found = None;
    expr.for_each_part(&mut |part| found = found.or_else(|| unknown_in(part, known)));
    found
}

fn all_known(expr: &Expr, known: &[bool]) -> bool {
    unknown_in(expr, known).is_none()
}

/// Collects the parts of a token that give a value to a variable through a conversion, and those that must be known.
fn take_apart<'e>(
    types: &Types,
    expr: &'e Expr,
    known: &mut [bool],
    binds: &mut Vec<&'e Expr>,
    tests: &mut Vec<&'e Expr>,
) {
    match &expr.kind {
        ExprKind::Var(var) if !known[var.index()] => known[var.index()] = true,
        ExprKind::Convert(inner) => match inner.kind {
            ExprKind::Var(var) if !known[var.index()] => {
                known[var.index()] = true;
                binds.push(inner);
            }
            ExprKind::Tuple(_) | ExprKind::Seq(_) | ExprKind::Tagged(..) => {
                take_apart(types, inner, known, binds, tests);
            }
            _ => tests.push(expr),
        },
        ExprKind::Tuple(items) => items.iter().for_each(|item| take_apart(types, item, known, binds, tests)),
        ExprKind::Seq(items) if matches!(types[expr.ty].kind, Kind::List { .. }) => {
            items.iter().for_each(|item| take_apart(types, item, known, binds, tests));
        }
        ExprKind::Tagged(_, content) => take_apart(types, content, known, binds, tests),
        _ => tests.push(expr),
    }
}
