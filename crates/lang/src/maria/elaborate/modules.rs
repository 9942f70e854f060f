//! Nets and subnets: what is declared where.

use std::collections::HashMap;

use petite_net::{ExprKind, Name, PlaceIdx, Span, TypeIdx, Value};

use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{self, Component};
use crate::nearest::nearest;

/// The number of a net or subnet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ModuleIdx(usize);

impl ModuleIdx {
    pub fn new(index: usize) -> ModuleIdx {
        ModuleIdx(index)
    }

    pub fn index(self) -> usize {
        self.0
    }
}

/// A net or subnet.
pub(super) struct Module<'a> {
    pub parent: Option<ModuleIdx>,
    /// Names of the subnets around it and its own.
    pub path: Vec<String>,
    pub types: HashMap<String, TypeIdx>,
    pub functions: HashMap<String, &'a ast::Function>,
    pub places: HashMap<String, PlaceIdx>,
    /// Transitions and bodies in the order of the text; those of one name are one.
    pub transitions: Vec<Merged<'a>>,
    /// Numbers of propositions.
    pub propositions: HashMap<String, usize>,
    pub fairness: Vec<(ast::Strength, &'a ast::Formula)>,
    pub verify: Vec<(ast::Verify, &'a ast::Formula, Span)>,
    pub stated_propositions: Vec<(&'a Name, &'a ast::Formula)>,
    /// Contents of places that are not evaluated yet.
    pub contents: Vec<(PlaceIdx, &'a ast::Formula)>,
    /// Constants that the user gave another value.
    pub overridden: HashMap<String, i64>,
}

/// The declarations of one transition or body.
pub(super) struct Merged<'a> {
    pub name: &'a Name,
    pub is_body: bool,
    pub declarations: Vec<&'a ast::Transition>,
}

impl<'a> Elaborator<'a> {
    pub(super) fn add_module(&mut self, parent: Option<ModuleIdx>, name: Option<String>) -> ModuleIdx {
        let mut path = parent.map_or_else(Vec::new, |parent| self.modules[parent.index()].path.clone());
        path.extend(name);
        self.modules.push(Module {
            parent,
            path,
            types: HashMap::new(),
            functions: HashMap::new(),
            places: HashMap::new(),
            transitions: Vec::new(),
            propositions: HashMap::new(),
            fairness: Vec::new(),
            verify: Vec::new(),
            stated_propositions: Vec::new(),
            contents: Vec::new(),
            overridden: HashMap::new(),
        });
        ModuleIdx::new(self.modules.len() - 1)
    }

    /// Takes in what a net declares.
    pub(super) fn declarations(&mut self, net: &'a ast::Net, at: ModuleIdx) {
        for component in &net.components {
            if self.diagnostics.is_full() {
                return;
            }
            match component {
                Component::Typedef(ty, name) => {
                    let outcome = self.typedef(ty, name, at);
                    self.keep(outcome);
                }
                Component::Function(function) => {
                    let outcome = self.declare_function(function, at);
                    self.keep(outcome);
                }
                Component::Place(place) => {
                    let outcome = self.declare_place(place, at);
                    self.keep(outcome);
                }
                Component::Transition(transition) => self.declare_transition(transition, at),
                Component::Fairness(strength, sets) => {
                    let sets = sets.iter().map(|set| (*strength, set));
                    self.modules[at.index()].fairness.extend(sets);
                }
                Component::Verify(what, formula, span) => {
                    self.modules[at.index()].verify.push((*what, formula, *span));
                }
                Component::Proposition(name, formula) => {
                    self.modules[at.index()].stated_propositions.push((name, formula));
                }
                Component::Subnet(name, net) => {
                    let within = self.add_module(Some(at), name.as_ref().map(|name| name.text.clone()));
                    self.declarations(net, within);
                }
            }
        }
    }

    fn typedef(&mut self, ty: &'a ast::TypeExpr, name: &'a Name, at: ModuleIdx) -> Elab<()> {
        let ty = self.type_expr(ty, Some(name), at)?;
        let types = &mut self.modules[at.index()].types;
        if types.contains_key(&name.text) {
            return Err(twice("type", name));
        }
        types.insert(name.text.clone(), ty);
        Ok(())
    }

    fn declare_function(&mut self, function: &'a ast::Function, at: ModuleIdx) -> Elab<()> {
        let name = &function.name;
        let ty = self.named_type(&function.ty, at)?;
        for (ty, _) in &function.params {
            self.named_type(ty, at)?;
        }
        let module = &mut self.modules[at.index()];
        if module.functions.contains_key(&name.text) {
            return Err(twice("function", name));
        }
        module.functions.insert(name.text.clone(), function);
        if function.params.is_empty() && self.is_numeric(ty) {
            return self.parameter(function, ty, at);
        }
        Ok(())
    }

    /// A constant number: the user may give it another value.
    fn parameter(&mut self, function: &'a ast::Function, ty: TypeIdx, at: ModuleIdx) -> Elab<()> {
        let name = &function.name;
        let chosen = self.options.params.iter().rev().find(|(param, _)| *param == name.text);
        if let Some((_, value)) = chosen {
            self.params.push((name.clone(), *value));
            if !self.types.contains(ty, &Value::Int(*value)) {
                let message = format!("the value {value} of {name} is not one of its type {}", function.ty);
                return Err(Diagnostic::new(name.span, message)
                    .label("this constant")
                    .help("choose another value with --param"));
            }
            self.modules[at.index()].overridden.insert(name.text.clone(), *value);
            return Ok(());
        }
        let expr = self.constant(&function.body, Some(ty), at)?;
        if let ExprKind::Const(Value::Int(value)) = expr.kind {
            self.params.push((name.clone(), value));
        }
        Ok(())
    }

    /// Complains about values for constants that there are not.
    pub(super) fn unknown_params(&mut self) {
        for (name, _) in &self.options.params {
            if self.params.iter().any(|(param, _)| param.text == *name) {
                continue;
            }
            let known: Vec<&str> = self.params.iter().map(|(param, _)| param.text.as_str()).collect();
            let help = match (nearest(name, known.iter().copied()), known.as_slice()) {
                (Some(near), _) => format!("did you mean {near}?"),
                (None, []) => {
                    "it has none: constant numbers, as in `unsigned N = 3;`, are parameters".to_owned()
                }
                (None, known) => format!("its parameters are {}", known.join(", ")),
            };
            let message = format!("the model has no parameter {name}");
            self.diagnostics
                .push(Diagnostic::new(Span::default(), message).label("in this model").help(help));
        }
    }

    fn declare_transition(&mut self, transition: &'a ast::Transition, at: ModuleIdx) {
        let transitions = &mut self.modules[at.index()].transitions;
        let same = transitions
            .iter_mut()
            .find(|other| other.is_body == transition.is_body && other.name.text == transition.name.text);
        match same {
            Some(merged) => merged.declarations.push(transition),
            None => transitions.push(Merged {
                name: &transition.name,
                is_body: transition.is_body,
                declarations: vec![transition],
            }),
        }
    }

    /// Looks something up in a module and those around it.
    pub(super) fn look_up<T>(
        &self,
        at: ModuleIdx,
        find: impl Fn(&Module<'a>) -> Option<T>,
    ) -> Option<(ModuleIdx, T)> {
        let mut module = Some(at);
        while let Some(here) = module {
            let declared = &self.modules[here.index()];
            if let Some(found) = find(declared) {
                return Some((here, found));
            }
            module = declared.parent;
        }
        None
    }

    pub(super) fn place_named(&self, name: &Name, at: ModuleIdx) -> Elab<PlaceIdx> {
        let found = self.look_up(at, |module| module.places.get(&name.text).copied());
        found.map(|(_, place)| place).ok_or_else(|| {
            let known = self.modules.iter().flat_map(|module| module.places.keys().map(String::as_str));
            unknown("place", name, known)
        })
    }

    /// The name of something in a subnet, as the flat net shows it.
    pub(super) fn flat_name(&self, name: &Name, at: ModuleIdx) -> Name {
        let mut path = self.modules[at.index()].path.clone();
        path.push(name.text.clone());
        Name { text: path.join("."), span: name.span }
    }
}

/// That something is declared a second time.
pub(super) fn twice(what: &str, name: &Name) -> Diagnostic {
    Diagnostic::new(name.span, format!("there is already a {what} {name}"))
        .label("declared again")
        .help("give it another name")
}

/// That there is no such thing.
pub(super) fn unknown<'n>(what: &str, name: &Name, known: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(name.span, format!("there is no {what} {name}")).label(format!("unknown {what}"));
    match nearest(&name.text, known) {
        Some(near) => diagnostic.help(format!("did you mean {near}?")),
        None => diagnostic.help(format!("declare the {what} before its use")),
    }
}
