//! Which question is answered in which way.

use petite_model::NetModel;
use petite_net::{Global, Predicate, Query, Question};

use crate::claim::claim;
use crate::globals::GlobalHunt;
use crate::initial::Initial;
use crate::simplify::simplified;
use crate::{Answer, CompileError, Coverage, Hunt, Means, Predicates, Temporal, Unknown, Verdict, temporal};

/// Questions sorted by how they are answered.
pub struct Plan<'t> {
    /// What is looked for in a search of the reachable states.
    pub hunt: Hunt<'t>,
    /// The questions that the hunt answers, by their positions.
    hunted: Vec<usize>,
    /// The questions about runs.
    pub temporal: Vec<Asked>,
    /// The questions whether the net is live, by their positions.
    pub liveness: Vec<usize>,
    /// Questions that are answered already.
    settled: Vec<(usize, Verdict)>,
}

/// A question about runs.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its position among the questions.
    pub question: usize,
    /// The formula over atoms.
    pub formula: Temporal,
    /// What the atoms mean.
    pub atoms: Vec<Predicate>,
}

impl<'t> Plan<'t> {
    /// Sorts questions. `most_of_groups` is as in [`Predicates::with_bounds`]. `make` gets the positions of those that are answered by a hunt, and makes one that knows them by
    /// the order in which they are given.
    ///
    /// # Errors
    /// With the position of a question that cannot be compiled.
    pub fn new<M: NetModel>(
        model: &mut M,
        queries: &[Query],
        most_of_groups: Vec<Option<u64>>,
        make: impl FnOnce(&[usize]) -> Hunt<'t>,
    ) -> Result<Plan<'t>, (usize, CompileError)> {
        let (mut claims, mut hunted) = (Vec::new(), Vec::new());
        let (mut about_runs, mut liveness, mut settled) = (Vec::new(), Vec::new(), Vec::new());
        let mut scratch = Predicates::with_bounds(most_of_groups);
        let initial = Initial::of(model);
        for (at, query) in queries.iter().enumerate() {
            match &query.question {
                Question::Holds(formula) => {
                    let formula = simplified(model, &mut scratch, formula);
                    if let Some(claim) = claim(&formula) {
                        hunted.push(at);
                        claims.push(Some(claim));
                        continue;
                    }
                    let at_first =
                        initial.as_ref().and_then(|initial| initial.truth(model, &mut scratch, &formula));
                    if let Some(truth) = at_first {
                        let answer = if truth { Answer::Holds } else { Answer::Fails };
                        let means = Means::Witness;
                        settled.push((at, Verdict { answer, means, witness: Some(Vec::new()), cycle: None }));
                        continue;
                    }
                    let mut atoms = Vec::new();
                    match temporal(&formula, &mut atoms) {
                        Some(formula) => about_runs.push(Asked { question: at, formula, atoms }),
                        None => settled.push((at, Verdict::unknown(Unknown::NotSupported(MIXED)))),
                    }
                }
                Question::Global(Global::Liveness) => liveness.push(at),
                Question::Bound(_) | Question::Global(_) => {
                    hunted.push(at);
                    claims.push(None);
                }
            }
        }
        let mut hunt = make(&hunted);
        for (&at, claim) in hunted.iter().zip(&claims) {
            let added = match (&queries[at].question, claim) {
                (_, Some(claim)) => hunt.add_claim(model, claim),
                (Question::Bound(number), None) => hunt.add_number(model, number),
                (Question::Global(global), None) => {
                    if let Some(global) = GlobalHunt::new(model, *global) {
                        hunt.add_global(global);
                    }
                    Ok(())
                }
                (Question::Holds(_), None) => Ok(()),
            };
            added.map_err(|error| (at, error))?;
        }
        Ok(Plan { hunt, hunted, temporal: about_runs, liveness, settled })
    }

    /// The questions that are answered already, by their positions.
    pub fn settled(&self) -> &[(usize, Verdict)] {
        &self.settled
    }

    /// The verdicts on all questions, in their order, after a search with this outcome. Those that the hunt does not
    /// answer are unknown until `others` gives them.
    pub fn verdicts(
        self,
        n_questions: usize,
        coverage: Coverage,
        others: Vec<(usize, Verdict)>,
    ) -> Vec<Verdict> {
        let nothing = Verdict::unknown(Unknown::Incomplete { at_least: None });
        let mut verdicts = vec![nothing; n_questions];
        let hunted = self.hunted.into_iter().zip(self.hunt.finish(coverage));
        for (at, verdict) in self.settled.into_iter().chain(hunted).chain(others) {
            verdicts[at] = verdict;
        }
        verdicts
    }
}

/// Why a formula is neither of branching nor of linear time.
const MIXED: &str = "the formula mixes branching and linear time: expected every path quantifier directly in front of a \
                     temporal operator (CTL), or one at the very front (LTL)";
