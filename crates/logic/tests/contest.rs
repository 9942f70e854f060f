//! A sample of the contest's formulas against their stated answers, where the corpus is: set `PETITE_CORPUS` to its folder.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use petite_lang::{ReadOptions, Source, mcc, pnml};
use petite_logic::{Answer, Keeping, Options, Reducing, Witnesses, decide, trace};
use petite_model::{Engine, EngineChoice, NetModel, compile};
use petite_net::{Net, Query};
use petite_search::{Limits, Silent};

/// Instances with few states, of both kinds of nets.
const INSTANCES: [&str; 11] = [
    "pnml-pt/AirplaneLD-PT-0010",
    "pnml-pt/Angiogenesis-PT-01",
    "pnml-pt/CircadianClock-PT-000001",
    "pnml-pt/CloudDeployment-PT-2a",
    "pnml-pt/CryptoMiner-PT-D03N010",
    "pnml-pt/DNAwalker-PT-01track12Block1",
    "pnml-pt/DatabaseWithMutex-PT-02",
    "pnml-col/CSRepetitions-COL-02",
    "pnml-col/Peterson-COL-2",
    "pnml-col/Philosophers-COL-000005",
    "pnml-col/TokenRing-COL-005",
];

const EXAMINATIONS: [&str; 7] = [
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "UpperBounds",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
];

/// Formulas in a file.
const EACH: usize = 16;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The number of answers to a file of formulas; a wrong one fails the test.
fn examined(
    net: &Rc<Net>,
    folder: &Path,
    examination: &str,
    choice: EngineChoice,
    reducing: Reducing,
) -> usize {
    let path = folder.join(format!("{examination}.xml"));
    let queries =
        mcc::read(&Source::new(path.to_string_lossy(), read(&path)), 1, net).expect("formulas of this net");
    assert_eq!(queries.len(), EACH, "{}", path.display());
    match compile(net, choice).expect("an engine") {
        Engine::Unfolded(model) => compared(*model, &queries, folder, reducing),
        Engine::Binding(model) => compared(*model, &queries, folder, reducing),
    }
}

fn compared<M: NetModel>(mut model: M, queries: &[Query], folder: &Path, reducing: Reducing) -> usize {
    let limits = Limits { max_states: Some(100_000), ..Limits::NONE };
    let options = Options { limits, witnesses: Witnesses::Kept, reducing, keeping: Keeping::Table };
    let decided = decide(&mut model, queries, &options, &mut Silent, &|_, _, _, _| {});
    let verdicts = decided.expect("formulas that can be compiled").all.into_iter().map(|one| one.verdict);
    let stated = read(&folder.join("expected.csv"));
    let mut n_answered = 0;
    for (query, verdict) in queries.iter().zip(verdicts) {
        let found = match &verdict.answer {
            Answer::Holds => "TRUE".to_owned(),
            Answer::Fails => "FALSE".to_owned(),
            Answer::Bound(most) => most.to_string(),
            Answer::Unbounded => "+inf".to_owned(),
            Answer::Unknown(_) => continue,
        };
        let line = stated.lines().find(|line| line.split(',').nth(1) == Some(&query.name));
        let stated = line.and_then(|line| line.trim_end().split(',').nth(2)).expect("a stated answer");
        assert_eq!(found, stated, "{}", query.name);
        n_answered += 1;
        if let Some(actions) = &verdict.witness {
            trace(&mut model, actions, verdict.cycle).expect("a way that can be followed");
        }
    }
    n_answered
}

#[test]
fn a_sample_of_the_contest_is_answered_as_stated() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let mut n_answered = 0;
    for instance in INSTANCES {
        let folder: PathBuf = Path::new(&corpus).join(instance);
        let source = Source::new(instance, read(&folder.join("model.pnml")));
        let net = Rc::new(pnml::read(&source, &ReadOptions::default()).expect("a net"));
        for examination in EXAMINATIONS {
            let found = examined(&net, &folder, examination, EngineChoice::Auto, Reducing::WhenOpen);
            assert_eq!(found, EACH, "{instance} {examination}: all are known of so few states");
            let reduced = examined(&net, &folder, examination, EngineChoice::Auto, Reducing::AtOnce);
            assert_eq!(reduced, EACH, "{instance} {examination}: reduced nets have no more states");
            n_answered += found;
        }
        // The engine that finds bindings keeps tokens another way.
        if instance.contains("COL") {
            assert_eq!(
                examined(&net, &folder, "ReachabilityCardinality", EngineChoice::Binding, Reducing::Never),
                EACH
            );
            assert_eq!(
                examined(&net, &folder, "ReachabilityFireability", EngineChoice::Binding, Reducing::Never),
                EACH
            );
        }
    }
    assert!(n_answered >= 500, "only {n_answered} formulas were answered");
}
