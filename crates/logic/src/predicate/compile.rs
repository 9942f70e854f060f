//! From predicates to programs.

use petite_bits::SlotIdx;
use petite_model::{Content, NetModel};
use petite_net::{Comparison, Number, Predicate, TransIdx};

use super::stated::lowered;
use super::{Entry, FALSE, NumberId, Polynomial, PredicateId, Predicates, Source, Step, Sum, TRUE, Test};

/// Why something cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileError {
    /// Numbers may leave 128 bits.
    TooLarge,
    /// The largest value of a product of counts was asked for.
    NotLinear,
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            CompileError::TooLarge => "the numbers of this formula may leave 128 bits",
            CompileError::NotLinear => "a bound of a product of counts cannot be computed; expected a sum",
        })
    }
}

impl std::error::Error for CompileError {}

/// Bits that a count has at most: a slot has 32, and no memory holds 2^28 slots or tokens of one place.
const COUNT_BITS: u32 = 60;

impl Predicates {
    /// Compiles a predicate.
    ///
    /// # Errors
    /// When it computes with numbers that are too large.
    pub fn compile<M: NetModel>(
        &mut self,
        model: &mut M,
        predicate: &Predicate,
    ) -> Result<PredicateId, CompileError> {
        let first_step = self.steps.len();
        let start = self.program(model, predicate, TRUE, FALSE)?;
        let tests = self.steps[first_step..].iter().map(|step| &self.tests[step.test as usize]);
        let needs_actions = tests.clone().any(|test| matches!(test, Test::Enabled(_) | Test::Deadlock));
        self.predicates.push(Entry { start, needs_actions });
        Ok(PredicateId::new(self.predicates.len() - 1))
    }

    /// Compiles a number; products of counts have none.
    ///
    /// # Errors
    /// When it is no sum, or too large.
    pub fn compile_number<M: NetModel>(
        &mut self,
        model: &mut M,
        number: &Number,
    ) -> Result<NumberId, CompileError> {
        let sum = linear(model, number)?.ok_or(CompileError::NotLinear)?;
        self.numbers.push(sum);
        Ok(NumberId::new(self.numbers.len() - 1))
    }

    /// Appends a program that goes to `yes` or to `no`, and gives where it starts.
    fn program<M: NetModel>(
        &mut self,
        model: &mut M,
        predicate: &Predicate,
        yes: u32,
        no: u32,
    ) -> Result<u32, CompileError> {
        Ok(match predicate {
            Predicate::Const(true) => yes,
            Predicate::Const(false) => no,
            Predicate::Not(body) => self.program(model, body, no, yes)?,
            Predicate::And(parts) => {
                let mut start = yes;
                for part in cheapest_last(parts) {
                    start = self.program(model, part, start, no)?;
                }
                start
            }
            Predicate::Or(parts) => {
                let mut start = no;
                for part in cheapest_last(parts) {
                    start = self.program(model, part, yes, start)?;
                }
                start
            }
            Predicate::Compare(comparison, left, right) => {
                self.comparison(model, *comparison, left, right, yes, no)?
            }
            Predicate::Enabled(transitions) if transitions.is_empty() => no,
            Predicate::Enabled(transitions) => {
                let set = self.set(model, transitions);
                self.step(Test::Enabled(set), yes, no)
            }
            Predicate::Deadlock => self.step(Test::Deadlock, yes, no),
            Predicate::Proposition(proposition) => {
                let net = model.net().clone();
                match lowered(&net.propositions[proposition.index()].expr) {
                    Some(predicate) => self.program(model, &predicate, yes, no)?,
                    None => self.step(Test::Proposition(*proposition), yes, no),
                }
            }
        })
    }

    fn comparison<M: NetModel>(
        &mut self,
        model: &mut M,
        comparison: Comparison,
        left: &Number,
        right: &Number,
        yes: u32,
        no: u32,
    ) -> Result<u32, CompileError> {
        let minus = |number: &Number| Number::Minus(Box::new(number.clone()));
        let difference = Number::Sum(vec![left.clone(), minus(right)]);
        let Some(sum) = linear(model, &difference)? else {
            let (left, right) = (polynomial(model, left)?, polynomial(model, right)?);
            if left.bits().max(right.bits()) > 126 {
                return Err(CompileError::TooLarge);
            }
            return Ok(self.step(Test::Compare(comparison, Box::new(left), Box::new(right)), yes, no));
        };
        // left - right compares with zero; everything is told by "at most".
        Ok(match comparison {
            Comparison::Le => self.at_most(model, sum, 0, yes, no),
            Comparison::Lt => self.at_most(model, sum, -1, yes, no),
            Comparison::Ge => self.at_most(model, sum, -1, no, yes),
            Comparison::Gt => self.at_most(model, sum, 0, no, yes),
            Comparison::Eq => {
                let not_less = self.at_most(model, sum.clone(), -1, no, yes);
                self.at_most(model, sum, 0, not_less, no)
            }
            Comparison::Ne => {
                let less = self.at_most(model, sum.clone(), -1, yes, no);
                self.at_most(model, sum, 0, less, yes)
            }
        })
    }

    /// Appends the test whether a sum is at most so much.
    fn at_most<M: NetModel>(&mut self, model: &M, mut sum: Sum, most: i128, yes: u32, no: u32) -> u32 {
        let most = most - sum.constant;
        sum.constant = 0;
        let (least_sum, most_sum) = self.range(model, &sum);
        if most_sum.is_some_and(|most_sum| most_sum <= most) {
            return yes;
        }
        if least_sum.is_some_and(|least_sum| least_sum > most) {
            return no;
        }
        if let [(Source::Slot(slot), weight)] = sum.terms.as_slice() {
            let (slot, weight) = (*slot, i128::from(*weight));
            // weight * count <= most, for a count of 32 bits.
            let (limit, yes, no) = if weight > 0 {
                (most.div_euclid(weight), yes, no)
            } else {
                // count >= ceil(most / weight), so it is not at most one less than that.
                let least = -most.div_euclid(-weight);
                (least - 1, no, yes)
            };
            if limit < 0 {
                return no;
            }
            return match u32::try_from(limit) {
                Ok(limit) if limit < u32::MAX => self.step(Test::AtMost(slot, limit), yes, no),
                _ => yes,
            };
        }
        self.step(Test::Sum(sum, most), yes, no)
    }

    /// The least and the largest value of a sum, as far as the bounds of its counts tell.
    fn range<M: NetModel>(&self, model: &M, sum: &Sum) -> (Option<i128>, Option<i128>) {
        let (mut least, mut most) = (Some(sum.constant), Some(sum.constant));
        for (source, weight) in &sum.terms {
            let part =
                source.most(model, &self.most_of_groups).map(|most| i128::from(*weight) * i128::from(most));
            let side = if *weight > 0 { &mut most } else { &mut least };
            *side = side.and_then(|sum| sum.checked_add(part?));
        }
        (least, most)
    }

    fn step(&mut self, test: Test, yes: u32, no: u32) -> u32 {
        if yes == no {
            return yes;
        }
        self.tests.push(test);
        self.steps.push(Step { test: self.tests.len() as u32 - 1, yes, no });
        self.steps.len() as u32 - 1
    }

    /// The number of a set of transitions.
    fn set<M: NetModel>(&mut self, model: &M, transitions: &[TransIdx]) -> u32 {
        self.sets_of.resize_with(model.net().transitions.len(), Vec::new);
        let mut wanted = transitions.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        let is_set = |set: &u32| {
            let n = self.sets_of.iter().filter(|sets| sets.contains(set)).count();
            n == wanted.len()
                && wanted.iter().all(|transition| self.sets_of[transition.index()].contains(set))
        };
        // Only sets of the first transition can be the same; formulas repeat a few sets often.
        let known = wanted
            .first()
            .and_then(|first| self.sets_of[first.index()].iter().copied().find(|set| is_set(set)));
        known.unwrap_or_else(|| {
            let set = self.n_sets;
            self.n_sets += 1;
            wanted.iter().for_each(|transition| self.sets_of[transition.index()].push(set));
            set
        })
    }
}

/// The parts in an order in which the cheapest is tested first; the program is made from its end. Where a proposition of
/// the net is among them, nothing is moved: its evaluation may fail where the parts before it do not hold.
fn cheapest_last(parts: &[Predicate]) -> Vec<&Predicate> {
    let mut ordered: Vec<&Predicate> = parts.iter().collect();
    if !parts.iter().any(asks_net) {
        ordered.sort_by_key(|part| cost(part));
    }
    ordered.reverse();
    ordered
}

fn asks_net(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Proposition(_) => true,
        Predicate::Not(body) => asks_net(body),
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().any(asks_net),
        _ => false,
    }
}

fn cost(predicate: &Predicate) -> usize {
    match predicate {
        Predicate::Const(_) => 0,
        Predicate::Enabled(_) | Predicate::Deadlock => 1,
        Predicate::Compare(_, left, right) => 1 + number_cost(left) + number_cost(right),
        Predicate::Not(body) => cost(body),
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().map(cost).sum(),
        Predicate::Proposition(_) => 100,
    }
}

fn number_cost(number: &Number) -> usize {
    match number {
        Number::Const(_) => 0,
        Number::Tokens(_) => 1,
        Number::Distinct(_) | Number::Fitting(..) => 3,
        Number::Sum(parts) | Number::Product(parts) => parts.iter().map(number_cost).sum(),
        Number::Minus(body) => number_cost(body),
    }
}

/// A number as a weighted sum of slots and a constant; none where it is something else.
pub(crate) fn linear_slots<M: NetModel>(
    model: &mut M,
    number: &Number,
) -> Option<(Vec<(SlotIdx, i64)>, i128)> {
    let sum = linear(model, number).ok()??;
    let mut weights = std::collections::BTreeMap::new();
    for (source, weight) in sum.terms {
        let slots: Vec<SlotIdx> = match source {
            Source::Slot(slot) => vec![slot],
            Source::Group(group) if model.layout().groups[group.index()].content == Content::Counts => {
                model.layout().slots_of(group).collect()
            }
            _ => return None,
        };
        for slot in slots {
            let sum: &mut i64 = weights.entry(slot).or_default();
            *sum = sum.checked_add(weight)?;
        }
    }
    let weights: Vec<(SlotIdx, i64)> = weights.into_iter().filter(|(_, weight)| *weight != 0).collect();
    weights.iter().all(|(_, weight)| weight.unsigned_abs() < 1 << 40).then_some((weights, sum.constant))
}

/// A number as a weighted sum of counts; none where it multiplies counts.
fn linear<M: NetModel>(model: &mut M, number: &Number) -> Result<Option<Sum>, CompileError> {
    let Some(mut sum) = collected(model, number)? else { return Ok(None) };
    let mut merged: Vec<(Source, i64)> = Vec::new();
    for (source, weight) in std::mem::take(&mut sum.terms) {
        match merged.iter_mut().find(|(known, _)| *known == source) {
            Some((_, known)) => *known = known.checked_add(weight).ok_or(CompileError::TooLarge)?,
            None => merged.push((source, weight)),
        }
    }
    merged.retain(|(_, weight)| *weight != 0);
    // The sum of all terms fits 128 bits whatever the counts.
    let weights = merged.iter().try_fold(0u64, |sum, (_, weight)| sum.checked_add(weight.unsigned_abs()));
    if weights.is_none_or(|weights| weights >= 1 << 60) || sum.constant.unsigned_abs() >= 1 << 120 {
        return Err(CompileError::TooLarge);
    }
    sum.terms = merged;
    Ok(Some(sum))
}

fn collected<M: NetModel>(model: &mut M, number: &Number) -> Result<Option<Sum>, CompileError> {
    if let Some(sources) = Source::of(model, number) {
        let terms = sources.into_iter().map(|source| (source, 1)).collect();
        return Ok(Some(Sum { terms, constant: 0 }));
    }
    match number {
        Number::Const(value) => Ok(Some(Sum { terms: Vec::new(), constant: i128::from(*value) })),
        Number::Minus(body) => collected(model, body)?.map(|sum| scaled(sum, -1)).transpose(),
        Number::Sum(parts) => {
            let mut all = Sum::default();
            for part in parts {
                let Some(sum) = collected(model, part)? else { return Ok(None) };
                all.terms.extend(sum.terms);
                all.constant = all.constant.checked_add(sum.constant).ok_or(CompileError::TooLarge)?;
            }
            Ok(Some(all))
        }
        Number::Product(parts) => {
            let mut product = Sum { terms: Vec::new(), constant: 1 };
            for part in parts {
                let Some(sum) = collected(model, part)? else { return Ok(None) };
                product = match (product.terms.is_empty(), sum.terms.is_empty()) {
                    (true, _) => scaled(sum, product.constant)?,
                    (_, true) => scaled(product, sum.constant)?,
                    (false, false) => return Ok(None),
                };
            }
            Ok(Some(product))
        }
        Number::Tokens(_) | Number::Distinct(_) | Number::Fitting(..) => Ok(None),
    }
}

fn scaled(mut sum: Sum, by: i128) -> Result<Sum, CompileError> {
    let narrow = i64::try_from(by).map_err(|_| CompileError::TooLarge)?;
    for (_, weight) in &mut sum.terms {
        *weight = weight.checked_mul(narrow).ok_or(CompileError::TooLarge)?;
    }
    sum.constant = sum.constant.checked_mul(by).ok_or(CompileError::TooLarge)?;
    Ok(sum)
}

fn polynomial<M: NetModel>(model: &mut M, number: &Number) -> Result<Polynomial, CompileError> {
    if let Some(sum) = linear(model, number)? {
        return Ok(Polynomial::Sum(sum));
    }
    let mut all =
        |parts: &[Number]| parts.iter().map(|part| polynomial(model, part)).collect::<Result<Vec<_>, _>>();
    match number {
        Number::Sum(parts) => Ok(Polynomial::Add(all(parts)?)),
        Number::Product(parts) => Ok(Polynomial::Multiply(all(parts)?)),
        Number::Minus(body) => {
            let minus_one = Polynomial::Sum(Sum { terms: Vec::new(), constant: -1 });
            Ok(Polynomial::Multiply(vec![minus_one, polynomial(model, body)?]))
        }
        // Everything else is linear.
        _ => Err(CompileError::NotLinear),
    }
}

impl Polynomial {
    /// Bits that its value has at most, whatever the counts.
    fn bits(&self) -> u32 {
        match self {
            Polynomial::Sum(sum) => {
                let weights: u128 =
                    sum.terms.iter().map(|(_, weight)| u128::from(weight.unsigned_abs())).sum();
                let of_terms = if weights == 0 { 0 } else { COUNT_BITS + bits_of(weights) };
                of_terms.max(bits_of(sum.constant.unsigned_abs())) + 1
            }
            Polynomial::Add(parts) => parts
                .iter()
                .map(Polynomial::bits)
                .max()
                .unwrap_or(0)
                .saturating_add(bits_of(parts.len() as u128)),
            Polynomial::Multiply(parts) => {
                parts.iter().fold(0, |bits: u32, part| bits.saturating_add(part.bits()))
            }
        }
    }
}

fn bits_of(number: u128) -> u32 {
    u128::BITS - number.leading_zeros()
}
