//! From the store that was asked for to a search with it: the one `match` at the edge.

use petite_model::Model;
use petite_store::{Coded, Multiset, Plain};

use crate::codec_args::CodecArg;
use crate::problem::Problem;
use crate::searching::{Plan, Searched, search};
use crate::store_args::{StoreArg, StoreArgs};

/// Explores a model with the store that was asked for.
///
/// # Errors
/// A combination that cannot work, in a sentence that says why and names the nearest one that does.
pub fn explore<M: Model>(model: &mut M, args: &StoreArgs, plan: &Plan<'_>) -> Result<Searched, Problem> {
    Ok(match (args.store, args.codec.codec()) {
        (StoreArg::Plain, CodecArg::Packed) => {
            let store = Plain::new(model.packing());
            search(model, store, plan)
        }
        (StoreArg::Plain, CodecArg::Multiset) => {
            let codec = Multiset::new(model, args.codec.multiset());
            search(model, Coded::new(codec), plan)
        }
    })
}
