//! The summands of multi-sets.
//!
//! A tuple of sums is the sum of all tuples, so `(all, x)` and `(a + b, x)` come out as sums as well.

use petite_net::{
    BinaryOp, Expr, ExprKind, Iter, IterDomain, Kind, Name, Sign, Span, TypeIdx, UnaryOp, VarIdx, Variable,
};

use super::Failed;
use super::lower::{Lowering, MAX_DEPTH, MAX_TOKENS, Summand, binary, constant, n_values};
use super::sorts::Constant;
use super::terms::{Op, TermId};

/// Most summands of one inscription.
const MAX_SUMMANDS: usize = 1 << 20;

impl<'d> Lowering<'_, 'd, '_> {
    /// The summands of a multi-set. Sums and multiples are taken apart on a list of work to do, because some
    /// tools nest them thousands deep.
    pub(super) fn sum(&mut self, term: TermId, depth: usize) -> Result<Vec<Summand>, Failed> {
        let document = self.document;
        let terms = &document.terms;
        let mut summands = Vec::new();
        let mut work = vec![(term, Sign::Plus, 1u32)];
        while let Some((term, sign, factor)) = work.pop() {
            let start = work.len();
            let span = terms.span(term);
            match terms.op(term) {
                Op::Add => work.extend(terms.children(term).map(|child| (child, sign, factor))),
                Op::Subtract => {
                    for (i, child) in terms.children(term).enumerate() {
                        work.push((child, if i == 0 { sign } else { flipped(sign) }, factor));
                    }
                }
                Op::NumberOf | Op::ScalarProduct => {
                    let children: Vec<TermId> = terms.children(term).collect();
                    let (number, multiple) = match children.as_slice() {
                        [multiple] => (1, *multiple),
                        [number, multiple] => match terms.op(*number) {
                            Op::Number(number) => (*number, *multiple),
                            _ => {
                                let message = "expected a number constant in front of a token";
                                return self.fail(terms.span(*number), message, "not supported");
                            }
                        },
                        _ => return self.fail(span, "expected a number and a token", "wrong operands"),
                    };
                    let Some(factor) = factor.checked_mul(number) else {
                        return self.fail(span, "more than 4294967295 tokens of one value", "too many");
                    };
                    work.push((multiple, sign, factor));
                }
                Op::Empty => {}
                _ => {
                    for summand in self.element(term, depth)? {
                        let Some(factor) = summand.factor.checked_mul(factor) else {
                            return self.fail(span, "more than 4294967295 tokens of one value", "too many");
                        };
                        let sign = if sign == Sign::Plus { summand.sign } else { flipped(summand.sign) };
                        summands.push(Summand { sign, factor, ..summand });
                    }
                    if summands.len() > MAX_SUMMANDS {
                        return self.fail(span, "this sum has too many parts", "too large");
                    }
                }
            }
            // What was put on the list last comes first.
            work[start..].reverse();
        }
        Ok(summands)
    }

    /// The summands of a tuple or of a single value.
    pub(super) fn element(&mut self, term: TermId, depth: usize) -> Result<Vec<Summand>, Failed> {
        let document = self.document;
        let terms = &document.terms;
        let span = terms.span(term);
        if depth > MAX_DEPTH {
            return self.fail(span, "terms are nested too deeply", "too deep");
        }
        let one = |leaves| Summand { sign: Sign::Plus, factor: 1, iters: Vec::new(), leaves, span };
        match terms.op(term) {
            Op::Dot => Ok(vec![one(Vec::new())]),
            Op::Variable(id) => Ok(vec![one(self.variable(id, span)?)]),
            Op::All => {
                let mut all = one(Vec::new());
                let leaves = self.all(term)?;
                self.expand(leaves.len(), span)?;
                for (whole, ty) in leaves {
                    let leaf = self.iterate(&mut all.iters, whole, ty, span);
                    all.leaves.push(leaf);
                }
                self.check_size(&all)?;
                Ok(vec![all])
            }
            Op::Constant(id) => match self.sorts.constant(id, span)? {
                Constant::Value(ty, value) => Ok(vec![one(vec![constant(value, ty, span)])]),
                Constant::Part(ty, _, lookup) => {
                    let mut all = one(Vec::new());
                    let leaf = self.iterate(&mut all.iters, lookup.whole, ty, span);
                    all.leaves.push(leaf);
                    Ok(vec![all])
                }
            },
            Op::Successor | Op::Predecessor => {
                let operand = self.only_operand(term)?;
                let mut summands = self.element(operand, depth + 1)?;
                for summand in &mut summands {
                    let [leaf] = summand.leaves.as_mut_slice() else {
                        return self.fail(span, "only single values have a successor", "of a tuple");
                    };
                    let operand = leaf.clone();
                    *leaf = self.neighbour(operand, *terms.op(term) == Op::Successor, span);
                }
                Ok(summands)
            }
            Op::Tuple => {
                let mut tuples = vec![one(Vec::new())];
                for child in terms.children(term) {
                    let parts = self.sum(child, depth + 1)?;
                    tuples = self.product(tuples, &parts)?;
                }
                Ok(tuples)
            }
            Op::Add | Op::Subtract | Op::NumberOf | Op::ScalarProduct | Op::Empty => self.sum(term, depth),
            _ => Ok(vec![one(vec![self.scalar(term, depth)?])]),
        }
    }

    /// All tuples of one part from the left and one from the right.
    fn product(&mut self, left: Vec<Summand>, right: &[Summand]) -> Result<Vec<Summand>, Failed> {
        let width = |summands: &[Summand]| summands.first().map_or(0, |summand| summand.leaves.len());
        let width = width(&left).saturating_add(width(right)).max(1);
        if left.len() > 1 || right.len() > 1 {
            let span = right.first().map_or(Span::default(), |summand| summand.span);
            self.expand(left.len().saturating_mul(right.len()).saturating_mul(width), span)?;
        }
        let mut all = Vec::with_capacity(left.len() * right.len());
        for left in left {
            for right in right {
                let mut both = left.clone();
                both.sign = if right.sign == Sign::Plus { left.sign } else { flipped(left.sign) };
                let Some(factor) = left.factor.checked_mul(right.factor) else {
                    return self.fail(right.span, "more than 4294967295 tokens of one value", "too many");
                };
                both.factor = factor;
                both.iters.extend_from_slice(&right.iters);
                both.leaves.extend_from_slice(&right.leaves);
                self.check_size(&both)?;
                all.push(both);
            }
        }
        Ok(all)
    }

    fn check_size(&mut self, summand: &Summand) -> Result<(), Failed> {
        let size = |iter: &Iter| match iter.domain {
            IterDomain::Type(ty, _) => n_values(self.sorts, ty),
            _ => 1,
        };
        let n_tokens = summand.iters.iter().map(size).fold(1, u64::saturating_mul);
        if n_tokens.saturating_mul(summand.leaves.len().max(1) as u64) > MAX_TOKENS {
            return self.fail(summand.span, "this stands for too many tokens", "too many");
        }
        Ok(())
    }

    /// The types behind the sort of an `<all>`: each with the one that it is iterated over.
    fn all(&mut self, term: TermId) -> Result<Vec<(TypeIdx, TypeIdx)>, Failed> {
        let sort = self.only_operand(term)?;
        if let Op::UserSort(id) = self.document.terms.op(sort)
            && let Some(part) = self.sorts.part(id)
        {
            return Ok(vec![part]);
        }
        Ok(self.sorts.leaves(sort)?.iter().map(|&ty| (ty, ty)).collect())
    }

    /// A new iteration variable over a type, as a value of the type `whole`.
    fn iterate(&mut self, iters: &mut Vec<Iter>, whole: TypeIdx, ty: TypeIdx, span: Span) -> Expr {
        let var = VarIdx::new(self.variables.len());
        let name = Name { text: format!("all_{}", self.sorts.types[ty].name), span };
        self.variables.push(Variable { name, ty: whole });
        iters.push(Iter { var, domain: IterDomain::Type(ty, None), span });
        Expr { kind: ExprKind::Var(var), ty: whole, span }
    }

    /// The next or previous value, with the first one behind the last one.
    fn neighbour(&self, operand: Expr, next: bool, span: Span) -> Expr {
        let ty = operand.ty;
        let Kind::Range { low, high } = self.sorts.types[ty].kind else {
            let op = if next { UnaryOp::Succ } else { UnaryOp::Pred };
            return Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span };
        };
        // Ranges do not wrap around by themselves: low + (x - low + step) mod n, where step is 1 or n - 1.
        let n_values = high - low + 1;
        let step = if next { 1 } else { n_values - 1 };
        let number = |value| constant(value, ty, span);
        let shifted = binary(BinaryOp::Add, operand, number(step - low), ty, span);
        let wrapped = binary(BinaryOp::Rem, shifted, number(n_values), ty, span);
        binary(BinaryOp::Add, wrapped, number(low), ty, span)
    }
}

fn flipped(sign: Sign) -> Sign {
    match sign {
        Sign::Plus => Sign::Minus,
        Sign::Minus => Sign::Plus,
    }
}
