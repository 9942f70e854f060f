//! All nets of the corpus against their stated figures.
//!
//! `MANIFEST.csv` states the figures of PNML models, an `expected.csv` in each folder those of Helena's nets. Every
//! model is explored in a process of its own; states, arcs and, where stated, the most tokens must agree.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::process::{self, Figures};
use crate::ways::EXACT;

/// What a process says of a net that grows without end.
pub const UNBOUNDED: &str = "the net is unbounded";

/// A model and what is stated of it: states, arcs, most tokens in a place, most tokens in all.
struct Row {
    name: String,
    path: PathBuf,
    params: String,
    stated: [Option<u64>; 4],
    is_unbounded: bool,
}

/// Explores everything with a stated number of states among these in every exact way, with the first error at the end.
pub fn all_tables(sizes: RangeInclusive<u64>) -> Result<(), String> {
    let mut outcome = Ok(());
    for way in EXACT {
        println!("\n{way}");
        let result = table(way, &sizes).map_err(|error| format!("{way}: {error}"));
        outcome = outcome.and(result);
    }
    outcome
}

/// Explores everything of these sizes one way and prints a line for each model.
pub fn table(way: &str, sizes: &RangeInclusive<u64>) -> Result<(), String> {
    let corpus = std::env::var("PETITE_CORPUS").map_err(|_| "PETITE_CORPUS is not set".to_owned())?;
    let mut rows = pnml_rows(Path::new(&corpus))?;
    rows.extend(helena_rows(Path::new(&corpus))?);
    let n_all = rows.len();
    rows.retain(|row| row.is_unbounded || row.stated[0].is_some_and(|states| sizes.contains(&states)));
    println!("model                                          states       arcs   CPU s  peak MB  result");
    let (mut n_right, mut cpu, mut peak) = (0, 0.0, 0);
    for row in &rows {
        let outcome = process::measure(way, &row.path.to_string_lossy(), &row.params);
        let result = match &outcome {
            Err(error) if row.is_unbounded && error.contains(UNBOUNDED) => "right: unbounded".to_owned(),
            Ok(_) if row.is_unbounded => "WRONG: it is unbounded".to_owned(),
            Ok(figures) if agrees(figures, &row.stated) => "right".to_owned(),
            Ok(_) => format!("WRONG: stated {:?}", row.stated),
            Err(error) => format!("FAILED: {error}"),
        };
        n_right += usize::from(result.starts_with("right"));
        let figures = outcome.ok();
        let number =
            |of: fn(&Figures) -> u64| figures.map_or("-".to_owned(), |figures| of(&figures).to_string());
        let seconds = figures.map_or(0.0, |figures| figures.cpu_seconds);
        cpu += seconds;
        peak = peak.max(figures.map_or(0, |figures| figures.peak_bytes));
        println!(
            "{:<42} {:>10} {:>10} {:>7.2} {:>8}  {result}",
            row.name,
            number(|figures| figures.states),
            number(|figures| figures.edges),
            seconds,
            number(|figures| figures.peak_bytes / 1_000_000),
        );
    }
    println!(
        "{n_right} of {} right, {cpu:.0} CPU s in all, {} MB at the most; {} left out: of another size or not stated",
        rows.len(),
        peak / 1_000_000,
        n_all - rows.len()
    );
    if n_right == rows.len() { Ok(()) } else { Err(format!("{} models are wrong", rows.len() - n_right)) }
}

/// Name, path and parameters of all models of the corpus and of ours with a stated number of states among these; the
/// smallest first.
pub fn models_within(sizes: &RangeInclusive<u64>) -> Result<Vec<(String, PathBuf, String)>, String> {
    let corpus = std::env::var("PETITE_CORPUS").map_err(|_| "PETITE_CORPUS is not set".to_owned())?;
    let mut rows = pnml_rows(Path::new(&corpus))?;
    rows.extend(helena_rows(Path::new(&corpus))?);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    for fields in lines_of(&own.join("expected.csv"))?.into_iter().skip(1) {
        let [name, params, states, ..] = fields.as_slice() else { continue };
        let path = own.join(format!("{name}.lna"));
        // Symbols, and Maria's nets, are left to the tests of the command.
        if !params.contains("define:") && path.exists() {
            rows.push(Row {
                name: format!("models/{name} {params}"),
                path,
                params: params.clone(),
                stated: [states.parse().ok(), None, None, None],
                is_unbounded: false,
            });
        }
    }
    rows.retain(|row| row.stated[0].is_some_and(|states| sizes.contains(&states)));
    rows.sort_by(|one, other| (one.stated[0], &one.path).cmp(&(other.stated[0], &other.path)));
    // What a net is without parameters is mostly stated once more with them.
    rows.dedup_by(|later, earlier| {
        let is_default = later.params.is_empty() || earlier.params.is_empty();
        is_default && later.path == earlier.path && later.stated == earlier.stated
    });
    Ok(rows.into_iter().map(|row| (row.name, row.path, row.params)).collect())
}

fn agrees(figures: &Figures, stated: &[Option<u64>; 4]) -> bool {
    let [place, total] = figures.most_tokens;
    let found = [figures.states, figures.edges, place, total];
    found.iter().zip(stated).all(|(found, stated)| stated.is_none_or(|stated| stated == *found))
}

fn pnml_rows(corpus: &Path) -> Result<Vec<Row>, String> {
    let lines = lines_of(&corpus.join("MANIFEST.csv"))?;
    let [header, lines @ ..] = lines.as_slice() else { return Err("MANIFEST.csv is empty".to_owned()) };
    let column =
        |name: &str| header.iter().position(|field| field == name).ok_or(format!("no column {name}"));
    let columns =
        [column("states")?, column("arcs")?, column("max_tokens_in_place")?, column("max_tokens_total")?];
    let nets = lines.iter().filter(|fields| fields[0].starts_with("pnml-"));
    let row = |fields: &Vec<String>| Row {
        name: fields[0].clone(),
        path: corpus.join(&fields[0]).join("model.pnml"),
        params: String::new(),
        stated: columns.map(|column| fields.get(column)?.parse().ok()),
        is_unbounded: fields.get(columns[0]).is_some_and(|states| states == "+inf"),
    };
    Ok(nets.map(row).collect())
}

fn helena_rows(corpus: &Path) -> Result<Vec<Row>, String> {
    let folders = std::fs::read_dir(corpus.join("lna")).map_err(|error| error.to_string())?;
    let mut folders: Vec<PathBuf> = folders.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    let mut rows = Vec::new();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for fields in lines_of(&folder.join("expected.csv"))?.into_iter().skip(1) {
            let params = if fields[0] == "(default)" { String::new() } else { fields[0].clone() };
            let number = |at: usize| fields.get(at)?.parse().ok();
            rows.push(Row {
                name: format!("lna/{name} {params}"),
                path: folder.join(format!("{name}.lna")),
                stated: [number(1), number(2), None, None],
                is_unbounded: false,
                params,
            });
        }
    }
    Ok(rows)
}

/// The fields of each line: commas between them, quotes around those that have commas themselves.
pub fn lines_of(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let fields = |line: &str| {
        let mut fields = vec![String::new()];
        let mut quoted = false;
        for character in line.chars() {
            match character {
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(String::new()),
                _ => fields.last_mut().into_iter().for_each(|field| field.push(character)),
            }
        }
        fields
    };
    Ok(text.lines().map(fields).collect())
}
