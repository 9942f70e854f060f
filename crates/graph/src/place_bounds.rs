//! The fewest and most tokens of each place.

use std::ops::ControlFlow;

use petite_model::Model;

use crate::{Graph, WalkError, Walker};

/// How many tokens a place holds over all nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceBound {
    /// The place.
    pub name: String,
    /// Fewest tokens.
    pub least: u64,
    /// Most tokens.
    pub most: u64,
}

/// The bounds of all places.
///
/// # Errors
/// As those of [`Walker::walk`].
pub fn place_bounds<M: Model>(graph: &Graph, model: &mut M) -> Result<Vec<PlaceBound>, WalkError> {
    let groups = model.layout().groups.iter();
    let mut bounds: Vec<PlaceBound> =
        groups.map(|group| PlaceBound { name: group.name.clone(), least: u64::MAX, most: 0 }).collect();
    let mut totals = vec![0; bounds.len()];
    let _ = Walker::new(graph, model)?.walk(|met| {
        met.model.group_totals(met.words, &mut totals);
        for (bound, &total) in bounds.iter_mut().zip(&totals) {
            bound.least = bound.least.min(total);
            bound.most = bound.most.max(total);
        }
        ControlFlow::Continue(())
    })?;
    Ok(bounds)
}
