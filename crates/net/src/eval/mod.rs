//! Evaluation of expressions, functions and arc inscriptions.
//!
//! The evaluator walks the typed tree. Engines evaluate each binding once and remember the outcome, so its
//! speed decides little; that it ends on every model does. Recursion is bounded by the native stack
//! ([`crate::on_large_stack`]), loops by a number of steps.

mod bags;
mod cast;
mod containers;
mod iterate;
mod numbers;
mod statements;

use crate::{
    BinaryOp, Expr, ExprKind, Failure, Function, Kind, Marking, RunError, RunErrorKind, Span, TypeIdx, Types,
    UnaryOp, Value, stack,
};

pub use iterate::Flow;

/// Steps that one evaluation may take before it counts as endless: a second or two.
const MAX_STEPS: u64 = 50_000_000;

/// Calls that may be under way at once, whatever the stack would allow.
const MAX_CALLS: u32 = 1_000_000;

/// Evaluates expressions of one net.
#[derive(Clone, Debug)]
pub struct Evaluator<'a> {
    types: &'a Types,
    functions: &'a [Function],
    /// Steps left for the evaluation under way.
    steps: u64,
    /// Calls under way.
    calls: u32,
}

/// What evaluation reads besides the expression: variables and, where allowed, the marking.
type View<'m> = Option<&'m dyn Marking>;

/// What is done with each combination of a term: it sees the evaluator, the frame with the iteration variables
/// set, and the term's multiplicity.
pub type EachCombination<'e, 'a> =
    dyn FnMut(&mut Evaluator<'a>, &mut [Value], u32) -> Result<(), RunError> + 'e;

impl<'a> Evaluator<'a> {
    /// An evaluator of expressions over these types and functions.
    pub fn new(types: &'a Types, functions: &'a [Function]) -> Self {
        Evaluator { types, functions, steps: MAX_STEPS, calls: 0 }
    }

    /// The types that values are of.
    pub fn types(&self) -> &'a Types {
        self.types
    }

    /// The value of an expression; `frame` holds a value for every variable of its context.
    ///
    /// # Errors
    /// A run-time error of the model, with the place of the expression at fault.
    pub fn eval(&mut self, expr: &Expr, frame: &mut [Value], marking: View<'_>) -> Result<Value, RunError> {
        self.renew();
        self.expr(expr, frame, marking)
    }

    /// Whether a truth-valued expression holds.
    ///
    /// # Errors
    /// As [`Evaluator::eval`].
    pub fn holds(&mut self, expr: &Expr, frame: &mut [Value], marking: View<'_>) -> Result<bool, RunError> {
        Ok(self.eval(expr, frame, marking)?.int() != 0)
    }

    /// Begins a new evaluation.
    fn renew(&mut self) {
        self.steps = MAX_STEPS;
    }

    fn expr(&mut self, expr: &Expr, frame: &mut [Value], marking: View<'_>) -> Result<Value, RunError> {
        self.step(expr.span)?;
        match &expr.kind {
            ExprKind::Const(value) => Ok(value.clone()),
            ExprKind::Var(var) => Ok(frame[var.index()].clone()),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                Ok(Value::bool(self.expr(operand, frame, marking)?.int() == 0))
            }
            ExprKind::Unary(op @ (UnaryOp::Next | UnaryOp::Previous), operand) => {
                let value = self.expr(operand, frame, marking)?;
                Ok(match op {
                    UnaryOp::Next => self.types.next_value(expr.ty, &value),
                    _ => self.types.previous_value(expr.ty, &value),
                })
            }
            ExprKind::Unary(op, operand) => {
                let value = self.expr(operand, frame, marking)?;
                self.unary(*op, value.int(), expr)
            }
            ExprKind::Binary(BinaryOp::And, left, right) => {
                if self.expr(left, frame, marking)?.int() == 0 {
                    return Ok(Value::bool(false));
                }
                self.expr(right, frame, marking)
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                if self.expr(left, frame, marking)?.int() != 0 {
                    return Ok(Value::bool(true));
                }
                self.expr(right, frame, marking)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.expr(left, frame, marking)?;
                let right = self.expr(right, frame, marking)?;
                self.binary(*op, &left, &right, expr)
            }
            ExprKind::If(condition, then, otherwise) => {
                let chosen = if self.expr(condition, frame, marking)?.int() != 0 { then } else { otherwise };
                self.expr(chosen, frame, marking)
            }
            ExprKind::Call(function, args) => self.call(*function, args, frame, marking, expr.span),
            ExprKind::Convert(operand) => {
                let value = self.expr(operand, frame, marking)?;
                self.check(expr.ty, value, expr.span)
            }
            ExprKind::Tuple(items) => self.tuple(items, expr, frame, marking),
            ExprKind::Seq(items) => {
                let items = self.all(items, frame, marking)?;
                self.sequence(expr.ty, items, expr.span)
            }
            ExprKind::Tagged(tag, content) => {
                Ok(Value::Tagged(*tag, self.expr(content, frame, marking)?.into()))
            }
            ExprKind::Component(operand, position) => {
                Ok(self.expr(operand, frame, marking)?.items()[*position as usize].clone())
            }
            ExprKind::WithComponent(operand, position, part) => {
                let whole = self.expr(operand, frame, marking)?;
                let part = self.expr(part, frame, marking)?;
                Ok(containers::replaced(&whole, *position as usize, part))
            }
            ExprKind::Element(operand, indices) => {
                let whole = self.expr(operand, frame, marking)?;
                let at = self.position(operand.ty, &whole, indices, frame, marking, expr.span)?;
                Ok(whole.items()[at].clone())
            }
            ExprKind::WithElement(operand, indices, part) => {
                let whole = self.expr(operand, frame, marking)?;
                let at = self.position(operand.ty, &whole, indices, frame, marking, expr.span)?;
                let part = self.expr(part, frame, marking)?;
                Ok(containers::replaced(&whole, at, part))
            }
            ExprKind::Slice(operand, from, to) => {
                let whole = self.expr(operand, frame, marking)?;
                let from = self.expr(from, frame, marking)?.int();
                let to = self.expr(to, frame, marking)?.int();
                self.slice(operand.ty, &whole, from, to, expr.span)
            }
            ExprKind::Attribute(attribute, operand) => {
                let whole = self.expr(operand, frame, marking)?;
                self.attribute(*attribute, operand.ty, &whole, expr.span)
            }
            ExprKind::Iterate { fold, iters, condition, body } => {
                self.fold(*fold, iters, condition.as_deref(), body.as_deref(), expr, frame, marking)
            }
            ExprKind::Cast(operand) => {
                let value = self.expr(operand, frame, marking)?;
                self.cast(operand.ty, expr.ty, value, expr.span)
            }
            ExprKind::Rank(operand) => {
                let value = self.expr(operand, frame, marking)?;
                match self.types.rank(operand.ty, &value) {
                    Some(rank) => Ok(counted(rank)),
                    None => Err(RunError::new(RunErrorKind::Overflow, expr.span)),
                }
            }
            ExprKind::Content(operand, tag) => {
                let value = self.expr(operand, frame, marking)?;
                self.content(operand.ty, &value, *tag, expr.span)
            }
            ExprKind::IsVariant(operand, tag) => {
                let value = self.expr(operand, frame, marking)?;
                Ok(Value::bool(matches!(value, Value::Tagged(is, _) if is == *tag)))
            }
            ExprKind::Insert(list, at, item) => {
                let whole = self.expr(list, frame, marking)?;
                let at = self.expr(at, frame, marking)?.int();
                let item = self.expr(item, frame, marking)?;
                self.insert(expr, &whole, at, item)
            }
            ExprKind::Remove(list, at, count) => {
                let whole = self.expr(list, frame, marking)?;
                let at = self.expr(at, frame, marking)?.int();
                let count = self.expr(count, frame, marking)?.int();
                containers::removed(&whole, at, count, expr.span)
            }
            ExprKind::Compare(test, left, right) => {
                Ok(Value::bool(self.compare(*test, left, right, frame, marking)?))
            }
            ExprKind::Multiplicity(extreme, bag) => {
                Ok(Value::Int(self.multiplicity(*extreme, bag, frame, marking)?))
            }
            ExprKind::Fail(failure) => Err(RunError::new(
                match failure {
                    Failure::Undefined => RunErrorKind::Undefined,
                    Failure::Fatal => RunErrorKind::Fatal,
                },
                expr.span,
            )),
            ExprKind::PlaceCard(place) => Ok(counted(marking.map_or(0, |marking| marking.card(*place)))),
            ExprKind::PlaceMult(place) => Ok(counted(marking.map_or(0, |marking| marking.mult(*place)))),
        }
    }

    fn all(
        &mut self,
        exprs: &[Expr],
        frame: &mut [Value],
        marking: View<'_>,
    ) -> Result<Vec<Value>, RunError> {
        exprs.iter().map(|expr| self.expr(expr, frame, marking)).collect()
    }

    fn tuple(
        &mut self,
        items: &[Expr],
        expr: &Expr,
        frame: &mut [Value],
        marking: View<'_>,
    ) -> Result<Value, RunError> {
        let mut items = self.all(items, frame, marking)?;
        if let Kind::Vector { indices, .. } = &self.types[expr.ty].kind
            && let Some(last) = items.last().cloned()
        {
            items.resize(self.types.vector_len(indices) as usize, last);
        }
        Ok(Value::Tuple(items.into()))
    }

    /// The value itself when it is of the type.
    fn check(&self, ty: TypeIdx, value: Value, span: Span) -> Result<Value, RunError> {
        if self.types.contains(ty, &value) {
            return Ok(value);
        }
        let declared = &self.types[ty];
        let range = if self.types.is_discrete(ty) {
            let (low, high) = self.types.bounds(ty);
            let show = |number| self.types.show(ty, &Value::Int(number));
            format!("{} .. {}", show(low), show(high))
        } else {
            "a part of it is out of range".to_owned()
        };
        let (value, ty) = (self.types.show(ty, &value), declared.name.text.clone());
        Err(RunError::new(RunErrorKind::OutOfRange { value, ty, range }, span))
    }

    /// What a variant of a union holds.
    fn content(&self, ty: TypeIdx, value: &Value, wanted: u32, span: Span) -> Result<Value, RunError> {
        match (value, &self.types[ty].kind) {
            (Value::Tagged(tag, content), _) if *tag == wanted => Ok((**content).clone()),
            (Value::Tagged(tag, _), Kind::Union { variants }) => {
                let name =
                    |tag: u32| variants.get(tag as usize).map_or(String::new(), |v| v.name.text.clone());
                let kind = RunErrorKind::WrongVariant { is: name(*tag), wanted: name(wanted) };
                Err(RunError::new(kind, span))
            }
            _ => unreachable!("a value that is no union where the type checker promised one"),
        }
    }

    fn step(&mut self, span: Span) -> Result<(), RunError> {
        if self.steps == 0 {
            return Err(RunError::new(RunErrorKind::TooLong { steps: MAX_STEPS }, span));
        }
        self.steps -= 1;
        Ok(())
    }

    /// Refuses to go deeper when the stack is used up.
    fn descend(&self, function: &Function, span: Span) -> Result<(), RunError> {
        if self.calls >= MAX_CALLS || !stack::has_room() {
            return Err(RunError::new(RunErrorKind::TooDeep { function: function.name.text.clone() }, span));
        }
        Ok(())
    }
}

/// A count as a value; counts beyond any number of a model stay the largest one.
fn counted(count: u64) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}
