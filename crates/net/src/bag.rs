//! Expressions whose values are multi-sets.
//!
//! A sum of [`Term`]s is the usual one, and what arcs are inscribed with. Differences and intersections are not
//! sums, so they have a form of their own; a sum takes them in again by iterating over their items
//! ([`crate::IterDomain::Bag`]), which counts every item as often as it occurs.

use crate::{Expr, PlaceIdx, Term};

/// An expression whose value is a multi-set.
#[derive(Clone, Debug, PartialEq)]
pub enum BagExpr {
    /// The sum of terms.
    Terms(Vec<Term>),
    /// The tokens of a place.
    Place(PlaceIdx),
    /// The left one without the items of the right one; what is not there is not taken away.
    Minus(Box<BagExpr>, Box<BagExpr>),
    /// Each item as often as it is in both.
    Intersection(Box<BagExpr>, Box<BagExpr>),
}

impl BagExpr {
    /// Whether the value depends on the marking.
    pub fn reads_marking(&self) -> bool {
        match self {
            BagExpr::Terms(terms) => terms.iter().any(Term::reads_marking),
            BagExpr::Place(_) => true,
            BagExpr::Minus(left, right) | BagExpr::Intersection(left, right) => {
                left.reads_marking() || right.reads_marking()
            }
        }
    }

    /// Calls `visit` with every place whose tokens are read.
    pub fn for_each_place(&self, visit: &mut dyn FnMut(PlaceIdx)) {
        match self {
            BagExpr::Terms(terms) => terms.iter().for_each(|term| term.for_each_place(visit)),
            BagExpr::Place(place) => visit(*place),
            BagExpr::Minus(left, right) | BagExpr::Intersection(left, right) => {
                left.for_each_place(visit);
                right.for_each_place(visit);
            }
        }
    }

    /// Calls `visit` with every expression in it, those of nested iterations included.
    pub fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            BagExpr::Terms(terms) => terms.iter().for_each(|term| term.for_each_part(visit)),
            BagExpr::Place(_) => {}
            BagExpr::Minus(left, right) | BagExpr::Intersection(left, right) => {
                left.for_each_part(visit);
                right.for_each_part(visit);
            }
        }
    }
}

/// How two multi-sets are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BagTest {
    /// Whether they are equal.
    Equals,
    /// Whether the right one has every item at least as often as the left one.
    Subset,
}

/// Which multiplicity of a multi-set is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The greatest; zero where there is no item.
    Greatest,
    /// The least; the greatest number of 32 bits where there is no item.
    Least,
}
