//! Colours of tokens in formulas: `p[1, red]`, `p[x, _]`.

use petite_net::{Kind, Pattern, PlaceIdx, Span, TypeIdx, Value};

use super::elaborate::Elaborator;
use super::tree::{Infix, Tree, TreeKind};
use crate::Diagnostic;

type Elab<T> = Result<T, Diagnostic>;

impl Elaborator<'_> {
    /// The tokens of a place that are meant by what stands in brackets behind it.
    pub(super) fn pattern(&mut self, place: PlaceIdx, colour: &[Tree], span: Span) -> Elab<Pattern> {
        let declared = self.names.net.place(place);
        let domain = declared.domain;
        if self.types().is_unit(domain) {
            return Err(Diagnostic::new(
                span,
                format!("the tokens of place {} have no colour", declared.name.text),
            )
            .label("no brackets here"));
        }
        match &self.types()[domain].kind {
            // A token that is a tuple of one component may be written without parentheses, as may all others.
            Kind::Struct { components } if components.len() == colour.len() => {
                let types: Vec<TypeIdx> = components.iter().map(|component| component.ty).collect();
                self.tuple(&types, colour)
            }
            Kind::Struct { components } if !is_whole(colour) => {
                Err(wrong_count(components.len(), colour.len(), span))
            }
            _ => match colour {
                [one] => self.part(one, domain),
                _ => Err(wrong_count(1, colour.len(), span)),
            },
        }
    }

    fn tuple(&mut self, types: &[TypeIdx], parts: &[Tree]) -> Elab<Pattern> {
        let parts: Elab<Vec<_>> = types.iter().zip(parts).map(|(&ty, part)| self.part(part, ty)).collect();
        Ok(Pattern::Tuple(parts?))
    }

    fn part(&mut self, tree: &Tree, ty: TypeIdx) -> Elab<Pattern> {
        match &tree.kind {
            TreeKind::Any => Ok(Pattern::Any),
            TreeKind::Tuple(parts) => match &self.types()[ty].kind {
                Kind::Struct { components } if components.len() == parts.len() => {
                    let types: Vec<TypeIdx> = components.iter().map(|component| component.ty).collect();
                    self.tuple(&types, parts)
                }
                Kind::Struct { components } => Err(wrong_count(components.len(), parts.len(), tree.span)),
                _ => Err(Diagnostic::new(
                    tree.span,
                    format!("{} is no tuple type", self.types()[ty].name.text),
                )
                .label("expected a single value")),
            },
            _ => Ok(Pattern::Value(self.value(tree, ty)?)),
        }
    }

    /// A value of a type.
    pub(super) fn value(&mut self, tree: &Tree, ty: TypeIdx) -> Elab<Value> {
        let type_name = self.types()[ty].name.text.clone();
        let name = match &tree.kind {
            TreeKind::Name(name) => Some(name.as_str()),
            // Formulas elsewhere, constants of a type here.
            TreeKind::Const(false) => Some("false"),
            TreeKind::Const(true) => Some("true"),
            _ => None,
        };
        if let Some(name) = name {
            if let Some(variable) = self.variable(name) {
                let (own, value) = (variable.ty, variable.value.clone());
                if own.is_some_and(|own| self.types().root(own) != self.types().root(ty)) {
                    let own = own.map_or("", |own| &self.types()[own].name.text);
                    return Err(Diagnostic::new(
                        tree.span,
                        format!("`{name}` is of type {own} where {type_name} is expected"),
                    )
                    .label("of another type"));
                }
                return self.checked(value, ty, tree.span);
            }
            if let Some((_, number)) = self.names.constant(name, Some(ty)) {
                return self.checked(Value::Int(number), ty, tree.span);
            }
            if let Kind::Enum { constants } = &self.types()[ty].kind {
                let all: Vec<&str> = constants.iter().map(|constant| constant.text.as_str()).collect();
                return Err(self.names.unknown(
                    &format!("value of type {type_name}"),
                    name,
                    tree.span,
                    all.into_iter(),
                ));
            }
        }
        match &self.types()[ty].kind {
            Kind::Range { .. } | Kind::Modulo { .. } => {
                let number = self.constant(tree)?;
                self.checked(Value::Int(number), ty, tree.span)
            }
            Kind::Enum { .. } => {
                Err(Diagnostic::new(tree.span, format!("expected a value of type {type_name}")).label(
                    match tree.kind {
                        TreeKind::Infix(Infix::Plus | Infix::Minus, ..) => "no arithmetic on constants",
                        _ => "is none",
                    },
                ))
            }
            Kind::Struct { .. } => {
                Err(Diagnostic::new(tree.span, format!("expected a tuple of type {type_name}"))
                    .label("write it in parentheses, as in (1, 2)"))
            }
            _ => Err(Diagnostic::new(
                tree.span,
                format!("values of type {type_name} cannot be written in formulas"),
            )
            .label("a list, set, vector or union")
            .help("use `_` for any value, or a proposition of the model")),
        }
    }

    fn checked(&self, value: Value, ty: TypeIdx, span: Span) -> Elab<Value> {
        let is_value = match &value {
            Value::Int(number) => !self.types().is_discrete(ty) || self.types().contains_int(ty, *number),
            _ => true,
        };
        if is_value {
            return Ok(value);
        }
        let shown = self.types().show(ty, &value);
        Err(Diagnostic::new(span, format!("{shown} is no value of type {}", self.types()[ty].name.text))
            .label("outside of the type"))
    }
}

/// Whether what stands in brackets may be a whole tuple.
fn is_whole(colour: &[Tree]) -> bool {
    matches!(colour, [Tree { kind: TreeKind::Tuple(_) | TreeKind::Any | TreeKind::Name(_), .. }])
}

fn wrong_count(expected: usize, found: usize, span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("tokens here have {expected} components, but {found} are written"))
        .label("wrong number of components")
        .help("write `_` for a component that may have any value")
}
