//! Whether graphs are the same however they are built: `petite-bench graphs [STATES | FROM..TO]`.
//!
//! All models of the corpus and of ours with stated figures, up to 500,000 states or a number given, or between two numbers: the
//! graph built breadth first, depth first and by sweeps with fold back must have the same nodes, edges, dead nodes,
//! components, terminal components, home states and liveness, and each formula of branching time must hold in as many nodes
//! (see `graph_answers.rs`). The one built by sweeps alone must have the same language as the first one, the same
//! liveness and the same answers in the initial node. Nothing is hidden and labels are deterministic, so the same language
//! means that they are bisimilar. A check of the model itself must give the same answers again, and those of the contest
//! must be the stated ones.
//!
//! Where no progress measure can be derived, the number of tokens in the first place is taken: any measure has to do.

use std::ops::RangeInclusive;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use petite_bits::SlotIdx;
use petite_graph::{
    About, Builder, Comparison, Components, Graph, Labels, Liveness, Way, Words, compare_languages, liveness,
};
use petite_model::{ActionId, Engine, EngineChoice, GroupIdx, Model, NetModel, UnfoldedNet, compile};
use petite_search::{
    Columns, Counted, Limits, Measure, Order, Report, Silent, Sum, derive_weights, explore, sweep,
    sweep_exact,
};
use petite_store::Plain;

use crate::corpus;
use crate::graph_answers::Questions;

/// Compares everything of these sizes.
pub fn table(sizes: &RangeInclusive<u64>) -> Result<(), String> {
    // Formulas may be nested deep.
    let outcome = petite_net::on_large_stack(256 << 20, || compare_all(sizes));
    outcome.map_err(|_| "the comparison has failed".to_owned())?
}

fn compare_all(sizes: &RangeInclusive<u64>) -> Result<(), String> {
    let models = corpus::models_within(sizes)?;
    println!(
        "model                                          states       arcs  components  terminal  unfolded  formulas  \
         seconds  result"
    );
    let (mut wrong, mut n_derived, mut n_formulas, mut n_stated) = (Vec::new(), 0, 0, 0);
    for (name, path, params) in &models {
        let started = Instant::now();
        let params: Vec<&str> = params.split_whitespace().collect();
        let net = Rc::new(crate::read_net(&path.to_string_lossy(), &params)?);
        let outcome = match compile(&net, EngineChoice::Auto).map_err(|error| error.to_string())? {
            Engine::Unfolded(model) => {
                let derived = derived(&model);
                n_derived += u64::from(derived.is_some());
                compare(*model, path, &derived.unwrap_or_else(first_place))
            }
            Engine::Binding(model) => compare(*model, path, &first_place()),
        };
        let seconds = started.elapsed().as_secs_f64();
        match outcome {
            Ok(Compared { facts, unfolded, formulas: (all, stated) }) => {
                n_formulas += all;
                n_stated += stated;
                println!(
                    "{name:<42} {:>10} {:>10} {:>11} {:>9} {:>9} {all:>9} {seconds:>8.1}  right",
                    facts.nodes,
                    facts.edges,
                    facts.components,
                    facts.terminal,
                    unfolded.map_or("-".to_owned(), |nodes| nodes.to_string()),
                );
            }
            Err(message) => {
                println!("{name:<42} WRONG: {message}");
                wrong.push(format!("{name}: {message}"));
            }
        }
    }
    println!(
        "{} models, {n_derived} with a derived measure, {n_formulas} formulas, {n_stated} with a stated answer, {} wrong",
        models.len(),
        wrong.len()
    );
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(format!("{} models are wrong, the first: {first}", wrong.len())),
    }
}

/// What a comparison found where everything is right.
struct Compared {
    facts: Facts,
    /// Nodes of the sweep without fold back; none where there were too many.
    unfolded: Option<usize>,
    /// Number of formulas, and of those with a stated answer.
    formulas: (usize, usize),
}

/// The ways to build a graph behind the first one.
const WAYS: [&str; 2] = ["depth first", "sweep with fold back"];

/// What is compared of a graph.
#[derive(Debug, PartialEq)]
struct Facts {
    nodes: usize,
    edges: u64,
    dead: usize,
    components: usize,
    terminal: usize,
    largest: usize,
    home: usize,
    liveness: Vec<(String, Liveness)>,
}

impl Facts {
    fn of(graph: &Graph) -> Result<Facts, String> {
        let components = Components::of(graph).map_err(|error| error.to_string())?;
        let mut reader = graph.reader();
        Ok(Facts {
            nodes: graph.n_nodes(),
            edges: graph.n_edges(),
            dead: graph.nodes().filter(|&node| reader.is_dead(node)).count(),
            components: components.len(),
            terminal: components.n_terminal(),
            largest: components.largest(),
            home: components.n_home_states(),
            liveness: liveness::<UnfoldedNet>(graph, &components, None).map_err(|error| error.to_string())?,
        })
    }
}

/// Builds the graph in all ways and compares them.
fn compare<M: NetModel>(mut model: M, path: &Path, measure: &Measure) -> Result<Compared, String> {
    let net = Rc::clone(model.net());
    let questions = Questions::of(&net, path)?;
    let names = net.transitions.iter().map(|transition| transition.name.text.clone()).collect();
    let about = About { transitions: names, ..About::default() };
    let text = |error: petite_graph::BuildError| error.to_string();
    let mut graphs = Vec::new();
    for (order, way) in [(Order::BreadthFirst, Way::NodeByNode), (Order::DepthFirst, Way::AlongThePath)] {
        let (mut store, mut builder) = (Plain::new(model.packing()), Builder::new(&model, way));
        let report = explore(&mut model, &mut store, order, &Limits::NONE, &mut Silent, &mut builder);
        complete(&report)?;
        graphs.push(builder.finish(&model, &about, Labels::Kept).map_err(text)?);
    }
    let mut builder = Builder::new(&model, Way::NodeByNode);
    let swept = sweep_exact(&mut model, measure, &Limits::NONE, &mut Silent, &mut builder);
    complete(&swept.report)?;
    graphs.push(builder.finish_sweep(&model, &about, Labels::Kept, &swept.aliases).map_err(text)?);
    // Where almost every edge leads back, a sweep alone would take for ever; so its states are limited.
    let limits = Limits { max_states: Some(20 * swept.report.states + 1000), ..Limits::NONE };
    let mut builder = Builder::new(&model, Way::NodeByNode);
    let swept = sweep(&mut model, measure, &limits, &mut Silent, &mut builder);
    let unfolded = match swept.report.is_complete() {
        true => Some(builder.finish_sweep(&model, &about, Labels::Kept, &swept.aliases).map_err(text)?),
        false => None,
    };
    let expected = Facts::of(&graphs[0])?;
    for (graph, way) in graphs[1..].iter().zip(WAYS) {
        let facts = Facts::of(graph)?;
        if facts != expected {
            return Err(format!("{way}: {facts:?}, not {expected:?}"));
        }
    }
    for graph in graphs[1..].iter().chain(&unfolded) {
        let compared = compare_languages([&graphs[0], graph], &|_, _| false, Words::All, usize::MAX);
        if compared != Ok(Comparison::Equal) {
            return Err(format!("languages: {compared:?}"));
        }
    }
    if let Some(unfolded) = &unfolded
        && Facts::of(unfolded)?.liveness != expected.liveness
    {
        return Err("the liveness of the unfolded graph is another one".to_owned());
    }
    let answers = questions.answers(&graphs[0], &mut model)?;
    for (graph, way) in graphs[1..].iter().zip(WAYS) {
        if questions.answers(graph, &mut model)? != answers {
            return Err(format!("{way}: formulas hold in other nodes"));
        }
    }
    let answers: Vec<bool> = answers.iter().map(|&(_, answer)| answer).collect();
    if let Some(unfolded) = &unfolded
        && questions
            .answers(unfolded, &mut model)?
            .iter()
            .map(|&(_, answer)| answer)
            .ne(answers.iter().copied())
    {
        return Err("the unfolded graph gives other answers".to_owned());
    }
    if questions.checked(&mut model)? != answers {
        return Err("a check of the model gives other answers".to_owned());
    }
    let unfolded = unfolded.map(|graph| graph.n_nodes());
    Ok(Compared { facts: expected, unfolded, formulas: questions.len() })
}

fn complete(report: &Report) -> Result<(), String> {
    if report.is_complete() { Ok(()) } else { Err(format!("ended early: {:?}", report.ending)) }
}

fn first_place() -> Measure {
    Measure { sums: vec![Sum { terms: vec![(Counted::Group(GroupIdx(0)), 1)] }] }
}

fn derived(model: &UnfoldedNet) -> Option<Measure> {
    let actions = (0..model.n_actions()).map(ActionId::new);
    let transition_of: Vec<u32> =
        actions.map(|action| model.transition(action).map_or(0, |transition| transition.0)).collect();
    let incidence = model.incidence();
    let columns = Columns { incidence: &incidence, transition_of: &transition_of, unknown: &[] };
    let (weights, _) = derive_weights(columns)?;
    let terms = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
    let terms = terms.map(|(slot, &weight)| (Counted::Slot(SlotIdx::new(slot)), weight)).collect();
    Some(Measure { sums: vec![Sum { terms }] })
}
