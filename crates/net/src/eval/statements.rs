//! Calls of functions and their statements.

use super::{Evaluator, Flow, View, containers::replaced};
use crate::{Access, Expr, FuncIdx, RunError, RunErrorKind, Span, Stmt, Target, Value};

/// What a statement did.
enum Done {
    /// It ended; the next one runs.
    Next,
    /// It left the function with a value.
    Returned(Value),
}

impl Evaluator<'_> {
    pub(super) fn call(
        &mut self,
        function: FuncIdx,
        args: &[Expr],
        frame: &mut [Value],
        marking: View<'_>,
        span: Span,
    ) -> Result<Value, RunError> {
        let functions = self.functions;
        let function = &functions[function.index()];
        self.descend(function, span)?;
        let mut inner = self.all(args, frame, marking)?;
        let locals = &function.variables[function.n_params.min(function.variables.len())..];
        inner.extend(locals.iter().map(|local| self.types.first_value(local.ty)));
        self.calls += 1;
        let done = match &function.body {
            Some(body) => self.statement(body, &mut inner),
            None => Ok(Done::Next),
        };
        self.calls -= 1;
        match done? {
            Done::Returned(value) => Ok(value),
            Done::Next => {
                let function = function.name.text.clone();
                Err(RunError::new(RunErrorKind::NoReturn { function }, span))
            }
        }
    }

    fn statement(&mut self, statement: &Stmt, frame: &mut [Value]) -> Result<Done, RunError> {
        match statement {
            Stmt::Assign { target, value } => {
                let value = self.expr(value, frame, None)?;
                self.assign(target, value, frame)?;
            }
            Stmt::If { condition, then, otherwise } => {
                if self.expr(condition, frame, None)?.int() != 0 {
                    return self.statement(then, frame);
                } else if let Some(otherwise) = otherwise {
                    return self.statement(otherwise, frame);
                }
            }
            Stmt::Case { subject, alternatives, default } => {
                let subject = self.expr(subject, frame, None)?;
                if let Some((_, chosen)) = alternatives.iter().find(|(value, _)| *value == subject) {
                    return self.statement(chosen, frame);
                } else if let Some(default) = default {
                    return self.statement(default, frame);
                }
            }
            Stmt::While { condition, body, span } => {
                while self.expr(condition, frame, None)?.int() != 0 {
                    self.step(*span)?;
                    if let Done::Returned(value) = self.statement(body, frame)? {
                        return Ok(Done::Returned(value));
                    }
                }
            }
            Stmt::For { iters, body } => {
                let mut done = Done::Next;
                self.for_each(iters, frame, None, &mut |this, frame, _| {
                    done = this.statement(body, frame)?;
                    Ok(if matches!(done, Done::Next) { Flow::Continue } else { Flow::Stop })
                })?;
                return Ok(done);
            }
            Stmt::Return(value) => return Ok(Done::Returned(self.expr(value, frame, None)?)),
            Stmt::Assert(condition) => {
                if self.expr(condition, frame, None)?.int() == 0 {
                    return Err(RunError::new(RunErrorKind::AssertionFailed, condition.span));
                }
            }
            Stmt::Print(args) => {
                self.all(args, frame, None)?;
            }
            Stmt::Block(statements) => {
                for statement in statements {
                    if let Done::Returned(value) = self.statement(statement, frame)? {
                        return Ok(Done::Returned(value));
                    }
                }
            }
        }
        Ok(Done::Next)
    }

    fn assign(&mut self, target: &Target, value: Value, frame: &mut [Value]) -> Result<(), RunError> {
        let whole = frame[target.var.index()].clone();
        frame[target.var.index()] = self.assigned(&whole, &target.path, value, target.span, frame)?;
        Ok(())
    }

    /// A composite value with the part at the end of `path` replaced.
    fn assigned(
        &mut self,
        whole: &Value,
        path: &[Access],
        value: Value,
        span: Span,
        frame: &mut [Value],
    ) -> Result<Value, RunError> {
        let Some((access, rest)) = path.split_first() else { return Ok(value) };
        let at = match access {
            Access::Component(position) => *position as usize,
            Access::Element(ty, indices) => self.position(*ty, whole, indices, frame, None, span)?,
        };
        let part = self.assigned(&whole.items()[at], rest, value, span, frame)?;
        Ok(replaced(whole, at, part))
    }
}
