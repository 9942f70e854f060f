//! The baseline: a breadth-first loop with a `HashSet<Vec<u32>>`, as one would first write it.
//!
//! It uses the same engine to find and fire actions; only the way of keeping states differs. The queue holds
//! the vectors too.

use std::collections::{HashSet, VecDeque};

use petite_bits::SlotIdx;
use petite_model::{Fault, Model};

use crate::process::Figures;

/// Explores all states of a model.
pub fn breadth_first<M: Model>(model: &mut M) -> Result<Figures, String> {
    let mut words = vec![0; model.packing().n_words()];
    while let Err(fault) = model.initial(&mut words) {
        widen(model, fault)?;
        words = vec![0; model.packing().n_words()];
    }
    let first = unpacked(model, &words);
    let mut seen = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    let mut actions = Vec::new();
    let mut edges = 0;
    while let Some(state) = queue.pop_front() {
        actions.clear();
        let mut current = packed(model, &state);
        model.enabled(&current, &mut actions).map_err(|error| error.to_string())?;
        for &action in &actions {
            edges += 1;
            let next = loop {
                let mut words = current.clone();
                match model.fire(&mut words, &mut 0, action) {
                    Ok(()) => break unpacked(model, &words),
                    Err(fault) => {
                        widen(model, fault)?;
                        current = packed(model, &state);
                    }
                }
            };
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    Ok(Figures::now(seen.len() as u64, edges, 0, [0, 0]))
}

fn widen<M: Model>(model: &mut M, fault: Fault) -> Result<(), String> {
    match fault {
        Fault::Outgrown(outgrown) => {
            model.widen(outgrown);
            Ok(())
        }
        Fault::Run(error) => Err(error.to_string()),
    }
}

fn unpacked<M: Model>(model: &M, words: &[u64]) -> Vec<u32> {
    (0..model.packing().n_slots()).map(|slot| model.packing().get(words, SlotIdx::new(slot))).collect()
}

fn packed<M: Model>(model: &M, state: &[u32]) -> Vec<u64> {
    let mut words = vec![0; model.packing().n_words()];
    for (slot, &value) in state.iter().enumerate() {
        // Fields only ever get wider, so what fitted once still fits.
        let _ = model.packing().set(&mut words, SlotIdx::new(slot), value);
    }
    words
}
