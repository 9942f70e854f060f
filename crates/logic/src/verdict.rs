//! Answers, and how they were obtained.

use petite_model::ActionId;
use petite_net::RunError;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The formula or property holds.
    Holds,
    /// It does not.
    Fails,
    /// The largest value of a number.
    Bound(i128),
    /// The number has no largest value.
    Unbounded,
    /// Not known, for this reason.
    Unknown(Unknown),
}

/// Why an answer is not known.
#[derive(Clone, Debug, PartialEq)]
pub enum Unknown {
    /// The search did not see all states. Of a number, the largest value seen so far.
    Incomplete {
        /// The largest value seen, where a number was asked for.
        at_least: Option<i128>,
    },
    /// The store may have missed states.
    Probabilistic {
        /// The largest value seen, where a number was asked for.
        at_least: Option<i128>,
    },
    /// A search for runs ended before its end, for this reason.
    Ended(&'static str),
    /// The formula is of a kind that cannot be checked.
    NotSupported(&'static str),
    /// A proposition could not be evaluated.
    Failed(Box<RunError>),
}

/// How an answer was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// From the structure of the net, without looking at states.
    Structure,
    /// From a state that decides it.
    Witness,
    /// From all states.
    AllStates,
    /// Not at all.
    None,
}

/// An answer with its proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The answer.
    pub answer: Answer,
    /// How it was obtained.
    pub means: Means,
    /// The actions from the initial state to the one that decides, where that is known; those of a shortest way where the
    /// search was breadth first.
    pub witness: Option<Vec<ActionId>>,
    /// The step of the witness that the run goes back to for ever, where the witness is a run without end.
    pub cycle: Option<usize>,
}

impl Verdict {
    /// An answer without a witness.
    pub fn plain(answer: Answer, means: Means) -> Verdict {
        Verdict { answer, means, witness: None, cycle: None }
    }

    /// That nothing is known.
    pub fn unknown(why: Unknown) -> Verdict {
        Verdict::plain(Answer::Unknown(why), Means::None)
    }
}
