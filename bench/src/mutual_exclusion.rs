//! Figures 7 and 8 of paper 4: the diagrams of a mutual exclusion as its eight states are added one by one.
//!
//! The text names the first four states, and says of the last four only that the diagrams of six and seven states have twelve
//! nodes each. Of the orders in which the remaining states can come, the one below has that. A test of the store compares
//! the diagrams with their definition node by node.

use std::rc::Rc;

use petite_bits::{Packing, SlotIdx};
use petite_lang::{ReadOptions, Source, helena};
use petite_model::{Engine, EngineChoice, Model, compile};
use petite_search::sample;
use petite_store::{Amount, Batching, DiagramStore, Obdd, Origin, SlotOrder, StateSet, Store};

use crate::sheet::{Cell, Kind, Sheet};

/// The net of section 3.1 with a place for each bit of the paper's vector, the lowest first: the semaphore, then for the
/// second and the first process whether it tries and whether it is inside.
const NET: &str = "mutual_exclusion {
   place taken   { dom: epsilon; capacity: 1; }
   place tries_2 { dom: epsilon; capacity: 1; }
   place in_2    { dom: epsilon; capacity: 1; }
   place tries_1 { dom: epsilon; capacity: 1; }
   place in_1    { dom: epsilon; capacity: 1; }
   transition try_1   { in { } out { tries_1: epsilon; } inhibit { tries_1: epsilon; in_1: epsilon; } }
   transition enter_1 { in { tries_1: epsilon; } out { in_1: epsilon; taken: epsilon; } inhibit { taken: epsilon; } }
   transition leave_1 { in { in_1: epsilon; taken: epsilon; } out { } }
   transition try_2   { in { } out { tries_2: epsilon; } inhibit { tries_2: epsilon; in_2: epsilon; } }
   transition enter_2 { in { tries_2: epsilon; } out { in_2: epsilon; taken: epsilon; } inhibit { taken: epsilon; } }
   transition leave_2 { in { in_2: epsilon; taken: epsilon; } out { } }
}";

/// The states as the paper writes them, the highest bit first, and the nodes that it tells.
const STATES: [(&str, Option<u64>); 8] = [
    ("00000", None),
    ("01000", None),
    ("10001", None),
    ("00010", None),
    ("00101", None),
    ("10011", Some(12)),
    ("01101", Some(12)),
    ("01010", None),
];

/// The sheet of both figures.
pub fn sheet() -> Result<Sheet, String> {
    let source = Source::new("mutual_exclusion.lna", NET);
    let net = helena::read(&source, None, &ReadOptions::default());
    let net = net.map_err(|errors| format!("mutual exclusion: {}", errors[0].message))?;
    let nodes = match compile(&Rc::new(net), EngineChoice::Auto).map_err(|error| error.to_string())? {
        Engine::Unfolded(mut model) => insert_all(&mut *model),
        Engine::Binding(mut model) => insert_all(&mut *model),
    }?;
    let columns = [
        (Kind::Name, "states"),
        (Kind::Name, "added"),
        (Kind::Paper, "nodes, paper"),
        (Kind::Counted, "nodes"),
    ];
    let mut sheet = Sheet::new("Paper 4, figures 7 and 8: the diagrams of a mutual exclusion", &columns);
    sheet.before.push(
        "Nodes of the binary diagram, without the terminal F, as the states of section 3.1 are added. The figures are drawings; the \
         text names the first four states and the largest diagrams."
            .to_owned(),
    );
    let mut same = true;
    for (at, ((state, paper), nodes)) in STATES.iter().zip(nodes).enumerate() {
        same &= paper.is_none_or(|paper| paper == nodes);
        sheet.push([(at as u64 + 1).into(), (*state).into(), Cell::from(*paper), nodes.into()]);
    }
    let same = if same { "The largest diagrams have" } else { "The largest diagrams do not have" };
    sheet.after.push(format!("{same} the paper's number of nodes."));
    Ok(sheet)
}

/// Adds the states to a diagram with the bits in the order of the net, and gives the nodes after each.
fn insert_all<M: Model>(model: &mut M) -> Result<Vec<u64>, String> {
    let packing: Packing = model.packing().clone();
    let sample = sample(model, 0);
    let digits = SlotOrder::File.digits(model.layout(), &packing, &sample);
    let obdd = Obdd::new(petite_store::DigitSource::format(&digits)).map_err(|error| error.to_string())?;
    let mut store = DiagramStore::new(obdd, digits, Batching::Single);
    let mut nodes = Vec::new();
    for (state, _) in STATES {
        let mut words = vec![0; packing.n_words()];
        for (slot, bit) in state.chars().rev().enumerate() {
            let set = packing.set(&mut words, SlotIdx::new(slot), u32::from(bit == '1'));
            set.map_err(|_| format!("{state}: a bit has no place"))?;
        }
        let hash = packing.hash(&words);
        store.insert(model, &words, hash, Origin::Initial).map_err(|error| error.to_string())?;
        // Repacking to the same words changes nothing, but what waits is added.
        store.repack(&packing, &packing).map_err(|error| error.to_string())?;
        let now = store.figures().into_iter().find(|figure| figure.name == "nodes now");
        match now.map(|figure| figure.amount) {
            Some(Amount::Count(now)) => nodes.push(now),
            _ => return Err("the diagram does not tell its nodes".to_owned()),
        }
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_largest_diagrams_are_those_of_the_paper() {
        let sheet = super::sheet().unwrap();
        let nodes: Vec<String> = sheet.rows.iter().map(|row| row[3].to_string()).collect();
        assert_eq!(nodes, ["6", "5", "9", "11", "11", "12", "12", "9"]);
    }
}
