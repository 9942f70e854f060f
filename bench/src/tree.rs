//! The tree against the plain store: bytes a state, memory of the process, time; and what a changed slot costs in wide nets.

use std::time::Instant;

use petite_bits::{Packing, SlotIdx};
use petite_store::{IndexedTree, Shape, StateSet};

use crate::process;

/// Models to compare on: name, whether it is ours, file, parameters.
const MODELS: &[(&str, bool, &str, &str)] = &[
    ("dbm 12", false, "lna/dbm/dbm.lna", "N=12"),
    ("philosophers 13", true, "either_fork.lna", "N=13"),
    ("lamport 4", false, "lna/lamport/lamport.lna", "N=4"),
    ("Peterson-COL-3", false, "pnml-col/Peterson-COL-3/model.pnml", ""),
    ("Kanban 5", false, "pnml-pt/Kanban-PT-00005/model.pnml", ""),
    ("FMS 5", false, "pnml-pt/FMS-PT-00005/model.pnml", ""),
    ("leader 14", false, "lna/leader/leader.lna", "N=14"),
    ("SafeBus-COL-06", false, "pnml-col/SafeBus-COL-06/model.pnml", ""),
];

/// Explores all models in both ways, each in a process of its own.
pub fn table() -> Result<(), String> {
    let corpus = std::env::var("PETITE_CORPUS").ok();
    let own = |file: &str| format!("{}/../models/{file}", env!("CARGO_MANIFEST_DIR"));
    let idle = process::measure("tree", &own("jugs.lna"), "")?;
    println!("                                plain store                tree                       ratio");
    println!("model                 states    B/state  peak MB  CPU s    B/state  peak B*  CPU s    of time");
    for &(name, is_own, file, params) in MODELS {
        let path = match (&corpus, is_own) {
            (_, true) => own(file),
            (Some(corpus), false) => format!("{corpus}/{file}"),
            (None, false) => {
                println!("{name:<16} left out: PETITE_CORPUS is not set");
                continue;
            }
        };
        let plain = process::measure("plain", &path, params)?;
        let tree = process::measure("tree", &path, params)?;
        if (plain.states, plain.edges) != (tree.states, tree.edges) {
            return Err(format!("{path}: the two ways disagree: {plain:?} {tree:?}"));
        }
        let per_state = |bytes: u64| bytes as f64 / plain.states as f64;
        println!(
            "{name:<16}{:>12} {:>10.1} {:>8.1} {:>6.2} {:>10.3} {:>8.2} {:>6.2} {:>10.2}",
            plain.states,
            per_state(plain.store_bytes),
            plain.peak_bytes as f64 / 1e6,
            plain.cpu_seconds,
            per_state(tree.store_bytes),
            per_state(tree.peak_bytes.saturating_sub(idle.peak_bytes)),
            tree.cpu_seconds,
            tree.cpu_seconds / plain.cpu_seconds.max(0.01),
        );
    }
    println!("* peak of the whole process less that of a model with few states, for each state");
    wide()
}

/// What one changed slot costs in vectors of more and more slots.
fn wide() -> Result<(), String> {
    println!("\nslots    insertion of a state with one changed slot");
    for n_slots in [100, 1000, 10_000] {
        let packing = Packing::new(&vec![1; n_slots]);
        let mut store = IndexedTree::with_shape(&packing, Shape::in_order(&packing))
            .map_err(|error| error.to_string())?;
        let mut words = vec![0; packing.n_words()];
        let n_states = 200_000u64;
        let (started, lookups) = (Instant::now(), store.lookups());
        for i in 0..n_states {
            // A Gray code over the slots, spread over the whole vector: each state differs in one slot from the last.
            let slot = SlotIdx::new((i + 1).trailing_zeros() as usize * (n_slots / 20) % n_slots);
            let value = 1 - packing.get(&words, slot);
            packing.set(&mut words, slot, value).map_err(|_| "a bit outgrew its field")?;
            store.insert_words(&words).map_err(|error| error.to_string())?;
        }
        println!(
            "{n_slots:>6} {:>8.0} ns, {:.1} lookups, {:.2} bytes",
            started.elapsed().as_nanos() as f64 / n_states as f64,
            (store.lookups() - lookups) as f64 / n_states as f64,
            store.bytes() as f64 / store.len() as f64
        );
    }
    Ok(())
}
