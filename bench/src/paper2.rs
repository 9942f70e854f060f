//! Paper 2's experiment: `petite-bench paper2`.
//!
//! Tables 1 and 2 of Mukherjee, Tari and Bertok (2010), and with them the data of figures 8 to 10: the first 500 states of
//! random token games of six sizes, depth first, for δ in {0, 1, 2, 3, 7, 20}. Beside the paper's figures are those of the
//! difference store, in the paper's unit (four bytes for a token) and as bytes that the store really has for its
//! vectors; and what the complexity model of section 3.1.4 predicts.
//!
//! A run of 500 states takes less than a millisecond, so each is repeated until it took a tenth of a second, and the
//! mean is given.

use std::time::Instant;

use petite_compare::{Axis, Drawing, Look, PlotError, Series, draw};
use petite_model::{Model, TokenGame};
use petite_search::{Limits, NoObserver, Silent, depth_first};
use petite_store::{Difference, Lookup, Prediction, StateId, StateSet};

use crate::extent::Extent;
use crate::picture::Picture;
use crate::sheet::{Cell, Kind, Sheet};

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

/// What was measured: for each size a run for each δ.
pub struct Results(Vec<Vec<Run>>);

/// Runs everything. All extents have all sizes, but a check repeats nothing to measure its time.
pub fn results(extent: Extent) -> Result<Results, String> {
    let least = if extent == Extent::Check { 0.0 } else { 0.2 };
    let runs = |size: &Size| DELTAS.iter().map(|&delta| measure(size, delta, least)).collect();
    SIZES.iter().map(runs).collect::<Result<_, String>>().map(Results)
}

impl Results {
    /// Each run with its size and the place of its δ.
    fn runs(&self) -> impl Iterator<Item = (&'static Size, usize, &[Run])> {
        let sizes = SIZES.iter().zip(&self.0);
        sizes.flat_map(|(size, runs)| (0..DELTAS.len()).map(move |at| (size, at, runs.as_slice())))
    }

    /// Both tables.
    pub fn sheets(&self) -> Vec<Sheet> {
        vec![self.table1(), self.table2()]
    }

    fn table1(&self) -> Sheet {
        let columns = [
            (Kind::Name, "n"),
            (Kind::Name, "m"),
            (Kind::Name, "δ"),
            (Kind::Paper, "Λ, paper"),
            (Kind::Counted, "Λ"),
            (Kind::Paper, "Δ %, paper"),
            (Kind::Counted, "Δ %"),
            (Kind::Counted, "predicted Δ %"),
            (Kind::Counted, "packed bytes"),
            (Kind::Counted, "Δ % of them"),
        ];
        let mut sheet = Sheet::new("Paper 2, Table 1: bytes of the first 500 states", &columns);
        sheet.before.push(format!(
            "Random token games with n places and m tokens: the first {STATES} states, depth first, seed {SEED}, {DRAWS} actions \
             drawn for each state. Λ: bytes with {TOKEN_BYTES} for each token, as the paper counts, and Δ: percent saved. Predicted: by \
             equations 1 to 5 of section 3.1.4, with the branching and the size of a difference that were measured. Packed bytes: \
             what our store really has for its vectors."
        ));
        let less = |now: u64, before: u64| 100.0 * (1.0 - now as f64 / before.max(1) as f64);
        let (mut farthest, mut all_explicit) = ((0.0, 0, 0), Vec::new());
        for (size, at, runs) in self.runs() {
            let (run, base) = (&runs[at], &runs[0]);
            let (paper, ours) =
                (less(size.bytes[at], size.bytes[0]), less(run.token_bytes, base.token_bytes));
            let has_differences = runs.iter().any(|run| run.explicit < STATES);
            if has_differences && f64::abs(paper - ours) > farthest.0 {
                farthest = (f64::abs(paper - ours), size.places, DELTAS[at]);
            }
            if !has_differences && at == 0 {
                all_explicit.push(format!("{} places", size.places));
            }
            sheet.push([
                u64::from(size.places).into(),
                u64::from(size.tokens).into(),
                u64::from(DELTAS[at]).into(),
                size.bytes[at].into(),
                run.token_bytes.into(),
                Cell::Number(paper, 0),
                Cell::Number(ours, 1),
                Cell::Number(100.0 * prediction(size, DELTAS[at], run).reduction(), 1),
                run.vector_bytes.into(),
                Cell::Number(less(run.vector_bytes, base.vector_bytes), 1),
            ]);
        }
        let (points, places, delta) = farthest;
        sheet.after.push(format!(
            "Δ is at most {points:.1} percentage points from the paper's (n = {places}, δ = {delta}){}. The paper's Λ for δ = 0 is that of 499 \
             states, ours of 500. It draws its transitions from a generator that it does not name, so the games are not the same, only \
             of the same kind. Of packed vectors less is saved, because in them an explicit state is already small.",
            match all_explicit.as_slice() {
                [] => String::new(),
                games => format!(
                    ", but for the game with {}: there our store keeps every state as it is, because a packed vector is no longer than \
                     a difference, where the paper's differences save up to three quarters of its larger vectors",
                    games.join(", ")
                ),
            }
        ));
        sheet
    }

    fn table2(&self) -> Sheet {
        let columns = [
            (Kind::Name, "n"),
            (Kind::Name, "m"),
            (Kind::Name, "δ"),
            (Kind::Paper, "π ms, paper"),
            (Kind::Measured, "π ms"),
            (Kind::Paper, "η %, paper"),
            (Kind::Measured, "η %"),
            (Kind::Counted, "predicted T"),
            (Kind::Measured, "T"),
            (Kind::Counted, "predicted π"),
            (Kind::Counted, "known states met"),
        ];
        let mut sheet = Sheet::new("Paper 2, Table 2: time for the first 500 states", &columns);
        sheet.before.push(
            "π: milliseconds, the median of runs that together took a fifth of a second; η: percent more than with δ = 0. T: time of a \
             comparison in comparisons of explicit states, predicted for the last level and measured by finding all states again, and π: the sum over all levels divided by that \
             for δ = 0; in both a step back is taken to cost the part of a comparison that it touches of a vector."
                .to_owned(),
        );
        let more = |now: f64, before: f64| match before > 0.0 {
            true => Cell::Number(100.0 * (now / before - 1.0), 0),
            false => Cell::Nothing,
        };
        for (size, at, runs) in self.runs() {
            let (run, base) = (&runs[at], &runs[0]);
            let prediction = prediction(size, DELTAS[at], run);
            let explicit = Prediction { delta: 0, ..prediction };
            sheet.push([
                u64::from(size.places).into(),
                u64::from(size.tokens).into(),
                u64::from(DELTAS[at]).into(),
                Cell::Number(size.milliseconds[at], 0),
                Cell::Number(run.milliseconds, 3),
                more(size.milliseconds[at], size.milliseconds[0]),
                more(run.milliseconds, base.milliseconds),
                Cell::Number(prediction.comparison(prediction.height), 2),
                Cell::Number(run.comparison / base.comparison, 2),
                Cell::Number(prediction.time() / explicit.time(), 2),
                run.duplicates.into(),
            ]);
        }
        let last = |times: [f64; 2]| 100.0 * (times[1] / times[0] - 1.0);
        if let (Some(size), Some(runs)) = (SIZES.last(), self.0.last()) {
            let (first, largest) = (&runs[0], &runs[DELTAS.len() - 1]);
            sheet.after.push(format!(
                "For the largest game and δ = 20 the paper takes {:.0} % more time than for δ = 0, we {:.0} %. Before the \
                 500th state the paper met 469 known ones in the smallest game and one in the next; we met {} and {}.",
                last([size.milliseconds[0], size.milliseconds[DELTAS.len() - 1]]),
                last([first.milliseconds, largest.milliseconds]),
                self.0[0][0].duplicates,
                self.0[1][0].duplicates
            ));
        }
        sheet
    }

    /// Figures 8, 9 and 10: the paper's lines, and ours with dots.
    pub fn pictures(&self) -> Result<Vec<Picture>, String> {
        let title = |size: &Size| format!("{} places, {} tokens", size.places, size.tokens);
        type Point = fn(&Size, &Run, usize) -> [(f64, f64); 2];
        // Lines of the paper, then ours: for each size over δ, or for each δ over sizes.
        let lines = |point: Point, by_size: bool| -> Vec<Series> {
            let names: Vec<String> = match by_size {
                true => SIZES.iter().map(title).collect(),
                false => DELTAS.iter().map(|delta| format!("δ = {delta}")).collect(),
            };
            let mut lines: Vec<Series> = Vec::new();
            for (whose, look) in [("paper: ", Look::Line), ("", Look::Dotted)] {
                lines.extend(names.iter().map(|name| Series {
                    name: format!("{whose}{name}"),
                    points: Vec::new(),
                    look,
                }));
            }
            for (line, runs) in self.0.iter().enumerate() {
                for (at, run) in runs.iter().enumerate() {
                    let which = if by_size { line } else { at };
                    let [paper, ours] = point(&SIZES[line], run, at);
                    lines[which].points.push(paper);
                    lines[names.len() + which].points.push(ours);
                }
            }
            lines
        };
        let memory: Point = |size, run, at| {
            let delta = f64::from(DELTAS[at]);
            [(delta, size.bytes[at] as f64), (delta, run.token_bytes as f64)]
        };
        let time: Point = |size, run, at| {
            let delta = f64::from(DELTAS[at]);
            [(delta, size.milliseconds[at] / 1000.0), (delta, run.milliseconds / 1000.0)]
        };
        let trade: Point = |size, run, at| {
            let paper = (size.milliseconds[at] / 1000.0, size.bytes[at] as f64);
            [paper, (run.milliseconds / 1000.0, run.token_bytes as f64)]
        };
        let bytes = (Axis::Bytes, "bytes, 4 for each token");
        let over_delta = (Axis::Plain, "δ");
        let taken = (Axis::Seconds, "time");
        let drawn = [
            (
                "paper2-figure-8",
                "Memory against δ",
                draw("Memory against δ", over_delta, bytes, &lines(memory, true)),
            ),
            (
                "paper2-figure-9",
                "Time against δ",
                draw("Time against δ", over_delta, taken, &lines(time, true)),
            ),
            (
                "paper2-figure-10",
                "Memory against time",
                draw("Memory against time", taken, bytes, &lines(trade, false)),
            ),
        ];
        let picture = |(name, title, drawing): (&'static str, &'static str, Result<Drawing, PlotError>)| {
            drawing
                .map(|drawing| Picture { name, title, svg: drawing.svg })
                .map_err(|error| error.to_string())
        };
        drawn.into_iter().map(picture).collect()
    }
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

/// Runs a game at least once, and until runs took so many seconds.
fn measure(size: &Size, delta: u32, least: f64) -> Result<Run, String> {
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
        if started.elapsed().as_secs_f64() < least {
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
