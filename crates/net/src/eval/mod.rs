//! Evaluation of expressions, functions and arc inscriptions.
//!
//! The evaluator walks the typed tree. Engines evaluate each binding once and remember the outcome, so its
//! speed decides little; that it ends on every model does. Recursion is bounded by the native stack
//! ([`crate::on_large_stack`]), loops by a number of steps.

mod containers;
mod iterate;
mod numbers;
mod statements;

use crate::{
    BinaryOp, Expr, ExprKind, Function, Kind, Marking, MultiSet, RunError, RunErrorKind, Sign, Span, Term,
    TypeIdx, Types, UnaryOp, Value, stack,
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
        self.steps = MAX_STEPS;
        self.expr(expr, frame, marking)
    }

    /// Whether a truth-valued expression holds.
    ///
    /// # Errors
    /// As [`Evaluator::eval`].
    pub fn holds(&mut self, expr: &Expr, frame: &mut [Value], marking: View<'_>) -> Result<bool, RunError> {
        Ok(self.eval(expr, frame, marking)?.int() != 0)
    }

    /// The multi-set that a sum of terms stands for.
    ///
    /// # Errors
    /// As [`Evaluator::eval`]; also a negative factor, a multiplicity beyond 32 bits, or more tokens taken away
    /// than added.
    pub fn terms(&mut self, terms: &[Term], frame: &mut [Value]) -> Result<MultiSet, RunError> {
        let mut tokens = Vec::new();
        for term in terms {
            self.term(term, frame, &mut |token, count| {
                let count = i64::from(count);
                tokens.push((token, if term.sign == Sign::Minus { -count } else { count }));
                Ok(())
            })?;
        }
        // In ascending order each token is added behind the others, however many there are.
        tokens.sort_unstable();
        let mut sum = MultiSet::new();
        for same in tokens.chunk_by(|a, b| a.0 == b.0) {
            let token = same[0].0.clone();
            let count = same.iter().fold(0i64, |sum, (_, count)| sum.saturating_add(*count));
            if u32::try_from(count).map(|count| sum.add(token, count)) != Ok(Ok(())) {
                return Err(self.no_multiplicity(terms, &same[0].0, count));
            }
        }
        Ok(sum)
    }

    /// A token cannot occur so often in the sum of terms.
    #[cold]
    fn no_multiplicity(&self, terms: &[Term], token: &Value, count: i64) -> RunError {
        let first = &terms[0];
        let span = terms.iter().fold(first.span, |span, term| span.to(term.span));
        if count > 0 {
            return RunError::new(RunErrorKind::Overflow, span);
        }
        let token = self.types.show(first.token.ty, token);
        RunError::new(RunErrorKind::NegativeSum { token, count }, span)
    }

    /// Calls `each` with the tokens that one term stands for, whatever its sign.
    ///
    /// # Errors
    /// As [`Evaluator::terms`], or what `each` gives.
    pub fn term(
        &mut self,
        term: &Term,
        frame: &mut [Value],
        each: &mut dyn FnMut(Value, u32) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        self.combinations(term, frame, &mut |this, frame, count| {
            each(this.expr(&term.token, frame, None)?, count)
        })
    }

    /// Calls `each` for every combination of a term's iteration variables that satisfies its condition, with
    /// the frame that holds them and the term's multiplicity.
    ///
    /// # Errors
    /// As [`Evaluator::terms`], or what `each` gives.
    pub fn combinations(
        &mut self,
        term: &Term,
        frame: &mut [Value],
        each: &mut EachCombination<'_, 'a>,
    ) -> Result<(), RunError> {
        self.steps = MAX_STEPS;
        self.for_each(&term.iters, frame, None, &mut |this, frame, _| {
            if let Some(condition) = &term.condition
                && this.expr(condition, frame, None)?.int() == 0
            {
                return Ok(Flow::Continue);
            }
            let count = this.factor(term, frame)?;
            each(this, frame, count)?;
            Ok(Flow::Continue)
        })?;
        Ok(())
    }

    /// The multiplicity of a term.
    fn factor(&mut self, term: &Term, frame: &mut [Value]) -> Result<u32, RunError> {
        let Some(expr) = &term.factor else { return Ok(1) };
        let factor = self.expr(expr, frame, None)?.int();
        if factor < 0 {
            return Err(RunError::new(RunErrorKind::NegativeFactor { factor }, expr.span));
        }
        u32::try_from(factor).map_err(|_| RunError::new(RunErrorKind::Overflow, expr.span))
    }

    fn expr(&mut self, expr: &Expr, frame: &mut [Value], marking: View<'_>) -> Result<Value, RunError> {
        self.step(expr.span)?;
        match &expr.kind {
            ExprKind::Const(value) => Ok(value.clone()),
            ExprKind::Var(var) => Ok(frame[var.index()].clone()),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                Ok(Value::bool(self.expr(operand, frame, marking)?.int() == 0))
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
