//! Paper 2's experiment: `petite-bench paper2`.
//!
//! Tables 1 and 2 of Mukherjee, Tari and Bertok (2010), and with them the data of figures 8 to 10: the first 500 states of
//! random token games of six sizes, depth first, for δ in {0, 1, 2, 3, 7, 20}. Beside the paper's figures are those of the
//! difference store, in the paper's unit (four bytes for a token) and as bytes that the store really has for its
//! vectors; and what the complexity model of section 3.1.4 predicts.
//!
//! A run of 500 states takes a few milliseconds, so each is repeated until it took a fifth of a second, and the median is
//! given: on a machine that does other things as well, the mean says more of these.

use std::time::Instant;

use petite_model::{Model, TokenGame};
use petite_search::{Limits, NoObserver, Silent, depth_first};
use petite_store::{Difference, Lookup, Prediction, StateId, StateSet};

/// States of each run.
const STATES: u64 = 500;

/// Actions drawn for each state.
const DRAWS: u32 = 4;

const SEED: u64 = 2010;

const DELTAS: [u32; 6] = [0, 1, 2, 3, 7, 20];

/// Bytes that the paper counts for a token.
const TOKEN_BYTES: u64 = 4;

/// A size of the experiment: places, tokens, and the paper's bytes and milliseconds for each δ.
struct Size {
    places: u32,
    tokens: u32,
    bytes: [u64; 6],
    milliseconds: [f64; 6],
}

const SIZES: [Size; 6] = [
    Size {
        places: 4,
        tokens: 5,
        bytes: [9980, 9980, 5996, 4668, 3148, 2396],
        milliseconds: [0.0, 20.0, 90.0, 160.0, 430.0, 1490.0],
    },
    Size {
        places: 60,
        tokens: 90,
        bytes: [179_640, 179_640, 90_996, 61_448, 27_628, 10_896],
        milliseconds: [20.0, 40.0, 80.0, 100.0, 210.0, 570.0],
    },
    Size {
        places: 200,
        tokens: 400,
        bytes: [798_400, 798_400, 400_996, 268_528, 116_908, 41_896],
        milliseconds: [80.0, 130.0, 170.0, 200.0, 320.0, 680.0],
    },
    Size {
        places: 400,
        tokens: 700,
        bytes: [1_397_200, 1_397_200, 700_996, 468_928, 203_308, 71_896],
        milliseconds: [140.0, 220.0, 260.0, 290.0, 410.0, 770.0],
    },
    Size {
        places: 800,
        tokens: 1000,
        bytes: [1_996_000, 1_996_000, 1_000_996, 669_328, 289_708, 101_896],
        milliseconds: [200.0, 310.0, 350.0, 380.0, 500.0, 850.0],
    },
    Size {
        places: 1500,
        tokens: 2000,
        bytes: [3_992_000, 3_992_000, 2_000_996, 1_337_328, 577_708, 201_896],
        milliseconds: [400.0, 620.0, 660.0, 680.0, 820.0, 1200.0],
    },
];

/// One run.
struct Run {
    /// Milliseconds, the median of several.
    milliseconds: f64,
    /// Bytes in the paper's unit.
    token_bytes: u64,
    /// Bytes of the stored vectors.
    vector_bytes: u64,
    explicit: u64,
    changes: u64,
    /// Microseconds for finding a stored state, which is one comparison as a rule; the median of several times all.
    comparison: f64,
    /// Edges that led to states that were known.
    duplicates: u64,
    height: u64,
}

/// Prints both tables.
pub fn tables() -> Result<(), String> {
    println!("First {STATES} states, depth first, seed {SEED}, {DRAWS} actions drawn for each state.");
    println!(
        "Λ: bytes, 4 for each token, as the paper counts; vectors: bytes the store really has for them."
    );
    println!("predicted: reduction by equations 1 to 5, with the branching and the x that were measured.");
    println!(
        "T: time of a comparison, in comparisons of explicit states: predicted for the last level / measured by finding all states"
    );
    println!(
        "again; π: the predicted sum over all levels, divided by that for δ = 0. In both predictions a step back is taken to cost x"
    );
    println!("of a comparison, as it touches x of a vector.\n");
    println!(
        "    n    m   δ |  paper Λ       Δ | measured Λ       Δ  predicted | vectors       Δ | paper ms     η |  measured ms       η |     T / meas.     π"
    );
    for size in &SIZES {
        let mut first: Option<Run> = None;
        for (at, &delta) in DELTAS.iter().enumerate() {
            let run = measure(size, delta)?;
            let base = first.as_ref().unwrap_or(&run);
            let prediction = prediction(size, delta, &run);
            let explicit = Prediction { delta: 0, ..prediction };
            let less = |now: u64, before: u64| 100.0 * (1.0 - now as f64 / before.max(1) as f64);
            let more = |now: f64, before: f64| match before > 0.0 {
                true => format!("{:+.0}%", 100.0 * (now / before - 1.0)),
                false => "-".to_owned(),
            };
            println!(
                "{:>5}{:>5}{:>4} | {:>8} {:>6.0}% | {:>10} {:>6.1}% {:>9.1}% | {:>7} {:>6.1}% | {:>8} {:>5} | {:>12.3} {:>7} | {:>5.2} / {:>5.2} {:>5.2}",
                size.places,
                size.tokens,
                delta,
                size.bytes[at],
                less(size.bytes[at], size.bytes[0]),
                run.token_bytes,
                less(run.token_bytes, base.token_bytes),
                100.0 * prediction.reduction(),
                run.vector_bytes,
                less(run.vector_bytes, base.vector_bytes),
                size.milliseconds[at],
                more(size.milliseconds[at], size.milliseconds[0]),
                run.milliseconds,
                more(run.milliseconds, base.milliseconds),
                prediction.comparison(prediction.height),
                run.comparison / base.comparison,
                prediction.time() / explicit.time(),
            );
            first.get_or_insert(run);
        }
        let run = first.as_ref().map_or(0, |run| run.duplicates);
        println!("           {run} duplicates before the {STATES}th state");
    }
    Ok(())
}

/// What section 3.1.4 says of a run.
fn prediction(size: &Size, delta: u32, run: &Run) -> Prediction {
    let differences = STATES - run.explicit;
    let explicit_bytes = f64::from(size.tokens);
    let relative_size = match differences {
        0 => 1.0,
        n => run.changes as f64 / n as f64 / explicit_bytes,
    };
    // A tree of this height with so many states: depth first it is nearly a path.
    let branching = branching(run.height as u32);
    let height = run.height as u32;
    Prediction { branching, height, delta, relative_size, relative_step: relative_size }
}

/// The branching with which a tree of some height has [`STATES`] states, by halving.
fn branching(height: u32) -> f64 {
    let states = |k: f64| (0..=height).map(|level| k.powf(level.into())).sum::<f64>();
    let (mut low, mut high) = (1.0, STATES as f64);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if states(middle) < STATES as f64 { low = middle } else { high = middle }
    }
    low
}

fn measure(size: &Size, delta: u32) -> Result<Run, String> {
    let limits = Limits { max_states: Some(STATES), ..Limits::NONE };
    let started = Instant::now();
    let mut spent = Vec::new();
    loop {
        let game = TokenGame::new(size.places, size.tokens, DRAWS, SEED);
        let mut game = game.ok_or("a game in which nothing moves")?;
        let mut store = Difference::new(game.packing(), delta);
        let begun = Instant::now();
        let report = depth_first(&mut game, &mut store, &limits, &mut Silent, &mut NoObserver);
        spent.push(begun.elapsed().as_secs_f64());
        if report.states != STATES {
            return Err(format!("{} places have {} states only", size.places, report.states));
        }
        if started.elapsed().as_secs_f64() < 0.2 {
            continue;
        }
        spent.sort_by(f64::total_cmp);
        let explicit = store.n_explicit() as u64;
        return Ok(Run {
            milliseconds: 1000.0 * spent[spent.len() / 2],
            token_bytes: TOKEN_BYTES * (explicit * u64::from(size.tokens) + store.n_changes()),
            vector_bytes: store.vector_bytes() as u64,
            explicit,
            changes: store.n_changes(),
            comparison: comparison(&mut game, &mut store)?,
            duplicates: report.edges + 1 - report.states,
            height: report.peak_frontier - 1,
        });
    }
}

/// Microseconds for finding a stored state again.
fn comparison(game: &mut TokenGame, store: &mut Difference) -> Result<f64, String> {
    let mut states = Vec::new();
    for id in 0..store.len() {
        let mut words = vec![0; game.packing().n_words()];
        store.get(game, StateId::new(id), &mut words);
        states.push((game.packing().hash(&words), words));
    }
    let mut spent = Vec::new();
    for _ in 0..15 {
        let begun = Instant::now();
        for (id, (hash, words)) in states.iter().enumerate() {
            if store.find(game, words, *hash) != Some(StateId::new(id)) {
                return Err(format!("state {id} is not found again"));
            }
        }
        spent.push(1e6 * begun.elapsed().as_secs_f64() / states.len() as f64);
    }
    spent.sort_by(f64::total_cmp);
    Ok(spent[spent.len() / 2])
}
