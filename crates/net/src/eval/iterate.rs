//! Iteration over types, places and containers.

use super::{Evaluator, View, counted};
use crate::{BinaryOp, Expr, Fold, Iter, IterDomain, RunError, RunErrorKind, Value};

/// Whether an iteration goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// With the next combination.
    Continue,
    /// Not at all.
    Stop,
}

/// What is done with each combination: it sees the evaluator, the frame with the iteration variables set, and
/// the product of the multiplicities of the tokens iterated over.
pub(super) type Body<'b, 'a> =
    dyn FnMut(&mut Evaluator<'a>, &mut [Value], u64) -> Result<Flow, RunError> + 'b;

impl<'a> Evaluator<'a> {
    /// Calls `body` for every combination of the iteration variables, in order.
    pub(super) fn for_each(
        &mut self,
        iters: &[Iter],
        frame: &mut [Value],
        marking: View<'_>,
        body: &mut Body<'_, 'a>,
    ) -> Result<Flow, RunError> {
        self.nest(iters, frame, marking, 1, body)
    }

    /// The values that one iteration variable or pick may take now, each with the multiplicity of its token.
    ///
    /// # Errors
    /// As [`Evaluator::eval`].
    pub fn domain(
        &mut self,
        iter: &Iter,
        frame: &mut [Value],
        marking: View<'_>,
    ) -> Result<Vec<(Value, u64)>, RunError> {
        let mut values = Vec::new();
        self.nest(std::slice::from_ref(iter), frame, marking, 1, &mut |_, frame, count| {
            values.push((frame[iter.var.index()].clone(), count));
            Ok(Flow::Continue)
        })?;
        Ok(values)
    }

    fn nest(
        &mut self,
        iters: &[Iter],
        frame: &mut [Value],
        marking: View<'_>,
        count: u64,
        body: &mut Body<'_, 'a>,
    ) -> Result<Flow, RunError> {
        let Some((iter, rest)) = iters.split_first() else { return body(self, frame, count) };
        let mut visit = |this: &mut Self, frame: &mut [Value], value: Value, times: u64| {
            this.step(iter.span)?;
            frame[iter.var.index()] = value;
            this.nest(rest, frame, marking, count.saturating_mul(times), body)
        };
        match &iter.domain {
            IterDomain::Type(ty, None) if !self.types.is_discrete(*ty) => {
                let types = self.types;
                let Some(values) = types.values(*ty) else {
                    return Err(RunError::new(RunErrorKind::TooLong { steps: u64::MAX }, iter.span));
                };
                for value in values {
                    if visit(self, frame, value, 1)? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
            }
            IterDomain::Bag(bag) => {
                let bag = self.bag(bag, frame, marking)?;
                for (item, times) in bag.iter() {
                    if visit(self, frame, item.clone(), u64::from(times))? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
            }
            IterDomain::Type(ty, bounds) => {
                let (mut low, mut high) = self.types.bounds(*ty);
                if let Some(range) = bounds {
                    low = low.max(self.expr(&range.0, frame, marking)?.int());
                    high = high.min(self.expr(&range.1, frame, marking)?.int());
                }
                for number in low..=high {
                    if self.types.contains_int(*ty, number)
                        && visit(self, frame, Value::Int(number), 1)? == Flow::Stop
                    {
                        return Ok(Flow::Stop);
                    }
                }
            }
            IterDomain::Place(place) => {
                let mut tokens = Vec::new();
                if let Some(marking) = marking {
                    marking
                        .tokens(*place, &mut |token, times| tokens.push((token.clone(), u64::from(times))));
                }
                for (token, times) in tokens {
                    if visit(self, frame, token, times)? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
            }
            IterDomain::Container(container) => {
                let container = self.expr(container, frame, marking)?;
                for item in container.items() {
                    if visit(self, frame, item.clone(), 1)? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
            }
        }
        Ok(Flow::Continue)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one expression and its context")]
    pub(super) fn fold(
        &mut self,
        fold: Fold,
        iters: &[Iter],
        condition: Option<&Expr>,
        body: Option<&Expr>,
        expr: &Expr,
        frame: &mut [Value],
        marking: View<'_>,
    ) -> Result<Value, RunError> {
        let mut count = 0u64;
        let mut found = false;
        let mut all = true;
        let mut result: Option<Value> = None;
        self.for_each(iters, frame, marking, &mut |this, frame, times| {
            if let Some(condition) = condition
                && this.expr(condition, frame, marking)?.int() == 0
            {
                return Ok(Flow::Continue);
            }
            found = true;
            count = count.saturating_add(if fold == Fold::Mult { times } else { 1 });
            let Some(body) = body else {
                return Ok(if fold == Fold::Exists { Flow::Stop } else { Flow::Continue });
            };
            let value = this.expr(body, frame, marking)?;
            if fold == Fold::Forall {
                all &= value.int() != 0;
                return Ok(if all { Flow::Continue } else { Flow::Stop });
            }
            result = Some(match (&result, fold) {
                (None, _) => value,
                (Some(so_far), Fold::Sum) => this.binary(BinaryOp::Add, so_far, &value, expr)?,
                (Some(so_far), Fold::Product) => this.binary(BinaryOp::Mul, so_far, &value, expr)?,
                (Some(so_far), Fold::Max) if so_far.int() >= value.int() => so_far.clone(),
                (Some(so_far), Fold::Min) if so_far.int() <= value.int() => so_far.clone(),
                _ => value,
            });
            Ok(Flow::Continue)
        })?;
        Ok(match fold {
            Fold::Forall => Value::bool(all),
            Fold::Exists => Value::bool(found),
            Fold::Card | Fold::Mult => counted(count),
            Fold::Sum => result.unwrap_or(Value::Int(0)),
            Fold::Product => result.unwrap_or(Value::Int(1)),
            Fold::Min | Fold::Max => {
                result.ok_or_else(|| RunError::new(RunErrorKind::EmptyFold, expr.span))?
            }
        })
    }
}
