//! Paper 3's tables: `petite-bench paper3`.
//!
//! Tables 1 and 2 of Mailund and Westergaard (2004): states, states explored by the sweep-line method, and most states held at
//! one time, the paper's beside ours. The paper gives the memory of all state vectors, and for its method 4 bytes for each
//! node of the graph plus the vectors of the states at the peak. Ours is the same in our bytes: packed vectors, and
//! what nodes really take in a graph beside their edges. Both are percentages of all vectors.
//!
//! With fold back, which the paper does not have, the graph has as many nodes as there are states.

use std::rc::Rc;

use petite_graph::{About, Builder, Graph, Labels, Way};
use petite_model::{Engine, EngineChoice, Model, compile};
use petite_search::{Limits, Measure, NoObserver, Silent, SweepReport, breadth_first, sweep, sweep_exact};
use petite_store::{Plain, StateSet};

use crate::extent::Extent;
use crate::sheet::{Cell, Kind, Sheet};

/// A line of a table: the size, states, states of the sweep, peak, and percentages of memory and time (none where the paper
/// took less than a few seconds).
struct Line {
    size: u64,
    states: u64,
    swept: u64,
    peak: u64,
    memory: u64,
    time: Option<u64>,
}

const REPLICATION: [Line; 6] = [
    Line { size: 4, states: 110, swept: 219, peak: 14, memory: 19, time: None },
    Line { size: 5, states: 407, swept: 813, peak: 33, memory: 14, time: None },
    Line { size: 6, states: 1460, swept: 2919, peak: 88, memory: 11, time: None },
    Line { size: 7, states: 5105, swept: 10_209, peak: 251, memory: 9, time: Some(275) },
    Line { size: 8, states: 17_498, swept: 34_995, peak: 738, memory: 8, time: Some(222) },
    Line { size: 9, states: 59_051, swept: 118_101, peak: 2197, memory: 7, time: Some(218) },
];

const STOP_AND_WAIT: [Line; 5] = [
    Line { size: 20, states: 5286, swept: 5286, peak: 287, memory: 8, time: Some(141) },
    Line { size: 40, states: 10_706, swept: 10_706, peak: 287, memory: 5, time: Some(143) },
    Line { size: 60, states: 16_126, swept: 16_126, peak: 287, memory: 5, time: Some(145) },
    Line { size: 80, states: 21_546, swept: 21_546, peak: 287, memory: 4, time: Some(145) },
    Line { size: 100, states: 26_966, swept: 26_966, peak: 287, memory: 4, time: Some(145) },
];

/// What was measured for a line.
struct Measured {
    states: u64,
    edges: u64,
    vector_bytes: u64,
    swept: SweepReport,
    /// Sweep without and with fold back, over breadth-first search.
    time: f64,
    unfolded: Graph,
    folded: Graph,
}

/// A table, and what it is made from.
struct Table {
    title: &'static str,
    model: &'static str,
    param: &'static str,
    lines: &'static [Line],
    /// The progress measure for a size.
    progress: fn(u64) -> String,
}

const TABLES: [Table; 2] = [
    Table {
        title: "Paper 3, Table 1: database replication",
        model: "replication",
        param: "N",
        lines: &REPLICATION,
        progress: |sites| {
            // As the paper says: by the control flow of the sites, and an order of the sites. The site that changes its copy
            // comes first, then how far each of the others has come.
            let waiting: Vec<String> = (0..sites).map(|s| format!("{}*waiting({s})", s + 1)).collect();
            let others: Vec<String> =
                (0..sites).map(|s| format!("received(_,{s}) + 2*answered(_,{s})")).collect();
            format!("-1*asleep, {}, {}", waiting.join(" + "), others.join(", "))
        },
    },
    Table {
        title: "Paper 3, Table 2: stop and wait",
        model: "stop_and_wait",
        param: "P",
        lines: &STOP_AND_WAIT,
        progress: |_| "expected.1".to_owned(),
    },
];

/// Both tables; a check leaves out the largest line of the first.
pub fn sheets(extent: Extent) -> Result<Vec<Sheet>, String> {
    TABLES.iter().map(|table| sheet(table, extent)).collect()
}

fn sheet(table: &Table, extent: Extent) -> Result<Sheet, String> {
    let columns = [
        (Kind::Name, "size"),
        (Kind::Paper, "states, paper"),
        (Kind::Counted, "states"),
        (Kind::Counted, "edges"),
        (Kind::Paper, "sweep, paper"),
        (Kind::Counted, "sweep"),
        (Kind::Paper, "peak, paper"),
        (Kind::Counted, "peak"),
        (Kind::Paper, "memory %, paper"),
        (Kind::Counted, "memory %"),
        (Kind::Paper, "time %, paper"),
        (Kind::Measured, "time %"),
        (Kind::Counted, "nodes folded"),
        (Kind::Counted, "memory % folded"),
    ];
    let mut sheet = Sheet::new(table.title, &columns);
    sheet.before.push(format!(
        "models/{}.lna with {} as the size. Sweep: states explored by the sweep-line method; peak: most states held at one time. \
         Memory is the percentage of all state vectors: the paper has 4 bytes for each node of the graph and the vectors at the \
         peak, we have what nodes really take beside their edges and packed vectors. Time is that of the sweep in percent of a search \
         that keeps all states. Folded: with fold back, which the paper does not have.",
        table.model, table.param
    ));
    let (mut same, mut more_memory, mut less) = (true, Vec::new(), Vec::new());
    for line in table.lines.iter().filter(|line| extent > Extent::Check || line.states < 50_000) {
        let path = format!("{}/../models/{}.lna", env!("CARGO_MANIFEST_DIR"), table.model);
        let net = Rc::new(crate::read_net(&path, &[&format!("{}={}", table.param, line.size)])?);
        let text = (table.progress)(line.size);
        let measured = match compile(&net, EngineChoice::Auto).map_err(|error| error.to_string())? {
            Engine::Unfolded(model) => measure(*model, &text),
            Engine::Binding(model) => measure(*model, &text),
        }?;
        let all = (measured.states * measured.vector_bytes) as f64;
        let window = (measured.swept.peak_states * measured.vector_bytes) as f64;
        let percent = |graph: &Graph| 100.0 * (graph.node_bits() as f64 / 8.0 + window) / all;
        let (unfolded, folded) = (percent(&measured.unfolded), percent(&measured.folded));
        let (swept, peak) = (measured.swept.report.states, measured.swept.peak_states);
        same &= (measured.states, swept, peak) == (line.states, line.swept, line.peak);
        if unfolded.round() > line.memory as f64 {
            more_memory.push(line.size.to_string());
        }
        less.push(line.states.abs_diff(measured.states));
        sheet.push([
            line.size.into(),
            line.states.into(),
            measured.states.into(),
            measured.edges.into(),
            line.swept.into(),
            swept.into(),
            line.peak.into(),
            peak.into(),
            line.memory.into(),
            Cell::Number(unfolded, 1),
            line.time.into(),
            Cell::Number(100.0 * measured.time, 0),
            (measured.folded.n_nodes() as u64).into(),
            Cell::Number(folded, 1),
        ]);
    }
    sheet.after.push(match same {
        true => "States, states of the sweep and peaks are those of the paper.".to_owned(),
        false => format!(
            "The states differ from the paper's by up to {}. Its model is not printed; [the page on progress](progress.md) tells \
             which others were tried.",
            less.iter().max().copied().unwrap_or(0)
        ),
    });
    sheet.after.push(match more_memory.as_slice() {
        [] => "The share of memory is nowhere larger than the paper's.".to_owned(),
        sizes => format!(
            "For the sizes {} the share of memory is larger than the paper's without fold back: our vectors are a few bytes where its \
             are over a hundred, so nodes weigh more beside them.",
            sizes.join(", ")
        ),
    });
    sheet.after.push(
        "Small sizes take so little time that its percentages say little; a sweep that visits every state twice takes at least \
         twice as long."
            .to_owned(),
    );
    Ok(sheet)
}

fn measure<M: Model>(mut model: M, progress: &str) -> Result<Measured, String> {
    let measure = Measure::parse(progress, &model).map_err(|error| error.to_string())?;
    let mut store = Plain::new(model.packing());
    let full = breadth_first(&mut model, &mut store, &Limits::NONE, &mut Silent, &mut NoObserver);
    let swept = sweep(&mut model, &measure, &Limits::NONE, &mut Silent, &mut NoObserver);
    let time = swept.report.elapsed.as_secs_f64() / full.elapsed.as_secs_f64().max(1e-9);
    let about = About::default();
    let mut builder = Builder::new(&model, Way::NodeByNode);
    let again = sweep(&mut model, &measure, &Limits::NONE, &mut Silent, &mut builder);
    let graph = builder.finish_sweep(&model, &about, Labels::Kept, &again.aliases);
    let unfolded = graph.map_err(|error| error.to_string())?;
    let mut builder = Builder::new(&model, Way::NodeByNode);
    let exact = sweep_exact(&mut model, &measure, &Limits::NONE, &mut Silent, &mut builder);
    let graph = builder.finish_sweep(&model, &about, Labels::Kept, &exact.aliases);
    let folded = graph.map_err(|error| error.to_string())?;
    let all_complete = [&full, &swept.report, &again.report, &exact.report].iter().all(|r| r.is_complete());
    if !all_complete || exact.report.states != full.states || exact.report.edges != full.edges {
        return Err("the searches disagree".to_owned());
    }
    let vector_bytes = (store.vector_bytes() as u64).div_ceil(full.states.max(1));
    Ok(Measured { states: full.states, edges: full.edges, vector_bytes, swept, time, unfolded, folded })
}
