//! Terms and sorts as they are written: trees in one list of nodes.
//!
//! Tools write a sum of a thousand tokens as a tree a thousand levels deep, so neither reading nor dropping a tree
//! may recurse.

use std::borrow::Cow;

use petite_net::Span;

use super::reader::Reader;
use super::xml::{Element, Text};
use crate::Diagnostic;

/// A term or sort, by its topmost node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TermId(u32);

/// All terms and sorts of a document.
#[derive(Default)]
pub(super) struct Terms<'s> {
    nodes: Vec<Node<'s>>,
}

struct Node<'s> {
    op: Op<'s>,
    span: Span,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
}

const NONE: u32 = u32::MAX;

/// What a node stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op<'s> {
    Variable(Cow<'s, str>),
    /// A declared constant or partition element.
    Constant(Cow<'s, str>),
    Number(u32),
    /// A number of the range that is its child.
    RangeConstant(i64),
    Bool(bool),
    Dot,
    Tuple,
    Successor,
    Predecessor,
    /// The part of a partition that a value is in.
    PartitionElementOf(Cow<'s, str>),
    NumberOf,
    Add,
    Subtract,
    ScalarProduct,
    All,
    Empty,
    And,
    Or,
    Not,
    Imply,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    UserSort(Cow<'s, str>),
    DotSort,
    BoolSort,
    Product,
    Range(i64, i64),
    Enumeration,
    /// A constant of an enumeration: identifier and name.
    EnumConstant(Box<(Text<'s>, Cow<'s, str>)>),
}

impl<'s> Terms<'s> {
    pub fn op(&self, term: TermId) -> &Op<'s> {
        &self.nodes[term.0 as usize].op
    }

    pub fn span(&self, term: TermId) -> Span {
        self.nodes[term.0 as usize].span
    }

    pub fn children(&self, term: TermId) -> impl Iterator<Item = TermId> {
        let some = |id: u32| (id != NONE).then_some(TermId(id));
        std::iter::successors(some(self.nodes[term.0 as usize].first_child), move |child| {
            some(self.nodes[child.0 as usize].next_sibling)
        })
    }

    fn add(&mut self, op: Op<'s>, span: Span, parent: Option<TermId>) -> TermId {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { op, span, first_child: NONE, last_child: NONE, next_sibling: NONE });
        if let Some(TermId(parent)) = parent {
            let before = std::mem::replace(&mut self.nodes[parent as usize].last_child, id);
            match before {
                NONE => self.nodes[parent as usize].first_child = id,
                _ => self.nodes[before as usize].next_sibling = id,
            }
        }
        TermId(id)
    }
}

impl<'s> Reader<'s> {
    /// The only term inside the element that the cursor is in; none when it is empty or something is wrong.
    pub(super) fn only_term(&mut self) -> Result<Option<TermId>, Diagnostic> {
        let mut terms = self.terms()?;
        if terms.len() > 1 {
            let span = self.document.terms.span(terms[1]);
            self.problem(
                Diagnostic::new(span, "expected one term here, this is the second").label("unexpected"),
            );
        }
        terms.truncate(1);
        Ok(terms.pop())
    }

    /// The terms inside the element that the cursor is in.
    pub(super) fn terms(&mut self) -> Result<Vec<TermId>, Diagnostic> {
        let mut found = Vec::new();
        // The nodes that the elements around the cursor belong to.
        let mut parents: Vec<Option<TermId>> = vec![None];
        while let Some(&parent) = parents.last() {
            let Some(element) = self.xml.child()? else {
                parents.pop();
                continue;
            };
            match element.name() {
                // These only wrap what they contain.
                "subterm" | "structure" => parents.push(parent),
                "positive" | "natural" | "integer" | "graphics" | "toolspecific" | "text" => {
                    self.xml.skip()?;
                }
                _ => match self.op(&element)? {
                    Some(op) => {
                        let term = self.document.terms.add(op, element.span, parent);
                        if parent.is_none() {
                            found.push(term);
                        }
                        parents.push(Some(term));
                    }
                    None => self.xml.skip()?,
                },
            }
        }
        Ok(found)
    }

    /// The sort that a `<usersort>` names.
    pub(super) fn user_sort(&mut self, element: &Element<'s>) -> Result<Option<TermId>, Diagnostic> {
        let sort = self.named(element, "declaration")?;
        Ok(sort.map(|sort| self.document.terms.add(Op::UserSort(sort), element.span, None)))
    }

    /// What an element of a term stands for; none when it is refused.
    fn op(&mut self, element: &Element<'s>) -> Result<Option<Op<'s>>, Diagnostic> {
        Ok(Some(match element.name() {
            "variable" => return Ok(self.named(element, "refvariable")?.map(Op::Variable)),
            "useroperator" => return Ok(self.named(element, "declaration")?.map(Op::Constant)),
            "usersort" => return Ok(self.named(element, "declaration")?.map(Op::UserSort)),
            "partitionelementof" => {
                return Ok(self.named(element, "refpartition")?.map(Op::PartitionElementOf));
            }
            "numberconstant" => {
                let Some(value) = self.required(element, "value")? else { return Ok(None) };
                return Ok(self.count(&value).map(Op::Number));
            }
            "finiteintrangeconstant" => {
                let Some(value) = self.required(element, "value")? else { return Ok(None) };
                return Ok(self.integer(&value).map(Op::RangeConstant));
            }
            "finiteintrange" => {
                let [start, end] = ["start", "end"].map(|name| self.required(element, name));
                let (Some(start), Some(end)) = (start?, end?) else { return Ok(None) };
                let (Some(low), Some(high)) = (self.integer(&start), self.integer(&end)) else {
                    return Ok(None);
                };
                Op::Range(low, high)
            }
            "booleanconstant" => {
                let Some(value) = self.required(element, "value")? else { return Ok(None) };
                match &*value.value {
                    "true" => Op::Bool(true),
                    "false" => Op::Bool(false),
                    _ => {
                        let found = &value.value;
                        let message = format!("expected true or false, found {found}");
                        self.problem(Diagnostic::new(value.span, message).label("no truth value"));
                        return Ok(None);
                    }
                }
            }
            "feconstant" => {
                let Some(id) = self.required(element, "id")? else { return Ok(None) };
                let [name] = self.xml.attributes(element, ["name"])?;
                let name = name.map_or_else(|| id.value.clone(), |name| name.value);
                Op::EnumConstant(Box::new((id, name)))
            }
            "true" => Op::Bool(true),
            "false" => Op::Bool(false),
            "dotconstant" => Op::Dot,
            "tuple" => Op::Tuple,
            "successor" => Op::Successor,
            "predecessor" => Op::Predecessor,
            "numberof" => Op::NumberOf,
            "add" => Op::Add,
            "subtract" => Op::Subtract,
            "scalarproduct" => Op::ScalarProduct,
            "all" => Op::All,
            "empty" => Op::Empty,
            "and" => Op::And,
            "or" => Op::Or,
            "not" => Op::Not,
            "imply" => Op::Imply,
            "equality" => Op::Equal,
            "inequality" => Op::NotEqual,
            "lessthan" | "ltp" => Op::Less,
            "lessthanorequal" => Op::LessOrEqual,
            "greaterthan" | "gtp" => Op::Greater,
            "greaterthanorequal" => Op::GreaterOrEqual,
            "dot" => Op::DotSort,
            "bool" => Op::BoolSort,
            "productsort" => Op::Product,
            "finiteenumeration" | "cyclicenumeration" => Op::Enumeration,
            name => {
                let message = format!("<{name}> is not supported in terms and sorts");
                self.problem(Diagnostic::new(element.span, message).label("refused").help(
                    "supported are symmetric nets: dots, booleans, enumerations, integer ranges, partitions and \
                     products of them",
                ));
                return Ok(None);
            }
        }))
    }

    fn named(&mut self, element: &Element<'s>, attribute: &str) -> Result<Option<Cow<'s, str>>, Diagnostic> {
        Ok(self.required(element, attribute)?.map(|text| text.value))
    }
}
