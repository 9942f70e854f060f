//! The one place where this test calls Petite: from a model text to what each engine finds in each order.

use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::rc::Rc;

use petite_lang::{ReadOptions, Source, helena};
use petite_model::{ActionId, Engine, EngineChoice, Model, compile};
use petite_net::{Net, RunErrorKind};
use petite_search::{
    Edge, Ending, Limits, NoObserver, Observer, Order, Report, Silent, Visit, explore, explore_set,
    explore_unnumbered, sample,
};
use petite_store::{
    Batching, Coded, Delta, DeltaConfig, DiagramStore, Difference, DigitSource, Frontier, IndexedTree,
    Lookup, Obdd, Ondd, PartDigits, Plain, Scheme, SlotOrder, Store, Switch, Tabled, Tree,
};

use crate::account::{Account, Answer, Counts};
use crate::evaluate::Wrong;
use crate::rng::Rng;
use crate::walk::walk;

/// All combinations of engine and order.
pub const COMBINATIONS: [(EngineChoice, Order); 4] = [
    (EngineChoice::Unfolded, Order::BreadthFirst),
    (EngineChoice::Unfolded, Order::DepthFirst),
    (EngineChoice::Binding, Order::BreadthFirst),
    (EngineChoice::Binding, Order::DepthFirst),
];

/// Counts, states and dead states of a search without identities, in both engines and orders, compared with a search that
/// has them. Gives how they differ.
pub fn unnumbered_difference(net: &Rc<Net>) -> Option<String> {
    COMBINATIONS.into_iter().find_map(|(choice, order)| {
        let difference = match compile(net, choice) {
            Ok(Engine::Unfolded(mut model)) => compare_unnumbered(&mut *model, order),
            Ok(Engine::Binding(mut model)) => compare_unnumbered(&mut *model, order),
            Err(error) => Some(error.to_string()),
        };
        difference.map(|difference| format!("tree without identities, {choice:?} {order:?}: {difference}"))
    })
}

fn compare_unnumbered<M: Model>(model: &mut M, order: Order) -> Option<String> {
    let limits = Limits { max_states: Some(MAX_STATES), ..Limits::NONE };
    let (mut expected, mut got) = (Texts::default(), Texts::default());
    let mut plain = Plain::new(model.packing());
    let plain = explore(model, &mut plain, order, &limits, &mut Silent, &mut expected);
    let frontier = match order {
        Order::BreadthFirst => Frontier::Inside,
        Order::DepthFirst => Frontier::Outside,
    };
    let mut tree = match Tree::new(model, frontier) {
        Ok(tree) => tree,
        Err(error) => return Some(error.to_string()),
    };
    let tree = explore_unnumbered(model, &mut tree, order, &limits, &mut Silent, &mut got);
    // A search that ends early has seen other states in another order.
    if !plain.is_complete() || !tree.is_complete() {
        let same = std::mem::discriminant(&plain.ending) == std::mem::discriminant(&tree.ending);
        return (!same).then(|| format!("it ends with {:?} instead of {:?}", tree.ending, plain.ending));
    }
    let numbers = |report: &Report| {
        let tokens = (report.group_maxima.clone(), report.max_tokens_total, report.max_multiplicity);
        (report.states, report.edges, report.dead_states, tokens)
    };
    // Where nobody looks, the tree expands halves instead of states.
    let mut blind = match Tree::new(model, frontier) {
        Ok(tree) => tree,
        Err(error) => return Some(error.to_string()),
    };
    let blind = explore_unnumbered(model, &mut blind, order, &limits, &mut Silent, &mut NoObserver);
    if numbers(&blind) != numbers(&plain) {
        return Some(format!("unobserved {:?} instead of {:?}", numbers(&blind), numbers(&plain)));
    }
    for texts in [&mut expected, &mut got] {
        texts.states.sort();
        texts.dead.sort();
    }
    (numbers(&plain) != numbers(&tree) || expected != got)
        .then(|| format!("{:?} instead of {:?}", numbers(&tree), numbers(&plain)))
}

/// Notes the states that a search meets, without their identities.
#[derive(Default, PartialEq)]
struct Texts {
    states: Vec<String>,
    dead: Vec<String>,
}

impl<M: Model> Observer<M> for Texts {
    fn state(&mut self, state: Visit<'_, M>, _: &[u64]) -> ControlFlow<()> {
        self.states.push(in_words(state.model.describe_state(state.words)));
        ControlFlow::Continue(())
    }

    fn edge(&mut self, _: Edge) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn dead(&mut self, state: Visit<'_, M>) -> ControlFlow<()> {
        self.dead.push(in_words(state.model.describe_state(state.words)));
        ControlFlow::Continue(())
    }
}

/// States after which a search is surely wrong: the oracle's bound is lower.
const MAX_STATES: u64 = 20_000;

/// Reads a model text.
pub fn read(text: &str) -> Result<Rc<Net>, String> {
    let source = Source::new("random.lna", text);
    helena::read(&source, None, &ReadOptions::default()).map(Rc::new).map_err(|diagnostics| {
        let lines: Vec<String> = diagnostics
            .iter()
            .map(|diagnostic| {
                let at = source.position(diagnostic.span.start);
                format!("{}:{}: {}", at.line, at.column, diagnostic.message)
            })
            .collect();
        format!("the reader refuses it: {}", lines.join("; "))
    })
}

/// What one combination finds.
pub fn answer(net: &Rc<Net>, (choice, order): (EngineChoice, Order)) -> Answer {
    match compile(net, choice) {
        Ok(Engine::Unfolded(mut model)) => search(&mut *model, order),
        Ok(Engine::Binding(mut model)) => search(&mut *model, order),
        Err(error) => Answer::Refused(error.to_string()),
    }
}

/// Explores a net with every other exact store in both orders: the first whose counts are not those of the plain one.
pub fn stores_differ(net: &Rc<Net>) -> Option<String> {
    match compile(net, EngineChoice::Unfolded) {
        Ok(Engine::Unfolded(mut model)) => stores_of(&mut *model),
        Ok(Engine::Binding(mut model)) => stores_of(&mut *model),
        Err(error) => Some(error.to_string()),
    }
}

fn stores_of<M: Model>(model: &mut M) -> Option<String> {
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let store = Plain::new(model.packing());
        let plain = counts(model, store, order);
        for batching in [Batching::Batches, Batching::Single] {
            for slot_order in [SlotOrder::File, SlotOrder::Component, SlotOrder::Sample] {
                let sample = sample(model, 100);
                let digits = || slot_order.digits(model.layout(), model.packing(), &sample);
                let (ondd, obdd) = (digits(), digits());
                let store = DiagramStore::new(Ondd::new(), ondd, batching);
                if counts(model, store, order) != plain {
                    return Some(format!("ondd {slot_order:?} {batching:?} {order:?}"));
                }
                if batching == Batching::Single || slot_order != SlotOrder::Sample {
                    continue;
                }
                let store = DiagramStore::new(Obdd::new(obdd.format()).ok()?, obdd, batching);
                if counts(model, store, order) != plain {
                    return Some(format!("obdd {slot_order:?} {batching:?} {order:?}"));
                }
            }
        }
        for scheme in [Scheme::Compress, Scheme::Collapse, Scheme::NewCollapse] {
            let tabled = |model: &M| Tabled::new(scheme, model.layout(), model.packing());
            let store = Coded::new(tabled(model));
            if counts(model, store, order) != plain {
                return Some(format!("{scheme:?} {order:?}"));
            }
            let store = DiagramStore::new(Ondd::new(), PartDigits::new(tabled(model)), Batching::Batches);
            if counts(model, store, order) != plain {
                return Some(format!("ondd over {scheme:?} {order:?}"));
            }
        }
    }
    None
}

/// What a search with a set finds, or how it ends early.
fn counts<M: Model, S: Store<M>>(model: &mut M, mut store: S, order: Order) -> Result<[u64; 5], String> {
    let limits = Limits { max_states: Some(MAX_STATES), ..Limits::NONE };
    let report: Report = explore_set(model, &mut store, order, &limits, &mut Silent, &mut NoObserver);
    match report.ending {
        Ending::Complete => Ok([
            report.states,
            report.edges,
            report.dead_states,
            report.max_tokens_in_place,
            report.max_tokens_total,
        ]),
        Ending::Failed(_) => Err("failed".to_owned()),
        ending => Err(format!("{ending:?}")),
    }
}

/// Walks at random with an engine, there and back.
pub fn walk_there_and_back(net: &Rc<Net>, choice: EngineChoice, rng: &mut Rng) -> Result<usize, String> {
    match compile(net, choice) {
        Ok(Engine::Unfolded(mut model)) => walk(&mut *model, rng),
        Ok(Engine::Binding(mut model)) => walk(&mut *model, rng),
        Err(error) => Err(error.to_string()),
    }
}

/// What the plain store finds, if another one finds the same; which one depends on the net.
fn search<M: Model>(model: &mut M, order: Order) -> Answer {
    let store = Plain::new(model.packing());
    let plain = search_with(model, order, store);
    let Answer::Explored(account) = &plain else { return plain };
    let draw = account.counts.states + account.counts.edges;
    let k = [2, 5, 30][(draw % 3) as usize];
    let collapse = if draw.is_multiple_of(4) { Switch::On } else { Switch::Off };
    let config = DeltaConfig { collapse, ..DeltaConfig::new(NonZeroU32::MIN.saturating_add(k - 1)) };
    let (layout, packing) = (model.layout().clone(), model.packing().clone());
    let found = match order {
        _ if draw % 5 == 4 => match IndexedTree::new(model) {
            Ok(tree) => search_with(model, order, tree),
            Err(error) => return Answer::Refused(error.to_string()),
        },
        _ if draw % 5 < 2 => search_with(model, order, Difference::new(&packing, k)),
        Order::BreadthFirst => search_with(model, order, Delta::breadth_first(&layout, &packing, config)),
        Order::DepthFirst => search_with(model, order, Delta::any_order(&layout, &packing, config)),
    };
    match found == plain {
        true => plain,
        false => Answer::Refused(format!("another store, with k = {k}, finds {found:?}")),
    }
}

fn search_with<M: Model, S: Lookup<M>>(model: &mut M, order: Order, mut store: S) -> Answer {
    let mut diary = Diary::default();
    let limits = Limits { max_states: Some(MAX_STATES), ..Limits::NONE };
    let report = explore(model, &mut store, order, &limits, &mut Silent, &mut diary);
    match &report.ending {
        Ending::Complete => {}
        Ending::Failed(failure) => {
            return match wrong(&failure.error.kind) {
                Some(wrong) => Answer::Wrong(wrong),
                None => Answer::Refused(failure.error.to_string()),
            };
        }
        ending => return Answer::Refused(format!("the search ended with {ending:?}")),
    }
    let counts = Counts {
        states: report.states,
        edges: report.edges,
        dead_states: report.dead_states,
        max_tokens_in_place: report.max_tokens_in_place,
        max_tokens_total: report.max_tokens_total,
    };
    let transition = |action: usize| {
        let description = model.describe(ActionId::new(action));
        description.split('(').next().unwrap_or_default().to_owned()
    };
    let transitions: Vec<String> = (0..model.n_actions()).map(transition).collect();
    let edge =
        |&(from, action, to): &(usize, ActionId, usize)| (from, transitions[action.index()].clone(), to);
    let edges = diary.edges.iter().map(edge);
    Answer::Explored(Account::new(counts, &diary.states, edges, diary.dead.iter().copied()))
}

/// How the oracle calls an error.
fn wrong(kind: &RunErrorKind) -> Option<Wrong> {
    match kind {
        RunErrorKind::OutOfRange { .. }
        | RunErrorKind::NoNeighbour { .. }
        | RunErrorKind::NoElement { .. } => Some(Wrong::Range),
        RunErrorKind::ContainerFull { .. } => Some(Wrong::Container),
        RunErrorKind::CapacityExceeded { .. } => Some(Wrong::Capacity),
        _ => None,
    }
}

/// Notes everything that a search meets.
#[derive(Default)]
struct Diary {
    states: Vec<String>,
    edges: Vec<(usize, ActionId, usize)>,
    dead: Vec<usize>,
}

impl<M: Model> Observer<M> for Diary {
    fn state(&mut self, state: Visit<'_, M>, _: &[u64]) -> ControlFlow<()> {
        assert_eq!(state.id.index(), self.states.len(), "states are told in the order of their identities");
        self.states.push(in_words(state.model.describe_state(state.words)));
        ControlFlow::Continue(())
    }

    fn edge(&mut self, edge: Edge) -> ControlFlow<()> {
        self.edges.push((edge.from.index(), edge.action, edge.to.index()));
        ControlFlow::Continue(())
    }

    fn dead(&mut self, state: Visit<'_, M>) -> ControlFlow<()> {
        self.dead.push(state.id.index());
        ControlFlow::Continue(())
    }
}

/// A state's description with the tokens of each place in the order of their texts.
fn in_words(groups: Vec<(String, String)>) -> String {
    let place = |(name, tokens): &(String, String)| {
        let mut terms: Vec<&str> = tokens.split(" + ").collect();
        terms.sort_unstable();
        format!("{name}: {}", terms.join(" + "))
    };
    groups.iter().map(place).collect::<Vec<_>>().join("; ")
}
