//! Orders of the slots in a decision diagram.
//!
//! The size of a diagram depends on the order of its variables, by a factor that is exponential in their number at the
//! worst; to find the best order is hard (Bollig and Wegener, *Improving the variable ordering of OBDDs is
//! NP-complete*, 1996), and paper 4 says that it is unclear which heuristics to use. There are three here, and a way
//! to choose among them:
//!
//! - The *file's* order, which paper 4 uses.
//! - By *component*: slots that count tokens of the same first colour together, those without colour first. Where the
//!   first colour names a process, all that belongs to a process is together.
//! - By *interaction*: slots that change together are close to each other (FORCE; Aloul, Markov and Sakallah, 2003).
//!   Each action seen in a sample pulls the slots that it changes to the middle of where they are, again and again, as
//!   long as the sum of the actions' spans gets smaller.
//! - The one of these whose diagram of a *sample* of states takes the fewest bytes.

use petite_bits::{Packing, SlotIdx};
use petite_model::Layout;

use crate::diagram::{Diagram, DigitSource, Pending, SlotDigits};
use crate::ondd::Ondd;

/// Most rounds of pulling.
const ROUNDS: usize = 60;

/// How the slots of a diagram are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotOrder {
    /// As they come.
    File,
    /// By the first colour.
    Component,
    /// Those that change together.
    Interaction,
    /// Whichever of these is best for a sample.
    Sample,
}

/// Some states of a model, and what its actions change.
#[derive(Clone, Debug, Default)]
pub struct SlotSample {
    /// States, packed as the model packs them now, one behind the other.
    pub states: Vec<u64>,
    /// Sets of slots that an action changed together.
    pub changes: Vec<Vec<SlotIdx>>,
}

impl SlotOrder {
    /// Whether a sample is needed to find it.
    pub fn needs_sample(self) -> bool {
        matches!(self, SlotOrder::Interaction | SlotOrder::Sample)
    }

    /// The digits of a diagram with this order.
    pub fn digits(self, layout: &Layout, packing: &Packing, sample: &SlotSample) -> SlotDigits {
        let slots = |order| match order {
            SlotOrder::File => by_file(layout),
            SlotOrder::Component => by_component(layout),
            SlotOrder::Interaction | SlotOrder::Sample => by_interaction(layout, &sample.changes),
        };
        let digits = |order: SlotOrder, name: &str| SlotDigits::new(layout, packing, &slots(order), name);
        let candidates = [SlotOrder::File, SlotOrder::Component, SlotOrder::Interaction];
        if self != SlotOrder::Sample {
            return digits(self, self.name());
        }
        let tried = candidates.map(|order| {
            let name = format!("{}, chosen by a sample", order.name());
            let digits = digits(order, &name);
            (size_of_sample(&digits, packing, sample), digits)
        });
        // The first of equal ones.
        let best = tried.into_iter().min_by_key(|(size, _)| *size);
        best.map_or_else(|| digits(SlotOrder::File, "file"), |(_, digits)| digits)
    }

    fn name(self) -> &'static str {
        match self {
            SlotOrder::File => "file",
            SlotOrder::Component => "component",
            SlotOrder::Interaction => "interaction",
            SlotOrder::Sample => "sample",
        }
    }
}

fn by_file(layout: &Layout) -> Vec<SlotIdx> {
    (0..layout.slots.len()).map(SlotIdx::new).collect()
}

fn by_component(layout: &Layout) -> Vec<SlotIdx> {
    let mut slots = by_file(layout);
    // The sort is stable, and `None` comes first.
    slots.sort_by_key(|slot| layout.slots[slot.index()].colour.first().copied());
    slots
}

fn by_interaction(layout: &Layout, changes: &[Vec<SlotIdx>]) -> Vec<SlotIdx> {
    let starts = [by_file(layout), by_component(layout)];
    let pulled = starts.map(|start| pull_together(start, changes));
    pulled.into_iter().min_by_key(|(span, _)| *span).map(|(_, slots)| slots).unwrap_or_default()
}

/// Pulls slots that change together closer to each other. Gives the sum of the spans, too.
fn pull_together(start: Vec<SlotIdx>, changes: &[Vec<SlotIdx>]) -> (u64, Vec<SlotIdx>) {
    let n = start.len();
    let mut slots = start.clone();
    let mut best = (u64::MAX, start);
    let mut positions = vec![0.0; n];
    for _ in 0..ROUNDS {
        slots.iter().enumerate().for_each(|(at, slot)| positions[slot.index()] = at as f64);
        let span = |set: &Vec<SlotIdx>| {
            let at = |slot: &SlotIdx| positions[slot.index()] as u64;
            let (low, high) = (set.iter().map(at).min(), set.iter().map(at).max());
            high.zip(low).map_or(0, |(high, low)| high - low)
        };
        let sum: u64 = changes.iter().map(span).sum();
        if sum >= best.0 {
            break;
        }
        best = (sum, slots.clone());
        let (mut pulls, mut counts) = (vec![0.0; n], vec![0.0; n]);
        for set in changes {
            let middle =
                set.iter().map(|slot| positions[slot.index()]).sum::<f64>() / set.len().max(1) as f64;
            for slot in set {
                pulls[slot.index()] += middle;
                counts[slot.index()] += 1.0;
            }
        }
        let target = |slot: &SlotIdx| match counts[slot.index()] {
            0.0 => positions[slot.index()],
            count => pulls[slot.index()] / count,
        };
        slots.sort_by(|a, b| target(a).total_cmp(&target(b)));
    }
    best
}

/// Bytes of a diagram of the sample; all that there could be where there is no memory to find out.
fn size_of_sample(digits: &SlotDigits, packing: &Packing, sample: &SlotSample) -> usize {
    let format = digits.format();
    let states = sample.states.chunks_exact(packing.n_words());
    let mut keys = Pending::default();
    if keys.reset(format.key_bytes(), states.len()).is_err() {
        return usize::MAX;
    }
    let mut key = vec![0; format.key_bytes()];
    for words in states {
        digits.write(words, &mut key);
        if let Err(cell) = keys.find(&key, packing.hash(words)) {
            keys.add(&key, cell);
        }
    }
    let mut diagram = Ondd::new();
    match diagram.union(format, keys.sorted()) {
        Ok(()) => diagram.live_bytes(),
        Err(_) => usize::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_model::{Group, GroupIdx, Slot};

    /// Two places with a slot for each of four processes.
    fn layout() -> Layout {
        let slot = |group: u32, colour: u64| Slot {
            group: GroupIdx(group),
            bound: Some(1),
            colour: [colour].into(),
            rank: None,
        };
        let slots = (0..8).map(|at| slot(at / 4, u64::from(at % 4))).collect();
        let group = |first: u32| Group {
            name: String::new(),
            first: SlotIdx(first),
            end: SlotIdx(first + 4),
            ..Group::default()
        };
        Layout { slots, groups: vec![group(0), group(4)] }
    }

    fn numbers(slots: &[SlotIdx]) -> Vec<u32> {
        slots.iter().map(|slot| slot.0).collect()
    }

    #[test]
    fn components_are_processes() {
        assert_eq!(numbers(&by_component(&layout())), [0, 4, 1, 5, 2, 6, 3, 7]);
    }

    #[test]
    fn what_changes_together_comes_together() {
        let pairs: Vec<Vec<SlotIdx>> =
            [[0, 5], [1, 7], [2, 4], [3, 6]].map(|p| p.map(SlotIdx).to_vec()).into();
        let found = by_interaction(&layout(), &pairs);
        let at = |slot: SlotIdx| found.iter().position(|&s| s == slot).unwrap();
        let span: usize = pairs.iter().map(|pair| at(pair[0]).abs_diff(at(pair[1]))).sum();
        assert!(span <= 6, "{found:?}");
        let mut sorted = numbers(&found);
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn a_sample_finds_the_pairs() {
        // Each process is in exactly one of the two places: sixteen states, and a diagram of pairs is smallest.
        let packing = Packing::new(&[1; 8]);
        let states = (0..16u64).map(|at| at | (!at & 15) << 4).collect();
        let sample = SlotSample { states, changes: Vec::new() };
        let digits = SlotOrder::Sample.digits(&layout(), &packing, &sample);
        let crate::Amount::Words(words) = &digits.figures()[0].amount else { panic!("words") };
        assert!(words.contains("chosen by a sample"), "{words}");
    }
}
