//! Measures the plain store against a naive baseline, side by side on one machine.
//!
//! `cargo run --release -p petite-bench` explores each model of the list twice, each time in a process of its
//! own so that peak memory is its own: once with the plain store and breadth-first search, once with a
//! `HashSet<Vec<u32>>` over the same engine. It prints a table of CPU seconds, peak memory and the ratios. Only
//! the ratios mean something: machines differ, and are busy.
//!
//! `tree` compares the tree with the plain store, and shows what a changed slot costs in wide nets.
//!
//! `corpus` explores all nets of the corpus with stated figures, up to 5 million states or a number given, and
//! compares.
//!
//! Models that are not ours come from the folder in `PETITE_CORPUS`; without it they are left out, and the
//! table says so.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the program's purpose is a table")]

mod corpus;
mod naive;
mod process;
mod tree;

use std::process::ExitCode;
use std::rc::Rc;

use petite_lang::{ReadOptions, Source, helena, pnml};
use petite_model::{Engine, EngineChoice, Model, compile};
use petite_search::{Limits, NoObserver, Order, Silent, explore, explore_unnumbered};
use petite_store::{Frontier, Plain, Tree};

use crate::process::Figures;

/// A model to measure, and CPU seconds of Helena's generated C on another machine, for orientation.
struct Case {
    name: &'static str,
    folder: Folder,
    file: &'static str,
    params: &'static str,
    helena: Option<f64>,
}

/// Where a model's file is.
enum Folder {
    Own,
    Corpus,
}

const CASES: &[Case] = &[
    Case { name: "dbm", folder: Folder::Corpus, file: "lna/dbm/dbm.lna", params: "N=11", helena: Some(2.2) },
    Case { name: "dbm", folder: Folder::Corpus, file: "lna/dbm/dbm.lna", params: "N=12", helena: None },
    Case {
        name: "leader",
        folder: Folder::Corpus,
        file: "lna/leader/leader.lna",
        params: "N=14",
        helena: Some(11.6),
    },
    Case { name: "peterson", folder: Folder::Own, file: "peterson.lna", params: "N=4", helena: Some(7.9) },
    Case { name: "either_fork", folder: Folder::Own, file: "either_fork.lna", params: "N=13", helena: None },
    Case {
        name: "Kanban",
        folder: Folder::Corpus,
        file: "pnml-pt/Kanban-PT-00005/model.pnml",
        params: "",
        helena: None,
    },
    Case {
        name: "FMS",
        folder: Folder::Corpus,
        file: "pnml-pt/FMS-PT-00005/model.pnml",
        params: "",
        helena: None,
    },
    Case {
        name: "lamport",
        folder: Folder::Corpus,
        file: "lna/lamport/lamport.lna",
        params: "N=4",
        helena: Some(6.9),
    },
    Case {
        name: "szymanski",
        folder: Folder::Corpus,
        file: "lna/szymanski/szymanski.lna",
        params: "N=4",
        helena: Some(2.2),
    },
    Case {
        name: "eratosthene",
        folder: Folder::Corpus,
        file: "lna/eratosthene/eratosthene.lna",
        params: "N=40",
        helena: None,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        [] => table(""),
        ["only", name] => table(name),
        ["tree"] => tree::table(),
        ["corpus"] => corpus::table(5_000_000),
        ["corpus", largest] => match largest.parse() {
            Ok(largest) => corpus::table(largest),
            Err(_) => Err(format!("{largest}: expected a number of states")),
        },
        ["run", way, model, params @ ..] => run(way, model, params),
        _ => Err("usage: petite-bench [only NAME | tree | corpus [STATES]]".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Measures all models, or those of one name.
fn table(only: &str) -> Result<(), String> {
    let corpus = std::env::var("PETITE_CORPUS").ok();
    println!(
        "                            naive HashSet<Vec<u32>>      plain store, breadth first         ratios"
    );
    println!(
        "model                states   CPU s  peak MB  B/state   CPU s  edges/s  peak MB  B/state   time  memory"
    );
    for case in CASES.iter().filter(|case| only.is_empty() || case.name == only) {
        let path = match (&case.folder, &corpus) {
            (Folder::Own, _) => format!("{}/../models/{}", env!("CARGO_MANIFEST_DIR"), case.file),
            (Folder::Corpus, Some(corpus)) => format!("{corpus}/{}", case.file),
            (Folder::Corpus, None) => {
                println!(
                    "{:<20} left out: PETITE_CORPUS is not set",
                    format!("{} {}", case.name, case.params)
                );
                continue;
            }
        };
        let naive = process::measure("naive", &path, case.params)?;
        let plain = process::measure("plain", &path, case.params)?;
        if (naive.states, naive.edges) != (plain.states, plain.edges) {
            return Err(format!("{path}: the two ways disagree: {naive:?} {plain:?}"));
        }
        let mega = |bytes: u64| bytes as f64 / 1e6;
        let per_state = |bytes: u64| bytes as f64 / plain.states as f64;
        println!(
            "{:<16}{:>11}  {:>6.2} {:>8.0} {:>8.1}  {:>6.2} {:>7.1}M {:>8.0} {:>8.1}  {:>5.1}  {:>6.1}{}",
            format!("{} {}", case.name, case.params),
            plain.states,
            naive.cpu_seconds,
            mega(naive.peak_bytes),
            per_state(naive.peak_bytes),
            plain.cpu_seconds,
            plain.edges as f64 / 1e6 / plain.cpu_seconds.max(0.01),
            mega(plain.peak_bytes),
            plain.store_bytes as f64 / plain.states as f64,
            naive.cpu_seconds / plain.cpu_seconds.max(0.01),
            naive.peak_bytes as f64 / plain.peak_bytes as f64,
            case.helena.map_or(String::new(), |seconds| format!("   (Helena elsewhere: {seconds} s)")),
        );
    }
    Ok(())
}

/// Explores one model one way, and prints the figures for the parent process.
fn run(way: &str, path: &str, params: &[&str]) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let mut options = ReadOptions::default();
    for param in params {
        let (name, value) = param.split_once('=').ok_or_else(|| format!("{param}: expected NAME=VALUE"))?;
        let value = value.parse().map_err(|error| format!("{param}: {error}"))?;
        options.params.push((name.to_owned(), value));
    }
    let net = if path.ends_with(".pnml") {
        let text = pnml::decode(bytes).map_err(|error| format!("{path}: {}", error.message))?;
        pnml::read(&Source::new(path, text), &options)
    } else {
        helena::read(&Source::new(path, String::from_utf8_lossy(&bytes)), None, &options)
    };
    let net = net.map_err(|errors| format!("{path}: {}", errors[0].message))?;
    let engine = compile(&Rc::new(net), EngineChoice::Auto).map_err(|error| error.to_string())?;
    let figures = match engine {
        Engine::Unfolded(mut model) => one_way(way, &mut *model),
        Engine::Binding(mut model) => one_way(way, &mut *model),
    }?;
    println!("{figures}");
    Ok(())
}

fn one_way<M: Model>(way: &str, model: &mut M) -> Result<Figures, String> {
    match way {
        "naive" => naive::breadth_first(model),
        "plain" => {
            let mut store = Plain::new(model.packing());
            let limits = Limits::NONE;
            let order = Order::BreadthFirst;
            let report = explore(model, &mut store, order, &limits, &mut Silent, &mut NoObserver);
            if !report.is_complete() {
                return Err(format!("the search ended early: {:?}", report.ending));
            }
            let bytes = petite_store::StateSet::bytes(&store) as u64;
            let most_tokens = [u64::from(report.max_multiplicity), report.max_tokens_total];
            Ok(Figures::now(report.states, report.edges, bytes, most_tokens))
        }
        "tree" => {
            let store = Tree::new(model, Frontier::Inside);
            let mut store = store.map_err(|error| error.to_string())?;
            let order = Order::BreadthFirst;
            let report =
                explore_unnumbered(model, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
            tree::figures(&report, &store)
        }
        _ => Err(format!("{way}: expected naive, plain or tree")),
    }
}
