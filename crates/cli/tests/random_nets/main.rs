//! Random nets, explored by Petite and by a naive search written for this test alone.
//!
//! ```text
//!             ┌─ render ──> model text ── reader, engines, orders ──> states, edges, dead states ─┐
//!  seed ─ net ┤                                                                                   ├─ equal?
//!             └─ naive search, by brute force over the description ─> states, edges, dead states ─┘
//! ```
//!
//! Both engines in both orders have to find exactly what the naive search finds: the same states, the same edges, the
//! same dead states and bounds, or an error where there is one. Random walks check that firing can be taken back.
//! A net that fails is shrunk and printed with its seed.
//!
//! `SEED=n` runs one seed alone; `RANDOM_NETS=n` draws so many nets.

mod account;
mod bindings;
mod coded;
mod coverage;
mod describe;
mod differ;
mod draw_expr;
mod draw_transition;
mod evaluate;
mod generator;
mod naive;
mod petite_side;
mod render;
mod rng;
mod show;
mod shrink;
mod slots;
mod walk;
mod wellformed;

use coverage::Coverage;
use describe::Net;
use differ::{Mismatch, Outcome, compare};
use generator::draw;
use naive::Verdict;
use shrink::shrink;

/// The seed of the first net; the others follow.
const FIRST_SEED: u64 = 1;

/// Nets drawn by default: some ten seconds' worth.
const N_NETS: u64 = 600;

/// How many nets of a default run must have each feature.
const LEAST: usize = 3;

#[test]
fn both_engines_in_both_orders_agree_with_a_naive_search() {
    if let Some(seed) = number_from("SEED") {
        check(seed);
        return;
    }
    let n_nets = number_from("RANDOM_NETS").unwrap_or(N_NETS);
    say(&format!("{n_nets} random nets from seed {FIRST_SEED} on; SEED=n runs one alone"));
    let mut coverage = Coverage::default();
    let mut n_usable = 0;
    let mut sizes = Vec::new();
    for seed in FIRST_SEED..FIRST_SEED + n_nets {
        let (net, verdict) = check(seed);
        coverage.note(&net, &verdict);
        n_usable += u64::from(verdict != Verdict::TooLarge);
        if let Verdict::Explored(found) = verdict {
            sizes.push(found.states.len());
        }
    }
    sizes.sort_unstable();
    let n_explored = sizes.len() as u64;
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
    say(&format!("{n_explored} explored, median {median} states; {} with errors", n_usable - n_explored));
    if n_nets < N_NETS {
        return;
    }
    assert!(n_usable * 10 >= n_nets * 8, "only {n_usable} of {n_nets} nets are small enough to compare");
    assert!(n_explored * 10 >= n_nets * 6, "only {n_explored} of {n_nets} nets have no errors");
    assert!(median >= 8, "half of the nets have no more than {median} states");
    assert_eq!(coverage.rarer_than(LEAST), [], "features that hardly any net has");
}

/// The net of a seed and what all sides find; panics with a small net when they disagree.
fn check(seed: u64) -> (Net, Verdict) {
    let net = draw(seed);
    match compare(&net, seed) {
        Outcome::Agreed(verdict) => (net, verdict),
        Outcome::Differs(mismatch) => panic!("{}", report(seed, net, mismatch)),
    }
}

/// What disagrees on a net, with the smallest net that disagrees in the same way.
fn report(seed: u64, net: Net, Mismatch { class, table }: Mismatch) -> String {
    let fails = |net: &Net| match compare(net, seed) {
        Outcome::Differs(mismatch) if mismatch.class == class => Some(mismatch),
        _ => None,
    };
    let small = shrink(net, &mut |net| fails(net).is_some());
    let small_table = fails(&small).map_or_else(|| table.clone(), |mismatch| mismatch.table);
    format!("seed {seed} disagrees:\n{table}\nThe same in small:\n\n{}\n{small_table}", small.render())
}

fn number_from(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a whole number, not {text:?}")))
}

#[expect(clippy::print_stderr, reason = "the seed has to be seen, and a test has nobody else to tell it to")]
fn say(text: &str) {
    eprintln!("{text}");
}
