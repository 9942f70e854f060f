//! From sorts to types.
//!
//! A sort is *flattened*: it becomes the list of the discrete types that its values consist of. A product has
//! those of its factors one after the other, however they are nested; dots have none, since there is only one. So
//! a place always holds flat tuples, a variable of a product is one variable for each component, and tuples are
//! equal where all components are.
//!
//! | sort | discrete type |
//! |---|---|
//! | bool | enumeration of `false` and `true` |
//! | finite or cyclic enumeration | enumeration |
//! | finite integer range | range |
//! | partition | the type that it cuts into parts |
//!
//! A part of a partition is a type to be iterated over; which part a value is in is looked up in a constant
//! vector.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use petite_net::{Component, Kind, Name, Span, Type, TypeIdx, Types, Value};

use super::document::Document;
use super::terms::{Op, TermId};
use crate::diagnostic::Diagnostics;
use crate::nearest::nearest;
use crate::{Diagnostic, pnml::Failed};

/// Most components of a token, and deepest nesting of sorts.
const MAX_LEAVES: usize = 256;
const MAX_DEPTH: usize = 256;

/// Largest distance between the ends of a range: arithmetic on its values is far from overflow.
const MAX_DISTANCE: i64 = u32::MAX as i64;

/// The types of a net and what its declarations stand for.
pub(super) struct Sorts<'d, 's> {
    pub document: &'d Document<'s>,
    pub types: Types,
    pub diagnostics: Diagnostics,
    /// The type of truth values.
    pub bool: TypeIdx,
    /// The type of multiplicities.
    pub count: TypeIdx,
    /// Named sorts and partitions: their terms, and their types once they are known.
    named: HashMap<&'d str, Named>,
    constants: HashMap<&'d str, Constant>,
    pub partitions: HashMap<&'d str, Rc<Lookup>>,
    /// Expressions that stand for more than what is written.
    pub n_expanded: usize,
    ranges: HashMap<(i64, i64), TypeIdx>,
    domains: HashMap<Rc<[TypeIdx]>, TypeIdx>,
}

/// The discrete types that the values of a sort consist of.
pub(super) type Leaves = Rc<[TypeIdx]>;

#[derive(Clone)]
enum Named {
    Unknown(TermId),
    /// Being worked out: to come back here means that the sort contains itself.
    Open,
    Known(Leaves),
    /// Wrong, which has been said.
    Wrong,
}

/// What a declared operator without operands stands for.
#[derive(Clone)]
pub(super) enum Constant {
    /// A constant of an enumeration.
    Value(TypeIdx, i64),
    /// Part number `.1` of a partition, with the type of its values.
    Part(TypeIdx, i64, Rc<Lookup>),
}

/// Which part each value of a type is in.
pub(super) struct Lookup {
    /// The enumeration of the parts.
    pub parts: TypeIdx,
    /// The type that is cut into parts.
    pub whole: TypeIdx,
    /// The type of the table: a vector of parts, indexed by values.
    pub vector: TypeIdx,
    pub table: Value,
}

impl<'d, 's> Sorts<'d, 's> {
    pub fn new(document: &'d Document<'s>, diagnostics: Diagnostics) -> Sorts<'d, 's> {
        let mut types = Types::default();
        let mut add = |name: &str, kind| types.add(plain(Name::predefined(name), kind));
        let constants = ["false", "true"].map(Name::predefined).to_vec();
        let bool = add("bool", Kind::Enum { constants });
        let count = add("count", Kind::Range { low: 0, high: i64::from(u32::MAX) });
        let mut sorts = Sorts {
            document,
            types,
            diagnostics,
            bool,
            count,
            named: HashMap::new(),
            constants: HashMap::new(),
            partitions: HashMap::new(),
            n_expanded: 0,
            ranges: HashMap::new(),
            domains: HashMap::new(),
        };
        sorts.declare();
        sorts
    }

    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Result<T, Failed> {
        self.diagnostics.push(diagnostic);
        Err(Failed)
    }

    /// The constant that an operator stands for.
    pub fn constant(&mut self, id: &str, span: Span) -> Result<Constant, Failed> {
        if let Some(constant) = self.constants.get(id) {
            return Ok(constant.clone());
        }
        let near = nearest(id, self.constants.keys().copied().take(10_000)).map(str::to_owned);
        self.fail(unknown("constant", id, span, near))
    }

    /// The type that a part of a partition belongs to, and the one of its values; none when there is no such part.
    pub fn part(&self, id: &str) -> Option<(TypeIdx, TypeIdx)> {
        match self.constants.get(id)? {
            Constant::Part(ty, _, lookup) => Some((lookup.whole, *ty)),
            Constant::Value(..) => None,
        }
    }

    /// What tells the parts of a partition apart.
    pub fn partition(&mut self, id: &str, span: Span) -> Result<Rc<Lookup>, Failed> {
        if let Some(lookup) = self.partitions.get(id) {
            return Ok(lookup.clone());
        }
        let near = nearest(id, self.partitions.keys().copied()).map(str::to_owned);
        self.fail(unknown("partition", id, span, near))
    }

    /// The type of places whose tokens have these components.
    pub fn domain(&mut self, leaves: &Leaves) -> TypeIdx {
        if let Some(&domain) = self.domains.get(leaves) {
            return domain;
        }
        let component = |(i, &ty): (usize, &TypeIdx)| Component {
            name: Name::predefined(&(i + 1).to_string()),
            ty: self.types.root(ty),
        };
        let components: Vec<Component> = leaves.iter().enumerate().map(component).collect();
        let names: Vec<&str> = leaves.iter().map(|&ty| &*self.types[ty].name.text).collect();
        let name = if names.is_empty() { "dot".to_owned() } else { names.join(" * ") };
        let domain = self.types.add(plain(Name::predefined(&name), Kind::Struct { components }));
        self.domains.insert(leaves.clone(), domain);
        domain
    }

    /// The flattened form of a sort.
    pub fn leaves(&mut self, sort: TermId) -> Result<Leaves, Failed> {
        self.flatten(sort, None, 0)
    }

    fn flatten(&mut self, sort: TermId, name: Option<&Name>, depth: usize) -> Result<Leaves, Failed> {
        let document = self.document;
        let span = document.terms.span(sort);
        if depth > MAX_DEPTH {
            return self.fail(Diagnostic::new(span, "sorts are nested too deeply").label("too deep"));
        }
        let leaf = |ty: TypeIdx| Ok(Rc::from([ty]));
        match document.terms.op(sort) {
            Op::DotSort => Ok(Rc::from([])),
            Op::BoolSort => leaf(self.bool),
            Op::Range(low, high) => {
                if low > high {
                    return self.fail(Diagnostic::new(span, "this range has no value").label("empty"));
                }
                if high.checked_sub(*low).is_none_or(|distance| distance > MAX_DISTANCE) {
                    return self
                        .fail(Diagnostic::new(span, "this range has too many values").label("too large"));
                }
                if let Some(&ty) = self.ranges.get(&(*low, *high)) {
                    return leaf(ty);
                }
                let text = format!("{low}..{high}");
                let name = name.cloned().unwrap_or(Name { text, span });
                let ty = self.types.add(plain(name, Kind::Range { low: *low, high: *high }));
                self.ranges.insert((*low, *high), ty);
                leaf(ty)
            }
            Op::Enumeration => leaf(self.enumeration(sort, name)?),
            Op::Product => {
                let mut all = Vec::new();
                for factor in document.terms.children(sort) {
                    all.extend_from_slice(&self.flatten(factor, None, depth + 1)?);
                    if all.len() > MAX_LEAVES {
                        let message = format!("a product has at most {MAX_LEAVES} components");
                        return self.fail(Diagnostic::new(span, message).label("too many"));
                    }
                }
                Ok(all.into())
            }
            Op::UserSort(id) => self.named_sort(id, span, depth),
            _ => self.fail(Diagnostic::new(span, "expected a sort, this is a term").label("no sort")),
        }
    }

    pub(super) fn named_sort(&mut self, id: &str, span: Span, depth: usize) -> Result<Leaves, Failed> {
        let Some((&id, named)) = self.named.get_key_value(id) else {
            if let Some(Constant::Part(..)) = self.constants.get(id) {
                let message = format!("{id} is a part of a partition, and can be used only with <all>");
                return self.fail(Diagnostic::new(span, message).label("no sort"));
            }
            let near = nearest(id, self.named.keys().copied().take(10_000)).map(str::to_owned);
            return self.fail(unknown("sort", id, span, near));
        };
        let sort = match named.clone() {
            Named::Known(leaves) => return Ok(leaves),
            Named::Wrong => return Err(Failed),
            Named::Open => {
                let message = format!("the sort {id} contains itself");
                return self.fail(Diagnostic::new(span, message).label("here again"));
            }
            Named::Unknown(sort) => sort,
        };
        self.named.insert(id, Named::Open);
        let name = Name { text: id.to_owned(), span };
        let leaves = self.flatten(sort, Some(&name), depth + 1);
        self.named.insert(id, leaves.clone().map_or(Named::Wrong, Named::Known));
        leaves
    }

    fn enumeration(&mut self, sort: TermId, name: Option<&Name>) -> Result<TypeIdx, Failed> {
        let document = self.document;
        let span = document.terms.span(sort);
        let mut names = Vec::new();
        let ty = TypeIdx::new(self.types.len());
        for child in document.terms.children(sort) {
            let Op::EnumConstant(constant) = document.terms.op(child) else {
                let span = document.terms.span(child);
                return self.fail(Diagnostic::new(span, "expected <feconstant>").label("unexpected"));
            };
            let (id, name) = &**constant;
            let value = Constant::Value(ty, names.len() as i64);
            self.declare_constant(&id.value, id.span, value)?;
            names.push(Name { text: name.to_string(), span: id.span });
        }
        if names.is_empty() {
            return self.fail(Diagnostic::new(span, "this enumeration has no constant").label("empty"));
        }
        let name = name.cloned().unwrap_or(Name { text: "enumeration".to_owned(), span });
        Ok(self.types.add(plain(name, Kind::Enum { constants: names })))
    }

    pub(super) fn declare_constant(
        &mut self,
        id: &'d str,
        span: Span,
        constant: Constant,
    ) -> Result<(), Failed> {
        match self.constants.entry(id) {
            Entry::Vacant(entry) => {
                entry.insert(constant);
                Ok(())
            }
            Entry::Occupied(_) => {
                let message = format!("there is already a constant {id}");
                self.fail(Diagnostic::new(span, message).label("used before").help("rename one of them"))
            }
        }
    }

    /// Works out all sorts and partitions.
    fn declare(&mut self) {
        let declarations = &self.document.declarations;
        let partitions = declarations.partitions.iter().map(|partition| &partition.declaration);
        for declaration in declarations.sorts.iter().chain(partitions) {
            let id = &declaration.id;
            if self.named.insert(&id.value, Named::Unknown(declaration.sort)).is_some() {
                let message = format!("there is already a sort {}", id.value);
                self.diagnostics.push(Diagnostic::new(id.span, message).label("used before"));
            }
        }
        for declaration in &declarations.sorts {
            // What is wrong has been noted.
            let _ = self.named_sort(&declaration.id.value, declaration.id.span, 0);
        }
        for partition in &declarations.partitions {
            let _ = self.declare_partition(partition);
        }
    }
}

/// A type that is no subtype.
pub(super) fn plain(name: Name, kind: Kind) -> Type {
    Type { name, kind, parent: None, constraint: None }
}

fn unknown(what: &str, id: &str, span: Span, near: Option<String>) -> Diagnostic {
    let diagnostic = Diagnostic::new(span, format!("there is no {what} {id}")).label("not declared");
    match near {
        Some(near) => diagnostic.help(format!("did you mean {near}?")),
        None => diagnostic,
    }
}
