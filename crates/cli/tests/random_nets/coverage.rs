//! What the drawn nets have: a generator that never draws a feature would test nothing of it.
//!
//! Features of transitions count only where the transition fires, those of inhibitors and priorities also where they
//! have an effect.

use std::collections::{BTreeMap, BTreeSet};

use crate::describe::{Arc, BOOL, Expr, ExprKind, Kind, Net, Op, PickDomain, Place, Transition, Tuple};
use crate::evaluate::{Wrong, domain};
use crate::naive::Verdict;

/// Declares the features and the list of all of them.
macro_rules! features {
    ($($name:ident)*) => {
        /// Something a net can have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Feature { $($name),* }

        impl Feature {
            pub const ALL: &[Feature] = &[$(Feature::$name),*];
        }
    };
}

features! {
    // Places.
    RangeType Subtype ModuloType EnumType BoolType VectorType SetType
    BlackTokens TwoComponents ThreeComponents LargeCapacity LargeDomain ManyContents
    InitialFactor InitialFor InitialIf
    // Input arcs.
    InputLiteral InputExpression RepeatedInTuple RepeatedAcrossTuples MirroredTuples TwoTuplesOfOnePlace
    MixedRanges InputFactor InputFor InputIf EmptyInput
    // Output arcs.
    OutputFactor OutputFor OutputIf EmptyOutput TestArc
    // The rest of transitions.
    GuardAnd GuardOr GuardNot GuardPartial Comparison
    PickType PickRange PickSet PickSetExpression Let
    GroundInhibitor FreeInhibitor FactorInhibitor Inhibits
    FixedPriority BindingPriority MarkingPriority Outranks
    // Expressions.
    Successor ModuloArithmetic RangeArithmetic Conditional Call
    VectorUpdate VectorElement VectorLiteral SetWith SetWithout SetMembership SetLiteral
    // State spaces.
    DeadStates NoDeadStates ManyTokensOfOneValue RangeError ContainerError CapacityError
}

/// How many nets have each feature.
#[derive(Default)]
pub struct Coverage {
    counts: BTreeMap<Feature, usize>,
}

impl Coverage {
    /// Notes the features of a net that all sides agree on.
    pub fn note(&mut self, net: &Net, verdict: &Verdict) {
        for feature in features(net, verdict) {
            *self.counts.entry(feature).or_default() += 1;
        }
    }

    /// The features that fewer than so many nets have.
    pub fn rarer_than(&self, least: usize) -> Vec<(Feature, usize)> {
        let count = |feature: &Feature| (*feature, self.counts.get(feature).copied().unwrap_or(0));
        Feature::ALL.iter().map(count).filter(|(_, count)| *count < least).collect()
    }
}

fn features(net: &Net, verdict: &Verdict) -> BTreeSet<Feature> {
    let mut has = BTreeSet::new();
    match verdict {
        Verdict::TooLarge => {}
        Verdict::Wrong(wrongs) => has.extend(wrongs.iter().map(|wrong| match wrong {
            Wrong::Range => Feature::RangeError,
            Wrong::Container => Feature::ContainerError,
            Wrong::Capacity => Feature::CapacityError,
        })),
        Verdict::Explored(found) => {
            net.places.iter().for_each(|place| place_features(net, place, &mut has));
            let fired: BTreeSet<usize> = found.edges.iter().map(|(_, transition, _)| *transition).collect();
            fired.into_iter().for_each(|t| transition_features(net, &net.transitions[t], &mut has));
            let large = (0..net.places.len()).filter(|place| domain_size(net, &net.places[*place]) > 64);
            let n_contents = large.map(|place| found.n_contents(place)).max();
            let effects = [
                (Feature::LargeDomain, n_contents > Some(1)),
                (Feature::ManyContents, n_contents > Some(16)),
                (Feature::Inhibits, found.inhibited > 0),
                (Feature::Outranks, found.outranked > 0),
                (Feature::DeadStates, !found.dead.is_empty()),
                (Feature::NoDeadStates, found.dead.is_empty()),
                (Feature::ManyTokensOfOneValue, found.states.iter().flatten().any(|(_, count)| *count > 1)),
            ];
            has.extend(effects.into_iter().filter(|(_, holds)| *holds).map(|(feature, _)| feature));
        }
    }
    has
}

fn place_features(net: &Net, place: &Place, has: &mut BTreeSet<Feature>) {
    has.extend(place.domain.iter().map(|ty| match net.kind(*ty) {
        Kind::Bool | Kind::Int => Feature::BoolType,
        Kind::Range { parent: None, .. } => Feature::RangeType,
        Kind::Range { .. } => Feature::Subtype,
        Kind::Mod(_) => Feature::ModuloType,
        Kind::Enum(_) => Feature::EnumType,
        Kind::Vector { .. } => Feature::VectorType,
        Kind::Set { .. } => Feature::SetType,
    }));
    let initial = |has: fn(&Tuple) -> bool| place.initial.iter().any(has);
    let found = [
        (Feature::BlackTokens, place.domain.is_empty()),
        (Feature::TwoComponents, place.domain.len() == 2),
        (Feature::ThreeComponents, place.domain.len() == 3),
        (Feature::LargeCapacity, place.capacity > 1),
        (Feature::InitialFactor, initial(|tuple| tuple.factor > 1)),
        (Feature::InitialFor, initial(|tuple| !tuple.iters.is_empty())),
        (Feature::InitialIf, initial(|tuple| tuple.condition.is_some())),
    ];
    has.extend(found.into_iter().filter(|(_, holds)| *holds).map(|(feature, _)| feature));
}

fn transition_features(net: &Net, transition: &Transition, has: &mut BTreeSet<Feature>) {
    let any = |arcs: &[Arc], is: &dyn Fn(&Tuple) -> bool| arcs.iter().any(|arc| arc.tuples.iter().any(is));
    let (inputs, outputs, inhibitors) = (&transition.inputs, &transition.outputs, &transition.inhibitors);
    let literal = |part: &Expr| matches!(part.kind, ExprKind::Literal(_));
    let made = |part: &Expr| !literal(part) && part.lone_variable().is_none();
    let free = |tuple: &Tuple| !transition.free_variables(tuple).is_empty();
    let picks = |is: fn(&PickDomain) -> bool| transition.picks.iter().any(|(_, domain)| is(domain));
    let reads_marking = |expr: &Expr| {
        let mut reads = false;
        expr.walk(&mut |part| reads |= matches!(part.kind, ExprKind::Card(_) | ExprKind::Mult(_)));
        reads
    };
    let priority = |is: &dyn Fn(&Expr) -> bool| transition.priority.as_ref().is_some_and(is);
    let is_test = |arc: &Arc| {
        let back = outputs.iter().find(|output| output.place == arc.place);
        back.is_some_and(|output| arc.tuples.iter().any(|tuple| output.tuples.contains(tuple)))
    };
    let mirrored = |arc: &Arc| {
        let reversed = |tuple: &Tuple| tuple.token.iter().rev().cloned().collect::<Vec<_>>();
        let differs = |tuple: &&Tuple| reversed(tuple) != tuple.token;
        arc.tuples.iter().filter(differs).any(|a| arc.tuples.iter().any(|b| b.token == reversed(a)))
    };
    let found = [
        (Feature::InputLiteral, any(inputs, &|tuple| tuple.binds() && tuple.token.iter().any(literal))),
        (Feature::InputExpression, any(inputs, &|tuple| tuple.binds() && tuple.token.iter().any(made))),
        (Feature::RepeatedInTuple, any(inputs, &|tuple| tuple.binds() && repeats(&lone_variables([tuple])))),
        (Feature::RepeatedAcrossTuples, repeats_across(transition)),
        (Feature::MirroredTuples, inputs.iter().any(mirrored)),
        (Feature::TwoTuplesOfOnePlace, inputs.iter().any(|arc| arc.tuples.len() > 1)),
        (Feature::MixedRanges, mixes_ranges(net, transition)),
        (Feature::InputFactor, any(inputs, &|tuple| tuple.factor > 1)),
        (Feature::InputFor, any(inputs, &|tuple| !tuple.iters.is_empty())),
        (Feature::InputIf, any(inputs, &|tuple| tuple.condition.is_some())),
        (Feature::EmptyInput, inputs.is_empty()),
        (Feature::OutputFactor, any(outputs, &|tuple| tuple.factor > 1)),
        (Feature::OutputFor, any(outputs, &|tuple| !tuple.iters.is_empty())),
        (Feature::OutputIf, any(outputs, &|tuple| tuple.condition.is_some())),
        (Feature::EmptyOutput, outputs.is_empty()),
        (Feature::TestArc, inputs.iter().any(is_test)),
        (Feature::PickType, picks(|domain| matches!(domain, PickDomain::Type(None)))),
        (Feature::PickRange, picks(|domain| matches!(domain, PickDomain::Type(Some(_))))),
        (
            Feature::PickSet,
            picks(|domain| matches!(domain, PickDomain::Set(set) if set.lone_variable().is_some())),
        ),
        (
            Feature::PickSetExpression,
            picks(|domain| matches!(domain, PickDomain::Set(set) if set.lone_variable().is_none())),
        ),
        (Feature::Let, !transition.lets.is_empty()),
        (Feature::GroundInhibitor, any(inhibitors, &|tuple| !free(tuple))),
        (Feature::FreeInhibitor, any(inhibitors, &free)),
        (Feature::FactorInhibitor, any(inhibitors, &|tuple| tuple.factor > 1)),
        (Feature::FixedPriority, priority(&literal)),
        (Feature::BindingPriority, priority(&|expr| !expr.variables().is_empty())),
        (Feature::MarkingPriority, priority(&reads_marking)),
    ];
    has.extend(found.into_iter().filter(|(_, holds)| *holds).map(|(feature, _)| feature));
    if let Some(guard) = &transition.guard {
        guard.walk(&mut |part| has.extend(guard_feature(net, part)));
    }
    for expr in transition.expressions() {
        expr.walk(&mut |part| has.extend(expression_feature(net, part)));
    }
}

/// Number of different tokens that a place can hold.
fn domain_size(net: &Net, place: &Place) -> usize {
    place.domain.iter().map(|ty| domain(net, *ty).len()).product()
}

fn guard_feature(net: &Net, expr: &Expr) -> Option<Feature> {
    match expr.kind {
        ExprKind::Not(_) => Some(Feature::GuardNot),
        ExprKind::Binary(Op::And, ..) => Some(Feature::GuardAnd),
        ExprKind::Binary(Op::Or, ..) if expr.ty == BOOL => Some(Feature::GuardOr),
        ExprKind::Succ(_) | ExprKind::Pred(_) if net.is_range(expr.ty) => Some(Feature::GuardPartial),
        _ => None,
    }
}

fn expression_feature(net: &Net, expr: &Expr) -> Option<Feature> {
    let is_modulo = matches!(net.kind(expr.ty), Kind::Mod(_));
    match &expr.kind {
        ExprKind::Succ(_) | ExprKind::Pred(_) => Some(Feature::Successor),
        ExprKind::Binary(Op::Add | Op::Sub | Op::Mul, ..) if is_modulo => Some(Feature::ModuloArithmetic),
        ExprKind::Binary(Op::Add | Op::Sub | Op::Mul, ..) => Some(Feature::RangeArithmetic),
        ExprKind::Binary(Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne, ..) => {
            Some(Feature::Comparison)
        }
        ExprKind::Binary(Op::In, ..) => Some(Feature::SetMembership),
        ExprKind::Binary(Op::With, ..) => Some(Feature::SetWith),
        ExprKind::Binary(Op::Without, ..) => Some(Feature::SetWithout),
        ExprKind::If(..) => Some(Feature::Conditional),
        ExprKind::Call(..) => Some(Feature::Call),
        ExprKind::Update(..) => Some(Feature::VectorUpdate),
        ExprKind::Element(..) => Some(Feature::VectorElement),
        ExprKind::Vector(_) => Some(Feature::VectorLiteral),
        ExprKind::Set(_) => Some(Feature::SetLiteral),
        _ => None,
    }
}

/// The variables that are components alone, as often as they are.
fn lone_variables<'t>(tuples: impl IntoIterator<Item = &'t Tuple>) -> Vec<usize> {
    tuples.into_iter().flat_map(|tuple| tuple.token.iter().filter_map(Expr::lone_variable)).collect()
}

fn repeats(vars: &[usize]) -> bool {
    vars.iter().collect::<BTreeSet<_>>().len() < vars.len()
}

fn repeats_across(transition: &Transition) -> bool {
    let tuples = transition.inputs.iter().flat_map(|arc| &arc.tuples).filter(|tuple| tuple.binds());
    let sets = tuples.map(|tuple| lone_variables([tuple]).into_iter().collect::<BTreeSet<_>>());
    repeats(&sets.flatten().collect::<Vec<_>>())
}

fn mixes_ranges(net: &Net, transition: &Transition) -> bool {
    transition.inputs.iter().any(|arc| {
        let domain = &net.places[arc.place].domain;
        arc.tuples.iter().any(|tuple| tuple.token.iter().zip(domain).any(|(part, ty)| part.ty != *ty))
    })
}
