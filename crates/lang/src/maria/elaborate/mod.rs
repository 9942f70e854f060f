//! From the tree to the net.
//!
//! Types, constants and functions are taken in the order of the text, as each may use only those before it. What
//! may name places or transitions comes after all of them are known: contents of places, transitions, fairness
//! assumptions and properties.

mod access;
mod arithmetic;
mod bags;
mod bound;
mod buffers;
mod convert;
mod fairness;
mod fusion;
mod modules;
mod names;
mod operators;
mod places;
mod properties;
mod quantify;
mod scope;
mod transitions;
mod types;
mod values;

use std::collections::{HashMap, HashSet};

use petite_net::{
    Evaluator, Expr, ExprKind, FairnessSet, Ids, Kind, Name, Net, Place, PropIdx, Property, Proposition,
    RunError, Span, Transition, Type, TypeIdx, Types, Value,
};

use super::ast;
use crate::diagnostic::Diagnostics;
use crate::{Diagnostic, ReadOptions, Source};
use modules::{Module, ModuleIdx};
use scope::Scope;

type Elab<T> = Result<T, Diagnostic>;

/// Expressions that a model may have once functions and quantifiers are carried out.
const MAX_EXPRS: usize = 5_000_000;

struct Elaborator<'a> {
    options: &'a ReadOptions,
    diagnostics: Diagnostics,
    types: Types,
    basic: Basic,
    /// Types of identifiers.
    ids: HashSet<TypeIdx>,
    /// Numbers of enumeration constants by type and name.
    constants: HashMap<TypeIdx, HashMap<String, i64>>,
    /// How buffers are written.
    disciplines: HashMap<TypeIdx, ast::Discipline>,
    /// The types that arrays are indexed by.
    indices: HashMap<TypeIdx, TypeIdx>,
    modules: Vec<Module<'a>>,
    params: Vec<(Name, i64)>,
    places: Vec<Place>,
    transitions: Vec<Transition>,
    propositions: Vec<Proposition>,
    properties: Vec<Property>,
    fairness: Vec<FairnessSet>,
    /// Propositions as they are stated.
    stated: Vec<(ModuleIdx, &'a ast::Formula, PropIdx)>,
    /// Expressions made so far.
    n_exprs: usize,
}

/// Types that are there from the beginning.
#[derive(Clone, Copy)]
struct Basic {
    bool: TypeIdx,
    char: TypeIdx,
    int: TypeIdx,
    unsigned: TypeIdx,
}

/// The net that a tree stands for.
///
/// # Errors
/// What is wrong with it.
pub fn elaborate(net: &ast::Net, model: &Source, options: &ReadOptions) -> Result<Net, Vec<Diagnostic>> {
    let mut elaborator = Elaborator::new(options);
    let root = elaborator.add_module(None, None);
    elaborator.declarations(net, root);
    elaborator.unknown_params();
    elaborator.contents();
    let scopes = elaborator.all_transitions();
    elaborator.all_fairness(&scopes);
    elaborator.all_properties();
    if !elaborator.diagnostics.is_empty() {
        return Err(elaborator.diagnostics.into_sorted());
    }
    let file = model.path.rsplit(['/', '\\']).next().unwrap_or("");
    let name = file.strip_suffix(".pn").unwrap_or(file);
    Ok(Net {
        name: Name::predefined(if name.is_empty() { "net" } else { name }),
        params: elaborator.params,
        types: elaborator.types,
        functions: Vec::new(),
        places: elaborator.places,
        transitions: elaborator.transitions,
        propositions: elaborator.propositions,
        properties: elaborator.properties,
        progress: None,
        fairness: elaborator.fairness,
        ids: Ids::default(),
        nupn: None,
    })
}

impl<'a> Elaborator<'a> {
    fn new(options: &'a ReadOptions) -> Self {
        let mut types = Types::default();
        let mut add = |name: &str, kind: Kind| {
            types.add(Type { name: Name::predefined(name), kind, parent: None, constraint: None })
        };
        let truth = ["false", "true"].map(Name::predefined).into();
        let characters = (0..=u8::MAX).map(|code| Name::predefined(&shown_character(code))).collect();
        let basic = Basic {
            bool: add("bool", Kind::Enum { constants: truth }),
            char: add("char", Kind::Enum { constants: characters }),
            int: add("int", Kind::Range { low: i32::MIN.into(), high: i32::MAX.into() }),
            unsigned: add("unsigned", Kind::Range { low: 0, high: u32::MAX.into() }),
        };
        Elaborator {
            options,
            diagnostics: Diagnostics::default(),
            types,
            basic,
            ids: HashSet::new(),
            constants: HashMap::new(),
            disciplines: HashMap::new(),
            indices: HashMap::new(),
            modules: Vec::new(),
            params: Vec::new(),
            places: Vec::new(),
            transitions: Vec::new(),
            propositions: Vec::new(),
            properties: Vec::new(),
            fairness: Vec::new(),
            stated: Vec::new(),
            n_exprs: 0,
        }
    }

    /// Keeps the diagnostic of something that went wrong.
    fn keep<T>(&mut self, outcome: Elab<T>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// An expression; one whose parts are all known is evaluated at once, unless that is an error.
    fn made(&mut self, kind: ExprKind, ty: TypeIdx, span: Span) -> Elab<Expr> {
        self.n_exprs += 1;
        if self.n_exprs > MAX_EXPRS {
            return Err(Diagnostic::new(
                span,
                "the model is too large once functions and quantifiers are carried out",
            )
            .label("too much is made of this")
            .help("use smaller types, or write the sum without a function"));
        }
        let expr = Expr { kind, ty, span };
        let mut is_fixed = !matches!(
            expr.kind,
            ExprKind::Const(_)
                | ExprKind::Var(_)
                | ExprKind::Iterate { .. }
                | ExprKind::Compare(..)
                | ExprKind::Multiplicity(..)
                | ExprKind::PlaceCard(_)
                | ExprKind::PlaceMult(_)
                | ExprKind::Fail(_)
        );
        expr.for_each_part(&mut |part| is_fixed = is_fixed && matches!(part.kind, ExprKind::Const(_)));
        if is_fixed && let Ok(value) = self.evaluate(&expr) {
            return Ok(Expr { kind: ExprKind::Const(value), ty, span });
        }
        Ok(expr)
    }

    /// The value of an expression without variables.
    fn evaluate(&self, expr: &Expr) -> Result<Value, RunError> {
        Evaluator::new(&self.types, &[]).eval(expr, &mut [], None)
    }

    fn bool_const(&self, truth: bool, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(Value::bool(truth)), ty: self.basic.bool, span }
    }

    /// The value of a formula that must be known while the model is read.
    fn constant(&mut self, formula: &'a ast::Formula, ty: Option<TypeIdx>, module: ModuleIdx) -> Elab<Expr> {
        let mut scope = Scope::fixed(module);
        let expr = match ty {
            Some(ty) => self.value_of(formula, ty, &mut scope)?,
            None => self.value(formula, None, &mut scope)?,
        };
        let mut frame = vec![Value::Int(0); scope.variables.len()];
        let value = Evaluator::new(&self.types, &[]).eval(&expr, &mut frame, None)?;
        Ok(Expr { kind: ExprKind::Const(value), ..expr })
    }

    /// The number that a formula must be while the model is read.
    fn constant_number(&mut self, formula: &'a ast::Formula, module: ModuleIdx) -> Elab<i64> {
        let expr = self.constant(formula, None, module)?;
        match &expr.kind {
            ExprKind::Const(Value::Int(number)) if self.is_numeric(expr.ty) => Ok(*number),
            _ => Err(Diagnostic::new(formula.span, "this is no number")
                .label("expected a number")
                .help("write a number, or cast the value to one with `is unsigned`")),
        }
    }

    fn is_numeric(&self, ty: TypeIdx) -> bool {
        let root = self.types.root(ty);
        root == self.basic.int || root == self.basic.unsigned
    }

    fn is_bool(&self, ty: TypeIdx) -> bool {
        self.types.root(ty) == self.basic.bool
    }

    fn type_name(&self, ty: TypeIdx) -> &str {
        &self.types[ty].name.text
    }
}

/// A character as it is written.
fn shown_character(code: u8) -> String {
    match code {
        b'\'' => "'\\''".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        b' '..=b'~' => format!("'{}'", char::from(code)),
        _ => format!("'\\x{code:02x}'"),
    }
}
