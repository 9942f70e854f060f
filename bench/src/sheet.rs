//! Tables that are printed, written into a page, and compared with the page again.
//!
//! A sheet is a table with words around it. Each column says what its figures are: names that tell rows apart, what a paper
//! prints, what is counted and so is the same in every run, or what is measured and so is not. The page is Markdown that
//! reads well as it is: cells are padded, and the names of measured columns begin with `≈`.

use std::fmt;

/// Columns of letters that words are broken at.
const WIDTH: usize = 118;

/// A table with its title and the words around it.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The heading, which no other sheet has.
    pub title: String,
    /// Paragraphs in front of the table.
    pub before: Vec<String>,
    /// What the columns are.
    pub columns: Vec<Column>,
    /// A cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// Paragraphs behind the table: what differs, and why.
    pub after: Vec<String>,
}

/// A column of a sheet.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What its figures are.
    pub kind: Kind,
}

/// What the figures of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Names, which together tell a row from the others.
    Name,
    /// What a paper prints.
    Paper,
    /// What is the same in every run.
    Counted,
    /// What differs from run to run.
    Measured,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Words(String),
    /// A number of things.
    Count(u64),
    /// A number with so many digits behind the point.
    Number(f64, usize),
    /// Nothing: not known, or not said.
    Nothing,
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<&str> for Cell {
    fn from(words: &str) -> Cell {
        Cell::Words(words.to_owned())
    }
}

impl From<String> for Cell {
    fn from(words: String) -> Cell {
        Cell::Words(words)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Cell {
        cell.map_or(Cell::Nothing, Into::into)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Words(words) => f.write_str(words),
            Cell::Count(count) => f.write_str(&grouped(*count)),
            Cell::Number(number, digits) => write!(f, "{number:.digits$}"),
            Cell::Nothing => f.write_str("-"),
        }
    }
}

impl Sheet {
    /// A sheet without rows.
    pub fn new(title: impl Into<String>, columns: &[(Kind, &str)]) -> Sheet {
        let column = |&(kind, name): &(Kind, &str)| Column {
            name: if kind == Kind::Measured { format!("≈ {name}") } else { name.to_owned() },
            kind,
        };
        Sheet {
            title: title.into(),
            before: Vec::new(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push<const N: usize>(&mut self, row: [Cell; N]) {
        debug_assert_eq!(N, self.columns.len(), "{}", self.title);
        self.rows.push(row.into());
    }

    /// The sheet with names and counted figures alone.
    pub fn counted(mut self) -> Sheet {
        let kept: Vec<bool> =
            self.columns.iter().map(|column| matches!(column.kind, Kind::Name | Kind::Counted)).collect();
        fn keep<T>(cells: &mut Vec<T>, kept: &[bool]) {
            let mut kept = kept.iter();
            cells.retain(|_| kept.next().copied().unwrap_or(false));
        }
        keep(&mut self.columns, &kept);
        self.rows.iter_mut().for_each(|row| keep(row, &kept));
        self
    }

    /// The sheet in Markdown, with a heading of the third level.
    pub fn markdown(&self) -> String {
        let mut text = format!("### {}\n\n", self.title);
        for words in &self.before {
            text += &format!("{}\n\n", wrapped(words));
        }
        let header: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let cells = self.rows.iter().map(|row| row.iter().map(Cell::to_string).collect());
        let lines: Vec<Vec<String>> = std::iter::once(header).chain(cells).collect();
        let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0).max(2);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        for (n, line) in lines.iter().enumerate() {
            let padded = line.iter().zip(&widths).zip(&self.columns).map(|((cell, width), column)| {
                let blanks = " ".repeat(width - cell.chars().count());
                if column.kind == Kind::Name {
                    format!(" {cell}{blanks} |")
                } else {
                    format!(" {blanks}{cell} |")
                }
            });
            text += &format!("|{}\n", padded.collect::<String>());
            if n == 0 {
                let rule = widths.iter().zip(&self.columns).map(|(&width, column)| match column.kind {
                    Kind::Name => format!("{}|", "-".repeat(width + 2)),
                    _ => format!("{}:|", "-".repeat(width + 1)),
                });
                text += &format!("|{}\n", rule.collect::<String>());
            }
        }
        text.push('\n');
        for words in &self.after {
            text += &format!("{}\n\n", wrapped(words));
        }
        text
    }

    /// What a page says otherwise than this sheet: a sentence for each cell that is not measured, each row and each table
    /// that the page does not have. The page may have more rows.
    pub fn differences(&self, page: &str) -> Vec<String> {
        let title = &self.title;
        let Some(lines) = table_below(page, title) else {
            return vec![format!("there is no table below the heading {title:?}")];
        };
        let (header, rows) =
            lines.split_first().map_or((&[][..], &[][..]), |(header, rows)| (&header[..], rows));
        let mut differences = Vec::new();
        let mut known: Vec<(usize, usize, Kind)> = Vec::new();
        for (at, column) in self.columns.iter().enumerate() {
            match header.iter().position(|name| *name == column.name) {
                Some(there) => known.push((at, there, column.kind)),
                None => differences.push(format!("{title}: the page has no column {:?}", column.name)),
            }
        }
        for row in &self.rows {
            let shown = |at: usize| row[at].to_string();
            let says =
                |line: &Vec<&str>, (at, there): (usize, usize)| line.get(there) == Some(&shown(at).as_str());
            let names = || known.iter().filter(|(.., kind)| *kind == Kind::Name);
            let name = names().map(|&(at, ..)| shown(at)).collect::<Vec<_>>().join(" ");
            let same = |line: &&Vec<&str>| names().all(|&(at, there, _)| says(line, (at, there)));
            let Some(line) = rows.iter().find(same) else {
                differences.push(format!("{title}: the page has no row {name:?}"));
                continue;
            };
            for &(at, there, kind) in &known {
                if kind != Kind::Measured && !says(line, (at, there)) {
                    let told = line.get(there).copied().unwrap_or_default();
                    let column = &self.columns[at].name;
                    differences.push(format!(
                        "{title}: {name}: {column}: the page has {told}, a run gave {}",
                        shown(at)
                    ));
                }
            }
        }
        differences
    }
}

/// The cells of the lines of the first table below a heading, without the rule between header and rows.
fn table_below<'a>(page: &'a str, title: &str) -> Option<Vec<Vec<&'a str>>> {
    let mut lines = page.lines().skip_while(|line| line.trim_start_matches('#').trim() != title).skip(1);
    let first = lines.by_ref().find(|line| line.starts_with('|') || line.starts_with('#'))?;
    let rest = lines.take_while(|line| line.starts_with('|')).skip(1);
    let cells = |line: &'a str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    first.starts_with('|').then(|| std::iter::once(first).chain(rest).map(cells).collect())
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Words in lines of some width.
pub fn wrapped(words: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let columns =
            [(Kind::Name, "model"), (Kind::Paper, "paper"), (Kind::Counted, "states"), (Kind::Measured, "s")];
        let mut sheet = Sheet::new("Table 1: nets", &columns);
        sheet.before.push("Words | with a stroke in front.".to_owned());
        sheet.push(["a".into(), 12_345.into(), 12_345.into(), Cell::Number(0.251, 1)]);
        sheet.push(["b".into(), Cell::Nothing, 7.into(), Cell::Number(2.0, 1)]);
        sheet
    }

    #[test]
    fn a_page_says_what_its_sheets_say() {
        let page = format!("# A page\n\n{}\n### Table 2\n\n| model |\n|---|\n| a |\n", sheet().markdown());
        assert!(page.contains("| a     | 12,345 | 12,345 | 0.3 |"), "{page}");
        assert!(sheet().differences(&page).is_empty(), "{:?}", sheet().differences(&page));
    }

    #[test]
    fn only_what_is_measured_may_differ() {
        let page = sheet().markdown();
        assert!(sheet().differences(&page.replace("0.3", "9.9")).is_empty());
        let changed = sheet().differences(&page.replace("|      7 |", "|      8 |"));
        assert_eq!(changed, ["Table 1: nets: b: states: the page has 8, a run gave 7"]);
        let no_row = sheet().differences(&page.replace("| b ", "| c "));
        assert_eq!(no_row, ["Table 1: nets: the page has no row \"b\""]);
        let no_column = sheet().differences(&page.replace("states", "edges"));
        assert_eq!(no_column, ["Table 1: nets: the page has no column \"states\""]);
        for without in ["", "### Table 1: nets\n\n### Table 2\n\n| model |\n"] {
            assert_eq!(
                sheet().differences(without),
                ["there is no table below the heading \"Table 1: nets\""]
            );
        }
    }

    #[test]
    fn what_is_not_counted_can_be_left_out() {
        let sheet = sheet().counted();
        assert!(
            sheet.markdown().contains("| a     | 12,345 |\n| b     |      7 |\n"),
            "{}",
            sheet.markdown()
        );
    }

    #[test]
    fn words_are_broken_between_them() {
        let words = "word ".repeat(60);
        assert!(wrapped(&words).lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(wrapped(&words).split_whitespace().count(), 60);
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
