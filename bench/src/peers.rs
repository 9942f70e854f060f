//! Petite beside SPIN on the same models: `petite-bench peers [small]`.
//!
//! The models in `bench/promela` have the states and edges of ours, one for one, which is checked in every run. SPIN searches
//! depth first and without partial-order reduction, so that both see everything. Its way of keeping states is set beside
//! the nearest of ours. The program that SPIN makes is compiled first; that time is not counted.

use std::path::Path;

use crate::extent::Extent;
use crate::process::{self, Figures};
use crate::sheet::{Cell, Kind, Sheet};
use crate::spin::{self, Program, Run, Way};

/// A model in both languages, with its parameter for a small run, for the slow ways, and for a large run.
struct Pair {
    promela: &'static str,
    ours: &'static str,
    n: [u64; 3],
}

const PAIRS: [Pair; 5] = [
    Pair { promela: "counters.pml", ours: "counters.lna", n: [4, 5, 6] },
    Pair { promela: "philosophers.pml", ours: "philosophers.lna", n: [8, 12, 15] },
    Pair { promela: "peterson.pml", ours: "peterson.lna", n: [2, 3, 4] },
    Pair { promela: "databases.pml", ours: "databases.pn", n: [7, 8, 11] },
    Pair { promela: "scheduler.pml", ours: "scheduler.lna", n: [8, 10, 14] },
];

/// A way of SPIN's beside one of ours, both with their names.
type Ways = (&'static str, Way, &'static str, &'static str);

const TABLES: [Ways; 2] =
    [("table", Way::Table, "plain, dfs", "dfs-plain"), ("collapse", Way::Collapse, "tree", "tree")];

/// These are slow, so they have smaller models.
const DIAGRAMS: [Ways; 1] = [("automaton", Way::Automaton, "ondd", "ondd")];

/// Steps that SPIN's stack has to spare above the longest path, or it says that there are too few.
const SPARE: u64 = 10;

/// The table, or why there is none.
pub fn sheet(extent: Extent) -> Result<Sheet, String> {
    if let Some(missing) = spin::missing() {
        return Err(missing.to_owned());
    }
    let columns = [
        (Kind::Name, "model"),
        (Kind::Counted, "states"),
        (Kind::Counted, "edges"),
        (Kind::Name, "SPIN"),
        (Kind::Name, "Petite"),
        (Kind::Measured, "time"),
        (Kind::Measured, "bytes a state"),
        (Kind::Measured, "whole process"),
    ];
    let mut sheet = Sheet::new("The same models with SPIN", &columns);
    sheet.before.push(format!(
        "{} on models of ours that were written again in Promela (bench/promela), in the same run on the same machine. States and edges \
         are the same, one for one, or the run ends with an error. The figures are SPIN's divided by ours: above 1, Petite takes less. \
         Time: CPU time of the whole run, without SPIN's time to make and compile its program and with ours to read the model. Bytes a \
         state: states and index. Whole process: all memory, with a stack for SPIN that is just deep enough.",
        spin::version()
    ));
    for pair in &PAIRS {
        let [small, slow, large] = pair.n;
        match extent {
            Extent::Check | Extent::Small => {
                rows(&mut sheet, pair, small, &[&TABLES[..], &DIAGRAMS].concat())?;
            }
            Extent::Paper => {
                rows(&mut sheet, pair, large, &TABLES)?;
                rows(&mut sheet, pair, slow, &DIAGRAMS)?;
            }
        }
    }
    sheet.after.push(
        "SPIN has no partial-order reduction here (`-DNOREDUCE`), which is its strongest means and leaves states out where a property \
         allows it; Petite leaves out steps, but no states. Its table is one to two places for each state (`-w`), as chosen by somebody who knows how many there \
         will be. Collapsing gains it little here, because it numbers all global variables as one part, and these models keep most of their \
         state in them. Its minimised automaton (`-DMA`) is slow by design, as is our \
         diagram; both have smaller models."
            .to_owned(),
    );
    Ok(sheet)
}

/// Both programs on one model, in some ways.
fn rows(sheet: &mut Sheet, pair: &Pair, n: u64, ways: &[Ways]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = root.join("../models").join(pair.ours).to_string_lossy().into_owned();
    let program = Program::translate(&root.join("promela").join(pair.promela), n)?;
    let params = format!("N={n}");
    let plain = process::measure("dfs-plain", &model, &params)?;
    // How deep the search goes is known after a first run only, and no path is longer than there are states.
    let first = program.explore(Way::Table, 0, plain.states + SPARE, plain.states)?;
    let title = format!("{} {params}", pair.promela.trim_end_matches(".pml"));
    for &(name, way, our_name, our_way) in ways {
        let theirs = program.explore(way, first.vector_bytes, first.depth + SPARE, plain.states)?;
        let ours = if our_way == "dfs-plain" { plain } else { process::measure(our_way, &model, &params)? };
        agree(&title, &theirs, &ours)?;
        let states = ours.states as f64;
        sheet.push([
            title.as_str().into(),
            ours.states.into(),
            ours.edges.into(),
            name.into(),
            our_name.into(),
            // The kernel counts hundredths of seconds, so that a few of them have no ratio.
            match ours.cpu_seconds >= 0.1 {
                true => Cell::Number(theirs.cpu_seconds / ours.cpu_seconds, 1),
                false => Cell::Nothing,
            },
            Cell::Number(theirs.store_bytes / states / (ours.store_bytes as f64 / states), 1),
            Cell::Number(theirs.bytes / ours.peak_bytes.max(1) as f64, 1),
        ]);
    }
    Ok(())
}

fn agree(title: &str, theirs: &Run, ours: &Figures) -> Result<(), String> {
    match (theirs.states, theirs.edges) == (ours.states, ours.edges) {
        true => Ok(()),
        false => Err(format!("{title}: SPIN and Petite disagree: {theirs:?} {ours:?}")),
    }
}
