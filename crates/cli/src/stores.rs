//! From the store that was asked for to a search with it: the one `match` at the edge.

use petite_model::Model;
use petite_search::sample;
use petite_store::{
    Batching, Bitstate, DiagramStore, HashCompact, Ondd, Plain, SlotDigits, SlotOrder, SlotSample,
};

use crate::diagram_args::{DiagramArgs, InsertArg, SlotOrderArg};
use crate::problem::Problem;
use crate::searching::{Plan, Searched, search, search_set};
use crate::store_args::{StoreArg, StoreArgs};

/// States that are looked at to choose the order of slots.
const SAMPLED: u64 = 4000;

/// Explores a model with the store that was asked for.
///
/// # Errors
/// A combination that cannot work, in a sentence that says why and names the nearest one that does.
pub fn explore<M: Model>(model: &mut M, args: &StoreArgs, plan: &Plan<'_>) -> Result<Searched, Problem> {
    Ok(match args.store {
        StoreArg::Plain => {
            let store = Plain::new(model.packing());
            search(model, store, plan)
        }
        StoreArg::Ondd => {
            let digits = slot_digits(model, &args.diagram);
            search_set(model, DiagramStore::new(Ondd::new(), digits, batching(&args.diagram)), plan)
        }
        StoreArg::Bitstate => {
            let bytes = usize::try_from(args.lossy.bitstate_memory).unwrap_or(usize::MAX);
            let store = Bitstate::new(bytes, args.lossy.hash_functions, args.lossy.hash_seed);
            let store = store.map_err(|_| {
                let message = "the system does not give as much memory as --bitstate-memory asks for";
                Problem::plain(message)
                    .help("ask for less, or use --store hashcompact, which grows as needed")
            })?;
            search_set(model, store, plan)
        }
        StoreArg::Hashcompact => {
            let store = HashCompact::new(args.lossy.hash_bits, args.lossy.hash_seed);
            search_set(model, store, plan)
        }
    })
}

/// The slots in the order that was asked for.
fn slot_digits<M: Model>(model: &mut M, args: &DiagramArgs) -> SlotDigits {
    let order = match args.order {
        SlotOrderArg::File => SlotOrder::File,
        SlotOrderArg::Component => SlotOrder::Component,
        SlotOrderArg::Interaction => SlotOrder::Interaction,
        SlotOrderArg::Sample => SlotOrder::Sample,
    };
    let sample = if order.needs_sample() { sample(model, SAMPLED) } else { SlotSample::default() };
    order.digits(model.layout(), model.packing(), &sample)
}

fn batching(args: &DiagramArgs) -> Batching {
    match args.insert {
        InsertArg::Batch => Batching::Batches,
        InsertArg::Single => Batching::Single,
    }
}
