//! Structural reductions: smaller nets with the same answers.
//!
//! A rule takes places and transitions away that make no difference to a question. What may be taken away depends on the
//! question: on the places whose tokens it counts, which are *protected*, and on what it asks of runs ([`Keeps`]).
//!
//! | rule | file | everything | CTL without X | LTL without X | deadlock | reachability |
//! |---|---|---|---|---|---|---|
//! | transitions that can never fire | `simple` | yes | yes | yes | yes | yes |
//! | places that never change | `simple` | yes | yes | yes | yes | yes |
//! | transitions that another one can stand in for | `simple` | yes | yes | yes | yes | yes |
//! | places that never hold anything up | `redundant` | yes | yes | yes | yes | yes |
//! | pre-agglomeration | `agglomeration` | | yes | yes | yes | yes |
//! | post-agglomeration where nothing is chosen | `agglomeration` | | yes | yes | yes | yes |
//! | post-agglomeration | `agglomeration` | | | yes | yes | yes |
//! | free agglomeration | `agglomeration` | | | | | yes |
//! | transitions that only take tokens away | `simple` | | | | | yes |
//! | what has no influence on protected places | `relevance` | | | | | yes |
//!
//! The rules go back to Berthelot ("Transformations and Decompositions of Nets", 1987); agglomerations are stated as by
//! Haddad and Pradat-Peyre (2006) and Thierry-Mieg ("Structural Reductions Revisited", 2020). A question may count tokens,
//! and so also ask whether a transition has its tokens; whether a state is dead may only be asked where
//! [`Keeps::Everything`] or [`Keeps::Deadlock`] is demanded.
//!
//! **Cost.** Rules are applied in rounds until none finds anything; each looks at every arc a few times. An agglomeration
//! never makes more than a few transitions more than it takes away.

mod agglomeration;
mod redundant;
mod relevance;
mod sequence;
mod simple;
mod work;

use crate::{PlaceIdx, PlainNet, TransIdx};
use sequence::{SeqIdx, Sequences};
use work::Work;

/// What the answers must be kept of. Each keeps what those below it ask, too, but for [`Keeps::Deadlock`]: runs do not
/// tell where they may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// All questions, of branching time and with `X` as well: the graph of states stays bisimilar.
    Everything,
    /// Formulas of branching and of linear time without `X`: the graph stays bisimilar but for steps that nobody sees.
    StutterCtl,
    /// Formulas of linear time without `X`.
    StutterLtl,
    /// Which counts of protected places dead states have.
    Deadlock,
    /// Which counts of protected places are reachable.
    Reachability,
}

/// Names of rules, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Transitions that can never fire.
    DeadTransition,
    /// Places that never change.
    ConstantPlace,
    /// Transitions that another one can stand in for.
    DominatedTransition,
    /// Places that never hold anything up.
    RedundantPlace,
    /// What follows at once is part of what it follows.
    PostAgglomeration,
    /// What can wait is part of what it waits for.
    PreAgglomeration,
    /// The same where it may take tokens from others.
    FreeAgglomeration,
    /// Transitions that only take tokens away.
    IdleTransition,
    /// Nodes without influence on protected places.
    Irrelevant,
}

/// A reduced net and the way back.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The reduced net.
    pub net: PlainNet,
    /// How often each rule was applied, in the order of [`Rule`].
    pub applied: Vec<(Rule, usize)>,
    places: Vec<Option<PlaceIdx>>,
    sequences: Sequences,
    transitions: Vec<SeqIdx>,
    initially: Vec<SeqIdx>,
}

/// Reduces a net as far as the rules go.
///
/// The counts of protected places are the same in the reduced net, under the index that [`Reduction::place`] gives.
pub fn reduce(net: &PlainNet, protected: &[PlaceIdx], keeps: Keeps) -> Reduction {
    let mut work = Work::new(net, protected);
    loop {
        let before = work.n_applied();
        simple::dead_transitions(&mut work);
        simple::constant_places(&mut work);
        simple::dominated_transitions(&mut work);
        redundant::redundant_places(&mut work);
        if keeps == Keeps::Reachability {
            simple::idle_transitions(&mut work);
            relevance::irrelevant(&mut work);
        }
        if keeps != Keeps::Everything {
            agglomeration::post(&mut work, keeps);
            agglomeration::pre(&mut work, keeps);
        }
        if work.n_applied() == before {
            return work.finish(net);
        }
    }
}

impl Reduction {
    /// The place of the reduced net that stands for one of the original net; none where it was taken away.
    pub fn place(&self, original: PlaceIdx) -> Option<PlaceIdx> {
        self.places[original.index()]
    }

    /// What happens in the original net before the reduced net begins.
    pub fn initially(&self) -> Vec<TransIdx> {
        self.initially.iter().flat_map(|&sequence| self.sequences.expand(sequence)).collect()
    }

    /// How many steps the original net takes for a run of the reduced one, with those before it begins.
    pub fn expanded_len(&self, run: impl IntoIterator<Item = TransIdx>) -> u64 {
        let lengths = self.sequences.lengths();
        let steps = run.into_iter().map(|step| self.transitions[step.index()]);
        let all = self.initially.iter().copied().chain(steps);
        all.fold(0, |sum: u64, sequence| sum.saturating_add(lengths[sequence.index()]))
    }

    /// The run of the original net that a run of the reduced one stands for, after [`Reduction::initially`].
    pub fn expand(&self, run: impl IntoIterator<Item = TransIdx>) -> Vec<TransIdx> {
        run.into_iter().flat_map(|step| self.sequences.expand(self.transitions[step.index()])).collect()
    }

    /// What is left to fire in the original net after an expanded run to a dead state of the reduced one, until its
    /// state is dead as well. None of it touches protected places. `None` where the run does not fit, or where the
    /// end is not reached in a million steps.
    pub fn finish_dead(original: &PlainNet, run: &[TransIdx]) -> Option<Vec<TransIdx>> {
        let mut marking = original.initial();
        for &step in run {
            original.fire(&mut marking, step)?;
        }
        let mut rest = Vec::new();
        let all = || (0..original.transitions.len()).map(TransIdx::new);
        while let Some(next) = all().find(|&step| original.fire(&mut marking, step).is_some()) {
            rest.push(next);
            if rest.len() > 1_000_000 {
                return None;
            }
        }
        Some(rest)
    }
}
