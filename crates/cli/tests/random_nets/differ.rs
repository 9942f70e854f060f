//! One net, all sides: whether they agree, and if not, how.

use std::rc::Rc;

use petite_model::EngineChoice;

use crate::account::{Account, Answer};
use crate::coded;
use crate::describe::Net;
use crate::naive::{Bounds, Verdict, explore};
use crate::petite_side::{
    COMBINATIONS, answer, read, stores_differ, unnumbered_difference, walk_there_and_back,
};
use crate::rng::Rng;

/// How far the oracle goes.
pub const BOUNDS: Bounds = Bounds { states: 3_000, combinations: 2_000, trials: 2_000_000 };

/// Of so many nets one is explored with all stores.
const STORES_EVERY: u64 = 4;

/// What came out of one net.
pub enum Outcome {
    /// All sides agree with the oracle's verdict.
    Agreed(Verdict),
    Differs(Mismatch),
}

/// How the sides disagree.
pub struct Mismatch {
    pub class: Class,
    /// Expected and got, for all combinations.
    pub table: String,
}

/// What kind of disagreement it is; shrinking keeps to one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Petite does not take the text.
    Text,
    /// A side finds an error that the other does not.
    Errors,
    /// Other states, edges or dead states.
    StateSpace,
    /// Another store finds something else.
    Store,
    /// Actions cannot be taken back.
    Walk,
    /// A store of codes finds something else, or loses a state.
    Codes,
}

/// Explores a net from all sides.
pub fn compare(net: &Net, seed: u64) -> Outcome {
    let verdict = explore(net, BOUNDS);
    if verdict == Verdict::TooLarge {
        return Outcome::Agreed(verdict);
    }
    let differs = |class, table| Outcome::Differs(Mismatch { class, table });
    let compiled = match read(&net.render()) {
        Ok(compiled) => compiled,
        Err(message) => return differs(Class::Text, message),
    };
    let answers: Vec<Answer> =
        COMBINATIONS.into_iter().map(|combination| answer(&compiled, combination)).collect();
    let differences: Vec<Option<(Class, String)>> = match &verdict {
        Verdict::Explored(found) => {
            let expected = Account::of_oracle(net, found);
            answers.iter().map(|answer| explored_difference(&expected, answer)).collect()
        }
        verdict => answers.iter().map(|answer| error_difference(verdict, answer)).collect(),
    };
    if let Some((class, _)) = differences.iter().flatten().next() {
        return differs(*class, table(&verdict, &answers, &differences));
    }
    if seed.is_multiple_of(STORES_EVERY)
        && let Some(store) = stores_differ(&compiled)
    {
        return differs(Class::Store, format!("{store} finds something else than the plain store"));
    }
    if let Some(difference) = unnumbered_difference(&compiled) {
        return differs(Class::StateSpace, difference);
    }
    if let Err(message) = walks(&compiled, seed) {
        return differs(Class::Walk, message);
    }
    if let Verdict::Explored(found) = &verdict
        && let Err(message) = coded::check(&compiled, found, seed)
    {
        return differs(Class::Codes, message);
    }
    Outcome::Agreed(verdict)
}

fn walks(compiled: &Rc<petite_net::Net>, seed: u64) -> Result<(), String> {
    for choice in [EngineChoice::Unfolded, EngineChoice::Binding] {
        let mut rng = Rng::new(seed);
        for _ in 0..3 {
            walk_there_and_back(compiled, choice, &mut rng)
                .map_err(|message| format!("{choice:?}: {message}"))?;
        }
    }
    Ok(())
}

fn explored_difference(expected: &Account, answer: &Answer) -> Option<(Class, String)> {
    match answer {
        Answer::Explored(account) => {
            expected.difference(account).map(|difference| (Class::StateSpace, difference))
        }
        Answer::Wrong(wrong) => Some((Class::Errors, format!("an error ({wrong:?}) where there is none"))),
        Answer::Refused(message) => Some((Class::Errors, message.clone())),
    }
}

fn error_difference(verdict: &Verdict, answer: &Answer) -> Option<(Class, String)> {
    match (verdict, answer) {
        (Verdict::Wrong(wrongs), Answer::Wrong(wrong)) if wrongs.contains(wrong) => None,
        (_, Answer::Refused(message)) => Some((Class::Errors, message.clone())),
        (_, Answer::Wrong(_)) => Some((Class::Errors, "another error".to_owned())),
        (_, Answer::Explored(_)) => Some((Class::Errors, "no error".to_owned())),
    }
}

fn table(verdict: &Verdict, answers: &[Answer], differences: &[Option<(Class, String)>]) -> String {
    let mut text = format!(
        "{:<24}{:>8}{:>8}{:>8}{:>14}{:>12}  \n",
        "", "states", "edges", "dead", "max in place", "max total"
    );
    let expected = match verdict {
        Verdict::Explored(found) => {
            let numbers = [found.states.len(), found.edges.len(), found.dead.len()];
            let maxima = [found.max_tokens_in_place, found.max_tokens_total];
            let [states, edges, dead] = numbers;
            format!("{states:>8}{edges:>8}{dead:>8}{:>14}{:>12}", maxima[0], maxima[1])
        }
        Verdict::Wrong(wrongs) => format!("  an error, one of {wrongs:?}"),
        Verdict::TooLarge => "  too large".to_owned(),
    };
    text.push_str(&format!("{:<24}{expected}\n", "expected"));
    for ((combination, answer), difference) in COMBINATIONS.iter().zip(answers).zip(differences) {
        let name = format!("{:?} {:?}", combination.0, combination.1);
        let got = match answer {
            Answer::Explored(account) => {
                let counts = account.counts;
                format!(
                    "{:>8}{:>8}{:>8}{:>14}{:>12}",
                    counts.states,
                    counts.edges,
                    counts.dead_states,
                    counts.max_tokens_in_place,
                    counts.max_tokens_total
                )
            }
            Answer::Wrong(wrong) => format!("  an error: {wrong:?}"),
            Answer::Refused(message) => format!("  {message}"),
        };
        let remark = difference.as_ref().map_or("agrees", |(_, difference)| difference.as_str());
        text.push_str(&format!("{name:<24}{got}  {remark}\n"));
    }
    text
}
