//! Evaluating the steps of a plan: from tokens to bindings, from bindings to instances.

use std::rc::Rc;

use petite_net::{
    Arc, Evaluator, Expr, Iter, IterDomain, Marking, Net, OnError, PlaceIdx, RunError, RunErrorKind, Span,
    Term, TransIdx, Value, VarIdx,
};

use crate::pattern::{Pattern, part};
use crate::plan::{Plan, Step};

/// Tokens of one place with a multiplicity.
pub(crate) type Tokens = Vec<(PlaceIdx, Value, u32)>;

/// A transition with a complete binding, evaluated once for all.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub transition: TransIdx,
    /// The values of all variables of the transition.
    pub frame: Rc<[Value]>,
    /// Tokens taken, one entry for each place and token.
    pub takes: Tokens,
    /// Tokens given, likewise.
    pub gives: Tokens,
    /// Set when the evaluation went wrong.
    pub flaw: Option<Flaw>,
}

/// An error in the evaluation of an instance: firing it is this error.
#[derive(Clone, Debug)]
pub(crate) struct Flaw {
    pub stage: Stage,
    pub error: Box<RunError>,
    /// Whether the instance is to be left out instead.
    pub left_out: bool,
    /// Whether it was already left out once.
    pub was_met: bool,
}

/// When a flaw comes to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// As soon as the instance's tokens are there: nobody knows whether it is enabled otherwise.
    Enabling,
    /// Only when the instance fires: it is enabled like any other, but what it gives cannot be evaluated.
    Firing,
}

impl Instance {
    /// Whether it is an error as soon as its tokens are there.
    pub fn fails_early(&self) -> bool {
        self.flaw.as_ref().is_some_and(|flaw| flaw.stage == Stage::Enabling)
    }

    /// Whether its evaluation was cut off: each such instance costs seconds, and there may be many.
    pub fn is_endless(&self) -> bool {
        let endless = |flaw: &Flaw| {
            matches!(flaw.error.kind, RunErrorKind::TooLong { .. } | RunErrorKind::TooDeep { .. })
        };
        self.flaw.as_ref().is_some_and(endless)
    }
}

/// One thing that disables an instance.
#[derive(Clone, Debug)]
pub(crate) struct Inhibitor {
    pub place: PlaceIdx,
    /// The multiplicity from which on a fitting token disables.
    pub count: u32,
    pub test: Test,
}

/// Which tokens an inhibitor speaks of.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// This one.
    Token(Value),
    /// All that fit the pattern of an inhibitor arc's term.
    Pattern { pattern: Pattern, frame: Rc<[Value]> },
}

/// Evaluates what the plans of a net ask for.
#[derive(Debug)]
pub(crate) struct Matcher {
    net: Rc<Net>,
    plans: Vec<Plan>,
}

impl Matcher {
    pub fn new(net: Rc<Net>) -> Matcher {
        let plans = net.transitions.iter().map(|transition| Plan::new(&net, transition)).collect();
        Matcher { net, plans }
    }

    pub fn net(&self) -> &Rc<Net> {
        &self.net
    }

    pub fn steps(&self, transition: TransIdx) -> &[Step] {
        &self.plans[transition.index()].steps
    }

    /// A frame in which no variable has a value yet.
    pub fn empty_frame(&self, transition: TransIdx) -> Vec<Value> {
        vec![Value::Int(0); self.net.transition(transition).variables.len()]
    }

    /// Binds variables to a token's parts; whether the token fits the pattern.
    pub fn matches(&self, pattern: &Pattern, token: &Value, frame: &mut [Value]) -> Result<bool, RunError> {
        if !pattern.has_shape(token) {
            return Ok(false);
        }
        for (path, var) in &pattern.binds {
            let Some(part) = part(token, path) else { return Ok(false) };
            frame[var.index()] = part.clone();
        }
        let mut evaluator = self.evaluator();
        for (path, test) in &pattern.tests {
            if part(token, path) != Some(&evaluator.eval(test, frame, None)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the components that are known beforehand must equal, in the order of the pattern's tests: an error
    /// here does not depend on any token.
    pub fn known_tests(&self, pattern: &Pattern, frame: &mut [Value]) -> Result<Vec<Value>, RunError> {
        let mut evaluator = self.evaluator();
        pattern.tests[..pattern.n_known].iter().map(|(_, test)| evaluator.eval(test, frame, None)).collect()
    }

    /// Whether a guard conjunct may hold: one that cannot be evaluated is looked at again in the end.
    pub fn may_hold(&self, conjunct: &Expr, frame: &mut [Value]) -> bool {
        self.evaluator().holds(conjunct, frame, None).unwrap_or(true)
    }

    /// The different values of a pick.
    pub fn picked(&self, pick: &Iter, frame: &mut [Value]) -> Result<Vec<Value>, RunError> {
        let values = self.evaluator().domain(pick, frame, None)?;
        let mut values: Vec<Value> = values.into_iter().map(|(value, _)| value).collect();
        if matches!(pick.domain, IterDomain::Container(_)) {
            values.sort_unstable();
            values.dedup();
        }
        Ok(values)
    }

    /// The tokens that a term with known variables stands for.
    pub fn tokens(&self, place: PlaceIdx, term: &Term, frame: &mut [Value]) -> Result<Tokens, RunError> {
        let mut tokens = Tokens::new();
        collect(&mut self.evaluator(), place, std::slice::from_ref(term), frame, &mut tokens)?;
        merge(&mut tokens, term.span)?;
        Ok(tokens)
    }

    /// The instance of a complete binding, or `None` when its guard does not hold. Errors of the evaluation
    /// are kept in the instance: they matter only once its tokens are there, or once it fires. The guard is
    /// evaluated before the outputs, because they may rely on it.
    pub fn finish(&self, transition: TransIdx, frame: &mut [Value]) -> Option<Instance> {
        let (mut takes, mut gives) = (Tokens::new(), Tokens::new());
        let outcome = match self.holds(transition, frame, &mut takes) {
            Ok(false) => return None,
            Ok(true) => {
                let given = self.give(transition, frame, &mut gives);
                let kept = given.and_then(|()| self.keeps_constants(transition, &takes, &gives));
                kept.map_err(|error| (Stage::Firing, error))
            }
            Err(error) => Err((Stage::Enabling, error)),
        };
        let flaw = outcome.err().map(|(stage, error)| {
            gives.clear();
            self.flaw(transition, stage, error.within(self.context(transition, frame)))
        });
        Some(Instance { transition, frame: (&*frame).into(), takes, gives, flaw })
    }

    /// Fills in the tokens that a binding takes, and its `let` variables; whether its guard holds.
    fn holds(&self, transition: TransIdx, frame: &mut [Value], takes: &mut Tokens) -> Result<bool, RunError> {
        let declared = self.net.transition(transition);
        let mut evaluator = self.evaluator();
        for arc in &declared.inputs {
            collect_arc(&mut evaluator, arc, frame, takes)?;
        }
        merge(takes, declared.name.span)?;
        for (var, value) in &declared.lets {
            frame[var.index()] = evaluator.eval(value, frame, None)?;
        }
        declared.guard.as_ref().map_or(Ok(true), |guard| evaluator.holds(guard, frame, None))
    }

    /// Fills in the tokens that a binding gives.
    fn give(&self, transition: TransIdx, frame: &mut [Value], gives: &mut Tokens) -> Result<(), RunError> {
        let declared = self.net.transition(transition);
        let mut evaluator = self.evaluator();
        for arc in &declared.outputs {
            collect_arc(&mut evaluator, arc, frame, gives)?;
        }
        merge(gives, declared.name.span)
    }

    /// An instance that stands for an error met in step `at`, before the binding was complete: it happens as
    /// soon as the tokens of all steps before are there, and `token`, if the step was about one.
    pub fn failed(
        &self,
        transition: TransIdx,
        at: usize,
        frame: &[Value],
        token: Option<(PlaceIdx, Value)>,
        error: RunError,
    ) -> Instance {
        let declared = self.net.transition(transition);
        let mut takes: Tokens = token.into_iter().map(|(place, token)| (place, token, 1)).collect();
        let mut evaluator = self.evaluator();
        let mut scratch = frame.to_vec();
        for step in &self.steps(transition)[..at] {
            if let Step::Match { place, input, .. } | Step::Require { place, input } = step {
                let term = std::slice::from_ref(&declared.inputs[input.0].terms[input.1]);
                // These were evaluated on the way here, so they do not fail.
                let _ = collect(&mut evaluator, *place, term, &mut scratch, &mut takes);
            }
        }
        let _ = merge(&mut takes, declared.name.span);
        let error = error.within(format!("in transition {}", declared.name));
        let flaw = Some(self.flaw(transition, Stage::Enabling, error));
        Instance { transition, frame: frame.into(), takes, gives: Tokens::new(), flaw }
    }

    /// Marks an instance whose inhibitors cannot be evaluated.
    pub fn spoil(&self, instance: &mut Instance, error: RunError) {
        let error = error.within(self.context(instance.transition, &instance.frame));
        instance.flaw = Some(self.flaw(instance.transition, Stage::Enabling, error));
    }

    /// What an error in the evaluation of a transition's instance means.
    fn flaw(&self, transition: TransIdx, stage: Stage, error: RunError) -> Flaw {
        // What never ends may hide anything, a fatal error is called so, and a broken promise ends all trust.
        let grave = matches!(
            error.kind,
            RunErrorKind::Fatal
                | RunErrorKind::TooLong { .. }
                | RunErrorKind::TooDeep { .. }
                | RunErrorKind::ConstantChanged { .. }
        );
        let left_out = !grave && self.net.transition(transition).on_error == OnError::LeaveOut;
        Flaw { stage, error: Box::new(error), left_out, was_met: false }
    }

    /// Constant places must get back what was taken from them.
    fn keeps_constants(&self, transition: TransIdx, takes: &Tokens, gives: &Tokens) -> Result<(), RunError> {
        let is_constant = |place: PlaceIdx| self.net.place(place).constant;
        let of = |tokens: &'_ Tokens| -> Tokens {
            tokens.iter().filter(|(place, ..)| is_constant(*place)).cloned().collect()
        };
        if takes.iter().chain(gives).any(|(place, ..)| is_constant(*place)) {
            let (taken, given) = (of(takes), of(gives));
            let pairs = taken.iter().zip(&given).find(|(taken, given)| taken != given);
            let longer = taken.get(given.len()).or(given.get(taken.len()));
            if let Some((place, ..)) = pairs.map(|(taken, _)| taken).or(longer) {
                let place = self.net.place(*place).name.text.clone();
                let span = self.net.transition(transition).name.span;
                return Err(RunError::new(RunErrorKind::ConstantChanged { place }, span));
            }
        }
        Ok(())
    }

    /// What inhibits an instance: tokens or patterns, each with the place and the multiplicity from which on it
    /// does. Variables outside the binding match anything.
    pub fn inhibitors(&self, transition: TransIdx, frame: &[Value]) -> Result<Vec<Inhibitor>, RunError> {
        let declared = self.net.transition(transition);
        let known = self.known_in_instance(transition);
        let mut inhibitors = Vec::new();
        let mut evaluator = self.evaluator();
        for arc in &declared.inhibitors {
            for term in &arc.terms {
                let mut known = known.clone();
                term.iters.iter().for_each(|iter| known[iter.var.index()] = true);
                let pattern = Pattern::new(&self.net.types, term, &known);
                evaluator.combinations(term, &mut frame.to_vec(), &mut |evaluator, frame, count| {
                    let test = if pattern.binds.is_empty() {
                        Test::Token(evaluator.eval(&term.token, frame, None)?)
                    } else {
                        Test::Pattern { pattern: pattern.clone(), frame: (&*frame).into() }
                    };
                    inhibitors.push(Inhibitor { place: arc.place, count, test });
                    Ok(())
                })?;
            }
        }
        Ok(inhibitors)
    }

    /// Whether a token fits an inhibitor.
    pub fn fits(&self, test: &Test, token: &Value) -> Result<bool, RunError> {
        match test {
            Test::Token(value) => Ok(value == token),
            Test::Pattern { pattern, frame } => self.matches(pattern, token, &mut frame.to_vec()),
        }
    }

    /// Which variables of a transition have a value in the frame of an instance.
    fn known_in_instance(&self, transition: TransIdx) -> Vec<bool> {
        let declared = self.net.transition(transition);
        let mut known = vec![false; declared.variables.len()];
        for var in declared.binding.iter().chain(declared.lets.iter().map(|(var, _)| var)) {
            known[var.index()] = true;
        }
        known
    }

    /// The priority of an instance in a marking.
    pub fn priority(
        &self,
        transition: TransIdx,
        frame: &[Value],
        marking: &dyn Marking,
    ) -> Result<i64, RunError> {
        match &self.net.transition(transition).priority {
            None => Ok(0),
            Some(priority) => {
                let mut frame = frame.to_vec();
                let value = self.evaluator().eval(priority, &mut frame, Some(marking))?;
                Ok(value.int())
            }
        }
    }

    /// What was being done when an instance failed.
    pub fn context(&self, transition: TransIdx, frame: &[Value]) -> String {
        format!("when firing {}", self.describe(transition, frame))
    }

    /// A transition and its binding in words.
    pub fn describe(&self, transition: TransIdx, frame: &[Value]) -> String {
        let declared = self.net.transition(transition);
        let value = |var: &VarIdx| {
            let variable = &declared.variables[var.index()];
            format!("{} = {}", variable.name, self.net.types.show(variable.ty, &frame[var.index()]))
        };
        let binding: Vec<String> = declared.binding.iter().map(value).collect();
        match binding.as_slice() {
            [] => declared.name.text.clone(),
            _ => format!("{}({})", declared.name, binding.join(", ")),
        }
    }

    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(&self.net.types, &self.net.functions)
    }
}

/// The tokens of an arc; where terms take away from others, what is left of them.
fn collect_arc(
    evaluator: &mut Evaluator<'_>,
    arc: &Arc,
    frame: &mut [Value],
    tokens: &mut Tokens,
) -> Result<(), RunError> {
    if !arc.subtracts() {
        return collect(evaluator, arc.place, &arc.terms, frame, tokens);
    }
    let sum = evaluator.terms(&arc.terms, frame, None)?;
    tokens.extend(sum.iter().map(|(token, count)| (arc.place, token.clone(), count)));
    Ok(())
}

fn collect(
    evaluator: &mut Evaluator<'_>,
    place: PlaceIdx,
    terms: &[Term],
    frame: &mut [Value],
    tokens: &mut Tokens,
) -> Result<(), RunError> {
    terms.iter().try_for_each(|term| {
        evaluator.term(term, frame, &mut |token, count| {
            tokens.push((place, token, count));
            Ok(())
        })
    })
}

/// Brings tokens into order, with one entry for each place and value.
fn merge(tokens: &mut Tokens, span: Span) -> Result<(), RunError> {
    tokens.sort_unstable();
    let mut overflow = false;
    tokens.dedup_by(|next, kept| {
        let same = (next.0, &next.1) == (kept.0, &kept.1);
        if same {
            let sum = kept.2.checked_add(next.2);
            overflow |= sum.is_none();
            kept.2 = sum.unwrap_or(u32::MAX);
        }
        same
    });
    tokens.retain(|(.., count)| *count > 0);
    if overflow { Err(RunError::new(RunErrorKind::Overflow, span)) } else { Ok(()) }
}
