//! Typing of expressions: the choice by form, names, signs and conditionals.

use petite_net::{BinaryOp, Expr, ExprKind, Kind, Span, TypeIdx, UnaryOp, Value};

use super::names::Space;
use super::scope::{Context, Role, Scope};
use super::{Elab, Elaborator, Failed, Typed};
use crate::Diagnostic;
use crate::helena::ast;
use crate::nearest::nearest;

impl Elaborator<'_> {
    /// A typed expression. The expected type decides what literals are; the result may be of another type.
    pub(super) fn expr(
        &mut self,
        expr: &ast::Expr,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Number(number) => Ok(self.number(*number, span)),
            ast::ExprKind::Name(name) => self.name(name, span, expected, scope),
            ast::ExprKind::Call(name, args) => self.call_or_cast(name, args, span, scope),
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span, expected, scope),
            ast::ExprKind::Chain(first, rest) => self.chain(first, rest, span, expected, scope),
            ast::ExprKind::If(parts) => self.conditional(parts, span, expected, scope),
            ast::ExprKind::Struct(items) => self.struct_literal(items, span, expected, scope),
            ast::ExprKind::Vector(items) => self.vector_literal(items, span, expected, scope),
            ast::ExprKind::Container(items) => self.container_literal(items, span, expected, scope),
            ast::ExprKind::Empty => self.container_literal(&[], span, expected, scope),
            ast::ExprKind::Field(whole, field) => self.field(whole, field, span, scope),
            ast::ExprKind::WithField(whole, field, part) => {
                self.with_field(whole, field, part, span, expected, scope)
            }
            ast::ExprKind::Element(whole, indices) => self.element_of(whole, indices, span, scope),
            ast::ExprKind::WithElement(whole, indices, part) => {
                self.with_element(whole, indices, part, span, expected, scope)
            }
            ast::ExprKind::Slice(parts) => self.slice(parts, span, expected, scope),
            ast::ExprKind::Component(token, number) => self.component(token, *number, span, scope),
            ast::ExprKind::Attribute(whole, attribute) => self.attribute(whole, attribute, span, scope),
            ast::ExprKind::Iterate { fold, iters, condition, body } => {
                self.iterate(*fold, iters, condition.as_deref(), body.as_deref(), span, expected, scope)
            }
        }
    }

    /// A number that adapts to what is wanted.
    pub(super) fn number(&self, number: i64, span: Span) -> Typed {
        let expr = Expr { kind: ExprKind::Const(Value::Int(number)), ty: self.int, span };
        Typed { expr, flexible: true }
    }

    /// A count that adapts to what is wanted.
    pub(super) fn count(&self, kind: ExprKind, span: Span) -> Typed {
        Typed { expr: Expr { kind, ty: self.int, span }, flexible: true }
    }

    fn name(&mut self, name: &str, span: Span, expected: Option<TypeIdx>, scope: &mut Scope) -> Elab<Typed> {
        if let Some((var, role)) = scope.find(name) {
            if role == Role::Token {
                let message = format!("{name} is a whole token of a place");
                return self.fail(
                    Diagnostic::new(span, message)
                        .label("expected a component of it")
                        .help(format!("write {name}->1 for its first component")),
                );
            }
            return Ok(Typed::fixed(ExprKind::Var(var), scope.ty(var), span));
        }
        if let Some(constant) = self.names.index(Space::Constant, name) {
            let constant = &self.constants[constant];
            return Ok(Typed::fixed(ExprKind::Const(constant.value.clone()), constant.ty, span));
        }
        let constants = self.names.enum_constants(name);
        let wanted = expected.map(|ty| self.types.root(ty));
        let chosen = match constants.iter().find(|(ty, _)| Some(*ty) == wanted) {
            Some(found) => Some(*found),
            None if constants.len() == 1 => constants.first().copied(),
            None => None,
        };
        if let Some((ty, position)) = chosen {
            return Ok(Typed::fixed(ExprKind::Const(Value::Int(position)), ty, span));
        }
        if let [(first, _), ..] = constants {
            let types: Vec<&str> = constants.iter().map(|(ty, _)| self.type_name(*ty)).collect();
            let types = types.join(", ");
            if let Some(wanted) = expected {
                let wanted = self.type_name(wanted);
                let message = format!("expected a value of type {wanted}, found the constant {name}");
                let label = format!("this is of the types {types}");
                return self.fail(Diagnostic::new(span, message).label(label));
            }
            let message = format!("{name} may be of the types {types}");
            let help = format!("write the type, as in {}({name})", self.type_name(*first));
            return self.fail(Diagnostic::new(span, message).label("which one is meant?").help(help));
        }
        self.unknown_value(name, span, scope)
    }

    fn unknown_value<T>(&mut self, name: &str, span: Span, scope: &Scope) -> Elab<T> {
        if self.names.is_broken_value(name) {
            return Err(Failed);
        }
        let candidates =
            scope.names().chain(self.names.all(Space::Constant)).chain(self.names.all_enum_constants());
        let near = nearest(name, candidates).map(|near| format!("did you mean {near}?"));
        let is_place = self.names.index(Space::Place, name).is_some();
        let (message, label, help) = match &scope.context {
            Context::Static(what) => (
                format!("{what} cannot depend on {name}"),
                "no constant or parameter",
                "expected only constants, parameters and functions of them: it is evaluated while the model \
                 is read",
            ),
            Context::Transition(transition) => (
                format!(
                    "transition {transition} cannot be evaluated: variable {name} is used but no input arc or \
                     pick defines it"
                ),
                "not defined",
                "a variable is defined where it stands alone as a component of an input token without `for` \
                 and `if`",
            ),
            Context::Function => (
                format!("there is no variable or constant {name}"),
                "unknown name",
                "a function sees its parameters, its local variables and constants defined before it",
            ),
            Context::Proposition if is_place => (
                format!("{name} is a place"),
                "expected a value",
                "ask for its tokens with 'card, 'mult, or iterate over them",
            ),
            Context::Proposition => (
                format!("there is no variable or constant {name}"),
                "unknown name",
                "a proposition sees constants and its iteration variables",
            ),
        };
        self.fail(Diagnostic::new(span, message).label(label).help(near.unwrap_or_else(|| help.to_owned())))
    }

    fn unary(
        &mut self,
        op: ast::UnaryOp,
        operand: &ast::Expr,
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let op = match op {
            ast::UnaryOp::Not => {
                let operand = self.converted(operand, self.bool, scope)?;
                return Ok(Typed::fixed(unary(UnaryOp::Not, operand), self.bool, span));
            }
            ast::UnaryOp::Plus => {
                let mut typed = self.expr(operand, expected, scope)?;
                self.must_be_numeric(&typed, "+")?;
                typed.expr.span = span;
                return Ok(typed);
            }
            ast::UnaryOp::Minus => {
                let typed = self.expr(operand, expected, scope)?;
                self.must_be_numeric(&typed, "-")?;
                return Ok(self.negated(typed, span, expected));
            }
            ast::UnaryOp::Succ => UnaryOp::Succ,
            ast::UnaryOp::Pred => UnaryOp::Pred,
        };
        let typed = self.expr(operand, expected, scope)?;
        if !self.types.is_discrete(typed.expr.ty) {
            let message = format!("type {} has no order of values", self.type_name(typed.expr.ty));
            return self.fail(
                Diagnostic::new(operand.span, message)
                    .label("expected a discrete value")
                    .help("succ and pred go from one value of a discrete type to the next"),
            );
        }
        // A flexible number becomes one of the type that is wanted, where it may wrap around.
        let ty = match expected {
            Some(wanted) if typed.flexible && self.is_numeric(wanted) => self.types.root(wanted),
            _ => self.types.root(typed.expr.ty),
        };
        Ok(Typed::fixed(unary(op, typed.expr), ty, span))
    }

    fn negated(&self, typed: Typed, span: Span, expected: Option<TypeIdx>) -> Typed {
        let Typed { expr, flexible } = typed;
        let ty = self.types.root(expr.ty);
        if flexible && let ExprKind::Const(Value::Int(number)) = expr.kind {
            let negative = self.number(-number, span);
            return self.flexible_result(negative, expected);
        }
        let kind = unary(UnaryOp::Neg, expr);
        self.flexible_result(Typed { expr: Expr { kind, ty, span }, flexible }, expected)
    }

    /// The result of arithmetic on flexible numbers alone: where a modulo type is wanted, it is brought into it.
    pub(super) fn flexible_result(&self, mut typed: Typed, expected: Option<TypeIdx>) -> Typed {
        let Some(wanted) = expected.map(|ty| self.types.root(ty)).filter(|_| typed.flexible) else {
            return typed;
        };
        if let Kind::Modulo { modulus } = self.kind_of(wanted) {
            if let ExprKind::Const(Value::Int(number)) = &mut typed.expr.kind {
                *number = number.rem_euclid(*modulus);
            }
            typed.expr.ty = wanted;
            typed.flexible = false;
        }
        typed
    }

    pub(super) fn must_be_numeric(&mut self, typed: &Typed, sign: &str) -> Elab<()> {
        if self.is_numeric(typed.expr.ty) {
            return Ok(());
        }
        let found = self.type_name(typed.expr.ty);
        let message = format!("operator {sign} needs a number, and this is of type {found}");
        self.fail(Diagnostic::new(typed.expr.span, message).label("expected a number"))
    }

    fn conditional(
        &mut self,
        parts: &[ast::Expr; 3],
        span: Span,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        let [condition, then, otherwise] = parts;
        let condition = self.converted(condition, self.bool, scope)?;
        let (then, otherwise) = self.pair(then, otherwise, expected, scope)?;
        let Some((mut ty, flexible)) = self.common(&then, &otherwise) else {
            return self.different_types("the branches of a condition", &then, &otherwise, span);
        };
        if then.expr.ty == otherwise.expr.ty {
            ty = then.expr.ty;
        }
        let kind = ExprKind::If(Box::new(condition), Box::new(then.expr), Box::new(otherwise.expr));
        Ok(Typed { expr: Expr { kind, ty, span }, flexible })
    }

    /// Two expressions that should be of one type, the one whose type can be told first.
    pub(super) fn pair(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        expected: Option<TypeIdx>,
        scope: &mut Scope,
    ) -> Elab<(Typed, Typed)> {
        if self.hint(left, scope).is_none() && self.hint(right, scope).is_some() {
            let right = self.expr(right, expected, scope)?;
            let left = self.expr(left, Some(right.expr.ty), scope)?;
            return Ok((left, right));
        }
        let left = self.expr(left, expected, scope)?;
        let right = self.expr(right, expected.or(Some(left.expr.ty)), scope)?;
        Ok((left, right))
    }

    pub(super) fn different_types<T>(
        &mut self,
        what: &str,
        left: &Typed,
        right: &Typed,
        span: Span,
    ) -> Elab<T> {
        let (l, r) = (self.type_name(left.expr.ty), self.type_name(right.expr.ty));
        let message = format!("{what} are of the types {l} and {r}");
        let mut diagnostic = Diagnostic::new(span, message).label("expected one type");
        if self.is_numeric(left.expr.ty) && self.is_numeric(right.expr.ty) {
            diagnostic = diagnostic.help(format!("cast one of them, as in {l}(...)"));
        }
        self.fail(diagnostic)
    }
}

fn unary(op: UnaryOp, operand: Expr) -> ExprKind {
    ExprKind::Unary(op, Box::new(operand))
}

/// An operator between two expressions, spanning both.
pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr, ty: TypeIdx) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
}
