//! Questions about a net as questions about the counts of its slots.
//!
//! A reduced net has no colours and not all transitions. So that it can be asked the same, a question is put into words that
//! need neither: tokens of a place are the sum of its slots, and a transition is enabled where one of its instances has its
//! tokens and nothing inhibits it. In the question that comes out, place number `i` is slot number `i`.

use petite_model::{GroupIdx, NetModel, PlainForm};
use petite_net::{Comparison, Formula, FormulaKind, Number, PlaceIdx, Predicate, Question, TransIdx};

use crate::predicate::lowered;

/// Comparisons that the enabledness of transitions may take in one question. Beyond that, asking them in every state costs
/// more than a smaller net saves.
const MOST_COMPARISONS: usize = 4000;

/// Puts questions into counts.
pub struct Counting<'a, M> {
    model: &'a M,
    form: &'a PlainForm,
    /// The plain transitions of each transition.
    instances: Vec<Vec<u32>>,
}

impl<'a, M: NetModel> Counting<'a, M> {
    pub fn new(model: &'a M, form: &'a PlainForm) -> Counting<'a, M> {
        let mut instances = vec![Vec::new(); model.net().transitions.len()];
        for (number, &action) in (0..).zip(&form.actions) {
            instances[model.transition_of(action).index()].push(number);
        }
        Counting { model, form, instances }
    }

    /// The question in counts; none where it cannot be said in them.
    pub fn question(&self, question: &Question) -> Option<Question> {
        let mut room = MOST_COMPARISONS;
        match question {
            Question::Holds(formula) => self.formula(formula, &mut room).map(Question::Holds),
            Question::Bound(number) => self.number(number).map(Question::Bound),
            Question::Global(_) => None,
        }
    }

    fn formula(&self, formula: &Formula, room: &mut usize) -> Option<Formula> {
        let mut one = |body: &Formula| self.formula(body, room).map(Box::new);
        let kind = match &formula.kind {
            FormulaKind::State(predicate) => FormulaKind::State(self.predicate(predicate, room)?),
            FormulaKind::Not(body) => FormulaKind::Not(one(body)?),
            FormulaKind::And(parts) => {
                FormulaKind::And(parts.iter().map(|part| self.formula(part, room)).collect::<Option<_>>()?)
            }
            FormulaKind::Or(parts) => {
                FormulaKind::Or(parts.iter().map(|part| self.formula(part, room)).collect::<Option<_>>()?)
            }
            FormulaKind::Exists(body) => FormulaKind::Exists(one(body)?),
            FormulaKind::All(body) => FormulaKind::All(one(body)?),
            FormulaKind::Next(body) => FormulaKind::Next(one(body)?),
            FormulaKind::Finally(body) => FormulaKind::Finally(one(body)?),
            FormulaKind::Globally(body) => FormulaKind::Globally(one(body)?),
            FormulaKind::Until(before, body) => FormulaKind::Until(one(before)?, one(body)?),
            FormulaKind::Release(until, body) => FormulaKind::Release(one(until)?, one(body)?),
        };
        Some(Formula { kind, span: formula.span })
    }

    fn predicate(&self, predicate: &Predicate, room: &mut usize) -> Option<Predicate> {
        Some(match predicate {
            Predicate::Const(_) | Predicate::Deadlock => predicate.clone(),
            Predicate::Not(body) => Predicate::Not(Box::new(self.predicate(body, room)?)),
            Predicate::And(parts) => {
                Predicate::And(parts.iter().map(|part| self.predicate(part, room)).collect::<Option<_>>()?)
            }
            Predicate::Or(parts) => {
                Predicate::Or(parts.iter().map(|part| self.predicate(part, room)).collect::<Option<_>>()?)
            }
            Predicate::Compare(comparison, left, right) => {
                Predicate::Compare(*comparison, self.number(left)?, self.number(right)?)
            }
            Predicate::Enabled(transitions) => self.enabled(transitions, room)?,
            Predicate::Proposition(proposition) => {
                let expr = &self.model.net().propositions[proposition.index()].expr;
                self.predicate(&lowered(expr)?, room)?
            }
        })
    }

    /// That one of the instances of these transitions has its tokens.
    fn enabled(&self, transitions: &[TransIdx], room: &mut usize) -> Option<Predicate> {
        let mut cases = Vec::new();
        for &number in transitions.iter().flat_map(|transition| &self.instances[transition.index()]) {
            let instance = &self.form.net.transitions[number as usize];
            *room = room.checked_sub(instance.inputs.len() + instance.inhibitors.len())?;
            let compared = |comparison| {
                move |&(place, weight): &(PlaceIdx, u32)| {
                    Predicate::Compare(comparison, Number::Tokens(place), Number::Const(i64::from(weight)))
                }
            };
            let has_tokens = instance.inputs.iter().map(compared(Comparison::Ge));
            let is_free = instance.inhibitors.iter().map(compared(Comparison::Lt));
            cases.push(Predicate::And(has_tokens.chain(is_free).collect()));
        }
        Some(Predicate::Or(cases))
    }

    fn number(&self, number: &Number) -> Option<Number> {
        let all = |parts: &[Number]| parts.iter().map(|part| self.number(part)).collect::<Option<Vec<_>>>();
        let layout = self.model.layout();
        let slots = |place: &PlaceIdx| layout.slots_of(GroupIdx(place.0));
        let count = |slot: petite_bits::SlotIdx| Number::Tokens(PlaceIdx(slot.0));
        Some(match number {
            Number::Const(_) => number.clone(),
            Number::Tokens(place) => Number::Sum(slots(place).map(count).collect()),
            Number::Fitting(place, pattern) => {
                let fitting = slots(place).filter(|&slot| pattern.fits(self.model.token_of(slot)));
                Number::Sum(fitting.map(count).collect())
            }
            // Where each colour is there at most once, all tokens are different.
            Number::Distinct(place) => {
                let is_single = |slot: petite_bits::SlotIdx| {
                    layout.slots[slot.index()].bound.is_some_and(|most| most <= 1)
                };
                slots(place).all(is_single).then(|| Number::Sum(slots(place).map(count).collect()))?
            }
            Number::Sum(parts) => Number::Sum(all(parts)?),
            Number::Product(parts) => Number::Product(all(parts)?),
            Number::Minus(body) => Number::Minus(Box::new(self.number(body)?)),
        })
    }
}

/// Calls `each` with every place that a question in counts reads, and puts what it gives in its place.
pub fn rename(question: &mut Question, each: &mut dyn FnMut(PlaceIdx) -> PlaceIdx) {
    match question {
        Question::Holds(formula) => rename_formula(formula, each),
        Question::Bound(number) => rename_number(number, each),
        Question::Global(_) => {}
    }
}

fn rename_formula(formula: &mut Formula, each: &mut dyn FnMut(PlaceIdx) -> PlaceIdx) {
    match &mut formula.kind {
        FormulaKind::State(predicate) => rename_predicate(predicate, each),
        FormulaKind::Not(body)
        | FormulaKind::Exists(body)
        | FormulaKind::All(body)
        | FormulaKind::Next(body)
        | FormulaKind::Finally(body)
        | FormulaKind::Globally(body) => rename_formula(body, each),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter_mut().for_each(|part| rename_formula(part, each));
        }
        FormulaKind::Until(first, second) | FormulaKind::Release(first, second) => {
            rename_formula(first, each);
            rename_formula(second, each);
        }
    }
}

fn rename_predicate(predicate: &mut Predicate, each: &mut dyn FnMut(PlaceIdx) -> PlaceIdx) {
    match predicate {
        Predicate::Not(body) => rename_predicate(body, each),
        Predicate::And(parts) | Predicate::Or(parts) => {
            parts.iter_mut().for_each(|part| rename_predicate(part, each));
        }
        Predicate::Compare(_, left, right) => {
            rename_number(left, each);
            rename_number(right, each);
        }
        Predicate::Const(_) | Predicate::Deadlock | Predicate::Enabled(_) | Predicate::Proposition(_) => {}
    }
}

fn rename_number(number: &mut Number, each: &mut dyn FnMut(PlaceIdx) -> PlaceIdx) {
    match number {
        Number::Const(_) => {}
        Number::Tokens(place) | Number::Distinct(place) | Number::Fitting(place, _) => *place = each(*place),
        Number::Sum(parts) | Number::Product(parts) => {
            parts.iter_mut().for_each(|part| rename_number(part, each));
        }
        Number::Minus(body) => rename_number(body, each),
    }
}
