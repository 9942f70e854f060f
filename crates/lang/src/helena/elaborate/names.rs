//! The name spaces of a net: the same name may stand for a type, a constant, a function, a place, a transition
//! and a proposition at once.

use std::collections::{HashMap, HashSet};

use petite_net::{Name, Span, TypeIdx};

use super::{Elab, Elaborator, Failed};
use crate::Diagnostic;
use crate::nearest::nearest;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    Type,
    Constant,
    Function,
    Place,
    Transition,
    Proposition,
    Property,
}

impl Space {
    pub(super) fn word(self) -> &'static str {
        match self {
            Space::Type => "type",
            Space::Constant => "constant",
            Space::Function => "function",
            Space::Place => "place",
            Space::Transition => "transition",
            Space::Proposition => "proposition",
            Space::Property => "property",
        }
    }
}

/// What a name stands for in one name space.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Its number among the things of its space; none when its definition is wrong.
    index: Option<usize>,
    span: Span,
}

/// What a look-up gives.
pub(super) enum Found {
    /// The thing with this number.
    Thing(usize),
    /// A thing whose definition is wrong.
    Broken,
    Nothing,
}

#[derive(Debug, Default)]
pub(super) struct Names {
    entries: HashMap<Space, HashMap<String, Entry>>,
    /// The enumerations that each constant is of, with its position there.
    enum_constants: HashMap<String, Vec<(TypeIdx, i64)>>,
    /// Constants of enumerations whose definition is wrong.
    broken_enum_constants: HashSet<String>,
}

impl Names {
    pub(super) fn declare(&mut self, space: Space, name: &Name, index: usize) {
        let entry = Entry { index: Some(index), span: name.span };
        self.entries.entry(space).or_default().insert(name.text.clone(), entry);
    }

    /// Notes a name whose definition is wrong, unless it has a good one already.
    pub(super) fn mark_broken(&mut self, space: Space, name: &Name) {
        let entry = Entry { index: None, span: name.span };
        self.entries.entry(space).or_default().entry(name.text.clone()).or_insert(entry);
    }

    pub(super) fn find(&self, space: Space, name: &str) -> Found {
        match self.entries.get(&space).and_then(|entries| entries.get(name)) {
            Some(Entry { index: Some(index), .. }) => Found::Thing(*index),
            Some(Entry { index: None, .. }) => Found::Broken,
            None => Found::Nothing,
        }
    }

    /// The number of a thing, if its definition is good.
    pub(super) fn index(&self, space: Space, name: &str) -> Option<usize> {
        match self.find(space, name) {
            Found::Thing(index) => Some(index),
            Found::Broken | Found::Nothing => None,
        }
    }

    fn declared_at(&self, space: Space, name: &str) -> Option<Span> {
        self.entries.get(&space).and_then(|entries| entries.get(name)).map(|entry| entry.span)
    }

    pub(super) fn all(&self, space: Space) -> impl Iterator<Item = &str> {
        self.entries.get(&space).into_iter().flat_map(|entries| entries.keys().map(String::as_str))
    }

    pub(super) fn add_enum_constant(&mut self, name: &str, ty: TypeIdx, position: i64) {
        self.enum_constants.entry(name.to_owned()).or_default().push((ty, position));
    }

    pub(super) fn mark_broken_enum_constant(&mut self, name: &str) {
        self.broken_enum_constants.insert(name.to_owned());
    }

    /// The enumerations that a constant is of, with its position there.
    pub(super) fn enum_constants(&self, name: &str) -> &[(TypeIdx, i64)] {
        self.enum_constants.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn all_enum_constants(&self) -> impl Iterator<Item = &str> {
        self.enum_constants.keys().map(String::as_str)
    }

    /// Whether a name without a meaning would have one if some definition were right.
    pub(super) fn is_broken_value(&self, name: &str) -> bool {
        self.broken_enum_constants.contains(name) || matches!(self.find(Space::Constant, name), Found::Broken)
    }

    /// Whether a name is a constant, a parameter or an enumeration constant.
    pub(super) fn is_constant(&self, name: &str) -> bool {
        !matches!(self.find(Space::Constant, name), Found::Nothing)
            || self.enum_constants.contains_key(name)
            || self.broken_enum_constants.contains(name)
    }
}

impl Elaborator<'_> {
    /// Refuses a name that its space has already.
    pub(super) fn undeclared(&mut self, space: Space, name: &Name) -> Elab<()> {
        let Some(first) = self.names.declared_at(space, &name.text) else { return Ok(()) };
        let word = space.word();
        let help = if first == Span::default() {
            format!("every net has a {word} {name}; choose another name")
        } else if first.file == name.span.file && name.span.file == 0 {
            format!("the first one is in line {}; rename one of them", self.model.position(first.start).line)
        } else {
            "rename one of them".to_owned()
        };
        self.fail(
            Diagnostic::new(name.span, format!("there is already a {word} {name}"))
                .label("declared again")
                .help(help),
        )
    }

    /// The number of a thing that must exist.
    pub(super) fn named(&mut self, space: Space, name: &Name) -> Elab<usize> {
        match self.names.find(space, &name.text) {
            Found::Thing(index) => Ok(index),
            Found::Broken => Err(Failed),
            Found::Nothing => {
                let word = space.word();
                let help = match nearest(&name.text, self.names.all(space)) {
                    Some(near) => format!("did you mean {near}?"),
                    None => format!("define a {word} of this name before this line"),
                };
                self.fail(
                    Diagnostic::new(name.span, format!("there is no {word} {name}"))
                        .label(format!("unknown {word}"))
                        .help(help),
                )
            }
        }
    }

    pub(super) fn type_named(&mut self, name: &Name) -> Elab<TypeIdx> {
        self.named(Space::Type, name).map(TypeIdx::new)
    }
}
