//! Questions of branching time to a graph: made up ones, and those of the contest with their stated answers.

use std::path::Path;

use petite_bits::mix64;
use petite_graph::Graph;
use petite_logic::{AtomId, Ctl, CtlVerdict, PredicateAtoms, Temporal, check_ctl, label_graph, temporal};
use petite_model::NetModel;
use petite_net::{Comparison, Net, Number, PlaceIdx, Predicate, Question, TransIdx};
use petite_search::{Limits, Silent};
use petite_store::Plain;

use crate::formulas;

/// Formulas that are made up for each model, and how deep they are nested.
const MADE_UP: u64 = 24;
const DEPTH: u32 = 3;

/// Formulas over atoms, with the answers that are stated somewhere.
pub struct Questions {
    atoms: Vec<Predicate>,
    formulas: Vec<Ctl>,
    stated: Vec<Option<bool>>,
}

impl Questions {
    /// Questions about a net; those of the contest are beside its file. The same ones every time.
    pub fn of(net: &Net, path: &Path) -> Result<Questions, String> {
        let mut questions = Questions { atoms: atoms(net), formulas: Vec::new(), stated: Vec::new() };
        let n_atoms = questions.atoms.len() as u64;
        for seed in 0..MADE_UP {
            questions.formulas.push(MakeUp { state: mix64(seed), n_atoms }.formula(DEPTH));
            questions.stated.push(None);
        }
        questions.add_contest(net, path)?;
        Ok(questions)
    }

    /// How many there are, and to how many the answer is stated.
    pub fn len(&self) -> (usize, usize) {
        (self.formulas.len(), self.stated.iter().flatten().count())
    }

    fn add_contest(&mut self, net: &Net, path: &Path) -> Result<(), String> {
        let Some(instance) = path.parent().filter(|_| path.ends_with("model.pnml")) else { return Ok(()) };
        let expected = instance.join("expected.csv");
        if !expected.exists() {
            return Ok(());
        }
        for (examination, answers) in formulas::expected(&expected)? {
            if !examination.starts_with("CTL") && !examination.ends_with(".xml") {
                continue;
            }
            for query in formulas::queries(instance, &examination, net)? {
                let stated = answers.get(&query.name).map(|answer| answer == "TRUE");
                let Question::Holds(formula) = &query.question else { continue };
                if let Some(Temporal::Ctl(formula)) = temporal(formula, &mut self.atoms) {
                    self.formulas.push(formula);
                    self.stated.push(stated);
                }
            }
        }
        Ok(())
    }

    /// For each formula the number of nodes that have it, and whether the initial one does.
    pub fn answers<M: NetModel>(&self, graph: &Graph, model: &mut M) -> Result<Vec<(usize, bool)>, String> {
        let sets =
            label_graph(graph, model, &self.atoms, &self.formulas).map_err(|error| error.to_string())?;
        Ok(sets.iter().map(|set| (set.iter().count(), set.contains(0))).collect())
    }

    /// What a check of the model itself says of each formula, which must be what is stated.
    pub fn checked<M: NetModel>(&self, model: &mut M) -> Result<Vec<bool>, String> {
        let bounds = model.group_bounds();
        let mut atoms = PredicateAtoms::new(model, &self.atoms, bounds).map_err(|error| error.to_string())?;
        let mut store = Plain::new(model.packing());
        let verdicts = check_ctl(model, &mut store, &mut atoms, &self.formulas, &Limits::NONE, &mut Silent);
        let mut answers = Vec::new();
        for (i, (verdict, stated)) in verdicts.iter().zip(&self.stated).enumerate() {
            let answer = match verdict {
                CtlVerdict::Holds(_) => true,
                CtlVerdict::Fails(_) => false,
                CtlVerdict::Unknown(why) => return Err(format!("formula {i} was not checked: {why:?}")),
            };
            if stated.is_some_and(|stated| stated != answer) {
                return Err(format!("formula {i}: {answer} is not what is stated"));
            }
            answers.push(answer);
        }
        Ok(answers)
    }
}

/// Dead states, some transitions and some places of a net.
fn atoms(net: &Net) -> Vec<Predicate> {
    let (n_transitions, n_places) = (net.transitions.len() as u64, net.places.len() as u64);
    let mut atoms = vec![Predicate::Deadlock];
    for i in 0..4.min(n_transitions) {
        atoms.push(Predicate::Enabled(vec![TransIdx((mix64(i) % n_transitions) as u32)]));
    }
    let place = |i: u64| Number::Tokens(PlaceIdx((mix64(100 + i) % n_places) as u32));
    for i in 0..4.min(n_places) {
        let other = if i == 0 { place(7) } else { Number::Const(i as i64 / 2) };
        atoms.push(Predicate::Compare(Comparison::Gt, place(i), other));
    }
    atoms
}

/// Makes formulas up.
struct MakeUp {
    state: u64,
    n_atoms: u64,
}

impl MakeUp {
    fn below(&mut self, n: u64) -> u64 {
        self.state = mix64(self.state.wrapping_add(0x9E37_79B9_7F4A_7C15));
        self.state % n
    }

    fn formula(&mut self, depth: u32) -> Ctl {
        if depth == 0 {
            return Ctl::Atom(AtomId::new(self.below(self.n_atoms) as usize));
        }
        let kind = self.below(11);
        let first = Box::new(self.formula(depth - 1));
        match kind {
            0 => Ctl::Not(first),
            1 => Ctl::And(vec![*first, self.formula(depth - 1)]),
            2 => Ctl::Or(vec![*first, self.formula(depth - 1)]),
            3 => Ctl::ExistsNext(first),
            4 => Ctl::AllNext(first),
            5 => Ctl::ExistsFinally(first),
            6 => Ctl::AllFinally(first),
            7 => Ctl::ExistsGlobally(first),
            8 => Ctl::AllGlobally(first),
            9 => Ctl::ExistsUntil(first, Box::new(self.formula(depth - 1))),
            _ => Ctl::AllUntil(first, Box::new(self.formula(depth - 1))),
        }
    }
}
