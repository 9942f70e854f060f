//! Branching-time formulas in a small basis, each kept once.
//!
//! Everything is said by atoms, negation, conjunction and three operators: `EX`, `E[U]` and `EG`. So `AG f` is
//! `!E[true U !f]`, `AF f` is `!EG !f`, and `A[f U g]` is `!E[!g U (!f & !g)] & !EG !g`. Formulas that several
//! questions have in common are labelled once. A formula's number is above those of its parts.

use std::collections::HashMap;

use crate::{AtomId, Ctl};

petite_bits::typed_index! {
    /// A formula in a table of formulas.
    pub struct CtlId;
}

/// A formula by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CtlNode {
    True,
    Atom(AtomId),
    Not(CtlId),
    /// At least two, ascending.
    And(Box<[CtlId]>),
    ExistsNext(CtlId),
    ExistsUntil(CtlId, CtlId),
    ExistsGlobally(CtlId),
}

/// A formula is nested deeper than anybody writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

/// How deep a formula may be nested: taking it recurs.
const MAX_DEPTH: usize = 1000;

/// A table of formulas.
#[derive(Debug, Default)]
pub struct CtlFormulas {
    nodes: Vec<CtlNode>,
    index: HashMap<CtlNode, CtlId>,
}

impl CtlFormulas {
    /// Number of formulas.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A formula by its parts.
    pub fn node(&self, formula: CtlId) -> &CtlNode {
        &self.nodes[formula.index()]
    }

    /// The formulas that a formula is made of.
    pub fn parts(&self, formula: CtlId) -> Vec<CtlId> {
        match self.node(formula) {
            CtlNode::True | CtlNode::Atom(_) => Vec::new(),
            CtlNode::Not(part) | CtlNode::ExistsNext(part) | CtlNode::ExistsGlobally(part) => vec![*part],
            CtlNode::And(parts) => parts.to_vec(),
            CtlNode::ExistsUntil(left, right) => vec![*left, *right],
        }
    }

    /// Takes a formula into the table.
    ///
    /// # Errors
    /// When it is nested too deep.
    pub fn take(&mut self, formula: &Ctl) -> Result<CtlId, TooDeep> {
        self.take_at(formula, 0)
    }

    fn take_at(&mut self, formula: &Ctl, depth: usize) -> Result<CtlId, TooDeep> {
        if depth > MAX_DEPTH {
            return Err(TooDeep);
        }
        let mut part = |formula: &Ctl| self.take_at(formula, depth + 1);
        Ok(match formula {
            Ctl::True => self.constant(true),
            Ctl::False => self.constant(false),
            Ctl::Atom(atom) => self.intern(CtlNode::Atom(*atom)),
            Ctl::Not(inner) => {
                let inner = part(inner)?;
                self.not(inner)
            }
            Ctl::And(parts) => {
                let parts = parts.iter().map(part).collect::<Result<_, _>>()?;
                self.and(parts)
            }
            Ctl::Or(parts) => {
                let parts: Vec<CtlId> = parts.iter().map(part).collect::<Result<_, _>>()?;
                let parts = parts.into_iter().map(|part| self.not(part)).collect();
                let none = self.and(parts);
                self.not(none)
            }
            Ctl::ExistsNext(inner) => {
                let inner = part(inner)?;
                self.exists_next(inner)
            }
            Ctl::AllNext(inner) => {
                let inner = part(inner)?;
                let inner = self.not(inner);
                let next = self.exists_next(inner);
                self.not(next)
            }
            Ctl::ExistsFinally(inner) => {
                let inner = part(inner)?;
                let always = self.constant(true);
                self.exists_until(always, inner)
            }
            Ctl::AllGlobally(inner) => {
                let inner = part(inner)?;
                let (inner, always) = (self.not(inner), self.constant(true));
                let finally = self.exists_until(always, inner);
                self.not(finally)
            }
            Ctl::ExistsGlobally(inner) => {
                let inner = part(inner)?;
                self.exists_globally(inner)
            }
            Ctl::AllFinally(inner) => {
                let inner = part(inner)?;
                let inner = self.not(inner);
                let globally = self.exists_globally(inner);
                self.not(globally)
            }
            Ctl::ExistsUntil(left, right) => {
                let (left, right) = (part(left)?, part(right)?);
                self.exists_until(left, right)
            }
            Ctl::AllUntil(left, right) => {
                let (left, right) = (part(left)?, part(right)?);
                let (not_left, not_right) = (self.not(left), self.not(right));
                let neither = self.and(vec![not_left, not_right]);
                let broken = self.exists_until(not_right, neither);
                let missing = self.exists_globally(not_right);
                let (broken, missing) = (self.not(broken), self.not(missing));
                self.and(vec![broken, missing])
            }
        })
    }

    fn constant(&mut self, value: bool) -> CtlId {
        let always = self.intern(CtlNode::True);
        if value { always } else { self.intern(CtlNode::Not(always)) }
    }

    fn is(&self, formula: CtlId, value: bool) -> bool {
        match self.node(formula) {
            CtlNode::True => value,
            CtlNode::Not(inner) => !value && *self.node(*inner) == CtlNode::True,
            _ => false,
        }
    }

    fn not(&mut self, formula: CtlId) -> CtlId {
        match self.node(formula) {
            CtlNode::Not(inner) => *inner,
            _ => self.intern(CtlNode::Not(formula)),
        }
    }

    fn and(&mut self, parts: Vec<CtlId>) -> CtlId {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match self.node(part) {
                CtlNode::And(inner) => flat.extend_from_slice(inner),
                CtlNode::True => {}
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let clashes = |part: &CtlId| match self.node(*part) {
            CtlNode::Not(inner) => *self.node(*inner) == CtlNode::True || flat.binary_search(inner).is_ok(),
            _ => false,
        };
        if flat.iter().any(clashes) {
            return self.constant(false);
        }
        match flat.len() {
            0 => self.constant(true),
            1 => flat[0],
            _ => self.intern(CtlNode::And(flat.into())),
        }
    }

    /// Where everything is true, this still says that the state is not dead.
    fn exists_next(&mut self, inner: CtlId) -> CtlId {
        if self.is(inner, false) { inner } else { self.intern(CtlNode::ExistsNext(inner)) }
    }

    fn exists_globally(&mut self, inner: CtlId) -> CtlId {
        let is_done = self.is(inner, true)
            || self.is(inner, false)
            || matches!(self.node(inner), CtlNode::ExistsGlobally(_));
        if is_done { inner } else { self.intern(CtlNode::ExistsGlobally(inner)) }
    }

    fn exists_until(&mut self, left: CtlId, right: CtlId) -> CtlId {
        let repeats = matches!(self.node(right), CtlNode::ExistsUntil(other, _) if *other == left);
        let is_done = self.is(right, true) || self.is(right, false) || self.is(left, false) || left == right;
        if is_done || repeats { right } else { self.intern(CtlNode::ExistsUntil(left, right)) }
    }

    fn intern(&mut self, node: CtlNode) -> CtlId {
        if let Some(&known) = self.index.get(&node) {
            return known;
        }
        let id = CtlId::new(self.nodes.len());
        self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }
}
