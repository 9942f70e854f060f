//! Questions that are about more than reachable states.

use petite_model::NetModel;
use petite_search::{Limits, Monitor};

use crate::{Asked, Plan, Unknown, Verdict, liveness};

/// Answers the questions of a plan that its hunt does not: those about runs, and whether the net is live.
pub fn about_runs<M: NetModel>(
    model: &mut M,
    plan: &Plan<'_>,
    limits: &Limits,
    monitor: &mut dyn Monitor,
) -> Vec<(usize, Verdict)> {
    let mut verdicts: Vec<(usize, Verdict)> =
        plan.temporal.iter().map(|asked| (asked.question, temporal(model, asked, limits, monitor))).collect();
    for &question in &plan.liveness {
        let verdict = liveness(model, limits, monitor);
        verdicts.push((question, verdict));
    }
    verdicts
}

/// Checks a formula about runs.
fn temporal<M: NetModel>(_: &mut M, _: &Asked, _: &Limits, _: &mut dyn Monitor) -> Verdict {
    Verdict::unknown(Unknown::NotSupported("formulas about runs cannot be checked yet"))
}
