//! From the store that was asked for to a search with it: the one `match` at the edge.

use petite_model::Model;
use petite_search::{Observer, Order, sample};
use petite_store::{
    Batching, Bitstate, Coded, Delta, DeltaConfig, DiagramStore, Difference, Digits, Frontier, HashCompact,
    IndexedTree, MOST_BITS, Multiset, Obdd, Ondd, PartDigits, Plain, Scheme, SlotDigits, SlotOrder,
    SlotSample, Stratified, Switch, Tabled, Tree,
};

use crate::auto_store::{self, Again};
use crate::codec_args::CodecArg;
use crate::diagram_args::{DiagramArgs, InsertArg, SlotOrderArg};
use crate::problem::Problem;
use crate::searching::{Plan, Searched, search, search_set, search_unnumbered};
use crate::store_args::{StoreArg, StoreArgs};

/// States that are looked at to choose the order of slots.
const SAMPLED: u64 = 20_000;

/// Explores a model with the store that was asked for.
///
/// # Errors
/// A combination that cannot work, in a sentence that says why and names the nearest one that does.
pub fn explore<M: Model, O: Observer<M> + Again>(
    model: &mut M,
    args: &StoreArgs,
    plan: &Plan<'_>,
    observer: &mut O,
) -> Result<Searched, Problem> {
    match args.store {
        // A codec is the plain table's, so whoever asks for one has chosen.
        StoreArg::Auto if args.codec.codec() == CodecArg::Packed && !args.codec.is_contradictory() => {
            auto_store::explore(model, args, plan, observer)
        }
        StoreArg::Auto => explore_in(model, StoreArg::Plain, args, plan, observer),
        store => explore_in(model, store, args, plan, observer),
    }
}

/// Explores a model with this store, whatever the arguments say; all else is as they say.
///
/// # Errors
/// As above.
pub fn explore_in<M: Model, O: Observer<M>>(
    model: &mut M,
    store: StoreArg,
    args: &StoreArgs,
    plan: &Plan<'_>,
    observer: &mut O,
) -> Result<Searched, Problem> {
    if args.codec.is_contradictory() {
        let message = "--code says what the multi-set code does, and --codec asks for another one";
        return Err(Problem::plain(message).help("leave out --codec, or ask for --codec multiset"));
    }
    let codec = args.codec.codec();
    let scheme = scheme(codec);
    let is_lossy = matches!(store, StoreArg::Bitstate | StoreArg::Hashcompact);
    if is_lossy && codec != CodecArg::Packed {
        let message = "a lossy store keeps no states, so there is nothing for --codec to write";
        return Err(Problem::plain(message).help("leave out --codec, or use it with --store plain"));
    }
    let is_diagram = matches!(store, StoreArg::Obdd | StoreArg::Ondd);
    if !is_diagram && (args.diagram.insert.is_some() || args.diagram.order.is_some()) {
        let message = "only decision diagrams have an order of slots and a way to insert";
        return Err(Problem::plain(message).help("leave out --order and --insert, or use --store ondd"));
    }
    if scheme.is_some() && args.diagram.order.is_some() {
        let message =
            "with --codec the levels of a diagram are the codec's parts, which have an order of their own";
        return Err(Problem::plain(message).help("leave out --order, or use --codec packed"));
    }
    let keeps_vectors = matches!(store, StoreArg::Auto | StoreArg::Plain | StoreArg::Obdd | StoreArg::Ondd);
    if !is_lossy && !keeps_vectors && codec != CodecArg::Packed {
        let message = "this store has a way of its own to write states, so --codec cannot be chosen";
        return Err(Problem::plain(message).help("leave out --codec, or use it with --store plain"));
    }
    Ok(match store {
        StoreArg::Auto | StoreArg::Plain => match scheme {
            None if codec == CodecArg::Multiset => {
                let codec = Multiset::new(model, args.codec.multiset());
                search(model, Coded::new(codec), plan, observer)
            }
            None => {
                let store = Plain::new(model.packing());
                search(model, store, plan, observer)
            }
            Some(scheme) => {
                let store = Coded::new(Tabled::new(scheme, model.layout(), model.packing()));
                search(model, store, plan, observer)
            }
        },
        StoreArg::Obdd | StoreArg::Ondd => match scheme {
            None if codec == CodecArg::Multiset => {
                let message = "a diagram needs codes of one length, and the multi-set code has many";
                return Err(Problem::plain(message).help("use --codec new-collapse, or --store plain"));
            }
            None => {
                let digits = slot_digits(model, &args.diagram);
                with_diagram(model, digits, store, args, plan, observer)?
            }
            Some(scheme) => {
                let digits = PartDigits::new(Tabled::new(scheme, model.layout(), model.packing()));
                with_diagram(model, digits, store, args, plan, observer)?
            }
        },
        StoreArg::Bitstate => {
            let bytes = usize::try_from(args.lossy.bitstate_memory).unwrap_or(usize::MAX);
            let store = Bitstate::new(bytes, args.lossy.hash_functions, args.lossy.hash_seed);
            let store = store.map_err(|_| {
                let message = "the system does not give as much memory as --bitstate-memory asks for";
                Problem::plain(message)
                    .help("ask for less, or use --store hashcompact, which grows as needed")
            })?;
            search_set(model, store, plan, observer)
        }
        StoreArg::Hashcompact => {
            let store = HashCompact::new(args.lossy.hash_bits, args.lossy.hash_seed);
            search_set(model, store, plan, observer)
        }
        StoreArg::Difference => {
            let store = Difference::new(model.packing(), args.delta);
            search(model, store, plan, observer)
        }
        StoreArg::Delta => {
            let config = delta_config(args);
            match plan.order {
                Order::BreadthFirst => {
                    let store = Delta::breadth_first(model.layout(), model.packing(), config);
                    search(model, store, plan, observer)
                }
                Order::DepthFirst if plan.asked_memory.is_some() => {
                    // The rest is for the model, the stack and what comes between two looks at the limit.
                    let budget = plan.asked_memory.unwrap_or(u64::MAX) / 4 * 3;
                    let budget = usize::try_from(budget).unwrap_or(usize::MAX);
                    let store = Stratified::new(model.layout(), model.packing(), config, budget);
                    search(model, store, plan, observer)
                }
                Order::DepthFirst => {
                    let store = Delta::any_order(model.layout(), model.packing(), config);
                    search(model, store, plan, observer)
                }
            }
        }
        StoreArg::Tree => {
            let frontier = match plan.order {
                Order::BreadthFirst => Frontier::Inside,
                Order::DepthFirst => Frontier::Outside,
            };
            let store = Tree::new(model, frontier).map_err(|error| Problem::plain(error.to_string()))?;
            search_unnumbered(model, store, plan, observer)
        }
        StoreArg::TreeIds => {
            let store = IndexedTree::new(model).map_err(|error| Problem::plain(error.to_string()))?;
            search(model, store, plan, observer)
        }
    })
}

/// Refuses a choice of store together with a sweep.
///
/// # Errors
/// Where one was made.
pub fn refuse_for_sweep(args: &StoreArgs) -> Result<(), Problem> {
    if matches!(args.store, StoreArg::Auto | StoreArg::Plain) && args.codec.codec() == CodecArg::Packed {
        return Ok(());
    }
    let message =
        "a sweep keeps a window of states in a table of its own, so --store and --codec cannot be chosen";
    Err(Problem::plain(message).help("leave them out, or use --search bfs"))
}

/// Explores with a diagram over these digits.
fn with_diagram<M: Model, D: Digits<M>, O: Observer<M>>(
    model: &mut M,
    digits: D,
    store: StoreArg,
    args: &StoreArgs,
    plan: &Plan<'_>,
    observer: &mut O,
) -> Result<Searched, Problem> {
    let batching = batching(&args.diagram);
    if store == StoreArg::Ondd {
        return Ok(search_set(model, DiagramStore::new(Ondd::new(), digits, batching), plan, observer));
    }
    let n_bits: usize = digits.format().bits().iter().map(|&bits| usize::from(bits)).sum();
    if n_bits > MOST_BITS {
        let message = format!(
            "a state has {n_bits} bits, and --store obdd takes {MOST_BITS} at most: each is a level of its diagram"
        );
        return Err(Problem::plain(message).help("use --store ondd, whose levels are slots"));
    }
    let obdd =
        Obdd::new(digits.format()).map_err(|_| Problem::plain("there is no memory for --store obdd"))?;
    Ok(search_set(model, DiagramStore::new(obdd, digits, batching), plan, observer))
}

/// The scheme of a codec by tables, where one was asked for.
fn scheme(codec: CodecArg) -> Option<Scheme> {
    match codec {
        CodecArg::Packed | CodecArg::Multiset => None,
        CodecArg::Compress => Some(Scheme::Compress),
        CodecArg::Collapse => Some(Scheme::Collapse),
        CodecArg::NewCollapse => Some(Scheme::NewCollapse),
    }
}

/// The slots in the order that was asked for.
fn slot_digits<M: Model>(model: &mut M, args: &DiagramArgs) -> SlotDigits {
    let order = match args.order {
        Some(SlotOrderArg::File) => SlotOrder::File,
        Some(SlotOrderArg::Component) => SlotOrder::Component,
        Some(SlotOrderArg::Interaction) => SlotOrder::Interaction,
        Some(SlotOrderArg::Sample) | None => SlotOrder::Sample,
    };
    let sample = if order.needs_sample() { sample(model, SAMPLED) } else { SlotSample::default() };
    order.digits(model.layout(), model.packing(), &sample)
}

fn batching(args: &DiagramArgs) -> Batching {
    match args.insert {
        Some(InsertArg::Batch) | None => Batching::Batches,
        Some(InsertArg::Single) => Batching::Single,
    }
}

/// The choices of Δ-markings.
fn delta_config(args: &StoreArgs) -> DeltaConfig {
    let unless = |off: bool| if off { Switch::Off } else { Switch::On };
    DeltaConfig {
        predecessor_update: unless(args.no_update),
        backward_firing: unless(args.no_unfire),
        recall: unless(args.no_recall),
        collapse: unless(!args.collapse),
        ..DeltaConfig::new(args.k)
    }
}
