//! The ways to explore a model that are measured against each other.
//!
//! A way is written as `plain`, `naive` (breadth first), `dfs-plain`, `dfs-delta-K`, `dfs-delta-K-collapse`,
//! `dfs-difference-D`, or the same with `bfs`.

use std::num::NonZeroU32;

use petite_model::Model;
use petite_search::{Limits, NoObserver, Order, Report, Silent, explore};
use petite_store::{Delta, DeltaConfig, Difference, Lookup, Plain, StateSet, Switch};

use crate::ways::completed;

/// How states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As packed vectors.
    Plain,
    /// As Δ-markings.
    Delta(DeltaConfig),
    /// As differences, with this δ.
    Difference(u32),
}

/// An order and a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Which state is expanded next.
    pub order: Order,
    /// How states are kept.
    pub kind: Kind,
}

/// What a store took.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// All its heap.
    pub bytes: u64,
    /// The vectors alone.
    pub vector_bytes: u64,
}

impl Way {
    /// Reads the name of a way.
    pub fn parse(name: &str) -> Option<Way> {
        let (order, kind) = match name.split_once('-') {
            Some(("dfs", kind)) => (Order::DepthFirst, kind),
            Some(("bfs", kind)) => (Order::BreadthFirst, kind),
            _ => (Order::BreadthFirst, name),
        };
        let kind = match kind.split('-').collect::<Vec<_>>()[..] {
            ["plain"] => Kind::Plain,
            ["delta", k] => Kind::Delta(DeltaConfig::new(k.parse::<NonZeroU32>().ok()?)),
            ["delta", k, "collapse"] => Kind::Delta(DeltaConfig {
                collapse: Switch::On,
                ..DeltaConfig::new(k.parse::<NonZeroU32>().ok()?)
            }),
            ["difference", delta] => Kind::Difference(delta.parse().ok()?),
            _ => return None,
        };
        Some(Way { order, kind })
    }

    /// Explores all states of a model.
    pub fn explore<M: Model>(self, model: &mut M) -> Result<(Report, Sizes), String> {
        let (layout, packing) = (model.layout().clone(), model.packing().clone());
        match (self.kind, self.order) {
            (Kind::Plain, order) => run(model, Plain::new(&packing), order),
            (Kind::Difference(delta), order) => run(model, Difference::new(&packing, delta), order),
            (Kind::Delta(config), Order::BreadthFirst) => {
                run(model, Delta::breadth_first(&layout, &packing, config), self.order)
            }
            (Kind::Delta(config), Order::DepthFirst) => {
                run(model, Delta::any_order(&layout, &packing, config), self.order)
            }
        }
    }
}

fn run<M: Model, S: Lookup<M> + StateSet>(
    model: &mut M,
    mut store: S,
    order: Order,
) -> Result<(Report, Sizes), String> {
    let report = explore(model, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
    completed(&report)?;
    let sizes = Sizes { bytes: store.bytes() as u64, vector_bytes: store.vector_bytes() as u64 };
    Ok((report, sizes))
}
