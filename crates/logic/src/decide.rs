//! All questions about a model, answered with the plain store.
//!
//! Whoever wants another store, or progress on a terminal, is an [`Explorer`] and calls [`answer`].

use petite_model::NetModel;
use petite_net::Query;
use petite_search::{Ending, Limits, Monitor, Order, explore};
use petite_store::Plain;

use crate::{Answers, Asking, CompileError, Coverage, Explorer, Hunt, NoAnswer, Options, TellAnswer, answer};

/// Answers questions about a model, breadth first.
///
/// # Errors
/// With the position of a question that cannot be compiled.
pub fn decide<M: NetModel>(
    model: &mut M,
    queries: &[Query],
    options: &Options,
    monitor: &mut dyn Monitor,
    tell: TellAnswer<'_>,
) -> Result<Answers, (usize, CompileError)> {
    let mut explorer = WithPlainStore { monitor };
    answer(model, queries, options, &mut explorer, tell).map_err(|reason| match reason {
        NoAnswer::Question(at, error) => (at, error),
        NoAnswer::Search(never) => match never {},
    })
}

/// Searches with the plain store.
struct WithPlainStore<'a> {
    monitor: &'a mut dyn Monitor,
}

impl Explorer for WithPlainStore<'_> {
    type Refusal = std::convert::Infallible;

    fn explore<M: NetModel>(
        &mut self,
        model: &mut M,
        hunt: &mut Hunt<'_>,
        limits: Limits,
        _: &Asking,
    ) -> Result<(Ending, Coverage), Self::Refusal> {
        let mut store = Plain::new(model.packing());
        let report = explore(model, &mut store, Order::BreadthFirst, &limits, self.monitor, hunt);
        let coverage = Coverage::of(&report.ending);
        Ok((report.ending, coverage))
    }

    fn watch<R>(&mut self, run: impl FnOnce(&mut dyn Monitor) -> R) -> R {
        run(self.monitor)
    }

    fn is_interrupted(&self) -> bool {
        self.monitor.interrupted()
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
