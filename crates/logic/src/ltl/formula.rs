//! Formulas in negation normal form, each kept once.
//!
//! Negations stand before atoms only, `F a` is `true U a` and `G a` is `false R a`. Equal formulas have the same number,
//! and a formula's number is above those of its parts. The constructors rewrite; see [`super::rewrite`].

use std::collections::{HashMap, HashSet};

use crate::{AtomId, Ltl};

petite_bits::typed_index! {
    /// A formula in a table of formulas.
    pub struct FormulaId;
}

impl FormulaId {
    /// Always true.
    pub const TRUE: FormulaId = FormulaId(0);
    /// Never true.
    pub const FALSE: FormulaId = FormulaId(1);
}

/// A formula by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    True,
    False,
    /// An atom by its position in [`Formulas::atoms`], or its negation.
    Literal {
        atom: u32,
        positive: bool,
    },
    /// At least two, ascending.
    And(Box<[FormulaId]>),
    /// At least two, ascending.
    Or(Box<[FormulaId]>),
    Next(FormulaId),
    Until(FormulaId, FormulaId),
    Release(FormulaId, FormulaId),
}

/// What the form of a formula tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Where it holds from some state on, it holds from every earlier one on as well, like `F a`.
    pub eventual: bool,
    /// Where it holds from some state on, it holds from every later one on as well, like `G a`.
    pub universal: bool,
}

/// A table of formulas.
#[derive(Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    shapes: Vec<Shape>,
    index: HashMap<Node, FormulaId>,
    negations: HashMap<FormulaId, FormulaId>,
    /// What was found out about implications.
    pub(super) implications: HashMap<(FormulaId, FormulaId), bool>,
    atoms: Vec<AtomId>,
}

/// A formula is nested deeper than anybody writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

/// How deep a formula may be nested: all that follows recurs on formulas.
const MAX_DEPTH: usize = 1000;

impl Formulas {
    /// A table of the two constants.
    pub fn new() -> Formulas {
        let mut formulas = Formulas {
            nodes: Vec::new(),
            shapes: Vec::new(),
            index: HashMap::new(),
            negations: HashMap::new(),
            implications: HashMap::new(),
            atoms: Vec::new(),
        };
        formulas.intern(Node::True);
        formulas.intern(Node::False);
        formulas
    }

    /// A formula by its parts.
    pub fn node(&self, formula: FormulaId) -> &Node {
        &self.nodes[formula.index()]
    }

    /// What a formula's form tells.
    pub fn shape(&self, formula: FormulaId) -> Shape {
        self.shapes[formula.index()]
    }

    /// The atoms that literals speak of.
    pub fn atoms(&self) -> &[AtomId] {
        &self.atoms
    }

    /// The parts of a conjunction; a formula of another form is its only part, and true has none.
    pub fn conjuncts(&self, formula: FormulaId) -> Vec<FormulaId> {
        match self.node(formula) {
            Node::True => Vec::new(),
            Node::And(parts) => parts.to_vec(),
            _ => vec![formula],
        }
    }

    /// Whether a formula has no operators of time.
    pub fn is_about_one_state(&self, formula: FormulaId) -> bool {
        match self.node(formula) {
            Node::True | Node::False | Node::Literal { .. } => true,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(|&part| self.is_about_one_state(part)),
            _ => false,
        }
    }

    /// The untils that are part of a formula.
    pub fn untils_of(&self, formula: FormulaId) -> Vec<FormulaId> {
        let (mut open, mut seen, mut untils) = (vec![formula], HashSet::new(), Vec::new());
        while let Some(part) = open.pop() {
            if !seen.insert(part) {
                continue;
            }
            match self.node(part) {
                Node::True | Node::False | Node::Literal { .. } => {}
                Node::And(parts) | Node::Or(parts) => open.extend_from_slice(parts),
                Node::Next(inner) => open.push(*inner),
                Node::Until(left, right) | Node::Release(left, right) => {
                    if matches!(self.node(part), Node::Until(..)) {
                        untils.push(part);
                    }
                    open.extend([*left, *right]);
                }
            }
        }
        untils
    }

    /// Takes a formula, or its negation, into the table, simplified.
    ///
    /// # Errors
    /// When it is nested too deep.
    pub fn take(&mut self, formula: &Ltl, positive: bool) -> Result<FormulaId, TooDeep> {
        self.take_at(formula, positive, 0)
    }

    /// The negation of a formula.
    pub fn negation(&mut self, formula: FormulaId) -> FormulaId {
        if let Some(&negation) = self.negations.get(&formula) {
            return negation;
        }
        let negation = match self.node(formula).clone() {
            Node::True => FormulaId::FALSE,
            Node::False => FormulaId::TRUE,
            Node::Literal { atom, positive } => self.intern(Node::Literal { atom, positive: !positive }),
            Node::And(parts) => {
                let parts = parts.iter().map(|&part| self.negation(part)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts = parts.iter().map(|&part| self.negation(part)).collect();
                self.and(parts)
            }
            Node::Next(part) => {
                let part = self.negation(part);
                self.next(part)
            }
            Node::Until(left, right) => {
                let (left, right) = (self.negation(left), self.negation(right));
                self.release(left, right)
            }
            Node::Release(left, right) => {
                let (left, right) = (self.negation(left), self.negation(right));
                self.until(left, right)
            }
        };
        self.negations.insert(formula, negation);
        negation
    }

    fn take_at(&mut self, formula: &Ltl, positive: bool, depth: usize) -> Result<FormulaId, TooDeep> {
        if depth > MAX_DEPTH {
            return Err(TooDeep);
        }
        let mut part = |formula: &Ltl| self.take_at(formula, positive, depth + 1);
        Ok(match formula {
            Ltl::True => constant(positive),
            Ltl::False => constant(!positive),
            Ltl::Atom(atom) => {
                let known = self.atoms.iter().position(|other| other == atom);
                let atom = known.unwrap_or_else(|| {
                    self.atoms.push(*atom);
                    self.atoms.len() - 1
                });
                self.intern(Node::Literal { atom: atom as u32, positive })
            }
            Ltl::Not(inner) => self.take_at(inner, !positive, depth + 1)?,
            Ltl::And(parts) | Ltl::Or(parts) => {
                let parts = parts.iter().map(part).collect::<Result<_, _>>()?;
                if matches!(formula, Ltl::And(_)) == positive { self.and(parts) } else { self.or(parts) }
            }
            Ltl::Next(inner) => {
                let inner = part(inner)?;
                self.next(inner)
            }
            Ltl::Finally(inner) | Ltl::Globally(inner) => {
                let inner = part(inner)?;
                if matches!(formula, Ltl::Finally(_)) == positive {
                    self.until(FormulaId::TRUE, inner)
                } else {
                    self.release(FormulaId::FALSE, inner)
                }
            }
            Ltl::Until(left, right) | Ltl::Release(left, right) => {
                let (left, right) = (part(left)?, part(right)?);
                if matches!(formula, Ltl::Until(..)) == positive {
                    self.until(left, right)
                } else {
                    self.release(left, right)
                }
            }
        })
    }

    /// The number of a formula that is simplified already.
    pub(super) fn intern(&mut self, node: Node) -> FormulaId {
        if let Some(&known) = self.index.get(&node) {
            return known;
        }
        let id = FormulaId::new(self.nodes.len());
        self.shapes.push(self.shape_of(&node));
        self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }

    fn shape_of(&self, node: &Node) -> Shape {
        match node {
            Node::True | Node::False => Shape { eventual: true, universal: true },
            Node::Literal { .. } => Shape { eventual: false, universal: false },
            Node::And(parts) | Node::Or(parts) => Shape {
                eventual: parts.iter().all(|&part| self.shape(part).eventual),
                universal: parts.iter().all(|&part| self.shape(part).universal),
            },
            Node::Next(part) => self.shape(*part),
            // Where the second part is eventual, it holds at once; where it is universal, it holds from then on, and so
            // does the whole.
            Node::Until(left, right) => {
                let right = self.shape(*right);
                Shape { eventual: *left == FormulaId::TRUE || right.eventual, universal: right.universal }
            }
            Node::Release(left, right) => {
                let right = self.shape(*right);
                Shape { eventual: right.eventual, universal: *left == FormulaId::FALSE || right.universal }
            }
        }
    }
}

fn constant(value: bool) -> FormulaId {
    if value { FormulaId::TRUE } else { FormulaId::FALSE }
}
