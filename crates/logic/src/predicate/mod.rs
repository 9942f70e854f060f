//! Predicates, compiled so that they can be asked in every state of a search.
//!
//! A predicate becomes a small decision program: steps with a *test* each, and where to go on when it holds and when it
//! does not. And, or and not are only ways between steps, so a state costs the tests on one way through the program:
//!
//! ```text
//!  (a or b) and not c        a ──yes──> c ──no──> TRUE
//!                            │no        │yes
//!                            b ──yes──> c └────> FALSE
//!                            └──no─────────────> FALSE
//! ```
//!
//! Tests read packed words: the count of a slot against a constant, a sum of counts against a constant, the enabled
//! transitions of the state where somebody knows them, and only where nothing else does an expression of the net.

mod compile;
mod source;
mod stated;

use petite_model::{ActionId, NetModel};
use petite_net::{Comparison, Evaluator, PropIdx, RunError, Value};

pub use compile::CompileError;
pub(crate) use compile::linear_slots;
pub use source::Source;
pub(crate) use stated::lowered;

petite_bits::typed_index! {
    /// A compiled predicate.
    pub struct PredicateId;
    /// A compiled number.
    pub struct NumberId;
}

/// Where a program ends.
const TRUE: u32 = u32::MAX;
const FALSE: u32 = u32::MAX - 1;

/// Predicates and numbers compiled against one model.
#[derive(Debug, Default)]
pub struct Predicates {
    steps: Vec<Step>,
    tests: Vec<Test>,
    predicates: Vec<Entry>,
    numbers: Vec<Sum>,
    /// The sets of transitions that tests ask for: for each transition, the sets it is in.
    sets_of: Vec<Vec<u32>>,
    n_sets: u32,
    /// The largest number of tokens in each group, where it is known.
    most_of_groups: Vec<Option<u64>>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    test: u32,
    yes: u32,
    no: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    /// Whether a test asks what is enabled.
    needs_actions: bool,
}

/// A question about a state with a yes or no.
#[derive(Clone, Debug)]
enum Test {
    /// A slot holds at most so much.
    AtMost(petite_bits::SlotIdx, u32),
    /// A sum is at most so much.
    Sum(Sum, i128),
    /// Two numbers compare.
    Compare(Comparison, Box<Polynomial>, Box<Polynomial>),
    /// A transition of a set is enabled.
    Enabled(u32),
    Deadlock,
    Proposition(PropIdx),
}

/// A weighted sum of counts.
#[derive(Clone, Debug, Default)]
struct Sum {
    terms: Vec<(Source, i64)>,
    constant: i128,
}

/// A number with products of counts; its value fits 128 bits.
#[derive(Clone, Debug)]
enum Polynomial {
    Sum(Sum),
    Add(Vec<Polynomial>),
    Multiply(Vec<Polynomial>),
}

/// What is enabled in a state, as far as the predicates ask.
#[derive(Clone, Debug, Default)]
pub struct Enabled {
    is_dead: bool,
    /// One bit for each set of transitions.
    sets: Vec<u64>,
}

/// A state that predicates are asked about.
#[derive(Debug)]
pub struct Snapshot<'a, M> {
    /// The model.
    pub model: &'a M,
    /// The state's words.
    pub words: &'a [u64],
    /// The number of tokens in each group, where somebody has counted.
    pub totals: Option<&'a [u64]>,
    /// What is enabled; predicates that [need it](Predicates::needs_actions) are false without.
    pub enabled: Option<&'a Enabled>,
}

impl Predicates {
    /// No predicates yet. Where the largest number of tokens of a group is known, as in [`petite_model::Facts::most`],
    /// tests that it decides are left out.
    pub fn with_bounds(most_of_groups: Vec<Option<u64>>) -> Predicates {
        Predicates { most_of_groups, ..Predicates::default() }
    }

    /// Whether a predicate asks what is enabled.
    pub fn needs_actions(&self, predicate: PredicateId) -> bool {
        self.predicates[predicate.index()].needs_actions
    }

    /// The answer where it does not depend on the state.
    pub fn constant(&self, predicate: PredicateId) -> Option<bool> {
        match self.predicates[predicate.index()].start {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// Takes note of what is enabled in a state.
    #[inline]
    pub fn note_enabled<M: NetModel>(&self, model: &M, actions: &[ActionId], enabled: &mut Enabled) {
        enabled.is_dead = actions.is_empty();
        enabled.sets.clear();
        enabled.sets.resize((self.n_sets as usize).div_ceil(64), 0);
        if self.n_sets == 0 {
            return;
        }
        for &action in actions {
            for &set in &self.sets_of[model.transition_of(action).index()] {
                enabled.sets[set as usize / 64] |= 1 << (set % 64);
            }
        }
    }

    /// Whether a predicate holds in a state.
    ///
    /// # Errors
    /// When the evaluation of a proposition of the net fails there.
    #[inline]
    pub fn holds<M: NetModel>(
        &self,
        predicate: PredicateId,
        state: &Snapshot<'_, M>,
    ) -> Result<bool, Box<RunError>> {
        let mut at = self.predicates[predicate.index()].start;
        while let Some(step) = self.steps.get(at as usize) {
            at = if self.passes(&self.tests[step.test as usize], state)? { step.yes } else { step.no };
        }
        Ok(at == TRUE)
    }

    /// The value of a number in a state.
    #[inline]
    pub fn value<M: NetModel>(&self, number: NumberId, state: &Snapshot<'_, M>) -> i128 {
        self.numbers[number.index()].value(state)
    }

    /// The counts that a number is the sum of, with their weights, and its constant.
    pub fn parts(&self, number: NumberId) -> (&[(Source, i64)], i128) {
        let sum = &self.numbers[number.index()];
        (&sum.terms, sum.constant)
    }

    #[inline]
    fn passes<M: NetModel>(&self, test: &Test, state: &Snapshot<'_, M>) -> Result<bool, Box<RunError>> {
        Ok(match test {
            Test::AtMost(slot, most) => state.model.packing().get(state.words, *slot) <= *most,
            Test::Sum(sum, most) => sum.value(state) <= *most,
            Test::Compare(comparison, left, right) => comparison.holds(left.value(state), right.value(state)),
            Test::Enabled(set) => {
                state.enabled.is_some_and(|enabled| enabled.sets[*set as usize / 64] >> (set % 64) & 1 != 0)
            }
            Test::Deadlock => state.enabled.is_some_and(|enabled| enabled.is_dead),
            Test::Proposition(proposition) => return evaluated(state, *proposition),
        })
    }
}

impl Sum {
    #[inline]
    fn value<M: NetModel>(&self, state: &Snapshot<'_, M>) -> i128 {
        self.terms.iter().fold(self.constant, |sum, (source, weight)| {
            sum + i128::from(*weight) * i128::from(source.count(state))
        })
    }
}

impl Polynomial {
    fn value<M: NetModel>(&self, state: &Snapshot<'_, M>) -> i128 {
        match self {
            Polynomial::Sum(sum) => sum.value(state),
            Polynomial::Add(parts) => {
                parts.iter().fold(0, |sum: i128, part| sum.saturating_add(part.value(state)))
            }
            Polynomial::Multiply(parts) => {
                parts.iter().fold(1, |product: i128, part| product.saturating_mul(part.value(state)))
            }
        }
    }
}

/// Whether a proposition of the net holds, by evaluating its expression.
#[cold]
fn evaluated<M: NetModel>(state: &Snapshot<'_, M>, proposition: PropIdx) -> Result<bool, Box<RunError>> {
    let net = state.model.net();
    let stated = &net.propositions[proposition.index()];
    let mut frame = vec![Value::Int(0); stated.variables.len()];
    let mut outcome = Ok(false);
    state.model.read(state.words, &mut |marking| {
        let mut evaluator = Evaluator::new(&net.types, &net.functions);
        outcome = evaluator.holds(&stated.expr, &mut frame, Some(marking));
    });
    outcome.map_err(|error| Box::new(error.within(format!("in the proposition {}", stated.name.text))))
}
