//! Rewriting: constructors that give the simplest formula they know for the same language.
//!
//! The rules are those of Somenzi and Bloem ("Efficient Büchi Automata from LTL Formulae", 2000) and, for formulas that
//! are *eventual* or *universal*, of Etessami and Holzmann ("Optimizing Büchi Automata", 2000). Rules with a dual are
//! stated for one side and applied to both. They need to know whether one formula implies another; that is
//! decided by form, which finds some implications and never a false one.

use super::formula::{FormulaId, Formulas, Node};

/// A conjunction or a disjunction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    And,
    Or,
}

/// Conjunctions and disjunctions of more parts than this are not compared part by part: that takes the square of
/// their number.
const MOST_COMPARED: usize = 64;

impl Formulas {
    /// All of them hold.
    pub fn and(&mut self, parts: Vec<FormulaId>) -> FormulaId {
        self.join(Side::And, parts)
    }

    /// One of them holds.
    pub fn or(&mut self, parts: Vec<FormulaId>) -> FormulaId {
        self.join(Side::Or, parts)
    }

    /// It holds from the next state on.
    pub fn next(&mut self, part: FormulaId) -> FormulaId {
        let shape = self.shape(part);
        if shape.eventual && shape.universal { part } else { self.intern(Node::Next(part)) }
    }

    /// The first holds until the second does.
    pub fn until(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        self.until_like(Side::Or, left, right)
    }

    /// The second holds until both do, or forever.
    pub fn release(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        self.until_like(Side::And, left, right)
    }

    /// Whether the first implies the second, as far as their forms tell.
    pub fn implies(&mut self, a: FormulaId, b: FormulaId) -> bool {
        if a == b || a == FormulaId::FALSE || b == FormulaId::TRUE {
            return true;
        }
        if a == FormulaId::TRUE || b == FormulaId::FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        let implies = self.implies_by_form(a, b);
        self.implications.insert((a, b), implies);
        implies
    }

    fn implies_by_form(&mut self, a: FormulaId, b: FormulaId) -> bool {
        let (first, second) = (self.node(a).clone(), self.node(b).clone());
        match (&first, &second) {
            (Node::Or(parts), _) => return parts.iter().all(|&part| self.implies(part, b)),
            (_, Node::And(parts)) => return parts.iter().all(|&part| self.implies(a, part)),
            (Node::And(parts), _) if parts.iter().any(|&part| self.implies(part, b)) => return true,
            (_, Node::Or(parts)) if parts.iter().any(|&part| self.implies(a, part)) => return true,
            (Node::Next(c), Node::Next(d)) => return self.implies(*c, *d),
            (Node::Until(c, d), Node::Until(e, f)) | (Node::Release(c, d), Node::Release(e, f))
                if self.implies(*c, *e) && self.implies(*d, *f) =>
            {
                return true;
            }
            _ => {}
        }
        let by_first = match first {
            // One of the two holds now; an eventual formula that follows from the second holds now as well.
            Node::Until(c, d) => {
                let holds_early = self.shape(b).eventual && c == FormulaId::TRUE;
                self.implies(d, b) && (holds_early || self.implies(c, b))
            }
            Node::Release(_, d) => self.implies(d, b),
            _ => false,
        };
        by_first
            || match second {
                Node::Until(_, f) => self.implies(a, f),
                // What is universal and implies the second part now implies it forever.
                Node::Release(e, f) => self.implies(a, f) && (self.shape(a).universal || self.implies(a, e)),
                _ => false,
            }
    }

    /// Whether a formula is absorbing on a side: false among conjuncts, true among disjuncts.
    fn absorbing(side: Side) -> FormulaId {
        if side == Side::And { FormulaId::FALSE } else { FormulaId::TRUE }
    }

    /// Whether the first part of a conjunction or disjunction makes the second superfluous.
    fn covers(&mut self, side: Side, a: FormulaId, b: FormulaId) -> bool {
        if side == Side::And { self.implies(a, b) } else { self.implies(b, a) }
    }

    /// Whether a conjunction of the two is false, or a disjunction true.
    fn clash(&mut self, side: Side, a: FormulaId, b: FormulaId) -> bool {
        let negation = self.negation(b);
        self.covers(side, a, negation)
    }

    fn join(&mut self, side: Side, parts: Vec<FormulaId>) -> FormulaId {
        let (absorbing, neutral) = (Self::absorbing(side), Self::absorbing(other(side)));
        let mut parts = parts;
        loop {
            let mut flat = Vec::with_capacity(parts.len());
            for part in parts {
                match (self.node(part), side) {
                    (Node::And(inner), Side::And) | (Node::Or(inner), Side::Or) => {
                        flat.extend_from_slice(inner);
                    }
                    _ if part == neutral => {}
                    _ => flat.push(part),
                }
            }
            flat.sort_unstable();
            flat.dedup();
            if flat.contains(&absorbing) {
                return absorbing;
            }
            if flat.len() <= MOST_COMPARED {
                match self.without_covered(side, flat) {
                    Some(rest) => flat = rest,
                    None => return absorbing,
                }
            }
            match self.merged(side, &flat) {
                Some(merged) => parts = merged,
                None => {
                    return match flat.len() {
                        0 => neutral,
                        1 => flat[0],
                        _ if side == Side::And => self.intern(Node::And(flat.into())),
                        _ => self.intern(Node::Or(flat.into())),
                    };
                }
            }
        }
    }

    /// The parts that are not superfluous; none where two of them clash.
    fn without_covered(&mut self, side: Side, parts: Vec<FormulaId>) -> Option<Vec<FormulaId>> {
        let mut kept: Vec<FormulaId> = Vec::with_capacity(parts.len());
        for part in parts {
            if kept.iter().any(|&other| self.covers(side, other, part)) {
                continue;
            }
            kept.retain(|&other| !self.covers(side, part, other));
            for &other in &kept {
                if self.clash(side, other, part) {
                    return None;
                }
            }
            kept.push(part);
        }
        kept.sort_unstable();
        Some(kept)
    }

    /// The parts with two of them made one, where a rule does so.
    fn merged(&mut self, side: Side, parts: &[FormulaId]) -> Option<Vec<FormulaId>> {
        for (i, &a) in parts.iter().enumerate() {
            for (j, &b) in parts.iter().enumerate().skip(i + 1) {
                if let Some(one) = self.merged_pair(side, a, b) {
                    let others = parts.iter().enumerate().filter(|&(k, _)| k != i && k != j);
                    return Some(others.map(|(_, &part)| part).chain([one]).collect());
                }
            }
        }
        None
    }

    fn merged_pair(&mut self, side: Side, a: FormulaId, b: FormulaId) -> Option<FormulaId> {
        let pair = (self.node(a).clone(), self.node(b).clone());
        Some(match (side, pair) {
            (_, (Node::Next(c), Node::Next(d))) => {
                let inner = self.join(side, vec![c, d]);
                self.next(inner)
            }
            // (a R b) & (a R c) = a R (b & c), and its dual.
            (Side::And, (Node::Release(c, d), Node::Release(e, f))) if c == e => {
                let right = self.and(vec![d, f]);
                self.release(c, right)
            }
            (Side::Or, (Node::Until(c, d), Node::Until(e, f))) if c == e => {
                let right = self.or(vec![d, f]);
                self.until(c, right)
            }
            // (a U c) & (b U c) = (a & b) U c, and its dual.
            (Side::And, (Node::Until(c, d), Node::Until(e, f))) if d == f => {
                let left = self.and(vec![c, e]);
                self.until(left, d)
            }
            (Side::Or, (Node::Release(c, d), Node::Release(e, f))) if d == f => {
                let left = self.or(vec![c, e]);
                self.release(left, d)
            }
            // (a U b) | G a = b R (a | b), and its dual.
            (Side::Or, (Node::Until(c, d), Node::Release(FormulaId::FALSE, e)))
            | (Side::Or, (Node::Release(FormulaId::FALSE, e), Node::Until(c, d)))
                if c == e =>
            {
                let right = self.or(vec![c, d]);
                self.release(d, right)
            }
            (Side::And, (Node::Release(c, d), Node::Until(FormulaId::TRUE, e)))
            | (Side::And, (Node::Until(FormulaId::TRUE, e), Node::Release(c, d)))
                if c == e =>
            {
                let right = self.and(vec![c, d]);
                self.until(d, right)
            }
            // FG a & FG b = FG (a & b), and its dual.
            (Side::And, (Node::Until(FormulaId::TRUE, c), Node::Until(FormulaId::TRUE, d))) => {
                let (c, d) = (self.globally_of(c)?, self.globally_of(d)?);
                let inner = self.and(vec![c, d]);
                let inner = self.release(FormulaId::FALSE, inner);
                self.until(FormulaId::TRUE, inner)
            }
            (Side::Or, (Node::Release(FormulaId::FALSE, c), Node::Release(FormulaId::FALSE, d))) => {
                let (c, d) = (self.finally_of(c)?, self.finally_of(d)?);
                let inner = self.or(vec![c, d]);
                let inner = self.until(FormulaId::TRUE, inner);
                self.release(FormulaId::FALSE, inner)
            }
            _ => return None,
        })
    }

    fn globally_of(&self, formula: FormulaId) -> Option<FormulaId> {
        match self.node(formula) {
            Node::Release(FormulaId::FALSE, inner) => Some(*inner),
            _ => None,
        }
    }

    fn finally_of(&self, formula: FormulaId) -> Option<FormulaId> {
        match self.node(formula) {
            Node::Until(FormulaId::TRUE, inner) => Some(*inner),
            _ => None,
        }
    }

    /// Until, for the side of disjunctions, or release, its dual.
    fn until_like(&mut self, side: Side, left: FormulaId, right: FormulaId) -> FormulaId {
        let (absorbing, neutral) = (Self::absorbing(side), Self::absorbing(other(side)));
        let same = |this: &mut Formulas, left, right| this.until_like(side, left, right);
        // For until: the second is constant, or follows from the first, or holds at once if ever.
        if right == absorbing || right == neutral || self.covers(side, right, left) {
            return right;
        }
        let shape = self.shape(right);
        if if side == Side::Or { shape.eventual } else { shape.universal } {
            return right;
        }
        // For until: a U b = F b where not b implies a.
        if left != absorbing {
            let negation = self.negation(right);
            if self.covers(side, left, negation) {
                return same(self, absorbing, right);
            }
        }
        let inner = match (self.node(right), side) {
            (Node::Until(c, d), Side::Or) | (Node::Release(c, d), Side::And) => Some((*c, *d)),
            _ => None,
        };
        if let Some((c, d)) = inner {
            // For until: a U (c U d) = c U d where a implies c, and F (c U d) = F d.
            if self.covers(side, c, left) {
                return right;
            }
            if left == absorbing {
                return same(self, absorbing, d);
            }
        }
        if let Node::Next(d) = *self.node(right) {
            let c = match *self.node(left) {
                Node::Next(c) => Some(c),
                _ if left == absorbing => Some(left),
                _ => None,
            };
            if let Some(c) = c {
                let inner = same(self, c, d);
                return self.next(inner);
            }
        }
        self.without_steady(side, left, right).unwrap_or_else(|| {
            self.intern(if side == Side::Or { Node::Until(left, right) } else { Node::Release(left, right) })
        })
    }

    /// For until: a U (b | e) = (a U b) | e where e is eventual, and a U (b & s) = (a U b) & s where s is eventual
    /// and universal, so that it holds always or never.
    fn without_steady(&mut self, side: Side, left: FormulaId, right: FormulaId) -> Option<FormulaId> {
        let (parts, joined_by) = match self.node(right).clone() {
            Node::And(parts) => (parts, Side::And),
            Node::Or(parts) => (parts, Side::Or),
            _ => return None,
        };
        let is_taken_out = |&part: &FormulaId| {
            let shape = self.shape(part);
            let holds_early = if side == Side::Or { shape.eventual } else { shape.universal };
            if joined_by == side { holds_early } else { shape.eventual && shape.universal }
        };
        let (mut taken, rest): (Vec<_>, Vec<_>) = parts.iter().copied().partition(is_taken_out);
        if taken.is_empty() {
            return None;
        }
        let rest = self.join(joined_by, rest);
        taken.push(self.until_like(side, left, rest));
        Some(self.join(joined_by, taken))
    }
}

fn other(side: Side) -> Side {
    if side == Side::And { Side::Or } else { Side::And }
}
