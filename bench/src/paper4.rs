//! The tables of paper 4 (OBDD state store and compression), with the paper's figures beside ours.
//!
//! `paper4` explores each model with each combination of store and codec in a process of its own. What can be compared
//! are the ratios between the columns of one row: the paper's models are other ones, written in Promela, and its
//! machine was a SPARC10. Only the counters are the same, and the mutual exclusion of section 3.1, whose diagrams figures 7
//! and 8 draw.

use crate::extent::Extent;
use crate::mutual_exclusion;
use crate::process::{self, Figures};
use crate::sheet::{Cell, Kind, Sheet};

/// A model of the tables.
struct Case {
    name: &'static str,
    folder: Folder,
    file: &'static str,
    params: &'static str,
    /// The smallest extent that it is run in.
    from: Extent,
}

/// Where a model's file is.
enum Folder {
    Own,
    Corpus,
}

/// The paper's regular examples.
const COUNTERS: [Case; 3] = [
    Case { name: "counters", folder: Folder::Own, file: "counters.lna", params: "N=4", from: Extent::Check },
    Case { name: "counters", folder: Folder::Own, file: "counters.lna", params: "N=5", from: Extent::Check },
    Case { name: "counters", folder: Folder::Own, file: "counters.lna", params: "N=6", from: Extent::Small },
];

/// Real nets: a data base, a mutual exclusion, a scheduler, and two protocols; and small ones of them for the check.
const REAL: &[Case] = &[
    Case { name: "peterson", folder: Folder::Own, file: "peterson.lna", params: "N=2", from: Extent::Check },
    Case {
        name: "scheduler",
        folder: Folder::Own,
        file: "scheduler.lna",
        params: "N=7",
        from: Extent::Check,
    },
    Case {
        name: "alternating_bit",
        folder: Folder::Own,
        file: "alternating_bit.lna",
        params: "M=4 K=3",
        from: Extent::Check,
    },
    Case {
        name: "dbm",
        folder: Folder::Corpus,
        file: "lna/dbm/dbm.lna",
        params: "N=10",
        from: Extent::Small,
    },
    Case { name: "peterson", folder: Folder::Own, file: "peterson.lna", params: "N=3", from: Extent::Small },
    Case {
        name: "scheduler",
        folder: Folder::Own,
        file: "scheduler.lna",
        params: "N=12",
        from: Extent::Small,
    },
    Case {
        name: "alternating_bit",
        folder: Folder::Own,
        file: "alternating_bit.lna",
        params: "M=32 K=12",
        from: Extent::Small,
    },
    Case { name: "lines", folder: Folder::Own, file: "lines.lna", params: "N=3 C=3", from: Extent::Small },
];

/// A line of the paper's table 1: megabytes and seconds of the table; megabytes, largest number of nodes and seconds of the
/// OBDD; bits of a vector; states.
struct Printed {
    model: &'static str,
    table: (f64, f64),
    obdd: (f64, u64, f64),
    bits: u64,
    states: u64,
}

const PRINTED_COUNTERS: [Printed; 3] = [
    Printed { model: "counter 4", table: (0.1, 11.0), obdd: (0.3, 158, 358.0), bits: 72, states: 10_001 },
    Printed { model: "counter 5", table: (1.0, 647.0), obdd: (0.32, 233, 1580.0), bits: 88, states: 100_001 },
    Printed {
        model: "counter 6",
        table: (32.0, 3012.0),
        obdd: (0.33, 283, 18780.0),
        bits: 94,
        states: 1_000_001,
    },
];

/// The real models, but pftp, whose OBDD was given up after 60,000 seconds.
const PRINTED_REAL: [Printed; 3] = [
    Printed {
        model: "address interface",
        table: (0.7, 2.8),
        obdd: (0.74, 22470, 580.0),
        bits: 608,
        states: 9491,
    },
    Printed {
        model: "snoopy",
        table: (7.7, 100.0),
        obdd: (9.97, 421_165, 36824.0),
        bits: 704,
        states: 91_920,
    },
    Printed {
        model: "scheduler",
        table: (14.7, 202.0),
        obdd: (0.95, 53354, 36259.0),
        bits: 472,
        states: 256_929,
    },
];

/// The codecs of tables 2 and 3, alone and with diagrams.
const WAYS: [&str; 9] = [
    "compress",
    "collapse",
    "new-collapse",
    "obdd+compress",
    "obdd+collapse",
    "obdd+new-collapse",
    "ondd+compress",
    "ondd+collapse",
    "ondd+new-collapse",
];

/// Megabytes and seconds.
type Cost = (f64, f64);

/// Tables 2 and 3 of the paper: a model with the cost of its table, and that of the first five of [`WAYS`].
const PAPER_2_AND_3: [(&str, Cost, [Cost; 5]); 4] = [
    ("address interface", (0.7, 2.8), [(0.17, 4.1), (0.25, 5.4), (0.11, 2.3), (0.29, 340.0), (0.2, 212.0)]),
    ("snoopy", (7.7, 100.0), [(1.92, 29.0), (4.0, 33.0), (1.57, 23.3), (1.97, 3910.0), (2.6, 4613.0)]),
    (
        "scheduler",
        (14.7, 202.0),
        [(3.67, 221.0), (7.8, 234.0), (4.41, 226.0), (0.49, 6891.0), (0.48, 6185.0)],
    ),
    ("pftp", (48.0, 600.0), [(12.0, 741.0), (10.9, 730.0), (5.8, 659.0), (6.3, 17403.0), (3.43, 15870.0)]),
];

/// Bytes of a state in the paper's table 2, with compress, collapse and new collapse.
const PAPER_BYTES: [[f64; 3]; 4] =
    [[19.0, 27.0, 12.0], [22.0, 46.0, 18.0], [15.0, 32.0, 18.0], [29.0, 26.0, 14.0]];

/// All tables, and the figures' diagrams.
pub fn sheets(extent: Extent) -> Result<Vec<Sheet>, String> {
    let mut sheets = vec![mutual_exclusion::sheet()?, counters(extent)?, real(extent)?];
    sheets.extend(codecs(extent)?);
    Ok(sheets)
}

/// The cases of an extent whose models are there, with their paths; the others are named in the sheet.
fn present<'a>(cases: &'a [Case], extent: Extent, sheet: &mut Sheet) -> Vec<(&'a Case, String)> {
    let mut present = Vec::new();
    for case in cases.iter().filter(|case| case.from <= extent) {
        match path_of(case) {
            Some(path) => present.push((case, path)),
            None => sheet.after.push(format!("{} is left out: PETITE_CORPUS is not set.", case.title())),
        }
    }
    present
}

/// Table 1, the upper half: the counters, which are the same models.
fn counters(extent: Extent) -> Result<Sheet, String> {
    let columns = [
        (Kind::Name, "counters"),
        (Kind::Paper, "states, paper"),
        (Kind::Counted, "states"),
        (Kind::Counted, "edges"),
        (Kind::Paper, "table kB, paper"),
        (Kind::Counted, "table kB"),
        (Kind::Paper, "OBDD kB, paper"),
        (Kind::Counted, "OBDD kB"),
        (Kind::Paper, "nodes, paper"),
        (Kind::Counted, "nodes"),
        (Kind::Counted, "ONDD kB"),
        (Kind::Counted, "ONDD nodes"),
        (Kind::Paper, "OBDD time / table, paper"),
        (Kind::Measured, "OBDD time / table"),
    ];
    let mut sheet = Sheet::new("Paper 4, Table 1: counters", &columns);
    sheet.before.push(
        "Counters from 0 to 9: memory of the store, breadth first, and the largest number of nodes; the paper searches depth first. \
         Ours is all that the store owns, the table of states that wait included; the ONDD is the n-ary diagram."
            .to_owned(),
    );
    let mut ours: Vec<(f64, f64)> = Vec::new();
    for ((case, path), printed) in present(&COUNTERS, extent, &mut sheet).into_iter().zip(&PRINTED_COUNTERS) {
        let [plain, obdd, ondd] = three(&path, case.params)?;
        ours.push((plain.store_bytes as f64, obdd.store_bytes as f64));
        sheet.push([
            case.params.into(),
            printed.states.into(),
            plain.states.into(),
            plain.edges.into(),
            Cell::Number(1000.0 * printed.table.0, 0),
            kilobytes(&plain),
            Cell::Number(1000.0 * printed.obdd.0, 0),
            kilobytes(&obdd),
            printed.obdd.1.into(),
            obdd.nodes.into(),
            kilobytes(&ondd),
            ondd.nodes.into(),
            Cell::Number(printed.obdd.2 / printed.table.1, 1),
            time_over(&obdd, &plain),
        ]);
    }
    if let ([first, ..], Some(last)) = (ours.as_slice(), ours.last()) {
        sheet.after.push(format!(
            "From the first line to the last the table grows {:.0} times and the OBDD {:.1} times: the shape is the paper's. The paper's \
             models have one state more, in which the processes are started.",
            last.0 / first.0,
            last.1 / first.1
        ));
    }
    Ok(sheet)
}

/// Table 1, the lower half: models of the same kind, not the same models.
fn real(extent: Extent) -> Result<Sheet, String> {
    let columns = [
        (Kind::Name, "model"),
        (Kind::Name, "by"),
        (Kind::Counted, "states"),
        (Kind::Counted, "bits"),
        (Kind::Counted, "table kB"),
        (Kind::Counted, "OBDD kB"),
        (Kind::Counted, "OBDD / table"),
        (Kind::Counted, "nodes"),
        (Kind::Measured, "time / table"),
        (Kind::Counted, "ONDD kB"),
        (Kind::Counted, "ONDD / table"),
        (Kind::Counted, "ONDD nodes"),
        (Kind::Measured, "ONDD time / table"),
    ];
    let mut sheet = Sheet::new("Paper 4, Table 1: other models", &columns);
    for printed in &PRINTED_REAL {
        let none = || Cell::Nothing;
        sheet.push([
            printed.model.into(),
            "paper".into(),
            printed.states.into(),
            printed.bits.into(),
            Cell::Number(1000.0 * printed.table.0, 0),
            Cell::Number(1000.0 * printed.obdd.0, 0),
            Cell::Number(printed.obdd.0 / printed.table.0, 2),
            printed.obdd.1.into(),
            Cell::Number(printed.obdd.2 / printed.table.1, 1),
            none(),
            none(),
            none(),
            none(),
        ]);
    }
    for (case, path) in present(REAL, extent, &mut sheet) {
        let [plain, obdd, ondd] = three(&path, case.params)?;
        sheet.push([
            case.title().into(),
            "Petite".into(),
            plain.states.into(),
            // Vectors are of whole bytes.
            (8 * plain.vectors_bytes / plain.states.max(1)).into(),
            kilobytes(&plain),
            kilobytes(&obdd),
            memory_over(&obdd, &plain),
            obdd.nodes.into(),
            time_over(&obdd, &plain),
            kilobytes(&ondd),
            memory_over(&ondd, &plain),
            ondd.nodes.into(),
            time_over(&ondd, &plain),
        ]);
    }
    sheet.after.push(
        "The paper's models are Promela programs that it does not print, so only the ratios of a line can be compared. Its OBDD is \
         2 to 370 times slower than its table, because each state is added by itself; ours adds sorted batches. The paper's pftp \
         (48 MB in the table) is left out: its OBDD was given up after 60,000 seconds."
            .to_owned(),
    );
    Ok(sheet)
}

/// Tables 2 and 3: memory, bytes of a code and time of all codecs, with tables and with diagrams.
fn codecs(extent: Extent) -> Result<Vec<Sheet>, String> {
    let columns = |kind| {
        let names = [(Kind::Name, "model"), (Kind::Name, "by")];
        names.into_iter().chain(WAYS.map(|way| (kind, way))).collect::<Vec<_>>()
    };
    let mut memory =
        Sheet::new("Paper 4, Tables 2 and 3: memory over that of the table", &columns(Kind::Counted));
    let mut codes = Sheet::new("Paper 4, Table 2: bytes of a state", &columns(Kind::Counted));
    let mut time =
        Sheet::new("Paper 4, Tables 2 and 3: time over that of the table", &columns(Kind::Measured));
    for ((model, (megabytes, seconds), printed), bytes) in PAPER_2_AND_3.into_iter().zip(PAPER_BYTES) {
        let names = || vec![Cell::from(model), Cell::from("paper")];
        let ratios = |of: fn(Cost) -> f64, base: f64| {
            let ratios = printed.map(|pair| Cell::Number(of(pair) / base, 2));
            names().into_iter().chain(ratios).chain(vec![Cell::Nothing; 4]).collect()
        };
        memory.rows.push(ratios(|pair| pair.0, megabytes));
        time.rows.push(ratios(|pair| pair.1, seconds));
        let bytes = bytes.map(|bytes| Cell::Number(bytes, 1));
        codes.rows.push(names().into_iter().chain(bytes).chain(vec![Cell::Nothing; 6]).collect());
    }
    for (case, path) in present(REAL, extent, &mut memory) {
        let plain = process::measure("plain", &path, case.params)?;
        let names = || vec![Cell::from(case.title()), Cell::from("Petite")];
        let mut rows = [names(), names(), names()];
        for way in WAYS {
            let figures = process::measure(way, &path, case.params)?;
            agree(&path, &plain, &[&figures])?;
            rows[0].push(memory_over(&figures, &plain));
            rows[1].push(Cell::Number(figures.vectors_bytes as f64 / figures.states.max(1) as f64, 1));
            rows[2].push(time_over(&figures, &plain));
        }
        let [of_memory, of_codes, of_time] = rows;
        memory.rows.push(of_memory);
        codes.rows.push(of_codes);
        time.rows.push(of_time);
    }
    memory.after.push(
        "The ratios are less impressive than the paper's, because our vectors are packed to the bit before any codec sees them, and \
         because the index of the table is part of ours. The first three lines of ours are \
         there for the test: such small models are all tables and no states."
            .to_owned(),
    );
    codes.after.push("With a diagram this is the diagram's memory for each state.".to_owned());
    Ok(vec![memory, codes, time])
}

/// The figures of the plain table and of both diagrams, which agree.
fn three(path: &str, params: &str) -> Result<[Figures; 3], String> {
    let plain = process::measure("plain", path, params)?;
    let obdd = process::measure("obdd", path, params)?;
    let ondd = process::measure("ondd", path, params)?;
    agree(path, &plain, &[&obdd, &ondd])?;
    Ok([plain, obdd, ondd])
}

fn kilobytes(figures: &Figures) -> Cell {
    Cell::Number(figures.store_bytes as f64 / 1e3, 1)
}

fn memory_over(figures: &Figures, plain: &Figures) -> Cell {
    Cell::Number(figures.store_bytes as f64 / plain.store_bytes.max(1) as f64, 2)
}

/// CPU seconds over those of another run; nothing where they are too few to tell.
fn time_over(figures: &Figures, plain: &Figures) -> Cell {
    match plain.cpu_seconds >= 0.04 {
        true => Cell::Number(figures.cpu_seconds / plain.cpu_seconds, 1),
        false => Cell::Nothing,
    }
}

impl Case {
    fn title(&self) -> String {
        format!("{} {}", self.name, self.params)
    }
}

fn path_of(case: &Case) -> Option<String> {
    match case.folder {
        Folder::Own => Some(format!("{}/../models/{}", env!("CARGO_MANIFEST_DIR"), case.file)),
        Folder::Corpus => std::env::var("PETITE_CORPUS").ok().map(|corpus| format!("{corpus}/{}", case.file)),
    }
}

fn agree(path: &str, plain: &Figures, others: &[&Figures]) -> Result<(), String> {
    match others.iter().find(|other| (other.states, other.edges) != (plain.states, plain.edges)) {
        Some(other) => Err(format!("{path}: two ways disagree: {plain:?} {other:?}")),
        None => Ok(()),
    }
}
