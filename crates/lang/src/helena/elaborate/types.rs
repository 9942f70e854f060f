//! Types: the predefined ones, definitions, and how types relate.

use petite_net::{Component, Kind, Name, Type, TypeIdx, Value};

use super::names::Space;
use super::scope::{Context, Scope};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::helena::ast::{Range, TypeDef, TypeKind};

/// Most elements of a vector, and largest capacity of a list or set.
const MAX_ELEMENTS: i64 = 1 << 16;

/// Most numbers in one value of a composite type without lists and sets.
const MAX_NUMBERS: u64 = 1 << 18;

/// Composite types one inside the other.
const MAX_DEPTH: u32 = 64;

/// How large the values of a type are.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeSize {
    /// Numbers in a value in which all lists and sets are empty.
    numbers: u64,
    /// Composite values one inside the other.
    depth: u32,
}

impl Elaborator<'_> {
    /// Declares the types that every net has.
    pub(super) fn predefine(&mut self) {
        let (low, high) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let discrete = TypeSize { numbers: 1, depth: 0 };
        self.int = self.add_type(&Name::predefined("int"), Kind::Range { low, high }, None, discrete);
        let constants = vec![Name::predefined("false"), Name::predefined("true")];
        self.bool = self.add_type(&Name::predefined("bool"), Kind::Enum { constants }, None, discrete);
        self.names.add_enum_constant("false", self.bool, 0);
        self.names.add_enum_constant("true", self.bool, 1);
        let unsigned = i64::from(u16::MAX);
        let short = (i64::from(i16::MIN), i64::from(i16::MAX));
        for (name, range) in [("nat", (0, high)), ("short", short), ("ushort", (0, unsigned))] {
            let subtype = Some((self.int, range));
            self.add_type(&Name::predefined(name), Kind::Range { low, high }, subtype, discrete);
        }
    }

    fn add_type(
        &mut self,
        name: &Name,
        kind: Kind,
        subtype: Option<(TypeIdx, (i64, i64))>,
        size: TypeSize,
    ) -> TypeIdx {
        let parent = subtype.map(|(parent, _)| parent);
        let constraint = subtype.map(|(_, (low, high))| vec![(Value::Int(low), Value::Int(high))]);
        let ty = self.types.add(Type { name: name.clone(), kind, parent, constraint });
        self.type_sizes.push(size);
        self.names.declare(Space::Type, name, ty.index());
        ty
    }

    pub(super) fn type_definition(&mut self, definition: &TypeDef) -> Elab<()> {
        let TypeDef { name, kind } = definition;
        let done = self.kind(name, kind);
        if done.is_err()
            && let TypeKind::Enum(constants) = kind
        {
            for constant in constants {
                self.names.mark_broken_enum_constant(&constant.text);
            }
        }
        let (kind, size) = done?;
        let ty = self.add_type(name, kind.clone(), None, size);
        if let Kind::Enum { constants } = kind {
            for (constant, position) in constants.iter().zip(0..) {
                self.names.add_enum_constant(&constant.text, ty, position);
            }
        }
        Ok(())
    }

    fn kind(&mut self, name: &Name, kind: &TypeKind) -> Elab<(Kind, TypeSize)> {
        self.undeclared(Space::Type, name)?;
        let kind = match kind {
            TypeKind::Range(range) => {
                let (low, high) = self.number_range(range)?;
                Kind::Range { low, high }
            }
            TypeKind::Modulo(modulus) => {
                let value = self.static_number(modulus, "the size of a modulo type")?;
                if !(1..=i64::from(i32::MAX)).contains(&value) {
                    return self.fail(
                        Diagnostic::new(modulus.span, format!("a type cannot have {value} values"))
                            .label(format!("this is {value}"))
                            .help("expected a number from 1 to 2147483647"),
                    );
                }
                Kind::Modulo { modulus: value }
            }
            TypeKind::Enum(constants) => {
                self.distinct(constants.iter(), "constant")?;
                Kind::Enum { constants: constants.clone() }
            }
            TypeKind::Vector { indices, element } => {
                let indices: Elab<Vec<TypeIdx>> =
                    indices.iter().map(|index| self.discrete_named(index, "an index")).collect();
                Kind::Vector { indices: indices?, element: self.type_named(element)? }
            }
            TypeKind::Struct(fields) => {
                self.distinct(fields.iter().map(|(_, field)| field), "field")?;
                let mut components = Vec::new();
                for (ty, field) in fields {
                    components.push(Component { name: field.clone(), ty: self.type_named(ty)? });
                }
                Kind::Struct { components }
            }
            TypeKind::List { index, element, capacity } => Kind::List {
                index: self.discrete_named(index, "an index")?,
                element: self.type_named(element)?,
                capacity: self.container_capacity(capacity)?,
            },
            TypeKind::Set { element, capacity } => {
                let element = self.type_named(element)?;
                Kind::Set { element, capacity: self.container_capacity(capacity)? }
            }
        };
        let size = self.size(name, &kind)?;
        Ok((kind, size))
    }

    pub(super) fn subtype(&mut self, name: &Name, parent: &Name, range: Option<&Range>) -> Elab<()> {
        self.undeclared(Space::Type, name)?;
        let parent = self.discrete_named(parent, "the parent of a subtype")?;
        let bounds = self.types.bounds(parent);
        let (low, high) = match range {
            Some(range) => self.range_of(range, parent)?,
            None => bounds,
        };
        if low < bounds.0 || high > bounds.1 {
            let span = range.map_or(name.span, |range| range.span);
            let show = |number| self.types.show(parent, &Value::Int(number));
            let (low, high) = (show(low), show(high));
            let message = format!("the range {low} .. {high} is not within type {}", self.type_name(parent));
            let help = format!("its values are {} .. {}", show(bounds.0), show(bounds.1));
            return self.fail(Diagnostic::new(span, message).label("out of range").help(help));
        }
        let kind = self.types[parent].kind.clone();
        let size = TypeSize { numbers: 1, depth: 0 };
        self.add_type(name, kind, Some((parent, (low, high))), size);
        Ok(())
    }

    /// The product type of a place's domain.
    pub(super) fn domain(&mut self, components: &[Name]) -> Elab<TypeIdx> {
        let types: Elab<Vec<TypeIdx>> =
            components.iter().map(|component| self.type_named(component)).collect();
        let types = types?;
        if let Some(&domain) = self.domains.get(&types) {
            return Ok(domain);
        }
        let text = match components {
            [] => "epsilon".to_owned(),
            _ => components.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" * "),
        };
        let span = components.first().map(|name| name.span).unwrap_or_default();
        let name = Name { text, span };
        let numbered = |(number, &ty): (usize, &TypeIdx)| Component {
            name: Name { text: (number + 1).to_string(), span: components[number].span },
            ty,
        };
        let kind = Kind::Struct { components: types.iter().enumerate().map(numbered).collect() };
        self.size(&name, &kind)?;
        let domain = self.types.add(Type { name, kind, parent: None, constraint: None });
        self.type_sizes.push(TypeSize { numbers: 0, depth: 0 });
        self.domains.insert(types, domain);
        Ok(domain)
    }

    // --- Parts of definitions

    fn discrete_named(&mut self, name: &Name, what: &str) -> Elab<TypeIdx> {
        let ty = self.type_named(name)?;
        if self.types.is_discrete(ty) {
            return Ok(ty);
        }
        self.fail(
            Diagnostic::new(name.span, format!("{what} cannot be of the composite type {name}"))
                .label("expected a discrete type")
                .help("discrete types are ranges, modulo types, enumerations and their subtypes"),
        )
    }

    /// A static range of numbers.
    fn number_range(&mut self, range: &Range) -> Elab<(i64, i64)> {
        let low = self.static_number(&range.low, "a bound of a type")?;
        let high = self.static_number(&range.high, "a bound of a type")?;
        self.not_empty(range, low, high, self.int)?;
        for (bound, expr) in [(low, &range.low), (high, &range.high)] {
            if !self.types.contains_int(self.int, bound) {
                return self.fail(
                    Diagnostic::new(expr.span, format!("the bound {bound} is beyond 32 bits"))
                        .label(format!("this is {bound}"))
                        .help("bounds go from -2147483648 to 2147483647"),
                );
            }
        }
        Ok((low, high))
    }

    /// A static range of values that compare with those of a discrete type.
    fn range_of(&mut self, range: &Range, ty: TypeIdx) -> Elab<(i64, i64)> {
        let mut scope = Scope::new(Context::Static("a bound of a type"));
        let mut bounds = Vec::new();
        for bound in [&range.low, &range.high] {
            let expr = self.comparable(bound, ty, &mut scope)?;
            bounds.push(self.evaluate(&expr, &scope)?.int());
        }
        self.not_empty(range, bounds[0], bounds[1], ty)?;
        Ok((bounds[0], bounds[1]))
    }

    fn not_empty(&mut self, range: &Range, low: i64, high: i64, ty: TypeIdx) -> Elab<()> {
        if low <= high {
            return Ok(());
        }
        let show = |number| self.types.show(ty, &Value::Int(number));
        let message = format!("the range {} .. {} is empty", show(low), show(high));
        self.fail(
            Diagnostic::new(range.span, message)
                .label("no value at all")
                .help("a type needs at least one value; is a parameter too small?"),
        )
    }

    fn container_capacity(&mut self, expr: &crate::helena::ast::Expr) -> Elab<u32> {
        let capacity = self.static_number(expr, "a capacity")?;
        match u32::try_from(capacity) {
            Ok(fits) if (1..=MAX_ELEMENTS).contains(&capacity) => Ok(fits),
            _ => self.fail(
                Diagnostic::new(expr.span, format!("a list or set cannot have capacity {capacity}"))
                    .label(format!("this is {capacity}"))
                    .help(format!("expected a number from 1 to {MAX_ELEMENTS}")),
            ),
        }
    }

    fn distinct<'n>(&mut self, names: impl Iterator<Item = &'n Name>, word: &str) -> Elab<()> {
        let mut seen = std::collections::HashSet::new();
        for name in names {
            if !seen.insert(name.text.as_str()) {
                return self.fail(
                    Diagnostic::new(name.span, format!("there is already a {word} {name} in this type"))
                        .label("declared again")
                        .help("rename one of them"),
                );
            }
        }
        Ok(())
    }

    /// How large the values of a kind are, if they are not too large.
    fn size(&mut self, name: &Name, kind: &Kind) -> Elab<TypeSize> {
        let of = |ty: TypeIdx| self.type_sizes[ty.index()];
        let (numbers, depth) = match kind {
            Kind::Range { .. } | Kind::Modulo { .. } | Kind::Enum { .. } => (1, 0),
            Kind::Struct { components } | Kind::Union { variants: components } => {
                let sizes = components.iter().map(|component| of(component.ty));
                sizes.fold((0u64, 1), |(numbers, depth), size| {
                    (numbers.saturating_add(size.numbers), depth.max(size.depth + 1))
                })
            }
            Kind::Vector { indices, element } => {
                let length = self.types.vector_len(indices);
                if length > MAX_ELEMENTS.unsigned_abs() {
                    return self.fail(
                        Diagnostic::new(name.span, format!("type {name} has vectors of {length} elements"))
                            .label("too long")
                            .help(format!(
                                "a vector has at most {MAX_ELEMENTS} elements; use smaller index types"
                            )),
                    );
                }
                let element = of(*element);
                (element.numbers.saturating_mul(length), element.depth + 1)
            }
            Kind::List { element, .. } | Kind::Set { element, .. } => (1, of(*element).depth + 1),
        };
        if numbers > MAX_NUMBERS {
            return self.fail(
                Diagnostic::new(
                    name.span,
                    format!("a value of type {name} has more than {MAX_NUMBERS} parts"),
                )
                .label("too large")
                .help("use smaller vectors"),
            );
        }
        if depth > MAX_DEPTH {
            return self.fail(
                Diagnostic::new(name.span, format!("type {name} is nested deeper than {MAX_DEPTH} levels"))
                    .label("nested too deeply")
                    .help("put the parts into one struct"),
            );
        }
        Ok(TypeSize { numbers, depth })
    }

    // --- Relations

    pub(super) fn type_name(&self, ty: TypeIdx) -> &str {
        &self.types[ty].name.text
    }

    /// The first value of a type. Large ones are shared.
    pub(super) fn first_value(&mut self, ty: TypeIdx) -> Value {
        if let Some(value) = self.first_values.get(&ty) {
            return value.clone();
        }
        let value = self.types.first_value(ty);
        self.first_values.insert(ty, value.clone());
        value
    }

    /// The kind of a type's values.
    pub(super) fn kind_of(&self, ty: TypeIdx) -> &Kind {
        &self.types[ty].kind
    }

    /// Whether the values are numbers to calculate with.
    pub(super) fn is_numeric(&self, ty: TypeIdx) -> bool {
        matches!(self.kind_of(ty), Kind::Range { .. } | Kind::Modulo { .. })
    }

    /// Whether all values of one type are values of the other by declaration.
    pub(super) fn is_subtype(&self, mut ty: TypeIdx, of: TypeIdx) -> bool {
        while ty != of {
            match self.types[ty].parent {
                Some(parent) => ty = parent,
                None => return false,
            }
        }
        true
    }
}
