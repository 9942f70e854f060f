//! Attributes of places, types, lists and sets: `x'name`.
//!
//! The name before the quote may be a place, a type or a value at once. A place takes `card` and `mult`, a type
//! `first`, `last` and `card`, unless it is composite and there is a value of its name; everything else asks the
//! value.

use petite_net::{ContainerAttribute, ExprKind, Kind, Name, PlaceIdx, Span, TypeIdx, Value};

use super::names::{Found, Space};
use super::scope::Scope;
use super::{Elab, Elaborator, Failed, Typed};
use crate::Diagnostic;
use crate::helena::ast;
use crate::nearest::nearest;

const ALL: [&str; 14] = [
    "card",
    "mult",
    "first",
    "last",
    "size",
    "capacity",
    "space",
    "full",
    "empty",
    "prefix",
    "suffix",
    "first_index",
    "last_index",
    "length",
];

impl Elaborator<'_> {
    pub(super) fn attribute(
        &mut self,
        whole: &ast::Expr,
        attribute: &Name,
        span: Span,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let word = attribute.text.as_str();
        if let ast::ExprKind::Name(name) = &whole.kind {
            if matches!(word, "card" | "mult") {
                match self.names.find(Space::Place, name) {
                    Found::Thing(place) => {
                        return self.place_attribute(PlaceIdx::new(place), word, span, scope);
                    }
                    Found::Broken => return Err(Failed),
                    Found::Nothing => {}
                }
            }
            if matches!(word, "first" | "last" | "card") {
                match self.names.find(Space::Type, name) {
                    Found::Thing(ty) if self.names_type(TypeIdx::new(ty), name, scope) => {
                        return self.type_attribute(TypeIdx::new(ty), attribute, span);
                    }
                    Found::Thing(_) => {}
                    Found::Broken => return Err(Failed),
                    Found::Nothing => {}
                }
            }
            if scope.find(name).is_none() && !self.names.is_constant(name) {
                return self.no_owner(name, attribute, whole.span);
            }
        }
        self.container_attribute(whole, attribute, span, scope)
    }

    /// Whether the name of a type means the type where a value may have the same name.
    pub(super) fn names_type(&self, ty: TypeIdx, name: &str, scope: &Scope) -> bool {
        self.types.is_discrete(ty) || (scope.find(name).is_none() && !self.names.is_constant(name))
    }

    fn place_attribute(&mut self, place: PlaceIdx, word: &str, span: Span, scope: &Scope) -> Elab<Typed> {
        self.may_read_marking(span, scope)?;
        let kind = if word == "card" { ExprKind::PlaceCard(place) } else { ExprKind::PlaceMult(place) };
        Ok(self.count(kind, span))
    }

    /// Refuses to read places but in propositions and priorities.
    pub(super) fn may_read_marking(&mut self, span: Span, scope: &Scope) -> Elab<()> {
        if scope.reads_marking {
            return Ok(());
        }
        self.fail(
            Diagnostic::new(span, "places can be read only in propositions and priorities")
                .label("reads a place")
                .help("take the token by an input arc, and put it back by an output arc"),
        )
    }

    fn type_attribute(&mut self, ty: TypeIdx, attribute: &Name, span: Span) -> Elab<Typed> {
        if !self.types.is_discrete(ty) {
            let message = format!("the composite type {} has no attribute {attribute}", self.type_name(ty));
            return self.fail(
                Diagnostic::new(attribute.span, message)
                    .label("expected a discrete type before this")
                    .help("first, last and card ask discrete types"),
            );
        }
        let (low, high) = self.types.bounds(ty);
        let value = match attribute.text.as_str() {
            "first" => low,
            "last" => high,
            _ => return Ok(self.number(high - low + 1, span)),
        };
        Ok(Typed::fixed(ExprKind::Const(Value::Int(value)), ty, span))
    }

    fn no_owner<T>(&mut self, name: &str, attribute: &Name, span: Span) -> Elab<T> {
        if self.names.is_broken_value(name) {
            return Err(Failed);
        }
        for space in [Space::Place, Space::Type] {
            if self.names.index(space, name).is_some() {
                let word = space.word();
                let known = if space == Space::Place { "card and mult" } else { "first, last and card" };
                return self.fail(
                    Diagnostic::new(attribute.span, format!("a {word} has no attribute {attribute}"))
                        .label("unknown attribute")
                        .help(format!("the attributes of a {word} are {known}")),
                );
            }
        }
        let candidates = self
            .names
            .all(Space::Place)
            .chain(self.names.all(Space::Type))
            .chain(self.names.all(Space::Constant));
        let help = match nearest(name, candidates) {
            Some(near) => format!("did you mean {near}?"),
            None => "define it before this line".to_owned(),
        };
        self.fail(
            Diagnostic::new(span, format!("there is no place, type or value {name}"))
                .label("unknown name")
                .help(help),
        )
    }

    fn container_attribute(
        &mut self,
        whole: &ast::Expr,
        attribute: &Name,
        span: Span,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        use ContainerAttribute as A;
        let which = match attribute.text.as_str() {
            "size" => A::Size,
            "capacity" => A::Capacity,
            "space" => A::Space,
            "full" => A::Full,
            "empty" => A::Empty,
            "first" => A::First,
            "last" => A::Last,
            "prefix" => A::Prefix,
            "suffix" => A::Suffix,
            "first_index" => A::FirstIndex,
            "last_index" => A::LastIndex,
            other => return self.unknown_attribute(other, attribute.span),
        };
        let whole = self.expr(whole, None, scope)?.expr;
        let (list, element, index) = match *self.kind_of(whole.ty) {
            Kind::List { element, index, .. } => (true, element, index),
            Kind::Set { element, .. } => (false, element, self.int),
            _ => {
                let message =
                    format!("a value of type {} has no attribute {attribute}", self.type_name(whole.ty));
                return self.fail(Diagnostic::new(whole.span, message).label("expected a list or set"));
            }
        };
        let ty = match which {
            A::Size | A::Capacity | A::Space => {
                return Ok(self.count(ExprKind::Attribute(which, Box::new(whole)), span));
            }
            A::Full | A::Empty => self.bool,
            _ if !list => {
                let message = format!("sets have no attribute {attribute}");
                return self.fail(
                    Diagnostic::new(attribute.span, message)
                        .label("only lists have an order of elements")
                        .help("the attributes of a set are size, capacity, space, full and empty"),
                );
            }
            A::First | A::Last => element,
            A::FirstIndex | A::LastIndex => index,
            A::Prefix | A::Suffix => whole.ty,
        };
        Ok(Typed::fixed(ExprKind::Attribute(which, Box::new(whole)), ty, span))
    }

    fn unknown_attribute<T>(&mut self, word: &str, span: Span) -> Elab<T> {
        let help = match (word, nearest(word, ALL)) {
            ("length", _) => "the number of elements is size".to_owned(),
            ("card" | "mult", _) => "card and mult ask places; the number of elements is size".to_owned(),
            (_, Some(near)) => format!("did you mean {near}?"),
            (_, None) => format!("the attributes are {}", ALL[..13].join(", ")),
        };
        self.fail(
            Diagnostic::new(span, format!("there is no attribute {word} of values"))
                .label("unknown attribute")
                .help(help),
        )
    }
}
