//! One search with the multi-set code, for counting instructions.
//!
//! `encoding_share MODEL bfs|dfs paper|best [PARAMS]` explores a model. The search and the encoding of a state are functions
//! that are never inlined, so that a profiler tells one from the other:
//!
//! ```text
//! cargo build --profile quick -p petite-bench --example encoding_share
//! valgrind --tool=callgrind --callgrind-out-file=out target/quick/examples/encoding_share models/peterson.lna dfs paper N=3
//! callgrind_annotate --inclusive=yes out | grep -E 'search_of_a_model|encoding_of_a_state'
//! ```

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the program's purpose is a line of figures")]

use std::rc::Rc;

use petite_bits::{BitReader, BitWriter, OutOfMemory, Packing};
use petite_lang::{ReadOptions, Source, helena, maria};
use petite_model::{Engine, EngineChoice, Model, compile};
use petite_search::{Limits, NoObserver, Order, Report, Silent, explore};
use petite_store::{CodeError, Codec, Coded, Codes, Coding, Multiset, MultisetOptions, StateSet};

fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(line) => println!("{line}"),
        Err(message) => {
            eprintln!("error: {message}");
            return std::process::ExitCode::from(2);
        }
    }
    std::process::ExitCode::SUCCESS
}

fn run(args: &[String]) -> Result<String, String> {
    let [path, order, code, params @ ..] = args else {
        return Err(
            "usage: encoding_share MODEL bfs|dfs paper|best [NAME=VALUE | define:SYMBOL]...".to_owned()
        );
    };
    let order = match order.as_str() {
        "bfs" => Order::BreadthFirst,
        "dfs" => Order::DepthFirst,
        _ => return Err(format!("{order}: expected bfs or dfs")),
    };
    let options = match code.as_str() {
        "paper" => MultisetOptions::PAPER,
        "best" => MultisetOptions::BEST,
        _ => return Err(format!("{code}: expected paper or best")),
    };
    let mut read_options = ReadOptions::default();
    for param in params {
        match param.split_once('=') {
            Some((name, value)) => {
                let value = value.parse().map_err(|error| format!("{param}: {error}"))?;
                read_options.params.push((name.to_owned(), value));
            }
            None => read_options.defines.push(param.trim_start_matches("define:").to_owned()),
        }
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let net = if path.ends_with(".pn") {
        let mut no_files = |file: &str, _: &str| Err(format!("{file} is not included"));
        maria::read(&mut vec![Source::new(path, text)], &read_options, &mut no_files)
    } else {
        helena::read(&Source::new(path, text), None, &read_options)
    };
    let net = net.map_err(|problems| format!("{path}: {}", problems[0].message))?;
    match compile(&Rc::new(net), EngineChoice::Auto).map_err(|error| error.to_string())? {
        Engine::Unfolded(mut model) => Ok(search(&mut *model, options, order)),
        Engine::Binding(mut model) => Ok(search(&mut *model, options, order)),
    }
}

fn search<M: Model>(model: &mut M, options: MultisetOptions, order: Order) -> String {
    let mut store = Coded::new(Counted { inner: Multiset::new(model, options), n_encoded: 0 });
    let report = search_of_a_model(model, &mut store, order);
    let bytes = store.vector_bytes();
    format!(
        "{} states, {} edges, {} encoded, {bytes} bytes",
        report.states,
        report.edges,
        store.codec().n_encoded
    )
}

#[inline(never)]
fn search_of_a_model<M: Model>(model: &mut M, store: &mut Coded<Counted>, order: Order) -> Report {
    explore(model, store, order, &Limits::NONE, &mut Silent, &mut NoObserver)
}

/// The codec, which counts.
struct Counted {
    inner: Multiset,
    n_encoded: u64,
}

#[inline(never)]
fn encoding_of_a_state<M: Model>(
    codec: &mut Multiset,
    model: &mut M,
    words: &[u64],
    code: &mut BitWriter,
) -> Result<(), CodeError> {
    codec.encode(model, words, code)
}

impl Coding for Counted {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<Codes, OutOfMemory> {
        self.inner.repack(from, to)
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }
}

impl<M: Model> Codec<M> for Counted {
    fn encode(&mut self, model: &mut M, words: &[u64], code: &mut BitWriter) -> Result<(), CodeError> {
        self.n_encoded += 1;
        encoding_of_a_state(&mut self.inner, model, words, code)
    }

    fn decode(&mut self, model: &mut M, code: BitReader<'_>, words: &mut [u64]) {
        self.inner.decode(model, code, words);
    }
}
