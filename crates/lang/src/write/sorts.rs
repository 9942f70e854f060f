//! The sorts that a symmetric net declares.
//!
//! | type of the net | sort |
//! |---|---|
//! | truth values | `bool` |
//! | range, also as a subtype of one interval | `finiteintrange` |
//! | enumeration | `finiteenumeration`, or `cyclicenumeration` where neighbours are asked for |
//! | modulo type | `cyclicenumeration` of its numbers |

use std::collections::HashMap;
use std::fmt::Write as _;

use petite_net::{Kind, Net, Span, TypeIdx};

use super::xml::Escaped;
use super::{Unsayable, unsayable};

/// Most constants of an enumeration that is written out.
const MAX_CONSTANTS: i64 = 10_000;

/// Largest distance between the ends of a range.
const MAX_DISTANCE: i64 = u32::MAX as i64;

/// A sort, by its position in the list of sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SortId(usize);

/// What a sort's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Bool,
    Range(i64, i64),
    /// The constants of an enumeration, or the numbers of a modulo type.
    Enumeration(TypeIdx),
}

/// The sorts in use.
pub(super) struct Sorts {
    /// What all identifiers of declarations begin with, so that no node has one of them.
    prefix: String,
    sorts: Vec<(Sort, bool)>,
    numbers: HashMap<Sort, SortId>,
    products: Vec<Vec<SortId>>,
}

impl Sorts {
    /// No sorts yet, for a net whose nodes have these identifiers.
    pub fn new<'i>(node_ids: impl Iterator<Item = &'i String> + Clone) -> Sorts {
        let clashes = |prefix: &str| {
            node_ids.clone().any(|id| {
                let rest = id.strip_prefix(prefix).unwrap_or_default();
                ["sort", "product", "constant", "variable"].iter().any(|word| rest.starts_with(word))
            })
        };
        let mut prefix = String::new();
        while clashes(&prefix) {
            prefix.push('_');
        }
        Sorts { prefix, sorts: Vec::new(), numbers: HashMap::new(), products: Vec::new() }
    }

    /// The identifier of a declared variable.
    pub fn variable(&self, number: usize) -> String {
        format!("{}variable{}", self.prefix, number + 1)
    }

    /// The sort of a discrete type.
    pub fn of(&mut self, net: &Net, ty: TypeIdx, span: Span) -> Result<SortId, Unsayable> {
        let declared = &net.types[ty];
        let sort = match &declared.kind {
            Kind::Range { .. } if declared.constraint.as_ref().is_none_or(|ranges| ranges.len() == 1) => {
                let (low, high) = net.types.bounds(ty);
                if high.checked_sub(low).is_none_or(|distance| distance > MAX_DISTANCE) {
                    return unsayable("a range of more than 4294967296 numbers", span);
                }
                Sort::Range(low, high)
            }
            Kind::Enum { constants } if declared.constraint.is_none() => {
                let is_bool = matches!(&constants[..], [no, yes] if no.text == "false" && yes.text == "true");
                if is_bool { Sort::Bool } else { Sort::Enumeration(net.types.root(ty)) }
            }
            Kind::Modulo { .. } if declared.constraint.is_none() => Sort::Enumeration(net.types.root(ty)),
            Kind::Range { .. } | Kind::Enum { .. } | Kind::Modulo { .. } => {
                return unsayable("a subtype with gaps", span);
            }
            _ => return unsayable("a type of composite values", span),
        };
        if let Sort::Enumeration(ty) = sort
            && net.types.bounds(ty).1 >= MAX_CONSTANTS
        {
            return unsayable("an enumeration of more than 10000 values", span);
        }
        let next = SortId(self.sorts.len());
        let id = *self.numbers.entry(sort).or_insert(next);
        if id == next {
            self.sorts.push((sort, false));
        }
        Ok(id)
    }

    pub fn get(&self, sort: SortId) -> Sort {
        self.sorts[sort.0].0
    }

    /// Least and greatest value.
    pub fn bounds(&self, net: &Net, sort: SortId) -> (i64, i64) {
        match self.get(sort) {
            Sort::Bool => (0, 1),
            Sort::Range(low, high) => (low, high),
            Sort::Enumeration(ty) => net.types.bounds(ty),
        }
    }

    /// Notes that neighbours of its values are asked for.
    pub fn make_cyclic(&mut self, sort: SortId) {
        self.sorts[sort.0].1 = true;
    }

    /// A sort by its name.
    pub fn reference(&self, sort: SortId) -> String {
        format!("<usersort declaration=\"{}sort{}\"/>", self.prefix, sort.0 + 1)
    }

    /// The sort of tuples with these components: dots where there is none.
    pub fn product(&mut self, sorts: &[SortId]) -> String {
        match sorts {
            [] => "<dot/>".to_owned(),
            [sort] => self.reference(*sort),
            _ => {
                let found = self.products.iter().position(|product| product == sorts);
                let number = found.unwrap_or_else(|| {
                    self.products.push(sorts.to_vec());
                    self.products.len() - 1
                });
                format!("<usersort declaration=\"{}product{}\"/>", self.prefix, number + 1)
            }
        }
    }

    /// A value of a sort.
    pub fn constant(&self, sort: SortId, value: i64) -> String {
        match self.get(sort) {
            Sort::Bool => format!("<booleanconstant value=\"{}\"/>", value != 0),
            Sort::Range(low, high) => format!(
                "<finiteintrangeconstant value=\"{value}\"><finiteintrange start=\"{low}\" end=\"{high}\"/>\
                 </finiteintrangeconstant>"
            ),
            Sort::Enumeration(_) => {
                format!("<useroperator declaration=\"{}constant{}_{value}\"/>", self.prefix, sort.0 + 1)
            }
        }
    }

    /// The declarations of all sorts in use.
    pub fn declarations(&self, net: &Net) -> String {
        let (mut text, prefix) = (String::new(), &self.prefix);
        for (i, &(sort, cyclic)) in (1..).zip(&self.sorts) {
            let name = match sort {
                Sort::Bool => "bool".to_owned(),
                Sort::Range(low, high) => format!("{low}..{high}"),
                Sort::Enumeration(ty) => net.types[ty].name.text.clone(),
            };
            let content = match sort {
                Sort::Bool => "<bool/>".to_owned(),
                Sort::Range(low, high) => format!("<finiteintrange start=\"{low}\" end=\"{high}\"/>"),
                Sort::Enumeration(ty) => enumeration(net, ty, &format!("{prefix}constant{i}"), cyclic),
            };
            let name = Escaped(&name);
            let _ = writeln!(
                text,
                "        <namedsort id=\"{prefix}sort{i}\" name=\"{name}\">{content}</namedsort>"
            );
        }
        for (i, product) in (1..).zip(&self.products) {
            let factors: String = product.iter().map(|&sort| self.reference(sort)).collect();
            let _ = write!(text, "        <namedsort id=\"{prefix}product{i}\" name=\"product{i}\">");
            let _ = writeln!(text, "<productsort>{factors}</productsort></namedsort>");
        }
        text
    }
}

fn enumeration(net: &Net, ty: TypeIdx, constant: &str, cyclic: bool) -> String {
    let is_modulo = matches!(net.types[ty].kind, Kind::Modulo { .. });
    let element = if cyclic || is_modulo { "cyclicenumeration" } else { "finiteenumeration" };
    let mut text = format!("<{element}>");
    let (low, high) = net.types.bounds(ty);
    for value in low..=high {
        let name = net.types.show(ty, &petite_net::Value::Int(value));
        let name = Escaped(&name);
        let _ = write!(text, "<feconstant id=\"{constant}_{value}\" name=\"{name}\"/>");
    }
    let _ = write!(text, "</{element}>");
    text
}
