//! The page that sets the papers' tables and figures beside ours: `petite-bench papers [small|check] [PAGE.md]`.
//!
//! The page is written by this command and by nothing else. What is counted in it must be the same in every run, which
//! `check` tests with the small sizes; what is measured is marked.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::extent::Extent;
use crate::picture::Picture;
use crate::sheet::{Sheet, wrapped};
use crate::{paper1, paper2, paper3, paper4, paper5, peers};

/// A chapter of the page.
struct Chapter {
    title: &'static str,
    about: &'static str,
    sheets: Vec<Sheet>,
    pictures: Vec<Picture>,
}

/// Where the page is in the repository.
pub fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reproduction.md")
}

/// Runs everything and writes the page, with its pictures in the folder `plots` beside it.
pub fn write(extent: Extent, page: &Path) -> Result<(), String> {
    let mut text = front(extent);
    let folder = page.parent().unwrap_or(Path::new("")).join("plots");
    for paper in 1..=5 {
        let chapter = chapter(paper, extent)?;
        let chapter_text = markdown(&chapter);
        // Whoever waits sees what there is.
        print!("{chapter_text}");
        text += &chapter_text;
        for picture in &chapter.pictures {
            std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            write_file(&folder.join(format!("{}.svg", picture.name)), &picture.svg)?;
        }
    }
    let beside = beside_spin();
    print!("{beside}");
    text += &beside;
    text += LEFT_OUT;
    write_file(page, &text)?;
    println!("{} was written", page.display());
    Ok(())
}

/// Runs the small sizes and compares them with the page.
pub fn check(page: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(page).map_err(|error| format!("{}: {error}", page.display()))?;
    let mut differences = Vec::new();
    let mut n_rows = 0;
    for paper in 1..=5 {
        for sheet in chapter(paper, Extent::Check)?.sheets {
            differences.extend(sheet.differences(&text));
            n_rows += sheet.rows.len();
        }
    }
    if differences.is_empty() {
        println!("{n_rows} rows are those of {}", page.display());
        return Ok(());
    }
    let help = "if the change is meant, write the page anew with `petite-bench papers`";
    Err(format!("{} is not what a run gives; {help}\n{}", page.display(), differences.join("\n")))
}

fn chapter(paper: u32, extent: Extent) -> Result<Chapter, String> {
    let (title, about) = CHAPTERS[paper as usize - 1];
    let mut pictures = Vec::new();
    let sheets = match paper {
        1 => paper1::sheets(extent)?,
        2 => {
            let results = paper2::results(extent)?;
            pictures = results.pictures()?;
            results.sheets()
        }
        3 => paper3::sheets(extent)?,
        4 => paper4::sheets(extent)?,
        _ => paper5::sheets(extent, 10)?,
    };
    Ok(Chapter { title, about, sheets, pictures })
}

/// The chapter on SPIN, or that there is none and why.
fn beside_spin() -> String {
    let table = match peers::sheet(Extent::Paper) {
        Ok(sheet) => sheet.markdown(),
        Err(why) => format!("{}\n\n", wrapped(&format!("Left out: {why}."))),
    };
    format!("## Beside SPIN\n\n{table}")
}

/// Titles of the chapters, and what the papers are.
const CHAPTERS: [(&str, &str); 5] = [
    (
        "Paper 1: Δ-markings",
        "S. Evangelista, J.-F. Pradat-Peyre: Memory efficient state space storage in explicit software model checking (2005). The \
         store is `delta`; see [States kept as steps](stores-steps.md).",
    ),
    (
        "Paper 2: the difference form",
        "A. Mukherjee, Z. Tari, P. Bertok: Memory efficient state-space analysis in software model-checking (2010). The store is \
         `difference`; see [States kept as steps](stores-steps.md).",
    ),
    (
        "Paper 3: the condensed graph and the sweep line",
        "T. Mailund, M. Westergaard: Obtaining memory-efficient reachability graph representations using the sweep-line method \
         (2004). See [Progress measures](progress.md) and [The reachability graph](graph.md).",
    ),
    (
        "Paper 4: decision diagrams and tables of parts",
        "W. Visser: Memory efficient state storage in SPIN (1996). The stores are `obdd` and `ondd`, the codecs `compress`, \
         `collapse` and `new-collapse`; see [Diagrams](stores-diagrams.md).",
    ),
    (
        "Paper 5: multi-sets in few bits",
        "M. Mäkelä: Condensed storage of multi-set sequences (2000). The codec is `multiset`; see [How a state is \
         written](codecs.md).",
    ),
];

/// What the papers have and the page has not.
const LEFT_OUT: &str = "\
## What is not here

- Paper 1's figures are drawings of the algorithm. Its stratified caching (figure 4) has no measurements.
- Paper 2's Table 3 repeats figures of other papers.
- Paper 4's Table 4 and figure 10 are about partial-order reduction, which leaves out states; Petite leaves out none.
- Paper 5's figures 1 and 3 compare lengths of codes by formula, without a model. Its columns for PROD are another program's.
";

/// The beginning of the page: what it is, and what made it.
fn front(extent: Extent) -> String {
    let sizes = match extent {
        Extent::Check => "sizes of the test",
        Extent::Small => "sizes below the papers' for paper 1, the papers' for the others",
        Extent::Paper => "sizes of the papers",
    };
    let made = format!(
        "This page is written by `petite-bench papers` ([bench/papers](../bench/papers)), never by hand. This one is of {} UTC, {sizes}, {} \
         build{}, {}.",
        now(),
        profile(),
        commit().map_or(String::new(), |commit| format!(" of {commit}")),
        machine()
    );
    let reading = "Beside each figure of a paper is ours. Columns marked ≈ were measured: times are CPU times of whole processes \
                   unless said otherwise, on a machine that may be busy with other work, so only their ratios mean something, and \
                   those of runs below a second little. All other columns are the same in every run; a test runs the small \
                   sizes again and fails when the page says otherwise. Where we differ from a paper, a sentence below the table says it.";
    format!("# The papers, reproduced\n\n{}\n\n{}\n\n", wrapped(&made), wrapped(reading))
}

fn markdown(chapter: &Chapter) -> String {
    let mut text = format!("## {}\n\n{}\n\n", chapter.title, wrapped(chapter.about));
    text.extend(chapter.sheets.iter().map(Sheet::markdown));
    for picture in &chapter.pictures {
        let number = picture.name.rsplit('-').next().unwrap_or_default();
        text += &format!("Figure {number}: the paper's lines, and ours with dots.\n\n");
        text += &format!("![{}](plots/{}.svg)\n\n", picture.title, picture.name);
    }
    text
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The profile of this build, which is the name of the folder it is in.
fn profile() -> String {
    let program = std::env::current_exe().ok();
    let folder = program.as_deref().and_then(Path::parent).and_then(Path::file_name);
    folder.map_or("unknown".to_owned(), |folder| folder.to_string_lossy().into_owned())
}

/// The commit of the sources, where git knows it.
fn commit() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output =
        Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(root).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{cores} cores, {} on {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The date and the minute.
fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date(since / 86_400);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", since / 3600 % 24, since / 60 % 60)
}

/// Year, month and day of so many days after the first of January 1970.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    (year, month as u64 + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(
            [0, 58, 59, 789, 11_016, 20_772].map(date),
            [(1970, 1, 1), (1970, 2, 28), (1970, 3, 1), (1972, 2, 29), (2000, 2, 29), (2026, 11, 15)]
        );
    }
}
