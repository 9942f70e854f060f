//! Fairness sets as nets in Maria's language state them, on both engines.

use std::rc::Rc;

use petite_lang::{ReadOptions, Source, maria};
use petite_logic::{AtomId, Atoms, FairSets, Ltl, LtlVerdict, NetFairness, check_ltl_fair};
use petite_model::{Engine, EngineChoice, Model, compile};
use petite_net::{Net, RunError};
use petite_search::{Limits, Silent};
use petite_store::Plain;

/// The atom: the first place holds this token.
struct Holds(&'static str);

impl<M: Model> Atoms<M> for Holds {
    fn n_atoms(&self) -> usize {
        1
    }

    fn holds(&mut self, model: &mut M, words: &[u64], _: AtomId) -> Result<bool, RunError> {
        Ok(model.describe_state(words).iter().any(|(_, contents)| contents.contains(self.0)))
    }
}

fn read(text: &str) -> Rc<Net> {
    let mut sources = vec![Source::new("net.pn", text)];
    let mut load = |_: &str, _: &str| Err("there are no files".to_owned());
    Rc::new(maria::read(&mut sources, &ReadOptions::default(), &mut load).expect("a good net"))
}

fn is_satisfied<M: Model>(
    model: &mut M,
    fairness: &mut impl FairSets<M>,
    atom: &'static str,
    formula: &Ltl,
) -> bool {
    let mut store = Plain::new(model.packing());
    let outcome =
        check_ltl_fair(model, &mut store, &mut Holds(atom), formula, fairness, &Limits::NONE, &mut Silent);
    match outcome.verdict {
        LtlVerdict::Holds => true,
        LtlVerdict::Violated(lasso) => {
            assert!(lasso.is_some());
            false
        }
        LtlVerdict::Unknown(reason) => panic!("{reason:?}"),
    }
}

/// Whether all fair runs of a net come to the token again and again.
fn comes_again(text: &str, token: &'static str) -> bool {
    let net = read(text);
    let formula = Ltl::Globally(Box::new(Ltl::Finally(Box::new(Ltl::Atom(AtomId(0))))));
    let found = [EngineChoice::Unfolded, EngineChoice::Binding].map(|choice| {
        let mut fairness = NetFairness::of(&net.fairness);
        match compile(&net, choice).unwrap() {
            Engine::Unfolded(mut model) => is_satisfied(&mut *model, &mut fairness, token, &formula),
            Engine::Binding(mut model) => is_satisfied(&mut *model, &mut fairness, token, &formula),
        }
    });
    assert_eq!(found[0], found[1], "both engines agree");
    found[0]
}

/// A token that is turned over or left as it is.
const COIN: &str = "place p bool: false;
    trans flip in { place p: x; } out { place p: !x; };
    trans stay in { place p: x; } out { place p: x; };";

/// A token that goes to and fro, and may leave from one side.
const DOOR: &str = "typedef unsigned (0..2) t; place p t: 0;
    trans go in { place p: 0; } out { place p: 1; };
    trans back in { place p: 1; } out { place p: 0; };
    trans leave in { place p: 1; } out { place p: 2; };";

#[test]
fn what_is_always_enabled_happens() {
    assert!(!comes_again(COIN, "true"));
    assert!(comes_again(&format!("{COIN} weakly_fair trans flip: true;"), "true"));
    assert!(comes_again(&format!("{COIN} strongly_fair trans flip: true;"), "true"));
}

#[test]
fn conditions_choose_instances() {
    assert!(comes_again(&format!("{COIN} weakly_fair trans flip: !x;"), "true"));
    assert!(!comes_again(&format!("{COIN} weakly_fair trans flip: x;"), "true"));
    assert!(!comes_again(&format!("{COIN} strongly_fair trans flip: x;"), "true"));
}

#[test]
fn what_is_enabled_now_and_then_needs_strength() {
    assert!(!comes_again(DOOR, "2"));
    assert!(!comes_again(&format!("{DOOR} weakly_fair trans leave: true;"), "2"));
    assert!(comes_again(&format!("{DOOR} strongly_fair trans leave: true;"), "2"));
}
