//! Multi-sets: sums of terms, differences, intersections and what is asked of them.

use super::{EachCombination, Evaluator, View};
use crate::eval::iterate::Flow;
use crate::{BagExpr, BagTest, Extreme, MultiSet, RunError, RunErrorKind, Sign, Term, Value};

/// Greatest number of 32 bits: the least multiplicity of nothing.
const MOST: i64 = u32::MAX as i64;

impl<'a> Evaluator<'a> {
    /// The multi-set that a sum of terms stands for.
    ///
    /// # Errors
    /// As [`Evaluator::eval`]; also a negative factor, a multiplicity beyond 32 bits, or more tokens taken away
    /// than added.
    pub fn terms(
        &mut self,
        terms: &[Term],
        frame: &mut [Value],
        marking: View<'_>,
    ) -> Result<MultiSet, RunError> {
        self.renew();
        self.sum(terms, frame, marking)
    }

    fn sum(&mut self, terms: &[Term], frame: &mut [Value], marking: View<'_>) -> Result<MultiSet, RunError> {
        let mut tokens = Vec::new();
        for term in terms {
            self.each(term, frame, marking, &mut |this, frame, count| {
                let token = this.expr(&term.token, frame, marking)?;
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
        self.renew();
        self.each(term, frame, None, each)
    }

    fn each(
        &mut self,
        term: &Term,
        frame: &mut [Value],
        marking: View<'_>,
        each: &mut EachCombination<'_, 'a>,
    ) -> Result<(), RunError> {
        self.for_each(&term.iters, frame, marking, &mut |this, frame, times| {
            if let Some(condition) = &term.condition
                && this.expr(condition, frame, marking)?.int() == 0
            {
                return Ok(Flow::Continue);
            }
            let count = this.factor(term, frame, times, marking)?;
            each(this, frame, count)?;
            Ok(Flow::Continue)
        })?;
        Ok(())
    }

    /// The multiplicity of a term, for a combination of items that are there so many times.
    fn factor(
        &mut self,
        term: &Term,
        frame: &mut [Value],
        times: u64,
        marking: View<'_>,
    ) -> Result<u32, RunError> {
        let (factor, span) = match &term.factor {
            None => (1, term.span),
            Some(expr) => (self.expr(expr, frame, marking)?.int(), expr.span),
        };
        if factor < 0 {
            return Err(RunError::new(RunErrorKind::NegativeFactor { factor }, span));
        }
        let product = (factor as u64).checked_mul(times).and_then(|product| u32::try_from(product).ok());
        product.ok_or_else(|| RunError::new(RunErrorKind::Overflow, span))
    }

    /// The value of a multi-set.
    pub(super) fn bag(
        &mut self,
        bag: &BagExpr,
        frame: &mut [Value],
        marking: View<'_>,
    ) -> Result<MultiSet, RunError> {
        match bag {
            BagExpr::Terms(terms) => self.sum(terms, frame, marking),
            BagExpr::Place(place) => {
                let mut tokens = MultiSet::new();
                if let Some(marking) = marking {
                    // A place holds no token more often than its count can say.
                    marking.tokens(*place, &mut |token, count| {
                        let _ = tokens.add(token.clone(), count);
                    });
                }
                Ok(tokens)
            }
            BagExpr::Minus(left, right) => {
                let (left, right) = (self.bag(left, frame, marking)?, self.bag(right, frame, marking)?);
                Ok(counted_by(&left, |item, count| count.saturating_sub(right.count(item))))
            }
            BagExpr::Intersection(left, right) => {
                let (left, right) = (self.bag(left, frame, marking)?, self.bag(right, frame, marking)?);
                Ok(counted_by(&left, |item, count| count.min(right.count(item))))
            }
        }
    }

    pub(super) fn compare(
        &mut self,
        test: BagTest,
        left: &BagExpr,
        right: &BagExpr,
        frame: &mut [Value],
        marking: View<'_>,
    ) -> Result<bool, RunError> {
        let (left, right) = (self.bag(left, frame, marking)?, self.bag(right, frame, marking)?);
        Ok(match test {
            BagTest::Equals => left == right,
            BagTest::Subset => left.iter().all(|(item, count)| right.count(item) >= count),
        })
    }

    pub(super) fn multiplicity(
        &mut self,
        extreme: Extreme,
        bag: &BagExpr,
        frame: &mut [Value],
        marking: View<'_>,
    ) -> Result<i64, RunError> {
        let bag = self.bag(bag, frame, marking)?;
        let counts = bag.iter().map(|(_, count)| i64::from(count));
        Ok(match extreme {
            Extreme::Greatest => counts.max().unwrap_or(0),
            Extreme::Least => counts.min().unwrap_or(MOST),
        })
    }
}

/// The items of a multi-set, each as often as a function of its count says.
fn counted_by(bag: &MultiSet, count: impl Fn(&Value, u32) -> u32) -> MultiSet {
    let mut result = MultiSet::new();
    for (item, there) in bag.iter() {
        // Counts only become less, so they fit.
        let _ = result.add(item.clone(), count(item, there));
    }
    result
}
