//! Measures the plain store against a naive baseline, side by side on one machine.
//!
//! `cargo run --release -p petite-bench` explores each model of the list twice, each time in a process of its
//! own so that peak memory is its own: once with the plain store and breadth-first search, once with a
//! `HashSet<Vec<u32>>` over the same engine. It prints a table of CPU seconds, peak memory and the ratios. Only
//! the ratios mean something: machines differ, and are busy.
//!
//! `tree` compares the tree with the plain store, and shows what a changed slot costs in wide nets.
//!
//! `corpus` explores all nets of the corpus with stated figures, up to 5 million states or of the sizes given, and
//! compares; `corpus-with WAY SIZES` does so with another store or codec (see `ways.rs`), and `corpus-with all SIZES`
//! with every exact combination. Sizes are a number of states, or two, as in `100000..500000`: what takes hours can be done
//! in parts.
//!
//! `formulas` checks the formulas of the corpus and prints a table by examination: right, wrong, unknown.
//!
//! `papers` reproduces the tables and figures of the five papers and writes docs/reproduction.md; `papers check` runs the
//! small sizes again and compares with the page. `paper1` to `paper5` print the tables of one paper. `peers` compares with
//! SPIN. `same-counts` and `graphs` compare ways of keeping states and of building graphs with each other on the corpus.
//!
//! Models that are not ours come from the folder in `PETITE_CORPUS`; without it they are left out, and the
//! table says so.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the program's purpose is a table")]

mod corpus;
mod extent;
mod formulas;
mod graph_answers;
mod graphs;
mod mutual_exclusion;
mod naive;
mod paper1;
mod paper2;
mod paper3;
mod paper4;
mod paper5;
mod papers;
mod peers;
mod picture;
mod process;
mod same_counts;
mod sheet;
mod spin;
mod step_ways;
mod tree;
mod ways;

use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use petite_lang::{ReadOptions, Source, helena, maria, pnml};
use petite_model::{Engine, EngineChoice, compile};
use petite_net::Net;

use crate::extent::Extent;
use crate::sheet::Sheet;

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
    /// A coloured net of the corpus, written as a place/transition net in PNML first.
    CorpusUnfolded,
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
    Case {
        name: "dbm as P/T",
        folder: Folder::CorpusUnfolded,
        file: "lna/dbm/dbm.lna",
        params: "N=11",
        helena: None,
    },
    Case { name: "token_ring", folder: Folder::Own, file: "token_ring.lna", params: "N=12", helena: None },
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

const USAGE: &str =
    "usage: petite-bench [papers [small|check] [PAGE.md] | paper1 [small] | paper2 | paper3 | paper4 | paper5 [SITES]
                    | peers [small] | only NAME | tree | corpus [SIZES] | corpus-with WAY|all SIZES
                    | same-counts [SIZES] | graphs [SIZES]
                    | formulas [--max-states N] [--time SECONDS] [--max-memory BYTES] [--only TEXT] [--instances FILE]
                               [--reduction on|off|at-once] [--examination NAME]]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        [] => table(""),
        ["only", name] => table(name),
        ["tree"] => tree::table(),
        ["corpus"] => corpus::table("plain", &(0..=5_000_000)),
        ["corpus", among] => sizes(among).and_then(|sizes| corpus::table("plain", &sizes)),
        ["corpus-with", "all", among] => sizes(among).and_then(corpus::all_tables),
        ["corpus-with", way, among] => sizes(among).and_then(|sizes| corpus::table(way, &sizes)),
        ["formulas", options @ ..] => formulas::table(options),
        ["papers", "check"] => papers::check(&papers::page()),
        ["papers", "check", page] if page.ends_with(".md") => papers::check(Path::new(page)),
        ["papers", "small"] => papers::write(Extent::Small, &papers::page()),
        ["papers", "small", page] if page.ends_with(".md") => papers::write(Extent::Small, Path::new(page)),
        ["papers"] => papers::write(Extent::Paper, &papers::page()),
        ["papers", page] if page.ends_with(".md") => papers::write(Extent::Paper, Path::new(page)),
        ["peers"] => peers::sheet(Extent::Paper).map(|sheet| print(vec![sheet])),
        ["peers", "small"] => peers::sheet(Extent::Small).map(|sheet| print(vec![sheet])),
        ["paper1"] => paper1::sheets(Extent::Paper).map(print),
        ["paper1", "small"] => paper1::sheets(Extent::Small).map(print),
        ["paper2"] => paper2::results(Extent::Paper).map(|results| print(results.sheets())),
        ["paper3"] => paper3::sheets(Extent::Paper).map(print),
        ["graphs"] => graphs::table(&(0..=500_000)),
        ["graphs", among] => sizes(among).and_then(|sizes| graphs::table(&sizes)),
        ["paper4"] => paper4::sheets(Extent::Paper).map(print),
        ["paper5"] => paper5::sheets(Extent::Paper, 10).map(print),
        ["paper5", sites] => match sites.parse() {
            Ok(sites) => paper5::sheets(Extent::Paper, sites).map(print),
            Err(_) => Err(format!("{sites}: expected a number of sites")),
        },
        ["same-counts"] => same_counts::table(&(0..=2_000_000)),
        ["same-counts", among] => sizes(among).and_then(|sizes| same_counts::table(&sizes)),
        ["run", way, model, params @ ..] => run(way, model, params),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Prints tables as they would be in the page.
fn print(sheets: Vec<Sheet>) {
    for sheet in sheets {
        print!("{}", sheet.markdown());
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
            (Folder::CorpusUnfolded, Some(corpus)) => {
                unfolded(&format!("{corpus}/{}", case.file), case.params)?
            }
            (Folder::Corpus | Folder::CorpusUnfolded, None) => {
                println!(
                    "{:<20} left out: PETITE_CORPUS is not set",
                    format!("{} {}", case.name, case.params)
                );
                continue;
            }
        };
        let params = if let Folder::CorpusUnfolded = case.folder { "" } else { case.params };
        let naive = process::measure("naive", &path, params)?;
        let plain = process::measure("plain", &path, params)?;
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

/// Writes a net as a place/transition net into a file of the system's folder for such things, and gives its path.
fn unfolded(path: &str, params: &str) -> Result<String, String> {
    let params: Vec<&str> = params.split_whitespace().collect();
    let Engine::Unfolded(model) = engine(path, &params)? else {
        return Err(format!("{path}: too large to be unfolded"));
    };
    let net = model.to_plain(petite_model::Flawed::Refuse).map_err(|why| format!("{path}: {why:?}"))?;
    let file = std::env::temp_dir().join(format!("petite-bench-{}.pnml", std::process::id()));
    let mut text = Vec::new();
    petite_lang::write::plain_as_pnml(&net, &mut text).map_err(|error| error.to_string())?;
    std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file.to_string_lossy().into_owned())
}

/// Explores one model one way, and prints the figures for the parent process.
fn run(way: &str, path: &str, params: &[&str]) -> Result<(), String> {
    let figures = match engine(path, params)? {
        Engine::Unfolded(mut model) => ways::run(way, &mut *model),
        Engine::Binding(mut model) => ways::run(way, &mut *model),
    }?;
    println!("{figures}");
    Ok(())
}

/// Reads and compiles a model.
fn engine(path: &str, params: &[&str]) -> Result<Engine, String> {
    let net = read_net(path, params)?;
    compile(&Rc::new(net), EngineChoice::Auto).map_err(|error| error.to_string())
}

/// Reads a model with parameters, and symbols behind `define:`.
fn read_net(path: &str, params: &[&str]) -> Result<Net, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let mut options = ReadOptions::default();
    for param in params {
        if let Some(symbol) = param.strip_prefix("define:") {
            options.defines.push(symbol.to_owned());
            continue;
        }
        let (name, value) = param.split_once('=').ok_or_else(|| format!("{param}: expected NAME=VALUE"))?;
        let value = value.parse().map_err(|error| format!("{param}: {error}"))?;
        options.params.push((name.to_owned(), value));
    }
    let net = if path.ends_with(".pnml") {
        let text = pnml::decode(bytes).map_err(|error| format!("{path}: {}", error.message))?;
        pnml::read(&Source::new(path, text), &options)
    } else if path.ends_with(".pn") {
        let mut no_files = |file: &str, _: &str| Err(format!("{file} is not included"));
        let text = bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
        maria::read(&mut vec![Source::new(path, text)], &options, &mut no_files)
    } else {
        helena::read(&Source::new(path, String::from_utf8_lossy(&bytes)), None, &options)
    };
    net.map_err(|errors| format!("{path}: {}", errors[0].message))
}

/// A number of states.
fn states(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text}: expected a number of states"))
}

/// Numbers of states: all up to one, or those from one to another, as in `100000..500000`.
fn sizes(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (from, to) = text.split_once("..").unwrap_or(("0", text));
    Ok(states(from)?..=states(to)?)
}
