//! The tables of paper 4 (OBDD state store and compression), with the paper's figures beside ours.
//!
//! `paper4` explores each model with each combination of store and codec in a process of its own. What can be compared
//! are the ratios between the columns of one row: the paper's models are other ones, written in Promela, and its
//! machine was a SPARC10.

use crate::process::{self, Figures};

/// A model of the tables.
struct Case {
    name: &'static str,
    folder: Folder,
    file: &'static str,
    params: &'static str,
}

/// Where a model's file is.
enum Folder {
    Own,
    Corpus,
}

/// The paper's regular examples.
const COUNTERS: [&str; 3] = ["N=4", "N=5", "N=6"];

/// Real nets: a data base, a mutual exclusion, a scheduler, and two protocols.
const REAL: &[Case] = &[
    Case { name: "dbm", folder: Folder::Corpus, file: "lna/dbm/dbm.lna", params: "" },
    Case { name: "peterson", folder: Folder::Own, file: "peterson.lna", params: "N=3" },
    Case { name: "scheduler", folder: Folder::Own, file: "scheduler.lna", params: "N=12" },
    Case { name: "alternating_bit", folder: Folder::Own, file: "alternating_bit.lna", params: "M=32 K=12" },
    Case { name: "lines", folder: Folder::Own, file: "lines.lna", params: "N=3 C=3" },
];

/// Table 1 of the paper: model, megabytes and seconds of the table, megabytes, largest number of nodes and seconds of
/// the OBDD.
const PAPER_1: &[(&str, f64, f64, f64, u64, f64)] = &[
    ("counter 4", 0.1, 11.0, 0.3, 158, 358.0),
    ("counter 5", 1.0, 647.0, 0.32, 233, 1580.0),
    ("counter 6", 32.0, 3012.0, 0.33, 283, 18780.0),
    ("address interface", 0.7, 2.8, 0.74, 22470, 580.0),
    ("snoopy", 7.7, 100.0, 9.97, 421_165, 36824.0),
    ("scheduler", 14.7, 202.0, 0.95, 53354, 36259.0),
];

/// Tables 2 and 3 of the paper: model, then megabytes of compress, collapse and new collapse, of OBDD + compress
/// and OBDD + collapse. The table of whole vectors is in table 1.
const PAPER_2_AND_3: &[(&str, [f64; 6])] = &[
    ("address interface", [0.7, 0.17, 0.25, 0.11, 0.29, 0.2]),
    ("snoopy", [7.7, 1.92, 4.0, 1.57, 1.97, 2.6]),
    ("scheduler", [14.7, 3.67, 7.8, 4.41, 0.49, 0.48]),
    ("pftp", [48.0, 12.0, 10.9, 5.8, 6.3, 3.43]),
];

/// Prints all tables.
pub fn tables() -> Result<(), String> {
    println!("Table 1: a table against diagrams (ours: kB of the store, CPU s, largest number of nodes)\n");
    println!("{:<24}{:>9} {:>21} {:>27} {:>27}", "model", "states", "plain", "obdd", "ondd");
    for params in COUNTERS {
        let case = Case { name: "counters", folder: Folder::Own, file: "counters.lna", params };
        row_1(&case)?;
    }
    for case in REAL {
        row_1(case)?;
    }
    println!("\nthe paper's (MB, s; MB, nodes, s)");
    for (name, table, table_time, obdd, nodes, time) in PAPER_1 {
        println!("{name:<24}{table:>20} {table_time:>9} {obdd:>17} {nodes:>9} {time:>9}");
    }
    println!(
        "\nTables 2 and 3: kB of the store, CPU s and bytes of a code for each codec; memory over the plain table's\n"
    );
    for case in REAL {
        rows_2_and_3(case)?;
    }
    println!("\nthe paper's memory over that of its plain table");
    let names = ["compress", "collapse", "new collapse", "obdd+compress", "obdd+collapse"];
    println!("{:<20}{}", "", names.map(|name| format!("{name:>15}")).concat());
    for (name, memory) in PAPER_2_AND_3 {
        let ratios: String = memory[1..].iter().map(|bytes| format!("{:>15.2}", bytes / memory[0])).collect();
        println!("{name:<20}{ratios}");
    }
    Ok(())
}

fn path_of(case: &Case) -> Option<String> {
    match case.folder {
        Folder::Own => Some(format!("{}/../models/{}", env!("CARGO_MANIFEST_DIR"), case.file)),
        Folder::Corpus => std::env::var("PETITE_CORPUS").ok().map(|corpus| format!("{corpus}/{}", case.file)),
    }
}

fn row_1(case: &Case) -> Result<(), String> {
    let title = format!("{} {}", case.name, case.params);
    let Some(path) = path_of(case) else {
        println!("{title:<24} left out: PETITE_CORPUS is not set");
        return Ok(());
    };
    let [plain, obdd, ondd] = ["plain", "obdd", "ondd"].map(|way| process::measure(way, &path, case.params));
    let (plain, obdd, ondd) = (plain?, obdd?, ondd?);
    agree(&path, &plain, &[&obdd, &ondd])?;
    let cell = |figures: &Figures, nodes: &str| {
        format!("{:>9.0} {:>7.2} {nodes:>9}", figures.store_bytes as f64 / 1e3, figures.cpu_seconds)
    };
    let nodes = |figures: &Figures| figures.nodes.to_string();
    println!(
        "{title:<24}{:>9} {} {} {}",
        plain.states,
        cell(&plain, ""),
        cell(&obdd, &nodes(&obdd)),
        cell(&ondd, &nodes(&ondd))
    );
    Ok(())
}

fn rows_2_and_3(case: &Case) -> Result<(), String> {
    let title = format!("{} {}", case.name, case.params);
    let Some(path) = path_of(case) else {
        println!("{title:<24} left out: PETITE_CORPUS is not set");
        return Ok(());
    };
    let plain = process::measure("plain", &path, case.params)?;
    println!("{title}, {} states", plain.states);
    for way in [
        "plain",
        "compress",
        "collapse",
        "new-collapse",
        "obdd+compress",
        "obdd+collapse",
        "obdd+new-collapse",
        "ondd+compress",
        "ondd+collapse",
        "ondd+new-collapse",
    ] {
        let figures = process::measure(way, &path, case.params)?;
        agree(&path, &plain, &[&figures])?;
        println!(
            "   {way:<20} {:>9.0} kB {:>7.2} s {:>6.1} bytes {:>9} nodes   memory {:>5.2}",
            figures.store_bytes as f64 / 1e3,
            figures.cpu_seconds,
            figures.vectors_bytes as f64 / figures.states.max(1) as f64,
            figures.nodes,
            figures.store_bytes as f64 / plain.store_bytes as f64
        );
    }
    Ok(())
}

fn agree(path: &str, plain: &Figures, others: &[&Figures]) -> Result<(), String> {
    match others.iter().find(|other| (other.states, other.edges) != (plain.states, plain.edges)) {
        Some(other) => Err(format!("{path}: two ways disagree: {plain:?} {other:?}")),
        None => Ok(()),
    }
}
