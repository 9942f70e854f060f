//! All questions about a model, answered with the plain store.
//!
//! Whoever wants another store, or progress on a terminal, puts the same parts together: a [`Plan`], a search with its hunt
//! as observer, and [`about_runs`].

use std::time::{Duration, Instant};

use petite_model::NetModel;
use petite_net::Query;
use petite_search::{Boundedness, Ending, Limits, Monitor, Order, Report, explore};
use petite_store::Plain;

use crate::{Ancestry, CompileError, Coverage, Hunt, Plan, Tell, Verdict, about_runs};

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
    let mut plan = Plan::new(model, queries, |_| Hunt::new(most, ancestry, tell))?;
    let mut report = None;
    let mut coverage = Coverage::Some;
    if !plan.hunt.is_done() {
        let mut limits = *limits;
        loop {
            let started = Instant::now();
            let mut store = Plain::new(model.packing());
            let found = explore(model, &mut store, Order::BreadthFirst, &limits, monitor, &mut plan.hunt);
            coverage = Coverage::of(&found.ending);
            let goes_on = plan.hunt.goes_on(&found.ending, &mut limits, started.elapsed());
            report = Some(found);
            if !goes_on {
                break;
            }
        }
    }
    let others = about_runs(model, &plan, limits, monitor);
    Ok((plan.verdicts(queries.len(), coverage, others), report))
}

impl Hunt<'_> {
    /// Whether another search is worth while after one that ended like this and took so long: one that was found to be
    /// endless may still meet what is looked for. It goes on only within a limit of time or states, and the limits are set
    /// for it.
    pub fn goes_on(&mut self, ending: &Ending, limits: &mut Limits, took: Duration) -> bool {
        let Ending::Unbounded(proof) = ending else { return false };
        self.grows(&proof.growing);
        if self.is_done() || (limits.max_time.is_none() && limits.max_states.is_none()) {
            return false;
        }
        limits.max_time = limits.max_time.map(|limit| limit.saturating_sub(took));
        limits.boundedness = Boundedness::Assume;
        self.restart();
        true
    }
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
