//! How fast the search is beside the model: a ring of tokens with 2 million states of 16 bytes and 12.5 million
//! edges, in both orders.
//!
//! `hot_loop [bfs|dfs] [TOKENS] [WIDTH]` runs one order alone, with other numbers of tokens and of bits a place.
#![allow(clippy::print_stdout, reason = "this is a program to be run by hand")]

#[path = "../tests/toys/mod.rs"]
mod toys;

use petite_model::Model;
use petite_search::{Limits, NoObserver, Order, Silent, explore};
use petite_store::{Plain, StateSet};
use toys::Toy;

fn main() {
    let (numbers, names): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.parse::<u32>().is_ok());
    let number =
        |at: usize, default: u32| numbers.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (tokens, width) = (number(0, 23), number(1, 16).min(32) as u8);
    for (name, order) in [("bfs", Order::BreadthFirst), ("dfs", Order::DepthFirst)] {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        let mut model = Toy::ring(8, tokens, width);
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
