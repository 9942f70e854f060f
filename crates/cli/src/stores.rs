//! From the store that was asked for to a search with it: the one `match` at the edge.

use petite_model::Model;
use petite_search::Order;
use petite_store::{Delta, DeltaConfig, Difference, Plain, Stratified, Switch};

use crate::problem::Problem;
use crate::searching::{Plan, Searched, search};
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
        StoreArg::Difference => {
            let store = Difference::new(model.packing(), args.delta);
            search(model, store, plan)
        }
        StoreArg::Delta => {
            let config = delta_config(args);
            match plan.order {
                Order::BreadthFirst => {
                    let store = Delta::breadth_first(model.layout(), model.packing(), config);
                    search(model, store, plan)
                }
                Order::DepthFirst if plan.asked_memory.is_some() => {
                    // The rest is for the model, the stack and what comes between two looks at the limit.
                    let budget = plan.asked_memory.unwrap_or(u64::MAX) / 4 * 3;
                    let budget = usize::try_from(budget).unwrap_or(usize::MAX);
                    let store = Stratified::new(model.layout(), model.packing(), config, budget);
                    search(model, store, plan)
                }
                Order::DepthFirst => {
                    let store = Delta::any_order(model.layout(), model.packing(), config);
                    search(model, store, plan)
                }
            }
        }
    })
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
