//! How the token of an inscription is matched against the tokens of a place.
//!
//! A token is taken apart as far as the inscription constructs it: a tuple into its components, a list into its
//! elements, a union into its content. A part that is a variable without a value gives it one; any other part must
//! be equal to what its expression gives.

use std::rc::Rc;

use petite_net::{Expr, ExprKind, Kind, Term, Types, Value, VarIdx};

use crate::plan::all_known;

/// The way from a token to a part of it: positions of components and elements; the content of a union is at zero.
pub(crate) type Path = Rc<[u32]>;

/// How a token is matched.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// What parts must look like before they can be taken apart further.
    pub shapes: Vec<(Path, Shape)>,
    /// Parts that give their value to a variable.
    pub binds: Vec<(Path, VarIdx)>,
    /// Parts that must equal an expression, evaluated after the binding.
    pub tests: Vec<(Path, Expr)>,
    /// How many of the tests, which come first, do not need the variables bound here.
    pub n_known: usize,
}

/// What a part must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A union that is this variant.
    Variant(u32),
    /// A list of so many elements.
    Length(usize),
}

impl Pattern {
    /// How a term's token matches when the variables in `known` have values.
    pub fn new(types: &Types, term: &Term, known: &[bool]) -> Pattern {
        let pattern = Pattern { shapes: Vec::new(), binds: Vec::new(), tests: Vec::new(), n_known: 0 };
        let mut builder = Builder { types, known: known.to_vec(), pattern };
        builder.take_apart(&term.token, &mut Vec::new());
        let mut pattern = builder.pattern;
        pattern.tests.sort_by_key(|(_, test)| !all_known(test, known));
        pattern.n_known = pattern.tests.partition_point(|(_, test)| all_known(test, known));
        pattern
    }

    /// Whether a token can be taken apart as the pattern wants.
    pub fn has_shape(&self, token: &Value) -> bool {
        self.shapes.iter().all(|(path, shape)| match (part(token, path), shape) {
            (Some(Value::Tagged(tag, _)), Shape::Variant(variant)) => tag == variant,
            (Some(Value::Seq(items)), Shape::Length(length)) => items.len() == *length,
            _ => false,
        })
    }
}

/// The part of a token at the end of a path; `None` where the token has another shape.
pub(crate) fn part<'v>(token: &'v Value, path: &[u32]) -> Option<&'v Value> {
    path.iter().try_fold(token, |whole, &at| match whole {
        Value::Tuple(items) | Value::Seq(items) => items.get(at as usize),
        Value::Tagged(_, content) => Some(&**content),
        Value::Int(_) => None,
    })
}

/// The variable that an expression consists of, looking through conversions.
fn variable_alone(expr: &Expr) -> Option<VarIdx> {
    match &expr.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Convert(inner) => match inner.kind {
            ExprKind::Var(var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}

struct Builder<'a> {
    types: &'a Types,
    known: Vec<bool>,
    pattern: Pattern,
}

impl Builder<'_> {
    fn take_apart(&mut self, expr: &Expr, path: &mut Vec<u32>) {
        if let Some(var) = variable_alone(expr)
            && !self.known[var.index()]
        {
            self.known[var.index()] = true;
            self.pattern.binds.push((path.as_slice().into(), var));
            return;
        }
        // Below the outermost tuple, what is known is compared as a whole.
        if !path.is_empty() && all_known(expr, &self.known) {
            self.pattern.tests.push((path.as_slice().into(), expr.clone()));
            return;
        }
        match &expr.kind {
            ExprKind::Convert(inner) if is_constructor(inner) => self.take_apart(inner, path),
            ExprKind::Tuple(items) if self.is_complete(expr, items.len()) => self.parts(items, path),
            ExprKind::Seq(items) if matches!(self.types[expr.ty].kind, Kind::List { .. }) => {
                self.pattern.shapes.push((path.as_slice().into(), Shape::Length(items.len())));
                self.parts(items, path);
            }
            ExprKind::Tagged(tag, content) => {
                self.pattern.shapes.push((path.as_slice().into(), Shape::Variant(*tag)));
                path.push(0);
                self.take_apart(content, path);
                path.pop();
            }
            _ => self.pattern.tests.push((path.as_slice().into(), expr.clone())),
        }
    }

    fn parts(&mut self, items: &[Expr], path: &mut Vec<u32>) {
        for (i, item) in items.iter().enumerate() {
            path.push(i as u32);
            self.take_apart(item, path);
            path.pop();
        }
    }

    /// Whether a tuple has an expression for each component: that of a vector may have fewer.
    fn is_complete(&self, expr: &Expr, n_items: usize) -> bool {
        match &self.types[expr.ty].kind {
            Kind::Vector { indices, .. } => self.types.vector_len(indices) == n_items as u64,
            _ => true,
        }
    }
}

fn is_constructor(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Tuple(_) | ExprKind::Seq(_) | ExprKind::Tagged(..))
}
