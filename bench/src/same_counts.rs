//! Whether stores of steps find the same states: `petite-bench same-counts [STATES]`.
//!
//! All models of the corpus and of ours with stated figures, up to 2 million states or a number given, are explored by
//! both engines, depth first and breadth first, as Δ-markings and as differences, for k and δ in {1, 2, 3, 5, 7, 10, 20,
//! 50}: states, edges and dead states must be those of the plain table.

use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::Instant;

use petite_model::{Engine, EngineChoice, Model, compile};
use petite_search::{Order, Report};
use petite_store::DeltaConfig;

use crate::corpus;
use crate::step_ways::{Kind, Way};

const DISTANCES: [u32; 8] = [1, 2, 3, 5, 7, 10, 20, 50];

/// What was compared.
#[derive(Default)]
struct Tally {
    runs: u64,
    wrong: Vec<String>,
}

/// Compares everything up to so many states.
pub fn table(largest: u64) -> Result<(), String> {
    let models = corpus::models_between(0, largest)?;
    let mut all = Tally::default();
    println!("model                                          states       arcs   runs  seconds  result");
    for (name, path, params) in &models {
        let started = Instant::now();
        let params: Vec<&str> = params.split_whitespace().collect();
        let net = Rc::new(crate::read_net(&path.to_string_lossy(), &params)?);
        let mut tally = Tally::default();
        let mut counts = [0; 3];
        for choice in [EngineChoice::Unfolded, EngineChoice::Binding] {
            match compile(&net, choice) {
                Ok(Engine::Unfolded(mut model)) => counts = compare(&mut *model, name, &mut tally)?,
                Ok(Engine::Binding(mut model)) => counts = compare(&mut *model, name, &mut tally)?,
                // Too large to be unfolded: the other engine has to do.
                Err(_) => {}
            }
        }
        let result = if tally.wrong.is_empty() { "right" } else { "WRONG" };
        let seconds = started.elapsed().as_secs_f64();
        println!("{name:<42} {:>10} {:>10} {:>6} {seconds:>8.1}  {result}", counts[0], counts[1], tally.runs);
        all.runs += tally.runs;
        all.wrong.append(&mut tally.wrong);
    }
    println!("{} models, {} runs, {} wrong", models.len(), all.runs, all.wrong.len());
    match all.wrong.first() {
        None => Ok(()),
        Some(first) => Err(format!("{} runs are wrong, the first: {first}", all.wrong.len())),
    }
}

fn compare<M: Model>(model: &mut M, name: &str, tally: &mut Tally) -> Result<[u64; 3], String> {
    let counts = |report: &Report| [report.states, report.edges, report.dead_states];
    let mut plain = [0; 3];
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let expected = Way { order, kind: Kind::Plain }.explore(model);
        plain = counts(&expected.map_err(|error| format!("{name}: {error}"))?.0);
        for n in DISTANCES {
            let every = NonZeroU32::new(n).ok_or("zero")?;
            for kind in [Kind::Delta(DeltaConfig::new(every)), Kind::Difference(n)] {
                let way = Way { order, kind };
                tally.runs += 1;
                match way.explore(model) {
                    Ok((report, _)) if counts(&report) == plain => {}
                    Ok((report, _)) => {
                        tally.wrong.push(format!("{name}, {way:?}: {:?}, not {plain:?}", counts(&report)));
                    }
                    Err(error) => tally.wrong.push(format!("{name}, {way:?}: {error}")),
                }
            }
        }
    }
    Ok(plain)
}
