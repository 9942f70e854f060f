//! All rows of a comparison, and what can be said of them together.

use crate::front::front;
use crate::number::grouped;
use crate::row::{End, Row};

/// A comparison, finished or not.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The model's name.
    pub model: String,
    /// What is known of the model.
    pub facts: Vec<Fact>,
    /// The machine and the program.
    pub machine: Vec<Fact>,
    /// The command that made it.
    pub command: String,
    /// One row for each case.
    pub rows: Vec<Row>,
}

/// A name and what is said of it.
pub type Fact = (String, String);

impl Comparison {
    /// The row of the plain table for the same instance of the model, if it did what was asked or came to some point.
    pub fn baseline(&self, row: &Row) -> Option<&Row> {
        let is_it = |other: &&Row| other.case.way.is_baseline() && other.case.instance == row.case.instance;
        self.rows.iter().find(is_it).filter(|baseline| baseline.figures.is_some())
    }

    /// Bytes per state over those of the plain table.
    pub fn memory_ratio(&self, row: &Row) -> Option<f64> {
        let of = |row: &Row| row.figures.as_ref().and_then(|figures| figures.bytes_per_state());
        let base = of(self.baseline(row)?).filter(|&base| base > 0.0)?;
        Some(of(row)? / base)
    }

    /// Time for a state over that of the plain table.
    pub fn time_ratio(&self, row: &Row) -> Option<f64> {
        let of = |row: &Row| row.figures.as_ref().and_then(|figures| figures.states_per_second());
        let rate = of(row).filter(|&rate| rate > 0.0)?;
        Some(of(self.baseline(row)?)? / rate)
    }

    /// Which rows are on the front of memory and time.
    pub fn front(&self) -> Vec<bool> {
        front(&self.rows)
    }

    /// Exact runs that saw all states must have seen the same ones: the first two that did not.
    pub fn disagreement(&self) -> Option<String> {
        for row in &self.rows {
            let counts = |row: &Row| {
                let figures = row.figures.as_ref().filter(|_| row.end == End::Complete && row.is_exact())?;
                Some((figures.states, figures.edges, figures.dead_states))
            };
            let same = |other: &&Row| other.case.instance == row.case.instance && counts(other).is_some();
            let Some((first, counted)) = self.rows.iter().find(same).zip(counts(row)) else { continue };
            if let Some(before) = counts(first).filter(|&before| before != counted) {
                return Some(format!(
                    "{} found {} states and {} edges, {} found {} and {}: this is a bug in petite",
                    first.case.name(),
                    grouped(before.0),
                    grouped(before.1),
                    row.case.name(),
                    grouped(counted.0),
                    grouped(counted.1),
                ));
            }
        }
        None
    }

    /// What there is to say beside the figures: a name and a sentence each.
    pub fn remarks(&self) -> Vec<(String, String)> {
        let mut remarks = Vec::new();
        for row in &self.rows {
            remarks.extend(row.remark().map(|remark| (row.case.name(), remark)));
        }
        for row in self.rows.iter().filter(|row| row.is_whole()) {
            let sentence =
                row.figures.as_ref().and_then(|figures| Some(figures.break_even?.sentence(figures.states)));
            remarks.extend(sentence.map(|sentence| (row.case.name(), sentence)));
        }
        remarks
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::break_even::BreakEven;
    use crate::row::tests::row;

    /// Five rows of all kinds.
    pub fn sample() -> Comparison {
        let mut rows = vec![
            row("plain", 1.0, 65_000, 70_000_000),
            row("tree", 2.5, 1_370, 8_000_000),
            row("collapse", 1.5, 30_000, 40_000_000),
            row("obdd", 60.0, 500_000, 90_000_000),
            row("hashcompact", 1.1, 8_000, 12_000_000),
        ];
        rows[2].figures.as_mut().unwrap().break_even = Some(BreakEven::At(204));
        rows[3].end = End::Early("600-bit vectors, stopped after 60.00 s at 1,000 states".to_owned());
        let lossy = rows[4].figures.as_mut().unwrap();
        (lossy.exact, lossy.omission) = (false, Some(3e-9));
        rows.push(Row::not_run(
            crate::row::tests::case("sweep"),
            "petite explore <m>.lna --search sweep".to_owned(),
        ));
        rows[5].end = End::Refused("no progress measure & no <sweep>".to_owned());
        Comparison {
            model: "dining <N> & co".to_owned(),
            facts: vec![("places".to_owned(), "12".to_owned())],
            machine: vec![("processor".to_owned(), "some <CPU>".to_owned())],
            command: "petite compare m.lna".to_owned(),
            rows,
        }
    }

    #[test]
    fn ratios_are_to_the_plain_table() {
        let all = sample();
        let ratio = all.memory_ratio(&all.rows[1]).unwrap();
        assert!((ratio - 1.37 / 65.0).abs() < 1e-9, "{ratio}");
        assert_eq!(all.time_ratio(&all.rows[1]), Some(2.5));
        assert_eq!(all.memory_ratio(&all.rows[5]), None);
        assert_eq!(all.front(), [true, true, true, false, false, false]);
    }

    #[test]
    fn exact_runs_that_disagree_are_found() {
        let mut all = sample();
        assert_eq!(all.disagreement(), None);
        // What may miss states, or saw only some, may count less.
        all.rows[4].figures.as_mut().unwrap().states -= 1;
        all.rows[3].figures.as_mut().unwrap().states -= 1;
        assert_eq!(all.disagreement(), None);
        all.rows[2].figures.as_mut().unwrap().edges += 1;
        assert!(all.disagreement().unwrap().contains("collapse found 1,000 and 4,001"));
    }

    #[test]
    fn everything_odd_is_explained() {
        let remarks = sample().remarks();
        let of = |name: &str| &remarks.iter().find(|(other, _)| other == name).unwrap().1;
        assert!(of("obdd").contains("stopped after 60.00 s"));
        assert!(of("sweep").contains("cannot be used"));
        assert!(of("hashcompact").contains("lossy"));
        assert!(of("collapse").contains("pay from 204 states on"));
    }
}
