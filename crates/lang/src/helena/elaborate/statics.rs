//! Parameters, and expressions that are evaluated while the model is read.

use petite_net::{Evaluator, Expr, Name, RunErrorKind, Value};

use super::names::Space;
use super::scope::{Context, Scope};
use super::{Elab, Elaborator, Failed};
use crate::Diagnostic;
use crate::helena::ast;
use crate::nearest::nearest;

impl Elaborator<'_> {
    /// Declares the parameters with the values that the user chose or the model states.
    pub(super) fn params(&mut self, net: &ast::Net) -> Vec<(Name, i64)> {
        let mut params: Vec<(Name, i64)> = Vec::new();
        for param in &net.params {
            if self.undeclared(Space::Constant, &param.name).is_err() {
                continue;
            }
            let chosen = self.options.params.iter().rev().find(|(name, _)| *name == param.name.text);
            let value = chosen.map_or(param.value, |(_, value)| *value);
            if !self.types.contains_int(self.int, value) {
                let message = format!("the value {value} of parameter {} is beyond 32 bits", param.name);
                self.diagnostics.push(
                    Diagnostic::new(param.name.span, message)
                        .label("this parameter")
                        .help("values go from -2147483648 to 2147483647"),
                );
            }
            self.add_constant(&param.name, self.int, Value::Int(value));
            params.push((param.name.clone(), value));
        }
        for (name, _) in &self.options.params {
            if !net.params.iter().any(|param| param.name.text == *name) {
                self.diagnostics.push(unknown_param(net, name));
            }
        }
        params
    }

    /// The value of an expression of a static scope.
    pub(super) fn evaluate(&mut self, expr: &Expr, scope: &Scope) -> Elab<Value> {
        let mut frame = vec![Value::Int(0); scope.variables.len()];
        let mut evaluator = Evaluator::new(&self.types, &self.functions);
        match evaluator.eval(expr, &mut frame, None) {
            Ok(value) => Ok(value),
            Err(error) => self.static_error(error),
        }
    }

    /// Reports an error of static evaluation.
    pub(super) fn static_error<T>(&mut self, error: petite_net::RunError) -> Elab<T> {
        if let RunErrorKind::NoReturn { function } = &error.kind {
            if self.broken_functions.contains(function) {
                return Err(Failed);
            }
            let index = self.names.index(Space::Function, function);
            if index.is_some_and(|index| self.functions[index].body.is_none()) {
                let message = format!("function {function} is needed here, but its body comes later");
                return self.fail(
                    Diagnostic::new(error.span, message)
                        .label("evaluated while reading the model")
                        .help("move the function with its body before this line"),
                );
            }
        }
        self.fail(error.into())
    }

    /// The value of a static expression that must be a number.
    pub(super) fn static_number(&mut self, expr: &ast::Expr, what: &'static str) -> Elab<i64> {
        let (_, value) = self.static_number_expr(expr, what)?;
        Ok(value)
    }

    /// As `static_number`, with the typed expression.
    pub(super) fn static_number_expr(&mut self, expr: &ast::Expr, what: &'static str) -> Elab<(Expr, i64)> {
        let mut scope = Scope::new(Context::Static(what));
        let typed = self.expr(expr, Some(self.int), &mut scope)?;
        if !self.is_numeric(typed.expr.ty) {
            let found = self.type_name(typed.expr.ty);
            let message = format!("{what} must be a number, and this is of type {found}");
            return self.fail(Diagnostic::new(expr.span, message).label("expected a number"));
        }
        let value = self.evaluate(&typed.expr, &scope)?;
        Ok((typed.expr, value.int()))
    }
}

fn unknown_param(net: &ast::Net, name: &str) -> Diagnostic {
    let names: Vec<&str> = net.params.iter().map(|param| param.name.text.as_str()).collect();
    let list = match names.as_slice() {
        [] => "it has no parameters".to_owned(),
        [one] => format!("its only parameter is {one}"),
        _ => format!("its parameters are {}", names.join(", ")),
    };
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean {near}? {list}"),
        None => list,
    };
    Diagnostic::new(net.name.span, format!("net {} has no parameter {name}", net.name))
        .label("this net")
        .help(help)
}
