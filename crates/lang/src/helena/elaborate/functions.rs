//! Functions: signatures, prototypes and bodies.

use petite_net::{Function, Name, TypeIdx};

use super::names::{Found, Space};
use super::scope::{Context, Role, Scope};
use super::{Elab, Elaborator, Failed};
use crate::Diagnostic;
use crate::helena::ast;

impl Elaborator<'_> {
    /// Refuses functions that are written in another language.
    pub(super) fn refuse_imports(&mut self, net: &ast::Net) {
        for definition in &net.definitions {
            if let ast::Definition::Function(function) = definition
                && matches!(function.body, ast::FunctionBody::Imported)
            {
                let message = format!("the imported function {} cannot be run", function.name);
                self.diagnostics.push(
                    Diagnostic::new(function.span, message)
                        .label("written in another language")
                        .help("write the function in the model's language"),
                );
            }
        }
    }

    pub(super) fn function(&mut self, function: &ast::Function) {
        let Ok(index) = self.signature(function) else {
            self.names.mark_broken(Space::Function, &function.name);
            self.broken_functions.insert(function.name.text.clone());
            self.must_be_reported(&function.name);
            return;
        };
        let ast::FunctionBody::Statement(body) = &function.body else { return };
        let mut scope = Scope::new(Context::Function);
        for variable in self.functions[index].variables.clone() {
            scope.declare(&variable.name, variable.ty, Role::Local);
        }
        let result = self.functions[index].result;
        match self.statement(body, result, &mut scope) {
            Ok(body) => {
                self.functions[index].variables = scope.variables;
                self.functions[index].body = Some(body);
            }
            Err(Failed) => {
                self.broken_functions.insert(function.name.text.clone());
                self.must_be_reported(&function.name);
            }
        }
    }

    /// Declares a function, or finds its prototype, and gives its number.
    fn signature(&mut self, function: &ast::Function) -> Elab<usize> {
        let result = self.type_named(&function.result)?;
        let mut variables: Vec<petite_net::Variable> = Vec::new();
        for (ty, name) in &function.params {
            if variables.iter().any(|variable| variable.name.text == name.text) {
                return self.fail(
                    Diagnostic::new(name.span, format!("there is already a parameter {name}"))
                        .label("declared again")
                        .help("rename one of them"),
                );
            }
            variables.push(petite_net::Variable { name: name.clone(), ty: self.type_named(ty)? });
        }
        let name = &function.name;
        let is_prototype = matches!(function.body, ast::FunctionBody::Prototype);
        if let Found::Thing(index) = self.names.find(Space::Function, &name.text) {
            let is_complete =
                self.functions[index].body.is_some() || self.broken_functions.contains(&name.text);
            if is_complete && !is_prototype {
                self.undeclared(Space::Function, name)?;
            }
            let declared = &self.functions[index];
            let types = |variables: &[petite_net::Variable]| -> Vec<TypeIdx> {
                variables.iter().map(|variable| variable.ty).collect()
            };
            let same = declared.result == result
                && types(&declared.variables[..declared.n_params]) == types(&variables);
            if !same {
                let line = self.model.position(declared.name.span.start).line;
                return self.fail(
                    Diagnostic::new(name.span, format!("function {name} was declared with other types"))
                        .label("declared differently")
                        .help(format!("make it agree with its declaration in line {line}")),
                );
            }
            if !is_prototype {
                // The body uses the names of its own header.
                self.functions[index].variables = variables;
                self.functions[index].name = name.clone();
            }
            return Ok(index);
        }
        let index = self.functions.len();
        let n_params = variables.len();
        self.names.declare(Space::Function, name, index);
        self.functions.push(Function { name: name.clone(), variables, n_params, result, body: None });
        Ok(index)
    }

    /// Reports prototypes whose function never came.
    pub(super) fn missing_bodies(&mut self) {
        if self.diagnostics.is_full() {
            return;
        }
        let missing: Vec<Name> = self
            .functions
            .iter()
            .filter(|function| {
                function.body.is_none() && !self.broken_functions.contains(&function.name.text)
            })
            .map(|function| function.name.clone())
            .collect();
        for name in missing {
            self.diagnostics.push(
                Diagnostic::new(name.span, format!("function {name} has no body"))
                    .label("only declared")
                    .help("write its body here, or define it after this prototype"),
            );
        }
    }
}
