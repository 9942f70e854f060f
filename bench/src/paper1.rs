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

use crate::process::{self, Figures};

/// The distances of Table 1.
const DISTANCES: [u32; 4] = [5, 10, 20, 50];

/// A line of Table 1: the model with the paper's parameter and a smaller one, the paper's states, and T and S for each k.
struct Line {
    name: &'static str,
    file: &'static str,
    params: [&'static str; 2],
    states: u64,
    paper: [(u32, u32); 4],
}

const LINES: [Line; 6] = [
    Line {
        name: "dbm",
        file: "corpus:lna/dbm/dbm.lna",
        params: ["N=12", "N=10"],
        states: 2_125_765,
        paper: [(109, 24), (119, 16), (171, 5), (173, 4)],
    },
    Line {
        name: "eratosthene",
        file: "corpus:lna/eratosthene/eratosthene.lna",
        // The paper's net has 70 numbers. This one, of the same algorithm, has about as many states with 42.
        params: ["N=42", "N=40"],
        states: 3_177_699,
        paper: [(123, 40), (148, 33), (198, 29), (340, 27)],
    },
    Line {
        name: "peterson",
        file: "peterson.lna",
        params: ["N=4", "N=3"],
        states: 3_407_946,
        paper: [(131, 64), (151, 60), (191, 58), (316, 57)],
    },
    Line {
        name: "mutex",
        file: "mutex.lna",
        params: ["N=17", "N=14"],
        states: 5_701_632,
        paper: [(130, 58), (148, 53), (176, 50), (249, 48)],
    },
    Line {
        name: "leader",
        file: "corpus:lna/leader/leader.lna",
        params: ["N=16", "N=13"],
        states: 10_475_430,
        paper: [(137, 46), (176, 39), (231, 37), (329, 32)],
    },
    Line {
        name: "dining",
        file: "corpus:lna/dining/dining.lna",
        params: ["N=13", "N=10"],
        states: 14_741_195,
        paper: [(137, 54), (155, 48), (181, 45), (218, 44)],
    },
];

/// The paper's last row: averages of T and S for each k.
const AVERAGES: [(u32, u32); 4] = [(128, 56), (150, 42), (191, 37), (271, 35)];

/// The programs of Table 2, with the parameters for a large and a small run, and the range of the paper's bytes for a
/// vector: plain, collapsed, Δ and both for k = 50.
const PROGRAMS: [(&str, &str, [&str; 2], &str); 2] = [
    ("client/server", "client_server.lna", ["C=7", "C=6"], "285-339 / 41-52 / 34-35 / 8.0"),
    ("sieve", "sieve.lna", ["N=80 T=23", "N=60 T=18"], "204 / 62 / 23 / 9.0-9.3"),
];

/// How large the models are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As in the paper.
    Paper,
    /// Smaller.
    Small,
}

/// Prints both tables.
pub fn tables(size: Size) -> Result<(), String> {
    table1(size)?;
    table2(size)
}

fn table1(size: Size) -> Result<(), String> {
    println!(
        "Table 1: T and S in percent of the plain table, depth first; paper / measured; B: bytes per state; U: S if plain vectors had a byte for each slot"
    );
    println!(
        "model                 states plain B  slots |  k = 5                  |  k = 10                 |  k = 20                 |  k = 50"
    );
    let mut sums = [(0.0, 0.0, 0.0); 4];
    let mut n = 0.0;
    for line in &LINES {
        let params = line.params[size as usize];
        let Some(path) = path_of(line.file) else {
            println!("{:<12} left out: PETITE_CORPUS is not set", line.name);
            continue;
        };
        let plain = process::measure("dfs-plain", &path, params)?;
        if size == Size::Paper && plain.states != line.states {
            println!("{:<12} the paper has {} states", line.name, line.states);
        }
        let n_slots = n_slots(&path, params)?;
        let unpacked = plain.store_bytes - plain.vectors_bytes + plain.states * n_slots;
        let title = format!("{} {params}", line.name);
        print!("{title:<12} {:>15} {:>7.1} {n_slots:>6}", plain.states, per_state(&plain));
        for (at, k) in DISTANCES.into_iter().enumerate() {
            let delta = process::measure(&format!("dfs-delta-{k}"), &path, params)?;
            check(line.name, &plain, &delta)?;
            let time = 100.0 * delta.cpu_seconds / plain.cpu_seconds.max(0.01);
            let space = 100.0 * delta.store_bytes as f64 / plain.store_bytes as f64;
            let (paper_time, paper_space) = line.paper[at];
            let of_unpacked = 100.0 * delta.store_bytes as f64 / unpacked as f64;
            print!(
                " |T {paper_time}/{time:.0} S {paper_space}/{space:.0} B {:.1} U {of_unpacked:.0}",
                per_state(&delta)
            );
            sums[at] = (sums[at].0 + time, sums[at].1 + space, sums[at].2 + of_unpacked);
        }
        println!();
        n += 1.0;
    }
    if n > 0.0 {
        print!("{:<43}", "average");
        for (at, (time, space, of_unpacked)) in sums.into_iter().enumerate() {
            let (paper_time, paper_space) = AVERAGES[at];
            let (time, space, of_unpacked) = (time / n, space / n, of_unpacked / n);
            print!(" |T {paper_time}/{time:.0} S {paper_space}/{space:.0} U {of_unpacked:.0}");
        }
        println!("\n");
    }
    Ok(())
}

fn table2(size: Size) -> Result<(), String> {
    println!(
        "Table 2: programs, depth first; M: megabytes of the store, T: CPU seconds, V: bytes of a vector"
    );
    let ways = [
        ("no compression", "dfs-plain"),
        ("collapse", "dfs-delta-1-collapse"),
        ("Δ, k = 10", "dfs-delta-10"),
        ("Δ, k = 20", "dfs-delta-20"),
        ("Δ, k = 50", "dfs-delta-50"),
        ("Δ + collapse, k = 10", "dfs-delta-10-collapse"),
        ("Δ + collapse, k = 20", "dfs-delta-20-collapse"),
        ("Δ + collapse, k = 50", "dfs-delta-50-collapse"),
    ];
    for (name, file, params, paper) in PROGRAMS {
        let params = params[size as usize];
        let Some(path) = path_of(file) else { continue };
        println!("{name} {params}   (the paper's V, plain / collapse / Δ 50 / both 50: {paper})");
        let mut plain: Option<Figures> = None;
        for (title, way) in ways {
            let figures = process::measure(way, &path, params)?;
            if let Some(plain) = &plain {
                check(name, plain, &figures)?;
            }
            println!(
                "  {title:<22} M {:>8.2}  T {:>7.2}  V {:>6.2}  all {:>6.2} B/state  {} states",
                figures.store_bytes as f64 / 1e6,
                figures.cpu_seconds,
                figures.vectors_bytes as f64 / figures.states as f64,
                per_state(&figures),
                figures.states
            );
            plain.get_or_insert(figures);
        }
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
