//! Paper 1's tables: `petite-bench paper1 [small]`.
//!
//! Evangelista and Pradat-Peyre (2005), Table 1: time and space of a depth-first search with Δ-markings in percent of a
//! search with the plain table, for k in {5, 10, 20, 50}. Table 2: memory, time and bytes of a state vector of programs,
//! without compression, collapsed, with Δ-markings, and both. Each run is a process of its own; times are CPU
//! seconds of the whole process.
//!
//! Space is all that a store owns, its index included. The plain table it is compared with keeps vectors packed to the bit,
//! where the paper's have a byte or more for each count: S is a percentage of something smaller, and what is left beside a
//! short vector is mostly the index. So bytes per state are given too, and U: the percentage of a table that differs from
//! ours only in that it has a byte for each slot. `small` takes smaller parameters, for a machine that is busy.

use petite_model::{Engine, Model};

use crate::extent::Extent;
use crate::process::{self, Figures};
use crate::sheet::{Cell, Kind, Sheet};

/// The distances of Table 1.
const DISTANCES: [u32; 4] = [5, 10, 20, 50];

/// A line of Table 1: the model with a parameter for each extent, the paper's states, and T and S for each k.
struct Line {
    name: &'static str,
    file: &'static str,
    params: [&'static str; 3],
    states: u64,
    paper: [(u32, u32); 4],
}

const LINES: [Line; 6] = [
    Line {
        name: "dbm",
        file: "corpus:lna/dbm/dbm.lna",
        params: ["N=7", "N=10", "N=12"],
        states: 2_125_765,
        paper: [(109, 24), (119, 16), (171, 5), (173, 4)],
    },
    Line {
        name: "eratosthene",
        file: "corpus:lna/eratosthene/eratosthene.lna",
        // The paper's net has 70 numbers. This one, of the same algorithm, has about as many states with 42.
        params: ["N=15", "N=40", "N=42"],
        states: 3_177_699,
        paper: [(123, 40), (148, 33), (198, 29), (340, 27)],
    },
    Line {
        name: "peterson",
        file: "peterson.lna",
        params: ["N=2", "N=3", "N=4"],
        states: 3_407_946,
        paper: [(131, 64), (151, 60), (191, 58), (316, 57)],
    },
    Line {
        name: "mutex",
        file: "mutex.lna",
        params: ["N=9", "N=14", "N=17"],
        states: 5_701_632,
        paper: [(130, 58), (148, 53), (176, 50), (249, 48)],
    },
    Line {
        name: "leader",
        file: "corpus:lna/leader/leader.lna",
        params: ["N=8", "N=13", "N=16"],
        states: 10_475_430,
        paper: [(137, 46), (176, 39), (231, 37), (329, 32)],
    },
    Line {
        name: "dining",
        file: "corpus:lna/dining/dining.lna",
        params: ["N=6", "N=10", "N=13"],
        states: 14_741_195,
        paper: [(137, 54), (155, 48), (181, 45), (218, 44)],
    },
];

/// The paper's last row: averages of T and S for each k.
const AVERAGES: [(u32, u32); 4] = [(128, 56), (150, 42), (191, 37), (271, 35)];

/// A program of Table 2: its parameters for each extent, and what the paper prints for the instance it names, in the order of
/// [`WAYS`]: megabytes, seconds and bytes of a vector.
struct Program {
    name: &'static str,
    file: &'static str,
    params: [&'static str; 3],
    instance: &'static str,
    paper: [(f64, f64, f64); 8],
}

const PROGRAMS: [Program; 2] = [
    Program {
        name: "client/server",
        file: "client_server.lna",
        params: ["C=4", "C=6", "C=7"],
        instance: "N = 5",
        paper: [
            (205.63, 51.0, 339.31),
            (28.37, 114.0, 46.82),
            (36.80, 71.0, 60.73),
            (21.94, 104.0, 36.20),
            (20.96, 174.0, 34.59),
            (6.84, 78.0, 11.29),
            (4.98, 112.0, 8.21),
            (4.85, 184.0, 8.00),
        ],
    },
    Program {
        name: "sieve",
        file: "sieve.lna",
        params: ["N=30 T=10", "N=60 T=18", "N=80 T=23"],
        instance: "N = 20",
        paper: [
            (698.74, 430.0, 203.54),
            (214.51, 485.0, 62.49),
            (130.70, 577.0, 38.06),
            (100.72, 725.0, 29.34),
            (78.67, 1225.0, 22.92),
            (46.15, 667.0, 13.44),
            (37.28, 851.0, 10.86),
            (30.75, 1354.0, 8.96),
        ],
    },
];

/// The columns of Table 2, and the ways that make them.
const WAYS: [(&str, &str); 8] = [
    ("no compression", "dfs-plain"),
    ("collapse", "dfs-delta-1-collapse"),
    ("Δ, k = 10", "dfs-delta-10"),
    ("Δ, k = 20", "dfs-delta-20"),
    ("Δ, k = 50", "dfs-delta-50"),
    ("Δ + collapse, k = 10", "dfs-delta-10-collapse"),
    ("Δ + collapse, k = 20", "dfs-delta-20-collapse"),
    ("Δ + collapse, k = 50", "dfs-delta-50-collapse"),
];

/// Runs with less CPU time than this many seconds have no ratio to others: the kernel counts hundredths.
const LEAST_SECONDS: f64 = 0.1;

/// Both tables. What is there for the check alone comes last.
pub fn sheets(extent: Extent) -> Result<Vec<Sheet>, String> {
    let tables = extent.shown().iter().rev().map(|&extent| table1(extent));
    let mut sheets = tables.collect::<Result<Vec<Sheet>, String>>()?;
    sheets.insert(1, table2(extent)?);
    Ok(sheets)
}

fn table1(extent: Extent) -> Result<Sheet, String> {
    let title = match extent {
        Extent::Check => "Paper 1, Table 1: Δ-markings on nets small enough for a test",
        Extent::Small => "Paper 1, Table 1: Δ-markings on nets smaller than the paper's",
        Extent::Paper => "Paper 1, Table 1: Δ-markings",
    };
    let columns = [
        (Kind::Name, "model"),
        (Kind::Name, "k"),
        (Kind::Paper, "states, paper"),
        (Kind::Counted, "states"),
        (Kind::Counted, "edges"),
        (Kind::Paper, "T %, paper"),
        (Kind::Measured, "T %"),
        (Kind::Paper, "S %, paper"),
        (Kind::Counted, "S %"),
        (Kind::Counted, "bytes a state"),
        (Kind::Counted, "plain"),
        (Kind::Counted, "U %"),
    ];
    let mut sheet = Sheet::new(title, &columns);
    if extent == Extent::Check {
        sheet.before.push("Here for the test alone: percentages of tables this small say little.".to_owned());
    } else {
        sheet.before.push(
            "Depth first, time (T) and space (S) in percent of the plain table. U is the percentage of a table like our plain one \
             but with a byte for each count, as the paper's has at least."
                .to_owned(),
        );
    }
    let mut sums = [(0.0, 0.0, 0.0); 4];
    let (mut n, mut n_timed) = (0.0, 0.0);
    let mut differ: Vec<String> = Vec::new();
    for line in &LINES {
        let params = line.params[extent as usize];
        let title = format!("{} {params}", line.name);
        let Some(path) = path_of(line.file) else {
            sheet.after.push(format!("{title} is left out: PETITE_CORPUS is not set."));
            continue;
        };
        let plain = process::measure("dfs-plain", &path, params)?;
        let paper_states = (extent == Extent::Paper).then_some(line.states);
        if paper_states.is_some_and(|states| states != plain.states) {
            differ.push(line.name.to_owned());
        }
        let n_slots = n_slots(&path, params)?;
        let is_timed = plain.cpu_seconds >= LEAST_SECONDS;
        n_timed += f64::from(u8::from(is_timed));
        let unpacked = plain.store_bytes - plain.vectors_bytes + plain.states * n_slots;
        for (at, k) in DISTANCES.into_iter().enumerate() {
            let delta = process::measure(&format!("dfs-delta-{k}"), &path, params)?;
            check(line.name, &plain, &delta)?;
            let time = if is_timed { 100.0 * delta.cpu_seconds / plain.cpu_seconds } else { 0.0 };
            let space = 100.0 * delta.store_bytes as f64 / plain.store_bytes as f64;
            let of_unpacked = 100.0 * delta.store_bytes as f64 / unpacked as f64;
            let (paper_time, paper_space) = line.paper[at];
            sheet.push([
                title.as_str().into(),
                u64::from(k).into(),
                paper_states.into(),
                plain.states.into(),
                plain.edges.into(),
                u64::from(paper_time).into(),
                if is_timed { Cell::Number(time, 0) } else { Cell::Nothing },
                u64::from(paper_space).into(),
                Cell::Number(space, 1),
                Cell::Number(per_state(&delta), 2),
                Cell::Number(per_state(&plain), 2),
                Cell::Number(of_unpacked, 1),
            ]);
            sums[at] = (sums[at].0 + time, sums[at].1 + space, sums[at].2 + of_unpacked);
        }
        n += 1.0;
    }
    if extent == Extent::Check {
        return Ok(sheet.counted());
    }
    if n_timed == 0.0 {
        return Ok(sheet);
    }
    let means = sums.map(|(time, space, of_unpacked)| (time / n_timed, space / n, of_unpacked / n));
    for (at, k) in DISTANCES.into_iter().enumerate() {
        let ((time, space, of_unpacked), (paper_time, paper_space)) = (means[at], AVERAGES[at]);
        let none = || Cell::Nothing;
        sheet.push([
            "average".into(),
            u64::from(k).into(),
            none(),
            none(),
            none(),
            u64::from(paper_time).into(),
            Cell::Number(time, 0),
            u64::from(paper_space).into(),
            Cell::Number(space, 1),
            none(),
            none(),
            Cell::Number(of_unpacked, 1),
        ]);
    }
    sheet.after.extend(said_of_table1(&means, &differ, extent));
    Ok(sheet)
}

/// What is the same and what is not.
fn said_of_table1(means: &[(f64, f64, f64); 4], differ: &[String], extent: Extent) -> Vec<String> {
    let mut said = Vec::new();
    if extent == Extent::Paper {
        said.push(match differ {
            [] => "The numbers of states are those of the paper.".to_owned(),
            names => format!("The numbers of states are not those of the paper for {}.", names.join(", ")),
        });
    }
    for (at, k) in DISTANCES.into_iter().enumerate() {
        let ((time, space, _), (paper_time, paper_space)) = (means[at], AVERAGES[at]);
        let compared = |ours: f64, paper: u32| match ours {
            ours if ours.round() > f64::from(paper) => "more than",
            ours if ours.round() < f64::from(paper) => "less than",
            _ => "the same as",
        };
        said.push(format!(
            "k = {k}: on the average {space:.0} % of the space, {} the paper's {paper_space} %, in {time:.0} % of the time, {} \
             its {paper_time} %.",
            compared(space, paper_space),
            compared(time, paper_time)
        ));
    }
    // One paragraph, not one for each k.
    let mut said = vec![said.join(" ")];
    said.push(
        "Where S is larger than the paper's, as for dbm, it is because our plain table is smaller than the paper's: its vectors \
         are packed to the bit. U takes that away. The paper's average for k = 5 (56 %) is not the mean of its own column, which is \
         48 %; its other averages are means of theirs."
            .to_owned(),
    );
    said
}

fn table2(extent: Extent) -> Result<Sheet, String> {
    let columns = [
        (Kind::Name, "program"),
        (Kind::Name, "way"),
        (Kind::Counted, "states"),
        (Kind::Counted, "edges"),
        (Kind::Paper, "M %, paper"),
        (Kind::Counted, "M %"),
        (Kind::Counted, "M, bytes"),
        (Kind::Paper, "T %, paper"),
        (Kind::Measured, "T %"),
        (Kind::Paper, "V, paper"),
        (Kind::Counted, "V"),
        (Kind::Counted, "bytes a state"),
    ];
    let mut sheet = Sheet::new("Paper 1, Table 2: programs, Δ-markings and collapsing", &columns);
    sheet.before.push(
        "Depth first. M: memory of the store and T: time, in percent of the first line of a program; V: bytes of a state \
         vector. The paper's figures are those of its client/server program with N = 5 and its sieve with N = 20, which are the \
         largest that it could explore without compression."
            .to_owned(),
    );
    for program in &PROGRAMS {
        for &shown in extent.shown() {
            program_rows(&mut sheet, program, shown)?;
        }
    }
    let instances: Vec<String> =
        PROGRAMS.iter().map(|program| format!("{} {}", program.name, program.instance)).collect();
    sheet.after.push(format!(
        "The paper's programs ({}) were translated from Ada by a tool and are not printed; ours are nets written for the same \
         tasks, so states and vectors are others and only the order of the ways can be compared. A packed vector of ours is \
         short before anything is done to it (the first line of each program), so less is left to be saved. In the larger \
         instances a vector has numbers of bags of tokens instead of counts; the bags themselves are tables of the model, which M \
         does not have.",
        instances.join(", ")
    ));
    Ok(sheet)
}

fn program_rows(sheet: &mut Sheet, program: &Program, extent: Extent) -> Result<(), String> {
    let params = program.params[extent as usize];
    let Some(path) = path_of(program.file) else { return Ok(()) };
    let mut plain: Option<Figures> = None;
    for ((title, way), paper) in WAYS.into_iter().zip(program.paper) {
        let figures = process::measure(way, &path, params)?;
        let base = plain.unwrap_or(figures);
        check(program.name, &base, &figures)?;
        let is_shown = extent != Extent::Check;
        let printed =
            |number: f64, digits| if is_shown { Cell::Number(number, digits) } else { Cell::Nothing };
        let (memory, time, vector) = paper;
        let (memory_base, time_base, _) = program.paper[0];
        sheet.push([
            format!("{} {params}", program.name).into(),
            title.into(),
            figures.states.into(),
            figures.edges.into(),
            printed(100.0 * memory / memory_base, 1),
            Cell::Number(100.0 * figures.store_bytes as f64 / base.store_bytes as f64, 1),
            figures.store_bytes.into(),
            printed(100.0 * time / time_base, 0),
            match base.cpu_seconds >= LEAST_SECONDS {
                true => Cell::Number(100.0 * figures.cpu_seconds / base.cpu_seconds, 0),
                false => Cell::Nothing,
            },
            printed(vector, 1),
            Cell::Number(figures.vectors_bytes as f64 / figures.states as f64, 2),
            Cell::Number(per_state(&figures), 2),
        ]);
        plain.get_or_insert(figures);
    }
    Ok(())
}

/// Slots of a state of a model.
fn n_slots(path: &str, params: &str) -> Result<u64, String> {
    let params: Vec<&str> = params.split_whitespace().collect();
    Ok(match crate::engine(path, &params)? {
        Engine::Unfolded(model) => model.layout().slots.len(),
        Engine::Binding(model) => model.layout().slots.len(),
    } as u64)
}

fn per_state(figures: &Figures) -> f64 {
    figures.store_bytes as f64 / figures.states as f64
}

/// The same states and edges, or an error.
fn check(name: &str, plain: &Figures, other: &Figures) -> Result<(), String> {
    match (plain.states, plain.edges) == (other.states, other.edges) {
        true => Ok(()),
        false => Err(format!("{name}: the two ways disagree: {plain:?} {other:?}")),
    }
}

/// Where a model is; nothing where it is in the corpus and there is none.
fn path_of(file: &str) -> Option<String> {
    match file.strip_prefix("corpus:") {
        Some(file) => Some(format!("{}/{file}", std::env::var("PETITE_CORPUS").ok()?)),
        None => Some(format!("{}/../models/{file}", env!("CARGO_MANIFEST_DIR"))),
    }
}
