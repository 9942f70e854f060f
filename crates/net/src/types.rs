//! Colour types.
//!
//! A [`Type`] is a kind (what its values look like) with an optional constraint (which of them are allowed).
//! A subtype has its root's kind and a constraint of its own, so values of a subtype and of its parent are
//! represented alike and compare directly.

use crate::rank::Numbering;
use crate::{Name, Value};

petite_bits::typed_index! {
    /// A type of a net.
    pub struct TypeIdx;
}

/// A named component of a struct, product or union.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// The component's name; products number theirs from 1.
    pub name: Name,
    /// The component's type.
    pub ty: TypeIdx,
}

/// What the values of a type look like.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Whole numbers `low..=high`.
    Range {
        /// Least value.
        low: i64,
        /// Greatest value.
        high: i64,
    },
    /// Numbers `0..modulus` with arithmetic modulo `modulus` (at least 1).
    Modulo {
        /// Number of values.
        modulus: i64,
    },
    /// Enumeration constants, numbered from zero; truth values are the enumeration `false`, `true`.
    Enum {
        /// The constants in order, at least one.
        constants: Vec<Name>,
    },
    /// One component of each type, in order. The unit type (black tokens) has none.
    Struct {
        /// The components.
        components: Vec<Component>,
    },
    /// One element for each combination of index values; the last index varies fastest.
    Vector {
        /// Discrete index types, at least one.
        indices: Vec<TypeIdx>,
        /// Type of the elements.
        element: TypeIdx,
    },
    /// Up to `capacity` elements in order, indexed from the first value of `index`.
    List {
        /// Discrete type of positions.
        index: TypeIdx,
        /// Type of the elements.
        element: TypeIdx,
        /// Largest number of elements.
        capacity: u32,
    },
    /// Up to `capacity` different elements, kept in ascending order.
    Set {
        /// Type of the elements.
        element: TypeIdx,
        /// Largest number of elements.
        capacity: u32,
    },
    /// Exactly one of several variants.
    Union {
        /// The variants, at least one.
        variants: Vec<Component>,
    },
}

/// A colour type.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// The name it was declared with.
    pub name: Name,
    /// What its values look like.
    pub kind: Kind,
    /// The type it is a subtype of.
    pub parent: Option<TypeIdx>,
    /// Closed intervals of allowed values, ascending and disjoint in the order of ranks of the type without
    /// its constraint; `None` allows all.
    pub constraint: Option<Vec<(Value, Value)>>,
}

/// All types of a net.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    /// How the values of each type are numbered, worked out once when the type is added.
    pub(crate) numberings: Vec<Numbering>,
}

impl Types {
    /// Adds a type. The types it is made of must be there already, so no type can contain itself.
    ///
    /// # Panics
    /// When a component, element or index type has not been added yet.
    pub fn add(&mut self, ty: Type) -> TypeIdx {
        let numbering = Numbering::new(self, &ty);
        self.numberings.push(numbering);
        self.types.push(ty);
        TypeIdx::new(self.types.len() - 1)
    }

    /// Number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there is no type.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// All types with their indices.
    pub fn iter(&self) -> impl Iterator<Item = (TypeIdx, &Type)> {
        self.types.iter().enumerate().map(|(i, ty)| (TypeIdx::new(i), ty))
    }

    /// The topmost ancestor of a subtype; a type that is no subtype is its own root.
    pub fn root(&self, mut ty: TypeIdx) -> TypeIdx {
        while let Some(parent) = self[ty].parent {
            ty = parent;
        }
        ty
    }

    /// Whether the values are single numbers (ranges, modulo numbers, enumerations).
    pub fn is_discrete(&self, ty: TypeIdx) -> bool {
        matches!(self[ty].kind, Kind::Range { .. } | Kind::Modulo { .. } | Kind::Enum { .. })
    }

    /// Whether the only value is the black token.
    pub fn is_unit(&self, ty: TypeIdx) -> bool {
        matches!(&self[ty].kind, Kind::Struct { components } if components.is_empty())
    }

    /// Least and greatest value of a discrete type.
    ///
    /// # Panics
    /// When the type is not discrete.
    pub fn bounds(&self, ty: TypeIdx) -> (i64, i64) {
        let ty = &self[ty];
        if let Some([(first, _), .., (_, last)] | [(first, last)]) = ty.constraint.as_deref() {
            return (first.int(), last.int());
        }
        match &ty.kind {
            Kind::Range { low, high } => (*low, *high),
            Kind::Modulo { modulus } => (0, modulus - 1),
            Kind::Enum { constants } => (0, constants.len() as i64 - 1),
            _ => unreachable!("bounds of the composite type {}", ty.name),
        }
    }

    /// Whether a number is a value of a discrete type.
    pub fn contains_int(&self, ty: TypeIdx, number: i64) -> bool {
        match &self[ty].constraint {
            Some(ranges) => ranges.iter().any(|(low, high)| (low.int()..=high.int()).contains(&number)),
            None => {
                let (low, high) = self.bounds(ty);
                (low..=high).contains(&number)
            }
        }
    }

    /// The number of elements of a vector type.
    pub fn vector_len(&self, indices: &[TypeIdx]) -> u64 {
        indices.iter().fold(1u64, |product, &index| {
            let (low, high) = self.bounds(index);
            let len = (i128::from(high) - i128::from(low) + 1).max(0);
            product.saturating_mul(u64::try_from(len).unwrap_or(u64::MAX))
        })
    }

    /// A value of the type in the notation of the model: enumeration constants by name.
    pub fn show(&self, ty: TypeIdx, value: &Value) -> String {
        let mut text = String::new();
        self.show_into(ty, value, &mut text);
        text
    }

    fn show_into(&self, ty: TypeIdx, value: &Value, text: &mut String) {
        let join = |text: &mut String,
                    open: &str,
                    close: &str,
                    items: &mut dyn Iterator<Item = (TypeIdx, &Value)>| {
            text.push_str(open);
            for (i, (ty, item)) in items.enumerate() {
                if i > 0 {
                    text.push_str(", ");
                }
                self.show_into(ty, item, text);
            }
            text.push_str(close);
        };
        match &self[ty].kind {
            Kind::Enum { constants } => {
                match constants.get(usize::try_from(value.int()).unwrap_or(usize::MAX)) {
                    Some(constant) => text.push_str(&constant.text),
                    None => text.push_str(&value.int().to_string()),
                }
            }
            Kind::Range { .. } | Kind::Modulo { .. } => text.push_str(&value.int().to_string()),
            Kind::Struct { components } => {
                join(text, "{", "}", &mut components.iter().map(|c| c.ty).zip(value.items()));
            }
            Kind::Vector { element, .. } => {
                join(text, "[", "]", &mut value.items().iter().map(|v| (*element, v)));
            }
            Kind::List { element, .. } | Kind::Set { element, .. } => {
                join(text, "|", "|", &mut value.items().iter().map(|v| (*element, v)));
            }
            Kind::Union { variants } => {
                if let Value::Tagged(tag, content) = value {
                    let variant = &variants[*tag as usize];
                    text.push_str(&variant.name.text);
                    text.push('=');
                    self.show_into(variant.ty, content, text);
                }
            }
        }
    }
}

impl std::ops::Index<TypeIdx> for Types {
    type Output = Type;

    fn index(&self, ty: TypeIdx) -> &Type {
        &self.types[ty.index()]
    }
}
