//! Names, calls and variables of transitions.

use petite_net::{Cardinality, Expr, ExprKind, Iter, IterDomain, Name, Span, TypeIdx, Value, VarIdx};

use super::modules::{ModuleIdx, unknown};
use super::scope::{Local, Scope, Site};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{self, Formula, Which};
use crate::nearest::nearest;

/// Functions that may be carried out in each other.
const MAX_CALLS: usize = 100;

/// Values that an output variable may take.
const MAX_PICKED: u64 = 1 << 20;

impl<'a> Elaborator<'a> {
    /// Whether a name stands for something whatever type is expected.
    pub(super) fn is_resolvable(&self, name: &str, scope: &Scope<'a>) -> bool {
        scope.local(name).is_some()
            || scope.of_transition(name).is_some()
            || self.function_named(name, scope).is_some_and(|(_, function)| function.params.is_empty())
            || self.proposition_named(name, scope).is_some()
    }

    fn function_named(&self, name: &str, scope: &Scope<'a>) -> Option<(ModuleIdx, &'a ast::Function)> {
        self.look_up(scope.module, |module| module.functions.get(name).copied())
    }

    fn proposition_named(&self, name: &str, scope: &Scope<'a>) -> Option<usize> {
        if scope.site != Site::Property {
            return None;
        }
        self.look_up(scope.module, |module| module.propositions.get(name).copied()).map(|(_, at)| at)
    }

    pub(super) fn name(
        &mut self,
        name: &str,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        if let Some(expr) = scope.local(name) {
            return Ok(Expr { span, ..expr.clone() });
        }
        match scope.of_transition(name) {
            Some(Local::Variable(var)) => return Ok(variable(var, span, scope)),
            Some(Local::Function(function, member)) => {
                let module = scope.members[member].module;
                return self.carried_out(function, module, member, Vec::new(), span, scope);
            }
            None => {}
        }
        if let Some((module, function)) = self.function_named(name, scope)
            && function.params.is_empty()
        {
            return self.global_call(function, module, Vec::new(), span, scope);
        }
        if let Some(number) = hint.and_then(|ty| self.constants.get(&ty)).and_then(|named| named.get(name)) {
            let ty = hint.unwrap_or(self.basic.bool);
            return Ok(Expr { kind: ExprKind::Const(Value::Int(*number)), ty, span });
        }
        if let Some(at) = self.proposition_named(name, scope) {
            return self.proposition_value(at, span, scope);
        }
        match hint {
            Some(ty) if scope.declares() => {
                let declared = Name { text: name.to_owned(), span };
                let var = scope.variable(declared, ty);
                let current = scope.current;
                scope.members[current].locals.insert(name.to_owned(), Local::Variable(var));
                Ok(variable(var, span, scope))
            }
            _ => Err(self.unknown_name(name, span, hint, scope)),
        }
    }

    fn unknown_name(&self, name: &str, span: Span, hint: Option<TypeIdx>, scope: &Scope<'a>) -> Diagnostic {
        let mut known: Vec<&str> = scope.locals.iter().map(|(name, _)| name.as_str()).collect();
        known.extend(scope.members.iter().flat_map(|member| member.locals.keys().map(String::as_str)));
        known.extend(self.modules.iter().flat_map(|module| module.functions.keys().map(String::as_str)));
        if let Some(constants) = hint.and_then(|ty| self.constants.get(&ty)) {
            known.extend(constants.keys().map(String::as_str));
        }
        known.sort_unstable();
        let diagnostic =
            Diagnostic::new(span, format!("the name {name} stands for nothing here")).label("unknown name");
        match nearest(name, known) {
            Some(near) => diagnostic.help(format!("did you mean {near}?")),
            None if self.constants.values().any(|constants| constants.contains_key(name)) => {
                diagnostic.help(format!("say of which type the constant is, as in `is T {name}`"))
            }
            None => {
                diagnostic.help("variables are declared by input arcs or in braces, constants by functions")
            }
        }
    }

    pub(super) fn call(
        &mut self,
        name: &Name,
        arguments: &'a [Formula],
        _hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let span = arguments.last().map_or(name.span, |last| name.span.to(last.span));
        let (function, module, member) = match scope.of_transition(&name.text) {
            Some(Local::Function(function, member)) => (function, scope.members[member].module, Some(member)),
            _ => match self.function_named(&name.text, scope) {
                Some((module, function)) => (function, module, None),
                None => {
                    let known =
                        self.modules.iter().flat_map(|module| module.functions.keys().map(String::as_str));
                    return Err(unknown("function", name, known));
                }
            },
        };
        if function.params.len() != arguments.len() {
            let message = format!(
                "function {name} has {} parameters, this call has {} arguments",
                function.params.len(),
                arguments.len()
            );
            return Err(Diagnostic::new(name.span, message).label("called here").help("give one for each"));
        }
        let mut bound = Vec::new();
        for ((ty, param), argument) in function.params.iter().zip(arguments) {
            let ty = self.named_type(ty, module)?;
            bound.push((param.text.clone(), self.value_of(argument, ty, scope)?));
        }
        match member {
            Some(member) => self.carried_out(function, module, member, bound, span, scope),
            None => self.global_call(function, module, bound, span, scope),
        }
    }

    /// A function of a net: it sees nothing of a transition.
    fn global_call(
        &mut self,
        function: &'a ast::Function,
        module: ModuleIdx,
        arguments: Vec<(String, Expr)>,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let ty = self.named_type(&function.ty, module)?;
        if let Some(value) = self.modules[module.index()].overridden.get(&function.name.text) {
            return Ok(Expr { kind: ExprKind::Const(Value::Int(*value)), ty, span });
        }
        let members = std::mem::take(&mut scope.members);
        let result = self.carried_out(function, module, 0, arguments, span, scope);
        scope.members = members;
        result
    }

    /// The body of a function in place of its call.
    fn carried_out(
        &mut self,
        function: &'a ast::Function,
        module: ModuleIdx,
        member: usize,
        arguments: Vec<(String, Expr)>,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        if scope.depth >= MAX_CALLS {
            let message = format!("functions in functions deeper than {MAX_CALLS} times");
            return Err(Diagnostic::new(span, message)
                .label(format!("function {}", function.name))
                .help("a function cannot use itself"));
        }
        let ty = self.named_type(&function.ty, module)?;
        scope.apart(module, member, arguments, |scope| self.value_of(&function.body, ty, scope))
    }

    /// `T x ! (condition)`: a variable that takes any value for which the condition holds.
    pub(super) fn output(
        &mut self,
        ty: &Name,
        name: Option<&'a Name>,
        condition: Option<&'a Formula>,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        if scope.members.is_empty() {
            return Err(Diagnostic::new(span, "only transitions have output variables")
                .label("an output variable")
                .help("write a value"));
        }
        let ty_idx = self.named_type(ty, scope.module)?;
        if let Some(name) = name {
            if let Some(Local::Variable(var)) = scope.of_transition(&name.text)
                && scope.picks.iter().any(|pick| pick.var == var)
            {
                return Ok(variable(var, span, scope));
            }
            let var = self.add_output(ty_idx, name.clone(), condition, span, scope)?;
            return Ok(variable(var, span, scope));
        }
        let values = scope.quantified.iter().map(|quantified| quantified.value.clone()).collect();
        if let Some(&var) = scope.unnamed.get(&(span, values)) {
            return Ok(variable(var, span, scope));
        }
        let values = scope.quantified.iter().map(|quantified| quantified.value.clone()).collect();
        let name = Name { text: format!(":{}", scope.unnamed.len()), span };
        let var = self.add_output(ty_idx, name, condition, span, scope)?;
        scope.unnamed.insert((span, values), var);
        Ok(variable(var, span, scope))
    }

    /// Declares an output variable.
    pub(super) fn add_output(
        &mut self,
        ty: TypeIdx,
        name: Name,
        condition: Option<&'a Formula>,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<VarIdx> {
        if !matches!(self.types.cardinality(ty), Cardinality::Word(n_values) if n_values <= MAX_PICKED) {
            let message =
                format!("an output variable cannot take all the values of type {}", self.type_name(ty));
            return Err(Diagnostic::new(span, message)
                .label("too many values")
                .help(format!("give it a type of at most {MAX_PICKED} values")));
        }
        let key = name.text.clone();
        let declared = match scope.members[scope.current].locals.get(&key) {
            Some(Local::Variable(var)) => Some(*var),
            _ => None,
        };
        let var = declared.unwrap_or_else(|| scope.variable(name, ty));
        let current = scope.current;
        scope.members[current].locals.insert(key, Local::Variable(var));
        scope.picks.push(Iter { var, domain: IterDomain::Type(ty, None), span });
        if let Some(condition) = condition {
            let site = std::mem::replace(&mut scope.site, Site::Gate);
            let condition = self.truth(condition, scope);
            scope.site = site;
            scope.conditions.push(condition?);
        }
        Ok(var)
    }

    /// `.x`: the variable for the value of a quantified one.
    pub(super) fn indexed(
        &mut self,
        name: &Name,
        quantifier: Option<&Name>,
        which: Which,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        if let Some(var) = self.known_indexed(name, quantifier, which, scope) {
            return Ok(variable(var, span, scope));
        }
        let Some((ty, value)) = self.index_value(quantifier, which, scope) else {
            let message = match quantifier {
                Some(quantifier) => format!("no quantified variable {quantifier} around this"),
                None => "no quantified variable around this".to_owned(),
            };
            return Err(Diagnostic::new(span, message)
                .label("a variable for each of its values")
                .help("write it in the body of a quantifier, as in `T q: .x`"));
        };
        match hint {
            Some(hint) if scope.declares() => {
                let text = format!("{name}[{}]", self.types.show(ty, &value));
                let var = scope.variable(Name { text, span: name.span }, hint);
                let current = scope.current;
                scope.members[current].indexed.insert((name.text.clone(), ty, value), var);
                Ok(variable(var, span, scope))
            }
            _ => Err(Diagnostic::new(span, format!("the variable .{name} is not declared for this value"))
                .label("unknown variable")
                .help("an input arc with the same quantifier declares it")),
        }
    }

    pub(super) fn known_indexed(
        &self,
        name: &Name,
        quantifier: Option<&Name>,
        which: Which,
        scope: &Scope<'a>,
    ) -> Option<VarIdx> {
        let (ty, value) = self.index_value(quantifier, which, scope)?;
        let member = scope.members.get(scope.current)?;
        member.indexed.get(&(name.text.clone(), ty, value)).copied()
    }

    /// The value that an indexed variable belongs to, and its type.
    fn index_value(
        &self,
        quantifier: Option<&Name>,
        which: Which,
        scope: &Scope<'a>,
    ) -> Option<(TypeIdx, Value)> {
        let named = |quantified: &&super::scope::Quantified| {
            quantifier.is_none_or(|name| name.text == quantified.name)
        };
        let found = scope.quantified.iter().rev().find(named)?;
        let value = match which {
            Which::Same => found.value.clone(),
            Which::Previous => self.types.previous_value(found.ty, &found.value),
        };
        Some((found.ty, value))
    }
}

/// The use of a variable.
fn variable(var: VarIdx, span: Span, scope: &Scope<'_>) -> Expr {
    Expr { kind: ExprKind::Var(var), ty: scope.variables[var.index()].ty, span }
}
