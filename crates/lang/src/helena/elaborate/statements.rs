//! Statements of functions.

use petite_net::{Access, Expr, ExprKind, Name, Stmt, Target, TypeIdx};

use super::iterate::Domains;
use super::scope::{Context, Role, Scope};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::helena::ast;
use crate::nearest::nearest;

impl Elaborator<'_> {
    /// A statement of a function with this type of result.
    pub(super) fn statement(&mut self, stmt: &ast::Stmt, result: TypeIdx, scope: &mut Scope) -> Elab<Stmt> {
        match stmt {
            ast::Stmt::Assign { target, value } => {
                let (target, ty) = self.target(target, scope)?;
                let value = self.converted(value, ty, scope)?;
                Ok(Stmt::Assign { target, value })
            }
            ast::Stmt::If { condition, then, otherwise } => {
                let condition = self.converted(condition, self.bool, scope)?;
                let then = Box::new(self.statement(then, result, scope)?);
                let otherwise = match otherwise {
                    Some(otherwise) => Some(Box::new(self.statement(otherwise, result, scope)?)),
                    None => None,
                };
                Ok(Stmt::If { condition, then, otherwise })
            }
            ast::Stmt::Case { subject, alternatives, default } => {
                self.case(subject, alternatives, default.as_deref(), result, scope)
            }
            ast::Stmt::While { condition, body, span } => {
                let condition = self.converted(condition, self.bool, scope)?;
                let body = Box::new(self.statement(body, result, scope)?);
                Ok(Stmt::While { condition, body, span: *span })
            }
            ast::Stmt::For { iters, body } => {
                let mark = scope.mark();
                let done = self.iters(iters, Domains::Values, scope).and_then(|iters| {
                    let body = Box::new(self.statement(body, result, scope)?);
                    Ok(Stmt::For { iters, body })
                });
                scope.release(mark);
                done
            }
            ast::Stmt::Return(value) => Ok(Stmt::Return(self.converted(value, result, scope)?)),
            ast::Stmt::Assert(condition) => Ok(Stmt::Assert(self.converted(condition, self.bool, scope)?)),
            ast::Stmt::Print { format, args } => {
                let args = self.shown(args, scope)?;
                if let Some(format) = format {
                    self.format(format, args.len())?;
                }
                Ok(Stmt::Print(args))
            }
            ast::Stmt::Block { declarations, statements } => {
                let mark = scope.mark();
                let done = self.block(declarations, statements, result, scope, mark);
                scope.release(mark);
                done
            }
        }
    }

    fn block(
        &mut self,
        declarations: &[ast::Declaration],
        statements: &[ast::Stmt],
        result: TypeIdx,
        scope: &mut Scope,
        mark: usize,
    ) -> Elab<Stmt> {
        let mut done = Vec::new();
        for declaration in declarations {
            let (ty, name, value, role) = match declaration {
                ast::Declaration::Variable { ty, name, value } => (ty, name, value.as_ref(), Role::Local),
                ast::Declaration::Constant(ast::Constant { ty, name, value }) => {
                    (ty, name, Some(value), Role::Constant)
                }
            };
            if scope.declared_since(mark, &name.text) {
                return self.fail(
                    Diagnostic::new(name.span, format!("there is already a variable {name} in this block"))
                        .label("declared again")
                        .help("rename one of them"),
                );
            }
            let ty = self.type_named(ty)?;
            // A block inside a loop runs many times, so a variable is set on the way in even if no value is given.
            let value = match value {
                Some(value) => self.converted(value, ty, scope)?,
                None => Expr { kind: ExprKind::Const(self.first_value(ty)), ty, span: name.span },
            };
            let var = scope.declare(name, ty, role);
            done.push(Stmt::Assign { target: Target { var, path: Vec::new(), span: name.span }, value });
        }
        for statement in statements {
            done.push(self.statement(statement, result, scope)?);
        }
        Ok(Stmt::Block(done))
    }

    fn case(
        &mut self,
        subject: &ast::Expr,
        alternatives: &[(ast::Expr, ast::Stmt)],
        default: Option<&ast::Stmt>,
        result: TypeIdx,
        scope: &mut Scope,
    ) -> Elab<Stmt> {
        let typed = self.expr(subject, None, scope)?;
        let subject = typed.expr;
        let mut seen = std::collections::HashSet::new();
        let mut done = Vec::new();
        for (value, stmt) in alternatives {
            let mut static_scope = Scope::new(Context::Static("an alternative of a case"));
            let expr = self.comparable(value, subject.ty, &mut static_scope)?;
            let constant = self.evaluate(&expr, &static_scope)?;
            if !seen.insert(constant.clone()) {
                let shown = self.types.show(subject.ty, &constant);
                return self.fail(
                    Diagnostic::new(value.span, format!("there is already an alternative for {shown}"))
                        .label("never chosen")
                        .help("remove one of the two"),
                );
            }
            done.push((constant, self.statement(stmt, result, scope)?));
        }
        let default = match default {
            Some(default) => Some(Box::new(self.statement(default, result, scope)?)),
            None => None,
        };
        Ok(Stmt::Case { subject, alternatives: done, default })
    }

    /// What an assignment changes, and its type.
    fn target(&mut self, target: &ast::LValue, scope: &mut Scope) -> Elab<(Target, TypeIdx)> {
        let ast::LValue { variable, path, span } = target;
        let Some((var, role)) = scope.find(&variable.text) else {
            return self.no_target(variable, scope);
        };
        if role != Role::Local {
            let what = if role == Role::Constant { "a constant" } else { "an iteration variable" };
            return self.fail(
                Diagnostic::new(variable.span, format!("{variable} is {what}: it cannot be assigned"))
                    .label("not assignable")
                    .help("assign a variable of the function"),
            );
        }
        let mut ty = scope.ty(var);
        let mut steps = Vec::new();
        for access in path {
            match access {
                ast::Access::Field(field) => {
                    let (position, part) = self.field_of(ty, field)?;
                    steps.push(Access::Component(position));
                    ty = part;
                }
                ast::Access::Element(indices, span) => {
                    let (indices, part) = self.position(ty, indices, *span, *span, scope)?;
                    steps.push(Access::Element(ty, indices));
                    ty = part;
                }
            }
        }
        Ok((Target { var, path: steps, span: *span }, ty))
    }

    fn no_target<T>(&mut self, variable: &Name, scope: &Scope) -> Elab<T> {
        if self.names.is_constant(&variable.text) {
            return self.fail(
                Diagnostic::new(variable.span, format!("{variable} is a constant: it cannot be assigned"))
                    .label("not assignable")
                    .help("assign a variable of the function"),
            );
        }
        let help = match nearest(&variable.text, scope.names()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("declare it at the start of the block, as in `int {variable};`"),
        };
        self.fail(
            Diagnostic::new(variable.span, format!("there is no variable {variable}"))
                .label("unknown variable")
                .help(help),
        )
    }
}
