//! What names in formulas mean.

use petite_net::{Kind, Name, Net, PlaceIdx, PropIdx, Span, TransIdx, TypeIdx};

use crate::Diagnostic;
use crate::nearest::nearest;

/// Finds the nodes of a net by their identifiers and names.
pub(crate) struct Names<'n> {
    pub net: &'n Net,
    places: hashbrown::HashMap<&'n str, PlaceIdx, rapidhash::fast::RandomState>,
    transitions: hashbrown::HashMap<&'n str, TransIdx, rapidhash::fast::RandomState>,
}

impl<'n> Names<'n> {
    /// The names of a net. An identifier comes before a name that is the same.
    pub fn of(net: &'n Net) -> Names<'n> {
        let mut names =
            Names { net, places: hashbrown::HashMap::default(), transitions: hashbrown::HashMap::default() };
        for p in (0..net.places.len()).map(PlaceIdx::new) {
            names.places.insert(net.place_id(p), p);
        }
        for t in (0..net.transitions.len()).map(TransIdx::new) {
            names.transitions.insert(net.transition_id(t), t);
        }
        for p in (0..net.places.len()).map(PlaceIdx::new) {
            names.places.entry(&net.place(p).name.text).or_insert(p);
        }
        for t in (0..net.transitions.len()).map(TransIdx::new) {
            names.transitions.entry(&net.transition(t).name.text).or_insert(t);
        }
        names
    }

    /// The place of this name, if there is one.
    pub fn find_place(&self, name: &str) -> Option<PlaceIdx> {
        self.places.get(name).copied()
    }

    /// The place of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn place(&self, name: &str, span: Span) -> Result<PlaceIdx, Diagnostic> {
        self.find_place(name).ok_or_else(|| self.unknown("place", name, span, self.places.keys().copied()))
    }

    /// The transition of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn transition(&self, name: &str, span: Span) -> Result<TransIdx, Diagnostic> {
        let found = self.transitions.get(name).copied();
        found.ok_or_else(|| self.unknown("transition", name, span, self.transitions.keys().copied()))
    }

    /// The proposition of this name, if there is one.
    pub fn proposition(&self, name: &str) -> Option<PropIdx> {
        let found = self.net.propositions.iter().position(|proposition| proposition.name.text == name);
        found.map(PropIdx::new)
    }

    /// The value of a parameter of the net, if there is one of this name.
    pub fn param(&self, name: &str) -> Option<i64> {
        self.net.params.iter().find(|(param, _)| param.text == name).map(|(_, value)| *value)
    }

    /// The type of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn type_named(&self, name: &Name) -> Result<TypeIdx, Diagnostic> {
        let found = self.net.types.iter().find(|(_, ty)| ty.name.text == name.text);
        found.map(|(index, _)| index).ok_or_else(|| {
            let all = self.net.types.iter().map(|(_, ty)| ty.name.text.as_str());
            self.unknown("type", &name.text, name.span, all)
        })
    }

    /// The constant of an enumeration: of the given type, or of any where none is given.
    pub fn constant(&self, name: &str, of: Option<TypeIdx>) -> Option<(TypeIdx, i64)> {
        let in_type = |ty: TypeIdx| match &self.net.types[ty].kind {
            Kind::Enum { constants } => {
                constants.iter().position(|constant| constant.text == name).map(|at| (ty, at as i64))
            }
            _ => None,
        };
        match of {
            Some(ty) => in_type(ty),
            None => self.net.types.iter().find_map(|(ty, _)| in_type(ty)),
        }
    }

    /// That a name is not known.
    pub fn unknown<'c>(
        &self,
        what: &str,
        name: &str,
        span: Span,
        candidates: impl Iterator<Item = &'c str>,
    ) -> Diagnostic {
        let shown: String = name.chars().take(80).collect();
        let diagnostic =
            Diagnostic::new(span, format!("the net {} has no {what} `{shown}`", self.net.name.text))
                .label(format!("no {what} of this name"));
        // Names are sorted so that the same one is proposed every time.
        let mut candidates: Vec<&str> = candidates.collect();
        candidates.sort_unstable();
        match nearest(name, candidates) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
            None => diagnostic.help("is this a formula for another model?"),
        }
    }
}
