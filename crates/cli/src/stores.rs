//! From the store that was asked for to a search with it: the one `match` at the edge.

use petite_model::Model;
use petite_store::{Bitstate, HashCompact, Plain};

use crate::problem::Problem;
use crate::searching::{Plan, Searched, search, search_set};
use crate::store_args::{StoreArg, StoreArgs};

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
