//! The ways to explore a model: a store, and a codec behind a plus sign.

use petite_model::Model;
use petite_search::{
    Ending, Limits, NoObserver, Order, Report, Silent, explore, explore_set, explore_unnumbered, sample,
};
use petite_store::{
    Amount, Batching, Coded, DiagramStore, DigitSource, Digits, Frontier, Lookup, Multiset, MultisetOptions,
    Obdd, Ondd, PartDigits, Plain, Scheme, SlotOrder, StateSet, Store, Tabled, Tree,
};

use crate::corpus::UNBOUNDED;
use crate::naive;
use crate::process::Figures;
use crate::step_ways::Way;

/// States that are looked at to choose the order of slots.
const SAMPLED: u64 = 20_000;

/// Every exact combination of a store and a codec.
pub const EXACT: [&str; 22] = [
    "plain",
    "multiset",
    "multiset-paper",
    "compress",
    "collapse",
    "new-collapse",
    "ondd",
    "ondd+compress",
    "ondd+collapse",
    "ondd+new-collapse",
    "obdd",
    "obdd+compress",
    "obdd+collapse",
    "obdd+new-collapse",
    "tree",
    "dfs-tree",
    "bfs-delta-20",
    "bfs-delta-20-collapse",
    "dfs-delta-20",
    "dfs-delta-20-collapse",
    "bfs-difference-20",
    "dfs-difference-20",
];

/// Explores a model in one way, breadth first where its name does not say otherwise.
pub fn run<M: Model>(way: &str, model: &mut M) -> Result<Figures, String> {
    if way == "naive" {
        return naive::breadth_first(model);
    }
    if let Some(way) = Way::parse(way) {
        let (report, sizes) = way.explore(model)?;
        let most_tokens = [u64::from(report.max_multiplicity), report.max_tokens_total];
        let mut figures = Figures::now(report.states, report.edges, sizes.bytes, most_tokens);
        figures.vectors_bytes = sizes.vector_bytes;
        return Ok(figures);
    }
    let multiset = match way {
        "multiset" => Some(MultisetOptions::BEST),
        "multiset-paper" => Some(MultisetOptions::PAPER),
        _ => None,
    };
    if let Some(options) = multiset {
        let store = Coded::new(Multiset::new(model, options));
        return with_lookup(model, store);
    }
    let (store, codec) = match way.split_once('+') {
        Some((store, codec)) => (store, Some(codec)),
        None if scheme(way).is_some() => ("plain", Some(way)),
        None => (way, None),
    };
    let tabled = match codec {
        Some(name) => {
            let scheme = scheme(name).ok_or_else(|| format!("{name}: expected a codec"))?;
            Some(Tabled::new(scheme, model.layout(), model.packing()))
        }
        None => None,
    };
    match (store, tabled) {
        ("plain", None) => {
            let store = Plain::new(model.packing());
            with_lookup(model, store)
        }
        ("plain", Some(tabled)) => with_lookup(model, Coded::new(tabled)),
        ("obdd" | "ondd", Some(tabled)) => with_diagram(model, store, PartDigits::new(tabled)),
        ("obdd" | "ondd", None) => {
            let sample = sample(model, SAMPLED);
            let digits = SlotOrder::Sample.digits(model.layout(), model.packing(), &sample);
            with_diagram(model, store, digits)
        }
        ("tree", None) => with_tree(model, Frontier::Inside, Order::BreadthFirst),
        ("dfs-tree", None) => with_tree(model, Frontier::Outside, Order::DepthFirst),
        _ => Err(format!(
            "{way}: expected naive, plain, tree, dfs-tree, obdd, ondd, a codec, or a store + a codec"
        )),
    }
}

fn with_tree<M: Model>(model: &mut M, frontier: Frontier, order: Order) -> Result<Figures, String> {
    let mut tree = Tree::new(model, frontier).map_err(|error| error.to_string())?;
    let report = explore_unnumbered(model, &mut tree, order, &Limits::NONE, &mut Silent, &mut NoObserver);
    figures(&report, &tree)
}

fn scheme(name: &str) -> Option<Scheme> {
    match name {
        "compress" => Some(Scheme::Compress),
        "collapse" => Some(Scheme::Collapse),
        "new-collapse" => Some(Scheme::NewCollapse),
        _ => None,
    }
}

fn with_diagram<M: Model, D: Digits<M> + DigitSource>(
    model: &mut M,
    store: &str,
    digits: D,
) -> Result<Figures, String> {
    if store == "ondd" {
        return with_set(model, DiagramStore::new(Ondd::new(), digits, Batching::Batches));
    }
    let obdd = Obdd::new(digits.format()).map_err(|error| error.to_string())?;
    with_set(model, DiagramStore::new(obdd, digits, Batching::Batches))
}

fn with_lookup<M: Model, S: Lookup<M>>(model: &mut M, mut store: S) -> Result<Figures, String> {
    let order = Order::BreadthFirst;
    let report = explore(model, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
    figures(&report, &store)
}

fn with_set<M: Model, S: Store<M>>(model: &mut M, mut store: S) -> Result<Figures, String> {
    let order = Order::BreadthFirst;
    let report = explore_set(model, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
    figures(&report, &store)
}

/// Whether a search saw everything; if not, why.
pub fn completed(report: &Report) -> Result<(), String> {
    match &report.ending {
        Ending::Complete => Ok(()),
        Ending::Unbounded(_) => Err(UNBOUNDED.to_owned()),
        ending => Err(format!("the search ended early: {ending:?}")),
    }
}

fn figures(report: &Report, store: &impl StateSet) -> Result<Figures, String> {
    completed(report)?;
    let most_tokens = [u64::from(report.max_multiplicity), report.max_tokens_total];
    let mut figures = Figures::now(report.states, report.edges, store.bytes() as u64, most_tokens);
    figures.vectors_bytes = store.vector_bytes() as u64;
    let nodes = store.figures().into_iter().find(|figure| figure.name == "largest number of nodes");
    if let Some(Amount::Count(nodes)) = nodes.map(|figure| figure.amount) {
        figures.nodes = nodes;
    }
    Ok(figures)
}
