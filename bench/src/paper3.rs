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

/// A line of a table: the size, states, states of the sweep, peak, and percentages of memory and time.
struct Line {
    size: u64,
    states: u64,
    swept: u64,
    peak: u64,
    memory: u64,
}

const REPLICATION: [Line; 6] = [
    Line { size: 4, states: 110, swept: 219, peak: 14, memory: 19 },
    Line { size: 5, states: 407, swept: 813, peak: 33, memory: 14 },
    Line { size: 6, states: 1460, swept: 2919, peak: 88, memory: 11 },
    Line { size: 7, states: 5105, swept: 10_209, peak: 251, memory: 9 },
    Line { size: 8, states: 17_498, swept: 34_995, peak: 738, memory: 8 },
    Line { size: 9, states: 59_051, swept: 118_101, peak: 2197, memory: 7 },
];

const STOP_AND_WAIT: [Line; 5] = [
    Line { size: 20, states: 5286, swept: 5286, peak: 287, memory: 8 },
    Line { size: 40, states: 10_706, swept: 10_706, peak: 287, memory: 5 },
    Line { size: 60, states: 16_126, swept: 16_126, peak: 287, memory: 5 },
    Line { size: 80, states: 21_546, swept: 21_546, peak: 287, memory: 4 },
    Line { size: 100, states: 26_966, swept: 26_966, peak: 287, memory: 4 },
];

/// What was measured for a line.
struct Measured {
    states: u64,
    vector_bytes: u64,
    swept: SweepReport,
    /// Sweep without and with fold back, over breadth-first search.
    time: f64,
    unfolded: Graph,
    folded: Graph,
}

/// Prints both tables.
pub fn tables() -> Result<(), String> {
    println!("Table 1: database replication, models/replication.lna");
    table(&REPLICATION, "replication", "N", &|sites| {
        // As the paper says: by the control flow of the sites, and an order of the sites. The site that changes its copy comes
        // first, then how far each of the others has come.
        let waiting: Vec<String> = (0..sites).map(|s| format!("{}*waiting({s})", s + 1)).collect();
        let others: Vec<String> =
            (0..sites).map(|s| format!("received(_,{s}) + 2*answered(_,{s})")).collect();
        format!("-1*asleep, {}, {}", waiting.join(" + "), others.join(", "))
    })?;
    println!();
    println!("Table 2: stop and wait, models/stop_and_wait.lna");
    table(&STOP_AND_WAIT, "stop_and_wait", "P", &|_| "expected.1".to_owned())?;
    println!();
    println!(
        "Our stop and wait has as many states for each packet as the paper's (271) and the same peak, but two less at its"
    );
    println!(
        "beginning or end. The paper does not print its model; docs/progress.md tells which others were tried."
    );
    Ok(())
}

fn table(lines: &[Line], model: &str, param: &str, progress: &dyn Fn(u64) -> String) -> Result<(), String> {
    println!(
        "                 states            sweep states             peak       memory %     time %   fold back"
    );
    println!(
        "  size   paper     ours      paper     ours      paper    ours     paper  ours     ours     nodes  memory %"
    );
    for line in lines {
        let path = format!("{}/../models/{model}.lna", env!("CARGO_MANIFEST_DIR"));
        let net = Rc::new(crate::read_net(&path, &[&format!("{param}={}", line.size)])?);
        let text = progress(line.size);
        let measured = match compile(&net, EngineChoice::Auto).map_err(|error| error.to_string())? {
            Engine::Unfolded(model) => measure(*model, &text),
            Engine::Binding(model) => measure(*model, &text),
        }?;
        let all = (measured.states * measured.vector_bytes) as f64;
        let window = (measured.swept.peak_states * measured.vector_bytes) as f64;
        let percent = |graph: &Graph| 100.0 * (graph.node_bits() as f64 / 8.0 + window) / all;
        println!(
            "{:>6} {:>7} {:>8} {:>10} {:>8} {:>10} {:>7} {:>9} {:>5.1} {:>8.0} {:>9} {:>9.1}",
            line.size,
            line.states,
            measured.states,
            line.swept,
            measured.swept.report.states,
            line.peak,
            measured.swept.peak_states,
            line.memory,
            percent(&measured.unfolded),
            100.0 * measured.time,
            measured.folded.n_nodes(),
            percent(&measured.folded),
        );
    }
    Ok(())
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
    Ok(Measured { states: full.states, vector_bytes, swept, time, unfolded, folded })
}
