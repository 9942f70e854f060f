//! Both engines on small nets built by hand: same states and edges, and actions that can be taken back.

use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use petite_bits::SlotIdx;
use petite_model::{Engine, EngineChoice, Fault, GroupIdx, Model, compile};
use petite_net::{
    Arc, BinaryOp, Capacity, Component, Expr, ExprKind, Ids, Iter, IterDomain, Kind, MultiSet, Name, Net,
    OnError, Place, PlaceIdx, PriorityClass, Sign, Span, Term, Transition, Type, TypeIdx, Types, UnaryOp,
    Value, VarIdx, Variable,
};

/// A net in the making: one modulo type, its product of one, and places over it.
struct Builder {
    net: Net,
    number: TypeIdx,
    token: TypeIdx,
}

impl Builder {
    fn new(modulus: i64) -> Builder {
        let mut types = Types::default();
        let mut add = |name: &str, kind| {
            types.add(Type { name: Name::predefined(name), kind, parent: None, constraint: None })
        };
        let number = add("number", Kind::Modulo { modulus });
        let component = Component { name: Name::predefined("1"), ty: number };
        let token = add("token", Kind::Struct { components: vec![component] });
        let net = Net {
            name: Name::predefined("net"),
            params: vec![],
            types,
            functions: vec![],
            places: vec![],
            transitions: vec![],
            propositions: vec![],
            properties: vec![],
            progress: None,
            fairness: vec![],
            ids: Ids::default(),
            nupn: None,
        };
        Builder { net, number, token }
    }

    fn place(&mut self, name: &str, capacity: u32, tokens: &[(i64, u32)]) -> PlaceIdx {
        let mut initial = MultiSet::new();
        for &(number, count) in tokens {
            initial.add(Value::Tuple([Value::Int(number)].into()), count).unwrap();
        }
        self.net.places.push(Place {
            name: Name::predefined(name),
            domain: self.token,
            capacity: Capacity { per_token: Some(capacity), total: None },
            initial,
            implied: None,
            constant: false,
            role: None,
        });
        PlaceIdx::new(self.net.places.len() - 1)
    }

    fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, ty: self.number, span: Span::default() }
    }

    fn var(&self, var: u32) -> Expr {
        self.expr(ExprKind::Var(VarIdx(var)))
    }

    fn succ(&self, operand: Expr) -> Expr {
        self.expr(ExprKind::Unary(UnaryOp::Succ, Box::new(operand)))
    }

    fn arc(&self, place: PlaceIdx, components: &[Expr]) -> Arc {
        let term = |component: &Expr| Term {
            sign: Sign::Plus,
            iters: vec![],
            condition: None,
            factor: None,
            token: Expr {
                kind: ExprKind::Tuple(vec![component.clone()]),
                ty: self.token,
                span: Span::default(),
            },
            span: Span::default(),
        };
        Arc { place, terms: components.iter().map(term).collect(), span: Span::default() }
    }

    fn transition(
        &mut self,
        name: &str,
        n_vars: u32,
        inputs: Vec<Arc>,
        outputs: Vec<Arc>,
    ) -> &mut Transition {
        let variable = |i| Variable { name: Name::predefined(&format!("x{i}")), ty: self.number };
        let variables = (0..n_vars).map(variable).collect();
        self.net.transitions.push(Transition {
            name: Name::predefined(name),
            variables,
            binding: (0..n_vars).map(VarIdx).collect(),
            inputs,
            outputs,
            inhibitors: vec![],
            picks: vec![],
            lets: vec![],
            guard: None,
            priority: None,
            description: None,
            safe: false,
            class: PriorityClass::NONE,
            on_error: OnError::Stop,
        });
        self.net.transitions.last_mut().unwrap()
    }

    /// States and edges, the same from both engines.
    fn explored(self) -> (usize, usize) {
        let net = Rc::new(self.net);
        let unfolded = match compile(&net, EngineChoice::Unfolded).unwrap() {
            Engine::Unfolded(mut model) => explore(&mut *model),
            Engine::Binding(_) => unreachable!("the unfolded engine was asked for"),
        };
        let binding = match compile(&net, EngineChoice::Binding).unwrap() {
            Engine::Binding(mut model) => explore(&mut *model),
            Engine::Unfolded(_) => unreachable!("the binding engine was asked for"),
        };
        assert_eq!(unfolded, binding);
        unfolded
    }
}

fn explore<M: Model>(model: &mut M) -> (usize, usize) {
    let mut words = vec![0; model.packing().n_words()];
    model.initial(&mut words).unwrap();
    let first = unpacked(model, &words);
    let mut seen = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    let mut edges = 0;
    while let Some(state) = queue.pop_front() {
        let bounds = model.layout().slots.iter().map(|slot| slot.bound);
        assert!(bounds.zip(&state).all(|(bound, value)| bound.is_none_or(|bound| *value <= bound)));
        let mut actions = Vec::new();
        let words = packed(model, &state);
        model.enabled(&words, &mut actions).unwrap();
        for action in actions {
            edges += 1;
            let next = loop {
                let words = packed(model, &state);
                let (mut next, mut hash) = (words.clone(), model.packing().hash(&words));
                match model.fire(&mut next, &mut hash, action) {
                    Ok(()) => {}
                    Err(Fault::Outgrown(outgrown)) => {
                        assert_eq!((&next, hash), (&words, model.packing().hash(&words)));
                        model.widen(outgrown);
                        continue;
                    }
                    Err(Fault::Run(error)) => panic!("{error}"),
                }
                assert_eq!(hash, model.packing().hash(&next));
                let mut back = next.clone();
                model.unfire(&mut back, &mut hash, action).unwrap();
                assert_eq!((&back, hash), (&words, model.packing().hash(&words)));
                break unpacked(model, &next);
            };
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    (seen.len(), edges)
}

fn unpacked<M: Model>(model: &M, words: &[u64]) -> Vec<u32> {
    (0..model.packing().n_slots()).map(|slot| model.packing().get(words, SlotIdx::new(slot))).collect()
}

fn packed<M: Model>(model: &M, state: &[u32]) -> Vec<u64> {
    let mut words = vec![0; model.packing().n_words()];
    for (slot, &value) in state.iter().enumerate() {
        model.packing().set(&mut words, SlotIdx::new(slot), value).unwrap();
    }
    words
}

#[test]
fn independent_switches() {
    let mut net = Builder::new(5);
    let off = net.place("off", 1, &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]);
    let on = net.place("on", 1, &[]);
    let x = net.var(0);
    let (from, to) = (net.arc(off, std::slice::from_ref(&x)), net.arc(on, &[x]));
    net.transition("switch", 1, vec![from.clone()], vec![to.clone()]);
    net.transition("back", 1, vec![to], vec![from]);
    assert_eq!(net.explored(), (32, 5 * 32));
}

#[test]
fn philosophers_take_both_forks_at_once() {
    let mut net = Builder::new(3);
    let all = [(0, 1), (1, 1), (2, 1)];
    let (thinking, forks) = (net.place("thinking", 1, &all), net.place("forks", 1, &all));
    let eating = net.place("eating", 1, &[]);
    let (p, q) = (net.var(0), net.succ(net.var(0)));
    let take = vec![net.arc(thinking, std::slice::from_ref(&p)), net.arc(forks, &[p.clone(), q.clone()])];
    let eat = vec![net.arc(eating, &[p])];
    net.transition("take", 1, take.clone(), eat.clone());
    net.transition("leave", 1, eat, take);
    assert_eq!(net.explored(), (4, 6));
}

#[test]
fn two_tokens_of_one_place() {
    // Two variables over one place: the same token twice needs multiplicity two, and both orders count.
    let mut net = Builder::new(4);
    let (from, to) = (net.place("from", 2, &[(0, 2), (1, 1)]), net.place("to", 4, &[]));
    let (x, y) = (net.var(0), net.var(1));
    let (inputs, outputs) = (net.arc(from, &[x.clone(), y]), net.arc(to, &[x]));
    net.transition("pair", 2, vec![inputs], vec![outputs]);
    // (0,0), (0,1) and (1,0) are enabled; to then holds 0, 0 or 1, from holds 1, 0 or 0.
    assert_eq!(net.explored(), (4, 3));
}

#[test]
fn a_guard_and_a_counter() {
    let mut net = Builder::new(200);
    let counter = net.place("counter", 1, &[(0, 1)]);
    let x = net.var(0);
    let up = vec![net.arc(counter, &[net.succ(x.clone())])];
    let last = net.expr(ExprKind::Const(Value::Int(150)));
    let guard = net.expr(ExprKind::Binary(BinaryOp::Lt, Box::new(x.clone()), Box::new(last)));
    let inputs = vec![net.arc(counter, &[x])];
    net.transition("up", 1, inputs, up).guard = Some(guard);
    assert_eq!(net.explored(), (151, 150));
}

/// The sum of the first terms, with the last one taken away.
fn without_last(mut arc: Arc) -> Arc {
    arc.terms.last_mut().unwrap().sign = Sign::Minus;
    arc
}

#[test]
fn an_output_takes_away_from_a_sum() {
    let mut net = Builder::new(3);
    let (here, others) = (net.place("here", 1, &[(1, 1)]), net.place("others", 1, &[]));
    let number = |net: &Builder, i| net.expr(ExprKind::Const(Value::Int(i)));
    let all_but_x = [number(&net, 0), number(&net, 1), number(&net, 2), net.var(0)];
    let inputs = vec![net.arc(here, &[net.var(0)])];
    let outputs = vec![without_last(net.arc(others, &all_but_x))];
    net.transition("spread", 1, inputs, outputs);
    // One more transition needs both others: without subtraction it could take the third.
    let inputs = vec![net.arc(others, &[number(&net, 0), number(&net, 2)])];
    let outputs = vec![net.arc(here, &[number(&net, 1)])];
    net.transition("gather", 0, inputs, outputs);
    let inputs = vec![net.arc(others, &[number(&net, 1)])];
    net.transition("never", 0, inputs, vec![]);
    assert_eq!(net.explored(), (2, 2));
}

#[test]
fn an_input_takes_away_from_a_sum() {
    let mut net = Builder::new(3);
    let all = net.place("all", 1, &[(0, 1), (1, 1), (2, 1)]);
    let number = |net: &Builder, i| net.expr(ExprKind::Const(Value::Int(i)));
    let all_but_x = [number(&net, 0), number(&net, 1), number(&net, 2), net.var(0)];
    let inputs = vec![without_last(net.arc(all, &all_but_x))];
    let domain = IterDomain::Type(net.number, None);
    let pick = Iter { var: VarIdx(0), domain, span: Span::default() };
    net.transition("keep", 1, inputs, vec![]).picks = vec![pick];
    assert_eq!(net.explored(), (4, 3));
}

#[test]
fn taking_away_too_much_is_an_error() {
    let mut net = Builder::new(3);
    let (here, there) = (net.place("here", 1, &[(1, 1)]), net.place("there", 1, &[]));
    let zero = net.expr(ExprKind::Const(Value::Int(0)));
    let outputs = vec![without_last(net.arc(there, &[zero, net.var(0)]))];
    let inputs = vec![net.arc(here, &[net.var(0)])];
    net.transition("wrong", 1, inputs, outputs);
    let net = Rc::new(net.net);
    for choice in [EngineChoice::Unfolded, EngineChoice::Binding] {
        let error = match compile(&net, choice).unwrap() {
            Engine::Unfolded(mut model) => first_error(&mut *model),
            Engine::Binding(mut model) => first_error(&mut *model),
        };
        assert_eq!(error, "more tokens taken away than there are: {1} would occur -1 times");
    }
}

/// What goes wrong when the first action is fired.
fn first_error<M: Model>(model: &mut M) -> String {
    let mut words = vec![0; model.packing().n_words()];
    model.initial(&mut words).unwrap();
    let mut actions = Vec::new();
    model.enabled(&words, &mut actions).unwrap();
    let mut hash = model.packing().hash(&words);
    match model.fire(&mut words, &mut hash, actions[0]) {
        Err(Fault::Run(error)) => error.to_string(),
        other => panic!("expected an error of the model, got {other:?}"),
    }
}

/// What both engines say of the only action enabled at first: the groups that it makes grow, and whether more tokens
/// there may disable it. `None` where nothing may grow, or nothing did.
fn growth(net: &Net) -> Option<(Vec<GroupIdx>, bool)> {
    fn one<M: Model>(model: &mut M) -> Option<(Vec<GroupIdx>, bool)> {
        let mut before = vec![0; model.packing().n_words()];
        model.initial(&mut before).unwrap();
        let mut actions = Vec::new();
        model.enabled(&before, &mut actions).unwrap();
        let (mut after, mut hash) = (before.clone(), 0);
        model.fire(&mut after, &mut hash, actions[0]).unwrap();
        assert!(model.grown(&after, &before).is_none() && model.grown(&after, &after).is_none());
        let grown = model.grown(&before, &after).filter(|_| model.may_grow())?;
        let is_hindered = model.is_hindered(actions[0], &grown);
        Some((grown, is_hindered))
    }
    let net = Rc::new(net.clone());
    let [unfolded, binding] =
        [EngineChoice::Unfolded, EngineChoice::Binding].map(|choice| match compile(&net, choice).unwrap() {
            Engine::Unfolded(mut model) => one(&mut *model),
            Engine::Binding(mut model) => one(&mut *model),
        });
    assert_eq!(unfolded, binding);
    unfolded
}

#[test]
fn growth_is_told_and_what_hinders_it() {
    // With 200 values the binding engine keeps bags, with 5 it counts.
    for modulus in [5, 200] {
        let mut net = Builder::new(modulus);
        let (from, to) = (net.place("from", 1, &[(1, 1)]), net.place("to", 1, &[(3, 1), (1, 1)]));
        let x = net.var(0);
        let (inputs, outputs) = (net.arc(from, std::slice::from_ref(&x)), net.arc(to, &[x]));
        net.transition("give", 1, vec![inputs.clone()], vec![inputs.clone(), outputs.clone()]);
        let free =
            |net: &mut Builder, place: PlaceIdx| net.net.places[place.index()].capacity = Capacity::default();
        free(&mut net, from);
        net.net.places[to.index()].capacity = Capacity { per_token: Some(9), total: None };
        assert_eq!(growth(&net.net), None, "the place that grows has a capacity");
        net.net.places[to.index()].capacity = Capacity { per_token: None, total: Some(vec![(0, 9)]) };
        assert_eq!(growth(&net.net), None, "the place that grows has a capacity of all tokens");
        free(&mut net, to);
        assert_eq!(growth(&net.net), Some((vec![GroupIdx(1)], false)));

        // An inhibitor arc from a place that does not grow hinders nothing; one from a place that does may.
        let four = net.expr(ExprKind::Const(Value::Int(4)));
        for (place, is_hindered) in [(from, false), (to, true)] {
            let inhibitor = net.arc(place, std::slice::from_ref(&four));
            net.net.transitions[0].inhibitors = vec![inhibitor];
            assert_eq!(growth(&net.net), Some((vec![GroupIdx(1)], is_hindered)));
        }
        net.net.transitions[0].inhibitors.clear();
        net.net.transitions[0].priority = Some(four);
        assert_eq!(growth(&net.net), None, "with priorities nothing can be told");
        net.net.transitions[0].priority = None;

        // A token that goes elsewhere is missing.
        net.net.transitions[0].outputs = vec![outputs];
        assert_eq!(growth(&net.net), None, "one place has less");
    }
}
