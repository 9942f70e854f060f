//! All questions about a model, answered with the plain store.
//!
//! Whoever wants another store, or progress on a terminal, puts the same parts together: a [`Plan`], a search with its hunt
//! as observer, and [`about_runs`].

use std::time::Instant;

use petite_model::NetModel;
use petite_net::Query;
use petite_search::{Ending, Limits, Monitor, Order, Report, explore};
use petite_store::Plain;

use crate::{Ancestry, CompileError, Coverage, Hunt, Phases, Plan, Tell, Verdict, about_runs};

/// Whether the ways to states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witnesses {
    /// They are, breadth first, so that they are shortest.
    Kept,
    /// They are not.
    None,
}

/// Answers questions about a model, breadth first. Gives the report of the search, too, where one was needed.
///
/// # Errors
/// With the position of a question that cannot be compiled.
pub fn decide<M: NetModel>(
    model: &mut M,
    queries: &[Query],
    limits: &Limits,
    witnesses: Witnesses,
    monitor: &mut dyn Monitor,
    tell: Tell<'_>,
) -> Result<(Vec<Verdict>, Option<Report>), (usize, CompileError)> {
    let most = model.group_bounds();
    let ancestry = (witnesses == Witnesses::Kept).then(Ancestry::default);
    let mut plan = Plan::new(model, queries, most.clone(), |_| Hunt::new(most, ancestry, tell))?;
    let mut report = None;
    let mut coverage = Coverage::Some;
    if !plan.hunt.is_done() {
        let mut phases = Phases::new(*limits);
        loop {
            let started = Instant::now();
            let mut store = Plain::new(model.packing());
            let limits = phases.limits();
            let found = explore(model, &mut store, Order::BreadthFirst, &limits, monitor, &mut plan.hunt);
            coverage = Coverage::of(&found.ending);
            let goes_on = phases.go_on(&mut plan.hunt, model, &found.ending, started.elapsed());
            report = Some(found);
            if !goes_on {
                break;
            }
        }
    }
    let others = about_runs(model, &plan, limits, monitor);
    Ok((plan.verdicts(queries.len(), coverage, others), report))
}

impl Coverage {
    /// What a search with an exact store saw that ended like this.
    pub fn of(ending: &Ending) -> Coverage {
        match ending {
            Ending::Complete => Coverage::All,
            _ => Coverage::Some,
        }
    }
}
