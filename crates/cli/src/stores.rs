//! From the store that was asked for to a search with it: the one `match` at the edge.

use petite_model::Model;
use petite_search::Order;
use petite_store::{Frontier, IndexedTree, Plain, Tree};

use crate::problem::Problem;
use crate::searching::{Plan, Searched, search, search_unnumbered};
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
        StoreArg::Tree => {
            let frontier = match plan.order {
                Order::BreadthFirst => Frontier::Inside,
                Order::DepthFirst => Frontier::Outside,
            };
            let store = Tree::new(model, frontier).map_err(|error| Problem::plain(error.to_string()))?;
            search_unnumbered(model, store, plan)
        }
        StoreArg::TreeIds => {
            let store = IndexedTree::new(model).map_err(|error| Problem::plain(error.to_string()))?;
            search(model, store, plan)
        }
    })
}
