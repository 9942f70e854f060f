//! How fast the search is beside the model: a ring of tokens with 2 million states of 16 bytes and 12.5 million
//! edges, in both orders. Give `dfs` or `bfs` to run one of them, and a number of tokens other than 23.
#![allow(clippy::print_stdout, reason = "this is a program to be run by hand")]

#[path = "../tests/toys/mod.rs"]
mod toys;

use petite_model::Model;
use petite_search::{Limits, NoObserver, Order, Silent, explore};
use petite_store::{Plain, Store};
use toys::Toy;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let tokens = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(23);
    let is_wanted =
        |name: &str| arguments.iter().all(|argument| argument.parse::<u32>().is_ok() || argument == name);
    for (name, order) in [("bfs", Order::BreadthFirst), ("dfs", Order::DepthFirst)] {
        if !is_wanted(name) {
            continue;
        }
        let mut model = Toy::ring(8, tokens, 16);
        let mut store = Plain::new(model.packing());
        let report = explore(&mut model, &mut store, order, &Limits::NONE, &mut Silent, &mut NoObserver);
        let seconds = report.elapsed.as_secs_f64();
        println!(
            "{name}: {} states, {} edges, {seconds:.3} s, {:.2} million edges/s, {:.1} ns/edge, {:.2} bytes/state",
            report.states,
            report.edges,
            report.edges as f64 / seconds / 1e6,
            seconds * 1e9 / report.edges as f64,
            store.bytes() as f64 / report.states as f64,
        );
    }
}
