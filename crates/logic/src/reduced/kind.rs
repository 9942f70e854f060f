//! What of a net has to be kept for a question.
//!
//! | question | what it sees |
//! |---|---|
//! | the largest value of a number; claims about reachable states without `deadlock` | reachable counts |
//! | claims that are made true by dead states, as `EF (deadlock and p > 1)` | counts of dead states, too |
//! | linear time without `X` and `deadlock` | runs, but for steps that nobody sees |
//! | branching time without `X` and `deadlock` | choices, but for such steps |
//! | everything else | single steps |
//!
//! `EF (p > 1 and not deadlock)` is among the last: a state of a reduced net may be dead where the original one still has
//! steps to take that nobody sees.

use petite_net::reduce::Keeps;
use petite_net::{Formula, Predicate, Question};

use crate::claim::{Claim, claim};
use crate::{Ctl, Temporal, temporal};

/// What has to be kept for a question in counts; none where nothing is known to be enough. Under `fairness`, which speaks of
/// transitions, nothing is for linear time.
pub fn keeps(question: &Question, has_fairness: bool) -> Option<Keeps> {
    match question {
        Question::Bound(_) => Some(Keeps::Reachability),
        Question::Global(_) => None,
        Question::Holds(formula) => of_formula(formula, has_fairness),
    }
}

fn of_formula(formula: &Formula, has_fairness: bool) -> Option<Keeps> {
    if let Some(claim) = claim(formula) {
        let mut dead = Dead::default();
        dead.in_claim(&claim);
        return Some(match dead {
            Dead { helps: false, harms: false } => Keeps::Reachability,
            Dead { helps: true, harms: false } => Keeps::Deadlock,
            Dead { harms: true, .. } => Keeps::Everything,
        });
    }
    let mut atoms = Vec::new();
    let formula = temporal(formula, &mut atoms)?;
    let sees_dead = atoms.iter().any(|atom| {
        let mut dead = Dead::default();
        dead.in_predicate(atom, true);
        dead.helps || dead.harms
    });
    match formula {
        Temporal::Ctl(formula) => {
            Some(if sees_dead || has_next(&formula) { Keeps::Everything } else { Keeps::StutterCtl })
        }
        Temporal::AllRuns(_) | Temporal::SomeRun(_) if has_fairness => None,
        Temporal::AllRuns(formula) | Temporal::SomeRun(formula) => {
            let is_single = sees_dead || !formula.is_stutter_insensitive();
            Some(if is_single { Keeps::Everything } else { Keeps::StutterLtl })
        }
    }
}

/// How predicates that are looked for depend on whether a state is dead.
#[derive(Clone, Copy, Default)]
struct Dead {
    /// Some may hold because a state is dead.
    helps: bool,
    /// Some may hold because a state is not.
    harms: bool,
}

impl Dead {
    fn in_claim(&mut self, claim: &Claim) {
        match claim {
            Claim::Reach(predicate) => self.in_predicate(predicate, true),
            // Whether the first state is dead must be known as it is.
            Claim::Now(predicate) => {
                self.in_predicate(predicate, true);
                self.in_predicate(predicate, false);
            }
            Claim::Not(body) => self.in_claim(body),
            Claim::And(parts) | Claim::Or(parts) => parts.iter().for_each(|part| self.in_claim(part)),
        }
    }

    fn in_predicate(&mut self, predicate: &Predicate, positive: bool) {
        match predicate {
            Predicate::Deadlock if positive => self.helps = true,
            Predicate::Deadlock => self.harms = true,
            Predicate::Not(body) => self.in_predicate(body, !positive),
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().for_each(|part| self.in_predicate(part, positive));
            }
            Predicate::Const(_)
            | Predicate::Compare(..)
            | Predicate::Enabled(_)
            | Predicate::Proposition(_) => {}
        }
    }
}

fn has_next(formula: &Ctl) -> bool {
    match formula {
        Ctl::True | Ctl::False | Ctl::Atom(_) => false,
        Ctl::ExistsNext(_) | Ctl::AllNext(_) => true,
        Ctl::Not(part)
        | Ctl::ExistsFinally(part)
        | Ctl::AllFinally(part)
        | Ctl::ExistsGlobally(part)
        | Ctl::AllGlobally(part) => has_next(part),
        Ctl::And(parts) | Ctl::Or(parts) => parts.iter().any(has_next),
        Ctl::ExistsUntil(first, second) | Ctl::AllUntil(first, second) => has_next(first) || has_next(second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_net::{Comparison, FormulaKind, Number, PlaceIdx, Span};

    fn of(kind: FormulaKind) -> Formula {
        Formula { kind, span: Span::default() }
    }

    fn wrap(make: fn(Box<Formula>) -> FormulaKind, body: Formula) -> Formula {
        of(make(Box::new(body)))
    }

    fn ef(predicate: Predicate) -> Question {
        let body = Formula::state(predicate, Span::default());
        Question::Holds(wrap(FormulaKind::Exists, wrap(FormulaKind::Finally, body)))
    }

    fn marked() -> Predicate {
        Predicate::Compare(Comparison::Ge, Number::Tokens(PlaceIdx(0)), Number::Const(1))
    }

    #[test]
    fn claims_by_what_dead_states_do_for_them() {
        let not = |predicate| Predicate::Not(Box::new(predicate));
        assert_eq!(keeps(&ef(marked()), true), Some(Keeps::Reachability));
        assert_eq!(
            keeps(&ef(Predicate::And(vec![marked(), Predicate::Deadlock])), true),
            Some(Keeps::Deadlock)
        );
        let alive = ef(Predicate::And(vec![marked(), not(Predicate::Deadlock)]));
        assert_eq!(keeps(&alive, false), Some(Keeps::Everything));
        let never_dead = wrap(
            FormulaKind::All,
            wrap(FormulaKind::Globally, Formula::state(not(Predicate::Deadlock), Span::default())),
        );
        assert_eq!(keeps(&Question::Holds(never_dead), false), Some(Keeps::Deadlock));
        let dead_now = Question::Holds(Formula::state(Predicate::Deadlock, Span::default()));
        assert_eq!(keeps(&dead_now, false), Some(Keeps::Everything));
    }

    #[test]
    fn runs_by_their_operators() {
        let state = || Formula::state(marked(), Span::default());
        let gf = |body| wrap(FormulaKind::Globally, wrap(FormulaKind::Finally, body));
        assert_eq!(keeps(&Question::Holds(gf(state())), false), Some(Keeps::StutterLtl));
        assert_eq!(keeps(&Question::Holds(gf(state())), true), None, "fairness names transitions");
        let next = gf(wrap(FormulaKind::Next, state()));
        assert_eq!(keeps(&Question::Holds(next), false), Some(Keeps::Everything));
        let agef = |body| {
            let ef = wrap(FormulaKind::Exists, wrap(FormulaKind::Finally, body));
            Question::Holds(wrap(FormulaKind::All, wrap(FormulaKind::Globally, ef)))
        };
        assert_eq!(keeps(&agef(state()), true), Some(Keeps::StutterCtl));
        let dead = Formula::state(Predicate::Deadlock, Span::default());
        assert_eq!(keeps(&agef(dead), false), Some(Keeps::Everything));
        let ex = wrap(FormulaKind::Exists, wrap(FormulaKind::Next, state()));
        assert_eq!(keeps(&agef(ex), false), Some(Keeps::Everything));
    }
}
