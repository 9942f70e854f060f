//! Tables 1 and 2 of paper 5: bytes of all encoded states of the data base net, the paper's beside ours.
//!
//! `petite-bench paper5 [SITES]` explores the three variants of `models/databases.pn`, each with and without the place
//! `unused`, for 1 to 10 sites, with the published code, and compares every entry. Then come the codes beyond the paper
//! for the largest number of sites, and which share of the search encoding takes.

use std::rc::Rc;
use std::time::{Duration, Instant};

use petite_bits::{BitReader, BitWriter, OutOfMemory, Packing};
use petite_lang::{ReadOptions, Source, maria};
use petite_model::{Engine, EngineChoice, Model, compile};
use petite_search::{Limits, NoObserver, Order, Silent, explore};
use petite_store::{
    CodeError, Codec, Coded, Codes, Coding, Empties, FactSource, ItemCode, Multiset, MultisetOptions,
    Reference, StateSet, Weights,
};

/// The bytes of the three variants for 1 to 10 sites, with `unused` and without.
const PAPER: [[[u64; 3]; 10]; 2] = [
    [
        [4, 2, 2],
        [28, 15, 9],
        [223, 168, 86],
        [1403, 1090, 414],
        [8439, 7487, 2396],
        [46_109, 42_292, 10_807],
        [208_807, 198_599, 43_569],
        [908_810, 873_816, 168_089],
        [4_423_852, 4_308_020, 738_397],
        [18_006_540, 17_685_747, 2_683_381],
    ],
    [
        [4, 2, 2],
        [21, 14, 9],
        [150, 111, 86],
        [724, 543, 414],
        [3565, 3159, 2396],
        [15_725, 14_266, 10_807],
        [60_786, 55_683, 43_569],
        [233_702, 217_213, 168_089],
        [998_945, 952_558, 738_397],
        [3_559_389, 3_526_147, 2_683_381],
    ],
];

/// Symbols that choose the tables and the variants.
const TABLES: [&[&str]; 2] = [&["UNUSED"], &[]];
const VARIANTS: [&[&str]; 3] = [&[], &["CAPACITIES"], &["IMPLIED"]];

/// The codes beyond the paper, by the names of the command line.
const BEYOND: [(&str, MultisetOptions); 8] = {
    const PAPER: MultisetOptions = MultisetOptions::PAPER;
    const SUBSET: MultisetOptions = MultisetOptions { items: ItemCode::Subset, ..PAPER };
    const REFERENCE: MultisetOptions = MultisetOptions { reference: Reference::Initial, ..SUBSET };
    const FOUND: MultisetOptions = MultisetOptions { facts: FactSource::Found, ..SUBSET };
    [
        ("paper", PAPER),
        ("empties-first", MultisetOptions { empties: Empties::SubsetFirst, ..PAPER }),
        ("trained", MultisetOptions { weights: Weights::Trained, ..PAPER }),
        ("subset", SUBSET),
        ("subset,reference", REFERENCE),
        ("subset,reference,trained", MultisetOptions { weights: Weights::Trained, ..REFERENCE }),
        ("subset,found", FOUND),
        (
            "subset,reference,found,trained",
            MultisetOptions { weights: Weights::Trained, reference: Reference::Initial, ..FOUND },
        ),
    ]
};

/// Prints the tables for up to so many sites.
pub fn tables(most_sites: usize) -> Result<(), String> {
    let most_sites = most_sites.clamp(1, PAPER[0].len());
    let mut n_different = 0;
    for (table, symbols) in TABLES.iter().enumerate() {
        println!("Table {}: bytes of all encoded states, paper and measured", table + 1);
        println!(
            "sites    states         plain        measured    capacities        measured       implied        measured"
        );
        for sites in 1..=most_sites {
            let mut line = String::new();
            let mut states = 0;
            for (variant, hints) in VARIANTS.iter().enumerate() {
                let run =
                    run(sites, &[*symbols, *hints].concat(), MultisetOptions::PAPER, Order::BreadthFirst)?;
                let paper = PAPER[table][sites - 1][variant];
                let mark = if run.encoded_bytes == paper { ' ' } else { '!' };
                n_different += usize::from(run.encoded_bytes != paper);
                line.push_str(&format!("{paper:>14}{:>15}{mark}", run.encoded_bytes));
                states = run.states;
            }
            println!("{sites:>5}{states:>10}{line}");
        }
        println!();
    }
    println!("{n_different} entries differ from the paper\n");
    shares()?;
    beyond(most_sites)?;
    if n_different == 0 { Ok(()) } else { Err(format!("{n_different} entries differ from the paper")) }
}

/// Prints the bytes of all codes.
fn beyond(sites: usize) -> Result<(), String> {
    println!("Beyond the paper, {sites} sites: bytes of all encoded states");
    println!("code                              plain+unused          plain        implied");
    let columns = [[TABLES[0], VARIANTS[0]], [TABLES[1], VARIANTS[0]], [TABLES[1], VARIANTS[2]]];
    for (name, options) in BEYOND {
        let mut line = format!("{name:<31}");
        for symbols in columns {
            let run = run(sites, &symbols.concat(), options, Order::BreadthFirst)?;
            line.push_str(&format!("{:>15}", run.encoded_bytes));
        }
        println!("{line}");
    }
    println!();
    Ok(())
}

/// Models whose encoding is timed, with parameters and symbols: nets with many small places, few large ones, many tokens.
const SHARED: [(&str, &str); 10] = [
    ("databases.pn", "N=10"),
    ("databases.pn", "N=10 define:UNUSED"),
    ("databases.pn", "N=10 define:IMPLIED"),
    ("peterson.lna", "N=3"),
    ("either_fork.lna", "N=10"),
    ("philosophers.lna", "N=13"),
    ("scheduler.lna", "N=12"),
    ("token_ring.lna", "N=10"),
    ("lines.lna", "N=3 C=3"),
    ("counters.lna", "N=5"),
];

/// Prints which share of a search encoding takes.
fn shares() -> Result<(), String> {
    println!("Encoding: share of the search in percent, and states encoded for each state stored");
    println!("model                             states   paper bfs        dfs         best bfs        dfs");
    for (file, params) in SHARED {
        let path = format!("{}/../models/{file}", env!("CARGO_MANIFEST_DIR"));
        let params: Vec<&str> = params.split_whitespace().collect();
        let mut cells = String::new();
        let mut states = 0;
        for options in [MultisetOptions::PAPER, MultisetOptions::BEST] {
            for order in [Order::BreadthFirst, Order::DepthFirst] {
                let run = match crate::engine(&path, &params)? {
                    Engine::Unfolded(mut model) => search(&mut *model, options, order),
                    Engine::Binding(mut model) => search(&mut *model, options, order),
                };
                let share = 100.0 * run.encoding.as_secs_f64() / run.search.as_secs_f64().max(1e-9);
                states = run.states;
                cells.push_str(&format!("  {share:>5.0}%{:>5.1}", run.n_encoded as f64 / states as f64));
            }
        }
        println!("{:<30}{states:>10}{cells}", format!("{file} {}", params.join(" ")));
    }
    println!();
    Ok(())
}

/// What a search gave.
struct Run {
    states: u64,
    encoded_bytes: u64,
    search: Duration,
    encoding: Duration,
    n_encoded: u64,
}

fn run(sites: usize, symbols: &[&str], options: MultisetOptions, order: Order) -> Result<Run, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/databases.pn");
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut sources = vec![Source::new(path, text)];
    let read_options = ReadOptions {
        params: vec![("N".to_owned(), sites as i64)],
        defines: symbols.iter().map(|&symbol| symbol.to_owned()).collect(),
        default_capacity: None,
    };
    let mut no_files = |file: &str, _: &str| Err(format!("{file} is not included"));
    let net = maria::read(&mut sources, &read_options, &mut no_files).map_err(|problems| {
        problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; ")
    })?;
    match compile(&Rc::new(net), EngineChoice::Auto).map_err(|error| error.to_string())? {
        Engine::Unfolded(mut model) => Ok(search(&mut *model, options, order)),
        Engine::Binding(mut model) => Ok(search(&mut *model, options, order)),
    }
}

fn search<M: Model>(model: &mut M, options: MultisetOptions, order: Order) -> Run {
    let codec = Timed { inner: Multiset::new(model, options), time: Duration::ZERO, n_encoded: 0 };
    let mut store = Coded::new(codec);
    let start = Instant::now();
    let report = explore(model, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
    let search = start.elapsed();
    let codec = store.codec();
    // Reading the clock takes a while itself, which is neither the search's nor the codec's.
    let clock = clock_cost() * u32::try_from(codec.n_encoded).unwrap_or(u32::MAX);
    Run {
        states: report.states,
        encoded_bytes: store.vector_bytes() as u64,
        search: search.saturating_sub(2 * clock),
        encoding: codec.time.saturating_sub(clock),
        n_encoded: codec.n_encoded,
    }
}

/// What it takes to read the clock once.
fn clock_cost() -> Duration {
    const READINGS: u32 = 100_000;
    let start = Instant::now();
    for _ in 0..READINGS {
        std::hint::black_box(Instant::now());
    }
    start.elapsed() / READINGS
}

/// A codec with a clock.
struct Timed<C> {
    inner: C,
    time: Duration,
    n_encoded: u64,
}

impl<C: Coding> Coding for Timed<C> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn fixed_bytes(&self) -> Option<usize> {
        self.inner.fixed_bytes()
    }

    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<Codes, OutOfMemory> {
        self.inner.repack(from, to)
    }

    fn recode(&mut self, old: &[u8], new: &mut BitWriter) {
        self.inner.recode(old, new);
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }
}

impl<M: Model, C: Codec<M>> Codec<M> for Timed<C> {
    fn encode(&mut self, model: &mut M, words: &[u64], code: &mut BitWriter) -> Result<(), CodeError> {
        let start = Instant::now();
        let result = self.inner.encode(model, words, code);
        self.time += start.elapsed();
        self.n_encoded += 1;
        result
    }

    fn decode(&mut self, model: &mut M, code: BitReader<'_>, words: &mut [u64]) {
        self.inner.decode(model, code, words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_entries_up_to_seven_sites_are_those_of_the_paper() {
        for (table, symbols) in TABLES.iter().enumerate() {
            for (variant, hints) in VARIANTS.iter().enumerate() {
                for sites in 1..=7 {
                    let symbols = [*symbols, *hints].concat();
                    for order in [Order::BreadthFirst, Order::DepthFirst] {
                        let run = run(sites, &symbols, MultisetOptions::PAPER, order).unwrap();
                        let paper = PAPER[table][sites - 1][variant];
                        assert_eq!(run.encoded_bytes, paper, "{sites} sites, {symbols:?}");
                        assert_eq!(run.states, 1 + sites as u64 * 3u64.pow(sites as u32 - 1));
                    }
                }
            }
        }
    }

    #[test]
    fn what_goes_beyond_the_paper_is_shorter() {
        for symbols in TABLES {
            let bytes = |options| run(6, symbols, options, Order::BreadthFirst).unwrap().encoded_bytes;
            let (paper, best) = (bytes(MultisetOptions::PAPER), bytes(MultisetOptions::BEST));
            assert!(2 * best < paper, "{best} bytes, {paper} with the published code");
        }
    }
}
