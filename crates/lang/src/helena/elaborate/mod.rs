//! From the tree of a text to a net: names resolved, expressions typed, static parts evaluated.
//!
//! Definitions are taken one after the other, as each may use only those before it. A definition that is wrong
//! leaves its name behind as broken, so that its uses are not reported as well.

mod access;
mod attributes;
mod calls;
mod convert;
mod evaluable;
mod exprs;
mod functions;
mod hints;
mod iterate;
mod literals;
mod names;
mod operators;
mod places;
mod progress;
mod properties;
mod scope;
mod sets;
mod statements;
mod statics;
mod terms;
mod texts;
mod transitions;
mod types;

use std::collections::{HashMap, HashSet};

use petite_net::{Expr, Function, Ids, Name, Net, Place, Proposition, Transition, TypeIdx, Types, Value};

use super::ast;
use super::parser::Property;
use crate::diagnostic::Diagnostics;
use crate::{Diagnostic, ReadOptions, Source};
use names::{Names, Space};
use scope::{Context, Scope};
use types::TypeSize;

/// Something is wrong, and a diagnostic about it has been recorded.
#[derive(Debug)]
struct Failed;

type Elab<T> = Result<T, Failed>;

/// A typed expression.
struct Typed {
    expr: Expr,
    /// Whether it is a number that adapts to any numeric type: a literal, or a count.
    flexible: bool,
}

/// A named constant or parameter.
struct Constant {
    ty: TypeIdx,
    value: Value,
}

struct Elaborator<'a> {
    model: &'a Source,
    options: &'a ReadOptions,
    diagnostics: Diagnostics,
    names: Names,
    types: Types,
    /// How large the values of each type are.
    type_sizes: Vec<TypeSize>,
    /// First values of types, as far as they were needed.
    first_values: HashMap<TypeIdx, Value>,
    /// Product types of place domains by their components.
    domains: HashMap<Vec<TypeIdx>, TypeIdx>,
    int: TypeIdx,
    bool: TypeIdx,
    constants: Vec<Constant>,
    functions: Vec<Function>,
    /// Functions whose body is wrong.
    broken_functions: HashSet<String>,
    places: Vec<Place>,
    transitions: Vec<Transition>,
    propositions: Vec<Proposition>,
}

/// The net that a tree stands for.
///
/// # Errors
/// What is wrong with it.
pub fn elaborate(
    net: &ast::Net,
    properties: &[Property],
    model: &Source,
    options: &ReadOptions,
) -> Result<Net, Vec<Diagnostic>> {
    let mut elaborator = Elaborator::new(model, options);
    // What is imported cannot be run, so nothing that follows from it would help.
    elaborator.refuse_imports(net);
    if !elaborator.diagnostics.is_empty() {
        return Err(elaborator.diagnostics.into_sorted());
    }
    let params = elaborator.params(net);
    for definition in &net.definitions {
        if elaborator.diagnostics.is_full() {
            break;
        }
        elaborator.definition(definition);
    }
    elaborator.missing_bodies();
    let progress = elaborator.progress(properties);
    let properties = elaborator.properties(properties);
    if !elaborator.diagnostics.is_empty() {
        return Err(elaborator.diagnostics.into_sorted());
    }
    let Elaborator { types, functions, places, transitions, propositions, .. } = elaborator;
    let name = net.name.clone();
    Ok(Net {
        name,
        params,
        types,
        functions,
        places,
        transitions,
        propositions,
        properties,
        progress,
        fairness: Vec::new(),
        ids: Ids::default(),
        nupn: None,
    })
}

impl<'a> Elaborator<'a> {
    fn new(model: &'a Source, options: &'a ReadOptions) -> Elaborator<'a> {
        let mut elaborator = Elaborator {
            model,
            options,
            diagnostics: Diagnostics::default(),
            names: Names::default(),
            types: Types::default(),
            type_sizes: Vec::new(),
            first_values: HashMap::new(),
            domains: HashMap::new(),
            int: TypeIdx(0),
            bool: TypeIdx(0),
            constants: Vec::new(),
            functions: Vec::new(),
            broken_functions: HashSet::new(),
            places: Vec::new(),
            transitions: Vec::new(),
            propositions: Vec::new(),
        };
        elaborator.predefine();
        elaborator
    }

    /// Records a diagnostic.
    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Elab<T> {
        self.diagnostics.push(diagnostic);
        Err(Failed)
    }

    fn definition(&mut self, definition: &ast::Definition) {
        let (space, name, done) = match definition {
            ast::Definition::Type(definition) => {
                (Space::Type, &definition.name, self.type_definition(definition))
            }
            ast::Definition::Subtype { name, parent, range } => {
                (Space::Type, name, self.subtype(name, parent, range.as_ref()))
            }
            ast::Definition::Constant(constant) => (Space::Constant, &constant.name, self.constant(constant)),
            ast::Definition::Function(function) => {
                // A function marks itself as broken: its signature may still be good.
                self.function(function);
                return;
            }
            ast::Definition::Place(place) => (Space::Place, &place.name, self.place(place)),
            ast::Definition::Transition(transition) => {
                (Space::Transition, &transition.name, self.transition(transition))
            }
            ast::Definition::Proposition { name, expr } => {
                (Space::Proposition, name, self.proposition(name, expr))
            }
        };
        if done.is_err() {
            self.names.mark_broken(space, name);
            self.must_be_reported(name);
        }
    }

    /// Makes sure that a definition that fails leaves a diagnostic, so that no net lacks it silently.
    fn must_be_reported(&mut self, name: &Name) {
        if self.diagnostics.is_empty() {
            self.diagnostics.push(
                Diagnostic::new(name.span, format!("the definition of {name} cannot be read"))
                    .label("something is wrong in it")
                    .help("simplify it step by step to find what"),
            );
        }
    }

    fn constant(&mut self, constant: &ast::Constant) -> Elab<()> {
        self.undeclared(Space::Constant, &constant.name)?;
        let ty = self.type_named(&constant.ty)?;
        let mut scope = Scope::new(Context::Static("a constant"));
        let value = self.converted(&constant.value, ty, &mut scope)?;
        let value = self.evaluate(&value, &scope)?;
        self.add_constant(&constant.name, ty, value);
        Ok(())
    }

    fn add_constant(&mut self, name: &Name, ty: TypeIdx, value: Value) {
        self.names.declare(Space::Constant, name, self.constants.len());
        self.constants.push(Constant { ty, value });
    }

    fn proposition(&mut self, name: &Name, expr: &ast::Expr) -> Elab<()> {
        self.undeclared(Space::Proposition, name)?;
        let mut scope = Scope::new(Context::Proposition);
        let expr = self.converted(expr, self.bool, &mut scope)?;
        self.names.declare(Space::Proposition, name, self.propositions.len());
        self.propositions.push(Proposition { name: name.clone(), variables: scope.variables, expr });
        Ok(())
    }
}
